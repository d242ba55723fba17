"""Writing pictures and films: the one path for window and command line.

Frame k = 0 .. N-1, N = max(1, round((end - start) fps / speed)), shows the time start + k speed / fps, sampled from
dense output: a film's clock is exact, whatever steps the solver took. Drawing and encoding run side by side, and a
file appears under its name only when it is complete.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError, BadInput
from gui.app.rows import RunRow
from gui.app.view import ViewSettings
from gui.qt import picture
from robots.scenario import Scenario

if TYPE_CHECKING:
    from gui.qt.layouts.registry import Layout
    from scene.encode import Writer
    from scene.picture import Quality

Array = NDArray[np.float64]

QUALITIES = ("low", "medium", "high")
THEMES = ("light", "dark", "projector")
STILLS = (".png",)
LARGEST = 16384
MOST_FRAMES = 1_000_000
IN_FLIGHT = 4
"""Frames that wait for the encoder at most, so that a long film needs no more memory than a short one."""


class Cancelled(ArmstepError):
    """The person stopped the export; nothing was written."""

    def __init__(self) -> None:
        super().__init__("the export was cancelled; nothing was written")


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """How a file is made.

    Attributes:
        file: where it goes; its suffix decides the format.
        size: width and height [px].
        fps: frames per second of film.
        speed: simulated seconds per second of film; below 1 is slow motion.
        start, end: the part that is shown [s]; None is the run's own start or end.
        at: the instant of a still [s].
        quality: `low`, `medium` or `high`.
        camera: the name of a camera preset, or nothing for the view's own camera.
        layout: the key of a layout.
        caption: whether title, runs and time are written on the picture.
        title: the heading; nothing for the scenario's own title.
        transparent: leave the background clear.
        theme: `light`, `dark` or `projector`.
        loop: how often an animation repeats; 0 is for ever.
    """

    file: Path
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    speed: float = 1.0
    start: float | None = None
    end: float | None = None
    at: float = 0.0
    quality: Quality = "medium"
    camera: str = ""
    layout: str = "scene"
    caption: bool = True
    title: str = ""
    transparent: bool = False
    theme: str = "light"
    loop: int = 0

    @property
    def still(self) -> bool:
        """Whether the file holds one picture."""
        return self.file.suffix.lower() in STILLS

    def times(self, first: float, last: float) -> Array:
        """The simulated time of each frame of a run from `first` to `last`, (N,) [s].

        Raises:
            BadInput: a range outside the run, or more frames than anyone can want.
        """
        if self.still:
            return np.array([_within("time", self.at, first, last)])
        start = first if self.start is None else _within("from", self.start, first, last)
        end = last if self.end is None else _within("to", self.end, start, last)
        return frame_times(start, end, self.fps, self.speed)

    def check(self) -> None:
        """Refuse what cannot be drawn or encoded. Raises BadInput naming the setting."""
        from gui.qt.layouts.registry import find_layout
        from scene.camera import PRESETS
        from scene.encode import check_target

        if not all(isinstance(n, int) and 1 <= n <= LARGEST for n in self.size):
            raise BadInput(
                "size", f"{self.size[0]}x{self.size[1]}", f"two whole numbers from 1 to {LARGEST}, as in 1280x720"
            )
        _between("fps", self.fps, 1000.0)
        _between("speed", self.speed, 1e6)
        _one_of("quality", self.quality, QUALITIES)
        _one_of("theme", self.theme, THEMES)
        if self.camera:
            _one_of("camera", self.camera, tuple(PRESETS))
        if self.loop < 0:
            raise BadInput("loop", self.loop, "0 (for ever) or a number of times")
        find_layout(self.layout)
        check_target(self.file, self.size, transparent=self.transparent)


def frame_times(start: float, end: float, fps: float, speed: float) -> Array:
    """The simulated time that each frame shows, (N,) [s]; at least one frame."""
    count = max(1, round((end - start) * fps / speed))
    if count > MOST_FRAMES:
        raise BadInput("fps", fps, f"at most {MOST_FRAMES} frames in all; this would be {count}")
    return start + np.arange(count, dtype=np.float64) * (speed / fps)


def size_of(text: str) -> tuple[int, int]:
    """`1280x720` as two numbers. Raises BadInput for anything else."""
    width, _, height = text.lower().replace("×", "x").replace(" ", "").partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise BadInput("size", text, "width and height in pixels, as in 1280x720")
    return int(width), int(height)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an export is: frames `done` of `total`, and the seconds that the rest will take."""

    done: int
    total: int
    seconds_left: float


