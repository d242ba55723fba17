"""The second motion of a run in the picture: the same arm, driven by the torques that the run found. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gui.compose.overlay import Pieces
from gui.compose.places import arms_of
from scene.picture import Actor, Colour, Dots, Label, Ribbon

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.model.companion import Companion
    from robots.simulation.run import Run

Array = NDArray[np.float64]

COLOUR: Colour = (0.80, 0.40, 0.62)
OPACITY = 0.42
MOST_POINTS = 600

_TRAILS: WeakKeyDictionary[Run, tuple[Array, Array]] = WeakKeyDictionary()


def companion_pieces(shown: Sequence[RunRow], t: float, trail_seconds: float | None) -> Pieces:
    """The driven arm of every shown run that has one.

    Args:
        shown, t: the rows at time `t` [s].
        trail_seconds: how much of the tip's past is drawn; 0 is all of it, None nothing.
    """
    actors: list[Actor] = []
    ribbons: list[Ribbon] = []
    dots: list[Dots] = []
    labels: list[Label] = []
    runs = [row.run for row in shown if row.run is not None]
    for run, arm in zip(runs, arms_of(shown), strict=True):
        follower = run.companion
        if follower is None:
            continue
        now = min(max(t, float(follower.t[0])), float(follower.t[-1]))
        state = follower.sample(np.array([now]))
        pose = arm.moved(run.robot.pose(run.scenario, now, state[0]))
        actors.append(Actor(arm.ghost_shape(t), pose, COLOUR, OPACITY, name=follower.label))
        tip = run.robot.tip_path(run.scenario, np.array([now]), state) + arm.place
        if not len(tip) or not np.isfinite(tip).all():
            continue
        dots.append(Dots(tip, COLOUR, 8.0))
        labels.append(Label(follower.label, tip[0], COLOUR, "left", 13.0))
        if trail_seconds is not None:
            times, tips = _trail(run, follower)
            since = times[0] if trail_seconds == 0.0 else now - trail_seconds
            past = tips[(times >= since) & (times < now)]
            if len(past):
                ribbons.append(Ribbon(np.vstack([past + arm.place, tip]), COLOUR, 3.0, fade=True))
    return Pieces(actors, ribbons, dots, labels=labels)


def _trail(run: Run, follower: Companion) -> tuple[Array, Array]:
    """Times (k,) and where the driven tip is then (k, 3) [m], computed once per run."""
    if run not in _TRAILS:
        times = np.linspace(follower.t[0], follower.t[-1], min(MOST_POINTS, 4 * len(follower.t)))
        _TRAILS[run] = times, run.robot.tip_path(run.scenario, times, follower.sample(times))
    return _TRAILS[run]
