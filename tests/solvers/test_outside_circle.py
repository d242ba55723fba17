"""Limits of stability are found by the coefficients of the characteristic polynomial, as by its roots."""

from __future__ import annotations

import numpy as np
import pytest

from solvers.tableaux import stability
from solvers.tableaux.stability import multistep, outside_circle


def test_coefficients_say_where_the_roots_are() -> None:
    random = np.random.default_rng(1)
    for degree in range(1, 8):
        roots = random.normal(size=(400, degree, 2), scale=0.5) @ np.array([1.0, 1.0j])
        outside, unsure = outside_circle(np.array([np.poly(row) for row in roots], dtype=complex))
        expected = np.abs(roots).max(axis=1) > 1.0
        assert (outside == expected)[~unsure].all()
        assert unsure.mean() < 0.02
        assert expected.any()


def test_roots_on_the_circle_leave_it_open() -> None:
    made = [np.poly(roots) for roots in ([1.0, 0.3], [1j, -1j], [2.0, 0.3])]
    outside, unsure = outside_circle(np.array(made, dtype=complex))
    assert unsure.tolist() == [True, True, False]
    assert outside[2]


def open_everywhere(polynomials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    shape = polynomials.shape[:-1]
    return np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
def test_limits_are_those_of_the_roots(order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the backward differentiation formulas: the sum of 1/j times the j-th difference is h f."""
    rho = np.zeros(order + 1)
    for j in range(1, order + 1):
        rho[order - j :] += np.poly(np.ones(j))[::-1] / j
    sigma = np.eye(order + 1)[order]
    found = multistep(rho, sigma)
    monkeypatch.setattr(stability, "outside_circle", open_everywhere)
    by_roots = multistep(rho, sigma)
    assert found.facts() == by_roots.facts()
    assert found.a_stable is (order <= 2)
