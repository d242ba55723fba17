"""The pieces of the scripts that `as_python` writes: the loops of the integrators, and robots' equations of motion.

They repeat the operations of the compiled kernels in the same order, so that the numbers agree to round-off.
"""

from __future__ import annotations

HEAD = '''\
import math

import numpy as np

calls = 0


def combined(weights, slopes):
    """The sum of the weights times the slopes, in order."""
    total = np.zeros_like(slopes[0])
    for weight, slope in zip(weights, slopes):
        if weight:
            total += weight * slope
    return total


def stages(f, t, h, y, first, c, A):
    """The slopes of a step h from (t, y), of which the first is known."""
    k = [first]
    for i in range(1, len(c)):
        k.append(f(t + c[i] * h, y + h * combined(A[i], k)))
    return k
'''

FIXED = '''\
def fixed(method, f, t0, t1, y, h):
    """The state at t1 and the number of steps, with the fixed step h."""
    c, A, b = method["c"], method["A"], method["b"]
    steps = max(round((t1 - t0) / h), 1)
    if abs((t1 - t0) / h - steps) > 1e-9 * steps:
        steps = math.ceil((t1 - t0) / h)
    first = f(t0, y)
    for n in range(steps):
        t = t0 + n * h
        length = h if n + 1 < steps else t1 - t
        try:
            k = stages(f, t, length, y, first, c, A)
            after = y + length * combined(b, k)
        except (ValueError, OverflowError):
            after = np.full_like(y, np.nan)
        if not np.all(np.abs(after) < 1e100):
            raise SystemExit(f"diverged: the last good state is y = {y.tolist()} at t = {t}")
        y = after
        if method["fsal"]:
            first = k[-1]
        elif n + 1 < steps:
            first = f(t0 + (n + 1) * h, y)
    return y, steps, 0
'''

CONTROLLED = '''\
def controlled(method, f, t0, t1, y, rtol, atol, rule, first_step=None, max_step=None):
    """The state at t1 and the numbers of accepted and of rejected steps, with step control."""
    c, A, b, e, e2 = (method[name] for name in ("c", "A", "b", "e", "e2"))
    longest = min(max_step or math.inf, t1 - t0)
    t, slope = t0, f(t0, y)
    h = first_step and min(first_step, longest)
    h = h or starting_step(f, t, y, slope, longest, 0.0 if rule == "paper" else rtol, atol, method["power"])
    exponent = 1.0 / (method["larger_order"] + 1) if rule == "paper" else 1.0 / method["power"]
    last_error, rejected_before, accepted, rejected = 1e-4, False, 0, 0
    while True:
        lands = t1 - t <= 1.01 * h and t1 - t <= longest * (1.0 + 1e-9)
        length = t1 - t if lands else h
        try:
            k = stages(f, t, length, y, slope, c, A)
            after = y + length * combined(b, k)
        except (ValueError, OverflowError):
            k, after = [slope] * len(c), np.full_like(y, np.nan)
        error = norm(length * combined(e, k), y, after, rtol, atol, rule)
        if any(e2) and error:
            second = norm(length * combined(e2, k), y, after, rtol, atol, rule)
            error = error * error / math.sqrt(error * error + 0.01 * second * second)
        if not np.all(np.abs(after) < 1e100):
            error = math.inf
        # By how much the next step is longer.
        if not math.isfinite(error):
            change = 0.1
        elif rule == "paper":
            change = 0.9 * error ** (-exponent) if error > 0.0 else 10.0
        elif error == 0.0:
            change = 5.0
        elif rule == "elementary" or error > 1.0:
            change = min(5.0, max(0.2, 0.9 * error ** (-exponent)))
        else:
            change = min(5.0, max(0.2, 0.9 * error ** (0.75 * 0.04 - exponent) * last_error**0.04))
        if rule != "paper" and rejected_before and error <= 1.0:
            change = min(change, 1.0)
        rejected_before = error > 1.0
        proposal = min(length * change, longest)
        if rejected_before:
            rejected += 1
            h = proposal
            continue
        last_error = max(error, 1e-4)
        accepted += 1
        t, y = (t1 if lands else t + length), after
        if lands:
            return y, accepted, rejected
        h = proposal
        slope = k[-1] if method["fsal"] else f(t, y)


def norm(difference, before, after, rtol, atol, rule):
    """The error in units of the tolerance: 1 is just accepted."""
    if rule == "paper":
        return max(abs(d) / atol for d in difference.tolist())
    total = 0.0
    for d, x0, x1 in zip(difference.tolist(), before.tolist(), after.tolist()):
        ratio = d / (atol + rtol * max(abs(x0), abs(x1)))
        total += ratio * ratio
    return math.sqrt(total / len(difference))


def starting_step(f, t, y, slope, longest, rtol, atol, power):
    """A first step (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4)."""

    def rms(vector):
        return float(np.sqrt(np.mean(vector * vector)))

    scale = np.maximum(atol + rtol * np.abs(y), 1e-300)
    size, speed = rms(y / scale), rms(slope / scale)
    h = min(1e-6 if size < 1e-5 or speed < 1e-5 else 0.01 * size / speed, longest)
    bend = rms((f(min(t + h, t + longest), y + h * slope) - slope) / scale) / h
    largest = max(speed, bend)
    proposal = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / power)
    h = min(100.0 * h, proposal, longest)
    return h if h > 0.0 else 1e-6 * longest
'''

