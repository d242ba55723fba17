"""How an arm stands at first, before its kernels are compiled: `python -m robots.preparation.first_pose`.

Its equations are evaluated once as plain Python, in a process of their own: a scenario's text comes in, the places of
its links go out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np

from assets.imports import ROOT
from robots.model.registry import robot_of
from robots.model.shapes import Pose
from robots.scenario.posing import first_state
from robots.scenario.scenario import Scenario

SECONDS = 30.0
"""How long it may take."""


def first_pose(scenario: Scenario) -> Pose | None:
    """The pose in which the scenario begins; None for an arm whose equations must be compiled."""
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    try:
        found = subprocess.run(
            [sys.executable, "-m", "robots.preparation.first_pose"],
            input=scenario.to_json(),
            env={**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    links, curves = json.loads(found.stdout)
    return Pose(np.array(links), {name: np.array(points) for name, points in curves.items()})


def main() -> None:
    """Answer for the scenario on the standard input."""
    from solvers.kernels import signatures

    # Functions that are not compiled need no names by which compiled ones find them.
    module: Any = signatures
    module.separate = signatures.compiled
    scenario = Scenario.from_json(sys.stdin.read())
    pose = robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
    curves = {name: points.tolist() for name, points in pose.curves.items()}
    print(json.dumps([pose.world_from_link.tolist(), curves]))


if __name__ == "__main__":
    main()
