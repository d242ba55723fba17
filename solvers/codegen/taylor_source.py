"""The text of a specialised Taylor kernel: one right-hand side, one pair of degrees, as straight-line code.

Source: A. Jorba, M. Zou, Experimental Mathematics 14 (2005), 99-117: the step from the last two terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from solvers.codegen.generated import module
from solvers.codegen.straight_line import fixed_numbers, indented
from solvers.codegen.tape import Tape, recorded
from solvers.codegen.taylor_recurrences import FUNCTIONS, Recurrences
from solvers.kernel_stepper import Kernel, KernelStepper
from solvers.problem import OdeProblem


def taylor_kernel(stepper: KernelStepper) -> tuple[Kernel, bool]:
    """The kernel of `solvers.kernels.taylor` for one tape and pair of degrees; f is written into it."""
    return _compiled(Expansion.of(stepper)), True


@lru_cache(maxsize=64)
def _compiled(series: Expansion) -> Kernel:
    """The kernel for these; a tape is known by its identity."""
    return module(taylor_source(series)).run


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a text is written for: a right-hand side, the series' degree, how many components have it, the others'."""

    tape: Tape
    degree: int
    positions: int
    velocity_degree: int

    @classmethod
    def of(cls, stepper: KernelStepper) -> Expansion:
        """What a Stepper of the generic kernel computes."""
        from solvers.kernels.taylor import Formula

        problem, formula = stepper.problem, stepper.formula
        assert isinstance(problem, OdeProblem)
        assert isinstance(formula, Formula)
        tape = recorded(problem.taylor)
        assert tape is not None
        return cls(tape, formula.degree, formula.positions, formula.velocity_degree)

    @property
    def components(self) -> range:
        """Their numbers."""
        return range(len(self.tape.outputs))

    @property
    def evaluations(self) -> int:
        """How many times a step evaluates the equations."""
        return max(self.degree, self.velocity_degree)


def taylor_source(series: Expansion) -> str:
    """A module with the series of `solvers.kernels.taylor`, specialised, in the same loop."""
    body, fixed = Recurrences(series.tape, series.degree), fixed_numbers(series.tape, FUNCTIONS)
    names = [line.partition(" = ")[0] for line in fixed]
    return "\n".join(
        [
            f'"""Made by Armstep: series of degree {series.degree} and {series.velocity_degree}."""',
            HEAD,
            *function(
                PREPARE,
                "y, series = state.y, scratch.series",
                *([f"{', '.join(names)}, = formula"] if names else []),
                *(f"y{j} = y[{j}]" for j in series.components),
                *body.expansion(series.degree),
                "rtol, atol = rules.rtol, rules.atol",
                *last_terms(series, lambda j, k: f"series[{j}, {k}]"),
                "scratch.sizes[0], scratch.sizes[1] = last, before",
                f"state.tally[CALLS] += {series.evaluations}.0",
            ),
            *function(PLAN, *plan(series.degree)),
            *function(
                ATTEMPT,
                "series, after = scratch.series, state.after",
                *polynomials(series, lambda j, k: f"series[{j}, {k}]"),
                *(f"after[{j}] = z{j}" for j in series.components),
                *judged(series),
            ),
            "",
            "",
            "@kernel(FORMULA, SCRATCH)",
            "def run(task, rules, state, formula, scratch, rows, attempts):",
            *indented(["params = task.params", *fixed, f"fixed = ({', '.join(names)},)"] if names else ["fixed = ()"]),
            "    return integrate(prepare, plan, attempt, give_up, task, rules, state, fixed, scratch, rows, attempts)",
            "",
        ]
    )


PREPARE = "prepare(task, rules, state, formula, scratch, t)"
PLAN = "plan(task, rules, state, formula, scratch, t)"
ATTEMPT = "attempt(task, rules, state, formula, scratch, t, h, later)"
HEAD = """
import math

from numba import njit

from solvers.codes import BOUND
from solvers.kernels.parts.lanes import first, fused, head, moved, with_lane
from solvers.kernels.parts.sine_cosine import cosine, sine
from solvers.kernels.loop import CALLS, give_up, integrate, kernel, next_step
from solvers.kernels.taylor import FORMULA, SCRATCH, failed
"""


def function(name: str, *lines: str) -> list[str]:
    """A function that is inlined into the kernel."""
    return ["", "", '@njit(inline="always")', f"def {name}:", *indented(lines)]


def last_terms(series: Expansion, coefficient: Callable[[int, int | str], str]) -> list[str]:
    """The mean squares of the last two terms' coefficients over the tolerances: `last` and `before`."""
    every, degree = series.components, series.degree
    lines = [f"u{j} = 1.0 / fused(rtol, abs(y{j}), atol)" for j in every]
    for name, k in (("last", degree), ("before", degree - 1)):
        total = "0.0"
        for j in every if k > 0 else ():
            lines.append(f"{name}{j} = {coefficient(j, k)} * u{j}")
            total = f"fused({name}{j}, {name}{j}, {total})"
        lines.append(f"{name} = {total} / {len(every)}.0")
    return lines


def plan(degree: int) -> list[str]:
    """The fixed step, or the one at which neither of the last two terms exceeds the tolerance."""
    earlier = (
        []
        if degree == 1
        else [
            "if not math.isfinite(before):",
            "    h = 0.0",
            f"elif before * (h / 0.9) ** {2 * (degree - 1)} > 1.0:",
            f"    h = 0.9 * before ** {-0.5 / (degree - 1)!r}",
        ]
    )
    return [
        "if task.step != 0.0:",
        "    return next_step(task, rules, state, formula, scratch, t)",
        "last, before = scratch.sizes[0], scratch.sizes[1]",
        "h = rules.longest",
        "if not math.isfinite(last):",
        "    h = 0.0",
        "elif last > 0.0:",
        f"    h = min(h, 0.9 * last ** {-0.5 / degree!r})",
        *earlier,
        "if abs(task.end - t) <= h:",
        "    return task.end - t, task.end",
        "h = h if task.end >= task.t0 else -h",
        "return h, t + h",
    ]


def polynomials(series: Expansion, coefficient: Callable[[int, int | str], str]) -> list[str]:
    """The state after the step, by Horner's rule: z0, z1, ..."""
    degree, lines = series.degree, list[str]()
    for j in series.components:
        value = coefficient(j, degree - 1)
        if j < series.positions or series.velocity_degree == degree:
            value = f"fused({coefficient(j, degree)}, h, {value})"
        lines.append(f"z{j} = {value}")
    if degree > 1:
        lines.append(f"for k in range({degree - 2}, -1, -1):")
        lines += [f"    z{j} = fused(z{j}, h, {coefficient(j, 'k')})" for j in series.components]
    return lines


def judged(series: Expansion) -> list[str]:
    """The error, and whether the attempt failed."""
    return [
        f"good = {' and '.join(f'abs(after[{j}]) < BOUND' for j in series.components)}",
        f"error = math.nan if task.step != 0.0 else math.sqrt(scratch.sizes[0]) * abs(h) ** {series.degree}",
        "return error, failed(task, t, h, later, good)",
    ]
