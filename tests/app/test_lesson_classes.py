"""A lesson before a class: hands that are divided, groups one after the other, and why something waits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gui.app.lessons.player import LessonPlayer
from gui.app.lessons.sequence import LessonSequence
from gui.app.session.session import Session
from robots.lessons.lesson import Guess
from tests.app.test_lessons import class_room, file, player

__all__ = ["class_room", "file", "player"]


@pytest.mark.parametrize(
    ("hands", "guess", "said"),
    [
        (("fine", "fine", "coarse"), "fine", "Right. The class chose “the one with 10 ms”."),
        (("fine", "coarse"), None, "The class is divided. Hands for the right answer: 1 of 2."),
        ((), None, None),
    ],
)
def test_a_class_that_is_divided_has_no_single_verdict(
    player: LessonPlayer, hands: tuple[str, ...], guess: str | None, said: str | None
) -> None:
    heard: list[str] = []
    player.teach(True)
    player.go(1)
    for name in hands:
        player.poll.count(name)
    player.announced.connect(heard.append)
    assert player.commit()
    answer = player.course.record.answers[0]
    assert answer.guess == guess
    assert (answer.judgement and answer.judgement.sentence.replace("$h = 50$", "")) == said
    assert said is None or said in heard[-1]


def test_each_group_is_named_and_can_be_taken_back(player: LessonPlayer) -> None:
    heard: list[str] = []
    player.teach(True)
    player.go(2)
    asked = player.course.asked
    assert asked is not None
    player.announced.connect(heard.append)
    for number in (12.0, 8.5):
        player.enter(number)
        player.keep_group()
        assert player.course.draft is None
    assert player.poll.groups(asked) == ("Group 1: 12", "Group 2: 8.5")
    player.poll.take_back()
    assert player.poll.groups(asked) == ("Group 1: 12",)
    assert heard == ["Group 1: 12", "Group 2: 8.5", "Taken back: Group 2: 8.5"]
    player.go(3)
    player.enter(("fine", "coarse", "euler"))
    player.keep_group()
    assert heard[-1] == "Group 1"


def test_what_waits_says_why(class_room: Session, player: LessonPlayer) -> None:
    heard: list[str] = []
    class_room.messages.said.connect(lambda text, _: heard.append(text))

    def said(act: object) -> list[str]:
        heard.clear()
        assert callable(act)
        act()
        return list(heard)

    player.go(1)
    assert said(player.commit) == ["Enter your prediction first."]
    assert said(player.keep_group) == ["Enter your prediction first."]
    assert said(player.show_hint) == said(player.show_hint) == []
    assert said(player.show_hint) == ["This step has no more hints."]
    player.enter("fine")
    assert said(player.commit) == []
    assert said(player.commit) == ["No prediction is asked for here."]
    player.go(2)
    assert said(player.show_hint) == ["This step has no hint."]
    class_room.files.new("rr-chaos")
    assert said(player.commit) == [player.course.phrase("away")]
    player.teach(True)
    player.reset()
    assert said(player.commit) == [], "a class may see the outcome without a prediction"


def test_another_scene_that_undo_brings_back_is_not_asked_about(class_room: Session, player: LessonPlayer) -> None:
    """Step 3 has a scene of its own; steps 1 and 2 share one."""
    history, computing = class_room.history, class_room.computing
    player.go(1)
    player.enter("fine")
    assert player.commit()
    player.go(2)
    assert not history.can_undo, "it is the scene of step 2, too: to go on is not an edit"
    player.go(3)
    assert history.undo()
    assert player.away
    assert computing.held, "the outcome of step 2 is not seen yet"
    assert history.redo()
    assert not player.away
    assert computing.held
    player.enter(("fine", "coarse", "euler"))
    assert player.commit()
    assert not computing.held
    assert history.undo()
    assert player.away
    assert computing.held
    assert history.redo()
    assert not computing.held


def test_edits_of_a_detour_belong_to_it(class_room: Session, player: LessonPlayer) -> None:
    history = class_room.history
    player.go(1)
    class_room.edit("robot.m1", 3.0)
    assert not player.away, "a student may change the step's arm"
    class_room.files.new("rr-swing")
    class_room.edit("robot.m1", 4.0)
    assert player.away
    player.reset()
    class_room.edit("robot.m1", 5.0)
    assert not player.away
    for away in (False, True, True):
        assert history.undo()
        assert player.away == away
        assert class_room.computing.held != away
    class_room.edit("robot.m1", 6.0)
    assert player.away
    assert not history.can_redo


@pytest.mark.parametrize("in_class", [False, True])
def test_outcomes_speak_to_the_class_or_to_the_student(player: LessonPlayer, in_class: bool) -> None:
    """Of every kind of answer; the order's own words, *1 of 3 in the right place*, name nobody."""
    guesses: list[Guess] = ["fine", 12.0, ("fine", "coarse", "euler"), 0.5, 2.0, ((0.0, 0.0), (2.0, 1.0))]
    player.teach(in_class)
    said: list[str] = []
    for number, guess in enumerate(guesses, 1):
        player.go(number)
        if in_class and isinstance(guess, str):
            player.poll.count(guess)
        else:
            player.enter(guess)
        assert player.commit()
        judgement = player.course.record.answers[0].judgement
        assert judgement is not None
        said.append(judgement.sentence)
    one, many = (sum(word in text.lower() for text in said) for word in ("you", "the class"))
    assert (one, many) == ((0, 5) if in_class else (5, 0)), said
    assert player.course.phrase("predicted") == ("The class's prediction" if in_class else "Your prediction")


