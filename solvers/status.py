"""How an integration ended. Numerical failure is data, never an exception."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How a run ended; its value is its name in files and on the command line."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    DIVERGED = "diverged"
    STEP_TOO_SMALL = "step-too-small"
    TOO_MANY_STEPS = "too-many-steps"
    NEWTON_FAILED = "newton-failed"
    SINGULAR_MASS_MATRIX = "singular-mass-matrix"
    SINGULAR_ITERATION_MATRIX = "singular-iteration-matrix"
    OUTSIDE_DOMAIN = "outside-domain"

    @property
    def ok(self) -> bool:
        """Whether the whole span was integrated (or a terminal event ended it)."""
        return self is Status.FINISHED

    @property
    def sentence(self) -> str:
        """What happened, for a student, with {t} in place of the time."""
        return SENTENCES[self]


SENTENCES: dict[Status, str] = {
    Status.FINISHED: "Finished at t = {t:.6g} s.",
    Status.CANCELLED: "Stopped by you at {t:.6g} s.",
    Status.DIVERGED: "The solution grew without bound after t = {t:.6g} s: either the step is too long for this "
    "method to be stable, or the motion itself is unbounded. Try a shorter step, step control, or "
    "another method.",
    Status.STEP_TOO_SMALL: "At t = {t:.6g} s the tolerance asks for a step smaller than floating-point numbers can "
    "resolve: the tolerance is too tight, or the solution has a singularity there.",
    Status.TOO_MANY_STEPS: "Stopped at t = {t:.6g} s at the limit on the number of steps. A looser tolerance, or a "
    "method for stiff problems, needs fewer.",
    Status.NEWTON_FAILED: "At t = {t:.6g} s the iteration for the implicit equations did not converge: try a "
    "shorter step. Where a force jumps there may be no solution at all.",
    Status.SINGULAR_MASS_MATRIX: "At t = {t:.6g} s the mass matrix is singular, so the accelerations are not "
    "determined.",
    Status.SINGULAR_ITERATION_MATRIX: "At t = {t:.6g} s the matrix of Newton's iteration is singular: another step "
    "may help.",
    Status.OUTSIDE_DOMAIN: "At t = {t:.6g} s the motion left the region where the equations can be evaluated.",
}
