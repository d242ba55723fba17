"""Kernels for runs side by side, compiled while runs are computed alone: `python -m robots.preparation.lanes`.

That takes many seconds, in which a thread here could not be stopped. A process of its own has the scenario as one JSON
line; it ends with its input, at the latest. What it has compiled is then on the disk.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading

from assets.imports import ROOT
from assets.priority import step_back
from robots.model.registry import robot_of
from robots.preparation.first_pose import end_with_input
from robots.scenario.scenario import Scenario
from robots.simulation.phases import intervals
from robots.simulation.simulate import posed
from solvers.batch.side_by_side import MANY, lanes_for, loaded, name_of
from solvers.kernel_stepper import KernelStepper
from solvers.problem import OdeProblem, apart

_lock = threading.Lock()
_begun: dict[str, subprocess.Popen[str]] = {}
"""The processes that compile, by the names of the kernels."""
_failed: set[str] = set()


def ready(scenario: Scenario, count: int) -> bool:
    """Whether that many runs of this kind should be computed side by side now.

    The first time, what they need is compiled from then on; until it is there they are computed alone, with the same
    bits.
    """
    stepper = None if count < MANY else _stepper(scenario)
    if stepper is None:
        return False
    name = name_of(stepper)
    if name in loaded:
        return True
    with _lock:
        if name in _failed:
            return False
        try:
            if name not in _begun:
                _begun[name] = _process(scenario)
            status = _begun[name].poll()
        except OSError as problem:  # no memory for a process, or it ended at once
            status = str(problem)
        if status:
            _failed.add(name)
            logging.getLogger(__name__).warning("runs are not computed side by side: compiling ended with %s", status)
    return status == 0


def _stepper(scenario: Scenario) -> KernelStepper | None:
    """How the scenario's runs are integrated, if that can be done side by side."""
    problem, method, control = posed(robot_of(scenario), intervals(scenario)[0], None)
    if not isinstance(problem, OdeProblem):
        return None
    settings = method.complete_options(scenario.options)
    stepper = method.configured(settings).stepper(apart(problem), control, settings)
    return stepper if isinstance(stepper, KernelStepper) and stepper.side_by_side is not None else None


def _process(scenario: Scenario) -> subprocess.Popen[str]:
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-m", "robots.preparation.lanes"],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(scenario.to_json()) + "\n")
    process.stdin.flush()
    return process


def main() -> None:
    """Compile for the scenario on the standard input."""
    scenario = Scenario.from_json(json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_input, daemon=True).start()
    step_back()
    stepper = _stepper(scenario)
    assert stepper is not None
    lanes_for(stepper)


if __name__ == "__main__":
    main()
