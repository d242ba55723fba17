"""Readouts in words, as maps and their sentences name them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from assets.counting import cut
from gui.app import formatting
from gui.app.units import Unit, count, quantity, reading
from robots.model.registry import robot_of
from robots.model.robot import of_joint
from robots.scenario.scenario import Scenario
from robots.sweeps.borders import ALONG, REST, START
from robots.sweeps.run_numbers import OVER_TIME, STATUS, RunNumber, run_number

if TYPE_CHECKING:
    from robots.sweeps.sweep import SweepResult

WORDS = {
    "rejected": "rejected steps",
    "rhs_evaluations": "evaluations",
    "jacobian_evaluations": "Jacobian evaluations",
    "newton_iterations": "Newton iterations",
    "t_end": "time reached",
    "order": "observed order",
    "lyapunov": "Lyapunov exponent",
    "stable_step": "longest stable step",
    STATUS: "how it ended",
}

UNITS = {"t_end": "s", "lyapunov": "1/s", "shortest_step": "s", "longest_step": "s", "stable_step": "s"}

GONE = "The numbers of this map are no longer on this machine: compute it again."

OF_JOINTS = {"rad": "angle", "m": "position", "rad/s": "rate", "m/s": "speed", "N m": "torque", "N": "force"}
"""What an output of a joint is, by its unit."""

NEVER = "never"
"""The shape of a crossing that a run does not have."""

BORDERS = {
    ALONG: "the equations linearised along the motion",
    START: "the equations linearised at the start",
    REST: "the loop linearised at rest",
}
"""What becomes unstable at the border of a map."""

ABSENT = {
    "order": "it takes a fixed step, and errors that fall with one order from twice that step to a quarter",
    "lyapunov": "the run beside it fails, or ends in the same state",
    "stable_step": "the method or the scenario has no such step",
}
"""Why a run has none of these numbers, where the run finished."""

PARTED = (
    "In {runs} neighbours end as far apart as the arm allows, so the Lyapunov exponent is too small there: "
    "a shorter duration gives a larger one."
)

SHAPES = {
    "final": "{what} at the end",
    "max_error": "largest error, {what}",
    "final_error": "final error, {what}",
    "value": "{what} at {at}",
    "crossing": "when {what} first passes {at}",
    NEVER: "{what} never passes {at}",
    "largest": "largest {what}",
    "smallest": "smallest {what}",
    "peak_time": "when {what} is largest",
    "trough_time": "when {what} is smallest",
}


def border_words(where: str) -> str:
    """What the border of a map is, by where equations are linearised for it."""
    return f"dashed: where {BORDERS.get(where, BORDERS[START])} become{'s' * (where == REST)} unstable"


def number_name(name: str, scenario: Scenario) -> str:
    """A readout in words: `largest error, energy`; `when angle 2 first passes 30°`."""
    number = run_number(name)
    return _worded(number, number.kind, scenario) if number.kind else WORDS.get(name, name.replace("_", " "))


def number_reading(name: str, value: float, scenario: Scenario, *, finished: bool = True) -> str:
    """A readout with its value [SI]: `steps 1 000`, `angle 2 never passes 30°`; `finished`: whether the run did."""
    number = run_number(name)
    if math.isnan(value) and number.kind == "crossing":
        return _worded(number, NEVER, scenario)
    words, unit = number_name(name, scenario), number_unit(name, scenario)
    if math.isnan(value):
        why = why_absent(name) or ("" if finished else "the run ended early")
        return f"{words}: no value{f', {why}' if why else ''}"
    value = cut(value) if name == "stable_step" and 0.0 < value < math.inf else value
    whole = not unit.symbol and value.is_integer()
    return f"{words} {count(int(value)) if whole else reading(value * unit.per_si, unit.symbol)}"


def why_absent(name: str) -> str:
    """Why a run has no value of a readout, as far as the readout says it: `the run did not reach 2 s`."""
    number = run_number(name)
    if number.kind == "value":
        return f"the run did not reach {quantity(number.at, 's')}"
    return "the value is never passed" if number.kind == "crossing" else ABSENT.get(name, "")


def parted(result: SweepResult) -> str:
    """That Lyapunov exponents of a sweep are those of neighbours that have long parted; empty if there are none."""
    from robots.sweeps.observed import as_far_as_they_get

    sweep = result.sweep
    if "lyapunov" not in sweep.show:
        return ""
    places = np.unravel_index(np.arange(sweep.size), sweep.shape)[-len(sweep.axes) :]
    times = np.full(sweep.size, sweep.scenario.duration)
    for axis, place in zip(sweep.axes, places, strict=True):
        times = axis.values[place] if axis.field == "duration" else times
    runs = int(np.count_nonzero(as_far_as_they_get(result.numbers[:, sweep.show.index("lyapunov")], times)))
    return PARTED.format(runs=count(runs, "run")) if runs else ""


def number_unit(name: str, scenario: Scenario) -> Unit:
    """The unit in which a readout is shown: angles as on the axes of maps, errors as everywhere."""
    number = run_number(name)
    if number.kind in OVER_TIME and number.kind not in ("largest", "smallest"):
        return Unit.of("s")
    return _quantity(number, scenario)[1] if number.kind else Unit.of(UNITS.get(name, ""))


def _worded(number: RunNumber, shape: str, scenario: Scenario) -> str:
    """What is read of a run over time, in one of the `SHAPES`."""
    what, unit = _quantity(number, scenario)
    at = quantity(number.at, "s") if number.kind == "value" else quantity(number.at * unit.per_si, unit.symbol)
    return SHAPES[shape].format(what=what, at=at)


def _quantity(number: RunNumber, scenario: Scenario) -> tuple[str, Unit]:
    """The name and the unit of what is read: an error, or the output that begins at a field of the initial state."""
    key = number.key
    if "error" in number.kind or "_" in key:
        return formatting.error_name(key, scenario), Unit.of(formatting.error_unit(key, scenario), degrees=False)
    field = scenario.fields().get(f"initial.{key}")
    return _output(key, scenario) if field is None else (field.label, Unit.of(field.unit))


def _output(key: str, scenario: Scenario) -> tuple[str, Unit]:
    """The name and the unit of an output of a joint: `torque 1`, `S1 rate`; of others the key."""
    robot = robot_of(scenario)
    unit = robot.unit(key)
    if not (of_joint(key) and unit in OF_JOINTS):
        return key, Unit.of("")
    what, joint = OF_JOINTS[unit], robot.joint_of(key)
    return f"{joint} {what}" if joint else f"{what} {key[1:]}", Unit.of(unit)
