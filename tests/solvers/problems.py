"""Small problems with known solutions, compiled as a robot's right-hand side is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numba import njit

from solvers.kernels.signatures import JACOBIAN, RHS
from solvers.problem import Array, OdeProblem
from tests.solvers.recording import record


@njit(RHS, cache=True, nogil=True)
def pendulum_rhs(t, y, params, dy):
    dy[0] = y[1]
    dy[1] = -params[0] * math.sin(y[0])


@njit(JACOBIAN, cache=True, nogil=True)
def pendulum_jacobian(t, y, params, jacobian):
    jacobian[0, 0] = 0.0
    jacobian[0, 1] = 1.0
    jacobian[1, 0] = -params[0] * math.cos(y[0])
    jacobian[1, 1] = 0.0


@njit(RHS, cache=True, nogil=True)
def turning_rhs(t, y, params, dy):
    """The same pendulum as a body that turns about its second axis: Euler parameters, and rates in its axes."""
    p0, p1, p2, p3, w1, w2, w3 = y[0], y[1], y[2], y[3], y[4], y[5], y[6]
    dy[0] = -0.5 * (p1 * w1 + p2 * w2 + p3 * w3)
    dy[1] = 0.5 * (p0 * w1 + p2 * w3 - p3 * w2)
    dy[2] = 0.5 * (p0 * w2 + p3 * w1 - p1 * w3)
    dy[3] = 0.5 * (p0 * w3 + p1 * w2 - p2 * w1)
    dy[4] = 0.0
    dy[5] = -params[0] * 2.0 * (p1 * p3 + p0 * p2)
    dy[6] = 0.0


@njit(RHS, cache=True, nogil=True)
def two_body_rhs(t, y, params, dy):
    cube = math.sqrt(y[0] * y[0] + y[1] * y[1]) ** 3
    dy[0] = y[2]
    dy[1] = y[3]
    dy[2] = -y[0] / cube
    dy[3] = -y[1] / cube


@njit(RHS, cache=True, nogil=True)
def van_der_pol_rhs(t, y, params, dy):
    dy[0] = y[1]
    dy[1] = params[0] * (1.0 - y[0] * y[0]) * y[1] - y[0]


@njit(JACOBIAN, cache=True, nogil=True)
def van_der_pol_jacobian(t, y, params, jacobian):
    jacobian[0, 0] = 0.0
    jacobian[0, 1] = 1.0
    jacobian[1, 0] = -2.0 * params[0] * y[0] * y[1] - 1.0
    jacobian[1, 1] = params[0] * (1.0 - y[0] * y[0])


@njit(RHS, cache=True, nogil=True)
def growth_rhs(t, y, params, dy):
    """y' = y^p: p = 1 the exponential, p = 2 a solution that is infinite at t = 1 / y(0)."""
    dy[0] = y[0] ** params[0]


@njit(RHS, cache=True, nogil=True)
def time_rhs(t, y, params, dy):
    """y' = y cos t + jump after t = 1: y = exp(sin t) without the jump."""
    dy[0] = y[0] * math.cos(t) + (params[0] if t >= 1.0 else 0.0)


@njit(RHS, cache=True, nogil=True)
def step_rhs(t, y, params, dy):
    """A ramp that begins at t = 1: y = max(0, t - 1)."""
    dy[0] = 1.0 if t >= 1.0 else 0.0


@njit(RHS, cache=True, nogil=True)
def linear_rhs(t, y, params, dy):
    """y' = A y, A given row by row in params."""
    for i in range(y.size):
        total = 0.0
        for j in range(y.size):
            total += params[i * y.size + j] * y[j]
        dy[i] = total


@njit(JACOBIAN, cache=True, nogil=True)
def linear_jacobian(t, y, params, jacobian):
    for i in range(y.size):
        for j in range(y.size):
            jacobian[i, j] = params[i * y.size + j]


@njit(RHS, cache=True, nogil=True)
def logistic_rhs(t, y, params, dy):
    """A nonlinear problem in closed form, y' = y (1 - y / 4) cos t: all elementary differentials are alive."""
    dy[0] = y[0] * (1.0 - 0.25 * y[0]) * math.cos(t)


