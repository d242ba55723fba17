"""The speed-up of a specialised kernel is measured once, and comes back with the document."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.qt.widgets.kernel_gain import KernelGain
from robots.scenario.presets import find_scenario
from tests.inline_jobs import InlineJobs


def test_a_measured_gain_is_saved_and_opened(qtbot: QtBot, tmp_path: Path) -> None:
    scenario = find_scenario("rr-swing").with_values({"duration": 1.0, "options.specialised": True})
    session = Session(InlineJobs(), Settings(tmp_path), scenario)
    session.start()
    line = KernelGain(session)
    qtbot.addWidget(line)
    line.refresh()
    assert "is measured while nothing is playing" in line.text()
    qtbot.waitUntil(lambda: "times as fast" in line.text(), timeout=60_000)
    said = line.text()
    assert not session.history.can_undo
    session.files.save(tmp_path / "arm.json")
    session.files.new("rr-swing")
    assert line.isHidden()
    session.files.open(tmp_path / "arm.json")
    assert line.text() == said
    session.results.remove(session.results.of("kernel-gain")[0])
    session.results.note("kernel-gain", "broken", {"of": "nonsense", "generic": "?"})
    line.refresh()
    assert line.text() != said
