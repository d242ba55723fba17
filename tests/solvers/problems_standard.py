"""Problems on which everybody measures solvers, each with a solution that is not ours.

Sources: T. E. Hull, W. H. Enright, B. M. Fellen, A. E. Sedgwick, Comparing numerical methods for ordinary differential
equations, SIAM J. Numer. Anal. 9 (1972) 603-637 (DETEST, classes A to E, all on 0 <= t <= 20); E. Hairer, G. Wanner,
Solving Ordinary Differential Equations II (1996), IV.1 and IV.10 (ROBER, VDPOL, HIRES, OREGO).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numba import njit
from scipy.integrate import solve_ivp
from scipy.special import ellipj, jv, jvp

from solvers.codegen.tape import cos, sqrt
from solvers.kernels.signatures import JACOBIAN, RHS
from solvers.problem import Array, OdeProblem
from tests.solvers.problems import linear, two_body, two_body_solution, van_der_pol
from tests.solvers.recording import record

END = 20.0


@njit(RHS, cache=True, nogil=True)
def a2_rhs(t, y, params, dy):
    """A special case of the Riccati equation."""
    dy[0] = -0.5 * y[0] ** 3


@njit(RHS, cache=True, nogil=True)
def a3_rhs(t, y, params, dy):
    """An oscillatory problem."""
    dy[0] = y[0] * math.cos(t)


@njit(RHS, cache=True, nogil=True)
def a4_rhs(t, y, params, dy):
    """A logistic curve."""
    dy[0] = 0.25 * y[0] * (1.0 - 0.05 * y[0])


@njit(RHS, cache=True, nogil=True)
def a5_rhs(t, y, params, dy):
    """A spiral curve."""
    dy[0] = (y[0] - t) / (y[0] + t)


@njit(RHS, cache=True, nogil=True)
def b1_rhs(t, y, params, dy):
    """The growth of two conflicting populations."""
    dy[0] = 2.0 * (y[0] - y[0] * y[1])
    dy[1] = -(y[1] - y[0] * y[1])


@njit(RHS, cache=True, nogil=True)
def b4_rhs(t, y, params, dy):
    """The integral surface of a torus."""
    r = math.sqrt(y[0] * y[0] + y[1] * y[1])
    dy[0] = -y[1] - y[0] * y[2] / r
    dy[1] = y[0] - y[1] * y[2] / r
    dy[2] = y[0] / r


@njit(RHS, cache=True, nogil=True)
def b5_rhs(t, y, params, dy):
    """Euler's equations of a rigid body without external forces."""
    dy[0] = y[1] * y[2]
    dy[1] = -y[0] * y[2]
    dy[2] = -0.51 * y[0] * y[1]


@njit(RHS, cache=True, nogil=True)
def e1_rhs(t, y, params, dy):
    """Bessel's equation of order one half, with the origin shifted one unit to the left."""
    dy[0] = y[1]
    dy[1] = -(y[1] / (t + 1.0) + (1.0 - 0.25 / (t + 1.0) ** 2) * y[0])


@njit(RHS, cache=True, nogil=True)
def e4_rhs(t, y, params, dy):
    """A falling body."""
    dy[0] = y[1]
    dy[1] = 0.032 - 0.4 * y[1] * y[1]


@njit(RHS, cache=True, nogil=True)
def e5_rhs(t, y, params, dy):
    """A linear pursuit."""
    dy[0] = y[1]
    dy[1] = math.sqrt(1.0 + y[1] * y[1]) / (25.0 - t)


@njit(RHS, cache=True, nogil=True)
def robertson_rhs(t, y, params, dy):
    """ROBER: a chemical reaction with rates from 0.04 to 3e7."""
    first, second, third = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    dy[0] = -first + second
    dy[1] = first - second - third
    dy[2] = third


@njit(JACOBIAN, cache=True, nogil=True)
def robertson_jacobian(t, y, params, J):
    J[0, 0], J[0, 1], J[0, 2] = -0.04, 1e4 * y[2], 1e4 * y[1]
    J[1, 0], J[1, 1], J[1, 2] = 0.04, -1e4 * y[2] - 6e7 * y[1], -1e4 * y[1]
    J[2, 0], J[2, 1], J[2, 2] = 0.0, 6e7 * y[1], 0.0


@njit(RHS, cache=True, nogil=True)
def hires_rhs(t, y, params, dy):
    """HIRES: eight reactants in the growth of plant tissue."""
    exchange = 280.0 * y[5] * y[7]
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
    dy[1] = 1.71 * y[0] - 8.75 * y[1]
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3]
    dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6]
    dy[5] = -exchange + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
    dy[6] = exchange - 1.81 * y[6]
    dy[7] = -dy[6]


