"""Equations written down once: kernels, derivatives and packed numbers that follow from a plain function."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from numpy import cos, sin, sqrt

from solvers.codegen.closed_form import ClosedForm, source

P = {"g": 9.81, "k": 2.5, "rest": 0.3, "W": np.array([[1.0, 2.0], [0.5, -1.5]])}
states = st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0)).map(np.array)


def everything(t, y, p):
    """Each operation, of both and of one argument that depends on the state; a parameter that is a matrix."""
    a, b = y
    (w, x), (u, v) = p.W
    length = sqrt(3.0 + a * a)
    first = p.g / p.k * sin(a) - b / length + w * cos(t) + (2.0 - b) * x
    return [first + 1.0 / (4.0 + cos(b)), -a * (b - p.rest) + u * t + v * cos(p.rest) * (a - b) / p.k]


FORM = ClosedForm(everything, 2, {"W": (2, 2)})


def slope(form: ClosedForm, params: np.ndarray, t: float, y: np.ndarray) -> np.ndarray:
    dy = np.empty(len(y))
    form.rhs(t, np.array(y), params, dy)
    return dy


@given(states, st.floats(-2.0, 2.0))
def test_the_kernel_computes_the_function(y, t):
    expected = everything(t, y.tolist(), SimpleNamespace(**P))
    np.testing.assert_allclose(slope(FORM, FORM.pack(P), t, y), expected, rtol=1e-13, atol=1e-13)


@given(states, st.floats(-2.0, 2.0))
def test_the_jacobian_is_the_functions_derivative(y, t):
    """By complex steps through the plain function, which shares nothing with the recorded derivative."""
    columns = [np.imag(everything(t, list(y + 1e-30j * unit), SimpleNamespace(**P))) / 1e-30 for unit in np.eye(2)]
    J = np.full((2, 2), np.nan)
    FORM.jacobian(t, np.array(y), FORM.pack(P), J)
    np.testing.assert_allclose(J, np.transpose(columns), rtol=1e-12, atol=1e-12)


def test_parameters_go_by_name():
    shuffled = {key: P[key] for key in reversed(P)} | {"unused": 7.0}
    np.testing.assert_array_equal(FORM.pack(shuffled), FORM.pack(P))
    with pytest.raises(KeyError, match="rest"):
        FORM.pack({key: value for key, value in P.items() if key != "rest"})


def test_what_depends_on_parameters_alone_is_computed_once():
    form = ClosedForm(lambda t, y, p: [y[1], -(p.g / p.k) * sin(y[0]) * cos(p.rest)], 2)
    assert form.pack(P).tolist() == [-(9.81 / 2.5), np.cos(0.3)]
    text = source(form.tape)
    assert text.count("/") == 0
    assert "cos" not in text


def test_a_division_by_nothing_makes_no_noise(recwarn):
    form = ClosedForm(lambda t, y, p: [p.g / p.k * y[0]], 1)
    assert np.isinf(form.pack({"g": 1.0, "k": 0.0})).all()
    assert np.isnan(form.pack({"g": 0.0, "k": 0.0})).all()
    assert not recwarn.list


def test_zeros_of_the_derivative_are_written_over():
    form = ClosedForm(lambda t, y, p: [y[1], 0.0 * t + p.g, 2.0 * y[0]], 3)
    J = np.full((3, 3), 9.0)
    form.jacobian(0.0, np.ones(3), form.pack(P), J)
    assert J.tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]


@njit("f8(f8, f8[::1], i8)")
def table(t, params, k):
    return params[params.size - 2 + k] * t


def test_what_is_given_reads_the_end_of_the_numbers():
    from solvers.codegen.derivative import derivative

    form = ClosedForm(lambda t, y, p: [y[0] * p.second - p.g * p.first], 1, given=("first", "second"), supply=table)
    tape, entries = derivative(form.tape)
    assert entries == [(0, 0)]
    g = {"g": 3.0}
    assert form.pack(g).tolist() == [3.0]
    form.pack(g)[:] = 0.0
    assert form.pack(g).tolist() == [3.0], "whoever packs the same again has numbers of their own"
    assert form.pack({"g": 4.0}).tolist() == [4.0]
    assert tape.given is table
