"""What pictures must show, whatever the driver: order, opacity, tiles, picking, and no trace of the last frame."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from assets.errors import ArmstepError, BadInput
from robots.model.shapes import ArmShape, Part, Pose, Triangles, translation
from scene import camera as cameras
from scene.colour import hex_colour
from scene.gl import buffers
from scene.gl.frame import lamp_direction
from scene.gl.quality import automatic_quality
from scene.offscreen import Offscreen
from scene.picture import Actor, Anchor, Camera, Dots, Label, Picture, Quality, Ribbon
from scene.theme import scene_theme
from tests.scene.arms import swing_pose
from tests.scene.scenes import ARM, arm, with_ghosts, with_overlays

ROOT = Path(__file__).parents[2]
SIZE = (480, 270)


def board(y: float, half: float = 0.5) -> ArmShape:
    """A thin square plate in the x-z plane."""
    part = Part(0, "box", (2 * half, 0.02, 2 * half), translation(0, y, 0), "body", "board", bevel=0.0)
    return ArmShape(("board",), (part,), radius=1.0, ground=None)


STILL = Pose(np.eye(4)[None])
FRONT = Camera(distance=4.0, azimuth=-np.pi / 2, elevation=0.0)


def middle(image: np.ndarray) -> np.ndarray:
    return image[image.shape[0] // 2, image.shape[1] // 2].astype(int)


def bare(*actors: Actor, **fields: object) -> Picture:
    return Picture(FRONT, actors, grid=False, ground=None, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("quality", ["low", "medium", "high"])
def test_a_frame_depends_on_its_picture_alone(quality: Quality, stages: dict[str, Offscreen]) -> None:
    stages[quality]  # Skips where nothing can be drawn.
    with Offscreen(SIZE, quality) as stage:
        first = stage.render(with_overlays(with_ghosts(arm())))
        stage.render(arm("top", theme="dark", transparent=True))
        assert np.array_equal(stage.render(with_overlays(with_ghosts(arm()))), first)


def test_an_opaque_picture_is_opaque_and_a_transparent_one_is_not(stages: dict[str, Offscreen]) -> None:
    picture = with_overlays(with_ghosts(arm()))
    assert (stages["medium"].render(picture)[..., 3] == 255).all()
    clear = stages["medium"].render(replace(picture, transparent=True))
    assert clear[2, 2, 3] == 0
    assert (clear[..., 3] == 255).any()
    assert ((clear[..., 3] > 20) & (clear[..., 3] < 200)).any(), "the shadow is half transparent"


def test_a_transparent_picture_laid_over_the_background_keeps_its_colours(stages: dict[str, Offscreen]) -> None:
    actor = Actor(board(0.0), STILL, (0.8, 0.2, 0.1), 0.5)
    solid = middle(stages["medium"].render(bare(actor)))
    clear = middle(stages["medium"].render(bare(actor, transparent=True)))
    behind = middle(stages["medium"].render(bare()))
    alpha = clear[3] / 255
    assert 0.45 < alpha < 0.55
    assert np.abs(clear[:3] * alpha + behind[:3] * (1 - alpha) - solid[:3]).max() < 3


def test_ghosts_blend_in_any_order_and_hide_their_own_back(stages: dict[str, Offscreen]) -> None:
    stage = stages["medium"]
    near, far = Actor(board(-0.3), STILL, (0.9, 0.1, 0.1), 0.5), Actor(board(0.3), STILL, (0.1, 0.1, 0.9), 0.5)
    moved = replace(far, pose=Pose(translation(0, 0.6, 0)[None]), shape=board(0.0))
    assert np.array_equal(stage.render(bare(near, moved)), stage.render(bare(moved, near)))
    both, single = middle(stage.render(bare(near, moved))), middle(stage.render(bare(near)))
    assert both[2] > single[2] - 20
    assert both[0] < single[0], "the far ghost shows through the near one"
    # A box has a front and a back; a ghost shows its front alone.
    thick = ArmShape(("box",), (Part(0, "box", (1, 1, 1), np.eye(4), bevel=0.0),), radius=1.0)
    thin = middle(stage.render(bare(Actor(board(-0.5), STILL, (0.9, 0.1, 0.1), 0.5))))
    assert np.abs(middle(stage.render(bare(Actor(thick, STILL, (0.9, 0.1, 0.1), 0.5)))) - thin).max() < 12


def test_a_ghost_behind_a_solid_arm_is_hidden_even_in_the_same_plane(stages: dict[str, Offscreen]) -> None:
    solid = Actor(board(0.0), STILL)
    ghost = Actor(board(0.0), STILL, (0.9, 0.1, 0.1), 0.5)
    alone = stages["medium"].render(bare(solid))[110:160, 215:265]
    both = stages["medium"].render(bare(solid, ghost))[110:160, 215:265]
    assert np.abs(alone.astype(int) - both).max() <= 1


def test_lines_keep_their_width_at_any_distance(stages: dict[str, Offscreen]) -> None:
    line = Ribbon(np.array([[-50.0, 0, 0], [50, 0, 0]]), (0, 0, 0), 6.0)
    widths = []
    for distance in (2.0, 20.0):
        picture = Picture(replace(FRONT, distance=distance), ribbons=(line,), ground=None, theme="projector")
        column = stages["low"].render(picture)[:, 240, 0]
        widths.append(float((255 - column.astype(float)).sum() / 255))
    assert widths == pytest.approx([6.0, 6.0], abs=0.35)


@pytest.mark.parametrize("dash", [(10.0, 6.0), (12.0, 5.0, 4.0, 7.0), (9.0, 4.0, 3.0, 5.0, 3.0, 6.0)])
def test_a_dashed_line_has_its_strokes_and_gaps(dash: tuple[float, ...], stages: dict[str, Offscreen]) -> None:
    line = Ribbon(np.array([[-1.0, 0, 0], [1.0, 0, 0]]), (0, 0, 0), 6.0, dash=dash)
    picture = Picture(FRONT, ribbons=(line,), ground=None, theme="projector")
    row = 1.0 - stages["low"].render(picture)[135, :, 0].astype(float) / 255.0
    drawn, edges = row > 0.5, np.flatnonzero(np.diff(row > 0.5))
    lengths = [
        float(row[a + 1 : b + 1].sum() if drawn[b] else (1.0 - row[a + 1 : b + 1]).sum()) for a, b in pairwise(edges)
    ]
    first = next(k for k, length in enumerate(lengths) if abs(length - dash[0]) < 0.7)
    assert lengths[first : first + 2 * len(dash)] == pytest.approx([*dash, *dash], abs=0.7)


def test_no_mesh_goes_that_the_picture_still_needs(
    stages: dict[str, Offscreen], monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(x: float) -> Actor:
        return Actor(board(0.0, half=0.1), Pose(translation(x, 0, 0)[None]))

    picture = bare(*(at(x) for x in np.linspace(-1.0, 1.0, 6)))
    usual = stages["low"].render(picture)
    monkeypatch.setattr(buffers, "REMEMBERED_SHAPES", 2)
    assert np.array_equal(stages["low"].render(bare(*(at(x) for x in np.linspace(-1.0, 1.0, 6)))), usual)


def test_a_line_through_the_eye_covers_a_narrow_strip_at_most(stages: dict[str, Offscreen]) -> None:
    """Its part in front is 3 pixels wide up to the edge of the picture; its part behind is not seen."""
    through = Ribbon(np.array([[0, -40.0, 10.1], [0, 40, -10.1]]), (1, 0, 0), 3)
    empty = stages["low"].render(Picture(FRONT, ground=None)).astype(int)
    drawn = stages["low"].render(Picture(FRONT, ribbons=(through,), ground=None)).astype(int)
    changed = np.abs(drawn - empty).max(axis=-1) > 8
    assert changed.any(axis=0).sum() <= 8
    assert changed.any(axis=1).sum() > 80


def test_what_is_not_finite_or_behind_the_eye_is_left_out(stages: dict[str, Offscreen]) -> None:
    strange = (Label("x", (np.nan, 0, 0)), Label("", (0, 0, 0)), Label("behind", (0, -50, 0)))
    empty = stages["low"].render(bare())
    dots = (Dots(np.full((3, 3), np.nan)), Dots(np.zeros((0, 3))))
    assert np.array_equal(stages["low"].render(bare(labels=strange, dots=dots)), empty)


def test_a_dot_inside_a_ball_is_whole(stages: dict[str, Offscreen]) -> None:
    """Of a tip's dot half inside its ball, a broken white ring was left."""
    ball = Actor(ArmShape(("ball",), (Part(0, "sphere", (0.1,), np.eye(4)),), radius=1.0, ground=None), STILL)

    def blue(*actors: Actor, depth: float = 0.1) -> int:
        dots = (Dots(np.zeros((1, 3)), (0.0, 0.0, 1.0), 12.0, depth=depth),)
        pixels = stages["low"].render(bare(*actors, dots=dots))[..., :3].astype(int)
        return int(((pixels[..., 2] > 200) & (pixels[..., 0] < 60)).sum())

    assert blue(ball) == blue() > 50
    assert blue(ball, depth=0.0) < blue()


