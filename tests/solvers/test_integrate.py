"""The integration loop: landing, events, breaks, cancelling, failure, bad input; nothing about one method."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.counting import ordinal
from assets.errors import BadInput
from solvers import recorder
from solvers.control import Control, FixedStep, Tolerance
from solvers.events import Event
from solvers.integrate import integrate
from solvers.interpolation.location import KeptSteps, steps_to
from solvers.method_registry import find_method, methods
from solvers.status import Status
from tests.solvers.problems import backwards, growth, logistic, pendulum, ramp, time_rhs, two_body, two_body_solution

RK4, DP = find_method("rk4"), find_method("dopri5")
TIGHT = Tolerance(1e-12, 1e-12)


def test_fixed_grid_is_not_a_running_sum() -> None:
    """t_n = t0 + n h to the last bit, and the end is the end."""
    problem = replace(pendulum(), t0=0.3, t1=100.3)
    run = integrate(problem, RK4, FixedStep(0.1))
    assert np.array_equal(run.t[:-1], 0.3 + 0.1 * np.arange(1000))
    assert run.t_end == 100.3


@pytest.mark.parametrize(("step", "count", "last"), [(0.3, 7, 0.2), (2.0, 1, 2.0), (0.7, 3, 0.6)])
def test_step_that_does_not_divide_the_span(step: float, count: int, last: float) -> None:
    """n = ceil(span / h), the last step shortened, and the message says so."""
    run = integrate(pendulum(2.0), RK4, FixedStep(step))
    assert run.counts.steps == count
    assert run.log.h[-1] == pytest.approx(last, abs=1e-15)
    assert run.t_end == 2.0
    assert ("last step" in run.message) == (step != 2.0)


def test_step_that_divides_the_span_to_round_off() -> None:
    """0.1 divides 0.3 although neither is a binary fraction: three steps, and nothing to say."""
    run = integrate(replace(pendulum(), t1=0.3), RK4, FixedStep(0.1))
    assert run.counts.steps == 3
    assert run.message == "Finished at t = 0.3 s."


@given(st.floats(1e-3, 0.5), st.floats(0.6, 3.0))
def test_any_fixed_step_lands(step: float, span: float) -> None:
    """Whatever the step, all steps but the last are h, and the run ends at the end."""
    run = integrate(replace(logistic(), t1=span), RK4, FixedStep(step))
    assert run.t_end == span
    assert np.all(run.log.h[:-1] == step)
    assert 0 < run.log.h[-1] <= step * (1 + 1e-8)


@given(st.floats(1e-13, 1e-2), st.floats(0.0, 1e-2))
def test_any_tolerance_is_met(atol: float, rtol: float) -> None:
    """The global error of a tame problem stays within a modest multiple of the tolerance."""
    rtol = 0.0 if rtol < 1e-15 else rtol
    run = integrate(two_body(3.0), DP, Tolerance(rtol, atol))
    assert run.status is Status.FINISHED
    assert np.abs(run.final - two_body_solution(3.0)).max() < 100 * (atol + rtol) + 1e-11


@pytest.mark.parametrize("control", [FixedStep(0.01), TIGHT])
def test_backwards_in_time(control: Control) -> None:
    """Forth and back again."""
    there = integrate(two_body(3.0), find_method("rkf78"), control)
    back = integrate(backwards(two_body(3.0), there.final), find_method("rkf78"), control)
    assert back.status is Status.FINISHED
    assert np.all(np.diff(back.t) < 0)
    assert back.t_end == 0.0
    assert np.abs(back.final - two_body().initial).max() < 1e-9
    assert np.abs(back(np.array([2.0, 1.0])) - there(np.array([2.0, 1.0]))).max() < 1e-9


@pytest.mark.parametrize("control", [FixedStep(0.01), TIGHT])
def test_zero_span(control: Control) -> None:
    """Nothing to do: one state, no calls, finished."""
    run = integrate(pendulum(0.0), DP, control)
    assert (run.status, run.t.tolist(), run.counts.rhs_evaluations) == (Status.FINISHED, [0.0], 0)
    assert np.array_equal(run(np.array([0.0, 0.0])), np.repeat(run.y, 2, axis=0))


def test_cancel_and_progress() -> None:
    """A run is cancelled between slices and keeps what it has; progress rises to 1."""
    seen: list[float] = []
    run = integrate(pendulum(1e4), RK4, FixedStep(1e-3), progress=seen.append, cancel=lambda: len(seen) >= 3)
    assert run.status is Status.CANCELLED
    assert 0 < len(run.t) < 1e6
    assert run.counts.rhs_evaluations == 4 * run.counts.steps == 4 * (len(run.t) - 1)
    assert seen == sorted(seen)
    integrate(pendulum(), RK4, FixedStep(0.01), progress=seen.append)
    assert seen[-1] == 1.0


def test_divergence_is_reported_and_the_past_kept() -> None:
    """y' = y^2 is infinite at t = 1; what came before is there, finite, and the sentence names the time."""
    fixed = integrate(growth(2.0, 2.0), RK4, FixedStep(0.01))
    assert fixed.status is Status.DIVERGED
    assert np.all(np.isfinite(fixed.y))
    assert 1.0 <= fixed.t_end < 1.2
    assert f"{fixed.t_end:.6g}" in fixed.message
    controlled = integrate(growth(2.0, 2.0), DP, Tolerance(1e-8, 1e-8))
    assert controlled.status is Status.DIVERGED
    assert controlled.t_end == pytest.approx(1.0, abs=1e-6)
    assert len(controlled.log.t) == controlled.counts.steps + controlled.counts.rejected


