"""Pictures and films of the RR arm, 1280 x 720, drawn without a window; on a graphics card also 4K with six ghosts."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measurement import Measurement, alternate, ratio, seconds
from robots.scenario.presets import find_scenario
from robots.simulation.simulate import simulate
from scene import camera as cameras
from scene.formats.mp4 import FORMAT as MP4
from scene.offscreen import Offscreen
from scene.picture import Actor, Picture, Quality, Ribbon
from scene.writer import Order

SIZE = (1280, 720)
LARGE = (3840, 2160)
FPS = 30
FRAMES, CARD_FRAMES = 40, 120
FLUENT = 15
"""Pictures per second that an animation needs at least."""

GHOSTS = (
    (0.0, 0.45, 0.70),
    (0.84, 0.37, 0.0),
    (0.0, 0.62, 0.45),
    (0.80, 0.47, 0.65),
    (0.34, 0.71, 0.91),
    (0.90, 0.60, 0.0),
)
QUALITIES: tuple[Quality, ...] = ("low", "medium", "high")

MUJOCO_SCENE = """
<mujoco>
  <visual>
    <global offwidth="1280" offheight="720"/>
    <quality offsamples="4" shadowsize="1024"/>
  </visual>
  <asset>
    <texture name="grid" type="2d" builtin="checker" rgb1=".8 .8 .8" rgb2=".7 .7 .7" width="512" height="512"/>
    <material name="grid" texture="grid" texrepeat="8 8"/>
  </asset>
  <worldbody>
    <light pos="0 -3 6" dir="0 .4 -1" castshadow="true"/>
    <geom type="plane" size="20 20 .1" material="grid"/>
    <geom type="cylinder" fromto="0 .25 0 0 .25 2.4" size=".1"/>
    <body pos="0 0 2.4">
      <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".08"/>
      <geom type="sphere" pos="1 0 0" size=".11"/>
      <body pos="1 -.18 0">
        <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".06"/>
        <geom type="sphere" pos="1 0 0" size=".11"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def pictures(count: int, ghosts: int = 0) -> list[Picture]:
    """Consecutive frames of the swing with its trail, and ghosts that run ahead."""
    run = simulate(find_scenario("rr-swing"))
    shape = run.robot.shape(run.scenario)
    camera = cameras.preset("iso", shape.centre, shape.radius, SIZE[0] / SIZE[1])
    times = np.arange(count + ghosts + 1) / FPS
    states = run.sample(times)
    poses = [run.robot.pose(run.scenario, float(t), y) for t, y in zip(times, states, strict=True)]
    tips = run.robot.tip_path(run.scenario, times, states)
    empty = Picture(camera, ground=shape.ground)
    made = []
    for k in range(count):
        actors = [Actor(shape, poses[k])]
        actors += [Actor(shape, poses[k + 1 + i], GHOSTS[i], 0.35) for i in range(ghosts)]
        made.append(replace(empty, actors=tuple(actors), ribbons=(Ribbon(tips[: k + 2], GHOSTS[0], 3.0, fade=True),)))
    return made


def frame_times(quality: Quality, ghosts: int = 0) -> list[float]:
    """Milliseconds that each frame takes to draw and to read back, after a first one that does not count."""
    frames = pictures(FRAMES, ghosts)
    with Offscreen(SIZE, quality) as stage:
        stage.render(frames[0])
        return [1e3 * seconds(lambda frame=frame: stage.render(frame)) for frame in frames]


def film_speed(quality: Quality) -> float:
    """Seconds of film that are drawn and encoded as MP4 in a second."""
    frames = pictures(FRAMES)
    with tempfile.TemporaryDirectory() as folder, Offscreen(SIZE, quality) as stage:
        stage.render(frames[0])

        def make() -> None:
            with MP4.writer(Order(Path(folder) / "film.mp4", SIZE, FPS, quality)) as writer:
                for frame in frames:
                    writer.add(stage.render(frame))

        return FRAMES / FPS / seconds(make)


