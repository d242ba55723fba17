"""The `predict` block of a lesson's step: what a student predicts, and how the right answer is computed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assets.counting import words_of
from assets.errors import BadInput
from assets.expressions import evaluate, quantity
from robots.lessons.expression import Use, expression
from robots.lessons.lesson import Choice, Kind, LessonError, Near, Prediction, at_line
from robots.lessons.scenes import SceneReader
from robots.lessons.text_blocks import TextBlock, keyed
from robots.scenario.scenario import Scenario
from robots.sweeps.run_numbers import run_number

MOST_CHOICES = 9
"""As many as there are keys from 1 to 9."""
KEYS = ("answer", "unit", "near", "why")
_ITEM = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\s*:\s*(.*?)(?:\s+\|\s+(.*))?")
_Values = dict[str, tuple[int, str]]
_Items = list[tuple[int, str]]
_ONLY_FOR = {"unit": (Kind.NUMBER, Kind.CURVE), "near": (Kind.NUMBER, Kind.TIME, Kind.SLOPE, Kind.CURVE)}
_NEAR = {Kind.NUMBER: Near(1.5, factor=True), Kind.SLOPE: Near(0.3), Kind.CURVE: Near(0.2)}


def read_prediction(block: TextBlock, scenes: SceneReader) -> tuple[Prediction, tuple[Use, ...]]:
    """The prediction in a block, and what it reads of which runs.

    Raises:
        LessonError: for anything that cannot be used.
    """
    with at_line(block.line):
        if block.rest not in list(map(str, Kind)):
            raise BadInput("predict", block.rest or None, choices=map(str, Kind))
    kind = Kind(block.rest)
    question, items, values = keyed(block, KEYS)
    if not question:
        raise LessonError(block.line, "the prediction must begin with a question")
    if "answer" not in values:
        raise LessonError(block.line, f"the prediction must have a line 'answer: ...': {_FORMS[kind]}")
    if items and kind not in (Kind.CHOICE, Kind.ORDER):
        raise LessonError(items[0][0], f"a prediction of a {kind} must have no list")
    for key, kinds in _ONLY_FOR.items():
        if key in values and kind not in kinds:
            raise LessonError(values[key][0], f"a prediction of a {kind} must have no {key}")
    if kind is Kind.TIME and "near" not in values:
        raise LessonError(block.line, "a prediction of a time must have a line 'near: ...', such as near: 0.5 s")
    unit, why = (values.get(key, (0, ""))[1] for key in ("unit", "why"))
    base = Prediction(block.line, kind, question, unit="" if unit == "1" else unit, near=_near(kind, values), why=why)
    prediction = _READERS[kind](base, items, values, scenes)
    uses = _uses(prediction)
    with at_line(values["answer"][0]):
        for use in uses:
            scenes.check(use.runs)
    return prediction, uses


def _uses(prediction: Prediction) -> tuple[Use, ...]:
    """What a prediction reads of which runs."""
    found = [use for choice in prediction.choices for use in choice.value.uses]
    found += prediction.answer.uses if prediction.answer else ()
    if prediction.kind is Kind.SLOPE:
        found += [Use((name,), run_number(prediction.readout)) for name in prediction.runs]
    if prediction.kind is Kind.CURVE:
        number = run_number(f"max_error.{prediction.readout}")
        found.append(Use(prediction.runs, number if number.needs_reference else None))
    return tuple(dict.fromkeys(found))


# -- each kind ---------------------------------------------------------------------------------------------------------


def _choice(base: Prediction, items: _Items, values: _Values, scenes: SceneReader) -> Prediction:
    line, text = values["answer"]
    rule, _, readout = text.partition(" ")
    with at_line(line):
        if rule not in ("least", "most", "true") or (rule == "true") != (not readout.strip()):
            raise BadInput("answer", text, _FORMS[Kind.CHOICE])
    choices = _choices(items, line, readout.strip(), scenes, condition=rule == "true")
    return replace(base, choices=choices, most=rule == "most", condition=rule == "true")


def _order(base: Prediction, items: _Items, values: _Values, scenes: SceneReader) -> Prediction:
    line, text = values["answer"]
    readout, _, direction = text.rpartition(" ")
    with at_line(line):
        if direction not in ("ascending", "descending") or not readout.strip():
            raise BadInput("answer", text, _FORMS[Kind.ORDER])
    choices = _choices(items, line, readout.strip(), scenes, condition=False)
    return replace(base, choices=choices, most=direction == "descending")


def _choices(items: _Items, line: int, readout: str, scenes: SceneReader, *, condition: bool) -> tuple[Choice, ...]:
    """The items of a list; those without an expression are runs, of which the readout is taken."""
    if not 2 <= len(items) <= MOST_CHOICES:
        raise LessonError(line, str(BadInput("the list", len(items), f"of 2 to {MOST_CHOICES} items '- NAME: TEXT'")))
    found: dict[str, Choice] = {}
    for number, text in items:
        with at_line(number):
            parts = _ITEM.fullmatch(text)
            if not parts or not parts[2]:
                raise BadInput("item", text, "NAME: TEXT, or NAME: TEXT | EXPRESSION")
            name, said, own = parts.groups()
            if name in found:
                raise BadInput("item", name, "named once")
            if condition and not own:
                raise BadInput("item", text, "NAME: TEXT | CONDITION")
            if not own and name not in scenes.runs:
                raise BadInput("item", name, "a run, or have an expression of its own (NAME: TEXT | ...)", scenes.runs)
            value = expression(own or f"{run_number(readout).name}({name})", condition=condition)
            scenes.check(value.runs)
            found[name] = Choice(name, said, value)
    return tuple(found.values())


def _number(base: Prediction, items: _Items, values: _Values, scenes: SceneReader) -> Prediction:
    line, text = values["answer"]
    with at_line(line):
        return replace(base, answer=expression(text))


def _slope(base: Prediction, items: _Items, values: _Values, scenes: SceneReader) -> Prediction:
    line, text = values["answer"]
    found = re.fullmatch(r"slope of (.+?) over (\S+) for (.+)", text)
    with at_line(line):
        if not found:
            raise BadInput("answer", text, _FORMS[Kind.SLOPE])
        readout = run_number(found[1]).name
        runs = [run for name in words_of(found[3]) for run in scenes.named(name)]
        _check_axis([scenes.runs[name].scenario for name in runs], found[2])
    return replace(base, readout=readout, field=found[2], runs=tuple(runs))


def _check_axis(scenarios: Sequence[Scenario], field: str) -> None:
    """Refuse a field that is no axis of a log-log chart for these scenarios.

    Raises:
        BadInput: the field is unknown, or its values are not at least two different positive numbers.
    """
    found = [scenario.get(field) for scenario in scenarios]
    positive = [value for value in found if isinstance(value, int | float) and value > 0.0]
    if len(set(positive)) < max(2, len(found)):
        raise BadInput("answer", field, "a field with a different positive number in each of two runs or more")


def _curve(base: Prediction, items: _Items, values: _Values, scenes: SceneReader) -> Prediction:
    line, text = values["answer"]
    found = re.fullmatch(r"(\w+)\((\w+)\)", text)
    with at_line(line):
        if not found:
            raise BadInput("answer", text, _FORMS[Kind.CURVE])
        scenes.check([found[2]])
    return replace(base, readout=found[1], runs=(found[2],))


_READERS: dict[Kind, Callable[[Prediction, _Items, _Values, SceneReader], Prediction]] = {
    Kind.CHOICE: _choice,
    Kind.NUMBER: _number,
    Kind.ORDER: _order,
    Kind.TIME: _number,
    Kind.SLOPE: _slope,
    Kind.CURVE: _curve,
}
_FORMS = {
    Kind.CHOICE: "least READOUT, most READOUT, or true where each item has a condition",
    Kind.NUMBER: "an expression, such as steps(coarse) / steps(fine)",
    Kind.ORDER: "READOUT ascending or READOUT descending",
    Kind.TIME: "an expression in seconds, such as parted(a, b, 0.1)",
    Kind.SLOPE: "slope of READOUT over FIELD for RUNS",
    Kind.CURVE: "COLUMN(RUN), such as q1(fine) or energy_J(fine)",
}


# -- what counts as right ----------------------------------------------------------------------------------------------


def _near(kind: Kind, values: _Values) -> Near:
    """What counts as right: `factor 2`, `20 %`, `0.5 s`, or a number in the answer's unit."""
    if "near" not in values:
        return _NEAR.get(kind, Near(0.0))
    line, text = values["near"]
    amount, factor, share = math.nan, text.startswith("factor "), text.endswith("%")
    unit = values.get("unit", (0, ""))[1] if kind is Kind.NUMBER else "s" if kind is Kind.TIME else ""
    try:
        if share:
            amount = float(evaluate(text.removesuffix("%"))) / 100.0
        elif factor:
            amount = float(evaluate(text.removeprefix("factor ")))
        elif kind is Kind.TIME:
            amount = float(quantity(text, "s"))
        else:
            amount = float(evaluate(text.removesuffix(unit)))
    except ValueError:
        pass
    fitting = {
        Kind.NUMBER: "factor 1.5, 20 % or a number in the answer's unit",
        Kind.TIME: "a time, such as 0.5 s",
        Kind.SLOPE: "a number, such as 0.3",
        Kind.CURVE: "a share of the curve's range, such as 20 %",
    }[kind]
    wrong = (factor and (kind is not Kind.NUMBER or amount <= 1.0)) or (share and kind not in (Kind.NUMBER, Kind.CURVE))
    if not (math.isfinite(amount) and amount > 0.0) or wrong or (kind is Kind.CURVE and not share):
        raise LessonError(line, str(BadInput("near", text, fitting)))
    return Near(1.0 + amount, factor=True) if share and kind is Kind.NUMBER else Near(amount, factor)
