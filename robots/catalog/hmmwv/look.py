"""How the HMMWV looks: its real hard points, wheels that roll, and a road that passes under it.

The camera rides along: the car stays in place and the road moves, as in the equations.
"""

from __future__ import annotations

import numpy as np

from robots.catalog.hmmwv import vehicle
from robots.catalog.hmmwv.vehicle import CHASSIS, SPINDLES
from robots.dynamics.multibody.frames import body_frames
from robots.model.robot import Array
from robots.model.shapes import ALONG_X, ALONG_Y, ArmShape, Connector, Part, towards, translation

INCH = 0.0254
DATUM = 0.497
RADIUS, WIDTH = 0.47, 0.3
HUB, ARCH = 0.5, 0.6
SPACING = 2.5
ROAD = (-8.5, 9.5)
RACK = 13
# Links behind the 14 bodies.
WHEELS = (14, 15, 16, 17)
MARKS, BUMP = 18, 19


def links() -> tuple[str, ...]:
    """The bodies, the wheels, and the two moving things on the road."""
    names = [body["name"].replace("_", " ") for body in vehicle.data()["bodies"]]
    wheels = [names[k].replace("spindle", "wheel") for k in SPINDLES]
    return (*names, *wheels, "road", "bump")


def poses(t: Array, y: Array, speed: float, bump: float, bump_at: float) -> Array:
    """Frames of all links, (m, 20, 4, 4); the bump shrinks to a speck while it is beyond the drawn road."""
    world = np.zeros((len(t), len(links()), 4, 4))
    bodies = body_frames(y[:, :98])
    world[:, :14] = bodies
    for wheel, spindle in zip(WHEELS, SPINDLES, strict=True):
        angle = speed * t / RADIUS
        spin = np.zeros((len(t), 4, 4))
        spin[:, 0, 0] = spin[:, 2, 2] = np.cos(angle)
        spin[:, 0, 2], spin[:, 2, 0] = np.sin(angle), -np.sin(angle)
        spin[:, 1, 1] = spin[:, 3, 3] = 1.0
        world[:, wheel] = bodies[:, spindle] @ translation(0.0, _hub(spindle), 0.0) @ spin
    world[:, MARKS:] = np.eye(4)
    world[:, MARKS, 0, 3] = -np.mod(speed * t, SPACING)
    place = bump_at - speed * t
    beyond = (place < ROAD[0] + bump) | (place > ROAD[1] - bump)
    world[:, BUMP, 0, 3] = np.where(beyond, 0.0, place)
    world[:, BUMP, 2, 3] = np.where(beyond, -0.02, 0.0)
    world[beyond, BUMP, :3, :3] *= 1e-3
    return world


def shape(bump: float, full: bool) -> ArmShape:
    """Everything that does not move in its link; `full` with the body, otherwise only the frame."""
    parts = [*_rails(), *(_body() if full else []), *_road(bump)]
    for corner in range(4):
        parts += _corner(corner)
    ends = [_at(RACK, chassis) for chassis in (_hard(0, "TC", -1.0), _hard(0, "TC", 1.0))]
    frame, length = towards(*ends)
    parts.append(Part(RACK, "capsule", (0.025, length), frame, "steel", "steering rack"))
    return ArmShape(
        links=links(),
        parts=tuple(parts),
        connectors=(*_springs(), *_tie_rods()),
        centre=(0.05, 0.0, 0.7),
        radius=2.6,
        ground=-0.05,
    )


# -- hard points -------------------------------------------------------------------------------------------------------


def _hard(rear: int, name: str, side: float) -> Array:
    """A hard point of the front or rear axle in the design position; side is 1 on the left, -1 on the right [m]."""
    facts = vehicle.data()["chrono_facts"]
    axle = "rear" if rear else "front"
    x, y, z = (INCH * number for number in facts[f"hardpoints_{axle}_left_inch"][name])
    return np.array([facts[f"{axle}_axle_x"] + x, side * y, DATUM + z])


def _at(body: int, world: Array) -> tuple[float, float, float]:
    """A point of the design position in a body's frame."""
    x, y, z = world - vehicle.design()[7 * body : 7 * body + 3]
    return float(x), float(y), float(z)


