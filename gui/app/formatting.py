"""Numbers, scenarios and errors in words, for legends, tables and the status bar.

`degrees` says everywhere whether the angles of a scenario are written in degrees, as its fields show them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from assets.counting import capital, counted
from assets.errors import ArmstepError, BadInput
from assets.fields import matters
from gui.app.forks import in_force
from gui.app.units import Unit, digits_set, instant, number_text, quantity, scientific
from robots.model.quantities import error_parts, spelled
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from assets.fields import Field
    from robots.model.segments import Segment
    from robots.sweeps.work_precision import Point

FEW_CELLS = 2
"""So many changed coefficients of a tableau are named; of more their number is said."""

LEAST_DIGITS = 4
"""Of a field's value, which may be an angle in degrees or radians."""

ORIENTATION = {"orientation": "sine", "orientation_angle": "angle"}
"""By which measure an orientation's error compares."""

PEOPLE = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)+\b(?: (?=\d))?")
"""After whom a method is called, if there are several."""

ORDER = re.compile(r" \d\S*$")
"""At the end of a method's name: `5`, `4(3)`."""

ERROR_NAMES = {
    "reference_q": "joint angles",
    "reference_q_m": "sliding joints",
    "log_q": "joint angles",
    "log_q_m": "sliding joints",
    "reference_motor": "motor angles",
    "reference_u": "motor torques",
    "position": "tool position",
    **{key: f"orientation ({measure})" for key, measure in ORIENTATION.items()},
    "tool": "tool position",
    "constraint_m": "position constraints",
    "constraint_m_s": "velocity constraints",
}
"""What an error compares, by its key without the unit, or by all of it."""


def refusal_text(refusal: ArmstepError, fields: Mapping[str, Field], degrees: bool) -> str:
    """A refusal with the label, unit and choices that the window shows, not the field's key and SI unit.

    Args:
        refusal: as it was raised.
        fields: those that it may name, by path.
        degrees: angles are shown in degrees.
    """
    field = fields.get(refusal.what) if isinstance(refusal, BadInput) else None
    if field is None or not isinstance(refusal, BadInput):
        return str(refusal)
    unit = Unit.of(field.unit, degrees)
    name_of = name_of_typed if refusal.such_as is not None else field.label_of
    why = unit.why_not(refusal.value) if isinstance(refusal.value, str) and field.type in (int, float) else ""
    return refusal.sentence(capital(field.label), unit.symbol, unit.per_si, name_of) + why


def method_name(scenario: Scenario) -> str:
    """The method's name for people."""
    from robots.scenario.method_selection import method_of

    return method_of(scenario).name


def initials(name: str) -> str:
    """The name with the initials of several people: `RK4, step 10 ms` for `Runge-Kutta 4, step 10 ms`."""
    return PEOPLE.sub(lambda found: "".join(part[0] for part in found[0].strip().split("-")), name)


def without_brackets(names: Sequence[str]) -> list[str]:
    """The names without their remarks, `Runge-Kutta 4` for `Runge-Kutta 4 (classical)`, unless those set some apart."""
    bare = [name.partition(" (")[0] for name in names]
    return bare if len(set(bare)) == len(set(names)) else list(names)


def short_names(names: Sequence[str]) -> list[str]:
    """The names without their remarks, and with the initials of several people: `RK4`, `Explicit midpoint`, `AB4`."""
    return [initials(name) for name in without_brackets(names)]


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, followed by a number if it is taken: `Coarse (2)`."""
    names = (name, *(f"{name} ({count})" for count in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)


def one_name(name: str) -> str:
    """A method's name with at most one of its other names in brackets, unless another method has that name, too."""
    short = _with_first(name)
    return name if short != name and short in _of_several() else short


def _with_first(name: str) -> str:
    first, comma, _ = name.partition(", ")
    return f"{first})" if comma and first.count("(") > first.count(")") else name


@cache
def _of_several() -> frozenset[str]:
    from solvers.method_registry import methods

    count = Counter(_with_first(method.name) for method in methods().values())
    return frozenset(name for name, number in count.items() if number > 1)


def says_method(text: str, name: str) -> bool:
    """Whether a text names the method called `name`: a part is its end, or one of its forms is there in whole words.

    A form that several methods have names none of them.
    """
    said, whole = (words.lower().replace("-", " ") for words in (text, name))
    if any(" " in part and f" {whole}".endswith(f" {part}") for part in (said, *said.split(", "))):
        return True
    own = (form for form in _forms(name) if form == whole or form not in _forms_of_several())
    return any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", said) for form in own)


def _forms(name: str) -> frozenset[str]:
    """How a method may be called: in full, with one other name, with none, by initials, and without its order."""
    short = name.partition(" (")[0]
    forms = name, _with_first(name), short, initials(short), ORDER.sub("", short)
    return frozenset(form.lower().replace("-", " ") for form in forms)


