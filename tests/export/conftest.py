from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gui.app.runs import RunRow
from gui.app.view import ViewSettings
from gui.qt.export.format import find_format, key_of
from gui.qt.export.request import ExportRequest, computed_rows
from gui.qt.export.settings import ExportSettings
from robots.scenario.presets import find_scenario


@pytest.fixture(autouse=True)
def application(qapp: Any) -> Any:
    """The one Qt application of the test process, made before anything paints text."""
    return qapp


@pytest.fixture(scope="session")
def rows(qapp: Any) -> list[RunRow]:
    """The RR arm for 1 s by RK4, and by RK2 with a coarse step beside it, with their references."""
    scenario = find_scenario("rr-swing").with_values({"duration": 1.0})
    scenarios = scenario, scenario.with_values({"method": "rk2", "step": 0.05})
    return computed_rows(ExportRequest(scenarios, (0, 1), ViewSettings(), ExportSettings(Path("x.mp4"))))


@pytest.fixture
def settings(tmp_path: Path) -> Callable[..., ExportSettings]:
    """Settings of a small, quick film in the test's folder."""

    def make(name: str = "arm.mp4", **values: Any) -> ExportSettings:
        small = {"size": (96, 54), "fps": 10.0, "quality": "low"}
        heeded = find_format(key_of(Path(name))).settings
        taken = {key: value for key, value in small.items() if key in heeded}
        return ExportSettings(**{"file": tmp_path / name, **taken, **values})

    return make
