"""A lesson in front of a class: one step at a time by the remote, a show of hands, groups, a timer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from gui.app.lessons.sequence import LessonSequence
from gui.qt.lessons.panel import LessonPanel
from gui.qt.window.commands.local_keys import CHOICE, TAUGHT, asked_for
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.presentation import AT_LEFT, AT_RIGHT, Presentation
from robots.lessons.lesson import Kind

MINUTE = 60.0


class Teaching(Presentation):
    """A presentation of the open lesson: its panel in large type stands beside the arm."""

    beside = ("lesson",)
    parts: ClassVar = {"lesson": (AT_LEFT, 0.38), **Presentation.parts, "plots": (AT_RIGHT, 0.3)}

    def __init__(self, bench: Workbench, sequence: LessonSequence) -> None:
        super().__init__(bench, sequence)
        self.player = sequence.player

    def verb(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does."""
        player, name = self.player, asked_for(event, self.session.preferences, TAUGHT)
        if name.startswith(CHOICE):
            return lambda: self._count(int(name.removeprefix(CHOICE)) - 1)
        acts: dict[str, Callable[[], object]] = {
            "teach.take_back": player.poll.take_back,
            "teach.show_hands": lambda: player.poll.show(not player.poll.shown),
            "teach.keep_group": player.keep_group,
            "teach.hint": player.show_hint,
            "teach.reset": player.reset,
            "teach.more_time": lambda: player.countdown.add(MINUTE),
            "teach.stop_clock": player.countdown.stop,
        }
        return acts.get(name) or super().verb(event)

    def _count(self, place: int) -> None:
        """One more hand for a choice, if one is asked for."""
        asked = self.player.course.asked
        if asked is not None and asked.kind != Kind.CHOICE:
            self._begin_answer(str(place + 1))
        elif asked is not None and place < len(asked.choices):
            self.player.poll.count(asked.choices[place].name)

    def _begin_answer(self, digit: str) -> None:
        """A group's prediction is typed or drawn: its field gets the keys, and a number its first digit."""
        panel = self.docks["lesson"].widget()
        control = panel.answer_control() if isinstance(panel, LessonPanel) else None
        if control is not None:
            control.setFocus(Qt.FocusReason.OtherFocusReason)
            if isinstance(control, QLineEdit):
                control.selectAll()
                control.insert(digit)
                control.textEdited.emit(control.text())
