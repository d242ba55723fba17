"""The common part of time plots and plane plots in the window: header with legend, drawing area, updates, menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from gui.app.lessons.levels import shown_levels
from gui.app.runs import visible_runs
from gui.app.session.session import Session
from gui.app.units import reading
from gui.charts import fit
from gui.charts.choice import PlotChoice
from gui.charts.figure_style import FigureStyle
from gui.charts.plot import Plot
from gui.charts.registry import chosen_plots
from gui.charts.shown import Shown
from gui.charts.summary import summary
from gui.charts.table import table_text
from gui.qt.drawing.charts_page import ChartsPage, PagePanel, page_of_chart
from gui.qt.drawing.legend import entries_of
from gui.qt.drawing.style import Style, typed_style
from gui.qt.plots.area import PlotArea
from gui.qt.plots.axes_view import MARGINS, AxesView
from gui.qt.plots.axis import AXIS_WIDTH, BESIDE_NAMES, PlotAxis
from gui.qt.plots.curve_menu import CurveMenu
from gui.qt.plots.header import PARTED, PlotHeader
from gui.qt.plots.save import Charted, add_exports
from gui.qt.style.change import look_changed
from gui.qt.style.curtain import Behind
from gui.qt.style.theme import look
from gui.qt.widgets.parts import add_tick, bare, passing_menu
from gui.qt.widgets.quiet import RoleLabel, scale
from gui.qt.window.bridge import Pulse, Soon
from robots.model.chart import Chart, CurveKey

SHARE_OF_NAMES = 0.25
"""The most of an enlarged plot's width that the names beside it take."""


