"""Presets with other values, and their runs, as studies need them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from assets.fields import Value
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.run import Run
from robots.simulation.simulate import simulate

_NONE: Mapping[str, Value] = MappingProxyType({})


def variant(preset: str, values: Mapping[str, Value] = _NONE, /, **named: Value) -> Scenario:
    """A preset with other values; `task__form="cartesian"` sets `task.form`."""
    return find_preset(preset).with_values({
        **values, **{name.replace("__", "."): value for name, value in named.items()}
    })  # fmt: skip


def preset_run(preset: str, values: Mapping[str, Value] = _NONE, /, **named: Value) -> Run:
    """A run of `variant`; short ones are not repeated for their time."""
    return simulate(variant(preset, values, **named), repeat=False)
