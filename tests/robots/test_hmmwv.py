"""The HMMWV of paper 4: counts, rest, stiffness, the bump, and what an explicit method would cost."""

from __future__ import annotations

import numpy as np
import pytest

from assets.errors import BadInput
from robots.catalog.hmmwv import vehicle
from robots.catalog.hmmwv.robot import ROBOT
from robots.dynamics.multibody import reduction
from robots.dynamics.multibody.estimate import explicit_estimate
from robots.dynamics.multibody.partition import constraints, dependent_coordinates
from robots.dynamics.multibody.reduction import reduce
from robots.dynamics.multibody.system import System
from robots.model.robot import Array
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import new_scenario
from robots.simulation.simulate import simulate
from solvers.method_registry import find_method
from solvers.status import Status
from tests.robots.test_multibody import assert_exact

PRESET = find_scenario("hmmwv")
FLAT = PRESET.with_value("robot.bump", 0.0)


@pytest.fixture(scope="module")
def run():
    return simulate(PRESET)


def test_counts_of_the_paper() -> None:
    problem = ROBOT.problem(PRESET)
    system = problem.system
    assert (len(system.bodies), system.coordinates, system.constraints, system.freedom) == (14, 98, 80, 18)
    phi, jacobian = constraints(system, vehicle.design())
    assert np.abs(phi).max() < 1e-15
    assert np.linalg.matrix_rank(jacobian) == 80
    stated = vehicle.data()["counts"]
    assert stated["total"] == 80
    assert stated["dof"] == 18
    assert len(vehicle.data()["choices"]) >= 5


def test_preloads_are_the_printed_ones() -> None:
    """Solving for an exact equilibrium moves the data's forces by less than a tenth of a millinewton."""
    forces = vehicle.preloads()
    assert forces["front"] == pytest.approx(-11559.163161, abs=1e-4)
    assert forces["rear"] == pytest.approx(-10734.255264, abs=1e-4)
    assert abs(forces["stiff front"]) < 1e-4
    weight = 9.81 * sum(body.mass for body in ROBOT.problem(PRESET).system.bodies)
    assert 2.0 * (forces["tyre front"] + forces["tyre rear"]) == pytest.approx(weight, rel=1e-8)


