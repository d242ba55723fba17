"""Where the docks are: at first, in a window that is low, and as they were left."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QByteArray, QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

from assets.fields import Data
from gui.app.session.session import Session
from gui.qt.style.dock_sizes import resize_docks
from gui.qt.style.theme import look
from gui.qt.window.bridge import subscribe
from gui.qt.window.docks import AREAS, Dock, TableHeight

VERSION = 1
RIGHT, BOTTOM = 0.27, 0.24
"""Width of the right docks and most height of the bottom ones as parts of the window."""
LEFT, LEFT_SHARE, MOST_LEFT = 336, 0.24, 380
"""Width of the left docks: this part of the window, between two widths in usual type [px]."""
LARGEST_LEFT = 0.335
"""However large the type, the left docks take no more than this part of the window's width."""
LEAST_RIGHT, LARGEST_RIGHT = 277, 0.3
"""Width of the right docks in which one value stands beside a plot's name, in usual type [px]; they have it unless it
is more than this part of the window's width."""
TWO_RUNS, TWO_RUNS_TYPE = 67, 4.5
"""Height at which the bottom dock shows the current run and one beside it: what is around the words [px], and their
lines in the size of the type."""
LESSON_SHARE, LEAST_LESSON, MOST_LESSON = 0.33, 400, 0.4
"""Width of the left docks while a lesson is open: this part of the window, at least this in usual type [px], but no
more than this part of the window."""
MAXIMISED_MS = 300
"""How long after the start a window is certainly as large as the system makes it."""
SAME_WINDOW = 0.95
"""A window that is less than this part of one before is another one, with docks of another size."""
STACKS, LOWEST_STACK = ("left", "right"), 48
"""Areas whose docks stand one above the other; in a window of fewer lines of text they are tabs: each has more room."""


