"""What time plots and plane plots share: a title, a legend with values at the playhead, the curves, a menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QPalette, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.app.units import Unit
from gui.qt.plots.axis import AXIS_WIDTH, TimeAxis, ValueAxis
from gui.qt.plots.data import failed
from gui.qt.plots.legend import Entry, Legend
from gui.qt.plots.pens import grid_pen, quiet_text, run_pen
from gui.qt.plots.view import PlotView
from gui.qt.style import icons
from gui.qt.widgets.quiet import ElidedLabel, QuietComboBox, RoleLabel, on_ground, scale

Array = NDArray[np.float64]
ANTIALIAS_LIMIT = 20_000


@dataclass(frozen=True, eq=False, slots=True)
class Trace:
    """One curve as a plot keeps it: its full data in shown units, and how it is drawn.

    Attributes:
        x, y: (n,) each; NaN breaks nothing, such points are left out.
        pen: colour, dash and width.
        name: what the legend calls it ("q1"); the CSV's column.
        run: the run's label.
        symbol: draw single points with this pyqtgraph symbol instead of a line.
        legend: whether the legend shows it (the current run's curves).
        wild: it belongs to a run that failed, whose last values must not squash the others.
    """

    x: Array
    y: Array
    pen: QPen
    name: str
    run: str = ""
    symbol: str = ""
    legend: bool = True
    wild: bool = False


class Plot(QWidget):
    """What every plot has. A subclass says what its curves are (`traces`) and how they are looked at.

    Class attributes:
        key, title, order: the registry's name, what a person reads, the place in the stack.
        default: whether it is shown at first.
        tall: worth more height than the others.
        special: only for robots that name it in their `plots`.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 0
    default: ClassVar[bool] = False
    tall: ClassVar[bool] = False
    special: ClassVar[bool] = False

    hide_asked = Signal()

    def __init__(self, session: Any, parent: QWidget | None = None, *, logarithmic: bool = False) -> None:
        super().__init__(parent)
        self.session = session
        self.shown: list[Trace] = []
        self.variant = self.chosen = ""
        self.items: list[pg.GraphicsObject] = []
        self._stale = True
        self._drawn: object = None
        self._disconnect: list[Callable[[], None]] = []
        self.value_axis = ValueAxis(logarithmic=logarithmic)
        self.across_axis = TimeAxis()
        self.area = self._make_area()
        self.widget = pg.PlotWidget(
            viewBox=self.area, axisItems={"left": self.value_axis, "bottom": self.across_axis}, enableMenu=False
        )
        self.widget.getPlotItem().hideButtons()
        self.widget.getPlotItem().setContentsMargins(0, 4, 14, 0)
        self.widget.setFrameShape(QFrame.Shape.NoFrame)
        self.widget.setAccessibleName(self.title)
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
        self._restyle()
        self._listen()

    @classmethod
    def suits(cls, robot: Any) -> bool:
        """Whether the plot can say something of such a robot."""
        named = cls.key in robot.plots
        return named or not (cls.special or (robot.plots and cls.default))

    # -- for subclasses ------------------------------------------------------------------------------------------------

    def traces(self) -> list[Trace]:
        """The curves of the visible runs, in shown units."""
        raise NotImplementedError

    def heading(self) -> str:
        """The title above the plot; empty where the choice of the variant says it all."""
        return self.title

    def titles(self) -> tuple[str, str]:
        """The titles of the axis across and the axis up, with units."""
        raise NotImplementedError

    def explanation(self) -> str:
        """One phrase that says exactly what is shown (against what an error is measured)."""
        return ""

    def emptiness(self) -> str:
        """What to write when there is nothing to draw."""
        return "Nothing to show yet"

    def variants(self) -> list[tuple[str, str]]:
        """(key, name) of the views that this plot switches between; empty for a single one."""
        return []

    def draw(self) -> None:
        """Put `self.shown` into the drawing area."""
        raise NotImplementedError

    def move_cursor(self, t: float) -> None:
        """Show the playhead."""
        raise NotImplementedError

    def show_whole(self) -> None:
        """Show all data."""
        raise NotImplementedError

    def _make_area(self) -> PlotView:
        return PlotView()

    def visible_rows(self) -> list[Any]:
        """The runs to draw, the current one first."""
        return [row for row in self.session.runs.all if row.visible]

    def unit(self, si_unit: str) -> Unit:
        """How a quantity is shown here; angles in degrees or radians, as the person likes."""
        return Unit.of(si_unit, self.session.view.settings.degrees)

    def trace(self, row: Any, x: Array, y: Array, **how: Any) -> Trace:
        """A curve of the run `row`, in the run's colour and dash unless `how` (attributes of Trace) says otherwise."""
        usual = {
            "pen": run_pen(on_ground(row.colour, self.palette()), row.dash),
            "name": row.label,
            "run": row.label,
            "legend": row is self.session.runs.current,
            "wild": row.run is not None and failed(row.run),
        }
        return Trace(x, y, **{**usual, **how})

    # -- upkeep --------------------------------------------------------------------------------------------------------

    def refresh(self, *_: object) -> None:
        """Draw anew soon if what is drawn changed: once for several calls in a row, a hidden plot when it is seen."""
        state = self._state()
        if state == self._drawn:
            return
        self._drawn, self._stale = state, True
        if self.isVisible():
            self._later.start()

    def update_now(self) -> None:
        """Draw anew at once."""
        self._stale = False
        self._show_variants()
        self.name.setText(self.heading())
        self.name.setVisible(bool(self.heading()))
        self.shown = self.traces()
        self.hint.setText(self.explanation())
        empty = not any(trace.x.size for trace in self.shown)
        self.message.setText(self.emptiness() if empty else "")
        self.message.setVisible(empty)
        self.value_axis.setStyle(showValues=not empty)
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
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "widget"):
            self._restyle()
            self.refresh()

    def release(self) -> None:
        """Stop listening to the session."""
        while self._disconnect:
            self._disconnect.pop()()

    def _state(self) -> object:
        """Everything that the curves depend on; progress reports change none of it."""
        rows = [(row.id, row.run, row.reference, row.visible, row.reference_state) for row in self.session.runs.all]
        return rows, self.session.view.settings.degrees, self.variant, self.palette().cacheKey(), self.font().key()

    def _listen(self) -> None:
        session = self.session
        self._disconnect = [
            session.runs.changed.connect(self.refresh),
            session.runs.updated.connect(self.refresh),
            session.view.changed.connect(self.refresh),
            session.playback.moved.connect(self._playhead),
        ]

    def _playhead(self, t: float) -> None:
        if self.isVisible() and not self._stale:
            self.move_cursor(t)

    # -- looks ---------------------------------------------------------------------------------------------------------

    def _make_header(self) -> QHBoxLayout:
        header = QHBoxLayout()
        header.setContentsMargins(6, 2, 4, 0)
        header.setSpacing(8)
        self.name = RoleLabel(self.title, "strong")
        self.hint = ElidedLabel("", "hint")
        self.legend = Legend()
        self.choice = QuietComboBox()
        self.choice.setAccessibleName(f"{self.title}: what is shown")
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
        self.more.setAccessibleName(f"{self.title}: menu")
        self.more.setToolTip("Show everything, copy, save, hide")
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

    def _restyle(self) -> None:
        palette, small = self.palette(), self.small_font()
        self.widget.setBackground(palette.color(QPalette.ColorRole.Base))
        self.value_axis.setWidth(round(AXIS_WIDTH * scale(self)))
        for axis in (self.value_axis, self.across_axis):
            axis.setPen(grid_pen(palette))
            axis.setTextPen(quiet_text(palette))
            axis.setStyle(tickFont=small)
            if axis.label is not None:
                axis.label.setFont(small)
            axis.setTickPen(grid_pen(palette))

    def _show_variants(self) -> None:
        wanted = self.variants()
        present = [(self.choice.itemData(index), self.choice.itemText(index)) for index in range(self.choice.count())]
        if wanted != present:
            self.choice.clear()
            for key, name in wanted:
                self.choice.addItem(name, key)
        keys = [key for key, _ in wanted]
        # The first one, which may come later than others, until a person has chosen.
        self.variant = self.chosen if self.chosen in keys else keys[0] if keys else ""
        self.choice.show_data(self.variant)
        self.choice.setVisible(len(wanted) > 1)

    def _choose(self, key: str) -> None:
        self.variant = self.chosen = key
        self.refresh()

    # -- menu ----------------------------------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """The menu of the plot."""
        from gui.qt.plots.save import copy_data, save_data, save_picture

        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show everything", self.show_whole)
        menu.addSeparator()
        menu.addAction("Copy data", lambda: copy_data(self))
        menu.addAction("Save data…", lambda: save_data(self))
        menu.addAction("Save picture…", lambda: save_picture(self))
        menu.addSeparator()
        menu.addAction("Hide this plot", self.hide_asked.emit)
        return menu

    def entries(self, values: list[str]) -> tuple[Entry, ...]:
        """The legend's entries for the curves that it shows, with one value text each."""
        shown = [trace for trace in self.shown if trace.legend]
        return tuple(Entry(trace.pen, trace.name, value) for trace, value in zip(shown, values, strict=True))
