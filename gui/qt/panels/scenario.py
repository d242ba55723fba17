"""The dock "Scenario": the arm, its parameters, its initial state, its task and the duration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gui.qt.panels._ensemble import EnsembleSection
from gui.qt.style.change import type_changed
from gui.qt.widgets.fields import ChoiceRow
from gui.qt.widgets.form import Form, Section
from gui.qt.widgets.parts import search_line
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import scrolled_column
from gui.qt.window.bridge import WhileShown, subscribe
from gui.qt.window.panel import Panel
from robots.model.registry import robot_of, robots

if TYPE_CHECKING:
    from gui.app.session.session import Session

GROUPS = (("initial.", "Initial state"), ("task.", "Task"), ("robot.", "Parameters"), ("view.", "Drawing"))
NOTES_DELAY, NOTES_LINES = 800, 4
MANY = 30
"""With more fields than this there is a line to search them."""


def _titles() -> dict[str, str]:
    return {key: robot.title for key, robot in robots().items()}


class NotesField(QPlainTextEdit):
    """A few lines to write in, all of them whole in type of any size."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._take_height()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if type_changed(self, event):
            self._take_height()

    def _take_height(self) -> None:
        around = self.height() - self.viewport().height() + round(self.document().documentMargin())
        block = self.document().firstBlock()
        self.blockBoundingRect(block)  # which lays it out
        self.setFixedHeight(round(NOTES_LINES * block.layout().lineAt(0).height()) + around)


class ScenarioPanel(QWidget):
    """The edited scenario as forms, group by group."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.robot_row = ChoiceRow(session.scenario.fields()["robot"], _titles())
        self.robot_row.label.hide()
        self.robot_row.box.one_way = True
        self.robot_row.edited.connect(lambda key: session.edit("robot", key))
        self.summary = RoleLabel("", "hint")
        self.choices = RoleLabel("", "hint")
        self.choices.setWordWrap(True)
        self.choices_section = Section("Our choices, not from the source", self.choices)
        self.general = Form(session)
        self.forms = {prefix: Form(session) for prefix, _ in GROUPS}
        self.sections = {prefix: Section(title, self.forms[prefix]) for prefix, title in GROUPS}
        self.ensemble = EnsembleSection(session)
        hint = "Search fields: position, elbow, q3…"
        self.search = search_line("Search fields", lambda _: self.refresh(), hint=hint)
        subscribe(self, session.files.opened, self.search.clear)
        self.unfound = RoleLabel("No matches", "hint")
        self.notes = NotesField()
        self.notes.setPlaceholderText("What this scenario shows, for the next person who opens it")
        self.notes.setAccessibleName("Notes")
        self.notes.setAccessibleDescription("What this scenario shows, for the next person who opens it")
        self.notes.setTabChangesFocus(True)
        self._notes_later = QTimer(self, singleShot=True, interval=NOTES_DELAY)
        self._notes_later.timeout.connect(self._keep_notes)
        self.notes.textChanged.connect(self._notes_later.start)
        subscribe(self, session.history.settling, self._settle_notes)
        self._lay_out()
        Form.follow(WhileShown(self), session, self.refresh, (self.general, *self.forms.values()))
        self.refresh()

    def refresh(self) -> None:
        """Show the scenario."""
        scenario = self.session.from_here.in_force()
        fields = scenario.fields()
        self.robot_row.offer(_titles() | {scenario.robot: robot_of(scenario).title})
        self.robot_row.set_value(scenario.robot)
        self.robot_row.set_problem(self.session.messages.problems.get("robot", ""))
        robot = robot_of(scenario)
        self.summary.setText(robot.summary)
        self.choices.setText("\n".join(f"• {choice}" for choice in robot.choices))
        self.choices_section.setVisible(bool(robot.choices))
        self.general.show_fields({"duration": fields["duration"]})
        for prefix, form in self.forms.items():
            chosen = {path: field for path, field in fields.items() if path.startswith(prefix)}
            form.show_fields(chosen)
            form.seek(self.search.text(), self.sections[prefix].header.text())
            self.sections[prefix].setVisible(bool(chosen) and not (self.search.text() and form.isHidden()))
        self.search.setVisible(bool(self.search.text()) or sum(form.count() for form in self.forms.values()) > MANY)
        self.unfound.setVisible(all(section.isHidden() for section in self.sections.values()))
        if not self._notes_later.isActive() and self.notes.toPlainText() != scenario.notes:
            self.notes.blockSignals(True)
            self.notes.setPlainText(scenario.notes)
            self.notes.blockSignals(False)

    def _lay_out(self) -> None:
        column = scrolled_column(self, "Scenario", self.session)
        column.addWidget(Section("Robot", self.robot_row, self.summary, self.general))
        column.addWidget(self.search)
        column.addWidget(self.unfound)
        for section in self.sections.values():
            column.addWidget(section)
        column.addWidget(self.ensemble)
        column.addWidget(self.choices_section)
        column.addWidget(Section("Notes", self.notes))
        column.addStretch(1)

    def _keep_notes(self) -> None:
        self.session.edit("notes", self.notes.toPlainText())

    def _settle_notes(self) -> None:
        """Record what was typed at once: something else is about to happen to the scenario."""
        if self._notes_later.isActive():
            self._notes_later.stop()
            self._keep_notes()


PANEL = Panel("scenario", "Scenario", "left", 10, ScenarioPanel)
