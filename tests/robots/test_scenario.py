"""Scenarios: editing rules, files, and everything that is refused."""

from __future__ import annotations

import json
import os
import pickle
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.errors import ArmstepError, BadInput
from robots.model.registry import robots
from robots.model.segments import Pull, Segment
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.presets import find_scenario, presets
from robots.scenario.scenario import Scenario, new_scenario
from robots.simulation.phases import intervals

SWING = find_scenario("rr-swing")
TRACK = ((1.0, 1.0, 0.0, 2.0), (1.5, 0.5, 0.0, 2.0), (2.0, 0.0, 0.0, 3.0))


def numbers(path: str) -> st.SearchStrategy[float]:
    field = SWING.fields()[path]
    low, high = max(field.minimum, -1e6), min(field.maximum, 1e6)
    return st.floats(low, high, exclude_min=field.exclusive_minimum, allow_subnormal=False)


PATHS = [
    path
    for path, field in SWING.fields().items()
    if field.type is float and path.startswith(("robot.", "task.", "initial."))
]


@given(st.sampled_from(PATHS).flatmap(lambda path: st.tuples(st.just(path), numbers(path))))
def test_every_allowed_value_survives_the_file(change: tuple[str, float]) -> None:
    path, value = change
    edited = SWING.with_value(path, value)
    assert edited.get(path) == value
    again = Scenario.from_json(edited.to_json())
    assert again == edited
    assert again.hash() == edited.hash()
    assert (edited.hash() == SWING.hash()) == (value == SWING.get(path))


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.integers(),
        lambda c: st.lists(c) | st.dictionaries(st.text(), c),
    )
)
def test_any_json_in_any_field_is_accepted_or_refused_by_name(value: object) -> None:
    """No content of a file does anything but make a scenario or a BadInput."""
    data = json.loads(SWING.to_json())
    for name in data:
        with suppress(BadInput):
            assert Scenario.from_json(json.dumps({**data, name: value})).robot == "rr"


@given(st.text())
def test_any_text_is_accepted_or_refused(text: str) -> None:
    with pytest.raises(BadInput):
        Scenario.from_json(text)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("robot.m1", float("nan")),
        ("robot.m1", -1.0),
        ("robot.m1", 0.0),
        ("robot.m1", True),
        ("robot.m1", "heavy"),
        ("robot.m1", None),
        ("robot.m1", 10**400),
        ("robot.r1", 0.0),
        ("robot.J1", -0.1),
        ("initial.q1", float("inf")),
        ("step", 0.0),
        ("step", -0.01),
        ("step", float("nan")),
        ("step", 11.0),
        ("step", 1e-9),
        ("duration", 0.0),
        ("duration", -1.0),
        ("duration", 1e9),
        ("sampling", -1.0),
        ("sampling", 20.0),
        ("method", "rk44"),
        ("method", 4),
        ("controller", "magic"),
        ("task.torque", "nuclear"),
        ("robot.m3", 1.0),
        ("spin", 1.0),
        ("robot", "rrr"),
        ("options.depth", 3),
    ],
)
def test_refused(path: str, value: object) -> None:
    with pytest.raises(BadInput) as refusal:
        SWING.with_value(path, value)  # type: ignore[arg-type]
    named = path if path in SWING.fields() else "field"
    assert str(refusal.value).startswith(f"{named} must be ")
    assert re.fullmatch(r".+ must be .+, got .+", str(refusal.value))


@pytest.mark.parametrize(
    ("path", "value"),
    [("rtol", 1e-30), ("rtol", 2.0), ("rtol", -1e-6), ("rtol", float("nan")), ("atol", -1.0), ("atol", 1e9)],
)
def test_absurd_tolerances_are_refused(path: str, value: float) -> None:
    with pytest.raises(BadInput, match=path):
        SWING.with_values({"method": "dop853", path: value})


