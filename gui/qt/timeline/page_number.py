"""Which page of a presentation is shown, beside the timeline."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QToolBar, QWidget

from gui.qt.style.theme import role


class PageNumber(QLabel):
    """Beside panels the place of the page among all stands at the end of the timeline: it would cover the arm.

    Args:
        window: has the timeline, in `bar`.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        role(self, "hint")
        bar = window.findChild(QToolBar, "timelineBar")
        assert bar is not None
        self.bar, self._action = bar, bar.addWidget(self)
        self.setContentsMargins(0, 0, 16, 0)
        self.show_page("")

    def show_page(self, place: str) -> None:
        """Say which page is shown, or nothing."""
        self.setText(place)
        self._action.setVisible(bool(place))

    def end(self) -> None:
        """Leave the timeline its room."""
        self.bar.removeAction(self._action)
        self._action.deleteLater()
