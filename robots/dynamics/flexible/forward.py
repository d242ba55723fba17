"""Forward simulation: the flexible arm driven by the torques that its inverse dynamics has found.

The torque is held between the samples (linearly or at zero order); the tool's error, its vibration after the move and
its drift show how good the torque was.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.fields import Field
from robots.dynamics.flexible.structure import Build, Move, tool_gaps, tool_places
from robots.model.companion import Companion
from robots.model.quantities import amount, choice
from robots.model.robot import Array
from robots.model.sampling import Sampling, sampled, sampling_fields
from solvers.control import FixedStep, Tolerance
from solvers.options import SPECIALISED

if TYPE_CHECKING:
    from robots.model.setup import Setup
    from solvers.method import Method
    from solvers.problem import OdeProblem

ORDINARY = frozenset({"ode", "second-order"})
_WHEN = ("forward", ("linear", "zero-order"))
FIELDS = (
    choice(
        "forward",
        "drive the arm with the torque",
        {"off": "", "linear": "linear interpolation", "zero-order": "zero-order hold"},
        "Feeds the torque to the same arm: interpolated linearly, or held (which delays it by half a step).",
    ),
    Field(
        "forward_method",
        "by the method",
        default="rkdp87",
        when=_WHEN,
        help="Any method for ordinary equations, by key.",
    ),
    Field(
        "forward_step",
        "step",
        "s",
        None,
        0.0,
        1.0,
        exclusive_minimum=True,
        optional=True,
        kind=float,
        slider=(1e-5, 1e-2),
        log=True,
        when=_WHEN,
        help="A fixed step. Empty: step control at 1e-10, or 5000 steps for a method without it.",
    ),
    Field(
        "forward_specialised",
        "compiled for this arm",
        default=False,
        when=_WHEN,
        help="Code generated for this arm and this method alone; the first use takes a few seconds to compile.",
    ),
    *sampling_fields(_WHEN),
    amount("kp", "feedback P", "N m/rad", 0.0, 1e9, (0.0, 1e6), "Feedback of the actuator's angle.", when=_WHEN),
    amount("kd", "feedback D", "N m s/rad", 0.0, 1e9, (0.0, 1e5), "Feedback of the actuator's rate.", when=_WHEN),
)


def drive(build: Build, move: Move, scenario: Setup, t: Array, y: Array) -> Companion | None:
    """The arm under the run's torques, from its first state to its last time; None if not wanted."""
    from solvers.integrate import integrate
    from solvers.method_registry import find_method

    if scenario.task["forward"] == "off" or len(t) < 2:
        return None
    problem = driven_problem(build, scenario, t, y)
    method = find_method(str(scenario.task["forward_method"]))
    control = _control(method, scenario.task["forward_step"], float(t[-1]))
    options = {"specialised": True} if scenario.task["forward_specialised"] else {}
    found = integrate(problem, method, control, options=options, max_steps=2_000_000)
    times = t[t <= found.t_end * (1.0 + 1e-12)]
    states = found(times)
    errors = {"tool_m": tool_gaps(build, move, times, states)}
    facts = _after_the_move(build, move, times, states, errors["tool_m"])
    if problem.sample is not None:
        problem = replace(problem, params=found.params)
    return Companion(
        "forward", "driven by the torque", times, states, errors, facts, found.status, found.message, problem
    )


def _control(method: Method, step: float | None, span: float) -> FixedStep | Tolerance:
    """The step that is asked for, shortened to the span, or what suits the method."""
    if step is not None:
        return FixedStep(min(float(step), span))
    if method.adaptive:
        return Tolerance(1e-10, 1e-12, max_step=span / 50.0)
    return FixedStep(span / 5000.0)


