"""Tab follows the eye, the focus shows wherever it is, and the menus open by keys."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.help_sheets import KeySheet
from gui.qt.dialogs.sheets import Sheet
from gui.qt.widgets.form import Form
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, give_focus, press, wait_done
from tests.window.test_accessible import LEAST_RING
from tests.window.test_focus import OPENERS, names

Key = Qt.Key

BEHIND = "dock.scenario", "dock.integrator"

MOST_OF_IT = 0.7
"""Of a line one pixel wide around a control; corners are round, and its ground may be of the ring's colour."""


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def walk(qtbot: QtBot, window: MainWindow, key: Qt.Key = Key.Key_Tab) -> list[QWidget]:
    """What Tab comes to, until it is where it began."""
    seen: list[QWidget] = []
    while True:
        press(qtbot, window, key)
        found = QApplication.focusWidget()
        assert found is not None
        if found in seen:
            return seen[seen.index(found) :]
        seen.append(found)


def place(widget: QWidget, root: QWidget) -> QRect:
    return QRect(widget.mapTo(root, QPoint(0, 0)), widget.size())


def follows_the_eye(widgets: list[QWidget], root: QWidget) -> list[str]:
    """Pairs in which the second stands above the first, or in the same row to the left of it."""
    wrong = []
    for a, b in pairwise(widgets):
        first, second = place(a, root), place(b, root)
        below = second.top() >= first.bottom() - 4
        right = second.left() >= first.right() - 4
        if not (below or right or a.isAncestorOf(b)):
            wrong.append(" then ".join(names([a, b])))
    return wrong


def content(dock: QWidget) -> QWidget:
    """What scrolls in a panel, so that scrolling on the way changes no place."""
    scroll = dock.findChild(QScrollArea)
    return scroll.widget() if scroll is not None else dock


