"""How often the window is put together: once for everything that a change brings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gui.app.computing import compute
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE


class Frames(QObject):
    """Which of the picture and the plots were painted for each frame."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        assert window.viewport is not None
        self.views: dict[QObject, str] = {window.viewport: "picture"}
        for plot in window.findChildren(PlotWidget):
            if plot.isVisible():
                self.views[plot.widget.viewport()] = plot.plot.key
        self.seen: list[list[str]] = []
        self.painted: list[str] = []
        for view in self.views:
            view.installEventFilter(self)
        window.viewport.frameSwapped.connect(self.close)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.painted.append(self.views[watched])
        return False

    def close(self) -> None:
        """A frame is on the screen."""
        if self.painted:
            self.seen.append(sorted(self.painted))
        self.painted = []

    def of(self, act: Callable[[], object], qtbot: QtBot) -> int:
        """How many frames an act needs until one has the picture and every plot."""
        self.seen.clear()
        act()

        def whole() -> None:
            assert sorted(self.views.values()) in self.seen

        qtbot.waitUntil(whole, timeout=PATIENCE)
        return len(self.seen)


@pytest.fixture
def frames(window: MainWindow, qtbot: QtBot) -> Frames:
    settle(window, qtbot)
    return Frames(window)


def settle(window: MainWindow, qtbot: QtBot) -> None:
    """Until nothing more follows from the run."""
    rows = window.session.runs

    def known() -> bool:
        row = rows.current
        return row.judged and row.seconds is not None and row.reference_state == "done"

    qtbot.waitUntil(known, timeout=PATIENCE)
    for _ in range(3):
        QApplication.processEvents()
    # A plot that has just followed the playhead follows it again a little later.
    pulses = [pulse for plot in window.findChildren(PlotWidget) if (pulse := getattr(plot, "_pulse", None)) is not None]
    qtbot.waitUntil(lambda: window.frames.idle and all(pulse.idle for pulse in pulses), timeout=PATIENCE)


def test_one_frame_shows_a_change_in_the_picture_and_in_every_plot(
    window: MainWindow, frames: Frames, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(frames.views) > 3
    session = window.session
    for t in (1.0, 2.0):
        settle(window, qtbot)
        assert frames.of(lambda t=t: session.playback.seek(t), qtbot) == 1
    monkeypatch.setattr(compute, "QUICK", PATIENCE)  # on a busy machine no run is
    window.frames.least_patience = PATIENCE
    for mass in (1.5, 1.6):
        settle(window, qtbot)
        # The frame waits for the run; verdict, time and reference follow later.
        assert frames.of(lambda mass=mass: session.edit("robot.m1", mass), qtbot) <= 2
        assert session.runs.current.run is not None
        assert session.runs.current.run.scenario == session.scenario
    settle(window, qtbot)
    window.frames.least_patience = 10
    monkeypatch.setattr(type(session.computing), "awaited", True)
    assert frames.of(lambda: session.playback.seek(1.0), qtbot) <= 2, "no frame waits long"


def test_a_widget_that_fails_keeps_no_other_one_from_being_painted(
    window: MainWindow, frames: Frames, qtbot: QtBot
) -> None:
    class Broken(QWidget):
        def paintEvent(self, event: QPaintEvent) -> None:
            raise RuntimeError("no line today")

    broken = Broken(window.menuBar())
    broken.setGeometry(400, 0, 20, 10)
    window.session.playback.moved.connect(lambda *_: broken.update())
    with qtbot.captureExceptions() as caught:
        broken.show()
        assert frames.of(lambda: window.session.playback.seek(1.0), qtbot) <= 2
    broken.setParent(None)
    assert {str(error) for _, error, _ in caught} == {"no line today"}, "each failure once, and none in another's name"


def test_a_frame_waits_for_a_run_as_long_as_a_frame_takes(
    window: MainWindow, frames: Frames, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, never = window.frames, type(window.session.computing)
    qtbot.waitUntil(lambda: drawn.idle, timeout=PATIENCE)
    assert drawn.took > 0.0, "the frames until now were timed"
    monkeypatch.setattr(never, "awaited", True)
    for took, waits in ((0.001, drawn.least_patience), (0.12, 120)):
        drawn.took = took
        with qtbot.waitSignal(drawn.patience.timeout, timeout=PATIENCE):
            window.update()
            qtbot.waitUntil(drawn.patience.isActive, timeout=PATIENCE)
            assert drawn.patience.interval() == waits
        qtbot.waitUntil(lambda: drawn.idle, timeout=PATIENCE)
