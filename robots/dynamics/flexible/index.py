"""How singular the inverse dynamics of a flexible arm is: differential and strangeness index by numerical ranks.

Source: P. Kunkel, V. Mehrmann, Differential-Algebraic Equations (2006), hypothesis 4.2; paper 5, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assets.errors import ArmstepError
from robots.dynamics.flexible.structure import FORMULATIONS, Build, Move, at_rest, pack
from robots.model.robot import Array

HIGHEST = 3
TOLERANCE = 1e-11


@dataclass(frozen=True, slots=True)
class IndexNumbers:
    """The result of the rank tests for the equations without the motors' torque balances.

    Attributes:
        strangeness: mu, the least number of differentiations that satisfies Hypothesis 1.
        algebraic, differential: a and d.
        differential_index: nu: x' is determined by the nu times differentiated equations. With the motor torques
            among the unknowns it is one higher.
        kept, dropped: the smallest singular value counted as not zero and the largest counted as zero, of all ranks
            that decided, each relative to the largest of its matrix.
    """

    strangeness: int
    algebraic: int
    differential: int
    differential_index: int
    kept: float
    dropped: float

    @property
    def text(self) -> str:
        """The numbers as a finding gives them."""
        size = f"mu = {self.strangeness}, a = {self.algebraic}, d = {self.differential}"
        return f"{size}, index {self.differential_index}"


def time_scale(build: Build) -> float:
    """A time near the arm's own oscillations [s], which keeps the coefficients of series alike."""
    inertia = np.trace(build.inertia(np.zeros(build.joints))) + build.motor_inertias.sum()
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.sqrt(inertia / build.stiffness.sum()))


def index_numbers(build: Build, move: Move, guess: Array, t: float) -> IndexNumbers:
    """The index numbers at a consistent point at time `t` [s]; `guess` is near the posture at rest, (n,).

    Raises:
        ArmstepError: when no consistent point is found, or the hypothesis fails up to mu = 3.
    """
    by_x, by_rest = consistent_point(build, move, guess, t)
    d = by_x.shape[1]
    scaled_x, scaled_rest = _equilibrated(by_x, by_rest)
    index = _differential_index(scaled_rest, d)
    for mu in range(HIGHEST + 1):
        rows = (mu + 1) * d
        found = _hypothesis(scaled_x[:rows], scaled_rest[:rows, :rows], d)
        if found is not None:
            a, kept, dropped = found
            return IndexNumbers(mu, a, d - a, index, kept, dropped)
    raise ArmstepError(f"Hypothesis 1 fails up to {HIGHEST} differentiations: the arm is singular here.")


def consistent_point(build: Build, move: Move, guess: Array, t: float) -> tuple[Array, Array]:
    """The Jacobians of F_4 by x and by the derivatives of x, at a point of F_4 = 0 found by Gauss and Newton."""
    from robots.dynamics.flexible.kernels.derivative_array import derivative_array, recorded
    from robots.dynamics.flexible.kernels.inverse_dynamics import wanted_many

    d, l = 2 * build.coordinates, HIGHEST + 1
    params = pack(build, move, FORMULATIONS["HI"])
    scale, code = time_scale(build), recorded(params)
    x = np.zeros((d, l + 2))
    aim = np.empty((1, 2))
    wanted_many(np.array([t]), params, aim)
    joints, motors = at_rest(build, aim[0], at_rest(build, move.start, guess)[0])
    x[: build.coordinates, 0] = np.concatenate([joints, motors])
    rows = (l + 1) * d
    F, by_x, by_rest = np.empty(rows), np.empty((rows, d)), np.empty((rows, rows))
    for _ in range(60):
        derivative_array(t, scale, x, params, code, F, by_x, by_rest)
        matrix = np.hstack([by_x, by_rest])
        if not np.isfinite(matrix).all() or not np.isfinite(F).all():
            break
        weights = 1.0 / np.abs(matrix).max(axis=1)
        if np.max(np.abs(weights * F)) < 1e-12:
            return by_x, by_rest
        change = np.linalg.lstsq(weights[:, None] * matrix, -weights * F, rcond=1e-13)[0]
        longest = np.max(np.abs(change[: build.coordinates]))
        change *= min(1.0, 0.5 / max(longest, 1e-300))
        x += change.reshape(l + 2, d).T
        if np.max(np.abs(change)) < 1e-13 * np.max(np.abs(x)):
            derivative_array(t, scale, x, params, code, F, by_x, by_rest)
            return by_x, by_rest
    raise ArmstepError(f"No consistent state of the inverse dynamics was found at t = {t:g} s.")


def _equilibrated(by_x: Array, by_rest: Array) -> tuple[Array, Array]:
    """The matrices with rows and columns of one size."""
    both, d = np.hstack([by_x, by_rest]), by_x.shape[1]
    for _ in range(4):
        both = both / np.sqrt(np.maximum(np.abs(both).max(axis=1, keepdims=True), 1e-300))
        both = both / np.sqrt(np.maximum(np.abs(both).max(axis=0, keepdims=True), 1e-300))
    return both[:, :d], both[:, d:]


def _rank(matrix: Array) -> tuple[int, float, float]:
    """The rank, the smallest singular value that is kept and the largest that is dropped, relative to the largest."""
    values = np.linalg.svd(matrix, compute_uv=False)
    values = values / max(values[0], 1e-300)
    rank = int(np.count_nonzero(values > TOLERANCE))
    return rank, float(values[rank - 1]), float(values[rank]) if rank < len(values) else 0.0


def _hypothesis(by_x: Array, by_rest: Array, d: int) -> tuple[int, float, float] | None:
    """(a, kept, dropped) when the three rank conditions hold."""
    rank, *one = _rank(by_rest)
    a = len(by_rest) - rank
    if not 0 < a <= d:
        return None
    left = np.linalg.svd(by_rest)[0][:, rank:]
    constraints = left.T @ by_x
    solved, *two = _rank(constraints)
    if solved != a:
        return None
    tangent = np.linalg.svd(constraints)[2][a:].T
    # The first block of the first rows is dF/dx' of the equations themselves.
    moving, *three = _rank(by_rest[:d, :d] @ tangent) if a < d else (0, 1.0, 0.0)
    if moving != d - a:
        return None
    ranks = one, two, three
    return a, min(kept for kept, _ in ranks), max(dropped for _, dropped in ranks)


def _differential_index(by_rest: Array, d: int) -> int:
    """The least nu for which the nu times differentiated equations determine x'."""
    for nu in range(HIGHEST + 2):
        rows = (nu + 1) * d
        matrix = by_rest[:rows, :rows]
        if _rank(matrix)[0] == d + (_rank(matrix[:, d:])[0] if nu else 0):
            return nu
    return HIGHEST + 2
