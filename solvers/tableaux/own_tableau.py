"""A Butcher tableau that a person types: read, checked cell by cell, judged by the order conditions, made a Tableau.

Its text, as scenario files and `--set options.tableau=...` have it, has one line (or part between semicolons) for each

    tableau 1                   the version of this form
    name Heun's third-order method
    A 1/3                       the rows of the matrix, from the second stage on
    A 0, 2/3
    b 1/4, 0, 3/4               the weights
    b_error 0, 1, 0             left out without an error estimate
    c 0, 1/3, 2/3               left out when they are the sums of the rows

Numbers are fractions, decimals or roots, such as -3/40, 0.25 or (7+sqrt(21))/14; they are kept exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import lru_cache

from assets.counting import SUPERSCRIPTS
from assets.errors import BadInput
from solvers.tableaux.exact import Surd, parse
from solvers.tableaux.order_conditions import DIGITS, Tree, Weights, density, trees
from solvers.tableaux.tableau import ExactTableau, Tableau, Texts, exact

VERSION = 1
KEY = "own"
WHAT = "options.tableau"
COMPARISON = "comparison weights"
INCONSISTENT = "The weights sum to {total}, not 1: the method runs, but no step is short enough for it to converge."
MOST_STAGES, MOST_TEXT, MOST_CELL = 20, 40_000, 200
LEAST, LARGEST = Decimal("1e-60"), Decimal("1e9")
HIGHEST_ORDER = 10
FORM = "lines `tableau 1`, `A ...` for each stage after the first, `b ...`, and, optionally, `name`, `b_error` and `c`"


@dataclass(frozen=True, slots=True)
class Cells:
    """The tableau as typed: it may be invalid.

    Attributes:
        A: rows of the strictly lower triangle, row i with i entries; the first one is empty.
        b: weights.
        b_error: weights of the comparison; None without an estimate.
        c: nodes; None takes the sums of the rows.
        name: the person's name for it.
    """

    A: tuple[Texts, ...]
    b: Texts
    b_error: Texts | None = None
    c: Texts | None = None
    name: str = ""

    @property
    def stages(self) -> int:
        """The number of stages."""
        return len(self.b)

    def resized(self, stages: int) -> Cells:
        """The cells with more stages (whose coefficients are 0) or fewer."""

        def fitted(texts: Texts, length: int) -> Texts:
            return (*texts[:length], *("0" for _ in range(length - len(texts))))

        return Cells(
            A=tuple(fitted(self.A[i] if i < len(self.A) else (), i) for i in range(stages)),
            b=fitted(self.b, stages),
            b_error=None if self.b_error is None else fitted(self.b_error, stages),
            c=None if self.c is None else fitted(self.c, stages),
            name=self.name,
        )

    def entries(self) -> dict[str, str]:
        """Every cell's text by its name: `A[2][1]`, `b[0]`, `c[1]`; stages count from 1, as in books."""
        found = {f"A[{i + 1}][{j + 1}]": text for i, row in enumerate(self.A) for j, text in enumerate(row)}
        for name, texts in (("b", self.b), ("b_error", self.b_error), ("c", self.c)):
            found |= {f"{name}[{j + 1}]": text for j, text in enumerate(texts or ())}
        return found


def cell_words(name: str) -> str:
    """A cell's name as people say it: `row 3, column 2 of A`, `weight b1`, `node c2`."""
    kind, *places = re.findall(r"\w+", name)
    if len(places) < 2:
        return {"b": "weight b", "b_error": "comparison weight ", "c": "node c"}[kind] + places[0]
    return f"row {places[0]}, column {places[1]} of {kind}"


def cells_of(tableau: Tableau) -> Cells:
    """The cells of a known method, as a start."""
    return Cells(tableau.A, tableau.b, tableau.b_error, None, tableau.name)


def to_text(cells: Cells) -> str:
    """The cells as a text; `from_text` reads them back."""
    lines = [f"tableau {VERSION}", *([f"name {cells.name}"] if cells.name else [])]
    lines += ["A " + ", ".join(row) for row in cells.A[1:]]
    lines.append("b " + ", ".join(cells.b))
    lines += [f"b_error {', '.join(cells.b_error)}"] if cells.b_error is not None else []
    lines += [f"c {', '.join(cells.c)}"] if cells.c is not None else []
    return "; ".join(lines)


def from_text(text: str) -> Cells:
    """The cells in a text.

    Raises:
        BadInput: naming the line that is unknown, missing, given twice or of the wrong length.
    """
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise BadInput(WHAT, str(text)[:40], f"text of at most {MOST_TEXT} characters: {FORM}")
    lines = [line.strip() for line in text.replace("\n", ";").split(";") if line.strip()]
    if not lines or lines[0].split() != ["tableau", str(VERSION)]:
        raise BadInput(WHAT, lines[0][:40] if lines else "", f"text that begins with `tableau {VERSION}`: {FORM}")
    rows: list[Texts] = [()]
    found: dict[str, str] = {}
    for line in lines[1:]:
        word, _, rest = line.partition(" ")
        if word == "A":
            rows.append(_split(rest))
        elif word not in ("name", "b", "b_error", "c") or word in found:
            raise BadInput(f"{WHAT} line", line[:40], FORM)
        else:
            found[word] = rest.strip()
    if "b" not in found:
        raise BadInput(f"{WHAT} b", None, "the weights of the stages")
    listed = {word: _split(found[word]) if word in found else None for word in ("b", "b_error", "c")}
    b = listed["b"] or ()
    cells = Cells(tuple(rows), b, listed["b_error"], listed["c"], found.get("name", "")[:80])
    _check_shape(cells)
    return cells


