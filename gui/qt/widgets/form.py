"""A form over paths of the edited scenario, and the sections that panels are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from assets.fields import Field, Value, condition_of, matters
from gui.app.units import numbers_in
from gui.qt.widgets.fields import ChoiceRow, FieldRow, NumberRow, SwitchRow
from gui.qt.widgets.file_row import FileRow, TextRow
from gui.qt.widgets.parts import add_tick, bare, passing_menu
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.table_field import TableRow
from gui.qt.window.bridge import WhileShown
from robots.scenario.method_selection import MODES
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from gui.app.session.session import Session


class Section(QWidget):
    """A title with content below it.

    Args:
        title, content: from the top.
        about: words by which it is found, besides its title.
    """

    def __init__(self, title: str, *content: QWidget, about: str = "") -> None:
        super().__init__()
        self.about = about
        self.setAccessibleName(title)
        self.column = bare(QVBoxLayout(self), 6)
        self.header = RoleLabel(title, "section")
        self.column.addWidget(self.header)
        for widget in content:
            self.column.addWidget(widget)


class Form(QWidget):
    """Rows for paths of the scenario, as of the last `show_fields` or `refresh`: its panel follows the session.

    An entry goes to `session.edit(path, value)`; what is shown is always the scenario's value. A refused entry stays in
    its row, marked, with the refusal below, until it is corrected, restored with Escape, or replaced.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.rows: dict[str, FieldRow] = {}
        self.fields: dict[str, Field] = {}
        self.degrees = session.view.settings.degrees
        self.column = bare(QVBoxLayout(self), 6)
        self.edit: Callable[[str, Value], object] = session.edit
        self._sought: tuple[str, ...] = ()

    def show_fields(self, fields: Mapping[str, Field]) -> None:
        """Show exactly these paths; a row whose field stays the same stays, even while it is dragged."""
        if dict(fields) != self.fields:
            self._rebuild(fields)
        self.refresh()

    @classmethod
    def follow(cls, shown: WhileShown, session: Session, refresh: Callable[[], object], forms: Iterable[Form]) -> None:
        """Keep the forms of a panel in step with the session while the panel is shown.

        Args:
            shown: the panel's.
            session: whose scenario is shown.
            refresh: gives each form its fields.
            forms: all forms of the panel.
        """
        marked: list[Scenario | None] = []

        def refresh_rows() -> None:
            for form in forms:
                form.refresh()

        def mark_again() -> None:
            """The rows say what the opened scenario has: they change with it, not with each edit."""
            if not marked or marked[0] is not session.files.as_opened:
                marked[:] = [session.files.as_opened]
                refresh_rows()

        moved = session.from_here.moved
        shown.subscribe(refresh, session.scenario_changed, session.messages.problems_changed, moved)
        shown.subscribe(mark_again, session.files.changed)
        shown.subscribe(refresh_rows, session.links.changed)
        shown.subscribe(lambda: [form.follow_view() for form in forms], session.view.changed)

    def refresh(self) -> None:
        """Show the scenario's values and the session's refusals."""
        problems, scenario = self.session.messages.problems, self.session.from_here.in_force()
        links = self.session.links
        for path, row in self.rows.items():
            row.set_problem(problems.get(path, ""))
            row.set_value(scenario.get(path))
            linked = sorted(self.fields[other].label for other in links.others(path) if other in self.fields)
            row.mark(self._changed_from(path, scenario), ", ".join(linked))
            row.setVisible(matters(path, self.fields, scenario.get) and self._fits(path))
        self.setVisible(any(not row.isHidden() for row in self.rows.values()))

    def seek(self, words: str, group: str) -> None:
        """Show only the rows in whose name, key, unit or help (or in the group's name) each of the words is."""
        sought = tuple(word for word in words.lower().split() if word not in group.lower())
        if sought != self._sought:
            self._sought = sought
            self.refresh()

    def count(self) -> int:
        """How many rows matter, sought or not."""
        scenario = self.session.from_here.in_force()
        return sum(matters(path, self.fields, scenario.get) for path in self.rows)

    def waiting(self) -> Iterator[tuple[FieldRow, FieldRow, str]]:
        """The rows that matter only with another value of a row that matters: each, that row, and the value's name."""
        scenario = self.session.from_here.in_force()
        for path, row in self.rows.items():
            condition = condition_of(path, self.fields)
            if condition is None or matters(path, self.fields, scenario.get):
                continue
            other, values = condition
            if other in self.rows and matters(other, self.fields, scenario.get):
                yield row, self.rows[other], self.fields[other].label_of(values[0])

    def _rebuild(self, fields: Mapping[str, Field], keep: bool = True) -> None:
        kept = {path: row for path, row in self.rows.items() if keep and fields.get(path) == self.fields[path]}
        for path, row in self.rows.items():
            self.column.removeWidget(row)
            if path not in kept:
                row.hide()
                row.deleteLater()
        self.fields = dict(fields)
        self.rows = {path: kept[path] if path in kept else self._row(path, field) for path, field in fields.items()}
        for row in self.rows.values():
            self.column.addWidget(row)

    def _row(self, path: str, field: Field) -> FieldRow:
        row = row_for(field, self.degrees)
        row.edited.connect(lambda value: self.edit(path, value))
        row.gesture.connect(self.session.follow_gesture)
        row.pasted.connect(lambda texts: self._paste(path, texts))
        row.menu_asked.connect(lambda at: self.menu_of(path).popup(at))
        if isinstance(row, FileRow):
            row.asked.connect(lambda: self.session.files.logs.wanted.emit())
        return row

    def follow_view(self) -> None:
        """Show angles in the unit of the view."""
        if self.session.view.settings.degrees != self.degrees:
            self.degrees = self.session.view.settings.degrees
            self._rebuild(self.fields, keep=False)
            self.refresh()

    def menu_of(self, path: str) -> QMenu:
        """What can be done with one value."""
        row, field, opened = self.rows[path], self.fields[path], self.session.files.as_opened
        menu = passing_menu(row)
        if row.marked and opened is not None:
            menu.addAction(f"Back to {row.marked}", lambda: self.edit(path, opened.get(path)))
        usual = field.default
        if row.value != usual and (usual is not None or (field.optional and path not in MODES)):
            menu.addAction(f"Default: {row.text_of(usual)}", lambda: row.edited.emit(usual))
        if isinstance(row, ChoiceRow) and not path.startswith("view."):  # what is drawn is the same run
            menu.addAction("Compare all, side by side", lambda: self.session.comparisons.compare_choices(path))
        if isinstance(row, NumberRow):
            menu.addSeparator()
            menu.addAction("Copy", lambda: QGuiApplication.clipboard().setText(row.typeable()))
            menu.addAction("Paste", lambda: self._paste(path, _pasted()))
            self._link_menu(menu, path)
        return menu

    def _link_menu(self, menu: QMenu, path: str) -> None:
        """Fields of the same unit that may keep one value with this one."""
        links, unit = self.session.links, self.fields[path].unit
        alike = [other for other in self._numbers() if other != path and self.fields[other].unit == unit]
        if not alike:
            return
        same = menu.addMenu("Same value as")
        for other in alike:
            add_tick(same, self.rows[other].name, other in links.others(path), partial(self._link, path, other))

    def _link(self, path: str, other: str, linked: bool) -> None:
        if linked:
            with self.session.gesture():
                self.session.links.link(path, other)
                self.edit(path, self.session.from_here.in_force().get(other))
        else:
            self.session.links.release(path)

    def _paste(self, path: str, texts: list[str]) -> None:
        """Put the numbers into this row and those of the same unit below it, in one step."""
        below = [one for one in self._numbers() if self.fields[one].unit == self.fields[path].unit]
        below = below[below.index(path) :]
        changes: dict[str, Value] = {}
        for place, text in zip(below, texts, strict=False):
            row = self.rows[place]
            assert isinstance(row, NumberRow)
            value = row.unit.read(text)
            changes[place] = text if value is None else value
        some = f"Pasted {len(below)} of {len(texts)} numbers: there are no more fields."
        self.session.edit_many(changes, some if len(texts) > len(below) else "")

    def _numbers(self) -> list[str]:
        return [path for path, row in self.rows.items() if isinstance(row, NumberRow) and not row.isHidden()]

    def _changed_from(self, path: str, scenario: Scenario) -> str:
        """The value as it was opened, where the present one is another."""
        opened = self.session.files.as_opened
        if opened is None or opened.robot != scenario.robot or path not in opened.fields():
            return ""
        before = opened.get(path)
        if before is None and path in MODES:
            return ""  # the other way of stepping was chosen, and these values came with it
        return self.rows[path].text_of(before) if before != scenario.get(path) else ""

    def _fits(self, path: str) -> bool:
        field = self.fields[path]
        text = f"{field.label} {path} {field.unit} {field.help}".lower()
        return all(word in text for word in self._sought)


def _pasted() -> list[str]:
    """The numbers on the clipboard."""
    text = QGuiApplication.clipboard().text()
    return numbers_in(text) or [text]


def row_for(field: Field, degrees: bool = True) -> FieldRow:
    """The row that suits the field's type; angles in degrees or radians."""
    if field.type is bool:
        return SwitchRow(field)
    if field.table:
        return TableRow(field)
    if field.file:
        return FileRow(field)
    if field.type is str:
        return ChoiceRow(field) if field.choices else TextRow(field)
    return NumberRow(field, degrees=degrees)
