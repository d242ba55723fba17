"""A prediction that is drawn: a time, a slope in a log-log chart, a curve. By mouse in the chart, or by sliders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from gui.app.lessons.chart import POINTS, STEEPEST, Paper, prediction_chart
from gui.app.lessons.player import LessonPlayer
from gui.app.units import reading
from gui.qt.drawing.chart import BOTTOM, LEFT, RIGHT, TOP, ChartPainter
from gui.qt.drawing.legend import Cell, entries_of, flowing, paint_cells
from gui.qt.drawing.positions import position_at
from gui.qt.plots.chart_view import REACH, ChartView
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import QuietSlider, RoleLabel, scale
from robots.lessons.lesson import Guess, Kind, Points
from robots.model.chart import TIME, Chart

STEPS = 200
SIZE = QSize(420, 170)
LANES = QSize(420, 128)
"""Of a chart of times or numbers: a prediction and the outcome, one below the other."""
NAME_SIZE, NAMES = 12.0, 18.0
"""The height of the type of the curves' names, and of a line of them, in units."""
LANE_SIZE = 11.0
"""The height of the type of the lanes' names, in units."""
FEW_LANES = 2
"""How many lanes have room in `LANES`."""
ADVICE = 8.0
"""Around the words on a chart that is still empty [px]."""
READING = 132
"""Room for what is drawn in words, so that the slider beside it keeps its length [px]."""


