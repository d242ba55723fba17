"""Two links that both bend: two motors behind springs and two passive joints, six degrees of freedom.

An arm of the general class of paper 5, section 2, with numbers of our own: each link's bending is a spring in its
middle. It shows that a new arm is one file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Field, Values
from robots.catalog.e12.robot import DYNAMICS, E12, FORMS, path_fields, two_links
from robots.dynamics.flexible.arm import SCALING, FlexibleArm, formulation_field, numbers
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.model.quantities import each, gravity
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
    parameters: ClassVar[tuple[Field, ...]] = (
        *each("m", "mass", "kg", (60.0, 40.0, 60.0, 100.0), (10.0, 1e3), "Mass of the body.", above=True),
        *each("xi", "centre of mass", "m", (0.3, 0.25, 0.3, 0.05), (0.0, 1.0), "Its distance from the joint."),
        *each("l", "length", "m", (0.6, 0.5, 0.7, 0.2), (0.05, 2.0), "Length of the body.", above=True),
        *each("j", "inertia", "kg m2", (3.0, 10.0, 5.0, 20.0), (0.0, 100.0), "About the centre of mass."),
        *each("k", "stiffness", "N m/rad", (1e5,) * 4, (1e3, 1e7), "Of the joint's spring.", above=True),
        *each("d", "damping", "N m s/rad", (100.0,) * 4, (0.0, 1e3), "Of the joint's damper."),
        *each(
            "Jm", "motor inertia", "kg m2", (100.0, 100.0), (1.0, 1e3), "Of the motor, on the joint side.", above=True
        ),
        gravity(9.81, "Acceleration of gravity, along -z."),
    )
    task: ClassVar[tuple[Field, ...]] = (
        formulation_field(FORMS, "I1"),
        DYNAMICS,
        *path_fields((1.5, -0.3), (1.2, 0.8), 0.4),
        *SCALING,
        *FORWARD,
    )
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
