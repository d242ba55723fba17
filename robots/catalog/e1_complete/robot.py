"""E1, complete: the two bodies of E1 with their Coriolis, centripetal and gravity torques.

Source: paper 5, section 5.1.2; the parameters are our choice (the paper prints none): a minimum-phase arm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from assets.fields import Field
from robots.catalog.e1.robot import E1, FORMS, HEIGHTS
from robots.dynamics.flexible.arm import SCALING, formulation_field, inertia_behind_centre, numbers
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.dynamics.flexible.structure import Build
from robots.model.quantities import amount, each, gravity, positive
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup


class E1Complete(E1):
    """One controlled coordinate, the tool's height, and one motor; the inertia depends on the posture."""

    key = "e1-complete"
    title = "E1 (complete)"
    summary = (
        "E1 with its full rigid-body dynamics. Whether the torque stays bounded depends on link 2: shake it too"
        " far from its centre of mass and the zero dynamics is unstable."
    )
    choices: ClassVar[tuple[str, ...]] = (
        "The paper prints no parameters; these make an arm whose zero dynamics is stable.",
        "Ω₁ is printed with l₂ where Lagrange's equations have ξ₂; gravity has the sign of Lagrange's equations.",
    )
    parameters: ClassVar[tuple[Field, ...]] = (
        *each("m", "mass", "kg", (100.0, 100.0), (10.0, 1e3), "Mass of the body.", above=True),
        *each("xi", "centre of mass", "m", (0.5, 0.5), (0.0, 1.0), "Distance of the centre of mass from the joint."),
        *each("j", "inertia", "kg m2", (5.0, 10.0), (0.0, 100.0), "About the centre of mass."),
        *each("l", "length", "m", (1.0, 0.55), (0.2, 2.0), "Length of the link.", above=True),
        positive("k", "stiffness", "N m/rad", 1e5, 1e12, (1e3, 1e7), "Of the passive joint.", log=True),
        amount("d", "damping", "N m s/rad", 200.0, 1e9, (0.0, 1e4), "Of the passive joint."),
        gravity(0.0, "The paper uses none."),
    )
    task: ClassVar[tuple[Field, ...]] = (formulation_field(FORMS, "DD44"), *HEIGHTS, *SCALING, *FORWARD)

    def build(self, scenario: Setup) -> Build:
        """The arm's numbers."""
        values = scenario.parameters
        return self.one_motor(
            values,
            masses=numbers(values, "m1", "m2"),
            centres=numbers(values, "xi1", "xi2"),
            inertias=numbers(values, "j1", "j2"),
            gravity=float(values["g"]),
        )

    def minimum_phase_condition(self, scenario: Setup, q: Array) -> tuple[str, str, float]:
        """Stable zero dynamics needs enough inertia of link 2 about its centre of mass; at q2 = 0."""
        return inertia_behind_centre(scenario, 2)


ROBOT = E1Complete()
