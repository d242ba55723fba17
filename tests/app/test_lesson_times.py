"""How long a question of a lesson is thought about: the time that answers are saved with."""

from __future__ import annotations

from gui.app.lessons.player import LessonPlayer
from gui.app.lessons.record import StepRecord
from tests.app.test_lessons import class_room, file, player

__all__ = ["class_room", "file", "player"]


def test_the_time_of_a_question_goes_on_when_its_step_is_shown_again(player: LessonPlayer, clock) -> None:
    player.go(1)
    clock.now += 10.0
    player.go(0)
    clock.now += 1000.0
    player.go(1)
    clock.now += 5.0
    player.enter("fine")
    assert player.commit()
    assert player.course.record.answers[0].seconds == 15.0


def test_the_time_that_older_progress_has_for_a_step_is_that_of_its_answers(player: LessonPlayer) -> None:
    step = player.course.lesson.steps[0] if player.course.lesson else None
    assert step is not None
    old = {"answers": [{"guess": "fine", "reason": ""}], "hints": 1, "seconds": 61.0}
    read = StepRecord.read(old, step.predictions)
    assert (read.answers[0].seconds, read.hints) == (61.0, 1)
    assert StepRecord.read(read.to_data(), step.predictions) == read
