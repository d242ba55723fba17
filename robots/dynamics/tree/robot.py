"""The arm that a tree describes: its fields, equations and outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from assets.fields import Field
from robots.dynamics.stops import IMMOVABLE, NUMERICAL, StopFacts, Stops, stop_fields
from robots.dynamics.tree import layout as at
from robots.dynamics.tree.follower import Follower, follower_of
from robots.dynamics.tree.look import shape_of
from robots.dynamics.tree.momenta import momenta_of
from robots.dynamics.tree.poses import axis_frame, position_facts, said_to_pass, world_from_links
from robots.model.repair import summary_of
from robots.model.robot import UNITS, Array, Mobility, Robot, Series
from robots.model.shapes import ArmShape
from robots.model.tree import Joint, Link, Tree, entries, joined, matrix, rotation
from solvers.control import Tolerance

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.problem import OdeProblem

_LAWS = {
    "none": at.FREE,
    "constant": at.CONSTANT,
    "pd": at.PD,
    "pd-gravity": at.PD_GRAVITY,
    "computed": at.COMPUTED,
}
_TORQUE = Field(
    "torque",
    "joint torque",
    default="none",
    choices=(*_LAWS, "path"),
    labels={
        "constant": "constant torque",
        "pd": "PD control",
        "pd-gravity": "PD control with gravity compensation",
        "computed": "computed torque along a move",
        "path": "none: the tip follows a path",
    },
    help="What the motors do: nothing, a constant torque, PD control to a target, or a move to it by inverse dynamics. "
    "Or the tip follows a path by inverse kinematics, without masses and torques.",
)
_COMPUTED = ("torque", ("computed",))
_MOVE = (
    Field(
        "move_time", "move time", "s", 2.0, 0.0, 1e3, True, slider=(0.2, 10.0), log=True, when=_COMPUTED,
        help="The move from start to target: a polynomial of order 5, at rest at both ends.",
    ),
    Field("gain_p", "gain P", "1/s2", 100.0, 0.0, 1e8, slider=(0.0, 400.0), when=_COMPUTED,
          help="Acceleration of each joint per error of its position."),
    Field("gain_d", "gain D", "1/s", 20.0, 0.0, 1e6, slider=(0.0, 40.0), when=_COMPUTED,
          help="Acceleration of each joint per error of its rate."),
)  # fmt: skip
_PD = ("pd", "pd-gravity")
_TARGETED = (*_PD, "computed")
_WORLD = (
    Field("g", "gravity", "m/s2", 9.81, -1e3, 1e3, slider=(0.0, 25.0), help="Acceleration of gravity, downwards."),
    Field("payload", "payload", "kg", 0.0, 0.0, 1e4, slider=(0.0, 10.0), help="A point mass at the tip."),
)
_SINGULAR = 0.02
"""An arm whose velocity ellipsoid is flatter than this counts as near a singular posture."""


class TreeRobot(Robot):
    """A tree of rigid links with revolute and prismatic joints; `tree_robot` makes one of a file's tree."""

    tree: ClassVar[Tree]
    group = "Robots"
    numerical = NUMERICAL
    defaults: ClassVar[Mapping[str, Any]] = {"method": "dopri5", "rtol": 1e-6, "atol": 1e-9, "duration": 5.0}
    reference_methods = (("dop853", Tolerance(1e-13, 1e-14)), ("v98", Tolerance(1e-13, 1e-14)))

    def shaped(self, setup: Setup) -> Robot:
        """The robot whose tip follows a path, where the task says so."""
        task = setup.task
        return self._follower if isinstance(task, Mapping) and task.get("torque") == "path" else self

    @cached_property
    def _follower(self) -> Follower:
        known = [field for field in self.parameters if f"robot.{field.key}" in self.shaping]
        return follower_of(self.tree, self.key, self.task[0], tuple(known))

    # -- equations -----------------------------------------------------------------------------------------------------

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """M(q) q'' + h(q, q') = u - D q', with the pull's force while it acts."""
        from robots.dynamics.tree.kernels.derivative import tree_jacobian
        from robots.dynamics.tree.kernels.forward import tree
        from solvers.problem import OdeProblem

        free = [self.tree.joints[k] for k in self.tree.free]
        names = [f"{stem}{joint.number + 1}" for stem in "qv" for joint in free]
        units = [joint.unit + rate for rate in ("", "/s") for joint in free]
        params = self.params(scenario, pull)
        return OdeProblem(
            rhs=tree,
            jacobian=None if pull or len(free) < len(self.tree.joints) else tree_jacobian,
            initial=np.array([scenario.initial[name] for name in names], dtype=float),
            t0=0.0,
            t1=scenario.duration,
            params=params,
            names=tuple(names),
            units=tuple(units),
            positions=len(free),
            breaks=_breaks(scenario),
            in_momenta=partial(momenta_of, params) if self._canonical(scenario) and not pull else None,
        )

    def kinds(self, scenario: Setup) -> frozenset[str]:
        """Canonical too, where the joints' torques do not depend on accelerations."""
        return super().kinds(scenario) | (frozenset({"canonical"}) if self._canonical(scenario) else frozenset())

    def _canonical(self, scenario: Setup) -> bool:
        return scenario.task["torque"] != "computed" and len(self.tree.free) == len(self.tree.joints)

    def _numbers(self) -> list[int]:
        """The number in q1, q2 and so on of each free joint, in the order of the state."""
        return [self.tree.order.index(j) + 1 for j in self.tree.free]

    def stops(self, scenario: Setup) -> Stops | None:
        """Those of the task."""
        return Stops.of(scenario.task, self._numbers())

    def at_rest(self, scenario: Setup, pull: Pull | None, joints: tuple[int, ...]) -> OdeProblem | None:
        """The equations with rotors so heavy that nothing moves the joints that rest; computed torque would."""
        if joints and scenario.task["torque"] == "computed":
            return None
        problem = self.problem(scenario, pull)
        for joint in joints:
            problem.params[at.HEADER + self.tree.free[joint] * at.ROW + at.ARMATURE] = IMMOVABLE
        return problem

    def check(self, scenario: Setup) -> None:
        """Stops must leave room for the arm."""
        if stops := self.stops(scenario):
            stops.check(scenario.initial)

    def params(self, scenario: Setup, pull: Pull | None = None) -> Array:
        """The numbers that the kernels read; `layout` has their places."""
        n = len(self.tree.joints)
        track = np.array(pull.track) if pull else np.empty((0, 4))
        params = np.zeros(at.HEADER + n * at.ROW + track.size)
        params[at.INDEPENDENT] = len(self.tree.free)
        params[at.JOINTS], params[at.GRAVITY + 2] = n, -float(scenario.parameters["g"])
        params[at.LAW], params[at.MOVE_TIME] = _LAWS[str(scenario.task["torque"])], scenario.task["move_time"]
        if pull:
            params[at.PULLED], params[at.TRACK] = pull.link - 1, len(track)
            params[at.POINT : at.POINT + 3] = axis_frame(self.tree.joints[pull.link - 1].axis).T @ pull.point
            params[at.STIFFNESS], params[at.DAMPING] = pull.stiffness, pull.damping
            params[at.HEADER + n * at.ROW :] = track.ravel()
        rows = params[at.HEADER : at.HEADER + n * at.ROW].reshape(n, at.ROW)
        for row, joint, link in zip(rows, self.tree.joints, self._carried(scenario)[1:], strict=True):
            self._fill(row, joint, link, scenario)
        return params

    def _fill(self, row: Array, joint: Joint, link: Link, scenario: Setup) -> None:
        """One joint's row; the kernels' frame of a link has the joint's axis as its z axis."""
        turn, number = axis_frame(joint.axis), joint.number + 1
        above = axis_frame(self.tree.joints[joint.parent - 1].axis).T if joint.parent else np.eye(3)
        row[at.KIND] = at.PRISMATIC if joint.sliding else at.REVOLUTE
        row[at.PARENT] = joint.parent - 1
        row[at.TURN : at.TURN + 9] = (above @ rotation(joint.place) @ turn).ravel()
        row[at.PLACE : at.PLACE + 3] = above @ joint.place[9:]
        row[at.MASS], row[at.CENTRE : at.CENTRE + 3] = link.mass, turn.T @ link.centre
        row[at.INERTIA : at.INERTIA + 6] = entries(turn.T @ matrix(link.inertia) @ turn)
        leads = joint.leader < 0
        leader = joint if leads else self.tree.joints[joint.leader]
        row[at.COORDINATE] = [self.tree.joints[k].number for k in self.tree.free].index(leader.number)
        row[at.RATIO], row[at.SHIFT], row[at.LEADS] = joint.ratio, joint.shift, leads
        row[at.ARMATURE], row[at.FRICTION] = joint.armature, joint.damping
        if not leads:
            return
        row[at.FRICTION] = scenario.parameters[f"d{number}"]
        row[at.TORQUE], row[at.TARGET] = scenario.task[f"tau{number}"], scenario.task[f"target{number}"]
        gains = "gain_p", "gain_d"
        if scenario.task["torque"] != "computed":
            gains = f"kp{number}", f"kd{number}"
        row[at.GAIN_P], row[at.GAIN_D] = (scenario.task[gain] for gain in gains)
        row[at.START] = scenario.initial[f"q{number}"]

    def _carried(self, scenario: Setup) -> list[Link]:
        """The links with the payload."""
        links, (tip, point) = list(self.tree.links), self.tree.tip
        if payload := float(scenario.parameters["payload"]):
            place = np.eye(4)
            place[:3, 3] = point
            links[tip] = joined(links[tip].name, [(links[tip], np.eye(4)), (Link("payload", payload), place)])
        return links

    def remark(self, scenario: Setup, t: Array, y: Array) -> str:
        """Joints beyond the limits that their file gives: nothing stops them there, unless the task says so."""
        if self.stops(scenario):
            return ""
        positions = self.tree.positions(y[:, : len(self.tree.free)])
        low, high = np.array([(joint.lower, joint.upper) for joint in self.tree.joints]).T
        names = [joint.name for joint in self.tree.joints]
        beyond = (positions < low) | (positions > high)
        return said_to_pass("its limit", names, t, beyond, "the model has no stops")

    # -- outputs -------------------------------------------------------------------------------------------------------

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Positions and rates in the file's order, and the motors' torques when they do something."""
        n, order = len(self.tree.free), [self.tree.free.index(j) for j in self.tree.order]
        named = {f"q{k}": y[:, j] for k, j in enumerate(order, start=1)}
        named |= {f"v{k}": y[:, n + j] for k, j in enumerate(order, start=1)}
        if scenario.task["torque"] != "none":
            torques = self.torques(scenario, t, y)
            named |= {f"u{k}": torques[:, j] for k, j in enumerate(order, start=1)}
        return named

    def unit(self, column: str) -> str:
        """Metres, metres per second and newtons for joints that slide."""
        if column[0] not in UNITS or not column[1:].isdigit():
            return ""
        sliding = self.tree.joints[self.tree.order[int(column[1:]) - 1]].sliding
        return {"q": "m", "v": "m/s", "u": "N"}[column[0]] if sliding else UNITS[column[0]]

    def torques(self, scenario: Setup, t: Array, y: Array) -> Array:
        """What the motors do, (n, free joints) [N m or N]."""
        from robots.dynamics.tree.kernels.outputs import motor_torques

        torques = np.empty((len(t), len(self.tree.free)))
        motor_torques(np.array(t), np.array(y), self.params(scenario), torques)
        return torques

    def energies(self, scenario: Setup, y: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (of gravity and of torques that have one), both (n,) [J]."""
        from robots.dynamics.tree.kernels.outputs import energies

        found = np.empty((len(y), 2))
        energies(np.array(y), self.params(scenario), found)
        return found[:, 0], found[:, 1]

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The total energy, unless friction, a motor or a pull does work."""
        law = scenario.task["torque"]
        n = len(self.tree.free)
        lossy = any(scenario.parameters[f"d{k}"] for k in range(1, n + 1))
        lossy = lossy or any(joint.damping for joint in self.tree.joints if joint.leader >= 0)
        damped = law == "pd" and any(scenario.task[f"kd{k}"] for k in range(1, n + 1))
        if pull or lossy or damped or law not in ("none", "constant", "pd"):
            return {}
        kinetic, potential = self.energies(scenario, y)
        return {"energy_J": kinetic + potential}

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """The largest error of an angle, and of a length where joints slide."""
        n = len(self.tree.free)
        gaps = np.abs(y[:, :n] - exact[:, :n])
        sliding = np.array([self.tree.joints[k].sliding for k in self.tree.free])
        errors = {}
        if not sliding.all():
            errors["reference_q_rad"] = gaps[:, ~sliding].max(axis=1)
        if sliding.any():
            errors["reference_q_m"] = gaps[:, sliding].max(axis=1)
        return errors

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """The energies, and what the motors do where they do something."""
        kinetic, potential = self.energies(scenario, y)
        values = np.stack([kinetic, potential, kinetic + potential], axis=1)
        found = {"energy": Series("energy", "J", values, ("kinetic", "potential", "total"))}
        torques = {name: column for name, column in self.columns(scenario, t, y).items() if name[0] == "u"}
        for key, unit in ("torque", "N m"), ("force", "N"):
            names = tuple(name for name in torques if self.unit(name) == unit)
            if names:
                columns = np.stack([torques[name] for name in names], axis=1)
                found[key] = Series(f"motor {key}", unit, columns, names)
        return found

    def mobility(self, scenario: Setup, t: float, y: Array) -> Mobility | None:
        """The velocity ellipsoid of J J' at the tip (Yoshikawa 1985)."""
        tip, point = self.tree.tip
        frames = self.poses(scenario, np.array([t]), y[None, :])[0]
        place = frames[tip, :3, :3] @ point + frames[tip, :3, 3]
        columns, link = [], tip
        while link:
            joint, frame = self.tree.joints[link - 1], frames[link]
            axis = frame[:3, :3] @ joint.axis
            columns.append(axis if joint.sliding else np.cross(axis, place - frame[:3, 3]))
            link = joint.parent
        if not columns:
            return None
        sides, lengths, _ = np.linalg.svd(np.column_stack(columns))
        lengths = np.pad(lengths, (0, 3 - len(lengths)))
        reach = lengths[min(len(columns), 3) - 1]
        return Mobility(sides * lengths, bool(reach < _SINGULAR * lengths[0]))

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """The solids of the file, or a skeleton of links that have none."""
        return self._shape

    @cached_property
    def _shape(self) -> ArmShape:
        """The same object for all scenarios, so that its mesh is built once."""
        return shape_of(self.tree)

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the base and the links."""
        return world_from_links(self.tree, self.tree.positions(y[:, : len(self.tree.free)]))


def _aim(joint: Joint, moves: bool) -> dict[str, Any]:
    """The end of a move; `moves` makes it another place than its start."""
    facts: dict[str, Any] = position_facts(joint) | {"when": ("torque", _TARGETED)}
    if moves and facts["slider"]:
        low, high = facts["slider"]
        further = 0.25 * (high - low)
        facts["default"] = joint.rest + (further if high - joint.rest > joint.rest - low else -further)
    return facts


def _rate(joint: Joint) -> dict[str, Any]:
    return {"unit": f"{joint.unit}/s", "default": 0.0, "minimum": -1e4, "maximum": 1e4, "slider": (-10.0, 10.0)}


def _friction(joint: Joint) -> dict[str, Any]:
    unit = "N s/m" if joint.sliding else "N m s/rad"
    top = max(1.0, 4.0 * joint.damping)
    return {"unit": unit, "default": joint.damping, "minimum": 0.0, "maximum": 1e6, "slider": (0.0, top)}


def _drive(joint: Joint) -> dict[str, Any]:
    unit, top = "N" if joint.sliding else "N m", joint.effort if 0.0 < joint.effort < 1e5 else 50.0
    return {"unit": unit, "minimum": -1e6, "maximum": 1e6, "slider": (-top, top), "when": ("torque", ("constant",))}


def _gain(joint: Joint, per_rate: bool) -> dict[str, Any]:
    unit = ("N s/m" if per_rate else "N/m") if joint.sliding else ("N m s/rad" if per_rate else "N m/rad")
    default = 2.0 * joint.effort if 0.0 < joint.effort < 1e5 else 100.0
    default = float(f"{default * (0.1 if per_rate else 1.0):.3g}")
    slider = (0.0, 4.0 * default)
    return {"unit": unit, "default": default, "minimum": 0.0, "maximum": 1e7, "slider": slider, "when": ("torque", _PD)}


def _stop(joint: Joint) -> StopFacts:
    """The limits that the file gives, as stops."""
    low, high = (end if np.isfinite(end) else None for end in (joint.lower, joint.upper))
    return StopFacts(joint.unit, low, high, position_facts(joint)["slider"])


def _breaks(scenario: Setup) -> tuple[float, ...]:
    """The end of a move: the fourth derivative of the commanded path jumps there, and the third at its start."""
    end = float(scenario.task["move_time"])
    return (end,) if scenario.task["torque"] == "computed" and end < scenario.duration else ()


def tree_robot(tree: Tree, key: str, kind: type[TreeRobot] = TreeRobot, shaping: tuple[Field, ...] = ()) -> TreeRobot:
    """The robot that a tree describes: every fact of a robot that depends on its joints.

    Args:
        tree: its links and joints.
        key: its name in scenarios.
        kind: its class.
        shaping: the parameters that the tree was made from.
    """

    def each(stem: str, label: str, facts: Callable[[Joint], dict[str, Any]]) -> Iterator[Field]:
        for number, place in enumerate(tree.order, start=1):
            joint = tree.joints[place]
            yield Field(f"{stem}{number}", f"{label} {number}", help=f"{joint.name}, {joint.kind}.", **facts(joint))

    facts = {
        "key": key,
        "tree": tree,
        "title": tree.name or key,
        "summary": summary_of(tree),
        "source": tree.source,
        "parameters": (*shaping, *_WORLD, *each("d", "friction", _friction)),
        "shaping": (*(f"robot.{field.key}" for field in shaping), "task.torque"),
        "task": (
            _TORQUE,
            *_MOVE,
            *each("tau", "torque", _drive),
            *each("kp", "gain P", partial(_gain, per_rate=False)),
            *each("kd", "gain D", partial(_gain, per_rate=True)),
            *each("target", "target", partial(_aim, moves=bool(tree.fault()))),
            *stop_fields([_stop(tree.joints[place]) for place in tree.order]),
        ),
        "initial": (*each("q", "position", position_facts), *each("v", "rate", _rate)),
        "joints": tuple(tree.joints[k].name for k in tree.order),
        "pullable": tuple(range(1, len(tree.links))),
    }
    return type("Arm", (kind,), facts)()
