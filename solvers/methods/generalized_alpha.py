"""The generalized-alpha method and HHT-alpha: second-order equations, with as much damping of fast modes as asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps, last_before
from solvers.method import Family, Method
from solvers.options import FORWARD_DIFFERENCES, newton
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import ComplexArray, Stability, from_characteristic, rational

RHO = Field(
    "rho_inf",
    "radius ρ∞",
    default=0.8,
    minimum=0.0,
    maximum=1.0,
    slider=(0.0, 1.0),
    help="The spectral radius at infinity, the factor by which a step changes infinitely fast modes: 1 keeps them, 0 "
    "ends them in one step.",
)
ALPHA = Field(
    "alpha",
    "alpha",
    default=-0.1,
    minimum=-1.0 / 3.0,
    maximum=0.0,
    slider=(-0.3, 0.0),
    help="0 is the trapezoidal rule, which damps nothing; -1/3 damps fast modes most.",
)
OPTIONS = newton("Newton's iteration stops when the corrections of the rates, relative to 1 + |v|, are smaller.")


@dataclass(frozen=True, kw_only=True)
class GeneralizedAlpha(Method):
    """The method with weights am and af of the old acceleration and of the old force."""

    am: float
    af: float

    @property
    def g(self) -> float:
        """The weight of the new acceleration in the rates: makes the order 2."""
        return 0.5 + self.af - self.am

    @property
    def b(self) -> float:
        """Its weight in the positions: makes the fastest modes' two roots equal."""
        return 0.25 * (1.0 + self.af - self.am) ** 2

    def configured(self, options: Mapping[str, Value]) -> Method:
        """With the weights that the option means."""
        weights = _chung_hulbert(float(options["rho_inf"])) if "rho_inf" in options else _hht(float(options["alpha"]))
        return self if weights == (self.am, self.af) else replace(self, am=weights[0], af=weights[1])

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step: one Jacobian and one factorisation in a step."""
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.generalized_alpha import Formula, Scratch, run

        limits = float(options["newton_tolerance"]), int(options["newton_limit"])
        d, n = problem.dimension, problem.positions
        matrices = np.zeros((3, d)), np.zeros((d, d)), np.empty((n, n))
        vectors = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(d)
        scratch = Scratch(*matrices, np.empty(n, dtype=np.int64), *vectors)
        return KernelStepper(
            run, problem, control, Formula(self.am, self.af, self.b, self.g, *limits), scratch, uniform=True
        )

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Cubics through positions and rates at both ends of a step; Radau IIA where steps are missing."""
        if kept.substeps > 1:
            return joined_runge_kutta("radau5", problem, kept, times)
        return _hermite(kept.t, kept.y, problem.positions, times)

    @cached_property
    def stability(self) -> Stability:
        """The largest of three modes, on an oscillator."""
        if self.am == self.af == 0.5:
            # The trapezoidal rule. Its three modes are equal at infinity, and eigenvalues there no better than 1e-5.
            return rational(np.array([1.0, 0.5]), np.array([1.0, -0.5]))

        def polynomial(z: ComplexArray) -> ComplexArray:
            A = self.amplification(2.0 * z.real, np.abs(z) ** 2)
            trace = np.trace(A, axis1=-2, axis2=-1)
            pairs = 0.5 * (trace**2 - np.trace(A @ A, axis1=-2, axis2=-1))
            coefficients = np.stack([np.ones_like(trace), -trace, pairs, -np.linalg.det(A)], axis=-1)
            return np.asarray(coefficients, dtype=np.complex128)

        return from_characteristic(polynomial)

    def amplification(self, damping: Array, stiffness: Array) -> Array:
        """By what a step changes (q, h v, h^2 a), (..., 3, 3), on h^2 q'' = damping h q' - stiffness q."""
        am, af, b, g = self.am, self.af, self.b, self.g
        c, k = np.asarray(damping), np.asarray(stiffness)
        divisor = (1.0 - am) - (1.0 - af) * (g * c - b * k)
        # The new acceleration from q, h v and h^2 a.
        rates = (1.0 - af) * (c - k) + af * c
        own = (1.0 - af) * ((1.0 - g) * c - (0.5 - b) * k) - am
        new = np.stack([-k, rates, own], axis=-1) / divisor[..., np.newaxis]
        rows = [np.array([1.0, 1.0, 0.5 - b]) + b * new, np.array([0.0, 1.0, 1.0 - g]) + g * new, new]
        return np.stack(rows, axis=-2)