def test_a_label_is_readable_on_any_ground(stages: dict[str, Offscreen]) -> None:
    for theme in ("light", "dark", "projector"):
        picture = replace(bare(theme=theme), labels=(Label("rk4", (0, 0, 0), None, "centre", 24),))
        crop = stages["low"].render(picture)[120:150, 210:270, :3].astype(int).mean(axis=-1)
        assert crop.max() - crop.min() > 150


@pytest.mark.parametrize("anchor", ["left", "right", "centre", "above", "below"])
def test_what_is_in_the_picture_is_named_in_full_at_its_edge_too(anchor: Anchor, stages: dict[str, Offscreen]) -> None:
    def ink(x: float, z: float) -> int:
        picture = replace(bare(theme="projector"), labels=(Label("error × 1000", (x, 0, z), None, anchor, 16),))
        return int((stages["low"].render(picture)[..., :3].max(axis=-1) < 100).sum())

    high = 2.0 * np.tan(FRONT.field_of_view / 2.0) * FRONT.distance / 2.0
    wide = high * SIZE[0] / SIZE[1]
    whole = ink(0.0, 0.0)
    assert whole > 50
    for x, z in product((-0.999, 0.0, 0.999), repeat=2):
        assert ink(x * wide, z * high) == whole
    assert ink(1.5 * wide, 0.0) == 0


