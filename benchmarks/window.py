"""The real window, for the benchmarks that need it: a screen, a folder of its own for settings, and an event loop."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gui.qt.viewport.viewport import Viewport
    from gui.qt.window.main_window import MainWindow

ROOT = Path(__file__).parents[1]
STARTED = "ARMSTEP_BENCHMARK_STARTED"


@contextmanager
def screen() -> Iterator[str]:
    """The display that there is, else a virtual one; yields what to say about it.

    Raises:
        RuntimeError: there is no display and no Xvfb.
    """
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield "on the person's display"
        return
    if shutil.which("Xvfb") is None:
        raise RuntimeError("no display and no Xvfb: ./test --setup installs one")
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write_end], stderr=subprocess.DEVNULL)
    os.close(write_end)
    try:
        with os.fdopen(read_end) as answer:
            os.environ["DISPLAY"] = ":" + answer.readline().strip()
        yield "under Xvfb, drawn by software"
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait(10)


@contextmanager
def settings_of_its_own() -> Iterator[Path]:
    """Settings and caches in a temporary folder, so that no person's are read or changed."""
    names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    saved = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory(prefix="armstep-benchmark-", ignore_cleanup_errors=True) as folder:
        os.environ.update({name: f"{folder}/{name}" for name in names})
        yield Path(folder)
    for name, value in saved.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Run Qt's event loop until the condition holds.

    Raises:
        TimeoutError: it does not hold within the given time.
    """
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:g} s for {what}")
        QApplication.processEvents()
        time.sleep(0.0002)


def run_on(seconds: float) -> None:
    """Leave the window to its own event loop, which waits without the interpreter: other threads have it."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(round(1e3 * seconds), loop.quit)
    loop.exec()


@contextmanager
def open_window() -> Iterator[MainWindow]:
    """The window on rr-swing in this process, its panels built and its first run and reference there."""
    from gui.app.settings import Settings
    from gui.qt.window import application

    with screen(), settings_of_its_own():
        qt = application.make_application(["armstep"])
        window = application.open_window(Settings(), gallery=False)
        ready: list[bool] = []
        window.ready.connect(lambda: ready.append(True))
        wait_until(lambda: bool(ready), 60, "the panels")
        wait_until(lambda: window.session.runs.current.reference is not None, 120, "the first run and its reference")
        try:
            yield window
        finally:
            window.session.playback.pause()
            window.close()
            qt.processEvents()


def viewport_of(window: MainWindow) -> Viewport:
    """The window's scene."""
    assert window.viewport is not None, "the window has no OpenGL"
    return window.viewport


def start_and_time() -> dict[str, Any]:
    """Start Armstep as its command does, in a process of its own, and time its first frames.

    Python's bytecode is one of the caches that a first start fills, even where the environment asks for none; here it
    is kept with the other caches of the measurement.

    Returns:
        Seconds from the start of the process: `visible` the first complete frame on the screen, `animated` the first
        frame after the playhead has moved; `loaded`: slow packages that were imported when the window became visible.
    """
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": f"{os.environ['XDG_CACHE_HOME']}/bytecode"}
    environment = os.environ | bytecode | {STARTED: repr(time.monotonic())}
    code = "from benchmarks.window import report_start; report_start()"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout.splitlines()[-1])


def report_start() -> None:
    """In the process that `start_and_time` made: run the command, note the times, close the window."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    started = float(os.environ[STARTED])
    found: dict[str, Any] = {}
    exec_loop = QApplication.exec

    def watched_loop() -> int:
        # Imported by the command before it comes here.
        from gui.qt.window.main_window import MainWindow

        window = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
        session, viewport = window.session, viewport_of(window)
        begin = session.playback.t

        def framed() -> None:
            now = time.monotonic() - started
            if "visible" not in found:
                found["visible"] = now
                found["loaded"] = sorted({"numba", "scipy", "sksundae", "av"} & set(sys.modules))
            elif session.playback.t > begin:
                found["animated"] = now
                window.close()

        def play() -> None:
            if session.runs.current.run is not None and not session.playback.playing:
                session.playback.play()

        viewport.frameSwapped.connect(framed)
        timer = QTimer(window)
        timer.timeout.connect(play)
        timer.start(5)
        QTimer.singleShot(60_000, QApplication.quit)
        return exec_loop()

    QApplication.exec = staticmethod(watched_loop)  # type: ignore[method-assign]
    from gui.cli import main

    main([])
    print(json.dumps(found))


def resident() -> float:
    """Memory of this process in RAM [MiB]."""
    fields = Path("/proc/self/statm").read_text("ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
