"""Pictures stay as they were approved: compared on software rendering, where every machine draws (nearly) the same.

`ARMSTEP_REGENERATE_GOLDEN=1 pytest tests/scene/test_golden.py` draws them again; look at every one before committing.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robots.catalog.pa10.robot import ROBOT
from robots.scenario.scenario import new_scenario
from scene import camera as cameras
from scene.offscreen import Offscreen
from scene.picture import Actor, Picture
from tests.scene.golden import check
from tests.scene.scenes import SCENES


@pytest.mark.parametrize("name", SCENES)
def test_the_picture_is_as_approved(name: str, stages: dict[str, Offscreen], artifacts: Path) -> None:
    quality, picture = SCENES[name]
    check(stages[quality], picture, f"scene/{name}", artifacts)


@pytest.mark.parametrize(
    ("name", "degrees"), [("zero", (0, 0, 0, 0, 0, 0, 0)), ("bent", (40, 35, -30, 85, 20, 60, 90))]
)
def test_the_pa10_looks_as_approved(
    name: str, degrees: tuple[float, ...], stages: dict[str, Offscreen], artifacts: Path
) -> None:
    scenario = new_scenario("pa10")
    shape, pose = ROBOT.shape(scenario), ROBOT.pose(scenario, 0.0, np.radians(degrees))
    camera = cameras.preset("iso", (0.1, 0.0, 0.68), 0.78, 16 / 9)
    picture = Picture(camera, (Actor(shape, pose),), ground=shape.ground)
    check(stages["high"], picture, f"pa10/{name}", artifacts)
