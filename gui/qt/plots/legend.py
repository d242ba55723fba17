"""The legend above a plot of the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.qt.drawing.legend import GAP, CurveEntry, at_any_time, cell_of, flowing_in, paint_cells
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look

ELIDE = Qt.TextElideMode.ElideMiddle


class CurveLegend(QWidget):
    """All entries, right-aligned, in as many lines as they need. Painted by hand because it changes at every frame.

    Signals:
        toggled: (curve keys) a person clicked an entry.
    """

    toggled = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[CurveEntry, ...] = ()
        self.places: list[tuple[QRectF, CurveEntry]] = []
        self.lines = 1
        self._pressed: CurveEntry | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def line_height(self) -> int:
        """Height of one line [px]."""
        return self.fontMetrics().height() + 2

    def sizeHint(self) -> QSize:
        return QSize(80, self.lines * self.line_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.lines * self.line_height)

    def show_entries(self, entries: tuple[CurveEntry, ...]) -> bool:
        """Show these; an equal set costs nothing. Returns whether they may need another room than those before."""
        if entries == self.entries:
            return False
        other = [entry.name for entry in entries] != [entry.name for entry in self.entries]
        self.entries = entries
        self.setAccessibleName(", ".join(f"{entry.tip or entry.name} {entry.said}" for entry in entries))
        self.update()
        return other

    def wrap(self, width: float, most: int, limit: float, least: int = 1) -> None:
        """Take the lines that the entries need at any time in this width, at least `least`; shorter ones for `most`."""
        entries, measure = at_any_time(self.entries), QFontMetricsF(self.font()).horizontalAdvance
        # More than that, up to the limit, rather than a name without its value.
        lines = max(len(flowing_in(entries, measure, width, most, limit)), min(least, most))
        if lines != self.lines:
            self.lines = lines
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """The tooltip has all values, even those without room."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            rows = [f"{entry.tip or entry.name}   {entry.said}".rstrip() for entry in self.entries]
            QToolTip.showText(event.globalPos(), "\n".join([*rows, "Click a name to hide or show its curve"]), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hit = next((entry for place, entry in self.places if place.contains(event.position())), None)
        self._pressed = hit if event.button() == Qt.MouseButton.LeftButton else None
        if self._pressed is not None:
            self.toggled.emit(self._pressed.curves)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the first click back: a double click is for the plot. Meanwhile another name may stand here."""
        if self._pressed is not None:
            self.toggled.emit(self._pressed.curves)
        self._pressed = None
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style, measure = style_of(look().theme.name), QFontMetricsF(self.font()).horizontalAdvance
        self.places = []
        area = self.contentsRect()
        entries = [self._cut(entry, area.width()) for entry in self.entries]
        for number, cells in enumerate(flowing_in(entries, measure, area.width(), self.lines, self.lines)):
            place = QRectF(0, number * self.line_height, area.width(), self.line_height)
            shown = [entry for entry, _, _ in cells]
            self.places += zip(paint_cells(painter, cells, place, style), shown, strict=True)
        painter.end()

    def _cut(self, entry: CurveEntry, width: float) -> CurveEntry:
        """The entry, with dots in its name if it is longer than a line."""
        metrics = QFontMetricsF(self.font())
        over = width_of((entry,), self) - width
        room = metrics.horizontalAdvance(entry.name) - over
        return replace(entry, name=metrics.elidedText(entry.name, ELIDE, room)) if over > 0 and entry.name else entry


def width_of(entries: Sequence[CurveEntry], widget: QWidget) -> float:
    """How wide one line with all entries is in the widget's font [px]."""
    measure = QFontMetricsF(widget.font()).horizontalAdvance
    return sum(cell_of(entry, measure)[1] for entry in entries) - GAP
