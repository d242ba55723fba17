"""The card of a method: summary, facts, stability region, source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from assets.counting import capital, cut
from gui.app.units import number, quantity
from gui.app.verdict import found_text, limit_at, longest_text, modes_text
from gui.charts.colours import COLOURS, DASHES
from gui.charts.fit import outside_text
from gui.charts.shown import modes_at
from gui.charts.stability import formulas_text, modes, names_of_modes, region_chart
from gui.qt.plots.chart_view import ChartView
from gui.qt.widgets.method_tree import short_facts
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.window.bridge import Pulse, subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from solvers.method import Method
    from solvers.tableaux.stability import Stability

FIND = "Find and use the longest stable step"


class MethodCard(QWidget):
    """Everything worth knowing about one method, top to bottom."""

    def __init__(self) -> None:
        super().__init__()
        self.method: Method | None = None
        self.name = RoleLabel("", "title")
        self.name.setWordWrap(True)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.facts = RoleLabel("", "hint")
        self.stability: Stability | None = None
        self.picture = ChartView("Stability region", QSize(220, 190))
        self.lines, self.limits = RoleLabel("", "hint"), RoleLabel("", "hint")
        self.modes = RoleLabel("", "hint")
        self.longest = RoleLabel("", "hint")
        self.take_longest = QPushButton()
        self.take_longest.setToolTip("Make the longest step that is stable along the whole run the fixed step")
        self.take_longest.hide()
        self._most = math.inf  # how long the step taken may be [s]
        self.notes = RoleLabel("", "hint")
        self.source = RoleLabel("", "hint")
        column = bare(QVBoxLayout(self), 6)
        for widget in (
            self.name,
            self.facts,
            self.summary,
            self.picture,
            self.lines,
            self.modes,
            self.longest,
            self.take_longest,
            self.limits,
            self.notes,
            self.source,
        ):
            column.addWidget(widget)

    def follow(self, session: Session) -> None:
        """Draw h lambda of the current run's arm at the playhead, a few times a second."""
        self.session = session
        self.picture.compute_in(session.jobs)
        self.picture.enlarge_asked.connect(lambda: session.view.set(enlarged="stability"))
        self.picture.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.take_longest.clicked.connect(lambda: session.stable_step.take(self._most))
        self.pulse = Pulse(self.show_modes, self, self.isVisible)
        for signal in (session.playback.moved, session.runs.updated, session.scenario_changed):
            subscribe(self, signal, lambda *_: self.pulse.soon())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pulse.soon()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            for label in (self.modes, self.longest):
                label.setMinimumHeight(0)  # what they need in another width
            self.pulse.soon()

    def show_modes(self) -> None:
        """Say what the run's steps do to its modes; nothing where another method makes them, or of a run held back."""
        if self.method is None:
            return
        row = self.session.runs.current
        run = row.run
        t = 0.0 if run is None else min(max(self.session.playback.t, float(run.t[0])), run.t_end)
        others = run is None or run.phase_at(t).scenario.method != self.method.key
        if self.stability is None or run is None or row.state == "held" or others:
            self._show_region()
            self._say_nothing()
            return
        points = modes_at(run, t)
        self._show_region(points)
        with np.errstate(over="ignore", invalid="ignore"):  # a run that blew up has modes beyond all numbers
            growth, exact = self.stability.modulus(points), np.exp(points.real)
        ruin = run.stability.ruin if row.judged and run.stability is not None else math.inf
        said = (modes_text(growth, exact, t, ruin), *self._marks_said()) if len(points) else ()
        self._say(self.modes, " ".join(said))
        self._show_longest(t, points)

    def _say_nothing(self) -> None:
        """There is no run of the method: its lines need no room."""
        for label in (self.modes, self.longest):
            label.setMinimumHeight(0)
            label.show_text("")
        self.take_longest.hide()

    def _say(self, label: RoleLabel, text: str) -> None:
        """Say something that changes while the run plays: lines that were needed once stay, and all below them."""
        label.show_text(text)
        needed = label.heightForWidth(label.width()) if text else 0
        label.setMinimumHeight(max(label.minimumHeight(), needed))

    def _marks_said(self) -> list[str]:
        """What is beside the marks of the region, and which of them lie beyond it, as sentences."""
        chart = self.picture.chart
        names, beyond = names_of_modes(chart.curves), outside_text(chart, self.picture.t, *self.picture.sides)
        return [f"{text}." for text in (names and f"Names: {', '.join(names)}", capital(beyond)) if text]

    def _show_longest(self, t: float, points: NDArray[np.complex128]) -> None:
        """Say which step would be stable, for the very modes of which the line above speaks, and offer it."""
        from robots.simulation.stability import bounded_modes, longest_step

        row, here = self.session.runs.current, None
        growing = not bounded_modes(points[np.newaxis]).all()
        if self.stability is not None and row.run is not None and points.size and (step := row.run.step_at(t)):
            here = step * float(longest_step(self.stability, points[np.newaxis])[0])
        if not row.judged or row.run is None or row.run.scenario != row.scenario:
            # Their place is that of the next answer: the last one was about another run.
            self.longest.setText("")
            self.take_longest.setText(FIND)
            self.take_longest.setEnabled(False)
            return
        assert self.method is not None
        judged, offered, scenario = row.run.stability, self.session.stable_step.offered, self.session.scenario
        stability = None if judged is None else judged.of_method(self.method.key)
        said = longest_text(stability, t, here, growing=growing) if stability else ""
        self._say(self.longest, " ".join(filter(None, (said, found_text(stability, self.session.stable_step.found)))))
        limit = math.inf if stability is None else limit_at(stability, t, here)
        self._most = cut(limit) if 0.0 < limit < math.inf else math.inf
        step = None if offered is None or not limit else min(offered, self._most)
        present = self.session.from_here.in_force().step
        fixed = any(one.step is not None for one in (scenario, *(phase.scenario for phase in row.run.phases)))
        self.take_longest.setVisible(offered is not None and fixed)
        self.take_longest.setEnabled(step is not None and present is not None and step != present)
        if offered is not None:
            spoilt = stability is not None and stability.spoilt
            self.take_longest.setText(FIND if spoilt else f"Use {quantity(step or offered, 's')}")

    def show_method(self, method: Method) -> None:
        """Show the facts of `method` (a `solvers.method.Method`)."""
        if method is self.method:
            return
        self.method = method
        self._say_nothing()
        self.name.setText(method.name)
        self.facts.setText(facts_text(method))
        self.summary.setText(method.summary)
        self.stability = method.stability
        self.picture.setVisible(bool(method.regions))
        self.lines.show_text(lines_text([name for name, _ in method.regions]))
        if limits := formulas_text(method.regions):
            self.picture.setToolTip(f"Stability region: {limits}. Double-click to enlarge it")
            self.picture.setAccessibleDescription(limits)
            self._show_region()
        self.limits.show_text(numbers_text(method))
        self.notes.show_text("\n".join(method.notes))
        label = f" ({method.paper_label})" if method.paper_label else ""
        self.source.show_text(f"Source: {method.source}{label}" if method.source else "")

    def _show_region(self, points: NDArray[np.complex128] | None = None) -> None:
        """Show the regions of its formulas, with the values h lambda of the present modes."""
        if self.method is None or not (regions := self.method.regions):
            return
        dots = (
            []
            if points is None or self.stability is None
            else modes(points[np.newaxis, :], self.stability, np.zeros(1))
        )
        looks = zip(("", *COLOURS[1:]), DASHES, regions, strict=False)
        self.picture.show_chart(region_chart([(colour, dash, one) for colour, dash, (_, one) in looks], dots))


def lines_text(formulas: Sequence[str]) -> str:
    """Which line is around the region of which formula; empty if there is one region only."""
    named = zip(("Solid", "Dashed", "Dotted"), formulas, strict=False)
    return " ".join(f"{line} line: {name}." for line, name in named) if len(formulas) > 1 else ""


def numbers_text(method: Method) -> str:
    """The numbers for comparing methods, in two sentences; empty if none is known."""
    said = [f"Stability: {limits}."] if (limits := formulas_text(method.regions)) else []
    norm = method.principal_error_norm()
    return " ".join(said + ([] if norm is None else [f"Principal error norm {number(norm)}."]))


def facts_text(method: Method) -> str:
    """`order 5(4) · 7 stages · FSAL · explicit · fixed step or step control · dopri5`."""
    modes = {
        (True, True): "fixed step or step control",
        (True, False): "fixed step only",
        (False, True): "step control only",
    }
    return " · ".join((short_facts(method), modes[method.fixed_step, method.adaptive], method.key))
