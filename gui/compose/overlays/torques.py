"""The torques of the drives, as arcs."""

from __future__ import annotations

import math

import numpy as np

from gui.app.units import reading
from gui.compose.kinematics import motor_torques
from gui.compose.overlay import Array, Moment, Overlay, Pieces
from scene.picture import Arrow, Colour, Label, Ribbon

COLOUR: Colour = (0.55, 0.27, 0.68)
ARC_RADIUS, ARC_MOST = 0.2, 1.5 * math.pi
"""Radius of a torque's arc as a part of the arm's size, and the angle of the run's largest torque [rad]."""


class TorquesOverlay(Overlay):
    """Of the current run, while it moves, with their values; an arc's angle grows with the torque's square root."""

    key, order, setting = "torques", 130, "torques"

    def draw(self, moment: Moment) -> Pieces:
        run, arm = moment.shown[0].run, moment.arms[0]
        if run is None or moment.shown[0].frozen_at(moment.t):
            return Pieces()
        now, most = motor_torques(run, np.array([moment.t])), arm.largest_torque
        shape, pose = arm.shape(moment.t), arm.pose(moment.t)
        ribbons, arrows, labels = [], [], []
        for (link, point, axis), value in zip(shape.drives, now, strict=False):
            torque = float(value[0])
            if not abs(torque) > 0.01 * most or not math.isfinite(torque):
                continue
            frame = pose.world_from_link[link] if link >= 0 else np.eye(4)
            centre = frame[:3, :3] @ np.asarray(point, dtype=float) + frame[:3, 3]
            arc = _arc(centre, frame[:3, :3] @ np.asarray(axis, dtype=float), ARC_RADIUS * shape.radius, torque / most)
            ribbons.append(Ribbon(arc[:-1], COLOUR, 3.5))
            arrows.append(Arrow(arc[-3], arc[-1], COLOUR, 3.5))
            labels.append(Label(reading(torque, "N·m"), arc[len(arc) // 2], COLOUR, "right", 13.0))
        return Pieces(ribbons=ribbons, arrows=arrows, labels=labels)


def _arc(centre: Array, axis: Array, radius: float, share: float) -> Array:
    """(k, 3) points about `axis`, in its positive sense for a positive `share` of the largest angle."""
    axis = axis / np.linalg.norm(axis)
    across = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    upward = np.cross(across, axis)
    turn = math.copysign(math.sqrt(abs(share)) * ARC_MOST, share)
    angles = np.linspace(0.0, turn, 3 + round(abs(turn) / 0.12))[:, None]
    lifted = centre + 0.25 * radius * axis
    return lifted + radius * (np.cos(angles) * upward + np.sin(angles) * across)


OVERLAY = TorquesOverlay()