class Arrangement:
    """The docks of a window.

    Args:
        window: where they stand.
        session: has the settings that remember them.
        docks: all of them.
    """

    def __init__(self, window: QMainWindow, session: Session, docks: list[Dock]) -> None:
        self._window, self._session, self._docks = window, session, docks
        self._lesson = False
        self._shown, self._coming = True, False
        self._closed: list[Dock] = []
        self._front: list[Dock] = []
        self._known: object = None
        self._type = look().theme.sizes["body"]
        self._sizes: dict[tuple[int, bool, int, int], list[tuple[Dock, QSize]]] = {}
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        _TabBars(window, docks)
        self.table = TableHeight(window, next(dock for dock in docks if dock.kind.key == "runs"), self._heights)
        self.usual()
        saved = session.settings.get("window", {})
        if saved.get("version") == VERSION:
            window.restoreGeometry(_bytes(saved.get("geometry")))
            window.restoreState(_bytes(saved.get("state")), VERSION)
            self.table.dragged = bool(saved.get("dragged"))
            if (layout := window.layout()) is not None:
                layout.activate()
            before, size = saved.get("type"), saved.get("size", ())
            if isinstance(before, int) and 0 < before != self._type:
                self._suit_type(self._type / before)
            elif len(size) == 2:
                QTimer.singleShot(MAXIMISED_MS, window, lambda: self._suit_window(*size))
        # Tabs that a low window has made are none of a high one, as after a lecture on a projector.
        self._roomy = bool(saved.get("roomy", self._has_room))
        QTimer.singleShot(MAXIMISED_MS, window, self.fit)
        self._width, self._before_growth = window.width(), dict[str, int]()
        for dock in docks:
            dock.toggleViewAction().triggered.connect(lambda *_, dock=dock: self._chosen(dock))
        # Panels that a lesson covers need not show its first scenario before.
        for signal in (session.lessons.changed, session.files.opening):
            subscribe(window, signal, self.follow_lesson)
        self.follow_lesson()

    def usual(self) -> None:
        """Put every panel that applies to the robot at its usual place and size."""
        window = self._window
        self._sizes.clear()
        for area, place in AREAS.items():
            here = [dock for dock in self._docks if dock.kind.area == area]
            for dock in here:
                dock.setFloating(False)
                window.addDockWidget(place, dock)
                dock.setVisible(dock.applies)
            if area in STACKS:
                self._stack(here)
            window.resizeDocks(here, [int(self._usual_size(area))] * len(here), _across(area))
        self.table.dragged = False
        self.table.follow()
        self._session.view.set(panels=True)

    def show_panels(self, shown: bool) -> None:
        """Hide every panel, or show those again that were hidden together, the same ones in front.

        Those that are shown for a moment only, between a presentation and that of a lesson, are as they were before.
        """
        docks, self._shown = self._docks, shown
        if not shown and not self._coming:
            here = [dock for dock in docks if dock.applies and not dock.away]
            closed = [dock for dock in here if dock.isHidden()]
            self._closed = closed if len(closed) < len(here) else []  # where nothing is shown, all come back
            self._front = [dock for dock in docks if not dock.visibleRegion().isEmpty()]
            self._known = self._session.lessons.course.lesson
        for dock in docks:
            dock.setVisible(shown and dock.applies and not dock.away and dock not in self._closed)
        if shown:  # once Qt has given the tabs their places
            self._coming = True
            QTimer.singleShot(0, self._window, self._bring_front)

    def _chosen(self, dock: Dock) -> None:
        """A person has shown or closed a panel: *Show panels* is ticked as long as there is one."""
        view = self._session.view
        if not view.settings.panels and not dock.isHidden():
            self._closed = [other for other in self._docks if other is not dock]
            view.set(panels=True)
        elif all(other.isHidden() and not other.away for other in self._docks):
            view.set(panels=False)

    def _bring_front(self) -> None:
        """What was in front is so again, but a lesson that was opened meanwhile is before all that lies there."""
        self._coming = False
        if self._shown:
            lesson = self._session.lessons.course.lesson
            opened = lesson is not None and lesson is not self._known
            last = [dock for dock in self._docks if opened and dock.kind.key == "lesson"]
            bring_front(self._window, [*self._front, *last])

    def fit(self) -> None:
        """Stack docks, or make tabs of them, where the window or its type has become too large or small."""
        QTimer.singleShot(0, self._window, self.follow_width)
        self.table.follow()
        if self._has_room == self._roomy:
            return
        self._roomy = self._has_room
        for area in STACKS:
            here = [dock for dock in self._docks if self._window.dockWidgetArea(dock) == AREAS[area]]
            here = [dock for dock in here if not dock.isFloating()]
            if any(dock.kind.area != area for dock in here):
                continue
            shown = [dock for dock in here if not dock.isHidden()]
            for dock in here:
                self._window.addDockWidget(AREAS[area], dock)
                dock.setVisible(dock in shown)
            self._stack(here)

    def follow_width(self) -> None:
        """The window has another width: docks at its sides that have their usual width there have that of the new one.

        In a window that becomes narrow again they are as wide as they were at first.
        """
        width, before = self._window.width(), self._width
        self._width = width
        if width == before or self._lesson:
            return
        for area in STACKS:
            here = [dock for dock in self._docks if self._window.dockWidgetArea(dock) == AREAS[area]]
            here = [dock for dock in here if not dock.isHidden() and not dock.isFloating()]
            now = here[0].width() if here else 0
            if not here or abs(now - self._usual_size(area, before)) > 1.0:
                continue
            if width > before:
                self._before_growth.setdefault(area, now)
            if area in self._before_growth:
                wanted = int(max(self._usual_size(area), self._before_growth[area]))
                self._window.resizeDocks(here, [wanted] * len(here), Qt.Orientation.Horizontal)

    def follow_theme(self) -> None:
        """Fit the docks; those that larger type made wider are as before in the type before."""
        size = look().theme.sizes["body"]
        if size != self._type:
            self._sizes[self._circumstances] = self._sizes_now()
            ratio, self._type = size / self._type, size
            known = self._circumstances in self._sizes
            QTimer.singleShot(0, self._window, self._resize_back if known else lambda: self._suit_type(ratio))
        self.fit()

    def _suit_type(self, ratio: float) -> None:
        """Docks had sizes for another type: bring them nearer to their usual ones, as far as the type has changed."""
        self._suit(ratio, ratio)

    def _suit_window(self, width: int, height: int) -> None:
        """Docks had sizes in a window of that size: in a smaller one, as on a projector, they keep their share."""
        shares = self._window.width() / width, self._window.height() / height
        self._suit(*(share if share < SAME_WINDOW else 1.0 for share in shares))

    def _suit(self, across: float, down: float) -> None:
        """Make docks at the sides `across` times as wide and others `down` times as high, not beyond the usual size."""
        for area, place in AREAS.items():
            direction, usual = _across(area), self._usual_size(area)
            wide = direction == Qt.Orientation.Horizontal
            ratio = across if wide else down
            here = [dock for dock in self._docks if not dock.isHidden() and not dock.isFloating()]
            here = [dock for dock in here if self._window.dockWidgetArea(dock) == place]
            sizes = [dock.width() if wide else dock.height() for dock in here]
            shrunk = [max(size * ratio, min(size, usual)) for size in sizes]
            grown = [max(size, min(size * ratio, usual)) for size in sizes]
            self._window.resizeDocks(here, [int(size) for size in (shrunk if ratio < 1.0 else grown)], direction)

    @property
    def _circumstances(self) -> tuple[int, bool, int, int]:
        """What the docks' sizes depend on: type, lesson, and the window's width and height."""
        return self._type, self._lesson, self._window.width(), self._window.height()

    def _sizes_now(self) -> list[tuple[Dock, QSize]]:
        shown = [dock for dock in self._docks if dock.isVisible() and not dock.isFloating()]
        return [(dock, dock.size()) for dock in shown]

    def _resize_back(self) -> None:
        resize_docks(self._window, self._sizes.get(self._circumstances, []))

    def remember(self) -> None:
        """Keep where everything is for the next start; what only gave its place to a sheet or a plot is there, too."""
        for dock in self._docks:
            dock.return_now()
        layout: Data = {
            "version": VERSION,
            "type": self._type,
            "roomy": self._roomy,
            "dragged": self.table.dragged,
            "size": [self._window.width(), self._window.height()],
            "geometry": base64.b64encode(self._window.saveGeometry().data()).decode(),
            "state": base64.b64encode(self._window.saveState(VERSION).data()).decode(),
        }
        self._session.settings.set("window", layout)

    def follow_lesson(self) -> None:
        """A lesson has the whole height at the left, in front of the other panels there.

        Without one they are back, as large as they were.
        """
        before = self._sizes_now()
        for dock in self._docks:
            dock.follow(self._session.view.settings.panels)
        open_now = self._session.lessons.course.lesson is not None
        if open_now == self._lesson:
            return
        self._lesson = open_now
        if open_now:
            self._sizes[(self._type, False, self._window.width(), self._window.height())] = before
        self.fit()
        left = [dock for dock in self._docks if dock.kind.area == "left" and not dock.isHidden()]
        if open_now:
            self._stack(sorted(left, key=lambda dock: dock.kind.key != "lesson"))
        window, scale = self._window, look().theme.scale
        lesson = min(max(scale * LEAST_LESSON, LESSON_SHARE * window.width()), MOST_LESSON * window.width())
        wide = int(lesson if open_now else _left(window.width()))
        window.resizeDocks(left, [wide] * len(left), Qt.Orientation.Horizontal)
        if not open_now:
            QTimer.singleShot(0, window, self._resize_back)

    def _usual_size(self, area: str, width: int = 0) -> float:
        """Width of the docks at a side, height of those at the bottom [px]; `width` is another one of the window."""
        if area == "bottom":
            return self._heights()[0]
        whole = width or self._window.width()
        return _left(whole) if area == "left" else _right(whole)

    def _heights(self) -> tuple[int, int]:
        """The least and the most height of the table of runs [px]."""
        least = TWO_RUNS + round(TWO_RUNS_TYPE * look().theme.sizes["body"])
        return least, max(least, round(BOTTOM * self._window.height()))

    @property
    def _has_room(self) -> bool:
        return not self._lesson and self._window.height() >= LOWEST_STACK * look().theme.sizes["body"]

    def _stack(self, docks: list[Dock]) -> None:
        """Put docks that stand one above the other into tabs if the window is low."""
        for dock in docks[1:] if not self._has_room else ():
            self._window.tabifyDockWidget(docks[0], dock)
        if docks:
            docks[0].raise_()


