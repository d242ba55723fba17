"""The arms that come with Armstep: their files describe them well, and the pendulum has as many links as one wants."""

from __future__ import annotations

import numpy as np
import pytest

from assets import read_text, stems
from assets.errors import BadInput
from robots.files.urdf import read_urdf
from robots.model.registry import find_robot, robot_of
from robots.model.segments import Segment
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.simulate import simulate

ARMS = stems("robots", ".urdf")


@pytest.mark.parametrize("key", ARMS)
def test_a_file_has_nothing_to_remark_on(key: str):
    """Bodies can be, joints have limits, and the licence is named."""
    found = read_urdf(read_text(f"robots/{key}.urdf").encode())
    assert {topic for topic, _ in found.remarks()} <= {"merged"}
    source = find_robot(key).source
    assert any(licence in source for licence in ("Apache License", "BSD 3-Clause", "CC0"))


@pytest.mark.parametrize("key", ARMS)
def test_every_link_is_drawn_near_its_mass(key: str):
    """Solids are within a hand's breadth of the centre of mass, and reach from joint to joint."""
    tree = find_robot(key).tree  # type: ignore[attr-defined]
    for link in tree.links[1:]:
        assert link.visuals, link.name
        places = np.array([visual.place[9:] for visual in link.visuals])
        gap = np.abs(np.clip(link.centre, places.min(axis=0), places.max(axis=0)) - link.centre).max()
        assert gap < 0.1, link.name


def test_the_pendulum_has_as_many_links_as_asked():
    start = new_scenario("pendulum").with_values({"initial.q1": 0.5, "task.torque": "constant", "task.tau2": 0.1})
    longer = start.with_values({"robot.links": 10, "initial.q10": 0.2})
    assert len(longer.initial) == 20
    assert (longer.initial["q1"], longer.task["tau2"], longer.initial["q10"]) == (0.5, 0.1, 0.2)
    shorter = longer.with_value("robot.links", "1")
    assert list(shorter.initial) == ["q1", "v1"]
    assert Scenario.from_json(longer.to_json()) == longer
    assert not longer.same_robot(shorter)
    assert simulate(shorter.with_value("duration", 0.1)).y.shape[1] == 2


@pytest.mark.parametrize("links", [0, 33, 2.5, "many"])
def test_a_pendulum_of_other_lengths_is_refused(links: object):
    with pytest.raises(BadInput, match=r"robot\.links must be"):
        Scenario(robot="pendulum", parameters={"links": links})


def test_a_coordinate_beyond_the_last_link_is_refused():
    with pytest.raises(BadInput, match="q4"):
        new_scenario("pendulum").with_value("initial.q4", 0.1)
    with pytest.raises(BadInput, match="must be left out: the coordinates cannot change during a run, got 'robot"):
        new_scenario("pendulum").with_segments(Segment(1.0, {"robot.links": 5}))


def test_one_rod_swings_as_the_textbook_says():
    """A rod of length L that hangs has the frequency sqrt(3 g / 2 L) for small swings."""
    down = {"robot.links": 1, "initial.q1": -np.pi / 2 + 1e-4, "rtol": 1e-10, "atol": 1e-14, "duration": 4.0}
    run = simulate(new_scenario("pendulum").with_values(down))
    expected = -np.pi / 2 + 1e-4 * np.cos(np.sqrt(1.5 * 9.81 / 1.2) * run.t)
    np.testing.assert_allclose(run.y[:, 0], expected, atol=2e-7)


def test_the_chain_weighs_the_same_for_any_number_of_rods():
    for links in (1, 7, 32):
        robot = robot_of(new_scenario("pendulum").with_value("robot.links", links))
        tree = robot.tree  # type: ignore[attr-defined]
        assert sum(link.mass for link in tree.links) == pytest.approx(1.2)
        straight = robot.tip_path(new_scenario("pendulum"), np.zeros(1), np.zeros((1, 2 * links)))
        assert straight[0] == pytest.approx([1.2, -0.12, 0.0])
