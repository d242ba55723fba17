"""`armstep.solve_ivp` answers as scipy's does: fields, shapes, statuses, times, and the numbers of exact solutions."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import integrate
from scipy.integrate import solve_ivp as scipy_solve_ivp
from scipy.sparse import csc_matrix

from solvers.ivp.solve import solve_ivp
from tests.front.problems import (
    CONTROLLED,
    FIXED,
    SCIPY,
    decay,
    fall,
    grown,
    logistic,
    ramp,
    stiff,
    swing,
    swing_jacobian,
    swung,
)

TIGHT = {"rtol": 1e-9, "atol": 1e-11}


def control_of(method: str) -> dict[str, float]:
    return {"step": 0.005} if method in FIXED else {"rtol": 1e-7, "atol": 1e-9}


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED, *SCIPY])
@pytest.mark.parametrize("end", [6.0, -6.0])
def test_the_solution_forwards_and_backwards_in_time(method: str, end: float) -> None:
    run = solve_ivp(swing, (0.0, end), [1, 0], method=method, dense_output=True, **control_of(method))
    assert (run.status, run.success, run.t_events, run.y_events) == (0, True, None, None)
    assert run.t[0] == 0.0
    assert run.t[-1] == end
    assert run.y.shape == (2, len(run.t))
    assert np.all(np.diff(run.t) * end > 0.0)
    assert np.abs(run.y - swung(run.t)).max() < 2e-5
    between = np.linspace(0.0, end, 77)
    assert np.abs(run.sol(between) - swung(between)).max() < 2e-5
    assert np.allclose(run.sol(run.t), run.y, rtol=1e-15, atol=1e-15)
    assert np.array_equal(run.y[:, 0], [1.0, 0.0])


@pytest.mark.parametrize("method", SCIPY)
def test_as_accurate_and_as_cheap_as_scipy_at_the_default_tolerances(method: str) -> None:
    ours = solve_ivp(swing, (0, 10), [1, 0], method=method)
    theirs = scipy_solve_ivp(swing, (0, 10), [1, 0], method=method)
    assert set(ours) == set(theirs)
    assert np.abs(ours.y - swung(ours.t)).max() < 5.0 * np.abs(theirs.y - swung(theirs.t)).max()
    assert ours.nfev < 3 * theirs.nfev
    implicit = method in ("Radau", "BDF", "LSODA")
    assert (ours.njev > 0, ours.nlu > 0) == (implicit, implicit)


@pytest.mark.parametrize("method", SCIPY)
def test_scipy_s_solver_classes_stand_for_their_names(method: str) -> None:
    named = solve_ivp(swing, (0, 3), [1, 0], method=method)
    classed = solve_ivp(swing, (0, 3), [1, 0], method=getattr(integrate, method))
    assert np.array_equal(named.y, classed.y)


@pytest.mark.parametrize("jac", [swing_jacobian, lambda t, y: csc_matrix(swing_jacobian(t, y))])
@pytest.mark.parametrize("method", ["radau5", "rosenbrock", "cvode-bdf", "bdf3"])
def test_a_jacobian_that_is_a_function(method: str, jac) -> None:
    control = {"step": 0.01} if method == "bdf3" else {}
    run = solve_ivp(swing, (0, 2), [1, 0], method=method, jac=jac, **control)
    free = solve_ivp(swing, (0, 2), [1, 0], method=method, **control)
    assert run.njev > 0
    assert run.nfev <= free.nfev
    assert np.allclose(run.y, swung(run.t), atol=5e-3)


@pytest.mark.parametrize("jac", [swing_jacobian(0, 0), csc_matrix(swing_jacobian(0, 0)), [[0, 1], [-1, 0]]])
@pytest.mark.parametrize("method", ["Radau", "BDF", "rosenbrock"])
def test_a_constant_jacobian_is_never_asked_for(method: str, jac) -> None:
    run = solve_ivp(swing, (0, 2), [1, 0], method=method, jac=jac)
    assert run.njev == 0
    assert run.nlu > 0
    assert np.allclose(run.y, swung(run.t), atol=5e-3)


def test_what_has_no_effect_brings_a_warning() -> None:
    with pytest.warns(UserWarning, match="jac has no effect with dopri5"):
        solve_ivp(swing, (0, 1), [1, 0], jac=swing_jacobian)
    with pytest.warns(UserWarning, match="lband has no effect with radau5"):
        solve_ivp(swing, (0, 1), [1, 0], method="Radau", lband=1)
    with pytest.warns(UserWarning, match="first_step has no effect with cvode-bdf backwards"):
        solve_ivp(swing, (1, 0), [1, 0], method="BDF", first_step=1e-3)


@pytest.mark.parametrize(
    ("method", "end"),
    [(key, end) for key in CONTROLLED for end in (1.0, -1.0) if end > 0.0 or not key.startswith("cvode")],
)
def test_the_first_step_is_the_one_that_is_asked_for(method: str, end: float) -> None:
    run = solve_ivp(swing, (0, end), [1, 0], method=method, first_step=1e-3)
    assert run.t[1] == pytest.approx(math.copysign(1e-3, end))


@pytest.mark.parametrize("method", ["Radau", "BDF", "rosenbrock", "cvode-bdf"])
def test_stiff_equations_take_few_steps(method: str) -> None:
    run = solve_ivp(stiff, (0, 10), [1.0], method=method, rtol=1e-5, atol=1e-7)
    assert run.success
    assert len(run.t) < 1000
    assert np.abs(run.y[0, -1] - math.sin(10.0)) < 1e-4


@pytest.mark.parametrize("method", ["Radau", "BDF"])
def test_robertson_over_eight_decades(method: str) -> None:
    def kinetics(t, s):
        x, y, z = s
        return [-0.04 * x + 1e4 * y * z, 0.04 * x - 1e4 * y * z - 3e7 * y * y, 3e7 * y * y]

    settings = {"rtol": 1e-6, "atol": [1e-8, 1e-12, 1e-8]}
    ours = solve_ivp(kinetics, (0, 1e8), [1, 0, 0], method=method, **settings)
    theirs = scipy_solve_ivp(kinetics, (0, 1e8), [1, 0, 0], method="Radau", rtol=1e-10, atol=1e-14)
    assert ours.success
    assert ours.nfev < 6000
    assert np.allclose(ours.y[:, -1], theirs.y[:, -1], rtol=5e-3, atol=1e-13)


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853", "BDF", "Radau", "rk4"])
@pytest.mark.parametrize("jac", [None, lambda t, y: -1j * np.eye(2)])
def test_complex_states(method: str, jac) -> None:
    start = np.array([0.5 + 1j, 2.0])
    control = {"step": 0.01} if method == "rk4" else {"rtol": 1e-6, "atol": 1e-8}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        run = solve_ivp(lambda t, y: -1j * y, (0, 3), start, method=method, jac=jac, dense_output=True, **control)
    assert run.y.dtype == complex
    assert np.allclose(run.y, start[:, None] * np.exp(-1j * run.t), atol=1e-4)
    assert np.allclose(run.sol(1.234), start * np.exp(-1.234j), atol=1e-4)


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED])
def test_chosen_times(method: str) -> None:
    control = {"step": 0.01} if method in FIXED else {}
    for span, times in [((0, 5), [0, 0.001, 2, 4.99, 5]), ((0, 5), [1.5, 3]), ((0, -5), [-0.5, -3, -5])]:
        run = solve_ivp(swing, span, [1, 0], method=method, t_eval=times, **control)
        dense = solve_ivp(swing, span, [1, 0], method=method, t_eval=times, dense_output=True, **control)
        assert run.t.tolist() == list(map(float, times))
        assert run.sol is None
        assert np.array_equal(run.y, dense.y)
        assert dense.sol.ts[-1] == span[1]
        assert np.allclose(run.y, swung(run.t), atol=0.02)


@pytest.mark.parametrize("times", [[4, 6], [-1, 2], [1, 3, 2], [1, 1, 2], [[1, 2]], ["soon"], [1, math.nan]])
def test_chosen_times_that_are_refused(times) -> None:
    with pytest.raises(ValueError, match="`t_eval`"):
        solve_ivp(swing, (0, 5), [1, 0], t_eval=times)


@pytest.mark.parametrize("method", ["dopri5", "radau5", "cvode-bdf", "rk4", "bdf3"])
def test_the_solution_goes_on_beyond_its_ends(method: str) -> None:
    control = {"step": 0.01} if method in FIXED else {"rtol": 1e-8, "atol": 1e-10}
    run = solve_ivp(swing, (0, 3), [1, 0], method=method, dense_output=True, **control)
    assert np.allclose(run.sol([-0.005, 3.005]), swung(np.array([-0.005, 3.005])), atol=1e-4)
    assert run.sol(2.0).shape == (2,)
    assert run.sol([1.0]).shape == (2, 1)
    assert run.sol(np.empty(0)).shape == (2, 0)
    assert (run.sol.t_min, run.sol.t_max) == (0.0, 3.0)
    with pytest.raises(ValueError, match="`t`"):
        run.sol([[1.0, 2.0]])


@pytest.mark.parametrize("method", CONTROLLED)
@pytest.mark.parametrize("end", [9.0, 1.0])
def test_the_longest_step(method: str, end: float) -> None:
    run = solve_ivp(ramp, (5, end), [25.0], method=method, max_step=0.5)
    steps = np.abs(np.diff(run.t))
    assert steps.max() <= 0.5 + 1e-12
    assert run.t[-1] == end
    assert run.y[0, -1] == pytest.approx(end * end, rel=0.05)


@pytest.mark.parametrize(
    "bad", [{"max_step": -1}, {"max_step": 0}, {"first_step": -1}, {"first_step": 5}, {"max_step": "a"}]
)
def test_bounds_that_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        solve_ivp(ramp, (5, 9), [25.0], **bad)


@pytest.mark.parametrize("method", CONTROLLED)
def test_a_step_below_the_spacing_of_numbers_fails(method: str) -> None:
    run = solve_ivp(ramp, (5, 9), [25.0], method=method, max_step=1e-20, dense_output=True)
    assert (run.status, run.success) == (-1, False)
    assert "step size is less" in run.message
    assert run.t.tolist() == [5.0]


@pytest.mark.parametrize("method", CONTROLLED)
def test_what_has_no_end_fails_where_it_has_none(method: str) -> None:
    """y' = y^2 from 1 is infinite at t = 1."""
    run = solve_ivp(lambda t, y: y * y, (0, 2), [1.0], method=method, dense_output=True)
    assert (run.status, run.success) == (-1, False)
    assert run.t[-1] == pytest.approx(1.0, abs=0.02)
    assert run.message
    assert np.isfinite(run.y).all()
    nowhere = solve_ivp(lambda t, y: [math.nan], (0, 2), [1.0], method=method)
    assert (nowhere.status, nowhere.t.tolist()) == (-1, [0.0])


