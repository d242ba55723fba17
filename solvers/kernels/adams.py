"""The loop of the Adams methods with a fixed step: predict, and where there is a corrector evaluate and correct."""

from __future__ import annotations

import math

from numba import njit

from solvers.codes import BOUND, DIVERGED, LANDED, RUNNING
from solvers.kernels.calls import borrow, call_rhs
from solvers.kernels.classical import runge_kutta_step
from solvers.kernels.signatures import MATRIX, VECTOR, f8, i8


@njit(
    i8(
        *(i8, i8, VECTOR, f8, f8, i8, i8, f8, f8, i8, MATRIX, MATRIX, i8),
        *(VECTOR, MATRIX, MATRIX, VECTOR, VECTOR, i8, VECTOR, MATRIX, MATRIX),
    ),
    cache=True,
    nogil=True,
    error_model="numpy",
)
def fixed(
    rhs, begin, params, t0, h, done, total, end, ceiling, k, predictor, corrector, by_runge_kutta,
    y, slopes, scratch, work, after, attempts, out_t, out_y, log,
):  # fmt: skip
    """Up to `attempts` steps of h from step number `done` of `total`; returns accepted * 8 + code.

    Row q of `predictor` has the weights of the newest q + 1 slopes, row q of `corrector` those of the predicted slope
    and the newest; it has no rows without a corrector. slopes (k, d) holds f of the last steps, the newest first. The
    first steps take the rows that they have slopes for, or the classical Runge-Kutta method.
    """
    # Borrowed: nobody owns the arrays within the loop, so that no call counts references.
    params, y, slopes, scratch = borrow(params), borrow(y), borrow(slopes), borrow(scratch)
    work, after, out_t, out_y = borrow(work), borrow(after), borrow(out_t), borrow(out_y)
    log, predictor, corrector = borrow(log), borrow(predictor), borrow(corrector)
    accepted = 0
    while accepted < attempts and done < total:
        t = t0 + done * h
        for i in range(min(done, k - 1), 0, -1):
            for j in range(y.size):
                slopes[i, j] = slopes[i - 1, j]
        if begin != 0:
            call_rhs(begin, min(t, ceiling), y, params, slopes, 0)
        call_rhs(rhs, min(t, ceiling), y, params, slopes, 0)
        row = min(done, k - 1)
        if by_runge_kutta and row < k - 1:
            runge_kutta_step(rhs, params, t, h, ceiling, y, slopes, scratch, work, after)
        else:
            for j in range(y.size):
                total_slope = 0.0
                for i in range(row + 1):
                    total_slope += predictor[row, i] * slopes[i, j]
                after[j] = y[j] + h * total_slope
            if corrector.shape[0] > 0:
                row = min(row, corrector.shape[0] - 1)
                call_rhs(rhs, min(t + h, ceiling), after, params, scratch, 0)
                for j in range(y.size):
                    total_slope = corrector[row, 0] * scratch[0, j]
                    for i in range(row + 1):
                        total_slope += corrector[row, i + 1] * slopes[i, j]
                    after[j] = y[j] + h * total_slope
        good = True
        for j in range(y.size):
            good = good and abs(after[j]) < BOUND
        log[accepted, 0] = t
        log[accepted, 1] = h
        log[accepted, 2] = math.nan
        log[accepted, 3] = 1.0 if good else 0.0
        if not good:
            return accepted * 8 + DIVERGED
        done += 1
        out_t[accepted] = end if done == total else t0 + done * h
        for j in range(y.size):
            y[j] = after[j]
            out_y[accepted, j] = y[j]
        accepted += 1
    return accepted * 8 + (LANDED if done == total else RUNNING)
