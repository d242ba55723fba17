"""Asks what a recorded log is for, and the unit of its angles."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFormLayout, QLabel, QWidget

from gui.app.imports.logs import LogImport
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme import role
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.segmented import Segmented

_USES = {"follow": "Follow it", "torques": "Apply its torques", "ghost": "Show as a ghost"}
_UNITS = {"rad": "Radians", "deg": "Degrees"}
_HOW = (
    "The first row is at t = 0. Between rows, positions are cubic splines and torques straight lines. "
    "After the end, the last row holds."
)


class LogSheet(Sheet):
    """What the log has, and what to do with it."""

    def __init__(self, window: QWidget, logs: LogImport) -> None:
        super().__init__(window, "Load a log", QSize(620, 0), 0.4)
        self._logs = logs
        self.body.addWidget(role(QLabel(f"Log {logs.file.name}"), "title"))
        self.summary = QLabel(logs.summary())
        how = RoleLabel(_HOW, "hint")
        for label in (self.summary, how):
            label.setWordWrap(True)
            self.body.addWidget(label)
        form = QFormLayout()
        self.body.addLayout(form)
        uses = {use: _USES[use] for use in _USES if use in logs.uses()}
        self.use = Segmented(uses, "Use", "What the log is for", logs.uses()[0])
        form.addRow("Use", self.use)
        self.unit = Segmented(_UNITS, "Angles in", "The file does not say in which unit its angles are", "rad")
        form.addRow("Angles in", self.unit)
        form.setRowVisible(self.unit, logs.asks_unit)
        self.load_button = self.add_answers("Load", "Load the log; Undo removes it", self._load, "Close without it")
        self.first = self.load_button

    def _load(self) -> None:
        self.dismiss()
        self._logs.take(self.use.choice(), self.unit.choice())
