"""Paper 5 on E1: formulations, step sizes, the torque fed to the arm, the complete model, a code with step control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from robots.dynamics.flexible.analysis import along, linearise, zeros
from robots.dynamics.flexible.index import index_numbers
from robots.dynamics.flexible.structure import tool_places
from robots.model.chart import Chart
from robots.model.endings import ending
from robots.papers.figure import Figure, column_panel, line, panel
from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.papers.study import Report, Row, Study, StudyResult, Table
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._claims.dae_methods import e1 as methods
from robots.studies._claims.e1_theory import theory
from robots.studies._flexible_figures import column_panels, opened, snapshots, tool_panels, trajectory
from robots.studies._runs import preset_run, variant
from solvers.status import Status

FORMS = ("HI", "DD43", "DD44", "DD48", "DD49", "KM", "DC")
PAPER_SECONDS = {
    ("bdf6", 0.005): {"HI": 3.8, "DD44": 3.3, "KM": 21.7, "DC": 6.8},
    ("bdf3", 0.003): {"HI": 6.0, "DD44": 5.1, "KM": 36.0, "DC": 7.7},
}
SETTINGS = (("bdf1", 0.01), ("bdf1", 0.001), ("bdf3", 0.003), ("bdf6", 0.005), ("bdf6", 0.001))
STATES = {
    **{"q1": ("x1", "rad"), "q2": ("x2", "rad"), "v1": ("x3", "rad/s"), "v2": ("x4", "rad/s")},
    **{"u1": ("u", "N m")},
}
"""The paper's names of the outputs."""
SAME_ANGLE, SAME_TORQUE = 1e-3, 5.0
"""Solutions whose joints and torques err by less [rad, % of the peak] are almost the same."""
EQUAL = {
    **{"robot.J11": 265.0, "robot.J12": 85.0, "robot.J22": 35.0},
    **{"robot.l2": 0.55, "robot.k": 1e5, "robot.d": 200.0},
}
"""The simplified model with the inertias that the complete one's default numbers have at q2 = 0."""


e1 = partial(variant, "e1")
"""The preset with changed fields."""


def measured(scenario: Scenario, repeats: int = 3) -> tuple[Run, float]:
    """The run and the shortest of some times that it took [s]."""
    runs = [simulate(scenario) for _ in range(repeats)]
    return runs[0], min(run.compute_seconds for run in runs)


def torque_error(run: Run) -> tuple[float, float]:
    """The largest torque error in percent of the peak torque, and the largest error of the joints [rad]."""
    exact = reference(run.scenario)
    assert exact is not None
    found = compare_with_reference(run, exact).max
    best = "I1" if "u2" in run.final else "DD44"
    fine = simulate(run.scenario.with_values({"method": "bdf6", "step": 0.001, "task.formulation": best}))
    peak = max(np.abs(values).max() for name, values in fine.columns().items() if name.startswith("u"))
    return 100.0 * found["reference_u_Nm"] / peak, found["reference_q_rad"]


def formulations() -> Table:
    """Every formulation at the settings of the paper's tables of run times."""
    rows = []
    for (method, step), paper in PAPER_SECONDS.items():
        for form in FORMS:
            run, seconds = measured(e1(method=method, step=step, task__formulation=form))
            done = run.status is Status.FINISHED
            percent, angle = torque_error(run) if done else (None, None)
            rows.append((method, step, form, str(run.status), percent, angle, seconds, paper.get(form)))
    columns = (
        "method",
        "step_s",
        "formulation",
        "status",
        "u_error_percent",
        "q_error_rad",
        "seconds",
        "paper_seconds",
    )
    return Table("formulations and run times", columns, tuple(rows))


def step_sizes() -> Table:
    """Torque errors, and what the arm does with these torques."""
    rows = []
    for method, step in SETTINGS:
        percent, angle = torque_error(simulate(e1(method=method, step=step)))
        driven = simulate(e1(method=method, step=step, duration=0.8, task__forward="linear")).companion
        assert driven is not None
        facts = driven.facts
        rows.append(
            (method, step, percent, angle, 1e3 * facts["vibration_z_m"], 1e3 * facts["vibration_x_m"],
             1e3 * facts["tool_in_move_m"])
        )  # fmt: skip
    columns = ("method", "step_s", "u_error_percent", "q_error_rad", "z_vibration_mm", "x_vibration_mm", "tool_mm")
    return Table("step sizes and the driven arm", columns, tuple(rows))


