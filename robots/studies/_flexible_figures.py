"""Figures of the flexible arms that both studies of paper 5 draw: states, tools, snapshots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.polynomial import Chebyshev

from robots.dynamics.flexible.structure import tool_places
from robots.model.chart import Axis, Chart, Curve
from robots.papers.figure import Figure, column_panel, line, panel
from robots.papers.study import together
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run

SIDE = Axis("x", "m")
DEGREE = 11
"""Of the reference's polynomial."""
DERIVATIVES = {
    **{"Height": "m", "Velocity": "m/s", "Acceleration": "m/s²"},
    **{"Jerk": "m/s³", "Snap": "m/s⁴", "Crackle": "m/s⁵"},
}
"""The tool's height and its derivatives by time, as the paper calls them."""


def column_panels(runs: Mapping[str, Run], names: Mapping[str, tuple[str, str]]) -> tuple[Chart, ...]:
    """A panel for each output of `names` (its name to title and unit) with a curve for each run."""
    return tuple(
        panel(
            title, unit, [column_panel(run, "", "", {name: label}).curves[0] for label, run in runs.items()], log=False
        )
        for name, (title, unit) in names.items()
    )


def tool_panels(runs: Mapping[str, Run], part: tuple[float, float] = (-np.inf, np.inf)) -> tuple[Chart, ...]:
    """Where the inverse dynamics put the tool along x and z, over a part of the time [s]."""
    made = []
    for axis, title in ((1, "Z"), (0, "X")):
        lines = []
        for label, run in runs.items():
            place = tool_places(run.robot.build(run.scenario), run.y)  # type: ignore[attr-defined]
            kept = (run.t >= part[0]) & (run.t <= part[1])
            lines.append(line(label, run.t[kept], 1e3 * place[kept, axis]))
        made.append(panel(title, "mm", lines, log=False))
    return tuple(made)


def trajectory(run: Run) -> tuple[Chart, ...]:
    """The height that the tool should have during the move, and its first five derivatives: it is a polynomial."""
    move, wanted = float(run.scenario.task["move_time"]), run.robot.wanted  # type: ignore[attr-defined]
    height = Chebyshev.interpolate(lambda t: wanted(run.scenario, t)[:, 1], DEGREE, domain=(0.0, move))
    times = np.linspace(0.0, move, 201)
    return tuple(
        panel(title, unit, [line("desired", times, height.deriv(order)(times))], log=False)
        for order, (title, unit) in enumerate(DERIVATIVES.items())
    )


def snapshots(name: str, run: Run, times: Sequence[float]) -> Figure:
    """The arm from the side at some times, and the path that its tool should follow; the first joint is at (0, 0)."""
    shape = run.shape()
    assert shape.tip is not None
    links = [k for k, link in enumerate(shape.links) if link.startswith("link")]
    tip, point = shape.tip
    curves: list[Curve] = []
    poses = run.poses(np.array(times))
    base = poses[0, links[0], :3, 3]
    for t, frames in zip(times, poses, strict=True):
        ends = [*frames[links, :3, 3], (frames[tip] @ np.array([*point, 1.0]))[:3]]
        x, _, z = (np.array(ends) - base).T
        curves.append(Curve(x, z, f"{1e3 * t:g} ms", mark="circle", filled=True, t=np.arange(len(x), dtype=float)))
    wanted = run.robot.desired_path(run.scenario, run.t)
    if wanted is not None:
        wanted = wanted - base
        curves.append(Curve(wanted[:, 0], wanted[:, 2], "desired", t=run.t))
    side = panel("z", "m", curves, log=False, across=SIDE, equal=True)
    return Figure(name, "snapshots of the movement", (side,), run.scenario)


def opened(runs: Mapping[str, Run]) -> Scenario:
    """The scenarios of these runs side by side."""
    return together(run.scenario for run in runs.values())
