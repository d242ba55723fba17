"""Every menu is one column of a screen of 720 pixels, in every theme."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu

from gui.app.view import THEMES
from gui.qt.window.main_window import MainWindow

SCREEN = 720
"""The lowest one [px]."""


def height_of(menu: QMenu) -> int:
    """How high a menu is in one column: on a low screen Qt would begin a second one [px]."""
    return sum(menu.actionGeometry(action).height() for action in menu.actions() if action.isVisible())


@pytest.mark.parametrize("theme", THEMES)
def test_every_menu_fits_a_low_screen(shared_window: MainWindow, theme: str) -> None:
    shared_window.session.view.set(theme=theme)
    menus = shared_window.actions_by_key.menus
    for menu in menus.values():
        menu.ensurePolished()
    heights = {name: height_of(menu) for name, menu in menus.items()}
    assert all(heights.values())
    room = SCREEN - shared_window.menuBar().height()
    assert {name: height for name, height in heights.items() if height > room} == {}
