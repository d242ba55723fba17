"""E12: two links, a tool body, two geared motors, one passive joint; five degrees of freedom.

Source: paper 5, section 5.2 and Table 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assets.fields import Field, Value
from robots.dynamics.flexible.arm import MOVE_TIME_HELP, SCALING, FlexibleArm, formulation_field, numbers
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.dynamics.flexible.look import in_the_plane, in_the_world
from robots.dynamics.flexible.structure import Build, Move, at_rest
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup

FORMS = ("I3", "I2", "I1", "KM")


def of_bodies(
    stem: str, label: str, unit: str, values: tuple[float, ...], slider: tuple[float, float], text: str
) -> tuple[Field, ...]:
    """One field `stem1`, `stem2` .. for each body or motor."""
    positive = stem in ("m", "l", "Jm", "k")
    return tuple(
        Field(
            f"{stem}{k + 1}",
            f"{label} {k + 1}",
            unit,
            value,
            0.0,
            1e9,
            positive,
            slider=slider,
            log=slider[0] > 0.0,
            help=text,
        )
        for k, value in enumerate(values)
    )


def path_fields(
    start: tuple[float, float], end: tuple[float, float], time: float, remark: str = ""
) -> tuple[Field, ...]:
    """Where the tool goes and how fast; `remark` is added to the help of the start's height."""
    return (
        Field(
            "path",
            "path",
            default="line",
            choices=("line", "circle"),
            labels={"line": "straight line", "circle": "circular arc"},
            help="A straight line, or an arc of a circle from the start to the end.",
        ),
        Field("start_x", "start x", "m", start[0], -10.0, 10.0, slider=(0.3, 2.2), help="Where the tool starts."),
        Field(
            "start_z",
            "start z",
            "m",
            start[1],
            -10.0,
            10.0,
            slider=(-2.0, 2.0),
            help=f"Where the tool starts. {remark}".strip(),
        ),
        Field(
            "end_x",
            "end x",
            "m",
            end[0],
            -10.0,
            10.0,
            slider=(0.3, 2.2),
            help="Where the tool ends.",
        ),
        Field(
            "end_z",
            "end z",
            "m",
            end[1],
            -10.0,
            10.0,
            slider=(-2.0, 2.0),
            help="Where the tool ends.",
        ),
        Field(
            "sweep",
            "sweep",
            "rad",
            -1.0,
            -6.0,
            6.0,
            slider=(-3.0, 3.0),
            when=("path", ("circle",)),
            help="Angle of the arc, counter-clockwise when x points right and z up; 0 is the straight line.",
        ),
        Field("move_time", "move time", "s", time, 0.0, 1e3, True, slider=(0.1, 5.0), log=True, help=MOVE_TIME_HELP),
    )


def two_links(near: float, far: float, x: float, z: float) -> tuple[float, float]:
    """Shoulder and elbow angle [rad] of two stiff links whose tool is at (x, z), as near as they reach."""
    bend = math.acos(min(max((x * x + z * z - near * near - far * far) / (2.0 * near * far), -0.9999), 0.9999))
    return math.atan2(-z, x) - math.atan2(far * math.sin(bend), near + far * math.cos(bend)), bend


class E12(FlexibleArm):
    """Both coordinates of the tool are controlled by two motors through springs; the tool's joint is passive."""

    key = "e12"
    title = "E12"
    summary = (
        "Two links, two motors behind springs and a passive joint that carries the tool: a line of 2.2 m in 0.3 s. Its"
        " inverse dynamics has index 3."
    )
    choices: ClassVar[tuple[str, ...]] = (
        "The start height of -0.345 m is the printed one; -0.355 m, the posture 0, 0.3, 0 rad, is the likelier number.",
        "The second torque that is printed as gamma_31 is gamma_32.",
    )
    parameters: ClassVar[tuple[Field, ...]] = (
        *of_bodies("m", "mass", "kg", (100.0, 100.0, 200.0), (10.0, 1e3), "Mass of the body."),
        *of_bodies(
            "xi", "centre of mass", "m", (0.5, 0.5, 0.1), (0.0, 1.0), "Distance of the centre of mass from the joint."
        ),
        *of_bodies("l", "length", "m", (1.0, 1.0, 0.2), (0.05, 2.0), "Length of the body."),
        *of_bodies("j", "inertia", "kg m2", (5.0, 5.0, 50.0), (0.0, 100.0), "About the centre of mass."),
        *of_bodies("k", "stiffness", "N m/rad", (1e5,) * 3, (1e3, 1e7), "Of the joint's spring."),
        *of_bodies("d", "damping", "N m s/rad", (50.0,) * 3, (0.0, 1e3), "Of the joint's damper."),
        *of_bodies("Jm", "motor inertia", "kg m2", (100.0, 100.0), (1.0, 1e3), "Of the motor, on the joint side."),
        Field("g", "gravity", "m/s2", 9.81, -1e3, 1e3, slider=(0.0, 25.0), help="Acceleration of gravity, along -z."),
    )
    task: ClassVar[tuple[Field, ...]] = (
        formulation_field(FORMS, "I1"),
        Field(
            "dynamics",
            "dynamics",
            default="nonlinear",
            choices=("nonlinear", "linearised"),
            help="linearised: constant inertia at the start, no velocity terms, no gravity.",
        ),
        *path_fields((2.146, -0.345), (1.146, 1.645), 0.3, "The paper prints -0.345, probably for -0.355."),
        *SCALING,
        *FORWARD,
    )
    defaults: ClassVar[Mapping[str, Any]] = {"method": "bdf6", "step": 0.001, "duration": 0.5}

    def build(self, scenario: Setup) -> Build:
        """The arm's numbers; linearised, its inertia is that of the posture at rest."""
        build = self.bodies(scenario)
        if scenario.task["dynamics"] == "nonlinear":
            return build
        posture, _ = at_rest(build, self.move(scenario).start, self.guess(scenario))
        return replace(build, gravity=0.0, constant_inertia=build.inertia(posture))

    def bodies(self, scenario: Setup) -> Build:
        """The arm's numbers."""
        values = scenario.parameters
        return Build(
            masses=numbers(values, "m1", "m2", "m3"),
            centres=numbers(values, "xi1", "xi2", "xi3"),
            lengths=numbers(values, "l1", "l2", "l3"),
            inertias=numbers(values, "j1", "j2", "j3"),
            motor_of=np.array([0, 1, -1]),
            stiffness=numbers(values, "k1", "k2", "k3"),
            damping=numbers(values, "d1", "d2", "d3"),
            motor_inertias=numbers(values, "Jm1", "Jm2"),
            gears=True,
            outputs=3,
            up=1,
            gravity=float(str(values["g"])),
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
        """The tool body must resist turning about the tool more than it is shaken."""
        j3, m3, xi3, l3 = numbers(scenario.parameters, "j3", "m3", "xi3", "l3")
        return "j3 - m3 xi3 (l3 - xi3)", "kg m2", float(j3 - m3 * xi3 * (l3 - xi3))


ROBOT = E12()
