"""Explicit Runge-Kutta methods: every data file of `assets/tableaux`, with step control where it has an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assets.fields import Value
from solvers.control import Control, FixedStep
from solvers.interpolation.location import steps_to
from solvers.method import Family, Method, Stepper
from solvers.options import CUSTOMISED
from solvers.problem import Array, OdeProblem
from solvers.tableaux.stability import Stability, rational, runge_kutta_polynomial
from solvers.tableaux.tableau import Tableau, coefficients, keys, load


@dataclass(frozen=True, kw_only=True)
class ExplicitRungeKutta(Method):
    """A method given by its tableau."""

    tableau: Tableau

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step or with step control."""
        if options.get("customised"):
            from solvers.codegen.steppers import runge_kutta

            return runge_kutta(self.tableau, problem, control)
        from solvers.methods._explicit_steppers import AdaptiveRungeKutta, FixedRungeKutta

        if isinstance(control, FixedStep):
            return FixedRungeKutta(self.tableau, problem, control)
        return AdaptiveRungeKutta(self.tableau, problem, control)

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """A shorter step of the method from the kept state before each time: of the method's own order."""
        from solvers.kernels import explicit_runge_kutta as kernels
        from solvers.kernels.calls import addresses
        from solvers.methods._explicit_steppers import SparseTableau

        out, steps = steps_to(times, t, y, substeps, problem.breaks)
        stages, work = np.empty((self.stages, problem.dimension)), np.empty(problem.dimension)
        table = 0, *SparseTableau.of(self.tableau)
        kernels.sample(*addresses(problem), problem.params.copy(), *table, *steps, stages, work, out)  # pyright: ignore[reportCallIssue]
        return out

    def principal_error_norm(self) -> float:
        """Over the rooted trees of order p + 1."""
        from solvers.tableaux.principal_error import of_tableau

        return of_tableau(self.tableau)

    def stability(self) -> Stability:
        """R(z), a polynomial."""
        numbers = coefficients(self.tableau)
        return rational(runge_kutta_polynomial(numbers.A, numbers.b, self.order), np.ones(1))


def summary(tableau: Tableau) -> str:
    """Two sentences for the card."""
    calls = tableau.stages - tableau.fsal
    evaluations = f"{calls} evaluation{'s' * (calls > 1)}"
    first = f"Explicit Runge-Kutta method of order {tableau.order}: {evaluations} of f in a step."
    if tableau.error_order is None:
        return first + " It has no error estimate, so the step is yours to choose."
    other = f"a comparison solution of order {tableau.error_order}"
    second = "two lower-order comparisons" if tableau.b_error2 else other
    kept = ", and its last evaluation is the next step's first" if tableau.fsal else ""
    return f"{first} An error estimate from {second} lets it choose the step{kept}."


def method(tableau: Tableau) -> ExplicitRungeKutta:
    """The Method of a data file's tableau."""
    return ExplicitRungeKutta(**attributes(tableau))


def attributes(tableau: Tableau) -> dict[str, Any]:
    """What `ExplicitRungeKutta` and the class derived from it are made with."""
    return {
        "key": tableau.key,
        "name": tableau.name,
        "family": tableau.family,
        "order": tableau.order,
        "error_order": tableau.error_order,
        "stages": tableau.stages,
        "fsal": tableau.fsal,
        "adaptive": tableau.b_error is not None,
        "aliases": tableau.aliases,
        "summary": summary(tableau),
        "source": tableau.source,
        "paper_label": tableau.paper_label,
        "notes": tableau.notes,
        "options": (CUSTOMISED,),
        "tableau": tableau,
    }


def methods() -> list[ExplicitRungeKutta]:
    """One method per data file, ordered by family and order."""
    found = [method(load(key)) for key in keys()]
    return sorted(found, key=lambda one: (one.family != "Runge-Kutta", one.family, one.order, one.key))


FAMILY = Family(methods, place=0)
