"""Diagonally implicit Runge-Kutta methods with a fixed step on the 18-state beam, against the same algorithm in C.

The C program (gcc -O3) has a generic tableau, right-hand side and Jacobian through pointers, and keeps every state.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from benchmarks.c_programs import NO_GCC, has_gcc, pointer, program
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.problems import beam_numbers, posed
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.methods.diagonally_implicit import DiagonallyImplicit
from solvers.problem import OdeProblem

METHODS = ("tr-bdf2", "sdirk4", "esdirk54")
STEPS, STEP, NEWTON, MOST = 2000, 1e-3, 1e-12, 20


def measure() -> list[Measurement]:
    """Time per step by either, and the ratio, for each method."""
    problem = posed("beam", STEPS * STEP)
    if not has_gcc():
        alone = [1e6 * time / STEPS for time in alternate({"ours": ours(problem, METHODS[0])})["ours"]]
        return [Measurement(f"{METHODS[0]}, ours", "us/step", alone, note=NO_GCC)]
    found, library = [], program("diagonally_implicit.c")
    for key in METHODS:
        run_c, run_ours = c_program(library, problem, key), ours(problem, key)
        (last, iterations), (final, own) = run_c(), run_ours()
        assert np.abs(last - final).max() < 1e-8
        times = alternate({"C": run_c, "ours": run_ours}, repeats=9)
        for name, series in times.items():
            found.append(Measurement(f"{key}, {name}", "us/step", [1e6 * time / STEPS for time in series]))
        note = f"{own} iterations by ours, {iterations} by C"
        found.append(ratio(f"{key}: ours over C", times["ours"], times["C"], goal=2.0, note=note))
    return found


def ours(problem: OdeProblem, key: str) -> Callable[[], tuple[np.ndarray, int]]:
    """The whole of integrate(), as Armstep calls it."""
    method, control = find_method(key), FixedStep(STEP)

    def run() -> tuple[np.ndarray, int]:
        found = integrate(problem, method, control)
        return found.final, found.counts.newton_iterations

    return run


def c_program(library: ctypes.CDLL, problem: OdeProblem, key: str) -> Callable[[], tuple[np.ndarray, int]]:
    """The same steps by the C program: the last state, and Newton's iterations."""
    method, d = find_method(key), problem.dimension
    assert isinstance(method, DiagonallyImplicit)
    A, e, params = np.ascontiguousarray(method.formula.A), np.array(method.formula.estimate), beam_numbers()
    s, c = len(A), A.sum(axis=1)
    slopes, matrices, vectors = np.empty((s + 1, d)), np.empty((2, d, d)), np.empty((6, d))
    pivots, out = np.empty(d, dtype=np.int32), np.empty((STEPS, d))

    def run() -> tuple[np.ndarray, int]:
        y, iterations = np.array(problem.initial), ctypes.c_long(0)
        done = library.integrate(
            *(library.beam_rhs, library.beam_jacobian, pointer(params), ctypes.c_int(s), pointer(A), pointer(c)),
            *(pointer(e), ctypes.c_double(problem.t0), ctypes.c_double(STEP), ctypes.c_long(STEPS)),
            *(ctypes.c_double(NEWTON), ctypes.c_int(MOST), ctypes.c_int(d), pointer(y), pointer(slopes)),
            *(pointer(matrices), pointer(vectors), pointer(pivots), pointer(out), ctypes.byref(iterations)),
        )
        assert done == 1
        return y, iterations.value

    return run
