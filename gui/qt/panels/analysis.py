"""The dock "Inverse dynamics", for arms that bend: its index, and whether a bounded torque exists."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from gui.app.units import SUBSCRIPTS, number, prettify, reading, with_unit
from gui.charts.zeros import HELP, chart_of_run, zeros_chart
from gui.qt.widgets.form import Section
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import scrolled_column
from gui.qt.window.bridge import Pulse, subscribe
from gui.qt.window.panel import Panel
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.dynamics.flexible.run_analysis import RunAnalysis

GREEK = {"xi": "ξ"}


class AnalysisPanel(QWidget):
    """Verdict, poles and zeros, index numbers, eigenfrequencies, conditioning; shown for arms that bend."""

    def __init__(self, session: Session) -> None:
        from gui.qt.plots.chart_view import ChartView

        super().__init__()
        self.session = session
        self.verdict, self.condition = RoleLabel("", "strong"), RoleLabel("", "hint")
        self.picture = ChartView("Poles and zeros", QSize(240, 210))
        self.picture.setToolTip(HELP)
        self.picture.enlarge_asked.connect(lambda: session.view.set(enlarged="zeros"))
        self.index, self.gap = QLabel(), RoleLabel("", "hint")
        self.frequencies, self.solving = QLabel(), QLabel()
        self._lay_out()
        for signal in (session.runs.updated, session.runs.changed, session.scenario_changed):
            subscribe(self, signal, lambda *_: self.refresh())
        subscribe(self, session.analysis.changed, self.show_facts)
        pulse = Pulse(lambda: self.picture.show_time(session.playback.t), self)
        subscribe(self, session.playback.moved, lambda _: pulse())
        QTimer.singleShot(0, self, self.refresh)
        self.show_facts()

    def refresh(self) -> None:
        """Follow the current run."""
        run = self.session.runs.current.run
        fits = run is not None and run.robot.bends and run.robot.key == self.session.scenario.robot
        self.session.analysis.show(run if fits else None)

    def show_facts(self) -> None:
        """Show the desk's facts."""
        facts, run = self.session.analysis.facts, self.session.analysis.run
        self.picture.show_chart(zeros_chart(None) if facts is None or run is None else chart_of_run(run, facts.zeros))
        self.picture.show_time(self.session.playback.t)
        for label in (self.condition, self.index, self.gap, self.frequencies, self.solving):
            label.setVisible(facts is not None)
        if facts is None:
            self.verdict.setText(self.session.analysis.trouble or "Computing…")
            return
        self.verdict.setText(verdict_text(facts))
        self.condition.setText(condition_text(facts))
        self.index.setText(index_text(facts))
        self.gap.setText(gap_text(facts))
        self.frequencies.setText(frequencies_text(facts))
        self.solving.setText(solving_text(facts))

    def _lay_out(self) -> None:
        column = scrolled_column(self, "Analysis", self.session)
        for label in (self.verdict, self.condition, self.index, self.gap, self.frequencies, self.solving):
            label.setWordWrap(True)
        column.addWidget(Section("Zero dynamics", self.verdict, self.condition, self.picture))
        column.addWidget(Section("Index", self.index, self.gap))
        column.addWidget(Section("Eigenfrequencies at rest", self.frequencies))
        column.addWidget(Section("Solving", self.solving))
        column.addStretch(1)


def verdict_text(facts: RunAnalysis) -> str:
    """Whether a bounded torque follows the path."""
    if facts.zeros.minimum_phase:
        return "Minimum phase: a bounded torque follows the path."
    worst = with_unit("+" + number(facts.zeros.worst, 3), "1/s")
    return f"Not minimum phase: a zero at {worst}. The exact torque grows without bound."


def condition_text(facts: RunAnalysis) -> str:
    """The closed form with its value."""
    formula, unit, value = facts.condition
    sign = "> 0, stable" if value > 0.0 else "< 0, a saddle" if value < 0.0 else "= 0, singular"
    return f"{typeset(formula)} = {with_unit(number(value, 4), prettify(unit))} {sign}"


def index_text(facts: RunAnalysis) -> str:
    """The results of the rank tests in words."""
    found = facts.index
    if found is None:
        return facts.trouble
    return (
        f"Differential index ν = {found.differential_index}, and {found.differential_index + 1} with the torques.\n"
        f"Strangeness index μ = {found.strangeness}: a = {found.algebraic} algebraic, d = {found.differential}"
        " differential unknowns."
    )


def gap_text(facts: RunAnalysis) -> str:
    """How clear the ranks are."""
    if facts.index is None:
        return ""
    return (
        "Singular values relative to the largest: counted as nonzero from "
        f"{reading(facts.index.kept)}, as zero up to {reading(facts.index.dropped)}."
    )


def frequencies_text(facts: RunAnalysis) -> str:
    """One line for every choice of held motors."""
    motors = max(len(one.held) for one in facts.frequencies)
    lines = []
    for one in facts.frequencies:
        held = "motors free" if not one.held else "motors held" if len(one.held) == motors else ""
        held = held or "motor " + " and ".join(str(k + 1) for k in one.held) + " held"
        lines.append(f"{held}: {with_unit(', '.join(map(number, one.values)), 'Hz')}")
    return "\n".join(lines)


def solving_text(facts: RunAnalysis) -> str:
    """Newton's iterations and the iteration matrix."""
    parts = [f"{number(facts.iterations, 2)} Newton iterations per step"] if facts.iterations else []
    if not math.isnan(facts.matrix):
        parts.append(f"condition number {reading(facts.matrix)}")
    return ", ".join(parts) or "This method reports neither iterations nor a condition number."


def typeset(formula: str) -> str:
    """`j2 - m2 xi2` as j₂ − m₂ ξ₂."""
    words = []
    for word in formula.replace(" - ", " − ").split(" "):
        stem = word.strip("()").rstrip("0123456789")
        lead, tail = word[: len(word) - len(word.lstrip("("))], word[len(word.rstrip(")")) :]
        digits = word.strip("()")[len(stem) :]
        plain = stem.isalpha() and digits and len(digits) <= 2
        words.append(f"{lead}{GREEK.get(stem, stem)}{digits.translate(SUBSCRIPTS)}{tail}" if plain else word)
    return " ".join(words)


PANEL = Panel(
    "analysis", "Inverse dynamics", "right", 60, AnalysisPanel, lambda session: robot_of(session.scenario).bends
)
