"""The drawing process as the window sees it: jobs in, signals out; the window never waits for it."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, QTimer, Signal
from PySide6.QtGui import QImage

from assets.errors import ArmstepError, BadInput
from assets.fields import Data
from gui.qt.export.request import ExportRequest

PATIENCE_MS = 3000
"""How long a cancelled process may take to clean up before it is killed."""


class RenderProcess(QObject):
    """`gui.qt.export.worker`, started when it is first needed.

    Signals:
        announced: (sentence) what it is doing.
        previewed: (image) the requested picture.
        estimated: (seconds) that a frame of the film would take.
        progressed: (done, total, seconds left) of an export; infinite while unknown.
        finished: (file) it is complete.
        failed: (trouble) an `ArmstepError`: the request could not be done; a `BadInput` for a setting that is refused.
        cancelled: as asked; nothing was written.
    """

    announced = Signal(str)
    previewed = Signal(QImage)
    estimated = Signal(float)
    progressed = Signal(int, int, float)
    finished = Signal(str)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._busy = False
        self._last_words = ""

    def warm_up(self) -> None:
        """Start it, so that the first picture comes sooner."""
        self._started()

    def preview(self, request: ExportRequest, at: float) -> None:
        """Ask for a small picture at the time `at` [s]; newer requests replace older ones."""
        self._busy = True
        self._send({"task": "preview", "at": at, **request.to_data()})

    def estimate(self, request: ExportRequest) -> None:
        """Ask how long a frame of the film takes; any later request cancels this."""
        self._send({"task": "estimate", **request.to_data()})

    def export(self, request: ExportRequest) -> None:
        """Ask for the file."""
        self._busy = True
        self._send({"task": "export", **request.to_data()})

    def cancel(self) -> None:
        """Cancel the current task."""
        if self._process is not None:
            self._send({"task": "cancel"})

    def close(self, *, wait: bool = False) -> None:
        """End the process, giving it time to remove half-written files; only the program's end waits for that."""
        process, self._process, self._busy = self._process, None, False
        if process is None or process.state() == QProcess.ProcessState.NotRunning:
            return
        process.finished.disconnect(self._ended)
        process.closeWriteChannel()
        if wait:
            if not process.waitForFinished(PATIENCE_MS):
                process.kill()
                process.waitForFinished(PATIENCE_MS)
            return
        process.setParent(QCoreApplication.instance())
        process.finished.connect(process.deleteLater)
        QTimer.singleShot(PATIENCE_MS, process, process.kill)

    def _send(self, task: Data) -> None:
        self._started().write(json.dumps(task).encode() + b"\n")

    def _started(self) -> QProcess:
        if self._process is None:
            process = self._process = QProcess(self)
            root = str(Path(__file__).resolve().parents[3])
            surroundings = QProcessEnvironment.systemEnvironment()
            paths = [root, surroundings.value("PYTHONPATH")]
            surroundings.insert("PYTHONPATH", (";" if sys.platform == "win32" else ":").join(filter(None, paths)))
            # The window may have chosen GLX for itself; the process chooses its own.
            surroundings.remove("PYOPENGL_PLATFORM")
            process.setProcessEnvironment(surroundings)
            process.readyReadStandardOutput.connect(self._read)
            process.readyReadStandardError.connect(self._read_errors)
            process.finished.connect(self._ended)
            process.start(sys.executable, ["-m", "gui.qt.export.worker"])
        return self._process

    def _read(self) -> None:
        while self._process is not None and self._process.canReadLine():
            self._hear(json.loads(bytes(self._process.readLine().data())))

    def _hear(self, message: Data) -> None:
        self._busy = self._busy and not {"preview", "done", "error", "cancelled"} & message.keys()
        if "state" in message:
            self.announced.emit(message["state"])
        elif "progress" in message:
            self.progressed.emit(*message["progress"])
        elif "preview" in message:
            image = QImage.fromData(base64.b64decode(message["preview"]), "PNG")  # type: ignore[call-overload]
            self.previewed.emit(image)
        elif "estimate" in message:
            self.estimated.emit(message["estimate"])
        elif "done" in message:
            self.finished.emit(message["done"])
        elif "cancelled" in message:
            self.cancelled.emit()
        elif "refusal" in message:
            self.failed.emit(BadInput.from_data(message["refusal"]))
        else:
            self.failed.emit(ArmstepError(message["error"]))

    def _read_errors(self) -> None:
        if self._process is not None:
            text = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
            self._last_words = text.splitlines()[-1] if text else self._last_words

    def _ended(self) -> None:
        was_busy, self._process, self._busy = self._busy, None, False
        if was_busy:
            words = f"the drawing process ended unexpectedly. {self._last_words}".strip()
            self.failed.emit(ArmstepError(words))
