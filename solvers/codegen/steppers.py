"""Steppers whose kernels are made for one method and one problem; each takes its generic kernel's place.

`kernel` is the compiled kernel; `written_out` tells whether the equations stand in it, or are called by it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from assets.fields import Value
from solvers.codegen.kernel_copy import copy_of
from solvers.codegen.runge_kutta_source import kernel_source
from solvers.codegen.specialised import closed_form, customised, module
from solvers.codegen.tape import Tape
from solvers.codegen.taylor_source import taylor_source
from solvers.control import Control, FixedStep
from solvers.method import Rows, Stepper
from solvers.methods._explicit_steppers import AdaptiveRungeKutta, FixedRungeKutta
from solvers.methods.taylor import SeriesStepper, TaylorStepper
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import Tableau

# -- Runge-Kutta -------------------------------------------------------------------------------------------------------


def runge_kutta(tableau: Tableau, problem: OdeProblem, control: Control) -> Stepper:
    """An explicit Runge-Kutta method."""

    def ours(problem: OdeProblem, control: Control) -> Stepper:
        if isinstance(control, FixedStep):
            return CustomisedFixed(tableau, problem, control)
        return CustomisedAdaptive(tableau, problem, control)

    def generic(problem: OdeProblem, control: Control) -> Stepper:
        if isinstance(control, FixedStep):
            return FixedRungeKutta(tableau, problem, control)
        return AdaptiveRungeKutta(tableau, problem, control)

    return customised(ours, generic, problem, control)


class CustomisedFixed(FixedRungeKutta):
    """Fixed step by a kernel without a table."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: FixedStep) -> None:
        super().__init__(tableau, problem, control)
        tape = closed_form(problem, tableau.stages)
        self.written_out = tape is not None
        begins = problem.begin_step is not None
        self.kernel = _runge_kutta(tableau, problem.dimension, tape, self.fsal, begins, False).run
        self.table = ()


class CustomisedAdaptive(AdaptiveRungeKutta):
    """Step control by a kernel without a table; the controllers are the same."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: Control) -> None:
        assert not isinstance(control, FixedStep)
        super().__init__(tableau, problem, control)
        tape = closed_form(problem, tableau.stages)
        self.written_out = tape is not None
        begins = problem.begin_step is not None
        self.kernel = _runge_kutta(tableau, problem.dimension, tape, self.fsal, begins, True).run
        self.table = ()


@lru_cache(maxsize=256)
def _runge_kutta(
    tableau: Tableau, dimension: int, tape: Tape | None, fsal: bool, begins: bool, adaptive: bool
) -> ModuleType:
    """The module for these; a tape is known by its identity."""
    return module(kernel_source(tableau, dimension, tape, fsal, begins, adaptive))


# -- Taylor ------------------------------------------------------------------------------------------------------------


def taylor(problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
    """Power series."""

    def ours(problem: OdeProblem, control: Control) -> Stepper:
        return CustomisedTaylor(problem, control, options)

    def generic(problem: OdeProblem, control: Control) -> Stepper:
        return TaylorStepper(problem, control, options)

    return customised(ours, generic, problem, control)


class CustomisedTaylor(SeriesStepper):
    """Series by a kernel without a tape."""

    written_out = True

    def __init__(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> None:
        super().__init__(problem, control, options)
        assert isinstance(problem.taylor, Tape)
        self.kernel = _taylor(problem.taylor, *self.degrees).run
        self.series = np.empty(problem.dimension * (self.sweeps + 1))

    def steps(self, attempts: int, rows: Rows) -> int:
        """See SeriesStepper."""
        return self.kernel(
            *(self.problem.params, self.t0, self.end, *self.settings, self.state, self.y, self.series),
            *(attempts, rows.t, rows.y, rows.log, self.counts),
        )


@lru_cache(maxsize=64)
def _taylor(tape: Tape, degree: int, positions: int, velocity_degree: int) -> ModuleType:
    """The module for these; a tape is known by its identity."""
    return module(taylor_source(tape, degree, positions, velocity_degree))


# -- methods whose formula stands in their kernel ----------------------------------------------------------------------


def copied(make: Callable[[OdeProblem, Control], Stepper], problem: OdeProblem, control: Control) -> Stepper:
    """The Stepper of `make` with a copy of its kernel, made for the problem."""

    def ours(problem: OdeProblem, control: Control) -> Stepper:
        stepper: Any = make(problem, control)
        tape = closed_form(problem)
        kernels = sys.modules[stepper.kernel.py_func.__module__]
        stepper.kernel = getattr(copy_of(kernels, problem.dimension, tape), stepper.kernel.py_func.__name__)
        stepper.written_out = tape is not None
        return stepper

    # Their estimates are not written anew; relative to a state of 0, as rkqc's are, they would be all round-off.
    return customised(ours, make, problem, control, errors=False)
