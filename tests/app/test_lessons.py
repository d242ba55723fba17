"""Lessons without a window: what is held before a prediction, what is shown after it, what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.app import run_texts
from gui.app.lessons.chart import paper_of, prediction_chart
from gui.app.lessons.player import LessonPlayer
from gui.app.lessons.predictions import made_predictions
from gui.app.lessons.record import StepRecord
from gui.app.lessons.sequence import LessonSequence
from gui.app.session.session import Session
from gui.app.verdict import verdict
from robots.lessons.answer_files import plain, read_answers, to_html
from robots.lessons.reading import read_lesson
from tests.inline_jobs import InlineJobs
from tests.lessons import SIX_KINDS

CURVE = tuple((t / 10.0, 1.0) for t in range(11))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "six.md"
    path.write_text(SIX_KINDS)
    return path


@pytest.fixture
def class_room(settings, scenario, clock) -> Session:
    """A session that computes at once, with Armstep's own functions."""
    session = Session(InlineJobs(), settings, scenario, now=clock)
    session.start()
    return session


@pytest.fixture
def player(class_room: Session, file: Path) -> LessonPlayer:
    assert class_room.lessons.open(file)
    return class_room.lessons


def seen(session: Session) -> list[object]:
    """Everything of the runs that a row lets anyone see."""
    rows = session.runs.all
    return [part for row in rows for part in (row.run, row.reference, row.reference_run, row.message or None)]


def test_nothing_of_a_run_is_anywhere_before_the_prediction(class_room: Session, player: LessonPlayer) -> None:
    player.onward()
    rows = class_room.runs.all
    assert [row.label for row in rows] == ["coarse", "fine"]
    assert not any(seen(class_room))
    assert all(row.beginning is not None and row.beginning.t_end <= 0.05 for row in rows)
    assert {verdict(row).text for row in rows} == {run_texts.PREDICT_FIRST}
    assert run_texts.PREDICT_FIRST in run_texts.status(rows[0])
    class_room.edit("duration", 0.5)
    class_room.comparisons.pin()
    class_room.history.undo()
    class_room.playback.play()
    assert not any(seen(class_room)), "whatever a student does meanwhile"


def test_the_runs_are_seen_and_play_once_it_is_made(class_room: Session, player: LessonPlayer) -> None:
    player.onward()
    class_room.playback.seek(0.3)
    assert not player.commit(), "there is nothing to commit"
    player.enter("fine")
    assert player.commit()
    assert all(row.state == "done" and row.run is not None for row in class_room.runs.all)
    assert class_room.playback.playing
    assert class_room.playback.t == 0.0
    answer = player.course.record.answers[0]
    assert answer.outcome is not None
    assert answer.outcome.answer == "fine"
    assert answer.judgement is not None
    assert answer.judgement.right
    assert player.course.asked is None


def test_blocks_behind_a_prediction_wait_for_it_and_hints_come_one_by_one(player: LessonPlayer) -> None:
    player.onward()
    kinds = [type(block).__name__ for block in player.course.blocks]
    assert kinds == ["Text", "Prediction"]
    assert player.show_hint()
    assert [type(block).__name__ for block in player.course.blocks] == ["Text", "Prediction", "Hint"]
    assert player.show_hint()
    assert not player.show_hint()
    assert player.course.record.hints == 2
    player.enter("coarse")
    player.commit()
    assert "Text" in [type(block).__name__ for block in player.course.blocks[2:]]
    assert "Teacher" not in [type(block).__name__ for block in player.course.blocks]
    player.show_notes(True)
    assert "Teacher" in [type(block).__name__ for block in player.course.blocks]


