"""What a picture shows of its runs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gui.app.forks import continued
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.colours import DASHES
from gui.compose import viewpoint
from gui.compose.kinematics import exact_tips, kinematics_of
from gui.compose.overlay import rgb, shown_rows
from gui.compose.picture import ROOM_AROUND, compose, legend, standard_camera
from robots.model.segments import Segment
from robots.scenario.presets import find_scenario
from robots.scenario.scenario import new_scenario
from robots.simulation.simulate import simulate
from scene import camera as cameras

VIEW = ViewSettings()
ROOT = Path(__file__).resolve().parents[2]


def tip_of(actor) -> np.ndarray:
    link, point = actor.shape.tip
    return (actor.pose.world_from_link[link] @ [*point, 1.0])[:3]


def test_current_run_is_solid_and_pinned_runs_are_ghosts(rows) -> None:
    picture = compose(rows, 0.5, VIEW)
    solid, ghost = picture.actors
    assert (solid.opacity, solid.colour) == (1.0, None)
    assert 0.0 < ghost.opacity < 0.5
    assert ghost.colour == rgb(rows[1].colour, "light")
    assert len(compose(rows, 0.5, VIEW.changed(ghosts=False)).actors) == 1


def test_actors_follow_the_shown_rows(rows) -> None:
    names = [actor.name for actor in compose(rows, 0.5, VIEW).actors]
    assert names == [row.label for row in shown_rows(rows, VIEW)]
    hidden = [rows[0], replace(rows[1], visible=False)]
    assert len(compose(hidden, 0.5, VIEW).actors) == 1
    waiting = [rows[0], replace(rows[1], run=None)]
    assert len(compose(waiting, 0.5, VIEW).actors) == 1


def test_what_stands_still_has_no_ghost(rows) -> None:
    solid, ghost = compose(rows, 0.5, VIEW).actors
    assert {part.link for part in ghost.shape.parts} == {0, 1}
    assert -1 in {part.link for part in solid.shape.parts}


def test_trail_ends_at_the_tip_and_goes_back_as_long_as_asked(rows) -> None:
    for t in (0.3, 0.9):
        picture = compose(rows[:1], t, VIEW.changed(trail_seconds=0.25))
        (trail,) = picture.ribbons
        assert np.allclose(trail.points[-1], tip_of(picture.actors[0]), atol=1e-12)
        start = rows[0].run.tip(np.array([t - 0.25]))[0]
        assert np.linalg.norm(trail.points[0] - start) < 0.05
    whole = compose(rows[:1], 0.9, VIEW.changed(trail_seconds=0.0)).ribbons[0]
    assert np.allclose(whole.points[0], rows[0].run.tip(np.array([0.0]))[0])
    assert compose(rows[:1], 0.0, VIEW).ribbons == ()


def test_trails_have_the_dashes_of_the_runs_curves(rows) -> None:
    """Without colours, they say which arm belongs to which line of the legend."""
    runs = [replace(rows[0], id=slot, slot=slot, pinned=slot > 0) for slot in range(4)]
    trails = compose(runs, 0.9, VIEW).ribbons
    assert len({tuple(length / trail.width_px for length in trail.dash) for trail in trails}) == 4
    (current,) = [trail for trail in trails if not trail.dash]
    for row, trail in zip(reversed(runs), trails, strict=True):
        assert trail.dash == pytest.approx([trail.width_px * length for length in DASHES[row.dash]])
    assert current is trails[-1]


def test_error_arrow_is_the_true_error_times_what_its_label_says(rows) -> None:
    picture = compose(rows, 0.8, VIEW.changed(error_scale=1000.0))
    coarse = rows[1]
    exact = exact_tips(coarse.run, coarse.reference_run, np.array([0.8]))[0]
    error = coarse.run.tip(np.array([0.8]))[0] - exact
    arrow = picture.arrows[-1]
    assert np.allclose(arrow.start, exact)
    assert np.allclose(arrow.end - exact, 1000.0 * error)
    assert [label.text for label in picture.labels] == ["error × 1000"]


def test_automatic_scale_shows_the_largest_error_and_only_shrinks(rows) -> None:
    lengths, scales = [], []
    for t in np.linspace(0.2, 1.0, 17):
        picture = compose(rows, float(t), VIEW)
        arrow = max(picture.arrows, key=lambda a: np.linalg.norm(np.subtract(a.end, a.start)))
        lengths.append(np.linalg.norm(np.subtract(arrow.end, arrow.start)))
        exact = exact_tips(rows[1].run, rows[1].reference_run, np.array([t]))[0]
        scales.append(lengths[-1] / np.linalg.norm(rows[1].run.tip(np.array([t]))[0] - exact))
    size = kinematics_of(rows[0].run).shape(0.0).radius
    assert max(lengths) <= 0.5 * size * 1.001
    assert np.allclose(np.log10(scales), np.round(np.log10(scales)), atol=1e-6)
    assert np.all(np.diff(np.round(np.log10(scales))) <= 0)


def test_no_arrow_where_the_reference_is_worthless(rows) -> None:
    doubtful = [replace(row, reference_run=replace(row.reference_run, trusted_until=0.4)) for row in rows]
    assert compose(doubtful, 0.3, VIEW).arrows
    assert not compose(doubtful, 0.5, VIEW).arrows


def test_run_that_stopped_stands_at_its_last_good_pose_and_says_so() -> None:
    scenario = find_scenario("rr-swing").with_values(
        {"method": "rk1", "step": 0.5, "initial.v2": 60.0, "duration": 500.0}
    )
    run = simulate(scenario)
    assert not run.status.ok
    row = RunRow(0, scenario, 0, pinned=False, run=run, state="failed")
    there, later = compose([row], run.t_end, VIEW), compose([row], run.t_end + 3.0, VIEW)
    assert np.array_equal(there.actors[0].pose.world_from_link, later.actors[0].pose.world_from_link)
    assert np.isfinite(later.actors[0].pose.world_from_link).all()
    assert later.labels[-1].text == f"stopped at {run.t_end:.3f}\N{NO-BREAK SPACE}s"
    assert legend([row], run.t_end + 3.0)[0].note == f"diverged at t = {run.t_end:.3f}\N{NO-BREAK SPACE}s"
    assert legend([row], 0.0)[0].note == ""
    held = replace(row, state="held")  # the beginning of a run that may not be seen yet has not stopped
    assert not [label for label in compose([held], run.t_end + 3.0, VIEW).labels if "stopped" in label.text]
    assert legend([held], run.t_end + 3.0)[0].note == ""


def test_overlays_are_there_when_asked(rows) -> None:
    everything = VIEW.changed(frames=True, axes=True, labels=True, velocities=True, reference_ghost=True)
    picture = compose(rows, 0.5, everything)
    assert len(picture.frames) == len(picture.actors[0].shape.links)
    assert {label.text for label in picture.labels} >= set(picture.actors[0].shape.links)
    assert picture.actors[-1].name == "Reference"
    ahead = picture.arrows[-2:]
    assert all(np.linalg.norm(np.subtract(a.end, a.start)) > 0.01 for a in ahead)


def test_velocity_arrow_is_the_tips_velocity(rows) -> None:
    (arrow,) = compose(rows[:1], 0.5, VIEW.changed(velocities=True, error_vector=False)).arrows
    before, after = rows[0].run.tip(np.array([0.495, 0.505]))
    assert np.allclose(np.subtract(arrow.end, arrow.start) / 0.15, (after - before) / 0.01, rtol=1e-3)


def test_camera_is_the_views_own_or_frames_the_arm(rows) -> None:
    own = cameras.preset("top", (0.0, 0.0, 1.0), 2.0)
    assert compose(rows, 0.5, VIEW.changed(camera=cameras.to_json(own))).camera == own
    assert compose(rows, 0.5, VIEW, aspect=2.0).camera == standard_camera(rows, aspect=2.0)
    followed = compose(rows, 0.5, VIEW.changed(follow=True))
    assert np.allclose(followed.camera.target, tip_of(followed.actors[0]))


@pytest.mark.parametrize("preset", ["rr-needle", "pa10-circle", "beam", "hmmwv"])
@pytest.mark.parametrize("aspect", [0.7, 1.78])
def test_the_standard_camera_shows_the_whole_motion(preset: str, aspect: float) -> None:
    """Links, tip and path stay inside at every time; the room grows in steps, so that knobs do not shake it."""
    scenario = find_scenario(preset).with_values({"duration": 1.0})
    row = RunRow(0, scenario, 0, pinned=False, run=simulate(scenario), state="done")
    camera = standard_camera([row], aspect=aspect)
    track = kinematics_of(row.run)
    bodies = slice(0, 14) if preset == "hmmwv" else slice(None)
    points = [track.pose(t).world_from_link[bodies, :3, 3] for t in np.linspace(0.0, 1.0, 20)]
    points += [track.tips] if track.desired is None else [track.tips, track.desired]
    places = cameras.project(camera, (aspect, 1.0), np.concatenate(points))[:, :2] / (aspect, 1.0)
    assert (np.abs(places - 0.5) < 0.5).all()
    corners = cameras.project(camera, (aspect, 1.0), track.room)[:, :2] / (aspect, 1.0)
    assert np.abs(2 * corners - 1).max() == pytest.approx(1 / ROOM_AROUND), "and its room fills the picture"
    shape = track.shape(0.0)
    steps = (track.room - shape.centre)[:, :2] / (0.05 * shape.radius)
    assert np.allclose(steps, np.round(steps))


def test_a_kept_camera_shows_as_much_in_a_narrow_picture(rows) -> None:
    own = replace(standard_camera(rows), azimuth=-0.4)
    view = VIEW.changed(camera=cameras.to_json(own))
    right = cameras.axes(own)[0]
    edge = np.asarray(own.target) + 0.7 * cameras.metres_per_pixel(own, 1.0) * right
    for aspect in (0.8, 1.2, 1.5, 2.0):
        x, _, _ = cameras.project(compose(rows, 0.5, view, aspect=aspect).camera, (aspect, 1.0), edge)[0]
        assert x < aspect, aspect
    # What a mouse sets is what is seen then, in a picture of any width.
    for aspect in (0.8, 2.0):
        kept = VIEW.changed(**viewpoint.settled(own, rows[0], 0.5, VIEW, aspect))
        assert compose(rows, 0.5, kept, aspect=aspect).camera.distance == pytest.approx(own.distance)
    keys = viewpoint.with_key(VIEW, 0.5, own, 0.8)
    flown = compose(rows, 0.5, VIEW.changed(camera_path=True, camera_keys=keys), aspect=0.8)
    assert flown.camera.distance == pytest.approx(own.distance)


def test_shape_is_the_same_object_in_every_frame(rows) -> None:
    """So that a renderer keeps its meshes."""
    shapes = [[actor.shape for actor in compose(rows, t, VIEW).actors] for t in (0.1, 0.9)]
    assert all(a is b for a, b in zip(*shapes, strict=True))


def test_nothing_to_show_is_an_empty_picture(rows) -> None:
    empty = compose([replace(rows[0], run=None)], 0.0, VIEW)
    assert empty.actors == ()
    assert compose([], 0.0, VIEW).actors == ()


@pytest.mark.parametrize("module", ["gui.compose.picture", "gui.compose.kinematics"])
def test_pictures_need_no_qt(module: str) -> None:
    code = f"import sys, {module}; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_trail_of_a_long_run_is_as_smooth_as_that_of_a_short_one() -> None:
    runs = [
        simulate(find_scenario("rr-swing").with_values({"duration": span, "step": 0.02})) for span in (300.0, 3000.0)
    ]
    bends = []
    for run in runs:
        trail = kinematics_of(run).past(250.3, 2.0)[:, 1:]
        assert len(trail) >= 200
        bends.append(float(np.abs(np.diff(trail, 2, axis=0)).max()))
    assert bends[1] < 2.0 * bends[0]
    whole = kinematics_of(runs[1]).past(3000.0, 0.0)[:, 1:]
    assert 1000 < len(whole) <= 8000
    assert np.linalg.norm(np.diff(whole, axis=0), axis=1).max() < 0.15 * runs[1].shape().radius
    later = kinematics_of(runs[1]).past(3000.0 - 1.0 / 120.0, 0.0)[:, 1:]
    assert len({tuple(place) for place in later} - {tuple(place) for place in whole}) <= 1, "nothing shimmers"


def test_the_trail_of_a_fast_arm_is_as_smooth_as_that_of_a_slow_one() -> None:
    """An arm that falls turns its tip by right angles in a hundredth of a second."""
    run = simulate(new_scenario("ur5e").with_values({"duration": 3.0}))
    arm, size = kinematics_of(run), run.shape().radius

    def off(times: np.ndarray, points: np.ndarray) -> float:
        """The distance between the path and straight lines through the points at these times, in arm's radii."""
        middles = run.tip(0.5 * (times[:-1] + times[1:]))
        return float(np.quantile(np.linalg.norm(middles - 0.5 * (points[:-1] + points[1:]), axis=1), 0.99)) / size

    trail = arm.past(3.0, 2.0)
    assert off(arm.times, arm.tips) > 1.5e-3, "the evenly spaced times alone are too few"
    assert off(trail[:, 0], trail[:, 1:]) < 5e-4
    assert np.allclose(trail[0, 1:], run.tip(np.array([1.0]))[0], atol=0.01 * size)
    assert len(arm.past(0.0, 2.0)) == 0
    assert arm.past(1.5, 0.1)[-1] in arm.past(1.5001, 0.1), "nothing shimmers"


