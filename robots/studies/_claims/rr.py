"""What paper 2 says of its figures and its table, judged."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from robots.model.registry import robot_of
from robots.papers.finding import Finding, agrees
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from robots.sweeps.work_curves import price_of
from robots.sweeps.work_precision import Point, WorkPrecision
from solvers.method_registry import find_method
from solvers.problem import OdeProblem

STAGES = {
    "rk1": 1, "rk2": 2, "rkb12": 2, "rk3": 3, "rkf12": 3, "rkf23": 3, "rk4": 4, "rkb24": 4, "rkf34": 5, "rkb34": 5,
    "rk5": 6, "rkf45": 6, "rk6": 7, "rkb45": 7, "dopri5": 7, "rkf56": 8, "rkv56": 8, "rk7": 9, "rkb56": 9,
    "rkv67": 10, "rk8": 11, "rkf78": 13, "rkv78": 13, "rkdp87": 13, "rk10": 17,
}  # fmt: skip
"""Paper 2's table 1."""
RK = ("rk1", "rk2", "rk3", "rk4", "rk5", "rk6", "rk7", "rk8", "rk10")
FAMILIES = {
    "figure 4": ("rkf12", "rkf23", "rkf34", "rkf45", "rkf56", "rkf78"),
    "figure 5": ("rkv56", "rkv67", "rkv78"),
    "figure 6": ("rkb12", "rkb24", "rkb34", "rkb45", "rkb56"),
    "figure 7": ("dopri5", "rkdp87"),
}
SETS = {
    2: ("rk2", "midpoint", "ralston2"), 3: ("rk3", "heun3"), 4: ("rk4", "kutta38"), 5: ("rk5", "rk5_nystrom"),
    6: ("rk6", "rk6_b"), 8: ("rk8", "rk8_conj"),
}  # fmt: skip
"""Sets of coefficients of one order."""
LEAST_STAGES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 7, 7: 9, 8: 11}
"""The fewest stages of an explicit method of each order (Butcher 1987)."""
MINOR = 3.0
PAIRED = 1e-7
"""A tolerance of the pairs [rad]."""
DEGREES = (2, 4, 6, 8, 12)
HEURISTIC = (4, 5)
STEPS = (0.1, 0.05, 0.02, 0.01, 0.005)
ERROR, EVALUATIONS, TIME = "reference_q_rad", "rhs_evaluations", "seconds"
TARGETS = (1e-3, 1e-6, 1e-9)
LIMITED = 5.0
"""An improvement by less than this factor counts as limited."""
Name = TypeVar("Name", int, str)


def claims(base: Scenario, found: dict[str, WorkPrecision]) -> list[Finding]:
    """The findings, from the measured points of each figure."""
    return [
        _stages(),
        *_series(found["figure 2"]),
        _characteristics(found["figure 2"]),
        *_fixed(found["figure 3"]),
        _coefficients(base),
        *_shared_stages(),
        *_embedded(found),
        *_pairs(base),
        _customising(base),
    ]


def _stages() -> Finding:
    others = [key for key, stages in STAGES.items() if find_method(key).stages != stages]
    listed = ", ".join(f"{key} has {find_method(key).stages} (paper {STAGES[key]})" for key in others)
    return Finding(
        "table 1",
        "the numbers of stages of 25 methods",
        f"{len(STAGES) - len(others)} of {len(STAGES)} alike" + (f"; {listed}" if listed else ""),
        agrees(not others),
        "Fehlberg's 2(3) needs a fourth evaluation, saved as the next step's first" if others else "",
    )


def _at(points: Sequence[Point], step: float) -> float:
    """The error of a method's point with this step; nan where there is none."""
    values = [one.error(ERROR) for one in points if one.step == step]
    return values[0] if values and values[0] is not None else float("nan")


def _falls(values: Sequence[float]) -> bool:
    """Whether each is smaller than the one before, down to where only round-off is left."""
    return all(later < earlier or later < 1e-11 for earlier, later in pairwise(values))


def _words(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1e}" for value in values)