@pytest.mark.parametrize("preset", ["rr-swing", "pa10-weld"])
def test_tab_follows_the_eye_through_every_panel(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window.session.files.new(preset)
    wait_done(qtbot, window)
    window.session.comparisons.pin()
    give_focus(qtbot, window)
    window.take_keys()
    visited = walk(qtbot, window)
    back = walk(qtbot, window, Key.Key_Backtab)
    assert set(back) == set(visited), "the way back passes the same places"
    for dock in window.docks:
        if not dock.isVisible():
            continue
        mine = [widget for widget in visited if content(dock).isAncestorOf(widget)]
        places = [visited.index(widget) for widget in mine]
        assert places == sorted(places)
        assert places[-1] - places[0] == len(places) - 1, f"Tab leaves {dock.kind.key} and comes back"
        # Plots are laid out when the window has drawn what a new run changes.
        qtbot.waitUntil(lambda mine=mine, dock=dock: not follows_the_eye(mine, content(dock)), timeout=PATIENCE)
    docks = [next((dock.kind.key for dock in window.docks if dock.isAncestorOf(widget)), "") for widget in visited]
    regions = [key for key, before in zip(docks, docks[-1:] + docks, strict=False) if key and key != before]
    start = regions.index("scenario")
    assert regions[start:] + regions[:start] == ["scenario", "integrator", "plots", "runs"]


def test_tab_follows_the_eye_in_dialogs_and_stays_there(window: MainWindow, qtbot: QtBot) -> None:
    give_focus(qtbot, window)
    for opener in OPENERS.values():
        opener(window)
        sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
        visited = walk(qtbot, window)
        assert len(visited) > 4
        assert all(sheet.isAncestorOf(widget) for widget in visited)
        sheet.dismiss()


def test_after_enter_tab_goes_on_from_the_value_that_it_left(window: MainWindow, qtbot: QtBot) -> None:
    form = next(form for form in window.findChildren(Form) if "robot.m1" in form.rows)
    first, second = (form.rows[path].control for path in ("robot.m1", "robot.m2"))
    for key in (Key.Key_Return, Key.Key_Escape):
        give_focus(qtbot, first)
        press(qtbot, window, key)
        assert not first.hasFocus()
        visited = [press_tab(qtbot, window) for _ in range(2)]
        assert any(second is widget or second.isAncestorOf(widget) for widget in visited), names(visited)
    give_focus(qtbot, first)
    press(qtbot, window, Key.Key_Return)
    window.session.files.new("rr-pd")
    wait_done(qtbot, window)
    assert not second.isAncestorOf(press_tab(qtbot, window)), "another scenario: Tab begins as in a new window"


def test_after_enter_tab_goes_on_in_a_sheet(window: MainWindow, qtbot: QtBot) -> None:
    OPENERS["work-precision"](window)
    sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
    visited = walk(qtbot, window)
    field = next(widget for widget in visited[:-1] if isinstance(widget, QLineEdit))
    after = visited[visited.index(field) + 1]
    give_focus(qtbot, field)
    press(qtbot, window, Key.Key_Return)
    assert sheet.hasFocus()
    assert press_tab(qtbot, window) is after
    sheet.dismiss()


def press_tab(qtbot: QtBot, window: MainWindow) -> QWidget:
    """What Tab comes to."""
    press(qtbot, window, Key.Key_Tab)
    found = QApplication.focusWidget()
    assert found is not None
    return found


def luminances(widget: QWidget) -> np.ndarray:
    """How bright each of its pixels is, (height, width), 0 to 1."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    bytes_ = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    shares = bytes_[..., :3] / 255.0
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.0722, 0.7152, 0.2126])


def ring(before: np.ndarray, after: np.ndarray) -> float:
    """How much of a line around a widget stands out from what was there before."""
    if before.shape != after.shape:
        return 1.0
    ratio = (np.maximum(before, after) + 0.05) / (np.minimum(before, after) + 0.05)
    return float((ratio >= LEAST_RING).sum() / (2 * sum(before.shape)))


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_focus_shows_on_every_control(window: MainWindow, qtbot: QtBot, theme: str, artifacts: Path) -> None:
    window.session.comparisons.pin()
    window.session.view.set(theme=theme)
    give_focus(qtbot, window)
    window.take_keys()
    unseen = []
    for widget in walk(qtbot, window):
        window.take_keys()
        before = luminances(widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if (share := ring(before, luminances(widget))) < MOST_OF_IT:
            unseen.append(f"{names([widget])[0]}: {share:.2f}")
    assert not unseen
    window.grab().save(str(artifacts / f"focus-{theme}.png"))


@pytest.mark.parametrize(
    ("key", "modifier", "menu"),
    [
        (Key.Key_F, Qt.KeyboardModifier.AltModifier, "File"),
        (Key.Key_V, Qt.KeyboardModifier.AltModifier, "View"),
        (Key.Key_X, Qt.KeyboardModifier.AltModifier, "Export"),
        (Key.Key_F10, Qt.KeyboardModifier.NoModifier, "File"),
    ],
)
def test_keys_open_the_menus(window: MainWindow, qtbot: QtBot, key, modifier, menu: str) -> None:
    give_focus(qtbot, window)
    window.take_keys()
    press(qtbot, window, key, modifier)
    opened = window.actions_by_key.menus[menu]
    qtbot.waitUntil(opened.isVisible)
    qtbot.keyClick(opened, Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.isVisible())


@pytest.mark.parametrize("menu", ["File", "View"])
def test_one_esc_in_a_menu_gives_the_keys_back(window: MainWindow, qtbot: QtBot, menu: str) -> None:
    """Also after Alt and a letter, where Qt leaves them with the bar, and for good after a second menu."""
    give_focus(qtbot, window)
    number = next(widget for widget in window.findChildren(QLineEdit) if widget.accessibleName().startswith("duration"))
    number.setFocus(Qt.FocusReason.TabFocusReason)
    bar, opened = window.menuBar(), window.actions_by_key.menus[menu]
    for _ in range(2):
        press(qtbot, window, Key.Key_Alt, Qt.KeyboardModifier.AltModifier)  # Qt: the bar has the keys
        bar.setFocus(Qt.FocusReason.MenuBarFocusReason)
        bar.setActiveAction(opened.menuAction())
        qtbot.waitUntil(opened.isVisible)
        qtbot.keyClick(opened, Key.Key_Escape)
        qtbot.waitUntil(lambda: not opened.isVisible())
        qtbot.waitUntil(lambda: not bar.hasFocus())


@pytest.mark.parametrize("path", ["View/Theme", "View/Camera", "View/Show"])
def test_a_letter_that_opens_a_submenu_marks_its_first_entry(window: MainWindow, qtbot: QtBot, path: str) -> None:
    above, below = window.actions_by_key.menus["View"], window.actions_by_key.menu(path)
    above.popup(window.mapToGlobal(QPoint(40, 40)))
    qtbot.waitUntil(above.isVisible)
    letter = below.title().replace("&", "")[0]
    for _ in range(9):
        qtbot.keyClicks(above, letter)
        if below.isVisible():
            break
        if (other := QApplication.activePopupWidget()) is not above:
            qtbot.keyClick(other, Key.Key_Escape)
    assert QApplication.activePopupWidget() is below
    first = next(entry for entry in below.actions() if not entry.isSeparator())
    assert below.activeAction() is first
    if first.menu() is not None:
        assert not first.menu().isVisible(), "only marked"
    qtbot.keyClick(below, Key.Key_Down)
    assert below.activeAction() not in (None, first)
    for menu in (below, above):
        qtbot.keyClick(menu, Key.Key_Escape)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)


class Line(QLabel):
    """A line of text that counts how often somebody asks where it stands."""

    asked = 0

    def geometry(self) -> QRect:
        Line.asked += 1
        return super().geometry()


def test_a_sheet_of_many_lines_opens_at_once(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Line, "asked", 0)
    monkeypatch.setattr("gui.qt.dialogs.help_sheets.QLabel", Line)
    press(qtbot, window, Key.Key_F1)
    assert isinstance(window.sheet, KeySheet)
    lines = len(window.sheet.findChildren(Line))
    assert lines
    assert Line.asked == 0, f"{lines} lines, to which Tab never comes, were asked {Line.asked} times where they stand"
    window.sheet.dismiss()


def test_what_lies_behind_a_tab_is_passed_by(shared_window: MainWindow, qtbot: QtBot) -> None:
    window = shared_window
    give_focus(qtbot, window)
    scenario, integrator = (next(dock for dock in window.docks if dock.objectName() == name) for name in BEHIND)
    window.tabifyDockWidget(scenario, integrator)
    for front, back in ((integrator, scenario), (scenario, integrator)):
        front.raise_()
        qtbot.waitUntil(lambda front=front: not front.visibleRegion().isEmpty(), timeout=PATIENCE)
        qtbot.waitUntil(lambda back=back: back.visibleRegion().isEmpty(), timeout=PATIENCE)
        found = walk(qtbot, window)
        assert any(front.isAncestorOf(widget) for widget in found)
        assert not names([widget for widget in found if back.isAncestorOf(widget)])
    window.arrangement.usual()
