"""What is prepared: a batch is a robot with the methods of one family, on all presets of the robot."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

from assets.errors import BadInput
from assets.fields import Value
from assets.imports import ROOT, needed
from robots.model.registry import FROM_FILE, robot_of
from robots.scenario.method_selection import suitable_methods
from robots.scenario.presets import FIRST, find_preset, presets
from robots.scenario.scenario import Scenario
from robots.simulation.simulate import load, simulate
from solvers.method import Method
from solvers.method_registry import find_method

STEPS = 24
"""Long enough for the start of every multi-step method."""

ENOUGH = 0.1
"""A run is stopped after this time once its kernels are ready [s]."""

LIKE_FILES = "panda"
"""The robot whose batches make arms from a person's files ready: all such arms share their kernels."""

SHARED = ("solvers.batch.kernels", "solvers.kernels.callbacks")
"""Modules that every batch compiles, too: ensembles and maps, and a person's functions (`armstep.solve_ivp`)."""

BYTES_PER_EFFORT = 250
"""Of kernels that no batch before has compiled: loading a batch that is compiled already takes as long."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One piece of preparation.

    Attributes:
        robot: the robot's key.
        family: the module of the methods.
    """

    robot: str
    family: str


def batch_of(robot: str, method: str) -> Batch:
    """The batch that makes a robot ready for a method."""
    return Batch(LIKE_FILES if robot == FROM_FILE else robot, _family(find_method(method)))


@cache
def batches() -> tuple[Batch, ...]:
    """All batches by priority: the first preset's, those of the other presets, the rest."""
    robots = list(dict.fromkeys(preset.robot for preset in presets().values()))
    own = [batch_of(preset.robot, preset.method) for preset in presets().values()]
    rest = [
        Batch(robot, family)
        for robot in robots
        for preset in presets().values()
        if preset.robot == robot
        for family in dict.fromkeys(map(_family, suitable_methods(preset).values()))
    ]
    first = presets()[FIRST]
    return tuple(dict.fromkeys([batch_of(first.robot, first.method), *own, *rest]))


def efforts(wanted: tuple[Batch, ...]) -> dict[Batch, int]:
    """The relative duration of each batch, if they are done in this order."""
    found, known = dict[Batch, int](), set[Path]()
    for batch in wanted:
        new = {file for file in sources(batch) if "kernels" in (file.stem, file.parent.name)} - known
        known |= new
        found[batch] = 1 + sum(file.stat().st_size for file in new) // BYTES_PER_EFFORT
    return found


def scenarios(batch: Batch) -> Iterator[Scenario]:
    """Each preset of the robot with methods that stand for all of the family, without and with step control.

    With the preset's own method also each choice of its task that no preset makes: it may need kernels of its own.
    """
    own_presets = [preset for preset in presets().values() if preset.robot == batch.robot]
    made = {choice for preset in own_presets for choice in preset.task.items()}
    for preset in own_presets:
        # Methods of one class share their kernels.
        kinds: dict[tuple[type, bool], str] = {}
        for key, method in suitable_methods(preset).items():
            if _family(method) == batch.family:
                kinds.setdefault((type(method), method.adaptive), key)
        own = {preset.method} if batch_of(preset.robot, preset.method) == batch else set()
        for key in sorted({*kinds.values(), *own}):
            method = find_method(key)
            modes: list[dict[str, Value]] = [{}]
            if method.fixed_step and method.adaptive:
                modes = [{"step": preset.duration / 1000}, {"rtol": 1e-6, "atol": 1e-9}]
            for mode in modes:
                changes: dict[str, Value] = {"method": key, **mode}
                yield preset.edited(changes)[0]
        for field in robot_of(preset).task if own else ():
            for choice in [choice for choice in field.choices if (field.key, choice) not in made]:
                with suppress(BadInput):  # a choice that does not suit this preset
                    yield preset.with_value(f"task.{field.key}", choice)
                    made.add((field.key, choice))


def prepare(batch: Batch) -> None:
    """Load or compile all that the batch needs. A run may fail numerically: its kernels are compiled all the same.

    Raises:
        ValueError: no preset belongs to this batch.
    """
    for name in SHARED:
        import_module(name)
    wanted = list(scenarios(batch))
    if not wanted:
        raise ValueError(f"{batch} has no scenarios")
    for scenario in wanted:
        try:
            load(scenario)
        except BadInput:  # a choice that does not go with this preset's other ones
            continue
        longest = scenario.duration / 100
        span = longest if scenario.step is None else min(STEPS * scenario.step, scenario.duration)
        enough = time.monotonic() + ENOUGH
        short = replace(scenario, segments=(), duration=span)
        run = simulate(short, cancel=lambda enough=enough: time.monotonic() > enough, repeat=False)
        run.to_dict()
        run.tip(run.output_times)
        _ = run.eigenvalues, run.extent


@cache
def sources(batch: Batch) -> frozenset[Path]:
    """The files that decide what the batch compiles: its robot and methods with all that they import, its presets."""
    own = [file for file, robot, _ in _preset_files() if robot == batch.robot]
    methods = [method for _, robot, method in _preset_files() if robot == batch.robot]
    # The class of an arm from a file belongs to no module.
    modules = {base.__module__ for file in own[:1] for base in type(robot_of(find_preset(file.stem))).mro()}
    files = [Path(str(sys.modules[name].__file__)) for name in modules - sys.stdlib_module_names]
    shared = [ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in SHARED]
    roots = [_family_file(batch.family, own), *files, *shared]
    # A specialised kernel contains the coefficients.
    tableaux = [ROOT / "assets" / kind / f"{method}.json" for method in methods for kind in ("tableaux", "implicit")]
    data = [file for file in (*own, *tableaux) if file.is_file()]
    return frozenset(data).union(*(needed(root, lazily=True) for root in roots if root.is_file()))


@cache
def _preset_files() -> tuple[tuple[Path, str, str], ...]:
    """The file, robot and method of each preset; to read only that is much faster than to make scenarios."""
    files = sorted((ROOT / "assets" / "scenarios").glob("*.json"))
    read = ((file, json.loads(file.read_text(encoding="utf-8"))) for file in files)
    return tuple((file, data["robot"], data["method"]) for file, data in read)


def _family_file(family: str, own: list[Path]) -> Path:
    """Where the methods of a family are; all methods are read only for one of a plugin."""
    file = ROOT / "solvers" / "methods" / f"{family}.py"
    if not file.is_file():
        offered = [method for one in own for method in suitable_methods(find_preset(one.stem)).values()]
        modules = {type(method).__module__ for method in offered}
        file = next((Path(str(sys.modules[name].__file__)) for name in modules if name.endswith(f".{family}")), file)
    return file


def _family(method: Method) -> str:
    return type(method).__module__.rpartition(".")[2]
