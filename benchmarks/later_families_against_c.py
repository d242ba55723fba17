"""Gauss, average vector field, generalized-alpha, extrapolation, Munthe-Kaas and BDF 1-5 against the same steps in C.

The C programs (gcc -O3) have the structure of our kernels, right-hand side and Jacobian through pointers, and keep
every state. Switching consists of two pairs with benchmarks of their own: it is compared with the explicit one alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

import numpy as np

from assets.fields import Value
from benchmarks.c_programs import NO_GCC, has_gcc, pointer, program
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.problems import beam_numbers, posed
from robots.scenario.presets import find_preset
from solvers.control import Control, FixedStep, Tolerance
from solvers.integrate import integrate
from solvers.method import Method
from solvers.method_registry import find_method
from solvers.methods.energy import EnergyConserving
from solvers.methods.generalized_alpha import GeneralizedAlpha
from solvers.methods.implicit_runge_kutta import ImplicitRungeKutta
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import coefficients, load

STEPS, NEWTON, MOST = 1000, 1e-12, 20
FIRST, TOLERANCE = 1e-5, 1e-6
ROOM = 200_000
OPTIONS: Mapping[str, Value] = {"newton_tolerance": NEWTON, "newton_limit": MOST}
Run = Callable[[], tuple[np.ndarray, int]]
"""Makes all steps: the last state, and their number."""


@dataclass(frozen=True, kw_only=True)
class AsItIs(EnergyConserving):
    """An energy-conserving method that steps the states of a problem as they are."""

    problems: frozenset[str] = frozenset({"ode"})
    stepper = ImplicitRungeKutta.stepper


def measure() -> list[Measurement]:
    """Time per step by either, and the ratio, for each method."""
    found: list[Measurement] = []
    if not has_gcc():
        return [Measurement("ours over C", "x", [], note=NO_GCC)]
    library = program("later_families.c")
    library.variable.restype = ctypes.c_long
    for name, (in_c, own) in pairs(library).items():
        (theirs, count), (mine, steps) = in_c(), own()
        assert np.abs(theirs - mine).max() < 1e-6 * (1.0 + np.abs(mine).max()), name
        times = alternate({"C": in_c, "ours": own}, repeats=15)
        taken = {"C": count, "ours": steps}
        for who, series in times.items():
            per_step = [1e6 * time / taken[who] for time in series]
            found.append(Measurement(f"{name}, {who}", "us/step", per_step))
        note = f"{steps} steps by ours, {count} by C"
        found.append(ratio(f"{name}: ours over C", times["ours"], times["C"], goal=2.0, note=note))
    times = alternate({key: ours(*rr_arm(key)) for key in ("switching", "dopri5")}, repeats=15)
    found.append(ratio("switching over dopri5 alone", times["switching"], times["dopri5"], note="no step is stiff"))
    return found


def pairs(library: ctypes.CDLL) -> dict[str, tuple[Run, Run]]:
    """The C program and ours, by the method's name."""
    beam, made = posed("beam", STEPS * 1e-3), {}
    for key in ("gauss4", "gauss6"):
        method = find_method(key)
        assert isinstance(method, ImplicitRungeKutta)
        made[key] = implicit(library, beam, method, 1e-3), ours(beam, method, FixedStep(1e-3), OPTIONS)
    for key in ("avf", "avf4"):
        method = find_method(key)
        assert isinstance(method, EnergyConserving)
        plain = AsItIs(**{one.name: getattr(method, one.name) for one in fields(method) if one.name != "problems"})
        made[key] = implicit(library, beam, plain, 1e-3), ours(beam, plain, FixedStep(1e-3), OPTIONS)
    alpha = find_method("generalized-alpha")
    assert isinstance(alpha, GeneralizedAlpha)
    made["generalized-alpha"] = alpha_in_c(library, beam, alpha, 1e-3), ours(beam, alpha, FixedStep(1e-3), OPTIONS)
    gbs = find_method("gbs")
    made["gbs"] = extrapolated(library, beam, 4, 1e-3), ours(beam, gbs, FixedStep(1e-3))
    top = posed("top-spin", STEPS * 2e-3)
    made["munthe-kaas4"] = rotated(library, top, 2e-3), ours(top, find_method("munthe-kaas4"), FixedStep(2e-3))
    short = posed("beam", 0.2)
    control = Tolerance(TOLERANCE, TOLERANCE, first_step=FIRST)
    made["bdf-variable"] = variable(library, short), ours(short, find_method("bdf-variable"), control)
    return made


def rr_arm(key: str) -> tuple[OdeProblem, Method, Control]:
    """The falling arm, by a method with step control."""
    return posed("rr-swing", 5.0), find_method(key), Tolerance(1e-9, 1e-9)


def ours(problem: OdeProblem, method: Method, control: Control, options: Mapping[str, Value] | None = None) -> Run:
    """The whole of integrate(), as Armstep calls it."""

    def run() -> tuple[np.ndarray, int]:
        found = integrate(problem, method, control, options=options)
        assert found.status.ok, found.message
        return found.final, found.counts.steps

    return run


