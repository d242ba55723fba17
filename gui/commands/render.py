"""`armstep render`: a picture or a film of a scenario, without a window."""

from __future__ import annotations

import argparse
import itertools
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assets.counting import words_of
from assets.errors import BadInput
from gui.command import Command
from gui.commands._progress import ProgressBar
from gui.commands._scenario import (
    add_ensemble,
    add_figure,
    add_scenario,
    add_table,
    configured,
    given_settings,
)

if TYPE_CHECKING:
    from gui.app.documents import Document
    from gui.qt.export.settings import ExportSettings
    from robots.scenario.scenario import Scenario


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """SCENARIO, --out, and the settings; those that are not given are not in the arguments."""
    from gui.qt.export.format import suffixes

    add_scenario(parser)
    add_ensemble(parser)
    out = "the file to write; the suffix decides the format (`armstep list formats` says more): "
    parser.add_argument("--out", required=True, metavar="FILE", help=out + ", ".join(suffixes()))
    parser.add_argument("--alone", action="store_true", help="leave out the pinned runs of the scenario")
    parser.add_argument(
        "--compare", default="", metavar="A,B", help="other methods to show as ghosts, such as euler,rk2"
    )

    def add(option: str, setting: str, text: str, **more: Any) -> None:
        parser.add_argument(option, dest=setting, default=argparse.SUPPRESS, help=text, **more)

    add("--size", "size", "width and height in pixels (1280x720)", metavar="WxH")
    add("--fps", "fps", "frames per second (30)", type=float, metavar="N")
    add("--speed", "speed", "simulated seconds per second; 0.25 is slow motion (1)", type=float, metavar="S")
    add("--from", "start", "start of a film [s] (the run's start)", type=float, metavar="T")
    add("--to", "end", "end of a film [s] (the run's end)", type=float, metavar="T")
    add("--time", "at", "time of a still [s] (the start; with --strobe the end)", type=float, metavar="T")
    add("--strobe", "strobe", "also show the arm every S seconds (0: off)", type=float, metavar="S")
    add("--quality", "quality", "low, medium or high (medium)", metavar="NAME")
    add("--camera", "camera", "iso, front, right, top, ... (the scenario's own)", metavar="NAME")
    add("--layout", "layout", "scene, scene-plots, side-by-side, or grid (scene)", metavar="NAME")
    add(
        "--plots",
        "plots",
        "a figure's panels, such as error,energy//linear,scene@2,map.npz:map,rr-methods/figure-2, or a film's plots "
        "(the usual ones); `armstep list plots`",
        metavar="A,B",
    )
    add("--columns", "columns", "how many charts beside each other (1)", type=int, metavar="N")
    add("--ranges", "ranges", "shown values of plots, such as error=1e-9:1e-3,phase-plane.x=0:1", metavar="PLOT=A:B")
    add_figure(parser)
    add_table(parser)
    parser.add_argument("--save-style", metavar="NAME", help="keep the figure's style under this name")
    add("--no-caption", "caption", "no heading, legend or time on the picture", action="store_false")
    add("--transparent", "transparent", "make the background transparent", action="store_true")
    add("--loop", "loop", "how often an animated image repeats (0: forever)", type=int, metavar="N")


def execute(args: argparse.Namespace) -> int:
    """Simulate, draw, write; 0 if the run finished, 1 if it ended early."""
    from gui.app.view import ViewSettings
    from gui.qt.export.exporter import render_rows
    from gui.qt.export.format import DataFormat, left_out
    from gui.qt.export.panel_sources import sources_of
    from gui.qt.export.request import ExportRequest, computed_rows

    scenario, settings = configured(args), export_settings(args)
    settings.check(scenario)
    if args.save_style is not None:
        save_style(args.save_style, settings)
    document = shown_document(scenario, alone=args.alone or isinstance(settings.kind, DataFormat))
    others = words_of(args.compare)
    if others and isinstance(settings.kind, DataFormat):
        raise BadInput("--compare", args.compare, f"left out for {settings.kind.suffix}, which holds one run")
    if others and settings.figure and not settings.shows_runs:
        raise BadInput("--compare", args.compare, "left out for a figure without plots of the scenario's runs")
    for number, key in enumerate(others):
        document = document.with_pin(configured(args, method=key).alone(), -1 - number)
    pins, view = document.pins, ViewSettings().with_mapping(scenario.view)
    request = ExportRequest(
        (document.scenario, *(pin.scenario for pin in pins)),
        (0, *(pin.slot for pin in pins)),
        view,
        settings,
        (document.tag, *(pin.tag for pin in pins)),
    )
    with ProgressBar() as bar:
        sources = sources_of(settings, document.results, bar.show) if settings.figure else None
        rows = computed_rows(request, progress=bar.show)
        render_rows(rows, request.view, settings, sources=sources, progress=bar.draw)
    say_even_size(settings)
    if without := left_out(settings.kind, request.scenarios):
        print(f"armstep: {without}", file=sys.stderr)
    if settings.small_type:
        print(f"armstep: {settings.small_type}; --no-caption leaves it out", file=sys.stderr)
    run = rows[0].run
    if run is None or run.status.ok:
        return 0
    print(f"armstep: {run.message}", file=sys.stderr)
    return 1


def shown_document(scenario: Scenario, *, alone: bool) -> Document:
    """The scenario with the pinned runs that its window would show, or `alone`."""
    from gui.app.documents import from_scenario
    from gui.app.view import ViewSettings

    document, _, troubles = from_scenario(scenario, ViewSettings(), itertools.count(1).__next__)
    for sentence in troubles:
        print(f"armstep: {sentence}", file=sys.stderr)
    hidden = scenario.view.get("hidden")
    places = hidden if isinstance(hidden, list) else []
    shown = tuple(pin for place, pin in enumerate(document.pins, 1) if place not in places and not alone)
    return replace(document, pins=shown)


def export_settings(args: argparse.Namespace) -> ExportSettings:
    """The export that the arguments describe. Raises BadInput for a setting that the format does not take."""
    from gui.qt.export.settings import ExportSettings

    return ExportSettings.chosen(args.out, given_settings(args))


def save_style(name: str, settings: ExportSettings) -> None:
    """Save a figure's style. Raises BadInput if the export is not a figure or the name cannot be used."""
    from gui.charts.figure_style import keep_style

    if not settings.figure:
        raise BadInput("--save-style", name, f"left out for {settings.kind.suffix}, which is not a figure")
    keep_style(name, settings.figure_style())


def say_even_size(settings: ExportSettings) -> None:
    """Report a film that is a pixel larger than requested."""
    from scene.format import FilmFormat

    kind, (width, height) = settings.kind, settings.size
    if isinstance(kind, FilmFormat) and kind.even and (width % 2 or height % 2):
        larger = f"{width + width % 2}x{height + height % 2}"
        print(f"armstep: this format needs even sizes: the film is {larger}, its edge repeated", file=sys.stderr)


COMMAND = Command("draw a scenario to a picture or a film", __doc__, add_arguments, execute)
