"""A chart on a card: painted as files have it, with a menu to enlarge, copy and save it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import SIGNAL, QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.app.jobs import Jobs
from gui.charts.fit import Range, tag_near
from gui.charts.summary import summary
from gui.charts.table import table_text
from gui.qt.access.spoken import Role, speak
from gui.qt.drawing.chart import ChartPainter
from gui.qt.drawing.charts_page import PagePanel, page_of_chart
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.regions import UNKNOWN, RegionsAtHand
from gui.qt.drawing.style import Style, typed_style
from gui.qt.plots.save import Charted, add_exports
from gui.qt.style.theme import look
from gui.qt.widgets.parts import passing_menu
from gui.qt.widgets.quiet import scale
from robots.model.chart import Chart

REACH = 16.0
"""So near to a drawing the pointer is on it [px in usual type]."""


class ChartView(QWidget):
    """Shows one chart at a time.

    Args:
        name: what it shows, for those who cannot see it, and in the names of files.
        size: what it would like [px].

    Signals:
        enlarge_asked: a double click, or the menu's entry, which is there if somebody listens.
    """

    enlarge_asked = Signal()

    def __init__(self, name: str, size: QSize) -> None:
        super().__init__()
        self._at_hand: RegionsAtHand | None = None
        self.chart = Chart()
        self.whole: Chart | None = None
        """What files have, if that is another chart."""
        self.t = 0.0
        self._name, self._size = name, size
        # Otherwise each new picture would draw what lies behind it too: all of the window under a sheet.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        speak(self, Role.Chart, name, lambda: summary(self.chart, self.t, self.sides))

    def sizeHint(self) -> QSize:
        return self._size

    def compute_in(self, jobs: Jobs) -> None:
        """Compute regions there from now on, and show them once they are known; without jobs a picture waits."""
        self._at_hand = RegionsAtHand(self, jobs, self.update)

    def show_chart(self, chart: Chart) -> None:
        """Show this chart."""
        self.chart = chart
        if self._at_hand is not None:
            self._at_hand.keep(chart.regions)
        self.update()

    def show_time(self, t: float) -> None:
        """Show where the curves are at the time `t` [s]."""
        if self.isVisible() and any(curve.when(t) != curve.when(self.t) for curve in self.chart.curves):
            self.update()
        self.t = t

    def style_now(self) -> Style:
        """Colours of the theme, in the size of the window's type."""
        return typed_style(look().theme.name, scale(self))

    def laid_out(self) -> ChartPainter:
        """The chart in the widget's rectangle."""
        bare = replace(self.chart, title="", note="")
        return ChartPainter(bare, QRectF(self.rect()), None, self.style_now(), compact=True)

    @property
    def sides(self) -> tuple[Range, Range]:
        """The shown part of both axes, in positions on them."""
        return self.laid_out().sides

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, laid = QPainter(self), self.laid_out()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), laid.style.colour("surface"))
        unknown = self._take_regions(laid)
        laid.paint_ground(painter)
        laid.paint_curves(painter)
        laid.paint_dots(painter, self.t)
        if unknown:
            painter.setPen(laid.style.colour("muted"))
            painter.setFont(laid.style.font(12.0))
            painter.drawText(laid.area, Qt.AlignmentFlag.AlignCenter, UNKNOWN)
        painter.end()

    def _take_regions(self, laid: ChartPainter) -> bool:
        """Let a picture have the regions as far as they are known; whether none of them is."""
        if self._at_hand is None or not self.chart.regions:
            return False
        found = self._at_hand.over(self.chart.regions, *laid.sides)
        known = tuple(replace(one, part=None) for one in found if one.whole is None)
        laid.chart = replace(laid.chart, regions=known)
        return not known

    @property
    def charted(self) -> Charted:
        """The chart for files."""
        name, chart = self._name.lower().replace(" ", "-"), self.whole or self.chart
        return Charted(name, lambda style: page_of_chart(PagePanel(chart), style), lambda: table_text(chart))

    def tag_at(self, spot: QPointF) -> str:
        """What the drawing at a place of the widget [px] stands for; empty where there is none."""
        laid = self.laid_out()
        size = laid.area.width(), laid.area.height()
        return tag_near(self.chart, position_at(laid, spot), laid.sides, size, REACH * scale(self))

    def event(self, event: QEvent) -> bool:
        """A drawing says what it stands for."""
        tip = event if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip else None
        if tip is not None and (said := self.tag_at(QPointF(tip.pos()))):
            QToolTip.showText(tip.globalPos(), said, self)
            return True
        return super().event(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.enlarge_asked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = passing_menu(self)
        if self.receivers(SIGNAL("enlarge_asked()")):
            menu.addAction("Enlarge", self.enlarge_asked.emit)
        add_exports(menu, self, self.charted)
        menu.popup(event.globalPos())
