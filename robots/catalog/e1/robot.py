"""E1, simplified: two bodies, a motor on the first joint, a spring in the second; constant inertia.

Source: paper 5, section 5.1.1 and 7.2; parameters of its section 7.2.5.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value, Values
from robots.dynamics.flexible.arm import SCALING, FlexibleArm, formulation_field, move_time, numbers
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.dynamics.flexible.look import in_the_plane, in_the_world
from robots.dynamics.flexible.structure import Build, Move
from robots.model.quantities import amount, choice, each, positive, signed
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup

PRINT = choice(
    "print",
    "torque",
    {"lagrange": "Lagrange", "printed": "as printed"},
    "Equation (16a) prints the spring's torque in the motor's balance; Lagrange's equations, and the paper's own"
    " complete model, do not have it there. The states are the same, the torque is not.",
)
_START = "Height of the tool at the start; empty: the stretched arm at 45 degrees (1.4142 m with links of 1 m)."
HEIGHTS = (
    Field("start_z", "start height", "m", None, -1e3, 1e3, slider=(0.2, 1.9), optional=True, kind=float, help=_START),
    signed("rise", "rise", "m", 0.1, 1e3, (-0.3, 0.3), "How far the tool rises."),
    move_time(0.1, (0.05, 2.0)),
)
FORMS = ("HI", "DD43", "DD44", "DD48", "DD49", "KM", "DC")
_INERTIA = "Entry of the constant inertia matrix."


class E1(FlexibleArm):
    """One controlled coordinate, the tool's height, and one motor."""

    key = "e1"
    title = "E1 (simplified)"
    summary = (
        "A flexible arm of two links, one motor, one spring: which torque lifts the tool by 10 cm in 0.1 s without"
        " shaking? The smallest arm whose inverse dynamics is a differential-algebraic equation."
    )
    choices: ClassVar[tuple[str, ...]] = (
        "The torque follows Lagrange's equations. Equation (16a) as printed adds the spring's torque, which more than "
        "doubles the peak; the states are the same. You can choose either.",
        "1414.2 mm is taken as the square root of 2 m, so that the arm starts stretched at exactly 45 degrees.",
    )
    parameters: ClassVar[tuple[Field, ...]] = (
        *each("l", "length", "m", (1.0, 1.0), (0.2, 2.0), "Length of the link.", above=True, most=1e3),
        positive("k", "stiffness", "N m/rad", 1e6, 1e12, (1e4, 1e8), "Of the passive joint.", log=True),
        amount("d", "damping", "N m s/rad", 1e3, 1e9, (0.0, 1e4), "Of the passive joint."),
        positive("J11", "inertia J11", "kg m2", 1000.0, 1e9, (100.0, 1e4), _INERTIA, log=True),
        amount("J12", "inertia J12", "kg m2", 700.0, 1e9, (0.0, 2e3), _INERTIA),
        positive("J22", "inertia J22", "kg m2", 600.0, 1e9, (100.0, 1e4), _INERTIA, log=True),
        PRINT,
    )
    task: ClassVar[tuple[Field, ...]] = (formulation_field(FORMS, "DD44"), *HEIGHTS, *SCALING, *FORWARD)
    defaults: ClassVar[Values] = {"method": "bdf6", "step": 0.001, "duration": 0.3}

    def check(self, scenario: Setup) -> None:
        """As for every flexible arm; its numbers must also make a possible arm."""
        super().check(scenario)
        self.build(scenario)

    def build(self, scenario: Setup) -> Build:
        """The arm's numbers. Raises BadInput for an inertia matrix that no arm can have."""
        values = scenario.parameters
        J11, J12, J22 = numbers(values, "J11", "J12", "J22")
        if not J12 * J12 < J11 * J22:
            raise BadInput("robot.J12", J12, f"below the square root of J11 J22, {math.sqrt(J11 * J22):.6g} kg m2")
        return self.one_motor(
            values,
            masses=np.ones(2),
            centres=np.full(2, 0.5),
            inertias=np.ones(2),
            gravity=0.0,
            constant_inertia=np.array([[J11, J12], [J12, J22]]),
            printed=values["print"] == "printed",
        )

    @staticmethod
    def one_motor(values: Values, **facts: Any) -> Build:
        """Two links, of which the first is driven; the tool's height is controlled."""
        k, d = numbers(values, "k", "d")
        return Build(
            lengths=numbers(values, "l1", "l2"),
            motor_of=np.array([0, -1]),
            stiffness=np.array([0.0, k]),
            damping=np.array([0.0, d]),
            motor_inertias=np.zeros(0),
            gears=False,
            outputs=2,
            up=-1,
            **facts,
        )

    def move(self, scenario: Setup) -> Move:
        """The tool's height; x is free."""
        rise, time = numbers(scenario.task, "rise", "move_time")
        start = self._start(scenario)
        return Move(np.array([0.0, start]), np.array([0.0, start + rise]), float(time))

    def handles(self, scenario: Setup) -> Array:
        """The heights where the tool starts and ends, above the foot of the stretched arm's tool, (2, 3) [m]."""
        start, rise = self._start(scenario), float(numbers(scenario.task, "rise")[0])
        reach = float(numbers(scenario.parameters, "l1", "l2").sum())
        x = math.sqrt(max(reach * reach - start * start, 0.0))
        return in_the_world(self.build(scenario), np.array([[x, start], [x, start + rise]]))

    def drag(self, scenario: Setup, handle: int, point: Array) -> dict[str, Value]:
        """The edits that put the start (0), the rise unchanged, or the end (1) at the height of `point` (3,)."""
        _, z = in_the_plane(self.build(scenario), point)
        if handle == 0:
            return {"task.start_z": round(z, 4)}
        return {"task.rise": round(z - self._start(scenario), 4)}

    def minimum_phase_condition(self, scenario: Setup, q: Array) -> tuple[str, str, float]:
        """The inertia at the spring while the tool keeps its height; at q2 = 0."""
        l1, l2, J12, J22 = numbers(scenario.parameters, "l1", "l2", "J12", "J22")
        return "J22 - J12 l2 / (l1 + l2)", "kg m2", float(J22 - J12 * l2 / (l1 + l2))

    @staticmethod
    def _start(scenario: Setup) -> float:
        given = scenario.task["start_z"]
        reach = numbers(scenario.parameters, "l1", "l2").sum()
        return float(reach * math.sin(0.25 * math.pi)) if given is None else float(given)

    def guess(self, scenario: Setup) -> Array:
        """A stretched arm whose tool has the starting height."""
        ratio = self._start(scenario) / numbers(scenario.parameters, "l1", "l2").sum()
        return np.array([math.asin(min(max(ratio, -0.999), 0.999)), 0.0])


ROBOT = E1()