def _hub(spindle: int) -> float:
    """How far outboard of the spindle body's centre its wheel is [m]."""
    k = SPINDLES.index(spindle)
    return _at(spindle, _hard(k // 2, "SP", -1.0 if k % 2 == 0 else 1.0))[1]


def _tube(body: int, a: Array, b: Array, radius: float, material: str, name: str) -> Part:
    frame, length = towards(np.array(_at(body, a)), np.array(_at(body, b)))
    return Part(body, "capsule", (radius, length), frame, material, name)


# -- pieces ------------------------------------------------------------------------------------------------------------


def _corner(k: int) -> list[Part]:
    """Wishbones, spindle and wheel of one corner: right front, left front, right rear, left rear."""
    rear, side = k // 2, -1.0 if k % 2 == 0 else 1.0
    upper, lower, spindle, wheel = 1 + 3 * k, 2 + 3 * k, 3 + 3 * k, WHEELS[k]
    names = links()

    def place(name: str) -> Array:
        return _hard(rear, name, side)

    parts = [_tube(upper, place(inner), place("UU"), 0.022, "accent", names[upper]) for inner in ("UF", "UB")]
    parts += [_tube(lower, place(inner), place("LU"), 0.032, "accent", names[lower]) for inner in ("LF", "LB")]
    parts.append(_tube(lower, place("LF"), place("LB"), 0.03, "accent", names[lower]))
    parts += [
        _tube(spindle, place("LU"), place("UU"), 0.04, "steel", names[spindle]),
        _tube(spindle, place("UP"), place("SP"), 0.06, "steel", names[spindle]),
        _tube(spindle, place("UP"), place("TU"), 0.02, "steel", names[spindle]),
    ]
    return [*parts, *_wheel(wheel, side, names[wheel])]


def _wheel(link: int, side: float, name: str) -> list[Part]:
    """A tyre with a tread, a dished rim and eight bolts, all turned about the axle."""
    w = 0.5 * WIDTH
    section = [
        (0.2, -0.8 * w), (0.24, -0.98 * w), (0.4, -w), (0.45, -0.86 * w), (RADIUS, -0.7 * w), (RADIUS, 0.7 * w),
        (0.45, 0.86 * w), (0.4, w), (0.24, 0.98 * w), (0.2, 0.8 * w), (0.2, -0.8 * w),
    ]  # fmt: skip
    rim = [(0.0, 0.1 * w), (0.1, 0.1 * w), (0.13, 0.45 * w), (0.2, 0.75 * w), (0.215, 0.8 * w), (0.215, -0.8 * w)]
    rim += [(0.19, -0.7 * w), (0.0, -0.2 * w)]
    # The lathe's z becomes the outward side.
    outward = np.eye(4)
    outward[:3, :3] = np.column_stack([[1.0, 0, 0], [0, 0, -side], [0, side, 0]])
    parts = [
        Part(link, "lathe", (), outward, "rubber", name, outline=np.array(section)),
        Part(link, "lathe", (), outward, "steel", name, outline=np.array(rim)[::-1]),
        Part(link, "cylinder", (0.055, 0.5 * w), outward @ translation(0.0, 0.0, 0.35 * w), "dark", name),
    ]
    for turn in range(8):
        angle = 0.25 * np.pi * turn
        at = outward @ translation(0.16 * np.cos(angle), 0.16 * np.sin(angle), 0.62 * w)
        parts.append(Part(link, "cylinder", (0.011, 0.03), at, "dark", name, bevel=0.002))
    for turn in range(24):
        angle = np.pi * turn / 12.0
        c, s = np.cos(angle), np.sin(angle)
        block = np.eye(4)
        block[:3, :3] = np.column_stack([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        block[:3, 3] = (0.468 * c, 0.468 * s, 0.0)
        parts.append(Part(link, "box", (0.02, 0.05, 1.3 * w), outward @ block, "rubber", name, bevel=0.006))
    return parts


def _chassis(
    kind: str, size: tuple[float, ...], at: tuple[float, float, float], material: str, name: str, bevel: float = 0.02
) -> Part:
    placed = translation(*_at(CHASSIS, np.array(at)))
    return Part(CHASSIS, kind, size, placed, material, name, bevel=bevel)


def _profile(points: list[tuple[float, float]], width: float, material: str, name: str) -> Part:
    """A side view (x, z) in the design position, extruded across the car; counter-clockwise."""
    x, _, z = vehicle.design()[:3]
    outline = np.array(points) - (x, z)
    return Part(CHASSIS, "prism", (width,), ALONG_Y, material, name, outline=outline, bevel=0.02)


def _rails() -> list[Part]:
    """The ladder frame."""
    parts = [_chassis("box", (4.3, 0.08, 0.14), (0.0, y, 0.56), "dark", "frame") for y in (-0.3, 0.3)]
    parts += [_chassis("box", (0.1, 0.6, 0.12), (x, 0.0, 0.56), "dark", "frame") for x in (-2.1, -1.69, -0.6, 0.6, 2.1)]
    for k in range(4):
        rear, side = k // 2, -1.0 if k % 2 == 0 else 1.0
        mount = _hard(rear, "SC", side)
        foot = np.array([mount[0], 0.3 * side, 0.6])
        parts.append(_tube(CHASSIS, foot, mount, 0.03, "dark", "spring mount"))
        for inner in ("LF", "LB", "UF", "UB"):
            pivot = _hard(rear, inner, side)
            parts.append(
                _tube(CHASSIS, np.array([pivot[0], 0.3 * side, 0.58]), pivot, 0.024, "dark", "suspension mount")
            )
    return parts


def _arch(x: float, low_behind: float, low_before: float) -> list[tuple[float, float]]:
    """A wheel's opening in the side view, from behind the wheel over the top to its front."""
    start, stop = (np.arcsin((low - HUB) / ARCH) for low in (low_behind, low_before))
    angles = np.linspace(np.pi - start, stop, 15)
    return [(x + ARCH * float(np.cos(angle)), HUB + ARCH * float(np.sin(angle))) for angle in angles]


def _body() -> list[Part]:
    """A wide flat bonnet, openings for the wheels, upright doors, a sloping back."""
    axles = [float(vehicle.data()["chrono_facts"][f"{axle}_axle_x"]) for axle in ("rear", "front")]
    hull = [
        (-2.3, 0.82), *_arch(axles[0], 0.82, 0.6), *_arch(axles[1], 0.6, 0.82), (2.3, 0.82),
        (2.35, 1.0), (2.26, 1.12), (0.98, 1.25), (-2.26, 1.25), (-2.3, 1.15),
    ]  # fmt: skip
    cabin = [(-2.2, 1.22), (1.0, 1.22), (0.74, 1.79), (-0.8, 1.84), (-2.2, 1.33)]
    door = [(0.04, 1.31), (0.8, 1.31), (0.63, 1.7), (0.04, 1.7)]
    back = [(-0.86, 1.31), (-0.06, 1.31), (-0.06, 1.7), (-0.86, 1.71)]
    bulge = [(1.12, 1.2), (2.0, 1.12), (2.0, 1.18), (1.12, 1.28)]
    return [
        _profile(hull, 2.12, "paint", "body"),
        _profile(cabin, 1.9, "paint", "cabin"),
        _profile(bulge, 0.9, "paint", "bonnet"),
        *(_profile(window, 1.92, "glass", "window") for window in (door, back)),
        *(_chassis("box", (0.014, 2.126, 0.56), (x, 0.0, 0.92), "dark", "door", 0.0) for x in (0.92, -0.01, -0.94)),
        *(_chassis("box", (0.16, 2.15, 0.03), (x, 0.0, 1.12), "dark", "handle", 0.01) for x in (0.14, -0.8)),
        _chassis("box", (1.9, 2.0, 0.07), (0.0, 0.0, 0.59), "dark", "step", 0.02),
        _chassis("cylinder", (0.36, 0.05), (-0.05, 0.0, 1.83), "paint", "hatch", 0.02),
        *_front(),
        *(_chassis("box", (0.05, 0.1, 0.16), (-2.3, y, 1.02), "accent", "rear lamp", 0.02) for y in (-0.9, 0.9)),
        _chassis("box", (0.1, 1.7, 0.14), (-2.34, 0.0, 0.72), "dark", "bumper"),
    ]


def _front() -> list[Part]:
    """Windscreen in two halves, mirrors, grille, lamps and bumper."""
    low, high = (np.array(_at(CHASSIS, np.array(at))) for at in ([0.985, 0.0, 1.28], [0.775, 0.0, 1.74]))
    screen, length = towards(low, high)
    pane = _upright(screen)
    parts = [
        Part(CHASSIS, "box", (0.82, 0.04, length), pane @ translation(x, 0.0, 0.0), "glass", "windscreen", bevel=0.012)
        for x in (-0.44, 0.44)
    ]
    parts += [_chassis("box", (0.05, 0.14, 0.24), (0.86, y, 1.4), "dark", "mirror", 0.02) for y in (-1.12, 1.12)]
    parts.append(_chassis("box", (0.06, 1.24, 0.2), (2.31, 0.0, 0.97), "dark", "grille"))
    parts += [_chassis("box", (0.07, 0.055, 0.2), (2.315, 0.15 * k, 0.97), "paint", "grille") for k in range(-3, 4)]
    for y in (-0.79, 0.79):
        lamp = translation(*_at(CHASSIS, np.array([2.31, y, 0.98]))) @ ALONG_X
        parts.append(Part(CHASSIS, "cylinder", (0.11, 0.1), lamp, "dark", "headlamp", bevel=0.015))
        parts.append(Part(CHASSIS, "cylinder", (0.088, 0.12), lamp, "steel", "headlamp", bevel=0.03))
    parts.append(_chassis("box", (0.14, 1.8, 0.18), (2.42, 0.0, 0.68), "dark", "bumper", 0.03))
    return parts


def _upright(frame: Array) -> Array:
    """A frame with the same origin and z axis, and with x across the car, (4, 4)."""
    z = frame[:3, 2]
    placed = frame.copy()
    placed[:3, :3] = np.column_stack([[0.0, 1.0, 0.0], np.cross(z, [0.0, 1.0, 0.0]), z])
    return placed


def _springs() -> list[Connector]:
    """Suspension as spring and damper, the stiff spring-dampers in accent, the bushings thin."""
    found = []
    for entry in vehicle.data()["tsda"]:
        i, j = entry["body_i"] - 1, entry["body_j"] - 1
        ends = (i, tuple(entry["s_i"]), j, tuple(entry["s_j"]))
        if entry["kind"] == "suspension":
            found.append(Connector("spring", *ends, 0.062, 7, "steel", "suspension spring"))
            found.append(Connector("damper", *ends, 0.032, 1, "dark", "shock absorber"))
        elif entry["kind"] == "stiff":
            found.append(Connector("spring", *ends, 0.035, 12, "accent", "stiff spring-damper"))
        else:
            found.append(Connector("spring", *ends, 0.014, 6, "steel", "bushing"))
    return found


def _tie_rods() -> list[Connector]:
    found = []
    for entry in vehicle.data()["constraint_primitives"]:
        if entry["primitive"].startswith("distance"):
            ends = (entry["body_i"] - 1, tuple(entry["s_i"]), entry["body_j"] - 1, tuple(entry["s_j"]))
            found.append(Connector("rod", *ends, 0.015, 1, "steel", "tie rod"))
    return found


def _road(bump: float) -> list[Part]:
    """A strip of road, marks along its middle, and the half-cylinder across it."""
    parts = [Part(-1, "box", (ROAD[1] - ROAD[0], 3.6, 0.04), translation(0.5, 0.0, -0.02), "rubber", "road", bevel=0.0)]
    for k in range(-3, 4):
        at = translation(SPACING * k + 0.5 * SPACING, 0.0, 0.002)
        parts.append(Part(MARKS, "box", (1.1, 0.09, 0.006), at, "body", "mark", bevel=0.0))
    if bump > 0.0:
        parts.append(Part(BUMP, "cylinder", (bump, 3.5), ALONG_Y, "accent", "bump", bevel=0.0))
    return parts
