"""How long the window is busy while it takes another theme, and while a presentation begins and ends."""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measurement import Measurement
from benchmarks.window import open_window, run_on

TURNS = 8
THEMES = ("projector", "light", "dark", "light")
SETTLED = 0.5
"""After each change the window has so long to follow [s]."""


def measure() -> list[Measurement]:
    """Change the theme and present, again and again, in one window with its usual panels."""
    from gui.qt.window.presentation import Presentation

    with open_window() as window:
        window.session.playback.pause()
        view, present = window.session.view, window.actions_by_key["view.present"]
        themes = [_busy(lambda theme=theme: view.set(theme=theme)) for _ in range(TURNS // 2) for theme in THEMES]
        begins, ends = [], []
        for _ in range(TURNS):
            begins.append(_busy(present.trigger))
            shown = [one for one in window.findChildren(Presentation) if one.active]
            ends.append(_busy(shown[0].leave))
    return [
        Measurement("another theme", "ms", themes, goal=600.0),
        Measurement("a presentation begins", "ms", begins, goal=1500.0),
        Measurement("a presentation ends", "ms", ends, goal=1000.0),
    ]


def _busy(act: Callable[[], object]) -> float:
    """Milliseconds until the window has done it and drawn what follows at once."""
    from PySide6.QtWidgets import QApplication

    begun = time.perf_counter()
    act()
    QApplication.processEvents()
    taken = 1e3 * (time.perf_counter() - begun)
    run_on(SETTLED)
    return taken
