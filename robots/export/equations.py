"""The equations of each robot in a script, and its final numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from assets.errors import BadInput
from robots.export.source import Source
from robots.export.writing import LINE, Code, call, value
from robots.model.registry import robot_of
from robots.model.robot import Array
from robots.scenario.method_selection import method_of

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario

_PATH_PLACES = (
    *("JOINTS", "ROWS", "GAIN_POSITION", "GAIN_ORIENTATION", "INVERSE", "DAMPING", "THRESHOLD", "CUT_OFF"),
    *("NULL_TASK", "NULL_GAIN", "ELBOW", "CLAMP", "HELD", "FOLLOWED", "HELD_ERROR", "PATH", "BASE", "TOOL", "TABLE"),
)
_ARM_PLACES = (
    *("JOINTS", "ACTUATED", "GEARS", "OUTPUTS", "DROP_ACTUATED", "DROP_PASSIVE", "DUMMY_RATES", "DUMMY_ACCELERATIONS"),
    *("CONSTRAINTS", "MOVE_TIME", "PATH", "START", "END", "SWEEP", "PRINTED", "MOTOR_OF", "STIFFNESS", "DAMPING"),
    *("INERTIA", "CHAIN"),
)


EXACT = Code("exact_jacobian(f.function)")


@dataclass(frozen=True, slots=True)
class Equations:
    """A robot's part of a script.

    Attributes:
        source: where its equations stand.
        setup: the lines that define f (or, of a DAE, system) for a scenario.
        final: the lines that define `final`, the numbers of `armstep run`, from t and y.
        jacobian: df/dy as Python, where it is exact.
    """

    source: Callable[[Scenario], Source]
    setup: Callable[[Scenario], list[str]]
    final: Callable[[Scenario], list[str]]
    jacobian: Code = EXACT


def _problem(scenario: Scenario) -> Any:
    return robot_of(scenario).problem(scenario)


def _components(scenario: Scenario) -> list[str]:
    return [f"final = dict(zip({value(_problem(scenario).names)}, y))"]


def _closed_form_source(scenario: Scenario) -> Source:
    own = robot_of(scenario).equations(scenario)
    if own is None:
        why = "since two bodies and their constraints are too much for a script"
        raise BadInput("task.form", scenario.task["form"], choices=("minimal",), reason=why)
    return Source((own[0].__module__,))


def _closed_form(scenario: Scenario) -> list[str]:
    """The robot's own equations, whose text stands in the script."""
    function, values = robot_of(scenario).equations(scenario) or (None, {})
    given = call("SimpleNamespace", **values)
    return [f"p = {given}", f"f = Counted(with_parameters({function.__name__ if function else ''}, p))"]


def _rr_final(scenario: Scenario) -> list[str]:
    lines = _components(scenario)
    if scenario.task["torque"] != "none":
        lines.append('final |= dict(zip(("u1", "u2"), rr_torques(y, p)))')
    return lines


def _path(scenario: Scenario) -> list[str]:
    from robots.dynamics.kernels import clik, serial

    params, held = _problem(scenario).params, scenario.task["feedback"] == "held"
    hold = ", lambda t, y: begin_step(t, y, params, None)" if held else ""
    scratch = clik.TABLE + int(params[clik.JOINTS]) * serial.ROW
    lines = _packed(clik, params, _PATH_PLACES, scratch)
    if len(spline := params[int(clik.spline_place(params)) :]):
        lines.append(fill(f"params[spline_place(params) :] = {value(spline)}", LINE, subsequent_indent="    "))
    return [*lines, f"f = Counted(with_numbers(rhs, params){hold})"]


def _path_source(scenario: Scenario) -> Source:
    from robots.dynamics.kernels import clik, paths

    params = _problem(scenario).params
    settings = _settings(params, clik.HELD_ERROR)
    if params[clik.HELD]:
        del settings[clik.HELD]  # the last line switches it off
    block = _settings(params[clik.PATH :], paths.BLOCK)
    return Source((clik.__name__,), {"params": settings, "block": block})


def _path_final(scenario: Scenario) -> list[str]:
    problem, stopped, held = _problem(scenario), [], []
    if scenario.task["clamp"] in ("angles", "both"):
        stopped = ["y = np.clip(y, *table_of(params)[: len(y), LOWER : UPPER + 1].T)"]
    if scenario.task["feedback"] == "held":
        held = ["params[HELD] = 0.0"]
    rates = value(tuple(name.replace("q", "v") for name in problem.names))
    return [
        *held,
        *stopped,
        *_components(scenario),
        f"final |= dict(zip({rates}, f.function(t, y)))",
    ]


def _flexible(scenario: Scenario) -> list[str]:
    from robots.dynamics.flexible.kernels import inverse_dynamics

    params = _problem(scenario).params
    return [*_packed(inverse_dynamics, params, _ARM_PLACES), "system = with_matrix(system, params)"]


def _flexible_source(scenario: Scenario) -> Source:
    from robots.dynamics.flexible.kernels import inverse_dynamics
    from robots.dynamics.flexible.structure import FORMULATIONS
    from robots.dynamics.kernels.planar_chain import TABLES

    key = str(scenario.task["formulation"])
    if FORMULATIONS[key].kind != "rows":
        plain = [name for name, other in FORMULATIONS.items() if other.kind == "rows"]
        raise BadInput("task.formulation", key, choices=plain, reason="since a script cannot hold the others")
    params, chain = _problem(scenario).params, inverse_dynamics.CHAIN
    settings = {"params": _settings(params, chain), "chain": _settings(params[chain:], TABLES)}
    return Source((inverse_dynamics.__name__,), settings)


