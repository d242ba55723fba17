"""The lessons beside the presets: title, minutes, level, and whether it was done."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.app.lessons.listing import lessons_now
from gui.app.session.session import Session
from gui.qt.lessons.formula import get_ready
from gui.qt.style.theme import role
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import Card, RoleLabel
from gui.qt.widgets.scroll import Scroll, sheet_column
from robots.lessons.library import LessonEntry

WIDTH = 250
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LessonList(QWidget):
    """Cards of lessons, one below the other.

    Signals:
        chosen: (key) a lesson to open.
        returned: the Left key leads back to what is beside the list.
    """

    chosen = Signal(str)
    returned = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.cards = [LessonCard(entry, session.lessons.progress.done(entry.key)) for entry in lessons_now()]
        inner, cards = sheet_column(8)
        for card in self.cards:
            card.chosen.connect(self.chosen)
            card.left.connect(self._step)
            cards.addWidget(card)
        cards.addStretch(1)
        self._area = Scroll("Lessons", "One lesson below the other; the arrows choose")
        self._area.setWidget(inner)
        column = bare(QVBoxLayout(self))
        column.addWidget(role(QLabel("Lessons"), "section"))
        column.addWidget(self._area, 1)
        # If that fails, it fails again, and visibly, where a formula is drawn.
        session.jobs.submit(
            lambda *_: get_ready(),
            key="formulas",
            lane="background",
        )

    @property
    def found(self) -> list[LessonCard]:
        """The cards that match the search."""
        return [card for card in self.cards if not card.isHidden()]

    def filter(self, query: str) -> list[LessonCard]:
        """Show the lessons that have all words of the query."""
        for card in self.cards:
            card.setVisible(card.has(query))
        found = self.found
        self.setVisible(bool(found))
        return found

    def enter(self, card: LessonCard | None = None) -> None:
        """Move the focus to a lesson, else to the first one that is not done."""
        card = card or next((card for card in self.found if not card.done), next(iter(self.found), None))
        if card is not None:
            card.setFocus(Qt.FocusReason.TabFocusReason)

    def _step(self, here: LessonCard, key: Qt.Key) -> None:
        if key == Qt.Key.Key_Left:
            self.returned.emit()
        found = self.found
        page = max(self._area.viewport().height() // max(here.height(), 1), 1)
        steps = {**STEPS, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
        if key not in steps:
            return
        there = found[min(max(found.index(here) + steps[key], 0), len(found) - 1)]
        there.setFocus(Qt.FocusReason.TabFocusReason)


class LessonCard(Card):
    """One lesson."""

    def __init__(self, entry: LessonEntry, done: bool) -> None:
        super().__init__(entry.key, entry.title)
        self.done = done
        self.words = f"{entry.key} {entry.title} {entry.level} lesson".lower()
        tongue = QLocale.languageToString(QLocale(entry.language).language())
        language = "" if entry.language == "en" else f", in {tongue}"
        facts = f"{entry.minutes:g} min, {entry.level}{language}{', done' if done else ''}"
        self.setAccessibleName(f"Lesson {entry.title}")
        self.setAccessibleDescription(facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 7, 12, 8)
        column.setSpacing(1)
        column.addWidget(self.heading())
        column.addWidget(RoleLabel(f"{facts} ✓" if done else facts, "hint"))
