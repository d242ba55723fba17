"""Explicit Runge-Kutta methods on the RR arm, per step, against a C program with the same structure.

The C program (gcc -O3) has a generic tableau and a pointer to the right-hand side, and keeps every state, as ours do.
Where there is no gcc the benchmark says so.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.measurement import Measurement, alternate, ratio
from robots.model.registry import find_robot
from robots.scenario.presets import presets
from solvers.control import FixedStep
from solvers.integrate import integrate
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.tableaux.tableau import coefficients, load

METHODS = ("rk4", "rk6", "rk8", "dop853")
STEPS = 200_000
SOURCE = Path(__file__).parent / "c" / "runge_kutta.c"


def measure() -> list[Measurement]:
    """Time per step and ratio for each method."""
    problem = rr_problem(10.0)
    if shutil.which("gcc") is None:
        alone = [1e6 * time / STEPS for time in alternate({"ours": ours(problem, "rk4")})["ours"]]
        return [Measurement("rk4, ours", "us/step", alone, note="no gcc here: nothing to compare with")]
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        found = []
        for key in METHODS:
            run_c, run_ours = c_program(library, problem, key), ours(problem, key)
            assert np.abs(run_c() - run_ours()).max() < 1e-9
            times = alternate({"c": run_c, "ours": run_ours}, repeats=9)
            for name, series in times.items():
                found.append(Measurement(f"{key}, {name}", "us/step", [1e6 * time / STEPS for time in series]))
            found.append(ratio(f"{key}: ours over C", times["ours"], times["c"], goal=2.2))
        return found


def rr_problem(duration: float) -> OdeProblem:
    """The preset's arm over `duration` seconds."""
    scenario = presets()["rr-swing"].with_value("duration", duration)
    problem = find_robot(scenario.robot).problem(scenario)
    assert isinstance(problem, OdeProblem)
    return problem


def arm_numbers() -> np.ndarray:
    """m1, m2, r1, r2, J1, J2, g of that arm, for programs that are not ours."""
    given = presets()["rr-swing"].parameters
    return np.array([given[name] for name in ("m1", "m2", "r1", "r2", "J1", "J2", "g")], dtype=float)


def ours(problem: OdeProblem, key: str) -> Callable[[], np.ndarray]:
    """The whole of integrate(), as Armstep calls it."""
    method, control = find_method(key), FixedStep((problem.t1 - problem.t0) / STEPS)
    return lambda: integrate(problem, method, control).final


def build(folder: Path) -> ctypes.CDLL:
    """The C program, compiled."""
    library = folder / "runge_kutta.so"
    subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", library, SOURCE, "-lm"], check=True)
    return ctypes.CDLL(str(library))


def c_program(library: ctypes.CDLL, problem: OdeProblem, key: str, steps: int = STEPS) -> Callable[[], np.ndarray]:
    """The same steps by the C program."""
    numbers, d = coefficients(load(key)), problem.dimension
    s = len(numbers.b)
    k, work, out_t, out = np.empty((s, d)), np.empty(d), np.empty(steps), np.empty((steps, d))
    params = arm_numbers()

    def pointer(array: np.ndarray) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

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
