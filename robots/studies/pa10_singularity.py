"""Paper 3's figures 15 to 18: the PA-10 near and beyond its stretched elbow, plain and damped."""

from __future__ import annotations

import numpy as np

from robots.papers.figure import Figure, error_panels
from robots.papers.finding import Finding, agrees
from robots.papers.study import Report, Study, StudyResult, Table, side_by_side, together
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.studies._runs import preset_run
from robots.studies.pa10_accuracy import ERRORS, LABELS, METHODS

DELTAS = (5e-2, 1e-4, -2e-3)
"""How far the wrist stays from full stretch, or how far beyond it should be [m]."""
SATISFACTORY, GROWN = 5e-3, 1.1
SHORTER = (0.1, 0.01, 0.001)
"""Steps that should make a local approximation better [s]."""
INVERSES = ("pinv", "dls")
WORDS = {"pinv": "plain", "dls": "damped"}
Case = tuple[float, str, str]


def compute(report: Report) -> StudyResult:
    """Six methods, three distances from the stretch, two inverses, at 100 ms."""
    cases = [(delta, inverse, method) for delta in DELTAS for inverse in INVERSES for method in METHODS]
    error: dict[Case, tuple[float, float]] = {}
    runs: dict[Case, Run] = {}
    for k, (delta, inverse, method) in enumerate(cases):
        changes = {"task.delta": delta, "task.inverse": inverse, "method": method}
        runs[delta, inverse, method] = preset_run("pa10-singular", changes)
        worst = runs[delta, inverse, method].max_error
        error[delta, inverse, method] = worst["position_m"], worst["orientation_rad"]
        report((k + 1) / len(cases))
    columns = ("delta_m", "inverse", "method", "position_m", "orientation_rad")
    table = Table("errors near the singularity", columns, tuple((*case, *values) for case, values in error.items()))
    place = {case: values[0] for case, values in error.items()}
    fastest = [_fastest(runs[delta, "pinv", "rk4"]) for delta in DELTAS[:2]]
    gains = [1.0 / _least(runs[delta, "pinv", "rk4"]) for delta in DELTAS[:2]]
    least = [_least(runs[DELTAS[1], "pinv", method]) for method in METHODS]
    return StudyResult((table,), (*_plain(place, fastest, gains, least), _local(), *_damped(place)), _figures(runs))


def _least(run: Run) -> float:
    """The least singular value of the Jacobian along a run."""
    return float(run.series()["singular-value"].values.min())


def _fastest(run: Run) -> float:
    """The largest joint velocity of a run [rad/s]."""
    return max(float(np.abs(values).max()) for name, values in run.columns().items() if name.startswith("v"))


def _plain(
    place: dict[Case, float], fastest: list[float], gains: list[float], least: list[float]
) -> tuple[Finding, ...]:
    """Figures 15 and 16."""
    far, near, beyond = DELTAS
    growth = {method: place[near, "pinv", method] / place[far, "pinv", method] for method in METHODS}
    lost = place[beyond, "pinv", "ab4"]
    listed = ", ".join(f"{LABELS[method]} × {growth[method]:.2f}" for method in METHODS)
    return (
        Finding(
            "figures 15 and 16",
            "RK4 is the most accurate and stable near the singularity",
            f"RK4 {place[near, 'pinv', 'rk4']:.1e} m, Euler {place[near, 'pinv', 'euler']:.1e} m at 0.1 mm from it",
            agrees(place[near, "pinv", "rk4"] == min(place[near, "pinv", m] for m in METHODS)),
            "near the stretch the rates change within a few steps, and RK4 looks into the step four times",
        ),
        Finding(
            "figures 15 and 16",
            "errors grow near the singularity whatever the method",
            f"from 5 cm to 0.1 mm before it: {listed}; 2 mm beyond reach AB4 errs by {lost:.2f} m",
            agrees(
                all(factor > GROWN for factor in growth.values()), any(factor > GROWN for factor in growth.values())
            ),
            "Euler and P-C err more on the rest of the circle than the peak of the rates adds",
            where="for " + ", ".join(LABELS[method] for method in METHODS if growth[method] > GROWN),
        ),
        Finding(
            "figures 15 and 16, posture",
            "the singularity is one of the arm's posture, not of the integration method",
            f"the least singular value of the Jacobian at 0.1 mm is {min(least):.2g} to {max(least):.2g} by the six "
            f"methods, and {1.0 / gains[0]:.2g} at 5 cm",
            agrees(max(least) < 0.1 / gains[0]),
        ),
        Finding(
            "introduction",
            "near a singular posture the Jacobian asks for high joint velocities",
            f"5 cm and 0.1 mm before the stretch the inverse enlarges a tool velocity by up to {gains[0]:.0f} and "
            f"{gains[1]:.0f} rad/m; the fastest joint on the circle turns with {fastest[0]:.2f} and {fastest[1]:.2f} "
            "rad/s",
            agrees(fastest[1] > 2.0 * fastest[0], gains[1] > 10.0 * gains[0]),
            "the circle only touches the limit of reach, and so asks nothing of the direction that is lost there",
            where="for motions along the direction that is lost",
        ),
    )


