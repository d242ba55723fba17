from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from PySide6.QtCore import QCoreApplication

from gui.qt.errors import keep_whole
from gui.qt.garbage import collector

# Before any class of the window is derived from one of Qt.
keep_whole()

# The first call of a kernel may compile it, so a single example may take seconds.
hypothesis.settings.register_profile("armstep", deadline=None, derandomize=True, max_examples=50)
hypothesis.settings.register_profile("long", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("long" if "ARMSTEP_LONG_TESTS" in os.environ else "armstep")

# The tests' own settings, caches and recovery files, never the person's. What is in the cache, references and
# specialised kernels, may come from another of pytest's processes.
HOME = Path(tempfile.mkdtemp(prefix="armstep-tests-"))
OWN = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
for variable in OWN if "PYTEST_XDIST_WORKER" in os.environ else [*OWN, "XDG_CACHE_HOME"]:
    os.environ[variable] = str(HOME / variable)

if sys.platform == "linux":
    # PyOpenGL knows one platform per process; with EGL also under X11, windows and offscreen pictures share it.
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    os.environ.setdefault("QT_XCB_GL_INTEGRATION", "xcb_egl")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A window's test that fails runs once more: focus and frames come late on a busy machine; two failures count.

    Files with a window or a browser begin, then those that compile, so that no long one is left when the other process
    has nothing to do.
    """
    long = set()
    for item in items:
        window = "qtbot" in getattr(item, "fixturenames", ())
        if window:
            item.add_marker(pytest.mark.flaky(reruns=1))
        if window or item.get_closest_marker("browser"):
            long.add(item.path)
    items.sort(key=lambda item: (item.path not in long, "solvers" not in item.path.parts))


@pytest.fixture(autouse=True)
def garbage_goes() -> Iterator[None]:
    """Commands look for garbage rarely, tests of them go on as usual.

    Once a test has had a window, the process collects garbage in its event loop alone: others have none.
    """
    limits = gc.get_threshold()
    yield
    gc.set_threshold(*limits)
    application = QCoreApplication.instance()
    if application is not None and not gc.isenabled():
        collector(application).collect_due()


def pytest_unconfigure() -> None:
    shutil.rmtree(HOME, ignore_errors=True)


@pytest.fixture(scope="session")
def virtual_display() -> Iterator[str]:
    """A screen of the tests' own, so that windows neither need nor disturb the person's; $ARMSTEP_TEST_DISPLAY wins."""
    if sys.platform != "linux":
        yield ""
        return
    given = os.environ.get("ARMSTEP_TEST_DISPLAY")
    read_end, write_end = os.pipe()
    server = None
    if given is None:
        command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        server = subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as answer:
            given = ":" + answer.readline().strip()
    saved = {name: os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    os.environ.update(DISPLAY=given, QT_QPA_PLATFORM="xcb")
    os.environ.pop("WAYLAND_DISPLAY", None)
    yield given
    for name, value in saved.items():
        os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
    if server is not None:
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="session")
def qapp_args(virtual_display: str) -> list[str]:
    """pytest-qt asks for these before it makes the application, so the screen is there first."""
    return ["armstep"]


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """The application of all window tests, with OpenGL asked for as `armstep` does before it makes its own."""
    from PySide6.QtWidgets import QApplication

    from gui.qt.window.application import set_up_graphics

    set_up_graphics()
    return QApplication


@pytest.fixture(scope="session")
def artifacts() -> Path:
    """Folder for screenshots and other things that a person may want to see after a test run; git ignores it."""
    folder = Path(__file__).parent.parent / "artifacts"
    folder.mkdir(exist_ok=True)
    return folder
