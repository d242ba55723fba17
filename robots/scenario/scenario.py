"""A Scenario: what to simulate, as plain frozen data that a person can edit field by field."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from assets.errors import BadInput
from assets.fields import Data, Field, Value, Values, complete
from robots.model.registry import FROM_FILE, find_robot, robot_of
from robots.model.robot import Robot
from robots.model.segments import Segment, check_pulls
from robots.model.setup import Setup
from robots.model.tree import Tree
from robots.scenario.ensemble import Ensemble
from robots.scenario.method_selection import (
    METHOD_PATHS,
    MODES,
    check_method,
    control_of,
    first_pull,
    keep_mode,
    settle_method,
    suited_method,
)
from robots.scenario.older_files import RENAMED, of_older_files
from robots.scenario.own_fields import DURATION, own_fields
from robots.scenario.paths import by_path, filled, present, unknown
from robots.scenario.text import from_text, plain_json, segment_data, to_text
from solvers.method_registry import find_method

if TYPE_CHECKING:
    from solvers.control import Control

_GROUPS = {"robot": "parameters", "task": "task", "initial": "initial", "options": "options", "view": "view"}
OF_A_ROBOT = ("camera", "camera_keys", "camera_path", "ride_on")
"""The part of a view that concerns only the scenario's own robot."""

FIELD_NAMES = (
    "name", "title", "robot", "model", "parameters", "task", "initial", *METHOD_PATHS[:1], "options", *METHOD_PATHS[1:],
    "duration", "sampling", "segments", "ensemble", "pins", "results", "view", "notes",
)  # fmt: skip
"""The fields in the order in which files have them."""

_PLAIN = (*METHOD_PATHS, "duration", "sampling", "name", "title", "notes", "robot")
_BESIDE = ("pins", "results")
_SILENT = ("name", "title", "notes", "ensemble", *_BESIDE, "view")
"""What decides nothing of a run's numbers."""