def check(scenario: Setup) -> None:
    """Refuse an unknown method, or one that cannot do what is asked.

    Raises:
        BadInput: naming the task's field.
    """
    from solvers.method_registry import examples, find_method, methods

    if scenario.task["forward"] != "off" and (sampling := Sampling.of(scenario.task)):
        sampling.check(scenario.duration)
    key, step = str(scenario.task["forward_method"]), scenario.task["forward_step"]
    able = [name for name, other in methods().items() if ORDINARY & other.problems]
    try:
        method = find_method(key)
    except BadInput:
        raise BadInput("task.forward_method", key, "the key of a method", able, such_as=examples(able)) from None
    if not ORDINARY & method.problems:
        raise BadInput("task.forward_method", key, "one for ordinary differential equations", such_as=examples(able))
    if step is not None and not method.fixed_step:
        raise BadInput("task.forward_step", step, f"left out: {key} chooses its own steps")
    if scenario.task["forward_specialised"] and SPECIALISED not in method.options:
        fit = [name for name, other in methods().items() if ORDINARY & other.problems and SPECIALISED in other.options]
        raise BadInput("task.forward_specialised", True, "off, or used with an explicit method", such_as=examples(fit))


def driven_problem(build: Build, scenario: Setup, t: Array, y: Array) -> OdeProblem:
    """The equations of the arm that is driven by a run's torques.

    Args:
        build, scenario: of the run.
        t, y: its times (n,) [s] and states; the torques are the last columns.
    """
    from robots.dynamics.flexible.driven_arm import driven_arm
    from robots.dynamics.flexible.kernels.torque_table import held, torque_table
    from solvers.problem import OdeProblem

    size, N = build.coordinates, build.actuated
    # Evenly spaced samples: of a fixed step the run's own, of a chosen step four times as many.
    uneven = scenario.step is None
    grid = np.linspace(t[0], t[-1], 4 * len(t) if uneven else len(t))
    driver = build.joints + np.arange(N) if build.gears else np.flatnonzero(build.motor_of >= 0)
    rows = np.hstack([y[:, -N:], y[:, driver], y[:, size + driver]])
    rows = np.column_stack([np.interp(grid, t, column) for column in rows.T])
    gains, sampling = [float(scenario.task[key]) for key in ("kp", "kd")], Sampling.of(scenario.task)
    form, params = driven_arm(build, *gains, sampled=sampling is not None)
    table = torque_table(grid, rows, scenario.task["forward"] == "zero-order")
    problem = OdeProblem(
        rhs=form.rhs,
        initial=y[0, : 2 * size],
        t0=float(t[0]),
        t1=float(t[-1]),
        params=params if sampling else np.concatenate([params, table]),
        names=tuple(f"q{k + 1}" for k in range(size)) + tuple(f"v{k + 1}" for k in range(size)),
        units=("rad",) * size + ("rad/s",) * size,
        positions=size,
        source=form.tape,
    )
    if sampling is None:
        return problem

    def law(t: float, state: Array) -> Array:
        torques, angles, rates = np.reshape([held(t, table, column) for column in range(3 * N)], (3, N))
        kp, kd = gains
        return torques + kp * (angles - state[driver]) + kd * (rates - state[size + driver])

    return sampled(problem, law, sampling, problem.initial)


def _after_the_move(build: Build, move: Move, t: Array, y: Array, gap: Array) -> dict[str, float]:
    """Largest error during the move, and the tool's peak-to-peak vibration after it, less its linear drift."""
    rest = t >= move.time
    place = tool_places(build, y)
    facts = {"tool_in_move_m": float(gap[~rest].max())} if (~rest).any() else {}
    if np.count_nonzero(rest) > 3:
        times = t[rest]
        carried = np.polyfit(times, place[rest], 1)[0] * (times[-1] - times[0])
        facts["drift_m"] = float(np.linalg.norm(carried[build.axes]))
        for axis, name in enumerate("xz"):
            values = place[rest, axis]
            swing = values - np.polyval(np.polyfit(times, values, 1), times)
            facts[f"vibration_{name}_m"] = float(np.ptp(swing))
    return facts
