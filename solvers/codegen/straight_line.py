"""A right-hand side's operations (`solvers.codegen.tape.Tape`) as lines of a program, every number a local variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solvers.codegen.tape import (
    ADD,
    CONSTANT,
    COSINE,
    DIVIDE,
    GIVEN,
    MULTIPLY,
    PARAMETER,
    ROOT,
    SCALE,
    SINE,
    STATE,
    SUBTRACT,
    TIME,
    Tape,
    needed,
)

# A longer right-hand side is compiled apart: the compiler would copy it into each of its callers, stage by stage.
INLINED = 400
INLINE = '@njit(cache=True, nogil=True, error_model="numpy")'
SEPARATE = "@separate(void(f8, VECTOR, VECTOR, MATRIX, i8))"

SIGNS = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", SCALE: "*", DIVIDE: "/"}
FUNCTIONS = {SINE: "math.sin", COSINE: "math.cos", ROOT: "math.sqrt"}
"""Written for these operations, unless a text has its own."""


def fixed_numbers(tape: Tape, functions: Mapping[int, str] = FUNCTIONS) -> list[str]:
    """What depends on parameters alone; it is computed once."""
    return [line for n in needed(tape) if tape.fixed[n] for line in _node(tape, n, "", "", (), functions)]


def values(tape: Tape, stage: str, t: str, state: Sequence[str], functions: Mapping[int, str] = FUNCTIONS) -> list[str]:
    """The other nodes at time `t` and the variables `state`; `stage` makes their names distinct."""
    varying = (n for n in needed(tape) if not tape.fixed[n])
    return [line for n in varying for line in _node(tape, n, stage, t, state, functions)]


def slope(
    tape: Tape,
    stage: str,
    t: str,
    state: Sequence[str],
    names: Sequence[str],
    functions: Mapping[int, str] = FUNCTIONS,
) -> list[str]:
    """The right-hand side at time `t` and the variables `state`, assigned to `names`."""
    outputs = (name_of(tape, int(output), stage, state) for output in tape.outputs)
    pairs = zip(names, outputs, strict=True)
    return [*values(tape, stage, t, state, functions), *(f"{name} = {output}" for name, output in pairs)]


def imports(tape: Tape | None) -> list[str]:
    """What such lines need besides `math`."""
    if tape is None:
        return []
    apart = ["from solvers.kernels.signatures import MATRIX, VECTOR, f8, i8, separate, void"]
    given = [f"from {tape.given.__module__} import {tape.given.__name__} as given"] if tape.given else []
    return [*(apart if len(tape.operations) > INLINED else []), *given]


def slope_function(tape: Tape, name: str) -> list[str]:
    """A compiled function that writes the right-hand side to row `row` of a matrix `k`."""
    every = range(len(tape.outputs))
    state = [f"y{j}" for j in every]
    body = [
        *fixed_numbers(tape),
        *(f"y{j} = y[{j}]" for j in every),
        *slope(tape, "", "t", state, [f"k[row, {j}]" for j in every]),
    ]
    return [
        "",
        "",
        SEPARATE if len(tape.operations) > INLINED else INLINE,
        f"def {name}(t, y, params, k, row):",
        *indented(body),
    ]


def indented(lines: Sequence[str]) -> list[str]:
    """The lines one level deep."""
    return [f"    {line}" for line in lines]


def name_of(tape: Tape, n: int, stage: str, state: Sequence[str]) -> str:
    """The local variable of node n at a place."""
    operation = tape.operations[n]
    if operation == STATE:
        return str(state[int(tape.left[n])])
    if operation == CONSTANT:
        value = float(tape.values[n])
        return repr(value) if value >= 0.0 else f"({value!r})"
    return f"p{n}" if tape.fixed[n] else f"x{stage}_{n}"


def _node(tape: Tape, n: int, stage: str, t: str, state: Sequence[str], functions: Mapping[int, str]) -> list[str]:
    """The line that computes node n; a component of the state and a constant need none."""
    operation = int(tape.operations[n])
    if operation in (STATE, CONSTANT):
        return []
    left, right = int(tape.left[n]), int(tape.right[n])
    if operation == PARAMETER:
        value = f"params[{left}]"
    elif operation == TIME:
        value = t
    elif operation == GIVEN:
        value = f"given({t}, params, {left})"
    elif operation in functions:
        value = f"{functions[operation]}({name_of(tape, left, stage, state)})"
    else:
        value = f"{name_of(tape, left, stage, state)} {SIGNS[operation]} {name_of(tape, right, stage, state)}"
    return [f"{name_of(tape, n, stage, state)} = {value}"]