def test_its_first_state_comes_from_few_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncompiled, each takes a fifth of a second, and a person who opens the car waits for its first pose."""
    partitions: list[object] = []

    def counted(system: System, q: Array) -> list[int]:
        partitions.append(q)
        return dependent_coordinates(system, q)

    monkeypatch.setattr(reduction, "dependent_coordinates", counted)
    vehicle.preloads.cache_clear()
    vehicle._cached.cache_clear()
    ROBOT.problem(PRESET)
    assert len(partitions) <= 2


@pytest.mark.parametrize("changes", [{}, {"robot.k_tyre": 2e5, "robot.k_front": 4e4, "robot.c_stiff": 5e5}])
def test_at_rest_it_stays_at_rest(changes: dict[str, float]) -> None:
    still = simulate(FLAT.with_values(changes))
    assert still.status is Status.FINISHED
    assert np.abs(still.y[:, 2] - 0.71).max() < 1e-12
    assert np.abs(still.y[:, :98] - vehicle.design()).max() < 1e-12


def jacobian(y: np.ndarray | None = None):
    reduced = reduce(ROBOT.problem(PRESET))
    y = reduced.initial if y is None else y
    J = np.empty((36, 36))
    reduced.jacobian(0.0, y, reduced.params, J)
    return reduced, J


def test_dominant_eigenvalue() -> None:
    eigenvalues = np.linalg.eigvals(jacobian()[1])
    fastest = eigenvalues[np.argmin(eigenvalues.real)]
    assert fastest.real == pytest.approx(-2.6e5, rel=0.01)
    assert abs(fastest.imag) < 1e-3 * abs(fastest.real)
    # Nothing grows; nothing holds the car where it is along the road, across it and about the vertical.
    assert eigenvalues.real.max() < 1e-3
    assert np.sort(np.abs(eigenvalues))[6] > 0.1


def test_jacobians_are_exact() -> None:
    """J1 and J2 away from rest, while the front wheels are on the bump."""
    random = np.random.default_rng(0)
    noise = np.concatenate([1e-3 * random.normal(size=18), 0.1 * random.normal(size=18)])
    problem = ROBOT.problem(PRESET)
    assert_exact(problem, reduce(problem).initial + noise, t=0.55, every=3)


@pytest.mark.parametrize("key", ["radau5", "rosenbrock", "w-method", "trapezoidal", "cvode-bdf", "ida"])
def test_any_implicit_method_applies(key: str, run) -> None:
    """To 0.65 s, when the front wheels have left the bump."""
    method = find_method(key)
    how = {"rtol": 1e-4, "atol": 1e-4} if method.adaptive else {"step": 2e-3}
    found = simulate(PRESET.with_values({"method": key, "duration": 0.65, **how}))
    assert found.status is Status.FINISHED
    assert found.final["z"] == pytest.approx(run.sample(np.array([0.65]))[0, 2], abs=3e-4)


def test_the_preset(run) -> None:
    assert run.status is Status.FINISHED
    assert run.max_error["constraint_m"] < 1e-12
    z = run.y[:, 2]
    assert z.max() == pytest.approx(0.725, abs=1e-3)
    assert run.t[z.argmax()] == pytest.approx(1.38, abs=0.02)
    assert run.columns(np.array([4.0]))["z"][0] == pytest.approx(0.7100, abs=5e-5)
    assert next(iter(run.final)) == "z"
    assert len(run.final) == 1 + 2 * 18
    assert run.final["z"] == pytest.approx(0.71, abs=1e-5)


def test_what_is_plotted_beside_it(run) -> None:
    series = run.series()
    assert next(iter(series)) == "height"
    travel = series["travel"].values
    assert travel.shape == (len(run.t), 4)
    assert np.abs(travel[[0, -1]]).max() < 1e-5
    # Over a bump of 5 cm the springs give way by less than that, left and right alike.
    assert 0.005 < travel[:, 0].max() < 0.05
    assert travel[:, 0] == pytest.approx(travel[:, 1], abs=1e-5)
    assert {"pitch", "spindles"} <= set(series)
    assert np.abs(series["pitch"].values).max() < 0.05


def test_a_run_given_up_says_what_it_would_have_taken() -> None:
    """Stopped by how far it came, not by the clock: on a slow machine four slices are fewer than 100 steps."""
    done = [0.0]
    cut = simulate(
        PRESET.with_values({"method": "bs32"}), cancel=lambda: done[-1] * PRESET.duration > 0.01, progress=done.append
    )
    assert cut.status is Status.CANCELLED
    assert 100 < len(cut.t) < 10_000
    assert "at this rate" in cut.message


def test_eigenvalues_along_the_run(run) -> None:
    """The fastest stays; the car's six free motions have the eigenvalue 0, at rest none of the others grows."""
    times, values = run.eigenvalues
    assert (times[0], times[-1]) == (0.0, 5.0)
    assert values[:, 0] == pytest.approx(np.full(len(times), -2.61e5), rel=0.1)
    for row in values[[0, -1]]:
        assert row.real.max() == 0.0
        assert np.count_nonzero(row == 0.0) in (5, 6)
    points = run.steps_times_modes(4.5)
    assert points.real.min() < -1e5
    assert points.real.max() == 0.0


def test_a_step_that_is_too_long_is_shown_the_one_that_is_not() -> None:
    """RK4 is stable for h lambda > -2.785 (Hairer, Wanner), lambda = -2.61e5."""
    burst = simulate(PRESET.with_values({"method": "rk4", "step": 1e-3}))
    assert burst.status is Status.DIVERGED
    assert "stable up to steps of 1.06e-5 s" in burst.message
    stopped = simulate(PRESET.with_values({"method": "backward-euler", "step": 1e-3}), cancel=lambda: True)
    assert "stable" not in stopped.message


def test_the_step_falls_at_the_bump_and_grows_on_the_flat_road(run) -> None:
    steps, at = np.diff(run.t), run.t[:-1]
    assert steps[(at > 0.5) & (at < 0.62)].min() < 2e-3
    assert steps[at > 3.5].max() > 0.1
    # It restarts at the four times when wheels come onto the bump or leave it.
    for edge in (0.5, 0.6017927, 1.239775974, 1.341441387):
        k = np.argmin(np.abs(run.t - edge))
        assert run.t[k] == pytest.approx(edge, abs=1e-8)
        assert steps[k] <= 1e-3 * (1 + 1e-12)


def test_tolerances_agree() -> None:
    times = np.linspace(0.0, 5.0, 201)
    height = {
        k: simulate(PRESET.with_values({"rtol": 10.0**k, "atol": 10.0**k})).sample(times)[:, 2] for k in (-2, -3, -5)
    }
    assert np.abs(height[-2] - height[-5]).max() < 3e-4
    assert np.abs(height[-3] - height[-5]).max() < 1e-4


