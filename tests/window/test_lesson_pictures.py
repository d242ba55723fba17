"""Every step of every lesson as a person sees it: by keys alone, asked and answered, with nothing cut off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.charts.plot import PREDICT_FIRST
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.teaching import Teaching
from gui.qt.lessons.text import LessonText
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from robots.lessons.library import shipped_lessons
from tests.window.hands import PATIENCE, press, screenshot
from tests.window.rules import clipped, covered, faint
from tests.window.test_accessible import lacking
from tests.window.test_lesson_entries import begin_class
from tests.window.test_lessons import ENTRIES, panel_of, ready

CONTROL = Qt.KeyboardModifier.ControlModifier
SIZES = ((1280, 720), (1920, 1080))
LONGEST = 6
"""A step that is asked and read in more pages is too long for a class."""

LESSONS = [entry.key for entry in shipped_lessons()]


def predict(qtbot: QtBot, window: MainWindow, panel: LessonPanel) -> None:
    """Enter a prediction and commit to it, by keys."""
    player = window.session.lessons
    asked = player.course.asked
    assert asked is not None
    if asked.kind == Kind.ORDER:
        press(qtbot, window, Qt.Key.Key_Down, CONTROL)
    for key in ENTRIES.get(asked.kind, ()):
        press(qtbot, window, key)
    place = player.course.record.waiting
    assert place is not None
    press(qtbot, window, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: player.course.record.answers[place].outcome is not None, timeout=PATIENCE)


def read_on(qtbot: QtBot, window: MainWindow, until: Callable[[], bool]) -> None:
    """Page Down first shows what is below the edge, and then goes on."""
    for _ in range(LONGEST):
        press(qtbot, window, Qt.Key.Key_PageDown)
        if until():
            return
    raise AssertionError(f"{LONGEST} pages do not lead on")


@pytest.mark.long
@pytest.mark.parametrize("key", LESSONS)
def test_every_step_is_whole(open_one: Callable[..., MainWindow], qtbot: QtBot, key: str, artifacts: Path) -> None:
    window = open_one(file=f"lesson:{key}", ready=False)
    panel, player = panel_of(qtbot, window), window.session.lessons
    plots = next(dock.panel for dock in window.docks if dock.kind.key == "plots")
    assert plots is not None
    found: list[str] = []

    def look_at(name: str) -> None:
        for size in SIZES:
            window.resize(*size)
            screenshot(qtbot, window, artifacts / f"{key}-{size[0]}-{name}.png")
            faults = clipped(panel) + covered(panel) + faint(panel) + lacking(panel)
            found.extend(f"{name} at {size}: {one}" for one in faults)

    look_at("0")
    for number in range(1, player.course.last + 1):
        press(qtbot, window, Qt.Key.Key_PageDown, CONTROL)
        if player.course.asked is not None:
            ready(qtbot, player)
        look_at(f"{number}-asked")
        while player.course.asked is not None:
            predict(qtbot, window, panel)
        qtbot.waitUntil(lambda: window.session.runs.current.run is not None, timeout=PATIENCE)
        window.session.playback.pause()
        window.session.playback.seek(0.6 * window.session.scenario.duration)
        qtbot.waitUntil(lambda: all(row.reference_state != "computing" for row in window.session.runs.all))
        qtbot.waitUntil(lambda: not any(plot.chart.empty == PREDICT_FIRST for plot in plots.plots.values()))  # type: ignore[attr-defined]
        look_at(f"{number}-answered")
    assert not found


@pytest.mark.long
@pytest.mark.parametrize("key", LESSONS)
def test_every_step_is_whole_in_front_of_a_class(
    open_one: Callable[..., MainWindow], qtbot: QtBot, key: str, artifacts: Path
) -> None:
    window = open_one(file=f"lesson:{key}", ready=False)
    panel_of(qtbot, window)
    session, player = window.session, window.session.lessons
    panel, show = begin_class(qtbot, window), window.findChild(Teaching)
    assert show is not None
    plots = show.docks["plots"].widget()
    found: list[str] = []

    def look_at(name: str) -> None:
        for size in SIZES:
            window.resize(*size)
            screenshot(qtbot, window, artifacts / f"class-{key}-{size[0]}-{name}.png")
            faults = clipped(panel) + covered(panel) + faint(panel) + lacking(panel)
            found.extend(f"{name} at {size}: {one}" for one in faults)

    look_at("0")
    for number in range(1, player.course.last + 1):
        read_on(qtbot, window, lambda number=number: player.course.number == number)
        if player.course.asked is not None:
            ready(qtbot, player)
            if player.course.asked.choices:
                for hand in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_V):
                    press(qtbot, window, hand)
            press(qtbot, window, Qt.Key.Key_T)
        look_at(f"{number}-asked")
        read_on(qtbot, window, lambda: player.course.asked is None)
        qtbot.waitUntil(lambda: session.runs.current.run is not None, timeout=PATIENCE)
        session.playback.pause()
        session.playback.seek(0.6 * session.scenario.duration)
        qtbot.waitUntil(lambda: all(row.reference_state != "computing" for row in session.runs.all), timeout=PATIENCE)
        qtbot.waitUntil(lambda: not any(plot.chart.empty == PREDICT_FIRST for plot in plots.plots.values()))  # type: ignore[union-attr]
        look_at(f"{number}-answered")
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not found


def test_no_line_of_a_lesson_ends_between_a_number_and_its_unit(
    open_one: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """It was "with steps of 10" and "ms" on the next line."""
    window = open_one()
    assert window.session.lessons.open("order")
    window.session.lessons.go(1)
    panel = panel_of(qtbot, window)

    def said() -> str:
        return " ".join(text.document().toRawText() for text in panel.findChildren(LessonText))

    qtbot.waitUntil(lambda: "steps of" in said(), timeout=PATIENCE)
    assert f"steps of 10{NO_BREAK}ms" in said()
    assert "0 ms" not in said()
