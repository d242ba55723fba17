"""How an arm stands at first, before its kernels are compiled: `python -m robots.preparation.first_pose`.

Its equations are evaluated once as plain Python, in a process of their own: a scenario's text comes in as one JSON
line, the places of its links go out. The process ends with its input, at the latest.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from assets.imports import ROOT
from robots.model.registry import robot_of
from robots.model.shapes import Pose
from robots.scenario.posing import first_state
from robots.scenario.scenario import Scenario

SECONDS = 60.0
"""How long it may take."""

LOOK = 0.1
"""How often the wait checks whether the pose is still wanted [s]."""


def first_pose(scenario: Scenario, cancel: Callable[[], bool] = lambda: False) -> Pose | None:
    """The pose in which the scenario begins; None if it is no longer wanted, or if there is none: the log says why."""
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    try:
        with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "robots.preparation.first_pose"],
                env={**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=errors,
                text=True,
            )
            with process:
                trouble = _trouble(process, json.dumps(scenario.to_json()), cancel)
            output.seek(0)
            errors.seek(0)
            text, trouble = output.read(), errors.read().strip() or trouble
    except OSError as error:
        text, trouble = "", str(error)
    if cancel():
        return None
    if not text:
        logging.getLogger(__name__).warning("%s has no first pose: %s", robot_of(scenario).title, trouble)
        return None
    links, curves = json.loads(text)
    return Pose(np.array(links), {name: np.array(points) for name, points in curves.items()})


def _trouble(process: subprocess.Popen[str], line: str, cancel: Callable[[], bool]) -> str:
    """Wait for the process, which ends when the pose is no longer wanted; returns why it ended without an answer."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    late = time.monotonic() + SECONDS
    while process.poll() is None:
        if cancel() or time.monotonic() > late:
            process.kill()
            return f"it took longer than {SECONDS:g} s"
        try:
            process.wait(LOOK)
        except subprocess.TimeoutExpired:
            continue
    return f"its process ended with status {process.returncode}"


def main() -> None:
    """Answer for the scenario on the standard input."""
    from solvers.kernels import signatures

    # Functions that are not compiled need no names by which compiled ones find them.
    module: Any = signatures
    module.separate = signatures.compiled
    scenario = Scenario.from_json(json.loads(sys.stdin.readline()))
    threading.Thread(target=end_with_input, daemon=True).start()
    # What a plugin prints is no answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    pose = robot_of(scenario).pose(scenario, 0.0, first_state(scenario))
    curves = {name: points.tolist() for name, points in pose.curves.items()}
    print(json.dumps([pose.world_from_link.tolist(), curves]), file=answers)


def end_with_input() -> None:
    """End this process when its input ends: the one that waits for it has ended."""
    # Without Python's own buffer, whose lock would be held while the process ends.
    while os.read(0, 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
