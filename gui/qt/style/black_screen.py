"""A black screen before an audience: nothing acts on what is not seen."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

HELD_KEYS = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta})


class BlackScreen(QWidget):
    """Covers the window; a click or any key brings the picture back.

    It is black by what it paints: a style sheet of its own would reach its menu, too.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setAccessibleName("Black screen")
        self._clicked, self._further = QElapsedTimer(), False
        window.installEventFilter(self)
        self.hide()

    def toggle(self) -> None:
        """Cover the window, or show it again."""
        self.setGeometry(self.window().rect())
        self.setVisible(self.isHidden())
        self.raise_()

    def takes(self, event: QKeyEvent, watched: QObject) -> bool:
        """Whether a key is for the black screen, which it ends."""
        dialog = isinstance(watched, QWidget) and isinstance(watched.window(), QDialog)
        if self.isHidden() or dialog or QApplication.activePopupWidget() is not None or event.key() in HELD_KEYS:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self.hide()
        return True

    def takes_further_press(self, event: QEvent) -> bool:
        """Whether it is a press that follows a click on the black screen at once, as of a double click, or its end."""
        kind = event.type()
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            soon = self._clicked.isValid() and self._clicked.elapsed() < QApplication.doubleClickInterval()
            self._further = soon
            return soon
        further = self._further and kind == QEvent.Type.MouseButtonRelease
        if further:
            self._further = False
            self._clicked.start()
        return further

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parent():
            self.setGeometry(self.window().rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # the arm below is not for a hand that does not see it

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.hide()
            self._clicked.start()
