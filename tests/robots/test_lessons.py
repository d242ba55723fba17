"""Lessons: what a file says is read, computed and judged; what it says wrongly is refused with its line."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from assets.errors import LONGEST_MESSAGE, BadInput
from robots.lessons.checking import check
from robots.lessons.computing import SceneResults, compute
from robots.lessons.expression import expression
from robots.lessons.lesson import Guess, Kind, Lesson, LessonError, Outcome, Prediction
from robots.lessons.library import LESSONS
from robots.lessons.outcomes import judge, outcome
from robots.lessons.phrases import PHRASES
from robots.lessons.reading import read_lesson

HEADER = '+++\ntitle = "T"\nminutes = 5\nlanguage = "en"\nlevel = "beginner"\n+++\n'
SCENE = """```scene
a: rr-swing duration=2 step=0.02
b: a step=0.01
h: a step=[0.04, 0.02, 0.01]
hide: h
plots: error, energy
speed: 0.5
```
"""
EVERY_KIND = f"""{HEADER}Hello $h^p$.

## One

Text.

{SCENE}
```predict choice
Which is better?
- a: the coarse one
- b: the fine one
answer: least max_error.energy_J
why: Why?
```
```hint
Think.
```
```predict choice
What happens?
- grows: It grows | max_error.energy_J(b) >= max_error.energy_J(a)
- falls: It falls | max_error.energy_J(b) < max_error.energy_J(a)
answer: true
```
```predict number
How many evaluations?
answer: rhs_evaluations(a)
near: 10 %
```
```predict order
The cheapest first.
- b: the fine one
- a: the coarse one
- both: both together | rhs_evaluations(a) + rhs_evaluations(b)
answer: rhs_evaluations ascending
```
```check
rhs_evaluations(b) == 2 * rhs_evaluations(a)
status(a) == "finished" and not steps(a) > 100
```
```teacher
Slowly.
```

## Two