class PlotWidget(QWidget):
    """A plot of the shown runs, kept up to date. A subclass draws `self.chart`.

    Args:
        session: whose runs are shown.
        plot: makes the chart of them.
    """

    hide_asked, redrawn = Signal(), Signal()

    def __init__(self, session: Session, plot: Plot) -> None:
        super().__init__()
        self.session, self.plot = session, plot
        self.chart = self.whole = Chart(plot.title)
        self.points: list[fit.Points] = []
        self._own = PlotChoice(plot.key)
        self.names_every_run = False
        self.items: list[pg.GraphicsObject] = []
        self.style_now: Style = typed_style(look().theme.name, look().larger)
        self._stale, self._before_click = True, 0.0
        self._drawn: object = None
        self._pulse = Pulse(self._catch_up, self)
        self._disconnect: list[Callable[[], None]] = []
        ends = self._disconnect
        self.destroyed.connect(lambda *_: [ends.pop()() for _ in range(len(ends))])
        self.value_axis, self.across_axis = PlotAxis("left"), PlotAxis("bottom")
        self.area = PlotArea(pans_upright=plot.plane)
        self.widget = AxesView(self.area, self.value_axis, self.across_axis)
        self.area.follow(self.widget.fingers, lambda at: self.widget.mapToScene(at.toPoint()))
        self.widget.describe(plot.title, lambda: summary(self.whole, session.playback.t, self.sides))
        self.header = PlotHeader(plot.title)
        self.legend = self.header.legend
        self.message = RoleLabel("", "hint", self.widget)
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = bare(QVBoxLayout(self), 0)
        column.addWidget(self.header)
        column.addWidget(self.widget, 1)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._soon, self._behind = Soon(self.update_now, self), Behind(self)
        self._behind.changed.connect(self._draw_soon)
        self.area.sigResized.connect(self._place_message)
        self.area.menu_asked.connect(lambda place: self.menu().popup(QPoint(int(place.x()), int(place.y()))))
        self.area.clicked.connect(self._note_time)
        self.area.enlarge_asked.connect(self._double_clicked)
        self.value_axis.clicked.connect(self.change_scale)
        # A logarithmic axis suits sizes; signed values would lose those below zero.
        self.header.variants.chosen.connect(lambda key: self.choose(variant=key, scale=""))
        self.header.legend.toggled.connect(self.hide_or_show)
        self.header.enlarge_asked.connect(self.enlarge)
        self.header.reset.clicked.connect(self.show_whole)
        self.header.more.clicked.connect(self.open_menu)
        self.widget.menu_key.connect(self.open_menu)
        self.widget.zoom_key.connect(lambda factor: self.area.zoom(factor, session.playback.t))

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

    def show_across_title(self, shown: bool, named: bool = True) -> None:
        """Write the numbers of the horizontal axis and its name, or leave that to another plot below."""

    def zoomed(self) -> bool:
        """Whether a person fixed a range by hand."""
        raise NotImplementedError

    def outside(self, t: float) -> str:
        """Which marks lie outside the picture, in words."""
        return ""

    @property
    def sides(self) -> tuple[fit.Range, fit.Range] | None:
        """The shown part of both axes of a plane, in positions on them; None for one over time."""
        return None

    def forget(self) -> None:
        """Be as at first, because another scenario was opened."""
        self._own = PlotChoice(self.plot.key)
        self.show_whole()

    def show_values(self, t: float, whole: Chart | None = None) -> None:
        """Let the legend name the curves, with their values at the playhead, or with what `whole` has there."""
        # In a plane curves have no values, and without names nothing would be said of them.
        plane, shown = self.plot.plane, partial(entries_of, whole or self.whole, self.style_now, t, ghosts=True)
        mark = None if plane else self.session.time_range.mark
        self.header.show_entries(
            shown(hidden=self.hidden, mark=mark, every=plane or self.names_every_run),
            shown(hidden=self.hidden, mark=mark, every=plane, runs=plane),
        )
        span = "" if mark is None else f"Δt = {reading(t - mark, 's', 4)}"
        said = self.chart.in_full if self.header.roomy else self.chart.note
        self.header.show_hint(PARTED.join(filter(None, (span, self.outside(t), said))))
        self.header.show_reset(self.zoomed() and not self.chart.blank)

    def title_values(self, *_: object) -> None:
        """The value axis' title; its unit if there is no room for more, nothing where that is too long, too."""
        axis, label = self.chart.y, self.value_axis.label
        room, measure = self.area.height() - 12, QFontMetricsF(label.font()).horizontalAdvance
        titles = axis.label, f"[{axis.unit}]" if axis.unit else ""
        titles = () if self.chart.bare or self.chart.blank else titles
        fitting = (title for title in titles if measure(title) <= room)
        part = *self.area.viewRange()[1], self.area.height()
        text = next((title for title in fitting if not self.value_axis.crowded(*part, title)), "")
        if text != self.value_axis.labelText:
            self.value_axis.setLabel(text)
        self.value_axis.resizeEvent()  # which puts the new text into the middle

    def _fit_axis(self) -> None:
        self.value_axis.setWidth(round(self._axis_width()))

    def _axis_width(self) -> float:
        """One width for all plots, which stand in line; names beside an enlarged one have the room that they need."""
        width, measure = AXIS_WIDTH * scale(self), QFontMetricsF(self.small_font()).horizontalAdvance
        names = self.chart.y.names if self.names_every_run else ()
        widest = max(map(measure, names), default=0.0) + BESIDE_NAMES
        return max(width, min(widest, SHARE_OF_NAMES * self.width()))

    # -- upkeep --------------------------------------------------------------------------------------------------------

    @property
    def settled(self) -> bool:
        """Whether it shows the present runs."""
        return not self._stale and not self._soon.pending

    def refresh(self, *_: object) -> None:
        """Draw soon if something changed: once for several calls in a row; a hidden plot once it can be seen."""
        state = self._state()
        if state == self._drawn:
            return
        self._drawn, self._stale = state, True
        if self.isVisible():
            self._draw_soon()
        else:
            # Until it is visible again, it keeps no curves of a run that may be gone.
            self._empty()

    def _draw_soon(self) -> None:
        if self._stale and not self._behind.covered:
            self._soon()

    def _empty(self) -> None:
        self.chart = self.whole = Chart(self.plot.title)
        self.points = []

    def update_now(self) -> None:
        """Draw at once."""
        self._stale = False
        degrees, levels = self.session.view.settings.degrees, shown_levels(self.session.lessons)
        shown = Shown.of(self.session.runs.all, degrees=degrees, levels=levels)
        self.whole = self.plot.drawn(shown, self.choice)
        self.chart = chart = self.whole.without(self.hidden)
        self.points = [fit.placed(chart, curve) for curve in chart.curves]
        self.header.show_chart(self.whole)
        self.message.setText(chart.empty or "Nothing to show yet" if chart.blank else "")
        self.message.setVisible(chart.blank)
        self._place_message()
        self.value_axis.kind, self.across_axis.kind = chart.y, chart.x
        self.value_axis.invite(self.whole.scalable)
        self.value_axis.setStyle(showValues=not chart.blank)
        self.draw()
        self.move_cursor(self.session.playback.t)
        self.redrawn.emit()

    def _place_message(self) -> None:
        """In the drawing area, or across the whole width where it needs that, and only then over numbers below."""
        beside, above = round(MARGINS[0] + self.value_axis.width()) + 2, round(self.across_axis.height()) + 6
        for left, bottom in ((beside, above), (4, above), (4, 2)):
            room = self.widget.rect().adjusted(left, 2, -round(MARGINS[2]), -bottom)
            if self.message.heightForWidth(room.width()) <= room.height():
                break
        self.message.setGeometry(room)
        # Where it needs the room of the axes, their lines do not run through it.
        numbers = self.across_axis.style["showValues"] and bottom == above  # type: ignore[index]
        for axis, kept in ((self.value_axis, left == beside), (self.across_axis, left == beside or numbers)):
            axis.setOpacity(1.0 if kept or not self.chart.blank else 0.0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self.update_now()
        else:
            self.move_cursor(self.session.playback.t)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header.follow_height()
        self._place_message()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if getattr(self, "_disconnect", None) and look_changed(self, event):
            self.restyle()
            self.refresh()
            if self.isVisible():
                self._soon()

    def listen(self) -> None:
        """Follow the session from now on."""
        session = self.session
        self._disconnect += [
            session.runs.changed.connect(self.refresh),
            session.runs.updated.connect(self.refresh),
            session.view.changed.connect(self.refresh),
            session.playback.moved.connect(self._playhead),
            session.files.opened.connect(self.forget),
        ]
        self.restyle()

    def release(self) -> None:
        """Stop listening to the session, and keep nothing of its runs."""
        while self._disconnect:
            self._disconnect.pop()()
        self._drawn = None
        self._empty()

    def _state(self) -> object:
        """Everything that the curves depend on; progress reports change none of it."""
        runs = self.session.runs.all
        rows = [(row.run, row.reference, row.reference_state, row.ensemble, row.ensemble_message) for row in runs]
        if self.plot.verdict:
            rows = [(*row, one.judged) for row, one in zip(rows, runs, strict=True)]
        looks = [(row.id, row.visible, row.slot, row.label, row.superseded) for row in runs]
        view = self.session.view.settings.degrees, self.choice, self.hidden, shown_levels(self.session.lessons)
        return rows, looks, view, look().theme.name, self.font().key()

    def _playhead(self, t: float) -> None:
        """What the run is asked for at the playhead follows at once, and then a few times a second while that moves."""
        self._pulse(slow=any(curve.live is not None for curve in self.chart.curves))

    def _catch_up(self) -> None:
        if self.isVisible() and not self._stale:
            self.move_cursor(self.session.playback.t)

    # -- looks ---------------------------------------------------------------------------------------------------------

    def small_font(self) -> QFont:
        """The font of axes and of names inside the plot."""
        small = QFont(self.font())
        small.setPixelSize(max(9, self.fontInfo().pixelSize() - 2))
        return small

    def restyle(self) -> None:
        """Take the theme's colours."""
        self.style_now = typed_style(look().theme.name, look().larger)
        self.widget.setBackground(self.style_now.colour("surface"))
        self._fit_axis()
        for axis in (self.value_axis, self.across_axis):
            axis.show_style(self.style_now, self.small_font())

    # -- what is chosen ------------------------------------------------------------------------------------------------

    @property
    def choice(self) -> PlotChoice:
        """Which of its charts a person looks at; a plot that the view does not have remembers it itself."""
        return chosen_plots(self.session.view.settings).get(self.plot.key, self._own)

    @property
    def hidden(self) -> frozenset[CurveKey]:
        """The curves that a person hid, here or in the same plot enlarged."""
        return self.session.view.hidden.get(self.plot.key, frozenset())

    def choose(self, **values: str) -> None:
        """Look at another variant or scale."""
        self._own = replace(self.choice, **values)
        chosen = chosen_plots(self.session.view.settings)
        if self.plot.key in chosen:
            chosen[self.plot.key] = self._own
            self.session.view.set(plots=[choice.text for choice in chosen.values()])
        self.refresh()

    def change_scale(self) -> None:
        """Make the vertical axis logarithmic, or linear again."""
        if self.whole.scalable:
            self.choose(scale="linear" if self.chart.y.log else "log")

    def hide_or_show(self, curves: Iterable[CurveKey]) -> None:
        """Hide curves, or show them again if all are hidden."""
        some = set(curves)
        self.hide_only(self.hidden - some if some <= self.hidden else self.hidden | some)

    def hide_only(self, curves: Iterable[CurveKey]) -> None:
        """Hide these curves, and show all others."""
        self.session.view.hide_curves(self.plot.key, curves)
        self.refresh()

    def enlarge(self) -> None:
        """Fill the middle of the window with this plot; where it does so, give it back."""
        view = self.session.view
        view.set(enlarged="" if view.settings.enlarged == self.plot.key else self.plot.key)

    def _note_time(self) -> None:
        self._before_click = self.session.playback.t

    def _double_clicked(self) -> None:
        """Enlarge, at the time that the first of the two clicks has left."""
        self.session.playback.seek(self._before_click)
        self.enlarge()

    # -- menu ----------------------------------------------------------------------------------------------------------

    def page(self, style: FigureStyle) -> ChartsPage:
        """The plot as it is shown, as a page for files."""
        across, up = (tuple(ends) for ends in self.area.viewRange())
        return page_of_chart(PagePanel(self.chart, across, up), style, visible_runs(self.session.runs.all))

    @property
    def charted(self) -> Charted:
        """The plot for files."""
        from gui.qt.export.inside import embedded

        return Charted(
            self.plot.key,
            self.page,
            lambda: table_text(self.chart),
            lambda: embedded(visible_runs(self.session.runs.all)),
        )

    def add_to(self, menu: QMenu) -> None:
        """Add what this kind of plot can do besides."""

    def open_menu(self) -> None:
        """Open the menu below its button."""
        button = self.header.more
        self.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """The menu of the plot."""
        menu = passing_menu(self)
        enlarged = self.session.view.settings.enlarged == self.plot.key
        menu.addAction("Back to its place" if enlarged else "Enlarge", self.enlarge)
        menu.addAction("Reset zoom", self.show_whole).setEnabled(not self.header.reset.isHidden())
        self.add_to(menu)
        log = add_tick(menu, "Logarithmic axis", self.chart.y.log, lambda _: self.change_scale())
        log.setEnabled(self.whole.scalable)
        menu.addMenu(CurveMenu(self.legend.entries, self.hide_or_show, self.hide_only, menu))
        menu.addSeparator()
        add_exports(menu, self, self.charted)
        menu.addSeparator()
        menu.addAction("Hide this plot", self.hide_asked.emit)
        return menu
