"""The colours of runs, and their second cues."""

from __future__ import annotations

import colorsys
import tomllib

import pytest

from assets import read_text
from gui.charts.colours import COLOUR_NAMES, COLOURS, DASHES, colour_of, dash_of


def test_colours_are_stable_and_places_are_used_again(session):
    pins = [session.comparisons.pin() for _ in range(3)]
    colours = {pin: session.runs.find(pin).colour for pin in pins}
    assert len({session.runs.current.colour, *colours.values()}) == 4
    session.comparisons.remove(pins[1])
    assert {pin: session.runs.find(pin).colour for pin in (pins[0], pins[2])} == {
        p: colours[p] for p in (pins[0], pins[2])
    }
    assert session.runs.find(session.comparisons.pin()).colour == colours[pins[1]]


def test_every_run_has_a_second_cue_beside_its_colour():
    looks = [(colour_of(slot), dash_of(slot)) for slot in range(31)]
    assert len(set(looks)) == 31
    without_colours = [dash for _, dash in looks[:7]]
    assert len(set(without_colours)) == 7
    assert looks[0] == ("#0072B2", "solid")
    assert "solid" not in [dash for _, dash in looks[1:]]
    assert "#F0E442" not in COLOURS


def test_two_runs_of_one_colour_differ_in_more_than_the_gaps_of_their_lines() -> None:
    """In the short samples of legends, dashes with other gaps look the same."""
    marks = {name: set(lengths[::2]) for name, lengths in DASHES.items()}
    assert colour_of(6) == colour_of(1), "the seventh run"
    for slot in range(1, 16):
        assert colour_of(slot) == colour_of(slot + 5)
        assert marks[dash_of(slot)] != marks[dash_of(slot + 5)], slot


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_no_run_among_the_first_four_has_the_colour_of_an_arm_s_tip(theme: str) -> None:
    tip = hue(tomllib.loads(read_text(f"themes/{theme}.toml"))["scene"]["materials"]["accent"]["colour"])
    for slot in range(4):
        apart = abs(hue(colour_of(slot)) - tip)
        assert min(apart, 360.0 - apart) > 45.0, colour_of(slot)


def test_colours_are_what_they_are_called() -> None:
    hues = {"blue": 202, "sky blue": 202, "green": 164, "pink": 327, "orange": 41, "vermilion": 27}
    for name, colour in zip(COLOUR_NAMES, COLOURS, strict=True):
        assert hue(colour) == pytest.approx(hues[name], abs=2.0), name
    lighter = max(("blue", "sky blue"), key=lambda name: int(COLOURS[COLOUR_NAMES.index(name)][1:3], 16))
    assert lighter == "sky blue"


def hue(colour: str) -> float:
    """On the circle of colours [degrees]."""
    return 360.0 * colorsys.rgb_to_hsv(*(int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5)))[0]
