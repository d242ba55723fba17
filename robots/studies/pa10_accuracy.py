"""Paper 3's figures 1 to 14: six methods at four sampling rates on the PA-10, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assets.fields import Value
from robots.dynamics.path.robot import NEAR
from robots.model.chart import Axis, Chart
from robots.model.registry import find_robot
from robots.papers.figure import Figure, column_panel, error_panels, line, panel, points
from robots.papers.study import Report, Study, StudyResult, Table, side_by_side
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._claims.pa10 import (
    CIRCLE,
    DRIFT,
    FAR,
    LABELS,
    LAPS,
    LOST,
    METHODS,
    PERIODS,
    PRESETS,
    RATES,
    Accuracy,
    Case,
    claims,
)
from robots.studies._diagram import Way, diagram
from robots.studies._runs import preset_run

ERRORS = {"position_m": "Position error", "orientation_rad": "Orientation error"}
AXES = ("S1", "S2", "S3", "E1", "E2", "W1", "W2")
DRAWN = 200
"""How many circles like the drifting one are drawn."""
MARGINS = (NEAR, 0.1, 0.15)
"""How far from singular postures they stay, as the smallest singular value of the Jacobian."""

REPEATS = {1.0: 15, 0.1: 15, 0.01: 9, 0.001: 5}
"""How often each is run for its time, of which the shortest counts."""


def compute(report: Report) -> StudyResult:
    """All runs, their errors and times."""
    rows: dict[Case, Accuracy] = {}
    figures: list[Figure] = [*_loops(), _path()]
    figures += [_along("figure 5", "velocities", "v", "rad/s"), _along("figure 6", "positions", "q", "rad")]
    errors: dict[str, dict[str, tuple[Chart, ...]]] = {preset: {} for preset in PRESETS}
    cases = [(p, m) for p in PRESETS for m in METHODS]
    for k, (preset, method) in enumerate(cases):
        runs: dict[str, Run] = {}
        for step, name in PERIODS.items():
            runs[name], rows[preset, method, step] = _measure(preset, method, step)
        errors[preset][method] = error_panels(runs, ERRORS)
        report(0.9 * (k + 1) / len(cases))
    columns = ("method", "period_s", "position_m", "orientation_rad", "final_position_m", "compute_s", "evaluations")
    tables = [
        Table(f"errors on {path}", columns, tuple((m, h, *rows[preset, m, h]) for m in METHODS for h in RATES))
        for preset, path in zip(PRESETS, (CIRCLE, DRIFT), strict=True)
    ]
    tables.append(_joints())
    laps, chance = _laps(), _by_chance()
    tables += [laps, chance]
    findings = claims(rows, laps, chance)
    figures += [_times(7, METHODS[:3], rows), _times(8, METHODS[3:], rows)]
    for number, method in enumerate(METHODS, 9):
        figures.append(
            Figure(f"figure {number}", f"{LABELS[method]} at four sampling rates", errors[PRESETS[0]][method])
        )
    for number, method in enumerate(METHODS, 9):
        title = f"{LABELS[method]} on the path selected so that Euler drifts"
        figures.append(
            Figure(
                f"figure {number}, drifting", title, errors[PRESETS[1]][method], opens=_four_rates(PRESETS[1], method)
            )
        )
    report(1.0)
    return StudyResult(tuple(tables), tuple(findings), tuple(figures))


def _measure(preset: str, method: str, step: float) -> tuple[Run, Accuracy]:
    """A run, and its errors, shortest time and evaluations."""
    scenario = find_preset(preset).with_values({"method": method, "step": step})
    runs = [simulate(scenario, repeat=False) for _ in range(REPEATS[step])]
    run = runs[0]
    worst, last = run.max_error, run.final_error
    seconds = min(one.compute_seconds for one in runs)
    return run, (worst["position_m"], worst["orientation_rad"], last["position_m"], seconds, run.counts.rhs_evaluations)


# -- figures ----------------------------------------------------------------------------------------------------------


def _loops() -> list[Figure]:
    """Figures 1 and 2: what is computed from the path to the joints and back, once and twice in a step."""
    named = "blocks", "signals"

    def chain(y: float, integration: str) -> tuple[dict[str, tuple[float, float]], list[Way]]:
        names = [f"Jacobian\n{integration}", f"Integration\n{integration}", f"Kinematics\n{integration}"]
        texts = ("rates", "angles")
        ways = [Way(*pair, text=text) for pair, text in zip(pairwise(names), texts, strict=True)]
        ways.append(Way(names[2], names[0], ((9.0, y - 1.1), (3.0, y - 1.1)), "angles, pose"))
        return {name: (3.0 + 3.0 * k, y) for k, name in enumerate(names)}, ways

    path = "Desired\ntrajectory"
    boxes, ways = chain(0.0, "at t")
    first = Way(path, "Jacobian\nat t", text="path")
    explicit = diagram({path: (0.0, 0.0), **boxes}, [first, *ways], named)
    again, more = chain(-2.6, "at t + h")
    joined = Way("Kinematics\nat t", "Jacobian\nat t + h", ((11.0, 0.0), (11.0, -1.6), (3.0, -1.6)), "predicted")
    over = Way(path, "Jacobian\nat t + h", ((0.0, -2.6),), "path")
    predicted = diagram(
        {path: (0.0, 0.0), **boxes, **again},
        [first, *ways, joined, over, *more],
        named,
    )
    return [
        Figure("figure 1", "the loop of the explicit methods", (explicit,), find_preset(PRESETS[0])),
        Figure(
            "figure 2",
            "the loop with a predictor",
            (predicted,),
            find_preset(PRESETS[0]).with_value("method", "pc-trapezoid"),
        ),
    ]


def _path() -> Figure:
    """The circle from above, as asked for and as followed."""
    run = preset_run(PRESETS[0])
    wanted, tip = run.robot.desired_path(run.scenario, run.t), run.tip()
    assert wanted is not None
    lines = (line("desired", *wanted.T[:2]), line("RK4 at 100 ms", *tip.T[:2]))
    return Figure(
        "figure 4", "the tool's path", (panel("y", "m", lines, log=False, across=Axis("x", "m"), equal=True),)
    )


def _along(name: str, quantity: str, letter: str, unit: str) -> Figure:
    names = {f"{letter}{k}": axis for k, axis in enumerate(AXES, 1)}
    panels = (column_panel(preset_run(PRESETS[0]), f"Joint {quantity}", unit, names),)
    return Figure(name, f"joint {quantity} along the circle", panels)


def _times(number: int, methods: Sequence[str], rows: dict[Case, Accuracy]) -> Figure:
    """Computing times, measured here, against the sampling period."""
    lines = tuple(points(LABELS[m], [(h, rows[PRESETS[0], m, h][3]) for h in RATES]) for m in methods)
    kind = "single-step" if number == 7 else "multi-step"
    title = f"computing times of the {kind} methods for 31 s, measured here"
    across = Axis("sampling period", "s", "log")
    together = side_by_side(find_preset(PRESETS[0]).with_value("step", 0.1), [{"method": one} for one in methods])
    chart = panel("Computing time", "s", lines, across=across)
    return Figure(f"figure {number}", title, (chart,), together, "at 100 ms")


# -- tables and findings -----------------------------------------------------------------------------------------------


def _joints() -> Table:
    """Figures 4 to 6: the tool's path, joint angles and rates by rk4 at 100 ms."""
    run = preset_run("pa10-circle")
    columns = run.columns()
    tip = run.tip()
    names = ("t", "x", "y", "z", *columns)
    data = np.column_stack([run.t, tip, *columns.values()])
    return Table("path and joints", names, tuple(tuple(float(x) for x in row) for row in data))


