"""The small chart pinned in the window's 3D view."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.app.runs import visible_runs
from gui.app.session.session import Session
from gui.qt.drawing.inset import MARGIN, Inset
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look
from gui.qt.viewport.overlays import LinkCard, ViewportWidget
from gui.qt.window.bridge import subscribe

SMALLEST = 0.85
"""Scale of the chart in a narrow view, so that its numbers stay readable."""


class MiniPlot(ViewportWidget):
    """The most informative chart of the visible runs, in the lower right corner, above the card of a picked link."""

    def __init__(self, parent: QWidget, session: Session, card: LinkCard) -> None:
        super().__init__(parent)
        self.session, self._card = session, card
        self.setAccessibleName("Small chart")
        self._inset: Inset | None = None
        self._shown: tuple[object, ...] = ()
        for signal in (self.session.runs.changed, self.session.runs.updated, self.session.view.changed):
            subscribe(self, signal, self._changed)
        subscribe(self, self.session.playback.moved, self._moved)
        look().changed.connect(self._changed)
        for watched in (parent, card):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            self._changed()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._inset is not None:
            painter = QPainter(self)
            painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
            self._inset.paint(painter, self.session.playback.t, QRectF(self.rect()))
            painter.end()

    def _moved(self, _t: float) -> None:
        if not self.isHidden():
            self.update()

    def _changed(self, *_: object) -> None:
        """Show, hide, or replace the chart by another one."""
        session, host = self.session, self.parentWidget()
        rows = visible_runs(session.runs.all)
        if host is None or not session.view.settings.mini_plot or not rows:
            self.hide()
            return
        span = session.playback.start, session.playback.end
        size = host.width(), host.height()
        seen = (
            *((row.run, row.reference, row.slot) for row in rows),
            span,
            size,
            look().theme.name,
            session.view.settings.degrees,
            session.view.settings.plots,
        )
        if seen != self._shown:
            self._shown = seen
            style = style_of(look().theme.name)
            style = replace(style, scale=min(max(host.width() / 900, SMALLEST), 1.0))
            self._inset = Inset(rows, session.view.settings, size, span, style, self.devicePixelRatioF())
        assert self._inset is not None
        self.resize(self._inset.place.size().toSize())
        taken = self._card.height() + 8 if self._card.isVisible() and not self._card.high else 0
        self.move(round(host.width() - self.width() - MARGIN), round(host.height() - self.height() - MARGIN) - taken)
        self.setVisible(self._inset.fits)
        self.update()
