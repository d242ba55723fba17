"""The speed-up of a specialised kernel is measured once, and is a result like that of any tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.charts.figure_style import find_figure_style
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
    assert "is measured while nothing is playing" in line.text.text()
    assert line.kept.isHidden()
    qtbot.waitUntil(lambda: "times as fast" in line.text.text(), timeout=60_000)
    said = line.text.text()
    assert not session.history.can_undo
    line.kept.name.selectAll()
    QTest.keyClicks(line.kept.name, "Straight-")
    line.refresh()
    QTest.keyClicks(line.kept.name, "line code")
    QTest.keyClick(line.kept.name, Qt.Key.Key_Return)
    assert [result.name for result in session.results.of("kernel-gain")] == ["Straight-line code"]
    session.files.save(tmp_path / "arm.json")
    session.files.new("rr-swing")
    assert line.isHidden()
    session.files.open(tmp_path / "arm.json")
    assert (line.text.text(), line.kept.name.text()) == (said, "Straight-line code")
    written(line, tmp_path)
    line.kept.remove.click()
    assert line.text.text() == "Compiled for this arm: the measurement was removed."
    session.history.undo()
    assert line.text.text() == said
    session.results.remove(session.results.of("kernel-gain")[0])
    session.results.note("kernel-gain", "broken", {"of": "nonsense", "generic": "?"})
    line.refresh()
    assert line.text.text() != said


def written(line: KernelGain, folder: Path) -> None:
    """The numbers and the picture are files."""
    line.charted.write_data(folder / "gain.json")
    (row,) = json.loads((folder / "gain.json").read_text("utf-8"))
    assert row["name"] == "Straight-line code"
    assert 0.0 < row["specialised"] < 10.0
    assert row["ratio"] == pytest.approx(row["generic"] / row["specialised"])
    line.charted.write_picture(folder / "gain.svg", find_figure_style("web"))
    drawing = (folder / "gain.svg").read_text("utf-8")
    for words in ("Straight-line code", "compiled for this arm", "computing time [ms]"):
        assert words in drawing