def _laps() -> Table:
    """The largest error on the drifting path at 1 s, within one lap and more."""
    drift = find_preset(PRESETS[1]).with_value("step", 1.0)
    lap = 2.0 * np.pi * float(drift.task["size"]) / float(drift.task["speed"])
    rows = []
    for method in METHODS:
        runs = [simulate(drift.with_values({"method": method, "duration": n * lap}), repeat=False) for n in LAPS]
        rows.append((method, *(run.max_error["position_m"] for run in runs)))
    return Table(f"laps of {DRIFT} at 1 s", ("method", *(f"laps_{n}_m" for n in LAPS)), tuple(rows))


def _by_chance() -> Table:
    """Circles like the drifting one, drawn at random, and how many of them Euler and P-C lose at 1 s.

    Posture, plane, phase and turning axis are random; a row counts those that stay so far from singular postures.
    """
    random, drawn = np.random.default_rng(1), []
    base = find_preset(PRESETS[1]).with_values({"method": "rk4", "step": 0.1})
    limits = [field.slider[1] for field in find_robot("pa10").initial if field.slider]
    while len(drawn) < DRAWN:
        posture = random.uniform(-0.8, 0.8, len(limits)) * np.array(limits)
        values: dict[str, Value] = {f"initial.q{k + 1}": float(angle) for k, angle in enumerate(posture)}
        values |= {"task.phase": float(random.uniform(0.0, 2.0 * np.pi))}
        values |= {
            "task.plane": str(random.choice(["xy", "yz", "xz"])),
            "task.axis": str(random.choice(["x", "y", "z"])),
        }
        scenario = base.with_values(values)
        fine = simulate(scenario, repeat=False)
        least = float(fine.series()["singular-value"].values.min())
        if fine.status.ok and least > MARGINS[0] and fine.max_error["position_m"] < 1e-4:
            changed = [scenario.with_values({"method": key, "step": 1.0}) for key in ("euler", "pc-trapezoid")]
            runs = [simulate(one, repeat=False) for one in changed]
            drawn.append((least, *(run.max_error["position_m"] if run.status.ok else np.inf for run in runs)))
    rows = []
    for margin in MARGINS:
        euler, corrector = np.array([errors for least, *errors in drawn if least > margin]).T
        lost = (int(np.count_nonzero(euler > limit)) for limit in (LOST, FAR))
        rows.append((margin, len(euler), *lost, int(np.count_nonzero(corrector > LOST))))
    columns = ("singular_value_above", "circles", f"euler_over_{LOST:g}_m", f"euler_over_{FAR:g}_m")
    return Table("circles drawn at random", (*columns, f"p-c_over_{LOST:g}_m"), tuple(rows))


