"""A tree's equations of motion in positions and momenta."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from robots.model.robot import Array

if TYPE_CHECKING:
    from solvers.problem import Momenta


def momenta_of(params: Array) -> Momenta:
    """The equations with these parameters in (q, p), and the translation."""
    from robots.dynamics.tree.kernels.momenta import to_momenta, to_rates, tree_in_momenta
    from solvers.problem import Momenta

    def translated(translate: Callable[[Array, Array], None], y: Array) -> Array:
        states = np.array(y, dtype=np.float64, order="C")
        translate(states, params)
        return states

    return Momenta(tree_in_momenta, None, params, partial(translated, to_momenta), partial(translated, to_rates))
