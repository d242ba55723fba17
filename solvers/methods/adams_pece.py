"""Adams methods that choose order and step as they go, after Shampine and Gordon, with two evaluations in a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps, locate
from solvers.method import Family, Method
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper

HIGHEST = 12


@dataclass(frozen=True, kw_only=True)
class AdamsPece(Method):
    """Orders 1 to `max_order`, starting with order 1."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control: two evaluations in an accepted step, one in a rejected one.

        The rules for order and step are the method's own.
        """
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.multistep.adams_pece import Formula, Scratch, run

        d, size = problem.dimension, HIGHEST + 1
        past, phi = (np.empty(9), np.empty(size), np.zeros((4, size))), np.empty((HIGHEST + 3, d))
        scratch = Scratch(*past, phi, np.empty(d), np.empty(d), np.empty((3, d)))
        formula = Formula(int(options["max_order"]))
        return KernelStepper(run, problem, control, formula, scratch, powers=(2, 2), slope=phi[0])

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """The integral of the polynomial through the slopes at the last steps' ends, which are evaluated again.

        If steps are missing, or f changes in each, Runge-Kutta steps of order 8 from the kept states.
        """
        from solvers.kernels.calls import addresses
        from solvers.kernels.multistep import adams_pece as kernels

        if kept.substeps > 1 or problem.begin_step is not None:
            return joined_runge_kutta("rk8", problem, kept, times)
        d, (interval, ceilings) = problem.dimension, locate(kept.t, times, problem.breaks)
        out, size = np.empty((len(times), d)), HIGHEST + 1
        # Those of runs side by side are read-only, which the kernel's types are not.
        t, y = np.require(kept.t, requirements="W"), np.require(kept.y, requirements="W")
        kernels.sample(
            *(addresses(problem)[0], problem.params.copy(), ceilings, t, y, interval, times, np.empty(size)),
            *(np.empty((size, d)), np.empty(size), np.empty(size), np.empty(d, dtype=np.int64), np.empty(d), out),
        )
        return out


def methods() -> list[AdamsPece]:
    """adams-pece."""
    return [
        AdamsPece(
            key="adams-pece",
            name="Adams PECE 1-12",
            family="Adams",
            order=HIGHEST,
            stages=2,
            fixed_step=False,
            adaptive=True,
            one_step=False,
            options=(
                Field("max_order", "highest order", default=HIGHEST, minimum=1, maximum=HIGHEST, slider=(1, HIGHEST)),
            ),
            summary="Adams-Bashforth predictors of order 1 to 12 with Adams-Moulton correctors one order higher, "
            "with variable step and order. Two evaluations of f per step, whatever the order: paper 4's "
            "explicit method.",
            source="L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations (1975)",
            notes=(
                "Our own code, from the published mathematics of DE/STEP, which is also that of DEABM.",
                "It starts with order 1 and doubles the step until it has enough history.",
                "It has its own rules for step and order and uses only the controller's norm.",
                "It has no specialised kernel: order and step change during the run.",
            ),
        )
    ]


FAMILY = Family(methods, place=31)