@njit(JACOBIAN, cache=True, nogil=True)
def logistic_jacobian(t, y, params, jacobian):
    jacobian[0, 0] = (1.0 - 0.5 * y[0]) * math.cos(t)


def logistic_solution(t: Array, y0: float = 1.0) -> Array:
    """The exact solution of `logistic_rhs`, (m,)."""
    return 4.0 / (1.0 + (4.0 / y0 - 1.0) * np.exp(-np.sin(t)))


def two_body_solution(t: float, eccentricity: float = 0.3) -> Array:
    """The exact state of `two_body` at t, (4,), from Kepler's equation."""
    anomaly = t
    for _ in range(50):
        anomaly -= (anomaly - eccentricity * math.sin(anomaly) - t) / (1 - eccentricity * math.cos(anomaly))
    minor = math.sqrt(1 - eccentricity**2)
    rate = 1 / (1 - eccentricity * math.cos(anomaly))
    position = [math.cos(anomaly) - eccentricity, minor * math.sin(anomaly)]
    return np.array([*position, -math.sin(anomaly) * rate, minor * math.cos(anomaly) * rate])


def pendulum(t1: float = 10.0, angle: float = 1.0) -> OdeProblem:
    return OdeProblem(
        pendulum_rhs,
        np.array([angle, 0.0]),
        0.0,
        t1,
        np.array([1.0]),
        ("q1", "v1"),
        ("rad", "rad/s"),
        1,
        pendulum_jacobian,
    )


def turning(t1: float = 10.0, angle: float = 1.0) -> OdeProblem:
    return OdeProblem(
        turning_rhs,
        as_body(np.array([[angle, 0.0]]))[0],
        0.0,
        t1,
        np.array([1.0]),
        ("p0", "p1", "p2", "p3", "w1", "w2", "w3"),
        ("",) * 4 + ("rad/s",) * 3,
        rotations=(0,),
    )


def as_body(states: Array) -> Array:
    """States of `turning` for angles and rates of the pendulum, (n, 7)."""
    half, nothing = 0.5 * states[:, 0], np.zeros(len(states))
    return np.column_stack([np.cos(half), nothing, np.sin(half), nothing, nothing, states[:, 1], nothing])


def two_body(t1: float = 2 * math.pi, eccentricity: float = 0.3) -> OdeProblem:
    start = np.array([1 - eccentricity, 0.0, 0.0, math.sqrt((1 + eccentricity) / (1 - eccentricity))])
    return OdeProblem(two_body_rhs, start, 0.0, t1, np.zeros(1), ("q1", "q2", "v1", "v2"), ("m", "m", "m/s", "m/s"), 2)


def van_der_pol(mu: float = 2.0, t1: float = 5.0) -> OdeProblem:
    names, units = ("q1", "v1"), ("", "1/s")
    return OdeProblem(
        van_der_pol_rhs, np.array([2.0, 0.0]), 0.0, t1, np.array([mu]), names, units, 1, van_der_pol_jacobian
    )


def logistic(t1: float = 2.0) -> OdeProblem:
    return OdeProblem(logistic_rhs, np.ones(1), 0.0, t1, np.zeros(1), ("y1",), ("",), jacobian=logistic_jacobian)


def growth(power: float, t1: float) -> OdeProblem:
    return OdeProblem(growth_rhs, np.ones(1), 0.0, t1, np.array([power]), ("y1",), ("",))


def ramp(t1: float = 2.0) -> OdeProblem:
    return OdeProblem(step_rhs, np.zeros(1), 0.0, t1, np.zeros(1), ("y1",), ("",), breaks=(1.0,))


def linear(matrix: Array, initial: Array, t1: float) -> OdeProblem:
    d = len(initial)
    names = tuple(f"y{j + 1}" for j in range(d))

    def equations(t, y, p):
        return [sum((p[i * d + j] * y[j] for j in range(1, d)), p[i * d] * y[0]) for i in range(d)]

    tape, entries = record(equations, d, d * d), np.ravel(matrix).copy()
    return OdeProblem(linear_rhs, initial, 0.0, t1, entries, names, ("",) * d, jacobian=linear_jacobian, taylor=tape)


def backwards(problem: OdeProblem, final: Array) -> OdeProblem:
    return replace(problem, t0=problem.t1, t1=problem.t0, initial=final)