@pytest.mark.parametrize(
    ("step", "guess"),
    [(1, "coarse"), (2, 16.0), (3, ("coarse", "fine", "euler")), (4, 0.4), (5, 1.0), (6, CURVE)],
)
def test_every_kind_has_its_outcome_in_the_form_of_the_guess(player: LessonPlayer, step: int, guess: object) -> None:
    player.go(step)
    player.enter(guess)  # type: ignore[arg-type]
    assert player.commit(), player.trouble
    answer = player.course.record.answers[0]
    assert answer.outcome is not None, player.trouble
    assert type(answer.outcome.answer) is type(guess)
    assert player.course.step is not None
    prediction = player.course.step.predictions[0]
    if step not in (1, 3):
        paper = paper_of(prediction, player.course.step.scene, answer.outcome.answer, "en")
        chart = prediction_chart(paper, answer.guess, answer.outcome, [guess])  # type: ignore[list-item]
        assert len(chart.curves) == 3, "the outcome, the prediction and a group's"


def test_every_group_has_its_own_line(player: LessonPlayer) -> None:
    player.go(6)
    assert player.course.step is not None
    paper = paper_of(player.course.step.predictions[0], player.course.step.scene, CURVE, "en")
    chart = prediction_chart(paper, CURVE, None, [CURVE] * 12)
    assert [curve.name for curve in chart.curves] == ["Predicted", *(f"Group {number}" for number in range(1, 13))]
    assert len({(curve.colour, curve.dash) for curve in chart.curves}) == 13


def test_the_axes_for_a_curve_show_no_more_than_its_scale(player: LessonPlayer) -> None:
    player.go(6)
    assert player.course.step is not None
    prediction = player.course.step.predictions[0]
    answer = player.scale_of(prediction)
    assert isinstance(answer, tuple)
    values = [point[1] for point in answer if isinstance(point, tuple)]
    paper = paper_of(prediction, player.course.step.scene, answer, "en")
    low, high = paper.up
    assert paper.start == values[0]
    assert high - paper.start == pytest.approx(paper.start - low), "neither up nor down is suggested"
    assert max(abs(value - values[0]) for value in values) <= 0.51 * (high - paper.start)


def test_a_curve_that_begins_with_rounding_begins_at_0(player: LessonPlayer) -> None:
    player.go(6)
    assert player.course.step is not None
    prediction = player.course.step.predictions[0]
    for start, shown in ((2.22e-16, 0.0), (0.1, 0.1)):
        paper = paper_of(prediction, player.course.step.scene, ((0.0, start), (1.0, 0.03)), "en")
        assert paper.start == shown


def test_reset_brings_the_scene_back_and_undo_the_changes(class_room: Session, player: LessonPlayer) -> None:
    player.onward()
    player.enter("fine")
    player.commit()
    asked_for = class_room.scenario
    class_room.edit("robot.m1", 3.0)
    player.reset()
    assert class_room.scenario == asked_for
    assert player.course.record.answers[0].guess == "fine", "what a student has committed stays"
    assert class_room.runs.current.run is not None
    class_room.history.undo()
    assert class_room.scenario.get("robot.m1") == 3.0
    assert player.course.lesson is not None


def test_opening_something_else_ends_the_secret_and_reset_returns(class_room: Session, player: LessonPlayer) -> None:
    player.onward()
    class_room.files.new("rr-swing")
    assert player.away
    assert class_room.runs.current.run is not None
    player.reset()
    assert not player.away
    assert not any(seen(class_room))
    player.close()
    assert class_room.runs.current.run is not None
    assert player.course.lesson is None


def test_progress_is_kept(class_room: Session, player: LessonPlayer, file: Path, clock) -> None:
    player.onward()
    clock.now += 30.0
    player.enter("fine")
    player.commit()
    clock.now += 200.0
    assert player.course.record.answers[0].seconds == 30.0, "nobody need leave the step, and it does not grow"
    assert player.course.step is not None
    player.explain(player.course.step.predictions[0], "Because.")
    player.show_hint()
    player.onward()
    class_room.close()
    again = Session(InlineJobs(), class_room.settings, now=clock)
    again.start()
    assert again.lessons.open(file)
    assert again.lessons.course.number == 2
    again.lessons.back()
    record = again.lessons.course.record
    assert (record.answers[0].guess, record.answers[0].reason) == ("fine", "Because.")
    assert (record.hints, record.answers[0].seconds) == (1, 30.0)
    assert record.answers[0].outcome is not None, "computed, never kept"