@njit(RHS, cache=True, nogil=True)
def oregonator_rhs(t, y, params, dy):
    """OREGO: the Belousov-Zhabotinskii reaction."""
    dy[0] = 77.27 * (y[1] + y[0] * (1.0 - 8.375e-6 * y[0] - y[1]))
    dy[1] = (y[2] - (1.0 + y[0]) * y[1]) / 77.27
    dy[2] = 0.161 * (y[0] - y[2])


@dataclass(frozen=True, slots=True, eq=False)
class Standard:
    """A problem and its state at the end of the span.

    Attributes:
        problem: what is integrated.
        final: the state at `problem.t1`, (d,), in closed form where there is one, else by scipy at a tight tolerance.
    """

    problem: OdeProblem
    final: Array


def first_order(rhs: Callable, initial: list[float], t1: float = END, jacobian: Callable | None = None) -> OdeProblem:
    """A problem without parameters and units."""
    names = tuple(f"y{j + 1}" for j in range(len(initial)))
    return OdeProblem(rhs, np.array(initial), 0.0, t1, np.zeros(1), names, ("",) * len(initial), jacobian=jacobian)


def by_scipy(problem: OdeProblem, method: str, rtol: float, atol: float) -> Standard:
    """The problem with scipy's solution."""

    def rhs(t: float, y: Array) -> Array:
        dy = np.empty_like(y)
        problem.rhs(t, np.ascontiguousarray(y), problem.params, dy)
        return dy

    span = problem.t0, problem.t1
    return Standard(problem, solve_ivp(rhs, span, problem.initial, method=method, rtol=rtol, atol=atol).y[:, -1])


def amplification(problem: OdeProblem, pieces: int = 10) -> tuple[float, float]:
    """How much an error made anywhere on the way may have grown at the end, and the largest component on the way.

    The maximum over t of the maximum norm of dy(t1) / dy(t), by scipy's solution and its differences.
    """
    d = problem.dimension

    def rhs(t: float, copies: Array) -> Array:
        out, slope = np.empty_like(copies), np.empty(d)
        for i in range(0, len(copies), d):
            problem.rhs(t, np.ascontiguousarray(copies[i : i + d]), problem.params, slope)
            out[i : i + d] = slope
        return out

    y, size, flows = problem.initial, float(np.abs(problem.initial).max()), []
    edges = np.linspace(problem.t0, problem.t1, pieces + 1)
    for start, end in pairwise(edges):
        moved = 1e-6 * (1 + np.abs(y))
        copies = np.vstack([y, y + np.diag(moved)]).ravel()
        path = solve_ivp(rhs, (start, end), copies, method="DOP853", rtol=1e-10, atol=1e-12).y
        size = max(size, float(np.abs(path[:d]).max()))
        y, *others = path[:, -1].reshape(d + 1, d)
        flows.append(((np.array(others) - y) / moved[:, np.newaxis]).T)
    product, largest = np.eye(d), 1.0
    for flow in reversed(flows):
        product = product @ flow
        largest = max(largest, float(np.abs(product).sum(axis=1).max()))
    return largest, size


def exact(problem: OdeProblem, *final: float) -> Standard:
    """The problem with its solution in closed form."""
    return Standard(problem, np.array(final, dtype=float))


def kepler(t, y, p):
    """The two bodies in elementary operations."""
    square = y[0] * y[0] + y[1] * y[1]
    cube = square * sqrt(square)
    return [y[2], y[3], -y[0] / cube, -y[1] / cube]


# The same equations for power series, where they consist of elementary operations.
SERIES = {
    "a2": lambda t, y, p: [-0.5 * y[0] * y[0] * y[0]],
    "a3": lambda t, y, p: [y[0] * cos(t)],
    "a4": lambda t, y, p: [0.25 * y[0] * (1.0 - 0.05 * y[0])],
    "a5": lambda t, y, p: [(y[0] - t) / (y[0] + t)],
    "b1": lambda t, y, p: [2.0 * (y[0] - y[0] * y[1]), y[0] * y[1] - y[1]],
    "b5": lambda t, y, p: [y[1] * y[2], -y[0] * y[2], -0.51 * y[0] * y[1]],
    "d1": kepler,
    "d3": kepler,
    "e4": lambda t, y, p: [y[1], 0.032 - 0.4 * y[1] * y[1]],
    "e5": lambda t, y, p: [y[1], sqrt(1.0 + y[1] * y[1]) / (25.0 - t)],
}


