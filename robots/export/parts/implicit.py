"""Implicit methods: Runge-Kutta with Newton's iteration, Rosenbrock, backward differentiation formulas."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from robots.export.parts.stepping import controlled, is_good, stop, whole_steps


def exact_jacobian(f):
    """df/dy to round-off: the imaginary part of f at y + 1e-30 i in each direction (Squire, Trapp, 1998)."""

    def jacobian(t, y, slope):
        columns = []
        for direction in np.eye(len(y)):
            columns.append(f(t, y + 1e-30j * direction).imag / 1e-30)
        return np.array(columns).T

    return jacobian


def kernel_jacobian(kernel, params):
    """df/dy of a function that fills its last argument with it."""

    def jacobian(t, y, slope):
        J = np.empty((len(y), len(y)))
        kernel(t, y, params, J)
        return J

    return jacobian


def difference_jacobian(f):
    """df/dy by forward differences."""

    def jacobian(t, y, slope):
        columns = []
        for j in range(len(y)):
            moved = y.copy()
            moved[j] += 1.5e-8 * max(1.0, abs(y[j]))
            columns.append((f(t, moved) - slope) / (moved[j] - y[j]))
        return np.array(columns).T

    return jacobian


class ImplicitRungeKutta:
    """z_i = h (a_i0 f(t, y) + sum_j a_ij f(t + c_j h, y + z_j)); the step ends at y + sum_i d_i z_i.

    Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.8. The last number of e, the weights of the
    error estimate, is that of h f(t, y).
    """

    power, paper_power, tolerance = 4, 6, None

    def __init__(self, f, jacobian, c, first, A, d, e=(), newton=1e-12, most=20):
        self.f, self.jacobian, self.newton, self.most = f, jacobian, newton, most
        self.c, self.first, self.A, self.d, self.e = (np.array(numbers) for numbers in (c, first, A, d, e))

    def begin(self, t, y):
        self.slope = self.f.begin(t, y)
        self.J = self.jacobian(t, y, self.slope)

    def step(self, t, h, y):
        scale, limit = 1.0 + np.abs(y), self.newton
        if self.tolerance:
            scale = self.tolerance.atol + self.tolerance.rtol * np.abs(y)
            tight = max(self.tolerance.rtol, 1e-15)
            limit = max(2e-15 / tight, min(0.03, tight**0.5))
        matrix = lu_factor(np.eye(len(self.c) * len(y)) - h * np.kron(self.A, self.J))
        z, before = np.zeros((len(self.c), len(y))), 0.0
        for iteration in range(self.most):
            k = np.array([self.f(t + c * h, y + shift) for c, shift in zip(self.c, z)])
            residual = h * (np.outer(self.first, self.slope) + self.A @ k) - z
            correction = lu_solve(matrix, residual.ravel()).reshape(z.shape)
            z = z + correction
            size = math.sqrt(np.mean((correction / scale) ** 2)) / limit
            rate = size / before if iteration else 1.0
            if not math.isfinite(size):
                return None
            if size <= 1e-3 or (rate < 1.0 and rate / (1.0 - rate) * size <= 1.0):
                break
            if iteration and rate >= 1.0:
                # Corrections at the level of round-off no longer shrink.
                if self.tolerance or size * limit > 1e-13:
                    return None
                break
            before = size
        else:
            return None
        self.z = z
        return y + self.d @ z

    def error(self, t, h, y, after, tolerance, again):
        matrix = lu_factor(np.eye(len(y)) - h * self.e[-1] * self.J)
        difference = lu_solve(matrix, h * self.e[-1] * self.slope + self.e[:-1] @ self.z)
        error = tolerance.norm(difference, y, after)
        if error <= 1.0 or not again:
            return error
        slope = self.f(t, y + difference)
        difference = lu_solve(matrix, h * self.e[-1] * slope + self.e[:-1] @ self.z)
        return tolerance.norm(difference, y, after)


class Rosenbrock:
    """Linearly implicit: one matrix and no iteration; `nystrom` for y = (q, v) with matrices of half the size.

    Sandu, Negrut, Haug, Potra, Sandu, CSTR-01-06 (2001), theorem 2.1. alpha and gamma are the whole matrices.
    """

    def __init__(self, f, jacobian, alpha, gamma, b, b_error, nystrom, power, paper_power, refresh=1, filtered=False):
        self.f, self.jacobian, self.nystrom, self.refresh = f, jacobian, nystrom, refresh
        self.power, self.paper_power, self.begun, self.filtered = power, paper_power, 0, filtered
        alpha, gamma, b = np.array(alpha), np.array(gamma), np.array([b, np.subtract(b, b_error)])
        inverse = np.linalg.inv(gamma)
        self.gamma, self.alphas, self.gammas = gamma[0, 0], alpha.sum(axis=1), gamma.sum(axis=1)
        self.a, self.c = alpha @ inverse, np.eye(len(alpha)) / self.gamma - inverse
        self.theta, self.delta = alpha + alpha @ alpha @ inverse, gamma + gamma @ alpha @ inverse
        self.m, self.mu = b @ inverse, b + b @ alpha @ inverse
        self.repeats = [i > 0 and np.array_equal(alpha[i], alpha[i - 1]) for i in range(len(alpha))]

    def begin(self, t, y):
        self.slope = self.f.begin(t, y)
        if self.begun == 0:
            self.J, self.by_time = np.zeros((len(y), len(y))), np.zeros(len(y))
        if self.refresh and self.begun % self.refresh == 0:
            later = t + 1e-8 * max(1.0, abs(t))
            self.by_time = (self.f(later, y) - self.slope) / (later - t)
            self.J = self.jacobian(t, y, self.slope)
        self.begun += 1

    def step(self, t, h, y):
        n = len(y) // 2 if self.nystrom else len(y)
        by_q, by_v = self.J[-n:, :n], self.J[-n:, -n:]
        hg = h * self.gamma
        matrix = lu_factor(np.eye(n) - (hg * (by_v + hg * by_q) if self.nystrom else hg * self.J))
        z, slope, v = np.zeros((len(self.alphas), n)), self.slope, y[-n:]
        for i, alpha in enumerate(self.alphas):
            if i > 0 and not self.repeats[i]:
                at = v + self.a[i] @ z
                if self.nystrom:
                    at = np.concatenate([y[:n] + h * (alpha * v + self.theta[i] @ z), at])
                slope = self.f(t + alpha * h, at)
            total = hg * (slope[-n:] + h * self.gammas[i] * self.by_time[-n:]) + self.gamma * (self.c[i] @ z)
            if self.nystrom:
                total = total + h * hg * by_q @ (self.gammas[i] * v + self.delta[i] @ z)
            z[i] = lu_solve(matrix, total)
        after, self.missed = v + self.m[0] @ z, self.m[1] @ z
        if self.nystrom:
            after = np.concatenate([y[:n] + h * (v + self.mu[0] @ z), after])
            self.missed = np.concatenate([h * (self.mu[1] @ z), self.missed])
        if self.filtered:
            self.missed = np.linalg.solve(np.eye(len(y)) - hg * self.J, self.missed)
        return after

    def error(self, t, h, y, after, tolerance, again):
        return tolerance.norm(self.missed, y, after)


def ordinary(f, jacobian):
    """y' = f(t, y) as F(t, y, y') = 0: F and the matrix dF/dy + alpha dF/dy'."""

    def system(t, y, rate, alpha):
        slope = f(t, y)
        return rate - slope, alpha * np.eye(len(y)) - jacobian(t, y, slope)

    return system


