"""What time plots and plane plots share in the window: a header with a legend, the drawing area, upkeep, a menu."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.app.session.session import Session
from gui.charts import fit
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from gui.qt.drawing.legend import entries_of
from gui.qt.drawing.page import ChartPage
from gui.qt.drawing.style import Style, style_of
from gui.qt.plots.area import PlotArea
from gui.qt.plots.axis import AXIS_WIDTH, PlotAxis
from gui.qt.plots.legend import Legend
from gui.qt.plots.save import copy_data, save_data, save_picture
from gui.qt.style import icons
from gui.qt.style.theme import look
from gui.qt.widgets.quiet import ElidedLabel, QuietComboBox, RoleLabel, scale
from robots.model.chart import Array, Chart, Curve

ANTIALIAS_LIMIT = 20_000
SYMBOLS = {"circle": "o", "square": "s", "triangle": "t1", "diamond": "d", "wedge": "t", "cross": "x", "dot": "o"}


class PlotWidget(QWidget):
    """A plot of the shown runs, kept up to date. A subclass draws `self.chart`.

    Args:
        session: whose runs are shown.
        plot: what makes the chart of them.
    """

    hide_asked = Signal()

    def __init__(self, session: Session, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.plot = session, plot
        self.chart = Chart(plot.title)
        self.points: list[fit.Points] = []
        self.chosen = ""
        self.items: list[pg.GraphicsObject] = []
        self.style_now: Style = style_of(look().theme.name)
        self._stale = True
        self._drawn: object = None
        self._disconnect: list[Callable[[], None]] = []
        self.value_axis, self.across_axis = PlotAxis("left"), PlotAxis("bottom")
        self.area = PlotArea(pans_upright=plot.plane)
        self.widget = pg.PlotWidget(
            viewBox=self.area, axisItems={"left": self.value_axis, "bottom": self.across_axis}, enableMenu=False
        )
        self.widget.getPlotItem().hideButtons()
        self.widget.getPlotItem().setContentsMargins(0, 4, 14, 0)
        self.widget.setFrameShape(QFrame.Shape.NoFrame)
        self.widget.setAccessibleName(plot.title)
        self.message = QLabel("", self.widget)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setWordWrap(True)
        self.message.setProperty("role", "hint")
        self.message.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_header())
        column.addWidget(self.widget, 1)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.update_now)
        self.area.menu_asked.connect(lambda place: self.menu().popup(QPoint(int(place.x()), int(place.y()))))
        self.area.whole_asked.connect(self.show_whole)

    # -- for subclasses ------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Put the chart into the drawing area."""
        raise NotImplementedError

    def move_cursor(self, t: float) -> None:
        """Show the playhead."""
        raise NotImplementedError

    def show_whole(self) -> None:
        """Show all data."""
        raise NotImplementedError

    def curve_pen(self, curve: Curve) -> QPen:
        """A curve's pen, as wide on the screen at every zoom."""
        pen = self.style_now.curve_pen(curve)
        pen.setCosmetic(True)
        return pen

    def parts(self) -> list[tuple[int, type[pg.GraphicsObject]]]:
        """What the chart's curves are drawn by: their places in the chart, with a kind of item."""
        made: list[tuple[int, type[pg.GraphicsObject]]] = []
        for index, curve in enumerate(self.chart.curves):
            made += [(index, pg.PlotCurveItem)] if curve.joined else []
            made += [(index, pg.ScatterPlotItem)] if curve.mark else []
        return made

    def fill(self, item: pg.GraphicsObject, curve: Curve, x: Array, y: Array, *, antialias: bool) -> None:
        """Give an item the points that it draws, in places on the axes."""
        pen = self.curve_pen(curve)
        if isinstance(item, pg.PlotCurveItem):
            item.setData(x=x, y=y, pen=pen, antialias=antialias, skipFiniteCheck=True)
            return
        pen.setWidthF(1.3)
        brush = pg.mkBrush(pen.color()) if curve.filled else None
        item.setData(x=x, y=y, symbol=SYMBOLS[curve.mark], size=3 if curve.mark == "dot" else 8, pen=pen, brush=brush)

    def show_values(self, t: float) -> None:
        """Let the legend name the curves, with their values at the playhead."""
        self.legend.show_entries(entries_of(self.chart, self.style_now, t))

    # -- upkeep --------------------------------------------------------------------------------------------------------

    def refresh(self, *_: object) -> None:
        """Draw soon if what is drawn changed: once for several calls in a row, a hidden plot when it is seen."""
        state = self._state()
        if state == self._drawn:
            return
        self._drawn, self._stale = state, True
        if self.isVisible():
            self._later.start()

    def update_now(self) -> None:
        """Draw at once."""
        self._stale = False
        shown = Shown.of(self.session.runs.all, degrees=self.session.view.settings.degrees)
        self.chart = chart = self.plot.drawn(shown, self.chosen)
        self.points = [fit.placed(chart, curve) for curve in chart.curves]
        self._show_variants()
        heading = "" if chart.variants.get(chart.variant) == chart.title and len(chart.variants) > 1 else chart.title
        self.name.setText(heading)
        self.name.setVisible(bool(heading))
        self.hint.setText(chart.note)
        self.message.setText(chart.empty or "Nothing to show yet" if chart.blank else "")
        self.message.setVisible(chart.blank)
        self.value_axis.kind, self.across_axis.kind = chart.y, chart.x
        self.value_axis.setStyle(showValues=not chart.blank)
        self.draw()
        self.move_cursor(self.session.playback.t)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if self._stale:
            self.update_now()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.message.setGeometry(self.widget.rect().adjusted(64, 4, -8, -20))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._disconnect:
            self.restyle()
            self.refresh()

    def listen(self) -> None:
        """Follow the session from now on."""
        session = self.session
        self._disconnect += [
            session.runs.changed.connect(self.refresh),
            session.runs.updated.connect(self.refresh),
            session.view.changed.connect(self.refresh),
            session.playback.moved.connect(self._playhead),
        ]
        self.restyle()

    def release(self) -> None:
        """Stop listening to the session."""
        while self._disconnect:
            self._disconnect.pop()()

    def _state(self) -> object:
        """Everything that the curves depend on; progress reports change none of it."""
        rows = [(row.id, row.run, row.reference, row.visible, row.reference_state) for row in self.session.runs.all]
        return rows, self.session.view.settings.degrees, self.chosen, look().theme.name, self.font().key()

    def _playhead(self, t: float) -> None:
        if self.isVisible() and not self._stale:
            self.move_cursor(t)

    # -- looks ---------------------------------------------------------------------------------------------------------

    def _make_header(self) -> QHBoxLayout:
        header = QHBoxLayout()
        header.setContentsMargins(6, 2, 4, 0)
        header.setSpacing(8)
        self.name = RoleLabel(self.plot.title, "strong")
        self.hint = ElidedLabel("", "hint")
        self.legend = Legend()
        self.choice = QuietComboBox()
        self.choice.setAccessibleName(f"{self.plot.title}: what is shown")
        self.choice.setMinimumContentsLength(0)
        self.choice.setSizeAdjustPolicy(QuietComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.setStyleSheet("QComboBox { padding: 0 2px 0 6px; min-height: 18px; border-color: transparent; }")
        self.choice.chosen.connect(self._choose)
        self.choice.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.choice.setMinimumWidth(60)
        self.choice.setMaximumWidth(220)
        self.choice.hide()
        self.more = QToolButton()
        icons.set_icon(self.more, "more")
        self.more.setProperty("role", "quiet")
        self.more.setAccessibleName(f"{self.plot.title}: menu")
        self.more.setToolTip("Reset zoom, copy, save, hide")
        self.more.clicked.connect(lambda: self.menu().popup(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        for widget in (self.name, self.choice, self.hint):
            header.addWidget(widget)
        header.addWidget(self.legend, 1)
        header.addWidget(self.more)
        return header

    def small_font(self) -> QFont:
        """The font of axes and of names inside the plot."""
        small = QFont(self.font())
        small.setPixelSize(max(9, self.fontInfo().pixelSize() - 2))
        return small

    def restyle(self) -> None:
        """Take the theme's colours."""
        self.style_now = style_of(look().theme.name)
        self.widget.setBackground(self.style_now.colour("surface"))
        self.value_axis.setWidth(round(AXIS_WIDTH * scale(self)))
        for axis in (self.value_axis, self.across_axis):
            axis.show_style(self.style_now, self.small_font())

    def _show_variants(self) -> None:
        wanted = [(key, name) for key, name in self.chart.variants.items()]
        present = [(self.choice.itemData(index), self.choice.itemText(index)) for index in range(self.choice.count())]
        if wanted != present:
            self.choice.clear()
            for key, name in wanted:
                self.choice.addItem(name, key)
        self.choice.show_data(self.chart.variant)
        self.choice.setVisible(len(wanted) > 1)

    def _choose(self, key: str) -> None:
        self.chosen = key
        self.refresh()

    # -- menu ----------------------------------------------------------------------------------------------------------

    def page(self) -> ChartPage:
        """The plot as it is looked at, as a page for files."""
        across, up = (tuple(ends) for ends in self.area.viewRange())
        size = float(self.width()), float(self.height())
        return ChartPage(self.chart, self.style_now, size, across, up)

    def menu(self) -> QMenu:
        """The menu of the plot."""
        menu, name = QMenu(self), self.plot.key
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Reset zoom", self.show_whole)
        menu.addSeparator()
        menu.addAction("Copy data", lambda: copy_data(self.chart))
        menu.addAction("Save data…", lambda: save_data(self, self.chart, name))
        menu.addAction("Save picture…", lambda: save_picture(self, self.page(), name))
        menu.addSeparator()
        menu.addAction("Hide this plot", self.hide_asked.emit)
        return menu