def render_rows(
    rows: Sequence[RunRow],
    view: ViewSettings,
    settings: ExportSettings,
    *,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Path:
    """Draw `rows` (computed, the current run first) as `settings` say, and write the file.

    Raises:
        BadInput: a setting that cannot be used.
        Cancelled: `cancel` said so.
        ArmstepError: no OpenGL, no room on the disk, a folder that cannot be written to.
    """
    from scene.encode import open_writer

    settings.check()
    film = Film(rows, view, settings)
    metadata = embedded(rows)
    with (
        film,
        Encoder(
            lambda: open_writer(
                settings.file,
                settings.size,
                settings.fps,
                quality=settings.quality,
                metadata=metadata,
                loop=settings.loop,
                transparent=settings.transparent,
            )
        ) as encoder,
    ):
        began = time.perf_counter()
        for done, t in enumerate(film.times, start=1):
            if cancel is not None and cancel():
                raise Cancelled
            encoder.add(film.frame(float(t)))
            if progress is not None:
                rate = (time.perf_counter() - began) / done
                progress(Progress(done, len(film.times), rate * (len(film.times) - done)))
    return settings.file


class Film:
    """Frames drawn one after another; a context that holds the renderer.

    Attributes:
        span: first and last time that may be shown [s].
        times: the simulated time of each frame (N,) [s].
    """

    def __init__(self, rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings) -> None:
        from gui.qt.drawing.stage import Stage
        from gui.qt.drawing.style import style_of
        from gui.qt.layouts.registry import find_layout

        qt_for_text()
        run = rows[0].run
        if run is None:
            raise ArmstepError("there is nothing to draw: the run has not been computed")
        self.rows, self.settings = list(rows), settings
        self.span = float(run.t[0]), max(float(run.scenario.duration), float(run.t_end))
        self.times = settings.times(*self.span)
        title = (settings.title or rows[0].scenario.title) if settings.caption else None
        # The axis of the charts ends where the last frame ends, not where it begins.
        shown = len(self.times) * settings.speed / settings.fps
        first = float(self.times[0])
        span = self.span if settings.still else (first, min(first + shown, self.span[1]))
        style = style_of(settings.theme, settings.size)
        speed = 0.0 if settings.still else settings.speed
        stage = Stage(settings.size, self.rows, span, style, title, speed, settings.transparent)
        self.layout: Layout = find_layout(settings.layout)(stage)
        aspect = self.layout.scene_size[0] / self.layout.scene_size[1]
        self.view = view
        if settings.camera:
            from scene.camera import to_json

            self.view = replace(
                view, camera=to_json(picture.standard_camera(rows, settings.camera, aspect)), follow=False
            )
        self._aspect = aspect
        self._offscreen: Any = None

    def __enter__(self) -> Film:
        from scene.offscreen import Offscreen

        context = None
        if sys.platform != "linux":
            from gui.qt.bare_context import BareContext

            context = BareContext()
        self._offscreen = Offscreen(
            self.layout.scene_size, quality=self.settings.quality, scale=self._scale, context=context
        ).__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._offscreen.__exit__(*reason)

    @property
    def _scale(self) -> float:
        """Pixels per logical pixel, so that lines and labels look alike at every size."""
        return max(min(self.settings.size[0] / 1280, self.settings.size[1] / 720), 0.05)

    def frame(self, t: float) -> NDArray[np.uint8]:
        """The frame at `t`, (height, width, 4); the caller's own copy."""
        composed = picture.compose(
            self.rows,
            t,
            self.view,
            theme=self.settings.theme,
            aspect=self._aspect,
            transparent=self.settings.transparent,
        )
        drawn = self._offscreen.render(composed)
        return self.layout.paint(drawn, t, picture.legend(self.rows, t)).copy()


class Encoder:
    """Writes frames on a thread of its own, so that the next one is drawn meanwhile; a context.

    The writer is opened, used and closed on that thread. Leaving the context by an exception throws the file away.
    """

    def __init__(self, open_file: Callable[[], Writer]) -> None:
        self._queue: queue.Queue[NDArray[np.uint8] | None] = queue.Queue(IN_FLIGHT)
        self._failure: BaseException | None = None
        self._wanted = True
        self._open = threading.Event()
        self._thread = threading.Thread(target=self._work, args=(open_file,), name="encoder", daemon=True)

    def __enter__(self) -> Encoder:
        self._thread.start()
        self._open.wait()
        self._check()
        return self

    def add(self, frame: NDArray[np.uint8]) -> None:
        """Hand over a frame, waiting while too many are under way; raises what the writer raised."""
        while True:
            self._check()
            try:
                self._queue.put(frame, timeout=0.2)
                return
            except queue.Full:
                continue

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._wanted = kind is None
        while self._thread.is_alive():
            try:
                self._queue.put(None, timeout=0.2)
                break
            except queue.Full:
                continue
        self._thread.join()
        if kind is None:
            self._check()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self, open_file: Callable[[], Writer]) -> None:
        try:
            writer = open_file()
        except BaseException as failure:
            self._failure = failure
            return
        finally:
            self._open.set()
        try:
            while (frame := self._queue.get()) is not None:
                if self._wanted:
                    writer.add(frame)
            if self._wanted:
                writer.close()
            else:
                writer.abort()
        except BaseException as failure:
            self._failure = failure
            writer.abort()


