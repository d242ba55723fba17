"""What pictures need of a run and does not change from frame to frame: computed once, dropped with the run."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from gui.compose.trail import Trail, pieces_of, tips_of
from robots.model.robot import Mobility, Robot
from robots.model.shapes import ArmShape, Pose, moved_pose, moved_shape
from scene.geometry.arm import link_corners, rigid_mesh

if TYPE_CHECKING:
    from robots.simulation.reference import Reference
    from robots.simulation.run import Run

Array = NDArray[np.float64]
Place = tuple[float, ...]
ORIGIN: Place = (0.0, 0.0, 0.0)

ROOM_POSES = 48
"""How many poses measure the room that a run takes up."""

_DIRECTIONS = np.array([way for way in product((-2.0, -1.0, 0.0, 1.0, 2.0), repeat=3) if max(map(abs, way)) == 2.0])

ROOM_REACH = 1.2
"""Anything further from the arm's centre than this many of its radii does not count as part of it."""


_GHOSTS: WeakKeyDictionary[ArmShape, dict[frozenset[int], ArmShape]] = WeakKeyDictionary()


def _without(shape: ArmShape, links: frozenset[int]) -> ArmShape:
    """The shape without the parts of these links; the same object for the same ones, so that ghosts share a mesh."""
    known = _GHOSTS.setdefault(shape, {})
    if links not in known:
        known[links] = replace(shape, parts=tuple(part for part in shape.parts if part.link not in links))
    return known[links]


