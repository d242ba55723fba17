"""The classical Runge-Kutta method with step doubling: paper 1's adaptive integrator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, rational

if TYPE_CHECKING:
    from solvers.kernels.step_doubling import Formula

OPTIONS = (
    Field(
        "as_listed",
        "exactly as listed in 1990",
        default=False,
        help="With the listing's slips: 1/15 to ten digits, a smallest step that is not enforced, and a first step "
        "that starts over in every call.",
    ),
    Field(
        "call_interval",
        "length of one call",
        default=0.0,
        unit="s",
        minimum=0.0,
        slider=(0.0, 1.0),
        help="The listing is called repeatedly, each time for this long. 0 means one call for the whole span or, "
        "as listed, calls of 20 first steps.",
    ),
    Field(
        "hmin",
        "smallest step",
        default=0.0,
        unit="s",
        minimum=0.0,
        help="The run stops where it would need a shorter one.",
    ),
    Field("maxstp", "steps in one call", default=10000, minimum=0, help="A limit from the listing; 0 means no limit."),
    Field(
        "tiny",
        "smallest scale",
        default=1e-30,
        minimum=0.0,
        exclusive_minimum=True,
        help="Added to |y| + |h y'|, the error's scale.",
    ),
    Field("safety", "safety factor", default=0.9, minimum=0.0, maximum=1.0, exclusive_minimum=True),
    Field("grow", "exponent when growing", default=-0.2, minimum=-1.0, maximum=0.0),
    Field("shrink", "exponent when shrinking", default=-0.25, minimum=-1.0, maximum=-0.01),
    Field("errcon", "error below which the step grows fourfold", default=6e-4, minimum=0.0, maximum=1.0),
    SPECIALISED,
)


@dataclass(frozen=True, kw_only=True)
class StepDoubling(Method):
    """Two half steps against a whole one; the difference is the error estimate and, over 15, the correction."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control (eps = rtol, h1 = first_step), or with a fixed step.

        Eleven evaluations in an accepted step, ten in a rejected one.
        """
        from solvers.codegen.kernel_copy import copied_kernel
        from solvers.codegen.specialised import made
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.step_doubling import Scratch, run

        if not isinstance(control, FixedStep) and control.rtol == 0.0:
            raise BadInput("rtol", 0.0, "above 0 with the method rkqc, which uses it as eps")

        def make(problem: OdeProblem, control: Control) -> KernelStepper:
            d = problem.dimension
            rows = np.empty((1, d)), np.empty((1, d)), np.empty((3, d))
            scratch = Scratch(np.empty(6), *rows, np.empty(d), np.empty(d), np.empty(d))
            return KernelStepper(run, problem, control, _formula(control, options), scratch, powers=(5, 5))

        # Their estimates are relative to the state: if that is 0 they are all round-off.
        return made(make, copied_kernel, problem, control, options, errors=False)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Fifth-order Runge-Kutta steps from the kept states, joined continuously."""
        return joined_runge_kutta("rk5", problem, kept, times)

    def principal_error_norm(self) -> float:
        """Of the two half steps corrected by the whole one, as one tableau."""
        from solvers.tableaux.principal_error import runge_kutta

        A, b = np.diag([0.5, 0.5, 1.0], -1), np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
        whole = np.zeros((12, 12))
        whole[:4, :4] = whole[4:8, 4:8] = A / 2
        whole[4:8, :4], whole[8:, 8:] = b / 2, A
        return runge_kutta(whole, np.concatenate([b * 8, b * 8, -b]) / 15, self.order)

    @cached_property
    def stability(self) -> Stability:
        """R(z) = S^2 + (S^2 - R4(z)) / 15 with S = R4(z / 2)."""
        whole = np.array([1.0, 1.0, 1 / 2, 1 / 6, 1 / 24])
        half = whole * 0.5 ** np.arange(5)
        twice = np.convolve(half, half)
        return rational(twice * 16 / 15 - np.pad(whole, (0, 4)) / 15, np.ones(1))


def _formula(control: Control, options: Mapping[str, Value]) -> Formula:
    """The options as the kernel takes them."""
    from solvers.kernels.step_doubling import Formula

    listed, interval = bool(options["as_listed"]), 0.0
    if not isinstance(control, FixedStep):
        # The listing's first step is a twentieth of a call.
        interval = float(options["call_interval"]) or (20.0 * (control.first_step or 0.0) if listed else 0.0)
    numbers = {key: float(options[key]) for key in ("tiny", "safety", "grow", "shrink", "errcon", "hmin", "maxstp")}
    return Formula(listed=int(listed), interval=interval, **numbers)


def methods() -> list[StepDoubling]:
    """rkqc."""
    return [
        StepDoubling(
            key="rkqc",
            name="Adaptive Runge-Kutta 4 with step doubling",
            family="Runge-Kutta",
            order=5,
            error_order=4,
            stages=11,
            adaptive=True,
            options=OPTIONS,
            summary="Takes every step twice, once whole and once in two halves, and uses the difference as the "
            "error estimate. The difference also corrects the result, which raises the order from 4 to 5.",
            source="H. Jack, adaptive Runge-Kutta appendix (1990), after W. H. Press et al., Numerical Recipes (1986)",
            notes=(
                "Its tolerance eps is rtol, relative to |y| + |h y'|; atol and the controller do not apply.",
                "Where y is 0 the scale is almost zero: the step collapses and grows back fourfold per step.",
            ),
        )
    ]


FAMILY = Family(methods, place=10)
