"""The line of a method's card with the speed-up of its specialised kernel, measured in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from gui.app import units
from gui.app.jobs import Jobs
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
        self.known: dict[tuple[object, ...], str] = {}
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
        known = self.known.get(_kind(scenario))
        self.setText(known or "Compiled for this arm: the speed-up is measured while nothing is playing.")
        if known is None and self.session.runs.current.state == "done" and not self.session.playback.playing:
            self.pause.start()

    def _measure(self) -> None:
        from robots.simulation.kernel_gain import kernel_gain

        run = self.session.runs.current.run
        if run is None:
            return
        kind = _kind(run.scenario)
        self.jobs.submit(
            lambda cancel, progress: kernel_gain(run, cancel),
            key="gain",
            on_done=lambda found: self._tell(kind, gain_text(found)),
            on_error=lambda problem: self._tell(kind, str(problem)),
            lane="background",
        )

    def _tell(self, kind: tuple[object, ...], text: str) -> None:
        self.known[kind] = text
        self.refresh()


def gain_text(found: Gain | None) -> str:
    """What was measured, as a sentence (`found` is a `solvers.codegen.gain.Gain` or None)."""
    if found is None:
        return "Compiled for this arm: the run is too short or stopped early, so the speed-up cannot be measured."
    how = "the equations written out" if found.written_out else "one call of the equations per stage"
    times = f"{units.quantity(found.specialised, 's')} instead of {units.quantity(found.generic, 's')}"
    return f"Compiled for this arm: {times}, {found.ratio:.1f} times as fast (measured here, with {how})."


def _kind(scenario: Scenario) -> tuple[object, ...]:
    """What the speed-up depends on."""
    return scenario.robot, scenario.method, tuple(sorted(scenario.options.items())), scenario.step is None
