"""Explicit methods: Runge-Kutta of every kind, step doubling, Adams, and the symplectic ones."""

from __future__ import annotations

import math

import numpy as np

from robots.export.parts.stepping import is_good, starting_step, stop, whole_steps


def combined(weights, slopes):
    """The sum of the weights times the slopes, in order."""
    total = np.zeros_like(slopes[0])
    for weight, slope in zip(weights, slopes):
        if weight:
            total += weight * slope
    return total


class ExplicitRungeKutta:
    """A step with the coefficients c, A, b; e and e2 are b less the weights that it is compared with."""

    def __init__(self, f, c, A, b, e=(), e2=(), fsal=False, power=0, paper_power=0):
        self.f, self.c, self.A, self.b, self.e, self.e2 = f, c, A, b, e, e2
        self.fsal, self.power, self.paper_power = fsal and not f.hold, power, paper_power
        self.known = None

    def begin(self, t, y):
        self.k = [self.f.begin(t, y) if self.known is None else self.known]
        self.known = None

    def step(self, t, h, y):
        k = self.k = self.k[:1]
        for i in range(1, len(self.c)):
            k.append(self.f(t + self.c[i] * h, y + h * combined(self.A[i], k)))
        self.known = k[-1] if self.fsal else None
        return y + h * combined(self.b, k)

    def error(self, t, h, y, after, tolerance, again):
        error = tolerance.norm(h * combined(self.e, self.k), y, after)
        if any(self.e2) and error:
            second = tolerance.norm(h * combined(self.e2, self.k), y, after)
            error = error * error / math.sqrt(error * error + 0.01 * second * second)
        return error if error < math.inf else math.inf


def runge_kutta_4(f, t, h, y, slope):
    """A step of the classical Runge-Kutta method, with the slope at its beginning."""
    k2 = f(t + 0.5 * h, y + 0.5 * h * slope)
    k3 = f(t + 0.5 * h, y + 0.5 * h * k2)
    k4 = f(t + h, y + h * k3)
    return y + h * (1 / 6 * slope + 1 / 3 * k2 + 1 / 3 * k3 + 1 / 6 * k4)


class DoubledRungeKutta4:
    """The classical method, every step made once whole and once in halves; the difference corrects the result."""

    known, power = None, 5

    def __init__(self, f):
        self.f = f

    def begin(self, t, y):
        self.slope = self.f.begin(t, y)

    def step(self, t, h, y):
        middle = runge_kutta_4(self.f, t, 0.5 * h, y, self.slope)
        after = runge_kutta_4(self.f, t + 0.5 * h, 0.5 * h, middle, self.f(t + 0.5 * h, middle))
        self.difference = after - runge_kutta_4(self.f, t, h, y, self.slope)
        return after + self.difference * (1.0 / 15.0)


def doubling_controlled(method, t0, t1, y, rtol, first, longest, tolerance, options):
    """The state at t1 and the numbers of accepted and of rejected steps (Press et al., Numerical Recipes, 1986)."""
    longest = min(longest or math.inf, t1 - t0)
    h = min(first, longest) if first else starting_step(method, t0, y, longest, tolerance)
    t, accepted, rejected = t0, 0, 0
    while True:
        method.begin(t, y)
        scale = np.abs(y) + np.abs(h * method.slope) + options["tiny"]
        h = min(h, t1 - t)
        while True:
            after = method.step(t, h, y)
            error = float(np.max(np.abs(method.difference / scale))) / rtol
            if is_good(after) and error <= 1.0:
                break
            rejected += 1
            h = options["safety"] * h * error ** options["shrink"] if is_good(after) else 0.1 * h
            if t + h == t or h < options["hmin"]:
                stop("the step became too small", t, y)
        accepted += 1
        lands = t + h >= t1 or h == t1 - t
        t, y = (t1 if lands else t + h), after
        if lands:
            return y, accepted, rejected
        h = min(h * (options["safety"] * error ** options["grow"] if error > options["errcon"] else 4.0), longest)
        if h < options["hmin"]:
            stop("the step became too small", t, y)


def adams(f, t0, t1, y, h, predictor, corrector, start_by_runge_kutta):
    """The state at t1 and the number of steps. Row q of a table has the weights where q + 1 slopes are known.

    A row of the corrector begins with the weight of the predicted slope.
    """
    steps = whole_steps(t1 - t0, h)
    h = (t1 - t0) / steps
    slopes = []
    for n in range(steps):
        t = t0 + n * h
        slopes = [f.begin(t, y), *slopes[: len(predictor) - 1]]
        if start_by_runge_kutta and len(slopes) < len(predictor):
            after = runge_kutta_4(f, t, h, y, slopes[0])
        else:
            after = y + h * combined(predictor[len(slopes) - 1], slopes)
            if corrector:
                weights = corrector[min(len(slopes), len(corrector)) - 1]
                after = y + h * combined(weights, [f(t + h, after), *slopes])
        if not is_good(after):
            stop("diverged", t, y)
        y = after
    return y, steps, 0


class Symplectic:
    """Positions and velocities in turn. Where accelerations depend on velocities, a kick is solved by iteration."""

    def __init__(self, f, kind):
        self.f, self.kind = f, kind

    def begin(self, t, y):
        if self.f.hold:
            self.f.hold(t, y)

    def step(self, t, h, y):
        n = len(y) // 2
        q, v = y[:n], y[n:]
        if self.kind == "symplectic-euler":
            v = self.kick(t, h, q, v, 0.0)
            return v if v is None else np.concatenate([q + h * v, v])
        if self.kind == "stoermer-verlet":
            q = q + 0.5 * h * v
            v = self.kick(t + 0.5 * h, h, q, v, 0.5)
            return v if v is None else np.concatenate([q + 0.5 * h * v, v])
        v = self.kick(t, 0.5 * h, q, v, 1.0)
        if v is None:
            return None
        q = q + h * v
        v = self.kick(t + h, 0.5 * h, q, v, 0.0)
        return v if v is None else np.concatenate([q, v])

    def kick(self, t, h, q, v, implicit):
        """v + h a(t, q, (1 - implicit) v + implicit (the result))."""
        at = v
        for _ in range(50):
            kicked = v + h * self.f(t, np.concatenate([q, at]))[len(q) :]
            before, at = at, v + implicit * (kicked - v)
            change, size = np.max(np.abs(at - before)), np.max(np.abs(at))
            if not change < 1e100:
                return None
            if implicit == 0.0 or change <= 4e-16 * max(size, 1e-300):
                return kicked
        return None
