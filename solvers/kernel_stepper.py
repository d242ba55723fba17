"""The Stepper of every method with a kernel of ours; imported when a run begins, with the kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from solvers.control import Control, FixedStep, Tolerance
from solvers.dae_problem import DaeProblem
from solvers.first_step import first_step
from solvers.interpolation.location import KeptSteps, steps_to
from solvers.kernels.calls import addresses, entry
from solvers.kernels.loop import CALLS, LISTED, STEP, TIME, Rules, State, Task
from solvers.kernels.parts.controllers import NUMBERS
from solvers.problem import Array, OdeProblem
from solvers.stepper import Rows, Slice, Stepper, Tally, first_slope, uniform_steps

Members = tuple[object, ...]
"""A named tuple of a family's own."""


class Kernel(Protocol):
    """A family's compiled `run`."""

    py_func: Callable[..., Slice]

    def __call__(
        self,
        task: Task,
        rules: Rules,
        state: State,
        formula: Members,
        scratch: Members,
        rows: Rows,
        attempts: int,
    ) -> Slice:
        """Try that many steps; see `solvers.kernels.loop`."""
        ...


LanesKernel = Callable[..., int]
"""run(task, rules, rows, cells, lanes, limits), see `solvers.batch.lane_kernels`."""


class KernelStepper(Stepper):
    """A kernel and its arguments: see `solvers.kernels.loop`.

    Args:
        kernel: `run` of a family.
        problem, control: of the run.
        formula, scratch: the family's coefficients and working memory.
        powers: the power of h with which the error estimate falls, and the one that paper 2's controller uses; 0 for a
            method that finds its first step itself.
        slope: where the kernel with step control expects f(t, y) of the first step, (d,); None if it evaluates f
            itself.
        uniform: whether fixed steps must all be equal: span / n instead of a shorter last one.

    Attributes:
        kernel: may be replaced by one with the same arguments, made for the problem.
        side_by_side: makes a kernel that integrates several problems at once with the same bits, see
            `solvers.batch.lane_kernels`, and says how many vectors of memory it needs; None if there is none.
    """

    side_by_side: Callable[[KernelStepper], tuple[LanesKernel, int]] | None = None

    def __init__(
        self,
        kernel: Kernel,
        problem: OdeProblem | DaeProblem,
        control: Control,
        formula: Members,
        scratch: Members,
        *,
        powers: tuple[int, int] = (0, 0),
        slope: Array | None = None,
        uniform: bool = False,
    ) -> None:
        self.kernel = kernel
        self.problem, self.control, self.formula, self.scratch = problem, control, formula, scratch
        self.functions, self.power, self.slope, self.uniform = addresses(problem), powers[0], slope, uniform
        self.rules = _rules(control, abs(problem.t1 - problem.t0), powers)
        self.state = _empty_state(problem.dimension)

    @property
    def starts_alike(self) -> bool:
        """Whether a start depends on the span and the control alone, not on the state and the parameters."""
        return isinstance(self.control, FixedStep) or not self.power

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        state, control = self.state, self.control
        state.y[:] = y
        state.clock[:] = t, 0.0, 0.0, 0.0
        state.memory[:] = 1e-4, 0.0
        step, total = 0.0, 0
        if isinstance(control, FixedStep):
            total = uniform_steps(end - t, control.step)
            step = (end - t) / total if self.uniform else math.copysign(control.step, end - t)
        elif self.power:
            assert isinstance(self.problem, OdeProblem)
            state.clock[STEP] = self._first_step(self.problem, control, end, ceiling)
        self.task = Task(*self.functions, self.problem.params, t, end, ceiling, step, total)

    def _first_step(self, problem: OdeProblem, control: Tolerance, end: float, ceiling: float) -> float:
        """The first step tried; a restart ignores the last one."""
        t, y, slope = float(self.state.clock[TIME]), self.state.y, self.slope
        if slope is not None or control.first_step is None:
            slope = np.empty_like(y) if slope is None else slope
            first_slope(problem, t, y, ceiling, slope)
            self.state.tally[CALLS] += 1.0
        else:
            slope = y
        h, calls = first_step(problem, control, t, y, slope, end, ceiling, self.power)
        self.state.tally[CALLS] += calls
        return h

    def advance(self, attempts: int, rows: Rows) -> Slice:
        """See Stepper."""
        return entry(self.kernel)(self.task, self.rules, self.state, self.formula, self.scratch, rows, attempts)

    def remember(self) -> Callable[[], None]:
        """See Stepper."""
        arrays = list(_arrays((self.state, self.scratch, self.problem.params)))
        copies = [array.copy() for array in arrays]

        def back() -> None:
            for array, kept in zip(arrays, copies, strict=True):
                array[...] = kept

        return back

    @property
    def tally(self) -> Tally:
        """See Stepper."""
        return Tally(*map(int, self.state.tally[:4].tolist()))


def _arrays(members: object) -> Iterator[Array]:
    """The arrays in tuples of tuples."""
    if isinstance(members, np.ndarray):
        yield members
    elif isinstance(members, tuple):
        for member in members:
            yield from _arrays(member)


def _empty_state(d: int) -> State:
    """Room for the state of d components."""
    return State(np.zeros(4), np.empty(d), np.empty(d), np.zeros(2), np.zeros(5))


def _rules(control: Control, longest: float, powers: tuple[int, int]) -> Rules:
    """Step control as the kernels take it."""
    if isinstance(control, FixedStep):
        return Rules(0, 0.0, 0.0, 0.0, longest)
    power = powers[control.controller == "paper"]
    exponent, longest = 1.0 / max(power, 1), min(longest, control.max_step or math.inf)
    return Rules(NUMBERS[control.controller], control.rtol, control.atol, exponent, longest)


def resample(
    kernel: Kernel,
    problem: OdeProblem,
    formula: Members,
    scratch: Members,
    kept: KeptSteps,
    times: Array,
) -> Array:
    """Dense output of a one-step method: a shorter step from the kept state before each time.

    Args:
        kernel, problem, formula, scratch: see `KernelStepper`.
        kept, times: see `Method.sample`.
    """
    states, steps = steps_to(times, kept, problem.breaks)
    state = _empty_state(problem.dimension)
    # As with a fixed step, whatever its length.
    task = Task(*addresses(problem), problem.params.copy(), problem.t0, problem.t1, math.inf, 1.0, LISTED)
    rows = Rows(np.empty(0), states, steps, np.empty((0, 3)))
    entry(kernel)(task, Rules(0, 0.0, 0.0, 0.0, 0.0), state, formula, scratch, rows, len(steps))
    return states