def with_step_control() -> Table:
    """IDA on every formulation that it may try."""
    rows = []
    for form in ("DD43", "DD44", "DD49", "DC", "HI", "DD48"):
        scenario = e1(method="ida", task__formulation=form).with_values({"rtol": 1e-6, "atol": 1e-8})
        run, seconds = measured(scenario, 2)
        accepted = run.log.h[run.log.accepted]
        done = run.status is Status.FINISHED
        error = torque_error(run)[1] if done else None
        longest = float(accepted.max()) if len(accepted) else None
        shortest = float(accepted[:-1].min()) if len(accepted) > 1 else None
        rows.append((form, str(run.status), run.counts.steps, error, shortest, longest, seconds))
    columns = ("formulation", "status", "steps", "q_error_rad", "shortest_step_s", "longest_step_s", "seconds")
    return Table("IDA at 1e-6", columns, tuple(rows))


def complete_model() -> Table:
    """How far the complete model's torque is from the simplified one's with equal inertias."""
    rows = []
    for rise in (0.1, 0.05):
        values = {"task.rise": rise, "step": 0.0005}
        simple = preset_run("e1", {**EQUAL, **values}).columns()["u1"]
        whole = preset_run("e1-complete", values).columns()["u1"]
        rows.append((rise, 100.0 * np.abs(whole - simple).max() / np.abs(simple).max()))
    return Table("complete against simplified", ("rise_m", "u_difference_percent"), tuple(rows))


def compute(report: Report) -> StudyResult:
    """All tables, then the claims."""
    tables = []
    for k, part in enumerate((formulations, step_sizes, with_step_control, complete_model)):
        tables.append(part())
        report(0.22 * (k + 1))
    found = (*_solving(tables[0], tables[2]), _conditions(), *_motion(tables[1]), *_models(tables[3]))
    report(1.0)
    return StudyResult(tuple(tables), found, figures())


def figures() -> tuple[Figure, ...]:
    """The paper's figures 5 to 13."""
    chosen = simulate(e1(method="ida", task__formulation="DD44").with_values({"rtol": 1e-6, "atol": 1e-8}))
    taken = chosen.log.accepted
    steps = panel("Step size", "s", (line("IDA, DD44", chosen.log.t[taken], chosen.log.h[taken]),))
    settings = {"BDF 1, 10 ms": ("bdf1", 0.01), "BDF 1, 1 ms": ("bdf1", 0.001), "BDF 6, 1 ms": ("bdf6", 0.001)}
    torques = {label: simulate(e1(method=method, step=step)) for label, (method, step) in settings.items()}
    forward = {"duration": 0.8, "task__forward": "linear"}
    driven = {label: simulate(e1(method=method, step=step, **forward)) for label, (method, step) in settings.items()}
    pairs: dict[str, Run] = {}
    for rise in (0.1, 0.05):
        values = {"task.rise": rise, "step": 0.0005}
        pairs[f"simplified, {rise:g} m"] = preset_run("e1", {**EQUAL, **values})
        pairs[f"complete, {rise:g} m"] = preset_run("e1-complete", values)
    solved = {"IDA": chosen, "BDF 1, 10 ms": torques["BDF 1, 10 ms"], "BDF 1, 1 ms": torques["BDF 1, 1 ms"]}
    move = float(find_preset("e1").task["move_time"])
    end = 0.7 * move, 1.3 * move
    return (
        Figure(
            "figure 5", "the trajectory of the tool and its first five derivatives", trajectory(chosen), chosen.scenario
        ),
        Figure("figure 6", "the steps that IDA chooses on the index-1 form", (steps,), chosen.scenario),
        Figure("figure 7", "states and torque by coarse and fine steps", column_panels(solved, STATES), opened(solved)),
        Figure("figure 8", "the tool by coarse and fine steps", tool_panels(solved), opened(solved)),
        Figure("figure 9", "the tool where the move ends", tool_panels(solved, end), opened(solved)),
        Figure("figures 7 to 9, torque", "the torque by 1 and by 6 steps", (_torque(torques),), opened(torques)),
        Figure("figure 10", "the tool driven by each torque", _driven(driven), opened(driven)),
        snapshots("figure 11", driven["BDF 6, 1 ms"], [share * move for share in (0.0, 0.25, 0.5, 0.75, 1.0)]),
        Figure("figure 12", "states and torque of both models", column_panels(pairs, STATES), opened(pairs)),
        Figure("figure 13", "the tool of both models", tool_panels(pairs), opened(pairs)),
    )


