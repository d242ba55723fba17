"""Every refusal says "NAME must be ..., got VALUE", on the command line with keys, in the window with labels."""

from __future__ import annotations

import json
import math
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assets.counting import capital
from assets.errors import (
    FEWEST_HIDDEN,
    LONGEST_MESSAGE,
    MOST_NAMED,
    ArmstepError,
    BadInput,
    Range,
    nearest,
    one_of,
)
from gui.app.session.session import Session
from robots.export.as_python import as_python
from robots.model.registry import robots
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from solvers.method_registry import methods

SWING = find_preset("rr-swing")


def refusal(changes: dict[str, object]) -> str:
    with pytest.raises(BadInput) as refused:
        SWING.with_values(changes)  # type: ignore[arg-type]
    return str(refused.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"robot.m1": -1.0}, "robot.m1 must be above 0 kg, got -1"),
        ({"robot.m1": "-1"}, "robot.m1 must be above 0 kg, got -1"),
        ({"robot.m1": "heavy"}, "robot.m1 must be a number above 0 and at most 10000 kg, got 'heavy'"),
        ({"robot.m1": math.nan}, "robot.m1 must be a number above 0 and at most 10000 kg, got nan"),
        ({"robot.m1": 1e9}, "robot.m1 must be above 0 and at most 10000 kg, got 1000000000"),
        ({"step": 0.0}, "step must be above 0 and at most 10 s, got 0"),
        ({"controller": "pid"}, "controller must be one of pi, elementary, paper, got 'pid'; did you mean 'pi'?"),
        ({"options.specialised": 3}, "options.specialised must be true or false, got 3"),
    ],
)
def test_a_refusal_names_the_key_the_requirement_and_the_value(changes: dict[str, object], sentence: str) -> None:
    assert refusal(changes) == sentence


@pytest.mark.parametrize("more", [1, FEWEST_HIDDEN - 1, FEWEST_HIDDEN, 60])
def test_a_list_of_choices_hides_several_of_them_or_none(more: int) -> None:
    """It hid the last of 13 commands behind a longer remark."""
    names = [f"name{k:02}" for k in range(MOST_NAMED + more)]
    said = one_of(names)
    hidden = [name for name in names if name not in said]
    assert len(hidden) == (0 if more < FEWEST_HIDDEN else more)
    assert said.endswith(f", ... ({len(names)} in all)") == bool(hidden)
    assert str(BadInput("command", "nonsense", choices=names)) == f"command must be {said}, got 'nonsense'"


@pytest.mark.parametrize(
    ("changes", "meant"),
    [({"m1": 2.0}, "robot.m1"), ({"method": "dopri"}, "dopri5"), ({"robot": "rrr"}, "rr"), ({"stepp": 1.0}, "step")],
)
def test_the_nearest_name_is_suggested(changes: dict[str, object], meant: str) -> None:
    assert refusal(changes).endswith(f"did you mean '{meant}'?")


@pytest.mark.parametrize(
    ("changes", "refused"),
    [({"method": "nothing"}, "method"), ({"spin": 1.0}, "field"), ({"options.depth": 3}, "field")],
)
def test_nothing_is_suggested_where_nothing_is_near(changes: dict[str, object], refused: str) -> None:
    said = refusal(changes)
    assert said.startswith(f"{refused} must be ")
    assert "did you mean" not in said


def test_a_missing_value_is_nothing() -> None:
    assert str(BadInput("model", None, "a tree")) == "model must be a tree, got nothing"


def test_the_beginning_of_a_name_is_enough() -> None:
    assert nearest("adams", ["rk4", "adams-pece"]) == "adams-pece"


def test_a_method_without_an_error_estimate_says_that_a_tolerance_does_not_apply() -> None:
    said = refusal({"rtol": 1e-6})
    assert (
        "rtol must be left out: Runge-Kutta 4 (classical) has no error estimate; choose a method that has one" in said
    )
    assert "`armstep list methods`" in said


def test_a_window_names_methods_where_the_command_line_has_their_keys() -> None:
    with pytest.raises(BadInput) as refused:
        find_preset("e1").with_values({"method": "rk4"})
    assert "such as " in str(refused.value)
    assert str(refused.value).endswith("(`armstep list methods` shows all), got 'rk4'")
    names = {key: method.name for key, method in methods().items()}
    said = refused.value.sentence("Method", name_of=names.__getitem__)
    assert said.startswith("Method must be one that can solve these equations, such as ")
    assert said.endswith(f", got {names['rk4']!r}")
    assert "`" not in said
    assert not any(f" {key}," in said or f" {key} or" in said for key in names)


def test_a_window_says_what_was_typed_where_no_method_has_that_key(session: Session) -> None:
    session.files.new("e1")
    assert not session.edit_many({"task.forward": "linear", "task.forward_method": "xyz"})
    said = " ".join(session.messages.problems.values())
    assert "the key of a method, such as Runge-Kutta 4 (classical)" in said
    assert said.endswith("got 'xyz'")


def test_no_refusal_lists_all_methods() -> None:
    for robot in robots():
        for wrong in ("dopri", "xyz", "", "m" * 5000):
            with pytest.raises(BadInput) as refused:
                SWING.with_values({"robot": robot, "method": wrong})
            assert len(str(refused.value)) <= LONGEST_MESSAGE
    assert len(methods()) > 60


@example("v" * 500, "w" * 90, "m" * 5000)
@given(st.text() | st.integers() | st.floats(), st.text(max_size=2000), st.text(max_size=5000))
def test_no_message_is_longer_than_a_person_reads(value: object, what: str, must: str) -> None:
    text = str(BadInput(what, value, must))
    assert len(text) <= LONGEST_MESSAGE
    assert " must be " in text or len(what) > 100
    assert "got " in text


