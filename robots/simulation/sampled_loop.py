"""The loop of a sampled control, linearised at rest: its growth from sample to sample, and how seldom it may sample.

With the state e about rest, e' = A e + B u between samples and u = K e at each. Over one period the exact solution is a
matrix; its delayed torques are part of the state. Jitter and lost samples are left out.

Source: K. J. Astrom, B. Wittenmark, Computer-Controlled Systems (1997), chapter 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from robots.model.robot import Array
from robots.model.sampling import HeldTorques, Sampler, without_table
from robots.simulation.linearisation import slope_matrix

if TYPE_CHECKING:
    from robots.model.robot import Robot
    from robots.scenario.scenario import Scenario
    from solvers.problem import OdeProblem

GROWS = 1e-7
"""A factor above 1 by less than this is no growth: a double eigenvalue 1 comes out as the root of round-off."""

MOST_DELAYED = 40
"""Delays of more periods than this are not analysed."""

_TRIALS, _REACH, _ROUNDS, _TERMS = 64, 1e2, 5, 12


class Controlled(Protocol):
    """A run, whose control may sample."""

    @property
    def robot(self) -> Robot:
        """What moves."""
        ...

    @property
    def scenario(self) -> Scenario:
        """What was simulated."""
        ...

    @property
    def sampled(self) -> OdeProblem | None:
        """The equations whose torques are sampled."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SampledLoop:
    """The linearised loop.

    Attributes:
        A, B, K: (d, d), (d, m), (m, d).
        period, delay: of the control [s].
    """

    A: Array
    B: Array
    K: Array
    period: float
    delay: float = 0.0

    def growth(self, periods: Array, delays: Array | float | None = None) -> Array:
        """The spectral radius at each of some periods (n,): the factor by which the loop grows per sample in the end.

        Args:
            periods: instead of the control's own [s].
            delays: likewise, (n,) or one [s].

        Returns:
            (n,), inf where an arm that falls on its own gets too far within a period for numbers to hold it.
        """
        delays = np.broadcast_to(self.delay if delays is None else delays, periods.shape)
        whole = np.floor(delays / periods * (1.0 + 1e-12))
        late = np.maximum(delays - whole * periods, 0.0)
        late[late < 1e-9 * periods] = 0.0
        found = np.full(periods.shape, math.inf)
        for count in np.unique(whole).tolist():
            rows = np.flatnonzero(whole == count)
            with np.errstate(over="ignore", invalid="ignore"):
                matrices = self._over_one_period(periods[rows], int(count), late[rows])
            held = np.isfinite(matrices).all(axis=(1, 2))
            found[rows[held]] = np.abs(np.linalg.eigvals(matrices[held])).max(axis=1)
        return found

    def _over_one_period(self, periods: Array, whole: int, late: Array) -> Array:
        """What one period does to the state and to the torques that wait, (n, d + (whole + 1) m, d + (whole + 1) m).

        Args:
            periods: (n,) [s].
            whole, late: the delay, in whole periods and the rest, (n,) [s].
        """
        d, m = self.B.shape
        joint = np.zeros((d + m, d + m))
        joint[:d, :d], joint[:d, d:] = self.A, self.B
        before, after = exponentials(joint, late), exponentials(joint, periods - late)
        size = d + (whole + 1) * m
        found = np.zeros((len(periods), size, size))
        found[:, :d, :d] = after[:, :d, :d] @ before[:, :d, :d]
        # Columns d + k m and on: the torques that were asked for k + 1 samples ago. K e is asked for now.
        found[:, :d, d + whole * m :] = after[:, :d, :d] @ before[:, :d, d:]
        if whole:
            found[:, :d, d + (whole - 1) * m : d + whole * m] = after[:, :d, d:]
        else:
            found[:, :d, :d] += after[:, :d, d:] @ self.K
        found[:, d : d + m, :d] = self.K
        found[:, d + m :, d : size - m] = np.eye(whole * m)
        return found

    def longest(self, ratio: float | None = None) -> float:
        """The longest period below which the loop never grows [s]: inf without a limit, 0 if it grows at any.

        The delay stays the control's own, or is `ratio` periods.
        """

        def grows(periods: Array) -> NDArray[np.bool_]:
            return self.growth(periods, None if ratio is None else ratio * periods) > 1.0 + GROWS

        least = self.period / _REACH
        if ratio is None:
            least = max(least, self.delay / MOST_DELAYED)
        trials = np.geomspace(least, self.period * _REACH, _TRIALS)
        for _ in range(_ROUNDS):
            growing = np.flatnonzero(grows(trials))
            if not len(growing):
                return math.inf
            if growing[0] == 0:
                return 0.0
            trials = np.linspace(trials[growing[0] - 1], trials[growing[0]], _TRIALS)
        return float(trials[0])


