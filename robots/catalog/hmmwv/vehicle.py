"""The HMMWV of paper 4 as bodies, joints and forces, from its data file.

Preloads make the design position an exact equilibrium, whatever the stiffnesses: free lengths and radii follow.

Source: `assets/robots/hmmwv.json`, which says where each number comes from and what had to be chosen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

import assets
from assets.fields import Data, Values
from robots.dynamics.multibody import layout
from robots.dynamics.multibody.frames import body_frames
from robots.dynamics.multibody.partition import consistent, dependent_coordinates
from robots.dynamics.multibody.reduction import MultibodyProblem, full_state, reduce
from robots.dynamics.multibody.system import (
    Body,
    Constraint,
    System,
    distance,
    dot_1,
    dot_2,
    point,
    spring_damper,
    tyre,
)
from robots.model.robot import Array
from solvers.problem import OdeProblem

FIRST_CONTACT = 0.5
"""The time at which the front wheels touch the bump [s]."""
AXLES = ("front", "rear")
CHASSIS, SPINDLES = 0, (3, 6, 9, 12)
"""Bodies by number; the spindles right front, left front, right rear, left rear."""


@cache
def data() -> Data:
    """The data file."""
    return json.loads(assets.read_text("robots/hmmwv.json"))


@cache
def design() -> Array:
    """The coordinates of the design position, (98,): all bodies unrotated."""
    return np.concatenate([[*body["position"], *body["euler_parameters"]] for body in data()["bodies"]])


def chassis_point(body: int, s: Sequence[float]) -> Array:
    """A point of a body (counted from 0) in the design position, in the world [m]."""
    return design()[7 * body : 7 * body + 3] + np.asarray(s, dtype=float)


def joints() -> list[Constraint]:
    """The 66 equations of the joints and of the steering lock; tie rods are as long as the hard points say."""
    names = [body["name"] for body in data()["bodies"]]
    rows: list[Constraint] = []
    for entry in data()["constraint_primitives"]:
        i, j = entry["body_i"] - 1, entry["body_j"] - 1
        kind = entry["primitive"].partition("(")[0]
        name = f"{names[i]} to {names[j]}, {kind}"
        if kind == "spherical":
            rows += point(name, i, j, entry["s_i"], entry["s_j"])
        elif kind == "distance":
            length = float(np.linalg.norm(chassis_point(i, entry["s_i"]) - chassis_point(j, entry["s_j"])))
            rows += distance(name, i, j, entry["s_i"], entry["s_j"], length)
        elif kind == "dot1":
            rows += dot_1(name, i, j, entry["a_i"], entry["a_j"])
        else:
            rows += dot_2(name, i, j, entry["a_i"], entry["s_i"], entry["s_j"])
    return rows


def springs(parameters: Mapping[str, float], preloads: Mapping[str, float]) -> list[Array]:
    """The twelve spring-dampers; `preloads` are their forces of tension at rest by axle [N]."""
    built = []
    for entry in data()["tsda"]:
        i, j = entry["body_i"] - 1, entry["body_j"] - 1
        axle = _axle(j)
        length = float(np.linalg.norm(chassis_point(i, entry["s_i"]) - chassis_point(j, entry["s_j"])))
        if entry["kind"] == "suspension":
            k, c, force = parameters[f"k_{axle}"], parameters[f"c_{axle}"], preloads[axle]
        elif entry["kind"] == "stiff":
            k, c, force = parameters["k_stiff"], parameters["c_stiff"], preloads[f"stiff {axle}"]
        else:
            k, c, force = entry["k"], entry["c"], preloads[f"bushing {axle}"]
        built.append(spring_damper(i, j, entry["s_i"], entry["s_j"], k, c, length - force / k))
    return built


def tyres(parameters: Mapping[str, float], preloads: Mapping[str, float]) -> list[Array]:
    """The four tyres; `preloads` are their forces at rest by axle [N]."""
    built = []
    for entry in data()["tyres"]:
        body = entry["body"] - 1
        height = chassis_point(body, entry["s"])[2]
        radius = height + preloads[f"tyre {_axle(body)}"] / parameters["k_tyre"]
        built.append(tyre(body, entry["s"], parameters["k_tyre"], parameters["c_tyre"], radius, entry["contact_x"]))
    return built


def _axle(body: int) -> str:
    return "front" if "front" in data()["bodies"][body]["name"] else "rear"


DEFAULTS = {"k_stiff": 2e7, "c_stiff": 2e6, "k_tyre": 296325.0, "c_tyre": 3502.0, "k_front": 6e4, "k_rear": 1.1e5}
DAMPING = {"c_front": 19015.5692, "c_rear": 36725.2201, "bump": 0.05, "speed": 4.4704}
AT_REST = {**DEFAULTS, **DAMPING, "bump": 0.0}


@cache
def preloads() -> dict[str, float]:
    """Forces of the springs and tyres at rest by axle [N]: the nominal ones, made exact by least squares."""
    printed = {f"{kind}{axle}": 0.0 for kind in ("", "tyre ", "stiff ", "bushing ") for axle in AXLES}
    for entry in data()["tsda"]:
        if entry["kind"] == "suspension":
            printed[_axle(entry["body_j"] - 1)] = float(entry["preload_at_design"])
    for entry in data()["tyres"]:
        body = entry["body"] - 1
        depth = entry["free_radius"] - chassis_point(body, entry["s"])[2]
        printed[f"tyre {_axle(body)}"] = float(entry["k"]) * float(depth)
    names, values = list(printed), np.array(list(printed.values()))
    built = _system(AT_REST, printed)
    at_rest = reduce(MultibodyProblem(built, np.concatenate([design(), np.zeros(built.coordinates)]), 0.0, 1.0))
    for _ in range(3):
        rest = _acceleration(at_rest, built, dict(zip(names, values, strict=True)))
        slopes = []
        for k in range(len(names)):
            moved = values.copy()
            moved[k] += 1000.0
            slopes.append((_acceleration(at_rest, built, dict(zip(names, moved, strict=True))) - rest) / 1000.0)
        values = values - np.linalg.lstsq(np.array(slopes).T, rest, rcond=1e-9)[0]
    return dict(zip(names, map(float, values), strict=True))


def _acceleration(at_rest: OdeProblem, built: System, forces: dict[str, float]) -> Array:
    """In the design position with other preloads, whose springs and tyres alone are other numbers."""
    params, slope = at_rest.params.copy(), np.empty(len(at_rest.initial))
    for block, rows in (layout.SPRINGS, springs(AT_REST, forces)), (layout.TYRES, tyres(AT_REST, forces)):
        numbers = np.ravel(rows)
        built.block(params, block, len(numbers))[:] = numbers
    at_rest.rhs(0.0, at_rest.initial.copy(), params, slope)
    return slope[len(slope) // 2 :]


def _system(parameters: Mapping[str, float], forces: Mapping[str, float]) -> System:
    bodies = []
    for body in data()["bodies"]:
        moments = body["inertia_diag_and_products"]
        bodies.append(Body(body["name"], body["mass"], (moments["xx"], moments["yy"], moments["zz"])))
    wheels = tuple(tyres(parameters, forces))
    built = System(tuple(bodies), tuple(joints()), tuple(springs(parameters, forces)), (), wheels)
    first = max(data()["tyres"], key=lambda entry: entry["contact_x"])
    reach = half_width(_radius(wheels[data()["tyres"].index(first)]), parameters["bump"])
    place = first["contact_x"] + parameters["speed"] * FIRST_CONTACT + reach
    return replace(built, speed=parameters["speed"], bump=parameters["bump"], bump_at=place)


def system(parameters: Values) -> System:
    """The vehicle with these stiffnesses, dampings and this road."""
    return _cached(tuple((key, float(number)) for key, number in parameters.items()))


@lru_cache(maxsize=16)
def _cached(parameters: tuple[tuple[str, float], ...]) -> System:
    return _system(dict(parameters), preloads())


def state(built: System) -> Array:
    """The full state at rest in the design position."""
    q, rate = consistent(built, design(), np.zeros(built.coordinates))
    return full_state(built, q, rate, np.zeros(0))


def travel(y: Array) -> Array:
    """How far each spindle has moved up in the chassis' frame from the design position, (n, 4) [m]."""
    n = data()["counts"]["coordinates"]
    chassis = body_frames(y[:, :n])[:, CHASSIS]
    ways = []
    for body in SPINDLES:
        apart = y[:, 7 * body : 7 * body + 3] - y[:, :3]
        height = np.einsum("ni,ni->n", chassis[:, :3, 2], apart)
        ways.append(height - (design()[7 * body + 2] - design()[2]))
    return np.stack(ways, axis=1)


