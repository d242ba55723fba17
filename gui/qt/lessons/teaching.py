"""A lesson in front of a class: one step at a time by the remote, a show of hands, groups, a timer."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu

from gui.app.lessons.plain import spoken
from gui.app.lessons.sequence import LessonSequence
from gui.qt.lessons.panel import LessonPanel
from gui.qt.lessons.step_area import StepArea
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.local_keys import CHOICE, LOCAL, TAUGHT, asked_for, keys_of
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.presentation import AT_LEFT, AT_RIGHT, Presentation
from robots.lessons.lesson import Kind, Prediction

MINUTE = 60.0


class Teaching(Presentation):
    """A presentation of the open lesson: its panel in large type stands beside the arm."""

    beside, shows_notes = ("lesson",), ""  # they are the teacher's: each class sees them only once asked for
    parts: ClassVar = {"lesson": (AT_LEFT, 0.38), **Presentation.parts, "plots": (AT_RIGHT, 0.3)}

    def __init__(self, bench: Workbench, sequence: LessonSequence) -> None:
        super().__init__(bench, sequence)
        self.player = sequence.player
        self._hands: tuple[Prediction | None, int] = (self.player.course.asked, 0)
        subscribe(self, self.player.poll.changed, self._say_hands)
        self._class = QMenu("Class", self.docks["lesson"])
        self._class.aboutToShow.connect(self._fill_menu)
        self._menu.put_first(self._class.menuAction())

    def verb(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does."""
        name = asked_for(event, self.session.preferences, TAUGHT)
        return self._taught(name) if name else super().verb(event)

    def onward(self) -> None:
        """Show what is below the edge of the step, then the next page."""
        area = self._step_in_sight()
        if area is None or not area.read_on():
            super().onward()

    def back(self) -> None:
        """Show what is above the edge of the step, then the previous page."""
        area = self._step_in_sight()
        if area is None or not area.read_back():
            super().back()

    def _step_in_sight(self) -> StepArea | None:
        panel = self.docks["lesson"].widget()
        return panel.area if isinstance(panel, LessonPanel) and panel.isVisible() else None

    def _taught(self, name: str) -> Callable[[], object]:
        """What a command of a class does."""
        player = self.player
        if name.startswith(CHOICE):
            return lambda: self._count(int(name.removeprefix(CHOICE)) - 1)
        acts: dict[str, Callable[[], object]] = {
            "teach.take_back": lambda: player.asks() and player.poll.take_back(),
            "teach.show_hands": lambda: player.poll.show(not player.poll.shown),
            "teach.keep_group": player.keep_group,
            "teach.hint": player.show_hint,
            "teach.reset": player.reset,
            "teach.more_time": lambda: player.asks() and player.countdown.add(MINUTE),
            "teach.stop_clock": player.countdown.stop,
        }
        return acts[name]

    def _fill_menu(self) -> None:
        """What a class needs of the mouse alone: a hand for each choice, and all that has a key."""
        menu, course = self._class, self.player.course
        menu.clear()
        asks = course.asked if not self.player.away else None
        asked = asks if asks is not None and asks.kind == Kind.CHOICE else None
        hands = {f"{CHOICE}{n}": spoken(one.text) for n, one in enumerate(asked.choices[:9] if asked else (), 1)}
        counted = asked is not None and bool(course.answer(asked).hands)
        able = {
            "teach.take_back": counted,
            "teach.show_hands": asked is not None or any(answer.hands for answer in course.record.answers),
            "teach.keep_group": asks is not None and course.draft is not None,
            "teach.more_time": asks is not None,
            "teach.hint": course.record.hints < len(course.hints),
            "teach.stop_clock": self.player.countdown.running,
        }
        for command in LOCAL:
            name = command.key
            if command.menu != TAUGHT or (name.startswith(CHOICE) and name not in hands):
                continue
            keys = keys_of(name, self.session.preferences)
            text = f"Count a hand: {hands[name]}" if name in hands else command.text
            action = menu.addAction(f"{text}\t{keys}" if keys else text, self._taught(name))
            action.setEnabled(able.get(name, True))

    def _count(self, place: int) -> None:
        """One more hand for a choice, if one is asked for."""
        asked = self.player.course.asked if self.player.asks() else None
        if asked is not None and asked.kind != Kind.CHOICE:
            self._begin_answer(str(place + 1))
        elif asked is not None and place < len(asked.choices):
            self.player.poll.count(asked.choices[place].name)

    def _say_hands(self) -> None:
        """Say over the arm how many hands there are, but not for which choice: nobody follows the others."""
        course, before = self.player.course, self._hands
        count = 0 if course.asked is None else len(course.answer(course.asked).hands)
        self._hands = course.asked, count
        if course.asked is not None and before[0] is course.asked and before[1] != count:
            key = "counted" if count > before[1] else "left"
            self.session.messages.say(course.phrase(f"one {key}" if count == 1 else key, count=count))

    def _begin_answer(self, digit: str) -> None:
        """A group's prediction is typed or drawn: its field gets the keys, and a number its first digit."""
        panel = self.docks["lesson"].widget()
        control = panel.answer_control() if isinstance(panel, LessonPanel) else None
        if control is not None:
            control.setFocus(Qt.FocusReason.TabFocusReason)  # with its frame
            if isinstance(control, QLineEdit):
                control.selectAll()
                control.insert(digit)
                control.textEdited.emit(control.text())
