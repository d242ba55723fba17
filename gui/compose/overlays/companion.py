"""The same arm, driven by the torques that a run has found."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from gui.compose.overlay import Array, Moment, Overlay, Pieces
from gui.compose.overlays.trail import tip_depth
from scene.picture import Actor, Colour, Dots, Label, Ribbon

if TYPE_CHECKING:
    from robots.model.companion import Companion
    from robots.simulation.run import Run

COLOUR: Colour = (0.80, 0.40, 0.62)
OPACITY = 0.42
MOST_POINTS = 600

_TRAILS: WeakKeyDictionary[Run, tuple[Array, Array]] = WeakKeyDictionary()


class CompanionOverlay(Overlay):
    """The driven arm of every run of inverse dynamics, with its trail."""

    key, order = "companion", 120

    def draw(self, moment: Moment) -> Pieces:
        actors, ribbons, dots, labels = [], [], [], []
        view = moment.view
        for row, arm, _ in moment.runs:
            run = row.run
            if run is None or (follower := run.companion) is None:
                continue
            now = min(max(moment.t, float(follower.t[0])), float(follower.t[-1]))
            state = follower.sample(np.array([now]))
            pose = arm.moved(run.robot.pose(run.scenario, now, state[0]))
            actors.append(Actor(arm.ghost_shape(moment.t), pose, COLOUR, OPACITY, name=follower.label))
            tip = run.robot.tip_path(run.scenario, np.array([now]), state) + arm.place
            if not len(tip) or not np.isfinite(tip).all():
                continue
            dots.append(Dots(tip, COLOUR, 8.0, depth=tip_depth(arm.shape(moment.t))))
            labels.append(Label(follower.label, tip[0], COLOUR, "left", 13.0))
            if view.trail:
                times, tips = _trail(run, follower)
                since = times[0] if view.trail_seconds == 0.0 else now - view.trail_seconds
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


OVERLAY = CompanionOverlay()