def test_refusals_suggest_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"did you mean 'robot\.m1'"):
        SWING.with_value("robot.mass1", 2.0)
    with pytest.raises(BadInput, match="did you mean 'dop853'"):
        SWING.with_value("method", "dop835")


def test_a_step_and_tolerances_exclude_each_other() -> None:
    tolerant = SWING.with_values({"method": "rkf45", "rtol": 1e-5})
    assert (tolerant.step, tolerant.rtol, tolerant.atol) == (None, 1e-5, 1e-9)
    fixed = tolerant.with_value("step", 0.02)
    assert (fixed.step, fixed.rtol, fixed.atol) == (0.02, None, None)
    absolute = fixed.with_value("atol", 1e-7)
    assert (absolute.step, absolute.rtol, absolute.atol) == (None, 1e-6, 1e-7)
    with pytest.raises(BadInput, match="not both"):
        tolerant.with_values({"step": 0.1, "atol": 1e-5})
    with pytest.raises(BadInput, match="dop853"):
        SWING.with_value("rtol", 1e-5)


def test_a_new_method_keeps_the_mode_if_it_can() -> None:
    assert SWING.with_value("method", "dop853").step == 0.01
    assert SWING.with_value("method", "euler").method == "rk1"
    tolerant = SWING.with_values({"method": "dop853", "rtol": 1e-8})
    assert tolerant.with_value("method", "rkf45").rtol == 1e-8
    back, remark = tolerant.edited({"method": "rk4"})
    assert back.step == 0.01
    assert "no step control" in remark
    assert back == Scenario.from_json(back.to_json())


@pytest.mark.parametrize(("alias", "key"), [("rkdp54", "dopri5"), ("tsit54", "tsit5"), ("euler", "rk1")])
def test_aliases_give_way_to_the_canonical_key(alias: str, key: str) -> None:
    """Files of earlier versions and `--set` may use an alias; what is written holds the key."""
    data = json.loads(SWING.to_json())
    old = Scenario.from_json(json.dumps({**data, "method": alias}))
    assert old.method == key
    assert old == SWING.with_value("method", key) == SWING.with_value("method", alias)
    assert json.loads(old.to_json())["method"] == key


@pytest.mark.parametrize(("preset", "key", "value"), [("e1", "deflection", "10"), ("hmmwv", "body", "frame")])
def test_what_only_changes_the_picture_changes_no_run(preset: str, key: str, value: str) -> None:
    usual = find_scenario(preset)
    drawn = usual.with_value(f"view.{key}", value)
    assert drawn != usual
    assert drawn.hash() == usual.hash()
    assert drawn.physics() == usual.physics()
    assert drawn == usual.with_value(f"task.{key}", value)
    assert drawn.with_value("duration", 0.1).alone().view[key] == value
    assert Scenario.from_json(drawn.to_json()) == drawn
    with pytest.raises(BadInput, match=rf"view\.{key} must be one of"):
        usual.with_value(f"view.{key}", "large")
    assert key not in drawn.with_value("robot", "rr").view


def test_older_names_of_fields_open() -> None:
    """Files and the command line may say "customised" for "specialised"."""
    data = json.loads(find_scenario("rr-swing").to_json())
    data["options"] = {"customised": True}
    data["segments"] = [{"at": 1.0, "changes": {"options.customised": False}}]
    old = Scenario.from_json(json.dumps(data))
    assert old.options == {"specialised": True}
    assert "customised" not in json.dumps(json.loads(old.to_json())["options"])
    assert old.with_value("options.customised", "no").options == {"specialised": False}
    data = json.loads(find_scenario("e12").with_value("task.forward", "linear").to_json())
    data["task"]["forward_customised"] = data["task"].pop("forward_specialised")
    assert Scenario.from_json(json.dumps(data)).task["forward_specialised"] is False


