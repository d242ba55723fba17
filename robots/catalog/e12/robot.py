"""E12: two links, a tool body, two geared motors, one passive joint; five degrees of freedom.

Source: paper 5, section 5.2 and Table 1.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Field, Value, Values
from robots.dynamics.flexible.arm import (
    SCALING,
    FlexibleArm,
    formulation_field,
    inertia_behind_centre,
    move_time,
    numbers,
)
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.dynamics.flexible.look import in_the_plane, in_the_world
from robots.dynamics.flexible.structure import Build, Move, at_rest
from robots.model.quantities import choice, each, gravity, signed
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup

FORMS = ("I3", "I2", "I1", "KM")
DYNAMICS = choice(
    "dynamics",
    "dynamics",
    ("nonlinear", "linearised"),
    "linearised: constant inertia at the start, no velocity terms, no gravity.",
)


def path_fields(
    start: tuple[float, float], end: tuple[float, float], time: float, remark: str = ""
) -> tuple[Field, ...]:
    """Where the tool goes and how fast; `remark` is added to the help of the start's height."""
    begin, finish = "Where the tool starts.", "Where the tool ends."
    turn = "Angle of the arc, counter-clockwise when x points right and z up; 0 is the straight line."
    return (
        choice(
            "path",
            "path",
            {"line": "straight line", "circle": "circular arc"},
            "A straight line, or an arc of a circle from the start to the end.",
        ),
        signed("start_x", "start x", "m", start[0], 10.0, (0.3, 2.2), begin),
        signed("start_z", "start z", "m", start[1], 10.0, (-2.0, 2.0), f"{begin} {remark}".strip()),
        signed("end_x", "end x", "m", end[0], 10.0, (0.3, 2.2), finish),
        signed("end_z", "end z", "m", end[1], 10.0, (-2.0, 2.0), finish),
        signed("sweep", "sweep", "rad", -1.0, 6.0, (-3.0, 3.0), turn, when=("path", ("circle",))),
        move_time(time, (0.1, 5.0)),
    )


def two_links(near: float, far: float, x: float, z: float) -> tuple[float, float]:
    """Shoulder and elbow angle [rad] of two stiff links with the tool at (x, z), or as near as they reach."""
    bend = math.acos(min(max((x * x + z * z - near * near - far * far) / (2.0 * near * far), -0.9999), 0.9999))
    return math.atan2(-z, x) - math.atan2(far * math.sin(bend), near + far * math.cos(bend)), bend


def chain_fields(
    *,
    masses: tuple[float, ...],
    centres: tuple[float, ...],
    lengths: tuple[float, ...],
    inertias: tuple[float, ...],
    damping: float,
) -> tuple[Field, ...]:
    """The parameters of a chain of bodies with a spring and a damper in each joint, and two motors.

    Args:
        masses: of the bodies [kg].
        centres: distances of the centres of mass from the joints [m].
        lengths: of the bodies [m].
        inertias: about the centres of mass [kg m2].
        damping: of every joint [N m s/rad].
    """
    springs, dampers, heavy = (1e5,) * len(masses), (damping,) * len(masses), (100.0, 100.0)
    return (
        *each("m", "mass", "kg", masses, (10.0, 1e3), "Mass of the body.", above=True),
        *each("xi", "centre of mass", "m", centres, (0.0, 1.0), "Distance of the centre of mass from the joint."),
        *each("l", "length", "m", lengths, (0.05, 2.0), "Length of the body.", above=True),
        *each("j", "inertia", "kg m2", inertias, (0.0, 100.0), "About the centre of mass."),
        *each("k", "stiffness", "N m/rad", springs, (1e3, 1e7), "Of the joint's spring.", above=True),
        *each("d", "damping", "N m s/rad", dampers, (0.0, 1e3), "Of the joint's damper."),
        *each("Jm", "motor inertia", "kg m2", heavy, (1.0, 1e3), "Of the motor, on the joint side.", above=True),
        gravity(9.81, "Acceleration of gravity, along -z."),
    )


def task_fields(*path: Field) -> tuple[Field, ...]:
    """The task of such a chain: what is solved, and the path of the tool."""
    return formulation_field(FORMS, "I1"), DYNAMICS, *path, *SCALING, *FORWARD