def test_the_clock_ends_once_the_outcome_is_there(player: LessonPlayer) -> None:
    player.teach(True)
    player.go(1)
    player.countdown.add(60.0)
    player.onward()
    assert player.course.record.answers[0].outcome is not None
    assert not player.countdown.running
    assert player.countdown.text == ""


@pytest.mark.parametrize("way", [LessonPlayer.onward, LessonPlayer.back, LessonPlayer.come_back])
def test_a_class_comes_back_to_a_step_as_it_was_left(
    class_room: Session, player: LessonPlayer, way: Callable[[LessonPlayer], None]
) -> None:
    """The step began again: without its hands, its hint, its clock and what had been changed in it."""
    sequence = LessonSequence(player)
    sequence.start()
    class_room.files.keeper = sequence.keep
    player.go(1)
    for name in ("fine", "coarse", "fine"):
        player.poll.count(name)
    player.poll.show(True)
    player.show_hint()
    player.countdown.add(60.0)
    class_room.edit("robot.m1", 3.0)
    class_room.files.new("rr-chaos")
    assert player.away
    assert sequence.following is not None
    assert sequence.following.title == player.course.title_of(1)
    way(player)
    assert not player.away
    assert player.course.number == 1
    assert player.course.record.answers[0].hands == ("fine", "coarse", "fine")
    assert player.course.record.hints == 1
    assert player.poll.shown
    assert player.countdown.running
    assert class_room.scenario.get("robot.m1") == 3.0
    assert class_room.computing.held
    assert not player.course.record.answers[0].committed
    assert class_room.history.undo()
    assert not player.away, "the changes are one step to undo"
    player.onward()
    class_room.files.new("rr-chaos")
    assert sequence.go(1)
    assert player.course.record.answers[0].committed
    assert not class_room.computing.held


def test_a_step_that_is_held_again_stands_at_its_start(class_room: Session, player: LessonPlayer) -> None:
    """After Ctrl+Y the playhead stood at the end of the span that was seen before."""
    history, playback = class_room.history, class_room.playback
    player.go(2)
    player.enter(12.0)
    assert player.commit()
    player.go(1)
    player.enter("fine")
    assert player.commit()
    player.go(3)
    assert history.undo()
    assert not class_room.computing.held
    playback.to_end()
    playback.play()
    assert history.redo()
    assert class_room.computing.held
    assert (playback.t, playback.playing) == (0.0, False)


def test_what_a_class_has_no_use_for_says_why(class_room: Session, player: LessonPlayer) -> None:
    heard: list[str] = []
    class_room.messages.said.connect(lambda text, _: heard.append(text))
    player.teach(True)
    assert not player.asks()
    player.go(1)
    assert player.asks()
    player.onward()
    assert not player.asks()
    assert heard.count("No prediction is asked for here.") == 2
    player.go(2)
    class_room.files.new("rr-chaos")
    assert not player.asks()
    assert heard[-1:] == [player.course.phrase("away")]


def test_only_what_a_person_changed_can_be_undone_in_steps_that_share_a_scene(
    class_room: Session, player: LessonPlayer
) -> None:
    history = class_room.history
    for number in (1, 2, 1, 0, 1):
        player.go(number)
    player.reset()
    assert not history.can_undo
    class_room.edit("robot.m1", 3.0)
    player.go(2)
    assert history.undo_text == player.course.title_of(2), "it took the change back"
    assert history.undo()
    assert class_room.scenario.get("robot.m1") == 3.0
    assert not player.away


@pytest.mark.parametrize("in_class", [True, False])
def test_an_unchanged_step_stands_where_it_was_paused(
    class_room: Session, player: LessonPlayer, in_class: bool
) -> None:
    """It began at t = 0 after another scenario."""
    player.teach(in_class)
    player.go(1)
    player.enter("fine")
    assert player.commit()
    class_room.playback.pause()
    class_room.playback.seek(0.25)
    class_room.playback.set_speed(0.5)
    class_room.files.new("rr-chaos")
    class_room.playback.seek(0.1)
    player.come_back()
    assert not player.away
    assert (class_room.playback.t, class_room.playback.speed) == (pytest.approx(0.25), 0.5)
    assert not class_room.playback.playing
    assert not class_room.files.dirty
    player.go(2)
    player.go(1)
    assert class_room.playback.t == 0.0, "a step that is turned begins at its start"