def test_a_whole_number_of_400_digits_is_refused_not_printed() -> None:
    assert refusal({"robot.m1": 10**400}).endswith("got a number of about 400 digits")


@pytest.mark.parametrize("part", ["at", "track", "point", "stiffness", "options", "step"])
def test_a_whole_number_of_400_digits_in_a_file_is_refused_too(part: str) -> None:
    data = json.loads(find_preset("rr-pull").to_json())
    pull = next(segment for segment in data["segments"] if "pull" in segment)
    if part == "at":
        pull["at"] = 10**400
    elif part == "track":
        pull["pull"]["track"][1][2] = 10**400
    elif part == "point":
        pull["pull"]["point"][0] = 10**400
    elif part == "stiffness":
        pull["pull"]["stiffness"] = 10**400
    elif part == "options":
        data |= {"segments": [], "method": "taylor", "options": {"order": 10**400}}
    else:
        data |= {"step": 10**400, "rtol": None, "atol": None}
    with pytest.raises(BadInput, match="got a number of about 400 digits"):
        Scenario.from_json(json.dumps(data))


def test_a_refusal_is_an_error_of_armstep_and_of_python_and_crosses_processes() -> None:
    error = BadInput("robot.m1", -1.0, Range(0.0, above=True, unit="kg"))
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(error, ArmstepError)
    assert isinstance(error, ValueError)
    assert str(copy) == str(error) == "robot.m1 must be above 0 kg, got -1"
    assert copy.what == "robot.m1"
    for refusal in (
        error,
        BadInput("plots", "eror", choices=("error", "energy")),
        BadInput("file", None, "in a folder"),
    ):
        again = BadInput.from_data(json.loads(json.dumps(refusal.to_data())))
        assert again.sentence("Field") == refusal.sentence("Field")


@pytest.mark.parametrize(
    ("path", "value", "degrees", "sentence"),
    [
        ("robot.m1", -1.0, True, "Mass 1 must be above 0 kg, got -1"),
        ("step", 0.0, True, "Step must be above 0 and at most 2 s, got 0"),
        ("initial.q1", math.radians(90000.0), True, "Angle 1 must be from -57295.8 to 57295.8°, got 90000"),
        ("initial.q1", 2000.0, False, "Angle 1 must be from -1000 to 1000 rad, got 2000"),
    ],
)
def test_the_window_says_the_label_and_the_unit_that_it_shows(session, path, value, degrees, sentence) -> None:
    session.view.set(degrees=degrees)
    assert not session.edit(path, value)
    assert session.messages.problems[path] == sentence
    assert session.messages.notice == sentence


def test_numbers_of_numpy_look_like_numbers() -> None:
    """The inertia that the other value is judged against is one of numpy's."""
    with pytest.raises(BadInput, match=r"robot\.J12 must be below the square root .*, got 700$"):
        find_preset("e1").with_value("robot.J11", 1.0)


def test_a_limit_never_looks_like_the_value_that_it_refuses() -> None:
    limit = Range(high=2.0 / 3.0, unit="m")
    assert str(BadInput("corner", 0.666667, limit)) == "corner must be at most 0.6666667 m, got 0.666667"
    assert str(BadInput("corner", 1.0, limit)) == "corner must be at most 0.666667 m, got 1"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"method": "dopri5", "rtol": "1 m"}, "rtol must be a number from 0 to 1, without a unit, got '1 m'"),
        ({"duration": "5 kg"}, "duration must be a number above 0 and at most 100000 s, got '5 kg'"),
        ({"initial.q1": "45 kg"}, "initial.q1 must be a number from -1000 to 1000 rad, got '45 kg'"),
        ({"duration": "five"}, "duration must be a number above 0 and at most 100000 s, got 'five'"),
    ],
)
def test_a_number_with_a_unit_is_told_that_there_is_none(changes: dict[str, object], sentence: str) -> None:
    assert refusal(changes) == sentence


@pytest.mark.parametrize(
    ("preset", "changes", "sentence"),
    [
        ("rr-sampled", {}, "Control acts must be 'at every instant', since a script cannot hold torques between "
         "samples, got 'at samples'"),
        ("rr-stops", {}, "Joint stops must be 'none', since a script cannot bounce, got 'hard stops'"),
        ("double-pendulum", {"task.form": "cartesian"}, "Equations must be 'two angles', since two bodies and their "
         "constraints are too much for a script, got 'two bodies'"),
        ("e1", {"task.formulation": "KM"}, "Formulation must be one of Index 2 (original), Dummy derivatives (43), "
         "Dummy derivatives (44), Dummy derivatives (48), Dummy derivatives (49), I3, I2, I1, since a script "
         "cannot hold the others, got 'Derivative array'"),
        ("rr-pull", {}, "A change during the run must be of parameters, method or step for a script, got 'a pull'"),
    ],
)  # fmt: skip
def test_why_there_is_no_script_is_said_with_the_names_of_choices(
    session: Session, preset: str, changes: dict[str, object], sentence: str
) -> None:
    session.files.adopt(find_preset(preset).with_values(changes))  # type: ignore[arg-type]
    with pytest.raises(BadInput) as refused:
        as_python(session.scenario)
    assert capital(session.sentence(refused.value)) == sentence


def test_a_single_choice_is_named_without_a_list() -> None:
    assert str(BadInput("task.stops", "hard", choices=("off",))) == "task.stops must be 'off', got 'hard'"
