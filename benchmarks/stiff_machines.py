"""Paper 4's machines: the HMMWV and the stiff double pendulum, against an explicit method, MuJoCo and Drake.

MuJoCo's implicit integrator has a fixed step, Drake's implicit Euler an accuracy: each has the loosest one that keeps
the error of the upper rod's angle. Both compute in the two hinges' angles; ours in those, and with 14 coordinates.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from benchmarks.measurement import Measurement, alternate, loosest, ratio
from robots.catalog.double_pendulum.robot import ROBOT
from robots.dynamics.multibody.estimate import explicit_estimate
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import reference
from robots.simulation.simulate import simulate
from solvers.control import Tolerance
from solvers.method_registry import find_method

SPAN = 4.0
INSTANTS = 0.2 * np.arange(1.0, 11.0, dtype=np.float64)
ERRORS = (3e-2, 1e-3)
TOLERANCES = np.logspace(-2, -7, 21)
LOOSE = "26 unknowns against two angles, and four integrations to set up, one for each partition: see paper 4's page"
Swing = Callable[[float], np.ndarray]
"""The upper rod's angle at `INSTANTS` for a setting (a tolerance, a step, an accuracy)."""


def measure() -> list[Measurement]:
    """Times of the car and the pendulum, and what others take for the same error."""
    return [*car(), *pendulum(), *others()]


def car() -> list[Measurement]:
    """Four seconds of the car, and how much longer the explicit Adams method would take."""
    scenarios = {f"{tolerance:g}": vehicle(tolerance) for tolerance in (1e-2, 1e-3)}
    times = {name: [simulate(one).compute_seconds for _ in range(5)] for name, one in scenarios.items()}
    found = [Measurement("HMMWV, 4 s at 1e-3, exact Jacobians", "s", times["0.001"], goal=5.0)]
    faster = [SPAN / time for time in times["0.01"]]
    found.append(Measurement("HMMWV at 1e-2, times real time", "x", faster, goal=1.0, at_least=True))
    ratios, text = [], ""
    for time in times["0.001"]:
        estimate = explicit_estimate(find_preset("hmmwv"))
        ratios.append(estimate.seconds(SPAN) / time)
        text = estimate.text(SPAN)
    name = "HMMWV, explicit Adams (extrapolated) over ours"
    return [*found, Measurement(name, "x", ratios, goal=300.0, at_least=True, note=text)]


def vehicle(tolerance: float) -> Scenario:
    """The preset at a tolerance, for four seconds."""
    return find_preset("hmmwv").with_values({"rtol": tolerance, "atol": tolerance, "duration": SPAN})


def swing(form: str, tolerance: float) -> Scenario:
    """The pendulum's preset in a form of the equations."""
    return find_preset("double-pendulum").with_values({"task.form": form, "rtol": tolerance, "atol": tolerance})


def pendulum() -> list[Measurement]:
    """Two seconds of the pendulum at 1e-5."""
    found = []
    for form, what in (("minimal", "two angles"), ("cartesian", "14 coordinates")):
        times = [1e3 * simulate(swing(form, 1e-5)).compute_seconds for _ in range(15)]
        found.append(Measurement(f"double pendulum, 2 s at 1e-5, {what}", "ms", times, goal=20.0))
    return found


def others() -> list[Measurement]:
    """The same errors by the other engines that are installed."""
    known = reference(find_preset("double-pendulum"))
    assert known is not None
    exact = known.sample(INSTANTS)[:, 0]
    engines: dict[str, tuple[Swing, np.ndarray]] = {}
    if is_there("mujoco"):
        engines["MuJoCo, implicit"] = mujoco_swing(), np.array([0.02 / 2**k for k in range(14)])
    if is_there("pydrake"):
        engines["Drake, implicit Euler"] = drake_swing(), np.logspace(-2, -7, 11)
    missing = ", ".join(name for name in ("mujoco", "pydrake") if not is_there(name))
    found = []
    for error in ERRORS:
        ours = {form: fitting(form, of(form), TOLERANCES, exact, error) for form in ("minimal", "cartesian")}
        theirs = {name: fitting(name, run, settings, exact, error) for name, (run, settings) in engines.items()}
        times = alternate({**ours, **theirs}, repeats=3, clock=process_time)
        for name, series in times.items():
            milliseconds = [1e3 * time for time in series]
            found.append(Measurement(f"double pendulum, error {error:g} rad: {name}", "ms", milliseconds))
        for name in theirs:
            for form in ours:
                what = f"error {error:g} rad: {form} over {name}"
                note = LOOSE if form == "cartesian" and error == max(ERRORS) else ""
                found.append(ratio(what, times[form], times[name], goal=1.5, note=note))
    if missing:
        found[0] = Measurement(found[0].name, found[0].unit, found[0].samples, note=f"not installed here: {missing}")
    return found


