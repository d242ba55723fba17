"""The text of a specialised Taylor kernel: one right-hand side, one pair of degrees, as straight-line code.

The recurrences of one order stand in the text once, each node of the tape a line; the products' sums are kept in vector
registers (`solvers.kernels.parts.lanes`). What is linear needs no sums, sine and cosine of one argument share theirs.

Source: A. Jorba, M. Zou, Experimental Mathematics 14 (2005), 99-117: the recurrences, and the step from the last two
terms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from solvers.codegen.generated import module
from solvers.codegen.straight_line import SIGNS, fixed_numbers, indented, name_of, needed, slope
from solvers.codegen.tape import ADD, COSINE, DIVIDE, MULTIPLY, ROOT, SCALE, SINE, STATE, SUBTRACT, TIME, Tape, recorded
from solvers.kernel_stepper import Kernel, KernelStepper
from solvers.problem import OdeProblem

ORDER_ZERO = "0"


class Recurrences:
    """The lines for a tape.

    Attributes:
        count: the number of lanes of a sum.
        nodes: those that have coefficients, in order.
        state, start: names of the state's newest coefficients, and of those of order 0.
        depths, rates: see the functions of these names.
    """

    def __init__(self, tape: Tape, degree: int) -> None:
        self.tape, self.dimension = tape, len(tape.outputs)
        # Of two factors of orders i + j <= degree - 1 one is at most half of it.
        self.count = next(count for count in (4, 8, 16) if count > (degree - 1) // 2)
        self.nodes = [n for n in needed(tape) if not tape.fixed[n]]
        # Sine and cosine need each other.
        pairs = {int(tape.right[n]) for n in self.nodes if tape.operations[n] in (SINE, COSINE)}
        self.nodes = sorted({*self.nodes, *pairs})
        self.state = [f"c{j}" for j in range(self.dimension)]
        self.start = [f"y{j}" for j in range(self.dimension)]
        self.depths = depths(tape)
        self.rates = rates(tape)

    def order_zero(self, n: int) -> str:
        """The node's value at the start of the step."""
        return name_of(self.tape, n, ORDER_ZERO, self.start)

    def now(self, n: int) -> str:
        """The node's coefficient of the current order; fixed nodes have none."""
        return name_of(self.tape, n, "", self.state)

    def begin(self) -> list[str]:
        """Values, sums and factors of order 0."""
        lines = slope(self.tape, ORDER_ZERO, "t", self.start, [f"c{j}" for j in range(self.dimension)])
        for n in self.nodes:
            if self.tape.operations[n] in (SINE, COSINE) and n not in needed(self.tape):
                function = "math.sin" if self.tape.operations[n] == SINE else "math.cos"
                lines.append(f"{self.order_zero(n)} = {function}({self.order_zero(int(self.tape.left[n]))})")
            if self.sums(n):
                lines += self.new_sum(n)
            if self.tape.operations[n] == DIVIDE and not self.tape.fixed[self.tape.right[n]]:
                lines.append(f"r{n} = 1.0 / {self.order_zero(int(self.tape.right[n]))}")
            if self.tape.operations[n] == ROOT:
                lines.append(f"r{n} = 0.5 / {self.order_zero(n)}")
        lines += self._ahead(False, self.order_zero)
        return lines + [self.new_factor(name, value) for name, _, value in self.factors()]

    def new_sum(self, n: int) -> list[str]:
        """The empty sums of a node."""
        return [f"s{n} = first(0.0, {self.count})"]

    def new_factor(self, name: str, value: str) -> str:
        """Coefficients of a factor, the one of order 0 known."""
        return f"{name} = first({value}, {self.count})"

    def head(self, n: int) -> str:
        """The node's sum of the current order."""
        return f"head(s{n})"

    def kept(self, j: int, order: str, value: str) -> str:
        """Keeps a coefficient of a component of the state."""
        return f"series[{j}, {order}] = {value}"

    def sums(self, n: int) -> bool:
        """Whether the node's coefficients are sums of products."""
        operation = self.tape.operations[n]
        return operation in (MULTIPLY, SINE, COSINE, ROOT) or (
            operation == DIVIDE and not self.tape.fixed[self.tape.right[n]]
        )

    def products(self, n: int) -> tuple[tuple[str, str], tuple[str, str]]:
        """The factors of the node's products as (name of its lanes, name of its newest coefficient)."""
        left, right = int(self.tape.left[n]), int(self.tape.right[n])
        operation = self.tape.operations[n]
        if operation in (SINE, COSINE):
            rate = self.rates[left]
            first = (f"e{left}", f"d{left}") if rate is None else (f"v{rate}", self.now(rate))
            return first, (f"v{right}", self.now(right))
        if operation == ROOT:
            return (f"v{n}", self.now(n)), (f"v{n}", self.now(n))
        if operation == DIVIDE:
            return (f"v{right}", self.now(right)), (f"v{n}", self.now(n))
        return (f"v{left}", self.now(left)), (f"v{right}", self.now(right))

    def factors(self) -> list[tuple[str, str, str]]:
        """All of them once: lanes, newest coefficient, value of order 0."""
        found: dict[str, tuple[str, str, str]] = {}
        for n in self.nodes:
            if self.sums(n):
                for lanes, newest in self.products(n):
                    value = "0.0" if lanes[0] == "e" else self.order_zero(int(lanes[1:]))
                    found[lanes] = lanes, newest, value
        return list(found.values())

    def order(self) -> list[str]:
        """All nodes' coefficients of order k >= 1."""
        lines, derived = [], set()
        for n in self.nodes:
            left = int(self.tape.left[n])
            if self.tape.operations[n] in (SINE, COSINE) and left not in derived and self.rates[left] is None:
                derived.add(left)
                lines.append(f"d{left} = k * {self.now(left)}")
            if self.tape.operations[n] != STATE:
                lines.append(f"{self.now(n)} = {self._coefficient(n)}")
        return lines + self._ahead(True, self.now)

    def _ahead(self, summed: bool, factor: Callable[[int], str]) -> list[str]:
        """Rate of the argument times the partner: k times the next coefficient of a sine or cosine, sign apart."""
        lines = []
        for n in self.nodes:
            rate = self.rates[int(self.tape.left[n])] if self.tape.operations[n] in (SINE, COSINE) else None
            if rate is not None:
                partner = int(self.tape.right[n])
                products = f"{factor(partner)} * {self.order_zero(rate)}"
                if summed:
                    products = f"{self.head(n)} + {products} + {self.order_zero(partner)} * {factor(rate)}"
                lines.append(f"w{n} = {products}")
        return lines

    def _coefficient(self, n: int) -> str:
        tape, operation = self.tape, self.tape.operations[n]
        left, right = int(tape.left[n]), int(tape.right[n])
        if operation == TIME:
            return "1.0 if k == 1 else 0.0"
        if operation in (ADD, SUBTRACT):
            sign = "-" if operation == SUBTRACT else ""
            if tape.fixed[left]:
                return sign + self.now(right)
            return self.now(left) if tape.fixed[right] else f"{self.now(left)} {sign or '+'} {self.now(right)}"
        if operation == SCALE:
            return f"{name_of(tape, left, '', ())} * {self.now(right)}"
        if operation in (SINE, COSINE):
            sign = "-" if operation == COSINE else ""
            if self.rates[left] is not None:
                return f"{sign}w{n} * inverse"
            return f"{sign}({self.head(n)} + d{left} * {self.order_zero(right)}) * inverse"
        if operation == MULTIPLY and left == right:
            return f"{self.head(n)} + 2.0 * {self.order_zero(left)} * {self.now(left)}"
        if operation == MULTIPLY:
            # The last known is added last.
            early, late = sorted((left, right), key=lambda m: self.depths[m])
            first = f"{self.order_zero(late)} * {self.now(early)}"
            return f"{self.head(n)} + {first} + {self.order_zero(early)} * {self.now(late)}"
        if operation == ROOT:
            return f"({self.now(left)} - {self.head(n)}) * r{n}"
        if tape.fixed[right]:
            return f"{self.now(left)} / {name_of(tape, right, '', ())}"
        known = "" if tape.fixed[left] else f"{self.now(left)} "
        return f"({known}- ({self.head(n)} + {self.order_zero(n)} * {self.now(right)})) * r{n}"

    def update(self, kept: bool) -> list[str]:
        """What the newest coefficients contribute to all later ones; with `kept`, they join the factors too."""
        factors, new = self.factors(), "new_" if kept else ""
        lines = [f"new_{lanes} = with_lane({lanes}, k, {newest})" for lanes, newest, _ in factors if kept]
        for n in self.nodes:
            if self.sums(n):
                (one, newest), (other, its_newest) = self.products(n)
                half = f"added(s{n}, {newest}, {new}{other})"
                lines.append(f"s{n} = moved(added({half}, {its_newest}, {one}))")
        return lines + [f"{lanes} = new_{lanes}" for lanes, _, _ in factors if kept]

    def expansion(self, degree: int) -> list[str]:
        """All coefficients up to the degree."""
        # Factors beyond the lanes are multiplied only with those within.
        half, every = min(self.count, degree), range(self.dimension)
        return [
            *self.begin(),
            *(self.kept(j, "0", f"y{j}") for j in every),
            *self._orders(1, half, True),
            *self._orders(half, degree, False),
            *(self.kept(j, str(degree), f"c{j}") for j in every),
        ]

    def _orders(self, start: int, end: int, kept: bool) -> list[str]:
        """Those from `start` up to `end`."""
        if start >= end:
            return []
        every = range(self.dimension)
        return [
            f"for k in range({start}, {end}):",
            *indented([self.kept(j, "k", f"c{j}") for j in every], 1),
            *indented(["inverse = 1.0 / k", "share = 1.0 / (k + 1)", *self.order(), *self.update(kept)], 1),
            *indented([f"c{j} = share * {self.now(int(output))}" for j, output in enumerate(self.tape.outputs)], 1),
        ]


