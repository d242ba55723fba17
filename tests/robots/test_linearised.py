"""The linearised arm: eigenvalues against the small-motion theory, and the step that the run took."""

from __future__ import annotations

import numpy as np
import pytest

from robots.scenario.presets import find_preset
from robots.simulation.linearisation import INSTANTS, slope_matrix
from robots.simulation.simulate import simulate
from solvers.status import Status


def test_the_beam_has_its_own_frequencies():
    run = simulate(
        find_preset("beam").with_values({"initial.q1": 1e-9, "duration": 0.1, "method": "rk4", "step": 1e-4})
    )
    z = run.steps_times_modes(0.05)
    found = np.sort(np.abs(z.imag))[::2] / 1e-4
    np.testing.assert_allclose(found[:4], [1.2240, 15.427, 49.966, 104.31], rtol=1e-4)
    assert np.abs(z.real).max() < 1e-9


def test_differences_agree_with_the_exact_jacobian():
    from dataclasses import replace

    scenario = find_preset("rr-swing")
    problem = simulate(scenario).robot.problem(scenario)
    y = np.array([0.3, -0.7, 1.0, -2.0])
    np.testing.assert_allclose(
        slope_matrix(replace(problem, jacobian=None), 0.0, y), slope_matrix(problem, 0.0, y), atol=1e-7
    )


def test_the_step_is_the_one_taken_there():
    run = simulate(find_preset("rr-swing").with_values({"method": "dopri5", "rtol": 1e-6, "atol": 1e-9}))
    early, late = run.steps_times_modes(0.0), run.steps_times_modes(5.0)
    assert np.abs(early).max() != pytest.approx(np.abs(late).max())
    fixed = simulate(find_preset("rr-swing"))
    halved = simulate(find_preset("rr-swing").with_value("step", 0.005))
    np.testing.assert_allclose(np.abs(halved.steps_times_modes(0.0)), 0.5 * np.abs(fixed.steps_times_modes(0.0)))


def test_a_step_too_long_leaves_the_region_before_the_run_explodes():
    from solvers.method_registry import find_method

    run = simulate(find_preset("rr-stiff"))
    stability = find_method(run.scenario.method).stability
    assert stability is not None
    assert stability.modulus(run.steps_times_modes(0.0)).max() > 1.0


def test_inverse_dynamics_has_the_modes_of_its_zero_dynamics():
    fine = simulate(find_preset("e12").with_value("step", 0.002))
    ringing = fine.steps_times_modes(0.0)
    assert len(ringing) == 4
    assert np.abs(ringing[np.abs(ringing.imag) > 1e-3].imag) == pytest.approx(0.002 * 50.03, rel=1e-3)
    # At 10 ms the one-step formula damps the mode that grows: 1 / |1 - h lambda| < 1.
    coarse = simulate(find_preset("e12").with_values({"robot.j3": 1.0, "method": "bdf1", "step": 0.01}))
    growing = coarse.steps_times_modes(0.0).real.max()
    assert growing > 2.0


def test_a_diverged_state_that_meets_no_constraint_is_left_out():
    run = simulate(find_preset("pendulum-drift").with_values({"step": 0.05, "initial.q1": 1.0}), repeat=False)
    assert run.status is Status.DIVERGED
    times, values = run.eigenvalues
    assert 0 < len(times) < INSTANTS
    assert values.shape == (len(times), 4)
    assert times[-1] < run.t_end
    assert run.stability is not None


def test_where_the_equations_jump_there_is_no_linearisation() -> None:
    weighted = simulate(find_preset("pa10-circle").with_values({"task.inverse": "weighted", "duration": 10.0}))
    assert len(weighted.steps_times_modes(0.0)) == 7
    assert len(weighted.steps_times_modes(8.3)) == 0, "joints stay where their weights jump"
    smooth = simulate(find_preset("pa10-circle").with_value("duration", 10.0))
    assert len(smooth.steps_times_modes(8.3)) == 7
