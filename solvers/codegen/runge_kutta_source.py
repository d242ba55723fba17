"""The text of a specialised kernel: one explicit Runge-Kutta method, and one right-hand side, as straight-line code.

There is no loop over stages, no coefficient that is 0, no multiplication by 1. Where the right-hand side is given as a
list of elementary operations (`solvers.codegen.tape.Tape`) it is written out in every stage with shared
subexpressions, what depends on parameters alone is computed once, and the state stays in registers; elsewhere each
stage calls it.

Source of the idea: J. A. Tenreiro Machado, A. M. S. F. Galhano (1994), "customized" methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from solvers.codegen.generated import closed_form, module
from solvers.codegen.straight_line import fixed_numbers, imports, indented, slope, slope_function
from solvers.codegen.tape import Tape
from solvers.control import Control, FixedStep
from solvers.problem import Array, OdeProblem
from solvers.tableaux.tableau import Coefficients, Tableau, coefficients

if TYPE_CHECKING:
    from solvers.kernel_stepper import Kernel

FIRST = "0"
# More operations than this are written once, not in every stage, which would take long to compile.
REPEATED = 1500


def runge_kutta_kernel(tableau: Tableau, problem: OdeProblem, control: Control) -> tuple[Kernel, bool]:
    """The kernel of `solvers.kernels.explicit_runge_kutta` for one tableau and problem; whether f is inlined."""
    tape = closed_form(problem)
    fsal = tableau.fsal and problem.begin_step is None
    return _compiled(tableau, problem.dimension, tape, fsal, not isinstance(control, FixedStep)), tape is not None


@lru_cache(maxsize=256)
def _compiled(tableau: Tableau, dimension: int, tape: Tape | None, fsal: bool, adaptive: bool) -> Kernel:
    """The kernel for these; a tape is known by its identity."""
    return module(kernel_source(tableau, dimension, tape, fsal, adaptive)).run


def kernel_source(tableau: Tableau, dimension: int, tape: Tape | None, fsal: bool, adaptive: bool) -> str:
    """A module with the attempt of `solvers.kernels.explicit_runge_kutta`, specialised, in the same loop.

    Args:
        tableau: the method.
        dimension: number of components.
        tape: the right-hand side; None calls it by its address.
        fsal: whether the last stage is used as the next step's first.
        adaptive: step control, or a fixed step.
    """
    numbers = coefficients(tableau)
    body: Calls | Inlined
    if tape is None:
        body = Calls(numbers, dimension)
    elif len(tape.operations) * tableau.stages > REPEATED:
        body = Once(numbers, dimension, tape)
    else:
        body = Inlined(numbers, dimension, tape)
    how, what = "step control" if adaptive else "fixed step", "called" if tape is None else "written out"
    lines = [
        f'"""Made by Armstep: {tableau.stages} stages, {dimension} components, {how}, f {what}."""',
        HEAD,
        *imports(tape),
        *body.functions(),
        *_function("prepare(task, rules, state, formula, scratch, t)", body.prologue(),
                   _prepare(body, fsal, adaptive)),
        *_function("attempt(task, rules, state, formula, scratch, t, length, later)", body.prologue(),
                   _attempt(body, fsal, adaptive)),
        "",
        "",
        "@kernel(TABLE, SCRATCH, contract=True)",
        "def run(task, rules, state, table, scratch, rows, attempts):",
        *indented(body.once()),
        f"    return integrate(prepare, next_step, attempt, control, {ARGUMENTS})",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


HEAD = """
import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, RUNNING
from solvers.kernels.calls import call_rhs
from solvers.kernels.parts.controllers import norm
from solvers.kernels.explicit_runge_kutta import SCRATCH, TABLE
from solvers.kernels.loop import CALLS, DONE, control, integrate, kernel, next_step, slope
"""


ARGUMENTS = "task, rules, state, formula, scratch, rows, attempts"


def _function(name: str, prologue: Sequence[str], body: Sequence[str]) -> list[str]:
    """A function that is inlined into the kernel, with names for its arguments."""
    names = [
        "y, after, k, work = state.y, state.after, scratch.k, scratch.work",
        "rhs, params, ceiling, tally = task.rhs, task.params, task.ceiling, state.tally",
    ]
    return ["", "", '@njit(inline="always")', f"def {name}:", *indented([*names, *prologue, *body])]


def _prepare(body: Calls | Inlined, fsal: bool, adaptive: bool) -> list[str]:
    """The first stage. With step control that of the first step is already known."""
    later = body.keep_last() if fsal else body.first()
    if adaptive:
        return ["if state.clock[DONE] > 0.0:", *indented(later)]
    return ["if state.clock[DONE] > 0.0:", *indented(later), "else:", *indented(CALLED)] if fsal else later


def _attempt(body: Calls | Inlined, fsal: bool, adaptive: bool) -> list[str]:
    """One step, its error, and whether it failed."""
    estimated = bool(body.numbers.e.any())
    if adaptive:
        error = [*body.after(), *_error(body), "if not good:", "    error = math.inf"]
    else:
        error = [*body.after(), *(body.largest() if estimated else ["error = math.nan"])]
    return [
        *body.stages(),
        f"tally[CALLS] += {body.stage_count - 1}.0",
        *body.solution(),
        *body.bounded(),
        *(body.store_last() if fsal else []),
        *error,
        "return error, RUNNING if good else DIVERGED",
    ]


def _error(body: Calls | Inlined) -> list[str]:
    """The error in units of the tolerance; two estimates are combined as in DOP853."""
    sized = "norm(rules.kind, work, y, after, rules.rtol, rules.atol)"
    lines = [*body.difference(body.numbers.e), f"error = {sized}"]
    if body.numbers.e2.any():
        lines += [
            *body.difference(body.numbers.e2),
            f"second = {sized}",
            "if error != 0.0:",
            "    error = error * error / math.sqrt(error * error + 0.01 * second * second)",
        ]
    return lines


def linear(weights: Array, slopes: Sequence[str]) -> str:
    """The sum of weights times slopes, without zeros and ones; `0.0` when nothing is left."""
    text = ""
    for weight, name in zip(weights, slopes, strict=False):
        if weight:
            size = name if abs(weight) == 1.0 else f"{abs(float(weight))!r} * {name}"
            sign = "-" if weight < 0.0 else "+"
            text = f"{text} {sign} {size}" if text else f"{sign if weight < 0.0 else ''}{size}"
    return text or "0.0"


def later(t: str, c: float) -> str:
    """The time t + c length."""
    return t if c == 0.0 else f"{t} + length" if c == 1.0 else f"{t} + {float(c)!r} * length"


class Calls:
    """Stages that call the right-hand side: state and slopes lie in arrays."""

    state: Sequence[str] = ("y",)

    def __init__(self, numbers: Coefficients, dimension: int) -> None:
        self.numbers, self.dimension = numbers, dimension
        self.stage_count = len(numbers.b)
        self.slopes = [f"k[{i}, j]" for i in range(self.stage_count)]
        self.every = f"for j in range({dimension}):"

    def functions(self) -> list[str]:
        """None but the kernel's own."""
        return []

    def once(self) -> list[str]:
        """The formula that the functions get."""
        return ["formula = table"]

    def prologue(self) -> list[str]:
        """Nothing to load."""
        return []

    def keep_last(self) -> list[str]:
        """The last stage is the next step's first."""
        return [self.every, f"    k[0, j] = k[{self.stage_count - 1}, j]"]

    def first(self) -> list[str]:
        """The first stage, evaluated."""
        return CALLED

    def slope(self, stage: str, t: str, state: Sequence[str]) -> list[str]:
        """The slope of a stage at `state`."""
        return [f"call_rhs(rhs, min({t}, ceiling), {state[0]}, params, k, {stage})"]

    def stages(self) -> list[str]:
        """All stages but the first."""
        lines = []
        for i in range(1, self.stage_count):
            sum_ = linear(self.numbers.A[i], self.slopes)
            lines += [self.every, f"    work[j] = y[j] + length * ({sum_})"]
            lines += self.slope(str(i), later("t", self.numbers.c[i]), ("work",))
        return lines

    def solution(self) -> list[str]:
        """The state after the step."""
        return [self.every, f"    after[j] = y[j] + length * ({linear(self.numbers.b, self.slopes)})"]

    def bounded(self) -> list[str]:
        """Whether it is a number of reasonable size."""
        return ["good = True", self.every, "    good = good and abs(after[j]) < BOUND"]

    def after(self) -> list[str]:
        """It is in `after` already."""
        return []

    def store_last(self) -> list[str]:
        """The last stage is in `k` already."""
        return []

    def difference(self, weights: Array) -> list[str]:
        """An error estimate into `work`."""
        return [self.every, f"    work[j] = length * ({linear(weights, self.slopes)})"]

    def largest(self) -> list[str]:
        """The largest component of the error estimate."""
        return [
            "error = 0.0",
            self.every,
            f"    size = abs(length * ({linear(self.numbers.e, self.slopes)}))",
            "    error = size if not size <= error else error",
        ]


