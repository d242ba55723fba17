"""The settings of an export, checked against what the format can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assets.counting import words_of
from assets.errors import BadInput, Range
from assets.fields import Data, Values
from assets.writing import check_replaceable, reason
from gui.app.view import THEMES
from gui.charts.choice import PanelChoice, PlotChoice, panel_choices, panel_texts
from gui.charts.figure_style import ACROSS, FigureStyle, find_figure_style, length, ranges_of
from gui.charts.figures.panels import asked_lessons, check_panel, of_runs
from gui.charts.registry import plots
from gui.qt.export.format import PAGE, DataFormat, PageFormat, find_format, formats, key_of, target_of
from gui.qt.export.inside import scenario_of
from gui.qt.export.layout import find_layout
from robots.export.table import check_table
from robots.lessons.library import find_lesson
from robots.scenario.scenario import Scenario
from scene.format import FIGURE, FilmFormat, Format, StillFormat
from scene.picture import QUALITIES, Quality

Array = NDArray[np.float64]

PLOTS_LAYOUT, MOST_PLOTS = "scene-plots", 4
"""The layout of a film with plots, and how many it has room for."""
TYPE, READABLE = 14.0, 8.0
"""The height of the type on a frame of 960 x 720 pixels, and the least that can be read [px]."""
LARGEST = 16384
MOST_FRAMES = 1_000_000
USUAL_STYLE, NARROW_STYLE, NARROW = "web", "paper", 130.0
"""The style where none is chosen, and that of a figure no wider than a paper's column [mm]."""

