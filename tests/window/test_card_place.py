"""What the card of a method says changes while the run plays: nothing on it moves."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE


def test_the_button_of_the_longest_stable_step_keeps_its_place(shared_window: MainWindow, qtbot: QtBot) -> None:
    """It came and went under the pointer, and what stands below it with it."""
    session, panel = shared_window.session, shared_window.findChild(IntegratorPanel)
    assert panel is not None
    card = panel.card

    def judged() -> bool:
        row = session.runs.current
        return row.judged and row.run is not None and row.run.scenario == session.scenario

    def places_at(t: float) -> tuple[int, int]:
        session.playback.seek(t)
        card.show_modes()
        QApplication.processEvents()
        # The form above has other rows where an error estimate chooses the steps: the panel is laid out anew.
        qtbot.waitUntil(lambda: card.picture.height() == card.picture.sizeHint().height())
        assert not card.take_longest.isHidden()
        return card.take_longest.y(), card.limits.y()

    assert session.edit_many({"method": "dopri5", "step": None})
    session.playback.seek(5.0)
    session.from_here.set(True)
    assert session.edit("step", 0.05)
    qtbot.waitUntil(judged, timeout=PATIENCE)
    times, places, able = (9.0, 1.0, 6.0, 4.0, 9.0), set(), []
    # A line that is needed for the first time makes room.
    qtbot.waitUntil(lambda: [places_at(t) for t in times] == [places_at(t) for t in times], timeout=PATIENCE)
    for t in times:
        places.add(places_at(t))
        able.append(card.take_longest.isEnabled())
    assert able == [True, False, True, False, True], "an error estimate chooses the steps before 5 s"
    assert len(places) == 1
    session.runs.update(0, judged=False)
    assert places_at(9.0) in places, "the next answer will stand there"
    assert not card.take_longest.isEnabled()
    assert card.longest.text() == "", "the last answer was about another run"
    session.from_here.set(False)
