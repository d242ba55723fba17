"""From a changed knob to the new run in scene and plots: the RR arm, 10 s, rk4 with a step of 1 ms."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.measurement import Measurement, Stopwatch
from benchmarks.window import open_window, viewport_of, wait_until

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.qt.window.main_window import MainWindow

TURNS = 120


def measure() -> list[Measurement]:
    """Turn the first mass to and fro in the real window, as a hand at its slider would."""
    with open_window() as window:
        session = window.session
        session.edit_many({"method": "rk4", "step": 0.001, "duration": 10.0})
        wait_until(lambda: referred(session), 60, "the scenario")
        drawing = watch_frames(window)
        turns = [turn_knob(window, 1.0 + 0.01 * (turn % 50 + 1), drawing) for turn in range(TURNS)]
        references = [turn_knob(window, 2.0 + 0.01 * turn, drawing, reference=True) for turn in range(TURNS // 10)]
    data = [turn["data"] for turn in turns]
    return [
        Measurement("knob to new run in scene and plots", "ms", data, goal=50.0, percentile=95),
        Measurement("knob to new run in scene and plots", "ms", data),
        Measurement("frames drawn meanwhile, not counted above", "ms", [turn["meanwhile"] for turn in turns]),
        Measurement("one frame", "ms", [1e3 * taken for taken in drawing.samples]),
        Measurement("knob to the new run's frame, in all", "ms", [turn["shown"] for turn in turns], goal=100.0),
        Measurement(
            "knob to the error against the reference", "ms", [turn["reference"] for turn in references], goal=500.0
        ),
    ]


def watch_frames(window: MainWindow) -> Stopwatch:
    """A stopwatch that runs from the moment the window is asked to paint until the frame is on the screen."""
    from PySide6.QtCore import QEvent, QObject

    watch = Stopwatch()

    class Watcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.UpdateRequest:
                watch.start()
            return False

    window.installEventFilter(Watcher(window))
    viewport_of(window).frameSwapped.connect(lambda: watch.stop())
    return watch


def arrived(session: Session) -> bool:
    """Whether the current row's run is the edited scenario's."""
    row = session.runs.current
    return row.state == "done" and row.run is not None and row.run.scenario == session.scenario


def referred(session: Session) -> bool:
    """Whether the error against the reference belongs to the current run."""
    row = session.runs.current
    return arrived(session) and row.reference_state == "done" and row.reference is not None


def turn_knob(
    window: MainWindow, value: float, drawing: Stopwatch, *, reference: bool = False, path: str = "robot.m1"
) -> dict[str, float]:
    """Change a quantity, usually the mass of the first link [kg], and wait; ms until each thing that follows."""
    session, viewport = window.session, viewport_of(window)
    noted: dict[str, float] = {}
    before = len(drawing.samples)
    start = time.perf_counter()

    def note(what: str) -> None:
        noted.setdefault(what, 1e3 * (time.perf_counter() - start))

    def updated(_: int) -> None:
        if arrived(session) and "data" not in noted:
            note("data")
            noted["meanwhile"] = 1e3 * sum(drawing.samples[before:])

    # Connected last, so it hears of the run when every view has taken it.
    silence = session.runs.updated.connect(updated)
    swapped = viewport.frameSwapped.connect(lambda: note("shown") if "data" in noted else None)
    session.edit(path, value)
    wait_until(lambda: "shown" in noted, 20, "the frame")
    if reference:
        wait_until(lambda: referred(session), 30, "the reference")
        note("reference")
    silence()
    viewport.frameSwapped.disconnect(swapped)
    noted["data"] -= noted["meanwhile"]
    return noted
