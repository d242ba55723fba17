"""Rosenbrock methods: paper 4's formula of order 4, in Nystrom's form and in the first-order one, and a W-method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import FORWARD_DIFFERENCES
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, of_runge_kutta

if TYPE_CHECKING:
    from solvers.kernels import rosenbrock as kernels


@dataclass(frozen=True, slots=True)
class Formula:
    """A Rosenbrock method as published: rows below the diagonal of alpha and gamma, weights and embedded weights."""

    gamma: float
    alpha: tuple[tuple[float, ...], ...]
    gammas: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    b_error: tuple[float, ...]

    def matrices(self) -> tuple[Array, Array]:
        """alpha_ij and gamma_ij, (s, s), the latter with gamma on its diagonal."""
        s = len(self.b)
        alpha, gamma = np.zeros((s, s)), self.gamma * np.eye(s)
        for i in range(s):
            alpha[i, :i], gamma[i, :i] = self.alpha[i], self.gammas[i]
        return alpha, gamma

    def table(self) -> tuple[np.ndarray, ...]:
        """What the kernel takes, by theorem 2.1 of paper 4: alpha_i, gamma_i, a, c, theta, delta, weights, evaluates.

        A stage reuses the slope of the one before when both have the same row of alpha.
        """
        return _table(self)


@cache
def _table(formula: Formula) -> tuple[np.ndarray, ...]:
    """See `Formula.table`; one for all runs, since it is read-only."""
    alpha, gamma = formula.matrices()
    inverse = np.linalg.inv(gamma)
    b = np.array([formula.b, np.subtract(formula.b, formula.b_error)])
    m, mu = b @ inverse, b + b @ alpha @ inverse
    evaluates = np.array([i > 0 and not np.array_equal(alpha[i], alpha[i - 1]) for i in range(len(b[0]))])
    return (
        alpha.sum(axis=1),
        gamma.sum(axis=1),
        np.ascontiguousarray(alpha @ inverse),
        np.ascontiguousarray(np.eye(len(b[0])) / formula.gamma - inverse),
        np.ascontiguousarray(alpha + alpha @ alpha @ inverse),
        np.ascontiguousarray(gamma + gamma @ alpha @ inverse),
        np.ascontiguousarray(np.vstack([m, mu])),
        evaluates.astype(np.int64),
    )


# The printed table after two repairs: gamma_21 is negative and a_21 is 2; all conditions (36)-(42) then hold.
NYSTROM = Formula(
    gamma=0.57281606,
    alpha=(
        (),
        (1.14563212,),
        (0.5209207891306290293285174, 0.1342941868425048001492308),
        (0.5209207891306290293285174, 0.1342941868425048001492308, 0.0),
    ),
    gammas=(
        (),
        (-2.341993127112013949170547,),
        (-0.02733374654348983619649235, 0.2138116508366996898674611),
        (-0.2590838377855102221126353, -0.1905958077323117516163571, -0.2280310359731338294777482),
    ),
    b=(0.3245347078917345134741980, 0.04908654478752330868463317, 0.0, 0.6263787473207421778411689),
    b_error=(
        0.5209207891306290293285174,
        0.1445497146653645995846824,
        0.1245596864147020497749025,
        0.2099698097893043213118978,
    ),
)
_GAMMA = 1 + 1 / np.sqrt(2)
W_METHOD = Formula(
    gamma=float(_GAMMA), alpha=((), (1.0,)), gammas=((), (float(-2 * _GAMMA),)), b=(0.5, 0.5), b_error=(0.0, 1.0)
)


@dataclass(frozen=True, kw_only=True)
class Rosenbrock(Method):
    """A linearly implicit method.

    Attributes:
        formula: its coefficients.
        nystrom: whether it works on positions and accelerations, with matrices of half the size.
    """

    formula: Formula
    nystrom: bool = False

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or with step control.

        One Jacobian and a time derivative per accepted step, one factorisation per attempt.
        """
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.rosenbrock import run

        assert self.error_order is not None
        formula, scratch = self.arrays(options), self.scratch(problem.dimension)
        return KernelStepper(run, problem, control, formula, scratch, powers=(self.error_order + 1, self.order + 1))

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """A shorter step of the method from the kept state before each time, each with a Jacobian of its own."""
        from solvers.kernel_stepper import resample
        from solvers.kernels.rosenbrock import run

        formula, scratch = self.arrays(options), self.scratch(problem.dimension)
        return resample(run, problem, formula, scratch, kept, times)

    def arrays(self, options: Mapping[str, Value]) -> kernels.Formula:
        """The formula as the kernel takes it."""
        from solvers.kernels import rosenbrock as kernels

        settings = int(self.nystrom), int(options.get("refresh", 1)), int(options.get("filtered", False))
        return kernels.Formula(self.formula.gamma, *settings, *self.formula.table())

    def scratch(self, d: int) -> kernels.Scratch:
        """Working memory of the kernel for d components."""
        from solvers.kernels.rosenbrock import Scratch

        s, m = self.stages, d // 2 if self.nystrom else d
        square = np.zeros((d, d)), np.empty((m, m)), np.empty(m, dtype=np.int64), np.empty(m)
        return Scratch(np.zeros((s + 2, d)), np.empty((s, m)), *square, np.empty(d), np.empty(d), np.empty(1))

    def principal_error_norm(self) -> float:
        """Over the rooted trees of order p + 1, with the exact Jacobian."""
        from solvers.tableaux.principal_error import runge_kutta

        alpha, gamma = self.formula.matrices()
        return runge_kutta(alpha, np.array(self.formula.b), self.order, alpha + gamma)

    @cached_property
    def stability(self) -> Stability:
        """That of the Runge-Kutta method with the matrix alpha + gamma."""
        alpha, gamma = self.formula.matrices()
        return of_runge_kutta(alpha + gamma, np.array(self.formula.b))


