"""A map: a chart whose cells are runs, chosen with the mouse or the arrow keys; a frame drawn with the mouse zooms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication

from assets.counting import counted
from gui.charts.map import DETAIL, MapGrid, map_chart
from gui.charts.plot import NOT_COMPUTED
from gui.qt.access.spoken import Role, speak
from gui.qt.diagrams.run_diagram import RunDiagram
from gui.qt.drawing.chart import BOTTOM, TOP, ChartPainter
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.style import pen
from gui.qt.widgets.quiet import scale
from robots.model.chart import Chart
from robots.sweeps.borders import Border
from robots.sweeps.sweep import SweepResult

ZOOM_KEYS = {Qt.Key.Key_Plus: 0.5, Qt.Key.Key_Equal: 0.5, Qt.Key.Key_Minus: 2.0}
NOTCH = 2.0 ** (1.0 / 120.0)
"""How much a wheel's eighth of a degree zooms: a notch by 2."""

LEAST = 110
"""The least height of the cells together [px]."""

Places = Sequence[tuple[float, float]]


class MapDiagram(RunDiagram[int]):
    """One readout of each run over one or two fields; runs are known by their numbers.

    Signals:
        zoomed: (the first and the last value of each field, SI) a person wants to see that part.
        back: a person wants to see the wider map again.
    """

    zoomed = Signal(object)
    back = Signal()

    def __init__(self) -> None:
        super().__init__("Map")
        self.result: SweepResult | None = None
        self.show_chart(Chart(empty=NOT_COMPUTED))
        self.pins: Mapping[int, str] = {}
        self._grid: MapGrid | None = None
        self._pressed: QPointF | None = None
        self._band = QRectF()
        speak(self, Role.Chart, "Map", self._in_words)

    def minimumSizeHint(self) -> QSize:
        """So much that cells can be pointed at, with the axes' words in the present type."""
        return QSize(320, LEAST + math.ceil((TOP + BOTTOM) * scale(self)))

    def show_result(self, result: SweepResult | None, name: str, border: Border | None, *, contours: bool) -> None:
        """Draw the numbers called `name`; see `map_chart`."""
        if self.result is None or result is None or result.sweep.axes != self.result.sweep.axes:
            self.near = None
        self.result, self._grid = result, MapGrid(result) if result else None
        self.show_chart(
            map_chart(result, name, border, contours=contours, detail=DETAIL) if result else Chart(empty=NOT_COMPUTED)
        )

    def show_pins(self, pins: Mapping[int, str]) -> None:
        """Mark these runs in their colours."""
        if pins != self.pins:
            self.pins = dict(pins)
            self.update()

    def _in_words(self) -> str:
        done = 0 if self.result is None else self.result.sweep.size - len(self.result.missing)
        return f"{counted(done, 'run')}, shown by {self.chart.y.label}" if done else "No runs"

    def cell(self, number: int) -> QRectF:
        """Where the run of that number is in the widget."""
        assert self._grid is not None
        laid, places, box = self.laid_out(), self._grid.places(number), QRectF(self.laid_out().area)
        ends = []
        for side, place in zip(self._grid.sides, places, strict=True):
            low, high = side.ends
            width = (high - low) / len(side.places)
            ends.append((low + place * width, low + (place + 1) * width))
        (left, right), per = ends[0], laid.area.width() / (laid.span[1] - laid.span[0])
        box.setLeft(laid.area.left() + (left - laid.span[0]) * per)
        box.setWidth((right - left) * per)
        if len(ends) > 1:
            (low, high), per = ends[1], laid.area.height() / (laid.high - laid.low)
            box.setTop(laid.area.bottom() - (high - laid.low) * per)
            box.setHeight((high - low) * per)
        return box

    def number_at(self, spot: QPointF) -> int | None:
        """The run whose cell is there."""
        laid = self.laid_out()
        if self._grid is None or self.chart.blank or not laid.area.contains(spot):
            return None
        return self._grid.number_at(*position_at(laid, spot))

    def neighbour(self, across: int, up: int) -> int | None:
        if self._grid is None:
            return None
        place = list(self._grid.places(self.near or 0))
        for axis, (by, side) in enumerate(zip((across, up), self._grid.sides, strict=False)):
            place[axis] = min(max(place[axis] + by, 0), len(side.places) - 1)
        return self._grid.number(place)

    # -- mouse and keys ------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.number_at(event.position()) is not None:
            self._pressed = event.position()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        far = QApplication.startDragDistance()
        if self._pressed is not None and (
            not self._band.isNull() or (event.position() - self._pressed).manhattanLength() >= far
        ):
            area = self.laid_out().area
            self._band = QRectF(self._pressed, event.position()).normalized() & area
            if self._grid is not None and self._grid.flat:
                self._band.setTop(area.top())
                self._band.setBottom(area.bottom())
            self.update()
        else:
            self.point(self.number_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, band = self._pressed, self._band
        self._pressed, self._band = None, QRectF()
        self.update()
        if pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if band.isNull():
            number = self.number_at(event.position())
            if number is not None:
                self.open(number, event)
        elif min(band.width(), band.height()) >= QApplication.startDragDistance():
            corners = position_at(self.laid_out(), band.bottomLeft()), position_at(self.laid_out(), band.topRight())
            self._ask(list(zip(*corners, strict=True)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.number_at(event.position()) is not None and event.angleDelta().y():
            self._zoom_at(event.position(), NOTCH ** -event.angleDelta().y())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in ZOOM_KEYS and not self.chart.blank:
            middle = self.laid_out().area if self.near is None else self.cell(self.near)
            self._zoom_at(middle.center(), ZOOM_KEYS[key])
        elif key == Qt.Key.Key_Backspace:
            self.back.emit()
        else:
            super().keyPressEvent(event)

    def _zoom_at(self, spot: QPointF, factor: float) -> None:
        """Ask for a part that is `factor` as large, with the same position under `spot`."""
        assert self._grid is not None
        at = position_at(self.laid_out(), spot)
        wanted = []
        for side, place in zip(self._grid.sides, at, strict=False):
            low, high = side.ends
            wanted.append((place + (low - place) * factor, place + (high - place) * factor))
        self._ask(wanted)

    def _ask(self, wanted: Places) -> None:
        assert self._grid is not None
        self.zoomed.emit(self._grid.ranges(wanted))

    # -- painting ------------------------------------------------------------------------------------------------------

    def paint_over(self, painter: QPainter, laid: ChartPainter) -> None:
        painter.setClipRect(laid.area)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        surface, text = laid.style.colour("surface"), laid.style.colour("text")
        frames = [(number, [(surface, 6.0), (QColor(colour), 3.5)]) for number, colour in self.pins.items()]
        if self.near is not None and (pinned := self.pins.get(self.near)) is not None:
            # The pointer's frame is around that of the pin.
            frames.append((self.near, [(surface, 10.0), (text, 8.0), (QColor(pinned), 4.0)]))
        elif self.near is not None:
            frames.append((self.near, [(surface, 4.0), (text, 2.0)]))
        for number, lines in frames:
            for tint, width in lines:
                painter.setPen(pen(tint, width=width * laid.style.scale))
                painter.drawRect(self.cell(number))
        if not self._band.isNull():
            for name, dash in (("surface", "solid"), ("text", "dash")):
                painter.setPen(pen(laid.style.colour(name), dash, 1.5 * laid.style.scale))
                painter.drawRect(self._band)
        painter.setClipping(False)


class MapSection(RunDiagram[int]):
    """A line through a map. Below the map, its frame is as wide: a cell and its number stand above each other.

    Args:
        above: the map.
    """

    def __init__(self, above: MapDiagram) -> None:
        super().__init__("Section through the map", height=150)
        self._above = above

    def laid_out(self) -> ChartPainter:
        laid, frame = super().laid_out(), self._above.laid_out().area
        if self.y() <= self._above.y():
            return laid
        area = QRectF(frame.left(), laid.area.top(), frame.width(), laid.area.height())
        return ChartPainter(self.chart, laid.place, None, laid.style, area=area)
