"""A walk by keys over the points of a work-precision diagram."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.access.walk import ARROWS
from gui.qt.dialogs.work_precision import WorkPrecisionSheet, open_work_precision
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press


def open_by_keys(window: MainWindow, qtbot: QtBot) -> WorkPrecisionSheet:
    """Tab reaches the diagram, arrows lead to each point with its facts, Enter opens one; returns the next sheet."""
    sheet = open_work_precision(window, window.session)
    diagram, said = sheet.diagram, sheet.facts.text()
    QApplication.processEvents()
    place = diagram.geometry()
    for _ in range(50):
        press(qtbot, window, Qt.Key.Key_Tab)
        if diagram.hasFocus():
            break
    assert diagram.hasFocus()
    qtbot.keyClick(diagram, Qt.Key.Key_Right)
    assert diagram.near is diagram.points[0]
    reached = [diagram.points[0]]
    for point in reached:
        for way in ARROWS.values():
            diagram.point(point)
            beside = diagram.neighbour(*way)
            reached += [] if beside is None or any(beside is one for one in reached) else [beside]
    assert len(reached) == len(diagram.points)
    diagram.point(max(diagram.points, key=lambda one: diagram.place(one).x()))
    end = diagram.near
    qtbot.keyClick(diagram, Qt.Key.Key_Right)
    assert diagram.near is end, "nothing lies beyond"
    qtbot.keyClick(diagram, Qt.Key.Key_Left)
    chosen = diagram.near
    assert chosen is not None
    assert chosen is not end
    assert sheet.desk.name_of(chosen.label) in sheet.facts.text() != said
    QApplication.processEvents()
    assert diagram.geometry() == place, "the diagram keeps its place under the pointer"
    qtbot.keyClick(diagram, Qt.Key.Key_Return)
    assert window.session.scenario == chosen.scenario
    assert not sheet.isVisible()
    return open_work_precision(window, window.session)
