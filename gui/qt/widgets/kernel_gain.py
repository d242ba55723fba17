"""The line of a method's card with the speed-up of its specialised kernel, measured in the background."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from assets.fields import Values
from gui.app import formatting, units
from gui.app.jobs import Jobs
from gui.app.session.results import KERNEL_GAIN
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.window.bridge import Dispatcher, subscribe

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from robots.scenario.scenario import Scenario
    from solvers.codegen.gain import Gain

QUIET_MS = 600
"""It is measured when nothing was computed for this long, and nothing plays."""


class KernelGain(RoleLabel):
    """Hidden while the current run uses the generic kernel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("", "hint", parent)
        self.session = session
        self.failed: dict[str, str] = {}
        self.jobs = Jobs(Dispatcher(self))
        jobs = self.jobs
        self.destroyed.connect(lambda *_: jobs.close(0.0))
        self.pause = QTimer(self)
        self.pause.setSingleShot(True)
        self.pause.setInterval(QUIET_MS)
        self.pause.timeout.connect(self._measure)
        for signal in (session.runs.updated, session.scenario_changed, session.playback.changed):
            subscribe(self, signal, lambda *_: self.refresh())
        self.hide()

    def refresh(self) -> None:
        """Show what is known about the current run, or measure it soon."""
        scenario = self.session.scenario
        on = bool(scenario.options.get("specialised"))
        self.setVisible(on)
        self.pause.stop()
        if not on:
            return
        known = self._known(scenario)
        self.setText(known or "Compiled for this arm: the speed-up is measured while nothing is playing.")
        if known is None and self.session.runs.current.state == "done" and not self.session.playback.playing:
            self.pause.start()

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

    def _known(self, scenario: Scenario) -> str | None:
        """What the document, or this window, knows about the scenario's kernel."""
        kind = _kind(scenario)
        for result in self.session.results.of(KERNEL_GAIN):
            if result.data.get("of") == kind and (text := _read(result.data)) is not None:
                return text
        return self.failed.get(kind)

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
        return "Compiled for this arm: the run is too short or stopped early, so the speed-up cannot be measured."
    how = "the equations written out" if found.written_out else "one call of the equations per stage"
    times = f"{units.quantity(found.specialised, 's')} instead of {units.quantity(found.generic, 's')}"
    return f"Compiled for this arm: {times}, {found.ratio:.1f} times as fast (measured here, with {how})."


def _read(data: Values) -> str | None:
    """The sentence on a gain that a document has kept; None if the data is not a gain."""
    from solvers.codegen.gain import Gain

    try:
        return gain_text(Gain(float(data["generic"]), float(data["specialised"]), bool(data["written_out"])))
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def _kind(scenario: Scenario) -> str:
    """What the speed-up depends on."""
    return json.dumps(
        [scenario.robot, scenario.method, sorted(scenario.options.items()), scenario.step is None], default=str
    )
