"""Events: moments at which a function of the state passes through zero."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solvers.problem import Array

_HALVES = 32
_ZOOMS, _ACROSS = 4, 17


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A root of function(t, y), or of one of several.

    Attributes:
        name: what happened, for messages.
        function: of the time and the state (d,); a number, or several, (k,), of which any passes through zero.
        terminal: the integration ends when this has happened that many times; 0 is never, True the first time.
        direction: +1 only where the function rises, -1 only where it falls, 0 both.
        at_start: whether a zero at t0 counts, or lies in the past.
        inner: at how many instants inside a step its sign is looked at, too; the first step of a run has some close to
            its start, for roots that follow a zero there at once.
        located: whether the root is found on the dense output, or the event happens at the end of its step.
        of_many: whether the function also takes many times (n,) and states (n, d), and gives (n, k).
        passable: whether the equations hold beyond a terminal event, too, so that it may be noticed some steps late.
    """

    name: str
    function: Callable[[Any, Array], float | Array]
    terminal: int = 0
    direction: float = 0
    at_start: bool = False
    inner: int = 0
    located: bool = True
    passable: bool = False
    of_many: bool = False


def find_roots(
    event: Event, t: Array, y: Array, sample: Callable[[Array], Array], first: bool = False
) -> list[tuple[float, Array]]:
    """Where `event` happens between states: at most one root of each function per step, on the dense output.

    Args:
        event: what to look for.
        t, y: the states, (n,) and (n, d).
        sample: the dense output.
        first: whether t[0] is the start of the run.
    """
    values = _values(event, t, y)
    happens = crosses(values[:-1], values[1:], event.direction)
    if first and event.at_start:
        happens[0] |= (values[0] == 0.0) & (values[1] * event.direction >= 0.0)
    if not event.located:
        return [(float(t[n + 1]), y[n + 1].copy()) for n in np.flatnonzero(happens.any(axis=1))]
    return [
        (float(t[n]), y[n].copy())
        if values[n, k] == 0.0
        else _refine(event, k, t[n : n + 2], values[n : n + 2, k], sample)
        for k, n in np.argwhere(happens.T).tolist()
    ]