@pytest.mark.parametrize("method", [*CONTROLLED, *SCIPY])
def test_a_span_of_zero(method: str) -> None:
    run = solve_ivp(decay, (4, 4), [2, 3], method=method, dense_output=True)
    assert (run.status, run.t.tolist(), run.y.tolist()) == (0, [4.0, 4.0], [[2, 2], [3, 3]])
    assert run.sol(4).tolist() == [2, 3]
    assert run.sol([4, 5, 6]).tolist() == [[2, 2, 2], [3, 3, 3]]


@pytest.mark.parametrize("method", [*CONTROLLED, *SCIPY])
@pytest.mark.parametrize("end", [10.0, math.inf])
def test_no_components(method: str, end: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = solve_ivp(lambda t, y: np.zeros(0), (0, end), [], method=method, dense_output=True)
    theirs = scipy_solve_ivp(lambda t, y: np.zeros(0), (0, end), [], dense_output=True)
    assert (run.success, run.y.shape) == (True, theirs.y.shape)
    assert run.t.tolist() == theirs.t.tolist()
    assert run.sol(10).shape == (0,)
    assert run.sol([1, 2, 3]).shape == (0, 3)


@pytest.mark.parametrize("method", [*CONTROLLED, *SCIPY])
def test_what_does_not_move_stays(method: str) -> None:
    run = solve_ivp(lambda t, y: np.zeros_like(y), (0, 10), np.ones(3), method=method)
    assert (run.status, run.success) == (0, True)
    assert np.array_equal(run.y, np.ones_like(run.y))


# Not rosenbrock, whose formula has an abscissa beyond its step.
@pytest.mark.parametrize("method", [key for key in (*CONTROLLED, *FIXED) if key != "rosenbrock"])
@pytest.mark.parametrize("end", [1e-4, 2.0])
def test_the_equations_are_never_asked_beyond_the_end(method: str, end: float) -> None:
    def fenced(t, y):
        assert 0.0 <= t <= end
        return 2.0 * y

    control = {"step": end / 8} if method in FIXED else {}
    assert solve_ivp(fenced, (0.0, end), [1.0], method=method, **control).success


def test_arguments_go_to_the_equations_the_jacobian_and_the_events() -> None:
    def half(t, y, rate, limit):
        return y[0] - 0.5 * limit

    def jac(t, y, rate, limit):
        return rate * (1.0 - 2.0 * y / limit)

    half.terminal = True
    run = solve_ivp(logistic, (0, 9), [0.1], "Radau", events=half, args=(2.0, 3.0), jac=jac, **TIGHT)
    assert run.status == 1
    assert run.t_events[0][0] == pytest.approx(math.log(29.0) / 2.0, abs=1e-7)
    assert np.allclose(run.y[0], grown(run.t, 0.1, 2.0, 3.0), rtol=1e-7)


def test_arguments_that_are_no_tuple() -> None:
    with pytest.raises(TypeError, match=r"Supplied 'args' cannot be unpacked.*args=\(-1,\)"):
        solve_ivp(lambda t, y, a: a * y, (0, 0.1), [1], args=-1)
    run = solve_ivp(lambda t, y, a: a * y, (0, 0.1), [1], args=(-1,))
    assert run.y[0, -1] == pytest.approx(math.exp(-0.1), rel=1e-4)


@pytest.mark.parametrize("method", ["dopri5", "radau5", "rosenbrock", "adams-pece", "cvode-bdf"])
def test_each_component_has_its_own_absolute_tolerance(method: str) -> None:
    """A small oscillator beside a large one: only a tolerance of its own keeps it accurate."""

    def two(t, y):
        return [y[1], -y[0], y[3], -9.0 * y[2]]

    start = [1e6, 0.0, 1e-6, 0.0]
    loose = solve_ivp(two, (0, 5), start, method=method, rtol=2e-12, atol=1.0)
    tight = solve_ivp(two, (0, 5), start, method=method, rtol=2e-12, atol=[1.0, 1.0, 1e-12, 1e-12])

    def missed(run):
        return np.abs(run.y[2] - 1e-6 * np.cos(3.0 * run.t)).max()

    assert missed(tight) < 1e-10
    assert missed(loose) > 100 * missed(tight)
    assert tight.y[:, 0].tolist() == start


def test_arrays_of_tolerances() -> None:
    loose = solve_ivp(swing, (0, 5), [1, 0], rtol=[1e-2, 1e-2])
    tight = solve_ivp(swing, (0, 5), [1, 0], rtol=[1e-2, 1e-9])
    assert np.abs(tight.y - swung(tight.t)).max() < np.abs(loose.y - swung(loose.t)).max()
    with pytest.warns(UserWarning, match="At least one element of `rtol` is too small"):
        solve_ivp(swing, (0, 1), [1, 0], rtol=[1e-2, 1e-16])
    same = solve_ivp(swing, (0, 5), [1, 0], atol=[1e-5, 1e-5])
    assert np.array_equal(same.y, solve_ivp(swing, (0, 5), [1, 0], atol=1e-5).y)
    for bad in ({"atol": [1, 2, 3]}, {"atol": -1}, {"rtol": [1e-3]}, {"atol": "small"}, {"rtol": math.nan}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            solve_ivp(swing, (0, 1), [1, 0], **bad)


@pytest.mark.parametrize(
    ("y0", "match"),
    [
        (1.0, "`y0`"),
        ([[1.0, 2.0]], "`y0`"),
        ([math.nan, 0.0], "All components of the initial state `y0`"),
        ([math.inf, 0.0], "All components of the initial state `y0`"),
        (["a", "b"], "`y0`"),
        (None, "`y0`"),
    ],
)
def test_initial_states_that_are_refused(y0, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        solve_ivp(swing, (0, 1), y0)


@pytest.mark.parametrize("span", [3, (0,), (0, 1, 2), (0, math.nan), (math.inf, 0), ("a", "b")])
def test_spans_that_are_refused(span) -> None:
    with pytest.raises(ValueError, match="t_span"):
        solve_ivp(swing, span, [1, 0])


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"method": "dopri"}, "'dopri5'"),
        ({"method": "RK46"}, "'RK45'"),
        ({"method": 45}, "method"),
        ({"method": dict}, "'dict'"),
        ({"method": "rk4"}, "step"),
        ({"method": "taylor"}, "taylor"),
        ({"method": "velocity-verlet", "step": 0.1}, "positions"),
        ({"method": "cvode-bdf", "step": 0.1}, "step"),
        ({"step": 0.1, "rtol": 1e-3}, "rtol"),
        ({"step": 20.0}, "step"),
        ({"step": -1.0}, "step"),
        ({"step": 0.1, "t_span": (0, math.inf)}, "t_span"),
        ({"rtoll": 1e-3}, "'rtol'"),
        ({"max_order": 3}, "max_order"),
        ({"events": 3}, "events"),
        ({"fun": 3}, "fun"),
        ({"positions": 2}, "positions"),
        ({"controller": "best"}, "controller"),
        ({"jac": np.eye(3), "method": "Radau"}, "jac"),
        ({"jac": "two-point", "method": "Radau"}, "jac"),
    ],
)
def test_arguments_that_are_refused(arguments: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match) as refusal:
        solve_ivp(**{"fun": swing, "t_span": (0, 10), "y0": [1, 0], **arguments})  # type: ignore[arg-type]
    assert "\n" not in str(refusal.value)


