"""Shown in the middle without OpenGL: what is missing, how to get it, and that the rest works."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.qt.style.icons import pixmap
from gui.qt.style.theme import look, role

LINUX = (
    "On Debian or Ubuntu, install software OpenGL with\n\nsudo apt-get install libgl1 libegl1 "
    "libgl1-mesa-dri\n\nThen start Armstep again."
)
OTHERS = "An up-to-date graphics driver provides it. Over remote desktop, software OpenGL (Mesa) works too."


class Placeholder(QWidget):
    """Says why there is no 3D view."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.setObjectName("placeholder")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumSize(240, 180)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        picture = QLabel()
        picture.setPixmap(pixmap("warning", look().theme.colours["muted"], 48))
        title = role(QLabel("The 3D view needs OpenGL 3.3"), "title")
        title.setWordWrap(True)
        body = QLabel(
            f"{reason}\n\n{LINUX if sys.platform.startswith('linux') else OTHERS}\n\nEverything else works: runs, "
            "plots, tables, timeline and files. The command armstep doctor says what was found."
        )
        body.setWordWrap(True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addStretch(1)
        for widget in (picture, title, body):
            widget.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(widget)
        column.addStretch(2)
        self.setAccessibleName("The 3D view needs OpenGL 3.3")
        self.setAccessibleDescription(body.text())
