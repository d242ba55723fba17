"""Equations written down once as a list of elementary operations, from which power series are computed by recurrences.

Source: A. Griewank, A. Walther, Evaluating Derivatives (2008), ch. 13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from solvers.problem import Array

CONSTANT, PARAMETER, TIME, STATE, ADD, SUBTRACT, MULTIPLY, SCALE, DIVIDE, SINE, COSINE, ROOT, GIVEN = range(13)
BINARY = (ADD, SUBTRACT, MULTIPLY, SCALE, DIVIDE)
UNARY = (SINE, COSINE, ROOT)


@dataclass(frozen=True, slots=True, eq=False)
class Tape:
    """The recorded equations: node n applies `operations[n]` to the nodes left[n] and right[n].

    Attributes:
        operations, left, right: (m,) whole numbers; for a parameter, a component of the state or something given `left`
            is its index, for sine and cosine `right` is the other of the two.
        values: (m,), of the constants.
        fixed: whether a node depends on parameters alone, (m,).
        outputs: the nodes of y', (d,).
        given: what is not an elementary operation (a table of torques), as a compiled function
            `given(t, params, index)`, or None. Such equations can be written out, but have no power series.
    """

    operations: np.ndarray
    left: np.ndarray
    right: np.ndarray
    values: Array
    fixed: np.ndarray
    outputs: np.ndarray
    given: Callable[..., float] | None = None


@dataclass(slots=True)
class TapeRecorder:
    """A tape while it is recorded; equal operations share a node."""

    rows: list[tuple[int, int, int, float]] = field(default_factory=list)
    fixed: list[bool] = field(default_factory=list)
    known: dict[tuple[int, int, int, float], int] = field(default_factory=dict)

    def node(
        self, operation: int, left: int = 0, right: int = 0, value: float = 0.0, fixed: bool = False
    ) -> Expression:
        """The node with this operation, new or known."""
        row = (operation, left, right, value)
        if row not in self.known:
            self.known[row] = len(self.rows)
            self.rows.append(row)
            self.fixed.append(fixed)
        return Expression(self, self.known[row])

    def given(self, index: int) -> Expression:
        """Value `index` of the tape's function `given` at the current time."""
        return self.node(GIVEN, index)

    def constant(self, value: float) -> Expression:
        """A number."""
        return self.node(CONSTANT, value=float(value), fixed=True)

    def wave(self, argument: Expression) -> tuple[Expression, Expression]:
        """Sine and cosine; each needs the other."""
        n = len(self.rows)
        fixed = self.fixed[argument.number]
        known = self.known.get((SINE, argument.number, -1, 0.0))
        if known is None:
            self.known[(SINE, argument.number, -1, 0.0)] = known = n
            self.rows += [(SINE, argument.number, n + 1, 0.0), (COSINE, argument.number, n, 0.0)]
            self.fixed += [fixed, fixed]
        return Expression(self, known), Expression(self, known + 1)

    def tape(self, outputs: Sequence[Expression], given: Callable[..., float] | None = None) -> Tape:
        """Everything recorded, with these outputs."""
        table = np.array([row[:3] for row in self.rows], dtype=np.int64)
        return Tape(
            operations=np.ascontiguousarray(table[:, 0]),
            left=np.ascontiguousarray(table[:, 1]),
            right=np.ascontiguousarray(table[:, 2]),
            values=np.array([row[3] for row in self.rows]),
            fixed=np.array(self.fixed, dtype=np.int64),
            outputs=np.array([one.number for one in outputs], dtype=np.int64),
            given=given,
        )

    def copy(self, tape: Tape, nodes: Sequence[int], known: dict[int, Expression]) -> dict[int, Expression]:
        """Record these nodes of a tape, in order, except those already `known`; returns all of them by number."""
        copied = dict(known)
        for n in nodes:
            operation, left, right = int(tape.operations[n]), int(tape.left[n]), int(tape.right[n])
            if n in known:
                continue
            if operation in (SINE, COSINE):
                copied[n] = self.wave(copied[left])[operation == COSINE]
            elif operation == ROOT:
                copied[n] = sqrt(copied[left])
            elif operation in BINARY:
                fixed = bool(tape.fixed[n])
                copied[n] = self.node(operation, copied[left].number, copied[right].number, fixed=fixed)
            else:
                copied[n] = self.node(operation, left, value=float(tape.values[n]), fixed=bool(tape.fixed[n]))
        return copied


