"""The index of linear equations E x' + A x = f(t)."""

from __future__ import annotations

import numpy as np

from robots.model.robot import Array


def index_of(by_rates: Array, by_states: Array, rate: float) -> int:
    """The index of the linear equations with these square matrices of x' and x, by the ranks of a pencil's powers.

    The index is the least power k from which the rank of ((rate E + A)^-1 E)^k stays. (K. E. Brenan, S. L. Campbell,
    L. R. Petzold, Numerical Solution of Initial-Value Problems in Differential-Algebraic Equations (1996), 2.3.)

    Args:
        by_rates, by_states: E and A, (n, n).
        rate: [1/s] at which rate E + A is not singular, near the equations' own rates.
    """
    both = np.hstack([by_rates * rate, by_states])
    scales = np.abs(both).max(axis=1, keepdims=True)
    units = np.abs((rate * by_rates + by_states) / scales).max(axis=0)
    first, other = by_rates * rate / scales / units, by_states / scales / units
    once = np.linalg.solve(first + other, first)
    power, before = np.eye(len(once)), len(once)
    for index in range(len(once) + 1):
        power = power @ once
        rank = int(np.linalg.matrix_rank(power, tol=1e-10))
        if rank == before:
            return index
        before = rank
    raise AssertionError("ranks of powers cannot fall forever")
