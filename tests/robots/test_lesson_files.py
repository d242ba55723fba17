"""Files around lessons: those that are shipped, those that are damaged, and pages of answers."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
from pathlib import Path

import pytest

import assets
from assets.errors import LONGEST_MESSAGE, ArmstepError, BadInput
from gui.cli import main
from robots.lessons.answer_files import from_html, plain, read_answers, to_csv, to_html
from robots.lessons.answers import Answers, GivenAnswer, given_answer, scenarios_hash
from robots.lessons.checking import check
from robots.lessons.computing import compute
from robots.lessons.lesson import Kind, Lesson, LessonError
from robots.lessons.library import LESSONS, find_lesson, read_file, shipped_lessons
from robots.lessons.outcomes import judge, outcome
from robots.lessons.reading import read_lesson
from robots.scenario.presets import find_preset
from tests.robots.test_urdf import ARM

HEADER = b'+++\ntitle = "T"\nminutes = 1\nlanguage = "en"\nlevel = "beginner"\n+++\n'
MUTANTS = int(os.environ.get("ARMSTEP_MUTANTS", "200"))
"""So many damaged files are tried; more on request."""
STRANGE = [
    "+++", "```", "## ", "```scene", "```predict curve", "```check", "answer: ", "- a: b", "near: factor 0", "[" * 3000,
    "(" * 300, "9" * 400, "1e999", "\0", "\ud800", "\u2028", "a: rr-swing step=", "__import__('os')", "$", "{", '"',
    "rr-swing[", "step=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]", "x" * 3000, "", ": ", "=",
]  # fmt: skip


def mutant(source: random.Random, texts: list[str]) -> str:
    """One of the texts with lines replaced, moved or dropped, or with a few characters changed."""
    lines = source.choice(texts).split("\n")
    for _ in range(source.randint(1, 4)):
        k, action = source.randrange(len(lines)), source.random()
        line = lines[k]
        if action < 0.3:
            lines[k] = source.choice(STRANGE)
        elif action < 0.5:
            del lines[k : k + source.randint(1, 5)]
            lines = lines or [""]
        elif action < 0.65:
            lines.insert(k, lines[source.randrange(len(lines))])
        else:
            at = source.randint(0, len(line))
            lines[k] = line[:at] + source.choice([*STRANGE, *line.split()]) + line[at + source.randint(0, 8) :]
    return "\n".join(lines)


def read_mutants(count: int, seed: int) -> tuple[int, set[str]]:
    """How many damaged files are lessons all the same, and what the others are refused with."""
    source = random.Random(seed)
    texts = [assets.read_text(f"lessons/{key}.md") for key in LESSONS]
    refused: list[tuple[str, LessonError]] = []
    for _ in range(count):
        text = mutant(source, texts)
        try:
            read_lesson(text, "mutant")
        except LessonError as problem:
            refused.append((text, problem))
    assert all(1 <= problem.line <= text.count("\n") + text.count("\r") + 1 for text, problem in refused)
    assert max(len(str(problem)) for _, problem in refused) <= LONGEST_MESSAGE + 60
    return count - len(refused), {problem.what for _, problem in refused}


def test_a_damaged_lesson_opens_or_is_refused_in_a_sentence_with_its_line():
    opened, refusals = read_mutants(MUTANTS, 17)
    assert opened > MUTANTS // 20
    assert len(refusals) > MUTANTS // 10


@pytest.mark.long
def test_ten_thousand_damaged_lessons_open_or_are_refused():
    opened, refusals = read_mutants(10_000, 1990)
    assert opened > 500
    assert len(refusals) > 500


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"", 1, "must begin with a line"),
        (b"\x89PNG\r\n\x1a\n", 1, "text in UTF-8"),
        (b'+++\ntitle = "\xff"\n+++\n', 2, "text in UTF-8"),
        (b"+++\na\0b\n+++\n", 2, "Markdown"),
        (b"+++\n" + b"a = 1\n" * 2_000_000, 1, "a text of at most"),
        (b"+++\n" + b"a = 1\n" * 60, 1, "within 40 lines"),
        (b"+++\na = " + b"[" * 1_000 + b"\n+++\n", 2, "short TOML"),
        (b"+++\na = " + b"{b=" * 600 + b"\n+++\n", 2, "short TOML"),
        (b"+++\n" + b"a" * 5_000 + b"\n+++\n", 2, "characters long"),
        (HEADER + b"text\n", 1, "at least one step"),
        (HEADER + b"## One\ntext\n", 7, "the first step must have a scene"),
        (HEADER + b"## One\n```scene\nplots: error\n```\n", 8, "the first scene must have a run"),
    ],
    ids=[
        "empty",
        "picture",
        "latin-1",
        "zero byte",
        "12 MB",
        "long header",
        "brackets",
        "braces",
        "long line",
        "no step",
        "no scene",
        "no run",
    ],
)
def test_a_file_that_is_no_lesson_is_refused(tmp_path: Path, content: bytes, line: int, said: str):
    file = tmp_path / "it.md"
    file.write_bytes(content)
    with pytest.raises(LessonError) as found:
        read_file(file)
    assert said in found.value.what
    assert found.value.line == line


def test_a_lesson_that_does_not_exist_is_refused_with_the_nearest_one(tmp_path: Path):
    with pytest.raises(BadInput, match="did you mean 'order'"):
        find_lesson("lesson:ordr")
    with pytest.raises(BadInput, match="an existing file"):
        read_file(tmp_path / "nothing.md")


def test_runs_are_based_on_files_in_the_lessons_folder_alone(tmp_path: Path):
    folder = tmp_path / "lesson"
    (folder / "my arms").mkdir(parents=True)
    for file in (folder / "my arms" / "arm.urdf", tmp_path / "arm.urdf"):
        file.write_text(ARM)
    (folder / "link.urdf").symlink_to(tmp_path / "arm.urdf")
    (folder / "swing.json").write_text(find_preset("rr-swing").with_value("robot.m1", 3.0).to_json())
    (folder / "broken.urdf").write_text("<robot>\n<link/></robot>")

    def read(*runs: str) -> Lesson:
        scene = "\n".join(["## One", "```scene", *runs, "```"])
        (folder / "it.md").write_text(HEADER.decode() + scene)
        return read_file(folder / "it.md")

    found = read('arm: "my arms/arm.urdf" duration=2', "again: arm task.tau1=1", "swing: swing.json step=[0.1, 0.01]")
    arm, again, swing, _ = (run.scenario for run in found.steps[0].scene.runs)
    assert (arm.model.name, arm.duration, again.task["tau1"]) == ("test arm", 2.0, 1.0)  # type: ignore[union-attr]
    assert (swing.parameters["m1"], swing.step) == (3.0, 0.1)
    assert found.files == ("my arms/arm.urdf", "swing.json")
    for base, said in (
        ("../arm.urdf", "'..' are never opened"),
        (str(tmp_path / "arm.urdf"), "absolute paths are never opened"),
        ("http://arm.org/arm.urdf", "http: addresses are never opened"),
        ("link.urdf", "leads out of the folder"),
        ("none.json", "has no such file"),
        ("it.md", "a file in the lesson's folder"),
        ("broken.urdf", "broken.urdf, line 2, must be a <link> with a name"),
    ):
        with pytest.raises(LessonError, match=re.escape(said)) as refused:
            read(f"a: {base}")
        assert refused.value.line == 9
    with pytest.raises(LessonError, match="a run named before"):
        read_lesson((folder / "it.md").read_text(), "it")


# -- shipped lessons ---------------------------------------------------------------------------------------------------


def test_shipped_lessons_have_their_place_and_come_once_in_each_language():
    every = shipped_lessons()
    assert {entry.key for entry in every} == set(LESSONS.keys())
    english = shipped_lessons("en")
    assert [entry.key for entry in english] == [entry.key for entry in every if entry.key == entry.original]
    assert len({entry.place for entry in english}) == len(english)
    assert {need for entry in every for need in entry.needs} <= set(LESSONS.keys())


def test_every_shipped_lesson_is_true(capsys: pytest.CaptureFixture[str]):
    assert main(["lesson", "check", "--all", "--json"]) == 0, capsys.readouterr().out
    found = json.loads(capsys.readouterr().out)["lessons"]
    assert {one["key"] for one in found} == set(LESSONS.keys())
    assert all(one["steps"] >= 3 and one["problems"] == [] for one in found)


def test_shipped_lessons_ask_in_every_way_and_help():
    lessons = [find_lesson(key) for key in LESSONS if "." not in key]
    assert len(lessons) >= 13
    assert {asked.kind for lesson in lessons for step in lesson.steps for asked in step.predictions} == set(Kind)
    for lesson in lessons:
        blocks = [type(block).__name__ for step in lesson.steps for block in step.blocks]
        assert 3 <= len(lesson.steps) <= 6, lesson.key
        assert blocks.count("Hint") >= 2, lesson.key
        assert all(step.predictions and step.claims and step.scene.shown for step in lesson.steps), lesson.key
        assert "minute" in lesson.teacher, lesson.key


def test_runs_of_shipped_lessons_have_labels_that_a_class_can_read():
    scenes = [(key, step.scene) for key in LESSONS for step in find_lesson(key).steps]
    assert [
        (key, run.name) for key, scene in scenes if len(scene.shown) > 1 for run in scene.shown if run.label == run.name
    ] == []


def test_a_translation_has_the_scenes_and_questions_of_its_original():
    for entry in shipped_lessons():
        ours, original = find_lesson(entry.key), find_lesson(entry.original)
        assert scenarios_hash(ours) == scenarios_hash(original)
        kinds = [[asked.kind for step in one.steps for asked in step.predictions] for one in (ours, original)]
        assert kinds[0] == kinds[1]


def test_the_recipe_has_a_lesson_of_three_steps_in_25_lines_that_is_true():
    page = (Path(__file__).parents[2] / "docs/write-a-lesson.md").read_text(encoding="utf-8")
    example = page.split("## A lesson of three steps\n\n")[1].split("\n\n## ")[0]
    lines = [line.removeprefix("    ") for line in example.strip("\n").split("\n")]
    lesson = read_lesson("\n".join(lines), "friction")
    assert (len(lesson.steps), check(lesson)) == (3, ())
    assert len(lines) <= 25


# -- the command -------------------------------------------------------------------------------------------------------

SMALL = """+++
title = "T"
minutes = 1
language = "en"
level = "beginner"
+++
## One
```scene
a: rr-swing duration=0.1
```
```check
steps(a) == 10
```
"""


def test_what_a_check_claims_must_be_of_runs_of_its_step():
    with pytest.raises(LessonError) as found:
        read_lesson(SMALL.replace("steps(a) == 10", "steps(a) == 10\nsteps(b) == 10"), "small")
    assert "b" in found.value.what
    assert found.value.line == 13


def test_two_lessons_of_one_name_are_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    names = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.md").write_text(SMALL)
        names.append(str(tmp_path / folder / "mine.md"))
    assert main(["lesson", "check", names[0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lessons"][0]["steps"] == 1
    assert main(["lesson", "check", *names]) == 2
    assert "must differ from other lessons', got 'mine' twice" in capsys.readouterr().out


def test_problems_are_reported_with_their_lines_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "false.md").write_text(SMALL.replace("== 10", "== 11"))
    (tmp_path / "broken.md").write_text(SMALL.replace("rr-swing", "rr-swng"))
    assert main(["lesson", "check", str(tmp_path / "false.md"), str(tmp_path / "broken.md"), "--json"]) == 2
    false, broken = json.loads(capsys.readouterr().out)["lessons"]
    assert false["problems"] == [{"line": 12, "what": "check must hold: steps(a) == 11, got steps(a) is 10"}]
    assert broken["problems"][0]["line"] == 9
    assert broken["steps"] == 0
    (tmp_path / "plot.md").write_text(SMALL.replace("duration=0.1", "duration=0.1\nplots: error, motion"))
    assert main(["lesson", "check", str(tmp_path / "plot.md"), "--json"]) == 2
    (problem,) = json.loads(capsys.readouterr().out)["lessons"][0]["problems"]
    assert "plots" in problem["what"], "a falling arm has no such plot"
    assert "'motion'" in problem["what"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check"], "FILE or --all must be given"),
        (["check", "order", "--all"], "FILE or --all must be given"),
        (["check", "ordr"], "did you mean 'order'"),
        (["chek", "order"], "did you mean 'check'"),
        (["collect", "a.html"], "--out must be a file that ends in .csv"),
        (["collect", "--out", "a.csv"], "must be given files of answers"),
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["lesson", *words]) == 2
    found = capsys.readouterr()
    assert said in found.err
    assert found.out == ""


# -- answers -----------------------------------------------------------------------------------------------------------

CURVE = ((0.0, 0.0), (1.0, -1.5))


@pytest.fixture(scope="module")
def answers() -> Answers:
    """A student's answers to the lesson on order, with one more of the two kinds that it does not have."""
    lesson = find_lesson("order")
    given = []
    for k, step in enumerate(lesson.steps[:2]):
        results = compute(step.scene)
        assert results
        (asked,) = step.predictions
        found = outcome(asked, results)
        guess = found.answer if asked.kind is Kind.CHOICE else 2.0
        why = '<script>alert("=1")</script>'
        given.append(given_answer(lesson, k, guess, found, judge(guess, found), reason=why, hints=k, seconds=61.4))
    more = (3, "Draw", "Draw $q_1$.", Kind.CURVE, CURVE, ((0.0, 0.0), (1.0, -1.0)), "Close.", "It falls.", False, True)
    given.append(GivenAnswer(*more))
    given.append(
        GivenAnswer(4, "Sort", "Sort.", Kind.ORDER, ("a", "b"), ("b", "a"), "Not quite.", "b, a.", False, False)
    )
    return Answers("order", lesson.title, "en", scenarios_hash(lesson), "=Ada & Bob", tuple(given))


