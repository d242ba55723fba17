"""A second motion that belongs to a run: the same arm, driven by what the run found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assets.fields import Data
from robots.model.shapes import Array
from solvers.status import Status

if TYPE_CHECKING:
    from solvers.problem import OdeProblem


@dataclass(frozen=True, slots=True, eq=False)
class Companion:
    """The second motion and its errors.

    Attributes:
        name: its key in the run's JSON (`forward`).
        label: its name on the screen.
        t, y: times (n,) [s] and states (n, d) that the robot's `poses` understands.
        errors: name with unit to (n,).
        facts: single numbers by name with unit.
        status, message: how it ended, and a sentence.
        problem: its equations, with the torques that were held if its control samples.
    """

    name: str
    label: str
    t: Array
    y: Array
    errors: Mapping[str, Array]
    facts: Mapping[str, float]
    status: Status
    message: str
    problem: OdeProblem

    def sample(self, times: Array) -> Array:
        """States at `times` (m,), (m, d), joined by lines; outside its range its nearest end."""
        return np.column_stack([np.interp(times, self.t, column) for column in self.y.T])

    def to_dict(self) -> Data:
        """Its JSON object."""
        return {
            "status": str(self.status),
            "message": self.message,
            "max_error": {name: float(np.max(values)) for name, values in self.errors.items()},
            "final_error": {name: float(values[-1]) for name, values in self.errors.items()},
            **self.facts,
        }
