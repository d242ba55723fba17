"""The welding PA-10: its torch reaches to the tip, its plates meet along the path."""

from __future__ import annotations

import numpy as np
import pytest

from robots.catalog.pa10.robot import ROBOT
from robots.catalog.pa10.weld import SIDE, TORCH, workpiece
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate

S_CURVE = np.column_stack(
    [0.05 * np.sin(np.linspace(0.0, 2.0 * np.pi, 60)), np.linspace(0.0, 0.3, 60), np.full(60, 0.2)]
)


def named(parts, name):
    return [part for part in parts if part.name == name]


def world(part) -> np.ndarray:
    """The outline of a plate in the world, (k, 2)."""
    return part.outline + part.link_from_part[:2, 3]


def area(outline: np.ndarray) -> float:
    x, y = outline.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def test_the_torch_makes_the_hand_longer():
    weld = find_preset("pa10-weld")
    bare = weld.with_value("robot.tool", "pointer")
    q = np.radians([[10.0, 20.0, -30.0, 60.0, 40.0, -50.0, 15.0]])
    long, short = (ROBOT.poses(scenario, np.zeros(1), q)[0, 7] for scenario in (weld, bare))
    np.testing.assert_allclose(long[:3, :3], short[:3, :3])
    np.testing.assert_allclose(long[:3, 3], short[:3, 3] + TORCH * short[:3, 2], atol=1e-15)


def test_the_weld_is_good_and_quiet():
    run = simulate(find_preset("pa10-weld"))
    assert run.max_error["position_m"] < 1e-4
    assert run.message == "Finished at t = 8 s."


def test_the_wire_ends_at_the_tip():
    parts = [part for part in ROBOT.shape(find_preset("pa10-weld")).parts if part.name == "torch"]
    assert parts
    wire = parts[-1]
    end = wire.link_from_part @ [0.0, 0.0, 0.5 * wire.size[1], 1.0]
    assert np.linalg.norm(end[:3]) < 2e-3
    assert not named(ROBOT.shape(find_preset("pa10-circle")).parts, "torch")


def test_two_plates_meet_along_the_seam():
    plates = named(workpiece(S_CURVE), "workpiece")
    assert len(plates) == 2
    outlines = [world(plate) for plate in plates]
    for outline in outlines:
        gaps = np.linalg.norm(outline[:, None] - S_CURVE[None, :, :2], axis=2).min(axis=0)
        assert gaps.max() < 1e-12
        assert area(outline) > 0.3 * SIDE
    hull = np.concatenate(outlines)
    span = np.ptp(hull, axis=0)
    assert sum(area(outline) for outline in outlines) == pytest.approx(span.prod(), rel=1e-6)
    assert all(plate.link_from_part[2, 3] + 0.5 * plate.size[0] == pytest.approx(0.2) for plate in plates)


def test_a_seam_that_turns_back_lies_on_one_plate():
    angles = np.linspace(0.0, 2.0 * np.pi, 50)
    ring = np.column_stack([0.1 * np.cos(angles), 0.1 * np.sin(angles), 0.3 + 0.02 * np.sin(angles)])
    (plate,) = named(workpiece(ring), "workpiece")
    assert plate.link_from_part[2, 3] + 0.5 * plate.size[0] == pytest.approx(0.28, abs=1e-3)


def test_a_seam_of_no_length_does_no_harm():
    assert named(workpiece(np.tile([0.5, 0.0, 0.001], (20, 1))), "workpiece")


def test_runs_with_the_same_looks_share_one_shape():
    circle = find_preset("pa10-circle")
    assert ROBOT.shape(circle) is ROBOT.shape(circle.with_values({"task.gain": 2.0, "method": "euler"}))
    assert ROBOT.shape(circle) is not ROBOT.shape(circle.with_value("robot.table", "laas"))
    weld = find_preset("pa10-weld")
    moved = weld.with_values(ROBOT.drag(weld, 1, ROBOT.handles(weld)[1] + [0.01, 0.0, 0.0]))
    assert ROBOT.shape(weld) is ROBOT.shape(weld.with_value("method", "euler"))
    assert ROBOT.shape(weld) is not ROBOT.shape(moved)
