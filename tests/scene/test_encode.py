"""Every format is read back by an independent reader, carries its texts, and is there whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence

from assets.errors import ArmstepError, BadInput
from gui.qt.export.inside import read_texts
from scene.formats.mp4 import Mp4Writer
from scene.writer import HOST
from tests.scene.writing import open_writer

ROOT = Path(__file__).parents[2]
SIZE, FPS, COUNT = (160, 90), 30, 12
TEXTS = {"armstep": "0.1.0", "scenario": json.dumps({"name": "größe ≥ 1", "q": [0.0, 0.5]}), "title": "A title"}
ANIMATIONS = (".mp4", ".webm", ".gif", ".webp")


def frames(size: tuple[int, int] = SIZE, count: int = COUNT, opacity: int = 255) -> list[np.ndarray]:
    """A disc that runs to the right over a grey gradient."""
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    made = []
    for k in range(count):
        image = np.empty((size[1], size[0], 4), dtype=np.uint8)
        image[..., :3] = (80 + 100 * y / max(size[1], 2))[..., None]
        image[..., 3] = opacity
        image[(x - size[0] * (k + 1) / (count + 1)) ** 2 + (y - size[1] / 2) ** 2 < (size[1] / 5) ** 2] = (
            220,
            60,
            20,
            255,
        )
        made.append(image)
    return made


def write(path: Path, size: tuple[int, int] = SIZE, count: int = COUNT, **options: object) -> Path:
    transparent = bool(options.get("transparent"))
    with open_writer(path, size, FPS, metadata=TEXTS, **options) as writer:  # type: ignore[arg-type]
        for frame in frames(size, count, 0 if transparent else 255):
            writer.add(frame)
    return path


def parts(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if entry.name.endswith(".part")]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_films_have_the_right_count_duration_and_pixels(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"film{suffix}")
    with av.open(str(path)) as film:
        video = film.streams.video[0]
        assert (video.width, video.height) == SIZE
        assert video.codec_context.name == {".mp4": "h264", ".webm": "vp9"}[suffix]
        assert video.pix_fmt == "yuv420p"
        assert video.average_rate == FPS
        shown = list(film.decode(video))
        assert len(shown) == COUNT
        assert [round(frame.time * FPS) for frame in shown if frame.time is not None] == list(range(COUNT))
        difference = shown[5].to_ndarray(format="rgb24").astype(int) - frames()[5][..., :3]
    assert np.abs(difference).mean() < 6
    assert parts(tmp_path) == []


def test_mp4_starts_with_its_index_and_says_which_colours_it_means(tmp_path: Path) -> None:
    data = write(tmp_path / "film.mp4").read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    if shutil.which("ffprobe"):
        ask = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json"]
        reported = json.loads(subprocess.run([*ask, tmp_path / "film.mp4"], capture_output=True, check=True).stdout)
        video = reported["streams"][0]
        assert (video["nb_read_frames"], video["color_space"], video["color_range"]) == (str(COUNT), "bt709", "tv")
        assert float(reported["format"]["duration"]) == pytest.approx(COUNT / FPS, abs=1e-3)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_animated_pictures_open_in_another_reader(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"film{suffix}", loop=3)
    with Image.open(path) as image:
        shown = [frame.convert("RGB").copy() for frame in ImageSequence.Iterator(image)]
        durations = []
        for frame in ImageSequence.Iterator(image):
            frame.load()
            durations.append(frame.info["duration"])
        loop = image.info["loop"]
    assert len(shown) == COUNT
    assert sum(durations) == pytest.approx(1000 * COUNT / FPS, abs=11)
    assert loop == {".gif": 2, ".webp": 3}[suffix]
    assert np.abs(np.asarray(shown[5]).astype(int) - frames()[5][..., :3]).mean() < 8


def test_stills_and_sequences_are_exact(tmp_path: Path) -> None:
    still = write(tmp_path / "still.png", count=1)
    assert np.array_equal(np.asarray(Image.open(still)), frames(count=1)[0][..., :3])
    folder = tmp_path / "frames"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    write(folder, count=COUNT + 5)
    write(folder)
    names = sorted(entry.name for entry in folder.iterdir())
    assert names == [*(f"frame-{k:06d}.png" for k in range(COUNT)), "notes.txt"]
    assert np.array_equal(np.asarray(Image.open(folder / "frame-000005.png")), frames()[5][..., :3])
    with pytest.raises(ArmstepError, match="one frame"):
        write(tmp_path / "two.png", count=2)
    assert not (tmp_path / "two.png").exists()


@pytest.mark.parametrize("name", ["film.webm", "film.gif", "film.webp", "still.png", "frames"])
def test_opacity_is_kept_where_the_format_can(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, count=1 if name == "still.png" else COUNT, transparent=True)
    if name == "film.webm":
        with av.open(str(path)) as film:
            assert film.streams.video[0].metadata.get("alpha_mode") == "1"
        return
    file = path / "frame-000005.png" if path.is_dir() else path
    with Image.open(file) as image:
        shown = np.asarray(image.convert("RGBA"))
    assert shown[0, 0, 3] == 0
    assert shown[..., 3].max() == 255


@pytest.mark.parametrize("name", ["film.mp4", "film.webm", "film.gif", "film.webp", "still.png", "frames"])
def test_texts_travel_inside(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, count=1 if name == "still.png" else COUNT)
    found = read_texts(path)
    assert {key: found[key] for key in TEXTS} == TEXTS


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif", ".webp", ".png"])
def test_a_file_that_is_none_of_ours_is_one_sentence(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"x{suffix}").write_bytes(b"nonsense" * 50)
    with pytest.raises(ArmstepError):
        read_texts(tmp_path / f"x{suffix}")
    with pytest.raises(ArmstepError):
        read_texts(tmp_path / f"missing{suffix}")


@pytest.mark.parametrize("size", [(1, 1), (161, 91), (2, 5)])
@pytest.mark.parametrize("suffix", ANIMATIONS)
def test_odd_and_tiny_sizes(tmp_path: Path, suffix: str, size: tuple[int, int]) -> None:
    path = write(tmp_path / f"film{suffix}", size, 3)
    if suffix in (".mp4", ".webm"):
        with av.open(str(path)) as film:
            video = film.streams.video[0]
            assert (video.width, video.height) == tuple(length + length % 2 for length in size)
            assert len(list(film.decode(video))) == 3
    else:
        with Image.open(path) as image:
            assert image.size == size


@pytest.mark.parametrize("suffix", [*ANIMATIONS, ".png", ""])
def test_abort_leaves_nothing_and_keeps_the_old_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    if suffix:
        path.write_bytes(b"old")
    writer = open_writer(path, SIZE, FPS)
    writer.add(frames()[0])
    writer.abort()
    writer.abort()
    assert [entry.name for entry in tmp_path.iterdir()] == ([path.name] if suffix else [])

    def stumble() -> None:
        with open_writer(path, SIZE, FPS) as writer:
            writer.add(frames()[0])
            raise KeyError

    with pytest.raises(KeyError):
        stumble()
    assert [entry.name for entry in tmp_path.iterdir()] == ([path.name] if suffix else [])


@pytest.mark.parametrize("suffix", [*ANIMATIONS, ".png", ""])
def test_a_film_without_frames_is_refused(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ArmstepError, match="there are no frames"):
        open_writer(tmp_path / f"film{suffix}", SIZE, FPS).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no way to ask whether a process lives")
def test_what_killed_processes_left_in_the_folder_is_swept_up(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    orphans = [
        tmp_path / f".{name}.{HOST}-{dead.pid}.armstep.part" for name in ("film.mp4", "other [1].webm", "stills")
    ]
    kept = [
        tmp_path / f".film.mp4.{HOST}-{os.getppid()}.armstep.part",  # a process that lives
        tmp_path / f".film.mp4.{int(HOST, 16) ^ 1:08x}-{dead.pid}.armstep.part",  # another machine's
        tmp_path / f".film.mp4.{HOST}-x.armstep.part",
        tmp_path / f".film.mp4.{dead.pid}.part",  # another programme's
        tmp_path / f"film.mp4.{HOST}-{dead.pid}.armstep.part",  # not hidden
    ]
    for path in (*orphans[:2], *kept):
        path.write_bytes(b"x")
    orphans[2].mkdir()
    (orphans[2] / "frame-000000.png").write_bytes(b"x")
    write(tmp_path / "film.mp4", count=2)
    assert {path.name for path in tmp_path.iterdir()} == {"film.mp4", *(path.name for path in kept)}


@pytest.mark.skipif(sys.platform == "win32", reason="no way to ask whether a process lives")
def test_a_killed_process_leaves_a_name_that_the_next_one_sweeps_up(tmp_path: Path) -> None:
    code = (
        "import os, sys; from tests.scene.writing import open_writer\n"
        "open_writer(sys.argv[1], (16, 16)); os.kill(os.getpid(), 9)"
    )
    path = tmp_path / "killed.png"
    subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, check=False)
    assert len(parts(tmp_path)) == 1
    write(tmp_path / "film.png", count=1)
    assert [entry.name for entry in tmp_path.iterdir()] == ["film.png"]


def test_frames_of_another_size_are_refused(tmp_path: Path) -> None:
    with open_writer(tmp_path / "film.mp4", SIZE, FPS) as writer:
        writer.add(frames()[0])
        with pytest.raises(BadInput, match="frame"):
            writer.add(frames((10, 10))[0])


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "still.png"])
def test_a_write_protected_file_is_left_alone(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"mine")
    file.chmod(0o444)
    with pytest.raises(ArmstepError, match="write-protected"):
        write(file, count=1)
    assert file.read_bytes() == b"mine"
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "film.png", tmp_path / "film.png"
    target.write_bytes(b"old")
    target.chmod(0o600)
    link.symlink_to(target)
    write(link, count=1)
    assert link.is_symlink()
    assert target.read_bytes().startswith(b"\x89PNG")
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["foreign", "broken"])
def test_a_sequence_never_deletes_pictures_of_others(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "frames"
    write(folder, count=3)
    other = folder / "frame-000099.png"
    if kind == "foreign":
        Image.new("RGB", (4, 4)).save(other)
    else:
        other.write_bytes(b"old")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(ArmstepError, match=r"frame-000099\.png"):
        write(folder, count=2)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    assert parts(tmp_path) == []


def test_a_missing_encoder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mp4Writer, "codec", "libx999")
    with pytest.raises(ArmstepError, match=r"libx999.*reinstall"):
        open_writer(tmp_path / "film.mp4", SIZE, FPS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["film.mp4", "film.png"])
def test_a_full_disk_is_reported_and_cleaned_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ArmstepError, match="the disk is full"):
        write(tmp_path / name, count=1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
@pytest.mark.parametrize("name", ["film.mp4", "film.webm", "film.gif", "film.webp", "still.png", "frames"])
def test_a_real_limit_on_the_file_is_reported_and_cleaned_up(tmp_path: Path, name: str) -> None:
    code = f"""
import resource, sys
import numpy as np
from assets.errors import ArmstepError
from tests.scene.writing import open_writer
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
noise = np.random.default_rng(0)
try:
    with open_writer({str(tmp_path / name)!r}, (320, 180), 30, quality="high") as writer:
        for _ in range(1 if {name!r} == "still.png" else 20):
            writer.add(noise.integers(0, 255, (180, 320, 4), dtype=np.uint8))
except ArmstepError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "larger than the system permits" in done.stdout, done.stdout + done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == []


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ArmstepError, match="not permitted"):
            open_writer(tmp_path / "film.mp4", SIZE, FPS)
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "still.png", "frames"])
def test_a_read_only_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "touch", refused)
    monkeypatch.setattr(Path, "mkdir", refused)
    monkeypatch.setattr(av, "open", refused)
    with pytest.raises(ArmstepError, match="read-only"):
        open_writer(tmp_path / name, SIZE, FPS)
