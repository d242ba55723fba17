"""One window per person: a second start hands its file to the open window."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

KNOCK_MS, ANSWER_MS = 300, 3000
"""How long a second start waits for the first window to connect and to answer [ms]."""

LONGEST = 16 * 1024
DONE = b"opened\n"


def address(folder: Path) -> str:
    """The name of the local socket of the window with these settings."""
    return "armstep-" + hashlib.sha256(str(folder.absolute()).encode()).hexdigest()[:16]


def hand_over(folder: Path, file: str) -> bool:
    """Ask the open window to open `file`, or if empty only to come to the front; False if no window answers."""
    socket = QLocalSocket()
    socket.connectToServer(address(folder))
    if not socket.waitForConnected(KNOCK_MS):
        return False
    socket.write(json.dumps({"file": file}).encode() + b"\n")
    answered = socket.waitForReadyRead(ANSWER_MS) and bytes(socket.readLine().data()) == DONE
    socket.disconnectFromServer()
    return answered


def open_in_new_window(file: Path) -> None:
    """Open `file` in a new process and window."""
    root = str(Path(__file__).resolve().parents[3])
    QProcess.startDetached(sys.executable, ["-m", "gui", "open", "--new-window", str(file.absolute())], root)


class Door(QObject):
    """Receives the requests of second starts.

    Signals:
        asked: (file) to open; empty to come to the front.
    """

    asked = Signal(str)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        # What a crashed window left; a living one has answered before.
        QLocalServer.removeServer(address(folder))
        self._server.listen(address(folder))

    def close(self) -> None:
        """Stop listening."""
        self._server.close()

    def _connected(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > LONGEST:
                socket.abort()
            return
        try:
            file = json.loads(bytes(socket.readLine().data()))["file"]
        except (ValueError, KeyError, TypeError):
            socket.abort()
            return
        socket.write(DONE)
        socket.flush()
        self.asked.emit(str(file))