def test_older_files_have_looks_in_the_task() -> None:
    """They open as they were drawn; a change of the picture on the way is left out."""
    data = json.loads(find_scenario("hmmwv").to_json())
    del data["view"]["body"]
    data["task"]["body"] = "frame"
    data["segments"] = [
        {"at": 1.0, "changes": {"task.body": "full"}},
        {"at": 2.0, "changes": {"task.body": "full", "robot.bump": 0.1}},
    ]
    old = Scenario.from_json(json.dumps(data))
    assert old.view["body"] == "frame"
    assert old.segments == (Segment(2.0, {"robot.bump": 0.1}),)


def test_a_step_is_judged_by_the_duration_typed_with_it() -> None:
    longer = SWING.with_values({"duration": "20", "step": "15", "sampling": "12"})
    assert (longer.duration, longer.step, longer.sampling) == (20.0, 15.0, 12.0)
    with pytest.raises(BadInput, match=r"at most 1 s, got 1\.5"):
        SWING.with_values({"step": "1.5", "duration": "1"})
    with pytest.raises(BadInput, match=r"step must be .*, got 'soon'"):
        SWING.with_values({"step": "soon", "duration": "1"})


def test_numbers_may_be_texts_when_edited_and_in_files() -> None:
    wanted = SWING.with_values({"robot.m1": 2.0, "step": 2e-3})
    assert SWING.with_values({"robot.m1": "2", "step": "2e-3"}) == wanted
    data = json.loads(SWING.to_json())
    data["parameters"]["m1"], data["step"] = "1 + 1", "2 ms"
    assert Scenario.from_json(json.dumps(data)) == wanted
    data["parameters"]["m1"] = "two"
    with pytest.raises(BadInput, match=r"robot\.m1"):
        Scenario.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"version": True},
        {"parameter": {}},
        {"robot": None},
        {"segments": {}},
        {"segments": [{"at": 1.0, "jump": 2}]},
        {"segments": [{"at": -1.0}]},
        {"segments": [{"at": 1.0, "changes": {"duration": 3.0}}]},
        {"segments": [{"at": 1.0, "changes": {"robot.m1": -3.0}}]},
        {
            "segments": [
                {"at": 1.0, "pull": {"link": 7, "point": [0, 0, 0], "stiffness": 1, "damping": 1, "track": TRACK}}
            ]
        },
        {"segments": [{"at": 1.0, "pull": {"link": 1, "point": [0, 0], "stiffness": 1, "damping": 1, "track": TRACK}}]},
        {
            "segments": [
                {"at": 1.0, "pull": {"link": 1, "point": [0, 0, 0], "stiffness": 1, "damping": 1, "track": [TRACK[0]]}}
            ]
        },
        {
            "segments": [
                {"at": 1.0, "pull": {"link": 1, "point": [0, 0, 0], "stiffness": 1, "damping": 1, "track": TRACK[::-1]}}
            ]
        },
    ],
)
def test_foreign_files_are_refused(change: dict) -> None:
    data = json.loads(SWING.to_json()) | change
    with pytest.raises(BadInput):
        Scenario.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": "armstep-scenario"}', "[" * 100_000, '{"a": NaN}', '{"a": 1, "a": 2}']
)
def test_broken_files_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    with pytest.raises(BadInput):
        load_scenario(file)


def test_a_mark_before_the_text_and_half_a_character_are_no_trouble(tmp_path: Path) -> None:
    file, again = tmp_path / "a.json", tmp_path / "b.json"
    text = find_scenario("rr-swing").to_json().replace("Released", "\\ud800 Released")
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    scenario = load_scenario(file)
    assert scenario.notes.startswith("\ud800")
    save_scenario(scenario, again)
    assert load_scenario(again) == scenario


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_file_without_end_is_not_read_to_the_end() -> None:
    with pytest.raises(BadInput, match="32 MiB"):
        load_scenario(Path("/dev/zero"))


