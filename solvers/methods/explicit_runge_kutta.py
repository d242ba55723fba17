"""Explicit Runge-Kutta methods: every data file of `assets/tableaux`, with step control if it has an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, rational, runge_kutta_polynomial
from solvers.tableaux.tableau import Tableau, coefficients, keys, load

if TYPE_CHECKING:
    from solvers.kernel_stepper import Kernel, KernelStepper
    from solvers.kernels import explicit_runge_kutta as kernels


@dataclass(frozen=True, kw_only=True)
class ExplicitRungeKutta(Method):
    """A method given by its tableau."""

    tableau: Tableau

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or with step control.

        A step evaluates f once per stage, and once less when the last stage is the next step's first; a
        rejected step keeps its first stage.
        """
        from solvers.codegen.specialised import made
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels import explicit_runge_kutta as kernels

        tableau, adaptive = self.tableau, not isinstance(control, FixedStep)

        def make(problem: OdeProblem, control: Control) -> KernelStepper:
            formula, d = table(tableau, problem.begin_step is None), problem.dimension
            scratch = kernels.Scratch(np.empty((tableau.stages, d)), np.empty(d))
            powers = (tableau.estimate_power, _paper_power(tableau)) if adaptive else (0, 0)
            return KernelStepper(kernels.run, problem, control, formula, scratch, powers=powers, slope=scratch.k[0])

        def compiled(stepper: KernelStepper) -> tuple[Kernel, bool]:
            from solvers.codegen.runge_kutta_source import runge_kutta_kernel

            return runge_kutta_kernel(tableau, problem, control)

        return made(make, compiled, problem, control, options)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """A shorter step of the method from the kept state before each time: of the method's own order."""
        from solvers.kernel_stepper import resample
        from solvers.kernels import explicit_runge_kutta as kernels

        d = problem.dimension
        scratch = kernels.Scratch(np.empty((self.tableau.stages, d)), np.empty(d))
        return resample(kernels.run, problem, table(self.tableau, False), scratch, kept, times)

    def principal_error_norm(self) -> float:
        """Over the rooted trees of order p + 1."""
        from solvers.tableaux.principal_error import of_tableau

        return of_tableau(self.tableau)

    @cached_property
    def stability(self) -> Stability:
        """R(z), a polynomial."""
        numbers = coefficients(self.tableau)
        return rational(runge_kutta_polynomial(numbers.A, numbers.b, self.order), np.ones(1))


@cache
def table(tableau: Tableau, one_slope: bool) -> kernels.Table:
    """From exact coefficients, each rounded once; `one_slope` allows the last stage to be the next step's first.

    Its arrays are read-only.
    """
    from solvers.kernels.explicit_runge_kutta import Table

    numbers = coefficients(tableau)
    dense = np.vstack([numbers.A, numbers.b, numbers.e, numbers.e2])
    rows, columns = np.nonzero(dense)
    starts = np.searchsorted(rows, np.arange(len(dense) + 1)).astype(np.int64)
    fsal = int(tableau.fsal and one_slope)
    return Table(fsal, numbers.c.copy(), starts, columns.astype(np.int64), dense[rows, columns])


Made = TypeVar("Made", bound=ExplicitRungeKutta)


def _paper_power(tableau: Tableau) -> int:
    """max(p, q) + 1, the power that paper 2's controller takes."""
    return max(tableau.order, tableau.error_order or 0) + 1


def summary(tableau: Tableau) -> str:
    """Two sentences for the card."""
    calls = tableau.stages - tableau.fsal
    evaluations = f"{calls} evaluation{'s' * (calls > 1)}"
    first = f"Explicit Runge-Kutta method of order {tableau.order}: {evaluations} of f per step."
    if tableau.error_order is None:
        return first + " It has no error estimate, so you choose the step."
    other = f"a comparison solution of order {tableau.error_order}"
    second = "two lower-order comparisons" if tableau.b_error2 else other
    kept = ", and its last evaluation is the next step's first" if tableau.fsal else ""
    return f"{first} An error estimate from {second} lets it choose the step{kept}."


def method(
    tableau: Tableau,
    kind: type[Made] = ExplicitRungeKutta,
    notes: tuple[str, ...] = (),
    options: tuple[Field, ...] = (SPECIALISED,),
) -> Made:
    """The Method of a tableau, of this class."""
    return kind(
        key=tableau.key,
        name=tableau.name,
        family=tableau.family,
        order=tableau.order,
        error_order=tableau.error_order,
        stages=tableau.stages,
        fsal=tableau.fsal,
        adaptive=tableau.b_error is not None,
        aliases=tableau.aliases,
        summary=summary(tableau),
        source=tableau.source,
        paper_label=tableau.paper_label,
        notes=notes or tableau.notes,
        options=options,
        tableau=tableau,
    )


def methods() -> list[ExplicitRungeKutta]:
    """One method per data file, ordered by family and order."""
    found = [method(load(key)) for key in keys()]
    return sorted(found, key=lambda one: (one.family != "Runge-Kutta", one.family, one.order, one.key))


FAMILY = Family(methods, place=0)
