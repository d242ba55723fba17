"""The dock "Runs": the current run and the pinned ones in a table, with the cost and the error of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QGuiApplication, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.app.runs import CURRENT
from gui.qt.panels._runs_columns import LEAST_SECTION, RunsColumns
from gui.qt.panels._runs_footer import RunsFooter
from gui.qt.panels._runs_menu import run_menu, table_menu
from gui.qt.panels._runs_table import (
    ACTIONS,
    NameDelegate,
    RunsTable,
    SwatchDelegate,
    copied_table,
)
from gui.qt.panels._runs_widths import MORE
from gui.qt.style import change, icons
from gui.qt.style.curtain import Behind
from gui.qt.widgets.parts import bare, quiet_button
from gui.qt.widgets.scroll import RowsTable
from gui.qt.window.bridge import Soon, subscribe
from gui.qt.window.commands.local_keys import TABLE, asked_for
from gui.qt.window.commands.tab_order import into_sight
from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session
    from gui.app.table.columns import Column

SIDEWAYS = {"table.left": -1, "table.right": 1}
"""The commands that scroll a table that is too wide, and by how many columns."""


class _Rows(RowsTable):
    """Whole rows that can be dragged; one that is let go where it was leaves no line of where it would have gone."""

    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()


class RunsPanel(QWidget):
    """The table; each row has its own buttons, and the menu and keys offer the same."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.model = RunsTable(session, self)
        self.table = _Rows()
        self.table.setAccessibleName("Runs")
        self.table.setAccessibleDescription("The current run and the pinned ones; F1 shows the keys of the table")
        self.table.setModel(self.model)
        self.table.setItemDelegate(NameDelegate(self.table))
        self.table.setItemDelegateForColumn(0, SwatchDelegate(self.table))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.table.setDragDropOverwriteMode(False)
        self.table.setShowGrid(False)
        self.table.setStyleSheet("QTableView::item { padding: 0 8px; }")
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu_at)
        self.table.doubleClicked.connect(lambda index: session.comparisons.edit(self.model.ids[index.row()]))
        self.table.verticalHeader().hide()
        self.buttons: dict[int, dict[str, QToolButton]] = {}
        self._columns = RunsColumns(self.model, self.table, lambda: self.buttons)
        self._shape_header()
        self.table.installEventFilter(self)
        self.table.viewport().installEventFilter(self)
        column = bare(QVBoxLayout(self), 0)
        column.addWidget(self.table, 1)
        self.footer = RunsFooter(session, self.selected)
        column.addWidget(self.footer)
        self.footer.note.left.connect(lambda: self.table.setFocus(Qt.FocusReason.ShortcutFocusReason))
        # A dock has them beside its title: in a low window they would cover every other run.
        self.tools = (self.footer,)
        self._soon = Soon(self._show_values, self)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self.footer.refresh())
        self._behind = Behind(self)
        self._behind.changed.connect(self._follow)
        for signal in (session.runs.changed, session.runs.updated, session.scenario_changed, session.view.changed):
            subscribe(self, signal, self._follow)
        subscribe(self, session.files.opened, self._forget)
        subscribe(self, session.playback.moved, lambda *_: self.model.update_live())
        self.refresh()

    def _forget(self) -> None:
        """Select nothing, sort by nothing and begin with the current run, because another scenario was opened."""
        self.table.clearSelection()
        self.table.scrollToTop()
        self.model.sorted_by = ("", False)

    def _follow(self, *_: object) -> None:
        if not self._behind.covered:
            self.refresh()

    def refresh(self) -> None:
        """Show the current rows and columns at once, and soon what is in them: an edit is several changes in a row."""
        chosen, had_focus = self.selected(), self.table.hasFocus()
        if not self._naming() and self.model.follow_session():
            self.buttons = {}
            for place, row in enumerate(self.session.runs.all):
                buttons = self._make_buttons(row)
                self.table.setIndexWidget(self.model.index(place, self.model.keys.index(ACTIONS)), buttons)
            self.select(chosen)
            if had_focus:
                self.table.setFocus()
        self._soon()

    def _show_values(self) -> None:
        # A run that comes while a name is typed, or behind a sheet, has its buttons later.
        for row in [row for row in self.session.runs.all if row.id in self.buttons]:
            eye = self.buttons[row.id]["show"]
            icons.set_icon(eye, "show" if row.visible else "hide")
            eye.setToolTip("Hide this run in the view and the plots" if row.visible else "Show this run")
            for button in self.buttons[row.id].values():
                hint = button.toolTip().split(":")[0]
                button.setAccessibleName(f"{hint}: {row.label}, {row.setting}")
        self.model.update_all()
        self._columns.share()
        self.footer.refresh()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are shown."""
        return self.model.columns

    @property
    def left_out(self) -> list[str]:
        """The keys of those for which there is no room now."""
        return [key for place, key in enumerate(self.model.keys) if self.table.isColumnHidden(place)]

    def copy(self) -> None:
        """Put the table on the clipboard as text."""
        QGuiApplication.clipboard().setText(copied_table(self.session))

    def selected(self) -> list[int]:
        """The ids of the selected runs, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.ids[row] for row in rows if row < len(self.model.ids)]

    def _naming(self) -> bool:
        """Whether a name is being typed, and the rows are still the same ones."""
        focus, ids = QApplication.focusWidget(), [row.id for row in self.session.runs.all]
        return isinstance(focus, QLineEdit) and self.table.isAncestorOf(focus) and ids == self.model.ids

    def select(self, ids: list[int]) -> None:
        """Select the rows of these runs, those that are there."""
        chosen = [self.model.ids.index(row_id) for row_id in ids if row_id in self.model.ids]
        selection, flags = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        if chosen:
            selection.setCurrentIndex(self.model.index(chosen[0], 1), flags.NoUpdate)
        for place in chosen:
            selection.select(self.model.index(place, 0), flags.Select | flags.Rows)

    def rename(self, row_id: int | None = None) -> None:
        """Type a name for a run into its row; usually for the selected one, or else the current one."""
        row_id = self._selected() or CURRENT if row_id is None else row_id
        if row_id in self.model.ids:
            index = self.model.index(self.model.ids.index(row_id), self.model.keys.index("method"))
            self.table.setCurrentIndex(index)
            self.table.edit(index)

    def duplicate(self, row_id: int) -> None:
        """Pin a copy of a run below it, and select the copy."""
        copy = self.session.comparisons.duplicate(row_id)
        self.table.clearSelection()
        self.select([] if copy is None else [copy])

    def write_note(self, row_id: int) -> None:
        """Select a run and type a note on it."""
        self.table.clearSelection()
        self.select([row_id])
        self.footer.note.setFocus(Qt.FocusReason.OtherFocusReason)
        self.footer.note.selectAll()

    def sort(self, key: str) -> None:
        """Sort the pinned runs by a column; a second call reverses the order."""
        column = next((one for one in self.model.columns if one.key == key), None)
        if column is not None:
            self.session.comparisons.order(self.model.sort_by(key), f"sort by {column.title.lower()}")
            self._soon()

    def menu_for(self, row_id: int) -> QMenu:
        """The actions on a run."""
        return run_menu(self, row_id)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _make_buttons(self, row: RunRow) -> QWidget:
        # The buttons know the row by its id: holding the row would keep its first run for as long as they live.
        holder, row_id, comparisons = QWidget(), row.id, self.session.comparisons
        line = QHBoxLayout(holder)
        line.setContentsMargins(2, 0, 2, 0)
        line.setSpacing(0)
        wanted: list[tuple[str, str, str, Callable[[], object]]] = [
            ("show", "show", "Hide this run", lambda: self._toggle(row_id))
        ]
        if row.id == CURRENT:
            wanted.append(("pin", "pin", "Pin: keep this run on screen for comparison", comparisons.pin))
        else:
            wanted.append(("duplicate", "duplicate", "Duplicate this run", lambda: self.duplicate(row_id)))
            wanted.append(("edit", "undo", "Edit: make this the current run", lambda: comparisons.edit(row_id)))
            wanted.append(("remove", "remove", "Remove this run", lambda: comparisons.remove(row_id)))
        wanted.append((MORE, "more", "More: hide, pin or remove this run", lambda: self._menu_below(row_id)))
        self.buttons[row.id] = {}
        for key, icon, hint, action in wanted:
            button = quiet_button(hint, action, icon=icon)
            line.addWidget(button)
            self.buttons[row.id][key] = button
        line.addStretch(1)
        return holder

    def _toggle(self, row_id: int) -> None:
        row = self.session.runs.find(row_id)
        if row is not None:
            self.session.runs.show(row_id, not row.visible)

    def _menu_at(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        row_id = self.model.ids[index.row()] if index.isValid() else CURRENT
        self.menu_for(row_id).popup(self.table.viewport().mapToGlobal(place))

    def _menu_below(self, row_id: int) -> None:
        button = self.buttons[row_id][MORE]
        self.menu_for(row_id).popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _menu_by_keys(self) -> None:
        """The menu of the selected run, wherever Qt or the mouse points."""
        index = self.model.index(self.model.ids.index(self._selected() or CURRENT), 1)
        self.table.scrollTo(index)
        place = self.table.visualRect(index).center()
        self.menu_for(self.model.ids[index.row()]).popup(self.table.viewport().mapToGlobal(place))

    def _selected(self) -> int | None:
        return next(iter(self.selected()), None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the table (see `LOCAL`); the columns make room for scroll bars."""
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            self._columns.share()
            focus = QApplication.focusWidget()
            into_sight(focus if focus is not None and self.table.isAncestorOf(focus) else self.table)
        asked = isinstance(event, QContextMenuEvent) and event.reason() == QContextMenuEvent.Reason.Keyboard
        if watched is self.table and asked:
            # Qt's place for it is counted from the table's upper edge, as if there were no headings.
            self._menu_by_keys()
            return True
        if watched is self.table and isinstance(event, QKeyEvent):
            action = self._action_of(event) if event.type() == QEvent.Type.KeyPress else None
            if action is not None:
                action()
                return True
        return super().eventFilter(watched, event)

    def _action_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        if event.matches(QKeySequence.StandardKey.Copy):
            return self.copy
        asked = asked_for(event, self.session.preferences, TABLE)
        if asked in SIDEWAYS:
            bar = self.table.horizontalScrollBar()
            return lambda: bar.setValue(bar.value() + SIDEWAYS[asked])
        row_id, key = self._selected(), event.key()
        if row_id is None and len(self.model.ids) == 1:
            row_id = CURRENT
        if row_id is None:
            return None
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return lambda: self.session.comparisons.edit(row_id)
        known: dict[str, Callable[[], None]] = {
            "table.remove": self._remove_selected,
            "table.up": lambda: self.session.comparisons.move(row_id, -1),
            "table.down": lambda: self.session.comparisons.move(row_id, 1),
            "table.menu": self._menu_by_keys,
        }
        return known.get(asked)

    def _remove_selected(self) -> None:
        ids = self.selected()
        place = min((self.model.ids.index(one) for one in ids), default=0)
        self.table.selectionModel().clear()
        self.session.comparisons.remove(*ids)
        left = [row.id for row in self.session.runs.all]
        self.select(left[place : place + 1] or left[-1:])

    def _shape_header(self) -> None:
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(lambda section: self.sort(self.model.keys[section]))
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(lambda at: table_menu(self).popup(header.mapToGlobal(at)))
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(LEAST_SECTION)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._columns.share()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "_columns") and change.type_changed(self, event):
            self._columns.share()


PANEL = Panel("runs", "Runs", "bottom", 10, RunsPanel)
