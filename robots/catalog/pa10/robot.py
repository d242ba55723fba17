"""The Mitsubishi PA-10-7C following a path by closed-loop inverse kinematics.

Source: paper 3 for the scheme; link lengths and limits from the public PA-10 models named at the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import inf, pi
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.fields import Field, Value, Values
from robots.catalog.pa10.fields import PLANES, TASK
from robots.catalog.pa10.look import pa10_shape
from robots.catalog.pa10.remarks import ROUNDING, describe_flags, describe_limits, describe_reach, out_of_reach
from robots.catalog.pa10.task import corners, pack, point_text, starting_posture, way_points
from robots.catalog.pa10.weld import SEAM_POINTS, TORCH
from robots.model.quantities import choice
from robots.model.robot import Array, Mobility, Problem, Robot, Series
from solvers.control import Control, FixedStep

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

_TABLES = {"openhrp": (0.315, 0.450, 0.500, 0.080), "laas": (0.317, 0.450, 0.480, 0.070)}
_TOOLS = {"pointer": 0.0, "torch": TORCH}
_LIMITS = np.radians([177.0, 94.0, 174.0, 137.0, 255.0, 165.0, 255.0])
_SPEEDS = np.radians([57.0, 57.0, 114.0, 114.0, 360.0, 360.0, 360.0])
_NAMES = ("S1", "S2", "S3", "E1", "E2", "W1", "W2")
ALPHA = np.array([-1, 1, -1, 1, -1, 1, 0])
JUDGED = 1000
"""About how many rows of a run are checked for rates and singular values."""

NEAR = 0.05
"""Smallest singular value below which the arm counts as near a singular posture."""


@lru_cache(maxsize=16)
def _looks(table: bytes, tool: str, seam: bytes) -> ArmShape:
    """The arm's shape; the same object for the same numbers, so that its mesh is not built for every run."""
    path = np.frombuffer(seam).reshape(-1, 3) if seam else None
    return pa10_shape(np.frombuffer(table).reshape(7, 4), tool, path)