def test_tiles_join_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    import scene.offscreen

    with Offscreen((600, 400), "medium") as whole:
        expected = whole.render(with_overlays(arm())).astype(int)
    monkeypatch.setattr(scene.offscreen, "WHOLE", 100)
    monkeypatch.setattr(scene.offscreen, "TILE", 170)
    with Offscreen((600, 400), "medium") as tiled:
        difference = np.abs(tiled.render(with_overlays(arm())).astype(int) - expected)
    assert difference.mean() < 0.3
    assert np.percentile(difference, 99.5) < 12


def test_supersampling_averages(stages: dict[str, Offscreen]) -> None:
    with Offscreen(SIZE, "low", supersample=2) as fine:
        image = fine.render(arm())
    assert image.shape == (270, 480, 4)
    assert np.abs(image.astype(int) - stages["medium"].render(arm())).mean() < 3


@pytest.mark.parametrize("size", [(1, 1), (3, 1), (33, 17)])
def test_odd_and_tiny_sizes_work(size: tuple[int, int]) -> None:
    with Offscreen(size, "high") as stage:
        assert stage.render(with_overlays(arm())).shape == (size[1], size[0], 4)


def test_nonsense_sizes_are_refused() -> None:
    for size in ((0, 10), (10, 99999)):
        with pytest.raises(BadInput, match="pixels"):
            Offscreen(size)
    with pytest.raises(BadInput, match="supersample"):
        Offscreen((10, 10), supersample=9)


def test_picking_finds_actor_link_part_and_point(stages: dict[str, Offscreen]) -> None:
    stage = stages["low"]
    pose = swing_pose(-0.6, 0.7)
    ghost = Actor(ARM, swing_pose(0.9, -0.7), (0, 0, 1), 0.4)
    picture = replace(arm("front"), actors=(Actor(ARM, pose), ghost))
    for number, actor in enumerate(picture.actors):
        place = actor.pose.world_from_link[1] @ [0.5, -0.085, 0.0, 1.0]
        x, y, _ = cameras.project(picture.camera, SIZE, place[None, :3])[0]
        hit = stage.pick(picture, x, y)
        assert hit is not None
        assert (hit.actor, hit.link, hit.name) == (number, 1, "link")
        assert np.allclose(hit.point, place[:3], atol=0.03)
    foot = cameras.project(picture.camera, SIZE, np.array([[0, 0.24, -2.2]]))[0]
    assert stage.renderer.pick(picture, SIZE, foot[0], foot[1]) == (0, -1)
    assert stage.pick(picture, 2, 2) is None


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_colour_of_its_own_is_the_same_in_every_theme(theme: str, stages: dict[str, Offscreen]) -> None:
    corners = np.array([(-0.5, 0.0, -0.5), (0.5, 0.0, -0.5), (0.5, 0.0, 0.5), (-0.5, 0.0, 0.5)])
    plate = Triangles(corners, np.array([(0, 1, 2), (0, 2, 3)]))
    shades = {}
    for colour in ("#ff0000", "#00ff00", "#0000ff", "#000000", "#ffffff"):
        part = Part(0, "mesh", (), np.eye(4), colour, "plate", triangles=plate)
        picture = bare(Actor(ArmShape(("plate",), (part,), radius=1.0, ground=None), STILL), theme=theme)
        shades[colour] = middle(stages["medium"].render(picture))[:3]
    for place, colour in enumerate(("#ff0000", "#00ff00", "#0000ff")):
        assert np.argmax(shades[colour]) == place
        assert shades[colour][place] > 1.5 * np.delete(shades[colour], place).max()
    assert shades["#000000"].max() < 90
    assert shades["#ffffff"].min() > 150


