"""Constrained systems of rigid bodies as plain data: bodies, joints, forces.

A body's frame lies at its centre of mass along its principal axes; its coordinates are the position and the Euler
parameters of that frame. Body -1 is the ground. Points and axes are given in the frame of their body. Every joint is a
few rows for `kernels.primitives`, each a scalar product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assets.errors import BadInput, Range
from robots.dynamics.multibody import layout
from robots.model.robot import Array
from robots.model.shapes import beside

GROUND = -1
Vector = Array | Sequence[float]
COORDINATES = ("x", "y", "z", "e0", "e1", "e2", "e3")


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body: mass [kg], principal moments of inertia [kg m2]."""

    name: str
    mass: float
    inertia: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """One constraint equation by name, as numbers for the primitives, (layout.PRODUCT,)."""

    name: str
    numbers: Array


# -- primitives --------------------------------------------------------------------------------------------------------


def product(
    i: int,
    j: int,
    x: tuple[Vector, float, Vector, Vector],
    y: tuple[Vector, float, Vector, Vector],
    value: float = 0.0,
) -> Array:
    """The numbers of x . y - value; x and y are (constant, factor of r_j - r_i, vector on i, vector on j)."""
    parts = [part for vector in (x, y) for part in vector]
    numbers = np.concatenate([[i, j], *[np.atleast_1d(np.asarray(part, dtype=float)) for part in parts], [value]])
    if i == GROUND and j == GROUND:
        raise BadInput("joint", (i, j), "between two different bodies")
    return numbers


def between(s_i: Vector, s_j: Vector) -> tuple[Vector, float, Vector, Vector]:
    """The vector from a point of body i to a point of body j."""
    return np.zeros(3), 1.0, -np.asarray(s_i, dtype=float), s_j


def on_i(a: Vector) -> tuple[Vector, float, Vector, Vector]:
    """A vector that moves with body i."""
    return np.zeros(3), 0.0, a, np.zeros(3)


def on_j(a: Vector) -> tuple[Vector, float, Vector, Vector]:
    """A vector that moves with body j."""
    return np.zeros(3), 0.0, np.zeros(3), a


def fixed_vector(a: Vector) -> tuple[Vector, float, Vector, Vector]:
    """A constant vector."""
    return a, 0.0, np.zeros(3), np.zeros(3)


def dot_1(name: str, i: int, j: int, a_i: Vector, a_j: Vector) -> list[Constraint]:
    """Two body-fixed vectors stay perpendicular."""
    return [Constraint(name, product(i, j, on_i(a_i), on_j(a_j)))]


def dot_2(name: str, i: int, j: int, a_i: Vector, s_i: Vector, s_j: Vector) -> list[Constraint]:
    """A vector on body i stays perpendicular to the line between two points."""
    return [Constraint(name, product(i, j, on_i(a_i), between(s_i, s_j)))]


def point(name: str, i: int, j: int, s_i: Vector, s_j: Vector) -> list[Constraint]:
    """Two points coincide: a spherical joint."""
    return [
        Constraint(f"{name} ({axis})", product(i, j, fixed_vector(unit), between(s_i, s_j)))
        for axis, unit in zip("xyz", np.eye(3), strict=True)
    ]


def distance(name: str, i: int, j: int, s_i: Vector, s_j: Vector, length: float) -> list[Constraint]:
    """Two points keep their distance [m]."""
    if not length > 0.0:
        raise BadInput(f"length of {name}", length, Range(0.0, above=True, unit="m"))
    return [Constraint(name, product(i, j, between(s_i, s_j), between(s_i, s_j), length**2))]


# -- joints ------------------------------------------------------------------------------------------------------------


def revolute(name: str, i: int, j: int, s_i: Vector, s_j: Vector, axis_i: Vector, axis_j: Vector) -> list[Constraint]:
    """One rotation is free, about an axis fixed in both bodies."""
    rows, axis = point(name, i, j, s_i, s_j), np.asarray(axis_i, dtype=float)
    for k, across in enumerate(beside(axis / np.linalg.norm(axis))):
        rows += dot_1(f"{name} (axis {k + 1})", i, j, across, axis_j)
    return rows


# -- forces ------------------------------------------------------------------------------------------------------------


def spring_damper(i: int, j: int, s_i: Vector, s_j: Vector, k: float, c: float, free: float) -> Array:
    """A translational spring-damper between two points: stiffness [N/m], damping [N s/m], free length [m]."""
    return np.append(product(i, j, between(s_i, s_j), between(s_i, s_j)), [k, c, free])


def torsion_spring(
    i: int, j: int, axis_i: Vector, zero_i: Vector, zero_j: Vector, k: float, c: float, rest: float
) -> Array:
    """A rotational spring-damper about an axis of body i: [N m/rad], [N m s/rad], rest angle [rad].

    The angle turns from `zero_i` to `zero_j`, both perpendicular to the axis.
    """
    side = np.cross(np.asarray(axis_i), np.asarray(zero_i))
    both = np.append(product(i, j, on_i(zero_i), on_j(zero_j)), product(i, j, on_i(side), on_j(zero_j)))
    return np.append(both, [k, c, rest])


