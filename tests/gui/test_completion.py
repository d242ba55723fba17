"""Completion scripts and the manual page, read by the programs that they are for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gui.cli import main
from gui.command import COMMANDS


def printed(kind: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", kind]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["armstep", "rend"], "render"),
        (["armstep", "render", "rr-swin"], "rr-swing"),
        (["armstep", "render", "rr-swing", "--fon"], "--font"),
        (["armstep", "run", "rr-swing", "--al"], "--also"),
        (["armstep", "completion", "fi"], "fish"),
        (["armstep", "list", "plo"], "plots"),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(line: list[str], found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "armstep.bash"
    script.write_text(printed("bash", capsys))
    words = " ".join(line)
    ask = f'. {script}; COMP_WORDS=({words}); COMP_CWORD={len(line) - 1}; _armstep; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [found]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_read_their_scripts(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(shell, capsys)
    for word in (*COMMANDS.keys(), "rr-swing", "pa10-accuracy"):
        assert word in text
    if shutil.which(shell):
        (tmp_path / "script").write_text(text)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


def test_the_manual_page_has_every_command_and_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed("man", capsys)
    assert text.startswith(".TH ARMSTEP 1")
    for word in (*(f".SS {name}" for name in COMMANDS), "\\-\\-width\\fR \\fILENGTH", "\\-\\-reference"):
        assert word in text
    if shutil.which("groff"):
        (tmp_path / "armstep.1").write_text(text)
        read = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", str(tmp_path / "armstep.1")], capture_output=True, text=True, check=True
        )
        assert not read.stderr


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fihs"]) == 2
    assert "did you mean 'fish'?" in capsys.readouterr().err
