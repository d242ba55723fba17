"""README's five minutes: each sentence is a step of a real mouse and real keys, and what it says is so."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.app.settings import Settings
from gui.qt.dialogs.gallery import Gallery
from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.export.dialog.form import ExportForm
from gui.qt.export.dialog.progress import ExportProgress
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.export.inside import read_scenarios
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.window.main_window import MainWindow
from scene import camera as cameras
from tests.window.hands import PATIENCE, press, screenshot, wait_done
from tests.window.test_shell_viewport import CONTROL, LEFT, middle_of_link

README = Path(__file__).parents[2] / "README.md"

SENTENCES = (
    "Choose The arm falls; it starts moving at once.",
    "Space pauses and resumes.",
    "The lane under the picture has a tick for every step that the solver took.",
    "Press P to pin the run.",
    "Under Integrator choose Runge-Kutta 1 (explicit Euler), and watch it leave the ghost.",
    "Choose Runge-Kutta-Fehlberg 4(5) and Step control: the steps grow and shrink with the motion.",
    "A red cross is a rejected step.",
    "Hold Ctrl and drag a link while it plays: a spring pulls it, and the integrator answers.",
    "Y, the arrows and Enter do so without a mouse.",
    "Ctrl+Shift+E saves the animation.",
    "F1 shows every key.",
)
"""What the test below does, one after the other."""


def sentences() -> tuple[str, ...]:
    """README's five minutes without their marks."""
    text = README.read_text("utf-8").split("## Five minutes")[1].split("The [tour]")[0]
    steps = re.split(r"\n\d\. ", re.sub(r"<[^>]+>|\*", "", text))
    plain = [" ".join(step.split()) for step in steps if step.strip()]
    return tuple(sentence for step in plain for sentence in re.split(r"(?<=\.) (?=[A-Z])", step))


def choose_method(qtbot: QtBot, panel: IntegratorPanel, key: str, name: str) -> None:
    """A click on the button, and one on the method in the list."""
    qtbot.mouseClick(panel.picker.button, LEFT)
    tree = panel.picker.methods.tree
    qtbot.waitUntil(tree.isVisible)
    item = panel.picker.methods.items[key]
    assert item.text(0) == name
    tree.scrollToItem(item)
    qtbot.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(item).center())
    qtbot.waitUntil(lambda: not tree.isVisible())


def ticks(window: MainWindow) -> dict[bool, int]:
    """How many ticks of accepted steps the lane draws, and how many crosses of rejected ones (True)."""
    curves = window.timeline.lane.content.steps.curves
    return {
        crossed: sum(curve.x.size for curve in curves if (curve.mark == "cross") == crossed)
        for crossed in (False, True)
    }


def test_the_test_knows_every_sentence() -> None:
    assert sentences() == SENTENCES


def the_arm_falls(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    qtbot.waitUntil(lambda: isinstance(window.sheet, Gallery), timeout=PATIENCE)
    gallery = window.sheet
    assert isinstance(gallery, Gallery)
    card: QWidget = next(card for card in gallery.cards if card.title == "The arm falls")
    qtbot.mouseClick(card, LEFT)
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: session.playback.playing and session.playback.t > 0.05, timeout=PATIENCE)
    press(qtbot, window, Qt.Key.Key_Space)
    assert not session.playback.playing
    press(qtbot, window, Qt.Key.Key_Space)
    assert session.playback.playing
    run = session.runs.current.run
    assert run is not None
    assert ticks(window)[False] == run.counts.steps == 1000


def euler_leaves_the_ghost(window: MainWindow, panel: IntegratorPanel, qtbot: QtBot) -> None:
    session = window.session
    press(qtbot, window, Qt.Key.Key_P)
    assert [row.pinned for row in session.runs.all] == [False, True]
    choose_method(qtbot, panel, "rk1", "Runge-Kutta 1 (explicit Euler)")
    wait_done(qtbot, window)
    session.playback.pause()
    session.playback.seek(3.0)
    view = window.viewport
    assert view is not None
    arm, ghost = view.picture().actors[:2]
    assert ghost.opacity < 1.0 == arm.opacity
    postures = [row.run.sample(np.array([3.0]))[0] for row in session.runs.all if row.run is not None]
    assert abs(postures[0] - postures[1]).max() > 0.05, "the arm has left its ghost"
    qtbot.waitUntil(lambda: all(row.seconds is not None for row in session.runs.all), timeout=PATIENCE)