def is_there(module: str) -> bool:
    """Whether a package can be imported."""
    return importlib.util.find_spec(module) is not None


def of(form: str) -> Swing:
    """Ours, by tolerance: the integration alone, as with the others."""
    robot, scenario = ROBOT, swing(form, 1e-3)
    problem, method = robot.problem(scenario), find_method(scenario.method)

    def run(tolerance: float) -> np.ndarray:
        found = robot.integrate(problem, method, Tolerance(tolerance, tolerance))
        return robot.angles(scenario, found(INSTANTS))[:, 0]

    return run


def fitting(name: str, run: Swing, settings: np.ndarray, exact: np.ndarray, error: float) -> Callable[[], object]:
    """With the loosest setting that keeps the error [rad], as something to be timed."""
    setting = loosest(name, settings.tolist(), lambda one: float(np.abs(run(one) - exact).max()), error)
    return lambda: run(setting)


def mujoco_swing() -> Swing:
    """MuJoCo, by step."""
    mujoco: Any = importlib.import_module("mujoco")
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 -9.81" integrator="implicit"/><compiler angle="radian"/><worldbody>
        <body><joint name="a" axis="0 -1 0" stiffness="400" damping="15" springref="4.71238898038469"/>
          <inertial pos="1 0 0" mass="3" diaginertia="1e-9 1 1"/>
          <body pos="2 0 0"><joint name="b" axis="0 -1 0" stiffness="3e5" damping="5e4"/>
            <inertial pos="1.5 0 0" mass="0.3" diaginertia="1e-9 0.225 0.225"/></body></body>
        </worldbody></mujoco>"""
    )

    def run(step: float) -> np.ndarray:
        data, found = mujoco.MjData(model), []
        count = math.ceil(0.2 / step)
        model.opt.timestep = 0.2 / count
        data.qpos[:], data.qvel[:] = (2 * math.pi, -math.pi / 12), (0.0, 10.0)
        for _ in INSTANTS:
            mujoco.mj_step(model, data, count)
            found.append(data.qpos[0])
        return np.array(found)

    return run


def drake_swing() -> Swing:
    """Drake, by accuracy."""
    analysis, tree, plants, math3d = (
        importlib.import_module(f"pydrake.{name}")
        for name in ("systems.analysis", "multibody.tree", "multibody.plant", "math")
    )
    plant: Any = plants.MultibodyPlant(time_step=0.0)

    def rod(name: str, mass: float, half: float) -> Any:
        unit = tree.UnitInertia(1e-6, half**2 / 3, half**2 / 3)
        return plant.AddRigidBody(name, tree.SpatialInertia(mass, [0, 0, 0], unit))

    def hinge(name: str, parent: Any, x: float, child: Any, y: float, damping: float) -> Any:
        ends = []
        for frame, place in ((parent, x), (child, y)):
            at = math3d.RigidTransform([place, 0, 0])
            ends.append(plant.AddFrame(tree.FixedOffsetFrame(f"{name}{len(ends)}", frame, at)))
        return plant.AddJoint(tree.RevoluteJoint(name, *ends, [0, -1, 0], damping))

    upper, lower = rod("upper", 3.0, 1.0), rod("lower", 0.3, 1.5)
    first = hinge("first", plant.world_frame(), 0.0, upper.body_frame(), -1.0, 15.0)
    second = hinge("second", upper.body_frame(), 1.0, lower.body_frame(), -1.5, 5e4)
    plant.AddForceElement(tree.RevoluteSpring(first, 1.5 * math.pi, 400.0))
    plant.AddForceElement(tree.RevoluteSpring(second, 0.0, 3e5))
    plant.Finalize()

    def run(accuracy: float) -> np.ndarray:
        simulator, found = analysis.Simulator(plant), []
        context = simulator.get_mutable_context()
        first.set_angle(context, 2 * math.pi)
        second.set_angle(context, -math.pi / 12)
        second.set_angular_rate(context, 10.0)
        analysis.ResetIntegratorFromFlags(simulator, "implicit_euler", 0.1).set_target_accuracy(accuracy)
        simulator.Initialize()
        for time in INSTANTS:
            simulator.AdvanceTo(float(time))
            found.append(first.get_angle(context))
        return np.array(found)

    return run
