"""A prediction and its outcome in one chart: before it is made, the same chart is what a student draws in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gui.app.formatting import error_name, error_unit
from gui.app.units import prettify
from gui.charts.colours import COLOURS
from robots.lessons.answers import GivenAnswer
from robots.lessons.lesson import Guess, Kind, Outcome, Points, Prediction, Scene
from robots.lessons.phrases import in_words, phrase
from robots.model.chart import PLAIN, TIME, Array, Axis, Chart, Curve
from robots.model.registry import robot_of
from robots.scenario.scenario import Scenario

SKETCHED = (Kind.TIME, Kind.SLOPE, Kind.CURVE)
"""Kinds of predictions that are drawn."""

CHARTED = (Kind.NUMBER, *SKETCHED)
"""Kinds of predictions that have a chart."""

STEEPEST = 8.0
"""The steepest slope that can be drawn."""

POINTS = 49
"""Points of a drawn curve."""

GUESS_COLOUR, OUTCOME_COLOUR = COLOURS[5], COLOURS[0]
GROUP_COLOURS = COLOURS[1:5]
GROUP_DASHES = "dot", "dash-dot", "dash-dot-dot"
ROUNDING = 1e-6
"""A curve that begins so near to 0, beside how far it goes, begins there."""

ROOM = 0.1
"""The air between a mark and the end of an axis, as a share of it: the charts are low, and marks are drawn whole."""

USUAL_SCALE = 1.0


@dataclass(frozen=True, slots=True)
class Paper:
    """What a student draws on: the axes, without anything of the outcome but its order of magnitude.

    Attributes:
        prediction: what is asked.
        across: the horizontal axis's ends.
        up: the vertical axis's ends.
        start: where a curve begins.
        language: of its labels.
        x, y: the axes.
    """

    prediction: Prediction
    across: tuple[float, float]
    up: tuple[float, float]
    start: float = 0.0
    x: Axis = TIME
    y: Axis = PLAIN
    language: str = "en"

    @property
    def names(self) -> tuple[str, str]:
        """What a prediction and its outcome are called."""
        return phrase(self.language, "guess"), phrase(self.language, "outcome")

    def group(self, number: int) -> str:
        """What a group's prediction is called; the first has number 1."""
        return phrase(self.language, "group", number=number)

    @property
    def places(self) -> Array:
        """Where a curve has its points, ascending, (n,)."""
        return np.linspace(*self.across, POINTS)

    def line(self, slope: float, level: float = 1.0) -> tuple[Array, Array]:
        """The ends of a straight line in a log-log chart, (2,) each; `level` is its height at the coarsest run."""
        x = np.array(self.across)
        return x, level * (x / self.across[1]) ** slope

    def line_through(self, one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
        """The slope and the level of the line from one point towards another, as steep as can be drawn at most."""
        run, rise = math.log(other[0] / one[0]), math.log(other[1] / one[1])
        steep = abs(rise) >= STEEPEST * abs(run)
        slope = round(math.copysign(STEEPEST, rise * run) if steep else rise / run, 2)
        return slope, one[1] * (self.across[1] / one[0]) ** slope


def paper_of(prediction: Prediction, scene: Scene, answer: Guess | None, language: str) -> Paper:
    """What is drawn on.

    Args:
        prediction: what is asked.
        scene: its runs.
        answer: of a curve, for nothing but the scale; None while that is not computed.
        language: of its labels.
    """
    runs = {run.name: run.scenario for run in scene.runs}
    shown = [run.scenario for run in scene.shown] or list(runs.values())
    duration = float(max((scenario.duration for scenario in shown), default=1.0))
    if prediction.kind == Kind.SLOPE:
        values = [float(runs[name].get(prediction.field) or 1.0) for name in prediction.runs if name in runs]  # type: ignore[arg-type]
        low, high = (min(values), max(values)) if values else (0.01, 0.1)
        field = next((s.fields().get(prediction.field) for s in runs.values()), None)
        title, unit = (prediction.field, "") if field is None else (field.label, prettify(field.unit))
        x, y = Axis(title, unit, "log"), Axis(phrase(language, "relative"), "", "log")
        return Paper(prediction, (low, high), ((low / high) ** 6.0, 10.0), x=x, y=y, language=language)
    if prediction.kind == Kind.CURVE:
        title, unit = named(prediction.readout, runs[prediction.runs[0]])
        points = answer if isinstance(answer, tuple) else ()
        start, reach = _scale([point for point in points if isinstance(point, tuple)])
        return Paper(
            prediction, (0.0, duration), (start - reach, start + reach), start, y=Axis(title, unit), language=language
        )
    lanes = Axis(names=(phrase(language, "guess"), phrase(language, "outcome")))
    return Paper(prediction, (0.0, duration), (-1.0, 1.0), y=lanes, language=language)


def named(column: str, scenario: Scenario) -> tuple[str, str]:
    """An output or an error in words, and its unit: `energy_J` is (`energy`, `J`), `q1` (`angle 1`, `rad`)."""
    unit = robot_of(scenario).unit(column) or error_unit(column, scenario)
    field = scenario.fields().get(f"initial.{column}")
    return error_name(column, scenario) if field is None else field.label, prettify(unit)


def _scale(points: Points | Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where a curve begins, and a round distance that is at least twice as far as it ever goes from there."""
    values = np.array([y for _, y in points], float)
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, USUAL_SCALE
    start = float(values[0])
    far = max(2.0 * float(np.abs(values - start).max()), 0.1 * abs(start), 1e-9)
    if abs(start) < ROUNDING * far:
        start = 0.0
    power = 10.0 ** math.floor(math.log10(far))
    return start, next(power * lead for lead in (1.0, 2.0, 5.0, 10.0) if power * lead >= far)


def group_look(number: int) -> tuple[str, str]:
    """The colour and the dash of a group's prediction, from 1 on; twelve groups differ."""
    return GROUP_COLOURS[(number - 1) % len(GROUP_COLOURS)], GROUP_DASHES[(number - 1) % len(GROUP_DASHES)]


def prediction_chart(
    paper: Paper, guess: Guess | None, outcome: Outcome | None, groups: Sequence[Guess], level: float = 1.0
) -> Chart:
    """The prediction, those of groups, and the outcome once it may be seen.

    A line that is being drawn is where it was drawn, at this `level`, with marks at its ends, by which it is turned.
    """
    prediction, curves = paper.prediction, []
    if prediction.kind == Kind.NUMBER:
        return _number_chart(paper, guess, outcome, groups)
    predicted, found = paper.names
    if outcome is not None:
        curves += _curves(paper, outcome.answer, found, OUTCOME_COLOUR, outcome.points)
    if guess is not None:
        drawn = [replace(one, dash="dash") for one in _curves(paper, guess, predicted, GUESS_COLOUR)]
        if prediction.kind == Kind.SLOPE and outcome is None and isinstance(guess, float):
            drawn = [replace(one, y=paper.line(guess, level)[1], mark="circle", filled=True) for one in drawn]
        curves += drawn
    for number, one in enumerate(groups, 1):
        colour, dash = group_look(number)
        curves += [replace(curve, dash=dash) for curve in _curves(paper, one, paper.group(number), colour)]
    low, high = paper.up
    if prediction.kind == Kind.SLOPE:
        reached = [y for curve in curves for y in curve.y.tolist() if y > 0.0 and math.isfinite(y)]
        least, most = min([low, *reached]), max([high, *reached])
        air = (most / least) ** ROOM
        bottom, top = min([low / 1.5, *(y / air for y in reached)]), max([high, *(y * air for y in reached)])
        view = (paper.across[0] / 1.3, paper.across[1] * 1.3, bottom, top)
    else:
        view = (*paper.across, low, high)
    return Chart(x=paper.x, y=paper.y, curves=tuple(curves), view=view, key=f"prediction.{prediction.kind}")


def _curves(paper: Paper, guess: Guess, name: str, colour: str, points: Points = ()) -> list[Curve]:
    """What a guess looks like."""
    prediction = paper.prediction
    unit = "s" if prediction.kind == Kind.TIME else ""
    said = f"{name}: {in_words(guess, unit, paper.language)}" if isinstance(guess, float) else name
    if prediction.kind == Kind.SLOPE and isinstance(guess, float):
        if points:
            x, y = (np.array(column, float) for column in zip(*sorted(points), strict=True))
            top = float(y[-1]) or 1.0
            return [Curve(x, y / top, said, colour=colour, mark="circle", filled=True)]
        return [Curve(*paper.line(guess), said, colour=colour, width=1.5)]
    if prediction.kind == Kind.CURVE and isinstance(guess, tuple):
        return [_drawn(guess, name, colour)]
    if prediction.kind == Kind.TIME and isinstance(guess, float):
        lane = np.array([-1.0, 0.0] if name == paper.names[1] else [0.0, 1.0])
        return [Curve(np.array([guess, guess]), lane, said, colour=colour, width=1.6)]
    return []


def _drawn(guess: Guess, name: str, colour: str) -> Curve:
    """The curve through the points that a student drew, or that were found."""
    pairs = [point for point in guess if isinstance(point, tuple)] if isinstance(guess, tuple) else []
    x, y = (np.array(column, float) for column in zip(*pairs, strict=True)) if pairs else (np.empty(0), np.empty(0))
    return Curve(x, y, name, colour=colour, width=1.5)


def answer_chart(given: GivenAnswer, language: str) -> Chart:
    """A drawn prediction and its outcome, as a saved page of answers has them."""
    predicted = replace(_drawn(given.guess, phrase(language, "guess"), GUESS_COLOUR), dash="dash")
    found = _drawn(given.answer, phrase(language, "outcome"), OUTCOME_COLOUR)
    return Chart(x=TIME, y=PLAIN, curves=(found, predicted))


def _number_chart(paper: Paper, guess: Guess | None, outcome: Outcome | None, groups: Sequence[Guess]) -> Chart:
    """Numbers as marks in lanes, over a logarithmic axis where they are far apart."""
    answer = None if outcome is None else outcome.answer
    entries = [(paper.names[0], guess, GUESS_COLOUR, "diamond"), (paper.names[1], answer, OUTCOME_COLOUR, "circle")]
    entries += [(paper.group(number), one, group_look(number)[0], "square") for number, one in enumerate(groups, 1)]
    found = [(name, float(value), colour, mark) for name, value, colour, mark in entries if isinstance(value, float)]
    values = [value for _, value, _, _ in found]
    wide = bool(values) and min(values) > 0.0 and max(values) > 5.0 * min(values)
    x = Axis("", prettify(paper.prediction.unit.removeprefix("1")), "log" if wide else "linear")
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if wide:
        ends = low / 3.0, high * 3.0
    else:
        air = 0.3 * (high - low) or 0.3 * abs(high) or 1.0
        start = min(low - air, 0.0 if low >= 0.0 else low - air)
        # Values that lie close together, far from zero, have little air of their own.
        ends = start, high + max(air, ROOM * (high - start))
    curves = tuple(
        Curve(
            np.array([value]),
            np.array([0.5 - lane]),
            name,
            colour=colour,
            mark=mark,
            filled=True,
            joined=False,
            listed=False,  # its lane has its name
        )
        for lane, (name, value, colour, mark) in enumerate(found)
    )
    lanes = Axis(names=tuple(name for name, *_ in found))
    return Chart(x=x, y=lanes, curves=curves, view=(*ends, 1.0 - len(found), 1.0), key="prediction.number")


def poll_chart(choices: Sequence[str], hands: Sequence[int], what: str) -> Chart:
    """Bars for the hands of each choice, which stand beside its name; `what` is the word for hands."""
    names = tuple(f"{name}: {count}" for name, count in zip(choices, hands, strict=True))
    curves = []
    for lane, (name, count) in enumerate(zip(names, hands, strict=True)):
        x, y = np.array([0.0, float(count)]), np.full(2, 0.5 - lane)
        curves.append(Curve(x, y, name, colour=OUTCOME_COLOUR, width=8.0, bar=True, listed=False))
    view = (0.0, 1.1 * max([*hands, 1]), 1.0 - len(choices), 1.0)
    return Chart(x=Axis(what, decimals=0), y=Axis(names=names), curves=tuple(curves), view=view)
