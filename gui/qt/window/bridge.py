"""Between `gui.app` and Qt: calls into the GUI thread, subscriptions that end with their widget, and the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from gui.app.playback import Playback
from gui.app.signal import Signal as AppSignal

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
        function()


def subscribe(owner: QObject, signal: AppSignal, listener: Callable[..., Any]) -> None:
    """Connect `listener` to `signal` for as long as `owner` lives."""
    disconnect = signal.connect(listener)
    owner.destroyed.connect(lambda *_: disconnect())


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
