"""The `scene` block of a lesson's step: named runs, and what the window shows of them."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from assets.counting import words_of
from assets.errors import BadInput
from assets.fields import SETTING
from robots.files.folder import Folder
from robots.lessons.beside import SUFFIXES, scenario_beside
from robots.lessons.expression import FUNCTIONS, PARTED, Use
from robots.lessons.lesson import LessonError, Scene, SceneRun, at_line
from robots.lessons.text_blocks import TextBlock
from robots.scenario.presets import PRESETS, find_preset
from robots.scenario.scenario import Scenario

MOST_RUNS = 24
SETTINGS = "plots", "speed", "hide"
MOST_LABEL = 40
_LINE = re.compile(r"([^\s:]+)(?:\s+\"([^\"]+)\")?\s*:\s*(.*)")
_CHANGE = re.compile(r"([^\s=]+)=(\[[^\]]*\]|\"[^\"]*\"|[^\s\"\[]\S*)(?:\s+|$)")
_BASE = re.compile(r"\"([^\"]+)\"|\S*")
_FORM = 'NAME ["LABEL"]: BASE [KEY=VALUE ...], such as fine "10 ms": rr-swing step=0.01'


class SceneReader:
    """Reads the scenes of one lesson; a run may be based on any run before it.

    Args:
        folder: where the files are that runs may be based on; None for none.

    Attributes:
        runs: every run so far by its name.
        families: the names of the runs of each family.
        files: those that runs are based on, as the lesson names them.
    """

    def __init__(self, folder: Folder | None = None) -> None:
        self._folder, self.files = folder, dict[str, Scenario]()
        self.runs: dict[str, SceneRun] = {}
        self.families: dict[str, tuple[str, ...]] = {}

    def read(self, block: TextBlock, before: Scene | None = None) -> Scene:
        """The scene in a block; without runs of its own it shows those of the scene `before` in another way.

        Raises:
            LessonError: for a line that cannot be used.
        """
        names: list[str] = []
        settings: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(block.lines, block.line + 1):
            written = line.split(" #")[0].strip()
            if not written or written.startswith("#"):
                continue
            found = _LINE.fullmatch(written)
            if not found:
                raise LessonError(number, str(BadInput("line", written[:80], _FORM)))
            if found[1] in SETTINGS:
                if found[1] in settings:
                    raise LessonError(number, f"{found[1]} must be given once")
                settings[found[1]] = number, found[3]
            else:
                with at_line(number):
                    names += self._add(found[1], found[2], found[3], number)
        hidden = self._hidden(settings.get("hide"))
        if not names and before is not None:
            names = [run.name for run in before.runs]
            hidden = hidden or {run.name for run in before.runs if not run.shown}
        if not names:
            raise LessonError(block.line, "the first scene must have a run: " + _FORM)
        shown = tuple(replace(self.runs[name], shown=name not in hidden) for name in names)
        if not any(run.shown for run in shown):
            raise LessonError(settings["hide"][0], "hide must leave one run to show")
        plots = words_of(settings.get("plots", (0, ""))[1])
        return Scene(block.line, shown, plots, _speed(settings.get("speed")))

    def named(self, name: str) -> tuple[str, ...]:
        """The runs that a name stands for: itself, or those of the family.

        Raises:
            BadInput: no run and no family has this name.
        """
        if name in self.families:
            return self.families[name]
        self.check([name], self.families)
        return (name,)

    def check(self, names: Iterable[str], also: Iterable[str] = ()) -> None:
        """Refuse a name that no run has.

        Raises:
            BadInput: with the nearest name.
        """
        for name in names:
            if name not in self.runs:
                raise BadInput("run", name, choices=[*self.runs, *also] or ["those of a scene"])

    def _add(self, name: str, label: str | None, text: str, line: int) -> list[str]:
        """Define the run or the family that one line describes; their names."""
        taken = name in self.runs or name in self.families
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,29}", name) or keyword.iskeyword(name) or name in (*FUNCTIONS, PARTED):
            raise BadInput("name", name, "small letters, digits and _, and no word of expressions", [*SETTINGS])
        if taken:
            raise BadInput("name", name, "a new one: runs keep their names in the whole lesson")
        if label is not None and len(label) > MOST_LABEL:
            raise BadInput("label", label, f"at most {MOST_LABEL} characters")
        base = _BASE.match(text)
        assert base is not None, "it also matches nothing"
        scenario = self._base(base[1] or base[0])
        changes, lists = _changes(text[base.end() :])
        if not lists:
            runs = [SceneRun(name, scenario.with_values(changes) if changes else scenario, line, label=label or name)]
        elif label is not None:
            raise BadInput("label", label, "that of one run: what differs names the runs of a list")
        else:
            path, values = lists
            runs = [
                SceneRun(f"{name}{k}", scenario.with_values({**changes, path: value}), line)
                for k, value in enumerate(values, 1)
            ]
            if again := [run.name for run in runs if run.name in self.runs]:
                raise BadInput("name", again[0], "a new one: runs keep their names in the whole lesson")
            self.families[name] = tuple(run.name for run in runs)
        self.runs |= {run.name: run for run in runs}
        if len(self.runs) > MOST_RUNS:
            raise BadInput("lesson", len(self.runs), f"at most {MOST_RUNS} runs")
        return [run.name for run in runs]

    def _base(self, key: str) -> Scenario:
        if key in self.runs:
            return self.runs[key].scenario
        if key in PRESETS:
            return find_preset(key).with_pins(())
        if self._folder is None or not key.lower().endswith(SUFFIXES):
            must = "a run named before, a preset (`armstep list scenarios`) or a file in the lesson's folder"
            raise BadInput("base", key, must, [*self.runs, *PRESETS.keys()])
        if key not in self.files:
            self.files[key] = scenario_beside(self._folder, key)
        return self.files[key]

    def _hidden(self, setting: tuple[int, str] | None) -> set[str]:
        if setting is None:
            return set()
        line, text = setting
        with at_line(line):
            return {run for name in words_of(text) for run in self.named(name)}


def with_uses(scene: Scene, uses: Iterable[Use], known: Mapping[str, SceneRun]) -> Scene:
    """The scene with the reference runs and the earlier runs that a step's expressions need."""
    own = {run.name: run for run in scene.runs}
    for use in uses:
        for name in use.runs:
            run = own.get(name) or replace(known[name], shown=False)
            exact = run.reference or bool(use.number and use.number.needs_reference)
            own[name] = replace(run, reference=exact)
    return replace(scene, runs=tuple(own.values()))


def _changes(text: str) -> tuple[dict[str, str], tuple[str, list[str]] | None]:
    """The fields that a line changes, and the one field that has a list of values, if any."""
    changes: dict[str, str] = {}
    lists: tuple[str, list[str]] | None = None
    rest = text.strip()
    while rest:
        found = _CHANGE.match(rest)
        if not found:
            raise BadInput("change", rest[:60], SETTING)
        key, value = found[1], found[2]
        if key in changes or (lists and lists[0] == key):
            raise BadInput(key, value, "given once")
        if value.startswith("["):
            values = [one.strip() for one in value[1:-1].split(",")]
            if lists or not all(values) or len(values) < 2:
                raise BadInput(key, value, "the only list, of two values or more")
            lists = key, values
        else:
            changes[key] = value.strip('"')
        rest = rest[found.end() :]
    return changes, lists


def _speed(setting: tuple[int, str] | None) -> float | None:
    if setting is None:
        return None
    try:
        speed = float(setting[1])
    except ValueError:
        speed = math.nan
    if not 0.001 <= speed <= 100.0:
        raise LessonError(setting[0], str(BadInput("speed", setting[1], "a number from 0.001 to 100")))
    return speed
