"""Finding the kept step that a time lies in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.problem import Array


@dataclass(frozen=True, slots=True, eq=False)
class KeptSteps:
    """The steps that a run has kept.

    Attributes:
        t, y: the times, (n,) [s], and the states, (n, d).
        substeps: how many steps of the run lead from one to the next: 1 if all are kept.
    """

    t: Array
    y: Array
    substeps: int = 1


def last_before(t: Array, times: Array) -> np.ndarray:
    """The index of the last kept state that is not after each time, (m,); -1 before the first. `t` rises or falls."""
    if t[-1] >= t[0]:
        return np.searchsorted(t, times, side="right") - 1
    return np.searchsorted(-t, -times, side="right") - 1


def locate(t: Array, times: Array, breaks: Sequence[float]) -> tuple[np.ndarray, Array]:
    """The index of the kept step before each time, (m,), and the latest time at which each step may evaluate f, (n,).

    `t` (n,) rises or falls; a time equal to a kept one gets its index.
    """
    index = np.clip(last_before(t, times), 0, len(t) - 1).astype(np.int64)
    return index, ceilings(t, breaks, t[-1] >= t[0])


def ceilings(t: Array, breaks: Sequence[float], rising: bool) -> Array:
    """For the step that begins at each t (n,), the last number before the next break, or inf."""
    if not len(breaks):
        return np.full(len(t), np.inf)
    edges = np.append(np.sort(np.asarray(breaks, dtype=float)), np.inf)
    following = edges[np.searchsorted(edges, t, side="right" if rising else "left").clip(max=len(edges) - 1)]
    return np.where(np.isinf(following), np.inf, np.nextafter(following, -np.inf))


def through_states(t: Array, y: Array, first: np.ndarray, count: int, times: Array) -> Array:
    """The polynomial through `count` kept states, in Lagrange's form, at each of `times` (m,): (m, d).

    Args:
        t, y: the kept states, (n,) and (n, d).
        first: the first of the states for each time, (m,).
    """
    out = np.zeros((len(times), y.shape[1]))
    for j in range(count):
        weight = np.ones(len(times))
        for m in range(count):
            if m != j:
                weight *= (times - t[first + m]) / (t[first + j] - t[first + m])
        out += weight[:, np.newaxis] * y[first + j]
    return out


def steps_to(times: Array, kept: KeptSteps, breaks: Sequence[float]) -> tuple[Array, Array]:
    """The kept state before each time, (m, d), and the steps from there to the time.

    Args:
        times, kept: see `Method.sample`.
        breaks: times where f jumps.

    Returns:
        The states, as a copy, and the steps as the kernels take them: rows of (begin, length, the latest time at which
        f may be evaluated, index of the time it leads to). There is no step to a kept state.
    """
    t = kept.t
    interval, latest = locate(t, times, breaks)
    start = t[interval]
    whole, wanted = (t[np.minimum(interval + 1, len(t) - 1)] - start) / kept.substeps, times - start
    of, part, lengths = np.arange(len(times)), 0, wanted
    if kept.substeps > 1:
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(wanted == 0.0, 0.0, np.floor(wanted / whole * (1.0 + 1e-13))).astype(np.int64)
        of = np.repeat(of, parts + 1)
        part = np.arange(len(of)) - np.repeat(np.cumsum(parts + 1) - parts - 1, parts + 1)
        lengths = np.where(part < parts[of], whole[of], wanted[of] - parts[of] * whole[of])
    # What remains after the last whole step may be only round-off.
    worth = np.abs(lengths) > 1e-14 * np.abs(whole[of])
    steps = np.stack([start[of] + part * whole[of], lengths, latest[interval[of]], of.astype(np.float64)], axis=1)
    return kept.y[interval], steps[worth]