def embedded(rows: Sequence[RunRow]) -> dict[str, str]:
    """What a file carries, so that `armstep open` can restore it: version, scenario, and the runs beside it."""
    from gui.version import version

    others = [json.loads(row.scenario.to_json()) for row in rows[1:]]
    scenario = rows[0].scenario
    text = json.dumps(json.loads(scenario.to_json()))
    data = {"armstep": version(), "title": scenario.title or scenario.name, "scenario": text}
    return {**data, "pinned": json.dumps(others)} if others else data


def read_scenario(file: Path) -> Scenario:
    """The scenario inside a file that Armstep exported.

    Raises:
        BadInput: it is no such file.
    """
    return read_scenarios(file)[0]


def read_scenarios(file: Path) -> list[Scenario]:
    """The current run's scenario inside an exported file, then those beside it. Raises BadInput if there is none."""
    from scene.encode import read_metadata

    found: Mapping[str, str] = read_metadata(file)
    if "scenario" not in found:
        raise BadInput("file", str(file), "a scenario file, or a picture or film that Armstep exported")
    others = [Scenario.from_json(json.dumps(data)) for data in json.loads(found.get("pinned", "[]"))]
    return [Scenario.from_json(found["scenario"]), *others]


@cache
def qt_for_text() -> Any:
    """The Qt application that painting text needs: the window's own, else one without a display."""
    from PySide6.QtGui import QGuiApplication

    if sys.platform == "linux" and QGuiApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return QGuiApplication.instance() or QGuiApplication(["armstep"])


def _within(what: str, value: float, first: float, last: float) -> float:
    if not first - 1e-12 <= value <= last + 1e-12:
        raise BadInput(what, value, f"a time from {first:g} to {last:g} s")
    return min(max(float(value), first), last)


def _between(what: str, value: float, most: float) -> None:
    if not 0.0 < value <= most:
        raise BadInput(what, value, f"a number above 0 and at most {most:g}")


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise BadInput(what, value, "one of " + ", ".join(allowed), allowed)
