"""The arm that a tree describes: its fields, equations and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Values
from robots.dynamics.stops import IMMOVABLE, NUMERICAL, Stops
from robots.dynamics.tree import layout as at
from robots.dynamics.tree.fields import CONTROLLED, LAWS, LOGGED, initial_of, parameters_of, task_of
from robots.dynamics.tree.follower import Follower, follower_of
from robots.dynamics.tree.momenta import momenta_of
from robots.dynamics.tree.of_tree import OfTree, facts_of
from robots.dynamics.tree.operations import GIVEN, with_operations
from robots.dynamics.tree.poses import axis_frame, said_to_pass, world_from_links
from robots.dynamics.tree.recorded import errors_against, recorded, rows_of
from robots.model.robot import Array, Mobility, Robot, Series, energy_series
from robots.model.sampling import Sampling, sampled
from robots.model.tree import Joint, Link, Tree, entries, joined, matrix, rotation
from solvers.control import Tolerance

if TYPE_CHECKING:
    from robots.dynamics.tree.log import Log
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.events import Trajectory
    from solvers.problem import OdeProblem

_SINGULAR = 0.02
"""An arm whose velocity ellipsoid is flatter than this counts as near a singular posture."""


class TreeRobot(OfTree):
    """A tree of rigid links with revolute and prismatic joints; `tree_robot` makes one of a file's tree."""

    numerical = NUMERICAL
    defaults: ClassVar[Values] = {"method": "dopri5", "rtol": 1e-6, "atol": 1e-9, "duration": 5.0}
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
        problem = OdeProblem(
            rhs=tree,
            jacobian=None if pull or len(free) < len(self.tree.joints) else tree_jacobian,
            initial=np.array([scenario.initial[name] for name in names], dtype=float),
            t0=0.0,
            t1=scenario.duration,
            params=params,
            names=tuple(names),
            units=tuple(units),
            positions=len(free),
            breaks=self._breaks(scenario),
            in_momenta=partial(momenta_of, params) if self._canonical(scenario) and not pull else None,
        )
        sampling, own = self.sampling(scenario), params.copy()
        if sampling:
            params[at.LAW] = at.HELD
        problem = problem if pull else with_operations(problem)
        if sampling is None:
            return problem
        asked = partial(self._asked, own)
        aim = np.concatenate([self._aim(scenario), np.zeros(len(free))])
        return sampled(problem, asked, sampling, aim)

    def sampling(self, scenario: Setup) -> Sampling | None:
        """The sampling of a control; None for laws without feedback, which are not sampled."""
        return Sampling.of(scenario.task) if scenario.task["torque"] in CONTROLLED else None

    def _asked(self, params: Array, t: float, y: Array) -> Array:
        """The torques that a control with these numbers asks for, in the order of q1, q2 and so on, (n,)."""
        torques = self._torques(params, np.array([t]), y[None, :])[0]
        return torques[[self.tree.free.index(k) for k in self.tree.order]]

    def _aim(self, scenario: Setup) -> Array:
        """Where a control wants the arm to rest, (n,) [rad or m]."""
        numbers, log = self._numbers(), self.log(scenario)
        if scenario.task["torque"] != "log-motion":
            return np.array([float(scenario.task[f"target{k}"]) for k in numbers])
        ends = {name: column[-1] for name, column in log.columns.items()} if log else {}
        return np.array([float(ends.get(f"q{k}", scenario.initial[f"q{k}"])) for k in numbers])

    def log(self, scenario: Setup) -> Log | None:
        """The log that the task follows or applies; None without one."""
        return recorded(self.tree, scenario.task) if scenario.task["torque"] in LOGGED else None

    def _breaks(self, scenario: Setup) -> tuple[float, ...]:
        """The end of a log, or of a move: the fourth derivative of its path jumps there, and the third at its start."""
        log = self.log(scenario)
        end = float(scenario.task["move_time"] if log is None else log.times[-1])
        return (end,) if scenario.task["torque"] in ("computed", *LOGGED) and end < scenario.duration else ()

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Elementary, where nothing is given over time, and canonical, where no torque depends on accelerations."""
        found = {"ode", "second-order"}
        if not pulled and self._law(scenario) not in GIVEN:
            found.add("elementary")
        if not pulled and self._canonical(scenario):
            found.add("canonical")
        return frozenset(found)

    def _law(self, scenario: Setup) -> float:
        """How its torques come about, as kernels know it."""
        return at.HELD if self.sampling(scenario) else self._own_law(scenario)

    def _own_law(self, scenario: Setup) -> float:
        """How its torques come about before they are sampled."""
        law = LAWS[str(scenario.task["torque"])]
        return at.FREE if law == at.LOG and self.log(scenario) is None else law

    def _canonical(self, scenario: Setup) -> bool:
        moved = self._law(scenario) in (at.COMPUTED, at.HELD)
        return not moved and len(self.tree.free) == len(self.tree.joints)

    def _numbers(self) -> list[int]:
        """The number in q1, q2 and so on of each free joint, in the order of the state."""
        return [self.tree.order.index(j) + 1 for j in self.tree.free]

    def stops(self, scenario: Setup) -> Stops | None:
        """The stops of the task; None without any."""
        params = cache(partial(self.params, scenario))
        return Stops.of(scenario.task, self._numbers(), lambda y: _energies(params(), y)[:, 0])

    def at_rest(self, scenario: Setup, pull: Pull | None, joints: tuple[int, ...]) -> OdeProblem | None:
        """The equations with rotors so heavy that nothing moves the joints that rest; computed torque would."""
        if joints and self._law(scenario) == at.COMPUTED:
            return None
        problem = self.problem(scenario, pull)
        for joint in joints:
            problem.params[at.HEADER + self.tree.free[joint] * at.ROW + at.ARMATURE] = IMMOVABLE
        return problem if pull else with_operations(problem)

    def check(self, scenario: Setup) -> None:
        """A control must be able to sample as it is asked to, a log must fit, and stops must leave room for the arm."""
        if sampling := self.sampling(scenario):
            sampling.check(scenario.duration)
        letter = "q" if scenario.task["torque"] == "log-motion" else "u"
        if (log := self.log(scenario)) and not log.has(letter):
            raise BadInput("task.log", ", ".join(("t", *log.columns)), f"a log with columns {letter}1, {letter}2, ...")
        if stops := self.stops(scenario):
            stops.check(scenario.initial)

    def params(self, scenario: Setup, pull: Pull | None = None) -> Array:
        """The numbers that the kernels read; `layout` has their places."""
        n = len(self.tree.joints)
        track = np.array(pull.track) if pull else np.empty((0, 4))
        log = self.log(scenario)
        table = np.empty((0, 0)) if log is None else rows_of(log, self.tree, scenario)
        params = np.zeros(at.HEADER + n * at.ROW + track.size + table.size)
        params[at.INDEPENDENT] = len(self.tree.free)
        params[at.JOINTS], params[at.GRAVITY + 2] = n, -float(scenario.parameters["g"])
        params[at.LAW], params[at.MOVE_TIME] = self._own_law(scenario), scenario.task["move_time"]
        if pull:
            params[at.PULLED], params[at.TRACK] = pull.link - 1, len(track)
            params[at.POINT : at.POINT + 3] = axis_frame(self.tree.joints[pull.link - 1].axis).T @ pull.point
            params[at.STIFFNESS], params[at.DAMPING] = pull.stiffness, pull.damping
            params[at.HEADER + n * at.ROW :][: track.size] = track.ravel()
        if table.size:
            params[at.LOGGED], params[params.size - table.size :] = len(table), table.ravel()
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
        row[at.ARMATURE], row[at.FRICTION], row[at.NUMBER] = joint.armature, joint.damping, joint.number
        if not leads:
            return
        row[at.FRICTION] = scenario.parameters[f"d{number}"]
        law, start = str(scenario.task["torque"]), scenario.initial[f"q{number}"]
        row[at.TORQUE], row[at.START] = scenario.task[f"tau{number}"], start
        row[at.TARGET] = start if law == "log-motion" else scenario.task[f"target{number}"]
        computed = LAWS[law] == at.COMPUTED
        gains = ("gain_p", "gain_d") if computed else (f"kp{number}", f"kd{number}")
        row[at.GAIN_P], row[at.GAIN_D] = (scenario.task[gain] for gain in gains)

    def _carried(self, scenario: Setup) -> list[Link]:
        """The links with the payload."""
        links, (tip, point) = list(self.tree.links), self.tree.tip
        if payload := float(scenario.parameters["payload"]):
            place = np.eye(4)
            place[:3, 3] = point
            links[tip] = joined(links[tip].name, [(links[tip], np.eye(4)), (Link("payload", payload), place)])
        return links

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """A log that lacks something; joints beyond their file's limits, where nothing stops them."""
        said = self._said_of_log(scenario, float(motion.t[-1]))
        if self.stops(scenario):
            return said
        low, high = np.array([(joint.lower, joint.upper) for joint in self.tree.joints]).T
        names = [joint.name for joint in self.tree.joints]

        def beyond(_: Array, y: Array) -> Array:
            positions = self.tree.positions(y[:, : len(self.tree.free)])
            return np.maximum(low - positions, positions - high)

        passed = said_to_pass("its limit", names, motion, beyond, "the model has no stops")
        return " ".join(filter(None, (said, passed)))

    def _said_of_log(self, scenario: Setup, end: float) -> str:
        """A sentence where there is no log, or where it ends before the run; else empty."""
        if scenario.task["torque"] not in LOGGED:
            return ""
        if (log := self.log(scenario)) is None:
            return "No log is loaded."
        last = float(log.times[-1])
        return f"The log ends at t = {last:.6g} s; its last row holds." if last < end else ""

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

    def torques(self, scenario: Setup, t: Array, y: Array) -> Array:
        """What the motors do, (n, free joints) [N m or N]."""
        return self._torques(self.params(scenario), t, y)

    def _torques(self, params: Array, t: Array, y: Array) -> Array:
        from robots.dynamics.tree.kernels.outputs import motor_torques

        torques = np.empty((len(t), len(self.tree.free)))
        motor_torques(np.array(t), np.array(y), params, torques)
        return torques

    def energies(self, scenario: Setup, y: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (of gravity and of torques that have one), both (n,) [J]."""
        params = self.params(scenario)
        if self.sampling(scenario):
            params[at.LAW] = at.HELD  # held torques have no potential
        found = _energies(params, y)
        return found[:, 0], found[:, 1]

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The total energy, unless friction, a motor or a pull does work."""
        law = scenario.task["torque"]
        n = len(self.tree.free)
        lossy = any(scenario.parameters[f"d{k}"] for k in range(1, n + 1))
        lossy = lossy or any(joint.damping for joint in self.tree.joints if joint.leader >= 0)
        damped = law == "pd" and any(scenario.task[f"kd{k}"] for k in range(1, n + 1))
        if pull or lossy or damped or law not in ("none", "constant", "pd") or self.sampling(scenario):
            return {}
        return {"energy_J": np.add(*self.energies(scenario, y))}

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """How far the joints are from where the log has them."""
        log = self.log(scenario)
        return {} if log is None else errors_against(log, self.tree, t, self.columns(scenario, t, y))

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """The largest error of an angle, and of a length where joints slide."""
        n = len(self.tree.free)
        return self.largest_gaps(np.abs(y[:, :n] - exact[:, :n]), self.tree.free)

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """The energies, and what the motors do where they do something."""
        found = {"energy": energy_series(*self.energies(scenario, y))}
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
        columns, link = dict[int, Array](), tip
        while link:
            joint, frame = self.tree.joints[link - 1], frames[link]
            axis = frame[:3, :3] @ joint.axis
            column = axis if joint.sliding else np.cross(axis, place - frame[:3, 3])
            lead = link - 1 if joint.leader < 0 else joint.leader
            # A joint that follows moves with its leader.
            columns[lead] = columns.get(lead, np.zeros(3)) + (1.0 if joint.leader < 0 else joint.ratio) * column
            link = joint.parent
        if not columns:
            return None
        sides, lengths, _ = np.linalg.svd(np.column_stack(list(columns.values())))
        lengths = np.pad(lengths, (0, 3 - len(lengths)))
        reach = lengths[min(len(columns), 3) - 1]
        return Mobility(sides * lengths, bool(reach < _SINGULAR * lengths[0]))

    # -- looks ---------------------------------------------------------------------------------------------------------

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the base and the links."""
        return world_from_links(self.tree, self.tree.positions(y[:, : len(self.tree.free)]))


def _energies(params: Array, y: Array) -> Array:
    """Kinetic and potential energy of states (n, d) with the numbers of the kernels, (n, 2) [J]."""
    from robots.dynamics.tree.kernels.outputs import energies

    found = np.empty((len(y), 2))
    energies(np.array(y), params, found)
    return found


def tree_robot(tree: Tree, key: str, kind: type[TreeRobot] = TreeRobot, shaping: tuple[Field, ...] = ()) -> TreeRobot:
    """The robot that a tree describes: every fact of a robot that depends on its joints.

    Args:
        tree: its links and joints.
        key: its name in scenarios.
        kind: its class.
        shaping: the parameters that the tree was made from.
    """
    facts = facts_of(tree, key, shaping) | {
        "parameters": (*shaping, *parameters_of(tree)),
        "task": task_of(tree),
        "initial": initial_of(tree),
        "joints": tuple(tree.joints[k].name for k in tree.order),
        "pullable": tuple(range(1, len(tree.links))),
    }
    return type("Arm", (kind,), facts)()
