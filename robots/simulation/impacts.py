"""Motion between hard stops: impacts as events, the impulse of each, and joints that rest against a stop.

An impact changes the rates at once: a stop's impulse acts on its joint alone, and the joint's own rate becomes
-restitution times what it was; joints that rest against a stop stay there, if the impulse presses them to it. When a
joint would bounce less high than `REST`, it comes to rest if its stop has to hold it: all stops are asked together,
since one joint at rest may press another. Until the stop would have to pull, its motor's rotor is given so much inertia
that nothing moves it.

Source: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts (1996), for Newton's impact law.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

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
"""At how many instants inside a step it is checked whether a joint is beyond a stop."""

_MOST_AT_ONCE, _MOST_EXCHANGES = 50, 1000


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
    """Which joints rest against which stops (+1, -1), and the impacts last seen, while a run goes on."""

    stops: Stops
    resting: dict[int, int] = field(default_factory=dict)
    latest: list[Impact] = field(default_factory=list)
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
            y[len(y) // 2 + freed] = 0.0
        touching = self._touching(y)
        n = len(y) // 2
        while (hits := self._hits(y, touching)) and len(found) < _MOST_AT_ONCE:
            found += [Impact(t, joint, side, float(side * y[n + joint])) for joint, side in hits.items()]
            self._bounce(y, hits)
        slow = self._slow(t, y, {joint: touching[joint] for joint in touching if joint != freed}, pose)
        if slow or self.resting:
            # What presses a joint that rests may have changed.
            rests = self._pressed(t, y, self.resting | slow, pose)
            if new := {joint: side for joint, side in rests.items() if joint not in self.resting}:
                _stop(y, list(rests), inertia(self.stops, y))
                found = [replace(one, rests=one.rests or one.joint in new) for one in found]
            self.resting = rests
        self.left -= len(found)
        return y, found

    def events(self, pose: Pose) -> list[Event]:
        """What ends the motion: a joint meets a stop, and last in the list those in `resting` leave theirs."""
        joints = [joint for joint in range(len(self.stops.low)) if joint not in self.resting]
        meetings = [self._meeting(np.array(joints))] if joints else []
        leave = partial(Event, "a joint leaves its stop", terminal=True, direction=-1, passable=True)
        leaves = [leave(self._press(joint, pose)) for joint in self.resting]
        return meetings + leaves

    def freed_by(self, solution: Solution, events: Sequence[Event]) -> int | None:
        """The joint that its stop let go at the end of a solution, if one of the `events` says that it ended so."""
        meetings = len(events) - len(self.resting)
        last = solution.events[-1].number - meetings if solution.events else -1
        return list(self.resting)[last] if last >= 0 else None

    def _meeting(self, joints: NDArray[np.int64]) -> Event:
        """That one of these joints meets one of its stops."""
        n, high, low = len(self.stops.low), self.stops.high[joints], self.stops.low[joints]

        def gone(t: float, y: Array) -> Array:
            return np.concatenate([y[..., joints] - high, low - y[..., joints]], axis=-1)

        def beyond(t: float, y: Array) -> Array:
            into = np.concatenate([y[..., n + joints], -y[..., n + joints]], axis=-1)
            return np.where((gone(t, y) >= 0.0) & (into > 0.0), 1.0, -1.0)

        if self.stops.located:
            return Event("impact", gone, True, 1, inner=INNER, passable=True, of_many=True)
        return Event("impact", beyond, True, 1, located=False, passable=True, of_many=True)

    def _press(self, joint: int, pose: Pose) -> Callable[[float, Array], float]:
        """How strongly a resting joint would move into its stop without it [rad/s2]; below 0 it leaves."""
        side, others = self.resting[joint], tuple(other for other in self.resting if other != joint)
        problem: OdeProblem | None = None

        def press(t: float, y: Array) -> float:
            nonlocal problem
            problem = problem or pose(y, others)
            return side * accelerations(problem, t, y)[joint] if problem else 1.0

        return press

    def _touching(self, y: Array) -> dict[int, int]:
        """The joints at or beyond a stop, and which; where impacts are located, `y` is put there."""
        found = {}
        for side, ends in ((1, self.stops.high), (-1, self.stops.low)):
            for joint in np.flatnonzero(side * (y[: len(ends)] - ends) >= -TOUCHING).tolist():
                found[joint] = side
                if self.stops.located and side * y[len(ends) + joint] > 0.0:
                    y[joint] = ends[joint]
        return dict(sorted(found.items()))

    def _hits(self, y: Array, touching: dict[int, int]) -> dict[int, int]:
        """Those that move into their stops."""
        n = len(y) // 2
        return {
            joint: side for joint, side in touching.items() if joint not in self.resting and side * y[n + joint] > 0.0
        }

    def _slow(self, t: float, y: Array, touching: dict[int, int], pose: Pose) -> dict[int, int]:
        """Those that touch their stops and would bounce no higher than `REST`, with or without the others at rest."""
        touching = {joint: side for joint, side in touching.items() if joint not in self.resting}
        if not touching or not self.stops.located or pose(y, tuple(touching)) is None:
            return {}
        n, all_rest = len(y) // 2, (*self.resting, *touching)
        found = {}
        for joint, side in touching.items():
            others = {tuple(self.resting), tuple(other for other in all_rest if other != joint)}
            push = max(side * accelerations(pose(y, one), t, y)[joint] for one in others)
            if push > 0.0 and y[n + joint] ** 2 < 2.0 * REST * push:
                found[joint] = side
        return found

    def _pressed(self, t: float, y: Array, joints: dict[int, int], pose: Pose) -> dict[int, int]:
        """Those of some joints that their stops have to hold: they push, and no other joint moves into its stop."""
        side = np.array(list(joints.values()), dtype=float)
        at = list(joints)
        spread = np.linalg.inv(inertia(self.stops, y))[np.ix_(at, at)] * np.outer(side, side)
        free = side * accelerations(pose(y, ()), t, y)[at]
        holds = complementary(spread, free, [joint in self.resting for joint in at])
        return {joint: joints[joint] for joint, held in zip(at, holds, strict=True) if held}

    def _bounce(self, y: Array, hits: dict[int, int]) -> None:
        """Change the rates in `y` by the impulses of the stops of joints that hit them, and of those that rest."""
        n, contacts = len(y) // 2, hits | self.resting
        at, side = list(contacts), np.array(list(contacts.values()), dtype=float)
        spread = np.linalg.inv(inertia(self.stops, y))
        wanted = np.array([-(1.0 + self.stops.restitution) * y[n + joint] * (joint in hits) for joint in at])
        leaves = spread[np.ix_(at, at)] * np.outer(side, side)
        acts = complementary(leaves, -side * wanted, [True] * len(at))
        struck = [joint for joint, pushes in zip(at, acts, strict=True) if pushes]
        after = {joint: -self.stops.restitution * y[n + joint] if joint in hits else 0.0 for joint in struck}
        y[n:] += spread[:, struck] @ np.linalg.solve(spread[np.ix_(struck, struck)], wanted[acts])
        for joint, one in contacts.items():
            # One that is let go moves away from its stop, up to round-off.
            y[n + joint] = after.get(joint, one * min(0.0, one * y[n + joint]))
        self.resting = {joint: one for joint, one in self.resting.items() if joint in after}


def _stop(y: Array, joints: list[int], M: Array) -> None:
    """Bring joints to rest, as impulses at them alone would."""
    n = len(y) // 2
    spread = np.linalg.inv(M)
    y[n:] -= spread[:, joints] @ np.linalg.solve(spread[np.ix_(joints, joints)], y[n:][joints])
    y[n:][joints] = 0.0


def complementary(A: NDArray[np.floating], b: NDArray[np.floating], guess: Sequence[bool]) -> NDArray[np.bool_]:
    """Which stops push so that A f >= b, f >= 0, and each stop does one of the two with equality, (k,).

    Args:
        A: how strongly the joints leave their stops by a unit force of each, (k, k), positive definite.
        b: how strongly they must be driven away, (k,).
        guess: which push, to begin with.

    Source: K. G. Murty, Note on a Bard-type scheme for solving the complementarity problem, Opsearch 11 (1974).
    """
    pushes = np.array(guess, dtype=bool)
    for _ in range(_MOST_EXCHANGES):
        force = np.zeros(len(b))
        force[pushes] = np.linalg.solve(A[np.ix_(pushes, pushes)], b[pushes])
        wrong = np.flatnonzero(np.where(pushes, force < 0.0, A @ force < b))
        if not len(wrong):
            break
        pushes[wrong[0]] ^= True
    return pushes


def accelerations(problem: OdeProblem | None, t: float, y: Array) -> Array:
    """Of the joints at (t, y), (n,) [rad/s2 or m/s2]."""
    assert problem is not None
    slope = np.empty(len(y))
    problem.rhs(t, np.array(y, dtype=float), np.array(problem.params, dtype=float), slope)
    return slope[len(y) // 2 :]


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

        state, contacts.latest = contacts.begin(start, state, here, freed)
        posed = here(state, tuple(contacts.resting)) or problem
        events = contacts.events(here)
        solution = solve(posed, events)
        last = problem.t1 - solution.t_end <= 1e-12 * max(1.0, abs(problem.t1))
        if contacts.left <= 0 and solution.status.ok and not last:
            said = f"Stopped at t = {solution.t_end:.6g} s after {MOST_IMPACTS} impacts on the joint stops."
            solution = replace(solution, status=Status.TOO_MANY_STEPS, outcome=said)
        yield posed, solution, contacts.latest
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
