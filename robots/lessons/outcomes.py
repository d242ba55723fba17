"""The right answer to a prediction, from the runs; and a student's guess beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from assets.errors import BadInput
from robots.lessons.computing import SceneResults
from robots.lessons.expression import RunExpression, Use
from robots.lessons.lesson import Guess, Judgement, Kind, LessonError, Outcome, Points, Prediction
from robots.lessons.phrases import in_words, phrase
from robots.sweeps.observed import fitted_power
from robots.sweeps.run_numbers import RunNumber, run_number

MOST_POINTS = 200
"""Of a curve; enough to draw it."""
MOST_IN_MS = 1.0
"""Times of an order that are all shorter are given in milliseconds [s]."""
CLOSE = 2.0
"""A guess is close up to twice as far away as what counts as right; a factor to its square."""


def outcome(prediction: Prediction, results: SceneResults, language: str = "en") -> Outcome:
    """The right answer.

    Args:
        prediction: the question.
        results: of the step's scene.
        language: of the sentence.

    Raises:
        LessonError: the runs have no such number, or leave the answer open.
    """
    try:
        return _OUTCOMES[prediction.kind](prediction, results, language)
    except BadInput as problem:
        raise LessonError(prediction.line, str(problem)) from None


def _choice(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
    if prediction.condition:
        true = [choice.name for choice in prediction.choices if choice.value.holds(results.value)]
        if len(true) != 1:
            said = ", ".join(true) or "none"
            raise LessonError(prediction.line, f"exactly one item must be true, got {said}")
        return _chosen(prediction, true[0], (), language)
    values = _values(prediction, results)
    ranked = sorted(values, key=lambda pair: pair[1], reverse=prediction.most)
    if ranked[0][1] == ranked[1][1]:
        raise LessonError(prediction.line, f"{ranked[0][0]} and {ranked[1][0]} must differ, got {ranked[0][1]:.4g}")
    return _chosen(prediction, ranked[0][0], values, language)


def _chosen(prediction: Prediction, name: str, values: tuple[tuple[str, float], ...], language: str) -> Outcome:
    return Outcome(prediction, name, phrase(language, "choice", text=_text(prediction, name)), values)


def _order(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
    values = _values(prediction, results)
    ranked = sorted(values, key=lambda pair: pair[1], reverse=prediction.most)
    for (one, a), (other, b) in pairwise(ranked):
        if a == b:
            raise LessonError(prediction.line, f"{one} and {other} must differ, got {a:.4g} for both")
    names = tuple(name for name, _ in ranked)
    said = phrase(language, "order", names="; ".join(_text(prediction, name) for name in names))
    return Outcome(prediction, names, said, values, _readings(prediction, values, results, language))


def _readings(
    prediction: Prediction, values: tuple[tuple[str, float], ...], results: SceneResults, language: str
) -> dict[str, str]:
    """Each item's number with the unit of its readout, by its name; short times all in milliseconds."""
    units = {choice.name: _own_unit(choice.value, results) for choice in prediction.choices}
    short = all(abs(value) < MOST_IN_MS for name, value in values if units[name] == "s")
    found: dict[str, str] = {}
    for name, value in values:
        in_ms = units[name] == "s" and short
        found[name] = in_words(1000.0 * value if in_ms else value, "ms" if in_ms else units[name], language)
    return found


def _own_unit(value: RunExpression, results: SceneResults) -> str:
    """The unit of a readout as it is; empty for what is computed from several."""
    lone = value.alone
    if lone is None:
        return ""
    return "s" if lone.number is None else lone.number.unit(results.runs[lone.runs[0]].robot)


def _values(prediction: Prediction, results: SceneResults) -> tuple[tuple[str, float], ...]:
    """Each item's number by its name."""
    found = tuple((choice.name, choice.value.number(results.value)) for choice in prediction.choices)
    for (name, value), choice in zip(found, prediction.choices, strict=True):
        if math.isnan(value):
            raise LessonError(prediction.line, f"{choice.value.text} must be a number for {name}, got none")
    return found


