"""What a run's steps do to the arm's modes: how fast one grows that should not, and the longest step without that."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robots.model.robot import Array
from robots.simulation.linearisation import nominal_step

if TYPE_CHECKING:
    from robots.simulation.phases import Phase
    from solvers.tableaux.stability import Stability

Complex = NDArray[np.complex128]

GROWS = 1e-9
"""A factor above 1 by less than this is no growth."""

BEYOND = 1e6
"""Growth per step is not distinguished beyond this."""

HARMED, SPOILT = 1.1, 2.0
"""A method that lengthens a mode by more than this over the whole run harms it: it is unstable though the motion may
stay bounded. Beyond the second factor the run is no motion of the arm any more.
"""

REFINED, BETWEEN = 3, 4
"""How often, and at how many more instants, the shortest limit of a run is looked for between its neighbours."""

JUMP, HALVED, AT_ONCE = math.log(3.0), 6, 4
"""Between instants at which the limit differs by this factor there is another one: so many times, at so many places."""

REACHED, STAYED = 0.95, 1.1
"""Steps come up to the limit if a fifth of them are above this share of it, and stay there if a fifth are below that.

Both are measured: over 9 motions, 5 methods and tolerances by half decades, 360 of 367 runs that they call stiff take
about as many steps at other tolerances; the rest lie where the stability's reign ends.
"""

AROUND, FIFTH, FEWEST = 10, 0.2, 4
"""So many steps on each side of an instant are looked at, and so many of the last instants show that a run is stiff."""

_RAY = np.linspace(0.02, 1.0, 100)
_HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class StepStability:
    """The steps of a run against the stability region of its method, at some instants of the run.

    Modes that the exact solution lets grow are left out: a method is right to let them grow.

    Attributes:
        t: the instants, (m,) [s].
        step: the step there, (m,) [s].
        growth: by how much one step lengthens the mode that it lengthens most, (m,); at most 1 in a stable run.
        longest: the longest step that lengthens none, (m,) [s]; inf where there is no limit, 0 where every step does.
        controlled: whether an error estimate chooses the step, (m,): it rejects what a mode beyond the limit adds.
        spread: the steps around it that a fifth are below, and that a fifth are above, (m, 2) [s].
        beyond: the growth of a step that is `STAYED` times as long as the limit, (m,).
        method: the key of the method that makes the step, (m,).
    """

    t: Array
    step: Array
    growth: Array
    longest: Array
    controlled: NDArray[np.bool_]
    spread: Array
    beyond: Array
    method: NDArray[np.str_]

    @property
    def gathered(self) -> float:
        """The growth per fixed step, gathered over all of the run; at least 1, and inf beyond all numbers."""
        size = float(self._sizes[-1])
        return math.exp(size) if size < 700.0 else math.inf

    @property
    def spoilt(self) -> bool:
        """Whether the growth of a mode has done harm to the run."""
        return self.gathered > HARMED

    @property
    def sound(self) -> int:
        """At how many instants the run still was a motion of the arm, its first one always among them."""
        return max(1, int(np.count_nonzero(self._sizes <= math.log(SPOILT))))

    @property
    def ruin(self) -> float:
        """From when on the run is no motion of the arm any longer [s]; infinite if it always is one."""
        return float(self.t[self.sound]) if self.sound < len(self.t) else math.inf

    @property
    def least(self) -> float:
        """The shortest of the limits that are known along the sound part of the run [s]."""
        return float(np.fmin.reduce(self.longest[: self.sound], initial=np.inf))

    def of_method(self, key: str) -> StepStability:
        """The same with the limits of one method alone: those of others are unknown, nan."""
        return replace(self, longest=np.where(self.method == key, self.longest, np.nan))

    @property
    def _sizes(self) -> Array:
        """The logarithm of the growth gathered up to each instant.

        Between two instants each step grows by the less of theirs: what grows at one of them alone, as where an arm
        passes a singularity, does no lasting harm.
        """
        grown = np.log(np.where(self.controlled, 1.0, np.clip(self.growth, 1.0, BEYOND)))
        between = np.minimum(grown[1:], grown[:-1]) * np.diff(self.t) / np.minimum(self.step[1:], self.step[:-1])
        return np.append(0.0, np.cumsum(between)) if grown.size > 1 else grown

    def between(self, times: Array) -> NDArray[np.int64]:
        """Of the `times` of a run, indices of some around each method's shortest limit, if anything limits it."""
        last, found = self.sound - 1, [np.zeros(0, dtype=np.int64)]
        for key in np.unique(self.method[: self.sound]):
            limits = np.where(self.method == key, self.longest, np.inf)[: self.sound]
            k = int(np.argmin(limits))
            if 0.0 < limits[k] < math.inf:
                first, end = np.searchsorted(times, (self.t[max(k - 1, 0)], self.t[min(k + 1, last)]))
                found.append(np.linspace(first, end, BETWEEN + 2).round().astype(np.int64))
        rows = np.unique(np.concatenate(found))
        return rows[~np.isin(times[rows], self.t)]

    def jumps(self, times: Array) -> NDArray[np.int64]:
        """Of the `times` of a run, indices halfway between instants across which the limit jumps, if any lie there."""
        last = self.sound
        rows = np.searchsorted(times, self.t[:last])
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = np.nan_to_num(np.abs(np.diff(np.log(self.longest[:last]))), nan=0.0, posinf=math.inf)
        found = np.flatnonzero((apart > JUMP) & (np.diff(rows) > 1))
        widest = found[np.argsort(-apart[found], kind="stable")[:AT_ONCE]]
        return np.unique((rows[widest] + rows[widest + 1]) // 2)

    def joined(self, other: StepStability | None) -> StepStability:
        """These instants and those of `other`, in order."""
        if other is None:
            return self
        order = np.argsort(np.concatenate([self.t, other.t]), kind="stable")
        names = [field.name for field in fields(self)]
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)])[order] for name in names}
        return StepStability(**both)


