"""The loop of the Adams methods of variable order and step: predict, evaluate, correct, evaluate.

phi[j] holds the modified divided difference of order j of f over the last j + 1 steps' ends:
phi_0(n) = f_n and phi_(j+1)(n) = phi_j(n) - beta_j(n - 1) phi_j(n - 1), where beta_j is 1 while the step is constant.

Source: L. F. Shampine, M. K. Gordon, Computer Solution of Ordinary Differential Equations: The Initial Value Problem
(1975), chapters 5 and 7; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I (1993), III.5
and III.7.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit, types

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.controllers import norm
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, void

HIGHEST = 12

# Rows of `table`: beta_j, g_j, sigma_j, their integrals.
BETA, G, SIGMA, INTEGRALS = range(4)
# What `state` holds: time, step, last step, steps of that length, order, earlier steps known, whether it is starting
# (the order still rises in every step), failures of the present step.
TIME, STEP, LAST, SAME, ORDER, KNOWN, STARTING, FAILED = range(8)


def _moulton() -> np.ndarray:
    """|gamma*_j| of the Adams-Moulton formulas with a constant step: sum_(m <= j) gamma*_m / (j + 1 - m) = 0."""
    values = [1.0]
    for j in range(1, HIGHEST + 2):
        values.append(-sum(values[m] / (j + 1 - m) for m in range(j)))
    return np.abs(values)


MOULTON = _moulton()
# y, after, carry, work; the three highest differences of the prediction, (3, d)
STATES = types.Tuple((VECTOR, VECTOR, VECTOR, VECTOR, MATRIX))


@njit(void(f8, i8, i8, VECTOR, MATRIX), cache=True, nogil=True, error_model="numpy")
def coefficients(h, k, known, past, table):
    """Fill the rows of `table` up to column k for a step h; past[j] is t_n - t_(n-j), for j up to `known`."""
    for q in range(k + 1):
        table[INTEGRALS, q] = 1.0 / (q + 1)
    table[BETA, 0] = table[G, 0] = table[SIGMA, 0] = 1.0
    for j in range(1, k + 1):
        alpha = h / (h + past[j - 1])
        for q in range(k + 1 - j):
            table[INTEGRALS, q] -= alpha * table[INTEGRALS, q + 1]
        table[G, j] = table[INTEGRALS, 0]
        table[SIGMA, j] = table[SIGMA, j - 1] * j * alpha
        table[BETA, j] = table[BETA, j - 1] * (h + past[j - 1]) / past[j] if j <= known else 0.0


@njit(void(i8, VECTOR, f8, f8, i8, MATRIX, MATRIX, STATES), cache=True, nogil=True, error_model="numpy")
def attempt(rhs, params, later, h, k, table, phi, states):
    """after = a step h of order k, corrected with order k + 1; f is evaluated at `later`, its end."""
    y, after, carry, work, highest = states
    last = phi.shape[0] - 1
    for i in range(y.size):
        total = 0.0
        for j in range(k - 1, -1, -1):
            total += table[G, j] * table[BETA, j] * phi[j, i]
        work[i] = h * total
        after[i] = y[i] + (work[i] + carry[i])
    call_rhs(rhs, later, after, params, phi, last)
    for i in range(y.size):
        rest = 0.0
        for j in range(k):
            rest += table[BETA, j] * phi[j, i]
        highest[0, i] = phi[last, i] - rest
        highest[1, i] = highest[0, i] + table[BETA, k - 1] * phi[k - 1, i]
        highest[2, i] = highest[1, i] + (table[BETA, k - 2] * phi[k - 2, i] if k > 1 else 0.0)
        # `work` becomes the whole increment, so that what y cannot hold of it is carried to the next step.
        work[i] += h * table[G, k] * highest[0, i] + carry[i]
        after[i] = y[i] + work[i]


@njit(void(f8, i8, MATRIX, MATRIX, VECTOR, STATES), cache=True, nogil=True, error_model="numpy")
def take(h, k, table, phi, past, states):
    """Make `after` the state, and the differences those at the step's end, where f is the last row of phi."""
    y, after, carry, work, _ = states
    for i in range(y.size):
        carry[i] = work[i] - (after[i] - y[i])
        y[i] = after[i]
        difference = phi[phi.shape[0] - 1, i]
        for j in range(k + 1):
            lower = difference - table[BETA, j] * phi[j, i]
            phi[j, i] = difference
            difference = lower
        phi[k + 1, i] = difference
    for j in range(past.size - 1, 0, -1):
        past[j] = past[j - 1] + h