def _torque(runs: dict[str, Run]) -> Chart:
    """The first motor's torque of each run."""
    lines = [column_panel(run, "", "", {"u1": label}).curves[0] for label, run in runs.items()]
    return panel("Torque", "N m", tuple(lines), log=False)


def _driven(runs: dict[str, Run]) -> tuple[Chart, ...]:
    """The driven tool along Z, which is controlled, and X, which is not; and how far Z is from where it should be."""
    made = []
    for title, axis, less in (
        ("Z simulated", 1, False),
        ("X simulated", 0, False),
        ("Z, simulated less desired", 1, True),
    ):
        lines = []
        for label, run in runs.items():
            arm, found = run.robot, run.companion
            assert found is not None
            place = tool_places(arm.build(run.scenario), found.y)  # type: ignore[attr-defined]
            aim = arm.wanted(run.scenario, found.t) if less else 0.0  # type: ignore[attr-defined]
            lines.append(line(label, found.t, 1e3 * (place - aim)[:, axis]))
        made.append(panel(title, "mm", lines, log=False))
    return tuple(made)


def _solving(forms: Table, ida: Table) -> tuple[Finding, ...]:
    fast = [row for row in forms.rows if row[0] == "bdf6" and row[3] == "finished"]
    dummies = [row for row in fast if row[2].startswith("DD")]
    by_form = {row[2]: row for row in fast}
    named = [row for row in fast if row[2] in PAPER_SECONDS["bdf6", 0.005]]
    ratio = min(row[7] / row[6] for row in forms.rows if row[7] is not None)
    failed, ends = next(row[3] for row in forms.rows if row[2] == "DD48"), {row[0]: ending(row[1]) for row in ida.rows}
    steps, usual = next(row for row in ida.rows if row[0] == "DD44"), simulate(e1())
    return (
        Finding(
            "section 7.2.5, tables",
            "6-step 5 ms: HI 3.8 s, DD 3.3 s, KM 21.7 s, DC 6.8 s; 3-step 3 ms: 6.0, 5.1, 36, 7.7 s",
            "; ".join(f"{row[2]} {1e3 * row[6]:.2g} ms" for row in fast) + " (6-step 5 ms)",
            NOT_COMPARABLE,
            f"compiled code against Matlab's fsolve on an older machine: at least {ratio:,.0f} times faster. From"
            f" fastest to slowest {_by_time(named, 6)}; in the paper {_by_time(named, 7)}",
            timed=True,
        ),
        Finding(
            "section 7.2.5",
            "equation (44) gives the fastest solution of the dummy derivatives",
            ", ".join(f"{row[2]} {1e3 * row[6]:.2g} ms" for row in dummies),
            agrees(all(row[2] == "DD44" or row[6] > 1.1 * by_form["DD44"][6] for row in dummies)),
            "compiled, a row more costs less than the times vary",
            timed=True,
        ),
        Finding(
            "section 8, KM",
            "the derivative array solves E1, but takes long",
            f"{by_form['KM'][3]}, {by_form['KM'][6] / by_form['DD44'][6]:.0f} times as long as DD44",
            agrees(by_form["KM"][3] == "finished" and by_form["KM"][6] > 2.0 * by_form["DD44"][6]),
            timed=True,
        ),
        alike("section 7.2.5", {row[2]: (row[5], row[4]) for row in fast}, "at 6-step 5 ms"),
        *theory(usual, ida.rows),
        *methods(usual, steps[6]),
        Finding(
            "equation (48)",
            "(48) gives no solution at all",
            f"{ending(failed)}: it is exactly singular at rest",
            agrees(failed == "singular-iteration-matrix"),
        ),
        Finding(
            "figure 6",
            "ode15i solves the index-1 form with steps that change along the way",
            f"IDA: {steps[2]} steps from {steps[4]:.1e} to {steps[5]:.1e} s; it solves DD43, DD44, DD49 and DC"
            f" ({ends['DD44']}) and fails on HI ({ends['HI']}) and DD48 ({ends['DD48']})",
            agrees(ends["DD44"] == "finished" and ends["DD48"] != "finished"),
        ),
    )