class Trajectory(NamedTuple):
    """Known states: times (n,) [s], which may go backwards, states (n, d), and the dense output, (m,) to (m, d)."""

    t: Array
    y: Array
    sample: Callable[[Array], Array]

    def some(self, most: int) -> Trajectory:
        """About so many of its states, evenly spaced, and the last one."""
        rows = np.unique(np.append(np.arange(0, len(self.t), -(-len(self.t) // most)), len(self.t) - 1))
        return Trajectory(self.t[rows], self.y[rows], self.sample)

    def first_above(self, function: Callable[[Array, Array], Array]) -> tuple[float, int] | None:
        """When the first of several functions rises above zero, on the dense output [s], and which; None if none does.

        Args:
            function: of the times (n,) and the states (n, d): (n, k).
        """
        above = function(self.t, self.y) > 0.0
        if not above.any():
            return None
        row = int(np.argmax(above.any(axis=1)))
        before = max(row - 1, 0)
        (known, states), found = (part[before : row + 1] for part in (self.t, self.y)), list[tuple[float, int]]()
        for k in np.flatnonzero(above[row]).tolist():
            event = Event("", lambda t, y, k=k: function(np.array([t]), y[np.newaxis])[0, k], direction=1)
            roots = find_roots(event, known, states, self.sample)
            found.append((roots[0][0] if roots else float(known[0]), k))
        return found[0] if len(found) == 1 else min(found, key=lambda one: abs(one[0] - self.t[0]))

    def with_peak(self, function: Callable[[Array, Array], Array]) -> Trajectory:
        """With one more state: where a function of times (n,) and states (n, d), (n,), is largest near its largest."""
        if len(self.t) < 2:
            return self
        row = int(np.argmax(function(self.t, self.y)))
        first, last = self.t[max(row - 1, 0)], self.t[min(row + 1, len(self.t) - 1)]
        when = self.t[row]
        for _ in range(_ZOOMS):
            times = np.linspace(first, last, _ACROSS)
            k = int(np.argmax(function(times, self.sample(times))))
            when, first, last = times[k], times[max(k - 1, 0)], times[min(k + 1, _ACROSS - 1)]
        place = int(np.searchsorted(self.t, when, side="right"))
        state = self.sample(np.array([when]))[0]
        return Trajectory(np.insert(self.t, place, when), np.insert(self.y, place, state, axis=0), self.sample)


def _values(event: Event, t: Array, y: Array) -> Array:
    """The event's functions at the times (n,) and states (n, d): (n, k)."""
    if event.of_many:
        return np.asarray(event.function(t, y), dtype=float)
    rows = [event.function(time, state) for time, state in zip(t.tolist(), y, strict=True)]
    return np.array(rows, dtype=float).reshape(len(t), -1)


def with_inner(count: int, t: Array, y: Array, sample: Callable[[Array], Array], first: bool) -> tuple[Array, Array]:
    """The states with `count` more in each step; in the first step of a run also at halves of halves from its start."""
    shares = np.arange(1, count + 1) / (count + 1.0)
    inside = [(t[:-1, np.newaxis] + shares * np.diff(t)[:, np.newaxis]).ravel()]
    if first:
        inside.append(t[0] + (t[1] - t[0]) * shares[0] * 0.5 ** np.arange(1.0, _HALVES))
    times = np.concatenate(inside)
    times, states = np.concatenate([t, times]), np.vstack([y, sample(times)])
    order = np.argsort(times if t[-1] >= t[0] else -times, kind="stable")
    return times[order], states[order]


def crosses(before: Array, after: Array, direction: float) -> np.ndarray:
    """Whether a value passes through zero; one that starts at zero has already passed."""
    rises, falls = (before < 0) & (after >= 0), (before > 0) & (after <= 0)
    return rises if direction > 0 else falls if direction < 0 else rises | falls


def _refine(event: Event, k: int, t: Array, values: Array, sample: Callable[[Array], Array]) -> tuple[float, Array]:
    """The root between two times (2,) with values (2,) of different sign, and the state; at a jump, just after it.

    The event's function number `k` has these values.

    Source: I. F. D. Oliveira, R. H. C. Takahashi, An enhancement of the bisection method average performance preserving
    minmax optimality, ACM Trans. Math. Software 47 (2020), with n0 = 1, kappa1 = 0.2 / (b - a), kappa2 = 2.
    """

    def at(t: float) -> float:
        return float(np.ravel(event.function(t, sample(np.array([t]))[0]))[k])

    (a, b), (below, above) = t.tolist(), values.tolist()
    whole, sign = abs(b - a), math.copysign(1.0, below)
    tolerance = 1e-15 * max(1.0, abs(a), abs(b))
    reach = 0.5 * tolerance * 2.0 ** (1 + max(0, math.ceil(math.log2(whole / tolerance))))
    while abs(b - a) > tolerance:
        middle = 0.5 * (a + b)
        chord = (above * a - below * b) / (above - below)
        # Closer to the middle than the chord's root, so that both ends close in.
        aside = math.copysign(0.2 * (b - a) ** 2 / whole, middle - chord)
        guess = chord + aside if abs(aside) <= abs(middle - chord) else middle
        free = reach - 0.5 * abs(b - a)
        if not abs(guess - middle) <= free:
            guess = middle - math.copysign(free, middle - chord) if math.isfinite(chord) else middle
        margin = math.copysign(0.5 * tolerance, b - a)
        guess = a + margin if (guess - a) / margin < 1.0 else b - margin if (b - guess) / margin < 1.0 else guess
        value = at(guess)
        if value * sign > 0.0:
            a, below = guess, value
        else:
            b, above = guess, value
        reach *= 0.5
    last = b - above * (b - a) / (above - below)
    root = min(
        (b, a, last if math.isfinite(last) else a), key=lambda t: abs(above if t == b else below if t == a else at(t))
    )
    return root, sample(np.array([root]))[0]