def _series(found: WorkPrecision) -> list[Finding]:
    """Figure 2."""
    by = found.by_method()
    analytic = {p: by[label_of(p, p - 1)] for p in DEGREES}
    middle, finest = STEPS[2], STEPS[-1]
    errors = [_at(analytic[p], middle) for p in DEGREES]
    over_analytic = [_at(by[label_of(p, p - 1)], finest) / _at(by[label_of(p, p)], finest) for p in HEURISTIC]
    under_next = [_at(by[label_of(p, p)], finest) / _at(by[label_of(p + 1, p)], finest) for p in HEURISTIC]
    limited = all(1.0 < gain < LIMITED for gain in over_analytic)
    return [
        Finding(
            "figure 2",
            "the higher the order of the series, the lower the error for a fixed number of steps",
            f"degrees {', '.join(map(str, DEGREES))} at {middle:g} s: {_words(errors)} rad",
            agrees(_falls(errors)),
            "" if _falls(errors) else "round-off ends the gain",
        ),
        _pays("figure 2", "a higher order pays more than more steps", analytic),
        Finding(
            "figure 2",
            "the heuristic T(p, p) is a limited improvement over T(p, p-1)",
            f"at {finest:g} s it errs {over_analytic[0]:.0f} times less for p = {HEURISTIC[0]} and "
            f"{over_analytic[1]:.0f} times less for p = {HEURISTIC[1]}",
            agrees(limited),
            f"limited is taken as less than {LIMITED:g} times. Its order is one more, so it gains more the shorter the "
            f"step. T(p+1, p), of the same order and hardly more expensive, errs {under_next[0]:.1f} and "
            f"{under_next[1]:.1f} times less again",
        ),
    ]


def _pays(place: str, claim: str, by: Mapping[int, list[Point]]) -> Finding:
    """Whether precision is bought by order: one criterion for series and Runge-Kutta methods, by order.

    The order that needs the fewest evaluations must not fall as the error gets smaller, and must be above the least.
    """
    found = {target: _cheapest(by, target) for target in TARGETS}
    orders = [order for order, _ in found.values()]
    pays = orders == sorted(orders) and orders[-1] > min(by)
    listed = "; ".join(f"{target:g} rad: order {order}, {cost:.0f}" for target, (order, cost) in found.items())
    why = (
        "each coefficient of a series counts as an evaluation, though later ones cost more"
        if place == "figure 2"
        else ""
    )
    return Finding(
        place, claim, f"fewest evaluations for {listed}", agrees(pays), why if pays else "the best order falls"
    )


def _characteristics(found: WorkPrecision) -> Finding:
    """How straight the lines of the standard series and of the heuristic ones are, by the order from step to step."""
    by = found.by_method()

    def bend(q: int, p: int) -> float:
        orders = [one.order for one in by[label_of(p, q)] if one.order is not None]
        return max(orders) - min(orders)

    pairs = {p: (bend(p - 1, p), bend(p, p)) for p in HEURISTIC}
    bent = [str(p) for p, (standard, own) in pairs.items() if own > standard]
    shown = "; ".join(f"T({p}, {p - 1}) {standard:.2f}, T({p}, {p}) {own:.2f}" for p, (standard, own) in pairs.items())
    return Finding(
        "figure 2, heuristic",
        "the lines of the heuristic have a more complex shape",
        f"from step to step the observed order varies by: {shown}",
        agrees(len(bent) == len(pairs), bool(bent)),
        "a line's shape is taken as more complex where its slope varies more",
        where=f"for p = {', '.join(bent)}",
    )


