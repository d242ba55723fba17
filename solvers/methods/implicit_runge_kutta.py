"""Implicit Runge-Kutta methods: backward Euler, trapezoidal rule, Gauss of order 2 to 6, and Radau IIA of order 5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Value
from solvers.control import Control, FixedStep, Tolerance
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import FORWARD_DIFFERENCES, NEWTON_LEFT, newton
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, of_runge_kutta

if TYPE_CHECKING:
    from solvers.kernel_stepper import Kernel
    from solvers.kernels import diagonally_implicit as diagonal
    from solvers.kernels import implicit_runge_kutta as kernels


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A tableau whose first stage may be explicit.

    Attributes:
        A, b: the whole tableau, (s, s) and (s,).
        estimate: weights of the stages and, last, of h f(t, y) in the error estimate; empty without one.
    """

    A: Array
    b: Array
    estimate: tuple[float, ...] = ()

    def table(self) -> tuple[Array, ...]:
        """What the kernel takes: c, a_i0, A, d, e for the implicit stages."""
        explicit = int(not self.A[0].any())
        A = np.ascontiguousarray(self.A[explicit:, explicit:])
        first = self.A[explicit:, 0].copy() if explicit else np.zeros(len(A))
        # y_1 = y + sum_i d_i z_i holds for every slope, including the one at the step's beginning.
        d: Array = np.asarray(np.linalg.solve(A.T, self.b[explicit:]), dtype=np.float64)
        c: Array = np.asarray(self.A.sum(axis=1)[explicit:], dtype=np.float64).copy()
        return c, first, A, d, np.array(self.estimate, dtype=np.float64)


def _radau() -> Formula:
    """Radau IIA with three stages and Hairer and Wanner's estimate."""
    root, gamma = float(np.sqrt(6.0)), float(3.0 - np.cbrt(3.0) + np.cbrt(9.0))
    A = np.array(
        [
            [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225],
            [(296 + 169 * root) / 1800, (88 + 7 * root) / 360, (-2 - 3 * root) / 225],
            [(16 - root) / 36, (16 + root) / 36, 1 / 9],
        ]
    )
    estimate = np.array([-(13 + 7 * root) / 3, (-13 + 7 * root) / 3, -1 / 3, 1.0]) / gamma
    return Formula(A, A[-1], tuple(estimate.tolist()))


def gauss(stages: int) -> Formula:
    """Collocation at the roots of Legendre's polynomial: a_ij = integral of l_j from 0 to c_i, order 2 s."""
    roots, weights = np.polynomial.legendre.leggauss(stages)
    c = 0.5 * (1.0 + roots)
    powers = np.arange(1, stages + 1)
    # Column j of the inverse has the coefficients of the j-th Lagrange polynomial.
    lagrange = np.linalg.inv(c[:, None] ** (powers - 1))
    return Formula((c[:, None] ** powers / powers) @ lagrange, 0.5 * weights)


OPTIONS = newton(
    "With a fixed step Newton's iteration stops when the corrections, relative to 1 + |y|, are smaller; with step "
    "control it follows the tolerance."
)


