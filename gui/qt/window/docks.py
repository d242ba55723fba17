"""Docks: a quiet title bar, and panels that are built after the window shows."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from gui.app.session.session import Session
from gui.qt.style.theme import look, role
from gui.qt.widgets.parts import bare, quiet_button
from gui.qt.widgets.scroll import RowsTable
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands import tab_order
from gui.qt.window.panel import Panel

log = logging.getLogger(__name__)

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}

TITLE = 34
"""The least height of a title [px]."""

LEAST_ROWS, MOST_ROWS, MOST_BELOW = 2, 6, 0.45
"""A table below the arm shows so many rows at least; before an audience so many at most, in such a part of the window's
height."""

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


FIRST_RUN_MS, FIRST_FRAME_MS = 1500, 40
"""Panels wait until the first run moves, but not longer than this, and then for a frame of it: the arm moves first."""


class Dock(QDockWidget):
    """A dock for one panel of `gui.qt.panels`; its widget comes with `build`.

    Attributes:
        away: undocked, it gives its place to what covers the window, until all of that is gone.
    """

    def __init__(self, kind: Panel, session: Session, parent: QWidget) -> None:
        super().__init__(kind.title, parent)
        self.kind, self.session = kind, session
        self.applied: bool | None = None
        self.panel: QWidget | None = None
        self._over: set[QWidget] = set()
        self.setObjectName(f"dock.{kind.key}")
        self.setAccessibleName(kind.title)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)  # undocked, it comes back after a sheet
        self.setTitleBarWidget(self._title_bar(kind.title))
        body = QWidget(self)
        body.setObjectName("dockBody")
        self._column = bare(QVBoxLayout(body))
        self.setWidget(body)

    def build(self) -> QWidget:
        """Make the panel. If that fails, it shows why, and the window goes on."""
        try:
            self.panel = self.kind.make(self.session)
        except Exception as error:
            log.exception("the panel %s could not be made", self.kind.key)
            self.panel = role(QLabel(f"This panel could not be made: {type(error).__name__}: {error}"), "error")
        assert self.panel is not None
        self._column.addWidget(self.panel)
        for tool in getattr(self.panel, "tools", ()):
            self._tools.addWidget(tool)
            if tool.sizePolicy().expandingDirections() & Qt.Orientation.Horizontal:
                self._title_row.setStretchFactor(self._tools, 1)
        return self.panel

    @property
    def applies(self) -> bool:
        """Whether its panel has something to say now; most always have."""
        return self.kind.suits is None or self.kind.suits(self.session)

    def follow(self, shown: bool) -> None:
        """Come or go with another robot or lesson; `shown` is whether there are panels at all."""
        before, self.applied = self.applied, self.applies
        if self.kind.suits is not None and self.applied != before:
            self.setVisible(shown and self.applied)

    @property
    def away(self) -> bool:
        return bool(self._over)

    def step_aside(self, over: QWidget) -> None:
        """Be away until `over`, and all else for which it is, lets it `come_back`."""
        self.hide()
        self._over.add(over)

    def come_back(self, over: QWidget) -> None:
        """Be there again if nothing else is over its place, unless it was shown or has lost its use meanwhile."""
        if self._over == {over}:
            self.return_now()
        self._over.discard(over)

    def return_now(self) -> None:
        """Be there again, whatever is over its place."""
        if self.away and self.applies and self.session.view.settings.panels:
            self.show()
        self._over.clear()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._over.clear()

    def present(self, there: QWidget | None = None) -> None:
        """Come to the front, also from behind a tab; the panel, or `there` in it, gets the keyboard focus."""
        self.session.view.set(panels=True)
        self.show()
        self.raise_()
        self.window().activateWindow()  # an undocked panel is a window of its own
        if self.panel is not None and there is not None:
            tab_order.arrive(there)
        elif self.panel is not None:
            tab_order.enter(self.panel)

    def focusNextPrevChild(self, next: bool) -> bool:
        return tab_order.go(self, next) if self.isFloating() else super().focusNextPrevChild(next)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Undocked it lies over the window, in the window's colours: an edge parts them, by which it is also sized."""
        super().paintEvent(event)
        if self.isFloating():
            painter, theme = QPainter(self), look().theme
            painter.fillRect(self.rect(), theme.colour("surface"))
            painter.setPen(theme.colour("shadow"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _title_bar(self, title: str) -> QWidget:
        bar = QWidget(self)
        bar.setObjectName("dockTitle")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(bar)
        row.setContentsMargins(14, 0, 6, 0)
        row.setSpacing(0)
        name = QLabel(title)
        name.setObjectName("dockName")
        # Around the name, not around tools: two lines of words beside it need hardly more height.
        name.setContentsMargins(0, 6, 0, 4)
        row.addStrut(TITLE)
        row.addWidget(name)
        row.addSpacerItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding))
        self._tools, self._title_row = QHBoxLayout(), row
        row.addLayout(self._tools)
        for icon, tip, act in (
            ("float", "Undock from the window, or dock again", self._toggle_floating),
            ("close", "Hide (View > Panels shows it again)", self.toggleViewAction().trigger),
        ):
            button = quiet_button(tip, act, icon=icon, name=f"{tip}: {title}")
            button.setFixedSize(26, 24)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        return bar

    def _toggle_floating(self) -> None:
        self.setFloating(not self.isFloating())
        if self.isFloating():
            self._clear_others()
            self.activateWindow()

    def _clear_others(self) -> None:
        """Lie over the middle of the window, beside the panels that take the place that this one had."""
        window = self.parentWidget()
        middle = window.centralWidget() if isinstance(window, QMainWindow) else None
        if middle is None:
            return
        room = QRect(middle.mapToGlobal(QPoint()), middle.size())
        place = QRect(self.pos(), self.size().boundedTo(room.size()))
        place.moveRight(min(place.right(), room.right()))
        place.moveBottom(min(place.bottom(), room.bottom()))
        place.moveTopLeft(QPoint(max(place.x(), room.x()), max(place.y(), room.y())))
        others = [one.pos() for one in window.findChildren(Dock) if one is not self and one.isFloating()]
        while place.topLeft() in others:
            place.translate(TITLE, TITLE)
        self.setGeometry(place)


