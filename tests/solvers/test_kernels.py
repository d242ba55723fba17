"""What the compiled loops promise: the next process hits the disk cache, one compilation serves all."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from solvers.control import FixedStep
from solvers.method_registry import find_method
from solvers.stepper import Rows
from tests.solvers.problems import pendulum

SECOND_PROCESS = """
import sys
from solvers.method_registry import methods
assert len(methods()) >= 48 and not {"numba", "scipy"} & set(sys.modules)
from solvers.control import FixedStep, Tolerance
from solvers.integrate import integrate
from tests.solvers.problems import pendulum, two_body
from solvers.kernels import explicit_runge_kutta as kernels
for problem in (pendulum(), two_body()):
    for control in (FixedStep(0.01), Tolerance()):
        integrate(problem, methods()["dopri5"], control)(0.5)
stats = kernels.run.stats
assert sum(stats.cache_hits.values()) == 1 and not stats.cache_misses and len(kernels.run.signatures) == 1, stats
print("hit")
"""


def test_disk_cache_is_hit_by_the_second_process() -> None:
    """This process has compiled or loaded the kernels; the next one loads them, for two right-hand sides alike."""
    import solvers.kernels.explicit_runge_kutta  # noqa: F401

    done = subprocess.run([sys.executable, "-c", SECOND_PROCESS], capture_output=True, text=True, check=False)
    assert done.stdout == "hit\n", done.stderr


def test_kernels_release_the_interpreter() -> None:
    """Two runs in threads make progress at once: the kernel holds no lock."""
    import threading

    problem = pendulum(1000.0)
    stepper = find_method("rk4").stepper(problem, FixedStep(1e-4), {})
    stepper.start(0.0, problem.initial, 1000.0, np.inf)
    rows = Rows.empty(2_000_000, 2)
    ticks = 0
    worker = threading.Thread(target=stepper.advance, args=(2_000_000, rows))
    worker.start()
    while worker.is_alive():
        ticks += 1
        worker.join(0.001)
    assert ticks > 20
