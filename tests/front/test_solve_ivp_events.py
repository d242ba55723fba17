"""Events of `armstep.solve_ivp`: when they happen, which way, how often, and when they end the integration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp as scipy_solve_ivp

from solvers.ivp.solve import solve_ivp
from tests.front.problems import CONTROLLED, FIXED, SCIPY, fall, ramp, swing, swung

ROUND = 2.0 * math.pi


def event(function, terminal=None, direction=None):
    def wrapped(t, y):
        return function(t, y)

    if terminal is not None:
        wrapped.terminal = terminal
    if direction is not None:
        wrapped.direction = direction
    return wrapped


def down(**attributes):
    """The oscillator passes through zero: at a quarter of its period, and every half one later."""
    return event(lambda t, y: y[0], **attributes)


def control_of(method: str) -> dict[str, float]:
    return {"step": 0.005} if method in FIXED else {"rtol": 1e-8, "atol": 1e-10}


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED, *SCIPY])
@pytest.mark.parametrize("sign", [1, -1])
def test_every_passage_and_only_those_of_the_direction(method: str, sign: int) -> None:
    quarters = sign * ROUND / 4 * np.array([1.0, 3.0, 5.0])
    watched = [down(), down(direction=1), down(direction=-1)]
    run = solve_ivp(swing, (0, sign * 9), [1, 0], method=method, events=watched, **control_of(method))
    both, rising, falling = run.t_events
    assert run.status == 0
    assert both == pytest.approx(quarters, abs=5e-5)
    # Whether it rises is said along the way that is gone.
    assert falling.tolist() == both[::2].tolist()
    assert rising.tolist() == both[1::2].tolist()
    assert [states.shape for states in run.y_events] == [(3, 2), (1, 2), (2, 2)]
    assert np.abs(run.y_events[0][:, 0]).max() < 1e-10
    assert run.y_events[0] == pytest.approx(swung(both).T, abs=5e-5)


@pytest.mark.parametrize("method", [*CONTROLLED, *FIXED, *SCIPY])
@pytest.mark.parametrize("dense", [False, True])
def test_a_terminal_event_ends_the_integration(method: str, dense: bool) -> None:
    watched = [event(lambda t, y: t - 5.0), down(terminal=True), event(lambda t, y: y[1] + 0.5)]
    run = solve_ivp(swing, (0, 9), [1, 0], method=method, events=watched, dense_output=dense, **control_of(method))
    assert (run.status, run.success, run.message) == (1, True, "A termination event occurred.")
    assert [len(times) for times in run.t_events] == [0, 1, 1]
    assert run.y_events[0].shape == (0,)
    assert run.t[-1] == run.t_events[1][0] == pytest.approx(ROUND / 4, abs=1e-5)
    assert run.y[:, -1].tolist() == run.y_events[1][0].tolist()
    if dense:
        times = np.linspace(0.0, run.t[-1], 30)
        assert run.sol(times) == pytest.approx(swung(times), abs=2e-5)


@pytest.mark.parametrize("times", [3, 4])
@pytest.mark.parametrize("method", ["dopri5", "radau5", "rk4", "cvode-bdf"])
def test_an_event_that_ends_the_integration_when_it_has_happened_so_often(times: int, method: str) -> None:
    run = solve_ivp(swing, (0, 100), [1, 0], method=method, events=down(terminal=times), **control_of(method))
    assert run.status == 1
    assert run.t_events[0] == pytest.approx(ROUND / 4 * (1 + 2 * np.arange(times)), abs=1e-4)
    assert np.abs(run.y_events[0][:, 0]).max() < 1e-12


def test_what_terminal_may_be() -> None:
    free = solve_ivp(swing, (0, 20), [1, 0], events=down())
    for never in (None, 0, False):
        run = solve_ivp(swing, (0, 20), [1, 0], events=down(terminal=never))
        assert run.t_events[0].tolist() == free.t_events[0].tolist()
    assert len(solve_ivp(swing, (0, 20), [1, 0], events=down(terminal=2.0)).t_events[0]) == 2
    for bad in (-1, 3.5, "yes"):
        with pytest.raises(ValueError, match="The `terminal` attribute"):
            solve_ivp(swing, (0, 20), [1, 0], events=down(terminal=bad))


@pytest.mark.parametrize("direction", [0, 1, -1])
@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_an_event_at_the_start(direction: int, speed: float) -> None:
    """The stone lies on the ground when it is thrown: as scipy says, that is an event if it leaves the right way."""
    ours = solve_ivp(fall, (0, 2), [0.0, speed], events=down(direction=direction))
    theirs = scipy_solve_ivp(fall, (0, 2), [0.0, speed], events=down(direction=direction))
    assert ours.t_events[0] == pytest.approx(theirs.t_events[0], abs=1e-9)
    ended = solve_ivp(fall, (0, 2), [0.0, speed], events=down(terminal=True, direction=direction))
    same = scipy_solve_ivp(fall, (0, 2), [0.0, speed], events=down(terminal=True, direction=direction))
    assert ended.status == same.status
    assert ended.t[-1] == pytest.approx(same.t[-1], abs=1e-9)


def test_an_event_where_nothing_is_integrated() -> None:
    still = solve_ivp(swing, (3, 3), [0, 1], events=[down(terminal=True), event(lambda t, y: t - 4.0)])
    assert (still.status, still.t_events[0].tolist(), still.t_events[1].tolist()) == (1, [3.0], [])
    empty = solve_ivp(lambda t, y: y, (0, 5), [], events=event(lambda t, y: t - 2.0))
    assert empty.t_events[0] == pytest.approx([2.0])


@pytest.mark.parametrize("method", SCIPY)
def test_chosen_times_after_the_end_are_left_out(method: str) -> None:
    early = event(lambda t, y: t - 7.0, terminal=True)
    run = solve_ivp(ramp, (5, 9), [25.0], method=method, events=early, t_eval=[5.5, 6.5, 7.5, 8.5])
    assert run.t.tolist() == [5.5, 6.5]
    assert run.y[0] == pytest.approx([5.5**2, 6.5**2], rel=0.02)
    none = solve_ivp(ramp, (5, 9), [25.0], method=method, events=early, t_eval=np.linspace(7.5, 9, 16))
    assert not none.t
    assert not none.y
    assert (none.status, none.t_events[0].tolist()) == (1, [7.0])


def test_an_event_may_jump_and_may_take_an_array_of_one() -> None:
    jump = event(lambda t, y: -1.0 if t < math.pi else 1.0)
    one = event(lambda t, y: y[:1])
    run = solve_ivp(swing, (0, 6), [1, 0], events=[jump, one], rtol=1e-8, atol=1e-10)
    assert run.t_events[0] == pytest.approx([math.pi], abs=1e-14)
    assert run.t_events[1] == pytest.approx([ROUND / 4, 3 * ROUND / 4], abs=1e-6)


def test_the_equations_are_left_alone_beyond_a_terminal_event() -> None:
    latest = 0.0

    def falling(t, y):
        nonlocal latest
        latest = max(latest, t)
        return [y[1], -10.0]

    run = solve_ivp(falling, (0, 100), [5.0, 0.0], events=down(terminal=True), max_step=0.1)
    assert run.t[-1] == pytest.approx(1.0)
    assert latest <= 1.0 + 0.2


def test_what_an_event_raises_is_raised() -> None:
    def broken(t, y):
        raise LookupError("no such place")

    with pytest.raises(LookupError, match="no such place"):
        solve_ivp(swing, (0, 1), [1, 0], events=broken)


def test_an_event_keeps_the_state_that_it_was_given() -> None:
    kept = []

    def keeping(t, y):
        kept.append(y)
        y_before = y.copy()
        y[:] = 0.0
        return y_before[0]

    plain = solve_ivp(swing, (0, 9), [1, 0])
    assert np.array_equal(solve_ivp(swing, (0, 9), [1, 0], events=keeping).y, plain.y)
    assert kept
