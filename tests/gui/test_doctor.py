"""`armstep doctor` says the truth about this machine, and how to mend what is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assets.version import version
from gui.cli import main
from gui.commands import doctor

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the processes that ask for OpenGL."""
    monkeypatch.setattr(doctor, "graphics", lambda: iter(()))


def test_report_as_json(quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    topics = {finding["topic"]: finding for finding in report["findings"]}
    assert report["ok"] is (status == 0)
    assert topics["Armstep"]["text"] == version()
    assert topics["numpy"]["state"] == "good"
    assert {"settings", "references", "H.264 encoder"} <= topics.keys()


def test_missing_library_is_named_with_the_command_that_gets_it(
    quick: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "LIBRARIES", ("numpy", "no-such-library"))
    monkeypatch.setitem(doctor.SYSTEM_LIBRARIES, "libnothing.so.7", "libnothing7")
    assert main(["doctor"]) == 1
    report = capsys.readouterr().out
    assert "pip install no-such-library" in report
    if sys.platform == "linux":
        assert re.search(r"sudo apt-get install -y .*libnothing7", report)


def test_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    finding = doctor.folder_check("settings", tmp_path / "deep" / "folder")
    assert finding.state == "missing"
    assert str(tmp_path) in finding.remedy


def test_machine_without_display_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(doctor, "opengl_check", lambda topic, probe: doctor.Check(topic, "good", probe))
    states = {finding.topic: finding.state for finding in doctor.graphics()}
    assert states == {"display": "note", "OpenGL, export": "good"}


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ('{"renderer": "GeForce", "version": "4.6"}', "good"),
        ('noise\n{"renderer": "llvmpipe", "version": "4.5"}', "note"),
        ('{"failure": "no OpenGL 3.3 core context (xcb)"}', "missing"),
        ("", "missing"),
    ],
)
def test_graphics_answers_are_understood(answer: str, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, stdout=answer, stderr="a driver's last words")

    monkeypatch.setattr(doctor.subprocess, "run", run)
    assert doctor.opengl_check("OpenGL", "window").state == state


def test_offscreen_probe_works_here() -> None:
    finding = doctor.opengl_check("OpenGL, export", "offscreen")
    assert finding.state in ("good", "note"), finding.text


def test_doctor_and_set_up_know_the_same_packages() -> None:
    text = (ROOT / ".ci" / "setup.sh").read_text(encoding="utf-8")
    block = text[text.index("libraries=(") : text.index(")", text.index("libraries=("))]
    known = dict(pair.split(":") for pair in re.findall(r"\S+:\S+", block))
    assert doctor.SYSTEM_LIBRARIES.items() <= known.items()
