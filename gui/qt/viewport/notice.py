"""Why there is no arm in the 3D view yet, and how the arm stands that waits for its kernels."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget

from assets.counting import capital
from gui.app import run_texts
from gui.app.session.session import Session
from gui.compose import picture as pictures
from gui.qt.style.theme import font, look
from gui.qt.viewport.overlays import PAD, ViewportWidget, font_metrics
from robots.model.registry import robot_of
from scene.camera import Bars
from scene.picture import Picture

NOTICE_AFTER_MS = 300
TITLE = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)


class Notice(ViewportWidget):
    """Why there is no arm yet, or why it cannot move yet; not for a moment's wait."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines: tuple[str, str] = ("", "")
        self.aside = False
        self.wait = QTimer(self, singleShot=True, interval=NOTICE_AFTER_MS)
        self.wait.timeout.connect(self.show)

    def show_state(self, session: Session) -> None:
        """Show what is being prepared, computed, or what failed; nothing once there is a run."""
        row = session.runs.current
        # A run that is done waits only for its reference.
        awaited = "" if row.state == "done" else session.preparing.awaited
        at_once = row.state == "failed" or session.computing.preparing or bool(awaited)
        if row.state == "failed":
            self._lines = ("Nothing to show", row.message)
        elif awaited:
            self._lines = ("Compiling for the first time", awaited)
        elif session.computing.preparing:
            self._lines = ("Loading the solvers", "This takes a moment.")
        else:
            computing = run_texts.computing(row)
            self._lines = (capital(computing), f"{row.label}, {row.setting}")
        if row.run is not None or row.state == "held":
            self.wait.stop()
        elif not at_once and self.isHidden() and not self.wait.isActive():
            self.wait.start()
        strong, body = font_metrics("title", bold=True), font_metrics()
        width = max(strong.horizontalAdvance(self._lines[0]), body.horizontalAdvance(self._lines[1]))
        room = self.parentWidget().width() - 2 * PAD
        wide = int(min(width + 6 * PAD, room))
        title = strong.boundingRect(QRectF(0, 0, wide - 4 * PAD, 1e4), TITLE, self._lines[0])
        height = title.height() + body.height() + 6 + 4 * PAD
        missing = row.run is None and row.state != "held"
        shown = bool(awaited) or (missing and (at_once or self.isVisible()))
        self.setAccessibleName(" ".join(self._lines))
        self.fit(QSize(wide, int(height)), shown)

    def place(self, session: Session, legend: QWidget) -> None:
        """Move to the middle of the view, or where there is an arm to its top: beside the legend, or else below it."""
        host = self.parentWidget()
        self.aside = session.preparing.standing is not None or session.runs.current.run is not None
        if not self.aside:
            self.move((host.width() - self.width()) // 2, int((host.height() - self.height()) * 0.45))
            return
        margin = legend.x()
        left, top = host.width() - self.width() - margin, margin
        if not legend.isHidden() and left < legend.geometry().right() + margin:
            top += legend.height() + margin // 2
        self.move(left, top)

    def head(self) -> float:
        """The share of the view's height down to its lower edge, where it stands above the arm."""
        if self.isHidden() or not self.aside:
            return 0.0
        return (self.y() + self.height()) / max(self.parentWidget().height(), 1)

    def drawn(self, picture: Picture, session: Session, bars: Bars) -> Picture:
        """The picture; if it has no arm, with the one that waits for its kernels, below the legend and this.

        Args:
            picture: of the runs.
            session: may know how the arm stands.
            bars: what the legend and the time take.
        """
        standing = session.preparing.standing
        if picture.actors or standing is None or standing[0] != session.scenario:
            return picture
        shape, host = robot_of(standing[0]).shape(standing[0]), self.parentWidget()
        aspect = host.width() / max(host.height(), 1)
        bars = bars._replace(head=max(bars.head, self.head()))
        return pictures.standing(picture, shape, standing[1], session.view.settings, aspect, bars)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        box = QRectF(self.rect()).adjusted(2 * PAD, 2 * PAD, -2 * PAD, -2 * PAD)
        painter.setFont(font(theme, "title", bold=True))
        painter.setPen(theme.colour("text"))
        painter.drawText(box, TITLE, self._lines[0])
        painter.setFont(font(theme))
        painter.setPen(theme.colour("muted"))
        text = font_metrics().elidedText(self._lines[1], Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignHCenter, text)
