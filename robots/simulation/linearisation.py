"""The arm linearised at one time: its modes there, and the effect of one step of the method on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError
from robots.model.robot import Array, Robot

if TYPE_CHECKING:
    from robots.dynamics.multibody.reduction import MultibodyProblem
    from robots.simulation.phases import Phase
    from solvers.problem import OdeProblem

Complex = NDArray[np.complex128]
INSTANTS = 24
# A double eigenvalue 0, as of a car that is free to move, comes out as the root of round-off.
RESOLVED = 1e-7
JUMP, FLAT = 10.0, 1e-3
"""Slopes whose sizes differ by more than this factor are none, unless both are flatter than this [1/s]."""


def nominal_step(phase: Phase, t: float) -> float | None:
    """The step that the solution takes around time `t` [s]; None for a phase without a step.

    A fixed step that is cut short to end with the phase says nothing of the method: the one before stands for it.
    """
    log = phase.solution.log
    taken = np.flatnonzero(log.accepted)
    if not len(taken):
        return None
    k = max(int(np.searchsorted(log.t[taken], t, side="right")) - 1, 0)
    if phase.scenario.step is not None and k == len(taken) - 1:
        return float(log.h[taken[max(k - 1, 0) :]].max())
    return float(log.h[taken[k]])


def eigenvalues_at(robot: Robot, phase: Phase, t: float) -> Complex:
    """Every eigenvalue of df/dy at time `t`, (d,) [1/s].

    Of inverse dynamics they are those of the zero dynamics. Empty for other differential-algebraic problems, and where
    f jumps, so that it has no derivative.
    """
    state, linearised = np.array(phase.solution(t), dtype=float), Linearised(robot, phase)
    if jumps(linearised.problem, t, state):
        return np.zeros(0, dtype=complex)
    return linearised.eigenvalues(t, state)


def eigenvalues_along(robot: Robot, phases: Sequence[Phase], times: Array, states: Array) -> tuple[Array, Complex]:
    """The eigenvalues of df/dy at `times` (m,), (m, d), the largest first, and the times that have all of them.

    Those of a constrained system belong to its independent coordinates. Without eigenvalues, d is 0.

    Args:
        robot: whose equations they are.
        phases: the phase of each time.
        times: in increasing order, (m,) [s].
        states: there, (m, n).
    """
    found, linearised = [], None
    for phase, t, state in zip(phases, times, states, strict=True):
        if linearised is None or phase is not linearised.phase:
            linearised = Linearised(robot, phase)
        values = linearised.eigenvalues(float(t), np.array(state, dtype=float))
        found.append(values[np.argsort(-np.abs(values), kind="stable")])
    most = max(map(len, found))
    kept = [k for k, values in enumerate(found) if len(values) == most]
    return times[kept], np.array([found[k] for k in kept], dtype=complex).reshape(len(kept), most)


class Linearised:
    """df/dy in one phase. A constrained system keeps its partition while that is well conditioned."""

    def __init__(self, robot: Robot, phase: Phase) -> None:
        self.robot, self.phase = robot, phase
        self.problem = phase.problem()
        self.reduced: OdeProblem | None = None

    def eigenvalues(self, t: float, y: Array) -> Complex:
        """The eigenvalues of df/dy at (t, y) [1/s], those of hidden dynamics, or none; 0 if they are round-off."""
        from solvers.problem import OdeProblem

        if isinstance(self.problem, OdeProblem):
            matrix = slope_matrix(self.problem, t, y)
        else:
            # Its kernels take a while to load, and most arms do not need them.
            from robots.dynamics.multibody.reduction import MultibodyProblem

            if not isinstance(self.problem, MultibodyProblem):
                return self.robot.modes(self.phase.scenario, y)
            try:
                matrix = self._reduced_matrix(self.problem, t, y)
            except ArmstepError:  # a diverged state is no pose, in which constraints are independent
                return np.zeros(0, dtype=complex)
        return modes_of(matrix)

    def _reduced_matrix(self, problem: MultibodyProblem, t: float, y: Array) -> Array:
        from robots.dynamics.multibody import layout
        from robots.dynamics.multibody.reduction import at_state, condition, reduce

        system = problem.system
        if self.reduced is None or condition(system, y, self.reduced) > self.reduced.params[layout.LIMIT]:
            self.reduced = reduce(replace(problem, initial=y, t0=t))
        state, params = at_state(system, y, self.reduced)
        return slope_matrix(replace(self.reduced, params=params), t, state)


def modes_of(matrix: Array) -> Complex:
    """The eigenvalues of df/dy [1/s]: 0 if they are round-off, none if the matrix is not finite."""
    if not np.isfinite(matrix).all():
        return np.zeros(0, dtype=complex)
    values = np.linalg.eigvals(matrix).astype(complex)
    size = np.abs(values)
    return np.where(size > RESOLVED * size.max(), values, 0.0)


def jumps(problem: object, t: float, y: Array) -> bool:
    """Whether f jumps beside (t, y): differences over other distances then have other slopes, by far."""
    from solvers.problem import OdeProblem

    if not isinstance(problem, OdeProblem) or problem.jacobian is not None:
        return False
    sizes = [np.abs(slope_matrix(problem, t, y, central=central)).max() for central in (True, False)]
    return bool(max(sizes) > JUMP * max(min(sizes), FLAT))


def slope_matrix(problem: OdeProblem, t: float, y: Array, *, central: bool = True) -> Array:
    """df/dy at (t, y), (d, d): exact where the problem has one, else by differences, central ones or forward."""
    from solvers.kernels.calls import addresses
    from solvers.kernels.parts.linearise import state_derivative

    d, params = len(y), np.array(problem.params, dtype=float)
    state, matrix, slopes = np.array(y, dtype=float), np.empty((d, d)), np.empty((2, d))
    rhs, _, jacobian = addresses(problem)
    if not central and problem.jacobian is None:
        problem.rhs(t, state, params, slopes[0])
    state_derivative(rhs, jacobian, params, t, state, slopes, 0, 1, np.empty(d), matrix, int(central))
    return matrix
