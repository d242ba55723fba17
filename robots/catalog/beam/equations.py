"""The flexible beam, q'' = b sin(q1) + A q, in elementary operations; numbers written in, zeros left out."""

from __future__ import annotations

from collections.abc import Sequence

from robots.model.robot import Array
from solvers.codegen.tape import Expression, Tape, record, sin


def tape(b: Array, A: Array) -> Tape:
    """The equations of b (n,) and A (n, n)."""
    n = len(b)

    def equations(t: Expression, y: Sequence[Expression], p: Sequence[Expression]) -> list[Expression]:
        accelerations = []
        for push, row in zip(b, A, strict=True):
            total = float(push) * sin(y[0])
            for entry, amplitude in zip(row, y[:n], strict=True):
                if entry:
                    total = total + float(entry) * amplitude
            accelerations.append(total)
        return [*y[n:], *accelerations]

    return record(equations, 2 * n, n + n * n)
