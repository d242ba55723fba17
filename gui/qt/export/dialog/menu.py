"""The Export menu: films and pictures through a sheet, plots and data through a file dialog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.errors import ArmstepError
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.export.exporter import render_rows
from gui.qt.export.format import DataFormat, formats
from gui.qt.export.settings import ExportSettings
from scene.format import Format

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.qt.export.render_process import RenderProcess
    from gui.qt.export.request import ExportRequest


def open_export(window: Any, session: Session, kind: str) -> None:
    """Begin an export of `kind`: `animation`, `picture`, `plots` or `data`.

    Args:
        window: the main window, with `show_sheet`, `statusBar`, `banner`, and a `viewport` or None.
        session: what is exported.
        kind: the menu's entry.
    """
    if session.runs.current.run is None and kind == "data":
        window.banner.say("Nothing to export yet: the run is still being computed.")
    elif kind == "data":
        data = [format for format in formats().values() if isinstance(format, DataFormat)]
        _write(window, session, "Export the data", data)
    else:
        _order(window, session, kind)


def _order(window: Any, session: Session, kind: str) -> None:
    from gui.qt.export.dialog.progress import ExportProgress
    from gui.qt.export.dialog.sheet import ExportSheet

    def begin(process: RenderProcess, request: ExportRequest) -> None:
        shown = ExportProgress(process, request, window.statusBar())
        shown.ended.connect(lambda sentence, trouble: window.banner.say(sentence, trouble=trouble, file=shown.file))
        window.statusBar().addPermanentWidget(shown)
        shown.show()

    size = window.viewport.pixels() if window.viewport is not None else (1280, 720)
    window.show_sheet(ExportSheet(window, session, kind=kind, window_size=size, order=begin))


def _write(window: Any, session: Session, title: str, offered: Sequence[Format]) -> None:
    """Ask for a file of one of the formats, and write the shown runs to it."""

    def write(file: Path) -> None:
        try:
            render_rows(session.runs.all, session.view.settings, ExportSettings(file))
        except ArmstepError as trouble:
            window.banner.say(str(trouble))
        else:
            window.banner.say(f"Exported {file}", trouble=False, file=file)

    ask_file(window, title, Path(f"{session.scenario.name or 'armstep'}{offered[0].suffix}"), offered, write)
