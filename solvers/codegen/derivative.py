"""The exact derivative of recorded equations by their state, as operations on the same tape.

Source: A. Griewank, A. Walther, Evaluating Derivatives (2008), ch. 3.1: the forward mode.
"""

from __future__ import annotations

from solvers.codegen.tape import (
    ADD,
    BINARY,
    COSINE,
    DIVIDE,
    MULTIPLY,
    SCALE,
    SINE,
    STATE,
    SUBTRACT,
    UNARY,
    Expression,
    Tape,
    TapeRecorder,
    needed,
)

# A derivative that is 1 is kept as a number: nothing is multiplied by it.
Slope = Expression | float


def derivative(tape: Tape, columns: int | None = None, *, values: bool = False) -> tuple[Tape, list[tuple[int, int]]]:
    """A tape whose outputs are the entries of df/dy that are not always 0, and their rows and columns.

    What `Tape.given` supplies depends on the time alone, so its derivative is 0.

    Args:
        tape: f.
        columns: how many components of y there are, where f has not as many.
        values: whether f itself comes first.
    """
    recorder = TapeRecorder()
    nodes = recorder.copy(tape, needed(tape), {})
    entries: list[tuple[int, int]] = []
    outputs = [nodes[n] for n in tape.outputs.tolist()] if values else []
    for column in range(len(tape.outputs) if columns is None else columns):
        slopes: dict[int, Slope] = {}
        for n in nodes:
            slope = _slope(tape, n, column, nodes, slopes)
            if slope is not None:
                slopes[n] = slope
        for row, output in enumerate(tape.outputs.tolist()):
            if output in slopes:
                slope = slopes[output]
                entries.append((row, column))
                outputs.append(slope if isinstance(slope, Expression) else recorder.constant(slope))
    return recorder.tape(outputs, tape.given), entries


def _slope(tape: Tape, n: int, column: int, nodes: dict[int, Expression], slopes: dict[int, Slope]) -> Slope | None:
    """The derivative of node n by component `column` of the state; None where it is 0."""
    operation, left, right = int(tape.operations[n]), int(tape.left[n]), int(tape.right[n])
    if operation == STATE:
        return 1.0 if left == column else None
    if operation not in BINARY and operation not in UNARY:
        return None
    of_left, of_right = slopes.get(left), slopes.get(right) if operation in BINARY else None
    if operation == ADD:
        return _sum(of_left, of_right)
    if operation == SUBTRACT:
        return _difference(of_left, of_right)
    if operation in (MULTIPLY, SCALE):
        return _sum(_times(of_left, nodes[right]), _times(of_right, nodes[left]))
    if operation == DIVIDE:
        change = _difference(of_left, _times(of_right, nodes[n]))
        return None if change is None else _times(change, 1.0 / nodes[right])
    if operation == SINE:
        return _times(of_left, nodes[left].cos())
    if operation == COSINE:
        return _difference(None, _times(of_left, nodes[left].sin()))
    return None if of_left is None else _times(of_left, 0.5 / nodes[n])


def _sum(one: Slope | None, other: Slope | None) -> Slope | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _difference(one: Slope | None, other: Slope | None) -> Slope | None:
    if one is None or other is None:
        return one if other is None else -other
    return one - other


def _times(slope: Slope | None, factor: Slope) -> Slope | None:
    if slope is None:
        return None
    if isinstance(slope, float) and slope == 1.0:
        return factor
    return slope * factor