def stability_along(phases: Sequence[Phase], times: Array, eigenvalues: Complex) -> StepStability | None:
    """The steps against the methods' stability regions; None where a method or the arm has no such thing.

    Args:
        phases: the phase of each time.
        times: the instants, (m,) [s].
        eigenvalues: there, (m, d) [1/s].
    """
    from robots.scenario.method_selection import method_of

    if not eigenvalues.size:
        return None
    known = [method_of(phase.scenario).stability for phase in phases]
    steps = [nominal_step(phase, t) for phase, t in zip(phases, times.tolist(), strict=True)]
    if None in known or None in steps:
        return None
    step = np.array(steps, dtype=np.float64)
    growth, longest, beyond = (np.empty_like(step) for _ in range(3))
    for stability in {id(one): one for one in known if one is not None}.values():
        rows = np.array([one is stability for one in known])
        growth[rows] = spurious_growth(stability, eigenvalues[rows], step[rows])
        longest[rows] = longest_step(stability, eigenvalues[rows])
        least = np.where(np.isfinite(longest[rows]), longest[rows], 0.0)
        beyond[rows] = spurious_growth(stability, eigenvalues[rows], STAYED * least)
    controlled = np.array([phase.scenario.step is None for phase in phases])
    spread = np.array([spread_of_steps(phase, t) for phase, t in zip(phases, times.tolist(), strict=True)])
    method = np.array([phase.scenario.method for phase in phases])
    return StepStability(times, step, growth, longest, controlled, spread, beyond, method)


def spread_of_steps(phase: Phase, t: float) -> tuple[float, float]:
    """Of the steps around time `t`, the one that a fifth are below, and the one that a fifth are above [s]."""
    log = phase.solution.log
    taken = np.flatnonzero(log.accepted)
    k = int(np.searchsorted(log.t[taken], t, side="right")) - 1
    # The phase's end cuts its last step short.
    near = taken[:-1][max(k - AROUND, 0) : max(k, 0) + AROUND + 1] if len(taken) > 1 else taken
    low, high = np.quantile(log.h[near], (FIFTH, 1.0 - FIFTH)).tolist()
    return low, high


