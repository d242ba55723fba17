"""How the PA-10 looks: turned and rounded parts with the proportions of the real arm.

Source: radii and heights from the collision shapes of the public PA-10 models [m].
"""

from __future__ import annotations

import numpy as np

from robots.catalog.pa10.weld import torch, workpiece
from robots.model.robot import Array
from robots.model.shapes import ALONG_Y, ArmShape, Part, cable, translation

LINKS = (
    "base",
    "turntable (S1)",
    "upper arm (S2)",
    "elbow yoke (S3)",
    "forearm (E1)",
    "wrist fork (E2)",
    "wrist (W1)",
    "flange (W2)",
)


def _placed(link: int, x: float, y: float, z: float) -> Array:
    """Frames 1, 3, 5 of the standard Denavit-Hartenberg form lie on their side when the arm stands upright."""
    frame = translation(x, y, z)
    return ALONG_Y @ frame if link in (1, 3, 5) else frame


def _upright(
    link: int, kind: str, size: tuple[float, ...], at: tuple[float, float, float], material: str, **more: object
) -> Part:
    """A part whose own z is up while the arm stands upright, centred at `at` from the link's origin [m]."""
    return Part(link, kind, size, _placed(link, *at), material, LINKS[link], **more)  # type: ignore[arg-type]


def _across(link: int, radius: float, length: float, material: str, y: float = 0.0) -> Part:
    """A drum along the link's pitch axis."""
    return Part(
        link, "cylinder", (radius, length), _placed(link, 0.0, y, 0.0) @ ALONG_Y, material, LINKS[link], bevel=0.006
    )


def _turned(link: int, profile: list[tuple[float, float]], material: str) -> Part:
    """A part turned about the vertical; the profile is (radius, height above the link's origin) [m]."""
    return Part(link, "lathe", (), _placed(link, 0.0, 0.0, 0.0), material, LINKS[link], outline=np.array(profile))


def _cable(link: int, through: list[tuple[float, float]], side: float) -> Part:
    """A cable behind a link, through the points (x, height above the link's origin), `side` of its middle [m]."""
    points = np.array([(x, side, z) for x, z in through])
    return cable(link, points, 0.0075, _placed(link, 0.0, 0.0, 0.0), LINKS[link])


def _base(shoulder: float) -> list[Part]:
    side = shoulder - 0.23
    cheeks = [_upright(1, "capsule", (0.052, side), (0.0, y, -0.5 * side), "body") for y in (-0.0875, 0.0875)]
    caps = [_across(1, 0.04, 0.012, "joint", y) for y in (-0.143, 0.143)]
    return [
        _turned(
            0,
            [
                (0.0, 0.0),
                (0.15, 0.0),
                (0.15, 0.014),
                (0.118, 0.022),
                (0.115, 0.035),
                (0.115, 0.192),
                (0.108, 0.2),
                (0.0, 0.2),
            ],
            "body",
        ),
        _upright(0, "cylinder", (0.1155, 0.012), (0.0, 0.0, 0.165), "accent", bevel=0.002),
        _upright(1, "cylinder", (0.115, 0.026), (0.0, 0.0, 0.216 - shoulder), "joint"),
        _upright(0, "box", (0.05, 0.09, 0.07), (-0.122, 0.0, 0.085), "dark", bevel=0.01),
        *cheeks,
        *caps,
    ]


def _upper_arm(upper: float) -> list[Part]:
    collar = upper - 0.155
    yoke = [_upright(3, "capsule", (0.046, 0.12), (0.0, y, -0.06), "body") for y in (-0.066, 0.066)]
    caps = [_across(3, 0.034, 0.01, "joint", y) for y in (-0.114, 0.114)]
    tube = [
        (0.0, 0.02),
        (0.058, 0.03),
        (0.06, 0.05),
        (0.06, collar - 0.052),
        (0.057, collar - 0.042),
        (0.0, collar - 0.042),
    ]
    behind = [(-0.05, 0.01), (-0.085, 0.05), (-0.078, 0.5 * collar), (-0.078, collar - 0.07), (-0.05, collar)]
    return [
        _across(2, 0.06, 0.122, "joint"),
        _turned(2, tube, "body"),
        *(_cable(2, behind, y) for y in (-0.011, 0.011)),
        _upright(2, "box", (0.026, 0.05, 0.016), (-0.07, 0.0, 0.45 * collar), "dark", bevel=0.003),
        _upright(2, "cylinder", (0.0605, 0.01), (0.0, 0.0, 0.6 * collar), "accent", bevel=0.002),
        _upright(3, "cylinder", (0.058, 0.07), (0.0, 0.0, collar - upper - 0.005), "dark"),
        *yoke,
        *caps,
    ]


