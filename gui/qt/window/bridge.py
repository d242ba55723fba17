"""Between `gui.app` and Qt: calls into the GUI thread, subscriptions that end with their widget, clock and frames."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QWidget

from assets.priority import in_front
from gui.app.playback import Playback
from gui.app.signal import Signal as AppSignal
from gui.qt.style.curtain import Behind

PATIENCE_MS = 40
"""How long a frame waits at least for a run that is expected at once; where drawing takes longer, as long as that."""

LONGEST_WAIT = 0.15
"""The longest time that a frame waits for a run [s], however long the frame before took."""

ROUNDS = 2
"""How often a frame lets pass what is queued: a run's arrival queues the plots' drawing, which queues their scenes'."""

PULSE_MS = 150
"""What takes long to find follows the playhead a few times a second."""

FRAME_MS = 16
"""The clock ticks about sixty times a second; a slow frame makes the next one later, never a queue of them."""


class Dispatcher(QObject):
    """Calls a function soon in the GUI thread, from any thread: the `dispatch` of `gui.app.jobs.Jobs`."""

    _handed_over = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._handed_over.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def __call__(self, function: Callable[[], None]) -> None:
        self._handed_over.emit(function)

    def _call(self, function: Callable[[], None]) -> None:
        with in_front():
            function()


def subscribe(owner: QObject, signal: AppSignal, listener: Callable[..., object]) -> None:
    """Connect `listener` to `signal` for as long as `owner` lives."""
    disconnect = signal.connect(listener)
    owner.destroyed.connect(lambda *_: disconnect())


def dock_of(widget: QWidget) -> QDockWidget | None:
    """The dock that `widget` lies in."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QDockWidget):
        above = above.parentWidget()
    return above


class WhileShown(QObject):
    """Calls listeners while a widget is in view; what they missed is made up for when it comes into view again.

    That is once for each listener, in the order in which they subscribed.

    Args:
        widget: what has to be in view. Behind the tab of another dock or a sheet it is not, though Qt calls it visible.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._listeners: list[Callable[[], object]] = []
        self._missed: set[int] = set()
        self._dock: QDockWidget | None = None
        self._soon, self._behind = Soon(self._make_up, self), Behind(widget)
        self._behind.changed.connect(lambda: self._missed and self._soon())
        widget.installEventFilter(self)

    def subscribe(self, listener: Callable[[], object], *signals: AppSignal) -> None:
        """Call `listener` at each of the signals."""
        place = len(self._listeners)
        self._listeners.append(listener)
        for signal in signals:
            subscribe(self, signal, lambda *_: self._call(place))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and self._missed:
            self._soon()
        return False

    @property
    def _in_view(self) -> bool:
        widget = self._widget
        return widget.isVisible() and not self._behind.covered and not widget.visibleRegion().isEmpty()

    def _call(self, place: int) -> None:
        if self._in_view:
            self._listeners[place]()
        else:
            self._missed.add(place)
            self._watch_dock()

    def catch_up(self) -> None:
        """Make up for what was missed, in view or not: what the widget offers is listed elsewhere."""
        missed, self._missed = sorted(self._missed), set()
        for place in missed:
            self._listeners[place]()

    def _make_up(self) -> None:
        if self._in_view:
            self.catch_up()

    def _watch_dock(self) -> None:
        """Only its dock knows when its tab comes to the front."""
        above = dock_of(self._widget)
        if above is not None and above is not self._dock:
            self._dock = above
            above.visibilityChanged.connect(lambda _: self._missed and self._soon())


class Clock(QObject):
    """Moves the playhead by the wall clock while something plays.

    Each tick advances by the actual elapsed time, so slow drawing drops frames and never delays time.
    """

    def __init__(self, playback: Playback, parent: QObject) -> None:
        super().__init__(parent)
        self._playback = playback
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._tick)
        subscribe(self, playback.changed, self._follow)
        self._follow()

    def _follow(self) -> None:
        if self._playback.playing and not self._timer.isActive():
            self._last = time.perf_counter()
            self._timer.start()
        elif not self._playback.playing:
            self._timer.stop()

    def _tick(self) -> None:
        now = time.perf_counter()
        elapsed, self._last = now - self._last, now
        self._playback.advance(elapsed)