def tyre(body: int, s: Vector, k: float, c: float, radius: float, place: float) -> Array:
    """A tyre that pushes a point of a body upwards, never pulls.

    Args:
        body, s: the point.
        k, c: stiffness [N/m] and damping [N s/m].
        radius, place: free radius, and where along the road it touches [m].
    """
    height = product(GROUND, body, fixed_vector((0.0, 0.0, 1.0)), between(np.zeros(3), s))
    return np.append(height, [k, c, radius, place])


# -- the system --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class System:
    """Bodies, joints and forces.

    Attributes:
        bodies, rows: the bodies; the joints' equations. The norms of the Euler parameters are added automatically.
        springs, torsions, tyres: rows from `spring_damper`, `torsion_spring`, `tyre`.
        gravity: along -z [m/s2].
        speed, bump, bump_at: of the road under the tyres [m/s], radius [m] and place [m] of a half-cylinder across it.

    Raises:
        BadInput: for a body without mass or inertia, by name.
    """

    bodies: tuple[Body, ...]
    rows: tuple[Constraint, ...]
    springs: tuple[Array, ...] = ()
    torsions: tuple[Array, ...] = ()
    tyres: tuple[Array, ...] = ()
    gravity: float = 9.81
    speed: float = 0.0
    bump: float = 0.0
    bump_at: float = 0.0

    def __post_init__(self) -> None:
        for body in self.bodies:
            if not body.mass > 0.0:
                raise BadInput(f"mass of {body.name}", body.mass, Range(0.0, above=True, unit="kg"))
            if not min(body.inertia) > 0.0:
                raise BadInput(f"inertia of {body.name}", body.inertia, "three numbers above 0")

    @property
    def coordinates(self) -> int:
        """The number of coordinates n."""
        return 7 * len(self.bodies)

    @property
    def constraints(self) -> int:
        """The number of constraints m."""
        return len(self.rows) + len(self.bodies)

    @property
    def freedom(self) -> int:
        """Degrees of freedom, n - m, when the constraints are independent."""
        return self.coordinates - self.constraints

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The coordinates' names, `chassis_x` and so on."""
        return tuple(f"{body.name}_{name}" for body in self.bodies for name in COORDINATES)

    def described(self, chosen: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names and the units of some coordinates, by number, followed by those of their rates."""
        names = [self.names[k] for k in chosen]
        units = [("m", "m/s") if k % 7 < 3 else ("", "1/s") for k in chosen]
        return (*names, *(f"{name}'" for name in names)), tuple(unit[of_rates] for of_rates in (0, 1) for unit in units)

    @cached_property
    def constraint_names(self) -> tuple[str, ...]:
        """The names of the constraints, in order."""
        return (*(row.name for row in self.rows), *(f"norm of {body.name}" for body in self.bodies))

    def pack(self, q: Array, dependent: Sequence[int], angles: Array) -> Array:
        """The `params` of the kernels with q (n,) as the position to start from and a partition.

        Args:
            q: a position near the constraints.
            dependent: the m coordinates that follow from the others.
            angles: of the torsion springs, whole turns counted [rad].
        """
        params = self._template.copy()
        chosen = np.zeros(self.coordinates, dtype=bool)
        chosen[list(dependent)] = True
        content = {
            layout.INDEPENDENT: np.flatnonzero(~chosen).view(float),
            layout.DEPENDENT: np.flatnonzero(chosen).view(float),
            layout.ANGLES: angles,
            layout.BASE: q,
            layout.POSITION: q,
        }
        for name, numbers in content.items():
            self.block(params, name, len(numbers))[:] = numbers
        return params

    @cached_property
    def _template(self) -> Array:
        """The part of `params` that depends on neither position nor partition."""
        counts = len(self.bodies), self.constraints, len(self.rows), len(self.springs)
        sizes = layout.sizes(*counts, len(self.torsions), len(self.tyres))
        starts = layout.HEADER + np.concatenate([[0], np.cumsum(sizes)])
        params = np.zeros(starts[-1])
        head = {
            layout.BODY_COUNT: len(self.bodies),
            layout.ROW_COUNT: self.constraints,
            layout.FREEDOM: self.freedom,
            layout.PRODUCT_COUNT: len(self.rows),
            layout.SPRING_COUNT: len(self.springs),
            layout.TORSION_COUNT: len(self.torsions),
            layout.TYRE_COUNT: len(self.tyres),
            layout.GRAVITY: self.gravity,
            layout.SPEED: self.speed,
            layout.BUMP: self.bump,
            layout.BUMP_AT: self.bump_at,
        }
        for slot, number in head.items():
            params[slot] = number
        params[layout.OFFSETS : layout.HEADER] = starts[:-1]
        content = {
            layout.BODIES: np.array([[body.mass, *body.inertia] for body in self.bodies]),
            layout.PRODUCTS: np.array([row.numbers for row in self.rows]),
            layout.SPRINGS: np.array(self.springs),
            layout.TORSIONS: np.array(self.torsions),
            layout.TYRES: np.array(self.tyres),
        }
        for name, numbers in content.items():
            params[starts[name] : starts[name + 1]] = np.ravel(numbers)
        return params

    def block(self, params: Array, name: int, size: int) -> Array:
        """A block of packed `params`, as a view."""
        start = int(params[layout.OFFSETS + name])
        return params[start : start + size]
