"""Butcher tableaux: the data files of the explicit Runge-Kutta methods, read, checked, and turned into numbers."""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass
from functools import cache

import numpy as np

from assets.errors import BadInput
from assets.fields import Data
from assets.registry import Registry
from solvers.problem import Array
from solvers.tableaux.exact import Surd, parse

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tableau:
    """An explicit Runge-Kutta method exactly as its file writes it; one file is one method, its key is the file's stem.

    Attributes:
        key, name, family, source: see `Method`.
        order, error_order: of the weights b and b_error.
        c: nodes, (s,) as exact numbers in text.
        A: rows of the strictly lower triangular matrix; row i has i entries.
        b: weights of the solution that is advanced.
        b_error: weights of the comparison solution; None without an estimate.
        b_error2, error_order2: a second comparison, used by DOP853 alone.
        fsal: whether the last stage is the first of the next step.
        aliases, paper_label, notes: for lists and cards.
    """

    key: str
    name: str
    family: str
    source: str
    order: int
    c: Texts
    A: tuple[Texts, ...]
    b: Texts
    error_order: int | None = None
    b_error: Texts | None = None
    b_error2: Texts | None = None
    error_order2: int | None = None
    fsal: bool = False
    aliases: Texts = ()
    paper_label: str | None = None
    notes: Texts = ()

    def __hash__(self) -> int:
        # Values computed once per tableau are looked up before every run.
        return hash(self.key)

    @property
    def stages(self) -> int:
        """The number of stages s."""
        return len(self.b)

    @property
    def estimate_power(self) -> int:
        """The power of h with which the error estimate falls: min(p, q) + 1; 8 for DOP853 with its two estimates."""
        assert self.error_order is not None
        return 8 if self.b_error2 else min(self.order, self.error_order) + 1

    def check(self) -> None:
        """Raise BadInput for a wrong shape, an unreadable entry, a wrong row sum, or a false `fsal`."""
        s = self.stages
        shape = {
            "c": len(self.c),
            "A": len(self.A),
            "b_error": len(self.b_error or self.b),
            "b_error2": len(self.b_error2 or self.b),
        }
        for what, length in shape.items():
            if length != s:
                raise BadInput(f"{self.key}.{what}", length, f"{s} entries, as many as b has")
        for i, row in enumerate(self.A):
            if len(row) != i:
                raise BadInput(f"{self.key}.A[{i}]", len(row), f"{i} entries, those left of the diagonal")
        numbers = exact(self)
        for i, row in enumerate(numbers.A):
            if abs((sum(row, Surd.rational(0)) - numbers.c[i]).to_decimal(60)) > 1e-50:
                raise BadInput(f"{self.key}.c[{i}]", self.c[i], "the sum of the same row of A")
        if self.fsal and (self.A[-1] != self.b[:-1] or float(numbers.c[-1]) != 1.0 or numbers.b[-1]):
            raise BadInput(f"{self.key}.fsal", True, "false unless the last row of A equals b")


@dataclass(frozen=True, slots=True)
class ExactTableau:
    """The coefficients as exact numbers."""

    c: tuple[Surd, ...]
    A: tuple[tuple[Surd, ...], ...]
    b: tuple[Surd, ...]
    b_error: tuple[Surd, ...] | None
    b_error2: tuple[Surd, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The coefficients in double precision, each the double nearest to the exact number.

    Attributes:
        c (s,), A (s, s), b (s,); e (s,) = b - b_error, the weights of the error estimate, and e2 likewise (zeros when
        absent).
    """

    c: Array
    A: Array
    b: Array
    e: Array
    e2: Array


@cache
def exact(tableau: Tableau) -> ExactTableau:
    """The coefficients of `tableau` as exact numbers; raises BadInput for an entry that cannot be read."""

    def numbers(what: str, texts: Texts) -> tuple[Surd, ...]:
        return tuple(parse(text, f"{tableau.key}.{what}[{j}]") for j, text in enumerate(texts))

    return ExactTableau(
        c=numbers("c", tableau.c),
        A=tuple(numbers(f"A[{i}]", row) for i, row in enumerate(tableau.A)),
        b=numbers("b", tableau.b),
        b_error=None if tableau.b_error is None else numbers("b_error", tableau.b_error),
        b_error2=None if tableau.b_error2 is None else numbers("b_error2", tableau.b_error2),
    )


@cache
def coefficients(tableau: Tableau) -> Coefficients:
    """The coefficients of `tableau` in double precision."""
    numbers, s = exact(tableau), tableau.stages
    matrix = np.zeros((s, s))
    for i, row in enumerate(numbers.A):
        matrix[i, :i] = [float(entry) for entry in row]

    def difference(other: tuple[Surd, ...] | None) -> Array:
        if other is None:
            return np.zeros(s)
        return np.array([float(b - b_error) for b, b_error in zip(numbers.b, other, strict=True)])

    arrays = Coefficients(
        c=np.array([float(entry) for entry in numbers.c]),
        A=matrix,
        b=np.array([float(entry) for entry in numbers.b]),
        e=difference(numbers.b_error),
        e2=difference(numbers.b_error2),
    )
    for array in (arrays.c, arrays.A, arrays.b, arrays.e, arrays.e2):
        array.setflags(write=False)
    return arrays


FIELDS = {"name", "family", "source", "order", "c", "A", "b"}
OPTIONAL = {
    "error_order", "b_error", "b_error2", "error_order2", "fsal", "aliases", "paper_label", "provenance", "notes",
}  # fmt: skip
LISTS, WEIGHTS = {"c", "b", "aliases", "notes"}, {"b_error", "b_error2"}
FACTS = {"name", "family", "source", "order", "error_order", "error_order2", "fsal", "paper_label"}


def check_fields(key: str, data: Data, needed: Set[str], optional: Set[str] = frozenset()) -> None:
    """Raise BadInput for a field that a file lacks, or that is unknown."""
    for name in sorted(needed - data.keys()):
        raise BadInput(f"{key}.{name}", None, "present in the file")
    for name in sorted(data.keys() - needed - optional):
        raise BadInput(f"{key}.{name}", data[name], "a field of a tableau file", needed | optional)


def from_dict(key: str, data: Data) -> Tableau:
    """A tableau from its file's contents; raises BadInput for a missing or unknown field."""
    check_fields(key, data, FIELDS, OPTIONAL)
    values: Data = {name: data[name] for name in FACTS & data.keys()}
    values |= {name: tuple(map(str, data.get(name) or ())) for name in LISTS}
    values |= {name: tuple(map(str, data.get(name) or ())) or None for name in WEIGHTS}
    return Tableau(key=key, A=tuple(map(tuple, data["A"])), **values)


_REGISTRY: Registry[Tableau] = Registry.of_files(
    "tableau", "tableaux", ".json", lambda key, text: from_dict(key, json.loads(text))
)
keys, load = _REGISTRY.keys, _REGISTRY.find
