"""The status bar: what stands side by side in it is apart, and what no longer holds goes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.export.request import ExportRequest
from gui.qt.widgets.parts import APART
from gui.qt.widgets.quiet import ElidedLabel
from gui.qt.window.main_window import MainWindow
from tests.window.exporting import sheet_of
from tests.window.test_map import begin_and_stop, described


class Drawing(QObject):
    """A process that draws a film for as long as the test wants."""

    announced, progressed, finished = Signal(list), Signal(int, int, float), Signal(str)
    failed, cancelled = Signal(str), Signal()

    def export(self, request: ExportRequest) -> None:
        self.request = request

    def cancel(self) -> None:
        self.cancelled.emit()

    def close(self, *, wait: bool = False) -> None:
        """Nothing runs."""


@pytest.mark.usefixtures("cold")
def test_what_stands_side_by_side_is_apart(shared_window: MainWindow, tmp_path: Path) -> None:
    """The words of a film and the name of the scenario before them, which ends without a mark, were one sentence."""
    window = shared_window
    window.resize(1280, 720)
    for name in ("first.mp4", "the second film of the arm that falls.mp4"):
        sheet = sheet_of(window, "animation", tmp_path / name)
        drawing = Drawing()
        sheet.order(drawing, sheet.request())  # type: ignore[arg-type]
        drawing.progressed.emit(7, 100, 126.0)
        sheet.dismiss()
    films = window.findChildren(ExportProgress)
    assert len(films) == 2
    QApplication.processEvents()
    shown: list[QWidget] = [window.notice, window.preparing_label, window.file_label]
    for film in films:
        shown += [film.label, film.stop]
    places = []
    for one in shown:
        if one.isVisible():
            inside, corner = one.contentsRect(), one.mapTo(window, QPoint())
            width = inside.width()
            if isinstance(one, QLabel) and not isinstance(one, ElidedLabel):
                width = one.fontMetrics().horizontalAdvance(one.text())
            places.append((corner.x() + inside.left(), corner.x() + inside.left() + width, one))
    assert len(places) >= 6, "words and buttons of both films, and the name of the scenario"
    places.sort(key=lambda place: place[0])
    for (_, end, _), (begin, _, one) in pairwise(places):
        if one not in [film.stop for film in films]:
            assert begin - end >= APART, one
    for film in films:
        film.cancel()


def test_a_map_that_goes_on_is_no_longer_said_to_be_stopped(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    sheet = described(window, "robot.m1", "robot.m2", 100)
    begin_and_stop(sheet, qtbot, lambda: sheet.left.text().startswith("About "))
    assert window.notice.text().startswith("Map: stopped")
    assert sheet.measure.text() == "Go on"
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert sheet.desk.measuring
    assert window.notice.text().startswith("Runge-Kutta 4"), "the run's status is there again"
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not sheet.desk.measuring, timeout=60_000)
    sheet.dismiss()
