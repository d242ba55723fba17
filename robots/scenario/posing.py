"""Pose an arm by hand: the initial positions of its joints that bring a point of a link where a person wants it."""

from __future__ import annotations

import numpy as np

from assets.errors import ArmstepError
from robots.model.registry import robot_of
from robots.model.shapes import Array
from robots.scenario.scenario import Scenario
from solvers.problem import OdeProblem

ROUNDS = 5
"""How many rounds one call makes; the next, as the mouse moves on, begins where it ended."""

CHANGE = 1e-6
"""Differences of the joints' positions that make the point's Jacobian [rad or m]."""

DAMPING = 0.02
"""Part of the Jacobian's largest singular value that keeps the joints calm near singular postures."""

LARGEST = 0.3
"""How far the joint that moves the point most goes in one round, at most [rad or m]."""


def posed(scenario: Scenario, link: int, point: Array, target: Array) -> dict[str, float]:
    """The initial positions, by field (`initial.q1`), that bring `point` of a link near `target`.

    Damped least squares with a Jacobian by differences; joints stay within the limits of their sliders.

    Args:
        scenario: with any robot whose initial positions are fields.
        link: number of the link in the robot's shape.
        point: in the link's frame, (3,) [m].
        target: in the world, (3,) [m].

    Raises:
        ArmstepError: the first posture is no choice of its own in this scenario.
    """
    places = joints(scenario)
    names = tuple(places)
    if not names:
        raise ArmstepError(f"{robot_of(scenario).title}: the first posture of this arm cannot be set with the mouse.")
    limits = [_limits(scenario, name) for name in names]
    lower, upper = np.array(limits).T
    now = first_state(scenario)[list(places.values())]
    for _ in range(ROUNDS):
        jacobian = np.empty((3, len(names)))
        here = _place(scenario, names, now, link, point)
        for column in range(len(names)):
            moved = now.copy()
            moved[column] += CHANGE
            jacobian[:, column] = (_place(scenario, names, moved, link, point) - here) / CHANGE
        left = target - here
        if np.linalg.norm(left) < CHANGE:
            break
        largest = np.linalg.norm(jacobian, 2)
        if largest == 0.0:
            break
        left *= min(1.0, LARGEST * largest / np.linalg.norm(left))
        # Far from its target an arm is stretched, and calm only with more damping.
        damping = DAMPING * largest + np.linalg.norm(target - here - left)
        step = jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + damping**2 * np.eye(3), left)
        step *= min(1.0, LARGEST / np.abs(step).max()) if step.any() else 1.0
        now = np.clip(now + step, np.minimum(lower, now), np.maximum(upper, now))
    return {name: round(float(value), 4) for name, value in zip(names, now, strict=True)}


def joints(scenario: Scenario) -> dict[str, int]:
    """The fields of the joints' initial positions with their places in the state; none if it is not chosen so."""
    fields = scenario.fields()
    names = [name for name in fields if name.startswith("initial.q") and fields[name].unit in ("rad", "m")]
    problem = robot_of(scenario).problem(scenario)
    if not isinstance(problem, OdeProblem):
        return {}
    found = {f"initial.{name}": place for place, name in enumerate(problem.names) if f"initial.{name}" in names}
    given = ((scenario.initial[name.removeprefix("initial.")], place) for name, place in found.items())
    return found if all(value is None or value == problem.initial[place] for value, place in given) else {}


def first_state(scenario: Scenario) -> Array:
    """The state with which the run begins, (d,)."""
    return robot_of(scenario).problem(scenario).initial


def _limits(scenario: Scenario, name: str) -> tuple[float, float]:
    field = scenario.fields()[name]
    return field.slider or (field.minimum, field.maximum)


def _place(scenario: Scenario, names: tuple[str, ...], values: Array, link: int, point: Array) -> Array:
    changed = scenario.with_values({name: float(value) for name, value in zip(names, values, strict=True)})
    frame = robot_of(changed).poses(changed, np.zeros(1), first_state(changed)[None, :])[0, link]
    return frame[:3, :3] @ point + frame[:3, 3]
