"""What `armstep.solve_ivp` takes as equations: Python functions through a callback, numba functions compiled."""

from __future__ import annotations

import math
import threading
import traceback

import numpy as np
import pytest
from numba import njit

from solvers.ivp.functions import is_numba
from solvers.ivp.solve import solve_ivp
from tests.front.problems import CONTROLLED, FIXED, swing, swing_jacobian, swung

EVERY = [*CONTROLLED, *FIXED, "ida", "w-method", "backward-euler", "ab4", "rkqc"]


def control_of(method: str) -> dict[str, float]:
    fixed = method in FIXED or method in ("backward-euler", "ab4")
    return {"step": 0.01} if fixed else {"rtol": 1e-6, "atol": 1e-9}


@njit
def compiled_swing(t, y):
    return np.array([y[1], -y[0]])


@njit
def compiled_spring(t, y, stiffness, mass):
    return np.array([y[1], -stiffness / mass * y[0]])


@njit
def compiled_jacobian(t, y):
    return np.array([[0.0, 1.0], [-1.0, 0.0]])


@njit
def compiled_pair(t, y):
    return y[1], -y[0]


@njit
def compiled_linear(t, y, matrix):
    return matrix @ y


@njit
def compiled_choice(t, y, index):
    rate = y.copy()
    rate[index] = 0.0
    return rate


@njit
def compiled_fence(t, y):
    if t > 1.0:
        raise ValueError("beyond the fence")
    return -y


@njit
def compiled_short(t, y):
    return y[:1]


@pytest.mark.parametrize("method", EVERY)
def test_a_numba_function_gives_the_numbers_of_the_python_one(method: str) -> None:
    python = solve_ivp(swing, (0, 3), [1, 0], method=method, **control_of(method))
    numba = solve_ivp(compiled_swing, (0, 3), [1, 0], method=method, **control_of(method))
    assert np.array_equal(numba.t, python.t)
    assert np.array_equal(numba.y, python.y)
    assert (numba.nfev, numba.njev, numba.nlu) == (python.nfev, python.njev, python.nlu)


@pytest.mark.parametrize("jac", [swing_jacobian, compiled_jacobian])
@pytest.mark.parametrize("fun", [swing, compiled_swing])
@pytest.mark.parametrize("atol", [1e-8, [1e-8, 1e-9]])
def test_python_and_numba_mix(fun, jac, atol) -> None:
    run = solve_ivp(fun, (0, 3), [1, 0], method="Radau", jac=jac, rtol=1e-6, atol=atol)
    assert run.njev > 0
    assert np.abs(run.y - swung(run.t)).max() < 1e-4


def test_a_numba_function_runs_without_python() -> None:
    calls = compiled_swing.py_func.__code__
    run = solve_ivp(compiled_swing, (0, 2000), [1, 0], rtol=1e-8, atol=1e-8)
    assert run.nfev > 20_000
    assert calls.co_name == "compiled_swing"


def test_arguments_of_a_numba_function() -> None:
    for stiffness, mass in [(4.0, 1.0), (9, 1), (np.float64(2.0), 2)]:
        run = solve_ivp(compiled_spring, (0, 3), [1, 0], args=(stiffness, mass), rtol=1e-8, atol=1e-8)
        assert run.y[0] == pytest.approx(np.cos(math.sqrt(stiffness / mass) * run.t), abs=1e-5)
    for rate in (1.0, 2.0):
        matrix = np.array([[0.0, rate], [-rate, 0.0]])
        run = solve_ivp(compiled_linear, (0, 3), [1, 0], args=(matrix,), rtol=1e-8, atol=1e-8)
        assert run.y[0] == pytest.approx(np.cos(rate * run.t), abs=1e-5)
    for index in (0, 1):
        run = solve_ivp(compiled_choice, (0, 1), [1.0, 1.0], args=(index,), rtol=1e-8, atol=1e-8)
        assert run.y[index, -1] == 1.0
        assert run.y[1 - index, -1] == pytest.approx(math.e)


def test_a_numba_function_may_return_a_tuple() -> None:
    run = solve_ivp(compiled_pair, (0, 3), [1, 0], rtol=1e-8, atol=1e-8)
    assert np.abs(run.y - swung(run.t)).max() < 1e-6


