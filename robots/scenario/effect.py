"""Which fields have no effect on a run, and with what value of another field they would have one."""

from __future__ import annotations

from collections.abc import Iterable

from assets.fields import condition_of, matters
from robots.scenario.older_files import RENAMED
from robots.scenario.paths import present
from robots.scenario.scenario import Scenario


def without_effect(scenario: Scenario, paths: Iterable[str]) -> list[str]:
    """Why fields have no effect anywhere along a run, one sentence each; those that have one are left out.

    Args:
        scenario: of the run.
        paths: of fields, as a person may write them; others than the scenario's own are left out.
    """
    phases = [scenario]
    for segment in scenario.segments:
        phases.append(phases[-1].without_segments().with_values(segment.changes))
    current = dict.fromkeys(present(RENAMED.get(path, path), scenario.fields()) for path in paths)
    return [
        _why(scenario, path)
        for path in current
        if path in scenario.fields()
        and not any(path in one.fields() and matters(path, one.fields(), one.get) for one in phases)
    ]


def _why(scenario: Scenario, path: str) -> str:
    """Such as `gain P 1 (task.kp1) has no effect while joint torque (task.torque) is none`."""
    fields, other = scenario.fields(), path
    while (condition := condition_of(other, fields)) and condition[0] in fields:
        other = condition[0]
        if matters(other, fields, scenario.get):
            break
    value = fields[other].in_words(str(scenario.get(other)))
    return f"{fields[path].label} ({path}) has no effect while {fields[other].label} ({other}) is {value}."
