"""Names, notes and colours of runs travel into exports and back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from gui.app.documents import Tag
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.view import ViewSettings
from gui.compose.picture import legend
from gui.qt.export.inside import embedded, read_scenarios
from gui.qt.export.request import ExportRequest, computed_rows
from gui.qt.export.settings import ExportSettings
from robots.scenario.presets import find_preset
from tests.inline_jobs import InlineJobs


def test_an_export_has_the_names_of_the_window_and_opens_with_them(tmp_path: Path, monkeypatch) -> None:
    scenario = find_preset("rr-swing").with_value("duration", 0.5)
    scenarios = scenario.alone(), scenario.with_value("step", 0.02).alone()
    tags = Tag("Mine"), Tag("Coarse", "rough")
    asked = ExportRequest(scenarios, (0, 4), ViewSettings(), ExportSettings(tmp_path / "x.png"), tags)
    request = ExportRequest.from_data(json.loads(json.dumps(asked.to_data())))
    rows = computed_rows(replace(request, view=ViewSettings(error_vector=False)))
    assert [entry.label for entry in legend(rows, 0.0)] == ["Mine", "Coarse"]
    assert [row.slot for row in rows] == [0, 4]
    monkeypatch.setattr("gui.qt.export.inside.read_texts", lambda file: embedded(rows))
    session = Session(InlineJobs(), Settings(tmp_path), inside=read_scenarios)
    (tmp_path / "film.mp4").write_bytes(b"film")
    assert session.files.open(tmp_path / "film.mp4"), session.messages.problems
    assert [(row.tag, row.slot) for row in session.runs.all] == [(tags[0], 0), (tags[1], 4)]