@pytest.mark.parametrize("method", ["dopri5", "radau5", "cvode-bdf"])
def test_what_a_numba_function_raises_is_raised(method: str) -> None:
    with pytest.raises(ValueError, match="beyond the fence"):
        solve_ivp(compiled_fence, (0, 2), [1.0], method=method)
    with pytest.raises(ValueError, match="what fun returns"):
        solve_ivp(compiled_short, (0, 2), [1.0, 1.0], method=method)


def test_a_numba_function_with_complex_states() -> None:
    run = solve_ivp(compiled_choice, (0, 1), [1.0 + 1j, 2.0], args=(1,), rtol=1e-8, atol=1e-8)
    assert run.y[0, -1] == pytest.approx((1 + 1j) * math.e)


@pytest.mark.parametrize("method", EVERY)
def test_what_the_equations_raise_is_raised_at_once(method: str) -> None:
    calls = []

    def failing(t, y):
        calls.append(t)
        if t > 1.0:
            raise ZeroDivisionError("at the wall")
        return -y

    with pytest.raises(ZeroDivisionError, match="at the wall") as raised:
        solve_ivp(failing, (0, 2), [1.0], method=method, **control_of(method))
    assert [t for t in calls if t > 1.0] == calls[-1:]
    assert "failing" in [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]


def test_an_interrupt_ends_the_integration() -> None:
    def stopped(t, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_ivp(stopped, (0, 2), [1.0])


def test_what_a_jacobian_raises_is_raised() -> None:
    def broken(t, y):
        raise LookupError("no matrix")

    for method in ("radau5", "rosenbrock", "cvode-bdf"):
        with pytest.raises(LookupError, match="no matrix"):
            solve_ivp(swing, (0, 1), [1, 0], method=method, jac=broken)
        with pytest.raises(ValueError, match="jac"):
            solve_ivp(swing, (0, 1), [1, 0], method=method, jac=lambda t, y: [[1.0]])


def test_what_the_dense_solution_raises_is_raised_and_it_can_be_asked_again() -> None:
    def fenced(t, y):
        if t > 1.5:
            raise ValueError("beyond the fence")
        return -y

    run = solve_ivp(fenced, (0, 1), [1.0], dense_output=True)
    for _ in range(2):
        with pytest.raises(ValueError, match="beyond the fence"):
            run.sol(3.0)
        assert run.sol(0.5)[0] == pytest.approx(math.exp(-0.5), rel=1e-3)


@pytest.mark.parametrize("returned", [None, [1.0, 2.0, 3.0], "two", [[1.0], [2.0]]])
def test_what_equations_may_not_return(returned) -> None:
    with pytest.raises(ValueError, match="what fun returns") as refusal:
        solve_ivp(lambda t, y: returned, (0, 1), [1, 0])
    assert "2 numbers" in str(refusal.value)


def test_vectorized_equations() -> None:
    def columns(t, y):
        assert y.shape == (2, 1)
        return np.vstack([y[1], -y[0]])

    for method in ("dopri5", "radau5"):
        run = solve_ivp(columns, (0, 3), [1, 0], method=method, vectorized=True)
        assert np.array_equal(run.y, solve_ivp(swing, (0, 3), [1, 0], method=method).y)


def test_the_state_belongs_to_the_equations() -> None:
    kept = []

    def greedy(t, y):
        kept.append(y)
        rate = [y[1], -y[0]]
        y[:] = math.nan
        return rate

    assert np.array_equal(solve_ivp(greedy, (0, 3), [1, 0]).y, solve_ivp(swing, (0, 3), [1, 0]).y)


def test_an_integration_within_an_integration() -> None:
    def outer(t, y):
        inner = solve_ivp(lambda s, x: -x, (0, 1), y, rtol=1e-6, atol=1e-9)
        return -inner.y[:, -1]

    run = solve_ivp(outer, (0, 1), [1.0], rtol=1e-4)
    assert run.y[0, -1] == pytest.approx(math.exp(-math.exp(-1.0)), rel=1e-3)


def test_integrations_in_threads() -> None:
    found: dict[int, float] = {}

    def work(rate: int) -> None:
        found[rate] = solve_ivp(lambda t, y: -rate * y, (0, 1), [1.0], rtol=1e-8, atol=1e-10).y[0, -1]

    threads = [threading.Thread(target=work, args=(rate,)) for rate in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx({rate: math.exp(-rate) for rate in range(6)}, rel=1e-6)


def test_only_numba_functions_are_numba_functions() -> None:
    assert is_numba(compiled_swing)
    assert not is_numba(swing)
    assert not is_numba(3)