def test_nan_in_the_right_hand_side() -> None:
    """sqrt of a negative number is data, not a crash: the run stops with a status."""
    problem = replace(growth(0.5, 1.0), initial=np.array([-1.0]))
    for control in (FixedStep(0.1), Tolerance()):
        run = integrate(problem, DP, control)
        assert run.status is Status.DIVERGED
        assert len(run.t) == 1


def test_too_many_steps() -> None:
    """The limit is exact and the attempts up to it are kept."""
    run = integrate(pendulum(), DP, TIGHT, max_steps=100)
    assert run.status is Status.TOO_MANY_STEPS
    assert run.counts.steps + run.counts.rejected == 100


def test_events() -> None:
    """The pendulum passes zero at odd multiples of a quarter period; a terminal event ends the run there."""
    from scipy.special import ellipk

    quarter = float(ellipk(math.sin(0.5) ** 2))
    event = Event("the pendulum is down", lambda t, y: y[0])
    run = integrate(pendulum(), find_method("dop853"), TIGHT, events=(event,))
    times = [occurrence.t for occurrence in run.events]
    assert np.allclose(times, quarter * np.array([1, 3, 5]), atol=1e-10)
    several = Event("any", lambda t, y: np.array([y[0] - 2.0, y[0], y[0] - 0.5]))
    found = [one.t for one in integrate(pendulum(), find_method("dop853"), TIGHT, events=(several,)).events]
    assert len(found) > 3
    assert set(times) <= set(found)
    falling = integrate(pendulum(), DP, TIGHT, events=(replace(event, direction=-1),))
    assert len(falling.events) == 2
    for control in (TIGHT, FixedStep(0.001)):
        ended = integrate(pendulum(), DP, control, events=(replace(event, terminal=True),))
        assert ended.status is Status.FINISHED
        assert ended.t_end == pytest.approx(quarter, abs=1e-9)
        assert abs(ended.final[0]) < 1e-12
        assert "the pendulum is down" in ended.message
        assert ended.counts.steps == len(ended.t) - 1 == np.count_nonzero(ended.log.accepted)


@pytest.mark.parametrize("key", ["rk4", "dopri5", "dop853", "radau5", "rosenbrock", "gbs", "rkqc", "esdirk43", "ab4"])
@pytest.mark.parametrize("down", [1, 4])
def test_an_event_that_may_be_noticed_late_ends_the_run_at_the_same_place_and_cost(key: str, down: int) -> None:
    """Some steps at once, up to the last bit what single steps give; what comes after the event is no work."""
    event, method = Event("down", lambda t, y: y[0], terminal=down), find_method(key)
    controls = [FixedStep(0.01)] * method.fixed_step + [Tolerance(1e-6, 1e-8)] * method.adaptive
    for control in controls:
        exact, late = (
            integrate(replace(pendulum(), t1=30.0), method, control, events=(replace(event, passable=passable),))
            for passable in (False, True)
        )
        assert exact.t_end < 30.0
        for one, other in ((exact.t, late.t), (exact.y, late.y), (exact.log.h, late.log.h)):
            assert np.array_equal(one, other)
        assert (exact.counts, exact.message) == (late.counts, late.message)


@pytest.mark.parametrize("key", ["rk4", "dopri5", "dop853"])
def test_breaks_restart_the_integration(key: str) -> None:
    """A ramp that begins at t = 1 is exact, forwards and backwards and between the steps, when the break is known."""
    method = find_method(key)
    controls: list[Control] = [FixedStep(0.3)] + ([Tolerance(1e-3, 1e-3)] if method.adaptive else [])
    for control in controls:
        run = integrate(ramp(), method, control)
        assert 1.0 in run.t
        assert run.final[0] == pytest.approx(1.0, abs=1e-15)
        times = np.linspace(0, 2, 41)
        assert np.abs(run(times)[:, 0] - np.maximum(0, times - 1)).max() < 1e-14
        back = integrate(backwards(ramp(), np.ones(1)), method, control)
        assert back.final[0] == pytest.approx(0.0, abs=1e-15)
        assert np.abs(back(times)[:, 0] - np.maximum(0, times - 1)).max() < 1e-14


