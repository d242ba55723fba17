"""A running export in the status bar: its progress, its remaining time, and a button that stops it."""

from __future__ import annotations

import math
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from gui.app.units import duration
from gui.qt.export.render_process import RenderProcess
from gui.qt.export.request import ExportRequest
from gui.qt.widgets.parts import quiet_button


class ExportProgress(QWidget):
    """One running export, while the person keeps working.

    Signals:
        ended: (sentence, whether it failed) the file is there, or why not.
    """

    ended = Signal(str, bool)

    def __init__(self, process: RenderProcess, request: ExportRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.process, self.file = process, request.settings.file
        process.setParent(self)
        self.label = QLabel(f"Exporting {self.file.name}")
        self.bar = QProgressBar()
        self.bar.setFixedWidth(120)
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(f"Progress of {self.file.name}")
        tip = "Stop the export without writing a file"
        self.stop = quiet_button(tip, self.cancel, icon="cancel", name="Stop the export")
        self.stop.setFixedSize(18, 18)
        self.stop.setIconSize(QSize(16, 16))
        self.stop.setStyleSheet("padding: 0")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.setSpacing(8)
        for widget in (self.label, self.bar, self.stop):
            row.addWidget(widget)
        process.announced.connect(lambda words: self.label.setText(f"{self.file.name}: {words[0].lower()}{words[1:]}"))
        process.progressed.connect(self._progressed)
        process.finished.connect(lambda file: self._end(f"Exported {Path(file).name}", trouble=False))
        process.failed.connect(lambda why: self._end(f"Exporting {self.file.name} failed: {why}", trouble=True))
        process.cancelled.connect(lambda: self._end(f"Export of {self.file.name} stopped.", trouble=False))
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(lambda: process.close(wait=True))
        process.export(request)

    def cancel(self) -> None:
        """Stop it."""
        self.stop.setEnabled(False)
        self.label.setText(f"Stopping {self.file.name}")
        self.process.cancel()

    def _progressed(self, done: int, total: int, left: float) -> None:
        if not self.stop.isEnabled():
            return
        self.bar.setRange(0, total)
        self.bar.setValue(done)
        rest = f", {duration(left)} left" if done < total and math.isfinite(left) else ""
        self.label.setText(f"{self.file.name}: {100 * done // total} %{rest}")

    def _end(self, sentence: str, *, trouble: bool) -> None:
        self.process.close()
        self.ended.emit(sentence, trouble)
        self.deleteLater()
