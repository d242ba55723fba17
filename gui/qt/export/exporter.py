"""Writing pictures and films: the one path for window and command line.

Frame k = 0 .. N-1, N = max(1, round((end - start) fps / speed)), shows the time start + k speed / fps, sampled from
dense output: a film's clock is exact, whatever steps the solver took. Drawing and encoding run side by side, and a
file appears under its name only when it is complete.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assets.errors import ArmstepError, BadInput
from assets.writing import write_atomically
from gui.app.runs import RunRow, visible_runs
from gui.app.view import ViewSettings
from gui.qt.export.film import Film
from gui.qt.export.format import DataFormat
from gui.qt.export.inside import embedded
from gui.qt.export.panel_sources import PanelSources, sources_of
from gui.qt.export.request import Cancelled
from gui.qt.export.settings import ExportSettings
from robots.export.table import RunData
from scene.encoder import Encoder
from scene.format import FilmFormat, Format, MotionFormat, StillFormat
from scene.writer import Order, Writer

PROBES = 5
"""How many frames are drawn and encoded to estimate the time of a film."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an export: frames `done` of `total`; the seconds for the rest, infinite if unknown."""

    done: int
    total: int
    seconds_left: float


def render_rows(
    rows: Sequence[RunRow],
    view: ViewSettings,
    settings: ExportSettings,
    *,
    sources: PanelSources | None = None,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Path:
    """Draw `rows` (computed, the current run first) as `settings` say, and write the file.

    Args:
        rows, view, settings: what is drawn, and how.
        sources: what a figure shows besides `rows`; None to find and compute it now.
        progress: called after each frame.
        cancel: asked before each frame.

    Raises:
        BadInput: a setting that cannot be used.
        Cancelled: `cancel` said so.
        ArmstepError: no OpenGL, no room on the disk, a folder that cannot be written to.
    """
    settings.check()
    kind = settings.kind
    if settings.figure:
        _write_figure(rows, view, settings, sources)
        return settings.file
    if isinstance(kind, DataFormat):
        _write_data(kind, rows, settings)
        return settings.file
    if not isinstance(kind, (FilmFormat, StillFormat)):
        write_atomically(settings.file, _content(kind, rows, view, settings))
        return settings.file
    film = Film(rows, view, settings)
    with film, Encoder(_opener(settings, embedded(rows))) as encoder:
        began, total = 0.0, len(film.times)
        for done, t in enumerate(film.times, start=1):
            if cancel is not None and cancel():
                raise Cancelled
            encoder.add(film.frame(float(t)))
            if done == 1:
                # The first frame waits for the driver; it says nothing about the others.
                began = time.perf_counter()
            if progress is not None:
                rate = (time.perf_counter() - began) / (done - 1) if done > 1 else math.inf
                progress(Progress(done, total, rate * (total - done) if done < total else 0.0))
    return settings.file


def seconds_per_frame(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, *, cancel: Callable[[], bool]
) -> float:
    """The time to draw and encode a frame of this film, from a few frames in its middle.

    Raises:
        BadInput: a setting that cannot be used.
        Cancelled: `cancel` said so between two frames.
        ArmstepError: no OpenGL, no encoder.
    """
    settings.check()
    with TemporaryDirectory(prefix="armstep-") as folder:
        film = Film(rows, view, settings)
        trial = replace(settings, file=Path(folder) / "probe")
        first = max(len(film.times) - PROBES, 0) // 2
        with film, Encoder(_opener(trial, {})) as encoder:
            encoder.add(film.frame(float(film.times[first])))
            began = time.perf_counter()
            tried = film.times[first : first + PROBES]
            for t in tried:
                if cancel():
                    raise Cancelled
                encoder.add(film.frame(float(t)))
        return (time.perf_counter() - began) / len(tried)


def _opener(settings: ExportSettings, metadata: Mapping[str, str]) -> Callable[[], Writer]:
    """Opens the file of the settings."""
    kind, s = settings.kind, settings
    assert isinstance(kind, (FilmFormat, StillFormat))
    order = Order(s.file, s.size, s.fps, s.quality, metadata, s.loop, s.transparent)
    return lambda: kind.writer(order)


def _write_figure(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, sources: PanelSources | None
) -> None:
    """Write the page of charts."""
    from gui.qt.export.charts_file import write_page
    from gui.qt.export.figure import page_of

    shown = _shown(rows)
    sources = sources or sources_of(settings)
    page = page_of(shown, view, settings, sources)
    write_page(page, settings.file, embedded([*shown, *sources.rows]), page.figure.dpi)


def data_of(rows: Sequence[RunRow], settings: ExportSettings) -> RunData:
    """The numbers of the current run as the settings want them."""
    first = _shown(rows)[0]
    assert first.run is not None
    texts = embedded([first])
    return RunData(first.run, texts, first.reference, settings.table, settings.also, settings.every, first.ensemble)


def _write_data(kind: DataFormat, rows: Sequence[RunRow], settings: ExportSettings) -> None:
    """Write the file and, of a format that has one, the file beside it."""
    data = data_of(rows, settings)
    write_atomically(settings.file, kind.write(data))
    if kind.beside is not None:
        write_atomically(settings.file.with_name(f"{settings.file.name}.json"), kind.beside(data))


def _shown(rows: Sequence[RunRow]) -> list[RunRow]:
    """The rows with a run that is visible. Raises ArmstepError if there is none."""
    shown = visible_runs(rows)
    if not shown:
        raise ArmstepError("there is no run to export yet")
    return shown


def _content(kind: Format, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings) -> bytes:
    """The content of a file that is written at once."""
    shown = _shown(rows)
    if isinstance(kind, MotionFormat):
        from gui.qt.export.motion import motion_of

        return kind.write(motion_of(shown, settings, view, embedded(shown)))
    raise BadInput("file", str(settings.file), "a film, a still, a figure, a motion or data")
