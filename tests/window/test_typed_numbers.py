"""Whatever is typed into a number field: it is taken, or the keys stay in the field and below it stands why not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget
from pytestqt.qtbot import QtBot

from gui.qt.panels._ensemble import EnsembleSection
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.panels.scenario import ScenarioPanel
from gui.qt.widgets.fields import NumberRow
from gui.qt.window.main_window import MainWindow
from robots.scenario.ensemble import Spread
from tests.window.hands import give_focus, press

Key = Qt.Key
TYPED = ("abc", "", "1e400", "-1", "20 kg")


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    give_focus(qtbot, shared_window)
    return shared_window


@pytest.fixture
def section(window: MainWindow) -> Iterator[EnsembleSection]:
    assert window.session.ensembles.spread("initial.q2", Spread("normal", 0.02)) == ""
    section = window.findChild(EnsembleSection)
    assert isinstance(section, EnsembleSection)
    come_to(window, ScenarioPanel)
    yield section
    window.session.files.new("rr-swing")


def come_to(window: MainWindow, kind: type) -> None:
    """Bring the dock of a panel to the front."""
    dock = window.findChild(kind)
    while not isinstance(dock, QDockWidget):
        assert dock is not None
        dock = dock.parentWidget()
    dock.show()
    dock.raise_()


def enter(qtbot: QtBot, window: MainWindow, row: NumberRow, text: str) -> None:
    row.number.setFocus(Qt.FocusReason.TabFocusReason)
    row.number.selectAll()
    press(qtbot, window, Key.Key_Delete)
    qtbot.keyClicks(row.number, text)
    press(qtbot, window, Key.Key_Return)


def judge(qtbot: QtBot, window: MainWindow, row: NumberRow) -> int:
    """Type everything into a row; how much of it was refused."""
    refused = 0
    for text in TYPED:
        before = row.value
        enter(qtbot, window, row, text)
        where = f"{row.name}: {text!r}"
        assert "Internal error" not in window.notice.text(), where
        if not row.refused:
            assert QApplication.focusWidget() is not row.number, where
            assert row.value is None or isinstance(row.value, float | int), where
            continue
        refused += 1
        assert QApplication.focusWidget() is row.number, where
        assert row.complaint.isVisible(), where
        assert "must be" in row.complaint.text() or "must have" in row.complaint.text(), where
        assert row.number.text() == text, where
        assert row.value == before, where
        press(qtbot, window, Key.Key_Escape)
        assert not row.refused, where
        assert not row.complaint.isVisible(), where
        assert row.number.text() != text or row.unit.read(text) == before, where
    return refused


@pytest.mark.parametrize("preset", ["rr-swing", "rr-chaos"])
def test_no_text_in_a_number_field_of_the_panels_is_an_error(window: MainWindow, qtbot: QtBot, preset: str) -> None:
    window.session.files.new(preset)
    judged = 0
    for kind in (ScenarioPanel, IntegratorPanel):
        come_to(window, kind)
        panel = window.findChild(kind)
        assert panel is not None
        for name in [row.name for row in panel.findChildren(NumberRow) if row.isVisible()]:
            row = next((one for one in panel.findChildren(NumberRow) if one.name == name and one.isVisible()), None)
            if row is not None and row.isEnabled():  # an entry may have made it matter no more
                assert judge(qtbot, window, row) >= 3, "letters, infinity and another unit are no numbers"
                judged += 1
    assert judged >= 5
    window.session.files.new("rr-swing")


def test_no_text_in_a_number_field_of_the_ensemble_is_an_error(
    section: EnsembleSection, window: MainWindow, qtbot: QtBot
) -> None:
    rows = (section.rows["initial.q2"].amount, section.members, section.seed, section.number)
    for row in rows:
        assert judge(qtbot, window, row) == len(TYPED)
        assert row.name in ("Angle 2 \u00b1", "Members", "Seed", "Member")
        enter(qtbot, window, row, "abc")
        assert row.complaint.text().startswith(f"{row.name} must be "), "the field is named as it is on the screen"
        press(qtbot, window, Key.Key_Escape)
    assert not window.session.messages.problems
    enter(qtbot, window, rows[0], "0.5")
    assert window.session.ensembles.present is not None
    assert window.session.ensembles.present.spread["initial.q2"].width == pytest.approx(0.00872665, rel=1e-5)


def test_a_member_that_is_not_there_keeps_the_keys_and_a_later_one_is_opened(
    section: EnsembleSection, window: MainWindow, qtbot: QtBot
) -> None:
    row = section.number
    enter(qtbot, window, row, "500")
    assert QApplication.focusWidget() is row.number
    assert row.complaint.text() == "Member must be a whole number from 0 to 99, got 500"
    qtbot.keyClick(row.number, Key.Key_A)
    press(qtbot, window, Key.Key_Return)
    assert row.complaint.text() == "Member must be a whole number from 0 to 99, got 'a'"
    section.open.click()
    assert window.session.ensembles.present is not None, "what stands there is no member"
    assert row.refused
    enter(qtbot, window, row, "99")
    assert not row.refused
    assert QApplication.focusWidget() is not row.number
    row.number.setFocus()
    press(qtbot, window, Key.Key_Up)
    assert row.number.text() == "99", "there is no member above it"
    enter(qtbot, window, section.members, "20")
    assert row.number.text() == "19", "the last one"
    assert "from 0 to 19" in row.number.toolTip()
    enter(qtbot, window, section.members, "1")
    window.session.history.undo()
    assert section.members.number.text() == "100"
    assert not section.members.refused
    section.open.click()
    assert window.session.ensembles.present is None
    assert window.session.history.present.scenario.ensemble is None