def rates(tape: Tape) -> list[int | None]:
    """For each node that is linear in the state, the node of its time derivative, if that is needed anyway."""
    rows = list(zip(tape.operations.tolist(), tape.left.tolist(), tape.right.tolist(), strict=True))
    known = {rows[n]: n for n in needed(tape)}
    found: list[int | None] = []
    for operation, left, right in zip(tape.operations, tape.left, tape.right, strict=True):
        rate = None
        if operation == STATE:
            rate = int(tape.outputs[left])
        elif operation in (ADD, SUBTRACT) and found[left] is not None and found[right] is not None:
            rate = known.get((int(operation), found[left], found[right]))
        elif operation == SCALE and found[right] is not None:
            rate = known.get((SCALE, int(left), found[right]))
        found.append(None if rate is None or tape.fixed[rate] else rate)
    return found


def depths(tape: Tape) -> list[int]:
    """The largest number of operations between each node and the state."""
    found: list[int] = []
    for n, operation in enumerate(tape.operations):
        before = [0]
        if operation >= ADD and not tape.fixed[n]:
            children = (tape.left[n], tape.right[n]) if operation in SIGNS else (tape.left[n],)
            before = [found[int(m)] for m in children]
        found.append(max(before) + (operation >= ADD and not tape.fixed[n]))
    return found