def _by_time(rows: Sequence[Row], column: int) -> str:
    """The formulations from fastest to slowest."""
    return ", ".join(row[2] for row in sorted(rows, key=lambda row: row[column]))


def alike(place: str, errors: Mapping[str, tuple[float, float]], setting: str, why: str = "") -> Finding:
    """Whether formulations have almost the same solution, of E1 and E12 alike.

    Args:
        place: where the paper says so.
        errors: of each formulation, of the joints [rad] and of the torque [% of its peak].
        setting: method and step.
        why: what else is worth knowing.
    """
    joints = ", ".join(f"{name} {angle:.1e}" for name, (angle, _) in errors.items())
    torques = ", ".join(f"{name} {percent:.2g} %" for name, (_, percent) in errors.items())
    worst = max(angle for angle, _ in errors.values()), max(percent for _, percent in errors.values())
    return Finding(
        place,
        "the solutions of the different systems are almost identical",
        f"errors {setting}: of the joints {joints} rad; of the torque {torques} of its peak",
        agrees(worst[0] < SAME_ANGLE and worst[1] < SAME_TORQUE),
        f"judged by errors below {SAME_ANGLE:g} rad and {SAME_TORQUE:g} % of the peak torque"
        + (f". {why}" if why else ""),
    )


def _conditions() -> Finding:
    """Of the iteration matrices of the original and of a reduced form."""
    steps = (5e-3, 1e-3, 1e-4)
    found = {
        form: [float(np.nanmedian(simulate(e1(step=step, task__formulation=form)).log.condition)) for step in steps]
        for form in ("HI", "DD44")
    }
    shown = "; ".join(f"{form} {', '.join(f'{value:.1e}' for value in values)}" for form, values in found.items())
    return Finding(
        "equation (41)",
        "the discretised original equations are ill-conditioned for small steps",
        f"condition numbers at 5, 1 and 0.1 ms: {shown}",
        agrees(found["HI"][-1] > 10.0 * found["HI"][0] and found["DD44"][-1] < 2.0 * found["DD44"][0]),
        "the reduced form does not suffer from small steps",
    )


def _motion(steps: Table) -> tuple[Finding, ...]:
    row = {(item[0], item[1]): item for item in steps.rows}
    coarse, fine = row["bdf1", 0.01], row["bdf6", 0.001]
    return (
        Finding(
            "figures 7 to 9",
            "the step of a 1-step formula has to be small",
            f"torque errors of {coarse[2]:.0f} % of the peak at 10 ms, {row['bdf1', 0.001][2]:.0f} % at 1 ms;"
            f" 6-step 5 ms {row['bdf6', 0.005][2]:.2g} %",
            agrees(coarse[2] > row["bdf1", 0.001][2] > 10.0 * row["bdf6", 0.005][2]),
        ),
        Finding(
            "figure 10, Z",
            "the coarse torque makes Z vibrate, the right one does not",
            f"Z swings by {coarse[4]:.0f} mm after BDF 1 at 10 ms, by {fine[4]:.1e} mm after BDF 6 at 1 ms",
            agrees(coarse[4] > 10.0 > 0.01 > fine[4]),
        ),
        Finding(
            "figure 10, X",
            "the correct solution has small vibrations in the uncontrolled direction",
            f"X rings by {fine[5]:.1f} mm at the zeros' 10 Hz",
            agrees(1.0 < fine[5] < 10.0),
        ),
    )


