"""Pictures that teach stay as they were approved; see `tests/scene/test_golden.py`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.compose.picture import compose
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate
from scene import camera as cameras
from scene.offscreen import Offscreen
from tests.scene.golden import check

SIZE = (480, 270)
VIEW = ViewSettings().changed(error_vector=False, trail_seconds=0.0)
TOP = cameras.to_json(cameras.preset("top", (0.0, 0.0, 1.2), 2.0, SIZE[0] / SIZE[1]))
COARSE = ("rr-swing", "dopri5", 1e-3)
LESSONS: dict[str, tuple[tuple[Any, ...], float, dict[str, Any], str]] = {
    "strobe": (("rr-swing", "rk4", 0.01), 1.5, {"poses": 0.125}, "light"),
    "steps": (COARSE, 1.6, {"step_dots": True}, "dark"),
    "stages": (("rr-swing", "rk4", 0.1), 0.75, {"stages": True, "step_dots": True}, "light"),
    "stages-lengthened": (("rr-swing", "rk4", 0.001), 0.75, {"stages": True}, "dark"),
    "torques": (("rr-pd", "dopri5", 1e-6), 0.2, {"torques": True, "axes": True}, "projector"),
    "ride": (("rr-swing", "rk4", 0.01), 0.8, {"ride_on": "link 2"}, "light"),
    "key-frames": (
        ("rr-swing", "rk4", 0.01),
        1.0,
        {"camera_path": True, "camera_keys": [{"t": 0.0, "camera": {}}, {"t": 1.5, "camera": TOP}]},
        "light",
    ),
}

OVERLAYS: dict[str, tuple[str, dict[str, Any], float, dict[str, Any], str]] = {
    "error": ("pa10-circle", {"duration": 2.0}, 1.4, {"error_vector": True}, "light"),
    "ellipsoid": ("pa10-singular", {"duration": 2.0}, 1.0, {"ellipsoid": True, "axes": True}, "dark"),
    "frames": ("pa10-weld", {"duration": 2.0}, 1.0, {"frames": True, "labels": True}, "light"),
    "velocity": ("rr-swing", {"duration": 4.0}, 3.4, {"velocities": True, "ellipsoid": True}, "projector"),
    "deflection": ("e1", {"view.deflection": "10"}, 0.2, {"torques": True}, "light"),
    "follow": ("hmmwv", {"duration": 0.6}, 0.55, {"frames": True, "ride_on": "chassis"}, "dark"),
    "tip": ("beam", {"duration": 1.0}, 0.7, {"follow": True}, "light"),
}


@cache
def row_of(preset: str, method: str, fineness: float) -> RunRow:
    """A run with so long a step, or with such a tolerance."""
    control = {"step": fineness} if method == "rk4" else {"rtol": fineness, "atol": fineness}
    scenario = find_scenario(preset).with_values({"duration": 2.0, "method": method, **control})
    return RunRow(0, scenario, 0, pinned=False, run=simulate(scenario), state="done")


@pytest.fixture(scope="module")
def stage() -> Iterator[Offscreen]:
    with Offscreen(SIZE, quality="medium", scale=0.7) as made:
        yield made


@pytest.mark.parametrize("name", LESSONS)
def test_the_lesson_is_as_approved(name: str, stage: Offscreen, artifacts: Path) -> None:
    run, t, choices, theme = LESSONS[name]
    poses = np.arange(0.0, t - 1e-9, choices["poses"]) if "poses" in choices else ()
    view = VIEW.changed(**{key: value for key, value in choices.items() if key != "poses"})
    picture = compose([row_of(*run)], t, view, theme=theme, aspect=SIZE[0] / SIZE[1], poses=poses)
    check(stage, picture, f"lessons/{name}", artifacts)


@pytest.mark.parametrize("name", OVERLAYS)
def test_the_overlay_is_as_approved(name: str, stage: Offscreen, artifacts: Path) -> None:
    preset, changes, t, choices, theme = OVERLAYS[name]
    scenario = find_scenario(preset).with_values(changes)
    row = RunRow(0, scenario, 0, pinned=False, run=simulate(scenario), state="done")
    view = VIEW.changed(**choices)
    check(stage, compose([row], t, view, theme=theme, aspect=SIZE[0] / SIZE[1]), f"lessons/{name}", artifacts)
