"""Automatic switching between a pair for non-stiff problems and one for stiff problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assets.fields import Value
from solvers.control import Control, FixedStep
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.methods.diagonally_implicit import FILES, DiagonallyImplicit
from solvers.methods.explicit_runge_kutta import ExplicitRungeKutta, method, table
from solvers.methods.implicit_runge_kutta import newton_tolerance
from solvers.options import FORWARD_DIFFERENCES
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability
from solvers.tableaux.tableau import load


@dataclass(frozen=True, kw_only=True)
class Switching(Method):
    """An explicit and a diagonally implicit pair of the same orders."""

    easy: ExplicitRungeKutta
    stiff: DiagonallyImplicit

    @property
    def regions(self) -> tuple[tuple[str, Stability], ...]:
        """Those of both pairs."""
        pairs = (self.easy, self.stiff)
        return tuple((pair.name, pair.stability) for pair in pairs if pair.stability is not None)

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control, which begins with the explicit pair."""
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels import explicit_runge_kutta as kernels
        from solvers.kernels.switching import Formula, Scratch, run

        assert not isinstance(control, FixedStep)
        d, tableau, stiff = problem.dimension, self.easy.tableau, self.stiff
        formula = Formula(table(tableau, problem.begin_step is None), stiff.arrays(newton_tolerance(control), 20))
        own = kernels.Scratch(np.empty((tableau.stages, d)), np.empty(d))
        scratch = Scratch(own, stiff.scratch(d), np.zeros(5), np.zeros((2, d)))
        return KernelStepper(run, problem, control, formula, scratch, powers=(5, 6), slope=own.k[0])

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Shorter steps of the implicit pair from the kept states, joined continuously."""
        return joined_runge_kutta(self.stiff.key, problem, kept, times)


def methods() -> list[Switching]:
    """switching."""
    return [
        Switching(
            key="switching",
            easy=method(load("dopri5")),
            stiff=FILES.find("esdirk54"),
            name="Switching 5(4)",
            aliases=("auto-switch",),
            family="Stiff and non-stiff",
            order=5,
            error_order=4,
            stages=7,
            implicit=True,
            fixed_step=False,
            adaptive=True,
            summary="Dormand-Prince 5(4) while the problem is not stiff, Kennedy and Carpenter's ESDIRK 5(4) while it "
            "is, chosen as the run goes. For problems whose stiffness is unknown, or comes and goes.",
            source="L. R. Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136-148 (the idea); E. Hairer, G. Wanner, "
            "Solving Ordinary Differential Equations II (1996), IV.2 (the test)",
            notes=(
                "It changes to the implicit pair after 15 steps with h times the spectral radius of df/dy above 3.25, "
                "where the explicit pair's stability ends, and back after 3 steps with h times it below 1. The radius "
                "comes from the last two stages of an explicit step, and from the Jacobian of an implicit one.",
                "Fast oscillations without damping do not count as stiff: the explicit pair follows them.",
                "Each step has the stability region of the pair that makes it. Steps with a factorisation are "
                "implicit.",
                "Our own code and our own pairs; LSODA switches between multi-step methods instead.",
                FORWARD_DIFFERENCES,
            ),
        )
    ]


FAMILY = Family(methods, place=62)
