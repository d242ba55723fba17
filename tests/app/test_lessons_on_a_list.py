"""Lessons among the pages of a list: their steps come between the pages, and a class finds them as it left them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.errors import ArmstepError
from gui.app.lessons.listed import sequence_of_list
from gui.app.lessons.sequence import LessonSequence
from gui.app.session.sequence import Sequence
from gui.app.session.session import Session
from tests.app.test_lessons import class_room, file, player

__all__ = ["class_room", "file", "player"]


def listed(session: Session, folder: Path, *lines: str) -> Sequence:
    """The sequence of a list of these lines."""
    lecture = folder / "lecture.txt"
    lecture.write_text("\n".join(lines), encoding="utf-8")
    return sequence_of_list(session, lecture)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("lesson:order", "Order"),
        ("LESSON:ORDER", "Order"),
        ("order", "Order"),
        ("lesson:order.de", "Ordnung"),
    ],
)
def test_a_lesson_is_listed_by_its_key_or_its_title(session, tmp_path: Path, line: str, title: str) -> None:
    sequence = listed(session, tmp_path, "rr-euler", line, "rr-chaos")
    assert sequence.pages[1].title == title
    assert sequence.pages[1].text == "", "a class sees the list of pages, and no teacher's notes"
    assert len(sequence.pages) == 3


def test_a_lesson_file_stands_beside_the_list(class_room: Session, file: Path) -> None:
    sequence = listed(class_room, file.parent, file.name)
    assert [page.title for page in sequence.pages] == ["Six kinds"]
    assert [page.file for page in sequence.pages] == [file.name]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("lesson:ordr", ("line 2", "lesson:order", "preset or of a lesson", "the file of one")),
        ("lesson:", ("line 2", "preset or of a lesson")),
        ("Stifness", ("line 2", "Stiffness")),
        ("none.md", ("line 2", "the file of one")),
        ("broken.md", ("line 2", "broken.md, line")),
    ],
)
def test_what_is_no_lesson_is_refused_with_what_is_possible(
    session, tmp_path: Path, line: str, says: tuple[str, ...]
) -> None:
    (tmp_path / "broken.md").write_text("no lesson\n")
    with pytest.raises(ArmstepError) as refusal:
        listed(session, tmp_path, "rr-euler", line)
    assert [part for part in says if part not in str(refusal.value)] == []


def test_steps_stand_between_the_pages_of_the_list(class_room: Session, file: Path) -> None:
    sequence = listed(class_room, file.parent, "rr-euler", file.name, "rr-chaos")
    player = class_room.lessons
    assert sequence.start()
    assert sequence.turn(1)
    assert player.course.lesson is not None
    assert (sequence.number, sequence.in_step, sequence.place) == (1, True, "2 of 3")
    taught = LessonSequence(player, sequence)
    taught.start()
    assert [page.label for page in taught.pages] == ["1", "2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "3"]
    assert (taught.number, player.course.leads(-1), player.course.leads(1)) == (1, True, True)
    assert taught.go(7)
    assert player.course.number == player.course.last
    assert taught.following == taught.pages[8]
    taught.turn(1)
    assert player.course.asked is None, "the outcome comes first"
    before = player.course.records
    taught.turn(1)
    assert player.course.lesson is None
    assert class_room.scenario.name == "rr-chaos"
    assert (sequence.number, sequence.in_step) == (2, True)
    assert sequence.turn(-1)
    LessonSequence(player, sequence).start()
    assert player.course.number == player.course.last
    assert player.course.records == before, "as the class has left it"
    again = LessonSequence(player, sequence)
    assert again.go(0)
    assert (class_room.scenario.name, player.course.lesson) == ("rr-euler", None)
    sequence.end()
    sequence.turn(1)
    LessonSequence(player, sequence).start()
    assert player.course.number == 0, "nothing of a class is kept"
    assert all(record.waiting == 0 for record in player.course.records)


def test_a_lesson_at_both_ends_has_nothing_beyond(class_room: Session, file: Path) -> None:
    other = file.with_name("other.md")
    other.write_text(file.read_text(encoding="utf-8").replace("Six kinds", "The other"), encoding="utf-8")
    sequence = listed(class_room, file.parent, file.name, other.name)
    player = class_room.lessons
    assert sequence.start()
    taught = LessonSequence(player, sequence)
    taught.start()
    taught.turn(-1)
    assert (taught.number, player.course.leads(-1)) == (0, False)
    player.go(player.course.last)
    player.onward()
    player.onward()
    assert player.course.lesson is not None
    assert (player.course.lesson.title, player.course.number) == ("The other", 0)
    assert player.in_class, "the class goes on"
    assert taught.page.title == "The other"
    player.go(player.course.last)
    player.onward()
    assert not player.course.leads(1)
    player.onward()
    assert (player.course.number, taught.following) == (player.course.last, None)
    player.go(0)
    player.back()
    assert (player.course.lesson.title, player.course.number) == ("Six kinds", player.course.last)
    assert player.course.asked is None, "its outcome has been seen"


def test_changes_of_a_page_wait_behind_a_lesson_and_those_of_a_step_are_kept(class_room: Session, file: Path) -> None:
    sequence = listed(class_room, file.parent, "rr-euler", file.name)
    sequence.start()
    class_room.files.keeper = sequence.keep
    class_room.edit("step", 0.5)
    sequence.turn(1)
    LessonSequence(class_room.lessons, sequence).start()
    class_room.edit("robot.m1", 3.0)
    class_room.lessons.go(0)
    class_room.lessons.back()
    assert class_room.scenario.get("step") == 0.5
    assert [one.scenario.get("robot.m1") for one in class_room.files.kept] == [3.0]


def test_a_lesson_of_no_list_and_one_whose_file_has_gone(class_room: Session, file: Path) -> None:
    sequence = listed(class_room, file.parent, "rr-euler", file.name, "rr-chaos")
    player = class_room.lessons
    sequence.start()
    sequence.turn(1)
    taught = LessonSequence(player, sequence)
    taught.start()
    player.open("order")
    assert len(taught.pages) == player.course.last + 1, "a lesson of no list has only its steps"
    player.go(0)
    player.back()
    assert player.course.lesson is not None
    assert player.course.lesson.key.startswith("order")
    player.close()
    file.unlink()
    sequence.go(0)
    assert sequence.turn(1)
    assert class_room.scenario.name == "rr-chaos", "it is passed over"


def test_a_lesson_that_is_closed_gives_way_to_the_page_beside_it(class_room: Session, file: Path) -> None:
    sequence = listed(class_room, file.parent, "rr-euler", file.name)
    assert sequence.go(1)
    class_room.lessons.close()
    assert sequence.pass_lesson()
    assert class_room.scenario.name == "rr-euler"
    alone = listed(class_room, file.parent, file.name)
    assert alone.start()
    class_room.lessons.close()
    assert not alone.pass_lesson()