NOTES = (
    FORWARD_DIFFERENCES,
    "df/dt is a difference quotient, one call of f per step; without it the order would drop where f depends on t.",
)
PAPER = "A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, Rosenbrock-Nystrom Integrators for SODE of Multibody "
SOURCE = PAPER + "Dynamics, CSTR-01-06 (2001)"
REFRESH = Field(
    "refresh",
    "steps with one Jacobian",
    default=1,
    minimum=0,
    maximum=10000,
    help="1 evaluates the Jacobian at every step, n reuses it for n steps, 0 sets J = 0.",
)
FILTERED = Field(
    "filtered",
    "filtered error",
    default=False,
    help="Multiplies the estimated error by (I - h gamma df/dy)^-1 before it chooses the step: otherwise the "
    "estimate for very stiff components is far too large. Sandu et al. (2001) recommend it but do not study it.",
)


def methods() -> list[Rosenbrock]:
    """rosenbrock-nystrom, rosenbrock, w-method."""
    made = partial(Rosenbrock, family="Rosenbrock", implicit=True, adaptive=True, source=SOURCE)
    return [
        made(
            key="rosenbrock-nystrom",
            name="Rosenbrock-Nystrom 4(3)",
            order=4,
            error_order=3,
            stages=4,
            formula=NYSTROM,
            nystrom=True,
            options=(FILTERED,),
            problems=frozenset({"second-order"}),
            summary="Linearly implicit and L-stable, of order 4, for second-order systems: no iteration, one "
            "factorisation of a matrix as large as the number of positions. Sandu et al. (2001) use it for stiff "
            "vehicles.",
            notes=("The printed table has two slips, corrected here: gamma_21 is negative, and a_21 is 2.", *NOTES),
        ),
        made(
            key="rosenbrock",
            name="Rosenbrock 4(3), first-order form",
            order=4,
            error_order=3,
            stages=4,
            formula=NYSTROM,
            options=(FILTERED,),
            summary="The formula that Rosenbrock-Nystrom 4(3) comes from, on y' = f(t, y): linearly implicit, "
            "L-stable and of order 4. It takes the same steps with matrices twice the size.",
            notes=NOTES,
        ),
        made(
            key="w-method",
            name="W-method 2(1)",
            order=2,
            error_order=1,
            stages=2,
            formula=W_METHOD,
            options=(REFRESH, FILTERED),
            summary="Linearly implicit, of order 2 with any approximation of the Jacobian: an old one, or none at "
            "all. With the exact Jacobian it is L-stable.",
            notes=NOTES,
            source=f"J. G. Verwer and others (1997), as given by {SOURCE}",
        ),
    ]


FAMILY = Family(methods, place=60)