def stiff_from(found: StepStability) -> float | None:
    """From when on, to the run's end, the steps that an error estimate chooses keep coming up to the limit [s].

    None if never. Steps below the limit let no mode grow: what shortens those is accuracy, however near they are. Steps
    that all are beyond it are none that it limits, and none are if a run could do all of its steps a little beyond it
    without harm. At the limit an error estimate that grows there is what keeps them: at a constant length, or now a
    little above it and now below.
    """
    limit = np.where(found.longest > 0.0, found.longest, np.inf)
    low, high = found.spread.T / limit
    firm = np.log(found.beyond) * (found.t[-1] - found.t[0]) > math.log(HARMED) * limit
    held = found.controlled & firm & (high > REACHED) & (low < STAYED)
    free = np.flatnonzero(~held)
    first = 0 if not len(free) else int(free[-1]) + 1
    return float(found.t[first]) if len(held) - first >= FEWEST else None


def spurious_growth(stability: Stability, eigenvalues: Complex, step: Array) -> Array:
    """By how much one step lengthens the mode that it lengthens most of those that do not grow by themselves.

    Args:
        stability: of the method.
        eigenvalues: (m, d) [1/s].
        step: (m,) [s].

    Returns:
        (m,), at most `BEYOND`.
    """
    bounded = bounded_modes(eigenvalues)
    with np.errstate(over="ignore", invalid="ignore"):
        moduli = stability.modulus(step[:, np.newaxis] * (eigenvalues * bounded))
    largest = np.max(np.where(bounded, moduli, 0.0), axis=1, initial=0.0)
    largest = np.where(bounded.any(axis=1), largest, 1.0)
    return np.where(np.isnan(largest), BEYOND, np.minimum(largest, BEYOND))


def longest_step(stability: Stability, eigenvalues: Complex) -> Array:
    """The longest step that lengthens none of the modes that do not grow by themselves, (m,) [s]; inf without a limit.

    Args:
        stability: of the method.
        eigenvalues: at m instants, (m, d) [1/s].
    """
    limit = np.full(len(eigenvalues), np.inf)
    if stability.a_stable:
        return limit
    row, column = np.nonzero(bounded_modes(eigenvalues) & (np.abs(eigenvalues) > 0.0) & (eigenvalues.imag >= 0.0))
    modes = eigenvalues[row, column]
    if stability.imaginary_limit == 0.0:
        undamped = np.abs(modes.real) <= GROWS * np.abs(modes)
        limit[row[undamped]] = 0.0
        row, modes = row[~undamped], modes[~undamped]
    limits = [limit for limit in (stability.real_limit, stability.imaginary_limit) if math.isfinite(limit)]
    reach = 1.5 * max([*limits, 1.0]) if len(limits) == 2 else 200.0
    directions = modes / np.abs(modes)
    with np.errstate(over="ignore", invalid="ignore"):
        outside = ~(stability.modulus(reach * _RAY * directions[:, np.newaxis]) <= 1.0 + GROWS)
        found = outside.any(axis=1)
        first = np.argmax(outside, axis=1)
        above = reach * _RAY[first]
        below = np.where(first > 0, reach * _RAY[first - 1], 0.0)
        for _ in range(_HALVINGS):
            middle = 0.5 * (below + above)
            stable = stability.modulus(middle * directions) <= 1.0 + GROWS
            below, above = np.where(stable, middle, below), np.where(stable, above, middle)
    np.minimum.at(limit, row, np.where(found, below, np.inf) / np.abs(modes))
    return limit


def bounded_modes(eigenvalues: Complex) -> NDArray[np.bool_]:
    """Which modes do not grow by themselves, (m, d)."""
    size = np.abs(eigenvalues).max(axis=1, initial=0.0, keepdims=True)
    return np.asarray(eigenvalues.real <= GROWS * size)
