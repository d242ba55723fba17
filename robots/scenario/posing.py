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

CALM = 2.0
"""The same where the eye sees no difference: how far away the point is matters little."""

CALMER = 6.0
"""The damping grows by this factor while a round would lead away from the target."""

FINE = 1e-4
"""What is nearer to the target on the screen is there [m]."""

SEEN = 1e-3
"""A direction of the joints that moves the point on the screen by less than this part of the most moves it not."""

TURN = 2.0 * np.pi

LARGEST = 0.3
"""How far the joint that moves the point most goes in one round, at most [rad or m]."""


def posed(scenario: Scenario, link: int, point: Array, target: Array, eye: Array) -> dict[str, float]:
    """The initial positions, by field (`initial.q1`), that bring `point` of a link before `target`, as the eye sees it.

    What counts is where the point is on the screen: a planar arm cannot leave its plane. As far as the joints leave
    the choice, the point is as far from the eye as the target, too. Damped least squares with a Jacobian by
    differences; joints stay within the limits of their sliders and between their stops.

    Args:
        scenario: with any robot whose initial positions are fields.
        link: number of the link in the robot's shape.
        point: in the link's frame, (3,) [m].
        target: in the world, (3,) [m].
        eye: from where the arm is seen, (3,) [m]; very far away for a parallel projection.

    Raises:
        ArmstepError: the first posture is no choice of its own in this scenario.
    """
    places = _posable(scenario)
    names = tuple(places)
    limits = [_limits(scenario, name) for name in names]
    now = first_state(scenario)[list(places.values())]
    lower, upper = np.minimum([low for low, _ in limits], now), np.maximum([high for _, high in limits], now)
    view, calmer = _View(eye, target), 1.0

    def seen(values: Array) -> Array:
        return view.seen(_place(scenario, names, values, link, point))

    here = seen(now)
    for _ in range(ROUNDS):
        jacobian = np.empty((3, len(names)))
        for column in range(len(names)):
            moved = now.copy()
            change = CHANGE if now[column] + CHANGE <= upper[column] else -CHANGE
            moved[column] += change
            jacobian[:, column] = (seen(moved) - here) / change
        for _ in range(ROUNDS):
            new = np.clip(now + _step(jacobian, -here, now - lower, upper - now, calmer), lower, upper)
            there = seen(new)
            if _nearer(there, here):
                break
            calmer *= CALMER
        else:
            break
        now, here, calmer = new, there, max(calmer / CALMER, 1.0)
    rounded = np.clip(now.round(4), lower, upper)
    return dict(zip(names, rounded.tolist(), strict=True))


class _View:
    """Points as they are seen: (across, up, further away) from the target [m], the first two as if at its distance."""

    def __init__(self, eye: Array, target: Array) -> None:
        self._eye, self._far = eye, float(np.linalg.norm(target - eye))
        ahead = (target - eye) / self._far
        across = np.cross(ahead, np.eye(3)[int(np.argmin(np.abs(ahead)))])
        across /= np.linalg.norm(across)
        self._axes = np.array([across, np.cross(across, ahead), ahead])

    def seen(self, place: Array) -> Array:
        across, up, ahead = self._axes @ (place - self._eye)
        scale = self._far / max(ahead, CHANGE * self._far)
        return np.array([across * scale, up * scale, ahead - self._far])


def _nearer(there: Array, here: Array) -> bool:
    """Whether a place is better than another: on the screen, or as far as that sees no difference in depth."""
    new, old = np.hypot(*there[:2]), np.hypot(*here[:2])
    return bool(new < old - CHANGE or (new < max(old, FINE) and abs(there[2]) < abs(here[2]) - CHANGE))