def from_typed(data: object) -> Cells:
    """The cells from their attributes as JSON values, whatever was typed into them.

    Raises:
        BadInput: they are no cells.
    """
    given = data if isinstance(data, dict) else {}

    def texts(row: object) -> Texts:
        if not isinstance(row, list | tuple) or not all(isinstance(one, str) for one in row):
            raise BadInput(WHAT, row, "lists of texts, as typed")
        return tuple(row)

    rows, name = given.get("A"), given.get("name")
    listed = {word: given.get(word) for word in ("b", "b_error", "c")}
    if not isinstance(rows, list | tuple) or not isinstance(name, str):
        raise BadInput(WHAT, data, "an object with A, b and name")
    b_error, c = (None if listed[word] is None else texts(listed[word]) for word in ("b_error", "c"))
    cells = Cells(tuple(texts(row) for row in rows), texts(listed["b"]), b_error, c, name[:80])
    _check_shape(cells)
    return cells


def _split(text: str) -> Texts:
    return tuple(entry.strip() for entry in text.split(","))


def _check_shape(cells: Cells) -> None:
    stages = cells.stages
    if not 1 <= stages <= MOST_STAGES:
        raise BadInput(f"{WHAT} b", stages, f"a list of 1 to {MOST_STAGES} weights")
    if len(cells.A) != stages:
        raise BadInput(f"{WHAT} A", len(cells.A) - 1, f"{stages - 1} rows, one for each stage after the first")
    for i, row in enumerate(cells.A):
        if len(row) != i:
            raise BadInput(f"{WHAT} row {i + 1} of A", len(row), f"{i} entries, those left of the diagonal")
    for name, texts in (("b_error", cells.b_error), ("c", cells.c)):
        if texts is not None and len(texts) != stages:
            raise BadInput(f"{WHAT} {name}", len(texts), f"{stages} entries, as many as b has")


# -- judging -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """An order condition, and what a method makes of it.

    Attributes:
        tree: its rooted tree.
        order: the tree's number of vertices.
        value: what the left side is.
        holds: whether the method meets it.
    """

    tree: Tree
    order: int
    value: float
    holds: bool

    @property
    def text(self) -> str:
        """The condition as a formula, `Σ bᵢ cᵢ² = 1/3`."""
        return condition_text(self.tree)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a tableau.

    Attributes:
        tableau: as a method's; its `order` and `error_order` are the actual ones.
        failing: the first condition that fails; None if all hold up to order 10.
        bound: the tolerance of the conditions: 0, or what the decimals' digits allow.
        warning: why the method runs but does not converge; usually empty.
    """

    tableau: Tableau
    failing: Condition | None
    bound: float
    warning: str = ""


def problems(cells: Cells) -> dict[str, str]:
    """What each cell that is refused must be; empty when the tableau can be judged."""
    found: dict[str, str] = {}
    for name, text in cells.entries().items():
        if must := _refusal(name, text):
            found[name] = must
    if found or cells.c is None:
        return found
    bound = _bound(cells)
    for i, (text, row) in enumerate(zip(cells.c, cells.A, strict=True)):
        total = sum((parse(entry) for entry in row), Surd.rational(0))
        if abs((parse(text) - total).to_decimal(60)) > max(bound, Decimal("1e-50")):
            found[f"c[{i + 1}]"] = f"the sum of its row, {shown(total)}"
    return found


def row_sums(cells: Cells, wrong: Mapping[str, str]) -> list[str]:
    """The nodes as the rows give them; empty where a cell is refused."""
    good = [all(f"A[{i + 1}][{j + 1}]" not in wrong for j in range(i)) for i in range(cells.stages)]
    return [
        shown(sum(map(parse, row), Surd.rational(0))) if fine else "" for row, fine in zip(cells.A, good, strict=True)
    ]


def _refusal(name: str, text: str) -> str:
    """What a cell must be, if its text is not: sums and products of cells must stay representable."""
    if len(text) > MOST_CELL:
        return f"at most {MOST_CELL} characters"
    try:
        size = abs(parse(text, name).to_decimal(30))
    except BadInput as refusal:
        return str(refusal.must)
    return "" if size == 0 or LEAST <= size <= LARGEST else f"0, or a number from {LEAST} to {LARGEST} in magnitude"


