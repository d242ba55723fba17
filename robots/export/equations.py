"""How the equations of each robot are written in a script, and what its final numbers are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets.errors import BadInput, one_of
from robots.export.writing import Code, call, value
from robots.model.registry import find_robot

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Equations:
    """A robot's part of a script.

    Attributes:
        setup: the lines that define f (or, of a DAE, system) for a scenario.
        final: the lines that define `final`, the numbers of `armstep run`, from t and y.
    """

    setup: Callable[[Scenario], list[str]]
    final: Callable[[Scenario], list[str]]


def _problem(scenario: Scenario) -> Any:
    return find_robot(scenario.robot).problem(scenario)


def _components(scenario: Scenario) -> list[str]:
    return [f"final = dict(zip({value(_problem(scenario).names)}, y))"]


def _closed_form(scenario: Scenario) -> list[str]:
    """The robot's own equations, whose text stands in the script."""
    function, values = find_robot(scenario.robot).equations(scenario) or (None, {})
    if function is None:
        raise BadInput(
            "task.form",
            scenario.task["form"],
            "minimal for a script: the other form changes its partition during the run",
        )
    given = call("SimpleNamespace", **values)
    return [f"p = {given}", f"f = Counted({call('with_parameters', Code(function.__name__), Code('p'))})"]


def _rr_final(scenario: Scenario) -> list[str]:
    lines = _components(scenario)
    if scenario.task["torque"] != "none":
        lines.append('final |= dict(zip(("u1", "u2"), rr_torques(y, p)))')
    return lines


def _path(scenario: Scenario, block: Any) -> tuple[Code, Code, Code | None]:
    """Path, law of time and turning of the PA-10's tool."""
    from robots.catalog.pa10.task import way_points
    from robots.dynamics.kernels import paths

    task = scenario.task
    size, rate, phase = (float(block[k]) for k in (paths.SIZE, paths.RATE, paths.PHASE))
    span, closed = float(block[paths.SPAN]), bool(block[paths.CLOSED])
    kind = str(task["path"])
    if kind == "way-points":
        path = call("way_points", way_points(str(task["points"])), float(str(task["speed"])))
    else:
        path = {
            "circle": call("along", Code("turn"), size, rate, phase, 0.0),
            "helix": call("along", Code("turn"), size, rate, phase, float(block[paths.PITCH])),
            "line": call("along", Code("line"), rate),
            "rounded-square": call("along", Code("rounded_square"), size, float(block[paths.CORNER]), rate),
            "figure-eight": call("along", Code("figure_eight"), size, rate, phase),
        }[kind]
    numbers = (span, closed) if task["law"] == "constant" else (span,)
    law = call("timed", Code(str(task["law"])), *numbers)
    turns = {
        "constant": None,
        "turning": call("turned_by", Code("turning"), float(block[paths.TURN_RATE])),
        "swinging": call("turned_by", Code("swinging"), float(block[paths.AMPLITUDE]), float(block[paths.TURN_RATE])),
        "tangent": call("tangent"),
    }
    return path, law, turns[str(task["orientation"])]


def _pa10(scenario: Scenario) -> list[str]:
    from robots.dynamics.kernels import clik, paths

    robot: Any = find_robot("pa10")
    problem, task = _problem(scenario), scenario.task
    params = problem.params
    block = params[clik.PATH : clik.PATH + paths.BLOCK]
    path, law, turn = _path(scenario, block)
    lower, upper = params[clik.LOWER : clik.LOWER + 7], params[clik.UPPER : clik.UPPER + 7]
    inverses = {
        "pinv": call("pseudo_inverse"),
        "dls": call("damped_variable", task["damping"], task["threshold"]),
        "dls-constant": call("damped", task["damping"]),
        "svd": call("by_singular_values", task["cut_off"]),
        "weighted": call("weighted", lower, upper),
    }
    tasks = {
        "limits": call("avoid_limits", task["null_gain"], lower, upper),
        "manipulability": call("ascend_manipulability", task["null_gain"]),
        "elbow": call("hold_elbow", task["null_gain"], task["elbow"]),
    }
    named: dict[str, Any] = {
        "table": robot.table(scenario),
        "start": problem.initial,
        "path": path,
        "law": law,
        "plane": block[paths.U : paths.U + 9].reshape(3, 3).T,
        "turn": turn,
        "axis": block[paths.AXIS : paths.AXIS + 3],
        "gains": params[clik.GAIN_POSITION : clik.GAIN_POSITION + 2],
        "inverse": inverses[str(task["inverse"])],
    }
    if task["null_task"] != "none":
        named["null_task"] = tasks[str(task["null_task"])]
    if task["clamp"] in ("speeds", "both"):
        named["fastest"] = params[clik.FASTEST : clik.FASTEST + 7]
    if task["clamp"] in ("angles", "both"):
        named["stops"] = (lower.tolist(), upper.tolist())
    if task["feedback"] == "held":
        named["held"] = True
    return [f"f = Counted(*{call('tracker', **named)})"]


