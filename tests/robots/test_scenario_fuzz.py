"""Scenario files that were damaged, by accident or on purpose: each one opens or is refused in a sentence."""

from __future__ import annotations

import json
import os
import random
from copy import deepcopy
from typing import Any

import pytest

import assets
from assets.errors import LONGEST_MESSAGE, ArmstepError, BadInput
from robots.model.segments import Pull, Segment
from robots.scenario.presets import presets
from robots.scenario.scenario import Scenario

MUTANTS = int(os.environ.get("ARMSTEP_MUTANTS", "3000"))
"""So many files are tried; more on request."""

HUGE = 10**400
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1.5, 1e308, -1e308, 5e-324, HUGE, -HUGE, "", "none", "nan", "\ud800", "\0", "x" * 5000,
    [], {}, [[]], [None] * 4, {"": {}}, {"robot": {}}, "rk4", "rr", "task.form", 10**30, [HUGE, 0, 0], "1e999", -0.0,
]  # fmt: skip


def forked(scenario: Scenario) -> Scenario:
    """With a change and a pull on the way, where the robot has room for them."""
    pull = Pull(1, (1.0, 0.0, 0.0), 50.0, 5.0, ((0.1, 1.0, 0.0, 2.0), (0.2, 0.5, 0.0, 2.0)))
    try:
        return scenario.with_segments(Segment(0.1, pull=pull), Segment(0.2, {"method": "dopri5"}))
    except BadInput:
        return scenario


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key or index) in a JSON value."""
    keys = list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [(data, key) for key in keys] + [place for key in keys for place in places(data[key])]


def mutant(source: random.Random, texts: list[str]) -> str:
    """One of the texts with a few values replaced, moved or dropped, or with a few characters changed."""
    text = source.choice(texts)
    if source.random() < 0.2:
        characters = list(text)
        for _ in range(source.randint(1, 4)):
            k = source.randrange(len(characters))
            characters[k : k + source.randint(0, 3)] = source.choice(
                ['"', "{", "}", "[", ",", "9" * 400, "e", "-", "\0", ""]
            )
        return "".join(characters)
    data = json.loads(text)
    for _ in range(source.randint(1, 3)):
        where = places(data)
        container, key = source.choice(where)
        action = source.random()
        if action < 0.6:
            container[key] = deepcopy(source.choice(STRANGE))
        elif action < 0.75:
            other, name = source.choice(where)
            container[key] = json.loads(json.dumps(other[name]))
        elif action < 0.9 or not isinstance(container, dict):
            del container[key]
        else:
            container[source.choice(["at", "pull", "tableau", "q1", "extra"])] = deepcopy(source.choice(STRANGE))
    return json.dumps(data)


def test_a_damaged_file_opens_or_is_refused_in_a_sentence() -> None:
    source = random.Random(11)
    texts = [assets.read_text(f"scenarios/{key}.json") for key in presets()]
    texts += [forked(scenario).to_json() for scenario in presets().values()]
    opened, refusals = 0, set[str]()
    for _ in range(MUTANTS):
        text = mutant(source, texts)
        try:
            scenario = Scenario.from_json(text)
        except ArmstepError as refusal:
            refusals.add(str(refusal))
            continue
        opened += 1
        assert Scenario.from_json(scenario.to_json()) == scenario
        assert len(scenario.hash()) == 64
    assert 0.05 * MUTANTS < opened < 0.95 * MUTANTS
    assert max(map(len, refusals)) <= LONGEST_MESSAGE
    assert not [refusal for refusal in refusals if "\n" in refusal]


@pytest.mark.parametrize("value", [HUGE, -HUGE])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("robot.m1", '"parameters": {"m1": VALUE}'),
        ("initial.q1", '"initial": {"q1": VALUE}'),
        ("step", '"step": VALUE'),
        ("duration", '"duration": VALUE'),
        ("options.order", '"method": "taylor", "options": {"order": VALUE}'),
        ("options.newton_tolerance", '"method": "radau5", "options": {"newton_tolerance": VALUE}'),
        ("segments[0].at", '"segments": [{"at": VALUE}]'),
        ("robot.m1", '"segments": [{"at": 1.0, "changes": {"robot.m1": VALUE}}]'),
    ],
)
def test_a_number_of_400_digits_is_refused_by_name(path: str, text: str, value: int) -> None:
    text = '{"format": "armstep-scenario", "version": 1, "robot": "rr", ' + text.replace("VALUE", str(value)) + "}"
    with pytest.raises(BadInput, match="digits") as refusal:
        Scenario.from_json(text)
    assert refusal.value.what == path


@pytest.mark.parametrize("part", ["point", "track", "stiffness", "link"])
def test_a_pull_of_400_digits_is_refused_by_name(part: str) -> None:
    parts = {"link": 0, "point": [1, 0, 0], "stiffness": 1, "damping": 1, "track": [[1, 0, 0, 0], [2, 0, 0, 0]]}
    huge = {"point": [HUGE, 0, 0], "track": [[1, 0, 0, 0], [2, HUGE, 0, 0]]}.get(part, HUGE)
    pull = {**parts, part: huge}
    data = {"format": "armstep-scenario", "version": 1, "robot": "rr", "segments": [{"at": 1, "pull": pull}]}
    with pytest.raises(BadInput, match="digits") as refusal:
        Scenario.from_json(json.dumps(data))
    assert refusal.value.what.startswith(f"segments[0].pull.{part}")
