"""Step-size controllers. They see an error and a step, never a method."""

from __future__ import annotations

import math

from solvers.kernels.signatures import VECTOR, compiled, f8, i8

# The numbers by which the kernels know the controllers of `solvers.control.CONTROLLERS`.
PI, ELEMENTARY, PAPER = 0, 1, 2
NUMBERS = {"pi": PI, "elementary": ELEMENTARY, "paper": PAPER}

SAFETY = 0.9
SHORTEST, LONGEST = 0.2, 5.0
BETA = 0.04


@compiled(f8(i8, VECTOR, VECTOR, VECTOR, f8, f8))
def norm(kind, difference, before, after, rtol, atol):
    """The error in units of the tolerance: 1 is just accepted; nan or inf when the step went out of bounds."""
    total = 0.0
    if kind == PAPER:
        for j in range(difference.size):
            size = abs(difference[j]) / atol
            if not size <= total:
                total = size
        return total
    for j in range(difference.size):
        ratio = difference[j] / (atol + rtol * max(abs(before[j]), abs(after[j])))
        total += ratio * ratio
    return math.sqrt(total / difference.size)


@compiled(f8(i8, f8, f8, VECTOR))
def factor(kind, error, exponent, memory):
    """The factor from this step to the next, from the error of this one (accepted when error <= 1).

    `exponent` is 1/k for an estimate that behaves as h^k (1/(max(p, q) + 1) for paper 2's rule). `memory` is (last
    accepted error, 1 after a rejection) and is kept up to date here.

    Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), II.4 and IV.2 (PI
    control); J. A. Tenreiro Machado, A. M. S. F. Galhano (1994), eq. 14.
    """
    accepted = error <= 1.0
    if not math.isfinite(error):
        change = 0.1
    elif kind == PAPER:
        change = SAFETY * error ** (-exponent) if error > 0.0 else 10.0
    elif error == 0.0:
        change = LONGEST
    elif kind == ELEMENTARY or not accepted:
        change = min(LONGEST, max(SHORTEST, SAFETY * error ** (-exponent)))
    else:
        power = SAFETY * error ** (0.75 * BETA - exponent) * memory[0] ** BETA
        change = min(LONGEST, max(SHORTEST, power))
    if kind != PAPER and memory[1] != 0.0 and accepted:
        change = min(change, 1.0)
    if accepted:
        memory[0] = max(error, 1e-4)
    memory[1] = 0.0 if accepted else 1.0
    return change