class Once(Calls):
    """Stages in arrays too, but the right-hand side is a function of the same module, written out once."""

    def __init__(self, numbers: Coefficients, dimension: int, tape: Tape) -> None:
        super().__init__(numbers, dimension)
        self.tape = tape

    def functions(self) -> list[str]:
        """The right-hand side."""
        return slope_function(self.tape, "slopes")

    def first(self) -> list[str]:
        """The first stage, evaluated."""
        return [*self.slope(FIRST, "t", self.state), "tally[CALLS] += 1.0"]

    def slope(self, stage: str, t: str, state: Sequence[str]) -> list[str]:
        """The slope of a stage at `state`."""
        return [f"slopes(min({t}, ceiling), {state[0]}, params, k, {stage})"]


class Inlined:
    """Stages in which the right-hand side is written out: every number is a local variable."""

    def __init__(self, numbers: Coefficients, dimension: int, tape: Tape) -> None:
        self.numbers, self.dimension, self.tape = numbers, dimension, tape
        self.stage_count = len(numbers.b)
        self.state = [f"y{j}" for j in range(dimension)]
        # What depends on parameters alone, and the names of these numbers.
        self.fixed = fixed_numbers(tape)
        self.names = [line.partition(" = ")[0] for line in self.fixed]
        # slopes[i][j] is the name of component j of stage i.
        self.slopes = [[f"k{i}_{j}" for j in range(dimension)] for i in range(self.stage_count)]

    def functions(self) -> list[str]:
        """None but the kernel's own."""
        return []

    def once(self) -> list[str]:
        """The formula that the functions get: what depends on parameters alone, computed once."""
        if not self.fixed:
            return ["formula = table"]
        return ["params = task.params", *self.fixed, f"formula = ({', '.join(self.names)},)"]

    def prologue(self) -> list[str]:
        """Those numbers, the state, and its slope."""
        names = [f"{', '.join(self.names)}, = formula"] if self.names else []
        return [*names, *(f"y{j} = y[{j}]" for j in range(self.dimension))]

    def keep_last(self) -> list[str]:
        """The last stage is the next step's first."""
        return [f"k[0, {j}] = k[{self.stage_count - 1}, {j}]" for j in range(self.dimension)]

    def first(self) -> list[str]:
        """The first stage, evaluated."""
        return [*self.slope(FIRST, "t", self.state), *self._store(0), "tally[CALLS] += 1.0"]

    def slope(self, stage: str, t: str, state: Sequence[str]) -> list[str]:
        """The slope of a stage at `state`."""
        return slope(self.tape, stage, f"min({t}, ceiling)", state, self.slopes[int(stage)])

    def stages(self) -> list[str]:
        """All stages but the first."""
        lines = [f"k0_{j} = k[0, {j}]" for j in range(self.dimension)]
        for i in range(1, self.stage_count):
            state = [f"w{i}_{j}" for j in range(self.dimension)]
            for j in range(self.dimension):
                lines.append(f"{state[j]} = y{j} + length * ({linear(self.numbers.A[i], self._component(j))})")
            lines += self.slope(str(i), later("t", self.numbers.c[i]), state)
        return lines

    def solution(self) -> list[str]:
        """The state after the step."""
        return [f"z{j} = y{j} + length * ({linear(self.numbers.b, self._component(j))})" for j in range(self.dimension)]

    def bounded(self) -> list[str]:
        """Whether it is a number of reasonable size."""
        return ["good = " + " and ".join(f"abs(z{j}) < BOUND" for j in range(self.dimension))]

    def after(self) -> list[str]:
        """Into the array that the loop and the norm read."""
        return [f"after[{j}] = z{j}" for j in range(self.dimension)]

    def store_last(self) -> list[str]:
        """The last stage, for the next step."""
        return self._store(self.stage_count - 1)

    def difference(self, weights: Array) -> list[str]:
        """An error estimate into `work`."""
        return [f"work[{j}] = length * ({linear(weights, self._component(j))})" for j in range(self.dimension)]

    def largest(self) -> list[str]:
        """The largest component of the error estimate."""
        lines = ["error = 0.0"]
        for j in range(self.dimension):
            lines.append(f"size = abs(length * ({linear(self.numbers.e, self._component(j))}))")
            lines.append("error = size if not size <= error else error")
        return lines

    def _store(self, stage: int) -> list[str]:
        return [f"k[{stage}, {j}] = {name}" for j, name in enumerate(self.slopes[stage])]

    def _component(self, j: int) -> list[str]:
        return [names[j] for names in self.slopes]


# The first stage by the right-hand side's address.
CALLED = ["slope(task, state, t, y, k, 0)"]