class _TabBars(QObject):
    """Shows the bars of tabs where their docks are, and nowhere else.

    Qt leaves bars visible that it has no use for: over the menu, or outside the window, where screen readers meet them.
    Some it shows again whenever they are hidden: those are hidden once in each arrangement, else that would never end.
    """

    EVENTS = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.LayoutRequest)

    def __init__(self, window: QMainWindow, docks: list[Dock]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._here: dict[int, int] = {}
        self._hidden: set[QTabBar] = set()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show)
        for watched in (window, *docks):
            watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in self.EVENTS:
            self._soon.start()
        return False

    def _show(self) -> None:
        here = {dock.geometry().left(): dock.width() for dock in self._docks if dock.isVisible()}
        if here != self._here:
            self._here = here
            self._hidden.clear()
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.installEventFilter(self)
            used = bar.count() > 1 and here.get(bar.x()) == bar.width()
            if used and bar.isHidden():
                bar.show()
            elif not used and not bar.isHidden() and bar not in self._hidden:
                self._hidden.add(bar)
                bar.hide()
            elif not used:
                bar.lower()


def bring_front(window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
    """Bring docks before the tabs beside them, but none before the one that has the keys."""
    focus = QApplication.focusWidget()
    for dock in docks:
        if focus is None or not any(other.isAncestorOf(focus) for other in window.tabifiedDockWidgets(dock)):
            dock.raise_()


def _right(whole: int) -> float:
    """The usual width of the right docks in a window of that width [px]."""
    least = LEAST_RIGHT * look().theme.scale
    return max(RIGHT * whole, least if least <= LARGEST_RIGHT * whole else 0.0)


def _left(whole: int) -> float:
    """The usual width of the left docks in a window of that width [px]."""
    usual = look().theme.scale * min(max(LEFT, LEFT_SHARE * whole), MOST_LEFT)
    return max(LEFT, min(usual, LARGEST_LEFT * whole))


def _across(area: str) -> Qt.Orientation:
    """In which direction docks there have a size of their own."""
    return Qt.Orientation.Vertical if area == "bottom" else Qt.Orientation.Horizontal


def _bytes(text: object) -> QByteArray:
    try:
        return QByteArray(base64.b64decode(str(text)))
    except ValueError:
        return QByteArray()


@contextmanager
def drawn_once(window: QWidget) -> Iterator[None]:
    """What changes meanwhile is drawn at the end: the picture would be drawn for every size that it passes."""
    window.setUpdatesEnabled(False)
    try:
        yield
    finally:
        window.setUpdatesEnabled(True)


def screen_areas() -> list[QRect]:
    """Where the screens are, the person's own (the primary one) first."""
    primary = QGuiApplication.primaryScreen()
    return [screen.geometry() for screen in sorted(QGuiApplication.screens(), key=lambda screen: screen is not primary)]


def put_on(widget: QWidget, area: QRect) -> None:
    """Move a window onto a screen, which it fills."""
    screen, handle = QGuiApplication.screenAt(area.center()), widget.windowHandle()
    if screen is not None and handle is not None:
        handle.setScreen(screen)
    layout = widget.layout()
    if layout is not None:
        layout.activate()  # panels that were just hidden need no room
    widget.setGeometry(area)