def _pa10_final(scenario: Scenario) -> list[str]:
    from robots.dynamics.kernels import clik

    problem, stopped = _problem(scenario), []
    if scenario.task["clamp"] in ("angles", "both"):
        limits = problem.params[clik.LOWER : clik.LOWER + 7], problem.params[clik.UPPER : clik.UPPER + 7]
        stopped = [f"y = {call('np.clip', Code('y'), *limits)}"]
    return [
        *stopped,
        f"final = dict(zip({value(problem.names)}, y))",
        f"final |= dict(zip({value(tuple(f'v{k + 1}' for k in range(7)))}, f.function(t, y, held=False)))",
    ]


def _flexible(scenario: Scenario) -> list[str]:
    from robots.dynamics.flexible.arm import FlexibleArm
    from robots.dynamics.flexible.structure import FORMULATIONS

    robot: Any = find_robot(scenario.robot)
    assert isinstance(robot, FlexibleArm)
    build, move = robot.build(scenario), robot.move(scenario)
    key = str(scenario.task["formulation"])
    form = FORMULATIONS[key]
    if form.kind != "rows":
        plain = [name for name, other in FORMULATIONS.items() if other.kind == "rows"]
        raise BadInput("task.formulation", key, f"{one_of(plain)} for a script")
    table, lever = build.absolute()
    arm = call(
        "FlexibleArm",
        table=table,
        lever=lever,
        lengths=build.lengths,
        inertia=build.constant_inertia,
        motor_of=build.motor_of,
        stiffness=build.stiffness,
        damping=build.damping,
        motor_inertias=build.motor_inertias,
        gears=build.gears,
        up=build.up,
        gravity=build.gravity,
    )
    bent = {"sweep": move.sweep, "arc": True} if move.arc else {}
    extra = "rates" if form.dummy_rates else "accelerations" if form.dummy_accelerations else ""
    rows = build.axes, form.orders, form.drop_actuated, form.drop_passive, extra
    return [
        f"arm = {arm}",
        f"reference = {call('wanted', move.start, move.end, move.time, **bent)}",
        f"system = {call('inverse_dynamics', Code('arm'), Code('reference'), *rows)}",
    ]


def _flexible_final(scenario: Scenario) -> list[str]:
    robot: Any = find_robot(scenario.robot)
    build = robot.build(scenario)
    size = build.coordinates
    names = tuple(f"{letter}{k + 1}" for letter in "qv" for k in range(size))
    torques = tuple(f"u{k + 1}" for k in range(build.actuated))
    printed = {"printed": True} if build.printed else {}
    found = call("arm.motor_torques", Code("y"), Code("rate"), **printed)
    return [f"final = dict(zip({value(names)}, y))", f"final |= dict(zip({value(torques)}, {found}))"]


_ARM = Equations(_flexible, _flexible_final)
EQUATIONS: dict[str, Equations] = {
    "rr": Equations(_closed_form, _rr_final),
    "beam": Equations(_closed_form, _components),
    "double-pendulum": Equations(_closed_form, _components),
    "pa10": Equations(_pa10, _pa10_final),
    "e1": _ARM,
    "e1-complete": _ARM,
    "e12": _ARM,
    "two-springs": _ARM,
}
"""The robots whose scripts can be written, by key."""
