"""Parameters have names, not places: in which order a form lists them is nobody's business but the form's."""

from __future__ import annotations

import numpy as np
import pytest

from robots.model.registry import robot_of
from robots.scenario.presets import presets

FIRST = {scenario.robot: key for key, scenario in reversed(presets().items())}


@pytest.mark.parametrize("key", [*FIRST.values(), "rr-pd", "rr-pull"])
def test_another_order_of_the_fields_changes_no_equation(key, monkeypatch):
    def numbers() -> list[np.ndarray]:
        scenario = presets()[key].with_value("duration", 0.5)
        assert list(scenario.parameters) == [field.key for field in robot.parameters]
        pulls = [segment.pull for segment in presets()[key].segments if segment.pull]
        problem = robot.problem(scenario, *pulls[:1])
        return [problem.initial, getattr(problem, "params", np.zeros(0))]

    robot = robot_of(presets()[key])
    expected = numbers()
    for group in ("parameters", "task", "initial"):
        monkeypatch.setattr(type(robot), group, getattr(robot, group)[::-1])
    for one, other in zip(expected, numbers(), strict=True):
        np.testing.assert_array_equal(one, other)
