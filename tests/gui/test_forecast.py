"""A long run says in the terminal that it is stiff, as the window does."""

from __future__ import annotations

import io
import threading

import pytest

from gui.app.computing.forecast import stiffness_so_far
from gui.commands._forecast import Forecast
from gui.commands._progress import ProgressBar
from robots.scenario.presets import find_preset

SOFT = find_preset("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9})


def test_stiff_friction_is_known_from_the_beginning_of_a_run() -> None:
    heavy = SOFT.with_values({"task.torque": "viscous", "task.d1": 100.0, "task.d2": 100.0, "rtol": 1e-3})
    assert stiffness_so_far(heavy, 1.0).startswith("Stiff: from t = ")
    assert stiffness_so_far(SOFT, 1.0) == ""
    assert stiffness_so_far(heavy.with_value("method", "radau5"), 1.0) == ""
    assert stiffness_so_far(heavy, 1.0, cancelled=lambda: True) == ""


@pytest.mark.parametrize("live", [True, False])
def test_the_sentence_stands_above_the_bar_once(monkeypatch: pytest.MonkeyPatch, live: bool) -> None:
    clock, stream = [0.0], io.StringIO()
    found = iter(["", "Stiff: from now on."])
    monkeypatch.setattr("gui.commands._forecast.perf_counter", lambda: clock[0])
    monkeypatch.setattr("gui.commands._forecast.forecast", lambda scenario, spent, cancelled: next(found))
    bar = ProgressBar(stream)
    bar.live, bar.every = live, 0.0
    with Forecast(SOFT, bar) as progress:
        for now in (0.5, 1.5, 4.0, 4.4, 9.5, 60.0, 90.0):
            clock[0] = now
            progress.show("the arm", now / 100)
            for thread in threading.enumerate():
                if thread.name == "armstep-forecast":
                    thread.join()
        progress.show("reference", 0.5)
    assert stream.getvalue().count("Stiff: from now on.") == 1
    lines = [line.strip() for line in stream.getvalue().replace("\r", "\n").split("\n") if line.strip()]
    assert lines.index("Stiff: from now on.") == lines.index(next(line for line in lines if " 10%" in line)) - 1
    assert all("[" in line for line in lines if line != "Stiff: from now on.")
