"""Overlays that show what an integrator does: its steps, the stages of the current step, the torques. No Qt."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gui.app.units import power_text, reading
from gui.compose.kinematics import RunKinematics, tip_of
from scene.picture import Actor, Arrow, Colour, Dots, Label, Ribbon

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings
    from robots.simulation.run import Run
    from solvers.problem import OdeProblem

Array = NDArray[np.float64]
Colours = Callable[["RunRow"], Colour]

MOST_STEPS = 400
"""How many of the latest steps get a dot, at most."""

SKIN_OPACITY = 0.22
SEEN = 0.06
"""Stages that lie within this part of the arm's size of the step's start are drawn further apart."""

MOST_LONGER = 1e6
TORQUE_COLOUR: Colour = (0.55, 0.27, 0.68)
ARC_RADIUS, ARC_MOST = 0.2, 1.5 * math.pi
"""Radius of a torque's arc as a part of the arm's size, and the angle of the run's largest torque [rad]."""


def step_dots(
    shown: Sequence[RunRow],
    arms: Sequence[RunKinematics],
    t: float,
    view: ViewSettings,
    colours: Colours,
) -> Iterable[Dots]:
    """A dot on the trail at the end of each accepted step: far apart where the steps are long."""
    for row, arm in reversed(list(zip(shown, arms, strict=True))):
        assert row.run is not None
        ends = arm.step_ends
        since = arm.start if view.trail_seconds == 0.0 else min(t, arm.end) - view.trail_seconds
        first, last = np.searchsorted(ends, [since, t + 1e-12])
        times = ends[max(first, last - MOST_STEPS) : last]
        if len(times) and arm.leaves_trail(t):
            points = arm.tips_at(times)
            if len(points):
                yield Dots(points, colours(row), 9.0)


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One accepted step of an explicit Runge-Kutta method.

    Attributes:
        start, length: when it began and how long it is [s].
        states: (s + 1, d) the states at which f was evaluated, then the step's result.
        times: (s + 1,) of those states [s].
    """

    start: float
    length: float
    states: Array
    times: Array


def step_at(run: Run, t: float) -> Step | None:
    """The step that `t` lies in, with its stages computed again; None unless the method is an explicit Runge-Kutta."""
    from robots.scenario.method_selection import method_of
    from solvers.tableaux.tableau import coefficients

    log = run.log
    begins, lengths = log.t[log.accepted], log.h[log.accepted]
    index = int(np.searchsorted(begins, t + 1e-12, side="right")) - 1
    phase = run.phase_at(t + 1e-12)
    tableau = getattr(method_of(phase.scenario), "tableau", None)
    if not 0 <= index < len(begins) or tableau is None:
        return None
    begin, length = float(begins[index]), float(lengths[index])
    from solvers.problem import OdeProblem

    problem = phase.problem()
    if not isinstance(problem, OdeProblem):
        return None
    numbers = coefficients(tableau)
    states, slopes = stages(problem, begin, run.sample(np.array([begin]))[0], length, numbers.A, numbers.c)
    end = states[0] + length * (numbers.b @ slopes)
    return Step(begin, length, np.vstack([states, end]), begin + length * np.append(numbers.c, 1.0))


def stages(problem: OdeProblem, t: float, y: Array, h: float, A: Array, c: Array) -> tuple[Array, Array]:
    """The states (s, d) at which a step `h` from (t, y) evaluates f, and the slopes (s, d) that it finds there."""
    states, slopes = np.empty((len(c), len(y))), np.zeros((len(c), len(y)))
    params = np.array(problem.params, dtype=float)
    if problem.begin_step is not None:
        problem.begin_step(t, np.array(y), params, slopes[0])
    for i in range(len(c)):
        states[i] = y + h * (A[i, :i] @ slopes[:i])
        problem.rhs(t + c[i] * h, states[i], params, slopes[i])
    return states, slopes


def skins(run: Run, arm: RunKinematics, step: Step, colour: Colour) -> tuple[list[Actor], list[Dots], list[Label]]:
    """The arm in the states of the step's stages, numbered; drawn apart by a power of ten if they would coincide."""
    scenario = run.phase_at(step.start + 1e-12).scenario
    robot, shape = run.robot, arm.ghost_shape(step.start)
    size = arm.shape(step.start).radius

    def tips(states: Array) -> Array:
        return robot.tip_path(scenario, step.times, states)

    start = step.states[0]
    apart = tips(step.states) - tips(np.tile(start, (len(step.states), 1)))
    reach = float(np.linalg.norm(apart, axis=1).max(initial=0.0))
    if not 0.0 < reach < math.inf:
        return [], [], []
    longer = 10.0 ** max(0, math.floor(math.log10(min(4.0 * SEEN * size / reach, MOST_LONGER))))
    states = start + longer * (step.states - start)
    actors, labels, marks = [], [], []
    for index, (t, state) in enumerate(zip(step.times, states, strict=True), start=1):
        pose = robot.pose(scenario, float(t), state)
        actors.append(Actor(shape, pose, colour, SKIN_OPACITY, name=f"stage {index}"))
        tip = tip_of(arm.shape(step.start), pose)
        if tip is None:
            continue
        marks.append(tip)
        last = index == len(states)
        if not last:
            labels.append(Label(f"k{_LOWERED[index]}", tip, None, "above" if index % 2 else "below", 13.0))
        elif longer > 1.0:
            exponent = round(math.log10(longer))
            said = f"{longer:.0f}" if exponent < 4 else power_text(exponent)
            labels.append(Label(f"stages × {said}", tip, None, "right", 13.0))
    dots = [Dots(np.array(marks), colour, 6.0)] if marks else []
    return actors, dots, labels