@dataclass(frozen=True, slots=True, eq=False)
class LoopStability:
    """The loop of a run, and whether it is stable.

    Attributes:
        loop: linearised at rest.
        factor: by which it grows per sample in the end.
        longest: the longest period below which it never grows [s]: inf without a limit, 0 if it grows at any.
        without: what the run has and the loop leaves out: `jitter`, `lost samples`.
    """

    loop: SampledLoop
    factor: float
    longest: float
    without: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: Controlled) -> LoopStability | None:
        """That of a run; None if nothing is sampled."""
        loop = sampled_loop(run)
        if loop is None:
            return None
        sampler = run.sampled.sample if run.sampled is not None else None
        chance = sampler.sampling if isinstance(sampler, Sampler) else None
        named = {"jitter": chance.jitter, "lost samples": chance.loss} if chance is not None else {}
        without = tuple(name for name, size in named.items() if size > 0.0)
        return cls(loop, float(loop.growth(np.array([loop.period]))[0]), loop.longest(), without)

    @property
    def grows(self) -> bool:
        """Whether a deviation grows, however slowly: then the loop is unstable, though a run may not show it."""
        return self.factor > 1.0 + GROWS


def exponentials(matrix: Array, times: Array) -> Array:
    """exp(matrix t) for each of `times` (n,), (n, k, k): a power series, squared.

    Source: C. Moler, C. Van Loan, Nineteen dubious ways to compute the exponential of a matrix (2003), method 3.
    """
    size = float(np.abs(matrix).sum(axis=1).max() * np.abs(times).max(initial=0.0))
    squarings = max(0, math.ceil(math.log2(size))) + 2 if size > 0.0 else 0
    scaled = matrix * (times * 0.5**squarings)[:, np.newaxis, np.newaxis]
    term = np.broadcast_to(np.eye(len(matrix)), scaled.shape)
    found = term.copy()
    for k in range(1, _TERMS + 1):
        term = term @ scaled / k
        found += term
    for _ in range(squarings):
        found = found @ found
    return found


def sampled_loop(run: Controlled) -> SampledLoop | None:
    """The loop of a run's last sampled control, about the rest that it aims at; None if nothing is sampled.

    A tracking error that is fed back once per step is its own loop: e' = -K e, held over the step.
    """
    gain, step = run.robot.held_gain(run.scenario), run.scenario.step
    if gain is not None and step is not None:
        return SampledLoop(np.zeros((1, 1)), np.ones((1, 1)), np.array([[-gain]]), step)
    problem = run.sampled
    if problem is None:
        return None
    sampler = problem.sample
    assert isinstance(sampler, Sampler)
    aim, head, t = np.array(sampler.aim, dtype=float), without_table(problem.params), problem.t0
    d, units = len(aim), np.eye(len(aim))
    gain = np.column_stack([0.5 * (sampler.law(t, aim + e) - sampler.law(t, aim - e)) for e in units])

    def under(torques: Array) -> Array:
        held = HeldTorques(np.array([t]), np.array([-math.inf]), torques[np.newaxis])
        return np.concatenate([head, held.params])

    def slope(torques: Array) -> Array:
        found = np.empty(d)
        problem.rhs(t, aim, under(torques), found)
        return found

    asked = sampler.law(t, aim)
    effect = np.column_stack([0.5 * (slope(asked + u) - slope(asked - u)) for u in np.eye(sampler.motors)])
    matrix = slope_matrix(replace(problem, params=under(asked)), t, aim)
    sampling = sampler.sampling
    return SampledLoop(matrix, effect, gain, sampling.period, sampling.delay)
