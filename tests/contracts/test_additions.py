"""One file per addition: a probe of each kind, in a copy of the product, is listed, called and drawn.

Beside the copy two packages are installed: the one in `docs/plugin`, and one that fails in every way.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assets import plugins
from gui.cli import main
from gui.qt.window import application
from tests.contracts.probes import BROKEN, BROKEN_POINTS, PROBES

ROOT = Path(__file__).parents[2]
FOLDERS = ("assets", "solvers", "robots", "scene", "gui")


def install(site: Path, name: str, points: dict[str, dict[str, str]]) -> None:
    """Make the modules in a folder a package that is installed there."""
    record = site / f"{name.replace('-', '_')}-0.1.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in named.items())
        for group, named in points.items()
    ]
    (record / "entry_points.txt").write_text("\n".join(lines))


def written(text: str) -> str:
    """The text of a probe without its indentation."""
    lines = text.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines) + "\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product, compiled kernels included, with one more file of each kind."""
    copy = tmp_path_factory.mktemp("house")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder)
    for name, text in PROBES.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(written(text))
    tableau = json.loads((copy / "assets/tableaux/rk4.json").read_text("utf-8"))
    (copy / "assets/tableaux/probe.json").write_text(json.dumps({**tableau, "name": "A tableau that a test adds"}))
    pair = json.loads((copy / "assets/implicit/sdirk4.json").read_text("utf-8"))
    (copy / "assets/implicit/probe-pair.json").write_text(json.dumps({**pair, "name": "A pair that a test adds"}))
    preset = json.loads((copy / "assets/scenarios/rr-swing.json").read_text("utf-8"))
    changed = {"name": "probe", "title": "A preset that a test adds", "robot": "probe", "method": "probe"}
    arm = (copy / "assets/robots/scara.urdf").read_text()
    (copy / "assets/robots/probe-arm.urdf").write_text(arm.replace('name="SCARA"', 'name="An arm that a test adds"'))
    (copy / "assets/scenarios/probe.json").write_text(json.dumps({**preset, **changed}))
    site, example = copy / "site", ROOT / "docs/plugin"
    shutil.copytree(example / "armstep_example", site / "armstep_example")
    project = tomllib.loads((example / "pyproject.toml").read_text("utf-8"))["project"]
    install(site, project["name"], project["entry-points"])
    (site / "broken.py").write_text(BROKEN)
    install(site, "broken", BROKEN_POINTS)
    return copy


SCRIPT = """
import contextlib, io, json, sys
from gui.cli import main

def said(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        assert main(words) == 0, words
    return out.getvalue()

def complaints(*words):
    out = io.StringIO()
    with contextlib.redirect_stderr(out), contextlib.redirect_stdout(io.StringIO()):
        return main(words), out.getvalue().splitlines()

short, gate = ["--set", "duration=0.1"], ["--set", "robot=gate", "--set", "method=example-heun"]
answers = {
    "list": json.loads(said("list", "--json")),
    "help": said("--help"),
    "render help": said("render", "--help"),
    "command": said("probe"),
    "study": json.loads(said("study", "probe", "--json")),
    "probe lesson": json.loads(said("lesson", "check", "probe", "--json")),
    "copied": json.loads(said("run", "rr-swing", "--json", *short)),
    "preset": json.loads(said("run", "probe", "--json", *short)),
    "member": json.loads(said("run", "probe", "--json", "--set", "method=probe-member", *short)),
}
said("render", "probe", "--out", "still.probe", "--layout", "probe", "--size", "64x36", *short)
answers["opened"] = json.loads(said("run", "still.probe", "--json"))
said("render", "probe", "--out", "plots.svg", *short)
said("render", "probe", "--out", "styled.svg", "--style", "probe", *short)
said("run", "probe", "--out", "run.probedata", *short)
answers |= {
    "gate": json.loads(said("run", "rr-swing", "--json", *short, *gate)),
    "lesson": json.loads(said("lesson", "check", "gate-falls", "--json")),
    "stuck": complaints("run", "rr-swing", "--set", "robot=stuck", *short),
    "complaints": complaints("list", "plugins"),
}
json.dump(answers, open("answers.json", "w"))
"""

