"""The frame around what Tab has come to, as pixels: it stands out in every sheet and in every theme."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.sheets import Sheet
from gui.qt.window.commands import tab_order
from gui.qt.window.main_window import MainWindow
from tests.window import rules
from tests.window.dialogs import dialogs

LEAST_RING, AROUND = 3.0, 8
"""The contrast of the frame, and how far from a part of a field the field's own frame may be [px]."""


def luminance(window: MainWindow, place: QRect) -> np.ndarray:
    """Of the pixels of a part of the window, as WCAG defines it."""
    image = window.grab(place).toImage().convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    share = raw[:, : image.width(), 2::-1] / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def faint(window: MainWindow, sheet: Sheet, control: QWidget) -> str:
    """How the frame of a control falls short; empty if it stands out."""
    if sheet.focusProxy() is control:
        return ""  # it has the focus as long as the sheet is open
    tab_order.arrive(control)
    if not control.hasFocus():
        return ""  # another one has it in its place
    QApplication.processEvents()
    seen = control.visibleRegion().boundingRect()
    if seen.isEmpty():
        return f"{rules.name_of(control)}: not seen"
    place = QRect(control.mapTo(window, seen.topLeft()), seen.size()).adjusted(-AROUND, -AROUND, AROUND, AROUND)
    focused = luminance(window, place)
    sheet.setFocus(Qt.FocusReason.OtherFocusReason)
    QApplication.processEvents()
    plain = luminance(window, place)
    ratio = (np.maximum(focused, plain) + 0.05) / (np.minimum(focused, plain) + 0.05)
    ring, least = int((ratio >= LEAST_RING).sum()), seen.width() + seen.height()
    return "" if ring >= least else f"{rules.name_of(control)}: {ring} of {least} pixels"


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_frame_stands_out_in_every_sheet(
    shared_window: MainWindow, qtbot: QtBot, tmp_path: Path, theme: str
) -> None:
    window, found = shared_window, list[str]()
    window.session.view.set(theme=theme)
    for name, sheet in dialogs(window, tmp_path, files=False):
        assert isinstance(sheet, Sheet)
        qtbot.wait(50)
        for control in tab_order.in_order(sheet.card):
            if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.isVisible():
                says = faint(window, sheet, control)
                found += [f"{name}: {says}"] if says else []
    assert not found, "\n".join(found)
