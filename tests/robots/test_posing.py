"""Posing by hand: the point comes where it is wanted, within the joints' limits, whatever the arm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.errors import ArmstepError
from gui.qt.viewport.grip import middle_line
from robots.model.registry import robot_of
from robots.model.tree import Tree
from robots.scenario import posing
from robots.scenario.posing import first_state, joints, posture
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario, scenario_of
from scene.picture import Actor
from tests.robots.test_tree import random_tree

ARMS = (
    "rr-swing",
    "pa10-circle",
    "panda-circle",
    "ur5e-move",
    "scara-pick",
    "pendulum-chain",
    "double-pendulum",
    "beam",
)


def place(scenario: Scenario, link: int, point: np.ndarray) -> np.ndarray:
    frame = robot_of(scenario).poses(scenario, np.zeros(1), first_state(scenario)[None, :])[0, link]
    return frame[:3, :3] @ point + frame[:3, 3]


def posed(scenario: Scenario, link: int, point: np.ndarray, target: np.ndarray) -> dict[str, float]:
    """As seen from beside the arm."""
    return posing.posed(scenario, link, point, target, target + np.array([1.0, -4.0, 1.5]))


def tip(scenario: Scenario) -> tuple[int, np.ndarray]:
    found = robot_of(scenario).shape(scenario).tip
    assert found is not None
    return found[0], np.array(found[1])


@pytest.mark.parametrize("key", ARMS)
def test_a_reachable_place_is_reached(key: str) -> None:
    """The place is that of a nearby posture, so the arm can be there."""
    scenario = find_preset(key)
    link, point = tip(scenario)
    names = joints(scenario)
    shifts = 0.12 * np.cos(np.arange(len(names)))
    state = first_state(scenario)
    near = scenario.with_values({name: state[k] + shifts[k] for k, name in enumerate(names)})
    target = place(near, link, point)
    for _ in range(25):
        scenario = scenario.with_values(posed(scenario, link, point, target))
    assert np.linalg.norm(place(scenario, link, point) - target) < 5e-4


@pytest.mark.parametrize("key", ["rr-swing", "double-pendulum", "scara-pick"])
@pytest.mark.parametrize("far", [5.0, 5e3])
def test_a_place_beside_the_arms_plane_is_reached_as_it_is_seen(key: str, far: float) -> None:
    """A planar arm stayed beside the mouse: the target was in a plane that faces the eye."""
    scenario = find_preset(key)
    link, point = tip(scenario)
    state, back = first_state(scenario), np.array([0.5, -0.8, 0.33])
    shifts = {name: state[k] + 0.12 * np.cos(k) for k, name in enumerate(joints(scenario))}
    eye = place(scenario, link, point) + far * back
    there = place(scenario.with_values(shifts), link, point)
    target = eye + 1.1 * (there - eye) if far < 100.0 else there - 0.2 * back
    for _ in range(6):
        scenario = scenario.with_values(posing.posed(scenario, link, point, target, eye))
    seen = place(scenario, link, point) - eye
    ahead = (target - eye) / np.linalg.norm(target - eye)
    assert np.linalg.norm(seen - (seen @ ahead) * ahead) < 5e-4


def branched() -> Tree:
    """A chain of six joints and another from its base, in another order than their numbers."""
    serial, numbers = random_tree(6, 4, serial=True), (3, 0, 5, 1, 6, 2)
    reordered = tuple(replace(joint, number=number) for joint, number in zip(serial.joints, numbers, strict=True))
    branch = replace(serial.joints[0], name="branch", number=4)
    return replace(serial, links=(*serial.links, serial.links[1]), joints=(*reordered, branch))


def test_a_line_along_a_link_ends_at_its_own_branch() -> None:
    scenario = scenario_of(branched())
    actor = Actor(robot_of(scenario).shape(scenario), robot_of(scenario).pose(scenario, 0.0, first_state(scenario)))
    frames = actor.pose.world_from_link
    assert [actor.shape.carried(link) for link in range(8)] == [1, 2, 3, 4, 5, 6, None, None]
    assert np.array_equal(middle_line(actor, 2), frames[2:4, :3, 3])
    assert np.array_equal(middle_line(actor, 6)[1], place(scenario, *tip(scenario)))
    assert np.array_equal(middle_line(actor, 7), frames[[7, 7], :3, 3])


@pytest.mark.parametrize("torque", ["none", "path"])
def test_a_tree_with_branches_is_posed_whatever_the_order_of_its_joints(torque: str) -> None:
    tree, values = branched(), 0.1 * np.arange(7)
    scenario = scenario_of(tree).with_values({f"initial.q{k + 1}": value for k, value in enumerate(values.tolist())})
    link, point = tree.tip[0], np.array(tree.tip[1])
    scenario = scenario.with_values({"task.torque": torque})
    places = joints(scenario)
    assert list(places) != sorted(places), "the state has another order than the file"
    target = place(scenario.with_value("initial.q2", 0.2), link, point)
    for _ in range(100):  # away from the eye it goes on slowly
        scenario = scenario.with_values(posed(scenario, link, point, target))
    assert np.linalg.norm(place(scenario, link, point) - target) < 5e-4


def test_out_of_reach_nothing_is_nearer_as_it_is_seen() -> None:
    scenario = find_preset("rr-swing").with_values({"initial.q1": 0.2, "initial.q2": 1.0})
    link, point = tip(scenario)
    base = robot_of(scenario).poses(scenario, np.zeros(1), first_state(scenario)[None, :])[0, 0, :3, 3]
    far = base + 3.0 * (place(scenario.with_value("initial.q2", 0.0), link, point) - base)
    eye = far + np.array([1.0, -4.0, 1.5])

    def apart(places: np.ndarray) -> np.ndarray:
        """The angles between where the places and the target are seen."""
        rays, ahead = places - eye, (far - eye) / np.linalg.norm(far - eye)
        return np.arccos((rays @ ahead) / np.linalg.norm(rays, axis=-1))

    for _ in range(40):
        scenario = scenario.with_values(posed(scenario, link, point, far))
    turns = np.linspace(-np.pi, np.pi, 90)
    states = np.array([(q1, q2, 0.0, 0.0) for q1 in turns for q2 in turns])
    frames = robot_of(scenario).poses(scenario, np.zeros(len(states)), states)[:, link]
    places = frames[:, :3, :3] @ point + frames[:, :3, 3]
    assert apart(place(scenario, link, point)) <= apart(places).min() + 1e-4


def test_reorderedstay_within_their_limits() -> None:
    scenario = find_preset("panda-circle")
    link, point = tip(scenario)
    target = place(scenario, link, point) + np.array([0.0, 0.0, 2.0])
    for _ in range(20):
        scenario = scenario.with_values(posed(scenario, link, point, target))
    for joint in (entry for entry in robot_of(scenario).tree.joints if entry.kind != "fixed"):  # type: ignore[attr-defined]
        value = first_state(scenario)[joint.number] if joint.number is not None else 0.0
        assert joint.lower - 1e-4 <= value <= joint.upper + 1e-4, joint.name


@pytest.mark.parametrize("key", ["e1", "hmmwv"])
def test_a_posture_that_follows_from_the_task_is_refused(key: str) -> None:
    with pytest.raises(ArmstepError, match="cannot be set with the mouse"):
        posed(find_preset(key), 0, np.zeros(3), np.ones(3))


@pytest.mark.parametrize("target", [(0.0, 0.0, 3.0), (0.0, 0.0, -3.0), (-3.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
def test_joints_stay_between_their_stops(target: tuple[float, float, float]) -> None:
    """A scenario that begins beyond a stop is refused: the drag ended in an error."""
    scenario = find_preset("rr-stops")
    link, point = tip(scenario)
    for _ in range(20):
        scenario = scenario.with_values(posed(scenario, link, point, np.array(target)))
    assert -2.2 <= scenario.initial["q1"] <= 0.5
    assert -0.8 <= scenario.initial["q2"] <= 0.8


def test_the_posture_of_a_state_is_on_the_sliders() -> None:
    scenario = find_preset("rr-swing")
    found = posture(scenario, np.array([7.0, -20.0, 1.0, 1.0]))
    assert found == pytest.approx({"initial.q1": 7.0 - 2.0 * np.pi, "initial.q2": 6.0 * np.pi - 20.0 + 2.0 * np.pi})
    stopped = posture(find_preset("rr-stops"), np.array([0.500001, -0.8001, 0.0, 0.0]))
    assert stopped == {"initial.q1": 0.5, "initial.q2": -0.8}
