"""Symplectic Euler and the two Verlet methods, for second-order equations, with a fixed step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from assets.fields import Value
from solvers.control import Control
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, of_oscillator


@dataclass(frozen=True, kw_only=True)
class Symplectic(Method):
    """A method for q'' = a(t, q, v); `kind` is its number in the kernel."""

    kind: int

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step; implicit kicks evaluate f as often as their iteration needs."""
        from solvers.codegen.kernel_copy import copied_kernel
        from solvers.codegen.specialised import made
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.symplectic import Formula, Scratch, run

        def make(problem: OdeProblem, control: Control) -> KernelStepper:
            d = problem.dimension
            scratch = Scratch(np.empty((1, d)), np.empty(d // 2))
            return KernelStepper(run, problem, control, Formula(self.kind), scratch)

        return made(make, copied_kernel, problem, control, options)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Runge-Kutta steps from the kept states, joined continuously."""
        return joined_runge_kutta("rk4", problem, kept, times)

    @property
    def kind_text(self) -> str:
        """A Verlet method's half kicks are implicit where accelerations depend on velocities, as those of an arm do."""
        return "explicit or implicit" if self.kind else "explicit"

    @cached_property
    def stability(self) -> Stability:
        """On an oscillator."""

        def step(damping: Array, stiffness: Array) -> tuple[Array, Array]:
            if self.kind == 0:
                return 2 + damping - stiffness, 1 + damping
            # A half step explicit in the velocity, and one implicit in it.
            implicit = 1 / (1 - damping / 2)
            determinant = (1 + damping / 2) * implicit
            return 1 + determinant - stiffness * implicit, determinant

        return of_oscillator(step)


ITERATED = "For an arm each kick is solved by iteration, which takes several evaluations."
BOUNDED = (
    "Where accelerations depend on positions alone it is symplectic, and its energy error stays bounded over very long "
    "times."
)
NOTE = (
    "For an arm, whose accelerations depend on velocities too, the kick is solved by iteration: the step stays "
    "symmetric in time but is not symplectic. On the falling RR arm, which is chaotic, the energy error at 0.01 s "
    "grows from 0.01 J in 100 s to several times as much in 10 000 s; on the flexible beam it is the same after 10 s "
    "and after 100 s. "
    "The iteration converges while half the step times the damping, the slope of accelerations over "
    "velocities, is below one half. "
    "The methods in positions and momenta are symplectic for an arm."
)


def methods() -> list[Symplectic]:
    """symplectic-euler, velocity-verlet, stoermer-verlet."""
    made = partial(
        Symplectic,
        family="Symplectic",
        problems=frozenset({"second-order"}),
        options=(SPECIALISED,),
        source="E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), I.1 and VI.3",
    )
    return [
        made(
            key="symplectic-euler",
            name="Symplectic Euler",
            order=1,
            stages=1,
            kind=0,
            summary="New velocities first, then positions with the new velocities: as cheap as Euler's method, of "
            "order 1. Its energy oscillates but does not drift where accelerations depend on positions "
            "alone.",
            notes=("For accelerations that depend on velocities it is only the semi-implicit Euler method.",),
        ),
        made(
            key="velocity-verlet",
            name="Velocity Verlet",
            order=2,
            stages=2,
            kind=1,
            summary=f"Half a kick, a drift, half a kick: of order 2 and symmetric in time. {ITERATED} {BOUNDED}",
            notes=(NOTE,),
        ),
        made(
            key="stoermer-verlet",
            name="Stoermer-Verlet (position form)",
            order=2,
            stages=1,
            kind=2,
            summary=f"Half a drift, a kick, half a drift: of order 2 and symmetric in time. {ITERATED} {BOUNDED}",
            notes=(NOTE,),
        ),
    ]


FAMILY = Family(methods, place=40)
