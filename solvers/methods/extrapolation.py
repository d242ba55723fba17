"""Gragg-Bulirsch-Stoer extrapolation: of variable order and step, or of a chosen order with a fixed step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.dense import continuous
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import Stability, rational

if TYPE_CHECKING:
    from solvers.kernels import extrapolation as kernels

COLUMNS = Field(
    "columns",
    "columns with a fixed step",
    default=4,
    minimum=2,
    maximum=8,
    slider=(2, 8),
    help="With a fixed step the order is twice this. With step control the order is chosen at every step.",
)


@dataclass(frozen=True, kw_only=True)
class Extrapolation(Method):
    """The explicit midpoint rule, extrapolated; `columns` is that of a fixed step."""

    columns: int

    def configured(self, options: Mapping[str, Value]) -> Method:
        """With the order of a fixed step."""
        columns = int(options["columns"])
        facts = {"columns": columns, "order": 2 * columns, "error_order": 2 * columns - 2, "stages": 1 + columns**2}
        return self if columns == self.columns else replace(self, **facts)

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step, or with step and order control."""
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.extrapolation import Formula, run

        formula = Formula(int(options["columns"]))
        return KernelStepper(run, problem, control, formula, _scratch(problem.dimension), powers=(7, 7))

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Shorter steps from the kept states with as many columns as there can be, joined continuously."""
        from solvers.kernel_stepper import resample
        from solvers.kernels.extrapolation import Formula, run

        def shorter(inner: Array) -> Array:
            most = Formula(int(COLUMNS.maximum))
            return resample(run, problem, most, _scratch(problem.dimension), kept, inner)

        return continuous(shorter, kept, times)

    @cached_property
    def stability(self) -> Stability:
        """Of the columns of a fixed step."""
        z, rows = np.polynomial.Polynomial([0.0, 1.0]), []
        for j in range(1, self.columns + 1):
            before, now = np.polynomial.Polynomial([1.0]), 1.0 + z / (2 * j)
            for _ in range(1, 2 * j):
                before, now = now, before + z / j * now
            row = [now]
            for l in range(1, j):
                row.append(row[l - 1] + (row[l - 1] - rows[-1][l - 1]) / ((j / (j - l)) ** 2 - 1.0))
            rows.append(row)
        found = rows[-1][-1].coef.copy()
        # Its first coefficients are those of the exponential function.
        exact = np.cumprod(np.concatenate([[1.0], 1.0 / np.arange(1, 2 * self.columns + 1)]))
        found[: len(exact)] = exact[: len(found)]
        return rational(found, np.array([1.0]))


def _scratch(d: int) -> kernels.Scratch:
    """Working memory of the kernel for d components."""
    from solvers.kernels.extrapolation import MOST, Scratch

    vectors = np.empty(d), np.empty(d), np.zeros(3), np.zeros(MOST + 1), np.zeros(MOST + 1)
    return Scratch(np.empty((2, d)), np.empty((MOST, d)), *vectors)


def methods() -> list[Extrapolation]:
    """gbs."""
    return [
        Extrapolation(
            key="gbs",
            name="Gragg-Bulirsch-Stoer",
            aliases=("bulirsch-stoer",),
            family="Extrapolation",
            order=8,
            error_order=6,
            stages=17,
            adaptive=True,
            options=(COLUMNS,),
            columns=4,
            summary="Takes the same step with the midpoint rule in 2, 4, 6.. substeps and extrapolates to substep 0. "
            "With step control both step and order change, the order from 4 to 18: long steps at tight tolerances.",
            source="W. B. Gragg (1965); R. Bulirsch, J. Stoer (1966); E. Hairer, S. P. Norsett, G. Wanner, Solving "
            "Ordinary Differential Equations I (1993), II.9",
            notes=(
                "The stability region, the order and the number of stages are those of a fixed step.",
                "With step control it has a controller of its own, which compares the work of several orders.",
                "It has no specialised kernel: order and step change during the run.",
            ),
        )
    ]


FAMILY = Family(methods, place=35)
