"""The latest picture of what an export will hold."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from gui.qt.style.theme import look

LEAST = QSize(240, 160)
"""How small the picture may become [px]."""


class Preview(QWidget):
    """The latest picture, as large as fits."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(LEAST)
        self.setAccessibleName("Preview")
        self._pixmap = QPixmap()
        self.words = "Preparing the preview"

    def show_image(self, image: QImage) -> None:
        """Show a picture."""
        self._pixmap, self.words = QPixmap.fromImage(image), ""
        self.update()

    def show_text(self, words: str) -> None:
        """Show a text until there is a picture."""
        self.words = words
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), look().theme.colour("raised"))
        if self._pixmap.isNull():
            painter.setPen(look().theme.colour("muted"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words)
            return
        ratio = self.devicePixelRatioF()
        shown = self._pixmap.scaled(
            self.size() * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        shown.setDevicePixelRatio(ratio)
        size = shown.deviceIndependentSize()
        painter.drawPixmap(round((self.width() - size.width()) / 2), round((self.height() - size.height()) / 2), shown)
