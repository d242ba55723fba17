"""A tree's equations as elementary operations, recorded from its kernels: for power series and specialised kernels.

What a file fixes becomes a number in the code: placements, which joint carries which, and what is zero. Other masses,
gains, friction and targets are read from a problem's numbers, so that a change of them needs no other kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np

from robots.dynamics.tree import layout as at
from robots.model.robot import Array
from solvers.codegen.closed_form import plain
from solvers.codegen.tape import PARAMETER, STATE, TIME, Expression, Tape, TapeRecorder, cos, sin
from solvers.problem import OdeProblem

_READ = (at.MASS, *range(at.CENTRE, at.COORDINATE))
"""The columns of a joint's row that are read where they are not zero."""

_ROUND_OFF = 1e-15
"""How far a quarter turn's sine and cosine may be from a whole number."""

GIVEN = (at.COMPUTED, at.LOG, at.HELD)
"""Laws whose move, log or held torques are given over time, so that there is no series."""


def with_operations(problem: OdeProblem) -> OdeProblem:
    """The problem with its equations as operations; where a move, a log or held torques are given, not as a series."""
    kind = "source" if problem.params[at.LAW] in GIVEN else "taylor"
    return replace(problem, **{kind: equations_of(problem.params)})


def equations_of(params: Array) -> Callable[[], Tape]:
    """Records the equations with these numbers, once for all problems of one structure."""
    head = params[: at.HEADER + int(params[at.JOINTS]) * at.ROW].copy()
    read = np.zeros(len(head), bool)
    read[[*range(at.GRAVITY, at.GRAVITY + 3), at.MOVE_TIME]] = True
    rows, read_rows = (part[at.HEADER :].reshape(-1, at.ROW) for part in (head, read))
    read_rows[:, _READ] = True
    turns, whole = rows[:, at.TURN : at.TURN + 9], np.round(rows[:, at.TURN : at.TURN + 9])
    turns[:] = np.where(np.abs(turns - whole) < _ROUND_OFF, whole, turns)
    head[read & (head != 0.0)] = np.nan
    return _once(head.tobytes())


@lru_cache(maxsize=256)
def _once(known: bytes) -> Callable[[], Tape]:
    return cache(partial(_recorded, known))


def _recorded(known: bytes) -> Tape:
    """The tape for the numbers that are known; those that are not a number are read."""
    from robots.dynamics.kernels.held import held_torque
    from robots.dynamics.tree.kernels.forces import logged_torque, planned_value
    from robots.dynamics.tree.kernels.forward import tree

    recorder, numbers = TapeRecorder(), np.frombuffer(known).tolist()
    supply = {at.COMPUTED: planned_value, at.LOG: logged_torque, at.HELD: held_torque}.get(numbers[at.LAW])
    params = _zeros(len(numbers))
    for k, value in enumerate(numbers):
        params[k] = recorder.node(PARAMETER, k, fixed=True) if np.isnan(value) else value
    dimension = 2 * int(numbers[at.INDEPENDENT])
    y, dy = _zeros(dimension), _zeros(dimension)
    y[:] = [recorder.node(STATE, k) for k in range(dimension)]

    def planned(t: Expression, params: Any, first: int, joint: int) -> tuple[Expression, ...]:
        return tuple(recorder.given(3 * joint + k) for k in range(3))

    def torque(t: Expression, params: Any, *place: int) -> Expression:
        return recorder.given(place[-1])

    others = {"planned": planned, "held_torque": torque, "between": torque, "piece": lambda t, params: 0}
    plain(tree, {"borrow": _zeros, "sin": sin, "cos": cos, **others})(recorder.node(TIME), y, params, dy)
    return recorder.tape([recorder.constant(one) if isinstance(one, float) else one for one in dy], supply)


def _zeros(size: int) -> np.ndarray:
    """Stands for scratch memory while kernels are recorded: it holds expressions, too."""
    return np.full(size, 0.0, dtype=object)