def implicit(library: ctypes.CDLL, problem: OdeProblem, method: ImplicitRungeKutta, step: float) -> Run:
    """A fully implicit Runge-Kutta method on the beam."""
    formula, d, params = method.arrays(NEWTON, MOST), problem.dimension, beam_numbers()
    s, m, wide = len(formula.A), len(formula.c), formula.spread.size > 0
    gather = formula.gather if wide else np.ascontiguousarray(formula.A)
    n = s * d
    slopes, memory, pivots = np.empty((m + 1, d)), np.empty(d * d + n * n + 3 * n + d), np.empty(n, dtype=np.int32)
    out = np.empty((STEPS, d))
    arrays = [pointer(np.ascontiguousarray(one)) for one in (formula.c, formula.A, formula.spread, gather, formula.d)]

    def run() -> tuple[np.ndarray, int]:
        y = np.array(problem.initial)
        done = library.implicit(
            *(library.beam_rhs, library.beam_jacobian, pointer(params), ctypes.c_int(s), ctypes.c_int(m)),
            *(ctypes.c_int(wide), *arrays, ctypes.c_double(0.0), ctypes.c_double(step), ctypes.c_long(STEPS)),
            *(ctypes.c_double(NEWTON), ctypes.c_int(MOST), ctypes.c_int(d), pointer(y), pointer(slopes)),
            *(pointer(memory), pointer(pivots), pointer(out)),
        )
        assert done == 1
        return y, STEPS

    return run


def alpha_in_c(library: ctypes.CDLL, problem: OdeProblem, method: GeneralizedAlpha, step: float) -> Run:
    """Generalized-alpha on the beam."""
    d, params = problem.dimension, beam_numbers()
    numbers = np.array([method.am, method.af, method.b, method.g])
    memory, pivots, out = np.empty(2 * d * d + 8 * d), np.empty(d, dtype=np.int32), np.empty((STEPS, d))

    def run() -> tuple[np.ndarray, int]:
        y = np.array(problem.initial)
        done = library.alpha(
            *(library.beam_rhs, library.beam_jacobian, pointer(params), pointer(numbers), ctypes.c_double(0.0)),
            *(ctypes.c_double(step), ctypes.c_long(STEPS), ctypes.c_double(NEWTON), ctypes.c_int(MOST)),
            *(ctypes.c_int(d), pointer(y), pointer(memory), pointer(pivots), pointer(out)),
        )
        assert done == 1
        return y, STEPS

    return run


def extrapolated(library: ctypes.CDLL, problem: OdeProblem, columns: int, step: float) -> Run:
    """Gragg's rule on the beam."""
    d, params = problem.dimension, beam_numbers()
    table, memory, out = np.empty((columns, d)), np.empty(4 * d), np.empty((STEPS, d))

    def run() -> tuple[np.ndarray, int]:
        y = np.array(problem.initial)
        library.extrapolate(
            *(library.beam_rhs, pointer(params), ctypes.c_int(columns), ctypes.c_double(0.0), ctypes.c_double(step)),
            *(ctypes.c_long(STEPS), ctypes.c_int(d), pointer(y), pointer(table), pointer(memory), pointer(out)),
        )
        return y, STEPS

    return run


def rotated(library: ctypes.CDLL, problem: OdeProblem, step: float) -> Run:
    """Munthe-Kaas by RK4 on the spinning top."""
    scenario, tableau, d = find_preset("top-spin"), coefficients(load("rk4")), problem.dimension
    J1, J2, J3, m, g, l = (float(scenario.parameters[name]) for name in ("J1", "J2", "J3", "m", "g", "l"))
    params, (A, b, c) = np.array([J1, J2, J3, m * g * l]), (np.array(one) for one in (tableau.A, tableau.b, tableau.c))
    k, memory, out = np.empty((len(b), d)), np.empty(3 * d), np.empty((STEPS, d))

    def run() -> tuple[np.ndarray, int]:
        y = np.array(problem.initial)
        library.rotate(
            *(library.top_rhs, pointer(params), ctypes.c_int(len(b)), pointer(A), pointer(b), pointer(c)),
            *(ctypes.c_double(0.0), ctypes.c_double(step), ctypes.c_long(STEPS), ctypes.c_int(d), pointer(y)),
            *(pointer(k), pointer(memory), pointer(out)),
        )
        return y, STEPS

    return run


def variable(library: ctypes.CDLL, problem: OdeProblem) -> Run:
    """BDF of variable order and step on the beam."""
    d, params = problem.dimension, beam_numbers()
    D, memory, pivots = np.empty((8, d)), np.empty(2 * d * d + 8 * d), np.empty(d, dtype=np.int32)
    out = np.empty((ROOM, d))

    def run() -> tuple[np.ndarray, int]:
        y = np.array(problem.initial)
        steps = library.variable(
            *(library.beam_rhs, library.beam_jacobian, pointer(params), ctypes.c_double(problem.t0)),
            *(ctypes.c_double(problem.t1), ctypes.c_double(FIRST), ctypes.c_double(TOLERANCE)),
            *(ctypes.c_double(TOLERANCE), ctypes.c_int(d), pointer(y), pointer(D), pointer(memory)),
            *(pointer(pivots), ctypes.c_long(ROOM), pointer(out)),
        )
        assert steps > 0
        return y, int(steps)

    return run
