"""The text of a customised kernel: one explicit Runge-Kutta method, and one right-hand side, as straight-line code.

There is no loop over stages, no coefficient that is 0, no multiplication by 1. Where the right-hand side is given as a
list of elementary operations (`solvers.codegen.tape.Tape`) it is written out in every stage with shared
subexpressions, what depends on parameters alone is computed once, and the state stays in registers; elsewhere each
stage calls it.

Source of the idea: J. A. Tenreiro Machado, A. M. S. F. Galhano (1994), "customized" methods.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvers.codegen.straight_line import fixed_numbers, imports, indented, slope, slope_function
from solvers.codegen.tape import Tape
from solvers.problem import Array
from solvers.tableaux.tableau import Coefficients, Tableau, coefficients

FIRST = "0"
# More operations than this are not repeated in every stage, which would take long to compile, but stand there once.
REPEATED = 1500


def kernel_source(tableau: Tableau, dimension: int, tape: Tape | None, fsal: bool, begins: bool, adaptive: bool) -> str:
    """A module with one function, `run`: `fixed` or `adaptive` of `solvers.kernels.explicit_runge_kutta`, customised.

    Args:
        tableau: the method.
        dimension: number of components.
        tape: the right-hand side; None calls it by its address.
        fsal: whether the last stage is used as the next step's first.
        begins: whether `begin` is called at the start of each step.
        adaptive: step control, or a fixed step.
    """
    numbers = coefficients(tableau)
    body: Calls | Inlined
    if tape is None:
        body = Calls(numbers, dimension, begins)
    elif len(tape.operations) * tableau.stages > REPEATED:
        body = Once(numbers, dimension, tape)
    else:
        body = Inlined(numbers, dimension, tape)
    lines = _adaptive(body, fsal) if adaptive else _fixed(body, fsal)
    return "\n".join([_head(tableau, dimension, tape, adaptive, body.functions()), *lines]) + "\n"


def _head(tableau: Tableau, dimension: int, tape: Tape | None, adaptive: bool, functions: Sequence[str]) -> str:
    how = "step control" if adaptive else "fixed step"
    what = "called" if tape is None else "written out"
    signature = (
        "i8(i8, i8, V, i8, f8, f8, f8, f8, f8, f8, V, V, M, V, V, V, i8, V, M, M, INDICES)"
        if adaptive
        else "i8(i8, i8, V, f8, f8, i8, i8, f8, f8, V, M, V, V, i8, V, M, M)"
    )
    sizes = f"{tableau.stages} stages, {dimension} components"
    return f'''"""Made by Armstep: {sizes}, {how}, f {what}."""

import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.calls import call_rhs
from solvers.kernels.controllers import factor, norm
from solvers.kernels.signatures import INDICES, MATRIX as M, VECTOR as V, f8, i8
{"".join(f"{line}{chr(10)}" for line in imports(tape))}
{"".join(f"{line}{chr(10)}" for line in functions)}

@njit({signature}, cache=True, nogil=True, error_model="numpy", fastmath={{"contract"}})'''


def _fixed(body: Calls | Inlined, fsal: bool) -> list[str]:
    """The loop of the fixed step."""
    estimated = body.numbers.e.any()
    first = [] if fsal else body.slope(FIRST, "t", body.state)
    last_error = [*body.largest(), "log[accepted, 2] = largest"] if estimated else ["log[accepted, 2] = math.nan"]
    return [
        "def run(",
        "    rhs, begin, params, t0, h, done, total, end, ceiling, y, k, work, after, attempts, out_t, out_y, log,",
        "):",
        *indented(body.prologue(), 1),
        "    accepted = 0",
        "    while accepted < attempts and done < total:",
        "        t = t0 + done * h",
        "        length = h if done + 1 < total else end - t",
        *indented([*body.begin("t"), *first, *body.stages(), *body.solution(), *body.bounded()], 2),
        "        log[accepted, 0] = t",
        "        log[accepted, 1] = length",
        *indented(last_error, 2),
        "        if not good:",
        "            log[accepted, 3] = 0.0",
        "            return accepted * 8 + DIVERGED",
        "        log[accepted, 3] = 1.0",
        "        done += 1",
        "        out_t[accepted] = end if done == total else t0 + done * h",
        *indented([*body.accept(), *(body.keep_last() if fsal else [])], 2),
        "        accepted += 1",
        *indented(body.epilogue(), 1),
        "    return accepted * 8 + (LANDED if done == total else RUNNING)",
    ]


def _adaptive(body: Calls | Inlined, fsal: bool) -> list[str]:
    """The loop with step control."""
    renewed = body.keep_last() if fsal else [*body.begin("state[0]"), *body.slope(FIRST, "state[0]", body.state)]
    return [
        "def run(",
        "    rhs, begin, params, kind, rtol, atol, exponent, longest, end, ceiling, state, y, k, work, after,",
        "    memory, attempts, out_t, out_y, log, counts,",
        "):",
        *indented(body.prologue(), 1),
        "    accepted = 0",
        "    tried = 0",
        "    code = RUNNING",
        "    while tried < attempts:",
        "        t, h = state[0], state[1]",
        "        lands = abs(end - t) <= 1.01 * abs(h) and abs(end - t) <= longest * (1.0 + 1e-9)",
        "        length = end - t if lands else h",
        *indented([*body.stages(), *body.solution(), *body.bounded(), *body.after()], 2),
        f"        counts[2] += {body.stage_count - 1}",
        *indented(_error(body), 2),
        "        if not good:",
        "            error = math.inf",
        "        change = factor(kind, error, exponent, memory)",
        "        log[tried, 0] = t",
        "        log[tried, 1] = length",
        "        log[tried, 2] = error",
        "        log[tried, 3] = 1.0 if error <= 1.0 else 0.0",
        "        tried += 1",
        "        proposal = length * change",
        "        if abs(proposal) > longest:",
        "            proposal = math.copysign(longest, proposal)",
        "        if error <= 1.0:",
        "            state[0] = end if lands else t + length",
        "            state[1] = h if lands and abs(proposal) < abs(h) else proposal",
        *indented(body.accept(), 3),
        "            out_t[accepted] = state[0]",
        "            accepted += 1",
        "            if lands:",
        "                code = LANDED",
        "                break",
        *indented([*renewed, *([] if fsal else ["counts[2] += 1"])], 3),
        "        else:",
        "            state[1] = proposal",
        "            if abs(proposal) <= 4e-16 * max(abs(t), abs(end)):",
        "                code = STEP_TOO_SMALL if good else DIVERGED",
        "                break",
        *indented(body.epilogue(), 1),
        "    counts[0] = accepted",
        "    counts[1] = tried",
        "    return code",
    ]


def _error(body: Calls | Inlined) -> list[str]:
    """The error in units of the tolerance; two estimates are combined as in DOP853."""
    lines = [*body.difference(body.numbers.e), "error = norm(kind, work, y, after, rtol, atol)"]
    if body.numbers.e2.any():
        lines += [
            *body.difference(body.numbers.e2),
            "second = norm(kind, work, y, after, rtol, atol)",
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

    def __init__(self, numbers: Coefficients, dimension: int, begins: bool) -> None:
        self.numbers, self.dimension, self.begins = numbers, dimension, begins
        self.stage_count = len(numbers.b)
        self.slopes = [f"k[{i}, j]" for i in range(self.stage_count)]
        self.every = f"for j in range({dimension}):"

    def functions(self) -> list[str]:
        """None but the kernel."""
        return []

    def prologue(self) -> list[str]:
        """Nothing to load."""
        return []

    def begin(self, t: str) -> list[str]:
        """What is sampled once a step."""
        return [f"call_rhs(begin, min({t}, ceiling), y, params, k, 0)"] if self.begins else []

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
        """It lies in `after` already."""
        return []

    def difference(self, weights: Array) -> list[str]:
        """An error estimate into `work`."""
        return [self.every, f"    work[j] = length * ({linear(weights, self.slopes)})"]

    def largest(self) -> list[str]:
        """The largest component of the error estimate."""
        return [
            "largest = 0.0",
            self.every,
            f"    size = abs(length * ({linear(self.numbers.e, self.slopes)}))",
            "    largest = size if not size <= largest else largest",
        ]

    def accept(self) -> list[str]:
        """The state after the step is the state."""
        return [self.every, "    y[j] = after[j]", "    out_y[accepted, j] = y[j]"]

    def keep_last(self) -> list[str]:
        """The last stage is the next step's first."""
        return [self.every, f"    k[0, j] = k[{self.stage_count - 1}, j]"]

    def epilogue(self) -> list[str]:
        """Nothing to store."""
        return []


