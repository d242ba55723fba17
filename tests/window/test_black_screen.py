"""The black screen of a presentation: a key or a click brings the picture back, and acts on nothing unseen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import Palette
from gui.qt.style.theme import look
from gui.qt.window.main_window import MainWindow
from tests.window.hands import press, wait_done
from tests.window.test_before_an_audience import popped_up
from tests.window.test_lecture_by_mouse import choose_below_mouse
from tests.window.test_presentation import CONTROL, begin

Key = Qt.Key


def test_a_black_screen_has_a_menu_to_read_and_ends_with_a_click(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    seen: list[QColor] = []

    def look_at_menu() -> None:
        menu = popped_up()
        seen.append(menu.grab().toImage().pixelColor(menu.width() // 2, 4))
        menu.close()

    show.blank()
    assert show.black.grab().toImage().pixelColor(40, 40) == QColor("black")
    at = QPoint(20, 20)
    QTimer.singleShot(0, look_at_menu)
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, show.black.mapToGlobal(at))
    QApplication.sendEvent(show.black, asked)
    assert seen == [look().theme.colour("surface")]
    assert show.black.isVisible()
    qtbot.mouseClick(show.black, Qt.MouseButton.LeftButton)
    assert show.black.isHidden()
    assert show.active
    show.leave()


def test_under_a_black_screen_a_key_brings_the_picture_back_and_acts_on_nothing_unseen(
    window: MainWindow, qtbot: QtBot
) -> None:
    show = begin(qtbot, window)
    session, playback = window.session, window.session.playback
    wait_done(qtbot, window)
    session.edit("duration", 3.0)
    wait_done(qtbot, window)
    playback.pause()
    playback.seek(1.0)
    before = session.history.present, session.view.settings, playback.t, show.notes.isVisible()
    docks = [dock.isVisible() for dock in show.docks.values()]
    keys = [Key.Key_M, Key.Key_N, Key.Key_Space, Key.Key_P, Key.Key_Home, Key.Key_X, Key.Key_Z, Key.Key_Escape]
    keys += [Key.Key_PageDown, Key.Key_PageUp, Key.Key_Right, Key.Key_Left]
    page = show.sequence.number
    plain = Qt.KeyboardModifier.NoModifier
    for key, held in (*((key, plain) for key in keys), (Key.Key_Z, CONTROL), (Key.Key_K, CONTROL)):
        press(qtbot, window, Key.Key_B)
        assert show.black.isVisible()
        press(qtbot, window, Key.Key_Shift)
        assert show.black.isVisible(), "a key that is held for another one"
        press(qtbot, window, key, held)
        assert not show.black.isVisible(), key
        assert show.active
        assert window.sheet is None
        assert not playback.playing
        assert show.sequence.number == page, key
        assert (session.history.present, session.view.settings, playback.t, show.notes.isVisible()) == before, key
        assert [dock.isVisible() for dock in show.docks.values()] == docks, key
    press(qtbot, window, Key.Key_B)
    press(qtbot, window, Key.Key_J)
    assert isinstance(window.sheet, Palette)
    assert not show.black.isVisible()
    window.sheet.dismiss()
    show.blank()
    choose_below_mouse(show.black, "Plots, table, or the arm alone")
    assert not show.black.isVisible()
    assert show.docks["runs"].isVisible()
    press(qtbot, window, Key.Key_B)
    press(qtbot, window, Key.Key_F5)
    assert not show.active


def test_quick_clicks_on_a_black_screen_only_brings_the_picture_back(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    viewport = window.viewport
    assert viewport is not None
    reached: list[QEvent.Type] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QMouseEvent) and event.type() != QEvent.Type.MouseMove:
                reached.append(event.type())
            return False

    watch, at = Watch(viewport), QPoint(300, 200)
    viewport.installEventFilter(watch)
    show.blank()
    qtbot.mouseClick(show.black, Qt.MouseButton.LeftButton, pos=at)
    assert not show.black.isVisible()
    for _ in range(3):
        qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=at)
        qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=at)
        assert not reached
    qtbot.wait(QApplication.doubleClickInterval() + 50)
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=at)
    assert reached, "a click after a pause is the arm's"
    show.leave()