MOST_POSES = 200
"""The most earlier poses of a stroboscopic picture."""


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """How a file is made.

    Attributes:
        file: where it goes.
        format: the key of its format; empty for the one of the file's suffix.
        size: width and height [px].
        fps: frames per second of film.
        speed: simulated seconds per second of film; below 1 is slow motion.
        start, end: the part that is shown [s]; None is the run's own start or end.
        at: the time of a still [s]; None is the start, with `strobe` the end.
        quality: `low`, `medium` or `high`.
        camera: the name of a camera preset, or nothing for the view's own camera.
        layout: the key of a layout.
        caption: whether title, runs and time are written on the picture.
        title: the heading; nothing for the scenario's own title.
        transparent: make the background transparent.
        theme: `light`, `dark` or `projector`, for a figure also `mono`; nothing for the style's own, or `light`.
        loop: how often an animation repeats; 0 is forever.
        strobe: show faded copies of the arm, one every this many seconds since `start` [s]; 0 is off.
        style: the name of a figure's style (`gui.charts.figure_style`); what follows changes it, if it is given.
        width, height: of a figure [mm]; a height of 0 is what its charts need.
        font: family and size, such as `serif 9`.
        plots: a figure's panels (`PanelChoice`), such as `error,energy//linear,scene@2`, or a film's plots; nothing for
            the view's.
        columns: how many panels stand in one row.
        show: the parts that a figure shows (`gui.charts.figure_style.PARTS`); None for the style's.
        ranges: the shown values of plots, such as `error=1e-9:1e-3`; `phase-plane.x=0:1` is the horizontal axis.
        dpi: dots per inch of a figure's pictures.
        outlines: the text of an SVG drawing does not depend on a font.
        table, also, every: which numbers a table holds (`robots.export.table.RunData`).
    """

    file: Path
    format: str = ""
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    speed: float = 1.0
    start: float | None = None
    end: float | None = None
    at: float | None = None
    quality: Quality = "medium"
    camera: str = ""
    layout: str = "scene"
    caption: bool = True
    title: str = ""
    transparent: bool = False
    theme: str = ""
    loop: int = 0
    strobe: float = 0.0
    style: str = ""
    width: float | None = None
    height: float | None = None
    font: str = ""
    plots: str = ""
    columns: int | None = None
    show: str | None = None
    ranges: str = ""
    dpi: float | None = None
    outlines: bool = False
    table: str = "states"
    also: str = ""
    every: float | None = None

    def __post_init__(self) -> None:
        if not self.format:
            object.__setattr__(self, "format", key_of(self.file))

    @classmethod
    def chosen(cls, file: str, given: Values) -> ExportSettings:
        """The settings for a typed file name (a folder's ends in `/`) and the others, as `measured` reads them.

        Raises:
            BadInput: no format has this suffix, or it does not take a setting that was given.
        """
        path, key = target_of(file)
        refuse_unheeded(find_format(key), given)
        return cls(path, key, **measured(given))

    @property
    def kind(self) -> Format:
        """The file's format."""
        return find_format(self.format)

    @property
    def still(self) -> bool:
        """Whether the file holds one picture of the scene."""
        return isinstance(self.kind, StillFormat) and not self.figure

    @property
    def figure(self) -> bool:
        """Whether the file holds a page of charts: a picture does so when a figure's setting is given."""
        return isinstance(self.kind, PageFormat) or (
            isinstance(self.kind, StillFormat) and bool(FIGURE & self._changed().keys())
        )

    def figure_style(self) -> FigureStyle:
        """The named style with the other chosen settings.

        Raises:
            BadInput: a value that cannot be used.
        """
        narrow = self.width is not None and self.width <= NARROW
        style = find_figure_style(self.style or (NARROW_STYLE if narrow else USUAL_STYLE))
        given = {name: getattr(self, name) for name in ("width", "height", "font", "theme", "columns", "dpi")}
        changes = {name: value for name, value in given.items() if value not in (None, "")}
        if self.show is not None:
            changes["show"] = words_of(self.show)
        elif self.at is not None:
            changes["show"] = (*style.show, "playhead")
        return style.changed(changes)

    @property
    def instant(self) -> float:
        """The time of a still without one of its own [s]."""
        return self.at if self.at is not None else self.start or 0.0

    @property
    def palette(self) -> str:
        """The theme of a scene."""
        return self.theme or THEMES[0]

    def times(self, first: float, last: float) -> Array:
        """The simulated time of each frame of a run from `first` to `last`, (N,) [s].

        Raises:
            BadInput: a range outside the run, or far too many frames.
        """
        start, end = self.span(first, last)
        if self.still:
            at = self.at if self.at is not None else end if self.strobe else start
            times = np.array([_within("time", at, first, last)])
        else:
            times = frame_times(start, end, self.fps, self.speed)
        self.poses(float(times[-1]), start)
        return times

    def span(self, first: float, last: float) -> tuple[float, float]:
        """The shown part of a run from `first` to `last` [s].

        Raises:
            BadInput: a range outside the run.
        """
        start = first if self.start is None else _within("from", self.start, first, last)
        return start, last if self.end is None else _within("to", self.end, start, last)

    def poses(self, t: float, start: float) -> Array:
        """The earlier times that a stroboscopic picture at `t` also shows, from `start` on, (n,) [s].

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

    def check(self, scenario: Scenario | None = None) -> None:
        """Refuse settings that cannot be used, for the scenario if given. Raises BadInput naming the setting."""
        from scene.camera import PRESETS

        kind = self.kind
        refuse_unheeded(kind, self._changed())
        if self.figure:
            self._check_figure(scenario)
            return
        if not all(isinstance(n, int) and 1 <= n <= LARGEST for n in self.size):
            raise BadInput(
                "size", f"{self.size[0]}x{self.size[1]}", f"two whole numbers from 1 to {LARGEST}, such as 1280x720"
            )
        if isinstance(kind, (FilmFormat, StillFormat)) and max(self.size) > kind.largest:
            raise BadInput("size", f"{self.size[0]}x{self.size[1]}", f"at most {kind.largest} pixels for {kind.suffix}")
        _between("fps", self.fps, 1000.0)
        if isinstance(kind, FilmFormat) and self.fps > kind.fastest:
            raise BadInput("fps", self.fps, f"at most {kind.fastest:g} for {kind.suffix}")
        _between("speed", self.speed, 1e6)
        _one_of("quality", self.quality, QUALITIES)
        _one_of("theme", self.palette, THEMES)
        if self.camera:
            _one_of("camera", self.camera, tuple(PRESETS))
        if not 0.0 <= self.strobe < 1e9:
            raise BadInput("strobe", self.strobe, "0 (off) or the time between poses in seconds")
        if self.still and not self.strobe and (self.start is not None or self.end is not None):
            name, value = ("from", self.start) if self.start is not None else ("to", self.end)
            raise BadInput(name, value, f"left out for {kind.suffix} without strobe; use time for a single picture")
        if self.loop < 0:
            raise BadInput("loop", self.loop, "0 (forever) or a number of times")
        find_layout(self.layout)
        self._check_plots()
        check_table(self.table, self.also, self.every)
        self._check_place()
        if scenario is not None:
            if isinstance(kind, DataFormat):
                kind.check(scenario)
            else:
                self.times(0.0, scenario.duration)

    @property
    def arrangement(self) -> str:
        """The key of the layout; the plots of a film stand beside the scene."""
        return PLOTS_LAYOUT if self.plots and self.layout == "scene" else self.layout

    @property
    def small_type(self) -> str:
        """A hint if the text of a film or a still is too small to read; empty otherwise."""
        from gui.qt.drawing.style import style_of

        drawn = isinstance(self.kind, (FilmFormat, StillFormat)) and not self.figure
        height = TYPE * style_of(self.palette, self.size).scale
        if not drawn or height >= READABLE or not (self.caption or self.arrangement == PLOTS_LAYOUT):
            return ""
        return f"text is {height:.0f} px high at this size, too small to read"

    def _check_plots(self) -> None:
        """Refuse plots that a film cannot show. Raises BadInput."""
        texts = panel_texts(self.plots)
        if texts and self.arrangement != PLOTS_LAYOUT:
            raise BadInput("plots", self.plots, f"left out for the layout {self.layout}")
        if len(texts) > MOST_PLOTS:
            raise BadInput("plots", self.plots, f"at most {MOST_PLOTS} plots beside the scene of a film")
        for text in texts:
            if PlotChoice.of(text).key not in plots():
                raise BadInput("plots", text, choices=[*plots()])
            check_panel(PanelChoice.of(text))

    def _check_figure(self, scenario: Scenario | None) -> None:
        """Refuse settings that a page of charts cannot have. Raises BadInput naming one."""
        for name, value in self._changed().items():
            if name not in PAGE | {"outlines"}:
                raise BadInput(
                    name_of(name), _written(value), "left out for a figure, which has a width in millimetres"
                )
        self.figure_style()
        panels = panel_choices(self.plots)
        stills = [panel.time(self.instant) for panel in panels if panel.still and not panel.owner]
        for panel in panels:
            check_panel(panel)
        for name in ranges_of(self.ranges):
            check_panel(PanelChoice.of(name.removesuffix(ACROSS)))
        self._check_heeded(panels)
        self._check_place()
        lessons = asked_lessons(panels)
        for owner in dict.fromkeys(panel.owner for panel in panels):
            # What a file holds is read when it is drawn.
            if owner and not Path(owner).is_file():
                if owner in lessons:
                    find_lesson(owner)
                else:
                    scenario_of(owner)
        if scenario is not None:
            self.span(0.0, scenario.duration)
            for t in (*stills, *([] if self.at is None else [self.at])):
                _within("time", t, 0.0, scenario.duration)

    @property
    def shows_runs(self) -> bool:
        """Whether a figure shows the runs of its own scenario."""
        panels = panel_choices(self.plots)
        return not panels or any(of_runs(panel) and not panel.owner for panel in panels)

    def _check_heeded(self, panels: Sequence[PanelChoice]) -> None:
        """Refuse a setting of stills or of plots over time where no panel is one. Raises BadInput."""
        from scene.camera import PRESETS

        if self.camera:
            _one_of("camera", self.camera, tuple(PRESETS))
            if not any(panel.still for panel in panels):
                raise BadInput("camera", self.camera, "left out for a figure without a still, such as scene@1.5")
        plotted = not panels or any(of_runs(panel) and not panel.still and not panel.owner for panel in panels)
        for name, value in (("from", self.start), ("to", self.end)):
            if value is not None and not plotted:
                raise BadInput(name, value, "left out for a figure without plots of the scenario's runs")

    def _changed(self) -> Data:
        """The settings that differ from their defaults."""
        chosen = [field for field in fields(self) if field.name not in ("file", "format")]
        values = {field.name: getattr(self, field.name) for field in chosen}
        return {field.name: values[field.name] for field in chosen if values[field.name] != field.default}

    def _check_place(self) -> None:
        if not self.file.parent.is_dir():
            raise BadInput("file", str(self.file), "in an existing folder")
        if self.kind.suffix == "/":
            return
        try:
            check_replaceable(self.file)
        except OSError as problem:
            raise BadInput("file", str(self.file), f"a file that may be replaced ({reason(problem)})") from None


def name_of(setting: str) -> str:
    """The name of a setting on the command line and in messages."""
    return {"start": "from", "end": "to", "at": "time", "caption": "no-caption"}.get(setting, setting)


def _written(value: object) -> object:
    """A setting's value as a person writes it: a size as `1280x720`."""
    return "x".join(map(str, value)) if isinstance(value, tuple) else value


