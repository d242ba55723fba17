"""Change a scenario from a time on: the run keeps its past and gets a new future."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assets.errors import ArmstepError, BadInput
from assets.fields import Value
from robots.model.segments import Pull, Segment
from robots.scenario.scenario import Scenario

CONTROL_PATHS = frozenset({"step", "rtol", "atol", "controller", "first_step", "max_step"})
"""They are chosen together, so an earlier choice of any of them ends all later ones."""

FROM_HERE = "From here on"
"""How refusals begin when there is no time left to change anything."""

STIFFNESS = 60.0
"""Spring of a pull by hand [N/m]."""

DAMPING = 4.0
"""Damper parallel to that spring [N s/m]."""

HOLD = 0.25
"""During a pull, the future is computed as if the mouse stayed where it is for this long [s]."""

Point = Sequence[float]


class TooLate(ArmstepError):
    """No time is left to change anything: said under the field, whose value is none of the reasons.

    Args:
        at: the playhead [s].
        end: until when there is time [s].
        why: what happened then.
    """

    def __init__(self, at: float, end: float, why: str) -> None:
        where = f"the playhead is at {round(at, 3):.9g} s"
        super().__init__(f"{FROM_HERE} is possible only before {end:.6g} s, where the run {why}; {where}")


def continued(scenario: Scenario, at: float, changes: Mapping[str, Value]) -> Scenario:
    """The scenario with `changes` from `at` on [s]; later segments lose their changes of the same fields.

    Another method ends the steps that were chosen for later ones; one chosen at the same time stays if it can have it.

    Raises:
        BadInput: a value that is refused, or a field that cannot change while it runs.
        TooLate: no time is left.
    """
    if not 0.0 <= at < scenario.duration:
        raise TooLate(at, scenario.duration, "ends")
    steps = CONTROL_PATHS if CONTROL_PATHS & set(changes) else frozenset()
    if steps or "method" not in changes:
        return _joined(scenario, at, changes, steps, steps)
    try:
        return _joined(scenario, at, changes, steps, CONTROL_PATHS)
    except BadInput:
        return _joined(scenario, at, changes, CONTROL_PATHS, CONTROL_PATHS)


def _joined(
    scenario: Scenario, at: float, changes: Mapping[str, Value], here: frozenset[str], later: frozenset[str]
) -> Scenario:
    """The scenario with `changes` from `at` on, and without earlier ones of the fields in `here` and `later`."""
    segments: list[Segment] = []
    merged: dict[str, Value] = {}
    for segment in scenario.segments:
        kept, ended = dict(segment.changes), here if segment.at == at else later
        if segment.at >= at:
            kept = {path: value for path, value in kept.items() if path not in changes and path not in ended}
        if segment.at == at and segment.pull is None:
            merged |= kept
        elif kept or segment.pull is not None:
            segments.append(replace(segment, changes=kept))
    return scenario.with_segments(*segments, Segment(at, {**merged, **changes}))


def in_force(scenario: Scenario, t: float) -> Scenario:
    """The scenario as it is at `t` [s]: all changes so far applied, without segments."""
    now = scenario.without_segments()
    for segment in sorted(scenario.segments, key=lambda segment: segment.at):
        if segment.at <= t and segment.changes:
            now = now.with_values(segment.changes)
    return now


def without_segment(scenario: Scenario, index: int) -> Scenario:
    """The scenario without its segment number `index`."""
    return scenario.with_segments(*(segment for k, segment in enumerate(scenario.segments) if k != index))


class DragPath:
    """The track of the mouse that pulls a link by a spring while the playhead moves.

    Args:
        scenario: before the pull.
        link, point: where it holds the arm, `point` in the link's frame [m].
        at: when [s].
        target: where the mouse is, in the world [m].
    """

    def __init__(self, scenario: Scenario, link: int, point: Point, at: float, target: Point) -> None:
        self.scenario = scenario
        self._link = link
        self._point = _triple(point)
        self._track = [(float(at), *_triple(target))]

    @property
    def latest(self) -> float:
        """The time of the latest point of the track [s]."""
        return self._track[-1][0]

    def move(self, t: float, target: Point) -> None:
        """At `t` [s] the mouse is at `target`; while the playhead stands, the last point moves."""
        row = (float(t), *_triple(target))
        if t > self.latest:
            self._track.append(row)
        else:
            self._track[-1] = (self.latest, *row[1:])

    def held(self) -> Scenario:
        """The scenario if the mouse stays where it is for a while.

        Raises:
            BadInput: a link or point that cannot be pulled.
        """
        last = self._track[-1]
        return self._with([*self._track, (last[0] + HOLD, *last[1:])])

    def released(self) -> Scenario:
        """The scenario if the mouse lets go now; without a pull if no time has passed."""
        return self._with(self._track) if len(self._track) > 1 else self.scenario

    def _with(self, track: list[tuple[float, float, float, float]]) -> Scenario:
        start, end = track[0][0], track[-1][0]
        pull = Pull(self._link, self._point, STIFFNESS, DAMPING, tuple(track))
        others = [
            cleared for segment in self.scenario.segments if (cleared := _cleared(segment, start, end)) is not None
        ]
        return self.scenario.with_segments(*others, Segment(start, pull=pull))


def _cleared(segment: Segment, start: float, end: float) -> Segment | None:
    """The segment without its pull within start .. end: there is only one pull at a time."""
    pull = segment.pull
    if pull is None or pull.end <= start or pull.start >= end:
        return segment
    before = tuple(row for row in pull.track if row[0] < start)
    if len(before) >= 2:
        return replace(segment, pull=replace(pull, track=before))
    return replace(segment, pull=None) if segment.changes else None


def _triple(point: Point) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in point)
    return x, y, z
