"""The dock "Plots": the chosen plots, stacked, with one time range and one cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QSplitter, QToolButton, QVBoxLayout, QWidget

from gui.qt.style import icons
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.window.bridge import subscribe
from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.charts.plot import Plot
    from gui.qt.plots.plot import PlotWidget
    from gui.qt.plots.time_range import TimeRange

SETTING = "plots.shown"
FEW = 4
LEAST_HEIGHT, USUAL_HEIGHT, TALL_HEIGHT = 64, 100, 190


class PlotsPanel(QWidget):
    """Plots are made when the dock is first seen, each when a robot first suits it: until then they cost nothing."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.chosen: set[str] = set()
        self.plots: dict[str, PlotWidget] = {}
        self.known: dict[str, Plot] = {}
        self.time_range: TimeRange | None = None
        self.unfit: set[str] = set()
        self._built = False
        self.stack = QSplitter(Qt.Orientation.Vertical)
        self.stack.setChildrenCollapsible(False)
        self.empty = RoleLabel("No plots are shown. Pick some with “Choose plots”.", "hint")
        self.empty.hide()
        self.chooser = QToolButton(text="Choose plots")
        self.chooser.setProperty("role", "quiet")
        self.chooser.setToolTip("Choose which plots are shown")
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.chooser.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        icons.set_icon(self.chooser, "down")
        self.whole = QToolButton(text="Show all")
        self.whole.setProperty("role", "quiet")
        self.whole.setToolTip("Show the whole run in every plot")
        self.whole.clicked.connect(self.show_whole)
        self._lay_out()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not self.known:
            QTimer.singleShot(0, self.build)

    def build(self) -> None:
        """Make the plots that were shown last, at first the usual ones."""
        if self.known:
            return
        from gui.charts.registry import plots
        from gui.qt.plots.time_range import TimeRange

        self.known = plots()
        self.time_range = TimeRange()
        usual = [key for key, plot in self.known.items() if plot.default]
        wanted = self.session.settings.get(SETTING, usual)
        self.chosen = {key for key in self.known if key in wanted}
        menu = QMenu(self)
        for key, plot in self.known.items():
            action = menu.addAction(plot.title)
            action.setCheckable(True)
            action.setChecked(key in self.chosen)
            action.setData(key)
            action.toggled.connect(lambda checked, key=key: self.set_shown(key, checked))
        self.chooser.setMenu(menu)
        subscribe(self, self.session.scenario_changed, self._suit)
        self._suit()

    def _suit(self) -> None:
        """Show of the chosen plots those that say something of the robot at hand."""
        from robots.model.registry import find_robot

        robot = find_robot(self.session.scenario.robot)
        unfit = {key for key, plot in self.known.items() if not plot.suits(robot)}
        if self._built and unfit == self.unfit:
            return
        self._built, self.unfit = True, unfit
        for action in self.chooser.menu().actions():
            action.setVisible(action.data() not in unfit)
        self._arranged()

    def set_shown(self, key: str, shown: bool) -> None:
        """Show or hide the plot of that key."""
        if shown:
            self.chosen.add(key)
        else:
            self.chosen.discard(key)
        if not shown and key in self.plots:
            plot = self.plots.pop(key)
            plot.release()
            plot.hide()
            plot.setParent(None)
            plot.deleteLater()
        for action in self.chooser.menu().actions():
            if action.data() == key:
                action.setChecked(shown)
        self._arranged()
        self.session.settings.set(SETTING, [name for name in self.known if name in self.chosen])

    def show_whole(self) -> None:
        """Reset zoom in every plot."""
        for plot in self.plots.values():
            plot.show_whole()

    def _add(self, key: str) -> None:
        from gui.qt.plots.plane_plot import PlanePlot
        from gui.qt.plots.time_plot import TimePlot

        kind = self.known[key]
        plot = PlanePlot(self.session, kind) if kind.plane else TimePlot(self.session, kind, self.time_range)
        plot.hide_asked.connect(lambda: self.set_shown(key, False))
        order = list(self.known)
        place = sum(order.index(other) < order.index(key) for other in self.plots)
        self.plots[key] = plot
        self.stack.insertWidget(place, plot)

    def _arranged(self) -> None:
        """Make what is missing. Few plots share the height, many scroll; only the lowest time plot names the axis."""
        from gui.qt.plots.time_plot import TimePlot

        for key in self.known:
            if key in self.chosen and key not in self.unfit and key not in self.plots:
                self._add(key)
        for key, plot in self.plots.items():
            plot.setVisible(key not in self.unfit)
        seen = {key: plot for key, plot in self.plots.items() if key not in self.unfit}
        timed = [plot for key in self.known if isinstance(plot := seen.get(key), TimePlot)]
        for plot in timed:
            plot.show_time_title(plot is timed[-1])
        least = LEAST_HEIGHT if len(seen) <= FEW else USUAL_HEIGHT
        for plot in self.plots.values():
            plot.widget.setMinimumHeight(TALL_HEIGHT if plot.plot.plane else least)
        self.empty.setVisible(not seen)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(4, 0, 4, 0)
        bar.addWidget(self.chooser)
        bar.addStretch(1)
        bar.addWidget(self.whole)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.stack)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.empty)
        column.addWidget(area, 1)


PANEL = Panel("plots", "Plots", "right", 10, PlotsPanel)