class Once(Calls):
    """Stages in arrays as well, but the right-hand side is a function of the same module, written out there once."""

    def __init__(self, numbers: Coefficients, dimension: int, tape: Tape) -> None:
        super().__init__(numbers, dimension, False)
        self.tape = tape

    def functions(self) -> list[str]:
        """The right-hand side."""
        return slope_function(self.tape, "slopes")

    def slope(self, stage: str, t: str, state: Sequence[str]) -> list[str]:
        """The slope of a stage at `state`."""
        return [f"slopes(min({t}, ceiling), {state[0]}, params, k, {stage})"]


class Inlined:
    """Stages in which the right-hand side is written out: every number is a local variable."""

    def __init__(self, numbers: Coefficients, dimension: int, tape: Tape) -> None:
        self.numbers, self.dimension, self.tape = numbers, dimension, tape
        self.stage_count = len(numbers.b)
        self.state = [f"y{j}" for j in range(dimension)]
        # slopes[i][j] is the name of component j of stage i; those of the first stage survive the step.
        self.slopes = [[f"f{j}" for j in range(dimension)]]
        self.slopes += [[f"k{i}_{j}" for j in range(dimension)] for i in range(1, self.stage_count)]

    def functions(self) -> list[str]:
        """None but the kernel."""
        return []

    def prologue(self) -> list[str]:
        """What depends on parameters alone, the state, and its slope."""
        lines = [*fixed_numbers(self.tape), *(f"y{j} = y[{j}]" for j in range(self.dimension))]
        return lines + [f"f{j} = k[0, {j}]" for j in range(self.dimension)]

    def begin(self, t: str) -> list[str]:
        """There is no such thing in closed form."""
        return []

    def slope(self, stage: str, t: str, state: Sequence[str]) -> list[str]:
        """The slope of a stage at `state`."""
        return slope(self.tape, stage, f"min({t}, ceiling)", state, self.slopes[int(stage)])

    def stages(self) -> list[str]:
        """All stages but the first."""
        lines = []
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
        """Into the arrays that the norm looks at."""
        return [line for j in range(self.dimension) for line in (f"y[{j}] = y{j}", f"after[{j}] = z{j}")]

    def difference(self, weights: Array) -> list[str]:
        """An error estimate into `work`."""
        return [f"work[{j}] = length * ({linear(weights, self._component(j))})" for j in range(self.dimension)]

    def largest(self) -> list[str]:
        """The largest component of the error estimate."""
        lines = ["largest = 0.0"]
        for j in range(self.dimension):
            lines.append(f"size = abs(length * ({linear(self.numbers.e, self._component(j))}))")
            lines.append("largest = size if not size <= largest else largest")
        return lines

    def accept(self) -> list[str]:
        """The state after the step is the state."""
        lines = []
        for j in range(self.dimension):
            lines += [f"y{j} = z{j}", f"out_y[accepted, {j}] = z{j}"]
        return lines

    def keep_last(self) -> list[str]:
        """The last stage is the next step's first."""
        return [f"f{j} = {self.slopes[-1][j]}" for j in range(self.dimension)]

    def epilogue(self) -> list[str]:
        """The state and its slope, for the next call."""
        return [line for j in range(self.dimension) for line in (f"y[{j}] = y{j}", f"k[0, {j}] = f{j}")]

    def _component(self, j: int) -> list[str]:
        return [names[j] for names in self.slopes]
