"""Two links that both bend: two motors behind springs and two passive joints, six degrees of freedom.

An arm of the general class of paper 5, section 2, with numbers of our own: each link's bending is a spring in its
middle. It shows that a new arm is one file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Field, Values
from robots.catalog.e12.robot import E12, chain_fields, path_fields, task_fields, two_links
from robots.dynamics.flexible.arm import FlexibleArm, numbers
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup


class TwoSprings(E12):
    """Both links bend in the middle; the tool's two coordinates are controlled by two motors."""

    key = "two-springs"
    title = "Two bending links"
    summary = (
        "Two motors behind springs, and a spring in the middle of each link: the torque must anticipate both bends."
    )
    source = "An instance of the model of S. Moberg, S. Hanssen (2009), section 2, with numbers of our own"
    parameters: ClassVar[tuple[Field, ...]] = chain_fields(
        masses=(60.0, 40.0, 60.0, 100.0),
        centres=(0.3, 0.25, 0.3, 0.05),
        lengths=(0.6, 0.5, 0.7, 0.2),
        inertias=(3.0, 10.0, 5.0, 20.0),
        damping=100.0,
    )
    task: ClassVar[tuple[Field, ...]] = task_fields(*path_fields((1.5, -0.3), (1.2, 0.8), 0.4))
    defaults: ClassVar[Values] = {"method": "bdf6", "step": 0.001, "duration": 0.7}
    motors: ClassVar[tuple[int, ...]] = (0, -1, 1, -1)

    def guess(self, scenario: Setup) -> Array:
        """The posture without bends, with its elbow down the positive side."""
        l1, l2, l3, l4 = numbers(scenario.parameters, "l1", "l2", "l3", "l4")
        first, elbow = two_links(l1 + l2, l3 + l4, *numbers(scenario.task, "start_x", "start_z"))
        return np.array([first, 0.0, elbow, 0.0])

    def minimum_phase_condition(self, scenario: Setup, q: Array) -> tuple[str, str, float]:
        """With two passive joints there is no short closed form."""
        return FlexibleArm.minimum_phase_condition(self, scenario, q)


ROBOT = TwoSprings()
