"""A folder that cannot be created is refused alike by everything that keeps something in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.errors import ArmstepError
from gui.app.lessons.record import KeptProgress
from gui.app.session.autosave import Autosave
from gui.app.settings import Settings
from gui.charts.figure_style import FigureStyle, keep_style
from robots.papers.study import StudyResult, find_study, write
from robots.scenario.presets import find_preset


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One that cannot be created."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "folder"


def refusal(folder: Path) -> str:
    """The sentence, without its end."""
    return f"{folder} cannot be created: a part of its path is not a folder"


def test_settings_and_lessons_say_it(folder: Path):
    settings = Settings(folder)
    settings.set("theme", "dark")
    assert settings.trouble == f"The settings could not be saved: {refusal(folder)}."
    assert KeptProgress(folder).write("order", {}) == f"The lesson's progress could not be saved: {refusal(folder)}."


def test_an_autosave_says_it(folder: Path):
    with pytest.raises(ArmstepError) as problem:
        Autosave(folder).write(find_preset("rr-swing"), None)
    assert str(problem.value) == refusal(folder)


def test_a_style_says_it(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("platformdirs.user_config_path", lambda *_, **__: folder)
    with pytest.raises(ArmstepError) as problem:
        keep_style("mine", FigureStyle())
    assert str(problem.value) == refusal(folder / "figures")


def test_a_study_says_it(folder: Path):
    with pytest.raises(ArmstepError) as problem:
        write(folder, find_study("pa10-singularity"), StudyResult((), ()))
    assert str(problem.value) == refusal(folder)