def _shared_stages() -> tuple[Finding, ...]:
    """Embedding: two solutions of different order from the stages of one method."""
    apart, dearer = {}, []
    for key in (key for keys in FAMILIES.values() for key in keys):
        method = find_method(key)
        least = [
            min(count for one, count in LEAST_STAGES.items() if one >= order)
            for order in (method.order, method.error_order or 1)
        ]
        apart[key] = STAGES[key], sum(least) - 1
        dearer.append(sum(least) / max(least))
    fewer = [key for key, (shared, separate) in apart.items() if shared < separate]
    shown = ", ".join(f"{key} {shared} for {separate}" for key, (shared, separate) in apart.items())
    return (
        Finding(
            "section 3.2, two solutions",
            "two solutions of different order take almost twice the effort of one",
            f"two methods of least stages take {min(dearer):.2f} to {max(dearer):.2f} times the stages of the one of "
            "higher order",
            agrees(min(dearer) >= 1.5 and max(dearer) <= 2.0),
            "almost twice is taken as 1.5 to 2 times",
        ),
        Finding(
            "section 3.2",
            "embedding makes a pair of solutions cheaper than two separate ones",
            f"stages of the pair, for those of two methods of least stages: {shown}",
            agrees(len(fewer) == len(apart), bool(fewer)),
            "the first stage is counted once in both cases",
            where="for " + ", ".join(fewer),
        ),
    )


def _cheapest(by: Mapping[Name, list[Point]], target: float) -> tuple[Name, float]:
    """What needs the fewest evaluations for the error `target` [rad], and how many."""
    prices = {name: price_of(points, ERROR, EVALUATIONS, target) for name, points in by.items()}
    known = {name: price.cost for name, price in prices.items() if price is not None}
    best = min(known, key=lambda name: known[name])
    return best, known[best]


def _fixed(found: WorkPrecision) -> list[Finding]:
    """Figure 3."""
    by = found.by_method()
    errors = [_at(by[key], STEPS[3]) for key in RK]
    falls = _falls(errors)
    return [
        Finding(
            "figure 3",
            "Runge-Kutta methods behave as the series do: higher order, smaller error at the same step",
            f"{', '.join(RK)} at {STEPS[3]:g} s: {_words(errors)} rad",
            agrees(falls),
            "" if falls else "neighbouring orders differ less than their error constants do",
        ),
        _pays(
            "figure 3",
            "precision is cheaper by a high order than by many steps",
            {find_method(key).order: by[key] for key in RK},
        ),
    ]


def _coefficients(base: Scenario) -> Finding:
    """What other coefficients of the same order change."""
    exact = reference(base)
    assert exact is not None
    ratios = {}
    for order, keys in SETS.items():
        runs = [simulate(base.with_values({"method": key, "step": STEPS[2]}), repeat=False) for key in keys]
        errors = [compare_with_reference(run, exact).max[ERROR] for run in runs]
        ratios[order] = max(errors) / min(errors)
    listed = ", ".join(f"{ratio:.2f} for order {order}" for order, ratio in ratios.items())
    return Finding(
        "section 3.1",
        "other coefficients of the same order make minor differences",
        f"worst error over best at {STEPS[2]:g} s: {listed}",
        agrees(max(ratios.values()) < MINOR),
        f"minor is taken as less than {MINOR:g} times; from one order to the next errors fall by tens to thousands",
    )


def _embedded(found: dict[str, WorkPrecision]) -> list[Finding]:
    """Figures 4 to 7."""
    fixed = found["same formulas, fixed"].by_method()
    findings, ratios = [], {kind: list[float]() for kind in ("steps", EVALUATIONS, TIME)}
    for figure, keys in FAMILIES.items():
        by = found[figure].by_method()
        best = _cheapest({key: by[key] for key in keys}, 1e-7)
        highest = max(keys, key=lambda key: find_method(key).order)
        findings.append(
            Finding(
                figure,
                "the higher the order, the closer to the solution",
                f"least evaluations for 1e-7 rad: {best[0]}, {best[1]:.0f}",
                agrees(best[0] == highest),
                "" if best[0] == highest else "the highest order pays at smaller errors only",
            )
        )
        for key in keys:
            for kind, found_ratios in ratios.items():
                found_ratios += _against_fixed(by[key], fixed[key], kind)
    orders = found["figure 3"].by_method()
    order, _ = _cheapest({find_method(key).order: orders[key] for key in RK}, TARGETS[-1])
    steps, calls, time = (statistics.median(values) for values in ratios.values())
    return [
        *findings,
        Finding(
            "figures 4 to 7",
            "for a number of steps, step control is superior to a fixed step",
            f"for the same error it takes {steps:.2f} times as many steps, and {calls:.2f} times as many evaluations, "
            "as the same formula at a fixed step; medians of all pairs",
            agrees(steps < 0.95),
            "" if steps < 0.95 else "this arm moves evenly, without quiet stretches",
        ),
        Finding(
            "conclusions, guidelines",
            "high order and variable steps are the key to efficient methods",
            f"for {TARGETS[-1]:g} rad order {order} takes the fewest evaluations; variable steps take {calls:.2f} "
            "times those of fixed ones",
            agrees(order > 4 and calls < 0.95, order > 4),
            "on this arm: on motions with quiet stretches variable steps save most of them",
            where="for high order",
        ),
        Finding(
            "figures 4 to 7",
            "the benefits of the adaptive algorithm are lost, to a great extent, in the extra computation",
            f"for the same error it takes {time:.2f} times as long, median of all pairs",
            agrees(time > 0.8),
            "" if time > 0.8 else "compiled, the control costs next to nothing",
            timed=True,
        ),
    ]


