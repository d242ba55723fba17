"""What the loops of the implicit methods share: how long the next step is, and what an accepted one leaves behind.

Written into their callers.
"""

from __future__ import annotations

from numba import njit

# What `state` begins with: time, step, whether slope and Jacobian at its beginning are known, steps done.
TIME, STEP, KNOWN, DONE = range(4)
# What `settings` begins with: the controller, tolerances, exponent, longest step, fixed step or 0.
KIND, RTOL, ATOL, EXPONENT, LONGEST, FIXED = range(6)


@njit(inline="always")
def next_length(state, settings, end, total):
    """The signed length of the next step, and whether it is the last, which is clipped by `end` or stretched to it."""
    left, h = end - state[TIME], state[STEP]
    if settings[FIXED] != 0.0:
        lands = int(state[DONE]) + 1 == total
    else:
        lands = abs(left) <= 1.01 * abs(h) and abs(left) <= settings[LONGEST] * (1.0 + 1e-9)
    return (left if lands else h), lands


@njit(inline="always")
def accept(state, settings, t0, end, length, lands, proposal, y, after, row, out_t, out_y):
    """Go on from `after`, the state at the end of a step, and write it to `row`.

    A step clipped by the end says nothing about how long the next may be.
    """
    h = state[STEP]
    state[DONE] += 1.0
    state[KNOWN] = 0.0
    if settings[FIXED] != 0.0:
        state[TIME] = end if lands else t0 + state[DONE] * h
    else:
        state[TIME] = end if lands else state[TIME] + length
        state[STEP] = h if lands and abs(proposal) < abs(h) else proposal
    out_t[row] = state[TIME]
    for j in range(y.size):
        y[j] = after[j]
        out_y[row, j] = y[j]
