"""The Export menu: films and pictures through a sheet, plots and data through a file dialog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog

from assets.errors import ArmstepError

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.qt.export.job import Job
    from gui.qt.export.render_process import RenderProcess

PLOTS = {"SVG drawing (*.svg)": ".svg", "PDF page (*.pdf)": ".pdf", "PNG picture (*.png)": ".png"}
TABLES = {"CSV table (*.csv)": ".csv", "NumPy arrays (*.npz)": ".npz"}


def open_export(window: Any, session: Session, kind: str) -> None:
    """Begin an export of `kind`: `animation`, `picture`, `plots` or `data`.

    Args:
        window: the main window, with `show_sheet`, `statusBar`, `banner`, and a `viewport` or None.
        session: what is exported.
        kind: which entry of the menu it was.
    """
    if session.runs.current.run is None and kind in ("plots", "data"):
        window.banner.tell("There is nothing to export yet: the run is still being computed.")
    elif kind == "plots":
        _ask(window, session, "Export the plots", PLOTS, lambda file: _write_plots(session, file))
    elif kind == "data":
        _ask(window, session, "Export the data", TABLES, lambda file: _write_data(session, file))
    else:
        _order(window, session, still=kind == "picture")


def _order(window: Any, session: Session, *, still: bool) -> None:
    from gui.qt.export.progress import ExportProgress
    from gui.qt.export.sheet import ExportSheet

    def begin(process: RenderProcess, job: Job) -> None:
        shown = ExportProgress(process, job, window.statusBar())
        shown.ended.connect(lambda sentence, trouble: window.banner.tell(sentence, trouble=trouble))
        window.statusBar().addPermanentWidget(shown)
        shown.show()

    size = window.viewport.pixels() if window.viewport is not None else (1280, 720)
    window.show_sheet(ExportSheet(window, session, still=still, window_size=size, order=begin))


def _ask(window: Any, session: Session, title: str, formats: dict[str, str], write: Callable[[Path], object]) -> None:
    """Ask for a file of one of the `formats` (filter to suffix), and write it."""
    folder = session.files.path.parent if session.files.path else _documents()
    suffix = next(iter(formats.values()))
    dialog = QFileDialog(
        window, title, str(folder / f"{session.scenario.name or 'armstep'}{suffix}"), ";;".join(formats)
    )
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix[1:])
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(formats[chosen][1:]))

    def chosen(name: str) -> None:
        try:
            write(Path(name))
        except ArmstepError as trouble:
            window.banner.tell(str(trouble))
        else:
            window.banner.tell(f"Exported {name}", trouble=False)

    dialog.fileSelected.connect(chosen)
    dialog.open()


def _write_plots(session: Session, file: Path) -> None:
    from gui.qt.export.charts_file import write_charts
    from gui.qt.style.theme import look

    write_charts(session.runs.all, file, title=session.scenario.title, theme=look().theme.name)


def _write_data(session: Session, file: Path) -> None:
    from robots.export.tables import check_target, write_table

    run = session.runs.current.run
    if run is not None:
        write_table(run, check_target(file))


def _documents() -> Path:
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(place) if place and Path(place).is_dir() else Path.home()
