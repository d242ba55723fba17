"""Menus before an audience: one column, which covers no more than two fifths of the window's width."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QMenu, QStyle
from pytestqt.qtbot import QtBot

from gui.qt.window.main_window import MainWindow
from tests.window.test_before_an_audience import popped_up
from tests.window.test_presentation import begin

SCREEN = QSize(1280, 720)
"""A projector's [px]."""

WIDEST = 0.4
"""The share of the window's width that a menu may cover."""


def columns(menu: QMenu) -> int:
    """How many columns its entries stand in."""
    return len({menu.actionGeometry(action).left() for action in menu.actions() if action.isVisible()})


def test_menus_before_an_audience_are_narrow_and_of_one_column(window: MainWindow, qtbot: QtBot) -> None:
    session, long = window.session, "keep Runge-Kutta 1 (explicit Euler), Runge-Kutta 4 (classical) and 5 more"
    begin(qtbot, window)
    window.resize(SCREEN)
    shorter = session.scenario.with_value("duration", 3.0)
    session.history.record(replace(session.history.present, scenario=shorter), long)
    undo = window.actions_by_key["edit.undo"]
    qtbot.waitUntil(lambda: "keep" in undo.text())
    assert undo.statusTip() == f"Undo: {long}"
    assert window.viewport is not None
    window.viewport.ask_menu(QPoint(100, 100))
    menus = {popped_up(), *window.findChildren(QMenu)}
    found = [(menu.title(), columns(menu), menu.sizeHint()) for menu in menus if not menu.ensurePolished()]
    scrolls = popped_up().style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, popped_up())
    popped_up().close()
    assert scrolls, "on a lower screen"
    room = QSize(int(WIDEST * SCREEN.width()), SCREEN.height())
    assert [
        one for one in found if one[1] > 1 or one[2].width() > room.width() or one[2].height() > room.height()
    ] == []
