"""Begin to present: the usual sequence of scenarios, or one that a text file lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assets.errors import ArmstepError
from gui.app.session.sequence import Sequence, sequence_of_list, usual_sequence
from gui.qt.window.commands.workbench import Workbench


def handlers(bench: Workbench) -> dict[str, Callable[[], object]]:
    """What F5 and its list do, by the command's key."""
    session = bench.session
    latest: list[Sequence] = []

    def end_other() -> None:
        """One that goes on has ended once another begins: two would each arrange the window."""
        from gui.qt.window.presentation import Presentation

        for other in bench.window.findChildren(Presentation):
            other.leave()

    def begin(sequence: Sequence) -> None:
        from gui.qt.window.presentation import Presentation

        end_other()
        latest[:] = [sequence]
        Presentation(bench, sequence).begin()

    def present() -> None:
        """An open lesson is taught; otherwise F5 again goes on where the sequence was left."""
        player = session.lessons
        if player.course.lesson is not None and not player.away:
            from gui.app.lessons.sequence import LessonSequence
            from gui.qt.lessons.teaching import Teaching

            end_other()
            Teaching(bench, LessonSequence(player)).begin()
            return
        begin(latest[0] if latest and latest[0].in_step else usual_sequence(session))

    def chosen(file: Path) -> None:
        try:
            begin(sequence_of_list(session, file))
        except (ArmstepError, OSError) as error:
            bench.banner.say(str(error))

    return {
        "view.present": present,
        "view.present_list": lambda: bench.files.ask("Present a list", "List of scenarios (*.txt)", chosen),
    }
