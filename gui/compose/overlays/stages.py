"""The arm in the states at which the present step evaluates f."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gui.app.units import power_text, subscripted
from gui.compose.kinematics import RunKinematics, tip_of
from gui.compose.overlay import Array, Moment, Overlay, Pieces
from scene.picture import Actor, Colour, Dots, Label

if TYPE_CHECKING:
    from robots.simulation.run import Run
    from solvers.problem import OdeProblem

SKIN_OPACITY = 0.22
SEEN = 0.06
"""Stages that lie within this part of the arm's size of the step's start are drawn further apart."""

MOST_LONGER = 1e6


class StagesOverlay(Overlay):
    """For explicit Runge-Kutta methods, while the current run moves."""

    key, order, setting = "stages", 140, "stages"

    def draw(self, moment: Moment) -> Pieces:
        row = moment.shown[0]
        if row.run is None or row.frozen_at(moment.t) or (step := step_at(row.run, moment.t)) is None:
            return Pieces()
        return _skins(row.run, moment.arms[0], step, moment.colour(row))


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


def _skins(run: Run, arm: RunKinematics, step: Step, colour: Colour) -> Pieces:
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
        return Pieces()
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
            labels.append(Label(subscripted(f"k{index}"), tip, None, "above" if index % 2 else "below", 13.0))
        elif longer > 1.0:
            exponent = round(math.log10(longer))
            said = f"{longer:.0f}" if exponent < 4 else power_text(exponent)
            labels.append(Label(f"stages × {said}", tip, None, "right", 13.0))
    dots = [Dots(np.array(marks), colour, 6.0)] if marks else []
    return Pieces(actors=actors, dots=dots, labels=labels)


OVERLAY = StagesOverlay()
