"""The motion of runs as meshes and poses, for formats that people without Armstep open (GLB, a web page). No Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from gui.app.formatting import error_title, error_unit, one_name
from gui.app.run_texts import leading_error
from gui.app.table.distinctions import details, names
from gui.app.view import ViewSettings
from gui.charts.colours import DASHES, on_ground
from gui.compose.kinematics import RunKinematics, kinematics_of
from gui.compose.overlay import GLOW, rgb
from gui.compose.overlays.error import error_arrows, said
from gui.compose.picture import GHOST_OPACITY, compose, standard_camera
from gui.compose.places import arms_of
from robots.model.chart import Axis, Chart, Curve
from scene.camera import Bars
from scene.format import MotionFormat
from scene.motion import Motion, MovingArm

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.qt.export.settings import ExportSettings
    from robots.model.robot import Array
    from scene.picture import Camera

MOST_INSTANTS = 20_000
TRAIL_RATE = 120.0
"""A trail has at least this many points per simulated second, so that slow frames do not give it corners."""


def motion_of(rows: Sequence[RunRow], settings: ExportSettings, view: ViewSettings, texts: Mapping[str, str]) -> Motion:
    """The motion of `rows`, computed and visible, at the frames of the settings, seen as in `view`.

    Args:
        rows: the current run first.
        settings: the frames, the colours, the title.
        view: whose camera a page begins with.
        texts: what travels inside the file.

    Raises:
        BadInput: a range outside the run or too many frames.
    """
    first = rows[0]
    assert first.run is not None
    frames = settings.times(float(first.run.t[0]), float(first.scenario.duration))
    # The last time too: a model that moves has no frame rate of its own.
    last = float(first.scenario.duration) if settings.end is None else settings.end
    times = np.linspace(frames[0], last, len(frames) + 1)
    if len(times) > MOST_INSTANTS:
        must = f"low enough for fewer than {MOST_INSTANTS} frames (this would make {len(times)})"
        raise BadInput("fps", settings.fps, must)
    desired = kinematics_of(first.run).desired
    arms = arms_of(rows)
    errors, scales = _errors(list(zip(rows, arms, strict=True)), times, view)
    return Motion(
        title=settings.title or first.scenario.title,
        times=times,
        arms=tuple(
            replace(_arm(row, arm, times, settings, own, ghost=index > 0), errors=arrows)
            for index, (row, arm, arrows, own) in enumerate(zip(rows, arms, errors, details(rows), strict=True))
        ),
        desired=np.zeros((0, 3)) if desired is None else desired,
        chart=_chart(rows, settings.palette, (float(times[0]), last)),
        dashes=DASHES,
        path=GLOW[settings.palette],
        theme=settings.palette,
        speed=settings.speed,
        metadata=texts,
        camera=_camera(rows, float(times[0]), settings, view),
        scales=scales,
    )


def _errors(
    runs: Sequence[tuple[RunRow, RunKinematics]], times: Array, view: ViewSettings
) -> tuple[list[Array], tuple[tuple[int, str], ...]]:
    """Each run's error arrow at every time, (m, 2, 3) [m], and from which time on which scale stands beside them."""
    found = [np.full((len(times), 2, 3), np.nan) for _ in runs]
    scales: list[tuple[int, str]] = []
    for index, t in enumerate(times if view.error_vector else ()):
        scale, arrows = error_arrows(runs, float(t), view)
        for row, ends in zip(found, arrows, strict=True):
            if ends is not None:
                row[index] = ends
        words = said(scale) if scale else ""
        if words != (scales[-1][1] if scales else ""):
            scales.append((index, words))
    return found, tuple(scales)


def _camera(rows: Sequence[RunRow], t: float, settings: ExportSettings, view: ViewSettings) -> Camera:
    """The camera: the requested preset, otherwise the view's camera."""
    aspect, kind = settings.size[0] / settings.size[1], settings.kind
    head = kind.head if isinstance(kind, MotionFormat) else 0.0
    if settings.camera:
        return standard_camera(rows, settings.camera, aspect, Bars(head))
    return compose(rows, t, view, aspect=aspect, bars=Bars(head)).camera


def _arm(
    row: RunRow, track: RunKinematics, times: Array, settings: ExportSettings, own: str, *, ghost: bool
) -> MovingArm:
    """The arm of a row; `own` is how it differs from the others."""
    run = row.run
    assert run is not None
    clipped = np.minimum(times, run.t_end)
    between = min(math.ceil(TRAIL_RATE * (times[-1] - times[0]) / (len(times) - 1)), MOST_INSTANTS // len(times)) or 1
    fine = np.minimum(np.linspace(times[0], times[-1], between * (len(times) - 1) + 1), run.t_end)
    poses = [track.moved(pose) for pose in run.moments(clipped)]
    curves = {name: np.array([pose.curves[name] for pose in poses]) for name in poses[0].curves}
    colour = rgb(row.colour, settings.palette)
    return MovingArm(
        name=f"{one_name(row.label)}, {own}",
        shape=track.ghost_shape(0.0) if ghost else track.shape(0.0),
        frames=np.array([pose.world_from_link for pose in poses]),
        curves=curves,
        colour=colour if ghost else None,
        opacity=GHOST_OPACITY if ghost else 1.0,
        line=colour,
        trail=track.tips_at(fine),
        dash=DASHES[row.dash],
    )


def _chart(rows: Sequence[RunRow], theme: str, span: tuple[float, float]) -> Chart | None:
    """The runs' leading error over the shown span."""
    found = [(row, error) for row in rows if (error := leading_error(row)) is not None]
    if not found:
        return None
    leading, dark = found[0][1][0], theme == "dark"
    curves = [
        Curve(np.asarray(t), np.asarray(values), called, called, on_ground(row.colour, dark=dark), row.dash)
        for (row, (name, t, values)), called in zip(found, names([row for row, _ in found]), strict=True)
        if name == leading
    ]
    scenario = rows[0].scenario
    curves = [_within(curve, *span) for curve in curves]
    axis = Axis(f"error of the {error_title(leading, scenario)}", error_unit(leading, scenario), "log")
    return Chart(y=axis, curves=tuple(curves))


def _within(curve: Curve, start: float, end: float) -> Curve:
    """The part of a curve from `start` to `end`, with the points at both ends."""
    inside = curve.x[(curve.x > start) & (curve.x < end)]
    x = np.unique(np.concatenate(([start], inside, [end])))
    x = x[(x >= curve.x[0]) & (x <= curve.x[-1])] if curve.x.size else x[:0]
    return replace(curve, x=x, y=np.interp(x, curve.x, curve.y) if curve.x.size else x)