@dataclass(frozen=True, kw_only=True)
class ImplicitRungeKutta(Method):
    """A method whose stages are solved for by simplified Newton iteration."""

    formula: Formula

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or, if there is an estimate, with step control.

        One Jacobian per accepted step; one factorisation per attempt, two with an error estimate.
        """
        from solvers.kernel_stepper import KernelStepper

        tolerance = float(options["newton_tolerance"])
        if not isinstance(control, FixedStep):
            tolerance = newton_tolerance(control)
        error_order = self.error_order or self.order
        powers = min(self.order, error_order) + 1, max(self.order, error_order) + 1
        formula = self.arrays(tolerance, int(options["newton_limit"]))
        scratch = self.scratch(problem.dimension)
        return KernelStepper(self.kernel(), problem, control, formula, scratch, powers=powers)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """A shorter step from the kept state before each time, with Newton's iteration down to round-off."""
        from solvers.kernel_stepper import resample

        formula = self.arrays(1e-12, 50)._replace(e=np.empty(0))
        return resample(self.kernel(), problem, formula, self.scratch(problem.dimension), kept, times)

    def kernel(self) -> Kernel:
        """The compiled loop."""
        from solvers.kernels.implicit_runge_kutta import run

        return run

    def arrays(self, tolerance: float, most: int) -> kernels.Formula | diagonal.Formula:
        """The formula as the kernel takes it, with Newton's tolerance and most iterations."""
        from solvers.kernels import implicit_runge_kutta as kernels

        c, first, A, d, e = self.formula.table()
        nothing = np.empty((0, 0))
        return kernels.Formula(tolerance, most, c, first, A, d, e, nothing, nothing)

    def scratch(self, d: int) -> kernels.Scratch | diagonal.Scratch:
        """Working memory of the kernel for d components."""
        s = len(self.formula.table()[0])
        return self.memory(d, s, s)

    def memory(self, d: int, s: int, points: int) -> kernels.Scratch:
        """Working memory for d components of s stages, with f evaluated at that many points."""
        from solvers.kernels.implicit_runge_kutta import Scratch

        large = np.empty((s * d, s * d)), np.empty(s * d, dtype=np.int64), np.empty(s * d), np.empty(s * d)
        small = np.empty((d, d)), np.empty(d, dtype=np.int64), np.empty(d)
        rows = np.zeros((points + 3, d)), np.zeros((s, d)), np.zeros((d, d))
        return Scratch(*rows, *large, *small, np.empty(d), np.empty(d))

    def principal_error_norm(self) -> float:
        """Over the rooted trees of order p + 1."""
        from solvers.tableaux.principal_error import runge_kutta

        return runge_kutta(self.formula.A, self.formula.b, self.order)

    @cached_property
    def stability(self) -> Stability:
        """Of its tableau."""
        return of_runge_kutta(self.formula.A, self.formula.b)


def newton_tolerance(control: Tolerance) -> float:
    """Of Newton's iteration with step control, in units of the error's."""
    tight = max(control.rtol, 1e-15)
    return max(2e-15 / tight, min(0.03, tight**0.5))


HAIRER = "E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), "


_made = partial(
    ImplicitRungeKutta,
    family="Implicit Runge-Kutta",
    implicit=True,
    options=OPTIONS,
    notes=(FORWARD_DIFFERENCES, NEWTON_LEFT),
)


def _gauss(stages: int) -> ImplicitRungeKutta:
    return _made(
        key=f"gauss{2 * stages}",
        name=f"Gauss {2 * stages}",
        order=2 * stages,
        stages=stages,
        formula=gauss(stages),
        summary=f"A-stable, symmetric, of order {2 * stages}, the highest that {stages} stages can have: they stand at "
        "the Gauss points. It conserves quadratic invariants and is symplectic for canonical equations.",
        source="J. C. Butcher, Math. Comp. 18 (1964); " + HAIRER + "IV.5",
    )


def methods() -> list[ImplicitRungeKutta]:
    """backward-euler, trapezoidal, implicit-midpoint, gauss4, gauss6, radau5."""
    return [
        _made(
            key="backward-euler",
            name="Backward Euler",
            order=1,
            stages=1,
            formula=Formula(np.array([[1.0]]), np.array([1.0])),
            summary="Uses the slope at the end of the step: L-stable, of order 1. It survives any stiffness, but "
            "drains energy from a swinging arm.",
            source="A.-L. Cauchy (1824); " + HAIRER + "IV.3",
        ),
        _made(
            key="trapezoidal",
            name="Trapezoidal rule",
            order=2,
            stages=2,
            formula=Formula(np.array([[0.0, 0.0], [0.5, 0.5]]), np.array([0.5, 0.5])),
            summary="Averages the slopes at both ends of the step: A-stable, of order 2. Very stiff modes are not "
            "damped but change sign at every step.",
            source="J. Crank, P. Nicolson (1947); " + HAIRER + "IV.3",
        ),
        _made(
            key="implicit-midpoint",
            name="Implicit midpoint rule",
            order=2,
            stages=1,
            formula=Formula(np.array([[0.5]]), np.array([1.0])),
            summary="Uses the slope at the midpoint of the step: A-stable, symmetric, of order 2. It conserves "
            "every quadratic invariant exactly and is symplectic for canonical equations.",
            source="E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), II.1",
        ),
        *map(_gauss, (2, 3)),
        _made(
            key="radau5",
            name="Radau IIA 5",
            order=5,
            error_order=3,
            stages=3,
            adaptive=True,
            formula=_radau(),
            aliases=("radau",),
            summary="Three implicit stages, L-stable, of order 5: the reference for stiff problems. Each step solves "
            "for all stages together by Newton's iteration.",
            source=HAIRER + "IV.8",
        ),
    ]


FAMILY = Family(methods, place=50)
