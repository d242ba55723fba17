"""The flexible beam's equations of motion, for numbers, series and expressions alike.

y = (swing, eight amplitudes, their rates); q'' = b sin(q1) + A (q2 .. q9).
"""

from __future__ import annotations

from numpy import sin


def beam(t, y, p):
    """(q', v')."""
    half = len(y) // 2
    push, accelerations = sin(y[0]), []
    for b, row in zip(p.b, p.A, strict=True):
        total = b * push
        for entry, amplitude in zip(row, y[1:half], strict=True):
            total = total + entry * amplitude
        accelerations.append(total)
    return [*y[half:], *accelerations]