def test_a_knob_matters() -> None:
    higher = simulate(PRESET.with_values({"robot.bump": 0.1, "duration": 2.0}))
    assert higher.status is Status.FINISHED
    assert higher.y[:, 2].max() > 0.735
    faster = simulate(PRESET.with_values({"robot.speed": 9.0, "duration": 2.0}))
    assert faster.status is Status.FINISHED
    assert len(ROBOT.problem(PRESET.with_value("robot.bump", 0.0)).breaks) == 0


def test_an_explicit_method_creeps(run) -> None:
    """Twenty milliseconds of Adams's and of a Runge-Kutta method: steps near 1e-5 s; the rest is an estimate."""
    for method in ("adams-pece", "bs32"):
        found = explicit_estimate(PRESET, method)
        assert 3e-6 < found.step < 2e-5
        assert found.rhs_evaluations(4.0) > 1e6
        assert found.text(4.0).startswith(f"{find_method(method).name} took steps of ")
        assert "extrapolated" in found.text(4.0)
        assert found.rhs_evaluations(5.0) > 100.0 * run.counts.rhs_evaluations
        assert found.seconds(5.0) == pytest.approx(found.rhs_evaluations(5.0) * found.seconds_per_call)
    assert found.step == pytest.approx(explicit_estimate(PRESET.with_values({"rtol": 1e-5}), "bs32").step, rel=0.2)


def test_a_method_that_creeps_says_so_beforehand() -> None:
    reported = ROBOT.forecast(PRESET.with_value("method", "adams-pece"))
    assert "extrapolated to 5 s" in reported
    for changes in ({}, {"method": "radau5"}, {"method": "dopri5", "robot.bump": 0.0}):
        assert ROBOT.forecast(PRESET.with_values(changes)) == ""
    with pytest.raises(BadInput, match="am4"):
        explicit_estimate(PRESET, "am4")


def test_looks() -> None:
    scenario = new_scenario("hmmwv")
    shape = ROBOT.shape(scenario)
    y = ROBOT.problem(scenario).initial[None].repeat(2, axis=0)
    frames = ROBOT.poses(scenario, np.array([0.0, 0.5]), y)
    assert frames.shape == (2, len(shape.links), 4, 4)
    assert len(shape.parts) < 400
    # The wheels stand on the road, and the bump is under the front wheels' edge when they touch it.
    wheels = [k for k, name in enumerate(shape.links) if name.endswith("wheel")]
    assert frames[0, wheels, 2, 3] == pytest.approx([0.4707] * 4, abs=1e-3)
    assert np.abs(frames[0, wheels, 1, 3]) == pytest.approx([0.9097] * 4, abs=1e-3)
    bump = shape.links.index("bump")
    assert frames[0, bump, 0, 3] - frames[1, bump, 0, 3] == pytest.approx(4.4704 * 0.5)
    late = ROBOT.poses(scenario, np.array([4.9]), y[:1])
    assert np.linalg.det(late[0, bump, :3, :3]) < 1e-8
    bare = ROBOT.shape(scenario.with_value("view.body", "frame"))
    assert len(bare.parts) < len(shape.parts)


def test_a_car_that_nobody_waits_for_ends_within_a_few_steps(monkeypatch) -> None:
    """One step takes milliseconds, and so does each row of the result: both ask often whether they are wanted."""
    whole = simulate(PRESET)
    monkeypatch.setattr(reduction, "EXPANDED_AT_ONCE", 10)
    asked = []
    again = simulate(PRESET, cancel=lambda: bool(asked.append(None)))
    assert np.array_equal(again.y, whole.y), "the rows are the same, however many are made at once"
    assert len(asked) >= len(whole.t) // 10
    problem, method = ROBOT.problem(PRESET), find_method(PRESET.method)

    class Left(Exception):
        pass

    def leave() -> bool:
        raise Left

    with pytest.raises(Left):
        ROBOT.integrate(problem, method, PRESET.control(), cancel=leave)
    tried = []

    def stop() -> bool:
        tried.append(None)
        return len(tried) > 1

    first = ROBOT.integrate(problem, method, PRESET.control(), cancel=stop)
    assert first.status is Status.CANCELLED
    assert len(first.t) <= 17, "the first look comes after few steps"
