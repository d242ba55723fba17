"""Writing pictures and films: the one path for window and command line.

Frame k = 0 .. N-1, N = max(1, round((end - start) fps / speed)), shows the time start + k speed / fps, sampled from
dense output: a film's clock is exact, whatever steps the solver took. Drawing and encoding run side by side, and a
file appears under its name only when it is complete.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assets.errors import ArmstepError, BadInput, Range
from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.qt.export.encoder import Encoder
from gui.qt.export.film import Film
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from scene.formats.encode import Writer
    from scene.picture import Quality

Array = NDArray[np.float64]

QUALITIES = ("low", "medium", "high")
THEMES = ("light", "dark", "projector")
STILLS = (".png",)
HAND_OUTS = (".glb", ".html")
LARGEST = 16384
MOST_FRAMES = 1_000_000
PROBES = 5
"""Frames that are drawn and encoded to find out how long a film will take."""

MOST_POSES = 200
"""A stroboscopic picture shows at most so many earlier poses."""


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
        strobe: the arm also stands, fading, where it was every so many seconds since `start` [s]; 0 is not.
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
    strobe: float = 0.0

    @property
    def still(self) -> bool:
        """Whether the file holds one picture."""
        return self.file.suffix.lower() in STILLS

    @property
    def hand_out(self) -> bool:
        """Whether the file holds the motion itself, a model or a page, instead of pictures of it."""
        return self.file.suffix.lower() in HAND_OUTS

    def times(self, first: float, last: float) -> Array:
        """The simulated time of each frame of a run from `first` to `last`, (N,) [s].

        Raises:
            BadInput: a range outside the run, or more frames than anyone can want.
        """
        start = first if self.start is None else _within("from", self.start, first, last)
        if self.still:
            times = np.array([_within("time", self.at, first, last)])
        else:
            end = last if self.end is None else _within("to", self.end, start, last)
            times = frame_times(start, end, self.fps, self.speed)
        self.poses(float(times[-1]), start)
        return times

    def poses(self, t: float, start: float) -> Array:
        """The earlier instants that a stroboscopic picture at `t` shows too, from `start` on, (n,) [s].

        Raises:
            BadInput: there would be more than `MOST_POSES`.
        """
        if not self.strobe or t <= start:
            return np.empty(0)
        if (t - start) / self.strobe > MOST_POSES:
            raise BadInput(
                "strobe", self.strobe, f"at least {(t - start) / MOST_POSES:.3g} s, for at most {MOST_POSES} poses"
            )
        times = start + self.strobe * np.arange(int((t - start) / self.strobe) + 1, dtype=np.float64)
        return times[times < t - 1e-9 * self.strobe]

    def check(self) -> None:
        """Refuse what cannot be drawn or encoded. Raises BadInput naming the setting."""
        from gui.qt.export.hand_out import check_hand_out
        from gui.qt.export.layout import find_layout
        from scene.camera import PRESETS
        from scene.formats.encode import check_target

        if not all(isinstance(n, int) and 1 <= n <= LARGEST for n in self.size):
            raise BadInput(
                "size", f"{self.size[0]}x{self.size[1]}", f"two whole numbers from 1 to {LARGEST}, such as 1280x720"
            )
        _between("fps", self.fps, 1000.0)
        _between("speed", self.speed, 1e6)
        _one_of("quality", self.quality, QUALITIES)
        _one_of("theme", self.theme, THEMES)
        if self.camera:
            _one_of("camera", self.camera, tuple(PRESETS))
        if not 0.0 <= self.strobe < 1e9:
            raise BadInput("strobe", self.strobe, "0 (off) or the time between poses in seconds")
        if self.loop < 0:
            raise BadInput("loop", self.loop, "0 (forever) or a number of times")
        find_layout(self.layout)
        if self.hand_out:
            check_hand_out(self.file)
        else:
            check_target(self.file, self.size, transparent=self.transparent)


def frame_times(start: float, end: float, fps: float, speed: float) -> Array:
    """The simulated time that each frame shows, (N,) [s]; at least one frame."""
    count = max(1, round((end - start) * fps / speed))
    if count > MOST_FRAMES:
        raise BadInput("fps", fps, f"low enough for at most {MOST_FRAMES} frames (this would make {count})")
    return start + np.arange(count, dtype=np.float64) * (speed / fps)


def size_of(text: str) -> tuple[int, int]:
    """`1280x720` as two numbers. Raises BadInput for anything else."""
    width, _, height = text.lower().replace("×", "x").replace(" ", "").partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise BadInput("size", text, "width and height in pixels, such as 1280x720")
    return int(width), int(height)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an export is: frames `done` of `total`; the seconds that the rest will take, infinite if not known."""

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
    settings.check()
    if settings.hand_out:
        from gui.qt.export.hand_out import write_hand_out

        write_hand_out(rows, settings, view)
        return settings.file
    film = Film(rows, view, settings)
    with film, Encoder(_opener(settings, embedded(rows))) as encoder:
        began, total = 0.0, len(film.times)
        for done, t in enumerate(film.times, start=1):
            if cancel is not None and cancel():
                raise Cancelled
            encoder.add(film.frame(float(t)))
            if done == 1:
                # The first frame waits for the driver and tells nothing about the others.
                began = time.perf_counter()
            if progress is not None:
                rate = (time.perf_counter() - began) / (done - 1) if done > 1 else math.inf
                progress(Progress(done, total, rate * (total - done) if done < total else 0.0))
    return settings.file


def seconds_per_frame(
    rows: Sequence[RunRow], view: ViewSettings, settings: ExportSettings, *, cancel: Callable[[], bool]
) -> float:
    """How long a frame of this film takes to draw and to encode, from a few frames in its middle.

    Raises:
        BadInput: a setting that cannot be used.
        Cancelled: `cancel` said so between two frames.
        ArmstepError: no OpenGL, no encoder.
    """
    settings.check()
    with TemporaryDirectory(prefix="armstep-") as folder:
        film = Film(rows, view, settings)
        trial = replace(settings, file=Path(folder) / f"probe{settings.file.suffix}")
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
    """Opens the file that the settings ask for."""
    from scene.formats.encode import open_writer

    return lambda: open_writer(
        settings.file,
        settings.size,
        settings.fps,
        quality=settings.quality,
        metadata=metadata,
        loop=settings.loop,
        transparent=settings.transparent,
    )


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
    from scene.formats.encode import read_metadata

    found: Mapping[str, str] = read_metadata(file)
    if "scenario" not in found:
        raise BadInput("file", str(file), "a scenario file, or a picture or film that Armstep exported")
    others = [Scenario.from_json(json.dumps(data)) for data in json.loads(found.get("pinned", "[]"))]
    return [Scenario.from_json(found["scenario"]), *others]


def _within(what: str, value: float, first: float, last: float) -> float:
    if not first - 1e-12 <= value <= last + 1e-12:
        raise BadInput(what, value, Range(first, last, unit="s"))
    return min(max(float(value), first), last)


def _between(what: str, value: float, most: float) -> None:
    if not 0.0 < value <= most:
        raise BadInput(what, value, Range(0.0, most, above=True))


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise BadInput(what, value, choices=allowed)