def _pairs(base: Scenario) -> list[Finding]:
    """What the pairs pay for their estimate."""
    rejected, more = {}, []
    for key in (key for keys in FAMILIES.values() for key in keys):
        changes = {"method": key, "atol": PAIRED, "rtol": 0.0, "controller": "paper"}
        rejected[key] = simulate(base.with_values(changes), repeat=False).counts.rejected
        if STAGES[key] > LEAST_STAGES[max(find_method(key).order, find_method(key).error_order or 1)]:
            more.append(key)
    failing = [key for key, count in rejected.items() if count]
    return [
        Finding(
            "section 3.2, failed steps",
            "the estimate is not ideal: steps fail and are made again",
            f"at {PAIRED:g} rad {', '.join(f'{key} {count}' for key, count in rejected.items())} times in 5 s",
            agrees(len(failing) == len(rejected), bool(failing)),
            where="for " + ", ".join(failing),
        ),
        Finding(
            "section 3.2, stages",
            "a pair takes more stages than a method of fixed step",
            f"{len(more)} of {len(rejected)} pairs take more than the least of the higher of their two orders",
            agrees(len(more) == len(rejected), bool(more)),
            where="for " + ", ".join(more),
        ),
    ]


def _against_fixed(controlled: list[Point], fixed: list[Point], kind: str) -> list[float]:
    """What step control costs over what the fixed step does, at the fixed step's errors where both are known."""
    ratios = []
    for point in fixed:
        error = point.error(ERROR)
        if not error or error < 1e-11:
            continue
        theirs, mine = point.cost(kind), _between(controlled, kind, error)
        if theirs and mine:
            ratios.append(mine / theirs)
    return ratios


def _between(points: list[Point], kind: str, target: float) -> float | None:
    errors = [one.error(ERROR) or 0.0 for one in points]
    price = price_of(points, ERROR, kind, target) if errors and min(errors) <= target <= max(errors) else None
    return None if price is None else price.cost


def _customising(base: Scenario) -> Finding:
    from solvers.codegen.gain import gain

    problem = robot_of(base).problem(base)
    assert isinstance(problem, OdeProblem)
    gains = {}
    for key in ("rk4", "rk8"):
        one = base.with_values({"method": key, "step": 0.001})
        measured = gain(problem, find_method(key), one.control(), repeats=31)
        gains[key] = measured.ratio if measured else float("nan")
    listed = " and ".join(f"{key} {ratio:.1f} times" for key, ratio in gains.items())
    return Finding(
        "conclusions",
        "eliminating unnecessary and redundant calculations is important",
        f"customised kernels are faster: {listed}",
        agrees(all(ratio > 1.1 for ratio in gains.values())),
        ""
        if all(ratio > 1.1 for ratio in gains.values())
        else "the generic kernel is compiled and skips zeros already",
        timed=True,
    )


def label_of(degree: int, velocity: int) -> str:
    usual = find_method("taylor").complete_options({})
    asked = {"order": degree, "velocity_order": velocity}
    return " ".join(["taylor", *(f"{key}={value}" for key, value in asked.items() if value != usual[key])])
