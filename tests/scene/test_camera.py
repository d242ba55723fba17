"""The camera keeps its promises: what is under the cursor stays there, everything fits, Z stays up."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.errors import BadInput
from scene import camera as cameras
from scene.picture import Camera

SIZE = (1280.0, 720.0)
CAMERAS = st.builds(
    Camera,
    target=st.tuples(*[st.floats(-5, 5)] * 3),
    distance=st.floats(0.1, 50),
    azimuth=st.floats(-pi, pi),
    elevation=st.floats(-pi / 2, pi / 2),
    field_of_view=st.floats(0.2, 1.5),
    orthographic=st.booleans(),
)
CURSORS = st.tuples(st.floats(0, SIZE[0]), st.floats(0, SIZE[1]))


@given(CAMERAS)
def test_axes_are_a_right_handed_frame_with_z_up(camera: Camera) -> None:
    right, up, back = cameras.axes(camera)
    assert np.allclose(np.cross(right, up), back)
    assert np.allclose(np.stack([right, up, back]) @ np.stack([right, up, back]).T, np.eye(3))
    assert right[2] == 0
    assert up[2] >= -1e-12


@given(CAMERAS)
def test_the_target_is_in_the_middle(camera: Camera) -> None:
    x, y, depth = cameras.project(camera, SIZE, np.array([camera.target]))[0]
    assert (x, y) == (pytest.approx(640, abs=1e-6), pytest.approx(360, abs=1e-6))
    assert depth == pytest.approx(camera.distance)


@given(CAMERAS, CURSORS, st.floats(0.3, 3.0))
def test_a_point_projected_lies_on_the_line_of_sight(camera: Camera, cursor: tuple[float, float], depth: float) -> None:
    origin, direction = cameras.ray(camera, SIZE, *cursor)
    if camera.orthographic:
        origin = origin - direction * camera.distance * 0.5
    point = origin + direction * depth * camera.distance
    x, y, _ = cameras.project(camera, SIZE, point[None])[0]
    assert (x, y) == (pytest.approx(cursor[0], abs=1e-5), pytest.approx(cursor[1], abs=1e-5))


@given(CAMERAS, CURSORS, st.floats(0.2, 5.0))
def test_zoom_keeps_what_is_under_the_cursor(camera: Camera, cursor: tuple[float, float], factor: float) -> None:
    held = cameras.on_screen_plane(camera, SIZE, *cursor, through=camera.target)
    closer = cameras.zoom(camera, factor, cursor, SIZE)
    assert closer.distance == pytest.approx(np.clip(camera.distance / factor, *cameras.ZOOM_LIMITS))
    x, y, _ = cameras.project(closer, SIZE, held[None])[0]
    assert (x, y) == (pytest.approx(cursor[0], abs=1e-4), pytest.approx(cursor[1], abs=1e-4))


@given(CAMERAS, st.floats(-300, 300), st.floats(-300, 300))
def test_pan_moves_the_target_with_the_mouse(camera: Camera, dx: float, dy: float) -> None:
    moved = cameras.pan(camera, dx, dy, SIZE[1])
    x, y, _ = cameras.project(moved, SIZE, np.array([camera.target]))[0]
    assert (x, y) == (pytest.approx(640 + dx, abs=1e-5), pytest.approx(360 + dy, abs=1e-5))


@given(CAMERAS, st.floats(-10, 10), st.floats(-10, 10))
def test_orbit_never_tips_over(camera: Camera, right: float, up: float) -> None:
    turned = cameras.orbit(camera, right, up)
    assert -pi / 2 <= turned.elevation <= pi / 2
    assert -pi <= turned.azimuth <= pi
    assert turned.distance == camera.distance


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("aspect", [0.5, 1.0, 16 / 9])
@pytest.mark.parametrize("name", cameras.PRESETS)
def test_a_preset_frames_the_sphere(name: str, aspect: float, orthographic: bool) -> None:
    centre, radius = np.array([1.0, -2.0, 0.5]), 1.7
    camera = cameras.preset(name, centre, radius, aspect, orthographic)
    angles = np.linspace(0, 2 * pi, 60)
    right, up, _ = cameras.axes(camera)
    rim = centre + radius * (np.cos(angles)[:, None] * right + np.sin(angles)[:, None] * up)
    size = (1000 * aspect, 1000.0)
    places = cameras.project(camera, size, rim)
    # Nearly all of it: the reach of an arm is an outer bound, so its rim may touch the border.
    assert (np.abs(places[:, :2] / size - 0.5) < 0.53).all()
    assert np.abs(places[:, :2] / size - 0.5).max() > 0.44


@pytest.mark.parametrize("orthographic", [False, True])
@given(camera=CAMERAS, aspect=st.floats(0.4, 3.0), margin=st.floats(1.0, 1.5), seed=st.integers(0, 99))
def test_points_are_framed_as_large_as_they_fit(
    orthographic: bool, camera: Camera, aspect: float, margin: float, seed: int
) -> None:
    points = np.random.default_rng(seed).uniform(-1.0, 3.0, (12, 3))
    framed = cameras.frame(replace(camera, orthographic=orthographic), points, aspect, margin)
    assert (framed.azimuth, framed.elevation) == (camera.azimuth, camera.elevation)
    places = cameras.project(framed, (aspect, 1.0), points)
    near, far = cameras.depth_range(framed)
    off = (places[:, :2] / (aspect, 1.0) - 0.5) * 2 * margin
    if orthographic:
        assert (np.abs(places[:, 2]) < far).all()
    else:
        assert places[:, 2].min() >= near * (1.0 - 1e-9)
        if places[:, 2].min() <= near * (1.0 + 1e-9):
            assert np.abs(off).max() <= 1.0 + 1e-6, "the nearest point keeps the eye away"
            return
    assert np.abs(off).max() == pytest.approx(1.0, abs=1e-6)
    fuller = np.argmax(np.abs(off).max(axis=0))
    assert off[:, fuller].min() == pytest.approx(-off[:, fuller].max(), abs=1e-6), "in the middle"


def test_front_looks_along_y_with_x_to_the_right() -> None:
    camera = cameras.look_along(Camera(), "front")
    right, up, back = cameras.axes(camera)
    assert np.allclose(right, [1, 0, 0], atol=1e-12)
    assert np.allclose(up, [0, 0, 1], atol=1e-12)
    assert np.allclose(back, [0, -1, 0], atol=1e-12)


def test_both_projections_agree_in_the_target_plane() -> None:
    camera = Camera((0.2, 0.1, 0.3), 4.0, 0.7, 0.3)
    right, up, _ = cameras.axes(camera)
    points = np.asarray(camera.target) + np.array([[1, 0], [0, 1], [-0.5, 0.7]]) @ np.stack([right, up])
    flat = replace(camera, orthographic=True)
    assert np.allclose(cameras.project(camera, SIZE, points)[:, :2], cameras.project(flat, SIZE, points)[:, :2])


def test_a_flight_starts_and_ends_where_it_should_and_turns_the_short_way() -> None:
    start, end = Camera(azimuth=3.0, distance=1.0), Camera(azimuth=-3.0, distance=4.0, target=(1, 2, 3))
    assert cameras.flight(start, end, 0.0).azimuth == pytest.approx(3.0)
    last = cameras.flight(start, end, 1.0)
    assert (last.distance, last.target) == (pytest.approx(4.0), (1, 2, 3))
    middle = cameras.flight(start, end, 0.5)
    assert abs(abs(middle.azimuth) - pi) < 1e-9
    assert middle.distance == pytest.approx(2.0)
    assert middle.target == pytest.approx((0.5, 1.0, 1.5))


def test_cameras_survive_json_and_nonsense_is_refused() -> None:
    camera = Camera((1, 2, 3), 2.0, 0.5, -0.2, 0.6, True)
    assert cameras.from_json(cameras.to_json(camera)) == camera
    with pytest.raises(BadInput, match="distanze"):
        cameras.from_json({"distanze": 1})
    for bad in (
        {"distance": float("nan")},
        {"distance": -1},
        {"target": [1, 2]},
        {"field_of_view": 9},
        {"azimuth": "x"},
        {"orthographic": "no"},
    ):
        with pytest.raises(BadInput):
            cameras.from_json(bad)
    with pytest.raises(BadInput, match="front"):
        cameras.look_along(camera, "fromt")


@given(CAMERAS, st.floats(-3, 3), st.floats(-3, 3), st.floats(-500, 500), st.floats(0.2, 5), CURSORS)
def test_no_hand_puts_the_eye_under_the_floor(camera, right, up, dy, factor, cursor) -> None:
    floor = cameras.eye(camera)[2] - 0.5 * camera.distance
    moves = (
        cameras.orbit(camera, right, up),
        cameras.pan(camera, 30.0, dy, SIZE[1]),
        cameras.zoom(camera, factor, cursor, SIZE),
    )
    for moved in moves:
        kept = cameras.above_floor(moved, camera, floor)
        if camera.orthographic:
            assert kept.elevation >= 0.0 or camera.elevation < 0.0
        else:
            assert cameras.eye(kept)[2] >= floor
        assert cameras.above_floor(moved, camera, None) is moved


@given(CAMERAS, st.floats(0.2, 5), st.floats(-1, 1))
def test_what_is_looked_at_is_seen_from_above_the_floor(camera, further, rise) -> None:
    floor = cameras.eye(camera)[2] - 0.5 * camera.distance
    x, y, _ = camera.target
    z = max(camera.target[2], floor) + abs(rise)
    kept = cameras.from_above(
        lambda seen: replace(seen, target=(x, y, z), distance=further * seen.distance), camera, floor
    )
    assert (kept.target, kept.azimuth) == ((x, y, z), camera.azimuth)
    if camera.orthographic:
        assert kept.elevation == camera.elevation
    else:
        assert cameras.eye(kept)[2] >= floor


def test_a_camera_below_the_floor_by_a_named_view_moves_freely() -> None:
    below = cameras.preset("bottom", (0.0, 0.0, 0.5), 1.0)
    turned = cameras.orbit(below, 0.3, 0.2)
    assert cameras.above_floor(turned, below, 0.0) is turned


def test_a_head_of_the_picture_is_left_free() -> None:
    """All points are below the head, and still fill the rest."""
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (200, 3))
    camera, size = cameras.look_along(Camera(), "iso"), (800.0, 500.0)
    for orthographic in (False, True):
        looking = replace(camera, orthographic=orthographic)
        whole = cameras.project(cameras.frame(looking, points, 1.6), size, points)
        below = cameras.project(cameras.frame(looking, points, 1.6, bars=cameras.Bars(head=0.25)), size, points)
        assert whole[:, 1].min() < 0.02 * size[1]
        assert 0.22 * size[1] < below[:, 1].min() < 0.3 * size[1]
        assert 0.9 * size[1] < below[:, 1].max() <= size[1] * 1.01
