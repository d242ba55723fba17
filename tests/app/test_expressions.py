"""Numbers as people write them, in fields, in files and on the command line."""

from __future__ import annotations

import json
import math
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.errors import BadInput
from assets.expressions import MOST_CHARACTERS, evaluate, factors, quantity
from gui.app.units import Unit
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*pi/3", 2 * math.pi / 3),
        ("1/60", 1 / 60),
        ("=pi/2", math.pi / 2),
        ("pi/2", math.pi / 2),
        ("2*sqrt(2)", math.sqrt(8.0)),
        ("sqrt(sqrt(16))", 2.0),
        ("-(1 + 2)**2", -9.0),
        ("0,5*4", 2.0),
        ("e", math.e),
        ("3", 3),
        ("1e-3", 1e-3),
        (".5", 0.5),
        ("−3", -3),
    ],
)
def test_an_expression_has_its_value(text: str, value: float) -> None:
    found = quantity(text)
    assert found == pytest.approx(value, rel=1e-15)
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("90 deg", "rad", math.pi / 2),
        ("30 %", "", 0.3),
        ("30%", "", 0.3),
        ("90°/s", "rad/s", math.pi / 2),
        ("5 ms", "s", 5e-3),
        ("2 min", "s", 120.0),
        ("1/60 s", "s", 1 / 60),
        ("20 µs", "s", 2e-5),
        ("500 g", "kg", 0.5),
        ("2 kg m²", "kg m2", 2.0),
        ("2*3 cm", "m", 0.06),
        ("9.81 m/s^2", "m/s2", 9.81),
        ("2^3", "", 8.0),
        ("24.6ms/2", "s", 0.0123),
        ("24.6 ms/2", "s", 0.0123),
        ("2*5 ms", "s", 0.01),
        ("90 deg/2", "rad", math.pi / 4),
        ("2*pi rad/3", "rad", 2 * math.pi / 3),
        ("(1 + 2) ms/3", "s", 0.001),
        ("1 s + 5 ms", "s", 1.005),
        ("1 min - 30 s", "s", 30.0),
        ("9.81 m/s²/2", "m/s2", 4.905),
        ("1 kg m²*3", "kg m2", 3.0),
        ("51/s", "1/s", 51.0),
        ("5 1/s", "1/s", 5.0),
        ("2 /s", "1/s", 2.0),
    ],
)
def test_units_convert_to_those_of_the_field(text: str, unit: str, value: float) -> None:
    assert quantity(text, unit) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "text", ["5 ms + 1", "5 ms*2 ms", "5 ms/1 ms", "5 ms**2", "1/(2 ms)", "5 kg/2", "ms/2", "5 msec/2"]
)
def test_what_is_no_number_of_the_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a"):
        quantity(text, "s")


def test_every_prefix_and_mass_has_its_size() -> None:
    sizes = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6}
    assert {prefix: factors("N")[f"{prefix}N"] for prefix in sizes} == sizes
    assert factors("kg") == {"mg": 1e-6, "g": 1e-3, "kg": 1.0, "t": 1e3}
    assert factors("rad") == {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180.0}


def test_a_number_without_a_unit_is_in_the_field_s_own() -> None:
    assert quantity("90", "rad", math.pi / 180.0) == math.pi / 2.0
    assert quantity("90 deg", "rad", math.pi / 180.0) == math.pi / 2.0


def test_a_number_may_have_a_hundred_characters() -> None:
    assert quantity(f"{'0' * (MOST_CHARACTERS - 4)}1 ms", "s") == 0.001
    assert evaluate("0" * (MOST_CHARACTERS - 1) + "1") == 1
    with pytest.raises(ValueError, match="is not a number"):
        evaluate("0" * MOST_CHARACTERS + "1")


def test_a_part_of_a_unit_is_as_if_written_in_the_unit() -> None:
    assert [quantity(text, "s") for text in ("35.5 ms", "7 ns", "5 ms")] == [0.0355, 7e-9, 0.005]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "abc",
            "9**9**9",
            "1/0",
            "(-1)**0.5",
            "__import__('os')",
            "x",
            "2 pi",
            "1e999",
            "nan",
            "inf",
            "max(1, 2)",
        ),
        *(
            "1e",
            "--1",
            "(" * 60,
            "1+" * 60 + "1",
            "a.b",
            "[1]",
            "1 if 1 else 2",
            "5 parsec",
            "1;2",
            "lambda: 1",
            "1or 2",
        ),
    ],
)
def test_everything_else_is_refused_at_once(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError, match="is not a"):
        evaluate(text)
    with pytest.raises(ValueError, match="is not a"):
        quantity(text, "s")
    assert time.process_time() - begun < 0.1


@given(st.text(alphabet="0123456789.+-*/() epi,^°", max_size=MOST_CHARACTERS + 20) | st.text())
def test_any_text_is_a_finite_number_or_refused(text: str) -> None:
    for unit in ("", "s", "rad"):
        with suppress(ValueError):
            assert math.isfinite(quantity(text, unit))


def test_fields_files_and_the_command_line_read_alike() -> None:
    swing = find_preset("rr-swing")
    assert swing.edited({"step": "24.6ms/2"})[0].step == 0.0123
    assert Unit.of("s").read("24.6ms/2") == 0.0123
    assert swing.edited({"step": "5 ms", "initial.q1": "90 deg", "robot.m1": "1/4"})[0].step == 5e-3
    data = json.loads(swing.to_json())
    data["step"], data["initial"]["q1"] = "1/60", "2*pi/3"
    opened = Scenario.from_json(json.dumps(data))
    assert opened.step == 1 / 60
    assert opened.get("initial.q1") == pytest.approx(2 * math.pi / 3)
    assert Unit.of("rad").read("2*45") == pytest.approx(math.pi / 2)
    assert Unit.of("rad").read("pi/2 rad") == pytest.approx(math.pi / 2)
    with pytest.raises(BadInput, match=r"step must be a number above 0 .*got '9\*\*9\*\*9'"):
        swing.edited({"step": "9**9**9"})
