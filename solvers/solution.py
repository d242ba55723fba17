"""What an integration returns: states, step log, counts, status, dense output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from solvers.problem import Array
from solvers.status import Status


@dataclass(frozen=True, slots=True, eq=False)
class StepLog:
    """One row per attempted step, in order.

    Attributes:
        t: where the attempt began [s].
        h: the signed step tried [s].
        error: the error estimate. With step control in units of the tolerance (accepted up to 1), with a fixed step the
            largest component of the estimate; nan for a method without one.
        accepted: whether it was accepted (bool).
        newton, factorisations: iterations and matrix factorisations of the attempt, whole numbers; zeros for explicit
            methods, nan where a code does not tell them.
        condition: condition number of the attempt's first iteration matrix (maximum norm), where the method tells it.
    """

    t: Array
    h: Array
    error: Array
    accepted: np.ndarray
    newton: Array
    factorisations: Array
    condition: Array


@dataclass(frozen=True, slots=True)
class Counts:
    """What the run cost. Every call is counted, those of rejected and start-up steps included; dense output is not.

    A number that a code does not tell is nan.
    """

    steps: int = 0
    rejected: int = 0
    rhs_evaluations: int = 0
    jacobian_evaluations: int = 0
    newton_iterations: int = 0
    factorisations: float = 0


@dataclass(frozen=True, slots=True, eq=False)
class Occurrence:
    """An event that happened: its name, when, and the state then."""

    name: str
    t: float
    y: Array


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The result of `integrate()`.

    Attributes:
        t, y: the initial state and every accepted step, (n,) and (n, d); of very long runs every `stride`-th and the
            last.
        output_t, output_y: the states asked for by `sampling`: (t, y) itself when sampling is 0.
        log, counts: what the steps were and cost.
        status, message: how it ended, and a sentence that says so.
        dense: dense output; `solution(times)` calls it.
        dense_order: its order; when below the method's order, plots join the points of `t` instead.
        stride: how many steps lie between two rows.
        events: what happened on the way, in order.
        rates: x' at the rows, (n, d), of codes that find it themselves; else None.
        params: the problem's numbers as the run left them: a right-hand side may keep notes there.
    """

    t: Array
    y: Array
    output_t: Array
    output_y: Array
    log: StepLog
    counts: Counts
    status: Status
    message: str
    dense: Callable[[Array], Array]
    dense_order: int
    stride: int = 1
    events: tuple[Occurrence, ...] = field(default=())
    rates: Array | None = None
    params: Array | None = None

    def __call__(self, times: Array | float) -> Array:
        """The state at `times` (m,), (m, d); at a single time (d,). Times outside the run get its nearest end."""
        wanted = np.atleast_1d(np.asarray(times, dtype=float))
        low, high = min(self.t[0], self.t[-1]), max(self.t[0], self.t[-1])
        states = self.dense(np.ascontiguousarray(np.clip(wanted, low, high)))
        return states if np.ndim(times) else states[0]

    @property
    def final(self) -> Array:
        """The last good state, (d,)."""
        return self.y[-1]

    @property
    def t_end(self) -> float:
        """The time of the last good state [s]."""
        return float(self.t[-1])
