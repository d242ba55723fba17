"""The line of a method's card with the speed-up of its specialised kernel, measured in the background."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.app import formatting, units
from gui.app.desks.kernel_gain import TITLE, gain_chart, gain_of, gain_table
from gui.app.documents import Result
from gui.app.jobs import Jobs
from gui.app.session.results import KERNEL_GAIN
from gui.qt.plots.save import Charted, exports_button
from gui.qt.widgets.kept_results import KeptResultsBar
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.window.bridge import Dispatcher, subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.scenario.scenario import Scenario
    from solvers.codegen.gain import Gain

QUIET_MS = 600
"""It is measured when nothing was computed for this long, and nothing plays."""


class KernelGain(QWidget):
    """What was measured, and its name and files, as every tool's results have them.

    Hidden while the current run uses the generic kernel.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.text, self.kept = RoleLabel("", "hint"), KeptResultsBar("measurement")
        self.kept.list.hide()
        self.save = exports_button(self, lambda: self.charted, session.messages.say)
        self.kept.renamed.connect(self._rename)
        self.kept.removed.connect(self._remove)
        line, column = QHBoxLayout(), bare(QVBoxLayout(self))
        line.addWidget(self.kept, 1)
        line.addWidget(self.save)
        column.addWidget(self.text)
        column.addLayout(line)
        self.failed: dict[str, str] = {}
        self.jobs = Jobs(Dispatcher(self))
        jobs = self.jobs
        self.destroyed.connect(lambda *_: jobs.close(0.0))
        self.pause = QTimer(self, singleShot=True, interval=QUIET_MS)
        self.pause.timeout.connect(self._measure)
        for signal in (session.runs.updated, session.scenario_changed, session.playback.changed):
            subscribe(self, signal, lambda *_: self.refresh())
        subscribe(self, session.files.opened, lambda *_: self.failed.clear())
        self.hide()

    def refresh(self) -> None:
        """Show what is known about the current run, or measure it soon."""
        scenario = self.session.scenario
        on = bool(scenario.options.get("specialised"))
        self.setVisible(on)
        self.pause.stop()
        if not on:
            self.failed.clear()
            return
        result = self._result(scenario)
        gain = None if result is None else gain_of(result)
        known = self.failed.get(_kind(scenario)) if gain is None else gain_text(gain)
        self.text.setText(known or f"{TITLE}: the speed-up is measured while nothing is playing.")
        name = "" if result is None else result.name
        self.kept.show_names([name] if name else [], name or None)
        for part in (self.kept, self.save):
            part.setVisible(gain is not None)
        if known is None and self.session.runs.current.state == "done" and not self.session.playback.playing:
            self.pause.start()

    @property
    def charted(self) -> Charted:
        """Every speed-up that the document keeps, for files."""
        from gui.qt.drawing.charts_page import PagePanel, page_of_chart
        from gui.qt.export.inside import texts_of

        results, scenario = self.session.results.of(KERNEL_GAIN), self.session.scenario
        return Charted(
            f"{scenario.name or 'armstep'}-{KERNEL_GAIN}",
            lambda style: page_of_chart(PagePanel(gain_chart(results)), style),
            lambda: gain_table(results).to_csv(),
            lambda: texts_of(scenario),
            lambda: gain_table(results),
        )

    def _measure(self) -> None:
        from robots.simulation.kernel_gain import kernel_gain

        run = self.session.runs.current.run
        if run is None:
            return
        scenario = run.scenario
        self.jobs.submit(
            lambda cancel, progress: kernel_gain(run, cancel),
            key="gain",
            on_done=lambda found: self._keep(scenario, found),
            on_error=lambda problem: self._fail(scenario, str(problem)),
            lane="background",
        )

    def _result(self, scenario: Scenario) -> Result | None:
        """What the document knows about the scenario's kernel."""
        kind, kept = _kind(scenario), self.session.results.of(KERNEL_GAIN)
        return next((one for one in kept if one.data.get("of") == kind and gain_of(one) is not None), None)

    def _rename(self, name: str) -> None:
        if (result := self._result(self.session.scenario)) is not None:
            self.session.results.rename(result, name)
            self.refresh()

    def _remove(self) -> None:
        """Remove it; it is measured again when the option is switched on again."""
        scenario = self.session.scenario
        if (result := self._result(scenario)) is not None:
            self.session.results.remove(result)
            self._fail(scenario, f"{TITLE}: the measurement was removed.")

    def _keep(self, scenario: Scenario, found: Gain | None) -> None:
        if found is None:
            self._fail(scenario, gain_text(None))
            return
        name = f"{formatting.method_name(scenario)}, compiled for this arm"
        self.session.results.note(KERNEL_GAIN, name, {"of": _kind(scenario), **asdict(found)})
        self.refresh()

    def _fail(self, scenario: Scenario, text: str) -> None:
        self.failed[_kind(scenario)] = text
        self.refresh()


def gain_text(found: Gain | None) -> str:
    """What was measured, as a sentence (`found` is a `solvers.codegen.gain.Gain` or None)."""
    if found is None:
        return f"{TITLE}: the run is too short or stopped early, so the speed-up cannot be measured."
    how = "the equations written out" if found.written_out else "one call of the equations per stage"
    times = f"{units.quantity(found.specialised, 's')} instead of {units.quantity(found.generic, 's')}"
    return f"{TITLE}: {times}, {found.ratio:.1f} times as fast (measured here, with {how})."


def _kind(scenario: Scenario) -> str:
    """What the speed-up depends on."""
    return json.dumps(
        [scenario.robot, scenario.method, sorted(scenario.options.items()), scenario.step is None], default=str
    )
