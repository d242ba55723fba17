"""What a method does to y' = lambda y: the stability function, its limits, and the region as data for a picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.problem import Array

ComplexArray = NDArray[np.complex128]

GROWS = 1.0 + 1e-8
"""A factor above this is growth."""

OPEN = 1e-5
"""Coefficients whose squares differ by a smaller share than this leave open which of them is larger."""

BLOCK = 200
"""How many points of an axis are examined together in the search for its limit, which is usually near 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Linear stability of a method.

    Attributes:
        modulus: |R(z)| for an array of z = h lambda: the factor by which a step changes y; above 1 a mode grows.
        real_limit, imaginary_limit: how far from 0 along the negative real and the imaginary axis every point is
            stable; may be inf.
        a_stable, l_stable: stable in the whole left half-plane; and also R(-inf) = 0.
    """

    modulus: Callable[[ComplexArray], Array]
    real_limit: float
    imaginary_limit: float
    a_stable: bool = False
    l_stable: bool = False

    def facts(self) -> dict[str, float | bool]:
        """The limits, to seven digits, and properties as plain data."""
        return {
            "real_limit": float(f"{self.real_limit:.7g}"),
            "imaginary_limit": float(f"{self.imaginary_limit:.7g}"),
            "a_stable": bool(self.a_stable),
            "l_stable": bool(self.l_stable),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """|R(z)| on a grid: x (m,), y (n,) and modulus (n, m); the region is where it is at most 1."""

    x: Array
    y: Array
    modulus: Array


def region(stability: Stability, x: tuple[float, float], y: tuple[float, float], points: int = 200) -> Region:
    """|R(z)| for z = x + iy over a rectangle."""
    xs, ys = np.linspace(*x, points), np.linspace(*y, points)
    return Region(xs, ys, stability.modulus(xs[np.newaxis, :] + 1j * ys[:, np.newaxis]))


def runge_kutta_polynomial(A: Array, b: Array, order: int) -> Array:
    """Coefficients of R(z) = 1 + sum_j (b' A^(j-1) 1) z^j by rising power; up to the order they are 1/j! exactly."""
    values, vector = [1.0], np.ones(len(b))
    for power in range(1, len(b) + 1):
        values.append(1.0 / math.factorial(power) if power <= order else float(b @ vector))
        vector = A @ vector
    trimmed = np.array(values)
    trimmed[np.abs(trimmed) < 1e-16] = 0.0
    return trimmed[: int(np.flatnonzero(trimmed)[-1]) + 1]


def of_runge_kutta(A: Array, b: Array) -> Stability:
    """Stability of R(z) = det(I - z (A - 1 b')) / det(I - z A), with all stages implicit or linearly implicit."""
    return rational(_trimmed(np.poly(A - b)), _trimmed(np.poly(A)))


def _trimmed(polynomial: np.ndarray) -> Array:
    """Without leading coefficients that are zero up to round-off."""
    return np.asarray(polynomial[: int(np.flatnonzero(np.abs(polynomial) > 1e-12)[-1]) + 1], float)


def rational(numerator: Array, denominator: Array) -> Stability:
    """Stability of R = P/Q, both by rising powers of z; Q = (1,) for explicit methods."""

    def modulus(z: ComplexArray) -> Array:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return np.abs(
                np.polynomial.polynomial.polyval(z, numerator) / np.polynomial.polynomial.polyval(z, denominator)
            )

    real = _first_growth(_excess(numerator, denominator, -1.0))
    imaginary = _first_growth(_excess(numerator, denominator, 1j))
    # By the maximum principle, with all poles on the right, |R| <= 1 on the imaginary axis is |R| <= 1 left of it.
    poles = np.roots(denominator[::-1]) if len(denominator) > 1 else np.zeros(0)
    a_stable = math.isinf(imaginary) and len(denominator) >= len(numerator) > 0 and bool(np.all(poles.real > 0))
    # Published coefficients are rounded, so that R(inf) need not be exactly 0.
    vanishes = len(denominator) > len(numerator) or abs(numerator[-1] / denominator[-1]) < 1e-6
    return Stability(modulus, real, imaginary, a_stable, a_stable and vanishes)


def _excess(numerator: Array, denominator: Array, direction: complex) -> Array:
    """|P|^2 - |Q|^2 along z = s * direction, by rising powers of s; round-off is removed."""
    size = 2 * max(len(numerator), len(denominator)) - 1

    def squared(polynomial: Array | ComplexArray) -> Array:
        product = np.convolve(polynomial, polynomial.conj()).real
        return np.concatenate([product, np.zeros(size - len(product))])

    def along(polynomial: Array) -> ComplexArray:
        return np.array([value * direction**power for power, value in enumerate(polynomial)], dtype=np.complex128)

    scale = squared(np.abs(numerator)) + squared(np.abs(denominator))
    difference = squared(along(numerator)) - squared(along(denominator))
    difference[np.abs(difference) < 1e-12 * scale] = 0.0
    return difference[: int(np.flatnonzero(difference)[-1]) + 1] if difference.any() else np.zeros(0)


def _first_growth(excess: Array) -> float:
    """The first s > 0 beyond which the polynomial is positive; inf if it never is, 0 if it is so from the start."""
    if not excess.any():
        return math.inf
    lowest = int(np.flatnonzero(excess)[0])
    if excess[lowest] > 0:
        return 0.0
    roots = np.roots(excess[lowest:][::-1])
    crossings = np.sort(roots[(np.abs(roots.imag) < 1e-9 * (1 + np.abs(roots))) & (roots.real > 0)].real)
    for crossing in crossings:
        if np.polynomial.polynomial.polyval(crossing * (1 + 1e-6), excess[lowest:]) > 0:
            return float(crossing)
    return math.inf


def multistep(rho: Array, sigma: Array) -> Stability:
    """Stability of the linear multi-step method sum rho_j y_(n+j) = h sum sigma_j f_(n+j), by rising j."""
    return from_characteristic(lambda z: rho[::-1] - z[..., np.newaxis] * sigma[::-1])


def of_oscillator(step: Callable[[Array, Array], tuple[Array, Array]]) -> Stability:
    """Stability on q'' = 2 Re(lambda) q' - |lambda|^2 q, whose modes are lambda and its conjugate.

    Args:
        step: trace and determinant of the matrix by which a step changes (q, h q'), of the damping 2 Re(z) and the
            stiffness |z|^2.
    """

    def polynomial(z: ComplexArray) -> ComplexArray:
        trace, determinant = step(2 * z.real, np.abs(z) ** 2)
        return np.asarray(np.stack([np.ones_like(trace), -trace, determinant], axis=-1), dtype=np.complex128)

    return from_characteristic(polynomial)


def from_characteristic(polynomial: Callable[[ComplexArray], ComplexArray]) -> Stability:
    """Stability of a method whose modes are the roots of `polynomial(z)`, (..., k + 1) by falling power."""

    def modulus(z: ComplexArray) -> Array:
        with np.errstate(all="ignore"):
            coefficients = polynomial(np.asarray(z, dtype=np.complex128))
            monic = np.nan_to_num(-coefficients[..., 1:] / coefficients[..., :1], nan=1e30, posinf=1e30, neginf=-1e30)
            k = monic.shape[-1]
            companion = np.zeros((*monic.shape, k), dtype=np.complex128)
            companion[..., 0, :] = monic
            companion[..., np.arange(1, k), np.arange(k - 1)] = 1.0
            return np.asarray(np.abs(np.linalg.eigvals(companion)).max(axis=-1), dtype=np.float64)

    def grows(z: ComplexArray) -> NDArray[np.bool_]:
        """Where a mode grows, by the roots themselves only where the coefficients leave it open."""
        with np.errstate(all="ignore"):
            coefficients = polynomial(z)
        outside, open_ = outside_circle(coefficients)
        outside[open_] = modulus(z[open_]) > GROWS
        return outside

    def limit(direction: complex) -> float:
        """The first point of a fine grid along the axis where a mode grows, refined."""
        # Growth that begins at 0 like a high power of h is far below the grid's threshold, but above round-off.
        if modulus(np.array(0.05 * direction)) > 1 + 1e-12:
            return 0.0
        distances = np.concatenate([np.linspace(0, 20, 4001)[1:], np.geomspace(20, 1e6, 400)[1:]])
        for start in range(0, len(distances), BLOCK):
            points = np.asarray(distances[start : start + BLOCK] * direction, dtype=np.complex128)
            growing = grows(points)
            if growing.any():
                break
        else:
            return math.inf
        first = start + int(np.argmax(growing))
        low, high = (0.0 if first == 0 else float(distances[first - 1])), float(distances[first])
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (low, middle) if modulus(np.array(middle * direction)) > GROWS else (middle, high)
        return low

    real, imaginary = limit(-1.0), limit(1j)
    left: ComplexArray = -np.geomspace(1e-3, 1e4, 24)[:, np.newaxis] + 1j * np.concatenate(
        [[0.0], np.geomspace(1e-3, 1e4, 24)]
    )
    a_stable = math.isinf(imaginary) and math.isinf(real) and not grows(np.asarray(left, dtype=np.complex128)).any()
    l_stable = a_stable and bool(modulus(np.array(-1e12 + 0j)) < 1e-3)
    return Stability(modulus, real, imaginary, a_stable, l_stable)


def outside_circle(polynomials: ComplexArray) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether some root of each polynomial (..., k + 1), by falling power, lies outside the unit circle, and if open.

    Source: J. J. H. Miller, On the location of zeros of certain classes of polynomials (1971), theorem 6.1.
    """
    p = np.array(polynomials, dtype=np.complex128)
    outside, unsure = np.zeros(p.shape[:-1], dtype=bool), ~np.isfinite(p).all(axis=-1)
    p[unsure] = 0.0
    p /= np.maximum(np.abs(p).max(axis=-1, keepdims=True), np.finfo(float).tiny)
    while p.shape[-1] > 1:
        first, last = np.abs(p[..., 0]) ** 2, np.abs(p[..., -1]) ** 2
        unsure |= ~outside & ~(np.abs(first - last) > OPEN * (first + last))
        outside |= ~unsure & (last > first)
        p = (p[..., :1].conj() * p - p[..., -1:] * p[..., ::-1].conj())[..., :-1]
        p /= np.maximum(np.abs(p).max(axis=-1, keepdims=True), np.finfo(float).tiny)
    return np.asarray(outside, dtype=np.bool_), np.asarray(unsure, dtype=np.bool_)
