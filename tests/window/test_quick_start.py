"""A start reads no sources and collects no garbage; afterwards all is as Python has it."""

from __future__ import annotations

import builtins
import gc
import importlib
import sys
from pathlib import Path

import pytest

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
    assert gc.isenabled()
