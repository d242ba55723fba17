"""Specialised kernels on the RR arm, per step, against C with its stages unrolled by hand and against generic C.

Both C programs (gcc -O3) keep every state, as ours do; ours also keep a step log. Where there is no gcc the benchmark
compares with our generic kernel alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.c_programs import SOURCES, compiled, has_gcc, pointer, program
from benchmarks.measurement import Measurement, alternate, ratio
from benchmarks.problems import arm_numbers, posed
from benchmarks.rk4_against_c import STEPS, c_program, ours
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import coefficients, load

METHODS = ("rk4", "dopri5", "rk8", "dop853")
HEAD = SOURCES / "unrolled_head.c"


def measure() -> list[Measurement]:
    """Time per step and ratios for each method."""
    problem = posed("rr-swing", 10.0)
    found = []
    for key in METHODS:
        programs = {"specialised": specialised(problem, key), "generic": ours(problem, key)}
        if has_gcc():
            programs["unrolled C"] = unrolled_c(problem, key)
            programs["generic C"] = c_program(program("runge_kutta.c"), problem, key)
        expected = programs["generic"]()
        assert all(np.abs(run() - expected).max() < 1e-9 for run in programs.values())
        times = alternate(programs, repeats=9, clock=process_time)
        for name, series in times.items():
            found.append(Measurement(f"{key}, {name}", "us/step", [1e6 * time / STEPS for time in series]))
        mine = times["specialised"]
        found.append(ratio(f"{key}: generic over specialised", times["generic"], mine))
        if "unrolled C" in times:
            found.append(ratio(f"{key}: specialised over unrolled C", mine, times["unrolled C"], goal=1.4))
            found.append(ratio(f"{key}: specialised over generic C", mine, times["generic C"], goal=1.0))
    return found


def specialised(problem: OdeProblem, key: str) -> Callable[[], np.ndarray]:
    """The whole of integrate() with the specialised kernel."""
    method, control = find_method(key), FixedStep((problem.t1 - problem.t0) / STEPS)
    return lambda: integrate(problem, method, control, options={"specialised": True}).final


def unrolled_source(key: str) -> str:
    """The C program with the stages of a method written out."""
    numbers = coefficients(load(key))

    def total(weights: np.ndarray, name: str) -> str:
        return " + ".join(f"{float(w)!r} * {name}_{i}" for i, w in enumerate(weights) if w)

    names = ("q1", "q2", "v1", "v2")
    slopes = {"q1": "v1", "q2": "v2", "v1": "a1", "v2": "a2"}
    lines = [
        "void integrate(const double *p, double t0, double h, long n, double *y, double *out_t, double *out)",
        "{",
        "const arm a = constants(p);",
        "double q1 = y[0], q2 = y[1], v1 = y[2], v2 = y[3];",
        "for (long step = 0; step < n; step++) {",
    ]
    for i in range(len(numbers.b)):
        lines.append("double " + ", ".join(f"{slope}_{i}" for slope in ("a1", "a2")) + ";")
        for name in names:
            sum_ = total(numbers.A[i, :i], slopes[name])
            lines.append(f"const double {name}_{i} = {name}" + (f" + h * ({sum_});" if sum_ else ";"))
        lines.append(f"slope(&a, q1_{i}, q2_{i}, v1_{i}, v2_{i}, &a1_{i}, &a2_{i});")
    lines += [f"{name} += h * ({total(numbers.b, slopes[name])});" for name in names]
    lines += [f"out[step * 4 + {j}] = {name};" for j, name in enumerate(names)]
    lines += ["out_t[step] = t0 + (step + 1) * h;", "}"]
    lines += [f"y[{j}] = {name};" for j, name in enumerate(names)]
    return "\n".join([HEAD.read_text(), *lines, "}\n"])


def unrolled_c(problem: OdeProblem, key: str) -> Callable[[], np.ndarray]:
    """The same steps by that program."""
    library = compiled(unrolled_source(key))
    params, out_t, out = arm_numbers(), np.empty(STEPS), np.empty((STEPS, 4))
    step = (problem.t1 - problem.t0) / STEPS

    def run() -> np.ndarray:
        y = np.array(problem.initial)
        library.integrate(
            *(pointer(params), ctypes.c_double(problem.t0), ctypes.c_double(step), ctypes.c_long(STEPS)),
            *(pointer(y), pointer(out_t), pointer(out)),
        )
        return y

    return run