@cache
def _forms_of_several() -> frozenset[str]:
    from solvers.method_registry import methods

    count = Counter(form for method in methods().values() for form in _forms(method.name))
    return frozenset(form for form, number in count.items() if number > 1)


def point_name(point: Point) -> str:
    """The name for people of a measured run's method, with the options that are not the defaults."""
    if point.method == "own":
        return point.label.removeprefix(f"{point.method} ")
    return one_name(method_name(point.scenario)) + point.label.removeprefix(point.method)


@lru_cache(maxsize=64)
def setting(scenario: Scenario, degrees: bool = True) -> str:
    """How the step is chosen, `step 10 ms` or `rtol 1e-6, atol 1e-9`, and what changes during the run."""
    return _changed_setting(scenario, degrees) + _pulled(scenario)


def _pulled(scenario: Scenario) -> str:
    pulls = [segment.pull for segment in scenario.segments if segment.pull is not None]
    return f", pulled from {instant(min(pull.start for pull in pulls))}" if pulls else ""


def _changed_setting(scenario: Scenario, degrees: bool) -> str:
    changes = sorted((part for part in scenario.segments if part.changes), key=lambda part: part.at)
    if not changes:
        return _first_setting(scenario)
    what = f"{len(changes)} changes" if len(changes) > 1 else _changes(scenario, changes[0], degrees)
    return f"{_first_setting(scenario)}, then {what} from {instant(changes[0].at)}"


def _changes(
    scenario: Scenario, segment: Segment, degrees: bool, apart: Mapping[str, str] = MappingProxyType({})
) -> str:
    """What a segment changes: `Runge-Kutta 4 (classical), mass 1 = 2 kg`; `apart` as for `segments`."""
    from solvers.tableaux.own_tableau import WHAT

    now = in_force(scenario, segment.at)
    declared, changes = now.fields(), dict(segment.changes)
    found = []
    if WHAT in changes:
        # The tableau is the method.
        before = in_force(
            scenario.with_segments(*(one for one in scenario.segments if one.at < segment.at)), segment.at
        )
        words = apart.get(str(changes[WHAT]))
        found.append(f"{method_name(now)} with {words}" if words else _own_method(before, now))
        changes = {path: value for path, value in changes.items() if path not in ("method", WHAT)}
    elif "method" in changes:
        found.append(one_name(method_name(now)))
        del changes["method"]
    found += [
        f"{declared[path].label} = {field_value(declared[path], value, degrees)}" for path, value in changes.items()
    ]
    return ", ".join(found)


def _own_method(before: Scenario, now: Scenario) -> str:
    """What one's own method becomes: its name, and if that is what it was, how its tableau differs from the one before.

    A few coefficients are named, of more their number: `Mine with weight b1 = 1/4`, `Mine with 5 other coefficients`.
    """
    from solvers.tableaux.own_tableau import KEY, cell_words, from_text

    name = method_name(now)
    if before.method != KEY or method_name(before) != name:
        return name
    old, new = (from_text(str(one.options["tableau"])) for one in (before, now))
    if old.stages != new.stages:
        return f"{name} with {counted(new.stages, 'stage')}"
    was = old.entries()
    other = {cell: text for cell, text in new.entries().items() if was.get(cell) != text}
    if len(other) > FEW_CELLS:
        return f"{name} with {counted(len(other), 'other coefficient')}"
    words = [f"{cell_words(cell)} = {text}" for cell, text in other.items()]
    words += ["no error estimate"] * (new.b_error is None and old.b_error is not None)
    return f"{name} with {', '.join(words)}" if words else name


def name_of_key(key: object) -> str:
    """The name of the method with this key."""
    from solvers.method_registry import find_method

    return one_name(find_method(str(key)).name)


def name_of_typed(key: str) -> str:
    """The name of the method with this key, or the text itself, if no method has it."""
    from solvers.method_registry import is_method

    return name_of_key(key) if is_method(key) else key


def _first_setting(scenario: Scenario) -> str:
    from robots.scenario.method_selection import method_of

    if scenario.step is not None:
        return f"step {quantity(scenario.step, 's', None)}"
    parts = [("rtol", scenario.rtol), ("atol", scenario.atol)]
    text = ", ".join(f"{name} {number_text(value)}" for name, value in parts if value is not None)
    if scenario.controller == "pi" or not method_of(scenario).controllable:
        return text
    return f"{text}, {scenario.fields()['controller'].label_of(scenario.controller)}"


def label_of(scenario: Scenario, path: str) -> str:
    """The name of a field on the screen."""
    return scenario.fields()[path].label if path in scenario.fields() else path


def unit_of(scenario: Scenario, path: str) -> Unit:
    """The unit in which a field's values are shown."""
    declared = scenario.fields().get(path)
    return Unit.of(declared.unit if declared else "")