def taylor_kernel(stepper: KernelStepper) -> tuple[Kernel, bool]:
    """The kernel of `solvers.kernels.taylor` for one tape and pair of degrees; f is written into it."""
    from solvers.kernels.taylor import Formula

    problem, formula = stepper.problem, stepper.formula
    assert isinstance(problem, OdeProblem)
    assert isinstance(formula, Formula)
    tape = recorded(problem.taylor)
    assert tape is not None
    return _compiled(tape, formula.degree, formula.positions, formula.velocity_degree), True


@lru_cache(maxsize=64)
def _compiled(tape: Tape, degree: int, positions: int, velocity_degree: int) -> Kernel:
    """The kernel for these; a tape is known by its identity."""
    return module(taylor_source(tape, degree, positions, velocity_degree)).run


def taylor_source(tape: Tape, degree: int, positions: int, velocity_degree: int) -> str:
    """A module with the series of `solvers.kernels.taylor`, specialised, in the same loop.

    Args:
        tape: the right-hand side.
        degree, positions, velocity_degree: the series' degree, the components that have it, the others' degree.
    """
    body = Recurrences(tape, degree)
    fixed = fixed_numbers(tape)
    names = [line.partition(" = ")[0] for line in fixed]
    return "\n".join(
        [
            f'"""Made by Armstep: series of degree {degree} and {velocity_degree}, {body.dimension} components."""',
            HEAD,
            *function(
                "prepare(task, rules, state, formula, scratch, t)",
                *([f"{', '.join(names)}, = formula"] if names else []),
                *(f"y{j} = y[{j}]" for j in range(body.dimension)),
                *body.expansion(degree),
                f"state.tally[CALLS] += {max(degree, velocity_degree)}.0",
            ),
            *step_functions(body.dimension, degree, positions, velocity_degree),
            "",
            "",
            "@kernel(FORMULA, SCRATCH, contract=True)",
            "def run(task, rules, state, formula, scratch, rows, attempts):",
            *indented(
                ["params = task.params", *fixed, f"fixed = ({', '.join(names)},)"] if names else ["fixed = ()"], 1
            ),
            "    return integrate(prepare, plan, attempt, give_up, task, rules, state, fixed, scratch, rows, attempts)",
            "",
        ]
    )


