"""What paper 3 says of its figures 1 to 14, judged."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from robots.papers.finding import Finding, agrees
from robots.papers.study import Table
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from robots.studies._runs import preset_run
from solvers.method_registry import find_method

METHODS = ("euler", "midpoint", "rk4", "pc-trapezoid", "ab4", "am4")
RATES = (1.0, 0.1, 0.01, 0.001)
PRESETS = ("pa10-circle", "pa10-drift")
CIRCLE, DRIFT = "the circle", "the drifting path"
"""What people call their paths."""
LABELS = {"euler": "Euler", "midpoint": "RK2", "rk4": "RK4", "pc-trapezoid": "P-C", "ab4": "AB4", "am4": "AM4"}
ROUNDED = 1e-6
"""Two stability limits that differ by less than this share are the same."""
PERIODS = {1.0: "1 s", 0.1: "100 ms", 0.01: "10 ms", 0.001: "1 ms"}
RK4_STARTED = {"method": "ab4", "options.startup": "rk4"}
LAPS = (1, 2, 3)
LOST, FAR, ACCURATE = 0.2, 0.5, 1e-3
"""A tool this far from its path [m] has lost it; one that is never this far is accurate."""
Case = tuple[str, str, float]
Accuracy = tuple[float, float, float, float, int]


def claims(rows: dict[Case, Accuracy], laps: Table, chance: Table) -> list[Finding]:
    """What paper 3 says of figures 4 to 14, judged by these numbers."""
    error = {case: values[0] for case, values in rows.items()}
    return [
        *_methods(rows),
        *_single_step(error, chance),
        *_multi_step(error, rows, laps),
        *_ranking(error, rows),
        *_remarks(rows),
    ]


def _methods(rows: dict[Case, Accuracy]) -> list[Finding]:
    """Claims of section III: what each method costs, and which of them is better."""
    circle = PRESETS[0]
    steps = preset_run(circle, step=0.1).counts.steps
    calls = {method: round(rows[circle, method, 0.1][4] / steps, 1) for method in METHODS}
    wanted = {"euler": 1, "midpoint": 2, "rk4": 4, "pc-trapezoid": 2, "ab4": 1, "am4": 2}
    error = {case: values[0] for case, values in rows.items()}
    better = {
        step: all(error[p, "rk4", step] < error[p, "midpoint", step] < error[p, "euler", step] for p in PRESETS)
        for step in RATES
    }
    corrected = [PERIODS[h] for h in RATES if all(error[p, "pc-trapezoid", h] < error[p, "euler", h] for p in PRESETS)]
    orders = {
        key: simulate(find_preset(circle).with_values({"method": key, "options.startup": "rk4", "step": 0.1}))
        for key in ("ab2", "ab3", "ab4", "ab5")
    }
    by_order = [run.max_error["position_m"] for run in orders.values()]
    return [
        Finding(
            "figures 1, 2 and section III",
            "Euler and AB4 invert the Jacobian once a step, RK2, P-C and AM4 twice, RK4 four times",
            ", ".join(f"{LABELS[method]} {count:g}" for method, count in calls.items())
            + " evaluations a step over the whole circle",
            agrees(all(abs(calls[method] - count) <= 0.1 for method, count in wanted.items())),
        ),
        Finding(
            "section III",
            "RK2 is more accurate than Euler, and RK4 than RK2",
            f"at {', '.join(PERIODS[step] for step in RATES if better[step])} on both paths",
            agrees(all(better.values()), any(better.values())),
        ),
        Finding(
            "section III",
            "the predictor-corrector is more accurate and stable than Euler",
            f"at {', '.join(corrected)} on both paths; at 1 s on {CIRCLE} {error[circle, 'pc-trapezoid', 1.0]:.1e} m "
            f"against {error[circle, 'euler', 1.0]:.1e} m",
            agrees(len(corrected) == len(RATES), bool(corrected)),
            "section V says the opposite, that it is as poor as Euler. At 1 s, with K dt = 1, Euler's error dies out "
            "in one step",
            where="at 100 ms and faster",
        ),
        Finding(
            "section III",
            "the higher the order of an Adams method, the more accurate it is",
            f"AB2 to AB5, started by RK4, at 100 ms: {', '.join(f'{value:.1e}' for value in by_order)} m",
            agrees(all(later < earlier for earlier, later in pairwise(by_order))),
        ),
        _damps(),
    ]


def _damps() -> Finding:
    """Up to which K dt errors die out, by order."""
    single, several = (
        {key: found.real_limit for key in keys if (found := find_method(key).stability) is not None}
        for keys in (METHODS[:3], ("euler", "ab2", "ab3", "ab4", "ab5"))
    )
    grows = [
        later > (1.0 + ROUNDED) * earlier for one in (single, several) for earlier, later in pairwise(one.values())
    ]
    longer = [LABELS[key] for (_, before), (key, limit) in pairwise(single.items()) if limit > (1.0 + ROUNDED) * before]
    shown = "; ".join(
        ", ".join(f"{LABELS.get(key, key.upper())} {limit:.3g}" for key, limit in one.items())
        for one in (single, several)
    )
    return Finding(
        "section III, stability",
        "the higher the order of a method, the more stable it is",
        f"errors die out while K dt is below: {shown}",
        agrees(all(grows), any(grows)),
        "Euler and RK2 have the same limit; an Adams-Bashforth formula of higher order is more accurate, and stable at "
        "shorter periods only",
        where=f"for {', '.join(longer)}",
    )


def _single_step(error: dict[Case, float], chance: Table) -> list[Finding]:
    circle, drift = PRESETS
    at = {method: error[circle, method, 0.1] for method in METHODS}
    other, lost = error[drift, "rk4", 0.1], error[drift, "euler", 1.0]
    held = simulate(find_preset(circle).with_values({"method": "midpoint", "task.feedback": "held"}))
    (near, count, by_euler, far, _), (wide, fewer, still, *_), *_ = chance.rows
    return [
        Finding(
            "figures 4 to 6",
            "the circle is followed precisely by RK4 at 100 ms",
            f"{at['rk4']:.1e} m from the circle at most",
            agrees(at["rk4"] < 1e-6),
            "the path is smooth and far from singular postures, so that a method of order 4 shows its order",
        ),
        Finding(
            "figure 9a",
            "Euler at 1 s is unstable",
            f"it loses {DRIFT} by {lost:.2f} m, and errs by {error[circle, 'euler', 1.0]:.1e} m on {CIRCLE}",
            agrees(min(lost, error[circle, "euler", 1.0]) > LOST, lost > LOST),
            f"{DRIFT} is selected so that Euler loses it, which is taken as an error above {LOST:g} m. Of {count} "
            f"circles of its size and speed, drawn at random with singular values above {near:g}, Euler loses "
            f"{by_euler} ({100 * by_euler / count:.1f} %), {far} of them by more than {FAR:g} m; of the {fewer} with "
            f"singular values above {wide:g} it loses {still}. It is not K dt > 2: Euler's drift carries the arm into "
            "a singular posture",
            where=f"on {DRIFT}",
        ),
        Finding(
            "figure 10",
            "RK2 at 100 ms errs by about 1e-6 m",
            f"{at['midpoint']:.1e} m; {held.max_error['position_m']:.1e} m with the feedback held over the step",
            agrees(at["midpoint"] < 5e-6),
            "order 2 has a floor of about v w dt² / 8 for any arm; the paper's blocks probably hold the error",
        ),
        Finding(
            "figure 11",
            "RK4 at 100 ms errs by about 1e-8 m",
            f"{at['rk4']:.1e} m on {CIRCLE}, {other:.1e} m on {DRIFT}",
            agrees(at["rk4"] < 1e-7 and other < 1e-7),
            "order 4: a period ten times as short would leave 1e-12 m, where round-off begins",
        ),
    ]


def _multi_step(error: dict[Case, float], rows: dict[Case, Accuracy], laps: Table) -> list[Finding]:
    circle = PRESETS[0]
    started = [
        simulate(find_preset(p).with_values({**RK4_STARTED, "step": h})) for p, h in ((circle, 0.1), (circle, 1.0))
    ]
    soon, late = (run.max_error["position_m"] for run in started)
    first, last = ({row[0]: row[column] for row in laps.rows}["pc-trapezoid"] for column in (1, -1))
    slow = [error[preset, method, 1.0] for method in ("ab4", "am4") for preset in PRESETS]
    quick = [error[preset, method, step] for method in ("ab4", "am4") for preset in PRESETS for step in RATES[1:]]
    return [
        Finding(
            "figure 12",
            "the predictor-corrector is as poor as Euler",
            f"{error[circle, 'pc-trapezoid', 0.1]:.1e} m against Euler's {error[circle, 'euler', 0.1]:.1e} m at 100 ms",
            agrees(error[circle, "pc-trapezoid", 0.1] > 0.5 * error[circle, "euler", 0.1]),
            "Euler-trapezoid evaluated at t + h is Heun's method of order 2; poor only if the corrector looks at t",
        ),
        Finding(
            "figure 12a",
            "the predictor-corrector is stable at 1 s",
            f"{first:.1e} m in the first lap of {DRIFT}, {last:.2f} m within {LAPS[-1]} laps; "
            f"{error[circle, 'pc-trapezoid', 1.0]:.1e} m on {CIRCLE}",
            agrees(last < LOST, first < LOST),
            "of order 2, it drifts more slowly into the singular posture that Euler falls into",
            where="for a lap",
        ),
        Finding(
            "figures 13 and 14",
            "both Adams methods are quite accurate",
            f"at most {max(quick):.1e} m at 100 ms and faster, {max(slow):.2f} m at 1 s; at 100 ms AB4 errs by "
            f"{rows[circle, 'ab4', 0.1][2]:.1e} m at the end of {CIRCLE}, and by {soon:.1e} m at most when RK4 starts "
            "it",
            agrees(max(slow) < ACCURATE, max(quick) < ACCURATE),
            f"accurate is taken as {1e3 * ACCURATE:g} mm. At 100 ms AB4's largest error is of order 2, from the Euler "
            "step that starts it",
            where="at 100 ms and faster",
        ),
        Finding(
            "figures 13 and 14",
            "both Adams methods are stable",
            f"at 1 s AB4 errs by {slow[0]:.2f} m and {slow[1]:.2f} m on the two paths, AM4 by {slow[2]:.1e} m and "
            f"{slow[3]:.1e} m",
            agrees(max(slow) < LOST, max(quick) < LOST),
            "AB4 damps errors only while K dt is below 0.30, and the circle has K dt = 1 "
            f"at 1 s; a start by RK4 does not help ({late:.2f} m)",
            where="at 100 ms and faster",
        ),
    ]


def _ranking(error: dict[Case, float], rows: dict[Case, Accuracy]) -> list[Finding]:
    """Claims about all methods, at all rates and on both paths."""
    circle = PRESETS[0]
    order = {
        (preset, step): sorted(METHODS, key=lambda method: error[preset, method, step])
        for preset in PRESETS
        for step in RATES
    }
    slow = ", ".join(LABELS[method] for method in order[circle, 1.0])
    usual = ", ".join(LABELS[method] for method in order[circle, 0.1])
    last = [PERIODS[step] for step in RATES if all(order[preset, step][-1] == "euler" for preset in PRESETS)]
    better = all(error[p, "am4", h] < error[p, "ab4", h] for p in PRESETS for h in RATES)
    dear, cheap = (rows[circle, method, 0.001] for method in ("rk4", "euler"))
    ratio, calls = dear[3] / cheap[3], [rows[circle, method, 0.001][4] for method in METHODS]
    return [
        Finding(
            "figures 9 to 14",
            "RK4 is the most accurate",
            f"at all four rates on both paths; from best to worst on {CIRCLE}: {usual} at 100 ms, {slow} at 1 s",
            agrees(all(methods[0] == "rk4" for methods in order.values())),
        ),
        Finding(
            "figures 9 to 14",
            "Euler is the least accurate",
            f"at {', '.join(last)} on both paths; at 1 s {LABELS[order[circle, 1.0][-1]]} errs more on {CIRCLE}",
            agrees(len(last) == len(RATES), bool(last)),
            "" if len(last) == len(RATES) else "at 1 s stability decides, not order",
            where=f"at {', '.join(last)}",
        ),
        Finding(
            "figures 13 and 14",
            "Adams-Moulton is more accurate and stable than Adams-Bashforth",
            f"at all four rates on both paths; at 100 ms on {CIRCLE} {error[circle, 'am4', 0.1]:.1e} m against "
            f"{error[circle, 'ab4', 0.1]:.1e} m",
            agrees(better),
        ),
        Finding(
            "figures 7 and 8",
            "Euler is the cheapest method, RK4 the most expensive",
            f"at 1 ms {', '.join(f'{LABELS[key]} {count}' for key, count in zip(METHODS, calls, strict=True))} "
            "evaluations",
            agrees(cheap[4] == min(calls) and dear[4] > max(count for count in calls if count != dear[4])),
        ),
        Finding(
            "figures 7 and 8, differences",
            "the methods' computing times are quite similar",
            f"RK4 takes {dear[4] / cheap[4]:.0f} times Euler's evaluations and {ratio:.1f} times its time at 1 ms",
            agrees(1.0 < ratio < 2.0),
            "compiled, the evaluations are all that counts; in Matlab the overhead hid them",
            timed=True,
        ),
    ]


def _remarks(rows: dict[Case, Accuracy]) -> list[Finding]:
    """Claims of the introduction, of section V and of the conclusions, on the circle."""
    circle = PRESETS[0]
    open_loop, closed = (
        simulate(find_preset(circle).with_values({"method": "euler", "task.gain": gain})).final_error["position_m"]
        for gain in (0.0, 1.0)
    )
    columns = simulate(find_preset(circle)).columns()
    rates = np.array([values for name, values in columns.items() if name.startswith("v")])
    jump = float(np.abs(np.diff(rates)).max() / np.abs(rates).max())
    adams, runge = rows[circle, "ab4", 0.1], rows[circle, "rk4", 0.1]
    finer = rows[circle, "ab4", 0.01]
    second, moulton = rows[circle, "midpoint", 0.1][0], rows[circle, "am4", 0.1][0]
    return [
        Finding(
            "introduction",
            "the closed loop overcomes the drift of the integration",
            f"by Euler at 100 ms the tool ends {open_loop:.1e} m off its path without the loop, {closed:.1e} m with it",
            agrees(closed < 0.1 * open_loop),
        ),
        Finding(
            "figures 5 and 6",
            "joint positions and velocities are smooth",
            f"from one sample to the next no joint's velocity changes by more than {jump:.1%} of the largest",
            agrees(jump < 0.05),
        ),
        Finding(
            "conclusions",
            "Adams methods are more efficient than Runge-Kutta methods",
            f"AB4 takes {adams[4]} evaluations at 100 ms, RK4 {runge[4]}",
            agrees(adams[4] < runge[4]),
            "at the same rate",
        ),
        Finding(
            "conclusions",
            "Runge-Kutta methods are more accurate and stable than Adams methods",
            f"on the circle at 100 ms RK4 errs by {runge[0]:.1e} and RK2 by {second:.1e} m, AM4 by {moulton:.1e} and "
            f"AB4 by {adams[0]:.1e} m",
            agrees(second < moulton, runge[0] < moulton),
            "RK2 is of order 2 only",
            where="for RK4",
        ),
        Finding(
            "conclusions",
            "good results at long sampling periods may make up for the higher cost of Runge-Kutta methods",
            f"RK4 at 100 ms errs by {runge[0]:.1e} m with {runge[4]} evaluations, AB4 at 10 ms by {finer[0]:.1e} m "
            f"with {finer[4]}",
            agrees(runge[0] < finer[0] and runge[4] < finer[4]),
        ),
    ]