class PredictionChart(ChartView):
    """A chart of a prediction, which can be drawn in.

    Signals:
        pointed: (x, y, begins) the mouse draws there, in values of the axes.
        let_go: it draws no more.
    """

    pointed = Signal(float, float, bool)
    let_go = Signal()

    def __init__(self, name: str, usual: QSize = SIZE) -> None:
        super().__init__(name, usual)
        self.drawable = False
        self.advice = ""
        """What to do, on the chart."""
        self._lines, self._lanes = 1, FEW_LANES

    def sizeHint(self) -> QSize:
        further = (self._lanes - FEW_LANES) * NAMES * self.style_now().scale
        return super().sizeHint() * max(1.0, scale(self)) + QSize(0, round(self._names_height + further))

    def show_chart(self, chart: Chart) -> None:
        super().show_chart(chart)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def laid_out(self) -> ChartPainter:
        style, place = self.style_now(), self._frame
        return ChartPainter(self.chart, QRectF(self.rect()), None, style, runs=True, area=place)

    def names(self) -> list[list[Cell]]:
        """The names of all curves, line after line."""
        style, unit = self.style_now(), self.chart.y.unit if self.chart.x == TIME else ""
        measure = QFontMetricsF(style.font(NAME_SIZE)).horizontalAdvance
        taken = 1.2 * measure(f"[{unit}]") + 12.0 * style.scale if unit else 0.0
        return flowing(entries_of(self.chart, style), measure, self._frame.width() - taken, style.scale)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter, style = QPainter(self), self.style_now()
        painter.setFont(style.font(NAME_SIZE))
        line = QRectF(self._frame.left(), 4.0 * style.scale, self._frame.width(), 22.0 * style.scale)
        for cells in self.names():
            paint_cells(painter, cells, line, style)
            line.translate(0.0, NAMES * style.scale)
        if self.advice:
            self._paint_advice(painter)
        painter.end()

    def _paint_advice(self, painter: QPainter) -> None:
        """In the upper part of the chart, on a plate: no line of the grid goes through the words."""
        style = self.style_now()
        room, air = self._frame, ADVICE * style.scale
        within = int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
        box = painter.boundingRect(room.adjusted(2 * air, air, -2 * air, 0.0), within, self.advice)
        painter.fillRect(box.adjusted(-air, -air / 2, air, air / 2), style.colour("surface"))
        painter.setPen(style.colour("muted"))
        painter.drawText(box, within, self.advice)

    @property
    def _frame(self) -> QRectF:
        """What the curves are drawn in, below their names."""
        style = self.style_now()
        measure = QFontMetricsF(style.font(LANE_SIZE)).horizontalAdvance
        lanes = max(map(measure, self.chart.y.names), default=0.0) + 12.0 * style.scale
        edges = [edge * style.scale for edge in (LEFT, TOP, -RIGHT, -BOTTOM)]
        return QRectF(self.rect()).adjusted(max(edges[0], lanes), edges[1] + self._names_height, *edges[2:])

    @property
    def _names_height(self) -> float:
        """The room of all lines of names but the first [px]."""
        return (self._lines - 1) * NAMES * self.style_now().scale

    def _make_room(self) -> None:
        lines, lanes = max(len(self.names()), 1), max(len(self.chart.y.names), FEW_LANES)
        if (lines, lanes) != (self._lines, self._lanes):
            self._lines, self._lanes = lines, lanes
            self.updateGeometry()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.drawable and event.button() == Qt.MouseButton.LeftButton:
            self._point(event.position(), True)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.drawable and event.buttons() & Qt.MouseButton.LeftButton:
            self._point(event.position(), False)
        elif self.drawable:
            taken = self.end_near(event.position()) is not None
            self.setCursor(Qt.CursorShape.OpenHandCursor if taken else Qt.CursorShape.CrossCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.drawable and event.button() == Qt.MouseButton.LeftButton:
            self.let_go.emit()

    def spot_of(self, x: float, y: float) -> QPointF:
        """Where values of the axes are in the widget [px]."""
        laid = self.laid_out()
        return QPointF(float(laid.across(x)), float(laid.upward(y)))

    def end_near(self, spot: QPointF) -> int | None:
        """Which end of the line that has marks there is at a place of the widget [px]; None where there is none."""
        line = next((curve for curve in self.chart.curves if curve.mark and curve.joined), None)
        if line is None:
            return None
        ends = zip(line.x.tolist(), line.y.tolist(), strict=True)
        away = [QLineF(spot, self.spot_of(*end)).length() for end in ends]
        return int(np.argmin(away)) if min(away) <= REACH * scale(self) else None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if not self.drawable:
            super().mouseDoubleClickEvent(event)

    def _point(self, at: QPointF, begins: bool) -> None:
        laid = self.laid_out()
        area = laid.area
        inside = QPointF(min(max(at.x(), area.left()), area.right()), min(max(at.y(), area.top()), area.bottom()))
        x, y = position_at(laid, inside)
        self.pointed.emit(self.chart.x.value(x), self.chart.y.value(y), begins)


def size_for(kind: Kind) -> QSize:
    """The usual size of a chart of such predictions [px]."""
    return LANES if kind in (Kind.TIME, Kind.NUMBER) else SIZE


class PenSlider(QuietSlider):
    """Left and Right move along the curve, Up and Down draw.

    Signals:
        lifted: (steps) the pen goes that many steps up.
    """

    lifted = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        steps = by.get(Qt.Key(event.key()))
        if steps is None:
            super().keyPressEvent(event)
        else:
            self.lifted.emit(steps)


class SketchInput(QWidget):
    """Draws a prediction; the state is the player's draft."""

    def __init__(self, player: LessonPlayer, paper: Paper) -> None:
        super().__init__()
        self._player, self.paper = player, paper
        kind = paper.prediction.kind
        name = {Kind.TIME: "Time", Kind.SLOPE: "Slope", Kind.CURVE: "Curve"}[kind]
        self.view = PredictionChart(f"{name} to draw", size_for(kind))
        self.view.drawable = True
        self.view.setCursor(Qt.CursorShape.CrossCursor)
        self.view.setMouseTracking(kind == Kind.SLOPE)
        self.view.pointed.connect(self._pointed)
        self.view.let_go.connect(self._let_go)
        self.reading = RoleLabel("", "strong")
        self.reading.setAccessibleName(f"{name} that you draw")
        self.reading.setMinimumWidth(round(READING * scale(self)))
        self.slider = self._slider()
        self.height_slider = QuietSlider(STEPS, "Value at this time", "The curve's value where the pen is")
        self.height_slider.valueChanged.connect(self._height_set)
        self._last: int | None = None
        self._fixed: tuple[float, float] | None = None
        self._turns = False
        self._level = 1.0
        self._before: Guess | None = None
        self._quiet = False
        row = QHBoxLayout()
        row.addWidget(self.slider, 1)
        row.addWidget(self.reading)
        column = bare(QVBoxLayout(self))
        column.addWidget(self.view)
        column.addWidget(RoleLabel(self._help(kind), "hint"))
        column.addLayout(row)
        if kind == Kind.CURVE:
            column.addWidget(self.height_slider)
        self.show_guess(player.course.draft)

    @property
    def refused(self) -> bool:
        """Every place on the paper can be meant."""
        return False

    @property
    def of_view(self) -> bool:
        """No scenario has an answer."""
        return True

    def remember(self) -> None:
        """The focus has come: Esc leads back to what is entered now."""
        self._before = self._player.course.draft

    def restore(self) -> None:
        """What was entered when the focus came, or nothing."""
        self._player.enter(self._before)

    def show_guess(self, guess: Guess | None) -> None:
        """Show what is entered."""
        groups = self._player.course.answer(self.paper.prediction).groups
        self._level = 1.0 if guess is None else self._level
        chart = prediction_chart(self.paper, self._shown(guess), None, groups, self._level)
        # The axes stay while the mouse draws a line, or it would be elsewhere on them at every move.
        self.view.show_chart(chart if self._fixed is None else replace(chart, view=self.view.chart.view))
        empty = guess is None and not groups
        self.view.advice = self._player.course.phrase(f"begin {self.paper.prediction.kind}") if empty else ""
        self._quiet = True
        kind = self.paper.prediction.kind
        text = self._player.course.phrase("not drawn") if guess is None else ""
        if guess is None and kind != Kind.CURVE:
            self.slider.setValue(STEPS // 2 if kind == Kind.SLOPE else 0)
        if kind == Kind.TIME and isinstance(guess, float):
            text = f"t = {reading(guess, 's')}"
            self.slider.setValue(round(STEPS * guess / self.paper.across[1]))
        elif kind == Kind.SLOPE and isinstance(guess, float):
            text = self._player.course.phrase("drawn slope", value=f"{guess:.2f}".replace("-", "−"))
            self.slider.setValue(round(STEPS * (guess + STEEPEST) / (2.0 * STEEPEST)))
        elif kind == Kind.CURVE:
            pen = self._pen
            value = self._curve(guess)[pen]
            low, high = self.paper.up
            self.height_slider.setValue(round(STEPS * (value - low) / (high - low)))
            text = f"{reading(float(self.paper.places[pen]), 's')}: {reading(value, self.paper.y.unit)}"
        self._quiet = False
        self.reading.setText(text)
        self.reading.setAccessibleDescription(text)
        for slider in (self.slider, self.height_slider):
            slider.say(text)

    @property
    def _pen(self) -> int:
        return round((POINTS - 1) * self.slider.value() / STEPS)

    def _slider(self) -> QuietSlider:
        kind = self.paper.prediction.kind
        name = {Kind.TIME: "Time", Kind.SLOPE: "Slope", Kind.CURVE: "Time of the pen"}[kind]
        slider = (PenSlider if kind == Kind.CURVE else QuietSlider)(STEPS, name, self._help(kind))
        if isinstance(slider, PenSlider):
            slider.lifted.connect(self._lift)
            slider.setSingleStep(round(STEPS / (POINTS - 1)))
        elif kind == Kind.SLOPE:
            slider.setValue(STEPS // 2)
            slider.setSingleStep(1)
        slider.valueChanged.connect(self._slid)
        return slider

    def _help(self, kind: Kind) -> str:
        return self._player.course.phrase(f"draw {kind}")

    def _shown(self, guess: Guess | None) -> Guess | None:
        """What is drawn before anything is entered: for a curve its beginning."""
        if guess is None and self.paper.prediction.kind == Kind.CURVE:
            return ((0.0, self.paper.start), (0.02 * self.paper.across[1], self.paper.start))
        return guess

    def _curve(self, guess: Guess | None) -> np.ndarray:
        """The values of a drawn curve at its points, (n,)."""
        if isinstance(guess, tuple) and len(guess) == POINTS:
            return np.array([point[1] for point in guess if isinstance(point, tuple)], float)
        return np.full(POINTS, self.paper.start)

    def _enter_curve(self, values: np.ndarray) -> None:
        points: Points = tuple(zip(self.paper.places.tolist(), np.clip(values, *self.paper.up).tolist(), strict=True))
        self._player.enter(points)

    def _pointed(self, x: float, y: float, begins: bool) -> None:
        kind = self.paper.prediction.kind
        if kind == Kind.TIME:
            self._player.enter(x)
        elif kind == Kind.SLOPE:
            self._draw_line((x, y), begins)
        else:
            here = int(np.abs(self.paper.places - x).argmin())
            first = here if begins or self._last is None else self._last
            self._last = here
            values = self._curve(self._player.course.draft)
            level = float(values[first])
            self._draw_on(y, here)
            if first != here:
                values = self._curve(self._player.course.draft)
                low, high = sorted((first, here))
                ends = (level, y) if first < here else (y, level)
                values[low : high + 1] = np.linspace(*ends, high - low + 1)
                self._enter_curve(values)

    def _draw_line(self, here: tuple[float, float], begins: bool) -> None:
        """The line goes from where the stroke began, or from the end that is not taken, to the mouse."""
        guess = self._player.course.draft
        if begins or self._fixed is None:
            near, self._fixed = self.view.end_near(self.view.spot_of(*here)), here
            self._turns = near is not None and isinstance(guess, float)
            if near is not None and isinstance(guess, float):
                x, y = self.paper.line(guess, self._level)
                self._fixed = float(x[1 - near]), float(y[1 - near])
            return
        length = QLineF(self.view.spot_of(*self._fixed), self.view.spot_of(*here)).length()
        if self._turns or length >= QApplication.startDragDistance():
            slope, self._level = self.paper.line_through(self._fixed, here)
            self._player.enter(slope)
            self.show_guess(slope)  # also where only its place is another one

    def _let_go(self) -> None:
        self._fixed = None
        self.show_guess(self._player.course.draft)

    def _slid(self, value: int) -> None:
        if self._quiet:
            return
        kind, share = self.paper.prediction.kind, value / STEPS
        if kind == Kind.TIME:
            self._player.enter(share * self.paper.across[1])
        elif kind == Kind.SLOPE:
            self._player.enter(round(STEEPEST * (2.0 * share - 1.0), 2))
        else:
            self._last = None
            self.show_guess(self._player.course.draft)

    def _height_set(self, value: int) -> None:
        if not self._quiet:
            low, high = self.paper.up
            self._draw_on(low + (high - low) * value / STEPS)

    def _lift(self, steps: int) -> None:
        low, high = self.paper.up
        self._draw_on(float(self._curve(self._player.course.draft)[self._pen]) + steps * (high - low) / 40.0)

    def _draw_on(self, value: float, pen: int | None = None) -> None:
        """The curve has this value at the pen; what follows comes along as long as nothing was drawn there."""
        pen, values = self._pen if pen is None else pen, self._curve(self._player.course.draft)
        untouched = bool((values[pen:] == values[pen]).all())
        values[pen : None if untouched else pen + 1] = value
        self._enter_curve(values)
