"""DOP853 with step control on the 18-state beam at 1e-9, against the same algorithm in C.

The C program (gcc -O3) is written for this method and this beam, and keeps every accepted state, as ours does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.c_programs import NO_GCC, has_gcc, pointer, program
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.problems import beam_numbers, posed
from solvers.control import Tolerance
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import coefficients, load

TOLERANCE, FIRST, ROOM = 1e-9, 1e-5, 100_000


def measure() -> list[Measurement]:
    """Time of six seconds of the beam by either, and the ratio."""
    problem = posed("beam")
    run_ours = ours(problem)
    if not has_gcc():
        times = alternate({"ours": run_ours}, clock=process_time)["ours"]
        return [Measurement("ours", "ms", [1e3 * time for time in times], note=NO_GCC)]
    run_c = c_program(problem)
    assert np.abs(run_c()[1] - run_ours()[1]).max() < 1e-6
    note = f"{run_ours()[0]} steps accepted by ours, {run_c()[0]} by C"
    times = alternate({"C": run_c, "ours": run_ours}, repeats=15, clock=process_time)
    found = [Measurement(name, "ms", [1e3 * time for time in series]) for name, series in times.items()]
    return [*found, ratio("ours over C", times["ours"], times["C"], goal=2.0, note=note)]


def ours(problem: OdeProblem) -> Callable[[], tuple[int, np.ndarray]]:
    """The whole of integrate(), as Armstep calls it."""
    method, control = find_method("dop853"), Tolerance(TOLERANCE, TOLERANCE, first_step=FIRST)

    def run() -> tuple[int, np.ndarray]:
        found = integrate(problem, method, control)
        return found.counts.steps, found.final

    return run


def c_program(problem: OdeProblem) -> Callable[[], tuple[int, np.ndarray]]:
    """The same span by the C program."""
    library, numbers, d = program("dop853.c"), coefficients(load("dop853")), problem.dimension
    library.integrate.restype = ctypes.c_long
    s = len(numbers.b)
    rows = [*(numbers.A[i, :i] for i in range(s)), numbers.b, numbers.e, numbers.e2]
    columns = np.concatenate([np.flatnonzero(row) for row in rows]).astype(np.int32)
    weights = np.concatenate([row[np.flatnonzero(row)] for row in rows])
    starts = np.cumsum(np.array([0, *(np.count_nonzero(row) for row in rows)], dtype=np.int32), dtype=np.int32)
    k, work, after = np.empty((s, d)), np.empty(d), np.empty(d)
    out_t, out, params, c = np.empty(ROOM), np.empty((ROOM, d)), beam_numbers(), np.array(numbers.c)

    def run() -> tuple[int, np.ndarray]:
        y = np.array(problem.initial)
        steps = library.integrate(
            *(library.beam_rhs, pointer(params), ctypes.c_int(s), pointer(c), pointer(starts), pointer(columns)),
            *(pointer(weights), ctypes.c_double(problem.t0), ctypes.c_double(problem.t1), ctypes.c_double(FIRST)),
            *(ctypes.c_double(TOLERANCE), ctypes.c_double(TOLERANCE), ctypes.c_int(d), pointer(y), pointer(k)),
            *(pointer(work), pointer(after), ctypes.c_long(ROOM), pointer(out_t), pointer(out)),
        )
        assert steps > 0
        return int(steps), y

    return run
