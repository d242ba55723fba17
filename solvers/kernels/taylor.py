"""Power series of solutions by recurrences, and the loop of the Taylor method."""

from __future__ import annotations

import math

from numba import njit, types

from solvers.codegen.tape import ADD, CONSTANT, COSINE, DIVIDE, MULTIPLY, PARAMETER, ROOT, SCALE, SINE, STATE, SUBTRACT
from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING, STEP_TOO_SMALL
from solvers.kernels.calls import borrow
from solvers.kernels.signatures import INDICES, MATRIX, VECTOR, f8, i8, void

# operations, left, right, values, fixed, outputs
TAPE = types.Tuple((INDICES, INDICES, INDICES, VECTOR, INDICES, INDICES))


@njit(f8(i8, i8, i8, i8, i8, MATRIX), cache=True, nogil=True, error_model="numpy")
def coefficient(operation, n, a, b, k, x):
    """Coefficient k of node n from lower ones and from the nodes before it."""
    if operation == ADD:
        return x[a, k] + x[b, k]
    if operation == SUBTRACT:
        return x[a, k] - x[b, k]
    if operation == SCALE:
        return x[a, 0] * x[b, k]
    total = 0.0
    if operation == MULTIPLY:
        for j in range(k + 1):
            total += x[a, j] * x[b, k - j]
    elif operation == DIVIDE:
        for j in range(1, k + 1):
            total += x[b, j] * x[n, k - j]
        total = (x[a, k] - total) / x[b, 0]
    elif operation in (SINE, COSINE):
        if k == 0:
            return math.sin(x[a, 0]) if operation == SINE else math.cos(x[a, 0])
        for j in range(1, k + 1):
            total += j * x[a, j] * x[b, k - j]
        total = total / k if operation == SINE else -total / k
    elif operation == ROOT:
        if k == 0:
            return math.sqrt(x[a, 0])
        for j in range(1, k):
            total += x[n, j] * x[n, k - j]
        total = (x[a, k] - total) / (2.0 * x[n, 0])
    return total


@njit(void(TAPE, VECTOR, f8, VECTOR, i8, MATRIX, MATRIX), cache=True, nogil=True, error_model="numpy")
def expand(tape, params, t, y, degree, x, series):
    """series[:, k], k = 0 .. degree: the coefficients of the solution through (t, y). x is scratch, (m, degree + 1)."""
    operations, left, right, values, fixed, outputs = tape
    for j in range(y.size):
        series[j, 0] = y[j]
    for k in range(degree):
        for n in range(operations.size):
            operation = operations[n]
            if operation == STATE:
                x[n, k] = series[left[n], k]
            elif fixed[n] and k > 0:
                x[n, k] = 0.0
            elif operation == CONSTANT:
                x[n, 0] = values[n]
            elif operation == PARAMETER:
                x[n, 0] = params[left[n]]
            elif operation > STATE:
                x[n, k] = coefficient(operation, n, left[n], right[n], k, x)
            else:
                x[n, k] = t if k == 0 else 1.0 if k == 1 else 0.0
        for j in range(y.size):
            series[j, k + 1] = x[outputs[j], k] / (k + 1)


@njit(void(MATRIX, f8, i8, i8, i8, VECTOR), cache=True, nogil=True, error_model="numpy")
def evaluate(series, h, degree, positions, velocity_degree, out):
    """out = the polynomials at h: of `degree`, but the components from `positions` on of `velocity_degree`."""
    for j in range(out.size):
        last = degree if j < positions else velocity_degree
        value = series[j, last]
        for k in range(last - 1, -1, -1):
            value = value * h + series[j, k]
        out[j] = value


@njit(f8(MATRIX, f8, i8, f8, f8, VECTOR), cache=True, nogil=True, error_model="numpy")
def longest_step(series, longest, degree, rtol, atol, y):
    """The step at which neither of the last two terms exceeds the tolerance: rms(term / (atol + rtol |y|)) <= 1."""
    h = longest
    for k in range(max(degree - 1, 1), degree + 1):
        total = 0.0
        for j in range(y.size):
            total += (series[j, k] / (atol + rtol * abs(y[j]))) ** 2
        size = math.sqrt(total / y.size)
        if not math.isfinite(size):
            return 0.0
        if size > 0.0:
            h = min(h, 0.9 * size ** (-1.0 / k))
    return h


@njit(
    i8(
        *(TAPE, VECTOR, f8, f8, f8, f8, f8, f8, i8, i8, i8, i8, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX),
        *(i8, VECTOR, MATRIX, MATRIX, INDICES),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def run(
    tape, params, t0, end, step, rtol, atol, longest, total, degree, positions, velocity_degree, state, y, after, x,
    series, attempts, out_t, out_y, log, counts,
):  # fmt: skip
    """Up to `attempts` steps, fixed unless `step` is 0; returns a code, `counts` becomes (accepted, attempted).

    `state` is (time, steps done).
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, state, y, after = borrow(params), borrow(state), borrow(y), borrow(after)
    x, series, out_t, out_y = borrow(x), borrow(series), borrow(out_t), borrow(out_y)
    log, counts = borrow(log), borrow(counts)
    tape = (borrow(tape[0]), borrow(tape[1]), borrow(tape[2]), borrow(tape[3]), borrow(tape[4]), borrow(tape[5]))
    sign = 1.0 if end >= t0 else -1.0
    accepted, tried, code = 0, 0, RUNNING
    while tried < attempts and code == RUNNING:
        t = state[0]
        expand(tape, params, t, y, max(degree, velocity_degree), x, series)
        error = math.nan
        if step != 0.0:
            lands = int(state[1]) + 1 == total
            h = end - t if lands else sign * step
        else:
            h = sign * longest_step(series, longest, degree, rtol, atol, y)
            lands = abs(end - t) <= abs(h)
            h = end - t if lands else h
            error = 0.0
            for j in range(y.size):
                term = series[j, degree] * h**degree / (atol + rtol * abs(y[j]))
                error += term * term
            error = math.sqrt(error / y.size)
        evaluate(series, h, degree, positions, velocity_degree, after)
        good = h != 0.0 and (lands or t + h != t)
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        log[tried, 0], log[tried, 1], log[tried, 2], log[tried, 3] = t, h, error, (1.0 if good else 0.0)
        tried += 1
        if not good:
            code = STEP_TOO_SMALL if h != 0.0 and t + h == t else DIVERGED
            break
        state[1] += 1.0
        state[0] = end if lands else t0 + state[1] * sign * step if step != 0.0 else t + h
        for j in range(y.size):
            y[j] = after[j]
            out_y[accepted, j] = y[j]
        out_t[accepted] = state[0]
        accepted += 1
        code = LANDED if lands else RUNNING
    counts[0] = accepted
    counts[1] = tried
    return code


@njit(
    void(TAPE, VECTOR, i8, i8, i8, MATRIX, MATRIX, INDICES, VECTOR, VECTOR, MATRIX),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def sample(tape, params, degree, positions, velocity_degree, x, series, first, begins, lengths, out):
    """Dense output by the series themselves, as in the kernel of the explicit Runge-Kutta methods."""
    for i in range(out.shape[0]):
        state = out[i]
        for m in range(first[i], first[i + 1]):
            expand(tape, params, begins[m], state, max(degree, velocity_degree), x, series)
            evaluate(series, lengths[m], degree, positions, velocity_degree, state)