@njit(types.Tuple((i8, f8))(i8, i8, i8, i8, i8, f8, f8, f8), cache=True, nogil=True, error_model="numpy")
def next_order(k, most, same, lower, starting, present, below, above):
    """The order of the next step and its error at the present step's length.

    present, below and above are the errors of order k, k - 1 and k + 1; the last is told only after k + 1 equal steps.
    """
    if lower:
        return k - 1, below
    if k == most or (not starting and same <= k):
        return k, present
    if starting:
        return k + 1, above
    if k == 1:
        return (2, above) if above < 0.5 * present else (1, present)
    if below <= min(present, above):
        return k - 1, below
    return (k + 1, above) if above < present else (k, present)


@njit(f8(f8, i8, i8), cache=True, nogil=True, error_model="numpy")
def growth(error, k, starting):
    """By how much the step changes after an accepted one: doubled, kept, or shortened to between half and nine tenths.

    `error` is that of the next order k, in units of the tolerance; the aim is half a unit.
    """
    if starting or error * 2.0 ** (k + 1) <= 0.5:
        return 2.0
    if error <= 0.5:
        return 1.0
    return max(0.5, min(0.9, (0.5 / error) ** (1.0 / (k + 1))))


@njit(
    i8(
        *(i8, i8, VECTOR, i8, f8, f8, f8, i8, f8, f8, VECTOR, VECTOR, MATRIX, MATRIX, STATES),
        *(i8, VECTOR, MATRIX, MATRIX, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def run(
    rhs, begin, params, kind, rtol, atol, longest, most, end, ceiling, state, past, table, phi, states,
    attempts, out_t, out_y, log, done,
):  # fmt: skip
    """Up to `attempts` steps of orders 1 to `most`; returns a code, `done` becomes (accepted, attempted, calls of rhs).

    phi[0] holds f(t, y) on entry and, unless the end is reached, on return.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, state, past, table, phi = borrow(params), borrow(state), borrow(past), borrow(table), borrow(phi)
    out_t, out_y, log, done = borrow(out_t), borrow(out_y), borrow(log), borrow(done)
    y, after, highest = borrow(states[0]), borrow(states[1]), borrow(states[4])
    states = y, after, borrow(states[2]), borrow(states[3]), highest
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t, h, k = state[TIME], state[STEP], int(state[ORDER])
        lands = abs(end - t) <= 1.01 * abs(h) and abs(end - t) <= longest * (1.0 + 1e-9)
        length = end - t if lands else h
        coefficients(length, k, int(state[KNOWN]), past, table)
        attempt(rhs, params, min(t + length, ceiling), length, k, table, phi, states)
        done[2] += 1
        # What orders k, k - 1 and k - 2 would miss with equal steps of this length.
        size = abs(length) * norm(kind, highest[0], y, after, rtol, atol)
        error = (table[G, k - 1] - table[G, k]) * size
        present, below, lowest = MOULTON[k] * table[SIGMA, k] * size, math.inf, math.inf
        if k > 1:
            below = abs(length) * MOULTON[k - 1] * table[SIGMA, k - 1] * norm(kind, highest[1], y, after, rtol, atol)
        if k > 2:
            lowest = abs(length) * MOULTON[k - 2] * table[SIGMA, k - 2] * norm(kind, highest[2], y, after, rtol, atol)
        lower = max(below, lowest) <= present if k > 2 else below <= 0.5 * present
        finite = math.isfinite(error)
        for i in range(y.size):
            finite = finite and abs(after[i]) < BOUND
        good = finite and error <= 1.0
        log[tried, 0], log[tried, 1], log[tried, 2], log[tried, 3] = t, length, error, (1.0 if good else 0.0)
        tried += 1
        if not good:
            state[STARTING], state[SAME], state[FAILED] = 0.0, 0.0, state[FAILED] + 1.0
            change = 0.5
            if state[FAILED] > 3.0 and present > 2.0:
                change = math.sqrt(0.5 / present)
            state[STEP] = length * max(change if finite else 0.1, 0.01)
            state[ORDER] = 1.0 if state[FAILED] >= 3.0 else k - 1.0 if lower else k
            if abs(state[STEP]) <= 4e-16 * max(abs(t), abs(end)):
                code = STEP_TOO_SMALL if finite else DIVERGED
            continue
        state[TIME] = end if lands else t + length
        out_t[accepted] = state[TIME]
        for i in range(y.size):
            out_y[accepted, i] = after[i]
        accepted += 1
        if lands:
            code = LANDED
            break
        now = min(state[TIME], ceiling)
        if begin != 0:
            call_rhs(begin, now, after, params, phi, phi.shape[0] - 1)
        call_rhs(rhs, now, after, params, phi, phi.shape[0] - 1)
        done[2] += 1
        take(length, k, table, phi, past, states)
        state[SAME] = state[SAME] + 1.0 if length == state[LAST] else 1.0
        state[LAST], state[FAILED], state[KNOWN] = length, 0.0, min(state[KNOWN] + 1.0, past.size - 1.0)
        above = abs(length) * MOULTON[k + 1] * norm(kind, phi[k + 1], y, y, rtol, atol)
        if lower or k == most:
            state[STARTING] = 0.0
        order, error = next_order(k, most, int(state[SAME]), lower, int(state[STARTING]), present, below, above)
        state[ORDER] = order
        step = abs(length) * growth(error, order, int(state[STARTING]))
        state[STEP] = math.copysign(min(step, longest), length)
    done[0] = accepted
    done[1] = tried
    return code


@njit(void(f8, VECTOR, i8, VECTOR, VECTOR), cache=True, nogil=True, error_model="numpy")
def integrals(s, nodes, count, work, out):
    """out[j] = the integral from 0 to s of (x - nodes[0]) .. (x - nodes[j - 1]), for j below `count`."""
    power = 1.0
    for q in range(count):
        power *= s
        work[q] = power / (q + 1)
    for j in range(count):
        out[j] = work[0]
        for q in range(count - 1 - j):
            work[q] = (s - nodes[j]) * work[q] - work[q + 1]


@njit(
    i8(i8, VECTOR, VECTOR, VECTOR, MATRIX, i8, VECTOR, MATRIX),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def divided_differences(rhs, params, ceilings, t, y, n, nodes, differences):
    """Of f over the end of step n, its beginning and the steps' ends before, in units of this step; returns how many.

    The nodes lie between the same breaks, at most HIGHEST + 1 of them.
    """
    h, count = t[n + 1] - t[n], 0
    for m in range(n + 1, max(n - HIGHEST, -1), -1):
        if m < n and ceilings[m] != ceilings[n]:
            break
        nodes[count] = (t[m] - t[n + 1]) / h
        call_rhs(rhs, min(t[m], ceilings[n]), y[m], params, differences, count)
        count += 1
    for level in range(1, count):
        for j in range(count - 1, level - 1, -1):
            for i in range(y.shape[1]):
                change = differences[j, i] - differences[j - 1, i]
                differences[j, i] = change / (nodes[j] - nodes[j - level])
    return count


@njit(
    void(
        *(i8, VECTOR, VECTOR, VECTOR, MATRIX, INDICES, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, INDICES, VECTOR),
        MATRIX,
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def sample(
    rhs, params, ceilings, t, y, interval, times, nodes, differences, work, weights, degrees, missed, out,
):  # fmt: skip
    """Dense output: from the end of each step back along the integral of the polynomial through the last slopes.

    Each component takes the degree whose last term is smallest over the step. What is missed at the step's beginning
    is spread linearly.
    """
    present, count = -1, 0
    for i in range(times.size):
        n = interval[i]
        if times[i] == t[n]:
            for j in range(out.shape[1]):
                out[i, j] = y[n, j]
            continue
        h = t[n + 1] - t[n]
        if n != present:
            present = n
            count = divided_differences(rhs, params, ceilings, t, y, n, nodes, differences)
            integrals(-1.0, nodes, count, work, weights)
            for j in range(out.shape[1]):
                degrees[j], smallest, total = 0, math.inf, 0.0
                for m in range(1, count):
                    if abs(differences[m, j] * weights[m]) < smallest:
                        degrees[j], smallest = m, abs(differences[m, j] * weights[m])
                for m in range(degrees[j], -1, -1):
                    total += differences[m, j] * weights[m]
                missed[j] = y[n, j] - (y[n + 1, j] + h * total)
        s = (times[i] - t[n + 1]) / h
        integrals(s, nodes, count, work, weights)
        for j in range(out.shape[1]):
            total = 0.0
            for m in range(degrees[j], -1, -1):
                total += differences[m, j] * weights[m]
            out[i, j] = y[n + 1, j] + h * total - s * missed[j]
