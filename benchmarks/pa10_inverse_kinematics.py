"""Closed-loop inverse kinematics of the PA-10: against C, against numpy on Pinocchio, against pink, and in the window.

The C program (gcc -O3) does the same mathematics on the same states. The loop on Pinocchio is what a person would write
in Python: one right-hand side per Euler step. pink solves a quadratic programme per step, its authors' way.
"""

# pyright: reportMissingImports=false
# Pinocchio installs itself where a type checker does not look.

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from benchmarks.c_programs import NO_GCC, has_gcc, pointer, program
from benchmarks.knob_latency import arrived, turn_knob, watch_frames
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.window import open_window, wait_until
from robots.catalog.pa10.robot import ROBOT
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method

STATES = 20_000
PYTHON_STEPS = 2_000
OUR_STEPS = 100_000
METHODS = ROBOT.usual_methods
RATES = ROBOT.usual_steps
TURNS = 60


def measure() -> list[Measurement]:
    """Every comparison for which its counterpart is there."""
    return [*against_c(), *against_python(), *all_at_once(), *knob()]


# -- the right-hand side ----------------------------------------------------------------------------------------------


def states() -> tuple[Scenario, np.ndarray, np.ndarray]:
    """pa10-circle, times and joint angles along it, (m,) and (m, 7)."""
    scenario = find_preset("pa10-circle")
    times = np.linspace(0.0, scenario.duration, STATES)
    return scenario, times, np.ascontiguousarray(simulate(scenario).sample(times))


def against_c() -> list[Measurement]:
    """One right-hand side (forward kinematics, Jacobian, Cholesky), ours and in C."""
    from robots.dynamics.kernels import clik

    scenario, times, angles = states()
    params = np.array(ROBOT.problem(scenario).params)
    ours = np.empty_like(angles)

    def run_ours() -> None:
        clik.rates(times, angles, params, ours)

    if not has_gcc():
        alone = [1e9 * taken / STATES for taken in alternate({"ours": run_ours}, clock=process_time)["ours"]]
        return [Measurement("right-hand side, ours", "ns", alone, note=NO_GCC)]
    theirs = np.empty_like(angles)
    run_c = c_program(scenario, times, angles, theirs)
    run_c()
    run_ours()
    assert np.abs(ours - theirs).max() < 1e-10
    taken = alternate({"c": run_c, "ours": run_ours}, repeats=15, clock=process_time)
    return [
        Measurement("right-hand side, ours", "ns", [1e9 * one / STATES for one in taken["ours"]]),
        Measurement("right-hand side, C", "ns", [1e9 * one / STATES for one in taken["c"]]),
        ratio("right-hand side: ours over C", taken["ours"], taken["c"], goal=4.0),
    ]


def c_program(scenario: Scenario, times: np.ndarray, angles: np.ndarray, out: np.ndarray) -> Callable[[], None]:
    """The same right-hand sides by the C program."""
    from robots.dynamics.kernels import clik, paths

    compute = program("clik.c").clik_many
    params = ROBOT.problem(scenario).params
    block = params[clik.PATH : clik.PATH + paths.BLOCK]
    problem = np.concatenate(
        [
            clik.table_of(params)[:, :4].ravel(),
            [params[clik.GAIN_POSITION], params[clik.GAIN_ORIENTATION]],
            *(block[place : place + 3] for place in (paths.ORIGIN, paths.U, paths.V)),
            [block[paths.SIZE], block[paths.RATE], block[paths.PHASE]],
            block[paths.START_FRAME : paths.START_FRAME + 9],
        ]
    )

    return lambda: compute(pointer(problem), ctypes.c_long(len(times)), *map(pointer, (times, angles, out)))


# -- one step ---------------------------------------------------------------------------------------------------------


def against_python() -> list[Measurement]:
    """An Euler step of the loop, ours, written with Pinocchio and numpy, and a step of pink."""
    if importlib.util.find_spec("pinocchio") is None:
        return []
    loops: dict[str, tuple[Callable[[], Any], int]] = {
        "ours": (our_loop(), OUR_STEPS),
        "Pinocchio and numpy": (pinocchio_loop(), PYTHON_STEPS),
    }
    if importlib.util.find_spec("pink") is not None:
        loops["pink"] = (pink_loop(), PYTHON_STEPS // 4)
    np.testing.assert_allclose(loops["ours"][0](), loops["Pinocchio and numpy"][0](), atol=1e-9)
    taken = alternate({name: loop for name, (loop, _) in loops.items()}, repeats=7, clock=process_time)
    each = {name: [one / loops[name][1] for one in series] for name, series in taken.items()}
    found = [Measurement(f"one step, {name}", "us", [1e6 * one for one in series]) for name, series in each.items()]
    others = [name for name in each if name != "ours"]
    return found + [
        ratio(f"one step: {name} over ours", each[name], each["ours"], goal=20.0, at_least=True) for name in others
    ]


def our_loop() -> Callable[[], np.ndarray]:
    """pa10-circle by Euler steps; the joint angles at the end."""
    problem, method = ROBOT.problem(find_preset("pa10-circle")), find_method("euler")
    control = FixedStep((problem.t1 - problem.t0) / OUR_STEPS)
    shorter = FixedStep((problem.t1 - problem.t0) / PYTHON_STEPS)

    def run() -> np.ndarray:
        integrate(problem, method, control)
        return integrate(problem, method, shorter).final

    return run


def pinocchio_arm() -> tuple[Any, int]:
    """The arm as a Pinocchio model, and its flange."""
    import pinocchio

    table = ROBOT.table(find_preset("pa10-circle"))
    model = pinocchio.Model()
    rises = [0.0, table[0, 1], 0.0, table[2, 1], 0.0, table[4, 1], 0.0]
    parent = 0
    for k, rise in enumerate(rises):
        joint = pinocchio.JointModelRY() if k % 2 else pinocchio.JointModelRZ()
        parent = model.addJoint(parent, joint, pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, rise])), f"j{k + 1}")
    tip = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, table[6, 1]]))
    return model, model.addFrame(pinocchio.Frame("tip", parent, 0, tip, pinocchio.FrameType.OP_FRAME))


