"""Diagonally implicit Runge-Kutta methods with an embedded solution: one small linear system for each stage."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.method import Family
from solvers.methods.implicit_runge_kutta import HAIRER, OPTIONS, Formula, ImplicitRungeKutta
from solvers.options import FORWARD_DIFFERENCES

if TYPE_CHECKING:
    from solvers.kernel_stepper import Kernel


@dataclass(frozen=True, kw_only=True)
class DiagonallyImplicit(ImplicitRungeKutta):
    """A method whose stages are solved for one after the other, all with the same matrix.

    One Jacobian per accepted step, one factorisation per attempt. `formula.estimate` are the weights of the slopes.
    """

    def kernel(self) -> Kernel:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import run

        return run

    def arrays(self, tolerance: float, most: int) -> Any:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import Formula

        A = np.ascontiguousarray(self.formula.A)
        explicit = int(not A[0].any())
        return Formula(tolerance, most, explicit, A.sum(axis=1), A, np.array(self.formula.estimate))

    def scratch(self, d: int) -> Any:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import Scratch

        s = len(self.formula.A)
        matrices = np.zeros((s + 3, d)), np.zeros((d, d)), np.empty((d, d))
        vectors = [np.zeros(d) for _ in range(5)]
        return Scratch(*matrices, np.empty(d, dtype=np.int64), *vectors)


def _formula(rows: str, embedded: str) -> Formula:
    """From rows of A, of which the last is b, and the embedded weights, all as fractions in text."""
    numbers = [[float(Fraction(entry)) for entry in row.split()] for row in rows.strip().splitlines()]
    A = np.zeros((len(numbers), len(numbers)))
    for i, row in enumerate(numbers):
        A[i, : len(row)] = row
    other = np.array([float(Fraction(entry)) for entry in embedded.split()])
    return Formula(A, A[-1], tuple((A[-1] - other).tolist()))


def _tr_bdf2() -> Formula:
    """A trapezoidal stage to 2 - sqrt(2) of the step, then BDF 2 to its end."""
    d, w = 1.0 - np.sqrt(0.5), np.sqrt(2.0) / 4.0
    A = np.array([[0.0, 0.0, 0.0], [d, d, 0.0], [w, w, d]])
    other = np.array([1.0 - w, 3.0 * w + 1.0, d]) / 3.0
    return Formula(A, A[-1], tuple((A[-1] - other).tolist()))


KC_3 = _formula(
    """
    0
    1767732205903/4055673282236 1767732205903/4055673282236
    2746238789719/10658868560708 -640167445237/6845629431997 1767732205903/4055673282236
    1471266399579/7840856788654 -4482444167858/7529755066697 11266239266428/11593286722821 1767732205903/4055673282236
    """,
    "2756255671327/12835298489170 -10771552573575/22201958757719 9247589265047/10645013368117 "
    "2193209047091/5459859503100",
)
KC_4 = _formula(
    """
    0
    1/4 1/4
    8611/62500 -1743/31250 1/4
    5012029/34652500 -654441/2922500 174375/388108 1/4
    15267082809/155376265600 -71443401/120774400 730878875/902184768 2285395/8070912 1/4
    82889/524892 0 15625/83664 69875/102672 -2260/8211 1/4
    """,
    "4586570599/29645900160 0 178811875/945068544 814220225/1159782912 -3700637/11593932 61727/225920",
)
HW_4 = _formula(
    """
    1/4
    1/2 1/4
    17/50 -1/25 1/4
    371/1360 -137/2720 15/544 1/4
    25/24 -49/48 125/16 -85/12 1/4
    """,
    "59/48 -17/96 225/32 -85/12 0",
)
ONE_MATRIX = "All stages share one small matrix, so that a step costs less linear algebra than one of Radau IIA."
KENNEDY = "C. A. Kennedy, M. H. Carpenter, Appl. Numer. Math. 44 (2003) 139-181"


def methods() -> list[DiagonallyImplicit]:
    """tr-bdf2, esdirk32, sdirk4, esdirk43."""
    made = partial(
        DiagonallyImplicit,
        family="Diagonally implicit",
        implicit=True,
        adaptive=True,
        options=OPTIONS,
        notes=(ONE_MATRIX, FORWARD_DIFFERENCES),
    )
    return [
        made(
            key="tr-bdf2",
            name="TR-BDF2",
            order=2,
            error_order=3,
            stages=3,
            formula=_tr_bdf2(),
            summary="A trapezoidal stage, then BDF 2 to the end of the step: L-stable, of order 2, with an embedded "
            "solution of order 3. The usual choice of circuit simulators.",
            source="R. E. Bank et al., IEEE Trans. Electron Devices 32 (1985); M. E. Hosea, L. F. Shampine, Appl. "
            "Numer. Math. 20 (1996) 21-37",
        ),
        made(
            key="esdirk32",
            name="ESDIRK 3(2), Kennedy-Carpenter",
            order=3,
            error_order=2,
            stages=4,
            formula=KC_3,
            summary="An explicit first stage and three implicit ones: L-stable, of order 3, with an embedded solution "
            "of order 2. The implicit half of ARK3(2)4L[2]SA.",
            source=KENNEDY,
        ),
        made(
            key="sdirk4",
            name="SDIRK 4(3)",
            order=4,
            error_order=3,
            stages=5,
            formula=HW_4,
            summary="Five implicit stages: L-stable, of order 4, with an embedded solution of order 3. On very stiff "
            "problems its stages are of order 1 only, and so may the method be.",
            source=HAIRER + "IV.6",
        ),
        made(
            key="esdirk43",
            name="ESDIRK 4(3), Kennedy-Carpenter",
            order=4,
            error_order=3,
            stages=6,
            formula=KC_4,
            summary="An explicit first stage and five implicit ones: L-stable, of order 4, with an embedded solution "
            "of order 3. The implicit half of ARK4(3)6L[2]SA.",
            source=KENNEDY,
        ),
    ]


FAMILY = Family(methods, place=51)
