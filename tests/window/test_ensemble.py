"""The section "Ensemble" of the Scenario panel in the real window, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from gui.qt.panels._ensemble import EnsembleSection
from gui.qt.window.main_window import MainWindow
from robots.simulation.simulate import simulate
from tests.window.conftest import PATIENCE
from tests.window.exporting import sheet_of
from tests.window.hands import wait_done


def test_a_field_is_spread_and_a_member_opened(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit("duration", 1.0)
    wait_done(qtbot, window)
    section = window.findChild(EnsembleSection)
    assert section is not None
    assert section.more.isHidden()
    reach(section)

    # The first field of the list, by keys; its width is one part in a million.
    section.add.setFocus()
    qtbot.keyClick(section.add, Qt.Key.Key_Down)
    choices = section.add.view()
    qtbot.waitUntil(choices.isVisible)
    qtbot.keyClick(choices, Qt.Key.Key_Down)
    qtbot.keyClick(choices, Qt.Key.Key_Return)
    row = section.rows["initial.q1"]
    assert section.more.isVisible()
    qtbot.waitUntil(lambda: session.runs.current.ensemble is not None, timeout=PATIENCE)
    assert "100 members of the ensemble agree to the end" in section.words.text()

    # A width in degrees; a refused one stays, marked, and changes nothing.
    write(qtbot, row.amount.number, "0.5")
    assert abs(session.ensembles.present.spread["initial.q1"].width - 0.00872665) < 1e-7  # type: ignore[union-attr]
    write(qtbot, row.amount.number, "-1")
    assert row.amount.problem
    assert session.ensembles.present.spread["initial.q1"].width > 0.0  # type: ignore[union-attr]
    write(qtbot, row.amount.number, "0.5")
    assert not row.amount.problem
    write(qtbot, section.members.number, "20")
    qtbot.waitUntil(lambda: found(window) == 20, timeout=PATIENCE)
    plot = next(one for one in session.runs.all if one.ensemble is not None)
    assert plot.ensemble is not None

    # Member 7 is opened, and the run in the middle stays beside it.
    write(qtbot, section.number.number, "7")
    member = plot.ensemble.runs.scenario_at(7)
    reach(section)
    qtbot.mouseClick(section.beside, Qt.MouseButton.LeftButton)
    wait_done(qtbot, window)
    assert session.runs.current.run is not None
    assert session.runs.current.run.final == simulate(member).final
    assert section.more.isHidden()
    assert len(session.runs.all) == 2
    session.history.undo()
    session.history.undo()

    # Its cross removes the field, and with the last one the ensemble.
    qtbot.waitUntil(lambda: "initial.q1" in section.rows)
    reach(section)
    qtbot.mouseClick(section.rows["initial.q1"].remove, Qt.MouseButton.LeftButton)
    assert session.ensembles.present is None
    qtbot.waitUntil(lambda: session.runs.current.ensemble is None, timeout=PATIENCE)


@pytest.mark.usefixtures("cold")
def test_the_sheet_says_that_a_web_page_leaves_an_ensemble_out(
    shared_window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window = shared_window
    window.files.open_preset("rr-hundred")
    wait_done(qtbot, window)
    sheet = sheet_of(window, "animation", tmp_path / "arm.mp4")
    assert sheet.export_button.isEnabled()
    place = next(k for k in range(sheet.form.format.count()) if "Interactive" in sheet.form.format.itemText(k))
    for chosen in (place, 0, place):
        sheet.form.format.setCurrentIndex(chosen)
        sheet.form.format.activated.emit(chosen)
        assert sheet.export_button.isEnabled()
        assert sheet.trouble.text() == ""
        assert ("without the members of their ensemble" in sheet.facts.text()) == (chosen == place)
    sheet.dismiss()


def found(window: MainWindow) -> int:
    ensemble = window.session.runs.current.ensemble
    return 0 if ensemble is None else ensemble.runs.size


def write(qtbot: QtBot, line, text: str) -> None:
    """Type a number and press Enter, as a person does."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def reach(section: EnsembleSection) -> None:
    """Scroll to the section."""
    area = section.parentWidget()
    while not isinstance(area, QScrollArea):
        assert area is not None
        area = area.parentWidget()
    area.ensureWidgetVisible(section.beside if section.more.isVisible() else section.add)
