"""Arms of rigid links: forward dynamics for 1 to 32 links beside Pinocchio, and an arm that is dropped on Armstep.

Pinocchio is timed in C++ (`abaInParallel` on one thread, over many states) where its package has that, and as a person
calls it from Python. Our kernel is timed over the same states, called by its address as methods call it.
"""

# pyright: reportMissingImports=false
# Pinocchio installs itself where a type checker does not look.

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

from assets import path
from benchmarks.measurement import Measurement, alternate, ratio
from robots.dynamics.tree.kernels.forward import tree as forward
from robots.model.registry import robot_of
from robots.scenario.scenario import Scenario, new_scenario
from solvers.kernels.signatures import VECTOR, types

STATES = 4000
LINKS = (1, 2, 4, 8, 16, 32)
ARMS = ("ur5e", "panda")
PANDA_GOAL, CPP_GOAL, DROP_GOAL = 1.5, 1.5, 2.0
_JOINTS = 10
_LINK = """<link name="l{k}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="j{k}" type="continuous"><parent link="{parent}"/><child link="l{k}"/><origin xyz="0.2 0 0"/>
<axis xyz="0 1 0"/></joint>
"""


def measure() -> list[Measurement]:
    """Cost of a right-hand side by the number of links, of two arms, and of a file that is dropped."""
    found = []
    for links in LINKS:
        found += beside(f"{links} links", new_scenario("pendulum").with_value("robot.links", links))
    for arm in ARMS:
        found += beside(arm, new_scenario(arm), PANDA_GOAL if arm == "panda" else None, CPP_GOAL)
    return [*found, dropped()]


@njit((types.float64[:, ::1], VECTOR, VECTOR), cache=True, nogil=True)
def _many(states, params, rates):
    for k in range(states.shape[0]):
        forward(0.0, states[k], params, rates)


def beside(
    name: str, scenario: Scenario, goal: float | None = None, goal_cpp: float | None = None
) -> list[Measurement]:
    """One right-hand side, ours and Pinocchio's."""
    params = robot_of(scenario).params(scenario)  # type: ignore[attr-defined]
    n = len(scenario.initial) // 2
    states = np.random.default_rng(0).normal(size=(STATES, 2 * n))
    rates = np.empty(2 * n)
    functions: dict[str, Callable[[], object]] = {"ours": lambda: _many(states, params, rates)}
    if importlib.util.find_spec("pinocchio"):
        functions |= pinocchio_of(scenario, states)
    taken = {key: [1e6 * one / STATES for one in times] for key, times in alternate(functions, repeats=15).items()}
    found = [Measurement(f"right-hand side, {name}", "us", taken["ours"], goal=goal)]
    for key, one in taken.items():
        if key != "ours":
            found.append(Measurement(f"{key}, {name}", "us", one))
            limit = goal_cpp if "C++" in key else None
            found.append(ratio(f"ours over {key}, {name}", taken["ours"], one, goal=limit))
    return found


def pinocchio_of(scenario: Scenario, states: np.ndarray) -> dict[str, Callable[[], object]]:
    """Its forward dynamics of all states, in the ways that it offers."""
    import pinocchio

    model = model_of(scenario)
    data, n = model.createData(), model.nv
    q, v, torques = states[:, :n].copy(), states[:, n:].copy(), np.zeros(n)

    def called() -> None:
        for k in range(STATES):
            pinocchio.aba(model, data, q[k], v[k], torques)

    found: dict[str, Callable[[], object]] = {"Pinocchio from Python": called}
    if hasattr(pinocchio, "abaInParallel"):
        pool = pinocchio.ModelPool(model, 1)
        columns = np.asfortranarray(q.T), np.asfortranarray(v.T), np.zeros((n, STATES), order="F")
        out = np.zeros((n, STATES), order="F")
        found["Pinocchio in C++"] = lambda: pinocchio.abaInParallel(1, pool, *columns, out)
    return found


def model_of(scenario: Scenario):
    """The same arm as Pinocchio's model."""
    import pinocchio

    if scenario.robot != "pendulum":
        return pinocchio.buildModelFromUrdf(str(path(f"robots/{scenario.robot}.urdf")))
    tree, model, parent = robot_of(scenario).tree, pinocchio.Model(), 0  # type: ignore[attr-defined]
    for joint, link in zip(tree.joints, tree.links[1:], strict=True):
        place = pinocchio.SE3(np.eye(3), np.array(joint.place[9:]))
        parent = model.addJoint(parent, pinocchio.JointModelRevoluteUnaligned(*joint.axis), place, joint.name)
        xx, _, _, yy, _, zz = link.inertia
        body = pinocchio.Inertia(link.mass, np.array(link.centre), np.diag([xx, yy, zz]))
        model.appendBodyToJoint(parent, body, pinocchio.SE3.Identity())
    return model


def dropped() -> Measurement:
    """A fresh process reads a file with ten joints and computes its run."""
    links = [_LINK.format(k=k, parent=f"l{k - 1}" if k else "base") for k in range(_JOINTS)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        file.write_text(f'<robot name="ten"><link name="base"/>{"".join(links)}</robot>', "utf-8")
        words = [sys.executable, "-m", "gui.cli", "run", str(file), "--json"]
        functions = {"drop": lambda: subprocess.run(words, check=True, capture_output=True)}
        taken = alternate(functions, repeats=5)["drop"]
    return Measurement("a file with 10 joints, from its name to its motion", "s", taken, goal=DROP_GOAL)