def _hermite(t: Array, y: Array, n: int, times: Array) -> Array:
    """Positions by cubics through q and v at neighbouring steps, rates as their derivatives, (m, 2 n)."""
    before = np.clip(last_before(t, times), 0, len(t) - 2)
    h = (t[before + 1] - t[before])[:, np.newaxis]
    c = (times - t[before])[:, np.newaxis] / h
    start, end = y[before], y[before + 1]
    gap = end[:, :n] - start[:, :n]
    first, last = h * start[:, n:], h * end[:, n:]
    # q = q0 + c (first + c (second + c third)).
    second, third = 3.0 * gap - 2.0 * first - last, first + last - 2.0 * gap
    found = np.hstack(
        [start[:, :n] + c * (first + c * (second + c * third)), (first + c * (2 * second + 3 * c * third)) / h]
    )
    at_end = times == t[before + 1]
    found[at_end] = end[at_end]
    return found


def _chung_hulbert(rho: float) -> tuple[float, float]:
    """am and af of the method whose spectral radius at infinity is rho."""
    return (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)


def _hht(alpha: float) -> tuple[float, float]:
    """am and af of HHT-alpha."""
    return 0.0, -alpha


SOLVED = (
    "The acceleration that it carries belongs to a time (af - am) h before the step's. It begins as the true one, an "
    "inconsistent start: the first step's rates err by order h² instead of h³. The order stays 2; "
    "on a slow oscillator the errors become 0.5 % larger with a radius of 0.8, up to 7 % with more damping.",
    "The acceleration is carried from step to step, so that each step solves for one vector of accelerations only, "
    "with a matrix half as large as that of an implicit Runge-Kutta method.",
    FORWARD_DIFFERENCES,
)


def methods() -> list[GeneralizedAlpha]:
    """generalized-alpha, hht-alpha."""
    facts = {
        "family": "Structural dynamics",
        "order": 2,
        "stages": 1,
        "implicit": True,
        "one_step": False,
        "problems": frozenset({"second-order"}),
    }
    return [
        GeneralizedAlpha(
            key="generalized-alpha",
            name="Generalized-alpha",
            aliases=("chung-hulbert",),
            options=(RHO, *OPTIONS),
            am=_chung_hulbert(0.8)[0],
            af=_chung_hulbert(0.8)[1],
            summary="Second-order equations directly, with a chosen damping of the fastest modes and the least damping "
            "of the slow ones: A-stable, of order 2. The standard method for flexible bodies.",
            source="J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375",
            notes=("With a spectral radius of 1 it is the trapezoidal rule.", *SOLVED),
            **facts,
        ),
        GeneralizedAlpha(
            key="hht-alpha",
            name="HHT-alpha",
            aliases=("hht",),
            options=(ALPHA, *OPTIONS),
            am=_hht(-0.1)[0],
            af=_hht(-0.1)[1],
            summary="The trapezoidal rule with forces taken a little before the end of the step: it damps fast modes, "
            "stays of order 2, and is A-stable for alpha from -1/3 to 0.",
            source="H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Earthquake Eng. Struct. Dyn. 5 (1977) 283-292",
            notes=("Infinitely fast modes change by the factor (1 + alpha) / (1 - alpha) in a step.", *SOLVED),
            **facts,
        ),
    ]


FAMILY = Family(methods, place=52)