class E12(FlexibleArm):
    """Two motors control both coordinates of the tool through springs; the tool's joint is passive."""

    key = "e12"
    title = "E12"
    summary = (
        "A flexible arm of two links, two motors behind springs and a passive joint that carries the tool: a line of"
        " 2.2 m in 0.3 s. Its inverse dynamics has index 3."
    )
    choices: ClassVar[tuple[str, ...]] = (
        "The start height of -0.345 m is as printed; -0.355 m, the posture 0, 0.3, 0 rad, is more likely.",
        "The second torque that is printed as γ₃₁ is γ₃₂.",
    )
    parameters: ClassVar[tuple[Field, ...]] = chain_fields(
        masses=(100.0, 100.0, 200.0),
        centres=(0.5, 0.5, 0.1),
        lengths=(1.0, 1.0, 0.2),
        inertias=(5.0, 5.0, 50.0),
        damping=50.0,
    )
    task: ClassVar[tuple[Field, ...]] = task_fields(
        *path_fields((2.146, -0.345), (1.146, 1.645), 0.3, "The paper prints -0.345, probably for -0.355."),
    )
    defaults: ClassVar[Values] = {"method": "bdf6", "step": 0.001, "duration": 0.5}
    motors: ClassVar[tuple[int, ...]] = (0, 1, -1)
    """Which motor drives each joint; -1 is a passive joint."""

    def build(self, scenario: Setup) -> Build:
        """The arm's numbers; linearised, its inertia is that of the posture at rest."""
        build = self.bodies(scenario)
        if scenario.task["dynamics"] == "nonlinear":
            return build
        posture, _ = at_rest(build, self.move(scenario).start, self.guess(scenario))
        return replace(build, gravity=0.0, constant_inertia=build.inertia(posture))

    def bodies(self, scenario: Setup) -> Build:
        """The arm's numbers."""
        values, joints = scenario.parameters, range(1, len(self.motors) + 1)
        masses, centres, lengths, inertias, stiffness, damping = (
            numbers(values, *(f"{stem}{k}" for k in joints)) for stem in ("m", "xi", "l", "j", "k", "d")
        )
        return Build(
            masses=masses,
            centres=centres,
            lengths=lengths,
            inertias=inertias,
            motor_of=np.array(self.motors),
            stiffness=stiffness,
            damping=damping,
            motor_inertias=numbers(values, "Jm1", "Jm2"),
            gears=True,
            outputs=3,
            up=1,
            gravity=float(values["g"]),
        )

    def move(self, scenario: Setup) -> Move:
        """A line, or an arc from the start to the end."""
        task = scenario.task
        x0, z0, x1, z1, sweep, time = numbers(task, "start_x", "start_z", "end_x", "end_z", "sweep", "move_time")
        start, end = np.array([x0, z0]), np.array([x1, z1])
        if task["path"] == "line" or abs(sweep) < 1e-6:
            return Move(start, end, float(time))
        left = np.array([z0 - z1, x1 - x0]) / (2.0 * math.tan(0.5 * sweep))
        return Move(start, 0.5 * (start + end) + left, float(time), float(sweep), arc=True)

    def guess(self, scenario: Setup) -> Array:
        """The posture without bends, with its elbow at q2 > 0."""
        l1, l2, l3 = numbers(scenario.parameters, "l1", "l2", "l3")
        first, elbow = two_links(l1, l2 + l3, *numbers(scenario.task, "start_x", "start_z"))
        return np.array([first, elbow, 0.0])

    def handles(self, scenario: Setup) -> Array:
        """Where the tool starts and where it ends, (2, 3) [m]."""
        x0, z0, x1, z1 = numbers(scenario.task, "start_x", "start_z", "end_x", "end_z")
        return in_the_world(self.build(scenario), np.array([[x0, z0], [x1, z1]]))

    def drag(self, scenario: Setup, handle: int, point: Array) -> dict[str, Value]:
        """The edits that put start (0) or end (1) at `point` (3,), to a millimetre."""
        x, z = in_the_plane(self.build(scenario), point)
        stem = ("start", "end")[handle]
        return {f"task.{stem}_x": round(x, 3), f"task.{stem}_z": round(z, 3)}

    def minimum_phase_condition(self, scenario: Setup, q: Array) -> tuple[str, str, float]:
        """Stable zero dynamics needs enough inertia of the tool body about its centre of mass."""
        return inertia_behind_centre(scenario, 3)


ROBOT = E12()