@dataclass(frozen=True, slots=True)
class Expression:
    """A node of a tape, to calculate with."""

    recorder: TapeRecorder
    number: int

    @property
    def is_zero(self) -> bool:
        """Whether it is the number 0."""
        operation, _, _, value = self.recorder.rows[self.number]
        return operation == CONSTANT and value == 0.0

    def _other(self, value: Expression | float) -> Expression:
        return value if isinstance(value, Expression) else self.recorder.constant(value)

    def _apply(self, operation: int, other: Expression | float, swapped: bool = False) -> Expression:
        first, second = self, self._other(other)
        if swapped:
            first, second = second, first
        if operation in (ADD, SUBTRACT, MULTIPLY) and (first.is_zero or second.is_zero):
            if operation == MULTIPLY:
                return self.recorder.constant(0.0)
            if second.is_zero:
                return first
            if operation == ADD:
                return second
        if operation == DIVIDE and first.is_zero:
            return first
        fixed = self.recorder.fixed
        both = fixed[first.number] and fixed[second.number]
        if operation == MULTIPLY and not both and (fixed[first.number] or fixed[second.number]):
            if fixed[second.number]:
                first, second = second, first
            operation = SCALE
        return self.recorder.node(operation, first.number, second.number, fixed=both)

    def __add__(self, other: Expression | float) -> Expression:
        return self._apply(ADD, other)

    def __radd__(self, other: float) -> Expression:
        return self._apply(ADD, other, swapped=True)

    def __sub__(self, other: Expression | float) -> Expression:
        return self._apply(SUBTRACT, other)

    def __rsub__(self, other: float) -> Expression:
        return self._apply(SUBTRACT, other, swapped=True)

    def __mul__(self, other: Expression | float) -> Expression:
        return self._apply(MULTIPLY, other)

    def __rmul__(self, other: float) -> Expression:
        return self._apply(MULTIPLY, other, swapped=True)

    def __truediv__(self, other: Expression | float) -> Expression:
        return self._apply(DIVIDE, other)

    def __rtruediv__(self, other: float) -> Expression:
        return self._apply(DIVIDE, other, swapped=True)

    def __neg__(self) -> Expression:
        return -1.0 * self

    def sin(self) -> Expression:
        """The sine; numpy calls these methods."""
        return sin(self)

    def cos(self) -> Expression:
        """The cosine."""
        return cos(self)

    def sqrt(self) -> Expression:
        """The square root."""
        return sqrt(self)


def sin(argument: Expression) -> Expression:
    """The sine."""
    return argument.recorder.wave(argument)[0]


def cos(argument: Expression) -> Expression:
    """The cosine."""
    return argument.recorder.wave(argument)[1]


def sqrt(argument: Expression) -> Expression:
    """The square root."""
    recorder = argument.recorder
    return recorder.node(ROOT, argument.number, fixed=recorder.fixed[argument.number])


def recorded(equations: object) -> Tape | None:
    """The tape of a problem's `taylor` or `source`, which may be a function that records it."""
    found = equations() if callable(equations) else equations
    return found if isinstance(found, Tape) else None


def needed(tape: Tape) -> list[int]:
    """The nodes that the outputs depend on, in order."""
    found = np.zeros(len(tape.operations), dtype=bool)
    found[tape.outputs] = True
    for n in range(len(found) - 1, -1, -1):
        if found[n]:
            found[arguments(tape, n)] = True
    return [int(n) for n in np.flatnonzero(found)]


def arguments(tape: Tape, n: int) -> list[int]:
    """The nodes that node n is computed from."""
    operation = tape.operations[n]
    if operation in BINARY:
        return [int(tape.left[n]), int(tape.right[n])]
    return [int(tape.left[n])] if operation in UNARY else []
