"""A second start asks the first window, which opens the file and comes to the front."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow
from gui.qt.window.single import Door, address, hand_over
from robots.scenario.file import save_scenario
from robots.scenario.presets import find_preset

ROOT = Path(__file__).parents[2]
SECOND = """
import sys
from pathlib import Path
from gui.qt.window.single import hand_over
print(hand_over(Path(sys.argv[1]), sys.argv[2]))
"""


@pytest.fixture
def door(shared_window: MainWindow, tmp_path: Path) -> Iterator[tuple[MainWindow, Callable[[str], bool]]]:
    """A window that hears, and a second start: whether it handed over."""
    window = shared_window
    hearing = Door(tmp_path, window)
    hearing.asked.connect(window.come)

    def start(file: str) -> bool:
        command = [sys.executable, "-c", SECOND, str(tmp_path), file]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as second:
            QtBot(None).waitUntil(lambda: second.poll() is not None, timeout=60_000)
            assert second.stdout is not None
            return second.stdout.read().strip() == "True"

    yield window, start
    hearing.close()


def test_the_file_opens_in_the_window_that_is_there(
    door: tuple[MainWindow, Callable[[str], bool]], tmp_path: Path
) -> None:
    window, start = door
    file = tmp_path / "friction.armstep"
    save_scenario(find_preset("rr-friction"), file)
    assert start(str(file))
    assert window.session.files.path == file
    assert start("rr-pd")
    assert window.session.scenario.name == "rr-pd"
    assert window.session.files.path is None
    window.showMinimized()
    assert start("")
    assert not window.isMinimized()
    assert window.session.scenario.name == "rr-pd"
    assert start(str(tmp_path / "missing.armstep"))
    assert "missing.armstep" in window.session.messages.problems["file"]


def test_nonsense_at_the_door_is_shown_out(
    door: tuple[MainWindow, Callable[[str], bool]], tmp_path: Path, qtbot: QtBot
) -> None:
    window, start = door
    for nonsense in (b"hello\n", b"[]\n", b"{}\n", b"x" * 20_000):
        socket = QLocalSocket()
        socket.connectToServer(address(tmp_path))
        socket.write(nonsense)
        qtbot.waitUntil(
            lambda socket=socket: socket.state() == QLocalSocket.LocalSocketState.UnconnectedState, timeout=10_000
        )
    assert window.session.scenario.name == "rr-swing"
    assert start("rr-pd")


def test_without_a_window_there_is_nobody_to_ask(tmp_path: Path) -> None:
    assert not hand_over(tmp_path, "rr-pd")


def test_what_a_crashed_window_left_is_no_hindrance(tmp_path: Path, qtbot: QtBot) -> None:
    QLocalServer().listen(address(tmp_path))
    first = Door(tmp_path)
    first.close()
    second = Door(tmp_path)
    socket = QLocalSocket()
    socket.connectToServer(address(tmp_path))
    assert socket.waitForConnected(5000)
    second.close()
