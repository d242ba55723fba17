"""Equations of motion of two joints in positions and momenta, made from those in positions and velocities."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from assets.fields import Values
from robots.model.robot import Array, Equations

if TYPE_CHECKING:
    from solvers.codegen.closed_form import ClosedForm
    from solvers.problem import Momenta

Inertia = Callable[[Any, Any], tuple[Any, Any, Any]]
"""M11, M12, M22 of the inertia matrix for (q1, q2) and parameters."""
InertiaRate = Callable[[Any, Any, Any], tuple[Any, Any, Any]]
"""Their time derivatives for (q1, q2), (v1, v2) and parameters."""


def momenta_of(motion: Equations, inertia: Inertia, inertia_rate: InertiaRate, values: Values) -> Momenta:
    """The equations `motion` of y = (q1, q2, v1, v2) in (q1, q2, p1, p2), and the translation."""
    from solvers.problem import Momenta

    p = SimpleNamespace(**values)
    form = _form(motion, inertia, inertia_rate)

    def momenta(y: Array) -> Array:
        q, v = y.T[:2], y.T[2:]
        return np.column_stack([*q, *_times(inertia(q, p), v)])

    def velocities(y: Array) -> Array:
        q, momentum = y.T[:2], y.T[2:]
        return np.column_stack([*q, *_solved(inertia(q, p), momentum)])

    return Momenta(form.rhs, form.jacobian, form.pack(values), momenta, velocities)


@cache
def _form(motion: Equations, inertia: Inertia, inertia_rate: InertiaRate) -> ClosedForm:
    from solvers.codegen.closed_form import ClosedForm

    def equations(t: Any, y: Any, p: Any) -> list[Any]:
        q, M = y[:2], inertia(y[:2], p)
        v = _solved(M, y[2:])
        # p' = M v' + M' v.
        pushed = _times(M, motion(t, [*q, *v], p)[2:])
        turned = _times(inertia_rate(q, v, p), v)
        return [*v, pushed[0] + turned[0], pushed[1] + turned[1]]

    return ClosedForm(equations, 4)


def _times(M: Any, v: Any) -> tuple[Any, Any]:
    """M v."""
    M11, M12, M22 = M
    return M11 * v[0] + M12 * v[1], M12 * v[0] + M22 * v[1]


def _solved(M: Any, p: Any) -> tuple[Any, Any]:
    """v with M v = p."""
    M11, M12, M22 = M
    ratio = M12 / M22
    first = (p[0] - ratio * p[1]) / (M11 - ratio * M12)
    return first, (p[1] - M12 * first) / M22