def _four_rates(preset: str, method: str) -> Scenario:
    """One method at the four rates, side by side."""
    return side_by_side(find_preset(preset).with_value("method", method), [{"step": rate} for rate in RATES])


def scenarios() -> tuple[tuple[str, Scenario], ...]:
    """What the paper's figures show, to be opened in the window: each method at four rates, and all six at one."""
    circle, drift = (find_preset(preset) for preset in PRESETS)
    shown = [("figures 4 to 6", circle)]
    for number, method in enumerate(METHODS, 9):
        shown.append((f"figure {number}: {LABELS[method]}", _four_rates(PRESETS[0], method)))
    for preset, step, label in (
        (circle, 0.1, "all six at 100 ms"),
        (drift, 1.0, "all six at 1 s, path selected to drift"),
    ):
        shown.append((label, side_by_side(preset.with_value("step", step), [{"method": one} for one in METHODS])))
    return tuple(shown)


STUDY = Study(
    key="pa10-accuracy",
    title="Six methods and four sampling rates on the PA-10",
    paper="Paper 3, figures 1, 2 and 4 to 14",
    summary="Total position and orientation errors of closed-loop inverse kinematics along two circles; one of them "
    "is selected so that Euler loses it at 1 s.",
    compute=compute,
    figures=(
        *(f"figure {n}" for n in (1, 2, *range(4, 15))),
        *(f"figure {n}, drifting" for n in range(9, 15)),
    ),
    scenarios=scenarios(),
)