def _local() -> Finding:
    """Whether the errors near the singularity are those of steps that are too long for a local approximation."""
    start = find_preset("pa10-singular").with_values({"task.delta": DELTAS[1], "task.inverse": "pinv"})
    errors = {
        method: [
            simulate(start.with_values({"method": method, "step": step}), repeat=False).max_error["position_m"]
            for step in SHORTER
        ]
        for method in ("euler", "rk4")
    }
    shown = "; ".join(f"{LABELS[key]} {', '.join(f'{one:.1e}' for one in found)} m" for key, found in errors.items())
    return Finding(
        "section V",
        "errors are large there since the method is a local approximation, valid for small motions only",
        f"at 0.1 mm with 100, 10 and 1 ms: {shown}",
        agrees(all(found[0] > 3.0 * found[1] > 9.0 * found[2] for found in errors.values())),
    )


def _damped(place: dict[Case, float]) -> tuple[Finding, ...]:
    """Figures 17 and 18: Euler and RK4 with damping, which are what the paper shows."""
    _, near, beyond = DELTAS
    lost, saved = (place[beyond, inverse, "ab4"] for inverse in INVERSES)
    shown = {method: (place[near, "dls", method], place[beyond, "dls", method]) for method in ("euler", "rk4")}
    worse = [
        f"{LABELS[method]}'s {where} from {place[delta, 'pinv', method]:.1e} to {place[delta, 'dls', method]:.1e} m"
        for delta, method, where in ((near, "rk4", "at 0.1 mm"), (beyond, "euler", "beyond reach"))
    ]
    return (
        Finding(
            "figures 17 and 18",
            "damped least squares gives satisfactory results near the singularity",
            f"with damping Euler errs by {shown['euler'][0]:.1e} m and RK4 by {shown['rk4'][0]:.1e} m at 0.1 mm; "
            f"beyond reach it brings AB4 from {lost:.2f} m to {saved:.1e} m",
            agrees(max(shown[method][0] for method in shown) < SATISFACTORY),
            f"satisfactory is taken as {1e3 * SATISFACTORY:g} mm. Where the plain inverse copes, damping is an error "
            f"of its own: {' and '.join(worse)}",
        ),
        Finding(
            "figure 18",
            "RK4 with damping is more accurate than Euler with damping",
            f"{shown['rk4'][0]:.1e} m against {shown['euler'][0]:.1e} m at 0.1 mm, {shown['rk4'][1]:.1e} m against "
            f"{shown['euler'][1]:.1e} m beyond reach",
            agrees(all(mine < theirs for mine, theirs in zip(shown["rk4"], shown["euler"], strict=True))),
        ),
    )


def _figures(runs: dict[Case, Run]) -> tuple[Figure, ...]:
    """The paper's four, and the same beyond the arm's reach."""
    _, near, beyond = DELTAS

    def methods(name: str, title: str, delta: float, inverse: str, keys: tuple[str, ...]) -> Figure:
        shown = {LABELS[key]: runs[delta, inverse, key] for key in keys}
        return Figure(name, title, error_panels(shown, ERRORS), together(run.scenario for run in shown.values()))

    def inverses(name: str, title: str, delta: float, keys: tuple[str, ...]) -> Figure:
        chosen = {f"{LABELS[key]}, {WORDS[one]}": runs[delta, one, key] for key in keys for one in INVERSES}
        return Figure(name, title, error_panels(chosen, ERRORS), together(run.scenario for run in chosen.values()))

    return (
        methods("figure 15", "single-step methods past the stretched elbow", near, "pinv", METHODS[:3]),
        methods("figure 16", "multi-step methods past the stretched elbow", near, "pinv", METHODS[3:]),
        inverses("figure 17", "Euler with damped least squares", near, ("euler",)),
        inverses("figure 18", "RK4 with damped least squares", near, ("rk4",)),
        methods("figures 15 and 16 beyond reach", "2 mm beyond the arm's reach, plain", beyond, "pinv", METHODS),
        inverses("figures 17 and 18 beyond reach", "2 mm beyond the arm's reach, damped", beyond, ("euler", "ab4")),
    )


def _six(inverse: str, delta: float) -> Scenario:
    """All six methods side by side at 100 ms."""
    chosen = find_preset("pa10-singular").with_values({"task.inverse": inverse, "task.delta": delta})
    return side_by_side(chosen, [{"method": method} for method in METHODS])


STUDY = Study(
    key="pa10-singularity",
    title="The PA-10 at its stretched elbow",
    paper="Paper 3, figures 15 to 18",
    summary="A circle whose far side lies 0.1 mm within reach, or 2 mm beyond it, with and without damping.",
    compute=compute,
    figures=(
        "figure 15",
        "figure 16",
        "figure 17",
        "figure 18",
        "figures 15 and 16 beyond reach",
        "figures 17 and 18 beyond reach",
    ),
    scenarios=(
        ("figures 15 and 16: plain", _six("pinv", 1e-4)),
        ("figures 17 and 18: damped", _six("dls", 1e-4)),
        ("beyond reach, plain", _six("pinv", -2e-3)),
        ("beyond reach, damped", _six("dls", -2e-3)),
    ),
)