def test_a_page_of_answers_holds_them_all_and_runs_nothing(answers: Answers):
    page = to_html(answers, plain, lambda given: f"<svg>{given.guess}</svg>")
    assert from_html(page) == answers
    assert page.count("<script") == 1
    assert "=Ada &amp; Bob" in page
    assert page.count(f"<svg>{CURVE}</svg>") == 1
    assert "You predicted 2." in page


def test_the_table_has_a_row_for_each_answer_and_no_formulas(answers: Answers):
    header, *rows = csv.reader(io.StringIO(to_csv([answers, answers])))
    assert len(rows) == 2 * len(answers.given)
    first = dict(zip(header, rows[0], strict=True))
    assert (first["student"], first["guess"], first["right"], first["seconds"]) == ("'=Ada & Bob", "2", "0", "61")
    assert dict(zip(header, rows[2], strict=True))["guess"] == "0 0; 1 -1.5"
    assert dict(zip(header, rows[3], strict=True))["answer"] == "b a"


def test_the_hash_changes_with_a_scene_and_not_with_a_text():
    text = assets.read_text("lessons/order.md")

    def of(changed: str) -> str:
        return scenarios_hash(read_lesson(changed, "order"))

    assert of(text) == of(text.replace("The arm falls", "The same arm falls"))
    assert of(text) != of(text.replace("step=0.02", "step=0.021"))


