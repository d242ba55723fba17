"""From a changed knob to the new run in scene and plots: the RR arm, 10 s, rk4 with a step of 1 ms."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.measurement import Measurement
from benchmarks.window import open_window, wait_until

TURNS = 120


def measure() -> list[Measurement]:
    """Turn the first mass to and fro in the real window, as a hand at its slider would."""
    with open_window() as window:
        session = window.session
        session.edit_many({"method": "rk4", "step": 0.001, "duration": 10.0})
        wait_until(lambda: session.current.reference is not None and arrived(session), 60, "the scenario")
        data, frames, references = [], [], []
        for turn in range(TURNS):
            one = turn_knob(window, 1.0 + 0.01 * (turn % 50 + 1), reference=turn % 12 == 0)
            data.append(one["data"])
            frames.append(one["frame"])
            if "reference" in one:
                references.append(one["reference"])
    return [
        Measurement("knob to new run in scene and plots", "ms", data, goal=50.0, percentile=95),
        Measurement("knob to new run in scene and plots", "ms", data),
        Measurement("from there to the frame on the screen", "ms", frames),
        Measurement("knob to the error against the reference", "ms", references, goal=500.0),
    ]


def arrived(session: Any) -> bool:
    """Whether the current row's run is the edited scenario's."""
    row = session.current
    return row.state == "done" and row.run.scenario == session.scenario


def turn_knob(window: Any, mass: float, *, reference: bool) -> dict[str, float]:
    """Change the mass of the first link [kg] and wait; milliseconds until each thing that follows."""
    session, noted = window.session, {}
    start = time.perf_counter()

    def note(what: str) -> None:
        noted.setdefault(what, 1e3 * (time.perf_counter() - start))

    # Connected last, so it hears of the run when every view has taken it.
    silence = session.run_updated.connect(lambda _: note("data") if arrived(session) else None)
    swapped = window.viewport.frameSwapped.connect(lambda: note("swap") if "data" in noted else None)
    session.edit("robot.m1", mass)
    wait_until(lambda: "swap" in noted, 20, "the frame")
    if reference:
        wait_until(lambda: session.current.reference is not None and referred(session), 30, "the reference")
        note("reference")
    silence()
    window.viewport.frameSwapped.disconnect(swapped)
    result = {"data": noted["data"], "frame": noted["swap"] - noted["data"]}
    return result | ({"reference": noted["reference"]} if reference else {})


def referred(session: Any) -> bool:
    """Whether the error against the reference belongs to the current run."""
    row = session.current
    return arrived(session) and row.reference_state == "done" and row.reference is not None
