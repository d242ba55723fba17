"""What can be copied: the picture, the plots, the table of runs (which is saved, too), and the run as a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from assets.counting import capital
from assets.errors import ArmstepError
from assets.writing import write_atomically
from gui.app.runs import visible_runs
from gui.qt.window.commands.workbench import Workbench


def handlers(bench: Workbench) -> dict[str, Callable[..., object]]:
    """The commands that copy."""
    return {
        "edit.copy_picture": lambda: copy_picture(bench),
        "edit.copy_plots": lambda: copy_plots(bench),
        "edit.copy_table": lambda: copy_table(bench),
        "edit.copy_python": lambda: copy_python(bench),
    }


def copy_picture(bench: Workbench) -> None:
    """The 3D view as it is on the screen."""
    viewport = bench.viewport()
    if viewport is None:
        bench.banner.say("No 3D picture to copy: OpenGL is missing.")
        return
    QGuiApplication.clipboard().setImage(viewport.grab().toImage())
    bench.inform("Copied the picture.")


def copy_plots(bench: Workbench) -> None:
    """Every plot of the visible runs on one page: as a picture, and as SVG for programs that take it."""
    from gui.qt.export.figure import page_of
    from gui.qt.export.settings import ExportSettings
    from gui.qt.plots.save import copy_page
    from gui.qt.style.theme import look

    session = bench.session
    rows = visible_runs(session.runs.all)
    if not rows:
        bench.banner.say("Nothing to copy yet: the run is still being computed.")
        return
    page = page_of(rows, session.view.settings, ExportSettings(Path("plots.svg"), theme=look().theme.name))
    copy_page(page)
    bench.inform("Copied the plots.")


def copy_table(bench: Workbench) -> None:
    """The table of runs, columns separated by tabs."""
    from gui.qt.panels._runs_table import copied_table

    QGuiApplication.clipboard().setText(copied_table(bench.session))
    bench.inform("Copied the table of runs.")


def save_table(bench: Workbench) -> None:
    """Ask for a file, and write the same table there, columns separated by commas."""
    from gui.qt.dialogs.ask_file import ask_save
    from gui.qt.panels._runs_table import copied_table

    def write(file: Path) -> None:
        try:
            write_atomically(file, copied_table(bench.session, between=",").encode())
        except ArmstepError as problem:
            bench.banner.say(str(problem))
        else:
            bench.inform(f"Saved {file}.")

    start = Path(f"{bench.session.files.stem}-runs.csv")
    ask_save(bench.window, "Save the table of runs", start, {"Table (*.csv)": "csv"}, write)


def copy_python(bench: Workbench) -> None:
    """The scenario as a script, or the reason why there is none."""
    from robots.export.as_python import as_python

    try:
        script = as_python(bench.session.scenario)
    except ArmstepError as reason:
        bench.banner.say(f"This scenario cannot be written as a script. {capital(bench.session.sentence(reason))}.")
        return
    QGuiApplication.clipboard().setText(script)
    bench.inform("Copied a Python script of this run.")
