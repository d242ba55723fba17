"""Equations of motion, written once as an ordinary function of numbers; what methods need is derived from it.

    def pendulum(t, y, p):
        angle, rate = y
        return [rate, -p.g / p.length * sin(angle)]

    PENDULUM = ClosedForm(pendulum, 2)
    problem = OdeProblem(PENDULUM.rhs, ..., params=PENDULUM.pack({"g": 9.81, "length": 1.0}), taylor=PENDULUM.tape)

The function calls numpy's `sin`, `cos` and `sqrt`, so that it also takes arrays, complex numbers and power series. It
names its parameters: the kernel's numbers are found by these names, never by their order. What depends on parameters
alone (`p.g / p.length`) is computed once, when a problem is made.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from assets.fields import Values
from solvers.codegen.derivative import derivative
from solvers.codegen.generated import module
from solvers.codegen.straight_line import fixed_numbers, imports, indented, name_of, slope, values
from solvers.codegen.tape import (
    ADD,
    BINARY,
    CONSTANT,
    COSINE,
    DIVIDE,
    MULTIPLY,
    PARAMETER,
    ROOT,
    SCALE,
    SINE,
    STATE,
    SUBTRACT,
    TIME,
    UNARY,
    Expression,
    Tape,
    TapeRecorder,
    arguments,
    needed,
)
from solvers.problem import Array, Momenta, OdeProblem

Named = Expression | list[Any]
"""A parameter, or lists of them for one that is an array."""

_APPLY = {
    ADD: operator.add,
    SUBTRACT: operator.sub,
    MULTIPLY: operator.mul,
    SCALE: operator.mul,
    DIVIDE: operator.truediv,
}
_CALL = {SINE: np.sin, COSINE: np.cos, ROOT: np.sqrt}


class Parameters:
    """The parameters while equations are recorded: one becomes a node, or several, when its name is first used."""

    def __init__(self, recorder: TapeRecorder, shapes: Mapping[str, tuple[int, ...]], given: Sequence[str]) -> None:
        self._recorder, self._shapes, self._given = recorder, shapes, given
        self.places: dict[str, int] = {}
        self.size = 0

    def __getattr__(self, name: str) -> Named:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in self._given:
            return self._recorder.given(self._given.index(name))
        shape = self._shapes.get(name, ())
        if name not in self.places:
            self.places[name] = self.size
            self.size += prod(shape)
        return self._nodes(self.places[name], shape)

    def _nodes(self, place: int, shape: tuple[int, ...]) -> Named:
        if not shape:
            return self._recorder.node(PARAMETER, place, fixed=True)
        inner = prod(shape[1:])
        return [self._nodes(place + k * inner, shape[1:]) for k in range(shape[0])]


Equations = Callable[[Expression, Sequence[Expression], Any], Sequence[Expression]]


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """A right-hand side given by `equations(t, y, p)`, the list of y' for time, state and named parameters.

    Attributes:
        equations: the function.
        dimension: the number of components of y.
        shapes: of the parameters that are arrays.
        given, supply: further names of `p`, and the compiled function `supply(t, params, k)` of the k-th of them:
            functions of time that are not elementary operations. `supply` finds its data at the end of `params`.
    """

    equations: Equations
    dimension: int
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    supply: Callable[..., float] | None = None

    @cached_property
    def _recorded(self) -> tuple[Tape, dict[str, int], list[int]]:
        """The equations in all parameters, where each name begins, and the nodes that a problem computes once."""
        recorder = TapeRecorder()
        t, y = recorder.node(TIME), [recorder.node(STATE, j) for j in range(self.dimension)]
        p = Parameters(recorder, self.shapes, self.given)
        tape = recorder.tape(self.equations(t, y, p), self.supply)
        used = set(tape.outputs.tolist())
        used.update(m for n in needed(tape) if not tape.fixed[n] for m in arguments(tape, n))
        return tape, p.places, [n for n in sorted(used) if tape.fixed[n] and tape.operations[n] != CONSTANT]

    @cached_property
    def tape(self) -> Tape:
        """The equations in the numbers of `pack`."""
        tape, _, once = self._recorded
        recorder = TapeRecorder()
        known = {n: recorder.node(PARAMETER, k, fixed=True) for k, n in enumerate(once)}
        kept = [n for n in needed(tape) if not tape.fixed[n] or tape.operations[n] == CONSTANT]
        nodes = recorder.copy(tape, kept, known)
        return recorder.tape([nodes[n] for n in tape.outputs.tolist()], tape.given)

    @cached_property
    def _fixed(self) -> list[tuple[int, int, int, int]]:
        """The operations on parameters alone: node, operation, left, right."""
        tape = self._recorded[0]
        rows = zip(tape.operations.tolist(), tape.left.tolist(), tape.right.tolist(), strict=True)
        kept = {n for n in needed(tape) if tape.fixed[n]}
        return [(n, *row) for n, row in enumerate(rows) if n in kept]

    @cached_property
    def _latest(self) -> tuple[list[object], Array]:
        """What `pack` was last given, and its numbers: the runs of a sweep often have the same parameters."""
        return [], np.zeros(0)

    def pack(self, values: Mapping[str, object]) -> Array:
        """The kernel's numbers for parameters by name; others are left alone. A division by 0 gives inf or nan.

        Raises:
            KeyError: for a parameter that has no value.
        """
        tape, places, once = self._recorded
        given = [values[name] for name in places]
        before, packed = self._latest
        if len(before) == len(given) and all(map(operator.is_, given, before)):
            return packed.copy()
        plain = all(type(one) is float for one in given)
        flat = given if plain else np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in given])
        raw = np.array(flat)
        found: dict[int, Any] = {}
        with np.errstate(all="ignore"):
            for n, operation, left, right in self._fixed:
                if operation in BINARY:
                    found[n] = _APPLY[operation](found[left], found[right])
                elif operation in UNARY:
                    found[n] = _CALL[operation](found[left])
                else:
                    found[n] = raw[left] if operation == PARAMETER else tape.values[n]
        packed = np.array([found[n] for n in once])
        # Other values than floats may change.
        self.__dict__["_latest"] = (given if plain else []), packed
        return packed.copy()

    def problem(
        self,
        params: Array,
        initial: Values,
        duration: float,
        names: tuple[str, ...],
        units: tuple[str, ...],
        in_momenta: Callable[[], Momenta] | None = None,
    ) -> OdeProblem:
        """From t = 0 on; the first half of the components are positions.

        Args:
            params: the kernel's numbers, see `pack`.
            initial: the state at t = 0, by name.
            duration: how long [s].
            names, units: of the components.
            in_momenta: see `OdeProblem`.
        """
        return OdeProblem(
            rhs=self.rhs,
            jacobian=self.jacobian,
            initial=np.array([initial[name] for name in names], dtype=float),
            t0=0.0,
            t1=duration,
            params=params,
            names=names,
            units=units,
            positions=self.dimension // 2,
            taylor=self.tape,
            in_momenta=in_momenta,
        )

    @cached_property
    def rhs(self) -> Callable[..., None]:
        """The right-hand side, compiled once and kept on disk."""
        return module(source(self.tape)).run

    @cached_property
    def jacobian(self) -> Callable[..., None]:
        """The exact derivative by the state, compiled once and kept on disk."""
        return module(derivative_source(self.tape)).run


def source(tape: Tape) -> str:
    """A module whose `run` is the right-hand side as straight-line code."""
    state = [f"y{j}" for j in range(len(tape.outputs))]
    body = slope(tape, "", "t", state, [f"dy[{j}]" for j in range(len(state))])
    return _text(tape, "RHS", "dy", state, body)


def derivative_source(tape: Tape) -> str:
    """A module whose `run` is the derivative by the state as straight-line code."""
    d = len(tape.outputs)
    state = [f"y{j}" for j in range(d)]
    slopes, entries = derivative(tape)
    outputs = [name_of(slopes, n, "", state) for n in slopes.outputs.tolist()]
    clear = [f"for i in range({d}):", f"    for j in range({d}):", "        J[i, j] = 0.0"]
    fill = [f"J[{row}, {column}] = {value}" for (row, column), value in zip(entries, outputs, strict=True)]
    return _text(slopes, "JACOBIAN", "J", state, [*values(slopes, "", "t", state), *clear, *fill])


def _text(tape: Tape, signature: str, out: str, state: Sequence[str], body: Sequence[str]) -> str:
    """A compiled function that loads parameters and state before its body."""
    lines = [
        '"""Made by Armstep: equations of motion, or their derivative."""',
        "",
        "import math",
        "",
        f"from solvers.kernels.signatures import {signature}, compiled",
        *imports(tape),
        "",
        "",
        f"@compiled({signature})",
        f"def run(t, y, params, {out}):",
        *indented([*fixed_numbers(tape), *(f"{name} = y[{j}]" for j, name in enumerate(state)), *body]),
    ]
    return "\n".join(lines) + "\n"


def plain(kernel: Any, others: Mapping[str, object] = MappingProxyType({})) -> Callable[..., Any]:
    """A compiled function as plain Python, so that it can be called with expressions too.

    Compiled functions that it calls become plain as well.

    Args:
        kernel: the function.
        others: what names stand for instead, in it and in those that it calls.
    """
    function = kernel.py_func
    known = {**function.__globals__, **{name: other for name, other in others.items() if name in function.__globals__}}
    for name, other in known.items():
        if not hasattr(other, "py_func"):
            continue
        if other.py_func.__globals__ is function.__globals__:
            known[name] = FunctionType(other.py_func.__code__, known, name, other.py_func.__defaults__)
        else:
            known[name] = plain(other, others)
    return known[function.__name__]