def test_a_trail_begins_again_once_a_shorter_step_has_calmed_the_arm() -> None:
    """Euler's method with 50 ms lets the tip leap; from 0.3 s on it follows, and its path ended in the air."""
    wild = find_scenario("rr-stiff").with_values({"method": "rk1", "step": 0.05})
    run = simulate(replace(wild, segments=(Segment(0.3, {"step": 0.01}),)))
    assert run.status.ok
    arm = kinematics_of(run)
    assert not arm.leaves_trail(0.3)
    for t in (0.45, 0.71, 1.2):
        assert arm.leaves_trail(t)
        path = arm.past(t, 0.0)[:, 1:]
        assert np.linalg.norm(path[-1] - arm.tip(t)) < 0.1, "it reaches the tip"
        assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 0.2 * arm.shape(0.0).radius, "without the leaps"
    gone = simulate(wild)
    diverged = kinematics_of(gone)
    assert not diverged.leaves_trail(diverged.end)


@pytest.mark.parametrize("at", [0.1, 0.2, 0.25, 0.3, 0.45, 0.6])
def test_a_run_that_goes_on_otherwise_keeps_the_path_that_is_drawn(at: float) -> None:
    """Euler's method with 50 ms diverges and ends early; with a shorter step from then on it ends at another time."""
    wild = find_scenario("rr-stiff").with_values({"method": "rk1", "step": 0.05})
    runs = simulate(wild), simulate(continued(wild, at, {"step": 0.01}))
    assert runs[0].t_end != runs[1].t_end
    before, after = map(kinematics_of, runs)
    for t in np.linspace(0.02, at, 17):
        assert before.leaves_trail(t) == after.leaves_trail(t)
        assert before.meaningful_since(t) == after.meaningful_since(t)
        for seconds in (0.0, 0.15):
            drawn, again = before.past(t, seconds), after.past(t, seconds)
            np.testing.assert_allclose(drawn[:1], again[:1], atol=1e-9)
            np.testing.assert_allclose(drawn[-1:, 0], again[-1:, 0], atol=1.0 / 120.0)
            both = np.intersect1d(drawn[:, 0], again[:, 0])
            assert len(both) >= min(len(drawn), len(again)) - 8, "only the last piece may be finer in one of them"


def test_how_much_of_a_long_path_is_drawn_follows_from_the_past_alone() -> None:
    """The arm swings calmly, then a step too long for it makes it turn fast: its path is drawn as it was."""
    calm = find_scenario("rr-swing").with_values({"duration": 300.0, "step": 0.02})
    wild = continued(calm, 200.0, {"robot.g": 400.0})
    runs = simulate(calm), simulate(wild)
    drawn = [kinematics_of(run).past(200.0, 0.0) for run in runs]
    np.testing.assert_allclose(drawn[1][:-8], drawn[0][: len(drawn[1]) - 8], rtol=0.0, atol=1e-12)
