"""Specialised kernels: made for one method and one problem, checked against the generic kernel, used in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from assets.fields import Value
from solvers.control import Control, FixedStep, Tolerance
from solvers.first_step import first_step
from solvers.kernel_stepper import Kernel, KernelStepper
from solvers.options import SPECIALISED
from solvers.problem import OdeProblem, apart
from solvers.stepper import Rows, Slice, Stepper, first_slope

# The check compares steps at a tolerance where round-off has no influence, and their errors in its units. Their length
# must not depend on these errors: a controller that finds them small takes the longest step.
CHECKED_TOLERANCE = 1e-6
LOOSER = 1e3
ERROR_ROUND_OFF = 1e-4
CHECKED_STEPS = 4
ROUND_OFF = 1e-11
_checked: set[str] = set()

Make = Callable[[OdeProblem, Control], KernelStepper]


def made(
    make: Make,
    compiled: Callable[[KernelStepper], tuple[Kernel, bool]],
    problem: OdeProblem,
    control: Control,
    options: Mapping[str, Value],
    errors: bool = True,
) -> KernelStepper:
    """The Stepper of `make`, with a specialised kernel when the options ask for one.

    Its first steps are compared with the generic kernel's.

    Args:
        make: a Stepper with the generic kernel.
        compiled: the kernel to use instead, and whether the equations are written into it.
        problem, control, options: of the run.
        errors: whether error estimates are compared too.
    """
    if not options.get(SPECIALISED.key):
        return make(problem, control)

    def specialised(problem: OdeProblem, control: Control) -> KernelStepper:
        stepper = make(problem, control)
        stepper.kernel, stepper.written_out = compiled(stepper)
        return stepper

    stepper = specialised(problem, control)
    name = stepper.kernel.py_func.__module__
    if name not in _checked:
        check(specialised, make, problem, control, errors)
        _checked.add(name)
    return stepper


def check(make: Make, generic: Make, problem: OdeProblem, control: Control, errors: bool = True) -> None:
    """The first steps of both, and their estimated `errors`, differ by round-off only.

    Raises:
        RuntimeError: when they do not, which is an error in this program.
    """
    control = _calm(problem, control)
    (ours, rows), (theirs, others) = (_first_steps(kind(apart(problem), control), problem) for kind in (make, generic))
    close = np.allclose(rows.y, others.y, rtol=ROUND_OFF, atol=ROUND_OFF, equal_nan=True)
    if errors:
        bounds = {"rtol": ERROR_ROUND_OFF, "atol": ERROR_ROUND_OFF / LOOSER, "equal_nan": True}
        close = close and np.allclose(rows.log[:, 2], others.log[:, 2], **bounds)
    if ours != theirs or not close:
        found = f"{ours}, {rows.y}, {rows.log} and {theirs}, {others.y}, {others.log}"
        raise RuntimeError(f"the specialised kernel differs from the generic one: {found}")


def _calm(problem: OdeProblem, control: Control) -> Control:
    """Steps of one length, short enough that no error grows: round-off must not be amplified."""
    tolerance = Tolerance(CHECKED_TOLERANCE, CHECKED_TOLERANCE)
    own, slope = apart(problem), np.empty(problem.dimension)
    first_slope(own, own.t0, own.initial, np.inf, slope)
    length = abs(first_step(own, tolerance, own.t0, own.initial, slope, own.t1, np.inf, 4)[0])
    if isinstance(control, FixedStep):
        return FixedStep(min(control.step, length))
    loose = LOOSER * max(control.rtol, CHECKED_TOLERANCE), LOOSER * max(control.atol, CHECKED_TOLERANCE)
    length = min(length, control.max_step or np.inf)
    return replace(control, rtol=loose[0], atol=loose[1], first_step=length, max_step=length)


def _first_steps(stepper: Stepper, problem: OdeProblem) -> tuple[Slice, Rows]:
    rows = Rows.empty(CHECKED_STEPS, problem.dimension)
    rows.y[:], rows.log[:] = 0.0, 0.0
    end = min(problem.breaks, default=problem.t1) if problem.t1 > problem.t0 else problem.t1
    end = end if end > problem.t0 else problem.t1
    stepper.start(problem.t0, np.array(problem.initial, dtype=float), end, np.inf)
    return stepper.advance(CHECKED_STEPS, rows), rows
