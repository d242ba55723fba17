"""The arm linearised at an instant: which modes it has there, and what one step of the method does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robots.robot import Array

if TYPE_CHECKING:
    from robots.run import Run, Stretch
    from solvers.problem import OdeProblem

Complex = NDArray[np.complex128]


def steps_times_modes(run: Run, t: float) -> Complex:
    """h lambda for every eigenvalue lambda of df/dy at time `t`, with the step h that the run took there, (d,).

    Of inverse dynamics lambda are the eigenvalues of the zero dynamics. Empty for other differential-algebraic
    problems, and for a run that never took a step.
    """
    from solvers.problem import OdeProblem

    stretch = _stretch_at(run, t)
    log = stretch.solution.log
    taken = np.flatnonzero(log.accepted)
    problem = run.robot.problem(stretch.piece.scenario, stretch.piece.pull)
    if not len(taken):
        return np.zeros(0, dtype=complex)
    step = log.h[taken[max(int(np.searchsorted(log.t[taken], t, side="right")) - 1, 0)]]
    state = np.array(stretch.solution(min(max(t, run.t[0]), run.t_end)), dtype=float)
    if not isinstance(problem, OdeProblem):
        return np.asarray(step * run.robot.modes(stretch.piece.scenario, state), dtype=np.complex128)
    matrix = slope_matrix(problem, t, state)
    if not np.isfinite(matrix).all():
        return np.zeros(0, dtype=complex)
    return np.asarray(step * np.linalg.eigvals(matrix), dtype=np.complex128)


def slope_matrix(problem: OdeProblem, t: float, y: Array) -> Array:
    """df/dy at (t, y), (d, d): exact where the problem has a Jacobian, else by central differences."""
    d, params = len(y), np.array(problem.params, dtype=float)
    matrix = np.empty((d, d))
    if problem.jacobian is not None:
        problem.jacobian(t, y, params, matrix)
        return matrix
    ends = np.empty((2, d))
    for k in range(d):
        step = 6e-6 * max(1.0, abs(y[k]))
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            moved = y.copy()
            moved[k] += sign * step
            problem.rhs(t, moved, params, end)
        matrix[:, k] = (ends[0] - ends[1]) / (2.0 * step)
    return matrix


def _stretch_at(run: Run, t: float) -> Stretch:
    begun = [stretch for stretch in run.stretches if stretch.piece.start <= t]
    return begun[-1] if begun else run.stretches[0]
