"""The Mitsubishi PA-10-7C following a path by closed-loop inverse kinematics.

Source: paper 3 for the scheme; link lengths and limits from the public PA-10 models named at the fields.
"""

from __future__ import annotations

from functools import lru_cache, partial
from math import pi
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from assets.fields import Field, Values
from robots.catalog.pa10.fields import TASK
from robots.catalog.pa10.look import pa10_shape
from robots.catalog.pa10.posture import starting_posture
from robots.catalog.pa10.weld import SEAM_POINTS, TORCH
from robots.dynamics.path.chain import IDENTITY, Chain, own_coordinates
from robots.dynamics.path.remarks import ROUNDING, describe_limits, describe_reach, out_of_reach
from robots.dynamics.path.robot import JUDGED, PathRobot
from robots.model.quantities import choice
from robots.model.robot import Array

if TYPE_CHECKING:
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.events import Trajectory

_TABLES = {"openhrp": (0.315, 0.450, 0.500, 0.080), "laas": (0.317, 0.450, 0.480, 0.070)}
_TOOLS = {"pointer": 0.0, "torch": TORCH}
_LIMITS = np.radians([177.0, 94.0, 174.0, 137.0, 255.0, 165.0, 255.0])
_SPEEDS = np.radians([57.0, 57.0, 114.0, 114.0, 360.0, 360.0, 360.0])
_NAMES = ("S1", "S2", "S3", "E1", "E2", "W1", "W2")
ALPHA = np.array([-1, 1, -1, 1, -1, 1, 0])


@lru_cache(maxsize=16)
def _looks(table: bytes, tool: str, seam: bytes) -> ArmShape:
    """The arm's shape; the same object for the same numbers, so that its mesh is not built for every run."""
    path = np.frombuffer(seam).reshape(-1, 3) if seam else None
    return pa10_shape(np.frombuffer(table).reshape(7, 4), tool, path)


class Pa10(PathRobot):
    """Seven revolute axes, spherical shoulder and wrist; the state is the joint angles, (7,) [rad]."""

    key = "pa10"
    title = "PA-10"
    summary = (
        "The seven-axis Mitsubishi PA-10 follows a path by inverse kinematics: joint rates from the (damped) inverse "
        "of its Jacobian are integrated, and the tracking errors of the tool's position and orientation show how well."
    )
    source = (
        "Link lengths and joint limits: the PA-10 models of Choreonoid/OpenHRP (also Ramezani's library and ARTE) "
        "and of LAAS. Joint speeds: often quoted, not confirmed by the manufacturer's data sheet."
    )
    parameters = (
        choice(
            "table",
            "link lengths",
            {"openhrp": "OpenHRP", "laas": "LAAS"},
            "Two published tables: OpenHRP 0.315, 0.450, 0.500, 0.080 m; LAAS 0.317, 0.450, 0.480, 0.070 m.",
        ),
        choice(
            "tool",
            "tool",
            tuple(_TOOLS),
            "pointer: what the last link length ends in; torch: for welding, 0.2 m longer, with a workpiece.",
        ),
    )
    task = TASK
    initial = tuple(
        Field(
            f"q{i + 1}",
            f"{name} angle",
            "rad",
            None,
            -2 * pi,
            2 * pi,
            slider=(-float(limit), float(limit)),
            optional=True,
            kind=float,
            help="Empty: the posture in which the task starts.",
        )
        for i, (name, limit) in enumerate(zip(_NAMES, _LIMITS, strict=True))
    )
    defaults: ClassVar[Values] = {"method": "rk4", "step": 0.1, "duration": 31.0}
    usual_methods = ("euler", "midpoint", "rk4", "pc-trapezoid", "ab4", "am4")
    usual_steps = (1.0, 0.1, 0.01, 0.001)
    joints = _NAMES
    coordinates = tuple(f"q{i + 1}" for i in range(7))

    # -- equations -----------------------------------------------------------------------------------------------------

    def table(self, scenario: Setup) -> Array:
        """The Denavit-Hartenberg table, rows (a, d, cos alpha, sin alpha), (7, 4) [m, m, -, -]."""
        d1, d3, d5, d7 = _TABLES[str(scenario.parameters["table"])]
        hand = d7 + _TOOLS[str(scenario.parameters["tool"])]
        return np.column_stack([np.zeros(7), [d1, 0.0, d3, 0.0, d5, 0.0, hand], np.abs(ALPHA) == 0, ALPHA]).astype(
            float
        )

    def chain(self, scenario: Setup) -> Chain:
        """The table with limits."""
        table = np.zeros((7, 12))
        table[:, :4], table[:, 9:] = self.table(scenario), own_coordinates(7)
        table[:, 6:9] = np.column_stack([-_LIMITS, _LIMITS, _SPEEDS])
        return Chain(table, IDENTITY, IDENTITY)

    def start(self, scenario: Setup) -> Array:
        """The scenario's own angles where they are given, otherwise those of the task."""
        return starting_posture(scenario, self.table(scenario))

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """Limits that were exceeded or met, singular postures, and a path beyond the arm's reach."""
        some, stopped = motion.some(JUDGED), self._stops(scenario)
        sentences = (
            describe_reach(self.table(scenario), partial(self._desired, scenario), some),
            describe_limits("angle", _NAMES, motion, lambda _, y: y, _LIMITS, stopped=stopped),
            describe_limits("speed", _NAMES, some, partial(self.rates, scenario), _SPEEDS),
            self.said_of_singularity(scenario, some),
        )
        return " ".join(filter(None, sentences))

    def readings(self, scenario: Setup, t: float, y: Array) -> dict[str, float]:
        """How far the posture is from a singular one, and the Jacobian's check by complex steps."""
        from robots.catalog.pa10.complex_step import numeric_jacobian

        q = self._posture(scenario, y[None, :])
        judged = self.measure(scenario, np.array([t]), q)[0]
        gap = np.abs(self.jacobian(scenario, q[0]) - numeric_jacobian(self.table(scenario), q[0])).max()
        return {
            "manipulability": float(judged[3]),
            "smallest singular value": float(judged[4]),
            "Jacobian − differences": float(gap),
        }

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """The arm in white and grey; with a torch, also the workpiece."""
        tool, seam = str(scenario.parameters["tool"]), b""
        if tool == "torch":
            seam = self.desired_path(scenario, np.linspace(0.0, scenario.duration, SEAM_POINTS)).tobytes()
        return _looks(self.table(scenario).tobytes(), tool, seam)

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the base and the seven links."""
        from robots.dynamics.kernels.serial import link_frames

        table, out = self.table(scenario), np.empty((len(t), 8, 4, 4))
        for frames, q in zip(out, self._posture(scenario, y), strict=True):
            link_frames(table, q, frames)
        return out

    def reachable(self, scenario: Setup, t: Array) -> NDArray[np.bool_]:
        """Whether the wrist can reach the path, ignoring joint limits."""
        missing = np.maximum(*out_of_reach(self.table(scenario), self._desired(scenario, t)))
        return missing <= ROUNDING


ROBOT = Pa10()
