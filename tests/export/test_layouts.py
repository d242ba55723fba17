"""Runs beside each other, and a motion in one picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assets.errors import BadInput
from gui.app.formatting import one_name
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.cli import main
from gui.compose import viewpoint
from gui.compose.picture import compose
from gui.compose.places import arms_of
from gui.qt.drawing.legend import paint_cells
from gui.qt.export.exporter import render_rows
from gui.qt.export.film import Film
from gui.qt.export.layout import layouts
from gui.qt.export.layouts.scene_plots import ScenePlotsLayout
from robots.model.chart import TIME
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from scene import camera as cameras
from scene.camera import WHOLE
from solvers.method_registry import methods

VIEW = ViewSettings()


@pytest.mark.parametrize("key", sorted(layouts()))
@pytest.mark.parametrize("size", [(33, 17), (54, 96), (121, 20), (1, 1)])
def test_any_size_can_be_laid_out(rows, settings, key, size) -> None:
    with Image.open(render_rows(rows, VIEW, settings("odd.png", size=size, layout=key, at=0.5))) as image:
        assert image.size == size


@pytest.mark.parametrize(("size", "cells"), [((160, 90), (2, 1)), ((90, 160), (1, 2))])
def test_side_by_side_gives_each_run_a_scene(rows, settings, size, cells) -> None:
    with Film(rows, VIEW, settings("two.png", size=size, layout="side-by-side", at=0.9)) as film:
        assert (film.layout.columns, film.layout.lines) == cells
        assert [[row.scenario.method for row in scene] for scene in film.layout.scenes] == [["rk4"], ["rk2"]]
        film.frame(0.9)


@pytest.mark.parametrize(("count", "cells"), [(1, (1, 1)), (2, (2, 1)), (4, (2, 2)), (5, (3, 2)), (6, (3, 2))])
def test_grid_of_runs(rows, settings, count, cells) -> None:
    many = [replace(rows[min(index, 1)], id=index, pinned=index > 0) for index in range(count)]
    with Film(many, VIEW, settings("many.png", size=(192, 108), layout="grid", caption=False)) as film:
        assert (film.layout.columns, film.layout.lines) == cells
        frame = film.frame(0.5)
    assert frame.shape == (108, 192, 4)


def test_scenes_of_a_frame_differ_only_by_the_run(rows, settings) -> None:
    """Twice the same run gives twice the same scene: one camera, one time, one scale of the error."""
    twice = [rows[0], replace(rows[0], id=1, pinned=True)]
    with Film(twice, VIEW, settings("same.png", size=(161, 90), layout="side-by-side", caption=False)) as film:
        frame = film.frame(0.7)
        width, gap = film.layout.scene_size[0], film.layout.gap
    assert np.array_equal(frame[:, :width], frame[:, width + gap : 2 * width + gap])


@pytest.mark.parametrize("key", sorted(layouts()))
def test_the_usual_camera_keeps_the_motion_clear_of_the_title(rows, settings, key) -> None:
    with Film(rows, VIEW, settings("clear.png", size=(640, 360), layout=key, at=0.5)) as film:
        wide, high = film.layout.scene_size
        bars = film.layout.bars
        seen = compose(rows, 0.5, film.view, aspect=wide / high, bars=bars).camera
        places = np.concatenate([cameras.project(seen, (wide, high), arm.room) for arm in arms_of(rows)])
    below = places[:, 1] >= bars.head * high - 1.0
    assert bars.head > 0.0
    assert np.all(below) or np.all(places[:, 0] >= bars.left * wide - 1.0)
    with Film(rows, VIEW, settings("bare.png", size=(640, 360), layout=key, at=0.5, caption=False)) as film:
        assert film.layout.bars == WHOLE, "without texts the arm has the whole picture"


def test_poses_fade_into_the_past(rows, settings) -> None:
    wanted = settings("strobe.png", at=0.95, strobe=0.1)
    poses = wanted.poses(0.95, 0.0)
    assert np.allclose(poses, np.arange(10) * 0.1)
    assert len(wanted.poses(0.9, 0.0)) == 9
    actors = compose(rows[:1], 0.95, VIEW, poses=poses).actors
    assert len(actors) == 11
    assert np.all(np.diff([actor.opacity for actor in actors[1:]]) > 0.0)
    assert [actor.name for actor in actors[1:3]] == ["t = 0.000 s", "t = 0.100 s"]
    for actor, t in zip(actors[1:], poses, strict=True):
        assert np.array_equal(actor.pose.world_from_link, rows[0].run.pose(float(t)).world_from_link)


def test_strobe_changes_the_picture_and_needs_no_more_than_a_word(rows, settings, tmp_path: Path) -> None:
    plain, strobe = (
        np.asarray(Image.open(render_rows(rows[:1], VIEW, settings(name, at=1.0, strobe=every))))
        for name, every in (("plain.png", 0.0), ("strobe.png", 0.2))
    )
    assert np.abs(plain.astype(int) - strobe.astype(int)).max() > 20
    out = tmp_path / "command.png"
    words = ["--set", "duration=1", "--strobe", "0.2", "--size", "96x54", "--quality", "low"]
    assert main(["render", "rr-swing", "--out", str(out), *words]) == 0
    with Image.open(out) as image:
        assert np.abs(np.asarray(image).astype(int) - strobe.astype(int)).mean() < 1.0


@pytest.mark.parametrize("every", [-1.0, float("nan"), float("inf")])
def test_impossible_strobe_is_refused(settings, every) -> None:
    with pytest.raises(BadInput, match="strobe"):
        settings("x.png", strobe=every).check()


def test_too_many_poses_are_refused(settings) -> None:
    with pytest.raises(BadInput, match="strobe"):
        settings("x.png", strobe=1e-3, at=1.0).times(0.0, 1.0)


def test_a_film_shows_the_plots_that_are_asked_for(rows, settings) -> None:
    asked = settings("film.webp", plots="energy,step-size", size=(960, 540))
    asked.check()
    film = Film(rows, ViewSettings(), asked)
    assert isinstance(film.layout, ScenePlotsLayout)
    assert [one.chart.key for one in film.layout.charts] == ["energy", "step-size"]


@pytest.mark.parametrize("plots", ["error,joints,step-size,stability", "error,stability", "error,joints"])
def test_times_stand_below_the_lowest_plot_over_them_whatever_comes_after_it(rows, settings, plots) -> None:
    film = Film(rows, ViewSettings(), settings("film.mp4", plots=plots, size=(1280, 720), layout="scene-plots"))
    assert isinstance(film.layout, ScenePlotsLayout)
    charts = film.layout.charts
    assert [one.chart.key for one in charts] == plots.split(",")
    for one, below in zip(charts, [*charts[1:], None], strict=True):
        again = below is not None and TIME == one.chart.x == below.chart.x
        assert one.numbers is not again
        assert one.place.bottom() <= (below.place.top() if below else 720.0) + 1e-6
    heights = [one.area.height() for one in charts]
    assert max(heights) < min(heights) + 1.0, "all have the same room"


def test_values_of_all_runs_go_before_the_note_beside_a_plots_name(rows, settings, monkeypatch) -> None:
    three = [*rows, replace(rows[1], id=7)]
    shown: list[int] = []

    def paint(painter, cells, *more):
        shown.append(len(cells))
        return paint_cells(painter, cells, *more)

    monkeypatch.setattr("gui.qt.drawing.legend.paint_cells", paint)
    view = replace(VIEW, plots=("energy", "step-size"))
    with Film(three, view, settings("film.mp4", size=(1280, 720), layout="scene-plots")) as film:
        film.frame(0.5)
    assert shown[:2] == [3, 3], "“against its initial value” gave way"


def test_small_type_is_announced(settings) -> None:
    assert settings("film.mp4", size=(1280, 720)).small_type == ""
    assert settings("film.mp4", size=(320, 240)).small_type.startswith("text is 5 px high")
    assert settings("film.mp4", size=(320, 240), caption=False).small_type == ""


def test_names_are_cut_at_the_first_comma() -> None:
    assert one_name("Runge-Kutta 2 (Heun, improved Euler)") == "Runge-Kutta 2 (Heun)"
    for name in ("Dormand-Prince 5(4)", "Dormand-Prince 8(5,3)"):
        assert one_name(name) == name


def test_names_that_several_methods_would_have_are_not_cut() -> None:
    names = [method.name for method in methods().values()]
    assert len({one_name(name) for name in names}) == len(names)
    assert one_name("Runge-Kutta 8 (Cooper-Verner, 11 stages)") == "Runge-Kutta 8 (Cooper-Verner, 11 stages)"
    assert one_name("Runge-Kutta-Fehlberg 2(3), FSAL pair") == "Runge-Kutta-Fehlberg 2(3), FSAL pair"


def test_each_scene_says_the_error_that_its_task_is_judged_by(settings) -> None:
    """Against the path where the arm follows one; nothing once the run has stopped."""
    scenario = find_preset("pa10-circle").with_value("duration", 1.0)
    row = RunRow(0, scenario, 0, pinned=False, run=simulate(scenario), state="done")
    with Film([row], VIEW, settings("grid.png", size=(96, 54), layout="grid", at=0.5)) as film:
        assert film.layout.error_of(0, 0.5).endswith("\u00a0m")
        assert film.layout.error_of(0, 2.0) == ""


def large_arm() -> RunRow:
    scenario = find_preset("pa10-circle").with_value("duration", 1.0)
    return RunRow(2, scenario, 2, pinned=True, run=simulate(scenario), state="done")


def seen_from(rows, view, settings, monkeypatch) -> tuple[list[cameras.Camera], Film]:
    """The cameras of the scenes of a frame, and its film."""
    drawn = []
    with Film(rows, view, settings) as film:
        render = film._offscreen.render
        monkeypatch.setattr(
            film._offscreen, "render", lambda picture: (drawn.append(picture.camera), render(picture))[1]
        )
        film.frame(0.5)
    return drawn, film


@pytest.mark.parametrize("key", sorted(layouts()))
@pytest.mark.parametrize("path", [False, True])
def test_a_view_that_was_chosen_is_kept_in_every_layout(rows, settings, monkeypatch, key, path) -> None:
    chosen = replace(cameras.look_along(cameras.Camera(), "front"), distance=4.0, target=(0.3, 0.0, 0.2))
    kept = cameras.to_json(chosen)
    view = replace(VIEW, camera=kept)
    if path:
        view = replace(VIEW, camera_path=True, camera_keys=({"t": 0.0, "camera": kept},))
    asked = settings("kept.png", size=(640, 360), layout=key, at=0.5)
    drawn, film = seen_from([*rows, large_arm()], view, asked, monkeypatch)
    wide, high = film.layout.scene_size
    whole = viewpoint.widened(chosen, wide / high)
    assert all(camera.distance == pytest.approx(whole.distance) for camera in drawn)
    assert all(replace(camera, distance=4.0) == cameras.from_json(dict(kept)) for camera in drawn)


@pytest.mark.parametrize("preset", [False, True])
def test_robots_of_different_size_are_each_seen_whole_and_large(rows, settings, monkeypatch, preset) -> None:
    """A small arm and a large one, not only as they stand side by side: each fills its own scene of the grid."""
    both = [*rows, large_arm()]
    asked = settings("sizes.png", size=(640, 360), layout="grid", at=0.5, camera="front" if preset else "")
    drawn, film = seen_from(both, VIEW, asked, monkeypatch)
    size, bars = film.layout.scene_size, film.layout.bars
    assert drawn[0] == drawn[1], "one camera for the runs of one arm"
    assert drawn[0] != drawn[2]
    assert (drawn[0].azimuth, drawn[0].elevation) == (drawn[2].azimuth, drawn[2].elevation), "one direction"
    for camera, row in zip(drawn, both, strict=True):
        (arm,) = arms_of([row])
        places = cameras.project(camera, size, arm.room)[:, :2]
        low, high = places.min(axis=0), places.max(axis=0)
        assert np.all(low > -1.0)
        assert np.all(high < np.array(size) + 1.0), "all of the motion is in the scene"
        wide, tall = (high - low) / size
        assert max(wide / (1.0 - bars.left), tall / (1.0 - bars.head - bars.foot)) > 0.5, "and it fills it"