HEAD = """
import math

from numba import njit

from solvers.codes import BOUND
from solvers.kernels.parts.lanes import added, first, head, moved, with_lane
from solvers.kernels.loop import CALLS, give_up, integrate, kernel, next_step
from solvers.kernels.taylor import FORMULA, SCRATCH, failed
"""


def step_functions(dimension: int, degree: int, positions: int, velocity_degree: int) -> list[str]:
    """`plan` and `attempt` of the loop, from the series."""
    every = range(dimension)
    return [
        *function("plan(task, rules, state, formula, scratch, t)", *_plan(degree, dimension)),
        *function(
            "attempt(task, rules, state, formula, scratch, t, h, later)",
            f"error = math.nan if task.step != 0.0 else math.sqrt(scratch.sizes[0]) * abs(h) ** {degree}",
            *_polynomials(degree, dimension, positions, velocity_degree),
            *(f"after[{j}] = z{j}" for j in every),
            f"good = {' and '.join(f'abs(z{j}) < BOUND' for j in every)}",
            "return error, failed(task, t, h, later, good)",
        ),
    ]


def function(name: str, *lines: str) -> list[str]:
    """A function that is inlined into the kernel, with names for its arguments."""
    names = ["y, after, series = state.y, state.after, scratch.series"]
    return ["", "", '@njit(inline="always")', f"def {name}:", *indented([*names, *lines], 1)]


def _plan(degree: int, dimension: int) -> list[str]:
    """The fixed step, or the one at which neither of the last two terms exceeds the tolerance."""
    every = range(dimension)
    earlier = (
        []
        if degree == 1
        else [
            f"before = ({' + '.join(f'(series[{j}, {degree - 1}] * u{j}) ** 2' for j in every)}) / {dimension}.0",
            "if not math.isfinite(before):",
            "    h = 0.0",
            f"elif before * (h / 0.9) ** {2 * (degree - 1)} > 1.0:",
            f"    h = 0.9 * before ** {-0.5 / (degree - 1)!r}",
        ]
    )
    return [
        "if task.step != 0.0:",
        "    return next_step(task, rules, state, formula, scratch, t)",
        *(f"u{j} = 1.0 / (rules.atol + rules.rtol * abs(y[{j}]))" for j in every),
        f"last = ({' + '.join(f'(series[{j}, {degree}] * u{j}) ** 2' for j in every)}) / {dimension}.0",
        "scratch.sizes[0] = last",
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


def _polynomials(degree: int, dimension: int, positions: int, velocity_degree: int) -> list[str]:
    """The state after the step, by Horner's rule."""
    every = range(dimension)
    lines = []
    for j in every:
        highest = f"series[{j}, {degree}] * h + " if j < positions or velocity_degree == degree else ""
        lines.append(f"z{j} = {highest}series[{j}, {degree - 1}]")
    if degree > 1:
        lines.append(f"for k in range({degree - 2}, -1, -1):")
        lines += [f"    z{j} = z{j} * h + series[{j}, k]" for j in every]
    return lines
