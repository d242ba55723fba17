"""Armstep in an empty home: its entry, its icons, its kind of file, and nothing left after it is removed."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from gui.cli import main
from gui.commands import desktop
from gui.commands.desktop import quoted

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="desktop entries are for Linux")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with a difficult name."""
    place = tmp_path / "a home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return place


def ours(home: Path) -> list[str]:
    """The files that name Armstep."""
    return sorted(str(file.relative_to(home)) for file in home.rglob("*armstep*") if file.is_file())


def test_install_writes_into_the_home_and_remove_takes_it_away(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop", "install"]) == 0
    written = capsys.readouterr().out
    share = home / ".local/share"
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(share / "applications/armstep.desktop")
    words = shlex.split(entry["Desktop Entry"]["Exec"])
    assert Path(words[0]).exists()
    assert words[-2:] == ["open", "%f"]
    kind = ElementTree.parse(share / "mime/packages/armstep.xml").getroot()[0]
    assert entry["Desktop Entry"]["MimeType"] == kind.get("type") + ";"
    assert (share / "icons/hicolor/scalable/apps" / f"{entry['Desktop Entry']['Icon']}.svg").exists()
    assert all(str(home / name) in written for name in ours(home) if "/mime/application" not in name)
    assert main(["desktop", "install"]) == 0
    assert main(["desktop", "remove"]) == 0
    assert list(home.iterdir()) == [], "nothing is left, not even a folder"
    assert main(["desktop", "remove"]) == 0


def test_remove_leaves_what_belongs_to_other_programs(home: Path) -> None:
    share = home / ".local/share"
    for name in ("applications/other.desktop", "applications/mimeinfo.cache", "mime/packages/other.xml", "mime/globs2"):
        (share / name).parent.mkdir(parents=True, exist_ok=True)
        (share / name).write_text("<mime-info xmlns='http://www.freedesktop.org/standards/shared-mime-info'/>")
    before = {file for file in home.rglob("*") if file.is_file()}
    main(["desktop", "install"])
    main(["desktop", "remove"])
    assert before <= {file for file in home.rglob("*") if file.is_file()}
    assert ours(home) == []


def test_the_desktops_own_programs_accept_the_files(home: Path) -> None:
    main(["desktop", "install"])
    share = home / ".local/share"
    if validate := shutil.which("desktop-file-validate"):
        file = share / "applications/armstep.desktop"
        found = subprocess.run([validate, str(file)], capture_output=True, text=True, check=False)
        assert found.stdout + found.stderr == ""
    if shutil.which("update-mime-database"):
        assert "application/x-armstep:*.armstep" in (share / "mime/globs").read_text()


def test_a_given_data_folder_is_used(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    main(["desktop", "install"])
    assert (tmp_path / "data/applications/armstep.desktop").exists()
    assert ours(home) == []


def test_install_says_where_xdg_open_fails(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It splits the names of folders at spaces."""
    for name, spoken in (("data", False), ("my data", True)):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        main(["desktop", "install"])
        assert ("xdg-open" in capsys.readouterr().err) is (spoken or " " in str(tmp_path))


def test_bad_verbs_and_folders_are_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["desktop", "add"]) == 2
    assert capsys.readouterr().err == "armstep: verb must be one of install, remove, got 'add'\n"
    (home / ".local").write_text("a file")
    assert main(["desktop", "install"]) == 2
    assert "cannot be created" in capsys.readouterr().err


def test_other_systems_say_what_to_do_instead(
    monkeypatch: pytest.MonkeyPatch, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert main(["desktop", "install"]) == 2
    assert "Finder" in capsys.readouterr().err
    assert ours(home) == []


def test_special_characters_of_a_path_are_escaped() -> None:
    assert quoted("/a b") == '"/a b"'
    assert quoted("/100%") == "/100%%"
    assert quoted("/opt/armstep") == "/opt/armstep"
    assert quoted("/$x") == '"/\\\\$x"'


def test_a_program_whose_path_has_a_space_is_found_without_a_desktop(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, data, opened = tmp_path / "my programs" / "armstep", tmp_path / "data", tmp_path / "a swing.armstep"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(desktop, "starter", lambda: [str(program)])
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    main(["desktop", "install"])
    entry = (data / "applications/armstep.desktop").read_text()
    # xdg-open takes the words between spaces as they are.
    words = [str(opened) if word == "%f" else word for word in entry.partition("\nExec=")[2].splitlines()[0].split()]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["open", str(opened)]
    monkeypatch.setattr(desktop, "starter", lambda: ["/opt/armstep"])
    main(["desktop", "remove"])
    assert "start" in capsys.readouterr().out
    assert not data.exists() or list(data.rglob("*")) == []


def test_a_desktop_knows_the_file_and_who_opens_it(home: Path, tmp_path: Path) -> None:
    main(["desktop", "install"])
    file = home / "swing.armstep"
    file.write_text("{}")
    code = "import sys; from PySide6.QtCore import QMimeDatabase as D; print(D().mimeTypeForFile(sys.argv[1]).name())"
    found = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "application/x-armstep"
    if shutil.which("xdg-mime") and shutil.which("update-desktop-database"):
        # It takes a space in a folder's name for the end of the name.
        plain = tmp_path / "data"
        plain.symlink_to(home / ".local/share")
        asked, env = (
            ["xdg-mime", "query", "default", "application/x-armstep"],
            {**os.environ, "XDG_DATA_HOME": str(plain)},
        )
        found = subprocess.run(asked, env=env, capture_output=True, text=True, check=False)
        assert found.stdout.strip() == "armstep.desktop"
