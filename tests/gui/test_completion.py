"""Completion scripts and the manual page, read by the programs that they are for."""

from __future__ import annotations

import os
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
        (["armstep", "render", "rr-swing", "--plots", "error,phas"], "error,phase-plane"),
        (["armstep", "render", "rr-swing", "--plots", "error,pa10-circle", ":", "phas"], "phase-plane"),
        (["armstep", "render", "rr-swing", "--plots", "map/step", "=", "0.01,phas"], "0.01,phase-plane"),
        (["armstep", "render", "rr-swing", "--plots", "=", "phas"], "phase-plane"),
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


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes_panels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "script").write_text(printed("fish", capsys))
    typed = "error,phas", "error,pa10-circle:phas"
    asks = [f"complete -C 'armstep render rr-swing --plots {words}'" for words in typed]
    ask = "; ".join([f"source {tmp_path}/script", *asks])
    home = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(["fish", "-c", ask], capture_output=True, text=True, check=True, env=home)
    assert done.stdout.split() == ["error,phase-plane", "error,pa10-circle:phase-plane"]
    assert not done.stderr


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