def test_the_result_by_name_and_by_key() -> None:
    run = solve_ivp(swing, (0, 1), [1, 0])
    assert run["t"] is run.t
    assert {"t", "y", "sol", "nfev", "status"} <= set(dir(run))
    with pytest.raises(AttributeError):
        _ = run.nothing
    assert repr(run).startswith("<OdeResult finished, t = 0 to 1, ")
    assert "\n" not in repr(run)


def test_methods_of_mechanics() -> None:
    """Velocity Verlet keeps a pendulum's energy over a thousand swings."""
    run = solve_ivp(swing, (0, 6000), [1, 0], method="velocity-verlet", step=0.05, positions=1)
    energy = (run.y**2).sum(axis=0)
    assert np.abs(energy - energy[0]).max() < 1e-3


def test_a_method_takes_its_own_options() -> None:
    low = solve_ivp(swing, (0, 5), [1, 0], method="BDF", max_order=1, **TIGHT | {"rtol": 1e-6})
    high = solve_ivp(swing, (0, 5), [1, 0], method="BDF", **TIGHT | {"rtol": 1e-6})
    assert len(low.t) > 3 * len(high.t)


def test_a_stone_falls_without_an_end() -> None:
    def ground(t, y):
        return y[0]

    ground.terminal = True
    ground.direction = -1
    run = solve_ivp(fall, (0, math.inf), [0.0, 100.0], events=ground, dense_output=True, rtol=1e-8)
    assert (run.status, run.success) == (1, True)
    assert run.t_events[0][0] == pytest.approx(20.0, rel=1e-8)
    assert run.sol(15.0)[0] == pytest.approx(375.0, rel=1e-7)
    assert run.sol([0.5, 5.0, 15.0])[1] == pytest.approx([95.0, 50.0, -50.0])
    ground.direction = 0
    back = solve_ivp(fall, (19, -math.inf), [95.0, -90.0], events=ground, t_eval=[18, -1, -9], rtol=1e-8)
    assert back.t.tolist() == [18.0]
    assert back.t_events[0][0] == pytest.approx(0.0, abs=1e-7)
