"""The dock "Integrator": the method, how it chooses its steps, and when changes apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from gui.qt.widgets.form import Form, Section
from gui.qt.widgets.method_picker import MethodPicker
from gui.qt.widgets.parts import bare, clear, push_button, quiet_button
from gui.qt.widgets.quick_choices import QuickChoices
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import WrappedRow, scrolled_column
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.bridge import WhileShown, subscribe
from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from solvers.method import Method

FIXED, CONTROLLED = "fixed", "controlled"
TABLEAU = "options.tableau"
STEP_TIP = "One step length for the whole run, or steps chosen from an error estimate"
SCOPE_TIP = "Whether an edit changes the whole run, or the run from the playhead on"
CARD = "method card: order, stages, stability region, longest stable step, source"
CONTROL_PATHS = ("rtol", "atol", "controller", "first_step", "max_step")


class IntegratorPanel(QWidget):
    """Method, step or tolerances, output interval, the method's own settings, and its card."""

    def __init__(self, session: Session) -> None:
        from gui.qt.widgets.kernel_gain import KernelGain
        from gui.qt.widgets.method_card import MethodCard

        super().__init__()
        self.session = session
        self.picker = MethodPicker()
        self.methods = self.picker.methods
        self.methods.compute_in(session.jobs)
        self.picker.chosen.connect(lambda key: session.edit("method", key))
        self.complaint = RoleLabel("", "error")
        tip = "Enter a Butcher tableau: it is checked and used like any other method"
        self.own = push_button("Your own…", tip, self._edit_tableau)
        tip = "Run this scenario with many methods and compare cost against error"
        self.measure = push_button("Work-precision diagram…", tip, self._measure)
        self.mode = Segmented({FIXED: "Fixed step", CONTROLLED: "Step control"}, "Step selection", STEP_TIP, wraps=True)
        self.mode.chosen.connect(self._choose_mode)
        self.mode_reason = RoleLabel("", "hint")
        self.steps, self.output, self.options = Form(session), Form(session), Form(session)
        self.scope = Segmented(
            {"all": "The whole run", "here": "From here on"}, "Changes apply to", SCOPE_TIP, wraps=True
        )
        self.scope.buttons["here"].setToolTip(
            "Changes to the method, step, tolerances or parameters apply from the playhead on; the run keeps its past."
        )
        self.scope.chosen.connect(lambda key: session.from_here.set(key == "here"))
        self.changes = QVBoxLayout()
        self.card = MethodCard()
        self.card.follow(session)
        self.gain = KernelGain(session)
        self.quick = QuickChoices(session)
        self._lay_out()
        shown = WhileShown(self)
        Form.follow(shown, session, self.refresh, (self.steps, self.output, self.options))
        shown.subscribe(self._show_changes, session.runs.changed)
        shown.subscribe(self._follow_lesson, session.lessons.changed)
        subscribe(self, session.files.opened, self.picker.forget_search)
        self.refresh()

    def refresh(self) -> None:
        """Show the scenario's integrator."""
        from robots.scenario.method_selection import method_of, suitable_methods, unsuitable
        from solvers.method_registry import methods

        scenario = self.session.from_here.in_force()
        fields = scenario.fields()
        method = method_of(scenario)
        offered = [method if key == method.key else other for key, other in methods().items()]
        suitable = suitable_methods(scenario)
        reasons = {other.key: unsuitable(scenario, other) for other in offered if other.key not in suitable}
        self.methods.show_methods(offered, reasons)
        self.picker.show_method(method)
        self.complaint.show_text(self.session.messages.problems.get("method", ""))
        mode = FIXED if scenario.step is not None else CONTROLLED
        self._show_mode(mode, method)
        obeyed = [path for path in CONTROL_PATHS if method.controllable or path != "controller"]
        paths = ["step"] if mode == FIXED else obeyed
        self.steps.show_fields({path: fields[path] for path in paths})
        self.output.show_fields({"sampling": fields["sampling"]})
        own = {path: field for path, field in fields.items() if path.startswith("options.") and path != TABLEAU}
        self.options.show_fields(own)
        self.options_section.setVisible(bool(own))
        self.quick_section.setVisible(self.quick.refresh())
        self.scope.show_choice("here" if self.session.from_here.on else "all")
        self._show_changes()
        self.card.show_method(method)
        self.gain.refresh()
        self._follow_lesson()

    def _follow_lesson(self) -> None:
        """A diagram would show what a lesson asks to predict."""
        self.measure.setEnabled(not self.session.computing.held)

    def _show_mode(self, mode: str, method: Method) -> None:
        self.mode.show_choice(mode)
        without_fixed = "" if method.fixed_step else f"{method.name} has no fixed step: it always controls its own."
        without_control = (
            "" if method.adaptive else f"{method.name} has no error estimate, so it cannot control its step."
        )
        self.mode.allow(FIXED, without_fixed)
        self.mode.allow(CONTROLLED, without_control)
        self.mode_reason.show_text(without_fixed or without_control)

    def _choose_mode(self, mode: str) -> None:
        self.session.choose_mode(mode == FIXED)
        self.refresh()

    def _show_changes(self) -> None:
        """List the changes during the run, each with a button that removes it."""
        from gui.app.formatting import segment_text

        clear(self.changes)
        scenario = self.session.scenario
        for index in range(len(scenario.segments)):
            line = QWidget()
            row = bare(QHBoxLayout(line))
            label = RoleLabel(segment_text(scenario, index, self.session.view.settings.degrees), "hint")
            row.addWidget(label, 1)
            name = f"Remove: {label.text()}"
            remove = quiet_button("Remove this change", icon="close", name=name)
            remove.clicked.connect(lambda _=False, index=index: self.session.from_here.remove(index))
            row.addWidget(remove)
            self.changes.addWidget(line)

    def _lay_out(self) -> None:
        column = scrolled_column(self, "Integrator", self.session)
        self.options_section = Section("Method options", self.options)
        scope = Section("Changes apply to", self.scope)
        scope.column.addLayout(self.changes)
        tools = QWidget()
        tools.setLayout(WrappedRow(6, self.own, self.measure))
        self.quick_section = Section("Sampling period and method", self.quick)
        column.addWidget(self.quick_section)
        column.addWidget(Section("Method", self.picker, self.complaint, tools))
        column.addWidget(Section("Steps", self.mode, self.mode_reason, self.steps))
        column.addWidget(self.options_section)
        column.addWidget(scope)
        column.addWidget(Section("Output", self.output))
        column.addWidget(Section("About the method", self.card, self.gain, about=CARD))
        column.addStretch(1)

    def _edit_tableau(self) -> None:
        from gui.qt.dialogs.tableau_editor import open_tableau_editor

        open_tableau_editor(_main_window(self), self.session)

    def _measure(self) -> None:
        from gui.qt.dialogs.work_precision import open_work_precision

        open_work_precision(_main_window(self), self.session)


def _main_window(widget: QWidget) -> QWidget:
    """The window that sheets cover, wherever the dock floats."""
    windows = QApplication.topLevelWidgets()
    return next((one for one in windows if isinstance(one, QMainWindow) and one.isVisible()), widget.window())


PANEL = Panel("integrator", "Integrator", "left", 20, IntegratorPanel)
