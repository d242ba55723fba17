"""The recurrences of a power series as lines of a program: a right-hand side's operations, order by order.

The recurrences of one order stand in the text once, each node of the tape a line; the products' sums are kept in vector
registers (`solvers.kernels.parts.lanes`). What is linear needs no sums, sine and cosine of one argument share theirs.

Source: A. Jorba, M. Zou, Experimental Mathematics 14 (2005), 99-117.
"""

from __future__ import annotations

from collections.abc import Callable

from solvers.codegen.straight_line import SIGNS, indented, name_of, slope
from solvers.codegen.tape import ADD, COSINE, DIVIDE, MULTIPLY, ROOT, SCALE, SINE, STATE, SUBTRACT, TIME, Tape, needed

ORDER_ZERO = "0"
FUNCTIONS = {SINE: "sine", COSINE: "cosine", ROOT: "math.sqrt"}
"""Those of `solvers.kernels.parts.sine_cosine`, which have the same bits for one run and for several side by side."""


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
        lines = slope(self.tape, ORDER_ZERO, "t", self.start, [f"c{j}" for j in range(self.dimension)], FUNCTIONS)
        for n in self.nodes:
            operation = int(self.tape.operations[n])
            if operation in (SINE, COSINE) and n not in needed(self.tape):
                argument = self.order_zero(int(self.tape.left[n]))
                lines.append(f"{self.order_zero(n)} = {FUNCTIONS[operation]}({argument})")
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
                    early = f"fused({factor(partner)}, {self.order_zero(rate)}, {self.head(n)})"
                    products = f"fused({self.order_zero(partner)}, {factor(rate)}, {early})"
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
            return f"{sign}fused(d{left}, {self.order_zero(right)}, {self.head(n)}) * inverse"
        if operation == MULTIPLY and left == right:
            return f"fused(2.0 * {self.order_zero(left)}, {self.now(left)}, {self.head(n)})"
        if operation == MULTIPLY:
            # The last known is added last.
            early, late = sorted((left, right), key=lambda m: self.depths[m])
            first = f"fused({self.order_zero(late)}, {self.now(early)}, {self.head(n)})"
            return f"fused({self.order_zero(early)}, {self.now(late)}, {first})"
        if operation == ROOT:
            return f"({self.now(left)} - {self.head(n)}) * r{n}"
        if tape.fixed[right]:
            return f"{self.now(left)} / {name_of(tape, right, '', ())}"
        known = "" if tape.fixed[left] else f"{self.now(left)} "
        return f"({known}- fused({self.order_zero(n)}, {self.now(right)}, {self.head(n)})) * r{n}"

    def update(self, kept: bool) -> list[str]:
        """What the newest coefficients contribute to all later ones; with `kept`, they join the factors too."""
        factors, new = self.factors(), "new_" if kept else ""
        lines = [f"new_{lanes} = with_lane({lanes}, k, {newest})" for lanes, newest, _ in factors if kept]
        for n in self.nodes:
            if self.sums(n):
                (one, newest), (other, its_newest) = self.products(n)
                half = f"fused({newest}, {new}{other}, s{n})"
                lines.append(f"s{n} = moved(fused({its_newest}, {one}, {half}))")
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

    def integrated(self, n: int) -> str:
        """The next coefficient of a component whose derivative is node n: none above order 1 where that is fixed."""
        return "0.0" if self.tape.fixed[n] else f"share * {self.now(n)}"

    def _orders(self, start: int, end: int, kept: bool) -> list[str]:
        """Those from `start` up to `end`."""
        if start >= end:
            return []
        every = range(self.dimension)
        return [
            f"for k in range({start}, {end}):",
            *indented([self.kept(j, "k", f"c{j}") for j in every]),
            *indented(["inverse = 1.0 / k", "share = 1.0 / (k + 1)", *self.order(), *self.update(kept)]),
            *indented([f"c{j} = {self.integrated(int(n))}" for j, n in enumerate(self.tape.outputs)]),
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
