"""A lesson in front of a class: one step at a time by the remote, a show of hands, groups, a timer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from gui.app.lessons.sequence import LessonSequence
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.presentation import Presentation

MINUTE = 60.0


class Teaching(Presentation):
    """A presentation of the open lesson: its panel in large type stands beside the arm."""

    beside = ("lesson",)

    def __init__(self, bench: Workbench, sequence: LessonSequence) -> None:
        super().__init__(bench, sequence)
        self.player = sequence.player

    def verb(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does; a count of hands is for the choices that are asked for."""
        player, key = self.player, Qt.Key(event.key())
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            choices = () if player.course.asked is None else player.course.asked.choices
            place = event.key() - Qt.Key.Key_1
            return (lambda: player.poll.count(choices[place].name)) if place < len(choices) else lambda: None
        acts: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_Backspace: player.poll.take_back,
            Qt.Key.Key_V: lambda: player.poll.show(not player.poll.shown),
            Qt.Key.Key_G: player.keep_group,
            Qt.Key.Key_H: player.show_hint,
            Qt.Key.Key_R: player.reset,
            Qt.Key.Key_T: player.countdown.stop if back else lambda: player.countdown.add(MINUTE),
        }
        return acts.get(key) or super().verb(event)
