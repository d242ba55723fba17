"""Every sheet and every dialog of the window, one after the other: what holds for one is tested of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QWidget

import gui.qt
from assets import path
from gui.app.imports.robots import ImportedRobot
from gui.qt.dialogs.imports.robots import RobotReport
from gui.qt.dialogs.sheets import Sheet
from gui.qt.window.main_window import MainWindow
from robots.files.reading import places_of, read_place

COMMANDS = (
    "file.new", "help.lessons", "file.studies", "run.map", "run.own_method", "run.work_precision", "help.palette",
    "help.keys", "help.cite", "help.about", "edit.settings", "export.animation", "export.picture", "export.plots",
    "file.open", "file.open_new", "file.save_as", "view.present_list", "export.data", "export.runs",
)  # fmt: skip
"""Those that open a sheet or a dialog while a scenario of the arm with two links is open."""

XACRO = '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="size" default="1"/></robot>'


def ask_to_save(window: MainWindow, _: Path) -> None:
    """Something else is opened while changes are unsaved."""
    window.session.edit("robot.m1", 2.0)
    window.files.open_preset("rr-swing")


def show_report(window: MainWindow, _: Path) -> None:
    """The report of a robot's file."""
    file = path("robots/scara.urdf")
    (place,) = places_of(file, None)
    imported = ImportedRobot(file, place, read_place(place), None)
    window.show_sheet(RobotReport(window, window.session.files.robots, imported))


def choose_robot(window: MainWindow, folder: Path) -> None:
    """A folder with two robots is opened."""
    for name in ("one", "two"):
        (folder / f"{name}.urdf").write_bytes(path("robots/scara.urdf").read_bytes())
    window.files.open(folder)


def give_arguments(window: MainWindow, folder: Path) -> None:
    """A robot that asks for arguments is opened."""
    file = folder / "arm.xacro"
    file.write_text(XACRO)
    window.files.open(file)


def load_log(window: MainWindow, folder: Path) -> None:
    """A recorded log is dropped on an arm that takes it."""
    window.session.files.new("scara-pick")
    log = folder / "walk.csv"
    log.write_text("t,shoulder,elbow\n0,0,60\n0.2,10,55\n0.4,15,50\n")
    window.files.open(log)


def name_before_an_audience(window: MainWindow, _: Path) -> None:
    """The run is named where its table is not on the screen."""
    window.session.view.set(panels=False)
    window.actions_by_key["run.name"].trigger()
    window.session.view.set(panels=True)


OTHERS = (name_before_an_audience, ask_to_save, show_report, choose_robot, give_arguments, load_log)


def dialogs(window: MainWindow, folder: Path, *, files: bool = True) -> Iterator[tuple[str, QWidget]]:
    """Each of them open, with the name of what opened it; afterwards it is closed.

    Args:
        window: the window.
        folder: an empty one.
        files: whether the dialogs that ask for files are among them.
    """
    session = window.session
    openers: dict[str, Callable[[], object]] = {key: window.actions_by_key[key].trigger for key in COMMANDS}
    openers |= {opens.__name__: lambda opens=opens: opens(window, folder) for opens in OTHERS}
    for name, opens in openers.items():
        session.playback.pause()
        opens()
        # A dialog of the file system's stands over the sheet that asked for it.
        kinds = (QFileDialog, Sheet)
        found = next(one for kind in kinds for one in window.findChildren(kind) if one.isVisible())
        if isinstance(found, Sheet):
            yield name, found
            found.dismiss()
        else:
            if files:
                yield name, found
            found.reject()
        if session.scenario.robot != "rr" or session.files.dirty:
            session.files.new("rr-swing")


class StrayWindows(QObject):
    """Watches for widgets that are shown before they have a parent: each is a window of its own for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow()
        if shown and watched.windowType() == Qt.WindowType.Window and not isinstance(watched, QMainWindow):
            self.found.add(type(watched).__name__)
        return False


@contextmanager
def stray_windows() -> Iterator[set[str]]:
    """The kinds of widgets that become windows of their own meanwhile."""
    strays, application = StrayWindows(), QApplication.instance()
    assert application is not None
    application.installEventFilter(strays)
    try:
        yield strays.found
    finally:
        application.removeEventFilter(strays)


def kinds_of_sheets() -> set[str]:
    """The names of all kinds of sheets in the product."""
    for module in walk_packages(gui.qt.__path__, "gui.qt."):
        import_module(module.name)
    kinds, found = [Sheet], set()
    while kinds:
        kind = kinds.pop()
        below = kind.__subclasses__()
        kinds += below
        found |= set() if below else {kind.__name__}
    return found
