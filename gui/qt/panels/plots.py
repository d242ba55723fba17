"""The dock "Plots": the chosen plots, stacked, with one time range and one cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMenu, QSplitter, QToolButton, QVBoxLayout, QWidget

from gui.qt.style.change import type_changed
from gui.qt.widgets.parts import add_tick, bare, quiet_button
from gui.qt.widgets.quiet import RoleLabel, scale
from gui.qt.widgets.scroll import Scroll
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands import tab_order
from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.charts.plot import Plot
    from gui.qt.plots.plot import PlotWidget

FEW = 4
LEAST_HEIGHT, SHORT_HEIGHT, USUAL_HEIGHT, TALL_HEIGHT = 44, 67, 100, 190
AXIS_ROOM, LOW_AXIS_ROOM = 28, 19
"""How much higher the plot with the time's numbers and title is, and in a low panel the one with the numbers [px]."""

LEAST_FOR_AUDIENCE = 62
"""Height of the curves of a plot that is read from the last row, in usual type [px]."""

MOST_HEIGHT = 2**24 - 1
"""Of a widget of any height, Qt's QWIDGETSIZE_MAX [px]."""

TWO_NUMBERS = 38
"""The least height of a plot whose value axis has two numbers, in usual type [px]."""

AIR = 12
"""Above and below the sentence of a plot without curves [px]."""

LAYOUT_MS = 50
"""A new plot has its place by then."""

LOW, LOWEST = 420, 300
"""In a panel of less height, in usual type [px], the time has numbers and no title; below the second it has no numbers
either: the timeline has them, too, and the curves need the room more."""