class RunKinematics:
    """What pictures need of one run, computed at most once.

    Attributes:
        start, end: the run's span [s].
        times: (n,) [s], evenly spaced over the whole run.
        place: (3,) displacement of the drawn arm from where its equations put it [m].
        elsewhere: whether `place` is not the origin.
    """

    def __init__(self, run: Run, place: Place = ORIGIN) -> None:
        # A run that is gone takes this along: nothing here keeps it.
        self._held = ref(run)
        self.place, self.elsewhere = np.array(place), place != ORIGIN
        self.start, self.end = float(run.t[0]), float(run.t_end)
        self.times = np.linspace(self.start, self.end, pieces_of(self.end - self.start) + 1)
        self._starts = (self.start, *run.boundaries)
        self._shapes: dict[tuple[int, bool], ArmShape] = {}
        self._worst: tuple[Reference | None, Array] | None = None
        self._latest: tuple[float, Pose] | None = None
        self._rigid_tip = type(run.robot).tip_path is Robot.tip_path

    @property
    def _run(self) -> Run:
        run = self._held()
        assert run is not None
        return run

    def shape(self, t: float) -> ArmShape:
        """The arm's look at `t`; the same object until something changes, so that a renderer can keep its meshes."""
        return self._shape(t, ghost=False)

    def ghost_shape(self, t: float) -> ArmShape:
        """The arm without the parts fixed to the world: a pedestal that all runs share in one place needs no ghost."""
        return self._shape(t, ghost=not self.elsewhere)

    def _shape(self, t: float, *, ghost: bool) -> ArmShape:
        key = bisect_right(self._starts, t), ghost
        if key not in self._shapes:
            shape = self._run.shape(t)
            if self.elsewhere:
                shape = moved_shape(shape, self.place)
            if ghost:
                poses = self._run.poses(self.times[:: max(len(self.times) // 16, 1)])
                still = {-1, *np.flatnonzero(np.ptp(poses, axis=0).max(axis=(1, 2)) < 1e-9).tolist()}
                shape = _without(shape, frozenset(still))
            self._shapes[key] = shape
        return self._shapes[key]

    @cached_property
    def tips(self) -> Array:
        """The tip's positions at `times`, (n, 3) [m]; no rows for an arm without a tip."""
        return self.tips_at(self.times)

    @cached_property
    def room(self) -> Array:
        """(k, 3) the outermost points, in 98 directions, of the arm and its task in the whole run [m].

        They lie on a grid of twentieths of the arm's size, so that a moving knob does not shake the camera.
        """
        shape = self.shape(self.start)
        poses = [self.moved(pose) for pose in self._run.moments(np.linspace(self.start, self.end, ROOM_POSES))]
        lines = [self.tips] if self.desired is None else [self.tips, self.desired]
        centre, radius = np.asarray(shape.centre), shape.radius
        off = np.concatenate([corners(shape, poses), *lines]) - centre
        # A diverged run does not count.
        off = off[np.linalg.norm(off, axis=1) <= ROOM_REACH * radius]
        if not len(off):
            off = 0.5 * radius * _DIRECTIONS
        outermost = off[np.argmax(_DIRECTIONS @ off.T, axis=1)]
        grain = 0.05 * radius
        room = centre + np.sign(outermost) * np.ceil(np.abs(outermost) / grain - 1e-9) * grain
        if shape.ground is not None:
            room[:, 2] = np.maximum(room[:, 2], min(shape.ground, float((centre + outermost)[:, 2].min())))
        return np.unique(room, axis=0)

    @cached_property
    def step_ends(self) -> Array:
        """(k,) when each accepted step ended [s]."""
        log = self._run.log
        return np.asarray((log.t + log.h)[log.accepted], dtype=np.float64)

    @cached_property
    def largest_torque(self) -> float:
        """The largest torque of any motor in the whole run [N m]; 0 without motors."""
        torques = motor_torques(self._run)
        return float(np.nanmax(np.abs(torques))) if torques else 0.0

    @cached_property
    def desired(self) -> Array | None:
        """(n, 3) where the task wants the tip at `times` [m], or None."""
        path = self._run.robot.desired_path(self._run.scenario, self.times)
        return None if path is None else path + self.place

    @cached_property
    def reachable(self) -> NDArray[np.bool_] | None:
        """(n,) whether the arm reaches `desired`, or None for arms without that."""
        return self._run.robot.reachable(self._run.scenario, self.times)

    def wanted(self, t: float) -> Array | None:
        """(3,) where the task wants the tip at `t` [m], or None."""
        path = self._run.robot.desired_path(self._run.scenario, np.array([min(max(t, self.start), self.end)]))
        return None if path is None else path[0] + self.place

    def mobility(self, t: float) -> Mobility | None:
        """How easily the tip moves at `t`, or None for arms without that."""
        shown = min(max(t, self.start), self.end)
        scenario = self._run.phase_at(shown).scenario
        return self._run.robot.mobility(scenario, shown, self._run.sample(np.array([shown]))[0])

    def tips_at(self, times: Array) -> Array:
        """(m, 3) where the tip is at `times` (m,), in the run's span [m]."""
        return tips_of(self._run, times) + self.place

    def pose(self, t: float) -> Pose:
        """The arm at `t`; after the run's end, at its last good pose."""
        if self._latest is None or self._latest[0] != t:
            self._latest = t, self.moved(self._run.pose(t))
        return self._latest[1]

    def moved(self, pose: Pose) -> Pose:
        """A pose of the run's robot where this arm stands."""
        return moved_pose(pose, self.place) if self.elsewhere else pose

    def tip(self, t: float) -> Array | None:
        """(3,) where the tip is at `t`; after the run's end, where it stopped [m]."""
        if not self._rigid_tip:
            tips = self.tips_at(np.array([min(max(t, self.start), self.end)]))
            return tips[0] if len(tips) else None
        return tip_of(self.shape(t), self.pose(t))

    def exact_pose(self, t: float, exact: Reference) -> Pose:
        """The arm of the reference `exact` at `t`."""
        scenario = self._run.phase_at(t).scenario
        return self.moved(self._run.robot.pose(scenario, t, exact.sample(np.array([t]))[0]))

    def exact_tip(self, t: float, exact: Reference | None) -> Array:
        """(3,) where the tip of the reference is at `t`; without one, where the task wants it [m]."""
        if exact is None or not self._rigid_tip:
            return exact_tips(self._run, exact, np.array([t]))[0] + self.place
        tip = tip_of(self.shape(t), self.exact_pose(t, exact))
        return np.full(3, np.nan) if tip is None else tip

    def pull(self, t: float) -> Array | None:
        """(2, 3) the pulled point of the arm and the point that pulls it at `t` [m], or None without a pull."""
        pull = self._run.pull_at(t) if self.start <= t <= self.end else None
        if pull is None:
            return None
        held = self.pose(t).world_from_link[pull.link] @ np.array([*pull.point, 1.0])
        return np.array([held[:3], pulling_point(np.array(pull.track), t) + self.place])

    def past(self, t: float, seconds: float) -> Array:
        """(k, 4) rows (t, x, y, z): where the tip was in the `seconds` before `t` (0 is always) [s, m]; see `Trail`."""
        return self._trail.past(t, seconds)

    def meaningful_since(self, t: float) -> float:
        """From when the tip's motion before `t` is drawn: since it last leapt, if it is calm again [s]."""
        return self._trail.drawn_part(t)[0]

    def leaves_trail(self, t: float) -> bool:
        """Whether the tip's motion just before `t` is meaningful."""
        return math.isinf(self._trail.drawn_part(min(t, self.end))[1])

    @cached_property
    def _trail(self) -> Trail:
        return Trail(self._run, self.place, self.shape(self.start).radius, self.tips)

    def tip_velocity(self, t: float) -> Array:
        """(3,) how fast the tip moves at `t` [m/s]."""
        before, after = (min(max(t + apart, self.start), self.end) for apart in (-1e-4, 1e-4))
        tips = self.tips_at(np.array([before, after]))
        return (tips[1] - tips[0]) / max(after - before, 1e-12)

    def worst_at(self, t: float, exact: Reference | None) -> float:
        """The largest distance so far between the tip and that of the reference `exact`; see `exact_tips` [m]."""
        return float(np.interp(t, self.times, self._worst_so_far(exact)))

    def _worst_so_far(self, exact: Reference | None) -> Array:
        if self._worst is None or self._worst[0] is not exact:
            gaps = np.linalg.norm(self.tips - self.place - exact_tips(self._run, exact, self.times), axis=1)
            self._worst = exact, np.maximum.accumulate(np.nan_to_num(gaps))
        return self._worst[1]


def corners(shape: ArmShape, poses: Sequence[Pose]) -> Array:
    """(k, 3) points around the whole arm in these poses [m], without a road that runs to the horizon."""
    frames = np.stack([np.concatenate([np.eye(4)[None], pose.world_from_link]) for pose in poses])
    boxes = [frames[:, i, :3, :3] @ box.T + frames[:, i, :3, 3:] for i, box in link_corners(rigid_mesh(shape))]
    points = [np.swapaxes(moved, 1, 2).reshape(-1, 3) for moved in boxes]
    points += [line for pose in poses for line in pose.curves.values()]
    found = np.concatenate(points)
    return found[np.linalg.norm(found - np.asarray(shape.centre), axis=1) <= ROOM_REACH * shape.radius]


_KNOWN: WeakKeyDictionary[Run, dict[Place, RunKinematics]] = WeakKeyDictionary()


def kinematics_of(run: Run, place: Place = ORIGIN) -> RunKinematics:
    """The run's `RunKinematics`, with the arm moved by `place` (3,) [m]."""
    known = _KNOWN.setdefault(run, {})
    if place not in known:
        for other in [one for one in known if one != ORIGIN]:
            del known[other]
        known[place] = RunKinematics(run, place)
    return known[place]


def motor_torques(run: Run, times: Array | None = None) -> list[Array]:
    """The columns u1, u2, ... of the run in their order, at `times` (m,) or at its own, (m,) each [N m]."""
    columns = run.columns(times)
    names = [name for name in columns if name[0] == "u" and name[1:].isdigit()]
    return [columns[name] for name in sorted(names, key=lambda name: int(name[1:]))]


def tip_of(shape: ArmShape, pose: Pose) -> Array | None:
    """(3,) where the tip of an arm in a pose is [m]; None for an arm without one."""
    if shape.tip is None:
        return None
    link, point = shape.tip
    frame = pose.world_from_link[link]
    return frame[:3, :3] @ np.asarray(point) + frame[:3, 3]


def pulling_point(track: Array, t: float) -> Array:
    """(3,) where a pull's target is: through the rows (t, x, y, z) of `track`, cubic, slopes from the neighbours."""
    times, points = track[:, 0], track[:, 1:]
    low = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2))
    high, before, after = low + 1, max(low - 1, 0), min(low + 2, len(times) - 1)
    h = times[high] - times[low]
    s = min(max((t - times[low]) / h, 0.0), 1.0)
    rise = points[high] - points[low]
    slope0 = h * (points[high] - points[before]) / (times[high] - times[before])
    slope1 = h * (points[after] - points[low]) / (times[after] - times[low])
    return points[low] + s * (slope0 + s * (3.0 * rise - 2.0 * slope0 - slope1 + s * (slope0 + slope1 - 2.0 * rise)))


def exact_tips(run: Run, exact: Reference | None, times: Array) -> Array:
    """(m, 3) where the tip of the reference `exact` is at `times`; without one, where the task wants it [m]."""
    if exact is None:
        desired = run.robot.desired_path(run.scenario, times)
        return np.full((len(times), 3), np.nan) if desired is None else desired
    states = exact.sample(times)
    owner = np.searchsorted([phase.start for phase in run.phases[1:]], times, side="right")
    tips = np.empty((len(times), 3))
    for index, phase in enumerate(run.phases):
        mine = owner == index
        if mine.any():
            tips[mine] = run.robot.tip_path(phase.scenario, times[mine], states[mine])
    return tips
