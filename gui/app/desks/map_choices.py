"""What a map can be of: the fields that its axes may have, their first ranges, the readouts, what a preset proposes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assets.fields import Field, matters
from gui.app import formatting
from gui.app.desks.desk import first_methods
from gui.app.desks.readout_words import number_name
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.sweeps.axes import SweepAxis
    from robots.sweeps.sweep import Sweep

NO_AXES = ("sampling", "first_step", "max_step")
"""Fields that only change how a run is written or starts: a map over them shows nothing."""

STEADY = ("steps", "rhs_evaluations", "t_end", "order", "lyapunov")
"""Readouts of every robot, besides its errors and its own quantities."""

SETTLED = ("steps", "rhs_evaluations")
"""Those that a fixed step decides before anything is computed: a map of them shows nothing, so they come last."""

ENDS = "status"
"""How runs ended: every map has it."""

TOLERANCES = ("rtol", "atol", "tolerance")

METHODS = "method"
"""The axis that stands for methods, side by side, instead of a field."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The axes and the readout of a map."""

    axes: tuple[SweepAxis, ...]
    show: str


def proposal(scenario: Scenario) -> Proposal | None:
    """The map that a scenario proposes as `view.map`: `AXIS; AXIS; READOUT`; None without one.

    Raises:
        BadInput: for an axis or a readout that it cannot have.
    """
    from robots.sweeps.axes import axis
    from robots.sweeps.run_numbers import run_numbers

    text = scenario.view.get("map")
    if not isinstance(text, str):
        return None
    *axes, show = (part.strip() for part in text.split(";"))
    return Proposal(tuple(axis(one, scenario) for one in axes), run_numbers(show)[0].name)


def proposal_for(scenario: Scenario) -> Proposal | None:
    """The map that the preset proposes from which a scenario began, whose robot it still has."""
    from robots.scenario.presets import PRESETS, find_preset

    preset = find_preset(scenario.name) if scenario.name in PRESETS else None
    return proposal(preset) if preset is not None and preset.same_robot(scenario) else None


def numeric_fields(scenario: Scenario) -> dict[str, Field]:
    """The fields that can be an axis, by path: numeric fields that affect the run, and both tolerances together.

    Those that the method cannot take are left out: tolerances without an error estimate, a step without a fixed one.
    """
    from robots.sweeps.axes import TOLERANCE

    fields = scenario.fields()
    every = {} if scenario.step is not None else {TOLERANCE: fields["rtol"]}
    return {path: field for path, field in every.items() if can_take(scenario, scenario.method, path)} | {
        path: field
        for path, field in fields.items()
        if field.type in (int, float)
        and not path.startswith("view.")
        and path not in NO_AXES
        and can_take(scenario, scenario.method, path)
        and matters(path, fields, scenario.get)
    }


def can_take(scenario: Scenario, key: str, path: str) -> bool:
    """Whether the scenario's runs by the method `key` can be over the field at `path`, as far as stepping decides."""
    from robots.scenario.method_selection import method_of

    method = method_of(scenario if key == scenario.method else scenario.with_value("method", key))
    return method.adaptive if path in TOLERANCES else method.fixed_step if path == "step" else True


def methods_beside(scenario: Scenario, path: str) -> tuple[str, ...]:
    """The methods that an axis begins with beside one over `path`."""
    return tuple(key for key in first_methods(scenario) if can_take(scenario, key, path))


def first_field(scenario: Scenario) -> str:
    """The field that a map goes over at first: what chooses the size of the steps, if there is such a field."""
    fields = numeric_fields(scenario)
    return next((path for path in ("tolerance", "step") if path in fields), next(iter(fields)))


def first_range(scenario: Scenario, path: str) -> tuple[float, float]:
    """The first range offered for a field: its slider's, otherwise half to twice its value, in SI units."""
    if path in TOLERANCES:
        return 1e-9, 1e-3
    field, value = scenario.fields()[path], scenario.get(path)
    if path == "step":
        middle = scenario.step or scenario.duration / 1000.0
        return middle / 10.0, min(10.0 * middle, scenario.duration)
    if field.slider and field.slider[0] >= field.minimum:
        low, high = field.slider
        return (max(low, 1e-3 * high) if field.exclusive_minimum and low <= field.minimum else low), high
    middle = float(value) if isinstance(value, int | float) and value else 1.0
    low, high = sorted((0.5 * middle, 2.0 * middle))
    if field.type is int:
        low, high = math.floor(low), math.ceil(high)
    return max(low, field.minimum), min(high, field.maximum)


def alike(one: Scenario, other: Scenario) -> bool:
    """Whether runs of both have the same outputs and errors: but for numbers other than 0 they are of the same motion.

    A damping of 0, for one, is no damping, and then the energy is kept.
    """
    return one.same_robot(other) and _kind(one.physics()) == _kind(other.physics())


def _kind(value: object) -> object:
    """A value in which all numbers but 0 are the same."""
    if isinstance(value, dict):
        return {key: _kind(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_kind(part) for part in value]
    return bool(value) if isinstance(value, int | float) else value


def run_numbers_of(
    scenario: Scenario, final: Iterable[str], errors: Iterable[str], own: Iterable[str] = (), exact: Iterable[str] = ()
) -> dict[str, str]:
    """The readouts that a map can show, each with its name on the screen.

    Args:
        scenario: of the run.
        final, errors: the names of its outputs and errors.
        own: those of its robot's further numbers; one that is no word is left out.
        exact: those of its errors against the reference run.
    """
    from robots.sweeps.observed import has_neighbour

    named = [name for name in own if name.isidentifier()]
    known, measured = ([f"max_error.{name}" for name in some] for some in (errors, exact))
    steady = [name for name in STEADY if name != "lyapunov" or has_neighbour(scenario)]
    names = [*known, *named, *steady, *measured, ENDS, *(f"final.{name}" for name in final)]
    if scenario.step is not None:
        names.sort(key=lambda name: name in SETTLED)
    return {name: number_name(name, scenario) for name in names}


def differences_of(sweep: Sweep, present: Scenario, degrees: bool) -> tuple[str, ...]:
    """How the scenario of a map differs from the present one: `Runge-Kutta 4 (classical)`, `mass 1 = 2 kg`.

    What the map varies is no difference.
    """
    mapped = sweep.scenario
    varied = {path for axis in sweep.axes for path in axis.changes(1.0)}
    found = formatting.differences(mapped, present, degrees, varied)
    if not mapped.same_robot(present):
        return found
    method, step = (formatting.method_name(mapped),), (formatting.setting(mapped, degrees),)
    if sweep.methods or method == (formatting.method_name(present),):
        method = ()
    if varied & {"step", "rtol", "atol"} or step == (formatting.setting(present, degrees),):
        step = ()
    return method + found + step