class PlotsPanel(QWidget):
    """Plots are made when the dock is first seen, each when a robot first suits it: until then they cost nothing.

    Attributes:
        tools: what the dock's title bar has room for.
        menu: ticks the plots that are shown.
        area: what scrolls.
        brief: whether an audience looks at it: a plot without curves is only as high as what says why, and
            there are only as many plots as can be read from afar.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.plots: dict[str, PlotWidget] = {}
        self.known: dict[str, Plot] = {}
        self.shown: list[str] = []
        self.brief = False
        self._lacking = False, False, 0.0
        self._in_view: list[str] = []
        self._wanted = ""
        self._laid_out = QTimer(self, singleShot=True, interval=LAYOUT_MS)
        self._laid_out.timeout.connect(self._scroll_to_wanted)
        self._room_checked = QTimer(self, singleShot=True, interval=LAYOUT_MS)
        self._room_checked.timeout.connect(self._follow_room)
        self.stack = QSplitter(Qt.Orientation.Vertical)
        self.stack.setChildrenCollapsible(False)
        self.stack.installEventFilter(self)
        self._handle = self.stack.handleWidth()
        self.empty = RoleLabel("No plots are shown. Pick some with “Choose plots”.", "hint")
        self.empty.hide()
        self.chooser = quiet_button("Choose which plots are shown", text="Choose plots", icon="down")
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chooser.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.menu = QMenu("Choose plots", self)
        self.menu.aboutToShow.connect(self.build)
        self.tools = (self.chooser,)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.known:
            QTimer.singleShot(0, self.build)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_room()
        self._shorten_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.stack and event.type() == QEvent.Type.LayoutRequest and not self._room_checked.isActive():
            # A legend has other lines now: values grow while the playhead moves.
            self._room_checked.start()
        return super().eventFilter(watched, event)

    def _follow_room(self) -> None:
        """Arrange the plots again where the height of the panel, or of their legends, now leaves more room or less."""
        if self.plots and (self._lacking, self._in_view) != (self._lacks(), self._readable()):
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if getattr(self, "plots", None) and type_changed(self, event):
            self._arrange()

    def build(self) -> None:
        """Make the plots that the view has, at first the usual ones."""
        if self.known:
            return
        from gui.charts.registry import plots

        self.known = plots()
        menu = self.menu
        for key, plot in self.known.items():
            action = add_tick(menu, plot.title, False, partial(self.set_shown, key), several=True)
            action.setData(key)
        menu.addSeparator()
        menu.addAction("Usual plots", self.session.view.show_usual_plots)
        self.chooser.setMenu(menu)
        for signal in (self.session.scenario_changed, self.session.view.changed):
            subscribe(self, signal, self._follow)
        # A plot may be drawn for the last time before its run's state says that nothing more will come.
        subscribe(self, self.session.runs.updated, self._shorten_all)
        self._follow()

    def _shorten_all(self, *_: object) -> None:
        """Shorten those that show the present runs: a hidden one holds no curves, whatever it would show."""
        for plot in self.plots.values():
            if plot.settled:
                self._shorten(plot)

    def set_shown(self, key: str, shown: bool) -> None:
        """Show the plot of that key, where it can be seen, or hide it."""
        from gui.charts.registry import chosen_plots, with_plot

        view = self.session.view
        if shown != (key in chosen_plots(view.settings)):
            view.set(plots=with_plot(view.settings, key, shown))
        if shown:
            self._wanted = key
            self._laid_out.start()

    def _scroll_to_wanted(self) -> None:
        if (plot := self.plots.get(self._wanted)) is not None:
            focus = QApplication.focusWidget()
            if focus is not None and self.isAncestorOf(focus):
                # Keys such as that which enlarges are for the plot that was asked for.
                tab_order.arrive(plot.widget)
            self.area.ensureWidgetVisible(plot, 0, 0)

    def show_whole(self) -> None:
        """Reset zoom in every plot."""
        for plot in self.plots.values():
            plot.show_whole()

    def _follow(self) -> None:
        """Show of the chosen plots those that say something of the robot at hand."""
        from gui.charts.registry import chosen_plots
        from robots.model.registry import robot_of

        robot = robot_of(self.session.scenario)
        chosen = chosen_plots(self.session.view.settings)
        for action in filter(QAction.isCheckable, self.menu.actions()):
            action.setChecked(action.data() in chosen)
            action.setVisible(self.known[action.data()].suits(robot))
        shown = [key for key in chosen if self.known[key].suits(robot)]
        for key in [key for key in self.plots if key not in chosen]:
            plot = self.plots.pop(key)
            plot.release()
            plot.hide()
            plot.setParent(None)
            plot.deleteLater()
        if shown != self.shown or not self.plots:
            self.shown = shown
            self._arrange()

    def _add(self, key: str) -> None:
        from gui.qt.plots.enlarged import plot_widget

        plot = plot_widget(self.session, key)
        plot.hide_asked.connect(lambda: self.set_shown(key, False))
        plot.redrawn.connect(partial(self._shorten, plot))
        order = list(self.known)
        place = sum(order.index(other) < order.index(key) for other in self.plots)
        self.plots[key] = plot
        self.stack.insertWidget(place, plot)

    def _arrange(self) -> None:
        """Make what is missing. Few plots share the height, many scroll; only the lowest time plot names the axis."""
        from gui.qt.plots.time_plot import TimePlot

        for key in self.shown:
            if key not in self.plots:
                self._add(key)
        low, lowest, least = self._lacking = self._lacks()
        self._in_view = self._readable()
        self.stack.setHandleWidth(2 if low else self._handle)
        for key, plot in self.plots.items():
            plot.setVisible(key in self._in_view)
        timed = [plot for key in self._in_view if isinstance(plot := self.plots[key], TimePlot)]
        last = next(reversed([plot for plot in timed if not self._is_brief(plot)] or timed), None)
        numbered = None if lowest else last
        for plot in timed:
            plot.show_across_title(plot is numbered, not low)
        least = max(least, TWO_NUMBERS * scale(self))
        for plot in self.plots.values():
            axis = (LOW_AXIS_ROOM if low else AXIS_ROOM) * scale(self) if plot is numbered else 0
            # Curves need as much room in large type as in small; numbers need more.
            height = TALL_HEIGHT + AXIS_ROOM * (scale(self) - 1.0) if plot.plot.plane else least + axis
            plot.widget.setMinimumHeight(0 if self._is_brief(plot) else round(height))
        self.empty.setVisible(not self.shown)
        self._share()

    def _lacks(self) -> tuple[bool, bool, float]:
        """Whether there is no room for the title of the time, and none for its numbers; and how high curves are [px].

        What the legends leave is shared, for the sake of few plots down to little; more than that scroll.
        """
        low, lowest = (self.height() < limit * scale(self) for limit in (LOW, LOWEST))
        plots = [self.plots[key] for key in self._readable() if key in self.plots]
        planes = sum(plot.plot.plane for plot in plots)
        axis = 0 if lowest else LOW_AXIS_ROOM if low else AXIS_ROOM
        room = self.height() - axis * scale(self) - planes * TALL_HEIGHT
        room -= sum(plot.header.sizeHint().height() + self.stack.handleWidth() for plot in plots)
        share = room / max(len(plots) - planes, 1)
        if len(plots) > FEW and share < SHORT_HEIGHT:
            return low, lowest, USUAL_HEIGHT
        most = LEAST_FOR_AUDIENCE * scale(self) if self.brief else SHORT_HEIGHT
        return low, lowest, min(max(share, LEAST_HEIGHT), most)

    def _readable(self) -> list[str]:
        """The plots that there is room for: all, which scroll, or for an audience the first ones."""
        if not self.brief:
            return self.shown
        keys: list[str] = []
        room = self.height() - AXIS_ROOM * scale(self)
        for key in self.shown:
            if (plot := self.plots.get(key)) is None:
                continue
            curves = TALL_HEIGHT if plot.plot.plane else LEAST_FOR_AUDIENCE * scale(self)
            high = plot.header.sizeHint().height() + self.stack.handleWidth() + curves
            room -= plot.maximumHeight() if self._is_brief(plot) else high
            if keys and room < 0:
                break
            keys.append(key)
        return keys

    @staticmethod
    def _is_brief(plot: PlotWidget) -> bool:
        return plot.maximumHeight() < MOST_HEIGHT

    def _shorten(self, plot: PlotWidget) -> None:
        """Give the room of a plot that has no curves of the present run to the others, or back to it."""
        row = self.session.runs.current
        if not self.brief or row.state not in ("done", "failed") or row.reference_state == "computing":
            return
        most = MOST_HEIGHT
        if plot.whole.blank:
            room = self.width() - round(plot.value_axis.width()) - 2 * AIR
            # Where its name has beside it why there are no curves, that is enough.
            said = 0 if plot.whole.note else plot.message.heightForWidth(room)
            most = plot.header.sizeHint().height() + said + AIR * bool(said)
        plot.widget.setVisible(not (plot.whole.blank and plot.whole.note))
        if most != plot.maximumHeight():
            plot.setMaximumHeight(most)
            self._arrange()

    def _share(self) -> None:
        """Share the height before an audience again: Qt gives a plot that comes back what the others leave."""
        if self.brief:
            there = [self.stack.widget(place) for place in range(self.stack.count())]
            self.stack.setSizes([min(one.maximumHeight(), self.height()) for one in there])

    def _lay_out(self) -> None:
        self.area = area = Scroll("Plots", "One plot below the other; the arrows scroll")
        area.setWidget(self.stack)
        subscribe(area, self.session.files.opened, area.scroll_to_top)
        column = bare(QVBoxLayout(self), 0)
        column.addWidget(self.empty)
        column.addWidget(area, 1)


PANEL = Panel("plots", "Plots", "right", 10, PlotsPanel)