def steps_are_controlled(window: MainWindow, panel: IntegratorPanel, qtbot: QtBot) -> None:
    session = window.session
    choose_method(qtbot, panel, "rkf45", "Runge-Kutta-Fehlberg 4(5)")
    qtbot.mouseClick(next(b for b in panel.mode.buttons.values() if b.text() == "Step control"), LEFT)
    wait_done(qtbot, window)
    run = session.runs.current.run
    assert run is not None
    steps = run.log.h[run.log.accepted]
    assert steps.max() > 2.0 * steps.min()
    assert ticks(window)[True] == run.counts.rejected > 0
    crosses = [curve for curve in window.timeline.lane.content.steps.curves if curve.mark == "cross"]
    assert all(QColor(curve.colour).red() > 2 * QColor(curve.colour).green() for curve in crosses), "a red cross"


def a_link_is_pulled(window: MainWindow, qtbot: QtBot) -> None:
    session, view = window.session, window.viewport
    free = session.runs.current.run
    assert view is not None
    assert free is not None
    session.playback.seek(0.5)
    session.playback.play()
    before, start = view.camera(), middle_of_link(view, 1)
    qtbot.mousePress(view, LEFT, CONTROL, start)
    assert session.drag_force.active
    began = session.playback.t
    qtbot.waitUntil(lambda: session.playback.t > began + 0.05, timeout=PATIENCE)
    qtbot.mouseRelease(view, LEFT, CONTROL, start + QPoint(60, -40))
    session.playback.pause()
    assert session.scenario.segments[0].pull is not None
    wait_done(qtbot, window)
    pulled, end = session.runs.current.run, np.array([free.t_end])
    assert pulled is not None
    assert abs(pulled.sample(end) - free.sample(end)).max() > 0.01, "the integrator answers"
    assert cameras.eye(view.camera()).tolist() == cameras.eye(before).tolist()


def a_link_is_pulled_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    session, before = window.session, len(window.session.scenario.segments)
    session.playback.seek(session.scenario.duration - 1.0)
    press(qtbot, window, Qt.Key.Key_Y)
    assert session.drag_force.active
    press(qtbot, window, Qt.Key.Key_Up)
    began = session.playback.t
    qtbot.waitUntil(lambda: session.playback.t > began + 0.05, timeout=PATIENCE)
    press(qtbot, window, Qt.Key.Key_Return)
    session.playback.pause()
    assert not session.drag_force.active
    assert len(session.scenario.segments) == before + 1
    wait_done(qtbot, window)


def a_film_and_the_keys(window: MainWindow, qtbot: QtBot, file: Path) -> None:
    press(qtbot, window, Qt.Key.Key_E, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    assert "animation" in sheet.accessibleName().lower()
    length = "0.2"
    for field, text in ((sheet.form.file, str(file)), (sheet.form.end, length)):
        qtbot.mouseDClick(field, LEFT)
        field.selectAll()
        qtbot.keyClicks(field, text)
    assert isinstance(sheet.form, ExportForm)
    sheet.form.frame_size.setCurrentText("160 × 90")
    qtbot.mouseClick(sheet.export_button, LEFT)
    assert window.sheet is None
    progress = window.statusBar().findChild(ExportProgress)
    assert isinstance(progress, ExportProgress)
    with qtbot.waitSignal(progress.ended, timeout=PATIENCE) as ended:
        pass
    assert ended.args == [f"Exported {file.name}", False]
    with av.open(str(file)) as film:
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
        assert len(frames) == round(float(length) * float(film.streams.video[0].average_rate or 0.0))
    assert max(abs(frames[-1].astype(int) - frames[0].astype(int)).ravel()) > 50, "the arm moves in it"
    kept = read_scenarios(file)
    assert [scenario.method for scenario in kept] == ["rkf45", "rk4"]
    assert kept[0].segments == window.session.scenario.segments
    press(qtbot, window, Qt.Key.Key_F1)
    assert isinstance(window.sheet, KeySheet)


def test_five_minutes(open_one: Callable[..., MainWindow], tmp_path: Path, qtbot: QtBot, artifacts: Path) -> None:
    fresh = Settings(tmp_path / "fresh")
    fresh.set("view.theme", "light")
    window = open_one(own=fresh)
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(panel, IntegratorPanel)
    the_arm_falls(window, qtbot)
    euler_leaves_the_ghost(window, panel, qtbot)
    steps_are_controlled(window, panel, qtbot)
    screenshot(qtbot, window, artifacts / "five-minutes.png")
    a_link_is_pulled(window, qtbot)
    a_link_is_pulled_by_keys(window, qtbot)
    a_film_and_the_keys(window, qtbot, tmp_path / "arm.mp4")