def first_states(method, t0, t1, h, y, count):
    """The states after 1 .. count steps, by a method with step control at a tolerance of 1e-12."""
    times = [min(t0 + n * h, t1) for n in range(count + 1)]
    states = []
    for n in range(count):
        y = controlled(method, times[n], times[n + 1], y, 1e-12, 1e-12)[0]
        states.append(y)
    return states


def bdf(system, t0, t1, y, h, weights, first=(), powers=0.0, newton=1e-12, most=20):
    """The state and its rate at t1, and the numbers of steps and of iterations, by Newton's method.

    F(t, y, y') = 0 with the formula y'_n = (w_0 y_n + w_1 y_n-1 + ..) / h. Before t0 y was at rest; otherwise `first`
    gives the first states. Rows of F are divided by their powers of h.
    """
    steps = whole_steps(t1 - t0, h)
    h = (t1 - t0) / steps
    weights = np.array(weights) / h
    history = [*list(first)[::-1], y][: len(weights) - 1]
    history += [y] * (len(weights) - 1 - len(history))
    scale, iterations, rate = h ** -np.asarray(powers, dtype=float), 0, np.zeros_like(y)
    for n in range(len(first), steps):
        t = t1 if n + 1 == steps else t0 + (n + 1) * h
        constant = weights[1:] @ np.array(history)
        x = 2.0 * history[0] - history[1] if 1 < len(history) <= n else history[0]
        change = math.inf
        for iteration in range(1, most + 2):
            if change <= newton:
                break
            if iteration > most:
                stop("Newton's method does not converge", t - h, history[0])
            F, J = system(t, x, weights[0] * x + constant, weights[0])
            matrix = (J.T * scale).T
            if not np.linalg.cond(matrix) < 1e300:
                stop("the matrix of Newton's method is singular", t - h, history[0])
            correction = np.linalg.solve(matrix, F * scale)
            iterations += 1
            x = x - correction
            before, change = change, np.max(np.abs(correction) / (1.0 + np.abs(x)))
            if not is_good(x) or not math.isfinite(change):
                stop("diverged", t - h, history[0])
            # Small corrections that no longer shrink are round-off.
            if change >= 0.25 * before and change < 1e-6 and iteration > 3:
                break
        rate = weights[0] * x + constant
        history = [x, *history[:-1]]
    return history[0], rate, steps, iterations
