"""A start reads no sources and collects no garbage."""

from __future__ import annotations

import builtins
import gc
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from assets.imports import ROOT
from gui.qt.window import quick_start


def test_garbage_waits_and_imports_read_no_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    feature = importlib.import_module("shibokensupport.feature")
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    (tmp_path / "imported_at_start.py").write_text("import json", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        quick_start.begin()
        assert not gc.isenabled()
        import imported_at_start  # type: ignore[import-not-found]

        assert imported_at_start.json is sys.modules["json"]
        assert "imported_at_start" not in feature.pyside_feature_dict
    finally:
        quick_start.end()
        gc.unfreeze()
        sys.modules.pop("imported_at_start", None)


SHOWN = """
import subprocess
import sys
import gui.qt.window.application
from gui.qt.window.panel import panels
panels()
late = ("gui.qt.lessons.panel", "gui.qt.plots.chart_view", "gui.qt.plots.save", "gui.qt.export.charts_file")
print([name for name in late if name in sys.modules])
import gui.qt.plots.plot
print([name for name in late[3:] if name in sys.modules])
"""


def test_what_no_first_frame_shows_is_imported_later() -> None:
    """A panel says its name before its widgets are imported, and a plot is there before what writes it to files."""
    found = subprocess.run([sys.executable, "-c", SHOWN], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.split() == ["[]", "[]"], found.stdout + found.stderr