def frames_on_a_card() -> list[float]:
    """Milliseconds that each 4K frame with six ghosts takes at High on the graphics card; nothing is read back."""
    from scene.gl.bindings import GL
    from scene.gl.renderer import Renderer
    from scene.gl.targets import Target

    frames = pictures(CARD_FRAMES, 6)
    with Offscreen((16, 16), "high"):
        renderer, target = Renderer(), Target(GL.GL_RGBA8, 0)
        target.fit(LARGE)

        def draw(frame: Picture) -> None:
            renderer.draw(frame, framebuffer=target.framebuffer, size=LARGE, quality="high", scale=2.0)
            GL.glFinish()

        draw(frames[0])
        times = [1e3 * seconds(lambda frame=frame: draw(frame)) for frame in frames]
        renderer.release()
        target.release()
    return times


class Painter(threading.Thread):
    """Draws the swing at Low, 15 pictures a second, while `asked` is set."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.asked, self.ended = threading.Event(), False
        self.intervals: list[float] = []

    def run(self) -> None:
        """Draw until `ended`."""
        frames = pictures(FRAMES)
        with Offscreen(SIZE, "low") as stage:
            while not self.ended:
                if not self.asked.wait(0.05):
                    continue
                began = time.perf_counter()
                stage.render(frames[len(self.intervals) % FRAMES])
                time.sleep(max(0.0, 1 / FLUENT - (time.perf_counter() - began)))
                self.intervals.append(time.perf_counter() - began)


def solver_beside_pictures() -> list[Measurement]:
    """What an animation at Low takes from a solver that runs beside it, and how fluent it stays meanwhile."""
    scenario = find_scenario("rr-swing").with_values({"step": 2e-5})
    painter = Painter()
    painter.start()

    def beside() -> None:
        painter.asked.set()
        simulate(scenario)
        painter.asked.clear()

    times = alternate({"alone": lambda: simulate(scenario), "beside": beside}, repeats=7)
    painter.ended = True
    painter.join()
    return [
        ratio("a solver beside an animation at low, to alone", times["beside"], times["alone"], goal=2.0),
        Measurement(
            "pictures per second beside a solver, low", "1/s", [1 / i for i in painter.intervals[1:]],
            goal=0.9 * FLUENT, at_least=True, note=f"{FLUENT} are asked for",
        ),
    ]  # fmt: skip


def beside_mujoco() -> Measurement:
    """How many times longer our frame takes than one of MuJoCo's own renderer, both with shadow and four samples."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    import mujoco

    model = mujoco.MjModel.from_xml_string(MUJOCO_SCENE)
    data: Any = mujoco.MjData(model)
    frame = pictures(1)[0]
    with mujoco.Renderer(model, SIZE[1], SIZE[0]) as theirs, Offscreen(SIZE, "medium") as ours:

        def draw_theirs() -> None:
            mujoco.mj_forward(model, data)
            theirs.update_scene(data)
            theirs.render()

        samples = alternate({"ours": lambda: ours.render(frame), "theirs": draw_theirs})
    return ratio("frame beside MuJoCo's renderer, medium", samples["ours"], samples["theirs"], goal=1.5)


def measure() -> list[Measurement]:
    """Frames, films, and a like scene in MuJoCo."""
    with Offscreen((16, 16), None) as stage:
        driver, software = stage.driver.renderer, stage.quality == "low"
    found = []
    for quality in QUALITIES:
        goal = 1000 / FLUENT if quality == "low" else None
        found.append(Measurement(f"frame, {quality}, one arm", "ms", frame_times(quality), goal=goal, note=driver))
    found.append(Measurement("frame, low, six ghosts", "ms", frame_times("low", 6)))
    found += solver_beside_pictures()
    times = [] if software else frames_on_a_card()
    why = "software rendering: no graphics card here" if software else driver
    found.append(
        Measurement("frame, 3840 x 2160, high, six ghosts, on a graphics card", "ms", times, goal=1000 / 60, note=why)
    )
    goals: dict[Quality, float] = {"low": 0.5, "medium": 0.2} if software else {"low": 10.0, "medium": 10.0}
    for quality, goal in goals.items():
        speeds = [film_speed(quality) for _ in range(3)]
        found.append(Measurement(f"MP4, {quality}, times real time", "x", speeds, goal=goal, at_least=True))
    if find_spec("mujoco"):
        found.append(beside_mujoco())
    return found
