"""Starts Qt: OpenGL 3.3 core, the right platform for PyOpenGL, the theme, the one window."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QSurfaceFormat
from PySide6.QtWidgets import QApplication

from assets.memory import keep_little
from assets.plugins import failure_of
from assets.registry import failures
from assets.version import version
from gui.app.computing.engine import default_engine
from gui.app.jobs import Jobs
from gui.app.lessons.listing import is_lesson
from gui.app.session.preparing import Preparing
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.access import spoken
from gui.qt.garbage import collector
from gui.qt.style import icons
from gui.qt.style.theme import look
from gui.qt.viewport.bare_context import core_format
from gui.qt.viewport.rehearsal import Rehearsal
from gui.qt.window import quick_start
from gui.qt.window.bridge import Dispatcher
from gui.qt.window.commands.focus import FocusRule
from gui.qt.window.crash_log import CrashLog
from gui.qt.window.main_window import MainWindow
from gui.qt.window.precompute import precompute
from gui.qt.window.single import Door, hand_over
from robots.lessons.naming import PREFIX
from robots.model.registry import robots
from robots.scenario.presets import is_preset
from robots.scenario.scenario import Scenario
from solvers.method_registry import methods

log = logging.getLogger(__name__)

SWITCH = 5e-4
"""How long another thread keeps the interpreter while the window's thread wants it [s].

A frame gives it up for each call of OpenGL, and with Python's 5 ms would wait again and again while runs are computed.
"""


def set_up_graphics() -> None:
    """Ask for OpenGL 3.3 core and shared contexts; to be called before the QApplication is made.

    Multisampling is the renderer's own, so the window's surface has none.
    """
    wanted = core_format()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setDepthBufferSize(24)
    wanted.setStencilBufferSize(8)
    wanted.setSwapInterval(1)
    QSurfaceFormat.setDefaultFormat(wanted)
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


def choose_pyopengl_platform() -> None:
    """Set PyOpenGL's window system to Qt's, before anything imports OpenGL.

    By default PyOpenGL takes EGL whenever WAYLAND_DISPLAY is set, even under X11, and crashes. A value that is already
    set stays.
    """
    platform = {"xcb": "glx", "wayland": "egl"}.get(QGuiApplication.platformName().split("-")[0])
    if platform is not None and "OpenGL" not in sys.modules:
        os.environ.setdefault("PYOPENGL_PLATFORM", platform)


def make_application(arguments: list[str]) -> QApplication:
    """The QApplication, ready for windows."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        application = existing
    else:
        set_up_graphics()
        application = QApplication(arguments)
    choose_pyopengl_platform()
    application.setApplicationName("armstep")
    application.setApplicationDisplayName("Armstep")
    application.setApplicationVersion(version())
    application.setDesktopFileName("armstep")
    sys.setswitchinterval(SWITCH)
    keep_little()
    if gc.isenabled():  # else the start of the window has put collecting off
        collector(application).begin()
    if application.findChild(FocusRule) is None:
        application.setStyle("Fusion")
        application.installEventFilter(FocusRule(application))
    spoken.install()
    application.setWindowIcon(icons.icon("armstep"))
    look()
    return application


def open_window(
    settings: Settings,
    file: str | Path | None = None,
    folder: Path | None = None,
    arguments: Mapping[str, str] | None = None,
    *,
    gallery: bool | None = None,
    prepare: bool = False,
) -> MainWindow:
    """Make and show the window, with a scenario file or a preset if one is given.

    Args:
        settings: the user's settings.
        file: a file to open, or a preset's key.
        folder, arguments: of a robot file, see `gui.app.imports.robots.RobotImport.open`.
        gallery: whether the gallery is shown; None shows it on the first start.
        prepare: whether kernels are compiled ahead in the background.
    """
    jobs = Jobs(Dispatcher(QApplication.instance()))
    preparing = Preparing(Dispatcher(QApplication.instance()) if prepare else None)
    engine = default_engine(settings.cache_folder, precompute, preparing.wait_for)
    session = Session(jobs, settings, engine=engine, inside=_scenarios_inside, preparing=preparing)
    first = not settings.get("started", False)
    if file is not None and is_lesson(str(file)):
        session.lessons.open(file)
    elif file is not None and is_preset(str(file)):
        session.files.new(str(file))
    elif file is not None:
        session.files.open(file, folder, arguments)
    window = MainWindow(session, gallery=(first and file is None) if gallery is None else gallery)
    window.ready.connect(lambda: _report_plugins(window))
    window.show()
    settings.set("started", True)
    return window


def _scenarios_inside(file: Path) -> list[Scenario]:
    from gui.qt.export.inside import read_scenarios

    return read_scenarios(file)


def _report_plugins(window: MainWindow) -> None:
    """Say which plugins the window starts without."""
    for read in (methods, robots):
        read()
    if failures:
        window.banner.say(". ".join(failures.values()))


def _named(file: str | Path | None) -> str:
    """A preset's or a lesson's key, or the absolute path of a file; empty for neither."""
    if file is None:
        return ""
    key = str(file).startswith(PREFIX) or is_preset(str(file))
    return str(file) if key else str(Path(file).absolute())


def run(
    file: str | Path | None = None,
    folder: Path | None = None,
    arguments: Mapping[str, str] | None = None,
    *,
    safe: bool = False,
    new_window: bool = False,
) -> int:
    """Open the window and stay until it is closed; the exit status.

    Args:
        file, folder, arguments: see `open_window`; a robot file with one of them gets a window of its own.
        safe: start with default settings in a new window; the caller has switched plugins off.
        new_window: open a new window even if one is open.
    """
    crash_log = CrashLog()
    crash_log.begin()
    application = make_application(["armstep"])
    settings, alone = Settings(safe=safe), not (safe or new_window or folder or arguments)
    if alone and hand_over(settings.folder, _named(file)):
        crash_log.end()
        return 0
    window = open_window(settings, file, folder, arguments, gallery=False if safe else None, prepare=True)
    window.files.crash_log = crash_log
    if alone:
        Door(settings.folder, window).asked.connect(window.come)
    window.ready.connect(quick_start.end)
    window.ready.connect(window.session.preparing.start)
    rehearsal = Rehearsal(window, lambda: window.session.view.settings)
    window.ready.connect(rehearsal.begin)

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            application.quit()
            return
        log.error("an error in the window", exc_info=(kind, error, trace))
        window.banner.say(f"{failure_of(error)} Your work is safe.")

    sys.excepthook = report
    status = application.exec()
    rehearsal.wait()
    crash_log.end()
    return status