def circle() -> tuple[Callable[[float], tuple[np.ndarray, np.ndarray]], np.ndarray, np.ndarray, float]:
    """The desired place and velocity over time, the desired rotation, the start, and the gain."""
    from robots.dynamics.kernels import clik, paths

    problem = ROBOT.problem(find_preset("pa10-circle"))
    block = problem.params[clik.PATH : clik.PATH + paths.BLOCK]
    origin, u, v = (block[place : place + 3].copy() for place in (paths.ORIGIN, paths.U, paths.V))
    radius, rate, phase = (float(block[place]) for place in (paths.SIZE, paths.RATE, paths.PHASE))

    def desired(t: float) -> tuple[np.ndarray, np.ndarray]:
        c, s = np.cos(phase + rate * t), np.sin(phase + rate * t)
        return origin + radius * (c * u + s * v), radius * rate * (c * v - s * u)

    rotation = block[paths.START_FRAME : paths.START_FRAME + 9].reshape(3, 3).T.copy()
    return desired, rotation, problem.initial.copy(), float(problem.params[clik.GAIN_POSITION])


def pinocchio_loop() -> Callable[[], np.ndarray]:
    """The loop as a person writes it; the joint angles at the end."""
    import pinocchio

    model, frame = pinocchio_arm()
    data = model.createData()
    desired, wanted, start, gain = circle()
    h = find_preset("pa10-circle").duration / PYTHON_STEPS

    def run() -> np.ndarray:
        q = start.copy()
        for k in range(PYTHON_STEPS):
            jacobian = pinocchio.computeFrameJacobian(model, data, q, frame, pinocchio.LOCAL_WORLD_ALIGNED)
            pose = data.oMf[frame]
            place, velocity = desired(k * h)
            turned = 0.5 * np.cross(pose.rotation.T, wanted.T).sum(axis=0)
            command = np.concatenate([velocity + gain * (place - pose.translation), gain * turned])
            q = q + h * jacobian.T @ np.linalg.solve(jacobian @ jacobian.T, command)
        return q

    return run


def pink_loop() -> Callable[[], Any]:
    """pink follows the same circle with one frame task and its quadratic programme."""
    import pink
    import pinocchio
    from pink.tasks import FrameTask

    model, _ = pinocchio_arm()
    desired, wanted, start, gain = circle()
    steps = PYTHON_STEPS // 4
    h = find_preset("pa10-circle").duration / steps

    def run() -> Any:
        configuration = pink.Configuration(model, model.createData(), start.copy())
        task = FrameTask("tip", position_cost=1.0, orientation_cost=1.0, gain=min(1.0, gain * h))
        for k in range(steps):
            task.set_target(pinocchio.SE3(wanted, desired(k * h)[0]))
            velocity = pink.solve_ik(configuration, [task], h, solver="daqp", safety_break=False)
            configuration.integrate_inplace(velocity, h)
        return configuration.q

    return run


# -- whole runs -------------------------------------------------------------------------------------------------------


def all_at_once() -> list[Measurement]:
    """The paper's six methods at its four rates on pa10-drift, errors included, as a person would ask for them."""
    base = find_preset("pa10-drift")
    cases = [base.with_values({"method": method, "step": step}) for method in METHODS for step in RATES]

    def run() -> None:
        for case in cases:
            assert np.isfinite(simulate(case).max_error["position_m"])

    taken = alternate({"all": run}, repeats=7, clock=process_time)["all"]
    return [Measurement("six methods at four rates of pa10-drift, in total", "s", taken, goal=0.5)]


def knob() -> list[Measurement]:
    """From a changed gain to the new run in the window's scene and plots, pa10-circle at 10 ms."""
    with open_window() as window:
        session = window.session
        session.files.adopt(find_preset("pa10-circle").with_value("step", 0.01))
        wait_until(lambda: arrived(session), 60, "the scenario")
        drawing = watch_frames(window)
        turns = [turn_knob(window, 1.0 + 0.01 * k, drawing, path="task.gain") for k in range(TURNS + 5)][5:]
    data = [turn["data"] for turn in turns]
    return [
        Measurement("knob to new run in scene and plots, pa10-circle at 10 ms", "ms", data, goal=60.0, percentile=95),
        Measurement("frames drawn meanwhile, not counted above", "ms", [turn["meanwhile"] for turn in turns]),
    ]