@pytest.mark.parametrize(
    ("step", "guess"),
    [(1, "coarse"), (2, 16.0), (3, ("euler", "coarse", "fine")), (4, 0.4), (5, 1.0), (6, CURVE)],
)
def test_what_is_entered_waits_in_its_step(
    class_room: Session, player: LessonPlayer, file: Path, clock, step: int, guess: object
) -> None:
    player.go(step)
    player.enter(guess)  # type: ignore[arg-type]
    player.reset()
    assert player.course.draft == guess, "the answer stays"
    player.teach(True)
    assert player.course.draft is None, "a class has not said anything"
    player.teach(False)
    assert player.course.draft == guess
    file.write_text(SIX_KINDS.replace("Every kind", "Each kind"))
    player.reload()
    player.go(0)
    class_room.close()
    again = Session(InlineJobs(), class_room.settings, now=clock)
    again.start()
    assert again.lessons.open(file)
    again.lessons.go(step)
    assert again.lessons.course.draft == guess
    assert again.lessons.course.asked is not None
    again.lessons.enter(None)
    again.lessons.onward()
    again.lessons.go(step)
    assert again.lessons.course.draft is None, "what is taken back is gone"


@pytest.mark.parametrize(
    "kept",
    [None, 3, {"answers": 3}, {"answers": [{"guess": "nobody"}]}, {"answers": [{"guess": [1]}, None]}, {"hints": -1}],
)
def test_progress_that_fits_nothing_is_left_out(player: LessonPlayer, kept: object) -> None:
    player.onward()
    assert player.course.step is not None
    record = StepRecord.read(kept, player.course.step.predictions)
    assert record == StepRecord((record.answers[0],))
    assert not record.answers[0].committed


def test_a_saved_file_shows_at_once_and_a_broken_one_says_why(player: LessonPlayer, file: Path) -> None:
    player.onward()
    player.enter("fine")
    player.commit()
    file.write_text(SIX_KINDS.replace("## Who is closer?", "## Nearer"))
    player.reload()
    assert (player.course.number, player.course.title_of(1)) == (1, "Nearer")
    assert player.course.record.answers[0].guess == "fine"
    file.write_text(SIX_KINDS.replace("method=rk1", "method=rk0"))
    player.reload()
    assert "line" in player.trouble
    assert player.course.title_of(1) == "Nearer", "the last good one stays"
    file.write_text(SIX_KINDS.replace("step=0.05", "step=0.04"))
    player.reload()
    assert player.trouble == ""
    assert player.course.step is not None
    assert player.course.step.scene.runs[0].scenario.step == 0.04


def test_a_plot_that_nobody_has_is_named_with_the_lesson(class_room: Session, file: Path) -> None:
    problems, unknown = class_room.messages.problems, SIX_KINDS.replace("plots: error,", "plots: eror,")
    file.write_text(unknown)
    assert class_room.lessons.open(file), "the lesson goes on without it"
    assert problems["file"].startswith("six.md, line ")
    assert "did you mean 'error'" in problems["file"]
    file.write_text(SIX_KINDS)
    class_room.lessons.reload()
    assert "file" not in problems
    file.write_text(unknown)
    class_room.lessons.reload()
    assert "eror" in problems["file"]
    assert class_room.lessons.open("order")
    assert "file" not in problems


@pytest.mark.parametrize("name", ["lesson:nosuch", "nowhere.md"])
def test_a_lesson_that_is_not_there_is_refused(class_room: Session, name: str) -> None:
    assert not class_room.lessons.open(name)
    assert "must be" in class_room.messages.problems["file"]
    assert class_room.lessons.course.lesson is None


