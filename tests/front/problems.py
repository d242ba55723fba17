"""Equations with known solutions, written as a person writes them."""

from __future__ import annotations

import math

import numpy as np

# Every kind of stepper: explicit, implicit, linearly implicit, multi-step, and a library's. One step: with control.
CONTROLLED = ["dopri5", "bs32", "dop853", "rkf45", "radau5", "rosenbrock", "adams-pece", "cvode-bdf", "cvode-adams"]
FIXED = ["rk4", "am4", "bdf3", "trapezoidal"]
SCIPY = ["RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA"]


def swing(t, y):
    """A harmonic oscillator; from (1, 0) it is (cos t, -sin t)."""
    return [y[1], -y[0]]


def swung(t):
    """Its solution from (1, 0)."""
    return np.array([np.cos(t), -np.sin(t)])


def swing_jacobian(t, y):
    return np.array([[0.0, 1.0], [-1.0, 0.0]])


def logistic(t, y, rate, limit):
    """Growth with a limit."""
    return rate * y * (1.0 - y / limit)


def grown(t, start, rate, limit):
    """Its solution from `start`."""
    return limit / (1.0 + (limit / start - 1.0) * np.exp(-rate * np.asarray(t)))


def ramp(t, y):
    """y' = 2 t, whatever y is."""
    return [2.0 * t]


def fall(t, y):
    """A stone: height and speed."""
    return [y[1], -10.0]


def ground(t, y):
    """Rises and falls through zero where the stone is on the ground."""
    return y[0]


def stiff(t, y):
    """Prothero and Robinson: y = sin t, after a short while from wherever it starts."""
    return -1e4 * (y - math.sin(t)) + math.cos(t)


def decay(t, y):
    return -y
