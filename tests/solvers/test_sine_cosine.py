"""Sine and cosine of specialised power series, against mpmath, and the same bits for numbers and lanes."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from numba import njit

from solvers.kernels.parts.lane_arithmetic import WIDTH, at, put
from solvers.kernels.parts.sine_cosine import BEYOND, cosine, sine

RANDOM = np.random.default_rng(5)
ANGLES = np.concatenate(
    [
        RANDOM.uniform(-4.0, 4.0, 2000),
        RANDOM.uniform(-BEYOND, BEYOND, 2000),
        np.arange(-1000, 1000) * (math.pi / 2.0),
        [0.0, 1e-300, 5e-324, 0.5 * math.pi, math.pi / 4.0, -math.pi / 4.0, math.nextafter(BEYOND, 0.0), -0.0],
    ]
)
"""As many as whole vectors."""


@njit
def of_numbers(angles, sines, cosines):
    for i in range(angles.size):
        sines[i], cosines[i] = sine(angles[i]), cosine(angles[i])


@njit
def of_lanes(angles, sines, cosines):
    for i in range(angles.size // WIDTH):
        put(sines, i, sine(at(angles, i)))
        put(cosines, i, cosine(at(angles, i)))


def both(compute, angles: np.ndarray) -> np.ndarray:
    found = np.zeros((2, len(angles)))
    compute(angles, found[0], found[1])
    return found


def test_the_last_digit_is_right() -> None:
    found = both(of_numbers, ANGLES)
    with mpmath.workprec(200):
        for angle, *mine in zip(ANGLES.tolist(), *found.tolist(), strict=True):
            for value, exact in zip(mine, (mpmath.sin(angle), mpmath.cos(angle)), strict=True):
                assert abs(value - exact) <= 1.5 * math.ulp(float(exact))


def test_lanes_have_the_bits_of_numbers() -> None:
    assert len(ANGLES) % WIDTH == 0
    np.testing.assert_array_equal(both(of_lanes, ANGLES), both(of_numbers, ANGLES))


@pytest.mark.parametrize("place", [0, WIDTH - 1])
def test_one_lane_that_is_large_or_no_number(place: int) -> None:
    for angle in (BEYOND, -1e22, math.inf, math.nan):
        angles = np.linspace(-3.0, 3.0, WIDTH)
        angles[place] = angle
        found = both(of_lanes, angles)
        np.testing.assert_array_equal(found, both(of_numbers, angles))
        exact = [math.sin(angle), math.cos(angle)] if math.isfinite(angle) else [math.nan, math.nan]
        np.testing.assert_array_equal(found[:, place], exact)