WINDOW = """
import json
from pathlib import Path
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QLabel
from gui.app.settings import Settings
from gui.compose.picture import compose
from gui.qt.window.application import make_application, open_window

application = make_application(["armstep"])
settings = Settings(Path("settings"))
settings.set("started", True)
window = open_window(settings, None, gallery=False)
window.show()
session = window.session
while window.enlarged is None or session.runs.current.run is None:
    application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
dock = next(dock for dock in window.docks if dock.kind.key == "probe")
dock.show()
application.processEvents()
shown = [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]

def labels():
    return [label.text for label in compose(session.runs.all, 0.05, session.view.settings).labels]

action, before = window.actions_by_key["overlay.probe"], labels()
action.trigger()
session.view.set(plots=["probe"])
window.actions_by_key["plots.enlarge"].trigger()
application.processEvents()
enlarged = window.enlarged.plot
banner = window.banner.label.text()
found = {
    "panel": [dock.windowTitle(), *shown],
    "overlay": [before, labels(), action.isChecked(), action.text()],
    "plot": [enlarged.chart.title, len(enlarged.chart.curves)] if enlarged else [],
    "banner": banner,
}
json.dump(found, open("window.json", "w"))
window.close_now()
"""


def surroundings(house: Path) -> dict[str, str]:
    """Where a fresh process finds the copy and the packages beside it."""
    path = os.pathsep.join(map(str, (house, house / "site")))
    return {**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"}


@pytest.fixture(scope="module")
def answers(house: Path) -> dict[str, Any]:
    """What a fresh process in the copy said to every command."""
    return _answers(house, SCRIPT, surroundings(house), "answers.json")


@pytest.fixture(scope="module")
def window(house: Path) -> dict[str, Any]:
    """What the copy's window showed."""
    surroundings = {
        **os.environ,
        "PYTHONPATH": f"{house}:{house / 'site'}",
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(house),
    }
    return _answers(house, WINDOW, surroundings, "window.json")


def _answers(house: Path, script: str, environment: dict[str, str], file: str) -> dict[str, Any]:
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, cwd=house, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads((house / file).read_text("utf-8"))


def test_every_kind_is_listed(answers: dict[str, Any]):
    listed = {kind: [entry["key"] for entry in found] for kind, found in answers["list"].items()}
    for kind in ("robots", "methods", "scenarios", "studies", "lessons", "formats"):
        assert "probe" in listed[kind], kind
    assert {"probe-member", "probe-pair"} <= set(listed["methods"])
    assert "probe-arm" in listed["robots"]
    assert "say that a test added it" in answers["help"]
    assert ".probe" in answers["render help"]


def test_a_command_is_called_and_a_study_computed(answers: dict[str, Any]):
    assert answers["command"] == "called\n"
    assert answers["study"]["studies"][0]["findings"][0]["ours"] == "it is found"


def test_a_lesson_is_checked(answers: dict[str, Any]):
    (lesson,) = answers["probe lesson"]["lessons"]
    assert (lesson["key"], lesson["steps"], lesson["problems"]) == ("probe", 1, [])


def test_a_preset_of_an_added_robot_and_method_runs_as_the_one_it_was_copied_from(answers: dict[str, Any]):
    copied, preset, member = answers["copied"], answers["preset"], answers["member"]
    assert (preset["robot"], preset["method"], member["method"]) == ("probe", "probe", "probe-member")
    assert copied["final"] == preset["final"] == member["final"]


def test_a_layout_is_drawn_into_a_format_that_opens_again(answers: dict[str, Any], house: Path):
    with Image.open(house / "still.probe") as image:
        assert image.convert("RGB").getcolors() == [(64 * 36, (10, 200, 30))]
    assert answers["opened"]["scenario"] == "probe"


def test_a_figure_has_the_width_of_its_style(house: Path):
    assert '<svg width="100.0000mm"' in (house / "styled.svg").read_text("utf-8")


def test_numbers_are_written_in_a_format(house: Path):
    assert (house / "run.probedata").read_bytes() == b"probe"


def test_every_kind_in_the_docs_has_a_probe(house: Path):
    rows = re.findall(r"^\| [\w ]+ \| (`.*?`) \| ", (ROOT / "docs/extending.md").read_text("utf-8"), re.MULTILINE)
    files = [file for row in rows for file in re.findall("`(.*?NAME.*?)`", row)]
    assert len(files) > 15
    assert [file for file in files if not list(house.glob(file.replace("NAME", "probe*")))] == []


def test_a_plot_is_on_the_page_of_charts(answers: dict[str, Any], house: Path):
    assert "A plot that a test adds" in (house / "plots.svg").read_text("utf-8")


def test_a_panel_stands_in_the_window(window: dict[str, Any]):
    title, *shown = window["panel"]
    assert title == "A panel that a test adds"
    assert "the panel is here" in shown


def test_an_overlay_is_in_the_menu_and_drawn_when_it_is_chosen(window: dict[str, Any]):
    before, after, checked, text = window["overlay"]
    assert "the overlay is here" not in before
    assert "the overlay is here" in after
    assert (checked, text) == (True, "An overlay that a test adds")


def test_a_plot_fills_the_middle_of_the_window(window: dict[str, Any]):
    assert window["plot"] == ["A plot that a test adds", 1]


def test_a_plugin_of_each_kind_is_listed_run_and_drawn(answers: dict[str, Any], house: Path):
    listed = {kind: [entry["key"] for entry in found] for kind, found in answers["list"].items()}
    assert "example-heun" in listed["methods"]
    assert "gate" in listed["robots"]
    assert "gate-falls" in listed["lessons"]
    [lesson] = answers["lesson"]["lessons"]
    assert (lesson["key"], lesson["steps"], lesson["problems"]) == ("gate-falls", 1, [])
    assert (answers["gate"]["robot"], answers["gate"]["method"]) == ("gate", "example-heun")
    assert "Liveliness" in (house / "plots.svg").read_text("utf-8")


def test_an_error_in_a_plugin_names_it_and_the_rest_works(answers: dict[str, Any], house: Path):
    plugins = {(entry["package"], entry["key"]): entry for entry in answers["list"]["plugins"]}
    working = {place for place, entry in plugins.items() if entry["works"]}
    # What fails when it is used looks well until then.
    assert working == {
        *(("armstep-example 0.1", key) for key in ("example", "gate", "liveliness", "gate-falls")),
        ("broken 0.1", "stuck"),
        ("broken 0.1", "torn"),
    }
    expected = {
        "raises": "ZeroDivisionError",
        "absent": "No module named 'broken.nowhere'",
        "a-class": "must be a Robot",
        "misnamed": "the key 'rr', which must be 'misnamed'",
        "rr": "robots/catalog/rr/robot.py has the same key",
    }
    for key, why in expected.items():
        assert why in plugins["broken 0.1", key]["title"]
        assert f"{key!r} in broken" in plugins["broken 0.1", key]["title"]
    assert answers["stuck"][0] == 2
    assert answers["stuck"][1][0] == "armstep: The plugin 'stuck' of broken 0.1 failed (OverflowError: stuck)."
    status, lines = answers["complaints"]
    assert status == 0
    assert any("'torn' in broken:TORN of broken 0.1 cannot be used: KeyError: 'torn'" in line for line in lines)
    assert "A plot that fails when it is drawn" not in (house / "plots.svg").read_text("utf-8")


def test_the_window_says_which_plugins_it_starts_without(window: dict[str, Any]):
    assert "'misnamed' in broken:RR_AGAIN of broken 0.1" in window["banner"]


def test_plugins_can_be_left_out(house: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(house / "site"))
    assert len(plugins.plugins()) > 5
    monkeypatch.setenv(plugins.OFF, "")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    seen = []
    monkeypatch.setattr(application, "run", lambda *_, **__: seen.append(plugins.plugins()) or 0)
    assert (main(["--safe"]), main(["open", "--safe"])) == (0, 0)
    assert seen == [(), ()]
