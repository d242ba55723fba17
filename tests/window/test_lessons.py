"""A lesson in the window: by keys alone, nothing seen too early, in front of a class, read again when it is saved."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QListWidget, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.app.lessons.player import LessonPlayer
from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.lessons.inputs import OrderInput
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.sketch import SketchInput
from gui.qt.lessons.teaching import Teaching
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.style.theme import look
from gui.qt.window import presentation
from gui.qt.window.commands.focus_frame import FocusFrame
from gui.qt.window.commands.lessons import REVEALING
from gui.qt.window.main_window import MainWindow
from robots.lessons.lesson import Kind
from robots.scenario.presets import find_preset
from tests.lessons import SIX_KINDS
from tests.window.exporting import figure_sheet
from tests.window.hands import PATIENCE, drag, drag_and_drop, press, screenshot
from tests.window.rules import clipped, covered, faint
from tests.window.test_accessible import lacking

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ENTRIES = {
    Kind.CHOICE: (Qt.Key.Key_Down,),
    Kind.NUMBER: (Qt.Key.Key_P, Qt.Key.Key_I, Qt.Key.Key_Asterisk, Qt.Key.Key_1, Qt.Key.Key_0),
    Kind.TIME: (Qt.Key.Key_Right,) * 5,
    Kind.SLOPE: (Qt.Key.Key_Right,) * 5,
    Kind.CURVE: (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up),
}
"""What a person presses to enter a prediction."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "six.md"
    path.write_text(SIX_KINDS)
    return path


@pytest.fixture
def lesson(open_one: Callable[..., MainWindow], file: Path) -> MainWindow:
    window = open_one(file=file, ready=False)
    return window


def panel_of(qtbot: QtBot, window: MainWindow) -> LessonPanel:
    qtbot.waitUntil(lambda: all(dock.panel is not None for dock in window.docks), timeout=PATIENCE)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "lesson")
    assert isinstance(panel, LessonPanel)
    qtbot.waitUntil(panel.isVisible)
    return panel


def primary(panel: LessonPanel) -> list[QPushButton]:
    """The buttons in the theme's colour: what to press next."""
    return [
        button
        for button in panel.findChildren(QPushButton)
        if button.property("role") == "primary" and button.isVisible()
    ]


def ready(qtbot: QtBot, player: LessonPlayer) -> None:
    qtbot.waitUntil(lambda: player.ready, timeout=PATIENCE)


def whole_in_view(qtbot: QtBot, widget: QWidget | None) -> None:
    assert widget is not None
    qtbot.waitUntil(lambda: widget.visibleRegion().boundingRect() == widget.rect())


def everything_said(one: QAccessibleInterface | None) -> str:
    """All that assistive technology finds."""
    if one is None or not one.isValid():
        return ""
    kinds = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Value)
    own = " ".join(one.text(kind) for kind in kinds)
    return own + " ".join(everything_said(one.child(place)) for place in range(one.childCount()))


def test_every_step_by_keys_alone(lesson: MainWindow, qtbot: QtBot, tmp_path: Path, artifacts: Path) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    assert not lacking(panel)
    qtbot.waitUntil(panel.onward.hasFocus)
    lesson.resize(1280, 720)
    for number in range(1, player.course.last + 1):
        press(qtbot, lesson, Qt.Key.Key_PageDown, CONTROL)
        assert player.course.number == number
        ready(qtbot, player)
        prediction = player.course.asked
        assert prediction is not None
        control = panel.cards[-1].first_control()
        assert control is not None
        assert control.hasFocus(), prediction.kind
        assert control.findChild(FocusFrame) is not None, "what the keys choose in is marked"
        before = player.course.draft
        for key in ENTRIES.get(prediction.kind, ()):
            press(qtbot, lesson, key)
        if prediction.kind == Kind.ORDER:
            assert isinstance(control, QListWidget)
            press(qtbot, lesson, Qt.Key.Key_Down, CONTROL)
        assert player.course.draft != before, prediction.kind
        assert not lacking(panel), prediction.kind
        assert not clipped(panel)
        assert primary(panel) == [panel.cards[-1].commit]
        screenshot(qtbot, lesson, artifacts / f"lesson-{prediction.kind}.png")
        press(qtbot, lesson, Qt.Key.Key_Return, CONTROL)
        qtbot.waitUntil(lambda: player.course.record.answers[0].outcome is not None, timeout=PATIENCE)
        assert player.course.asked is None
        assert primary(panel) == [panel.onward]
        assert not lacking(panel)
        if prediction.why:
            assert panel.onward.hasFocus(), "Space plays the outcome"
            reason = panel.cards[-1].reason
            assert reason is not None
            whole_in_view(qtbot, reason)
            reason.setFocus()
            qtbot.keyClicks(reason, "Because")
            assert player.course.record.answers[0].reason == "Because"
            press(qtbot, lesson, Qt.Key.Key_Tab)
            panel.hint.click()
            whole_in_view(qtbot, panel.hints[0])
    panel.onward.setFocus()
    press(qtbot, lesson, Qt.Key.Key_Return)
    assert panel.answers is not None
    assert panel.answers.name.hasFocus()
    whole_in_view(qtbot, panel.answers)
    assert {answer.judgement is not None for record in player.course.records for answer in record.answers} == {True}
    predictions_are_panels(lesson, qtbot, tmp_path, artifacts)


