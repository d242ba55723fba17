"""What a search for a method takes: the one that a person means who types a name and an order."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.palette import rank
from gui.qt.dialogs.palette_entries import entries
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.window.main_window import MainWindow
from solvers.method_registry import find_method
from tests.window.hands import wait_done

MEANT = {
    "fehlberg 4": "rkf45",
    "fehl 4": "rkf45",
    "Fehlberg 5": "rkf56",
    "fehlberg 2": "rkf23",
    "fehlberg 3": "rkf34",
    "fehlberg 7": "rkf78",
    "fehlberg 45": "rkf45",
    "rkf 4": "rkf45",
    "rkf45": "rkf45",
    "butcher 4": "rkb45",
    "dormand 5": "dopri5",
    "dormand 8": "dop853",
    "rkdp 8(7)": "rkdp87",
    "dopri": "dopri5",
    "verner 8": "rkv89",
    "vern 6": "v65",
    "tsit 5": "tsit5",
    "cash": "ck54",
    "rk4": "rk4",
    "rk 4": "rk4",
    "RK 8": "rk8",
    "kutta 4": "rk4",
    "kutta 5": "rk5",
    "kutta 6": "rk6",
    "kutta 3/8": "kutta38",
    "runge kutta 4": "rk4",
    "order 4": "rk4",
    "order 5": "dopri5",
    "5(4)": "dopri5",
    "bdf 2": "bdf2",
    "bdf2": "bdf2",
    "tr bdf2": "tr-bdf2",
    "adams 3": "ab3",
    "bashforth 4": "ab4",
    "moulton 4": "am4",
    "radau 5": "radau5",
    "radau": "radau5",
    "gauss 4": "gauss4",
    "symplectic 4": "symplectic-gauss4",
    "sdirk 4": "sdirk4",
    "esdirk 5": "esdirk54",
    "euler": "rk1",
    "heun": "rk2",
}


def panel_of(window: MainWindow) -> IntegratorPanel:
    found = next(dock.panel for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(found, IntegratorPanel)
    return found


def test_enter_takes_the_method_whose_name_and_order_were_typed(shared_window: MainWindow, qtbot: QtBot) -> None:
    """`fehlberg 4` took Fehlberg 3(4), which comes first in the list."""
    window, taken = shared_window, dict[str, str]()
    picker = panel_of(window).picker
    for text in MEANT:
        window.session.edit("method", "velocity-verlet")
        picker.open()
        qtbot.keyClicks(picker.methods.search, text)
        qtbot.keyClick(picker.methods.search, Qt.Key.Key_Return)
        taken[text] = window.session.scenario.method
    assert taken == MEANT
    wait_done(qtbot, window)


def test_the_method_in_use_is_taken_again_where_no_other_is_nearer(shared_window: MainWindow, qtbot: QtBot) -> None:
    picker = panel_of(shared_window).picker
    for present, text, wanted in (("ck54", "order 5", "ck54"), ("rkf34", "fehlberg 4", "rkf45")):
        shared_window.session.edit("method", present)
        picker.open()
        qtbot.keyClicks(picker.methods.search, text)
        qtbot.keyClick(picker.methods.search, Qt.Key.Key_Return)
        assert shared_window.session.scenario.method == wanted
    wait_done(qtbot, shared_window)


@pytest.mark.parametrize("text", ["rk 4", "bdf2", "sdirk 4", "fehlberg 4", "kutta 4", "radau 5"])
def test_the_palette_finds_first_what_the_list_of_methods_takes(shared_window: MainWindow, text: str) -> None:
    """`rk 4` was SDIRK 4(3) there, and `bdf2` TR-BDF2."""
    window = shared_window
    offered = entries(window.actions_by_key, window.session, window.files, window.docks)
    found = [(score, entry) for entry in offered if (score := rank(text, entry)) is not None]
    assert min(found, key=lambda pair: pair[0])[1].text == f"Use {find_method(MEANT[text]).name}"
