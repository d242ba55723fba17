"""The flexible beam."""

from __future__ import annotations

import numpy as np


def beam(b, A):
    """f(t, y) of the flexible beam, y = (q, v): q'' = b sin(q1) + A q."""
    b, A = np.array(b), np.array(A)
    n = len(b)

    def f(t, y):
        return np.concatenate([y[n:], b * np.sin(y[0]) + A @ y[:n]])

    return f