def predictions_are_panels(window: MainWindow, qtbot: QtBot, folder: Path, artifacts: Path) -> None:
    """Export a figure of predictions that were made."""
    sheet, form = figure_sheet(window, folder / "fig.svg")
    (results,) = (group for group in form.menu.findChildren(QMenu) if group.title() == "Results")
    offered = {action.text(): action for action in results.actions()}
    assert list(offered) == [f"Prediction: {name}" for name in ("How many?", "When?", "How steep?", "What shape?")]
    form.panels.clear()
    for action in offered.values():
        action.trigger()
    assert form.panels.text() == "prediction@how-many, prediction@when, prediction@how-steep, prediction"
    qtbot.waitUntil(lambda: not sheet.preview.words, timeout=PATIENCE)
    assert not sheet.trouble.text()
    screenshot(qtbot, window, artifacts / "figure-sheet-predictions.png")
    qtbot.mouseClick(sheet.export_button, Qt.MouseButton.LeftButton)
    progress = window.statusBar().findChild(ExportProgress)
    assert progress is not None
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE):
        pass
    text = (folder / "fig.svg").read_text("utf-8")
    for words in ("What shape?", "angle 1", "Predicted: ", "Outcome: 2.18"):
        assert words in text, words


def test_nothing_leaks_and_then_the_run_plays(lesson: MainWindow, heard: list[tuple[str, bool]], qtbot: QtBot) -> None:
    panel, session = panel_of(qtbot, lesson), lesson.session
    player = session.lessons
    press(qtbot, lesson, Qt.Key.Key_H)
    player.go(1)
    ready(qtbot, player)
    qtbot.waitUntil(lambda: session.runs.current.beginning is not None, timeout=PATIENCE)
    session.playback.seek(0.7)
    session.view.set(plots=["error", "energy", "stability"])
    plots = next(dock.panel for dock in lesson.docks if dock.kind.key == "plots")
    assert isinstance(plots, QWidget)
    qtbot.waitUntil(lambda: bool(plots.plots), timeout=PATIENCE)  # type: ignore[attr-defined]
    assert all(plot.chart.blank for plot in plots.plots.values())  # type: ignore[attr-defined]
    plane = plots.plots["stability"].across_axis  # type: ignore[attr-defined]
    assert (plane.labelText, plane.style["showValues"]) == ("", False), "no axis of another plot"
    texts = everything_said(QAccessible.queryAccessibleInterface(lesson)) + session.messages.notice
    texts += " ".join(text for text, _ in heard)
    assert player.ready, "there is something to leak"
    leaked = re.findall(r"\d+ steps|\d{2,} evaluations|[Ff]inished at[^.]*|largest error \d\S*", texts)
    assert not leaked
    assert lesson.viewport is not None
    assert not lesson.viewport.notice.isVisible()
    assert not [label.text for label in lesson.viewport.picture().labels if "stopped" in label.text], (
        "only its beginning"
    )
    revealing = [key for key in lesson.actions_by_key if key.startswith(REVEALING)]
    assert len(revealing) == 7
    assert not any(lesson.actions_by_key[key].isEnabled() for key in revealing)
    lesson.actions_by_key["edit.copy_table"].trigger()
    copied = QApplication.clipboard().text()
    assert copied.count("predict first") == 2
    assert not re.findall(r"\d[\d.·]* rad|\t\d+\t", copied)
    panel.cards[0].input.buttons["fine"].click()  # type: ignore[union-attr]
    qtbot.mouseClick(panel.cards[0].commit, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.runs.current.run is not None and session.playback.t > 0.0, timeout=PATIENCE)
    assert session.playback.t < 0.7, "from the start"
    assert all(lesson.actions_by_key[key].isEnabled() for key in revealing)
    dock = next(dock for dock in lesson.docks if dock.kind.key == "integrator")
    dock.raise_()
    integrator = dock.panel
    assert isinstance(integrator, IntegratorPanel)
    qtbot.waitUntil(lambda: "table step" in integrator.card.longest.text(), timeout=PATIENCE)
    assert integrator.measure.isEnabled()
    player.go(2)
    qtbot.waitUntil(lambda: not integrator.card.longest.text() + integrator.card.modes.text(), timeout=PATIENCE)
    assert not integrator.measure.isEnabled()
    qtbot.waitUntil(lambda: any("error" in text or "Right" in text or "right" in text for text, _ in heard))


