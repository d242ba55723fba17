"""Stability functions, their limits and regions, against known values and against the methods themselves."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method, methods
from solvers.tableaux.stability import region
from tests.solvers.problems import linear

# E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.2, and J. D. Lambert (1991).
KNOWN = {
    "rk1": (2.0, 0.0),
    "rk2": (2.0, 0.0),
    "rk3": (2.5127, 1.7321),
    "rk4": (2.7853, 2.8284),
    "dopri5": (3.3066, 0.9972),
    "dop853": (6.3937, None),
}


@pytest.mark.parametrize("key", KNOWN)
def test_known_limits(key: str) -> None:
    """The ends of the stability interval on the negative real and the imaginary axis."""
    stability = find_method(key).stability
    real, imaginary = KNOWN[key]
    assert stability is not None
    assert stability.real_limit == pytest.approx(real, abs=1e-4)
    if imaginary is not None:
        assert stability.imaginary_limit == pytest.approx(imaginary, abs=1e-4)


@pytest.mark.parametrize("key", [key for key, method in methods().items() if method.fixed_step and method.one_step])
def test_stability_function_is_what_a_step_does(key: str) -> None:
    """One step of y' = (lambda) y, as a rotation with decay, multiplies |y| by |R(h lambda)|; at the limits |R| = 1."""
    method = find_method(key)
    if key == "taylor":  # for equations of first order all components have one degree
        method = method.configured({"order": 8, "velocity_order": 8})
    stability = method.stability
    if stability is None or "ode" not in method.problems:
        pytest.skip("has no linear stability function")
    for z in (-0.7 + 0.4j, -1.5 + 0j, 0.3 + 1.1j):
        matrix = np.array([[z.real, -z.imag], [z.imag, z.real]])
        run = integrate(linear(matrix, np.array([1.0, 0.0]), 1.0), method, FixedStep(1.0))
        assert np.hypot(*run.final) == pytest.approx(float(stability.modulus(np.array(z))), rel=1e-9)
    for limit, direction in ((stability.real_limit, -1), (stability.imaginary_limit, 1j)):
        inside = np.linspace(0, min(limit, 50.0), 200) * direction
        assert stability.modulus(inside).max() <= 1 + 1e-8
        if math.isfinite(limit) and limit > 0:
            assert stability.modulus(np.array(limit * direction)) == pytest.approx(1.0, abs=1e-6)
            assert stability.modulus(np.array(1.2 * limit * direction)) > 1


# J. D. Lambert (1991), section 3.8; the orders' stars in E. Hairer, G. Wanner (1996), V.4.
@pytest.mark.parametrize(
    ("key", "limit"), [("ab2", 0), ("ab3", 0.7236), ("ab4", 0.43), ("ab5", 0), ("am4", 0), ("bdf3", 0), ("bdf4", 0)]
)
def test_imaginary_limits_of_multistep_methods(key: str, limit: float) -> None:
    """An undamped oscillation grows from the smallest step on, however slowly, where the limit is 0."""
    stability = find_method(key).stability
    assert stability is not None
    assert stability.imaginary_limit == pytest.approx(limit, abs=1e-4)
    assert (stability.modulus(np.array(0.05j)) > 1) == (limit == 0)


def test_region() -> None:
    """The region of rk1 is the disc of radius 1 around -1."""
    stability = find_method("rk1").stability
    assert stability is not None
    grid = region(stability, (-3, 1), (-2, 2), 101)
    inside = np.hypot(grid.x[np.newaxis, :] + 1, grid.y[:, np.newaxis]) <= 1
    assert np.array_equal(grid.modulus <= 1 + 1e-12, inside | np.isclose(grid.modulus, 1))


@pytest.mark.parametrize("key", ["symplectic-euler", "velocity-verlet", "stoermer-verlet", "taylor"])
def test_stability_of_second_order_methods(key: str) -> None:
    """A step's matrix for q'' = 2 Re(z) v - |z|^2 q, put together from two steps, has its spectral radius."""
    method = find_method(key)
    stability = method.stability
    assert stability is not None
    for z in (0.5j, 1.7j, -0.3 + 0.9j, -0.4 + 0j, 0.2 + 0.4j, 2.1j):
        matrix = np.array([[0.0, 1.0], [-(abs(z) ** 2), 2 * z.real]])
        columns = []
        for start in np.eye(2):
            problem = replace(linear(matrix, start, 1.0), positions=1)
            columns.append(integrate(problem, method, FixedStep(1.0)).final)
        radius = np.abs(np.linalg.eigvals(np.array(columns).T)).max()
        assert radius == pytest.approx(float(stability.modulus(np.array(z))), rel=1e-7)
    if key == "taylor":
        assert stability.imaginary_limit == pytest.approx(2.012, abs=1e-3)
        return
    assert stability.imaginary_limit == pytest.approx(2.0, abs=1e-6)
    # 4 - 4 x - x^2 = 0 for symplectic Euler, whose velocities are damped explicitly.
    assert stability.real_limit == pytest.approx(math.sqrt(8) - 2 if key == "symplectic-euler" else 2.0, abs=1e-6)


@pytest.mark.parametrize(("degree", "velocity"), [(8, 7), (5, 4), (4, 3), (8, 8)])
def test_a_series_grows_beyond_its_imaginary_limit(degree: int, velocity: int) -> None:
    """q'' = -w^2 q over 2000 steps stays bounded just below the limit and grows just above it."""
    options = {"order": degree, "velocity_order": velocity}
    method = find_method("taylor")
    limit = method.configured(options).stability.imaginary_limit
    if degree == 8:
        assert re.search(rf"T\(8, {velocity}\)[^,]* below {limit:.2f}", " ".join(method.notes))
    for share, grows in ((0.98, False), (1.2, True)):
        w = share * limit
        problem = replace(linear(np.array([[0.0, 1.0], [-w * w, 0.0]]), np.array([1.0, 0.0]), 2000.0), positions=1)
        run = integrate(problem, method, FixedStep(1.0), options=options)
        assert (np.abs(run.y).max() > 10.0) == grows
