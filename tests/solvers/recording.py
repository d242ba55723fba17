"""Tapes of equations that number their parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solvers.codegen.tape import PARAMETER, STATE, TIME, Expression, Tape, TapeRecorder

Equations = Callable[[Expression, Sequence[Expression], Sequence[Expression]], Sequence[Expression]]


def record(equations: Equations, dimension: int, parameters: int) -> Tape:
    """The tape of `equations(t, y, p)`, which returns the `dimension` components of y'."""
    recorder = TapeRecorder()
    t = recorder.node(TIME)
    y = [recorder.node(STATE, j) for j in range(dimension)]
    p = [recorder.node(PARAMETER, j, fixed=True) for j in range(parameters)]
    return recorder.tape(equations(t, y, p))
