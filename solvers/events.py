"""Events: moments at which a function of the state passes through zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.problem import Array


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A root of function(t, y).

    Attributes:
        name: what happened, for messages.
        function: of the time and the state (d,).
        terminal: whether the integration ends there.
        direction: +1 only where the function rises, -1 only where it falls, 0 both.
    """

    name: str
    function: Callable[[float, Array], float]
    terminal: bool = False
    direction: int = 0


POINTS = 17


def find_roots(event: Event, t: Array, y: Array, sample: Callable[[Array], Array]) -> list[tuple[float, Array]]:
    """Where `event` happens between the states t (n,), y (n, d): at most one root per step, on the dense output."""
    values = np.array([event.function(time, state) for time, state in zip(t.tolist(), y, strict=True)])
    return [
        _refine(event, t[n], t[n + 1], values[n], sample)
        for n in np.flatnonzero(crosses(values[:-1], values[1:], event.direction))
    ]


def crosses(before: Array, after: Array, direction: int) -> np.ndarray:
    """Whether a value passes through zero; one that starts at zero has passed before."""
    rises, falls = (before < 0) & (after >= 0), (before > 0) & (after <= 0)
    return rises if direction > 0 else falls if direction < 0 else rises | falls


def _refine(
    event: Event, start: float, end: float, value: float, sample: Callable[[Array], Array]
) -> tuple[float, Array]:
    """The root between two times: each round looks at a finer grid around the change of sign."""
    sign = np.sign(value)
    while True:
        times = np.linspace(start, end, POINTS)
        states = sample(times)
        signs = np.array(
            [np.sign(event.function(time, state)) for time, state in zip(times.tolist(), states, strict=True)]
        )
        after = np.flatnonzero(signs != sign)
        n = int(after[0]) if len(after) else POINTS - 1
        if n == 0 or abs(times[n] - times[n - 1]) <= 1e-15 * max(1.0, abs(times[n])):
            return float(times[n]), states[n]
        start, end = times[n - 1], times[n]