@dataclass(frozen=True)
class Scenario(Setup):
    """Everything that decides a run, and how a person likes to look at it.

    Paths such as `robot.m1`, `initial.q1`, `task.gain`, `options.order`, `step` name its fields; `fields()` lists them.
    Every instance is valid: the constructor fills in defaults and refuses what cannot be used.

    Attributes:
        name, title, notes: for people; `view` may hold any JSON.
        pins: the runs that stand beside it in the window, as JSON objects that have a `scenario`.
        results: what the window's tools have found, as JSON objects with `kind`, `name` and `data`.
        ensemble: runs around this one, with numbers drawn from distributions; None without them.

    Raises:
        BadInput: naming the field, its value and what is allowed.
    """

    name: str = ""
    title: str = ""
    notes: str = ""
    pins: tuple[Values, ...] = ()
    results: tuple[Values, ...] = ()
    ensemble: Ensemble | None = None

    def __post_init__(self) -> None:
        if self.model is not None and not isinstance(self.model, Tree):
            self._store("model", Tree.from_data(self.model))
        if (self.model is not None) != (self.robot == FROM_FILE):
            must = f"given with robot {FROM_FILE!r}, and only then"
            raise BadInput("model", "none" if self.model is None else f"robot {self.robot!r}", must)
        robot = robot_of(self)
        self._store("segments", tuple(s.checked(f"segments[{k}]", robot.pullable) for k, s in enumerate(self.segments)))
        check_pulls(self.segments)
        for group, declared in (("robot", robot.parameters), ("task", robot.task), ("initial", robot.initial)):
            self._store(_GROUPS[group], filled(group, declared, getattr(self, _GROUPS[group])))
        self._store("duration", DURATION.check("duration", self.duration))
        for name, value in settle_method(self).items():
            self._store(name, value)
        for path, declared in self.fields().items():
            if path in _PLAIN and path != "method":
                self._store(path, declared.check(path, getattr(self, path)))
        control_of(self)
        if self.sampling and self.duration / self.sampling > _MOST_OUTPUTS:
            allowed = f"0, or at least {self.duration / _MOST_OUTPUTS:g} s (at most 1e7 outputs)"
            raise BadInput("sampling", self.sampling, allowed)
        view = plain_json("view", self.view)
        self._store("view", MappingProxyType(view | complete("view", robot.looks, view)))
        for name in _BESIDE:
            if not isinstance(listed := getattr(self, name), list | tuple):
                raise BadInput(name, listed, "a list of objects")
            self._store(name, tuple(plain_json(name, {name: list(listed)})[name]))
        if self.ensemble is not None:
            self._store("ensemble", Ensemble.of(self.ensemble, self.fields(), robot.shaping))
        robot.check(self)
        self._check_segments(robot)

    # -- reading -------------------------------------------------------------------------------------------------------

    def get(self, path: str) -> Value:
        """The value of the field called `path`.

        Raises:
            BadInput: when there is no such field.
        """
        self._declared(path)
        group, _, key = path.rpartition(".")
        return getattr(self, _GROUPS[group])[key] if group else getattr(self, path)

    def fields(self) -> dict[str, Field]:
        """Every field that can be edited now, by path, with its limits for the present robot, method and duration."""
        return {**self._own_fields, **self._grouped_fields}

    @property
    def label(self) -> str:
        """Its name; without one, its robot's."""
        return self.name or self.robot

    def control(self) -> Control:
        """The step-size rule as `solvers` wants it: `FixedStep` or `Tolerance`."""
        return self._control

    def to_data(self) -> Data:
        """All values as JSON data."""
        return self._data({} if self.model is None else {"model": self.model.to_data()})

    def hash(self) -> str:
        """A stable name (hex) of everything that decides the run's numbers."""
        return self._hash

    def physics(self) -> Data:
        """What decides the exact solution, as JSON data: no method, step or tolerance."""
        robot = robot_of(self)
        data = self._data_of_numbers()
        kept = {key: data[key] for key in ("robot", "model", "parameters", "initial", "duration") if key in data}
        kept["task"] = {key: value for key, value in data["task"].items() if key not in robot.numerical}
        silent = {f"task.{key}" for key in robot.numerical}
        segments = []
        for segment in data["segments"]:
            changes = {
                path: value
                for path, value in segment.get("changes", {}).items()
                if path.startswith(("robot.", "task.")) and path not in silent
            }
            if changes or "pull" in segment:
                segments.append({**segment, "changes": changes})
        return {**kept, "segments": segments}

    # -- editing -------------------------------------------------------------------------------------------------------

    def with_value(self, path: str, value: Value) -> Scenario:
        """A copy in which the field `path` is `value`; see `with_values`."""
        return self.with_values({path: value})

    def with_values(self, changes: Mapping[str, Value]) -> Scenario:
        """A copy in which every field named in `changes` has its new value; see `edited`."""
        return self.edited(changes)[0]

    def edited(self, changes: Mapping[str, Value], earlier: Sequence[Scenario] = ()) -> tuple[Scenario, str]:
        """A copy in which every field named in `changes` has its new value, and a remark.

        A new robot brings its own defaults. A `step` clears the tolerances and the reverse. A new method without a step
        or tolerance keeps the way steps are chosen if it can; if not, it takes what the scenarios before had last
        (`earlier`, the latest first), and the remark says so; its own settings come back likewise, and so do the values
        of fields that a detour over another task had taken away. A task whose equations the method cannot integrate
        brings another method. Numbers may be given as texts.

        Raises:
            BadInput: for an unknown field, a refused value, or `step` together with a tolerance.
        """
        base, remark = self, ""
        changes = {RENAMED.get(path, path): value for path, value in changes.items()}
        if (near := self._with_numbers(changes)) is not None:
            return near, remark
        if changes.get("robot", self.robot) != self.robot:
            own = {*OF_A_ROBOT, *(item.key for item in robot_of(self).looks)}
            view = {key: value for key, value in self.view.items() if key not in own}
            base = replace(new_scenario(str(changes["robot"])), name=self.name, view=view)
        base = _reshaped(base, changes, earlier)
        method = find_method(str(changes.get("method", base.method)))
        declared = {**base.fields(), **by_path("options", method.options)}
        updates: Data = {}
        for given, value in changes.items():
            path = present(given, declared)
            if path not in declared:
                raise unknown(path, declared)
            if isinstance(value, str) and declared[path].type is not str:
                # The limits of a step are those of the new duration, which the copy checks.
                value = declared[path].read(value) if path in _PLAIN else declared[path].parse(path, value)
            group, _, key = path.rpartition(".")
            if group:
                name = _GROUPS[group]
                updates[name] = {**updates.get(name, getattr(base, name)), key: value}
            else:
                updates[path] = value
        tolerances = [path for path in ("rtol", "atol") if updates.get(path) is not None]
        if updates.get("step") is not None and not tolerances:
            updates |= {"rtol": None, "atol": None}
        elif tolerances and updates.get("step") is None:
            updates |= {"step": None}
        if "task" in updates and "method" not in changes:
            method, remark = suited_method(base, updates["task"], updates)
            updates["method"] = method.key
        if method.key != base.method:
            asked = [key.removeprefix("options.") for key in changes if key.startswith("options.")]
            before = next((one.options for one in earlier if one.method == method.key), {})
            updates["options"] = {**before, **{key: updates["options"][key] for key in asked}}
        if "options" in updates and not any(updates.get(path) is not None for path in MODES):
            method = method.configured(method.complete_options(updates["options"]))
            mode, change = keep_mode(base, method, {path: getattr(base, path) for path in MODES}, earlier)
            updates |= mode
            remark = " ".join(filter(None, (remark, change)))
        return replace(base, **updates), remark

    def with_segments(self, *segments: Segment) -> Scenario:
        """A copy with these segments instead, in the order of their times."""
        return replace(self, segments=tuple(sorted(segments, key=lambda segment: segment.at)))

    def with_pins(self, others: Iterable[Scenario]) -> Scenario:
        """A copy with `others` pinned beside it."""
        return replace(self, pins=tuple({"scenario": json.loads(one.alone().to_json())} for one in others))

    def alone(self) -> Scenario:
        """A copy without pinned runs and results, looked at in the standard way; how the robot is drawn stays."""
        looks = {item.key for item in robot_of(self).looks}
        kept = {key: value for key, value in self.view.items() if key in looks}
        plain = kept == self.view and not self.pins and not self.results
        return self if plain else replace(self, view=kept, pins=(), results=())

    def without_segments(self) -> Scenario:
        """A copy in which nothing changes during the run."""
        return replace(self, segments=()) if self.segments else self

    # -- files ---------------------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """The scenario file's text; `from_json` reads it back to an equal scenario."""
        return to_text(self.to_data())

    @staticmethod
    def from_json(text: str, where: str = "scenario file") -> Scenario:
        """The scenario in a file's text; `where` is the file's name in messages.

        Raises:
            BadInput: naming the field that is unknown, missing or refused.
        """
        return Scenario(**of_older_files(from_text(text, where, FIELD_NAMES)))

    # -- inside --------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        stepping = f"step {self.step:g} s" if self.step is not None else f"rtol {self.rtol:g}, atol {self.atol:g}"
        name = f"{self.name}: " if self.name else ""
        return f"<Scenario {name}{self.robot}, {self.method}, {stepping}, {self.duration:g} s>"

    def __hash__(self) -> int:
        return hash(self._hash)

    def __reduce__(self) -> tuple[object, ...]:
        return Scenario.from_json, (self.to_json(),)

    _control = cached_property(control_of)

    @cached_property
    def _hash(self) -> str:
        data = {name: value for name, value in self._data_of_numbers().items() if name not in _SILENT}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()

    @cached_property
    def _grouped_fields(self) -> dict[str, Field]:
        robot = robot_of(self)
        groups = {"initial": robot.initial, "robot": robot.parameters, "task": robot.task, "view": robot.looks}
        groups["options"] = find_method(self.method).options
        return {path: item for group, items in groups.items() for path, item in by_path(group, items).items()}

    _own_fields = cached_property(own_fields)

    def _data(self, model: Values) -> Data:
        """All values as JSON data, with that of the model."""
        model = {**model, **({"ensemble": self.ensemble.to_data()} if self.ensemble else {})}
        data = {name: getattr(self, name) for name in FIELD_NAMES if name not in ("model", "ensemble") or name in model}
        plain = {name: dict(value) for name, value in data.items() if isinstance(value, Mapping)}
        beside = {name: list(data[name]) for name in _BESIDE}
        return {**data, **plain, **model, **beside, "segments": [segment_data(one) for one in self.segments]}

    def _data_of_numbers(self) -> Data:
        return self._data({} if self.model is None else {"model": self.model.numbers})

    def _with_numbers(self, changes: Mapping[str, Value]) -> Scenario | None:
        """A copy with other numbers of the robot, task or initial state; None for other changes.

        Only the robot and the fields themselves judge such a number, so nothing else is checked again.
        """
        robot, groups = robot_of(self), dict[str, Data]()
        for path, value in changes.items():
            item, (group, _, key) = self._grouped_fields.get(path), path.partition(".")
            if item is None or item.type not in (int, float) or path in robot.shaping or self.segments:
                return None
            if isinstance(value, str) or group not in ("robot", "task", "initial"):
                return None
            name = _GROUPS[group]
            groups.setdefault(name, dict(getattr(self, name)))[key] = item.check(path, value)
        if not groups:
            return None
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__ | {name: MappingProxyType(group) for name, group in groups.items()})
        other.__dict__.pop("_hash", None)
        robot.check(other)
        return other

    def _declared(self, path: str) -> Field:
        declared = self.fields()
        if path not in declared:
            raise unknown(path, declared)
        return declared[path]

    def _check_segments(self, robot: Robot) -> None:
        now = self.without_segments()
        for k, segment in sorted(enumerate(self.segments), key=lambda item: item[1].at):
            for path in segment.changes:
                if path not in METHOD_PATHS and not path.startswith(("robot.", "task.", "options.")):
                    allowed = "robot.*, task.*, options.* or " + ", ".join(METHOD_PATHS)
                    raise BadInput(f"segments[{k}].changes", path, allowed, now.fields())
            after = now.with_values(segment.changes) if segment.changes else now
            if set(after.initial) != set(now.initial):
                changed = next(path for path in segment.changes if path in robot.shaping)
                raise BadInput(
                    f"segments[{k}].changes", changed, "left out: the coordinates cannot change during a run"
                )
            now = after
            if segment.changes:
                check_method(now, find_method(now.method), first_pull(self, segment.at))

    def _store(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


_MOST_OUTPUTS = 1e7


def new_scenario(robot: str = "rr") -> Scenario:
    """A scenario with all defaults of the robot called `robot`."""
    found = find_robot(robot)
    return Scenario(name=found.key, title=found.title, robot=found.key, **found.defaults)


def scenario_of(model: Tree, notes: str = "") -> Scenario:
    """A scenario with all defaults of a robot from a file."""
    robot = robot_of(Setup(FROM_FILE, model))
    return Scenario(name=model.name, title=robot.title, notes=notes, robot=FROM_FILE, model=model, **robot.defaults)


def _reshaped(base: Scenario, changes: Values, earlier: Sequence[Scenario] = ()) -> Scenario:
    """The scenario with the changes that decide which fields it has.

    Values of fields that are gone go with them; fields that come back have what the `earlier` scenarios had last.
    """
    groups: Data = {name: dict(getattr(base, name)) for name in ("parameters", "task", "initial")}
    for path in robot_of(base).shaping:
        if path in changes:
            group, _, key = path.partition(".")
            groups[_GROUPS[group]][key] = changes[path]
    robot = robot_of(Setup(base.robot, base.model, **groups))
    if robot is robot_of(base):
        return base
    for name, declared in (("parameters", robot.parameters), ("task", robot.task), ("initial", robot.initial)):
        known = {item.key for item in declared}
        alike = [getattr(one, name) for one in earlier if (one.robot, one.model) == (base.robot, base.model)]
        before = {key: value for one in reversed(alike) for key, value in one.items()}
        groups[name] = {key: value for key, value in {**before, **groups[name]}.items() if key in known}
    bare = replace(base, **groups, ensemble=None)
    return bare if base.ensemble is None else replace(bare, ensemble=base.ensemble.kept(bare.fields()))
