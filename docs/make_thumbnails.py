"""Draws the gallery's pictures with Armstep itself: `python docs/make_thumbnails.py [PRESET ...]`.

Writes `assets/thumbnails/<preset>.png`, 496 x 310 pixels with a clear background, so that they suit every theme; of
presets that propose a map, the map. Run it
after adding a preset or changing how an arm looks. Needs OpenGL (software will do) and no display.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from PIL import Image, ImageDraw

from gui.app.desks.map_choices import Proposal, proposal
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.charts.map import map_chart
from gui.compose.kinematics import corners
from gui.compose.picture import compose
from gui.qt.drawing.regions import field_pixels
from robots.scenario.presets import presets
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import simulate
from robots.sweeps.borders import stability_border
from robots.sweeps.run_sweep import run_sweep
from robots.sweeps.sweep import Sweep
from scene import camera as cameras
from scene.offscreen import Offscreen
from scene.picture import Camera, Dots, Picture, Ribbon

Line = TypeVar("Line", Ribbon, Dots)

SIZE = (496, 310)
MOMENT = 0.62
"""Which part of the run has passed in the picture, unless it is the last seconds' trail that shows the story."""

ROOM_AROUND = 1.12
"""The picture shows so much more than the arm and its trail."""

FAINTEST = 0.5
"""Opacity of a trail at its beginning."""

LARGEST = 80_000
"""A thumbnail's size [bytes]."""


def framed(picture: Picture) -> Camera:
    """The picture's camera, come close to the arm and its trail."""
    arm = picture.actors[0]
    drawn = [ribbon.points for ribbon in picture.ribbons] + [dots.points for dots in picture.dots]
    points = np.vstack([corners(arm.shape, [arm.pose]), *drawn])
    return cameras.frame(picture.camera, points, SIZE[0] / SIZE[1], margin=ROOM_AROUND)


def between(some: Sequence[Line], others: Sequence[Line]) -> tuple[Line, ...]:
    """Lines or dots in a colour in the middle between those of two themes; what fades stays visible on both grounds."""
    made = []
    for one, other in zip(some, others, strict=True):
        line = replace(one, colour=tuple(np.add(one.colour, other.colour) / 2.0))
        if isinstance(line, Ribbon) and line.fade:
            t = np.arange(float(len(line.points))) if line.times is None else line.times
            opacity = FAINTEST + (1.0 - FAINTEST) * (t - t[0]) / (t[-1] - t[0])
            line = replace(line, colours=np.column_stack([np.tile(line.colour, (len(t), 1)), opacity]))
        made.append(line)
    return tuple(made)


def map_picture(proposed: Proposal, scenario: Scenario) -> Image.Image:
    """The map that a preset proposes, without axes, and the border of stability."""
    sweep = Sweep(scenario, proposed.axes, (proposed.show,))
    field = map_chart(run_sweep(sweep), proposed.show, stability_border(sweep)).colours
    assert field is not None
    image = Image.fromarray(field_pixels(field, *SIZE, 5), "RGBA")
    pen = ImageDraw.Draw(image)
    origin, span = (field.left, field.high), (field.right - field.left, field.low - field.high)
    for piece in (field.border - origin) / span * SIZE:
        for colour, width in (("black", 7), ("white", 3)):
            pen.line([tuple(end) for end in piece], fill=colour, width=width)
    return image


def draw(key: str, scenario: Scenario, folder: Path) -> Path:
    """Compute a preset and save its picture; the file."""
    proposed = proposal(scenario)
    image = map_picture(proposed, scenario) if proposed else arm_picture(scenario)
    file = folder / f"{key}.png"
    image.save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        image.quantize(255, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def arm_picture(scenario: Scenario) -> Image.Image:
    """The arm and its trail."""
    run = simulate(scenario)
    row = RunRow(0, scenario, 0, pinned=False, run=run, state="done", progress=1.0)
    view = replace(
        ViewSettings().with_mapping(scenario.view), error_vector=False, labels=False, grid=False, trail_seconds=4.0
    )
    moment = min(MOMENT * scenario.duration, float(run.t_end))
    light, dark = (
        compose([row], moment, view, theme=theme, aspect=SIZE[0] / SIZE[1], transparent=True)
        for theme in ("light", "dark")
    )
    # One picture is for both grounds: what has a colour of its own on each has one between them.
    lines = {kind: between(getattr(light, kind), getattr(dark, kind)) for kind in ("ribbons", "dots")}
    picture = replace(light, **lines)
    with Offscreen(SIZE, quality="high", supersample=2, scale=SIZE[0] / 400) as place:
        pixels = place.render(replace(picture, labels=(), camera=framed(picture)))
    return Image.fromarray(pixels, "RGBA")


def main() -> None:
    """Draw the presets that are named, or all."""
    folder = Path(__file__).parent.parent / "assets" / "thumbnails"
    folder.mkdir(exist_ok=True)
    for key in sys.argv[1:] or presets():
        file = draw(key, presets()[key], folder)
        print(f"{file.name}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