def field_value(field: Field, value: object, degrees: bool = True, digits: int | None = None) -> str:
    """A field's value with the unit in which the field is shown; exactly where a few digits do that.

    With `digits` numbers have so many, and texts are as exact as those who tell values apart need them.
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        unit = Unit.of(field.unit, degrees)
        shown = value if unit.per_si == 1.0 else value * unit.per_si
        return quantity(shown, unit.symbol, digits or max(digits_set(shown), LEAST_DIGITS))
    if value is None:
        return "none"
    return field.in_words(str(value), exactly=digits is not None)


def differences(
    scenario: Scenario, other: Scenario, degrees: bool = True, but: Collection[str] = ()
) -> tuple[str, ...]:
    """How `scenario` differs from `other` besides method, step and the fields `but`: `mass 1 = 2 kg`."""
    if not scenario.same_robot(other):
        from robots.model.registry import robot_of

        return (robot_of(scenario).title,)
    found = []
    fields = scenario.fields()
    for path, field in fields.items():
        if path.startswith(("robot.", "task.", "initial.")) or path == "duration":
            value = scenario.get(path)
            if path not in but and value != other.get(path) and matters(path, fields, scenario.get):
                found.append(f"{field.label} = {field_value(field, value, degrees)}")
    if scenario.segments != other.segments and setting(scenario) == setting(other):
        alike = segments(scenario, degrees) == segments(other, degrees)
        found.append(segments(scenario, degrees, tableaux_apart((scenario, other)) if alike else {}))
    return tuple(found)


def segments(scenario: Scenario, degrees: bool = True, apart: Mapping[str, str] = MappingProxyType({})) -> str:
    """What changes during the run, in words.

    Args:
        scenario: whose changes.
        degrees: angles are written in degrees.
        apart: by text of a typed tableau, what sets it apart from others of its name.
    """
    if not scenario.segments:
        return "no changes during the run"
    return "; ".join(segment_text(scenario, index, degrees, apart) for index in range(len(scenario.segments)))


def tableaux_apart(scenarios: Sequence[Scenario]) -> dict[str, str]:
    """By text of the tableaux to which the scenarios change on the way, what sets each apart from the others."""
    from solvers.tableaux.apart import words_apart
    from solvers.tableaux.own_tableau import WHAT

    changes = (dict(segment.changes) for scenario in scenarios for segment in scenario.segments)
    return words_apart(list(dict.fromkeys(str(change[WHAT]) for change in changes if WHAT in change)))


def segment_text(
    scenario: Scenario, index: int, degrees: bool = True, apart: Mapping[str, str] = MappingProxyType({})
) -> str:
    """One segment in words: `from 2.000 s: Runge-Kutta 4 (classical), mass 1 = 2 kg`; `apart` as for `segments`."""
    segment = scenario.segments[index]
    parts = [_changes(scenario, segment, degrees, apart)] if segment.changes else []
    if segment.pull is not None:
        parts.append(f"pulled until {instant(segment.pull.end)}")
    return f"from {instant(segment.at)}: " + ", ".join(parts)


def error_unit(key: str, scenario: Scenario | None = None) -> str:
    """The unit of the error called `key`: its ending, unless the scenario's robot has another."""
    from robots.model.registry import robot_of

    quantity, ending = error_parts(key)
    own = robot_of(scenario).error_units if scenario is not None else {}
    return own.get(quantity, spelled(ending))


def error_text(key: str, value: float, scenario: Scenario | None = None) -> str:
    """An error with its unit: `3.2e-5 rad`."""
    return scientific(value, error_unit(key, scenario))


def error_name(key: str, scenario: Scenario | None = None) -> str:
    """What the error called `key` compares, in the words of the scenario's robot if it has any: `joint angles`."""
    from robots.model.registry import robot_of

    name = error_parts(key)[0] or key
    own = robot_of(scenario).error_names if scenario is not None else {}
    return own.get(name) or ERROR_NAMES.get(key) or ERROR_NAMES.get(name, name.replace("_", " "))


def error_against(key: str) -> str:
    """What the error called `key` is measured against; empty for what must be zero."""
    if key.startswith("reference"):
        return "the reference"
    if key.startswith("log"):
        return "the log"
    if key.startswith(("position", "orientation", "tool")):
        return "the desired path"
    return "its initial value" if key.startswith("energy") else ""


def kept_name(key: str, scenario: Scenario | None = None) -> str:
    """What an error that is measured against nothing shows: `Drift of the energy`; empty for the others."""
    if error_against(key):
        return ""
    constraint = error_parts(key)[0] == "constraint"
    return "Constraint residual" if constraint else f"Drift of {error_name(key, scenario)}"


def error_title(key: str, scenario: Scenario | None = None) -> str:
    """The error called `key` in full: `joint angles against the reference`."""
    name, other = error_name(key, scenario), error_against(key)
    return f"{name} against {other}" if other else name