def _models(complete: Table) -> tuple[Finding, ...]:
    robot = simulate(e1(duration=0.1)).robot
    build, move = robot.build(e1()), robot.move(e1())  # type: ignore[attr-defined]
    rest = robot.guess(e1())  # type: ignore[attr-defined]
    usual = simulate(e1())
    rise = usual.robot.wanted(usual.scenario, usual.t)[[0, -1], 1]  # type: ignore[attr-defined]
    turned = [float(np.ptp(usual.columns()[name])) for name in ("q1", "q2")]
    numbers, ringing = index_numbers(build, move, rest, 0.04), zeros(linearise(build, rest), build)[0]
    lagrange, printed = (
        float(np.abs(simulate(e1(robot__print=name)).columns()["u1"]).max()) for name in ("lagrange", "printed")
    )
    long, short = (preset_run("e1-complete", robot__l2=l2) for l2 in (0.8, 0.55))
    stable = [
        along(run.robot.build(run.scenario), run.t, run.y).minimum_phase  # type: ignore[attr-defined]
        for run in (long, short)
    ]
    return (
        Finding(
            "section 5.1.1",
            "mu = 1, a = 2, d = 2, differential index 2",
            f"{numbers.text} by ranks whose singular values leave a gap from {numbers.dropped:.0e} to"
            f" {numbers.kept:.0e}; zeros at {ringing.real:.3g} \u00b1 {abs(ringing.imag):.3g}i",
            agrees((numbers.strangeness, numbers.algebraic, numbers.differential) == (1, 2, 2)),
        ),
        Finding(
            "equation (16a)",
            "the spring's torque stands in the motor's balance",
            f"peak torque {printed:.3g} N m as printed, {lagrange:.3g} N m by Lagrange",
            agrees(abs(printed / lagrange - 1.0) < 1e-6),
            "Lagrange's equations and the paper's own complete model lack it there; the states are the same",
        ),
        Finding(
            "figure 5",
            "the tool rises from 1414 to 1514 mm in 0.1 s",
            f"from {1e3 * rise[0]:.0f} to {1e3 * rise[1]:.0f} mm in {float(e1().task['move_time']):g} s",
            agrees(abs(rise[0] - 1.414) < 1e-3 and abs(rise[1] - 1.514) < 1e-3),
        ),
        Finding(
            "figure 11",
            "the snapshots show the arm from the start to the end of the move",
            f"shoulder and elbow turn by {turned[0]:.3f} and {turned[1]:.3f} rad",
            NOT_COMPARABLE,
            "the paper prints no numbers beside its picture",
        ),
        Finding(
            "figures 12 and 13",
            "complete and simplified E1 differ little",
            f"torques differ by {complete.rows[0][1]:.1f} % for 0.1 m and {complete.rows[1][1]:.1f} % for 0.05 m",
            agrees(complete.rows[0][1] < 10.0),
        ),
        Finding(
            "section 7.3",
            "link 2 had to be shorter for a stable zero dynamics",
            f"l2 = 0.55 m: {ending(short.status)}; l2 = 0.8 m: {ending(long.status)} at {long.t_end:.3f} s, "
            "as j2 > m2 xi2 (l2 - xi2) demands",
            agrees(stable == [False, True]),
        ),
    )


NUMBERED = tuple(f"figure {n}" for n in range(5, 14))
STUDY = Study(
    key="flexible-e1",
    title="Inverse dynamics of E1",
    paper="Paper 5, sections 5.1, 7.2 and 7.3",
    summary="One motor, one spring: seven formulations, fixed steps against step control, and what the torque does.",
    compute=compute,
    figures=(*NUMBERED[:5], "figures 7 to 9, torque", *NUMBERED[5:]),
    scenarios=(
        ("as published", e1()),
        ("BDF 1 at 10 ms, driven", e1(method="bdf1", step=0.01, duration=0.8, task__forward="linear")),
        ("equation (48)", e1(task__formulation="DD48")),
        ("the complete model", find_preset("e1-complete")),
    ),
)
