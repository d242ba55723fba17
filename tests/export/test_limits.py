"""The ends of what can be exported: very large, one instant, files and encoders that are not there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import av
import pytest
from av.codec import codecs_available
from PIL import Image

from assets.errors import ArmstepError, BadInput
from gui.app.view import ViewSettings
from gui.qt.export.exporter import render_rows
from gui.qt.export.request import ExportRequest
from gui.qt.export.settings import LARGEST

VIEW = ViewSettings()


@pytest.mark.parametrize("size", [(7680, 4320), (LARGEST, 16)])
def test_8k_and_the_widest_picture(rows, settings, size) -> None:
    with Image.open(render_rows(rows[:1], VIEW, settings("large.png", size=size, at=0.5))) as image:
        assert image.size == size


@pytest.mark.parametrize("size", [(LARGEST + 1, 16), (0, 10), (16, -1)])
def test_sizes_that_are_none(settings, size) -> None:
    with pytest.raises(BadInput, match="size"):
        settings("x.png", size=size).check()


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif", ".webp"])
def test_a_film_of_one_instant_has_one_frame(rows, settings, suffix) -> None:
    file = render_rows(rows[:1], VIEW, settings(f"instant{suffix}", start=0.5, end=0.5))
    if suffix in (".mp4", ".webm"):
        with av.open(str(file)) as film:
            assert sum(1 for _ in film.decode(video=0)) == 1
    else:
        with Image.open(file) as image:
            assert getattr(image, "n_frames", 1) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that nobody can write to, not even root")
@pytest.mark.parametrize("name", ["arm.mp4", "arm.png", "arm.gif", "arm.html", "arm.glb"])
def test_a_folder_that_cannot_be_written_to_is_one_sentence(rows, settings, name) -> None:
    with pytest.raises(ArmstepError, match=name):
        render_rows(rows[:1], VIEW, settings(f"/proc/{name}"))


def test_a_missing_encoder_is_named(rows, settings, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(av.codec, "codecs_available", codecs_available - {"libx264"})
    with pytest.raises(ArmstepError, match="libx264"):
        render_rows(rows[:1], VIEW, settings())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["arm.mp4", "arm.webm", "arm.gif", "arm.webp"])
def test_a_missing_library_is_named(rows, settings, monkeypatch, tmp_path: Path, name: str) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ArmstepError, match="pip install av"):
        render_rows(rows[:1], VIEW, settings(name))
    assert list(tmp_path.iterdir()) == []


def test_hand_outs_need_the_reference_for_their_chart(rows, settings) -> None:
    plain = VIEW.changed(error_vector=False)
    assert not ExportRequest.of_rows(rows, plain, settings()).judged
    assert ExportRequest.of_rows(rows, plain, settings("arm.html")).judged


def test_exporting_imports_no_widgets() -> None:
    """So that the command line needs no window."""
    code = "import sys, gui.qt.export.exporter; sys.exit('PySide6.QtWidgets' in sys.modules)"
    root = Path(__file__).resolve().parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
