"""A differential-algebraic equation F(t, x, x') = 0 to integrate: a frozen value, independent of methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solvers.problem import Array, OdeProblem


@dataclass(frozen=True, slots=True, eq=False)
class DaeProblem:
    """F(t, x, x') = 0 with x(t0) given, wanted until t1.

    Attributes:
        system: `system(t, x, rate, alpha, params, F, J)` writes F, (n,), and the iteration matrix
            dF/dx + alpha dF/dx', (n, n). It is a numba function compiled for `solvers.kernels.signatures.SYSTEM`.
        initial, rate: x(t0) and x'(t0), (n,) each; they satisfy F = 0.
        t0, t1: the beginning and the end [s].
        params: numbers passed to every call of `system`, (p,).
        names, units: of the n unknowns.
        powers: how often each row may be divided by the step when the system is scaled, (n,); 0 for differential rows.
        algebraic: which unknowns have no derivative in F, (n,) bool.
        breaks: times where F is not smooth [s]; a fixed step ignores them.
        positions, sample, begin_step: as those of an `OdeProblem`; there are no positions apart, and nothing samples.
        underlying: an ordinary differential equation from t0 whose states give x, for the first steps of a multi-step
            method; if None, x stands still before t0.
        unknowns: gives x, (n,), for a time [s] and a state of `underlying`.
    """

    system: Callable[..., None]
    initial: Array
    rate: Array
    t0: float
    t1: float
    params: Array
    names: tuple[str, ...]
    units: tuple[str, ...]
    powers: Array
    algebraic: np.ndarray
    breaks: tuple[float, ...] = ()
    positions: int = 0
    sample: None = None
    begin_step: Callable[..., None] | None = None
    underlying: OdeProblem | None = None
    unknowns: Callable[[float, Array], Array] | None = None

    @property
    def dimension(self) -> int:
        """The number of unknowns n."""
        return len(self.initial)

    @property
    def kinds(self) -> frozenset[str]:
        """The kind of problem, as in `Method.problems`."""
        return frozenset({"dae"})
