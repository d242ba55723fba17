"""Garbage that Python finds by itself goes in the window's thread alone.

Python collects in whatever thread happens to make the next object, also in one that computes. With the garbage go
widgets that nobody holds any more, such as the cards which a search in the gallery has put aside; Qt, which is using
its lists of them in the thread of the window, then crashes.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer

INTERVAL_MS = 250
"""How often the window's thread looks whether something is due: that alone takes less than a microsecond."""

GROWTH = 1.25
"""All objects are looked through only when the old ones have become so many times as many, as Python does it."""


class Collector(QObject):
    """Collects garbage in place of Python, in the thread that made it, by Python's own limits.

    Args:
        application: what it belongs to.
    """

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._old = 0
        self._timer = QTimer(self, interval=INTERVAL_MS, timerType=Qt.TimerType.CoarseTimer)
        self._timer.timeout.connect(self.collect_due)

    def begin(self) -> None:
        """Python collects nothing by itself from now on."""
        gc.disable()
        self._timer.start()

    def collect_due(self) -> None:
        """Collect the oldest generation that is due, and all younger ones."""
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if not due[0]:
            return  # as Python, which then does not look at older ones
        if due[2] and len(gc.get_objects(generation=2)) >= GROWTH * self._old:
            gc.collect()
            self._old = len(gc.get_objects(generation=2))
        elif due[1]:
            gc.collect(1)
        else:
            gc.collect(0)


def collector(application: QCoreApplication) -> Collector:
    """The application's one collector."""
    return application.findChild(Collector) or Collector(application)
