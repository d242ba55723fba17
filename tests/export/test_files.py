"""Exported files: complete or not there, right to a frame, and they remember what they show."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import av
import numpy as np
import pytest
from PIL import Image

from assets.errors import ArmstepError, BadInput
from assets.version import version
from gui.app.documents import from_scenario
from gui.app.view import ViewSettings
from gui.qt.export.exporter import render_rows
from gui.qt.export.film import Film
from gui.qt.export.inside import read_scenarios, read_texts, scenario_of
from gui.qt.export.request import Cancelled, ExportRequest
from gui.qt.export.settings import ExportSettings
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
VIEW = ViewSettings()


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "gui.cli", "render", "rr-swing", "--set", "duration=1", *words]


def surroundings(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.mark.parametrize("size", [(96, 54), (97, 55)])
def test_film_has_every_frame_and_the_right_length(rows, settings, size) -> None:
    wanted = settings(size=size, fps=12.5, speed=0.5)
    file = render_rows(rows[:1], VIEW, wanted)
    with av.open(str(file)) as film:
        stream = film.streams.video[0]
        frames = [frame.pts * frame.time_base for frame in film.decode(stream)]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert film.duration / av.time_base == pytest.approx(2.0, abs=0.081)
    assert len(frames) == 25
    assert np.allclose(np.diff(np.array(frames, float)), 0.08)


@pytest.mark.parametrize(
    "name", ["arm.mp4", "arm.webm", "arm.gif", "arm.webp", "arm.png", "arm", "arm.html", "arm.glb"]
)
def test_file_restores_the_scenarios_that_made_it(rows, settings, name) -> None:
    file = render_rows(rows, VIEW, settings(name, **({} if name == "arm.png" else {"end": 0.2})))
    assert read_scenarios(file) == [row.scenario for row in rows]
    assert read_texts(file)["armstep"] == version()
    document, _, _ = from_scenario(scenario_of(str(file)), VIEW, lambda: 1)
    assert [document.scenario, *(pin.scenario for pin in document.pins)] == [row.scenario for row in rows]


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_charts_restore_the_scenarios_too(rows, tmp_path: Path, suffix) -> None:
    title = "a <title> & more"
    file = render_rows(rows, ViewSettings(), ExportSettings(tmp_path / f"charts{suffix}", style="web", title=title))
    assert read_scenarios(file) == [row.scenario for row in rows]
    if suffix == ".svg":
        assert ElementTree.parse(file).getroot().tag.endswith("svg")
    if suffix == ".pdf":
        assert file.read_bytes().startswith(b"%PDF-")
        packet = file.read_bytes().split(b"<x:xmpmeta")[1].split(b"</x:xmpmeta>")[0]
        assert title in "".join(ElementTree.fromstring(b"<x:xmpmeta" + packet + b"</x:xmpmeta>").itertext())


def test_a_table_restores_its_scenario(rows, tmp_path: Path) -> None:
    file = render_rows(rows, VIEW, ExportSettings(tmp_path / "run.npz"))
    assert read_scenarios(file) == [rows[0].scenario]


def test_foreign_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.png"
    Image.new("RGB", (4, 4)).save(foreign)
    with pytest.raises(BadInput, match="Armstep exported"):
        read_scenarios(foreign)
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"")
    for name in ("broken.mp4", "none.csv", "none.armstep"):
        (tmp_path / name).touch()
        with pytest.raises(BadInput, match=r"must be .*not empty"):
            scenario_of(str(tmp_path / name))
    broken.write_bytes(b"not a film")
    with pytest.raises(ArmstepError, match=r"broken\.mp4"):
        read_scenarios(broken)


def test_one_pixel_is_a_picture(rows, settings) -> None:
    with Image.open(render_rows(rows, VIEW, settings("dot.png", size=(1, 1)))) as image:
        assert image.size == (1, 1)


@pytest.mark.parametrize("layout", ["scene", "scene-plots"])
@pytest.mark.parametrize("size", [(33, 17), (54, 96), (120, 20)])
def test_any_size_can_be_laid_out(rows, settings, layout, size) -> None:
    with Image.open(render_rows(rows, VIEW, settings("odd.png", size=size, layout=layout, at=0.5))) as image:
        assert image.size == size


def test_clear_background_is_clear(rows, settings) -> None:
    file = render_rows(rows[:1], VIEW, settings("clear.png", transparent=True, caption=False))
    with Image.open(file) as image:
        alpha = np.asarray(image.convert("RGBA"))[..., 3]
    assert alpha.min() == 0
    assert alpha.max() == 255


def test_cancelled_export_leaves_nothing(rows, settings, tmp_path: Path) -> None:
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        render_rows(rows[:1], VIEW, settings(), cancel=lambda: next(asked))
    assert list(tmp_path.iterdir()) == []


def test_failure_on_the_way_keeps_the_older_file(rows, settings, tmp_path: Path) -> None:
    wanted = settings()
    wanted.file.write_text("older")

    def fail(_: object) -> None:
        raise ArmstepError("on purpose")

    with pytest.raises(ArmstepError, match="on purpose"):
        render_rows(rows[:1], VIEW, wanted, progress=fail)
    assert [entry.name for entry in tmp_path.iterdir()] == ["arm.mp4"]
    assert wanted.file.read_text() == "older"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_killed_command_leaves_no_file_under_the_name(how: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "arm.mp4"
    words = command("--out", str(out), "--size", "640x360", "--speed", "0.02")
    with subprocess.Popen(words, cwd=ROOT, env=surroundings(), stderr=subprocess.PIPE) as process:
        until(lambda: any(part.stat().st_size for part in tmp_path.iterdir()))
        process.send_signal(how)
        process.wait(30)
    assert not out.exists()
    if how is signal.SIGTERM:
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="resource limits")
def test_full_disk_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: the write fails half way in the same manner."""
    import resource

    out = tmp_path / "arm.mp4"
    done = subprocess.run(
        command("--out", str(out), "--size", "320x180"),
        cwd=ROOT,
        env=surroundings(NUMBA_DISABLE_JIT="0"),
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "arm.mp4" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_no_graphics_is_said_in_one_line(tmp_path: Path) -> None:
    words = command("--out", str(tmp_path / "arm.png"), "--size", "64x36")
    without = surroundings(__EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent", PYOPENGL_PLATFORM="egl")
    done = subprocess.run(words, cwd=ROOT, env=without, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("armstep: ")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_window_process_and_direct_path_draw_the_same_frames(rows, settings) -> None:
    """The window's drawing process computes the runs again from plain data, and still every pixel agrees."""
    wanted = settings("direct.png", at=0.8, size=(160, 90), layout="scene-plots")
    with Film(rows, VIEW, wanted) as film:
        ours = film.frame(0.8)
    request = ExportRequest.of_rows(rows, VIEW, replace(wanted, file=wanted.file.with_name("process.png")))
    task = json.dumps({"task": "export", **request.to_data()}) + "\n"
    with subprocess.Popen(
        [sys.executable, "-m", "gui.qt.export.worker"],
        cwd=ROOT,
        env=surroundings(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(task)
        process.stdin.flush()
        answers = []
        while not answers or not {"done", "error"} & answers[-1].keys():
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        process.wait(30)
    assert answers[-1] == {"done": str(request.settings.file)}
    with Image.open(request.settings.file) as image:
        theirs = np.asarray(image.convert("RGBA"))
    # Text is set by another Qt platform in a process without a window, so letters may differ; the scene may not.
    assert ours.shape == theirs.shape
    assert np.mean(np.abs(ours.astype(int) - theirs.astype(int))) < 2.0


def test_jobs_survive_being_sent(rows, settings) -> None:
    request = ExportRequest.of_rows(rows, ViewSettings().changed(frames=True), settings(camera="top", start=0.25))
    again = ExportRequest.from_data(json.loads(json.dumps(request.to_data())))
    assert again.scenarios == request.scenarios
    assert (again.slots, again.view, again.settings) == (request.slots, request.view, request.settings)