def _number(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
    assert prediction.answer is not None
    value = prediction.answer.number(results.value)
    if not math.isfinite(value):
        raise LessonError(prediction.line, f"{prediction.answer.text} must be a number, got {value}")
    unit = "s" if prediction.kind is Kind.TIME else prediction.unit
    if prediction.kind is Kind.NUMBER and (lone := prediction.answer.alone) is not None and lone.number is not None:
        unit = _unit(prediction, lone.number, results, lone.runs[0])
    return Outcome(prediction, value, phrase(language, prediction.kind, value=in_words(value, unit, language)))


def _unit(prediction: Prediction, number: RunNumber, results: SceneResults, name: str) -> str:
    """The unit of an answer that is a readout as it is: another one would be wrong.

    Raises:
        LessonError: the lesson gives it another one.
    """
    own = number.unit(results.runs[name].robot)
    if not own or prediction.unit in ("", own):
        return prediction.unit or own
    must = f"{own}, as that of {number.name} is; convert the answer for another one"
    raise LessonError(prediction.line, str(BadInput("unit", prediction.unit, must)))


def _slope(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
    points: list[tuple[float, float]] = []
    for use_name in prediction.runs:
        run = results.runs[use_name]
        at, value = run.scenario.get(prediction.field), _readout(prediction, results, use_name)
        if not (isinstance(at, int | float) and math.isfinite(value) and value > 0.0):
            raise LessonError(prediction.line, f"{prediction.readout} of {use_name} must be above 0, got {value:.4g}")
        points.append((float(at), value))
    points.sort(reverse=True)
    slope = fitted_power(*zip(*points, strict=True))
    return Outcome(
        prediction, slope, phrase(language, "slope", value=in_words(slope, "", language)), points=tuple(points)
    )


def _readout(prediction: Prediction, results: SceneResults, name: str) -> float:
    return float(results.value(Use((name,), run_number(prediction.readout))))


def _curve(prediction: Prediction, results: SceneResults, language: str) -> Outcome:
    number = run_number(prediction.readout)
    own = _unit(prediction, replace(number, kind="final", key=prediction.readout), results, prediction.runs[0])
    t, values = results.curve(prediction.runs[0], prediction.readout)
    kept = np.isfinite(values)
    if np.count_nonzero(kept) < 2:
        raise LessonError(prediction.line, f"{prediction.readout} of {prediction.runs[0]} must be a curve, got none")
    t, values = t[kept], values[kept]
    rows = np.unique(np.linspace(0, len(t) - 1, min(MOST_POINTS, len(t))).round().astype(int))
    points: Points = tuple(zip(t[rows].tolist(), values[rows].tolist(), strict=True))
    ends = {"first": values[0], "last": values[-1], "low": values.min(), "high": values.max()}
    least = 1e-6 * float(np.ptp(values))  # what is round-off beside the rest is 0
    said = {key: in_words(float(value) if abs(value) > least else 0.0, own, language) for key, value in ends.items()}
    return Outcome(prediction, points, phrase(language, "curve", in_class=False, **said))


_OUTCOMES: dict[Kind, Callable[[Prediction, SceneResults, str], Outcome]] = {
    Kind.CHOICE: _choice,
    Kind.ORDER: _order,
    Kind.NUMBER: _number,
    Kind.TIME: _number,
    Kind.SLOPE: _slope,
    Kind.CURVE: _curve,
}


# -- a student's guess -------------------------------------------------------------------------------------------------


def judge(guess: Guess, found: Outcome, language: str = "en", *, in_class: bool = False) -> Judgement:
    """A guess beside the outcome.

    Args:
        guess: what a student predicted, or a class.
        found: the right answer.
        language: of the sentence.
        in_class: whether it was a class.

    Raises:
        BadInput: a guess that does not have the form of the prediction's kind.
    """
    checked(found.prediction, guess)
    right, near, key, parts = _judged(guess, found, language)
    exact = right and (isinstance(guess, str) or guess == found.answer or _reads_alike(guess, found.answer, language))
    said = phrase(language, f"guess {key}", in_class=in_class, **parts)
    verdict = "right" if exact else "within" if right else "near" if near else "wrong"
    return Judgement(right, near and not right, f"{phrase(language, verdict)} {said}")


def _reads_alike(guess: Guess, answer: Guess, language: str) -> bool:
    """Whether two numbers agree in all digits that are shown; what is only close enough is not the right number."""
    if not isinstance(guess, int | float) or not isinstance(answer, int | float):
        return False
    return in_words(guess, "", language) == in_words(answer, "", language)


def checked(prediction: Prediction, guess: Guess) -> None:
    """Refuse a guess that does not have the form of the prediction's kind.

    Raises:
        BadInput: what it must be.
    """
    names = [choice.name for choice in prediction.choices]
    if prediction.kind is Kind.CHOICE:
        if guess not in names:
            raise BadInput("prediction", guess, choices=names)
    elif prediction.kind is Kind.ORDER:
        if not isinstance(guess, tuple) or sorted(map(str, guess)) != sorted(names):
            raise BadInput("prediction", guess, "all of " + ", ".join(names) + ", each once")
    elif prediction.kind is Kind.CURVE:
        if not _is_curve(guess):
            raise BadInput("prediction", guess, "at least two points (time, value), the times rising")
    elif isinstance(guess, bool) or not isinstance(guess, int | float) or not math.isfinite(guess):
        raise BadInput("prediction", guess, "a finite number")


def _is_curve(guess: Guess) -> bool:
    if not isinstance(guess, tuple) or len(guess) < 2:
        return False
    pairs = [pair for pair in guess if isinstance(pair, tuple) and len(pair) == 2]
    numbers = len(pairs) == len(guess) and all(math.isfinite(value) for pair in pairs for value in pair)
    return numbers and all(a[0] < b[0] for a, b in pairwise(pairs))


def _judged(guess: Guess, found: Outcome, language: str) -> tuple[bool, bool, str, dict[str, object]]:
    """Whether it counts as right, whether it is close, and the name and the parts of what is said of it."""
    prediction, answer, near = found.prediction, found.answer, found.prediction.near
    if isinstance(guess, str):
        return guess == answer, False, "choice", {"guess": _text(prediction, guess)}
    if isinstance(guess, int | float) and isinstance(answer, int | float):
        unit = "s" if prediction.kind is Kind.TIME else prediction.unit
        away = _factor(guess, answer) if near.factor else abs(guess - answer)
        most = near.amount**CLOSE if near.factor else near.amount * CLOSE
        return away <= near.amount, away <= most, "value", {"guess": in_words(guess, unit, language)}
    assert isinstance(guess, tuple)
    assert isinstance(answer, tuple)
    if prediction.kind is Kind.ORDER:
        count = sum(a == b for a, b in zip(guess, answer, strict=True))
        return guess == answer, _is_one_swap(guess, answer), "order", {"count": count, "all": len(answer)}
    share = _distance(guess, answer)
    parts: dict[str, object] = {"share": in_words(100.0 * share, "", language)}
    return share <= near.amount, share <= near.amount * CLOSE, "curve", parts


def _is_one_swap(guess: tuple[object, ...], answer: tuple[object, ...]) -> bool:
    """Whether two orders of three items or more differ by an exchange of neighbours."""
    away = [place for place, pair in enumerate(zip(guess, answer, strict=True)) if pair[0] != pair[1]]
    return len(answer) > 2 and len(away) == 2 and away[1] == away[0] + 1


def _factor(guess: float, answer: float) -> float:
    """By what factor a guess is away; inf where the signs differ."""
    if guess == answer:
        return 1.0
    return max(guess / answer, answer / guess) if guess * answer > 0.0 else math.inf


def _distance(guess: Sequence[object], answer: Sequence[object]) -> float:
    """How far a drawn curve is from the right one on average over time, as a share of the right one's range."""
    drawn, exact = np.array(guess, dtype=float), np.array(answer, dtype=float)
    t = np.linspace(exact[0, 0], exact[-1, 0], MOST_POINTS)
    right = np.interp(t, exact[:, 0], exact[:, 1])
    span = float(np.ptp(right)) or float(np.abs(right).max()) or 1.0
    return float(np.abs(np.interp(t, drawn[:, 0], drawn[:, 1]) - right).mean()) / span


def _text(prediction: Prediction, name: str) -> str:
    return next(choice.text for choice in prediction.choices if choice.name == name).rstrip(".")