def nonstiff(name: str) -> Standard:
    """A problem of DETEST, by its name there, with a series where it has one."""
    standard = plain(name)
    if name not in SERIES:
        return standard
    problem = standard.problem
    tape = record(SERIES[name], problem.dimension, len(problem.params))
    return replace(standard, problem=replace(problem, taylor=tape))


def plain(name: str) -> Standard:
    """A problem of DETEST as it stands there."""
    if name[0] == "d":
        eccentricity = {"d1": 0.1, "d3": 0.5}[name]
        return Standard(two_body(END, eccentricity), two_body_solution(END, eccentricity))
    speed = math.sqrt(0.08)
    match name:
        case "a2":
            return exact(first_order(a2_rhs, [1.0]), 1 / math.sqrt(1 + END))
        case "a3":
            return exact(first_order(a3_rhs, [1.0]), math.exp(math.sin(END)))
        case "a4":
            return exact(first_order(a4_rhs, [1.0]), 20 / (1 + 19 * math.exp(-END / 4)))
        case "a5":
            return by_scipy(first_order(a5_rhs, [4.0]), "DOP853", 1e-12, 1e-12)
        case "b1":
            return by_scipy(first_order(b1_rhs, [1.0, 3.0]), "DOP853", 1e-12, 1e-12)
        case "b4":
            return by_scipy(first_order(b4_rhs, [3.0, 0.0, 0.0]), "DOP853", 1e-12, 1e-12)
        case "b5":
            return exact(first_order(b5_rhs, [0.0, 1.0, 1.0]), *ellipj(END, 0.51)[:3])
        case "c1":
            return decay_chain()
        case "c3":
            return diffusion()
        case "e1":
            initial = [float(jv(0.5, 1.0)), float(jvp(0.5, 1.0))]
            return exact(first_order(e1_rhs, initial), jv(0.5, END + 1), jvp(0.5, END + 1))
        case "e2":
            return by_scipy(van_der_pol(1.0, END), "DOP853", 1e-12, 1e-12)
        case "e4":
            fallen = 30 + 2.5 * math.log(math.cosh(0.4 * speed * END))
            return exact(first_order(e4_rhs, [30.0, 0.0]), fallen, speed * math.tanh(0.4 * speed * END))
        case "e5":
            left = 25 - END
            run = 12.5 * math.log(25 / left) - (25 - left * left / 25) / 4
            return exact(first_order(e5_rhs, [0.0, 0.0]), run, (25 / left - left / 25) / 2)
    raise ValueError(name)


def decay_chain() -> Standard:
    """C1: ten substances, each of which decays into the next: t^k e^-t / k!, and what is left for the last."""
    matrix = np.diag([-1.0] * 9 + [0.0]) + np.diag(np.ones(9), -1)
    amounts = [END**k * math.exp(-END) / math.factorial(k) for k in range(9)]
    return Standard(linear(matrix, np.eye(10)[0], END), np.array([*amounts, 1 - sum(amounts)]))


def diffusion() -> Standard:
    """C3: the second difference of ten values, with its eigenvectors sin(j k pi / 11)."""
    matrix = -2 * np.eye(10) + np.eye(10, k=1) + np.eye(10, k=-1)
    numbers = np.arange(1, 11)
    modes = np.sin(np.outer(numbers, numbers) * np.pi / 11) * math.sqrt(2 / 11)
    rates = 2 * np.cos(numbers * np.pi / 11) - 2
    return Standard(linear(matrix, np.eye(10)[0], END), modes @ (np.exp(rates * END) * modes[0]))


# Final states published with the problems: F. Mazzia, C. Magherini, Test set for initial value problem solvers 2.4
# (2008), computed there by other codes in quadruple precision. VDPOL stands there in scaled time.
PUBLISHED = {
    "vdpol": (1.706167732170469, -8.928097010247975e-4),
    "hires": (
        *(0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2),
        *(0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2),
    ),
    "orego": (0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3),
}


def stiff(name: str) -> Standard:
    """A problem of Hairer and Wanner's, by its name there."""
    match name:
        case "rober":
            return by_scipy(
                first_order(robertson_rhs, [1.0, 0.0, 0.0], 40.0, robertson_jacobian), "Radau", 1e-10, 1e-14
            )
        case "vdpol":
            problem = van_der_pol(1000.0, 2000.0)
        case "hires":
            problem = first_order(hires_rhs, [1.0, *[0.0] * 6, 0.0057], 321.8122)
        case "orego":
            problem = first_order(oregonator_rhs, [1.0, 2.0, 3.0], 360.0)
        case _:
            raise ValueError(name)
    return exact(problem, *PUBLISHED[name])
