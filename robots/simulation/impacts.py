"""Motion between hard stops: impacts as events, the impulse of each, and joints that rest against a stop.

An impact changes the rates at once: the stop's impulse acts on its joint alone, and the joint's own rate becomes
-restitution times what it was; joints that rest against a stop stay there, if the impulse presses them to it. When a
joint would bounce less high than `REST`, it comes to rest: until the stop would have to pull, its motor's rotor is
given so much inertia that nothing moves it.

Source: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts (1996), for Newton's impact law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from assets.counting import counted
from robots.model.robot import Array, Robot
from solvers.events import Event
from solvers.status import Status

if TYPE_CHECKING:
    from robots.dynamics.stops import Stops
    from robots.model.setup import Setup
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

REST = 1e-9
"""A joint that would bounce less high comes to rest [rad or m]."""

TOUCHING = 1e-9
"""A joint this close to a stop touches it [rad or m]."""

MOST_IMPACTS = 1000
INNER = 3
"""At so many instants inside a step it is checked whether a joint is beyond a stop."""

_MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Impact:
    """A joint meets its stop.

    Attributes:
        t: when [s].
        joint: its place in the state.
        side: +1 for the upper stop, -1 for the lower.
        rate: of the joint before, towards the stop, above 0 [rad/s or m/s].
        rests: whether the joint stays there.
    """

    t: float
    joint: int
    side: int
    rate: float
    rests: bool = False


Pose = Callable[[Array, tuple[int, ...]], "OdeProblem | None"]
"""The equations from a state on, with some joints at rest; None where the robot cannot have any."""

Solve = Callable[["OdeProblem", list[Event]], "Solution"]
"""The solution of a problem up to the first of some events, or to its end."""


@dataclass(slots=True, eq=False)
class Contacts:
    """Which joints rest against which stops (+1, -1), while a run goes on."""

    stops: Stops
    resting: dict[int, int] = field(default_factory=dict)
    left: int = field(default_factory=lambda: MOST_IMPACTS)

    @classmethod
    def of(cls, robot: Robot, scenario: Setup, earlier: Contacts | None, located: bool = False) -> Contacts | None:
        """Those of a scenario after the contacts of an `earlier` one; None without stops.

        Impacts are located if the scenario says so, or `located`.
        """
        stops = robot.stops(scenario)
        if stops is None:
            return None
        stops = replace(stops, located=True) if located else stops
        found = cls(stops)
        if earlier is not None:
            found.resting, found.left = earlier.resting, earlier.left
        return found

    def begin(self, t: float, y: Array, pose: Pose, freed: int | None = None) -> tuple[Array, list[Impact]]:
        """The state after all that happens at (t, y), and the impacts.

        Args:
            t, y: when, and the state, (2 n,).
            pose: the equations from there on.
            freed: the joint that its stop has just let go.
        """
        y, found = np.array(y, dtype=float), list[Impact]()
        if freed is not None:
            del self.resting[freed]
        for joint in list(self.resting):
            # What presses it may have changed.
            if self._press(joint, pose)(t, y) < 0.0:
                del self.resting[joint]
                freed = joint
        while (hit := self._hit(y)) is not None and len(found) < _MOST_AT_ONCE:
            joint, side = hit
            rate = side * y[len(y) // 2 + joint]
            self._bounce(y, joint, self.stops.restitution)
            found.append(Impact(t, joint, side, float(rate)))
        for joint, side in self._touching(y):
            if joint not in self.resting and joint != freed and self._stays(t, y, joint, side, pose):
                self._bounce(y, joint, 0.0)
                y[len(y) // 2 + joint] = 0.0
                self.resting[joint] = side
                found = [replace(one, rests=one.rests or one.joint == joint) for one in found]
        self.left -= len(found)
        return y, found

    def events(self, pose: Pose) -> list[Event]:
        """What ends the motion: a joint meets a stop or, last in the list, one in `resting` leaves it."""
        n, events = len(self.stops.low), list[Event]()
        for joint in range(n):
            for side, end in ((1, self.stops.high[joint]), (-1, self.stops.low[joint])):
                if np.isfinite(end) and joint not in self.resting:
                    events.append(self._meeting(joint, side, float(end), n))
        for joint in self.resting:
            events.append(Event("a joint leaves its stop", self._press(joint, pose), True, -1))
        return events

    def freed_by(self, solution: Solution, events: Sequence[Event]) -> int | None:
        """The joint that its stop let go at the end of a solution, if one of the `events` says that it ended so."""
        meetings = len(events) - len(self.resting)
        last = solution.events[-1].number - meetings if solution.events else -1
        return list(self.resting)[last] if last >= 0 else None

    def _meeting(self, joint: int, side: int, end: float, n: int) -> Event:
        if self.stops.located:
            return Event("impact", lambda t, y: side * (y[joint] - end), True, 1, inner=INNER)

        def beyond(t: float, y: Array) -> float:
            return 1.0 if side * (y[joint] - end) >= 0.0 and side * y[n + joint] > 0.0 else -1.0

        return Event("impact", beyond, True, 1, located=False)

    def _press(self, joint: int, pose: Pose) -> Callable[[float, Array], float]:
        """How strongly a resting joint would move into its stop without it [rad/s2]; below 0 it leaves."""
        side, others = self.resting[joint], tuple(other for other in self.resting if other != joint)
        problem: OdeProblem | None = None

        def press(t: float, y: Array) -> float:
            nonlocal problem
            problem = problem or pose(y, others)
            return side * acceleration(problem, t, y, joint) if problem else 1.0

        return press

    def _touching(self, y: Array) -> Iterator[tuple[int, int]]:
        """The joints at or beyond a stop, and which."""
        for joint, (low, high) in enumerate(zip(self.stops.low, self.stops.high, strict=True)):
            for side, end in ((1, high), (-1, low)):
                if side * (y[joint] - end) >= -TOUCHING:
                    yield joint, side

    def _hit(self, y: Array) -> tuple[int, int] | None:
        """A joint that moves into a stop, which it touches."""
        n = len(y) // 2
        for joint, side in self._touching(y):
            if joint not in self.resting and side * y[n + joint] > 0.0:
                if self.stops.located:
                    y[joint] = self.stops.high[joint] if side > 0 else self.stops.low[joint]
                return joint, side
        return None

    def _stays(self, t: float, y: Array, joint: int, side: int, pose: Pose) -> bool:
        """Whether a joint that touches its stop would bounce no higher than `REST`."""
        problem = pose(y, tuple(self.resting))
        if problem is None or pose(y, (*self.resting, joint)) is None:
            return False
        push, rate = side * acceleration(problem, t, y, joint), y[len(y) // 2 + joint]
        return self.stops.located and push > 0.0 and rate * rate < 2.0 * REST * push

    def _bounce(self, y: Array, joint: int, restitution: float) -> None:
        """Change the rates in `y` by the impulses of the stops of `joint` and of the joints that rest."""
        n = len(y) // 2
        spread = np.linalg.inv(inertia(self.stops, y))
        holding = list(self.resting)
        while True:
            struck = [joint, *holding]
            wanted = np.zeros(len(struck))
            wanted[0] = -(1.0 + restitution) * y[n + joint]
            impulses = np.linalg.solve(spread[np.ix_(struck, struck)], wanted)
            pulls = [k for k, impulse in zip(holding, impulses[1:], strict=True) if impulse * self.resting[k] > 0.0]
            if not pulls:
                break
            holding = [k for k in holding if k not in pulls]
            for k in pulls:
                del self.resting[k]
        after = -restitution * y[n + joint]
        y[n:] += spread[:, struck] @ impulses
        y[n + joint] = after
        for k in holding:
            y[n + k] = 0.0


def acceleration(problem: OdeProblem, t: float, y: Array, joint: int) -> float:
    """Of one joint at (t, y) [rad/s2 or m/s2]."""
    slope = np.empty(len(y))
    problem.rhs(t, np.array(y, dtype=float), np.array(problem.params, dtype=float), slope)
    return float(slope[len(y) // 2 + joint])


def inertia(stops: Stops, y: Array) -> Array:
    """The inertia matrix, (n, n), in the posture of `y`: the kinetic energy is a quadratic form of the rates."""
    n = len(y) // 2
    unit = np.eye(n)
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    rates = np.array([unit[i] + (i != j) * unit[j] for i, j in pairs])
    states = np.hstack([np.tile(y[:n], (len(pairs), 1)), rates])
    twice = 2.0 * stops.kinetic(states)
    M = np.zeros((n, n))
    for (i, j), value in zip(pairs, twice, strict=True):
        M[i, j] = value
    own = np.diag(M).copy()
    upper = np.triu(M - own[:, np.newaxis] - own[np.newaxis, :], 1) / 2.0
    return upper + upper.T + np.diag(own)


def arcs(
    contacts: Contacts,
    problem: OdeProblem,
    pose: Callable[[float, Array, tuple[int, ...]], OdeProblem | None],
    solve: Solve,
) -> Iterator[tuple[OdeProblem, Solution, list[Impact]]]:
    """The motion from one impact to the next: each problem, its solution and the impacts at its start.

    Args:
        contacts: what rests where; it goes with the motion.
        problem: the whole span, with the state at its start.
        pose: the equations from a time and a state on, with some joints at rest.
        solve: see `Solve`.
    """
    start, state, freed = problem.t0, problem.initial, None
    while True:

        def here(y: Array, joints: tuple[int, ...], t: float = start) -> OdeProblem | None:
            return pose(t, y, joints)

        state, impacts = contacts.begin(start, state, here, freed)
        posed = here(state, tuple(contacts.resting)) or problem
        events = contacts.events(here)
        solution = solve(posed, events)
        last = problem.t1 - solution.t_end <= 1e-12 * max(1.0, abs(problem.t1))
        if contacts.left <= 0 and solution.status.ok and not last:
            said = f"Stopped at t = {solution.t_end:.6g} s after {MOST_IMPACTS} impacts on the joint stops."
            solution = replace(solution, status=Status.TOO_MANY_STEPS, outcome=said)
        yield posed, solution, impacts
        if last or not solution.status.ok:
            return
        start, state, freed = solution.t_end, solution.final, contacts.freed_by(solution, events)


def described(impacts: Sequence[Impact], names: Sequence[int | str]) -> str:
    """A sentence that says how often the joints met their stops; empty if never."""
    if not impacts:
        return ""
    resting = [one for one in impacts if one.rests]
    said = f"{counted(len(impacts), 'impact')} on the joint stops."
    if not resting:
        return said
    first = resting[0]
    name = str(names[first.joint]).removeprefix("joint ")
    return f"{said} Joint {name} comes to rest against its stop at t = {first.t:.4g} s."
