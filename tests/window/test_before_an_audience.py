"""What is open in a presentation has the keys; the person's own settings stay; plots can be read from afar."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from assets.counting import NO_BREAK
from gui.app.settings import Settings
from gui.charts.registry import chosen_plots
from gui.qt.panels.plots import LEAST_FOR_AUDIENCE, PlotsPanel
from gui.qt.plots.legend import CurveLegend
from gui.qt.widgets.quiet import scale
from gui.qt.window import presentation
from gui.qt.window.main_window import MainWindow
from tests.window.hands import give_focus, press, wait_done
from tests.window.test_lessons import panel_of
from tests.window.test_presentation import CONTROL, begin

Key = Qt.Key


def popped_up() -> QMenu:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize("key", [Key.Key_Escape, Key.Key_Right])
def test_a_menu_has_its_keys(window: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    show = begin(qtbot, window)
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    page = show.sequence.number
    qtbot.keyClick(popped_up(), key)
    assert show.active, "it goes on"
    assert show.sequence.number == page
    while (menu := QApplication.activePopupWidget()) is not None:
        menu.close()
    press(qtbot, window, Key.Key_Escape)
    assert not show.active


def test_the_menu_of_the_picture_opens_again_and_again(window: MainWindow, qtbot: QtBot) -> None:
    assert window.viewport is not None
    for _ in range(3):
        window.viewport.ask_menu(QPoint(100, 100))
        menu = popped_up()
        menus = [action.text() for action in menu.actions() if action.menu() is not None]
        assert menus == ["Camera", "Show", "Quality"]
        menu.close()
        qtbot.wait(20)
    give_focus(qtbot, window.viewport)
    QTimer.singleShot(0, lambda: popped_up().close())
    press(qtbot, window, Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)


def test_escape_gives_an_enlarged_plot_back_first(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    qtbot.waitUntil(lambda: bool(show.docks["plots"].widget().plots))
    press(qtbot, window, Key.Key_Z)
    assert window.enlarged is not None
    qtbot.waitUntil(window.enlarged.isVisible)
    assert window.enlarged.geometry().bottom() < show.notes.geometry().top(), "the notes lie below it"
    assert show.docks["plots"].isHidden(), "it has the room of the small ones"
    qtbot.waitUntil(lambda: window.enlarged.width() > 0.95 * window.width())
    press(qtbot, window, Key.Key_Escape)
    assert show.active
    assert not window.enlarged.isVisible()
    assert not show.docks["plots"].isHidden()
    press(qtbot, window, Key.Key_M)
    assert not show.docks["runs"].isHidden()
    press(qtbot, window, Key.Key_Z)
    assert show.docks["runs"].isHidden(), "so does the table"
    press(qtbot, window, Key.Key_Escape)
    assert not show.docks["runs"].isHidden()
    press(qtbot, window, Key.Key_Escape)
    assert not show.active


def test_a_crash_leaves_no_projector_theme_behind(window: MainWindow, qtbot: QtBot) -> None:
    window.session.view.set(theme="dark")
    show = begin(qtbot, window)
    assert window.session.view.settings.theme == "projector"
    assert Settings(window.session.settings.folder).get("view.theme", "") == "dark"
    show.onward()
    wait_done(qtbot, window)
    assert window.session.view.settings.theme == "projector", "on every page"
    show.leave()
    assert window.session.view.settings.theme == "dark"


def test_plots_that_were_hidden_are_at_the_playhead(window: MainWindow, qtbot: QtBot) -> None:
    wait_done(qtbot, window)
    playback = window.session.playback
    playback.pause()
    playback.seek(1.0)
    panel = window.findChild(PlotsPanel)
    assert panel is not None
    qtbot.waitUntil(lambda: "energy" in panel.plots and not panel.plots["energy"].chart.blank)
    before = panel.plots["energy"].legend.entries
    press(qtbot, window, Key.Key_B, CONTROL)
    playback.seek(8.0)
    press(qtbot, window, Key.Key_B, CONTROL)
    plot = panel.plots["energy"]
    qtbot.waitUntil(plot.isVisible)
    assert plot.time_line.value() == 8.0  # type: ignore[attr-defined]
    assert plot.legend.entries != before


def test_an_audience_sees_whole_plots_only(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window.session.files.new("pa10-drift")
    wait_done(qtbot, window)
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    assert isinstance(panel, PlotsPanel)

    def seen() -> list:
        return [plot for plot in panel.plots.values() if plot.isVisible()]

    def whole() -> bool:
        high = [plot.area.height() for plot in seen()]
        return bool(high) and min(high) >= 0.75 * LEAST_FOR_AUDIENCE * scale(panel)

    qtbot.waitUntil(whole, timeout=20_000)
    assert len(seen()) < len(panel.shown)
    assert panel.area.verticalScrollBar().maximum() == 0
    assert seen()[-1].across_axis.height() > 20, "the lowest one has the times"
    before = len(seen())
    monkeypatch.setattr(CurveLegend, "wrap", lambda *_: None)
    for plot in seen():
        plot.header.legend.lines += 4  # as values that grow while it plays
        plot.header.legend.updateGeometry()
    qtbot.waitUntil(lambda: len(seen()) < before and not panel.area.verticalScrollBar().maximum(), timeout=20_000)
    away = [plot for plot in panel.plots.values() if not plot.isVisible()]
    window.session.view.set(degrees=not window.session.view.settings.degrees)  # what is away is drawn when it is back
    panel.resize(panel.width(), panel.height() - 1)
    assert not [plot.plot.key for plot in away if plot.maximumHeight() < panel.height()], "nobody knows what it shows"
    for plot in panel.plots.values():
        plot.header.legend.lines = 1
        plot.header.legend.updateGeometry()
    qtbot.waitUntil(lambda: len(seen()) > before and whole(), timeout=20_000)
    high = [plot.widget.height() for plot in seen() if not plot.whole.blank and not plot.plot.plane]
    assert max(high) < 1.5 * min(high), "those that are back have their share"
    show.leave()


def test_the_palette_leads_to_a_field_behind_a_tab(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 620)
    show = begin(qtbot, window)
    docks = {dock.kind.key: dock for dock in window.docks}
    window.tabifyDockWidget(docks["integrator"], docks["scenario"])
    docks["integrator"].present()
    qtbot.wait(50)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert docks["integrator"].isAncestorOf(focus)
    assert not docks["integrator"].visibleRegion().isEmpty()
    show.leave()


def test_esc_in_a_plot_gives_the_keys_back_before_it_ends_the_presentation(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    qtbot.waitUntil(lambda: bool(panel.plots), timeout=20_000)
    for _ in range(4):
        press(qtbot, window, Key.Key_Tab)
        if panel.isAncestorOf(QApplication.focusWidget()):
            break
    assert panel.isAncestorOf(QApplication.focusWidget())
    press(qtbot, window, Key.Key_Escape)
    assert window.isFullScreen()
    assert not panel.isAncestorOf(QApplication.focusWidget())
    press(qtbot, window, Key.Key_Escape)
    assert not window.isFullScreen()


def test_z_enlarges_a_plot_where_none_stands_beside_the_arm(window: MainWindow, qtbot: QtBot) -> None:
    show = begin(qtbot, window)
    for _ in range(3):
        if not any(dock.isVisible() for dock in show.docks.values()):
            break
        press(qtbot, window, Key.Key_M)
    assert not any(dock.isVisible() for dock in show.docks.values())
    press(qtbot, window, Key.Key_Z)
    assert window.session.view.settings.enlarged
    assert not window.banner.isVisible()


def test_an_arm_that_cannot_be_pulled_says_so_before_an_audience(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("pa10-circle")
    wait_done(qtbot, window)
    show = begin(qtbot, window)
    press(qtbot, window, Key.Key_Y)
    assert window.banner.isVisible()
    assert "this arm cannot be pulled" in window.banner.label.text()
    window.banner.hide()
    show.onward()
    assert not window.banner.isVisible(), "a page that opens is seen"


def test_every_hint_of_a_presentation_has_the_keys_in_the_settings(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    preferences = window.session.preferences
    nothing: dict[str, tuple[str, ...]] = {"run.play": ("Space",), "present.leave": ("F5",)}
    show = begin(qtbot, window)

    def hints() -> dict[str, str]:
        parts = [action.text().partition("\t") for action in show.notes.actions()]
        return {text: keys for text, _, keys in parts}

    usual = {"Next page": "PgDown or Right", "Play or pause": "Space", "End the presentation": "F5 or Esc"}
    assert usual.items() <= hints().items()
    assert [action.text() for action in show.black.actions()] == [action.text() for action in show.notes.actions()]
    preferences.set_keys("run.play", ("F9",), nothing, {})
    preferences.set_keys("present.leave", (), nothing, {})
    preferences.set_keys("present.onward", ("W",), {}, {})
    wanted = {"Next page": "W", "Play or pause": "F9", "End the presentation": "Esc"}
    assert wanted.items() <= hints().items(), "at once"
    preferences.set_letters(False)
    assert hints()["Black screen"] == hints()["Next page"] == "", "letters are no commands"
    preferences.set_letters(True)
    page = show.sequence.number
    press(qtbot, window, Key.Key_W)
    assert show.sequence.number == page + 1
    screens = [QRect(0, 0, 1280, 720), QRect(1280, 0, 1920, 1080)]
    monkeypatch.setattr(presentation, "screen_areas", lambda: screens)
    show._take_screens()
    assert show.presenter is not None
    assert "W: Next" in show.presenter.keys.text().replace(NO_BREAK, " ")
    preferences.reset_keys()
    assert "PgDown or Right: Next" in show.presenter.keys.text().replace(NO_BREAK, " ")
    assert usual.items() <= hints().items()


def test_the_buttons_of_a_lesson_say_the_keys_that_they_have(window: MainWindow, qtbot: QtBot) -> None:
    preferences = window.session.preferences
    window.files.open_lesson("five-minutes")
    lesson = panel_of(qtbot, window)
    assert lesson.back.toolTip() == "Previous step (Ctrl+PgUp)"
    preferences.set_keys("lesson.back", ("F8",), {}, {})
    assert lesson.back.toolTip() == "Previous step (F8)"
    show = begin(qtbot, window)
    qtbot.waitUntil(lambda: lesson.onward.toolTip() == "Next step (PgDown or Right)")
    assert lesson.reset.toolTip().endswith("(R)")
    show.leave()
    qtbot.waitUntil(lambda: lesson.back.toolTip() == "Previous step (F8)")


def test_a_plot_that_is_hidden_on_a_page_is_back_on_the_next_and_at_the_end(window: MainWindow, qtbot: QtBot) -> None:
    window.session.files.new("rr-euler")
    wait_done(qtbot, window)
    before = set(chosen_plots(window.session.view.settings))
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    assert isinstance(panel, PlotsPanel)
    qtbot.waitUntil(lambda: "energy" in panel.plots and panel.plots["energy"].isVisible(), timeout=20_000)
    hide = panel.plots["energy"].menu().actions()[-1]
    assert hide.text() == "Hide this plot"
    hide.trigger()
    assert "energy" not in panel.shown
    show.onward()
    assert set(chosen_plots(window.session.view.settings)) == before, "another page, with its own plots"
    show.back()
    assert "energy" not in chosen_plots(window.session.view.settings)
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    chooser = next(action.menu() for action in popped_up().actions() if action.text() == "Choose plots")
    entry = next(action for action in chooser.actions() if action.data() == "energy")
    assert entry.isCheckable()
    assert not entry.isChecked()
    entry.trigger()
    popped_up().close()
    assert "energy" in panel.shown, "the way back, by mouse alone"
    panel.set_shown("energy", False)
    press(qtbot, window, Key.Key_Escape)
    assert set(chosen_plots(window.session.view.settings)) == before, "the window is as it was"
    assert window.session.settings.get("view.plots", None) is None
    centre = window.centralWidget()
    assert centre is not None
    qtbot.waitUntil(lambda: not centre.actions(), timeout=5000)


def test_the_menu_of_plots_is_whole_before_any_plot_was_shown(window: MainWindow, qtbot: QtBot) -> None:
    window.session.settings.set(presentation.SETTING, [])
    show = begin(qtbot, window)
    panel = show.docks["plots"].widget()
    assert isinstance(panel, PlotsPanel)
    assert show.docks["plots"].isHidden()
    panel.menu.popup(QPoint(10, 10))
    assert {"energy", "error"} <= {action.data() for action in panel.menu.actions()}
    panel.menu.close()
