"""Backward differentiation formulas of 1 to 6 steps with a fixed step, for ODEs and for F(t, x, x') = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.location import KeptSteps, through_states
from solvers.method import Family, Method
from solvers.options import newton
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux import principal_error
from solvers.tableaux.stability import Stability, multistep

# Row k: alpha_0 .. alpha_k. Source: C. W. Gear (1971); paper 5's table after equation (35).
WEIGHTS = {
    1: (1.0, -1.0),
    2: (3 / 2, -2.0, 1 / 2),
    3: (11 / 6, -3.0, 3 / 2, -1 / 3),
    4: (25 / 12, -4.0, 3.0, -4 / 3, 1 / 4),
    5: (137 / 60, -5.0, 5.0, -10 / 3, 5 / 4, -1 / 5),
    6: (147 / 60, -6.0, 15 / 2, -20 / 3, 15 / 4, -6 / 5, 1 / 6),
}
ANGLES = {1: 90.0, 2: 90.0, 3: 86.03, 4: 73.35, 5: 51.84, 6: 17.84}

OPTIONS = (
    *newton("Newton's iteration stops when every correction, relative to 1 + |x|, is smaller."),
    Field(
        "scaling",
        "scale constraints by the step",
        default=True,
        help="Divides each algebraic row by a power of the step, which keeps the iteration matrix well conditioned.",
    ),
)


def derivative_weights(k: int, h: float) -> Array:
    """Weights of x_n, x_{n-1}, .. x_{n-k} in the formula's x'(t_n), (k + 1,) [1/s]."""
    return np.array(WEIGHTS[k]) / h


def stability_of(k: int) -> Stability:
    """|r| of the largest root of sum_l alpha_l r^(k-l) = z r^k."""
    return multistep(np.array(WEIGHTS[k][::-1]), np.array([0.0] * k + [1.0]))


@dataclass(frozen=True, kw_only=True)
class Bdf(Method):
    """The k-step formula sum_l alpha_l x_{n-l} = h x'_n."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step."""
        from solvers.methods._bdf_stepper import BdfStepper

        assert isinstance(control, FixedStep)
        return BdfStepper(np.array(WEIGHTS[self.order]), problem, control, options)

    def principal_error_norm(self) -> float | None:
        """The error constant of the k-step formula is 1 / (k + 1)."""
        return principal_error.multistep(1.0 / (self.order + 1), self.order)

    @cached_property
    def stability(self) -> Stability:
        """That of its formula."""
        return stability_of(self.order)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """The polynomial through the k + 1 states that end at the step's end: of the method's order."""
        t = kept.t
        k = min(self.order, len(t) - 1)
        sign = 1 if t[-1] >= t[0] else -1
        last = np.clip(np.searchsorted(sign * t, sign * times, side="left"), k, len(t) - 1)
        return through_states(t, kept.y, last - k, k + 1, times)


NOTE = (
    "Every Newton iteration evaluates and factorises the Jacobian again; without an analytic Jacobian it uses "
    "forward differences, which count as calls of f."
)


def _summary(k: int) -> str:
    damped = "L-stable" if k <= 2 else f"stable within {ANGLES[k]:g} degrees of the negative real axis"
    return (
        f"The {k}-step backward differentiation formula: implicit, of order {k}, {damped}. It integrates stiff"
        " equations and differential-algebraic ones with a fixed step and Newton's method."
    )


def methods() -> list[Bdf]:
    """bdf1 to bdf6."""
    started = "An ODE starts from Radau IIA values at 1e-12; a DAE starts from rest."
    return [
        Bdf(
            key=f"bdf{k}",
            name=f"BDF {k}",
            family="BDF",
            order=k,
            summary=_summary(k),
            source="C. W. Gear, Numerical Initial Value Problems in Ordinary Differential Equations (1971)",
            implicit=True,
            problems=frozenset({"ode", "dae"}),
            options=OPTIONS,
            one_step=k == 1,
            stages=1,
            steps=k,
            notes=(NOTE,) if k == 1 else (started, NOTE),
        )
        for k in WEIGHTS
    ]


FAMILY = Family(methods)
