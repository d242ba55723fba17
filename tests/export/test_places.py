"""Arms of one robot stand in one place, different robots side by side on the same ground."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.compose.overlays.trail import tip_depth
from gui.compose.picture import compose
from gui.compose.places import arms_of
from robots.model.shapes import ArmShape, Part, translation
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate


def row(place: int, key: str, **values: float) -> RunRow:
    scenario = find_preset(key).with_values({"duration": 0.3, **{f"robot.{name}": v for name, v in values.items()}})
    return RunRow(place, scenario, place, pinned=place > 0, run=simulate(scenario), state="done")


@pytest.fixture(scope="module")
def rows() -> list[RunRow]:
    return [row(0, "rr-swing"), row(1, "rr-swing", r1=1.4), row(2, "pa10-drift"), row(3, "e12")]


def test_runs_of_one_robot_share_a_place_whatever_their_parameters(rows) -> None:
    assert [arm.elsewhere for arm in arms_of(rows[:2])] == [False, False]
    places = [tuple(arm.place) for arm in arms_of(rows)]
    assert places[0] == places[1] == (0.0, 0.0, 0.0)
    assert len(set(places)) == 3


def test_other_robots_stand_beside_it_and_do_not_touch(rows) -> None:
    rooms = [arm.room for arm in arms_of([rows[0], *rows[2:]])]
    for left, right in pairwise(rooms):
        assert left[:, 0].max() < right[:, 0].min()


def test_what_is_drawn_of_it_moves_with_it(rows) -> None:
    at_home, _ = arms_of([rows[2], rows[0]])
    _, beside = arms_of([rows[0], rows[2]])
    by = beside.place
    assert beside.elsewhere
    assert np.allclose(beside.tip(0.2) - at_home.tip(0.2), by)
    assert np.allclose(beside.tips - at_home.tips, by)
    assert np.allclose(beside.desired - at_home.desired, by)
    assert np.allclose(beside.wanted(0.2) - at_home.wanted(0.2), by)
    assert np.allclose(beside.exact_tip(0.2, None) - at_home.exact_tip(0.2, None), by)
    assert beside.worst_at(0.2, None) == pytest.approx(at_home.worst_at(0.2, None), abs=1e-12)
    (_, arm), (alone,) = arms_of([rows[2], rows[0]]), arms_of(rows[:1])
    moved, home = (next(part for part in one.shape(0.0).parts if part.link < 0) for one in (arm, alone))
    assert np.allclose(moved.link_from_part[:3, 3] - home.link_from_part[:3, 3], arm.place)
    assert any(part.link < 0 for part in arm.ghost_shape(0.0).parts)
    assert not any(part.link < 0 for part in alone.ghost_shape(0.0).parts)


def test_the_picture_frames_all_of_them_and_draws_their_bases(rows) -> None:
    alone, together = (compose(some, 0.1, ViewSettings()) for some in (rows[:1], rows))
    assert together.camera.distance > 1.5 * alone.camera.distance
    assert [actor.apart for actor in together.actors[:4]] == [False, False, True, True]
    hidden = [replace(rows[0], visible=False), *rows[2:]]
    assert not compose(hidden, 0.1, ViewSettings()).actors[0].apart


def test_the_dot_of_a_tip_knows_how_deep_it_lies_in_a_ball() -> None:
    def arm(*parts: Part, tip: tuple[int, tuple[float, float, float]] | None = (0, (1.0, 0.0, 0.0))) -> ArmShape:
        return ArmShape(("link", "other"), parts, tip=tip)

    ball = Part(0, "sphere", (0.1,), translation(1.0, 0.0, 0.0))
    assert tip_depth(arm(ball)) == pytest.approx(0.1)
    assert tip_depth(arm(replace(ball, link_from_part=translation(1.06, 0.0, 0.0)))) == pytest.approx(0.04)
    assert tip_depth(arm(replace(ball, link_from_part=translation(1.2, 0.0, 0.0)))) == 0.0
    assert tip_depth(arm(replace(ball, link=1))) == 0.0
    assert tip_depth(arm(ball, tip=None)) == 0.0