def _step(jacobian: Array, left: Array, below: Array, above: Array, calmer: float) -> Array:
    """How the joints go on: on the screen first, and away from the eye as far as that leaves a choice.

    A joint that would go beyond its limit stays, and the others go on without it.

    Args:
        jacobian: (3, n), rows as in `_View.seen`.
        left: what is left to go, (3,) [m].
        below, above: how far each joint is from its limits, (n,).
        calmer: factor of the damping.
    """
    free = np.ones(len(below), dtype=bool)
    for _ in range(len(below)):
        step = _free_step(jacobian * free, left, calmer)
        stuck = free & (((step < 0.0) & (below <= 0.0)) | ((step > 0.0) & (above <= 0.0)))
        if not stuck.any():
            return step
        free &= ~stuck
    return np.zeros(len(below))


def _free_step(jacobian: Array, left: Array, calmer: float) -> Array:
    screen, depth = jacobian[:2], jacobian[2]
    largest = float(np.linalg.norm(screen, 2))
    if largest == 0.0:
        return np.zeros(jacobian.shape[1])
    near = left * min(1.0, LARGEST * largest / max(float(np.linalg.norm(left)), CHANGE))
    # Far from its target an arm is stretched, and calm only with more damping.
    calm = calmer * DAMPING * largest + np.linalg.norm((left - near)[:2])
    step = screen.T @ np.linalg.solve(screen @ screen.T + calm**2 * np.eye(2), near[:2])
    _, sizes, directions = np.linalg.svd(screen)
    unseen = directions[int((sizes > SEEN * largest).sum()) :]
    away = unseen @ depth
    if len(unseen) and (length := float(away @ away)):
        calm = calmer * CALM * largest + abs(left[2] - near[2])
        step = step + unseen.T @ away * (near[2] - depth @ step) / (length + calm**2)
    return step * min(1.0, LARGEST / max(float(np.abs(step).max()), CHANGE))


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


def posture(scenario: Scenario, state: Array) -> dict[str, float]:
    """The joints' positions in a state (d,), as fields of the first posture.

    An angle beyond its slider is turned back onto it by whole turns, if there it has a place; a position that a stop
    gave way to is that of the stop.

    Raises:
        ArmstepError: the first posture is no choice of its own in this scenario.
    """
    fields, found = scenario.fields(), {}
    for name, place in _posable(scenario).items():
        value, (lower, upper) = float(state[place]), _limits(scenario, name)
        if fields[name].unit == "rad" and not lower <= value <= upper:
            turned = value - TURN * np.ceil((value - upper) / TURN)
            value = turned if turned >= lower else value
        first, last = _stops(scenario, name)
        found[name] = float(np.clip(value, max(fields[name].minimum, first), min(fields[name].maximum, last)))
    return found


def first_state(scenario: Scenario) -> Array:
    """The state with which the run begins, (d,)."""
    return robot_of(scenario).problem(scenario).initial


def _posable(scenario: Scenario) -> dict[str, int]:
    """`joints`, if there are any."""
    places = joints(scenario)
    if not places:
        raise ArmstepError(f"{robot_of(scenario).title}: the first posture of this arm cannot be set with the mouse.")
    return places


def _limits(scenario: Scenario, name: str) -> tuple[float, float]:
    field, (first, last) = scenario.fields()[name], _stops(scenario, name)
    lower, upper = field.slider or (field.minimum, field.maximum)
    return max(lower, first), min(upper, last)


def _stops(scenario: Scenario, name: str) -> tuple[float, float]:
    """Between which positions the stops of a joint are; without any, everywhere."""
    stops = robot_of(scenario).stops(scenario)
    ends = {} if stops is None else dict(zip(stops.numbers, zip(stops.low, stops.high, strict=True), strict=True))
    return next((end for number, end in ends.items() if name == f"initial.q{number}"), (-np.inf, np.inf))


def _place(scenario: Scenario, names: tuple[str, ...], values: Array, link: int, point: Array) -> Array:
    changed = scenario.with_values({name: float(value) for name, value in zip(names, values, strict=True)})
    frame = robot_of(changed).poses(changed, np.zeros(1), first_state(changed)[None, :])[0, link]
    return frame[:3, :3] @ point + frame[:3, 3]