```predict time
When does it pass the lowest point?
answer: crossing(q1, -1.5707963)(b)
near: 0.1 s
```
```predict slope
Draw it.
answer: slope of max_error.reference_q_rad over step for h
```
```predict curve
Draw q1.
answer: q1(b)
unit: rad
```
"""


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return read_lesson(EVERY_KIND, "every")


@pytest.fixture(scope="module")
def results(lesson: Lesson) -> SceneResults:
    found = [compute(step.scene) for step in lesson.steps]
    assert all(found)
    runs = {name: run for one in found if one for name, run in one.runs.items()}
    return SceneResults(runs, {name: errors for one in found if one for name, errors in one.references.items()})


@pytest.fixture(scope="module")
def outcomes(lesson: Lesson, results: SceneResults) -> dict[Kind, Outcome]:
    return {p.kind: outcome(p, results) for step in lesson.steps for p in step.predictions}


def test_a_lesson_has_what_its_file_says(lesson: Lesson):
    assert (lesson.key, lesson.title, lesson.minutes, lesson.language, lesson.level) == (
        "every",
        "T",
        5,
        "en",
        "beginner",
    )
    assert lesson.introduction == "Hello $h^p$."
    one, two = lesson.steps
    assert (one.title, one.scene.plots, one.scene.speed) == ("One", ("error", "energy"), 0.5)
    assert [run.name for run in one.scene.shown] == ["a", "b"]
    assert [run.label for run in one.scene.runs[2:]] == ["", "", ""], "what differs names the runs of a family"
    assert [type(block).__name__ for block in one.blocks] == [
        "Text", "Prediction", "Hint", "Prediction", "Prediction", "Prediction", "Claim", "Claim", "Teacher",
    ]  # fmt: skip
    assert EVERY_KIND.splitlines()[one.predictions[0].line - 1] == "```predict choice"
    assert [run.name for run in two.scene.shown] == ["a", "b"], "a step without a scene goes on with the one before"


def test_a_run_has_a_name_for_expressions_and_a_label_for_legends():
    named = read_lesson(EVERY_KIND.replace("\nb: a", '\nb "half the step": a'), "every").steps[0].scene
    assert [(run.name, run.label) for run in named.shown] == [("a", "a"), ("b", "half the step")]


def test_references_are_computed_only_where_a_readout_needs_them(lesson: Lesson):
    one, two = lesson.steps
    assert not any(run.reference for run in one.scene.runs)
    assert [run.name for run in two.scene.runs if run.reference] == ["h1", "h2", "h3"]


def test_every_kind_has_the_answer_that_its_runs_give(outcomes: dict[Kind, Outcome], results: SceneResults):
    fine = results.runs["b"]
    assert outcomes[Kind.CHOICE].answer == "falls"
    assert outcomes[Kind.NUMBER].answer == results.runs["a"].counts.rhs_evaluations == 400
    assert outcomes[Kind.ORDER].answer == ("a", "b", "both")
    instant = outcomes[Kind.TIME].answer
    assert isinstance(instant, float)
    assert fine.robot.columns(fine.scenario, fine.t[:1], fine.sample(np.array([instant])))["q1"][0] == pytest.approx(
        -math.pi / 2, abs=1e-4
    )
    assert outcomes[Kind.SLOPE].answer == pytest.approx(4.0, abs=0.6)
    curve = outcomes[Kind.CURVE].answer
    assert isinstance(curve, tuple)
    assert curve[0] == (0.0, 0.0)
    assert curve[-1] == (2.0, pytest.approx(fine.final["q1"]))


def test_readouts_over_time_are_those_of_the_run(results: SceneResults):
    run = results.runs["b"]

    def read(text: str) -> float:
        return expression(f"{text}(b)").number(results.value)

    q1 = run.columns()["q1"]
    assert read("smallest(q1)") == pytest.approx(q1.min(), abs=1e-4)
    assert read("trough_time(q1)") == pytest.approx(run.t[q1.argmin()], abs=0.01)
    assert (read("largest(q1)"), read("peak_time(q1)")) == (0.0, 0.0)
    assert read("largest(energy_J)") == pytest.approx(run.max_error["energy_J"])
    assert read("crossing(energy_J, 1)") != read("crossing(energy_J, 1)"), "it never does: nan"
    never, once = "crossing(energy_J, 1)", "crossing(q1, -1.5)"
    assert min(read(once), 9.0) == read(once)
    for pair in (f"{never}(b), {once}(b)", f"{once}(b), {never}(b)"):
        assert expression(f"min({pair})").number(results.value) == read(once), "the first of what happens"
        assert math.isnan(expression(f"max({pair})").number(results.value)), "never both"
    assert read("shortest_step") == pytest.approx(0.01)
    assert read("longest_step") == pytest.approx(0.01)
    assert run.stability is not None
    assert read("stable_step") == run.stability.least > 0.1
    with pytest.raises(BadInput, match="did you mean 'q1'"):
        read("largest(qq1)")


def test_signs_lengths_and_words_of_expressions():
    def read(text: str) -> float:
        return expression(text).number(lambda use: 3.0)

    assert [read(text) for text in ("-steps(a)", "+steps(a)", "2 - -steps(a)")] == [-3.0, 3.0, 5.0]
    long = f"steps(a) + 0.{'0' * 386}1"
    assert len(long) == 400
    assert read(long) == 3.0
    with pytest.raises(BadInput, match="at most 400 characters"):
        expression(f"{long}0")
    for text in ("1e300 + steps(a)", "steps(a) + True"):
        with pytest.raises(BadInput):
            expression(text)
    for text in ('status(a) < "finished"', '"finished" == "finished"', 'steps(a) == "finished"'):
        with pytest.raises(BadInput):
            expression(text)


def test_a_comparison_is_refused_only_if_no_number_fulfils_it():
    for text in ("2 < steps(a) > 2", "3 != steps(a) != 3", "1 < steps(a) <= 2 <= steps(b) <= 2"):
        assert expression(text, condition=True).condition
    for text in ("2 <= steps(a) < 2", "20 < steps(a) < 12", "3 > steps(a) >= 4", "5 < steps(a) < 3 < steps(b) > 0"):
        with pytest.raises(BadInput, match="can be true"):
            expression(text, condition=True)


def test_two_runs_part_when_their_tips_are_so_far_apart(results: SceneResults):
    a, b = results.runs["h1"], results.runs["b"]
    apart = float(np.linalg.norm(a.tip() - b.tip(a.t), axis=1).max())
    instant = expression(f"parted(h1, b, {apart / 2})").number(results.value)
    assert np.linalg.norm(a.tip(np.array([instant])) - b.tip(np.array([instant]))) == pytest.approx(apart / 2, rel=0.05)
    assert math.isnan(expression(f"parted(h1, b, {apart * 2})").number(results.value))


@pytest.mark.parametrize(
    ("kind", "guess", "right", "near"),
    [
        (Kind.CHOICE, "falls", True, False),
        (Kind.CHOICE, "grows", False, False),
        (Kind.NUMBER, 430.0, True, False),
        (Kind.NUMBER, 470.0, False, True),
        (Kind.NUMBER, -400.0, False, False),
        (Kind.ORDER, ("a", "b", "both"), True, False),
        (Kind.ORDER, ("b", "a", "both"), False, True),
        (Kind.ORDER, ("both", "a", "b"), False, False),
        (Kind.ORDER, ("both", "b", "a"), False, False),
        (Kind.SLOPE, 1.0, False, False),
        (Kind.CURVE, ((0.0, 0.0), (2.0, 0.0)), False, False),
    ],
)
def test_a_guess_is_judged(outcomes: dict[Kind, Outcome], kind: Kind, guess: Guess, right: bool, near: bool):
    judged = judge(guess, outcomes[kind])
    assert (judged.right, judged.near) == (right, near)
    assert judged.sentence[-1] == "."


def test_the_right_answer_is_judged_right_in_every_kind(outcomes: dict[Kind, Outcome]):
    assert all(judge(found.answer, found).right for found in outcomes.values())
    assert set(outcomes) == set(Kind)


@pytest.mark.parametrize(
    ("kind", "guess"),
    [
        (Kind.CHOICE, "shrinks"),
        (Kind.NUMBER, math.nan),
        (Kind.NUMBER, "many"),
        (Kind.NUMBER, True),
        (Kind.ORDER, ("a", "b")),
        (Kind.ORDER, ("a", "a", "b")),
        (Kind.TIME, math.inf),
        (Kind.CURVE, ((0.0, 0.0),)),
        (Kind.CURVE, ((1.0, 0.0), (0.0, 0.0))),
        (Kind.CURVE, ((0.0, 0.0), (1.0, math.nan))),
    ],
)
def test_a_guess_of_another_form_is_refused(outcomes: dict[Kind, Outcome], kind: Kind, guess: Guess):
    with pytest.raises(BadInput, match=r"^prediction must be"):
        judge(guess, outcomes[kind])


def test_sentences_are_in_the_lessons_language(outcomes: dict[Kind, Outcome], lesson: Lesson, results: SceneResults):
    german = outcome(lesson.steps[1].predictions[1], results, "de")
    assert german.sentence.startswith("Die Steigung ist 4")
    assert judge("falls", outcomes[Kind.CHOICE], "de").sentence.startswith("Richtig.")
    assert judge("falls", outcomes[Kind.CHOICE], "xx").sentence.startswith("Right.")


def test_every_language_has_every_sentence_with_the_same_parts():
    def parts(text: str) -> set[str]:
        return set(re.findall(r"\{\w+\}", text))

    english = PHRASES.find("en")
    for language, phrases in PHRASES.all().items():
        assert {key: parts(text) for key, text in phrases.items()} == {k: parts(t) for k, t in english.items()}, (
            language
        )


def test_a_claim_that_does_not_hold_is_a_problem_with_its_line(lesson: Lesson):
    assert check(lesson) == ()
    wrong = EVERY_KIND.replace("== 2 * rhs", "== 3 * rhs").replace("h: a step=[0.04, 0.02", "h: a step=[0.03, 0.02")
    (problem,) = check(read_lesson(wrong, "every"))
    assert problem.line == 1 + wrong.splitlines().index("rhs_evaluations(b) == 3 * rhs_evaluations(a)")
    assert "got rhs_evaluations(b) is 800; 3 * rhs_evaluations(a) is 1200" in problem.what


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("least max_error.energy_J", "least max_error.energy", "did you mean 'energy_J'"),
        ("least max_error.energy_J", "least t_end", "must differ"),
        ("| max_error.energy_J(b) < max", "| max_error.energy_J(b) > max", "exactly one item must be true, got none"),
        ("crossing(q1, -1.5707963)", "crossing(q1, 3)", "must be a number, got nan"),
        ("q1(b)", "q9(b)", "did you mean 'q"),
        ("unit: rad", "unit: deg", "unit must be rad, as that of q1 is"),
        ("answer: rhs_evaluations(a)", "answer: final.q1(a)\nunit: deg", "unit must be rad, as that of final.q1 is"),
        ("answer: rhs_evaluations(a)", "answer: longest_step(a)\nunit: ms", "unit must be s"),
        ("plots: error", "plots: eror", "did you mean 'error'"),
    ],
)
def test_a_check_finds_what_only_runs_can_show(old: str, new: str, said: str):
    wrong = read_lesson(EVERY_KIND.replace(old, new), "every")
    problems = check(wrong, plots=lambda scenario: ("error", "energy"))
    assert len(problems) == 1
    assert said in problems[0].what


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("+++\n", "", 1, "must begin with a line '+++'"),
        ('title = "T"\n', "", 1, "must have title"),
        ('title = "T"', "titel = 1", 2, "did you mean 'title'"),
        ("minutes = 5", "minutes = -5", 3, "above 0"),
        ("minutes = 5", "minutes = five", 3, "must be TOML"),
        ('level = "beginner"', 'level = "begin"', 5, "did you mean 'beginner'"),
        ('level = "beginner"', "level = " + "[" * 1500, 2, "short TOML"),
        ('language = "en"', 'language = "English"', 4, "a language's code"),
        ("## One", "##", 9, "must have a title"),
        ("```scene", "```scen", 13, "did you mean 'scene'"),
        ("a: rr-swing", "a: rr-swng", 14, "did you mean 'rr-swing'"),
        ("duration=2", "duraton=2", 14, "did you mean 'duration'"),
        ("duration=2", "duration=-2", 14, "duration must be above 0"),
        ("duration=2", "duration", 14, "KEY=VALUE"),
        ("b: a", "b: c", 15, "a run named before"),
        ("b: a", "a: a", 15, "must be a new one"),
        ("b: a", f'b "{"x" * 41}": a', 15, "at most 40 characters"),
        ("h: a", 'h "five": a', 16, "what differs names the runs of a list"),
        ("b: a", "min: a", 15, "no word of expressions"),
        ("h: a step=[0.04, 0.02, 0.01]", "h: a step=[0.04]", 16, "two values or more"),
        ("hide: h", "hide: k", 17, "run must be one of"),
        ("hide: h", "hide: h, a, b", 17, "must leave one run"),
        ("speed: 0.5", "speed: fast", 19, "a number from 0.001 to 100"),
        ("predict choice", "predict chioce", 22, "did you mean 'choice'"),
        ("answer: least", "anwser: least", 26, "did you mean 'answer'"),
        ("answer: least max_error.energy_J\n", "", 22, "must have a line 'answer: ...'"),
        ("- a: the coarse one", "- c: the coarse one", 24, "a run, or have an expression"),
        ("answer: rhs_evaluations(a)", "answer: rhs_evaluations(c)", 40, "run must be one of"),
        ("near: 10 %", "near: some", 41, "factor 1.5"),
        ("rhs_evaluations(b) == 2", "rhs_evaluations(b) === 2", 51, "an expression of numbers"),
        (
            "rhs_evaluations(b) == 2 * rhs_evaluations(a)",
            "30 < rhs_evaluations(b) < 20",
            51,
            "a comparison that can be true",
        ),
        ("== 2 * rhs_evaluations(a)", "< rhs_evaluations(b)", 51, "a comparison that can be true"),
        ('"finished"', '"finishd"', 52, "did you mean 'finished'"),
        ("over step", "over duration", 67, "a different positive number"),
        ("over step", "over stepp", 67, "did you mean 'step'"),
        ("near: 0.1 s\n", "", 60, "must have a line 'near: ...'"),
        ("Slowly.\n```", "Slowly.", 54, "must end with a line"),
    ],
)
def test_a_mistake_is_refused_with_its_line_and_the_nearest_word(old: str, new: str, line: int, said: str):
    assert old in EVERY_KIND
    with pytest.raises(LessonError) as found:
        read_lesson(EVERY_KIND.replace(old, new, 1), "every")
    assert said in found.value.what
    assert found.value.line == line
    assert len(str(found.value)) <= LONGEST_MESSAGE + 40


def test_a_key_that_plays_is_named_after_the_prediction_that_comes_first() -> None:
    """Nothing of a run is shown before the prediction: what a text says of playing must say so, too."""
    named = 0
    for entry in LESSONS.all().values():
        for step in read_lesson(entry.path.read_text("utf-8"), entry.path.stem).steps:
            for place, block in enumerate(step.blocks):
                text = getattr(block, "markdown", "")
                if "`Space`" in text and any(isinstance(later, Prediction) for later in step.blocks[place:]):
                    named += 1
                    assert "After that `Space`" in text, (entry.path, step.title)
    assert named >= 1


@pytest.mark.parametrize(
    ("language", "exact", "within"), [("en", "Right.", "Close enough."), ("de", "Richtig.", "Nah genug.")]
)
@pytest.mark.parametrize("in_class", [False, True])
def test_only_a_number_that_reads_like_the_answer_is_called_right(
    outcomes: dict[Kind, Outcome], language: str, exact: str, within: str, in_class: bool
):
    found = outcomes[Kind.NUMBER]
    assert judge(found.answer, found, language, in_class=in_class).sentence.startswith(exact)
    near = judge(430.0, found, language, in_class=in_class)
    assert near.right
    assert near.sentence.startswith(within)
