"""What every method of the registry promises: forth and back, no span, cancelling, dense output, failure as data."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from solvers.codegen.tape import sin
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method import Method
from solvers.method_registry import find_method, methods
from solvers.problem import Momenta, OdeProblem
from solvers.status import Status
from solvers.stepper import Rows
from tests.solvers.problems import as_body, backwards, growth, pendulum, turning
from tests.solvers.recording import record

SPAN = 2.0


def turns(key: str) -> bool:
    """Whether the method is for bodies with Euler parameters only."""
    return find_method(key).problems == {"rotations"}


def swing(key: str, span: float = SPAN) -> OdeProblem:
    """The pendulum, with everything that the method asks for."""
    if turns(key):
        return turning(span)
    plain = pendulum(span)
    assert plain.jacobian is not None
    # Its inertia is 1.
    own = Momenta(plain.rhs, plain.jacobian, plain.params, np.array, np.array)
    tape = record(lambda t, y, p: [y[1], -p[0] * sin(y[0])], 2, 1)
    return replace(plain, taylor=tape, in_momenta=lambda: own)


def swing_solution(key: str, t: np.ndarray) -> np.ndarray:
    """Angle and rate of the pendulum let go at 1 rad, by Jacobi's elliptic functions, (m, 2); or those of its body."""
    k = math.sin(0.5)
    sn, cn, dn, _ = ellipj(ellipk(k * k) - t, k * k)
    found = np.column_stack([2 * np.arcsin(k * sn), -2 * k * cn * dn / np.sqrt(1 - (k * sn) ** 2)])
    return as_body(found) if turns(key) else found


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
    there = integrate(swing(key), method, control)
    back = integrate(backwards(swing(key), there.final), method, control)
    assert (there.status, back.status) == (Status.FINISHED, Status.FINISHED)
    assert (there.t_end, back.t_end) == (SPAN, 0.0)
    assert np.all(np.diff(there.t) > 0)
    assert np.all(np.diff(back.t) < 0)
    low = method.order <= 2 or not method.one_step
    assert np.abs(back.final - swing(key).initial).max() < (0.05 if low else 1e-4)


