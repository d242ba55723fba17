"""Step doubling as paper 1 lists it, against the algorithm written out in Python, and its corrected variant."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from assets.errors import BadInput
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import Array, OdeProblem
from solvers.status import Status
from tests.solvers.problems import growth, linear, pendulum, two_body, two_body_solution, van_der_pol

RKQC = find_method("rkqc")


def as_listed(problem: OdeProblem, eps: float, h1: float, interval: float) -> tuple[Array, int, int, int]:
    """rk_odeint and rk_qc as in the appendix: final state, good and bad steps, and calls of the derivatives."""
    calls = 0

    def derivs(x: float, y: Array) -> Array:
        nonlocal calls
        calls += 1
        out = np.empty_like(y)
        problem.rhs(x, y, problem.params, out)
        return out

    def rk_4(y: Array, dydx: Array, x: float, h: float) -> Array:
        dyt = derivs(x + 0.5 * h, y + 0.5 * h * dydx)
        dym = derivs(x + 0.5 * h, y + 0.5 * h * dyt)
        last = derivs(x + h, y + h * dym)
        return y + h / 6.0 * (dydx + last + 2.0 * (dyt + dym))

    y, good, bad = np.array(problem.initial), 0, 0
    for call in range(round((problem.t1 - problem.t0) / interval)):
        x, x2, h = problem.t0 + call * interval, problem.t0 + (call + 1) * interval, h1
        x1 = x
        while (x - x2) * (x2 - x1) < 0.0:
            dydx = derivs(x, y)
            scale = np.abs(y) + np.abs(h * dydx) + 1e-30
            if (x + h - x2) * (x + h - x1) > 0.0:
                h = x2 - x
            wanted = h
            while True:
                half = rk_4(y, dydx, x, 0.5 * h)
                fine = rk_4(half, derivs(x + 0.5 * h, half), x + 0.5 * h, 0.5 * h)
                difference = fine - rk_4(y, dydx, x, h)
                error = np.abs(difference / scale).max() / eps
                if error <= 1.0:
                    break
                h = 0.9 * h * error**-0.25
            good, bad = good + (h == wanted), bad + (h != wanted)
            y = fine + difference * 0.0666666667
            x = x2 if h == x2 - x else x + h
            h = 0.9 * h * error**-0.2 if error > 6.0e-4 else 4.0 * h
    return y, good, bad, calls


@pytest.mark.parametrize("problem", [pendulum(2.0), two_body(2.0), van_der_pol(5.0, 2.0)])
def test_as_listed(problem: OdeProblem) -> None:
    """The same steps, rejections, calls and state as the listing."""
    final, good, bad, calls = as_listed(problem, 1e-8, 0.01, 0.5)
    control = Tolerance(rtol=1e-8, first_step=0.01)
    run = integrate(problem, RKQC, control, options={"as_listed": True, "call_interval": 0.5})
    assert run.status is Status.FINISHED
    assert run.counts.steps == good + bad
    repeated = np.count_nonzero(run.log.accepted[1:] & ~run.log.accepted[:-1]) + 0
    assert repeated == bad
    assert run.counts.rhs_evaluations == calls == 11 * run.counts.steps + 10 * run.counts.rejected
    assert np.abs(run.final - final).max() < 1e-13


def test_corrected_keeps_the_step_across_calls() -> None:
    """Fewer steps than as listed, when the listing begins every call with a tiny h1 again."""
    control = Tolerance(rtol=1e-8, first_step=1e-4)
    counts = [
        integrate(two_body(), RKQC, control, options={"as_listed": listed, "call_interval": 0.1}).counts.steps
        for listed in (True, False)
    ]
    assert counts[1] < 0.6 * counts[0]


def test_hmin_is_enforced_unless_as_listed() -> None:
    """A zero component makes the step collapse; with hmin the corrected variant stops there and says so."""
    chain = np.diag(np.ones(3), 1) - np.eye(4)[3][:, np.newaxis] * np.eye(4)[0]
    problem = linear(chain, np.array([0.0, 0.0, 0.0, 1.0]), 1.0)
    control = Tolerance(rtol=1e-9, first_step=0.01)
    stopped = integrate(problem, RKQC, control, options={"hmin": 1e-3})
    assert stopped.status is Status.STEP_TOO_SMALL
    listed = integrate(problem, RKQC, control, options={"hmin": 1e-3, "as_listed": True})
    assert listed.status is Status.FINISHED
    assert np.abs(listed.log.h).min() < 1e-4
    limited = integrate(problem, RKQC, control, options={"maxstp": 5, "as_listed": True})
    assert limited.status is Status.TOO_MANY_STEPS


def test_accuracy_and_order() -> None:
    """Step control follows eps; with a fixed step the order is 5, at eleven evaluations per step."""
    errors = []
    for eps in (1e-6, 1e-9):
        run = integrate(two_body(3.0), RKQC, Tolerance(rtol=eps))
        errors.append(np.abs(run.final - two_body_solution(3.0)).max())
    assert errors[1] < 1e-8 < 1e-2 * errors[0] + 1e-8
    fixed = []
    for n in (50, 100):
        run = integrate(two_body(3.0), RKQC, FixedStep(3.0 / n))
        assert (run.counts.steps, run.counts.rhs_evaluations) == (n, 11 * n)
        assert np.allclose(run.t, np.linspace(0, 3, n + 1), atol=1e-14)
        fixed.append(np.abs(run.final - two_body_solution(3.0)).max())
    assert math.log2(fixed[0] / fixed[1]) == pytest.approx(5, abs=0.2)


def test_backwards_divergence_and_bad_input() -> None:
    """Backwards in time, a blow-up, and a tolerance of zero."""
    there = integrate(two_body(3.0), RKQC, Tolerance(rtol=1e-11))
    from tests.solvers.problems import backwards

    back = integrate(backwards(two_body(3.0), there.final), RKQC, Tolerance(rtol=1e-11))
    assert np.abs(back.final - two_body().initial).max() < 1e-8
    assert integrate(growth(2.0, 2.0), RKQC, Tolerance()).status is Status.STEP_TOO_SMALL
    with pytest.raises(BadInput, match="rtol"):
        integrate(pendulum(), RKQC, Tolerance(rtol=0.0))


def test_the_first_step_is_chosen_with_what_is_held_over_it() -> None:
    """y' = u with u sampled at the start of each step: the first step is that of y' = u(t0)."""
    from numba import njit

    from solvers.kernels.signatures import RHS

    @njit(RHS)
    def held(t, y, params, dy):
        dy[0] = params[0]

    @njit(RHS)
    def sample(t, y, params, scratch):
        params[0] = 40.0

    def first_step(u: float, begin_step: Callable[..., None] | None) -> float:
        problem = OdeProblem(held, np.ones(1), 0.0, 1.0, np.array([u]), ("y1",), ("",), begin_step=begin_step)
        return float(integrate(problem, RKQC, Tolerance(1e-6, 1e-6)).log.h[0])

    assert first_step(0.0, sample) == first_step(40.0, None)
    # Where f is 0 nothing is known, and the first step is the shortest that is ever proposed.
    assert first_step(0.0, sample) > 1000.0 * first_step(0.0, None)
