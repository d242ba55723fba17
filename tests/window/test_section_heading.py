"""The heading of a section of the map says whole parts in every width and type, never dots."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.drawing import marks
from gui.qt.window.main_window import MainWindow
from tests.window.hands import show_at
from tests.window.test_map import computed, described


@pytest.mark.parametrize("percent", [100, 200])
def test_a_narrow_section_says_whole_parts(
    shared_window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, percent: int
) -> None:
    window, said = shared_window, list[tuple[str, bool]]()
    show_at(qtbot, window, "projector", (1280, 720))
    window.session.preferences.set_text_size(percent)
    window.session.edit("duration", 0.5)
    sheet = described(window, "initial.q1", "step", 5)
    computed(sheet, qtbot)
    sheet.sections.buttons["0"].click()
    sheet.diagram.setFocus()
    sheet._point(7)
    QApplication.processEvents()
    section = sheet.section
    assert section.isVisible()
    whole = section.chart.note
    assert whole.startswith("at step = ")
    paint = marks.paint_signed

    def hear(painter: QPainter, text: str, room: QRectF, *args: object, **others: object) -> None:
        said.append((text, not text or painter.fontMetrics().horizontalAdvance(text) <= room.width() + 1.0))
        paint(painter, text, room, *args, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(marks, "paint_signed", hear)
    heard = set[str]()
    for width in range(600, 119, -20):
        said.clear()
        section.setFixedWidth(width)
        section.grab()
        heard |= {text for text, _ in said}
        assert all(fits for _, fits in said)
        assert all(whole.startswith(text) and "…" not in text for text, _ in said)
    assert len(heard) > 1, "else this shows nothing"
    assert any(text == whole.partition(":")[0] for text in heard), "the name goes first"
    section.setMinimumWidth(0)
    section.setMaximumWidth(16_777_215)