def test_drawing_and_dragging_by_mouse(lesson: MainWindow, qtbot: QtBot) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    for number in (4, 5, 6):
        player.go(number)
        ready(qtbot, player)
        sketch = panel.cards[-1].input
        assert isinstance(sketch, SketchInput)
        # Before it is laid out, it is as high as what holds it.
        qtbot.waitUntil(lambda sketch=sketch: sketch.view.height() < sketch.height(), timeout=PATIENCE)
        box = sketch.view.laid_out().area.toRect()
        panel.area.ensureWidgetVisible(sketch.view)
        middle, low = QPoint(box.center().x(), box.top() + 30), QPoint(box.right() - 20, box.bottom() - 20)
        drag(sketch.view, middle, low)
        draft = player.course.draft
        if number == 4:
            assert draft == pytest.approx(0.95, abs=0.05)
        elif number == 5:
            assert isinstance(draft, float)
        else:
            assert isinstance(draft, tuple)
            values = [point[1] for point in draft if isinstance(point, tuple)]
            assert max(values) > sketch.paper.start > min(values)
    roomy = sketch.view.laid_out().area.height()
    for _ in range(6):
        player.enter(draft)
        player.keep_group()
    named = [cells for cells in sketch.view.names() if sum(cell[1] for cell in cells) < sketch.view.width()]
    assert [cell[0].name for cells in named for cell in cells] == [curve.name for curve in sketch.view.chart.curves]
    assert len(named) > 1, "they need more than a line"
    qtbot.waitUntil(lambda: sketch.view.laid_out().area.height() == pytest.approx(roomy, abs=1.0))
    player.go(1)
    player.show_hint()
    player.go(3)  # at once: the hint is gone before it could come into view
    order = panel.cards[-1].input
    assert isinstance(order, OrderInput)
    before, rows = order.order(), [order.list.visualItemRect(order.list.item(row)) for row in range(3)]
    panel.area.ensureWidgetVisible(order)
    drag_and_drop(order.list.viewport(), rows[2].center(), rows[0].topLeft() + QPoint(20, 1))
    assert order.order() == player.course.draft == (before[2], *before[:2])


def test_saving_the_file_shows_the_change(lesson: MainWindow, qtbot: QtBot, file: Path) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    player.go(2)
    file.write_text(SIX_KINDS.replace("## How many?", "## Count them"))
    qtbot.waitUntil(lambda: player.course.title_of(2) == "Count them", timeout=1000)
    assert player.course.number == 2
    file.write_text(SIX_KINDS.replace('language = "en"', 'language = "de"'))
    qtbot.waitUntil(lambda: panel.onward.text() == "Weiter", timeout=1000)
    assert panel.cards[-1].commit is not None
    assert panel.cards[-1].commit.text() == "Festlegen und sehen"
    player.go(4)
    sketch = panel.cards[-1].input
    assert isinstance(sketch, SketchInput)
    player.enter(0.25)
    room, width = sketch.view.laid_out().area.left(), sketch.view.fontMetrics().horizontalAdvance("Vorhergesagt")
    assert room - 7.0 > 0.8 * width, "lanes' names are whole"
    assert [curve.name for curve in sketch.view.chart.curves] == ["Vorhergesagt: 0,25 s"]
    base = file.with_name("base.json")
    base.write_text(find_preset("rr-swing").to_json())
    file.write_text(SIX_KINDS.replace("rr-swing", "base.json"))
    qtbot.waitUntil(lambda: player.course.lesson is not None and bool(player.course.lesson.files), timeout=1000)
    base.write_text(find_preset("rr-swing").with_value("robot.m1", 3.0).to_json())
    qtbot.waitUntil(lambda: lesson.session.scenario.get("robot.m1") == 3.0, timeout=1000)
    player.go(2)
    other = file.with_name("other")
    other.write_text(SIX_KINDS.replace("method=rk1", "method=rk0"))
    other.replace(file)
    qtbot.waitUntil(lambda: player.trouble != "", timeout=1000)
    assert "line" in panel.area.widget().findChild(QWidget, "lessonTrouble").text()  # type: ignore[union-attr]