@pytest.mark.parametrize("suffix", ["html", "csv"])
def test_answers_are_saved(class_room: Session, player: LessonPlayer, tmp_path: Path, suffix: str) -> None:
    player.onward()
    player.enter("coarse")
    player.commit()
    player.go(2)
    target = tmp_path / f"answers.{suffix}"
    player.answers.save(player.course, target, "Ada", lambda answers: to_html(answers, plain, lambda _: ""))
    assert class_room.messages.notice == f"Saved {target}."
    if suffix == "html":
        answers = read_answers(target)
        assert (answers.student, [one.guess for one in answers.given]) == ("Ada", ["coarse"])
        assert not answers.given[0].right
    else:
        assert len(target.read_text().splitlines()) == 2


def test_a_class_counts_hands_sees_groups_and_leaves_no_trace(
    class_room: Session, player: LessonPlayer, file: Path
) -> None:
    sequence = LessonSequence(player)
    sequence.start()
    assert [page.text for page in sequence.pages[:2]] == ["For the whole lesson.", "Ask why."]
    sequence.turn(1)
    for name in ("fine", "fine", "coarse", "coarse"):
        player.poll.count(name)
    player.poll.take_back()
    assert player.course.record.answers[0].hands == ("fine", "fine", "coarse")
    player.enter("fine")
    player.keep_group()
    assert player.course.record.answers[0].hands.count("fine") == 3, "a group's choice is a hand"
    assert player.course.draft is None
    sequence.turn(1)
    assert sequence.number == 1, "the outcome comes first"
    assert player.course.record.answers[0].guess == "fine", "what most hands were for"
    player.reset()
    assert player.course.asked is not None
    assert not any(seen(class_room))
    assert not player.course.record.answers[0].hands
    sequence.turn(1)
    sequence.turn(1)
    assert sequence.number == 2
    sequence.end()
    player.go(1)
    assert player.course.asked is not None, "the student's own answers are untouched"


def test_the_chart_of_a_prediction_has_the_groups_that_made_it(player: LessonPlayer) -> None:
    player.go(2)
    player.enter(6.0)
    player.commit()
    alone = made_predictions(player.course)
    player.go(4)
    for group in (0.3, 0.5):
        player.enter(group)
        player.keep_group()
    player.enter(0.4)
    player.commit()
    together = made_predictions(player.course)
    assert [one.name for one in together] == [player.course.title_of(number) for number in (2, 4)]
    assert (together[0],) == alone
    assert ["Group 2" in str(one.data) for one in together] == [False, True]


def test_each_prediction_of_a_step_has_its_own_hands_and_groups(player: LessonPlayer, file: Path) -> None:
    first, _, then = SIX_KINDS.partition("## How many?")
    asked = first[first.index("```predict choice") : first.index("```hint")]
    number = then[then.index("```predict") : then.index("## In order")]
    file.write_text(first.replace(asked, number + asked + asked.replace("Which run", "Once more: which run")))
    assert player.open(file)
    LessonSequence(player).start()
    player.go(1)
    player.enter(100.0)
    player.keep_group()
    player.commit()
    assert player.course.record.answers[0].groups == (100.0,)
    assert player.course.record.answers[1].groups == ()
    for name in ("fine", "coarse", "coarse"):
        player.poll.count(name)
    player.poll.show(True)
    player.countdown.add(60.0)
    player.commit()
    hands = [answer.hands for answer in player.course.record.answers]
    assert hands == [(), ("fine", "coarse", "coarse"), ()]
    assert not player.poll.shown
    assert not player.countdown.running
    player.commit()
    assert [answer.guess for answer in player.course.record.answers] == [None, "coarse", None]


def test_time_to_think_runs_down(player: LessonPlayer, clock) -> None:
    countdown = player.countdown
    countdown.add(60.0)
    countdown.add(60.0)
    assert countdown.text == "2:00"
    clock.now += 61.0
    assert countdown.text == "0:59"
    clock.now += 61.0
    assert (countdown.running, countdown.left) == (True, 0.0)
    countdown.stop()
    assert countdown.text == ""


def test_the_reading_of_the_lesson_is_right() -> None:
    lesson = read_lesson(SIX_KINDS, "six")
    assert [step.predictions[0].kind.value for step in lesson.steps] == [
        "choice",
        "number",
        "order",
        "time",
        "slope",
        "curve",
    ]
