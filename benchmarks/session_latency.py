"""From a changed knob to the new run, without a window: the RR arm, 10 s, rk4 with a step of 1 ms."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from benchmarks.measurement import Measurement
from benchmarks.window import settings_of_its_own
from gui.app.jobs import Jobs
from gui.app.session.session import Session
from gui.app.settings import Settings

TURNS = 120
FRAME = 1 / 60
"""A dragged slider reports a new value about this often [s]."""


def measure() -> list[Measurement]:
    """Turn the first mass and wait for the run each time, then drag it without waiting."""
    with settings_of_its_own() as folder:
        desk = _Desk()
        session = Session(Jobs(desk.calls.put), Settings(folder / "settings"))
        session.edit_many({"method": "rk4", "step": 0.001, "duration": 10.0})
        session.start()
        desk.until(lambda: session.runs.current.reference_state == "done")
        edits, runs = [], []
        for turn in range(TURNS):
            edit, run = _turn(session, desk, 1.0 + 0.01 * (turn + 1))
            edits.append(edit)
            runs.append(run)
        shown = [_drag(session, desk, 2.0 + turn) for turn in range(5)]
        session.close()
    return [
        Measurement("knob to new run", "ms", runs, goal=50.0, percentile=95),
        Measurement("of it, the window's thread is busy", "ms", edits, note="the edit itself, until it returns"),
        Measurement("runs shown per second of dragging", "1/s", shown, at_least=True),
    ]


class _Desk:
    """The window's thread without a window: a queue of calls."""

    def __init__(self) -> None:
        self.calls: queue.Queue[Callable[[], None]] = queue.Queue()

    def until(self, done: Callable[[], bool], limit: float = 60.0) -> None:
        end = time.perf_counter() + limit
        while not done():
            self.calls.get(timeout=max(end - time.perf_counter(), 0.01))()

    def spend(self, seconds: float) -> None:
        """Do what comes for so long [s]."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            try:
                self.calls.get(timeout=left)()
            except queue.Empty:
                return


def _arrived(session: Session) -> bool:
    row = session.runs.current
    return row.state == "done" and row.run is not None and row.run.scenario is session.scenario


def _turn(session: Session, desk: _Desk, mass: float) -> tuple[float, float]:
    """Milliseconds that the edit takes, and until the new run is there."""
    start = time.perf_counter()
    session.edit("robot.m1", mass)
    edited = time.perf_counter()
    desk.until(lambda: _arrived(session))
    return 1e3 * (edited - start), 1e3 * (time.perf_counter() - start)


def _drag(session: Session, desk: _Desk, mass: float) -> float:
    """How many different runs are shown during a second of dragging."""
    seen: set[float] = set()

    def see(_: int) -> None:
        if session.runs.current.run is not None:
            seen.add(float(session.runs.current.run.scenario.parameters["m1"] or 0.0))

    silence = session.runs.updated.connect(see)
    with session.gesture():
        for k in range(60):
            session.edit("robot.m1", mass + 0.01 * k)
            desk.spend(FRAME)
    silence()
    desk.until(lambda: _arrived(session))
    return float(len(seen))
