"""`armstep render`: a picture or a film of a scenario, without a window."""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.errors import BadInput
from gui.command import Command
from gui.commands.run import add_scenario, configured

if TYPE_CHECKING:
    from gui.qt.export.exporter import ExportSettings, Progress

BAR = 32
FORMATS = (
    "where to; the suffix decides the format: .mp4, .webm, .gif, .webp (films), .png (a still), a folder ending in / "
    "(numbered stills), .svg or .pdf (the charts), .glb (a model that moves), .html (a page to hand out)"
)
DRAWINGS = (".svg", ".pdf")
"""Formats that hold the charts, not the scene."""
STILLS = (".png",)
"""Formats that hold one picture."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SCENARIO, --out, and how the picture is made."""
    add_scenario(parser)
    add = parser.add_argument
    add("--out", required=True, metavar="FILE", help=FORMATS)
    add("--size", default="1280x720", metavar="WxH", help="width and height in pixels (1280x720)")
    add("--fps", type=float, default=30.0, help="frames per second (30)")
    add("--speed", type=float, default=1.0, help="simulated seconds per second; 0.25 is slow motion (1)")
    add("--from", type=float, dest="start", metavar="T", help="first instant of a film [s] (the run's start)")
    add("--to", type=float, dest="end", metavar="T", help="last instant of a film [s] (the run's end)")
    add("--time", type=float, metavar="T", help="instant of a still [s] (0; with --strobe the end)")
    add(
        "--strobe", type=float, default=0.0, metavar="S", help="also show the arm where it was every S seconds (0: not)"
    )
    add("--quality", default="medium", help="low, medium or high (medium)")
    add("--camera", default="", metavar="NAME", help="iso, front, right, top, ... (the scenario's own)")
    add("--compare", default="", metavar="A,B", help="other methods beside it, as ghosts, such as euler,rk2")
    add("--layout", default="scene", metavar="NAME", help="scene, scene-plots, side-by-side, or grid (scene)")
    add("--theme", default="light", help="light, dark or projector (light)")
    add("--title", default="", metavar="TEXT", help="the heading (the scenario's title)")
    add("--no-caption", action="store_true", help="no heading, legend or time on the picture")
    add("--transparent", action="store_true", help="leave the background clear, where the format can")
    add("--loop", type=int, default=0, metavar="N", help="how often an animated image repeats; 0 is for ever")


def execute(args: argparse.Namespace) -> int:
    """Simulate, draw, write; 0 when the file is there and the run finished, 1 when the run ended early."""
    from gui.app.view import ViewSettings
    from gui.qt.export.exporter import render_rows
    from gui.qt.export.job import Job, computed_rows

    scenario, settings = configured(args), export_settings(args)
    check_format(settings.file)
    check_time(settings.file, args.time)
    drawing = settings.file.suffix.lower() in DRAWINGS
    if drawing:
        from gui.qt.export.charts_file import check_charts_file

        check_charts_file(settings.file)
        settings = replace(settings, layout="scene-plots")
    else:
        settings.check()
        if settings.strobe and args.time is None:
            settings = replace(settings, at=scenario.duration if settings.end is None else settings.end)
        settings.times(0.0, scenario.duration)
    scenarios = scenario, *(configured(args, method=key) for key in args.compare.split(",") if key.strip())
    view = ViewSettings().with_mapping(scenario.view)
    job = Job(scenarios, tuple(range(len(scenarios))), view, settings)
    bar = Bar(sys.stderr)
    try:
        rows = computed_rows(job, progress=bar.show)
        if drawing:
            draw_charts(rows, settings)
        else:
            render_rows(rows, job.view, settings, progress=bar.draw)
    finally:
        bar.end()
    tell_even_size(settings)
    run = rows[0].run
    if run is None or run.status.ok:
        return 0
    print(f"armstep: {run.message}", file=sys.stderr)
    return 1


def check_format(file: Path) -> None:
    """Refuse a file whose name ends in nothing that can be written. Raises BadInput with all that can."""
    from gui.qt.export.exporter import HAND_OUTS
    from scene.formats.encode import suffixes

    known = (*suffixes(), *DRAWINGS, *HAND_OUTS)
    if (file.suffix.lower() or "/") not in known:
        raise BadInput("--out", str(file), "a file that ends in " + ", ".join(known), known)


def check_time(file: Path, time: float | None) -> None:
    """Refuse the instant of a still for what is none. Raises BadInput with what says a film's range."""
    if time is not None and file.suffix.lower() not in STILLS:
        raise BadInput("--time", time, f"used for a still only ({', '.join(STILLS)}); a film has --from and --to")


def tell_even_size(settings: ExportSettings) -> None:
    """Say so where a film is a pixel larger than was asked for."""
    from scene.formats.encode import writer_for

    if settings.hand_out or settings.file.suffix.lower() in DRAWINGS:
        return
    width, height = settings.size
    if getattr(writer_for(settings.file), "halves_colour", False) and (width % 2 or height % 2):
        larger = f"{width + width % 2}x{height + height % 2}"
        print(f"armstep: this format has even sizes only: the film is {larger}, its edge repeated", file=sys.stderr)


def draw_charts(rows: Any, settings: ExportSettings) -> None:
    """The charts alone, as vector graphics."""
    from gui.qt.export.charts_file import write_charts
    from gui.qt.export.film import qt_for_text

    qt_for_text()
    write_charts(rows, settings.file, title=settings.title or rows[0].scenario.title, theme=settings.theme)


def export_settings(args: argparse.Namespace) -> ExportSettings:
    """The export settings that the arguments ask for. Raises BadInput for a size that is none."""
    from gui.qt.export.exporter import ExportSettings, size_of

    return ExportSettings(
        file=Path(args.out),
        size=size_of(args.size),
        fps=args.fps,
        speed=args.speed,
        start=args.start,
        end=args.end,
        at=args.time or 0.0,
        strobe=args.strobe,
        quality=args.quality,
        camera=args.camera,
        layout=args.layout,
        caption=not args.no_caption,
        title=args.title,
        transparent=args.transparent,
        theme=args.theme,
        loop=args.loop,
    )


class Bar:
    """A progress bar on one line of a terminal; in a log file, a line now and then."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.live = stream.isatty()
        self.every = 0.1 if self.live else 5.0
        self.last = 0.0 if self.live else time.monotonic()
        self.drawn = False

    def draw(self, progress: Progress) -> None:
        """Show how far the frames are."""
        from gui.charts.ticks import duration

        done, total, left = progress.done, progress.total, progress.seconds_left
        rest = f"{done}/{total} frames"
        if done < total and math.isfinite(left):
            rest += f", {duration(left)} left"
        self.show("drawing", done / total, rest, done=done == total)

    def show(self, what: str, share: float, rest: str = "", *, done: bool = False) -> None:
        """Show that `share` (0 to 1) of the work is done, unless the line was just drawn."""
        now = time.monotonic()
        if now - self.last < self.every and not (done and self.drawn):
            return
        self.last, self.drawn = now, True
        full = round(BAR * min(max(share, 0.0), 1.0))
        text = f"{what:<10} [{'#' * full}{'.' * (BAR - full)}] {share:4.0%}  {rest}"
        print(f"\r{text:<78}" if self.live else text, end="" if self.live else "\n", file=self.stream, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self.live and self.drawn:
            print(file=self.stream, flush=True)


COMMAND = Command("draw a scenario to a picture or a film", __doc__, add_arguments, execute)