class Pa10(Robot):
    """Seven revolute axes, spherical shoulder and wrist; the state is the joint angles, (7,) [rad]."""

    key = "pa10"
    title = "PA-10"
    summary = (
        "The seven-axis Mitsubishi PA-10 follows a path: joint rates from the (damped) inverse of its Jacobian are "
        "integrated, and the tool's position and orientation errors show how well it tracks."
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
    reference_methods = (("rkdp87", FixedStep(0.005)), ("rk8", FixedStep(0.004)))
    numerical = ("feedback",)
    defaults: ClassVar[Values] = {"method": "rk4", "step": 0.1, "duration": 31.0}
    usual_methods: ClassVar[Mapping[str, str]] = {
        "euler": "Euler",
        "midpoint": "Midpoint",
        "rk4": "RK4",
        "pc-trapezoid": "P-C",
        "ab4": "AB4",
        "am4": "AM4",
    }
    usual_steps = (1.0, 0.1, 0.01, 0.001)
    plots = ("error", "orientation", "joints", "limits", "singularity", "step-size")

    # -- equations -----------------------------------------------------------------------------------------------------

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """q' = J+(q) (xd'(t) + K e) as an ordinary differential equation."""
        from robots.dynamics.kernels import clik
        from solvers.problem import OdeProblem

        params = self._params(scenario)
        return OdeProblem(
            rhs=clik.rhs,
            initial=starting_posture(scenario, self.table(scenario)),
            t0=0.0,
            t1=scenario.duration,
            params=params,
            names=tuple(f"q{i + 1}" for i in range(7)),
            units=("rad",) * 7,
            begin_step=clik.begin_step if scenario.task["feedback"] == "held" else None,
        )

    def reference_problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """The continuous control law, restarted where the path's time law has corners."""
        problem = self.problem(scenario)
        problem.params[self._held] = 0.0
        return replace(problem, breaks=corners(problem.params, scenario.duration), begin_step=None)

    @property
    def _held(self) -> int:
        from robots.dynamics.kernels import clik

        return clik.HELD

    def table(self, scenario: Setup) -> Array:
        """The Denavit-Hartenberg table, rows (a, d, cos alpha, sin alpha), (7, 4) [m, m, -, -]."""
        d1, d3, d5, d7 = _TABLES[str(scenario.parameters["table"])]
        hand = d7 + _TOOLS[str(scenario.parameters["tool"])]
        return np.column_stack([np.zeros(7), [d1, 0.0, d3, 0.0, d5, 0.0, hand], np.abs(ALPHA) == 0, ALPHA]).astype(
            float
        )

    def _params(self, scenario: Setup) -> Array:
        table = self.table(scenario)
        return pack(scenario, table, starting_posture(scenario, table), (-_LIMITS, _LIMITS, _SPEEDS))

    def check(self, scenario: Setup) -> None:
        """Refuse a held feedback without a fixed step, and corners larger than the square."""
        if scenario.task["feedback"] == "held" and scenario.step is None:
            raise BadInput("task.feedback", "held", "stage with step control: held feedback needs a fixed step")
        if scenario.task["path"] == "way-points":
            way_points(str(scenario.task["points"]))
        size, corner = scenario.task["size"], scenario.task["corner"]
        if scenario.task["path"] == "rounded-square" and not float(corner) < float(size):  # type: ignore[arg-type]
            raise BadInput("task.corner", corner, f"below task.size = {size} m")

    def integrate(
        self, problem: Problem, method: Method, control: Control, **settings: Unpack[Integration]
    ) -> Solution:
        """Integrate, and say where J J' was too nearly singular for Cholesky."""
        from robots.dynamics.kernels import clik

        solution = super().integrate(problem, method, control, **settings)
        notes = solution.params
        if notes is None or not notes[clik.FLAGGED]:
            return solution
        said = describe_flags(*(float(notes[place]) for place in (clik.FLAGGED, clik.FIRST_FLAG, clik.LAST_FLAG)))
        return replace(solution, notes=(*solution.notes, said))

    def remark(self, scenario: Setup, t: Array, y: Array) -> str:
        """Limits that were exceeded or met, singular postures, and a path beyond the arm's reach."""
        table = self.table(scenario)
        some = slice(None, None, -(-len(t) // JUDGED))
        angles = describe_limits("angle", _NAMES, t, y, _LIMITS, stopped=self._stops(scenario))
        t, y = t[some], y[some]
        sentences = [
            describe_reach(table, self._desired(scenario, t), t),
            angles,
            describe_limits("speed", _NAMES, t, self.rates(scenario, t, y), _SPEEDS),
        ]
        smallest = self.measure(scenario, t, y)[:, 4]
        if smallest.min() < 1e-3:
            when = t[int(np.argmin(smallest))]
            sentences.append(f"Nearly singular at t = {when:.4g} s: smallest singular value {smallest.min():.2g}.")
        return " ".join(filter(None, sentences))

    # -- outputs -------------------------------------------------------------------------------------------------------

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Joint angles and the rates that the control law asks for at these states."""
        rates, q = self.rates(scenario, t, y), self._posture(scenario, y)
        return {f"q{i + 1}": q[:, i] for i in range(7)} | {f"v{i + 1}": rates[:, i] for i in range(7)}

    @staticmethod
    def _stops(scenario: Setup) -> bool:
        """Whether the joints stop at their limits."""
        return scenario.task["clamp"] in ("angles", "both")

    def _posture(self, scenario: Setup, y: Array) -> Array:
        """Where the joints are in the states `y`, (n, 7) [rad]: a stopped joint is at its limit."""
        return np.clip(y, -_LIMITS, _LIMITS) if self._stops(scenario) else np.array(y, order="C")

    def rates(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Joint rates J+ (xd' + K e), (n, 7) [rad/s]."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        params[clik.HELD] = 0.0
        out = np.empty((len(t), 7))
        clik.rates(np.array(t, order="C"), np.array(y, order="C"), params, out)
        return out

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Distance to the desired path, |e_o| and the true angle between the orientations."""
        from robots.dynamics.kernels import clik

        out = np.empty((len(t), 3))
        clik.judge(np.array(t, order="C"), self._posture(scenario, y), self._params(scenario), out)
        return dict(zip(("position_m", "orientation_rad", "orientation_angle_rad"), out.T, strict=True))

    def measure(self, scenario: Setup, t: Array, y: Array) -> Array:
        """The columns of `robots.dynamics.kernels.clik.measure`, (n, 6)."""
        from robots.dynamics.kernels import clik

        out = np.empty((len(t), 6))
        clik.measure(np.array(t, order="C"), self._posture(scenario, y), self._params(scenario), out)
        return out

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Manipulability and smallest singular value; angles and rates relative to their limits."""
        from robots.dynamics.kernels.clik import NEARLY_SINGULAR

        judged, rates = self.measure(scenario, t, y), self.rates(scenario, t, y)
        # A pivot that is not positive is drawn as round-off.
        pivot = np.maximum(judged[:, 5], np.finfo(float).eps)
        least = NEARLY_SINGULAR if scenario.task["inverse"] in ("pinv", "weighted") else 0.0
        return {
            "manipulability": Series("manipulability", "", judged[:, 3], log=True, allowed=(self._low(scenario), inf)),
            "singular-value": Series("smallest singular value", "", judged[:, 4], log=True, allowed=(NEAR, inf)),
            "pivot": Series("smallest pivot of J Jᵀ", "", pivot, log=True, allowed=(least, inf)),
            "limits": Series("angle / limit", "", self._posture(scenario, y) / _LIMITS, _NAMES, allowed=(-1.0, 1.0)),
            "speeds": Series("rate / limit", "", rates / _SPEEDS, _NAMES, allowed=(-1.0, 1.0)),
        }

    @staticmethod
    def _low(scenario: Setup) -> float:
        """The manipulability below which the arm counts as near a singular posture: where damping would begin."""
        return float(scenario.task["threshold"])  # type: ignore[arg-type]

    def mobility(self, scenario: Setup, t: float, y: Array) -> Mobility:
        """The velocity ellipsoid of J J' (its linear rows)."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        judged = np.empty((1, 6))
        clik.measure(np.array([t]), self._posture(scenario, y[None, :]), params, judged)
        block = clik.SCRATCH + clik.JACOBIAN
        sides, lengths, _ = np.linalg.svd(params[block : block + 21].reshape(3, 7), full_matrices=False)
        return Mobility(sides * lengths, bool(judged[0, 3] < self._low(scenario)))

    def jacobian(self, scenario: Setup, q: Array) -> Array:
        """The geometric Jacobian of the tip at joint angles `q` (7,) [rad], (6, 7), linear rows first."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        clik.kinematics(np.array(q, dtype=float), params)
        return params[clik.SCRATCH + clik.JACOBIAN :][:42].reshape(6, 7).copy()

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

    def handles(self, scenario: Setup) -> Array | None:
        """The way-points except the first, which is the tool's start."""
        if scenario.task["path"] != "way-points":
            return None
        points = way_points(str(scenario.task["points"]))
        start, sides = self._start_of_path(scenario)
        return start + (points[1:] - points[0]) @ sides.T

    def drag(self, scenario: Setup, handle: int, point: Array) -> dict[str, Value]:
        """The way-points, rounded to tenths of a millimetre, with one of them elsewhere."""
        points = way_points(str(scenario.task["points"]))
        start, sides = self._start_of_path(scenario)
        points[handle + 1] = points[0] + (np.asarray(point) - start) @ sides
        return {"task.points": point_text(points)}

    def _start_of_path(self, scenario: Setup) -> tuple[Array, Array]:
        """Where the path begins, (3,) [m], and the directions of its local axes as columns, (3, 3)."""
        u, v = (np.array(axis) for axis in PLANES[str(scenario.task["plane"])])
        return self.desired_path(scenario, np.zeros(1))[0], np.column_stack([u, v, np.cross(u, v)])

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

    def desired_path(self, scenario: Setup, t: Array) -> Array:
        """Where the tool should be, (n, 3) [m]."""
        return self._desired(scenario, t)[:, :3]

    def reachable(self, scenario: Setup, t: Array) -> NDArray[np.bool_]:
        """Whether the wrist can reach the path, ignoring joint limits."""
        missing = np.maximum(*out_of_reach(self.table(scenario), self._desired(scenario, t)))
        return missing <= ROUNDING

    def _desired(self, scenario: Setup, t: Array) -> Array:
        """The columns of `robots.dynamics.kernels.paths.desired`, (n, 36)."""
        from robots.dynamics.kernels import clik
        from robots.dynamics.kernels.paths import BLOCK, desired_many

        params = self._params(scenario)
        spline = params[clik.SPLINE :].reshape(-1, 13)
        out = np.empty((len(t), 36))
        desired_many(np.array(t, dtype=float), params[clik.PATH : clik.PATH + BLOCK], spline, out)
        return out


ROBOT = Pa10()