def set_apart(window: QWidget, over: QWidget, *, beside: bool = False) -> list[Dock]:
    """Undocked panels are windows over a window, with keys of their own: those over `over` step aside.

    One that is away already, as for a sheet under which a plot becomes large, comes back once neither is there.

    Args:
        window: whose panels they are.
        over: what has their place.
        beside: whether those that do not lie over it step aside, too.
    """
    place = QRect(over.mapToGlobal(QPoint()), over.size())
    docks = [dock for dock in window.findChildren(Dock, options=DIRECT) if dock.isFloating()]
    there = [dock for dock in docks if dock.isVisible() or dock.away]
    apart = [dock for dock in there if beside or dock.frameGeometry().intersects(place)]
    for dock in apart:
        dock.step_aside(over)
    return apart


class Building(QObject):
    """Makes the panels of some docks; the window lives in between.

    Plots, on the right, have nothing to show before the first run: they come last. What is hidden can wait, too.

    Args:
        docks: those of the window.
        session: whose first run it is.
        parent: the window.

    Signals:
        done: every panel is there.
    """

    done = Signal()

    def __init__(self, docks: Sequence[Dock], session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._docks, self._session = docks, session
        self._left: list[Dock] = []
        self._moving = False
        self._next = QTimer(self, singleShot=True)
        self._next.timeout.connect(self._build_next)
        for signal in (session.runs.updated, session.playback.moved):
            subscribe(self, signal, lambda _: self._let_move())

    def begin(self) -> None:
        """Begin once the first run moves, or takes long."""
        self._left = sorted(self._docks, key=lambda dock: (dock.isHidden(), dock.kind.area == "right"))
        self._next.start(FIRST_RUN_MS)

    def _let_move(self) -> None:
        playback, there = self._session.playback, self._session.runs.current.run is not None
        resting = playback.play_when_ready or (playback.playing and playback.at_start)
        if not self._moving and self._left and there and not resting:
            self._moving = True
            self._next.start(FIRST_FRAME_MS)

    def _build_next(self) -> None:
        if self._left:
            self._left.pop(0).build()
            self._next.start(0)
        else:
            self.done.emit()


class TableHeight(QObject):
    """Keeps the dock of a table below the arm as high as its rows, until a person drags the dock's edge.

    Args:
        window: where the dock is.
        dock: holds the table, once its panel is there.
        limits: gives the least and the most height of the dock [px].
        most_rows: no more than these are shown at once; None for any number.

    Attributes:
        dragged: whether a person has chosen the height.
    """

    def __init__(
        self,
        window: QMainWindow,
        dock: QDockWidget,
        limits: Callable[[], tuple[int, int]],
        most_rows: int | None = None,
    ) -> None:
        super().__init__(dock)
        self._window, self._dock, self._limits, self._most_rows = window, dock, limits, most_rows
        self._table: RowsTable | None = None
        self._held: int | None = None
        self._asked = 0
        self.dragged = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._fit)
        for watched in (window, dock):
            watched.installEventFilter(self)

    def follow(self) -> None:
        """The window, its type or the rows have changed: have the height for them soon, in its place."""
        self._asked = 0
        self._soon.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Between its panels the window itself has the mouse."""
        if watched is self._dock:
            if event.type() == QEvent.Type.Show:
                self.follow()
            elif event.type() == QEvent.Type.LayoutRequest:
                self._soon.start()  # the panel is there, or what two runs come to has more lines
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._held = self._dock.height()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self.dragged |= self._held not in (None, self._dock.height())
            self._held = None
        return False

    def _fit(self) -> None:
        if self._table is None and (table := self._dock.findChild(RowsTable)) is not None:
            self._table = table
            table.model().modelReset.connect(self.follow)
        here = self._window.dockWidgetArea(self._dock) == AREAS["bottom"] and not self._dock.isFloating()
        if self._table is None or self.dragged or self._held is not None or not here or self._dock.isHidden():
            return
        least, most = self._limits()
        wanted = max(least, rows_height(self._dock, self._table, most, self._most_rows))
        if wanted not in (self._dock.height(), self._asked):
            self._asked = wanted
            self._window.resizeDocks([self._dock], [wanted], Qt.Orientation.Vertical)


def follow_rows(window: QMainWindow, dock: QDockWidget) -> None:
    """Keep the dock of a table before an audience as high as its rows, but for no more than a class can compare."""
    TableHeight(window, dock, lambda: (0, round(MOST_BELOW * window.height())), MOST_ROWS)


def give_room(window: QMainWindow, dock: QDockWidget, share: float | None) -> None:
    """Give a panel beside the arm its part of the window's width; without one it has the height of its rows."""
    if share is not None:
        window.resizeDocks([dock], [round(share * window.width())], Qt.Orientation.Horizontal)
    elif (height := dock.findChild(TableHeight)) is not None:
        height.follow()


def rows_height(dock: QDockWidget, table: RowsTable, most: int, most_rows: int | None) -> int:
    """How high a dock is with all rows of the table in it, or as many whole ones as it may have in that height [px]."""
    rows = min(table.model().rowCount(), most_rows or sys.maxsize)
    around = dock.minimumSizeHint().height() - table.minimumSizeHint().height() + table.height_of(0)
    high = table.height_of(1) - table.height_of(0)
    return around + high * min(rows, max((most - around) // max(high, 1), LEAST_ROWS))
