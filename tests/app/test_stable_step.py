"""The longest stable step is looked for between steps whose runs hold and steps whose runs do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gui.app import units
from gui.app.computing.engine import Engine
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.verdict import found_text
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.stability import StepStability
from tests.app.conftest import QuickErrors, QuickReference, QuickRun
from tests.inline_jobs import InlineJobs


def session_of(limit: Callable[[float], float], folder: Any, step: float) -> Session:
    """One whose runs with a step have this stability limit."""

    def simulate(scenario: Scenario, cancel: Any, progress: Any) -> Any:
        h, longest = float(scenario.step or 0.0), limit(float(scenario.step or 0.0))
        two = np.ones(2)
        growth = two * (1.5 if h > longest else 1.0)
        judged = np.array([0.0, 1.0]), h * two, growth, longest * two, np.zeros(2, dtype=bool)
        stability: Any = StepStability(*judged, h * np.ones((2, 2)), 2.0 * two, np.full(2, scenario.method))
        return QuickRun(scenario, stability=stability)

    engine = Engine(simulate, lambda *_: QuickReference("reference"), QuickErrors)  # type: ignore[arg-type]
    made = Session(InlineJobs(), Settings(folder), new_scenario("rr").with_value("step", step), engine=engine)
    made.start()
    return made


@pytest.mark.parametrize(
    ("limit", "before", "between"),
    [
        (lambda h: 0.06 if h <= 0.05 else h / 20.0, 0.2, (0.045, 0.05)),
        (lambda h: 0.06, 0.2, (0.06, 0.06)),
        (lambda h: 0.06, 0.001, (0.06, 0.06)),
        (lambda h: 0.06 if h <= 0.001 else h / 1.5, 0.2, (0.0009, 0.001)),
        (lambda h: 0.0123456 if h <= 0.02 else 0.004, 0.1, (0.0111, 0.0123)),
    ],
)
def test_a_spoilt_run_does_not_make_it_too_short(
    limit: Callable[[float], float], before: float, between: tuple[float, float], tmp_path: Any
) -> None:
    session = session_of(limit, tmp_path, before)
    session.stable_step.take()
    step = float(session.scenario.step or 0.0)
    assert limit(step) >= step, "it is stable"
    assert between[0] <= step <= between[1]
    assert session.stable_step.offered == step, "asked again, the answer is the same"
    session.edit("step", before)
    assert session.stable_step.offered == step
    session.history.undo()
    session.history.undo()
    assert session.scenario.step == before, "one step to undo"


def test_where_no_step_is_stable_nothing_happens(tmp_path: Any) -> None:
    session = session_of(lambda h: 0.0, tmp_path, 0.1)
    session.stable_step.take()
    assert session.scenario.step == 0.1


def test_the_step_found_is_said_beside_another_limit_of_its_run(tmp_path: Any) -> None:
    """The card had 60 ms below "longest stable", and the button 50 ms."""
    session = session_of(lambda h: 0.06 if h <= 0.05 else h / 20.0, tmp_path, 0.2)
    assert session.stable_step.found is None
    session.stable_step.take()
    found, run = session.stable_step.found, session.runs.current.run
    assert found == session.scenario.step
    assert run is not None
    assert found_text(run.stability, found).startswith(f"The step found is {units.quantity(found, 's')}: ")
    assert found_text(run.stability, 0.06) == "", "the same number needs no words"
    assert found_text(run.stability, None) == ""
