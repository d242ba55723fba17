"""The stiff double pendulum as two bodies with 14 coordinates and 12 constraints.

Source: A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.1.
"""

from __future__ import annotations

import math

import numpy as np

from assets.fields import Values
from robots.dynamics.multibody.partition import consistent
from robots.dynamics.multibody.reduction import full_state
from robots.dynamics.multibody.system import GROUND, Body, System, revolute, torsion_spring
from robots.model.robot import Array

# Angles turn from +x towards +z, which is a rotation about -y.
AXIS = np.array([0.0, -1.0, 0.0])
ALONG = np.array([1.0, 0.0, 0.0])
# A slender rod has no inertia about its axis; this fraction of the other moments changes nothing and keeps it a body.
THIN = 1e-3


def system(parameters: Values) -> System:
    """Rods with centroidal frames, x along the rod; the pivot is the origin."""
    value = {key: float(number) for key, number in parameters.items()}
    m1, m2, L1, L2 = (value[key] for key in ("m1", "m2", "L1", "L2"))
    J1, J2 = m1 * L1**2 / 3.0, m2 * L2**2 / 3.0
    origin, upper, lower = np.zeros(3), L1 * ALONG, L2 * ALONG
    rows = [
        *revolute("pivot", GROUND, 0, origin, -upper, AXIS, AXIS),
        *revolute("hinge", 0, 1, upper, -lower, AXIS, AXIS),
    ]
    springs = (
        torsion_spring(GROUND, 0, AXIS, ALONG, ALONG, value["k1"], value["C1"], value["rest1"]),
        torsion_spring(0, 1, AXIS, ALONG, ALONG, value["k2"], value["C2"], value["rest2"]),
    )
    bodies = Body("rod1", m1, (THIN * J1, J1, J1)), Body("rod2", m2, (THIN * J2, J2, J2))
    return System(bodies, tuple(rows), torsions=springs, gravity=value["g"])


def state(parameters: Values, start: Array) -> Array:
    """The full state of (q1, q2, v1, v2)."""
    L1, L2 = float(parameters["L1"]), float(parameters["L2"])
    q1, q2, v1, v2 = start
    places, rates = [], []
    joint, speed = np.zeros(3), np.zeros(3)
    for half, angle, rate in ((L1, q1, v1), (L2, q2, v2)):
        along = np.array([math.cos(angle), 0.0, math.sin(angle)])
        across = rate * np.array([-math.sin(angle), 0.0, math.cos(angle)])
        c, s = math.cos(0.5 * angle), math.sin(0.5 * angle)
        places += [*(joint + half * along), c, *(s * AXIS)]
        rates += [*(speed + half * across), -0.5 * rate * s, *(0.5 * rate * c * AXIS)]
        joint, speed = joint + 2.0 * half * along, speed + 2.0 * half * across
    built = system(parameters)
    q, rate = consistent(built, np.array(places), np.array(rates))
    return full_state(built, q, rate, np.array([q1, q2 - q1]))


def angles(states: Array) -> Array:
    """(q1, q2, v1, v2) of full states, (m, 4): the springs' angles and rates, added up."""
    return np.column_stack([states[:, 28], states[:, 28] + states[:, 29], states[:, 30], states[:, 30] + states[:, 31]])
