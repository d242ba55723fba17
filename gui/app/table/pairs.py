"""Two runs against each other: observed order, ratio of errors, and their differences in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assets.counting import capital
from gui.app import run_texts, units
from gui.app.computing.references import physics_key
from gui.app.table.distinctions import distinctions
from gui.app.verdict import instability

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from robots.scenario.scenario import Scenario


def error_of(row: RunRow) -> tuple[str, float] | None:
    """The leading error of a finished run, (key, maximum), if it is above zero; otherwise None."""
    if row.run is None or row.state != "done" or row.outdated:
        return None
    found = run_texts.max_error(row)
    return found if found is not None and 0.0 < found[1] < math.inf else None


def error_ratio(row: RunRow, other: RunRow) -> float | None:
    """A run's error divided by that of another run; None if they are not of the same kind and motion.

    Nor do errors compare that are known for different times, as those of two chaotic arms are.
    """
    mine, theirs = error_of(row), error_of(other)
    if mine is None or theirs is None or mine[0] != theirs[0] or other_motion(row, other):
        return None
    ours, others = row.own_errors, other.own_errors
    if ours is not None and others is not None and mine[0] in ours.max and ours.trusted_until != others.trusted_until:
        return None
    return mine[1] / theirs[1]


def other_motion(row: RunRow, other: RunRow) -> bool:
    """Whether a run's errors are those of another motion: from other initial values, say, or with another mass.

    Against the path of a task, errors of the same arm compare: what it should do is known, however it moves.
    """
    found = error_of(row)
    if found is not None and found[0] == run_texts.TRACKING:
        return not row.scenario.same_robot(other.scenario)
    return _physics(row.scenario) != _physics(other.scenario)


def observed_order(row: RunRow, rows: Sequence[RunRow]) -> float | None:
    """The order at which the error fell from the run with the next longer step, all else being equal.

    None without such a run, and for runs with step control, or where rounding may shift it. A run that its steps made
    unstable has no order.
    """
    mine, step = error_of(row), row.scenario.step
    if mine is None or step is None or _unstable(row):
        return None
    longer = [
        (other.scenario.step, found[1], _level(other, found[0]))
        for other in rows
        if other.scenario.step is not None
        and other.scenario.step > step * (1.0 + 1e-9)
        and (found := error_of(other)) is not None
        and found[0] == mine[0]
        and _but_for_the_step(other.scenario) == _but_for_the_step(row.scenario)
        and not _unstable(other)
    ]
    if not longer:
        return None
    from robots.sweeps.observed import sure_order

    next_step, error, level = min(longer)
    return sure_order(error, mine[1], next_step / step, level, _level(row, mine[0]))


def _level(row: RunRow, key: str) -> float:
    """What rounding comes to in an error of a run, as far as it is known."""
    return row.own_errors.level.get(key, 0.0) if row.own_errors is not None else 0.0


def _unstable(row: RunRow) -> bool:
    return row.judged and row.run is not None and bool(instability(row.run.stability))


@lru_cache(maxsize=256)
def _but_for_the_step(scenario: Scenario) -> tuple[object, ...]:
    """All that must be alike: also which equations of the same motion are solved, such as a formulation's."""
    options, task = (tuple(sorted(map(repr, part.items()))) for part in (scenario.options, scenario.task))
    return scenario.method, options, task, _physics(scenario)


@lru_cache(maxsize=256)
def _physics(scenario: Scenario) -> str:
    return physics_key(scenario)


def differences_text(row: RunRow, other: RunRow) -> str:
    """How a run differs from another one, and what that changes: `step 5 ms instead of 10 ms. Error 16 times ...`."""
    if row.recording or other.recording:
        return "A recording has no method, no error and no cost. The plot Error has how far runs are from it."
    mine, theirs = distinctions((row.scenario, other.scenario), row.degrees)
    parts = [_difference(mine[key], theirs[key]) for key in mine]
    text = "; ".join(parts) if parts else "the same arm, values, method and step"
    return f"{text}. {outcome_text(row, other)}".strip()


def _difference(said: str, text: str) -> str:
    """One field of two runs; one of them may have no such field."""
    if said and text:
        return f"{said} instead of {_brief(said, text)}"
    return said or f"no {text.partition(' = ')[0]}"


def _brief(said: str, text: str) -> str:
    """The text without the words with which both begin: 10 ms for `step 10 ms`, 1 kg for `mass 1 = 1 kg`."""
    for begin in ("step ", f"{said.partition(' = ')[0]} = ", f"{said.partition(': ')[0]}: "):
        if said.startswith(begin) and text.startswith(begin):
            return text.removeprefix(begin)
    return text


def outcome_text(row: RunRow, other: RunRow) -> str:
    """The errors and costs of two runs compared in a sentence; empty if nothing compares."""
    if row.recording or other.recording:
        return ""
    ratio, parts, ended = error_ratio(row, other), [], ""
    if ratio is not None:
        parts.append(f"error {_times(ratio, 'larger', 'smaller')}")
    if row.run is not None and other.run is not None and not (row.outdated or other.outdated):
        costs = row.run.counts.rhs_evaluations, other.run.counts.rhs_evaluations
        ends = row.run.t_end, other.run.t_end
        if not math.isclose(*ends, rel_tol=1e-9):
            mine, theirs = map(units.clock, ends)
            ended = f"It ended at t = {mine}, the other one at t = {theirs}."
        elif min(costs) > 0:
            parts.append(f"cost {_times(costs[0] / costs[1], 'higher', 'lower')} (right-hand sides)")
    text = ", ".join(parts)
    return f"{capital(text)}. {ended}".strip() if text else ended


def _times(ratio: float, more: str, less: str) -> str:
    if abs(ratio - 1.0) < 5e-3:
        return "the same"
    return f"{units.number(max(ratio, 1.0 / ratio))} times {more if ratio > 1.0 else less}"
