"""The two loops that every one-step method shares: a fixed step, and step control."""

from __future__ import annotations

import math

import numpy as np


class Counted:
    """f(t, y) and how often it was called; `hold`, if there is one, is called at the beginning of each step."""

    def __init__(self, function, hold=None):
        self.function, self.hold, self.calls = function, hold, 0

    def __call__(self, t, y):
        self.calls += 1
        return self.function(t, y)

    def begin(self, t, y):
        """f at the beginning of a step."""
        if self.hold:
            self.hold(t, y)
        return self(t, y)


def with_parameters(equations, p):
    """f(t, y) of equations that name their parameters."""
    return lambda t, y: np.array(equations(t, y.tolist(), p))


def with_numbers(kernel, params):
    """f(t, y) of a function that has its parameters and its memory in `params` and fills its last argument."""

    def f(t, y):
        slope = np.empty_like(y)
        kernel(t, y, params, slope)
        return slope

    return f


def with_matrix(kernel, params):
    """F(t, x, x') and dF/dx + alpha dF/dx' of a function that fills its last two arguments."""

    def system(t, x, rate, alpha):
        F, J = np.empty(len(x)), np.empty((len(x), len(x)))
        kernel(t, x, rate, alpha, params, F, J)
        return F, J

    return system


def stop(why, t, y):
    """End the script when the integration cannot continue."""
    raise SystemExit(f"{why}: the last good state is y = {y.tolist()} at t = {float(t)}")


def is_good(y):
    """Whether a step has led to numbers of a sensible size."""
    return y is not None and bool(np.all(np.abs(y) < 1e100))


def whole_steps(span, h):
    """How many steps h make up the span; the last one is shorter if h does not divide it."""
    nearest = round(span / h)
    return nearest if nearest > 0 and abs(span / h - nearest) <= 1e-9 * nearest else math.ceil(span / h)


def fixed(method, t0, t1, y, h):
    """The state at t1 and the numbers of accepted and of rejected steps, with the fixed step h."""
    steps = whole_steps(t1 - t0, h)
    for n in range(steps):
        t = t0 + n * h
        method.begin(t, y)
        after = method.step(t, h if n + 1 < steps else t1 - t, y)
        if not is_good(after):
            stop("diverged", t, y)
        y = after
    return y, steps, 0


class Tolerance:
    """The rule for accepting a step: norm(error) <= 1."""

    def __init__(self, rtol, atol, rule):
        self.rtol, self.atol, self.rule = rtol, atol, rule

    def norm(self, difference, before, after):
        """The error in units of the tolerance."""
        if self.rule == "paper":
            return float(np.max(np.abs(difference))) / self.atol
        scale = self.atol + self.rtol * np.maximum(np.abs(before), np.abs(after))
        return math.sqrt(np.mean((difference / scale) ** 2))

    def change(self, error, last_error, after_rejection, exponent):
        """The factor of the next step (Hairer, Norsett, Wanner, Solving ODEs I, II.4 and IV.2)."""
        if math.isnan(error):  # Newton's iteration failed, which says nothing about the error
            return 0.5
        if math.isinf(error):
            return 0.1
        if self.rule == "paper":
            return 0.9 * error ** (-exponent) if error > 0.0 else 10.0
        if error == 0.0:
            change = 5.0
        elif self.rule == "elementary" or error > 1.0:
            change = min(5.0, max(0.2, 0.9 * error ** (-exponent)))
        else:
            change = min(5.0, max(0.2, 0.9 * error ** (0.75 * 0.04 - exponent) * last_error**0.04))
        return min(change, 1.0) if after_rejection and error <= 1.0 else change


def controlled(method, t0, t1, y, rtol, atol, rule="pi", first_step=None, max_step=None):
    """The state at t1 and the numbers of accepted and of rejected steps, with step control."""
    tolerance = method.tolerance = Tolerance(rtol, atol, rule)
    longest = min(max_step or math.inf, t1 - t0)
    h = min(first_step, longest) if first_step else starting_step(method, t0, y, longest, tolerance)
    exponent = 1.0 / (method.paper_power if rule == "paper" else method.power)
    t, last_error, after_rejection, accepted, rejected = t0, 1e-4, False, 0, 0
    method.begin(t, y)
    while True:
        lands = t1 - t <= 1.01 * h and t1 - t <= longest * (1.0 + 1e-9)
        length = t1 - t if lands else h
        after = method.step(t, length, y)
        if after is None:
            error = math.nan
        elif is_good(after):
            error = method.error(t, length, y, after, tolerance, after_rejection or accepted == 0)
        else:
            error = math.inf
        h = min(length * tolerance.change(error, last_error, after_rejection, exponent), longest)
        after_rejection = not error <= 1.0
        if after_rejection:
            rejected += 1
            if h <= 4e-16 * max(abs(t), abs(t1)):
                stop("the step became too small", t, y)
            continue
        accepted, last_error = accepted + 1, max(error, 1e-4)
        t, y = (t1 if lands else t + length), after
        if lands:
            return y, accepted, rejected
        method.begin(t, y)


def starting_step(method, t, y, longest, tolerance):
    """A first step (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4)."""

    def rms(vector):
        return float(np.sqrt(np.mean((vector / scale) ** 2)))

    slope = method.known = method.f(t, y)
    scale = tolerance.atol + (0.0 if tolerance.rule == "paper" else tolerance.rtol) * np.abs(y)
    scale = np.maximum(scale, 1e-300)
    size, speed = rms(y), rms(slope)
    h = min(1e-6 if size < 1e-5 or speed < 1e-5 else 0.01 * size / speed, longest)
    largest = max(speed, rms(method.f(t + h, y + h * slope) - slope) / h)
    proposal = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / method.power)
    h = min(100.0 * h, proposal, longest)
    return h if h > 0.0 else 1e-6 * longest
