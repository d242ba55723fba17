"""Arms to draw in tests: plain data, independent of the robots."""

from __future__ import annotations

import numpy as np

from robots.model.shapes import ArmShape, Connector, Curve, Part, Pose, translation


def turned(axis: str, angle: float) -> np.ndarray:
    """A (4, 4) rotation about a coordinate axis."""
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    transform = np.eye(4)
    c, s = np.cos(angle), np.sin(angle)
    transform[i, i] = transform[j, j] = c
    transform[i, j], transform[j, i] = -s, s
    return transform


def swing_arm() -> ArmShape:
    """Two links that swing in the x-z plane from a stand, 1 m each."""
    lie = turned("x", np.pi / 2)

    def link(number: int, y: float, width: float, end: float) -> list[Part]:
        a = np.linspace(np.pi / 2, 3 * np.pi / 2, 13)
        left = np.stack([width * np.cos(a), width * np.sin(a)], axis=1)
        b = np.linspace(-np.pi / 2, np.pi / 2, 13)
        right = np.stack([1.0 + end * np.cos(b), end * np.sin(b)], axis=1)
        plate = np.concatenate([left, right])
        return [
            Part(number, "prism", (0.07,), translation(0, y, 0) @ lie, "body", "link", outline=plate, bevel=0.012),
            Part(number, "cylinder", (0.055, 0.10), translation(0, y, 0) @ lie, "joint", "joint cap", bevel=0.010),
            Part(number, "cylinder", (0.034, 0.12), translation(0, y, 0) @ lie, "steel", "shaft", bevel=0.006),
        ]

    parts = [
        Part(-1, "cylinder", (0.34, 0.06), translation(0, 0.24, -2.27), "dark", "foot", bevel=0.015),
        Part(-1, "cone", (0.12, 0.085, 2.2), translation(0, 0.24, -1.15), "body", "column", bevel=0.01),
        Part(-1, "capsule", (0.105, 0.10), translation(0, 0.21, 0) @ lie, "joint", "shoulder"),
        *link(0, 0.06, 0.11, 0.09),
        *link(1, -0.05, 0.085, 0.06),
        Part(0, "cylinder", (0.12, 0.11), translation(0.5, 0.06, 0) @ lie, "accent", "mass", bevel=0.02),
        Part(1, "sphere", (0.11,), translation(1.0, -0.05, 0), "accent", "mass"),
    ]
    return ArmShape(
        ("upper", "lower"), tuple(parts), tip=(1, (1.0, -0.05, 0.0)), centre=(0.0, 0.0, -0.6), radius=2.0, ground=-2.3
    )


def swing_pose(q1: float, q2: float) -> Pose:
    """The two links at angles from the horizontal [rad]."""
    first = turned("y", -q1)
    second = first @ translation(1, 0, 0) @ turned("y", -q2)
    return Pose(np.stack([first, second]))


def swing_tip(q1: np.ndarray, q2: np.ndarray) -> np.ndarray:
    """The tip's positions (k, 3) [m]."""
    return np.stack([np.cos(q1) + np.cos(q1 + q2), np.full_like(q1, -0.05), np.sin(q1) + np.sin(q1 + q2)], axis=1)


def springy() -> tuple[ArmShape, Pose]:
    """A body on a spring, a damper and a rod, with a bent beam."""
    parts = (
        Part(0, "box", (0.4, 0.3, 0.1), np.eye(4), "paint", "body", bevel=0.02),
        Part(-1, "box", (0.6, 0.4, 0.06), translation(0, 0, 0.03), "dark"),
    )
    connectors = (
        Connector("spring", -1, (-0.12, 0, 0.06), 0, (-0.12, 0, -0.05), radius=0.05),
        Connector("damper", -1, (0.12, 0, 0.06), 0, (0.12, 0, -0.05), radius=0.03),
        Connector("rod", -1, (0, 0.1, 0.06), 0, (0, 0.1, -0.05), radius=0.012),
    )
    shape = ArmShape(("body",), parts, connectors, (Curve("beam", 0.02, "accent"),), centre=(0, 0, 0.3), radius=0.5)
    s = np.linspace(0, 1, 20)
    beam = np.stack([0.2 + 0.5 * s, 0 * s, 0.45 + 0.1 * s * s], axis=1)
    return shape, Pose(translation(0, 0, 0.42)[None], {"beam": beam})