def test_what_is_protected_or_no_file_is_not_replaced(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "mine.json", tmp_path / "link.json", tmp_path / "pipe"
    save_scenario(SWING, file)
    link.symlink_to(file)
    heavier = SWING.with_value("robot.m1", 3.0)
    save_scenario(heavier, link)
    assert link.is_symlink()
    assert load_scenario(file) == heavier
    file.chmod(0o444)
    for place in (file, link):
        with pytest.raises(ArmstepError, match="write-protected; the old file is unchanged"):
            save_scenario(SWING, place)
    assert load_scenario(file) == heavier
    os.mkfifo(pipe)
    with pytest.raises(ArmstepError, match="not a regular file"):
        save_scenario(SWING, pipe)
    assert pipe.is_fifo()


def test_save_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.json"
    save_scenario(SWING, file)
    before = file.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArmstepError, match="the disk is full"):
        save_scenario(SWING.with_value("robot.m1", 3.0), file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]
    with pytest.raises(ArmstepError, match="cannot be written"):
        save_scenario(SWING, tmp_path / "missing" / "mine.json")


def test_segments_cut_the_run() -> None:
    pull = Pull(1, (0.5, 0.0, 0.0), 50.0, 5.0, TRACK)
    late, early = Segment(3.0, {"method": "dop853", "rtol": 1e-8}), Segment(1.0, pull=pull)
    scenario = replace(SWING, segments=(late, early))
    assert SWING.with_segments(late, early).segments == (early, late)
    phases = intervals(scenario)
    assert [(phase.start, phase.end) for phase in phases] == [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 10.0)]
    assert [phase.pull for phase in phases] == [None, pull, None, None]
    assert [phase.scenario.method for phase in phases] == ["rk4", "rk4", "rk4", "dop853"]
    assert phases[3].scenario.rtol == 1e-8
    assert Scenario.from_json(scenario.to_json()) == scenario
    with pytest.raises(BadInput, match="pull"):
        scenario.with_segments(early, Segment(1.2, pull=Pull(1, (0, 0, 0), 1.0, 1.0, ((1.2, 0, 0, 0), (3.0, 0, 0, 0)))))


def test_the_hash_is_stable_and_about_numbers_only() -> None:
    assert SWING.with_values({"title": "x", "notes": "y", "name": "z"}).hash() == SWING.hash()
    assert SWING.with_value("method", "rk8").physics() == SWING.physics()
    assert SWING.with_value("robot.g", 1.62).physics() != SWING.physics()
    forked = SWING.with_segments(Segment(3.0, {"method": "rk8"}))
    assert forked.physics() == SWING.physics()
    assert forked.hash() != SWING.hash()


def test_scenarios_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(SWING)) == SWING
    assert {SWING: 1}[Scenario.from_json(SWING.to_json())] == 1


def test_the_default_scenario() -> None:
    """The facts that the first screen stands on."""
    assert next(iter(presets())) == "rr-swing"
    assert all(SWING.parameters[key] == 1.0 for key in ("m1", "m2", "r1", "r2", "J1", "J2"))
    assert SWING.parameters["g"] == 9.81
    assert dict(SWING.initial) == {"q1": 0.0, "q2": 0.5, "v1": 0.0, "v2": 0.0}
    assert (SWING.method, SWING.step, SWING.duration) == ("rk4", 0.01, 10.0)


def test_presets_have_titles_and_one_sentence() -> None:
    for key, scenario in presets().items():
        assert scenario.name == key
        assert scenario.title
        assert 20 < len(scenario.notes) < 200, key


def test_fields_describe_themselves() -> None:
    for robot in robots():
        for path, field in new_scenario(robot).fields().items():
            assert field.label, path
            if field.type is float and path.startswith(("robot.", "task.", "initial.")):
                low, high = field.slider or (field.minimum, field.maximum)
                assert field.minimum <= low < high <= field.maximum, path


def test_a_duration_below_the_step_refuses_the_step() -> None:
    with pytest.raises(BadInput, match=r"^step must be above 0 and at most 0.001 s, got 0.01$"):
        SWING.with_value("duration", 1e-3)


def test_too_many_outputs_are_refused() -> None:
    with pytest.raises(BadInput, match="1e7"):
        SWING.with_value("sampling", 1e-8)
