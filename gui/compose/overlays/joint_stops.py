"""The hard stops of the joints: where each can go, and when it is against a stop."""

from __future__ import annotations

import numpy as np

from gui.charts.colours import NEUTRAL, REJECTED
from gui.compose.kinematics import tip_of
from gui.compose.overlay import Moment, Overlay, Pieces, rgb
from robots.model.robot import Array
from scene.picture import DASHED, Ribbon

REACH, NEAR = 0.34, 0.01
"""The radius of the arc as a part of the arm's size, and how close to a stop a joint touches it [rad]."""

LATELY = 0.12
"""An impact is shown for so long [s]."""

POINTS = 25


class JointStopsOverlay(Overlay):
    """An arc over the angles that each joint of the current run has, and a line at each stop; red where it is met."""

    key, order = "joint-stops", 50

    def draw(self, moment: Moment) -> Pieces:
        run, arm, t = moment.shown[0].run, moment.arms[0], min(moment.t, moment.arms[0].end)
        if run is None or (stops := run.robot.stops(run.phase_at(t).scenario)) is None:
            return Pieces()
        scenario, shape, ribbons = run.phase_at(t).scenario, arm.shape(t), []
        state = run.sample(np.array([t]))[0]
        met = {(one.joint, one.side) for one in run.impacts if 0.0 <= t - one.t < LATELY}
        # Joints that follow another one have drives, but no coordinates.
        drives = shape.drives if len(shape.drives) == len(stops.low) else ()
        for joint, (link, point, _) in enumerate(drives):
            low, high = float(stops.low[joint]), float(stops.high[joint])
            if run.robot.unit(f"q{stops.numbers[joint]}") != "rad" or not np.isfinite([low, high]).any():
                continue

            def towards(angle: float, joint: int = joint, link: int = link, point: tuple = point) -> Array | None:
                """The end of an arc's radius, and its centre, (2, 3), while the joint has this angle."""
                turned = state.copy()
                turned[joint] = angle
                pose = run.robot.pose(scenario, t, turned)
                frames = pose.world_from_link
                centre = frames[link] @ [*point, 1.0]
                end = None if (child := shape.carried(link)) is None else frames[child][:3, 3]
                if end is None and shape.tip is not None and shape.tip[0] == link:
                    end = tip_of(shape, pose)
                if end is None or (far := float(np.linalg.norm(end - centre[:3]))) < 1e-9:
                    return None
                return np.stack([centre[:3], centre[:3] + (end - centre[:3]) * (REACH * moment.size / far)]) + arm.place

            for side, end in ((1, high), (-1, low)):
                if np.isfinite(end) and (line := towards(end)) is not None:
                    touched = side * (state[joint] - end) > -NEAR or (joint, side) in met
                    colour = REJECTED if touched else NEUTRAL
                    ribbons.append(Ribbon(line, rgb(colour, moment.theme), 5.0 if touched else 3.0))
            if np.isfinite([low, high]).all():
                arc = [towards(angle) for angle in np.linspace(low, high, POINTS).tolist()]
                outer = np.array([line[1] for line in arc if line is not None])
                if len(outer) > 1:
                    ribbons.append(Ribbon(outer, rgb(NEUTRAL, moment.theme), 1.6, dash=DASHED))
        return Pieces(ribbons=ribbons)


OVERLAY = JointStopsOverlay()
