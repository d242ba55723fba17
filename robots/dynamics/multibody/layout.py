"""The layout of the `params` of a reduced multibody system: numbers, tables, and the scratch memory of one run.

A right-hand side has no other memory and allocates nothing. The header holds counts and constants, then the offset of
every block; blocks are rows of numbers or matrices, row by row.
"""

from __future__ import annotations

# -- header ------------------------------------------------------------------------------------------------------------

BODY_COUNT, ROW_COUNT, FREEDOM, PRODUCT_COUNT, SPRING_COUNT, TORSION_COUNT, TYRE_COUNT = range(7)
GRAVITY, SPEED, BUMP, BUMP_AT = 7, 8, 9, 10
# The greatest condition number of Phi_u that this partition may have (0: any, below 0: it is not computed), the present
# one, and whether it was exceeded.
LIMIT, CONDITION, SPENT = 11, 12, 13
# Whether `POSITION` and what follows from it belong to `STATE`; whether the base of a step is factorised.
KNOWN, FACTORISED = 14, 15
OFFSETS = 17

# -- rows of tables ----------------------------------------------------------------------------------------------------

# body i, body j (-1 is the ground); x: constant 3, factor of r_j - r_i, vectors on i and j, 3 each; y: the same; value.
BODY_I, BODY_J, X, Y, VALUE, PRODUCT = 0, 1, 2, 12, 22, 23
CONSTANT, FACTOR, ON_I, ON_J = 0, 3, 4, 7
# mass, three principal moments
BODY = 4
# a product x = y = d, then stiffness, damping, free length
SPRING = PRODUCT + 3
# the products for cosine and sine of the angle, then stiffness, damping, rest angle
TORSION = 2 * PRODUCT + 3
# the product for the height of the contact point, then stiffness, damping, radius, place along the road
TYRE = PRODUCT + 4

# -- blocks ------------------------------------------------------------------------------------------------------------

(
    BODIES, PRODUCTS, SPRINGS, TORSIONS, TYRES, INDEPENDENT, DEPENDENT, ANGLES,
    BASE, BASE_FACTORS, BASE_H,
    STATE, POSITION, RATE, ACCELERATION, MULTIPLIER, GRADIENT, DENSE, FACTORS, H, FORCE, CURVATURE, RESIDUAL,
    COLUMN, MASS_TANGENT, REDUCED_MASS, REDUCED_PIVOTS, REDUCED_SCALES, RIGHT, FORCE_BY_Q, FORCE_BY_RATE, ROW_BY_Q,
    ROW_BY_RATE, TANGENT, RATE_TANGENT, ROW_TANGENT, ROW_TANGENT_2, TOTAL, KEPT, WORK,
) = range(40)  # fmt: skip
# A row's derivatives by the coordinates of its two bodies; what is kept of every product; the scratch of one product.
PAIR, KEPT_SIZE, WORK_SIZE = 14, 104, 720
HEADER = OFFSETS + 40


def sizes(bodies: int, rows: int, products: int, springs: int, torsions: int, tyres: int) -> list[int]:
    """The number of doubles in each block."""
    n, m = 7 * bodies, rows
    d = n - m
    factors = 5 * m + 1 + 2 * m * m
    by_block = {
        BODIES: BODY * bodies, PRODUCTS: PRODUCT * products, SPRINGS: SPRING * springs, TORSIONS: TORSION * torsions,
        TYRES: TYRE * tyres, INDEPENDENT: d, DEPENDENT: m, ANGLES: torsions,
        BASE: n, BASE_FACTORS: factors, BASE_H: m * d,
        STATE: 2 * d, POSITION: n, RATE: n, ACCELERATION: n, MULTIPLIER: m, GRADIENT: m * n, DENSE: m * m,
        FACTORS: factors, H: m * d, FORCE: n, CURVATURE: m, RESIDUAL: m, COLUMN: n, MASS_TANGENT: n * d,
        REDUCED_MASS: d * d, REDUCED_PIVOTS: d, REDUCED_SCALES: d, RIGHT: d, FORCE_BY_Q: n * n, FORCE_BY_RATE: n * n,
        ROW_BY_Q: m * PAIR, ROW_BY_RATE: m * PAIR, TANGENT: n * d, RATE_TANGENT: n * d, ROW_TANGENT: m * d,
        ROW_TANGENT_2: m * d, TOTAL: n * d, KEPT: KEPT_SIZE * products, WORK: WORK_SIZE,
    }  # fmt: skip
    return [by_block[block] for block in range(len(by_block))]
