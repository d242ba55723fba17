"""A table of runs with little room says which columns it leaves out, and cuts no button."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui.qt.panels._runs_widths import MORE
from gui.qt.panels.runs import RunsPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import wait_done


def test_a_narrow_table_says_what_it_leaves_out_and_cuts_no_button(window: MainWindow, qtbot: QtBot) -> None:
    """Columns went without a word, and the button for a row's menu had two of its three dots."""
    session = window.session
    session.files.new("rr-swing")
    wait_done(qtbot, window)
    session.comparisons.pin()
    panel = next(dock.panel for dock in window.docks if dock.kind.key == "runs")
    assert isinstance(panel, RunsPanel)
    across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole

    def heading(kind: Qt.ItemDataRole = role.DisplayRole) -> object:
        return panel.model.headerData(len(panel.model.keys) - 1, across, kind)

    header, last = panel.table.horizontalHeader(), len(panel.model.keys) - 1
    for width, lacking in ((1400, []), (640, ["Error ratio"])):
        panel.table.setFixedWidth(width)
        qtbot.waitUntil(lambda lacking=lacking: panel.model.roomless == lacking, timeout=5000)
        assert heading() in ("", "+1" if lacking else "")
        assert header.sectionSizeFromContents(last).width() <= header.sectionSize(last), "the count is whole, or away"
    assert "Error ratio" in str(heading(role.ToolTipRole))
    assert str(heading(role.AccessibleTextRole)) == "Buttons; no room for Error ratio"
    for buttons in panel.buttons.values():
        button, holder = buttons[MORE], buttons[MORE].parentWidget()
        assert button.isVisible()
        assert holder is not None
        assert holder.rect().contains(button.geometry())