def test_collect_makes_the_table_and_names_what_it_cannot_read(
    answers: Answers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    page = to_html(answers, plain, lambda _: "")
    (tmp_path / "ada.html").write_text(page, encoding="utf-8")
    (tmp_path / "bob.html").write_text(page.replace("=Ada", "Bob"), encoding="utf-8")
    names, out = [str(tmp_path / name) for name in ("ada.html", "bob.html")], tmp_path / "table.csv"
    assert main(["lesson", "collect", *names, "--out", str(out)]) == 0
    assert len(list(csv.reader(io.StringIO(out.read_text("utf-8"))))) == 1 + 2 * len(answers.given)
    (tmp_path / "other.html").write_text("<html></html>")
    assert main(["lesson", "collect", names[0], str(tmp_path / "other.html"), "--out", str(out)]) == 2
    assert "other.html" in capsys.readouterr().err
    assert len(list(csv.reader(io.StringIO(out.read_text("utf-8"))))) == 1 + len(answers.given)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 1', '"version": 2'),
        ('"step": 1', '"step": "one"'),
        ('"step": 1', '"step": true'),
        ('"kind": "choice"', '"kind": "poll"'),
        ('"hints": 0', '"hints": NaN'),
        ('"guess": 2.0', '"guess": {"a": 1}'),
        ('"given": [', '"given": [[[['),
        ('"right": false', '"right": 3'),
        ('"student": ', '"student": 3, "x": '),
    ],
)
def test_a_damaged_page_is_refused(answers: Answers, tmp_path: Path, old: str, new: str):
    page = to_html(answers, plain, lambda _: "")
    assert old in page
    (tmp_path / "page.html").write_text(page.replace(old, new), encoding="utf-8")
    with pytest.raises(BadInput, match=r"that a lesson's last step saves.*, got .*page\.html"):
        read_answers(tmp_path / "page.html")


def test_a_file_of_another_kind_is_no_page_of_answers(tmp_path: Path):
    (tmp_path / "page.html").write_bytes(b"\xff\xfe")
    for name in ("page.html", "nothing.html"):
        with pytest.raises(ArmstepError, match=name):
            read_answers(tmp_path / name)


def test_a_table_handed_in_for_the_page_is_refused_with_what_to_hand_in(answers: Answers, tmp_path: Path):
    (tmp_path / "table.csv").write_text(to_csv([answers]), encoding="utf-8")
    with pytest.raises(BadInput, match=r"that a lesson's last step saves, got .*table\.csv"):
        read_answers(tmp_path / "table.csv")


def test_a_lesson_has_one_hash(answers: Answers):
    lesson: Lesson = find_lesson("order")
    assert answers.scenarios == scenarios_hash(lesson)
