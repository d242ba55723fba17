"""How a slice of steps ended: what kernels return and `Stepper.advance` reports; `solvers.status` has it in words."""

from __future__ import annotations

RUNNING, LANDED, DIVERGED, STEP_TOO_SMALL, NEWTON_FAILED = range(5)
SINGULAR_MASS, SINGULAR_ITERATION, OUTSIDE, TOO_MANY = range(5, 9)

# A state with a component of this size has diverged: squares of such numbers are still finite.
BOUND = 1e100
