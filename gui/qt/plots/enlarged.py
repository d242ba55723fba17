"""A plot that fills the middle of the window: what `view.enlarged` names."""

from __future__ import annotations

from weakref import ref

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from gui.app.session.session import Session
from gui.charts.registry import plots
from gui.qt.plots.header import SignedLabel
from gui.qt.plots.plot import PlotWidget
from gui.qt.style.theme import enlarge_over_picture, look
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.tab_order import Home, arrive, cover_of, home_of, leave
from gui.qt.window.docks import Dock, set_apart


def plot_widget(session: Session, key: str) -> PlotWidget:
    """The plot of that key, for the window."""
    from gui.qt.plots.plane_plot import PlanePlot
    from gui.qt.plots.time_plot import TimePlot

    plot = plots()[key]
    return PlanePlot(session, plot) if plot.plane else TimePlot(session, plot)


class Enlarged(QWidget):
    """Lies over the middle of the window, with its keys, while a plot is enlarged; Esc gives the plot back.

    Args:
        session: whose view names the plot.
        middle: what it lies over.
    """

    def __init__(self, session: Session, middle: QWidget) -> None:
        super().__init__(middle)
        self.session, self.middle = session, middle
        self.plot: PlotWidget | None = None
        self._before: ref[QWidget] | None = None
        self._apart: list[Dock] = []
        self.setObjectName("enlarged")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(8, 8, 8, 8)
        self.caption = SignedLabel()
        self.column.addWidget(self.caption)
        self.leave = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self.leave.activated.connect(lambda: session.view.set(enlarged=""))
        middle.installEventFilter(self)
        subscribe(self, session.view.changed, self.follow)
        look().changed.connect(self._fit_type)
        self.hide()
        self.follow()

    def follow(self) -> None:
        """Show the plot that the view names."""
        wanted = self.session.view.settings.enlarged
        present = self.plot.plot.key if self.plot is not None else ""
        if wanted == present:
            return
        focus = QApplication.focusWidget()
        if self.plot is not None:
            if focus is not None and self.isAncestorOf(focus) and isinstance(home := home_of(self), Home):
                home.take_keys()
                if self._before is not None and (before := self._before()) is not None:
                    leave(before)  # Tab goes on from there
            self.plot.release()
            self.plot.hide()
            self.plot.deleteLater()
            self.plot = None
        if wanted in plots():
            self.plot = plot_widget(self.session, wanted)
            self._hold_what_is_seen(self.plot)
            self.plot.hide_asked.connect(lambda: self.session.view.set(enlarged=""))
            self.column.insertWidget(0, self.plot, 1)
            self.plot.header.arranged.connect(self._say)
            self.caption.setMinimumHeight(0)
            self.plot.show_across_title(True)
            # It lies over the legend of the runs.
            self.plot.names_every_run = self.plot.header.roomy = self.plot.widget.zooms = True
            self.setGeometry(self.middle.contentsRect())
            self._fit_type()
            self.show()
            self.raise_()
            uncovered = cover_of(self.plot.widget) is None
            if uncovered:
                # What a person looks at has the keys: elsewhere, and in what it covers, they would act unseen.
                came_from = focus if focus is not None and not self.middle.isAncestorOf(focus) else None
                self._before = ref(came_from) if came_from is not None else self._before
                if QApplication.activeWindow() is not None:
                    self.window().activateWindow()  # an undocked panel is a window of its own
            # Panels that are away for a sheet over it stay away after that.
            self._apart += set_apart(self.window(), self)
            if uncovered:
                arrive(self.plot.widget)
        else:
            while self._apart:
                self._apart.pop().come_back(self)
            self._before = None  # a person went on from there
        self.setVisible(self.plot is not None)
        self.leave.setEnabled(self.plot is not None)

    def _hold_what_is_seen(self, plot: PlotWidget) -> None:
        """A plane has all in sight at first that the same plot in its place has, whose area has another shape."""
        from gui.qt.plots.plane_plot import PlanePlot

        planes = [one for one in self.window().findChildren(PlanePlot) if one.plot.key == plot.plot.key]
        drawn = [one for one in planes if one.settled and not self.isAncestorOf(one)]
        small = max(drawn, key=lambda one: one.isVisible(), default=None)
        if small is not None and isinstance(plot, PlanePlot):
            plot.beside = small.area.width(), small.area.height()

    def _say(self) -> None:
        """Say below the plot what there is no room for beside its name; lines that were needed once stay."""
        if self.plot is not None:
            self.caption.signs = self.plot.header.hint.signs
            self.caption.show_text(self.plot.header.unsaid)
            needed = self.caption.heightForWidth(self.caption.width()) if self.caption.text() else 0
            self.caption.setMinimumHeight(max(self.caption.minimumHeight(), needed))

    def _fit_type(self) -> None:
        """An audience reads it as it reads what is written over the picture."""
        if self.plot is not None:
            enlarge_over_picture(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ContentsRectChange):
            self.setGeometry(self.middle.contentsRect())
        return False