@lru_cache(maxsize=64)
def judge(cells: Cells) -> Verdict:
    """The method that the cells define, with its actual order.

    Raises:
        BadInput: naming the first cell that is refused, or the comparison's weights when they do not sum to 1.
    """
    _check_shape(cells)
    for cell, must in problems(cells).items():
        raise BadInput(f"{WHAT} {cell_words(cell)}", cells.entries()[cell], must)
    rows = tuple(_sum_text(row) for row in cells.A)
    name = cells.name or "Your own method"
    rough = Tableau(KEY, name, "Your own", "", 1, cells.c or rows, cells.A, cells.b, 1, cells.b_error)
    numbers, bound = exact(rough), _bound(cells)
    order, failing = true_order(numbers, numbers.b, bound)
    error_order = None
    if numbers.b_error is not None:
        error_order, _ = true_order(numbers, numbers.b_error, bound)
    if error_order == 0:
        raise BadInput(f"{WHAT} b_error", shown(_total(numbers.b_error or ())), "numbers that sum to 1")
    if cells.b_error is not None and numbers.b == numbers.b_error:
        raise BadInput(
            f"{WHAT} b_error", ", ".join(cells.b_error), "different from b: their difference is the error estimate"
        )
    tableau = Tableau(
        key=KEY,
        name=name,
        family="Your own",
        source="typed in by hand",
        order=order,
        c=rough.c,
        A=cells.A,
        b=cells.b,
        error_order=error_order,
        b_error=cells.b_error,
        fsal=_is_fsal(numbers, max(bound, Decimal("1e-50"))),
    )
    warning = "" if order else INCONSISTENT.format(total=shown(_total(numbers.b)))
    return Verdict(tableau, failing, float(bound), warning)


def _total(weights: Sequence[Surd]) -> Surd:
    return sum(weights, Surd.rational(0))


def true_order(
    numbers: ExactTableau, weights: Sequence[Surd], bound: Decimal = Decimal(0), highest: int = HIGHEST_ORDER
) -> tuple[int, Condition | None]:
    """The order of these weights, up to `highest`, and the first condition that fails by more than `bound`."""
    for condition in conditions(numbers, weights, highest, bound):
        if not condition.holds:
            return condition.order - 1, condition
    return highest, None


def conditions(
    numbers: ExactTableau, weights: Sequence[Surd], highest: int, bound: Decimal = Decimal(0)
) -> Iterator[Condition]:
    """The conditions up to the order `highest`, the lowest order first; they hold within `bound`."""
    calculation = Weights(numbers)
    limit = bound if calculation.is_exact else max(bound, Decimal("1e-50"))
    for order in range(1, highest + 1):
        for tree in sorted(trees(order), key=lambda one: (len(str(one)), one)):
            residual = calculation.residual(weights, tree)
            with localcontext() as context:
                context.prec = DIGITS
                holds = abs(residual) <= limit
            yield Condition(tree, order, float(residual) + 1.0 / density(tree), holds)


def conditions_of(tableau: Tableau, highest: int) -> tuple[Condition, ...]:
    """The conditions of a method's tableau up to the order `highest`."""
    numbers = exact(tableau)
    return tuple(conditions(numbers, numbers.b, highest, _bound(cells_of(tableau))))


def _is_fsal(numbers: ExactTableau, bound: Decimal) -> bool:
    last = len(numbers.b) - 1
    same = all(not (a - b) for a, b in zip(numbers.A[last], numbers.b[:last], strict=True))
    return (
        last > 0 and same and not numbers.b[last] and abs((numbers.c[last] - Surd.rational(1)).to_decimal(60)) <= bound
    )


def _bound(cells: Cells) -> Decimal:
    """How exactly conditions can hold: exactly, unless long decimals were typed, whose last digit is rounded."""
    digits = [len(text.partition(".")[2].strip()) for text in cells.entries().values() if "." in text]
    long = [count for count in digits if count >= 8]
    return Decimal(10) ** (2 - min(long)) if long else Decimal(0)


def _sum_text(row: Texts) -> str:
    return "+".join(f"({entry})" for entry in row) or "0"


def shown(value: Surd) -> str:
    """A number for people: a fraction if it is short, otherwise a decimal."""
    if value.is_rational:
        fraction = value.terms[0][1] if value else 0
        if len(str(fraction)) <= 12:
            return str(fraction)
    return f"{float(value):.10g}"


# -- conditions in words -----------------------------------------------------------------------------------------------

_INDICES = "ᵢⱼₖₗₘₙₒₚqᵣ"


def condition_text(tree: Tree) -> str:
    """The order condition of a tree, such as `Σ bᵢ aᵢⱼ cⱼ = 1/6`."""
    used = [0]

    def index() -> str:
        used[0] += 1
        return _INDICES[min(used[0], len(_INDICES)) - 1]

    def factors(branches: Tree, here: str) -> list[str]:
        leaves = branches.count(())
        found = [f"c{here}" + (str(leaves).translate(SUPERSCRIPTS) if leaves > 1 else "")] if leaves else []
        for branch in branches:
            if branch:
                there = index()
                found += [f"a{here}{there}", *factors(branch, there)]
        return found

    root = index()
    right = f"1/{density(tree)}" if tree else "1"
    return f"Σ {' '.join([f'b{root}', *factors(tree, root)])} = {right}"