RR = '''\
def rr(m1, m2, r1, r2, J1, J2, g, tau=(0, 0), d=(0, 0), kp=(0, 0), target=(0, 0)):
    """f(t, y) of the RR arm, y = (q1, q2, v1, v2), with the joint torques tau - d v - kp (q - target)."""

    def f(t, y):
        global calls
        calls += 1
        q1, q2, v1, v2 = y.tolist()
        b, D = m2 * r1 * r2, m2 * r2 * r2
        bc, bs = b * math.cos(q2), b * math.sin(q2)
        g2 = g * m2 * r2 * math.cos(q1 + q2)
        T1 = bs * v2 * (v2 + 2.0 * v1) - g * (m1 + m2) * r1 * math.cos(q1) - g2
        T2 = -bs * v1 * v1 - g2
        T1 += tau[0] - d[0] * v1 - kp[0] * (q1 - target[0])
        T2 += tau[1] - d[1] * v2 - kp[1] * (q2 - target[1])
        M11 = (m1 + m2) * r1 * r1 + D + 2.0 * bc + J1
        M12 = D + bc
        M22 = D + J2
        scale = 1.0 / (M11 * M22 - M12 * M12)
        return np.array([v1, v2, (M22 * T1 - M12 * T2) * scale, (M11 * T2 - M12 * T1) * scale])

    return f
'''

BEAM = '''\
def beam(b, A):
    """f(t, y) of the flexible beam, y = (q, v): q'' = b sin(q1) + A q."""
    n = len(b)

    def f(t, y):
        global calls
        calls += 1
        push = math.sin(y[0])
        acceleration = np.array(b) * push
        for j in range(n):
            acceleration = acceleration + np.array([row[j] for row in A]) * y[j]
        return np.concatenate([y[n:], acceleration])

    return f
'''

DOUBLE_PENDULUM = '''\
def double_pendulum(m1, m2, L1, L2, k1, k2, C1, C2, rest1, rest2, g):
    """f(t, y) of two rods with springs and dampers, y = (q1, q2, v1, v2), both angles from the horizontal."""
    M11, M22 = 4.0 / 3.0 * m1 * L1**2 + 4.0 * m2 * L1**2, 4.0 / 3.0 * m2 * L2**2
    coupling = 2.0 * m2 * L1 * L2
    G1, G2 = g * (m1 * L1 + 2.0 * m2 * L1), g * m2 * L2

    def f(t, y):
        global calls
        calls += 1
        q1, q2, v1, v2 = y.tolist()
        M12, turn = coupling * math.cos(q1 - q2), coupling * math.sin(q1 - q2)
        between = k2 * (q2 - q1 - rest2) + C2 * (v2 - v1)
        F1 = -turn * v2 * v2 - G1 * math.cos(q1) - k1 * (q1 - rest1) - C1 * v1 + between
        F2 = turn * v1 * v1 - G2 * math.cos(q2) - between
        det = M11 * M22 - M12 * M12
        return np.array([v1, v2, (M22 * F1 - M12 * F2) / det, (M11 * F2 - M12 * F1) / det])

    return f
'''