def _flexible_final(scenario: Scenario) -> list[str]:
    from robots.dynamics.flexible.kernels.inverse_dynamics import ACTUATED, GEARS, JOINTS

    params = _problem(scenario).params
    motors = int(params[ACTUATED])
    size = int(params[JOINTS]) + motors * bool(params[GEARS])
    names = tuple(f"{letter}{k + 1}" for letter in "qv" for k in range(size))
    torques = tuple(f"u{k + 1}" for k in range(motors))
    return [
        f"u = np.empty((1, {motors}))",
        "motor_torques(y[None], rate[None], params, u)",
        f"final = dict(zip({value(names)}, y)) | dict(zip({value(torques)}, u[0]))",
    ]


def _tree(scenario: Scenario) -> list[str]:
    from robots.dynamics.tree import layout

    params = _problem(scenario).params
    end = layout.HEADER + int(params[layout.JOINTS]) * layout.ROW
    rows, log = params[layout.HEADER : end].reshape(-1, layout.ROW), params[end:]
    lines = [f"params = np.zeros({len(params)})"]
    for name in ("JOINTS", "INDEPENDENT", "LAW", "MOVE_TIME"):
        lines.append(f"params[{name}] = {value(params[getattr(layout, name)])}")
    lines += [f"params[GRAVITY : GRAVITY + 3] = {value(params[layout.GRAVITY : layout.GRAVITY + 3])}"]
    lines += [f"params[HEADER : HEADER + {rows.size}].reshape({len(rows)}, ROW)[:] = [", *_wrapped(rows), "]"]
    if len(log):
        logged = log.reshape(int(params[layout.LOGGED]), -1)
        lines += [f"params[LOGGED] = {len(logged)}", "# The log: time, values and slopes of the joints."]
        lines += [f"params[-{log.size} :].reshape({len(logged)}, -1)[:] = [", *_wrapped(logged), "]"]
    return [*lines, "f = Counted(with_numbers(tree, params))"]


def _wrapped(rows: Array) -> list[str]:
    """Rows of a table as lines of Python."""
    return [fill(f"{value(row)},", LINE, initial_indent="    ", subsequent_indent="     ") for row in rows]


def _tree_source(scenario: Scenario) -> Source:
    from robots.dynamics.tree import layout
    from robots.dynamics.tree.kernels import derivative, forward, outputs
    from solvers.methods.taylor import Taylor

    settings = {"params": _settings(_problem(scenario).params, layout.HEADER)}
    scratch = frozenset({"borrow"} if isinstance(method_of(scenario), Taylor) else ())
    return Source((forward.__name__, derivative.__name__, outputs.__name__), settings, scratch)


def _tree_final(scenario: Scenario) -> list[str]:
    lines, problem = _components(scenario), _problem(scenario)
    if scenario.task["torque"] == "none":
        return lines
    names = tuple(name.replace("q", "u") for name in problem.names[: problem.positions])
    return [
        f"u = np.empty((1, {len(names)}))",
        "motor_torques(np.array([t]), y[None], params, u)",
        *lines,
        f"final |= dict(zip({value(names)}, u[0]))",
    ]


def _settings(numbers: Array, count: int) -> dict[int, float]:
    """The first numbers by place."""
    return dict(enumerate(numbers[:count].tolist()))


def _packed(kernels: ModuleType, params: Array, names: tuple[str, ...], last: int | None = None) -> list[str]:
    """The lines that make `params`, block by block up to `last`; the module says where a block of a name begins."""
    places = [int(getattr(kernels, name)) for name in names]
    lines = [f"params = np.zeros({len(params)})"]
    for name, place, end in zip(names, places, [*places[1:], last or len(params)], strict=True):
        block = np.trim_zeros(params[place:end], "b")
        if end == place + 1 and len(block):
            lines.append(f"params[{name}] = {value(block[0])}")
        elif len(block):
            lines.append(
                fill(f"params[{name} : {name} + {len(block)}] = {value(block)}", LINE, subsequent_indent="    ")
            )
    return lines


_CLOSED_FORM = Equations(_closed_form_source, _closed_form, _components)
_PATH = Equations(_path_source, _path, _path_final)
_ARM = Equations(_flexible_source, _flexible, _flexible_final)
EQUATIONS: dict[str, Equations] = {
    "rr": Equations(_closed_form_source, _closed_form, _rr_final),
    "beam": _CLOSED_FORM,
    "double-pendulum": _CLOSED_FORM,
    "pa10": _PATH,
    "e1": _ARM,
    "e1-complete": _ARM,
    "e12": _ARM,
    "two-springs": _ARM,
    "top": _CLOSED_FORM,
}
"""The robots whose scripts can be written, by key; arms of robot files have no key of their own."""
_TREE = Equations(_tree_source, _tree, _tree_final, Code("kernel_jacobian(tree_jacobian, params)"))


def equations_of(scenario: Scenario) -> Equations:
    """The equations of a scenario's robot for its script.

    Raises:
        BadInput: its script would be too long.
    """
    from robots.dynamics.path.robot import PathRobot
    from robots.dynamics.tree.robot import TreeRobot

    robot = robot_of(scenario)
    if isinstance(robot, PathRobot):
        return _PATH
    if isinstance(robot, TreeRobot):
        return _TREE
    if scenario.robot in EQUATIONS:
        return EQUATIONS[scenario.robot]
    why = "since 98 coordinates of a vehicle would make a script too long"
    raise BadInput("robot", scenario.robot, choices=EQUATIONS, reason=why)