@pytest.mark.parametrize(("key", "control"), CASES)
def test_dense_output_is_continuous_and_passes_through_the_steps(key: str, control: Control) -> None:
    """At the steps it is the state; a hair before and after a step it is no further off than the solution moves."""
    run = integrate(swing(key), find_method(key), control)
    inner = run.t[1:-1][:: max(1, len(run.t) // 20)]
    states = run.y[1:-1][:: max(1, len(run.t) // 20)]
    assert np.abs(run(inner) - states).max() < 1e-9
    hair = 1e-9
    for moved in (run(inner - hair), run(inner + hair)):
        assert np.abs(moved - states).max() < 1e-7


def settings(method: Method) -> dict[str, str]:
    """Start-up by Runge-Kutta where the method has the choice, so that its first steps do not hide its order."""
    return {option.key: "rk4" for option in method.options if option.key == "startup"}


@cache
def fixed_errors(key: str) -> tuple[list[float], list[float]]:
    """Largest errors of the dense output and of the steps themselves, for 4, 8, 16 .. steps down to 1e-10."""
    method, span = find_method(key), 4.0
    between, at_steps = [], []
    times, count = np.linspace(0.0, span, 397), 4
    while (not between or between[-1] > 1e-10) and count <= 256:
        run = integrate(swing(key, span), method, FixedStep(span / count), options=settings(method))
        between.append(float(np.abs(run(times) - swing_solution(key, times)).max()))
        at_steps.append(float(np.abs(run.y - swing_solution(key, run.t)).max()))
        count *= 2
    return between, at_steps


@pytest.mark.parametrize("key", [key for key, method in methods().items() if method.fixed_step])
def test_orders_of_steps_and_of_dense_output(key: str) -> None:
    """Against elliptic functions the errors fall with the orders claimed; between the steps they are no larger.

    The last halving of the step counts; some formulas look an order too good until far smaller steps.
    """
    method = find_method(key)
    between, at_steps = fixed_errors(key)
    assert math.log2(at_steps[-2] / at_steps[-1]) > method.order - 0.2
    assert math.log2(between[-2] / between[-1]) > method.dense_order - 0.2
    if method.dense_order >= method.order:
        assert between[-1] < 2 * at_steps[-1] + 1e-12


@pytest.mark.parametrize("key", [key for key, method in methods().items() if method.adaptive])
def test_dense_output_with_step_control(key: str) -> None:
    """Between steps of whatever length the error is no larger than at them and the tolerance together."""
    method, times = find_method(key), np.linspace(0.0, 4.0, 397)
    for tolerance in (1e-4, 1e-8):
        run = integrate(swing(key, 4.0), method, Tolerance(tolerance, tolerance))
        largest = np.abs(run.y - swing_solution(key, run.t)).max()
        assert np.abs(run(times) - swing_solution(key, times)).max() < 2 * (largest + tolerance)


def allocations() -> int:
    """How many arrays numba has made so far."""
    from numba.core.runtime import nrt

    memory: Any = nrt
    memory._nrt.memsys_enable_stats()
    return memory.rtsys.get_allocation_stats().mi_alloc


@pytest.mark.parametrize(("key", "control"), CASES)
def test_steps_allocate_nothing(key: str, control: Control) -> None:
    """A slice of 2000 attempts allocates as much on numba's heap as a slice of 20: the boxes of the arguments."""
    method = find_method(key)
    if method.family == "SUNDIALS":
        pytest.skip("its steps are not our kernels")
    problem = swing(key, 1e5)
    stepper = method.stepper(problem, control, method.complete_options({}))
    stepper.start(0.0, problem.initial, problem.t1, np.inf)
    rows = Rows.empty(2000, problem.dimension)
    allocated = []
    for attempts in (20, 20, 2000):
        before = allocations()
        tried = stepper.advance(attempts, rows)[1]
        allocated.append(allocations() - before)
    assert tried == 2000
    assert allocated[1] == allocated[2]


def test_allocation_is_seen() -> None:
    """What the test before counts: a loop that makes an array in each turn is caught."""
    from numba import njit

    @njit
    def wasteful(turns: int) -> float:
        total = 0.0
        for turn in range(turns):
            total += np.full(turn + 1, 1.0).sum()
        return total

    wasteful(1)
    before = allocations()
    wasteful(50)
    assert allocations() - before >= 50


@pytest.mark.parametrize(("key", "control"), CASES)
def test_no_span(key: str, control: Control) -> None:
    """Nothing to do: the initial state, no calls, finished."""
    run = integrate(swing(key, 0.0), find_method(key), control)
    assert (run.status, run.t.tolist(), run.counts.rhs_evaluations) == (Status.FINISHED, [0.0], 0)


@pytest.mark.parametrize(("key", "control"), CASES)
def test_cancel(key: str, control: Control) -> None:
    """A run that is cancelled says so and keeps what it has."""
    seen: list[float] = []
    run = integrate(swing(key, 1e5), find_method(key), control, progress=seen.append, cancel=lambda: len(seen) >= 1)
    assert run.status is Status.CANCELLED
    assert len(run.t) > 1
    assert run.t_end < 1e5
    assert np.all(np.isfinite(run.y))


@pytest.mark.parametrize(("key", "control"), CASES)
def test_failure_is_reported(key: str, control: Control) -> None:
    """Where the equations are not a number the run ends with a status and a sentence, never an exception."""
    problem, nothing = swing(key), np.array([np.nan])
    broken = replace(problem, params=nothing)
    if problem.in_momenta is not None:
        own = replace(problem.in_momenta(), params=nothing)
        broken = replace(broken, in_momenta=lambda: own)
    method = find_method(key)
    run = integrate(broken, method, control)
    # The first state is not a number, except where Newton's iteration or its matrix shows it before.
    expected = Status.NEWTON_FAILED if method.family == "SUNDIALS" else Status.DIVERGED
    assert run.status is (Status.SINGULAR_ITERATION_MATRIX if key == "bdf1" else expected)
    assert run.message
    assert run.y.tolist() == [problem.initial.tolist()]


LONG_LAST_STEPS = {
    "bs32",
    "feagin108",
    "rkb12",
    "rkb24",
    "rkf23",
    "tr-bdf2",
    "w-method",
    "cvode-adams",
    "cvode-bdf",
    "ida",
}
"""At the pole of y' = y^2 the shortest step of all leads these beyond all bounds, the others to too large an error."""


def ending_at_the_pole(method: Method, control: Control) -> Status:
    """How the integration of y' = y^2 from 1 must end at t = 1."""
    if isinstance(control, Tolerance):
        return Status.DIVERGED if method.key in LONG_LAST_STEPS else Status.STEP_TOO_SMALL
    if method.family == "Rosenbrock":
        # A linearly implicit formula is a rational function of the step, and steps over the pole.
        return Status.FINISHED
    return Status.NEWTON_FAILED if method.implicit else Status.DIVERGED


@pytest.mark.parametrize(
    ("key", "control"), [case for case in CASES if "ode" in find_method(str(case.values[0])).problems]
)
def test_a_blow_up_is_reported(key: str, control: Control) -> None:
    """y' = y^2 is infinite at t = 1: no run gets past it, and the message says what happened.

    An explicit formula with a fixed step sees it some steps late, and an implicit one some steps early, where its
    equation has no solution; step control meets it as exactly as the tolerance, 1e-4, to q / (q + 1) allows.
    """
    method = find_method(key)
    problem = replace(growth(2.0, 2.0), taylor=record(lambda t, y, p: [y[0] * y[0]], 1, 1))
    run = integrate(problem, method, control if isinstance(control, FixedStep) else Tolerance(1e-4, 1e-4))
    assert run.status is ending_at_the_pole(method, control)
    assert run.message.startswith(run.status.sentence.format(t=run.t_end))
    assert np.all(np.isfinite(run.y))
    if run.status is Status.FINISHED:
        return
    lower = min(method.order, method.error_order or method.order)
    room = 0.15 if isinstance(control, FixedStep) else 10 * 1e-4 ** (lower / (lower + 1))
    assert run.t_end == pytest.approx(1.0, abs=room)


@pytest.mark.parametrize("key", [key for key, method in methods().items() if method.fsal and method.fixed_step])
def test_fsal_saves_a_call(key: str) -> None:
    """The last stage is the next step's first: one call less in every step but the first."""
    method = find_method(key)
    run = integrate(swing(key), method, FixedStep(0.1))
    assert run.counts.rhs_evaluations == 20 * (method.stages - 1) + 1
