"""Explicit Runge-Kutta methods on the RR arm, per step, against a C program with the same structure.

The C program (gcc -O3) has a generic tableau and a pointer to the right-hand side, and keeps every state, as ours do.
Where there is no gcc the benchmark says so.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from benchmarks.c_programs import NO_GCC, has_gcc, pointer, program
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.problems import arm_numbers, posed
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import coefficients, load

METHODS = ("rk4", "rk6", "rk8", "dop853")
STEPS = 200_000


def measure() -> list[Measurement]:
    """Time per step and ratio for each method."""
    problem = posed("rr-swing", 10.0)
    if not has_gcc():
        alone = [1e6 * time / STEPS for time in alternate({"ours": ours(problem, "rk4")})["ours"]]
        return [Measurement("rk4, ours", "us/step", alone, note=NO_GCC)]
    found, library = [], program("runge_kutta.c")
    for key in METHODS:
        run_c, run_ours = c_program(library, problem, key), ours(problem, key)
        assert np.abs(run_c() - run_ours()).max() < 1e-9
        times = alternate({"c": run_c, "ours": run_ours}, repeats=9)
        for name, series in times.items():
            found.append(Measurement(f"{key}, {name}", "us/step", [1e6 * time / STEPS for time in series]))
        found.append(ratio(f"{key}: ours over C", times["ours"], times["c"], goal=2.2))
    return found


def ours(problem: OdeProblem, key: str) -> Callable[[], np.ndarray]:
    """The whole of integrate(), as Armstep calls it."""
    method, control = find_method(key), FixedStep((problem.t1 - problem.t0) / STEPS)
    return lambda: integrate(problem, method, control).final


def c_program(library: ctypes.CDLL, problem: OdeProblem, key: str, steps: int = STEPS) -> Callable[[], np.ndarray]:
    """The same steps by the C program."""
    numbers, d = coefficients(load(key)), problem.dimension
    s = len(numbers.b)
    k, work, out_t, out = np.empty((s, d)), np.empty(d), np.empty(steps), np.empty((steps, d))
    params = arm_numbers()

    def run() -> np.ndarray:
        y = np.array(problem.initial)
        library.integrate(
            *(library.rr_rhs, pointer(params), ctypes.c_int(s), pointer(numbers.A), pointer(numbers.b)),
            *(pointer(numbers.c), ctypes.c_double(problem.t0), ctypes.c_double((problem.t1 - problem.t0) / steps)),
            *(ctypes.c_long(steps), ctypes.c_int(d), pointer(y), pointer(k), pointer(work), pointer(out_t)),
            pointer(out),
        )
        return y

    return run
