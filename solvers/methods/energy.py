"""Methods that conserve the energy: the average vector field, and its kin of order 4, in positions and momenta.

The step follows a polynomial u of degree s, whose slope is the mean of f(u), weighted by Legendre's polynomials P_j:
u'(t + c h) = sum_(j<s) P_j(c) integral of P_j f(u) over the step. With exact integrals a Hamiltonian system keeps its
energy. The unknowns are the values of u at the s Gauss points; f is evaluated at more Gauss points, which makes the
integrals exact up to round-off. On linear equations it is the Gauss method.

Source: G. R. W. Quispel, D. I. McLaren, J. Phys. A 41 (2008) 045206; L. Brugnano, F. Iavernaro, D. Trigiante, JNAIAM 5
(2010) 17-37 and E. Hairer, JNAIAM 5 (2010) 73-84 for any s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import Legendre

from assets.fields import Field, Value
from solvers.method import Family, Method
from solvers.methods.implicit_runge_kutta import Formula, gauss
from solvers.methods.momenta import FORCED, LIMIT, TOLERANCE, InMomenta
from solvers.problem import Array
from solvers.tableaux.stability import Stability, of_runge_kutta

if TYPE_CHECKING:
    from solvers.kernels import implicit_runge_kutta as kernels

USUAL = 8
POINTS = Field(
    "points",
    "evaluations of f",
    default=USUAL,
    minimum=1,
    maximum=16,
    slider=(1, 16),
    help="Gauss points at which each iteration evaluates f. With as few as the method has unknowns it is a Gauss "
    "method; with more, the energy's error falls until it is round-off.",
)


@dataclass(frozen=True, kw_only=True)
class EnergyConserving(InMomenta):
    """The method with `degree` unknowns; `formula` is its tableau with as many stages as evaluations."""

    degree: int

    def configured(self, options: Mapping[str, Value]) -> Method:
        """With the number of evaluations."""
        points = max(self.degree, int(options["points"]))
        return self if points == self.stages else replace(self, stages=points, formula=_tableau(self.degree, points))

    def arrays(self, tolerance: float, most: int) -> kernels.Formula:
        """See ImplicitRungeKutta."""
        from solvers.kernels.implicit_runge_kutta import Formula

        s, (nodes, spread, gather) = self.degree, _maps(self.degree, self.stages)
        d = gauss(s).table()[3]
        return Formula(tolerance, most, nodes, np.zeros(s), gather @ spread, d, np.empty(0), spread, gather)

    def scratch(self, d: int) -> kernels.Scratch:
        """See ImplicitRungeKutta."""
        return self.memory(d, self.degree, self.stages)

    @cached_property
    def stability(self) -> Stability:
        """That of the Gauss method."""
        formula = gauss(self.degree)
        return of_runge_kutta(formula.A, formula.b)


def _maps(s: int, points: int) -> tuple[Array, Array, Array]:
    """The nodes of the evaluations, (m,), and `spread` (m, s) and `gather` (s, m) as the kernel takes them."""
    nodes, weights = _on_unit(points)
    roots = _on_unit(s)[0]
    # u - y at a point is the polynomial through 0 at 0 and z at the roots.
    powers = np.arange(1, s + 1)
    spread = nodes[:, None] ** powers @ np.linalg.inv(roots[:, None] ** powers)
    legendre = [Legendre.basis(j, domain=[0.0, 1.0]) for j in range(s)]
    rising = np.array([[p.integ(lbnd=0.0)(root) for p in legendre] for root in roots])
    gather = rising @ np.array([(2 * j + 1) * weights * p(nodes) for j, p in enumerate(legendre)])
    return nodes, np.ascontiguousarray(spread), np.ascontiguousarray(gather)


def _on_unit(points: int) -> tuple[Array, Array]:
    """Gauss points and weights on [0, 1]."""
    roots, weights = np.polynomial.legendre.leggauss(points)
    return 0.5 * (1.0 + roots), 0.5 * weights


def _tableau(s: int, points: int) -> Formula:
    """As a Runge-Kutta method with a stage at each evaluation."""
    _, spread, gather = _maps(s, points)
    return Formula(spread @ gather, _on_unit(points)[1])


SOURCE = (
    "G. R. W. Quispel, D. I. McLaren, J. Phys. A 41 (2008); L. Brugnano, F. Iavernaro, D. Trigiante, JNAIAM 5 (2010)"
)
NOTE = (
    "Symmetric in time but not symplectic: it stays on the surface of constant energy, not on the motion. An energy "
    "that is right does not make a position right."
)


def methods() -> list[EnergyConserving]:
    """avf, avf4."""
    return [
        EnergyConserving(
            key=key,
            name=name,
            family="Energy-conserving",
            order=2 * s,
            stages=USUAL,
            options=(POINTS, replace(TOLERANCE, default=1e-18, minimum=1e-20), LIMIT),
            formula=_tableau(s, USUAL),
            degree=s,
            summary=f"{text}, in positions and momenta: of order {2 * s}, and without friction the energy stays to "
            "round-off, whatever the step.",
            source=SOURCE,
            notes=(NOTE, FORCED),
        )
        for key, name, s, text in (
            ("avf", "Average vector field", 1, "Takes the mean of f along the straight line from state to state"),
            ("avf4", "Average vector field 4", 2, "Takes weighted means of f along a parabola from state to state"),
        )
    ]


FAMILY = Family(methods, place=42)
