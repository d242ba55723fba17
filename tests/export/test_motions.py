"""Motions as GLB models and web pages, read again by independent readers."""

from __future__ import annotations

import base64
import html
import json
import re
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from assets.errors import ArmstepError
from gui.app.view import ViewSettings
from gui.charts.colours import DASHES
from gui.cli import main
from gui.qt.export.exporter import render_rows
from gui.qt.export.inside import read_scenarios
from gui.qt.export.settings import ExportSettings
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from scene.formats.glb import decomposed
from scene.formats.html import page_metadata
from scene.motion import MovingArm, bodies
from tests.export.browser import opened


def render(path: Path, *words: str, preset: str = "rr-swing") -> Path:
    """The file that the command writes for two seconds of motion."""
    assert main(["render", preset, "--out", str(path), "--set", "duration=2", *words]) == 0
    return path


def page_data(path: Path) -> dict:
    """What the player of a page gets."""
    found = re.search(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8"), re.S)
    assert found
    return json.loads(found[1])


def parsed(path: Path) -> tuple[dict, bytes]:
    """The JSON and the binary chunk of a GLB file."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    content = json.loads(data[20 : 20 + size])
    rest, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0"
    assert content["buffers"][0]["byteLength"] <= rest
    return content, data[28 + size :]


def moving(path: Path) -> list[np.ndarray]:
    """All arrays of a motion: meshes, lines, poses and times."""
    if path.suffix == ".glb":
        content, binary = parsed(path)
        return [array(content, binary, index) for index in range(len(content["accessors"]))]
    arms = page_data(path)["arms"]
    packed = [arm["trail"] for arm in arms] + [body["poses"] for arm in arms for body in arm["bodies"]]
    assert packed
    return [np.frombuffer(base64.b64decode(one), "<f4") for one in packed]


def array(content: dict, binary: bytes, index: int) -> np.ndarray:
    accessor = content["accessors"][index]
    view = content["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    kind = {5126: "<f4", 5123: "<u2", 5125: "<u4"}[accessor["componentType"]]
    flat = np.frombuffer(binary, kind, accessor["count"] * width, view["byteOffset"])
    return flat.reshape(-1, width)


def test_the_model_moves_as_the_arm_does(tmp_path):
    content, binary = parsed(render(tmp_path / "arm.glb"))
    animation = content["animations"][0]
    clock = array(content, binary, animation["samplers"][0]["input"])[:, 0]
    assert clock[0] == 0.0
    assert clock[-1] == pytest.approx(2.0)
    run = simulate(find_preset("rr-swing").with_value("duration", 2.0))
    expected = run.poses(clock.astype(float))[:, -1]
    carriers = {child: k for k, node in enumerate(content["nodes"]) for child in node.get("children", [])}
    moved = {(c["target"]["node"], c["target"]["path"]): c["sampler"] for c in animation["channels"]}
    names = [node["name"] for node in content["nodes"]]
    node = names.index("link 2")
    assert names[carriers[node]] == "link 1"
    world = np.tile(np.eye(4), (len(clock), 1, 1))
    while node != 0:
        own = np.tile(np.eye(4), (len(clock), 1, 1))
        turns, places = (
            array(content, binary, animation["samplers"][moved[node, path]]["output"])
            if (node, path) in moved
            else np.tile(content["nodes"][node].get(path, rest), (len(clock), 1))
            for path, rest in (("rotation", [0.0, 0.0, 0.0, 1.0]), ("translation", [0.0, 0.0, 0.0]))
        )
        own[:, :3, :3], own[:, :3, 3] = Rotation.from_quat(turns).as_matrix(), places
        world, node = own @ world, carriers[node]
    np.testing.assert_allclose(world, expected, atol=2e-6)


def test_the_model_has_a_camera_lines_of_some_thickness_and_its_scenario(tmp_path):
    content, _ = parsed(render(tmp_path / "arm.glb", "--camera", "top", preset="pa10-circle"))
    modes = {primitive["mode"] for mesh in content["meshes"] for primitive in mesh["primitives"]}
    assert modes == {4}, "triangles alone: many readers leave lines out"
    names = [node["name"] for node in content["nodes"]]
    assert "desired path" in names
    camera = content["nodes"][names.index("camera")]
    assert content["cameras"][camera["camera"]]["type"] == "perspective"
    looks = Rotation.from_quat(camera["rotation"]).apply([0.0, 0.0, -1.0])
    np.testing.assert_allclose(looks, [0.0, 0.0, -1.0], atol=1e-6)
    assert json.loads(content["asset"]["extras"]["scenario"])["name"] == "pa10-circle"


def test_meshes_and_poses_are_stored_once(tmp_path):
    short = render(tmp_path / "a.glb").stat().st_size
    assert main(["render", "rr-swing", "--out", str(tmp_path / "b.glb"), "--set", "duration=4"]) == 0
    longer = (tmp_path / "b.glb").stat().st_size
    assert longer - short < 60_000


def test_slow_motion_lengthens_the_animation(tmp_path):
    content, binary = parsed(render(tmp_path / "arm.glb", "--speed", "0.5"))
    clock = array(content, binary, content["animations"][0]["samplers"][0]["input"])
    assert clock[-1, 0] == pytest.approx(4.0)


def test_quaternions_belong_to_their_matrices():
    random = np.random.default_rng(0)
    rotation = np.linalg.qr(random.normal(size=(200, 3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))[:, None, None]
    placements = np.tile(np.eye(4), (200, 1, 1))
    stretch = random.uniform(0.5, 2.0, (200, 3))
    placements[:, :3, :3] = rotation * stretch[:, None, :]
    _, quaternion, scale = decomposed(placements)
    np.testing.assert_allclose(scale, stretch)
    x, y, z, w = quaternion.T
    np.testing.assert_allclose(rotation[:, 0, 0], 1 - 2 * (y * y + z * z), atol=1e-12)
    np.testing.assert_allclose(rotation[:, 1, 0], 2 * (x * y + z * w), atol=1e-12)
    np.testing.assert_allclose(rotation[:, 2, 1], 2 * (y * z + x * w), atol=1e-12)
    assert np.all(np.sum(quaternion[1:] * quaternion[:-1], axis=1) >= 0.0)


@pytest.mark.parametrize("preset", ["beam", "e12"])
def test_what_bends_is_there_too(tmp_path, preset):
    assert main(["render", preset, "--out", str(tmp_path / "arm.glb"), "--fps", "10", "--set", "duration=0.3"]) == 0
    content, _ = parsed(tmp_path / "arm.glb")
    names = " ".join(node["name"] for node in content["nodes"])
    assert ("beam 1" if preset == "beam" else "spring") in names


def test_a_stripe_around_the_base_is_a_whole_ring():
    run = simulate(find_preset("pa10-circle").with_values({"duration": 0.1}))
    arm = MovingArm("PA-10", run.shape(0.0), np.tile(np.eye(4), (1, len(run.shape(0.0).links), 1, 1)))
    meshes = dict(bodies(arm)[0].meshes)
    ring = meshes["accent"].positions
    corners = np.unique(np.round(ring[np.abs(ring[:, 2] - 0.165) < 0.0045][:, :2], 6), axis=0)
    corners = corners[np.hypot(*corners.T) > 0.1154]
    corners = corners[np.argsort(np.arctan2(*corners.T))]
    middles = (corners + np.roll(corners, 1, axis=0)) / 2.0
    assert np.hypot(*middles.T).min() > 0.115, "each side is outside the base"


def test_the_page_needs_no_network_and_is_small(tmp_path):
    text = render(tmp_path / "arm.html", "--compare", "euler").read_text()
    assert len(text) < 2_000_000
    assert not re.search(r"(?:src|href)\s*=|import\s*\(|fetch\(|https?://", text)
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert len(data["arms"]) == 2
    poses = np.frombuffer(base64.b64decode(data["arms"][0]["bodies"][-1]["poses"]), "<f4").reshape(-1, 3, 4)
    assert len(poses) == data["times"][2]
    assert data["chart"]["curves"]


@pytest.mark.parametrize(
    ("preset", "label"),
    [
        ("rr-swing", "error of the joint angles against the reference [rad]"),
        ("beam", "error of the swing and amplitudes against the reference"),
        ("pa10-circle", "error of the tool position against the desired path [m]"),
    ],
)
def test_the_chart_says_what_it_compares(tmp_path, preset, label):
    path = render(tmp_path / "arm.html", "--set", "duration=0.1", preset=preset)
    assert page_data(path)["chart"]["label"] == label


@pytest.mark.parametrize("suffix", ["glb", "html"])
def test_the_scenario_travels_inside(tmp_path, suffix):
    path = render(tmp_path / f"arm.{suffix}", "--set", "robot.m1=2.5")
    assert read_scenarios(path)[0].get("robot.m1") == 2.5


@pytest.mark.parametrize("suffix", ["glb", "html"])
def test_broken_files_are_refused_in_one_sentence(tmp_path, suffix):
    path = tmp_path / f"broken.{suffix}"
    path.write_bytes(b"nothing of ours")
    with pytest.raises(ArmstepError, match="cannot be read"):
        read_scenarios(path)


def test_a_missing_folder_is_refused_before_anything_is_computed(tmp_path, capsys):
    assert main(["render", "rr-swing", "--out", str(tmp_path / "no" / "arm.glb")]) == 2
    assert "folder" in capsys.readouterr().err


def test_a_title_cannot_break_the_page(tmp_path):
    title = '</script><b>"&<!--<script>{{data}}{{metadata}}'
    path = render(tmp_path / "arm.html", "--title", title)
    text = path.read_text()
    assert f"<h1>{html.escape(title)}</h1>" in text
    assert "<!--" not in text
    assert text.count("<script") == text.count("</script>") == 3
    assert page_data(path)["arms"]
    assert page_metadata(path)


def test_the_page_has_the_shaders_of_the_window(tmp_path):
    """Each once, with all that they include, and the colours of the theme that was asked for."""
    data = page_data(render(tmp_path / "arm.html", "--theme", "dark", "--speed", "0.25"))
    shaders = data["shaders"]
    included = {name for text in shaders.values() for name in re.findall(r'#include "(.*?)"', text)}
    assert included <= shaders.keys()
    assert {"arm.frag", "shadow.glsl", "studio.glsl", "ribbon.vert"} <= shaders.keys()
    assert data["dark"]
    assert data["speed"] == 0.25
    frame = np.frombuffer(base64.b64decode(data["frame"]), "<f4")
    # std140: five matrices, then vectors of four.
    assert len(frame) % 4 == 0
    assert np.isfinite(frame).all()


def test_a_page_looks_from_where_it_is_asked_to(tmp_path):
    top = page_data(render(tmp_path / "top.html", "--camera", "top"))["camera"]
    own = page_data(render(tmp_path / "own.html"))["camera"]
    assert top["elevation"] == pytest.approx(np.pi / 2)
    assert own["elevation"] < 1.0
    assert own["distance"] > 1.0


@pytest.mark.browser
def test_the_khronos_validator_finds_nothing(tmp_path):
    npm, node = shutil.which("npm"), shutil.which("node")
    assert npm
    assert node
    subprocess.run([npm, "install", "--silent", "--no-save", "gltf-validator@2.0.0-dev.3.10"], cwd=tmp_path, check=True)
    presets = ("rr-swing", "pa10-circle", "panda-drop", "beam")
    paths = [render(tmp_path / f"{preset}.glb", preset=preset) for preset in presets]
    script = "const v=require('gltf-validator'),f=require('fs');(async()=>{for(const p of process.argv.slice(1)){"
    script += (
        "const r=await v.validateBytes(new Uint8Array(f.readFileSync(p)));console.log(JSON.stringify(r.issues));}})()"
    )
    found = subprocess.run(
        [node, "-e", script, *map(str, paths)], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    issues = [json.loads(line) for line in found.stdout.splitlines()]
    assert len(issues) == len(presets)
    assert all(one["numErrors"] == one["numWarnings"] == 0 for one in issues), issues


@pytest.mark.browser
def test_the_page_plays_in_a_real_browser(tmp_path, artifacts):
    page, picture = render(tmp_path / "arm.html", "--compare", "euler"), artifacts / "hand-out.png"
    with opened(page, tmp_path / "profile") as shown:
        shown.wait("document.body.dataset.frames > 3")
        assert shown.value("document.body.dataset.trouble ?? ''") == ""
        shown.picture(picture)
    from PIL import Image

    pixels = np.asarray(Image.open(picture).convert("RGB"))
    assert np.ptp(pixels[:500].reshape(-1, 3), axis=0).min() > 100


@pytest.mark.browser
def test_a_browser_without_webgl_shows_a_drawing(tmp_path, artifacts):
    page, picture = render(tmp_path / "arm.html", "--compare", "euler"), artifacts / "hand-out-plain.png"
    with opened(page, tmp_path / "profile", "--disable-gpu", "--disable-3d-apis") as shown:
        shown.wait("document.body.dataset.frames > 3")
        assert shown.value("gl === null")
        assert shown.value("document.body.dataset.trouble ?? ''") == ""
        shown.picture(picture)
    from PIL import Image

    pixels = np.asarray(Image.open(picture).convert("RGB"))
    assert np.ptp(pixels[:450].reshape(-1, 3), axis=0).min() > 100


CHART_NUMBERS = """(() => {
  const places = [];
  const kept = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (this.textAlign === 'right' && x < 60) places.push(y);
    kept.call(this, text, x, y);
  };
  drawChart();
  CanvasRenderingContext2D.prototype.fillText = kept;
  return places;
})()"""
"""Draws the chart, and says how high the numbers beside it stand."""


SAMPLES = """(() => {
  const samples = [];
  const kept = CanvasRenderingContext2D.prototype.lineTo;
  CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
    if (y === 10) samples.push(this.getLineDash());
    kept.call(this, x, y);
  };
  drawChart();
  CanvasRenderingContext2D.prototype.lineTo = kept;
  return JSON.stringify(samples);
})()"""
"""Draws the chart, and gives the dashes of the samples above it."""


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs Chromium")
def test_the_page_is_used_by_keys_readers_and_other_pages(tmp_path):
    words = ["--compare", "rk2,euler", "--speed", "0.05", "--from", "0.5", "--to", "1.5"]
    path = render(tmp_path / "arm.html", *words)
    curve = page_data(path)["chart"]["curves"][0]
    times = np.frombuffer(base64.b64decode(curve["t"]), "<f4")
    assert (times[0], times[-1]) == pytest.approx((0.5, 1.5)), "only the shown span"
    with opened(path, tmp_path / "profile") as page:
        page.wait("document.body.dataset.frames > 1")
        lines = "[...document.querySelectorAll('#legend line')]"
        dashes = page.value(f"{lines}.map(line => line.getAttribute('stroke-dasharray')).join(';')")
        assert len(set(dashes.split(";"))) == 3, "each run has a dash of its own"
        samples = json.loads(page.value(SAMPLES))
        wanted = [[1.6 * length for length in DASHES[dash]] for dash in ("dot", "dash", "solid")]
        assert samples == [pytest.approx(one, rel=1e-5) for one in wanted], "each number has a sample of its line"
        assert page.value("speeds.value") == "0.05"
        page.value("postMessage({ armstep: { time: 1.25, play: false } }, '*')")
        page.wait("scrub.getAttribute('aria-valuetext') === '1.250 seconds'", 20.0)
        assert page.value("play.textContent + play.getAttribute('aria-pressed')") == "Playfalse"
        before = page.value("camera.azimuth")
        page.value("dispatchEvent(new KeyboardEvent('keydown', { key: 'd' }))")
        assert page.value("camera.azimuth") == pytest.approx(before + 0.1)
        keydown = (
            "dispatchEvent(new KeyboardEvent('keydown', { key: %s, ctrlKey: %s, bubbles: true, cancelable: true }))"
        )
        for ends, texts in (
            ("1e-9, 1.5", "10⁻⁹ 10⁻⁶ 10⁻³ 1"),
            ("3e-9, 6e-8", "5·10⁻⁹ 10⁻⁸ 2·10⁻⁸ 5·10⁻⁸"),
            ("5.1, 7.7", "6 7"),
        ):
            assert page.value(f"logTicks({ends}).map(tick => tick[1]).join(' ')") == texts
        assert page.value("loop." + keydown % ("' '", "false")), "Space ticks the box that has the focus"
        assert page.value("speeds." + keydown % ("'ArrowRight'", "false"))
        page.value(keydown % ("'d'", "true"))
        assert page.value("[t, playing, camera.azimuth]") == [1.25, False, pytest.approx(before + 0.1)]
        page.value(keydown % ("'L'", "false"))
        assert page.value("loop.checked")
        page.call("Emulation.setDeviceMetricsOverride", width=844, height=390, deviceScaleFactor=1, mobile=False)
        assert page.value("document.getElementById('bar').getBoundingClientRect().bottom <= 390")
        assert page.value("document.getElementById('stage').getBoundingClientRect().height") >= 150
        places = page.value(CHART_NUMBERS)
        assert len(places) >= 2
        assert max(np.diff(places)) <= -14.0, "numbers beside a low chart do not touch"
        assert page.value("arrows(count / 2).length") == 1, (
            "beside Euler's, the errors of the others are too small to see"
        )
        assert page.value("document.getElementById('scale').textContent").startswith("error")
        assert not page.value("document.body.dataset.trouble")


def test_nothing_to_show_is_an_error(tmp_path):
    with pytest.raises(ArmstepError, match="no run"):
        render_rows([], ViewSettings(), ExportSettings(file=tmp_path / "a.glb"))


@pytest.mark.parametrize("name", ["arm.html", "arm.glb"])
def test_an_ensemble_is_left_out_and_not_computed_and_that_is_said(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("robots.sweeps.run_sweep.run_sweep", lambda *_, **__: pytest.fail("no member is computed"))
    file, alone = tmp_path / name, tmp_path / f"alone{name[3:]}"
    short = ["--set", "duration=0.5", "--fps", "10"]
    assert main(["render", "rr-hundred", *short, "--out", str(file)]) == 0
    assert f".{name[4:]} shows the runs without the members of their ensemble" in capsys.readouterr().err
    assert main(["render", "rr-hundred", *short, "--members", "0", "--out", str(alone)]) == 0
    assert "ensemble" not in capsys.readouterr().err
    np.testing.assert_equal(moving(file), moving(alone))
    assert main(["run", str(file), "--members", "0"]) == 0, "the file opens as the scenario that it was"
