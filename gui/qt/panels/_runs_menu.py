"""The menus of the table of runs: what can be done with one run, and with the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from assets.counting import capital
from gui.app.runs import CURRENT
from gui.app.table.columns import live_columns, offered_columns
from gui.charts.colours import COLOUR_NAMES, COLOURS
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look
from gui.qt.widgets.parts import add_tick, passing_menu

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session
    from gui.app.table.columns import Column

TABLE_KEYS = (
    ("Enter", "Make it the current run"),
    ("Ctrl+click, Shift+Up", "Select two runs to compare"),
    ("Click on a heading", "Sort; also in the menu of a row"),
)
"""What the mouse and fixed keys do in the table, for the F1 sheet."""

SQUARE = 14


class RunsVerbs(Protocol):
    """The panel whose menus these are."""

    session: Session

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are shown."""
        ...

    @property
    def left_out(self) -> list[str]:
        """The keys of those for which there is no room."""
        ...

    def rename(self, row_id: int) -> None:
        """Type a name."""
        ...

    def duplicate(self, row_id: int) -> None:
        """Pin a copy and select it."""
        ...

    def write_note(self, row_id: int) -> None:
        """Type a note."""
        ...

    def sort(self, key: str) -> None:
        """Sort by a column."""
        ...

    def copy(self) -> None:
        """Copy the table."""
        ...


def run_menu(panel: RunsVerbs, row_id: int) -> QMenu:
    """What can be done with a run."""
    session, menu = panel.session, _menu(panel)
    row = session.runs.find(row_id)
    if row is None:
        return menu
    comparisons, pinned = session.comparisons, row_id != CURRENT
    menu.addAction("Hide" if row.visible else "Show", lambda: session.runs.show(row_id, not row.visible))
    if pinned:
        menu.addAction("Edit: make it the current run", lambda: comparisons.edit(row_id))
    else:
        menu.addAction("Pin", comparisons.pin)
    menu.addAction("Name…", lambda: panel.rename(row_id))
    menu.addAction("Note…", lambda: panel.write_note(row_id))
    if pinned:
        _pinned_actions(menu, panel, row)
    if row.state == "computing":
        menu.addAction("Stop computing", session.stop_computing)
    menu.addSeparator()
    _table_actions(menu, panel)
    return menu


def table_menu(panel: RunsVerbs) -> QMenu:
    """What can be done with the table."""
    menu = _menu(panel)
    _table_actions(menu, panel)
    return menu


def _menu(panel: RunsVerbs) -> QMenu:
    assert isinstance(panel, QWidget)
    return passing_menu(panel)


def _pinned_actions(menu: QMenu, panel: RunsVerbs, row: RunRow) -> None:
    comparisons, rows = panel.session.comparisons, panel.session.runs.all
    colours = menu.addMenu("Colour")
    for name, colour in zip(COLOUR_NAMES[1:], COLOURS[1:], strict=True):
        ticked = row.colour == colour
        action = add_tick(colours, capital(name), ticked, lambda _, colour=colour: comparisons.colour(row.id, colour))
        action.setIcon(_square(colour))
    menu.addAction("Duplicate", lambda: panel.duplicate(row.id))
    up, down = menu.addAction("Move up"), menu.addAction("Move down")
    for action, by, end in ((up, -1, rows[1]), (down, 1, rows[-1])):
        action.setEnabled(row is not end)
        action.triggered.connect(lambda _=False, by=by: comparisons.move(row.id, by))
    if row.scenario.duration != panel.session.scenario.duration:
        menu.addAction("Use the duration of the current run", lambda: comparisons.take_duration(row.id))
    menu.addAction("Remove", lambda: comparisons.remove(row.id))


def _table_actions(menu: QMenu, panel: RunsVerbs) -> None:
    order = menu.addMenu("Sort by")
    order.setEnabled(len(panel.session.runs.all) > 2)
    for column in panel.columns:
        order.addAction(column.title, partial(panel.sort, column.key))
    columns = menu.addMenu("Columns")
    view, shown = panel.session.view, [column.key for column in panel.columns]
    rows = panel.session.runs.all
    offered = [column for column in offered_columns(rows) if column.key != "method"]
    live = columns.addMenu("At the playhead")
    for place, some in ((columns, offered), (live, live_columns(rows))):
        for column in some:
            others = [key for key in shown if key != column.key]
            wanted = others if column.key in shown else [*shown, column.key]
            title = f"{column.title} (no room now)" if column.key in panel.left_out else column.title
            add_tick(place, title, column.key in shown, lambda _, wanted=wanted: view.set(columns=wanted))
    columns.addSeparator()
    columns.addAction("Reset columns", lambda: view.set(columns=None))
    menu.addAction("Copy table", panel.copy)


def _square(colour: str) -> QIcon:
    pixmap = QPixmap(SQUARE, SQUARE)
    pixmap.fill(QColor(style_of(look().theme.name).run_colour(colour)))
    return QIcon(pixmap)