def test_max_and_first_step() -> None:
    """first_step is the first tried, and no step is longer than max_step."""
    control = Tolerance(1e-3, 1e-3, first_step=0.01, max_step=0.125)
    log = integrate(two_body(), DP, control).log
    assert log.h[0] == 0.01
    assert log.h.max() <= 0.125 * (1 + 1e-9)


def test_begin_step_is_called_once_a_step_and_not_counted() -> None:
    """What is sampled at the start of a step and held makes Euler's method of every Runge-Kutta method."""
    from numba import njit

    from solvers.kernels.signatures import RHS
    from solvers.problem import OdeProblem

    @njit(RHS)
    def held(t, y, params, dy):
        dy[0] = params[0]

    @njit(RHS)
    def sample(t, y, params, scratch):
        params[0] = -y[0]
        params[1] += 1.0

    problem = OdeProblem(held, np.ones(1), 0.0, 1.0, np.zeros(2), ("y1",), ("",), begin_step=sample)
    for key in ("rk4", "dopri5", "rkf45"):
        method = find_method(key)
        run = integrate(problem, method, FixedStep(0.1))
        assert run.final[0] == pytest.approx(0.9**10, rel=1e-14)
        assert run.counts.rhs_evaluations == 10 * method.stages
        assert run(0.05)[0] == pytest.approx(0.95, rel=1e-14)
    assert problem.params[1] == 0.0


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "first"),
        (2, "second"),
        (3, "third"),
        (4, "4th"),
        (11, "11th"),
        (21, "21st"),
        (112, "112th"),
        (1023, "1\u202f023rd"),
    ],
)
def test_ordinals(number: int, words: str) -> None:
    assert ordinal(number) == words


