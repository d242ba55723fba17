"""Begin to present: the usual sequence of scenarios, or one that a text file lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.lessons.listed import sequence_of_list
from gui.app.lessons.sequence import LessonSequence
from gui.app.session.sequence import Sequence, usual_sequence
from gui.qt.window.arrangement import drawn_once
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.workbench import Workbench

if TYPE_CHECKING:
    from gui.qt.window.presentation import Presentation


def handlers(bench: Workbench) -> dict[str, Callable[[], object]]:
    """What F5 and its list do, by the command's key."""
    lecture = _Lecture(bench)
    return {
        "view.present": lecture.present,
        "view.present_list": lambda: bench.files.ask(
            "Present a list", "List of scenarios and lessons (*.txt)", lecture.present_list
        ),
    }


class _Lecture:
    """What an audience is shown: a sequence of scenarios, or the open lesson.

    It sees a lesson once one is opened; once that is closed, the page from which it was opened, even if the
    presentation has ended and begun again meanwhile.
    """

    def __init__(self, bench: Workbench) -> None:
        self._bench, self._player = bench, bench.session.lessons
        self._latest: Sequence | None = None
        self._interrupted: Sequence | None = None
        self._shown: Presentation | None = None
        self._on_list = False  # whether the open lesson is a page of the list
        subscribe(bench.window, self._player.changed, self._follow)
        subscribe(bench.window, bench.session.files.opened, self._forget)

    def present(self) -> None:
        """An open lesson is taught; otherwise F5 again goes on where the sequence was left, for a lesson, too."""
        if self._interrupted is not None and self._player.course.lesson is None:
            self._begin(self._interrupted)
            return
        self._teach_or_begin()

    def present_list(self, file: Path) -> None:
        """Present what a text file lists, or say why that is impossible."""
        try:
            self._begin(sequence_of_list(self._bench.session, file))
        except (ArmstepError, OSError) as error:
            self._bench.banner.say(str(error))

    def _teach_or_begin(self) -> None:
        latest = self._latest if self._latest is not None and self._latest.in_step else None
        if self._player.course.lesson is not None and not self._player.away:
            from gui.qt.lessons.teaching import Teaching

            around = latest if latest is not None and latest.has_lesson else None
            self._show(Teaching(self._bench, LessonSequence(self._player, around)))
            return
        self._begin(latest or usual_sequence(self._bench.session))

    def _begin(self, sequence: Sequence) -> None:
        from gui.qt.window.presentation import Presentation

        self._latest, self._interrupted, before = sequence, None, self._shown
        if sequence.has_lesson:
            if sequence.start() and self._shown is before:
                self._teach_or_begin()
            return
        self._show(Presentation(self._bench, sequence))

    def _show(self, presentation: Presentation) -> None:
        """One that goes on has ended once another begins: two would each arrange the window."""
        before, self._shown = self._shown, presentation
        with drawn_once(self._bench.window):
            presentation.begin(before if before is not None and before.active else None)

    def _follow(self) -> None:
        """A lesson was opened or closed; without a page from which it was opened its scenario stays."""
        if self._shown is None or not self._shown.active:
            return
        sequence, opened = self._shown.sequence, self._player.course.lesson is not None
        taught = isinstance(sequence, LessonSequence)
        closed_on_list = self._on_list and not opened
        self._on_list = self._latest is not None and self._latest.in_lesson
        if taught == opened or self._player.away:
            return
        if not taught:
            self._interrupted = sequence
            self._teach_or_begin()
            return
        page = self._interrupted
        if closed_on_list and self._latest is not None and self._latest.has_lesson:
            self._latest.pass_lesson()
            page = None
        self._teach_or_begin() if page is None else self._begin(page)

    def _forget(self) -> None:
        """What is opened after a lesson, and not by it, is what will be presented."""
        if self._player.course.lesson is None:
            self._interrupted = None