def _forearm(fore: float) -> list[Part]:
    scale = fore / 0.5
    waist = [(0.046, 0.045), (0.040, 0.09), (0.034, 0.14), (0.036, 0.18), (0.044, 0.22), (0.050, 0.25)]
    profile = [(0.0, 0.03), *[(r, z * scale) for r, z in waist], (0.0, 0.25 * scale)]
    blade = np.array(
        [
            (-0.03, -0.12),
            (0.03, -0.12),
            (0.035, 0.08),
            (0.03, 0.12),
            (0.012, 0.138),
            (-0.012, 0.138),
            (-0.03, 0.12),
            (-0.035, 0.08),
        ]
    )
    fork = [
        Part(5, "prism", (0.026,), _placed(5, 0.0, y, -0.105) @ ALONG_Y, "body", LINKS[5], outline=blade, bevel=0.006)
        for y in (-0.063, 0.063)
    ]
    caps = [_across(5, 0.022, 0.008, "joint", y) for y in (-0.08, 0.08)]
    behind = [(-0.03, 0.02), (-0.066, 0.06), (-0.062, 0.14 * scale), (-0.066, 0.22 * scale), (-0.04, 0.27 * scale)]
    return [
        _across(4, 0.05, 0.082, "joint"),
        _turned(4, profile, "body"),
        _cable(4, behind, 0.0),
        _upright(5, "cylinder", (0.055, 0.055), (0.0, 0.0, -fore + 0.2775 * scale), "dark"),
        _upright(5, "cylinder", (0.072, 0.022), (0.0, 0.0, -fore + 0.314 * scale), "joint"),
        *fork,
        *caps,
    ]


def _wrist(hand: float, tool: str) -> list[Part]:
    pointer = _upright(7, "cone", (0.018, 0.003, hand - 0.062), (0.0, 0.0, -0.5 * (hand - 0.062)), "dark", bevel=0.0)
    return [
        _across(6, 0.035, 0.098, "joint"),
        _upright(6, "cone", (0.034, 0.027, 0.05), (0.0, 0.0, 0.03), "body"),
        _upright(7, "cylinder", (0.04, 0.022), (0.0, 0.0, 0.055 - hand), "steel"),
        _upright(7, "cylinder", (0.0405, 0.004), (0.0, 0.0, 0.058 - hand), "accent", bevel=0.001),
        *([pointer] if tool == "pointer" else torch(7, 0.066 - hand)),
    ]


def pa10_shape(table: Array, tool: str, seam: Array | None) -> ArmShape:
    """The arm built on its Denavit-Hartenberg table, (7, 4): frames are the base and the seven links.

    Args:
        tool: `pointer` or `torch`, on the flange.
        seam: the path that the torch welds, (k, 3) [m], if there is a workpiece.
    """
    shoulder, upper, fore, hand = table[0, 1], table[2, 1], table[4, 1], table[6, 1]
    drives = tuple((joint, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)) for joint in range(7))
    return ArmShape(
        links=LINKS,
        parts=(
            *_base(shoulder),
            *_upper_arm(upper),
            *_forearm(fore),
            *_wrist(hand, tool),
            *(workpiece(seam) if seam is not None else ()),
        ),
        tip=(7, (0.0, 0.0, 0.0)),
        centre=(0.2, 0.0, 0.55),
        radius=1.0,
        ground=0.0,
        parents=tuple(range(-1, len(LINKS) - 1)),
        drives=drives,
    )
