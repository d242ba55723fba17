"""The Export menu: films and pictures through a sheet, plots and data through a file dialog."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.export.exporter import render_rows
from gui.qt.export.format import DataFormat, find_format, formats_of, key_of
from gui.qt.export.settings import ExportSettings
from gui.qt.widgets.parts import add_to_status

if TYPE_CHECKING:
    from gui.qt.export.render_process import RenderProcess
    from gui.qt.export.request import ExportRequest
    from gui.qt.window.commands.workbench import Workbench


def open_export(bench: Workbench, kind: str) -> None:
    """Begin an export of `kind`: `animation`, `picture`, `plots` or `data`."""
    if kind != "data":
        _open_sheet(bench, kind)
    elif bench.session.runs.current.run is None:
        bench.banner.say("Nothing to export yet: the run is still being computed.")
    else:
        _ask_data(bench)


def _open_sheet(bench: Workbench, kind: str) -> None:
    from gui.qt.export.dialog.progress import ExportProgress
    from gui.qt.export.dialog.sheet import ExportSheet

    status = bench.window.statusBar()

    def begin(process: RenderProcess, request: ExportRequest) -> None:
        shown = ExportProgress(process, request, status)
        shown.ended.connect(lambda sentence, trouble: bench.banner.say(sentence, trouble=trouble, file=shown.file))
        add_to_status(status, shown)
        shown.show()

    viewport = bench.viewport()
    size = viewport.pixels() if viewport is not None else (1280, 720)
    bench.show_sheet(ExportSheet(bench.window, bench.session, kind=kind, window_size=size, order=begin))


def _ask_data(bench: Workbench) -> None:
    """Ask for a file of numbers, and write the shown runs to it."""
    session, able = bench.session, formats_of("data")

    def write(file: Path) -> None:
        try:
            render_rows(session.runs.all, session.view.settings, ExportSettings(file))
        except ArmstepError as trouble:
            bench.banner.say(str(trouble))
        else:
            kind = find_format(key_of(file))
            described = isinstance(kind, DataFormat) and kind.beside is not None
            also = f"; its units and scenario are in {file.name}.json" if described else ""
            bench.banner.say(f"Exported {file.name}{also}", trouble=False, file=file)

    start = Path(f"{session.files.stem}{able[0].suffix}")
    ask_file(bench.window, "Export the data", start, able, write)
