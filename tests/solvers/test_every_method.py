"""What every method of the registry promises: forth and back, no span, cancelling, dense output, failure as data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solvers.catalogue import find_method, methods
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method import Method
from solvers.problem import OdeProblem
from solvers.series import record, sin
from solvers.status import Status
from tests.solvers.problems import backwards, pendulum

SPAN = 2.0


def swing(span: float = SPAN) -> OdeProblem:
    """The pendulum, with everything that any method asks for."""
    return replace(pendulum(span), taylor=record(lambda t, y, p: [y[1], -p[0] * sin(y[0])], 2, 1))


def controls(method: Method) -> list[Control]:
    """What the method can be controlled by."""
    found: list[Control] = []
    if method.fixed_step:
        found.append(FixedStep(0.01))
    if method.adaptive:
        found.append(Tolerance(1e-7, 1e-7))
    return found


CASES = [
    pytest.param(key, control, id=f"{key}-{type(control).__name__}")
    for key, method in methods().items()
    for control in controls(method)
]


@pytest.mark.parametrize(("key", "control"), CASES)
def test_there_and_back(key: str, control: Control) -> None:
    """The end is met exactly, and from there the beginning again, to the method's accuracy."""
    method = find_method(key)
    there = integrate(swing(), method, control)
    back = integrate(backwards(swing(), there.final), method, control)
    assert (there.status, back.status) == (Status.FINISHED, Status.FINISHED)
    assert (there.t_end, back.t_end) == (SPAN, 0.0)
    assert np.all(np.diff(there.t) > 0)
    assert np.all(np.diff(back.t) < 0)
    low = method.order <= 2 or not method.one_step
    assert np.abs(back.final - swing().initial).max() < (0.05 if low else 1e-4)


@pytest.mark.parametrize(("key", "control"), CASES)
def test_dense_output_is_continuous_and_passes_through_the_steps(key: str, control: Control) -> None:
    """At the steps it is the state; a hair before and after a step it is no further off than the solution moves."""
    run = integrate(swing(), find_method(key), control)
    inner = run.t[1:-1][:: max(1, len(run.t) // 20)]
    states = run.y[1:-1][:: max(1, len(run.t) // 20)]
    assert np.abs(run(inner) - states).max() < 1e-9
    hair = 1e-9
    for moved in (run(inner - hair), run(inner + hair)):
        assert np.abs(moved - states).max() < 1e-7


@pytest.mark.parametrize(("key", "control"), CASES)
def test_no_span(key: str, control: Control) -> None:
    """Nothing to do: the initial state, no calls, finished."""
    run = integrate(swing(0.0), find_method(key), control)
    assert (run.status, run.t.tolist(), run.counts.rhs_evaluations) == (Status.FINISHED, [0.0], 0)


@pytest.mark.parametrize(("key", "control"), CASES)
def test_cancel(key: str, control: Control) -> None:
    """A run that is cancelled says so and keeps what it has."""
    seen: list[float] = []
    run = integrate(swing(1e5), find_method(key), control, progress=seen.append, cancel=lambda: len(seen) >= 1)
    assert run.status is Status.CANCELLED
    assert len(run.t) > 1
    assert run.t_end < 1e5
    assert np.all(np.isfinite(run.y))


@pytest.mark.parametrize(("key", "control"), CASES)
def test_failure_is_reported(key: str, control: Control) -> None:
    """Where the equations are not a number the run ends with a status and a sentence, never an exception."""
    problem = swing()
    broken = replace(problem, params=np.array([np.nan]))
    run = integrate(broken, find_method(key), control)
    assert run.status not in (Status.FINISHED, Status.CANCELLED)
    assert run.message
    assert np.all(np.isfinite(run.y))


@pytest.mark.parametrize("key", [key for key, method in methods().items() if method.fsal and method.fixed_step])
def test_fsal_saves_a_call(key: str) -> None:
    """The last stage is the next step's first: one call less in every step but the first."""
    method = find_method(key)
    run = integrate(swing(), method, FixedStep(0.1))
    assert run.counts.rhs_evaluations in (20 * (method.stages - 1), 20 * (method.stages - 1) + 1)
