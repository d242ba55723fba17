"""Munthe-Kaas methods, for bodies with Euler parameters: their steps are rotations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Value
from solvers.control import Control, FixedStep
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.methods.explicit_runge_kutta import method, table
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability
from solvers.tableaux.tableau import load

if TYPE_CHECKING:
    from solvers.kernels import lie_group as kernels


@dataclass(frozen=True, kw_only=True)
class MuntheKaas(Method):
    """An explicit Runge-Kutta method in the rotation vectors of each step; `base` is its tableau's key."""

    base: str

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or, if the tableau has an estimate, with step control."""
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.lie_group import run

        tableau, scratch = load(self.base), self._scratch(problem)
        power = 0 if isinstance(control, FixedStep) else tableau.estimate_power
        formula = self._formula(problem, problem.begin_step is None)
        return KernelStepper(run, problem, control, formula, scratch, powers=(power, power), slope=scratch.raw[0])

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """A shorter step of the method from the kept state before each time: a rotation, too."""
        from solvers.kernel_stepper import resample
        from solvers.kernels.lie_group import run

        formula = self._formula(problem, False)
        return resample(run, problem, formula, self._scratch(problem), kept, times)

    def _formula(self, problem: OdeProblem, one_slope: bool) -> kernels.Formula:
        from solvers.kernels.lie_group import Formula

        return Formula(table(load(self.base), one_slope), np.array(problem.rotations, dtype=np.int64))

    def _scratch(self, problem: OdeProblem) -> kernels.Scratch:
        from solvers.kernels.lie_group import Scratch

        d, s = problem.dimension, load(self.base).stages
        return Scratch(np.zeros((s, d)), np.zeros((1, d)), np.zeros(d), np.zeros(d))

    @cached_property
    def stability(self) -> Stability:
        """That of its tableau, for components that are no rotations."""
        return method(load(self.base)).stability


NOTES = (
    "For bodies with Euler parameters. Their four numbers keep unit length to round-off, whatever the step; ordinary "
    "Runge-Kutta methods let the length drift.",
    "A step integrates a rotation vector that begins at 0: no step may turn a body by a full turn.",
    "Other components are integrated as by the Runge-Kutta method, whose stability region it has.",
    "It has no specialised kernel.",
)


def methods() -> list[MuntheKaas]:
    """munthe-kaas4, munthe-kaas54."""
    made = partial(
        MuntheKaas,
        family="Lie group",
        problems=frozenset({"rotations"}),
        source="H. Munthe-Kaas, BIT 38 (1998) 92-111; A. Iserles et al., Acta Numerica 9 (2000) 215-365",
        notes=NOTES,
    )
    return [
        made(
            key="munthe-kaas4",
            name="Munthe-Kaas 4",
            order=4,
            stages=4,
            base="rk4",
            summary="The classical Runge-Kutta method in rotation vectors: each step turns the body by an exact "
            "rotation. Of order 4, with four evaluations of f per step.",
        ),
        made(
            key="munthe-kaas54",
            name="Munthe-Kaas 5(4)",
            order=5,
            error_order=4,
            stages=7,
            fsal=True,
            adaptive=True,
            base="dopri5",
            summary="Dormand-Prince 5(4) in rotation vectors: each step turns the body by an exact rotation, and an "
            "error estimate chooses its length.",
        ),
    ]


FAMILY = Family(methods, place=45)
