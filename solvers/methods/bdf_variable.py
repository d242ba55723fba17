"""Backward differentiation formulas that choose order and step as they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.methods.bdf import stability_of
from solvers.options import FORWARD_DIFFERENCES
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability

HIGHEST = 5
MOST = Field("max_order", "highest order", default=HIGHEST, minimum=1, maximum=HIGHEST, slider=(1, HIGHEST))


@dataclass(frozen=True, kw_only=True)
class VariableBdf(Method):
    """Orders 1 to `order`, starting with order 1."""

    def configured(self, options: Mapping[str, Value]) -> Method:
        """With its highest order."""
        most = int(options["max_order"])
        return self if most == self.order else replace(self, order=most, steps=most)

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control; the rules for order and step are the method's own."""
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.multistep.bdf_variable import Formula, Scratch, run

        assert not isinstance(control, FixedStep)
        d, tight = problem.dimension, max(control.rtol, 1e-15)
        past = np.zeros(7), np.zeros((HIGHEST + 3, d)), np.zeros((HIGHEST + 1, HIGHEST + 1))
        matrices = np.zeros((3, d)), np.zeros((d, d)), np.empty((d, d)), np.empty(d, dtype=np.int64)
        scratch = Scratch(*past, *matrices, *(np.empty(d) for _ in range(5)))
        gamma = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, HIGHEST + 1))])
        formula = Formula(self.order, max(2e-15 / tight, 0.1), gamma)
        return KernelStepper(run, problem, control, formula, scratch, powers=(2, 2), slope=scratch.slopes[0])

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Shorter steps of Radau IIA from the kept states, joined continuously."""
        return joined_runge_kutta("radau5", problem, kept, times)

    @cached_property
    def stability(self) -> Stability:
        """Of its highest order."""
        return stability_of(self.order)


def methods() -> list[VariableBdf]:
    """bdf-variable."""
    return [
        VariableBdf(
            key="bdf-variable",
            name="BDF 1-5",
            family="BDF",
            order=HIGHEST,
            error_order=HIGHEST + 1,
            stages=1,
            steps=HIGHEST,
            implicit=True,
            fixed_step=False,
            adaptive=True,
            one_step=False,
            options=(MOST,),
            summary="Backward differentiation formulas of order 1 to 5, with variable order and step and one Jacobian "
            "for many steps: one or two evaluations of f in a step, and little linear algebra. The usual choice for "
            "large stiff problems.",
            source="G. D. Byrne, A. C. Hindmarsh, ACM Trans. Math. Software 1 (1975) 71-96; L. F. Shampine, M. W. "
            "Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22",
            notes=(
                "Our own code: differences at equal steps, computed again when the step changes. CVODE, which is here "
                "too, has formulas with variable coefficients.",
                "The stability region is that of its highest order.",
                "It has its own rules for step and order and uses only the controller's norm.",
                FORWARD_DIFFERENCES,
            ),
        )
    ]


FAMILY = Family(methods, place=61)