def _radius(row: Array) -> float:
    return float(row[-2])


def half_width(radius: float, bump: float) -> float:
    """Half the length of road on which a wheel of this radius is lifted by the bump [m]."""
    return math.sqrt((radius + bump) ** 2 - radius**2)


def tyre_forces(built: System, t: Array, y: Array) -> Array:
    """How hard each tyre pushes at times (m,) and states (m, d), (m, 4) [N]; 0 while it is off the road."""
    from robots.dynamics.multibody.kernels.forces import stretch, tyre_law

    n, work, found = built.coordinates, np.zeros(layout.WORK_SIZE), np.zeros((len(t), len(built.tyres)))
    params = built.pack(y[0, :n], range(built.constraints), np.zeros(len(built.torsions)))
    for k, (time, state) in enumerate(zip(t, np.array(y, order="C"), strict=True)):
        for wheel, row in enumerate(built.tyres):
            height, rate = stretch(row, state[:n], state[n : 2 * n], work)
            found[k, wheel] = -tyre_law(row, time, params, height, rate)[0]
    return found


def breaks(built: System, duration: float) -> tuple[float, ...]:
    """The times at which a wheel meets or leaves the bump [s]."""
    if built.bump == 0.0 or built.speed == 0.0:
        return ()
    times = set()
    for row in built.tyres:
        reach, place = half_width(_radius(row), built.bump), float(row[-1])
        times |= {(built.bump_at - place + side * reach) / built.speed for side in (-1.0, 1.0)}
    # Left and right wheels touch together.
    kept: list[float] = []
    for time in sorted(times):
        if 0.0 < time < duration and (not kept or time - kept[-1] > 1e-9):
            kept.append(time)
    return tuple(kept)


@cache
def independent() -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The names and numbers of the 18 coordinates that are independent in the design position."""
    built = system({**DEFAULTS, **DAMPING})
    chosen = np.setdiff1d(np.arange(built.coordinates), dependent_coordinates(built, design()))
    return tuple(built.names[k] for k in chosen), tuple(map(int, chosen))
