"""Begin to present: the usual sequence of scenarios, or one that a text file lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.lessons.sequence import LessonSequence
from gui.app.session.sequence import Sequence, sequence_of_list, usual_sequence
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.workbench import Workbench

if TYPE_CHECKING:
    from gui.qt.window.presentation import Presentation


def handlers(bench: Workbench) -> dict[str, Callable[[], object]]:
    """What F5 and its list do, by the command's key."""
    session, player = bench.session, bench.session.lessons
    latest: list[Sequence] = []
    interrupted: list[Sequence] = []
    shown: list[Presentation] = []

    def show(presentation: Presentation) -> None:
        """One that goes on has ended once another begins: two would each arrange the window."""
        other = next((one for one in shown if one.active), None)
        shown[:] = [presentation]
        presentation.begin(other)

    def begin(sequence: Sequence) -> None:
        from gui.qt.window.presentation import Presentation

        latest[:] = [sequence]
        show(Presentation(bench, sequence))

    def present() -> None:
        """An open lesson is taught; otherwise F5 again goes on where the sequence was left."""
        interrupted.clear()
        teach_or_begin()

    def teach_or_begin() -> None:
        if player.course.lesson is not None and not player.away:
            from gui.qt.lessons.teaching import Teaching

            show(Teaching(bench, LessonSequence(player)))
            return
        begin(latest[0] if latest and latest[0].in_step else usual_sequence(session))

    def follow() -> None:
        """An audience sees a lesson once one is opened; once it is closed, the page from which it was opened.

        Without such a page the lesson's scenario stays.
        """
        if not shown or not shown[0].active:
            return
        sequence, opened = shown[0].sequence, player.course.lesson is not None
        taught = isinstance(sequence, LessonSequence)
        if taught == opened or player.away:
            return
        if not taught:
            interrupted[:] = [sequence]
            teach_or_begin()
        else:
            begin(interrupted.pop()) if interrupted else teach_or_begin()

    subscribe(bench.window, player.changed, follow)

    def chosen(file: Path) -> None:
        try:
            begin(sequence_of_list(session, file))
        except (ArmstepError, OSError) as error:
            bench.banner.say(str(error))

    return {
        "view.present": present,
        "view.present_list": lambda: bench.files.ask("Present a list", "List of scenarios (*.txt)", chosen),
    }
