"""How stiff a motion is along its way: the fastest decay among the eigenvalues of the equations' Jacobian."""

from __future__ import annotations

import numpy as np

from robots.multibody import layout
from robots.multibody.reduction import MultibodyProblem, reduce
from robots.robot import Array
from solvers.problem import OdeProblem

MOST = 24


def fastest_decay(problem: OdeProblem | MultibodyProblem, t: Array, states: Array) -> Array:
    """max(-Re lambda) at every state, (m,) [1/s], from at most `MOST` instants joined by lines.

    Args:
        problem: whose Jacobian is asked.
        t, states: times (m,) and states (m, d) of that problem.
    """
    rows = np.unique(np.linspace(0, len(t) - 1, min(MOST, len(t))).round().astype(int))
    ode = reduce(problem) if isinstance(problem, MultibodyProblem) else problem
    assert ode.jacobian is not None
    params, found, J = ode.params.copy(), [], np.empty((ode.dimension, ode.dimension))
    for row in rows:
        y = np.array(states[row])
        if isinstance(problem, MultibodyProblem):
            y = _reduced(problem, y, params)
        ode.jacobian(float(t[row]), y, params, J)
        found.append(-np.linalg.eigvals(J).real.min() if np.isfinite(J).all() else np.nan)
    return np.interp(t, t[rows], found)


def _reduced(problem: MultibodyProblem, state: Array, params: Array) -> Array:
    """The independent part of a full state; its positions become the ones to correct from."""
    system, n = problem.system, problem.system.coordinates
    chosen = system.block(params, layout.INDEPENDENT, system.freedom).view(np.int64)
    system.block(params, layout.BASE, n)[:] = state[:n]
    params[[layout.KNOWN, layout.FACTORISED]] = 0.0
    return np.concatenate([state[:n][chosen], state[n : 2 * n][chosen]])