def refuse_unheeded(kind: Format, given: Values) -> None:
    """Refuse a setting that the format does not take. Raises BadInput with the formats that do."""
    for name, value in given.items():
        if name not in kind.settings:
            takers = ", ".join(other.suffix for other in formats().values() if name in other.settings)
            raise BadInput(name_of(name), _written(value), f"left out for {kind.suffix}; it is for {takers}")


def frame_times(start: float, end: float, fps: float, speed: float) -> Array:
    """The simulated time that each frame shows, (N,) [s]; at least one frame."""
    count = max(1, round((end - start) * fps / speed))
    if count > MOST_FRAMES:
        raise BadInput("fps", fps, f"low enough for at most {MOST_FRAMES} frames (this would make {count})")
    return start + np.arange(count, dtype=np.float64) * (speed / fps)


def measured(given: Values) -> Data:
    """Settings as a person types them, `1280x720` and `85mm`, as values. Raises BadInput naming one."""
    readers: dict[str, Callable[[str], object]] = {"size": size_of}
    readers |= {name: partial(length, name) for name in ("width", "height")}
    return {
        name: readers[name](value) if name in readers and isinstance(value, str) else value
        for name, value in given.items()
    }


def size_of(text: str) -> tuple[int, int]:
    """`1280x720` as two numbers. Raises BadInput for anything else."""
    width, _, height = text.lower().replace("×", "x").replace(" ", "").partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise BadInput("size", text, "width and height in pixels, such as 1280x720")
    return int(width), int(height)


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