class Soon(QObject):
    """Calls a function once for several calls in a row, before the window is drawn again."""

    _asked = Signal()

    def __init__(self, function: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._function = function
        self.pending = False
        self._asked.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def __call__(self) -> None:
        if not self.pending:
            self.pending = True
            self._asked.emit()

    def _call(self) -> None:
        if self.pending:
            self.pending = False
            with in_front():
                self._function()


class Pulse(QObject):
    """Calls a function that takes long once for several calls in a row: a few times a second, the last one included.

    Args:
        function: what is called.
        parent: what it belongs to.
        wanted: whether anybody sees what it does; a call that is asked for meanwhile waits for `catch_up`.
    """

    def __init__(
        self, function: Callable[[], object], parent: QObject, wanted: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(parent)
        self._function, self._asked = function, False
        self._timer = QTimer(self, singleShot=True, interval=PULSE_MS)
        self._timer.timeout.connect(lambda: self._asked and wanted() and self._call())

    @property
    def idle(self) -> bool:
        """Whether the next call is done at once."""
        return not self._timer.isActive()

    def __call__(self, *, slow: bool = True) -> None:
        """Call the function at once, or soon if it was called a moment ago; always at once what is not `slow`."""
        if slow and not self.idle:
            self._asked = True
        else:
            self._call(slow=slow)

    def soon(self) -> None:
        """Call the function soon, not now."""
        self._asked = True
        if self.idle:
            self._timer.start()

    def catch_up(self) -> None:
        """Make the call that is asked for at once, whether anybody sees what it does or not."""
        if self._asked:
            self._call()

    def _call(self, *, slow: bool = True) -> None:
        self._asked = False
        if slow:
            self._timer.start()
        self._function()


class WholeFrames(QObject):
    """Draws a window once for everything that has changed, as the last thing that the event loop has to do.

    Each graphics scene (a plot is one) asks its window to draw as soon as the scene alone is up to date: with five
    plots the window, and the 3D view in it, would be put together five times.

    It is the event loop that draws, never a call from Python: there, one widget whose painting fails would keep all
    others from painting theirs, and nobody would hear why.

    Args:
        window: what is drawn.
        awaited: whether something that will change the picture again is expected within a frame; drawing waits for it.

    Attributes:
        took: how long the last one took [s].
    """

    DUE, DRAWN = QEvent.Type(QEvent.registerEventType()), QEvent.Type(QEvent.registerEventType())

    def __init__(self, window: QWidget, awaited: Callable[[], bool] = lambda: False) -> None:
        super().__init__(window)
        self._window, self._awaited = window, awaited
        self._due = self._drawing = False
        self._rounds = 0
        self._began: float | None = None
        self._front = ExitStack()
        self.took = 0.0
        self.least_patience = PATIENCE_MS
        self.patience = QTimer(self, singleShot=True)
        self.patience.setTimerType(Qt.TimerType.PreciseTimer)
        self.patience.timeout.connect(self._draw)
        window.installEventFilter(self)

    @property
    def idle(self) -> bool:
        """Whether no frame is due or being drawn."""
        return not (self._due or self._drawing or self.patience.isActive())

    def resume(self) -> None:
        """What was awaited may have come: a frame that is due lets pass what that queues, too."""
        self._rounds = 0
        if self._due and self.patience.isActive() and not self._awaited():
            self.patience.stop()
            self._post()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._drawing:
            if self._began is None:
                self._began = time.perf_counter()
                self._front.enter_context(in_front())
                QCoreApplication.postEvent(self, QEvent(self.DRAWN), Qt.EventPriority.HighEventPriority.value)
            return False
        if not self._due:
            self._due = True
            self._post()
        return True

    def customEvent(self, event: QEvent) -> None:
        if event.type() == self.DRAWN:
            self._drawn()
        elif self._awaited():
            self._rounds = 0
            if not self.patience.isActive():
                self.patience.start(max(self.least_patience, int(1e3 * self.took)))
        elif self._due and self._rounds < ROUNDS:
            self._rounds += 1
            self._post()
        elif self._due:
            self._draw()

    def _post(self) -> None:
        QCoreApplication.postEvent(self, QEvent(self.DUE), Qt.EventPriority.LowEventPriority.value)

    def _draw(self) -> None:
        self.patience.stop()
        self._due, self._rounds, self._drawing = False, 0, True
        high = Qt.EventPriority.HighEventPriority.value
        QCoreApplication.postEvent(self._window, QEvent(QEvent.Type.UpdateRequest), high)

    def _drawn(self) -> None:
        self._front.close()
        began, self._began, self._drawing = self._began or 0.0, None, False
        self.took = min(time.perf_counter() - began, LONGEST_WAIT)
