"""The common base of arms whose tool follows a path by closed-loop inverse kinematics.

Source: paper 3 for the scheme.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np

from assets.errors import BadInput
from assets.fields import Value
from robots.dynamics.path.chain import Chain
from robots.dynamics.path.fields import PLANES
from robots.dynamics.path.remarks import describe_flags
from robots.dynamics.path.task import corners, pack, point_text, way_points
from robots.model.robot import Array, Mobility, Problem, Robot, Series
from solvers.control import Control, FixedStep

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.events import Trajectory
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

NEAR = 0.05
"""Smallest singular value below which the arm counts as near a singular posture."""

SINGULAR = 1e-3
"""A run says that it was nearly singular if its smallest singular value was below this."""

JUDGED = 1000
"""About how many rows of a run are checked for rates and singular values."""


class PathRobot(Robot):
    """The state is the positions of the joints from base to tool, (n,) [rad or m].

    Class attributes:
        coordinates: their names.
        share: the axis label of positions relative to their limits.
    """

    coordinates: ClassVar[tuple[str, ...]]
    share: ClassVar[str] = "angle / limit"
    only_notes = True
    reference_methods = (("rkdp87", FixedStep(0.005)), ("rk8", FixedStep(0.004)))
    numerical = ("feedback",)
    error_units: ClassVar[Mapping[str, str]] = {"orientation": ""}  # a sine
    plots = ("error", "orientation", "joints", "limits", "singularity", "step-size")

    @abstractmethod
    def chain(self, scenario: Setup) -> Chain:
        """The arm."""

    @abstractmethod
    def start(self, scenario: Setup) -> Array:
        """Positions of the joints at t = 0, where the path begins, (n,) [rad or m]."""

    # -- equations -----------------------------------------------------------------------------------------------------

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Ordinary differential equations of first order."""
        return frozenset({"ode"})

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """q' = J+(q) (xd'(t) + K e) as an ordinary differential equation."""
        from robots.dynamics.kernels import clik
        from solvers.problem import OdeProblem

        params = self._params(scenario)
        return OdeProblem(
            rhs=clik.rhs,
            initial=self.start(scenario),
            t0=0.0,
            t1=scenario.duration,
            params=params,
            names=self.coordinates,
            units=tuple(self.unit(name) for name in self.coordinates),
            begin_step=clik.begin_step if scenario.task["feedback"] == "held" else None,
        )

    def reference_problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """The continuous control law, restarted where the path's time law has corners."""
        from robots.dynamics.kernels import clik

        problem = self.problem(scenario)
        problem.params[clik.HELD] = 0.0
        return replace(problem, breaks=corners(problem.params, scenario.duration), begin_step=None)

    def _params(self, scenario: Setup) -> Array:
        return pack(scenario, self.chain(scenario), self.start(scenario))

    def held_gain(self, scenario: Setup) -> float | None:
        """The gain of the position error where the feedback is held over a step; else None."""
        return float(scenario.task["gain"]) if scenario.task["feedback"] == "held" else None

    def check(self, scenario: Setup) -> None:
        """Refuse a held feedback without a fixed step, and corners larger than the square."""
        if scenario.task["feedback"] == "held" and scenario.step is None:
            raise BadInput("task.feedback", "held", "stage with step control: held feedback needs a fixed step")
        if scenario.task["path"] == "way-points":
            way_points(str(scenario.task["points"]))
        size, corner = scenario.task["size"], scenario.task["corner"]
        if scenario.task["path"] == "rounded-square" and not float(corner) < float(size):
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

    # -- outputs -------------------------------------------------------------------------------------------------------

    def joint_of(self, column: str) -> str:
        """The name of the joint whose coordinate has the column's number."""
        known = [name[1:] for name in self.coordinates]
        return super().joint_of(f"q{known.index(column[1:]) + 1}") if column[1:] in known else ""

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Joint angles and the rates that the control law asks for at these states."""
        rates, q = self.rates(scenario, t, y), self._posture(scenario, y)
        named = dict(zip(self.coordinates, q.T, strict=True))
        return named | {f"v{name[1:]}": rate for name, rate in zip(self.coordinates, rates.T, strict=True)}

    @staticmethod
    def _stops(scenario: Setup) -> bool:
        """Whether the joints stop at their limits."""
        return scenario.task["clamp"] in ("angles", "both")

    def _posture(self, scenario: Setup, y: Array) -> Array:
        """Where the joints are in the states `y`, (n, joints): a stopped joint is at its limit."""
        return np.clip(y, *self.chain(scenario).limits) if self._stops(scenario) else np.array(y, order="C")

    def rates(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Joint rates J+ (xd' + K e), (n, joints) [rad/s or m/s]."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        params[clik.HELD] = 0.0
        out = np.empty(y.shape)
        clik.rates(np.array(t, order="C"), np.array(y, order="C"), params, out)
        return out

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Distance to the desired path, |e_o| and the true angle between the orientations."""
        from robots.dynamics.kernels import clik

        out = np.empty((len(t), 3))
        clik.judge(np.array(t, order="C"), self._posture(scenario, y), self._params(scenario), out)
        names = ("position_m", "orientation_rad", "orientation_angle_rad")[: self.chain(scenario).rows // 2]
        return dict(zip(names, out.T, strict=False))

    def measure(self, scenario: Setup, t: Array, y: Array) -> Array:
        """The columns of `robots.dynamics.kernels.clik.measure`, (n, 6)."""
        from robots.dynamics.kernels import clik

        out = np.empty((len(t), 6))
        clik.measure(np.array(t, order="C"), self._posture(scenario, y), self._params(scenario), out)
        return out

    def said_of_singularity(self, scenario: Setup, motion: Trajectory) -> str:
        """A sentence on the most singular posture of a motion; empty if it is not nearly so."""

        def smallest(t: Array, y: Array) -> Array:
            return self.measure(scenario, t, y)[:, 4]

        if not smallest(motion.t, motion.y).min() < SINGULAR:
            return ""
        t, y, _ = motion.with_peak(lambda t, y: -smallest(t, y))
        values = smallest(t, y)
        return f"Nearly singular at t = {t[np.argmin(values)]:.4g} s: smallest singular value {values.min():.2g}."

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Manipulability and smallest singular value; angles and rates relative to their limits."""
        from robots.dynamics.kernels.clik import NEARLY_SINGULAR

        judged, rates, chain = self.measure(scenario, t, y), self.rates(scenario, t, y), self.chain(scenario)
        low, high = chain.limits
        shares = (self._posture(scenario, y) - 0.5 * (high + low)) / (0.5 * (high - low))
        # A pivot that is not positive is drawn as round-off.
        pivot = np.maximum(judged[:, 5], np.finfo(float).eps)
        least = NEARLY_SINGULAR if scenario.task["inverse"] in ("pinv", "weighted") else 0.0
        return {
            "manipulability": Series("manipulability", "", judged[:, 3], log=True, allowed=(self._low(scenario), inf)),
            "singular-value": Series("smallest singular value", "", judged[:, 4], log=True, allowed=(NEAR, inf)),
            "pivot": Series("smallest pivot of J Jᵀ", "", pivot, log=True, allowed=(least, inf)),
            "limits": Series(self.share, "", shares, self.joints, allowed=(-1.0, 1.0)),
            "speeds": Series("rate / limit", "", rates / chain.speeds, self.joints, allowed=(-1.0, 1.0)),
        }

    @staticmethod
    def _low(scenario: Setup) -> float:
        """The manipulability below which the arm counts as near a singular posture: where damping would begin."""
        return float(scenario.task["threshold"])

    def mobility(self, scenario: Setup, t: float, y: Array) -> Mobility:
        """The velocity ellipsoid of J J' (its linear rows)."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        judged = np.empty((1, 6))
        clik.measure(np.array([t]), self._posture(scenario, y[None, :]), params, judged)
        sides, lengths, _ = np.linalg.svd(clik.jacobian_of.py_func(params)[:3], full_matrices=False)
        return Mobility(sides * lengths, bool(judged[0, 3] < self._low(scenario)))

    def jacobian(self, scenario: Setup, q: Array) -> Array:
        """The geometric Jacobian of the tip at joint positions `q` (n,), (6, n), linear rows first."""
        from robots.dynamics.kernels import clik

        params = self._params(scenario)
        clik.kinematics(np.array(q, dtype=float), params)
        return clik.jacobian_of.py_func(params).copy()

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

    def desired_path(self, scenario: Setup, t: Array) -> Array:
        """Where the tool should be, (n, 3) [m]."""
        return self._desired(scenario, t)[:, :3]

    def _desired(self, scenario: Setup, t: Array) -> Array:
        """The columns of `robots.dynamics.kernels.paths.desired`, (n, 36)."""
        from robots.dynamics.kernels import clik
        from robots.dynamics.kernels.paths import BLOCK, desired_many

        params = self._params(scenario)
        spline = params[clik.spline_place(params) :].reshape(-1, 13)
        out = np.empty((len(t), 36))
        desired_many(np.array(t, dtype=float), params[clik.PATH : clik.PATH + BLOCK], spline, out)
        return out
