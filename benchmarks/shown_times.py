"""Times in the table of runs, measured while the window plays, against those of the same runs without a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.measurement import Measurement
from benchmarks.window import open_window, run_on

if TYPE_CHECKING:
    from gui.app.session.session import Session

METHODS = ("rk1", "rk4", "dopri5", "rk2", "rk3", "tsit5")
PATIENCE, PAUSE = 30.0, 0.3
"""How long a time is waited for, and how long the window plays between two methods [s]."""


def measure() -> list[Measurement]:
    """Choose methods in the playing window, and read what it says."""
    from robots.scenario.presets import find_preset
    from robots.simulation.simulate import simulate

    alone = {method: simulate(find_preset("rr-swing").with_value("method", method)) for method in METHODS}
    with open_window() as window:
        session = window.session
        session.playback.set_loop(True)
        session.playback.play()
        shown = {method: _time(session, method) for method in METHODS}
        assert session.playback.playing
    ratios = [shown[method] / alone[method].compute_seconds for method in METHODS]
    return [
        Measurement("time shown beside a playing window / alone", "x", ratios, goal=1.25),
        Measurement("worst of them", "x", [max(ratios)]),
        Measurement("Euler's, shown", "ms", [1e3 * shown["rk1"]]),
    ]


def _time(session: Session, method: str) -> float:
    """What the table says of the current run with this method [s]."""
    session.edit("method", method)
    for _ in range(round(PATIENCE / PAUSE)):
        run_on(PAUSE)
        row = session.runs.current
        if row.run is not None and row.run.scenario == session.scenario and row.seconds is not None:
            return row.seconds
    raise TimeoutError(f"no time of {method} after {PATIENCE:g} s")