@pytest.mark.parametrize("quality", ["low", "medium", "high"])
def test_every_level_has_a_shadow_and_smooth_edges(quality: str, stages: dict[str, Offscreen]) -> None:
    """No level is emptied to be fast."""
    plate = ArmShape(("plate",), (Part(0, "box", (0.8, 0.8, 0.03), np.eye(4), "dark", bevel=0.0),), radius=1.0)
    tilted = translation(0, 0, 0.9)
    tilted[:3, :3] = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
    camera = cameras.preset("top", (0.0, 0.0, 0.5), 1.4, SIZE[0] / SIZE[1])
    with_plate = Picture(camera, (Actor(plate, Pose(tilted[None])),), grid=False)
    image = stages[quality].render(with_plate)[..., :3].astype(int).sum(axis=-1)
    empty = stages[quality].render(replace(with_plate, actors=()))[..., :3].astype(int).sum(axis=-1)
    # The lamp throws the plate's middle onto the ground.
    lamp = lamp_direction()
    x, y, _ = cameras.project(camera, SIZE, -0.9 * lamp / lamp[2] * (1, 1, 0))[0]
    assert empty[round(y), round(x)] - image[round(y), round(x)] > 60
    inside, outside = image[SIZE[1] // 2, SIZE[0] // 2], empty[SIZE[1] // 2, SIZE[0] // 2]
    left = cameras.project(camera, SIZE, np.array([[-0.2, 0.0, 0.9]]))[0, 0]
    rim = (image[:, : round(left)] - inside) / (outside - inside)
    partly = ((rim > 0.2) & (rim < 0.8)).sum(axis=1)
    assert (partly > 0).sum() > 20, "rows whose edge is neither in nor out"


def test_software_drivers_get_the_low_level() -> None:
    assert automatic_quality("llvmpipe (LLVM 15.0.6, 256 bits)") == "low"
    assert automatic_quality("Google SwiftShader") == "low"
    assert automatic_quality("NVIDIA H200/PCIe/SSE2") == "high"


def test_every_theme_is_complete() -> None:
    names = [set(scene_theme(name).colours) | set(scene_theme(name).numbers) for name in ("light", "dark", "projector")]
    assert names[0] == names[1] == names[2]
    with pytest.raises(BadInput, match="light"):
        scene_theme("lihgt")
    with pytest.raises(BadInput, match="rrggbb"):
        hex_colour("#12345g")


def test_a_renderer_survives_the_loss_of_its_context() -> None:
    with Offscreen((64, 36), "low") as stage:
        before = stage.render(arm())
        stage.renderer.forget()
        assert np.array_equal(stage.render(arm()), before)
        stage.renderer.release()
        assert np.array_equal(stage.render(arm()), before)


def test_no_driver_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    with pytest.raises(ArmstepError, match=r"libEGL\.so\.1 is missing; install"):
        Offscreen((8, 8))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="EGL and GLX are Linux's")
@pytest.mark.parametrize("platform", ["egl", "glx", ""])
def test_pictures_are_drawn_whatever_platform_pyopengl_has_chosen(platform: str) -> None:
    code = (
        "import os; os.environ.pop('DISPLAY', None); os.environ.pop('PYOPENGL_PLATFORM', None)\n"
        f"if {platform!r}:\n    os.environ['PYOPENGL_PLATFORM'] = {platform!r}\n    import OpenGL.GL\n"
        "from scene.offscreen import Offscreen\n"
        "from tests.scene.scenes import arm\n"
        "with Offscreen((64, 36), 'low') as stage:\n    print(stage.render(arm()).mean() > 50)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "True", done.stderr