def test_in_front_of_a_class(lesson: MainWindow, qtbot: QtBot, artifacts: Path) -> None:
    panel_of(qtbot, lesson)
    session, player = lesson.session, lesson.session.lessons
    player.go(1)
    press(qtbot, lesson, Qt.Key.Key_F5)
    show = lesson.findChild(Teaching)
    assert show is not None
    assert show.docks["lesson"].isVisible()
    assert not show.notes.isVisible(), "the teacher's notes are not for the class"
    ready(qtbot, player)
    for key in (Qt.Key.Key_2, Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_1, Qt.Key.Key_Backspace, Qt.Key.Key_9):
        press(qtbot, lesson, key)
    large = show.docks["lesson"].widget()
    assert isinstance(large, LessonPanel)
    bars = large.cards[0].bars
    assert bars is not None
    assert not bars.isVisible()
    press(qtbot, lesson, Qt.Key.Key_V)
    assert bars.isVisible()
    whole_in_view(qtbot, bars)
    assert [len(curve.x) and curve.x[1] for curve in bars.chart.curves] == [1.0, 2.0]
    assert all(math.isnan(curve.at(bars.t)) for curve in bars.chart.curves), "hands have no playhead"
    press(qtbot, lesson, Qt.Key.Key_T)
    assert (large.time.text(), large.time.accessibleName()) == ("1:00", "Time left: 1:00")
    press(qtbot, lesson, Qt.Key.Key_T, SHIFT)
    assert large.time.text() == ""
    screenshot(qtbot, lesson, artifacts / "lesson-class.png")
    press(qtbot, lesson, Qt.Key.Key_N)
    assert show.notes.isVisible()
    assert "Ask why." in show.notes.accessibleName()
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert player.course.number == 1
    assert player.course.record.answers[0].guess == "fine"
    qtbot.waitUntil(lambda: session.runs.current.run is not None, timeout=PATIENCE)
    press(qtbot, lesson, Qt.Key.Key_R)
    assert player.course.asked is not None
    assert session.runs.current.run is None
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    press(qtbot, lesson, Qt.Key.Key_PageDown)
    assert player.course.number == 2
    press(qtbot, lesson, Qt.Key.Key_Escape)
    assert not show.active
    assert player.course.records[0].answers[0].guess is None, "a class leaves no answers"


def test_two_screens_keep_the_notes_from_the_class(
    lesson: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, projector = QRect(0, 0, 800, 600), QRect(800, 0, 800, 600)
    monkeypatch.setattr(presentation, "screen_areas", lambda: [own, projector])
    panel_of(qtbot, lesson)
    lesson.session.lessons.go(1)
    press(qtbot, lesson, Qt.Key.Key_F5)
    show = lesson.findChild(Teaching)
    assert show is not None
    assert show.presenter is not None
    assert (show.presenter.geometry(), lesson.geometry()) == (own, projector)
    assert show.presenter.text.text() == "Ask why."
    assert "Count a hand" in show.presenter.keys.text().replace(NO_BREAK, " ")
    for notes in (Qt.Key.Key_N, None):
        if notes is not None:
            press(qtbot, lesson, notes)
        else:
            lesson.actions_by_key["lesson.notes"].trigger()
        seen = [one for one in lesson.findChildren(QWidget) if one.isVisible() and one.window() is lesson]
        said = " ".join(f"{one.accessibleName()} {one.accessibleDescription()}" for one in seen)
        assert "Ask why." not in said
        assert not show.notes.isVisible()
    ready(qtbot, lesson.session.lessons)
    qtbot.keyClick(show.presenter, Qt.Key.Key_PageDown)
    qtbot.keyClick(show.presenter, Qt.Key.Key_PageDown)
    qtbot.keyClick(show.presenter, Qt.Key.Key_PageDown)
    qtbot.keyClick(show.presenter, Qt.Key.Key_PageDown)
    assert lesson.session.lessons.course.asked is not None
    assert lesson.session.lessons.course.asked.kind == Kind.ORDER
    assert lesson.session.lessons.course.draft is None, "the class has not said anything"
    press(qtbot, lesson, Qt.Key.Key_1)
    assert not lesson.session.lessons.course.record.answers[0].hands
    large = show.docks["lesson"].widget()
    assert isinstance(large, LessonPanel)
    assert large.answer_control() is not None
    assert QApplication.focusWidget() is large.answer_control(), "a group enters what is no choice"
    order = large.cards[-1].input
    assert isinstance(order, OrderInput)
    order.move(1)
    qtbot.keyClick(show.presenter, Qt.Key.Key_G)
    qtbot.keyClick(show.presenter, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: "in the right place" in everything_said(QAccessible.queryAccessibleInterface(large)))
    show.leave()


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_every_theme_shows_every_kind_whole(
    lesson: MainWindow, qtbot: QtBot, size: tuple[int, int], artifacts: Path
) -> None:
    panel, player = panel_of(qtbot, lesson), lesson.session.lessons
    lesson.resize(*size)
    for theme in ("light", "dark", "projector"):
        lesson.session.view.set(theme=theme)
        assert look().theme.name == theme
        for number in range(1, player.course.last + 1):
            player.go(number)
            ready(qtbot, player)
            screenshot(qtbot, lesson, artifacts / f"lesson-{theme}-{size[0]}-{number}.png")
            assert not clipped(panel) + covered(panel) + faint(panel), (theme, number)