_LOWERED = [str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")) for number in range(40)]


def torques(run: Run, arm: RunKinematics, t: float) -> tuple[list[Ribbon], list[Arrow], list[Label]]:
    """An arc around each joint with a motor torque, with its value; the angle grows with the torque's square root."""
    now, most = drive_torques(run, np.array([t])), arm.largest_torque
    shape, pose = arm.shape(t), arm.pose(t)
    ribbons, arrows, labels = [], [], []
    for (link, point, axis), value in zip(shape.drives, now, strict=False):
        torque = float(value[0])
        if not abs(torque) > 0.01 * most or not math.isfinite(torque):
            continue
        frame = pose.world_from_link[link] if link >= 0 else np.eye(4)
        centre = frame[:3, :3] @ np.asarray(point, dtype=float) + frame[:3, 3]
        arc = _arc(centre, frame[:3, :3] @ np.asarray(axis, dtype=float), ARC_RADIUS * shape.radius, torque / most)
        ribbons.append(Ribbon(arc[:-1], TORQUE_COLOUR, 3.5))
        arrows.append(Arrow(arc[-3], arc[-1], TORQUE_COLOUR, 3.5))
        labels.append(Label(reading(torque, "N·m"), arc[len(arc) // 2], TORQUE_COLOUR, "right", 13.0))
    return ribbons, arrows, labels


def drive_torques(run: Run, times: Array) -> list[Array]:
    """The columns u1, u2, ... of the run at `times`, in order [N m]."""
    columns = run.columns(times)
    names = sorted((name for name in columns if name[0] == "u" and name[1:].isdigit()), key=lambda name: int(name[1:]))
    return [columns[name] for name in names]


def _arc(centre: Array, axis: Array, radius: float, share: float) -> Array:
    """(k, 3) points about `axis`, in its positive sense for a positive `share` of the largest angle."""
    axis = axis / np.linalg.norm(axis)
    across = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    upward = np.cross(across, axis)
    turn = math.copysign(math.sqrt(abs(share)) * ARC_MOST, share)
    angles = np.linspace(0.0, turn, 3 + round(abs(turn) / 0.12))[:, None]
    lifted = centre + 0.25 * radius * axis
    return lifted + radius * (np.cos(angles) * upward + np.sin(angles) * across)
