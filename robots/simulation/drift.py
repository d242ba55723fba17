"""How far quantities that the exact solution keeps have drifted along a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robots.model.robot import Array, Robot
from robots.simulation.phases import Phase


# A diverged run has states whose energy is not a number.
@np.errstate(over="ignore", invalid="ignore")
def drifts(robot: Robot, phases: Sequence[Phase], t: Array, y: Array) -> dict[str, Array]:
    """Every invariant minus its initial value at the rows of `t`, name with unit to (n,); nan where it means nothing.

    An invariant restarts where a parameter changes: the drift so far is kept, the jump is not an error.
    """
    found: dict[str, Array] = {}
    carried: dict[str, float] = {}
    for k, phase in enumerate(phases):
        rows = slice(phase.first, phase.last)
        # The invariant at the start of a phase is judged with the phase's own parameters.
        start = max(phase.first - (k > 0), 0)
        states = y[start : rows.stop]
        if phase.impacts:
            # What an impact takes is no error either.
            states = np.vstack([phase.solution.y[:1], states[1:]])
        invariants = robot.invariants(phase.scenario, t[start : rows.stop], states, phase.pull)
        for name, values in invariants.items():
            drift = carried.get(name, 0.0) + values - values[0]
            found.setdefault(name, np.full(len(t), np.nan))[rows] = drift[phase.first - start :]
            carried[name] = float(drift[-1])
    return found