def test_long_runs_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit every second step is dropped; the ends stay, the dense output stays accurate."""
    monkeypatch.setattr(recorder, "MOST_ROWS", 1000)
    run = integrate(pendulum(), RK4, FixedStep(10 / 5001))
    whole = integrate(pendulum(), find_method("dop853"), TIGHT)
    assert run.stride == 8
    assert len(run.t) <= 1001
    assert (run.t[0], run.t_end, run.counts.steps) == (0.0, 10.0, 5001)
    assert np.allclose(np.diff(run.t)[:-1], 80 / 5001)
    times = np.linspace(0, 10, 333)
    assert np.abs(run(times) - whole(times)).max() < 1e-9
    monkeypatch.setattr(recorder, "MOST_ROWS", 4000)
    assert "Every second of 5\u202f001 steps" in integrate(pendulum(), RK4, FixedStep(10 / 5001)).message
    assert "Every 8th of 5\u202f001 steps is kept." in run.message


def test_running_twice_gives_the_same_bits() -> None:
    """Slices depend on the clock; results do not."""
    first, second = (integrate(two_body(), DP, Tolerance(1e-9, 1e-9)) for _ in range(2))
    assert first.counts == second.counts
    assert np.array_equal(first.y, second.y)


@pytest.mark.parametrize("step", [0.0, -0.1, math.nan, math.inf, True, "fast", 10.001, 1e-8])
def test_bad_steps(step: object) -> None:
    """What is no step is refused before starting: zero, negative, not finite, longer than the span, 1e9 of them."""
    with pytest.raises(BadInput) as refused:
        integrate(pendulum(), RK4, FixedStep(step))  # type: ignore[arg-type]
    assert refused.value.what == "step"


def test_step_that_does_not_change_t() -> None:
    """t + h == t is refused."""
    with pytest.raises(BadInput, match="change t"):
        integrate(replace(pendulum(), t0=1e17, t1=1e17 + 1e3), RK4, FixedStep(1.0))


@pytest.mark.parametrize(
    ("what", "settings"),
    [
        ("rtol", {"rtol": -1e-6}),
        ("rtol", {"rtol": math.nan}),
        ("rtol", {"rtol": 1e-17}),
        ("rtol", {"rtol": 2.0}),
        ("atol", {"atol": math.inf}),
        ("atol", {"rtol": 0.0, "atol": 0.0}),
        ("atol", {"controller": "paper", "atol": 0.0}),
        ("controller", {"controller": "pid"}),
        ("first_step", {"first_step": 0.0}),
        ("max_step", {"max_step": -1.0}),
    ],
)
def test_bad_tolerances(what: str, settings: dict) -> None:
    """Absurd tolerances are refused by name."""
    with pytest.raises(BadInput) as refused:
        Tolerance(**settings)
    assert refused.value.what == what


def test_bad_input_names_what_would_do() -> None:
    """A control that the method lacks names the methods that have it; unknown names get the nearest match."""
    with pytest.raises(BadInput, match="dopri5"):
        integrate(pendulum(), RK4, Tolerance())
    with pytest.raises(BadInput, match="did you mean 'dop853'"):
        find_method("dop835")
    with pytest.raises(BadInput, match=r"options\.order"):
        integrate(pendulum(), RK4, FixedStep(0.1), options={"order": 3})
    with pytest.raises(BadInput, match=r"initial\.v1"):
        integrate(replace(pendulum(), initial=np.array([0.0, math.nan])), RK4, FixedStep(0.1))
    with pytest.raises(BadInput, match="duration"):
        integrate(replace(pendulum(), t1=math.inf), RK4, FixedStep(0.1))


def test_every_method_says_what_it_is() -> None:
    """Facts are complete, keys and aliases unique, and an alias finds its method."""
    names = [name for method in methods().values() for name in (method.key, *method.aliases)]
    assert len(names) == len(set(names))
    for key, method in methods().items():
        facts = method.facts()
        assert facts["key"] == key
        assert all((method.name, method.source, method.summary, method.family))
        assert all(note.endswith(".") for note in method.notes)
        assert method.fixed_step or method.adaptive
        assert all(find_method(alias) is method for alias in method.aliases)
    assert find_method("euler").key == "rk1"


def test_a_shortened_step_is_spoken_of_only_by_a_run_that_took_it() -> None:
    """It was said also of a run that had diverged long before, and pushed out what matters there."""
    problem, step = replace(pendulum(), breaks=(0.5,)), FixedStep(0.03)
    said = "30 ms does not divide the time from 0 to 0.5 s: the last step is 20 ms."
    assert said in integrate(problem, RK4, step).notes
    for end, notes in ((0.49, ()), (0.51, (said,))):
        stop = Event("far enough", lambda t, y, end=end: t - end, terminal=1)
        run = integrate(problem, RK4, step, events=(stop,))
        assert run.t_end == pytest.approx(end)
        assert run.notes == notes
    stopped = integrate(problem, RK4, step, cancel=lambda: True)
    assert stopped.status == Status.CANCELLED
    assert stopped.notes == ()


def test_results_are_read_only() -> None:
    """A run's arrays are shared by plots, tables and pictures, so nobody may write to them."""
    run = integrate(pendulum(), RK4, FixedStep(0.1))
    with pytest.raises(ValueError, match="read-only"):
        run.y[0, 0] = 1.0


def test_time_dependent_right_hand_side() -> None:
    """Nodes c are honoured: y' = y cos t, y = exp(sin t)."""
    problem = replace(logistic(), rhs=time_rhs)
    for key in ("rk4", "rkf45", "dop853"):
        run = integrate(problem, find_method(key), FixedStep(1e-3))
        assert run.final[0] == pytest.approx(math.exp(math.sin(2.0)), abs=1e-12)


def test_dense_output_takes_whole_steps_to_each_time() -> None:
    """Of every 3rd state of 0, 0.1 .. 0.9: whole steps of 0.1, then what is left; none to a kept state."""
    t, times = np.array([0.0, 0.3, 0.6, 0.9]), np.array([0.0, 0.05, 0.15, 0.3, 0.5, 0.9])
    y = t[:, np.newaxis] + 1.0
    states, steps = steps_to(times, KeptSteps(t, y, 3), ())
    assert states[:, 0].tolist() == [1.0, 1.0, 1.0, 1.3, 1.3, 1.9]
    led = [[tuple(step[:2].round(9)) for step in steps if step[3] == n] for n in range(len(times))]
    assert led == [[], [(0.0, 0.05)], [(0.0, 0.1), (0.1, 0.05)], [], [(0.3, 0.1), (0.4, 0.1)], []]
    assert np.isinf(steps[:, 2]).all()
    _, back = steps_to(-times, KeptSteps(-t, y, 3), ())
    assert np.allclose(back[:, :2], -steps[:, :2])
    assert np.array_equal(back[:, 3], steps[:, 3])
    _, single = steps_to(times, KeptSteps(t, y), ())
    assert np.allclose(single[:, 1], [0.05, 0.15, 0.2])
    _, before_breaks = steps_to(times, KeptSteps(t, y), (0.45,))
    assert before_breaks[:, 2].tolist() == [np.nextafter(0.45, 0.0)] * 2 + [np.nextafter(0.45, 0.0)]
