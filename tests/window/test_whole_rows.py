"""A list shows whole rows only, whatever its height, the space between its rows and where it is scrolled to."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QListWidgetItem
from pytestqt.qtbot import QtBot

from gui.qt.widgets.scroll import RowsList

EQUAL, UNEQUAL = [20] * 12, [20, 31, 20, 26] * 3


@pytest.mark.parametrize("heights", [EQUAL, UNEQUAL, [20], []], ids=["equal", "unequal", "one", "none"])
@pytest.mark.parametrize("spacing", [0, 2, 3])
def test_a_list_with_space_between_its_rows_cuts_none(qtbot: QtBot, spacing: int, heights: list[int]) -> None:
    """The method list of the work-precision diagram, whose spacing is 2 px, cut its last row at many heights."""
    rows = RowsList()
    qtbot.addWidget(rows)
    rows.setSpacing(spacing)
    for high in heights:
        item = QListWidgetItem(str(high))
        item.setSizeHint(QSize(40, high))
        rows.addItem(item)
    rows.show()
    bar, counts = rows.verticalScrollBar(), set()
    for height in range(100, 161):
        rows.resize(200, height)
        QApplication.processEvents()
        for place in range(bar.maximum() + 1):
            bar.setValue(place)
            QApplication.processEvents()
            room = rows.viewport().height()
            places = [rows.visualItemRect(rows.item(row)) for row in range(rows.count())]
            cut = [at for at in places if at.top() < room <= at.bottom() or at.top() < 0 <= at.bottom()]
            whole = [at for at in places if at.top() >= 0 and at.bottom() < room]
            assert not cut, (height, place)
            assert len(whole) >= min(len(heights), (height - 4) // (31 + 2 * spacing)), (height, place)
            counts.add(len(whole))
        if heights:
            rows.scrollToBottom()
            QApplication.processEvents()
            last = rows.visualItemRect(rows.item(rows.count() - 1))
            assert 0 <= last.top() <= last.bottom() < rows.viewport().height(), (height, "the last one is reached")
    assert len(counts) > 1 or len(heights) < 2
