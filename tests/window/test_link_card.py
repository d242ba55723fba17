"""The numbers of a link stand where they cover it least, and Esc closes what lies over the view, one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gui.qt.viewport.grip import way_of
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.main_window import MainWindow
from gui.qt.window.presentation import Presentation
from scene import camera as cameras
from tests.window.hands import press, show_at, wait_done


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    wait_done(qtbot, shared_window)
    shared_window.session.playback.pause()
    return shared_window


def view_of(window: MainWindow) -> Viewport:
    assert window.viewport is not None
    return window.viewport


def numbers(qtbot: QtBot, window: MainWindow) -> Viewport:
    """The view with the numbers of the first link, by keys."""
    view = view_of(window)
    view.setFocus()
    press(qtbot, window, Qt.Key.Key_I)
    assert view.selected is not None
    assert view.card.isVisible()
    return view


def covered(view: Viewport) -> tuple[int, int]:
    """To how many of the places to which the link comes each corner is in the way: the lower one, the upper one."""
    assert view.selected is not None
    card, at, found = view.card, way_of(view, (view.selected,)), []
    chosen = card.high
    for high in (False, True):
        card.high = high
        card.place(view.readout, view.legend)
        x, y, width, height = card.geometry().getRect()
        inside = (at[:, 0] >= x) & (at[:, 0] < x + width) & (at[:, 1] >= y) & (at[:, 1] < y + height)
        found.append(int(inside.sum()))
    card.high = chosen
    card.place(view.readout, view.legend)
    return found[0], found[1]


def card_at(view: Viewport, high: bool) -> QRect:
    """Where the card would stand in one of its corners."""
    return view.card._corner(high, view.readout, view.legend)


@pytest.mark.parametrize("preset", ["rr-swing", "pa10-circle", "beam", "e12"])
def test_the_card_takes_the_corner_in_which_it_covers_less(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window.session.files.new(preset)
    wait_done(qtbot, window)
    window.session.playback.pause()
    show_at(qtbot, window, "projector", (1280, 720))
    view = view_of(window)
    links = len(window.session.runs.current.run.shape(0.0).links)  # type: ignore[union-attr]
    for link in range(links):
        view.select(link)
        low, high = covered(view)
        assert (high if view.card.high else low) == min(low, high), (link, low, high)
        card = view.card.geometry()
        assert view.rect().contains(card)
        for other in (view.readout, view.legend):
            assert other.isHidden() or not card.intersects(other.geometry())
    view.select(None)
    assert view.card.isHidden()


def test_points_behind_the_eye_cover_nothing(window: MainWindow, qtbot: QtBot) -> None:
    view = numbers(qtbot, window)
    for way in (np.empty((0, 2)), np.array([[-1e9, 1e9]]), np.array([[np.nan, np.inf]])):
        view.card.high = True
        view.card.stand_clear((way,), view.readout, view.legend)
        assert not view.card.high
    corner = view.card.geometry().center()
    at = np.array([[corner.x(), corner.y()]])
    view.card.stand_clear((at,), view.readout, view.legend)
    assert view.card.high
    assert not view.card.geometry().contains(corner)


def test_of_two_corners_without_the_link_the_card_takes_the_one_without_the_foot(
    window: MainWindow, qtbot: QtBot
) -> None:
    """It stood upon the column's foot in a narrow picture."""
    window.session.files.new("pa10-circle")
    wait_done(qtbot, window)
    window.session.playback.pause()
    show_at(qtbot, window, "light", (1280, 800))
    view, choices = view_of(window), 0
    camera = view.camera()
    for turned in np.linspace(0.2, 1.2, 11):
        # As if the picture were narrower: the column stands further to the right.
        right = cameras.axes(camera)[0]
        view.set_camera(replace(camera, target=tuple(np.asarray(camera.target) - turned * right)))
        for link in range(7):
            view.select(link)
            low, high = covered(view)
            foot = view.camera(), view.extent(), np.array([[0.0, 0.0, z] for z in np.linspace(0.0, 0.3, 7)])
            places = [QPoint(int(x), int(y)) for x, y, _ in cameras.project(*foot)]
            if low == high == 0 and any(card_at(view, False).contains(place) for place in places):
                choices += 1
                assert view.card.high, (link, turned)
    view.set_camera(camera)
    assert choices, "else this shows nothing"


def test_escape_closes_the_numbers(window: MainWindow, qtbot: QtBot) -> None:
    view = numbers(qtbot, window)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert view.selected is None
    assert view.card.isHidden()


@pytest.mark.parametrize("first", ["message", "numbers"])
def test_escape_closes_a_message_and_the_numbers_one_after_the_other(
    window: MainWindow, qtbot: QtBot, first: str
) -> None:
    if first == "message":
        window.banner.say("Something is wrong", stays=True)
    view = numbers(qtbot, window)
    if first == "numbers":
        window.banner.say("Something is wrong", stays=True)
    seen = [(window.banner.isVisible(), view.card.isVisible())]
    for _ in range(2):
        press(qtbot, window, Qt.Key.Key_Escape)
        QApplication.processEvents()
        seen.append((window.banner.isVisible(), view.card.isVisible()))
    assert seen[0] == (True, True)
    assert sum(seen[1]) == 1, "each press closes one"
    assert seen[2] == (False, False)


def test_escape_in_a_field_leaves_the_numbers(window: MainWindow, qtbot: QtBot) -> None:
    view = numbers(qtbot, window)
    dock = next(dock for dock in window.docks if dock.kind.key == "scenario")
    field = next(one for one in dock.findChildren(QLineEdit) if one.isVisible() and one.isEnabled())
    before = field.text()
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "7")
    press(qtbot, window, Qt.Key.Key_Escape)
    assert field.text() == before
    assert view.card.isVisible()
    view.select(None)


def test_escape_in_a_presentation_ends_it(window: MainWindow, qtbot: QtBot) -> None:
    press(qtbot, window, Qt.Key.Key_F5)
    show = next(one for one in window.findChildren(Presentation) if one.active)
    view = numbers(qtbot, window)
    press(qtbot, window, Qt.Key.Key_Escape)
    assert not show.active
    press(qtbot, window, Qt.Key.Key_Escape)
    assert view.card.isHidden(), "the numbers are closed as anywhere else"
