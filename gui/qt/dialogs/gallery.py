"""The gallery: every preset as a card with a picture, and the lessons beside them; the first thing a person sees."""

from __future__ import annotations

import math
import re
from itertools import groupby
from typing import Protocol

from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from assets import path
from assets.fields import matters
from gui.app.session.session import Session
from gui.qt.dialogs.sheets import Sheet
from gui.qt.lessons.lesson_list import WIDTH as LESSON_WIDTH
from gui.qt.lessons.lesson_list import LessonCard, LessonList
from gui.qt.style.theme import look, role, set_state
from gui.qt.widgets.parts import push_button, search_line
from gui.qt.widgets.quiet import Card, RoleLabel
from gui.qt.widgets.scroll import Scroll, sheet_column
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.bridge import Soon
from robots.model.registry import find_robot
from robots.scenario.presets import group_of, presets_by_robot
from robots.scenario.scenario import Scenario

COLUMNS, GAP = 3, 14
"""Cards side by side in usual type, where the window has room, and the gap between them [px]."""

_ARROWS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
_PAGES = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
PICTURE = QSize(248, 155)
EDGE, MARGIN = 4, 8
"""Around the picture of a card: the thickest border, and a gap; and around all cards [px]."""


def thumbnail(key: str) -> QPixmap:
    """The preset's picture, made by Armstep itself; empty if there is none."""
    picture = QPixmap()
    file = path(f"thumbnails/{key}.png")
    if file.is_file():
        picture.loadFromData(QByteArray(file.read_bytes()))
    return picture


class Opening(Protocol):
    """What opens what a person chooses; the gallery stays until something is open."""

    def open_preset(self, key: str) -> None:
        """Open a preset by its key."""
        ...

    def open_lesson(self, name: str) -> None:
        """Open a lesson by its key."""
        ...

    def ask_open(self) -> None:
        """Ask for a file and open it."""
        ...


class Gallery(Sheet):
    """Cards with presets, and the list of lessons.

    Args:
        window: the window to cover.
        session: knows which lessons are done.
        files: opens what is chosen.
    """

    grows = True

    def __init__(self, window: QWidget, session: Session, files: Opening) -> None:
        super().__init__(
            window, "Choose a scenario", QSize(COLUMNS * (PICTURE.width() + 2 * EDGE) + 144 + LESSON_WIDTH, 660), 0.45
        )
        self._columns, self._lessons_first = COLUMNS, False
        head = QHBoxLayout()
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(role(QLabel("Choose a scenario"), "display"))
        titles.addWidget(role(QLabel("You can change everything in it, and undo every change."), "hint"))
        head.addLayout(titles, 1)
        tip = "Open a scenario, a robot or a lesson"
        other = push_button("Open a file…", tip, files.ask_open)
        head.addWidget(other, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.cards = [PresetCard(key, preset) for key, preset in presets_by_robot().items()]
        for card in self.cards:
            card.chosen.connect(files.open_preset)
            card.left.connect(self._step)
        tip = "Show only scenarios and lessons with these words"
        self.search = search_line("Search scenarios and lessons", lambda _: self._arrange(), tip=tip)
        self.search.returnPressed.connect(self._open_first)
        self.order = Segmented(
            {"robot": "By robot", "name": "A to Z"}, "Order", "How the scenarios are sorted", "robot"
        )
        self.order.chosen.connect(lambda _: self._arrange())
        find = QHBoxLayout()
        find.addWidget(self.search, 1)
        find.addWidget(self.order)
        self.body.addLayout(find)
        self.empty = role(QLabel("No matches"), "hint")
        self.body.addWidget(self.empty)
        self.area = Scroll("Scenarios", "The arrows choose a scenario; Enter opens it")
        for watched in (self.area.viewport(), self.search):
            watched.installEventFilter(self)
        self._fit_soon, self._seen_soon = Soon(self._fit, self), Soon(self._bring_into_view, self)
        self.lessons = LessonList(session)
        self.lessons.chosen.connect(files.open_lesson)
        self.lessons.returned.connect(self._to_scenarios)
        both = QHBoxLayout()
        both.setSpacing(18)
        both.addWidget(self.area, 1)
        both.addWidget(self.lessons)
        self.body.addLayout(both, 1)
        self._arrange()

    def open(self) -> None:
        super().open()
        if self.cards:
            self.cards[0].setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.area.viewport() and event.type() == QEvent.Type.Resize:
            self._fit_soon()
        elif watched is self.search and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._mark_best()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Put as many cards side by side as there is room for, which they share: in larger type the sheet is wider."""
        room = self.area.viewport().width() + GAP
        columns = max(room // (PICTURE.width() + 2 * EDGE + GAP), 1)
        for card in self.cards:
            card.fit((room - MARGIN) // columns - GAP)
        if columns != self._columns:
            self._columns, focus = columns, QApplication.focusWidget()
            self._arrange()
            if focus in self.cards:
                focus.setFocus()

    def found(self) -> list[PresetCard]:
        """The cards that match the search, in the chosen order."""
        fitting = [card for card in self.cards if card.has(self.search.text())]
        return fitting if self.order.choice() == "robot" else sorted(fitting, key=lambda card: card.title.lower())

    def _arrange(self) -> None:
        """Lay the cards out, robot by robot or all together."""
        (inner, column), found = sheet_column(10), self.found()
        for card in self.cards:
            card.setParent(None)
        by_robot = self.order.choice() == "robot"
        for group, cards in groupby(found, key=lambda card: card.group if by_robot else ""):
            if group:
                column.addWidget(role(QLabel(group), "section"))
            grid = QGridLayout()
            grid.setSpacing(GAP)
            grid.setColumnStretch(self._columns, 1)
            # The column is a widget's: a card that is shown before it has a parent is a window of its own.
            column.addLayout(grid)
            for number, card in enumerate(cards):
                grid.addWidget(card, number // self._columns, number % self._columns)
                card.show()
            column.addSpacing(10)
        column.addStretch(1)
        self.area.setWidget(inner)
        self.area.viewport().setAutoFillBackground(False)
        lessons = self.lessons.filter(self.search.text())
        self.empty.setVisible(not (found or lessons))
        self._mark_best()
        self._seen_soon()

    def _mark_best(self) -> None:
        """What Enter opens has a border while the search has the keys; where a card has them, that is the one."""
        best = self._best() if self.search.text().strip() and self.search.hasFocus() else None
        for card in (*self.cards, *self.lessons.cards):
            if bool(card.property("best")) != (card is best):
                set_state(card, "best", card is best)

    def _bring_into_view(self) -> None:
        """What Enter opens is in view, once the cards are in their places."""
        best = self._best() if self.search.text().strip() else None
        if isinstance(best, PresetCard) and self.search.hasFocus():
            self.area.widget().layout().activate()
            self.area.ensureWidgetVisible(best)

    def take_keys(self) -> None:
        """The search gives the keys to what Enter opens."""
        super().take_keys()
        if self.isVisible():
            self._to_scenarios()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down leads from the search to what Enter opens there, and any arrow does where nothing has the focus.

        Whatever is typed on a card is searched.
        """
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        down = event.key() == Qt.Key.Key_Down and self.search.hasFocus()
        if down or (event.key() in _ARROWS and self.hasFocus()):
            self._to_scenarios()
        elif event.text().isprintable() and event.text().strip() and not held and not self.search.hasFocus():
            self._lessons_first = QApplication.focusWidget() in self.lessons.cards
            self.search.setFocus()
            self.search.insert(event.text())
        else:
            super().keyPressEvent(event)

    def _to_scenarios(self) -> None:
        """Move the focus to the best match, which is the first scenario where nothing is searched."""
        best = self._best()
        if isinstance(best, PresetCard):
            best.setFocus(Qt.FocusReason.TabFocusReason)
        elif best is not None:
            self.lessons.enter(best)

    def _best(self) -> PresetCard | LessonCard | None:
        """The best match: words in a title count more than in the notes, whole ones and beginnings more than parts.

        Where typing began on a lesson, one with all the words in its title comes before every scenario.
        """
        words = self.search.text().lower().split()

        def missing(card: PresetCard | LessonCard) -> tuple[int, bool, int, int]:
            title = card.title.lower()
            whole = re.findall(r"\w+", title)
            parts = sum(not any(one.startswith(word) for one in whole) for word in words)
            other = self._lessons_first and isinstance(card, PresetCard)
            return sum(word not in title for word in words), other, sum(word not in whole for word in words), parts

        return min([*self.found(), *self.lessons.found], key=missing, default=None)

    def _open_first(self) -> None:
        best = self._best()
        if best is not None:
            best.chosen.emit(best.key)

    def _step(self, here: PresetCard, key: Qt.Key) -> None:
        found = self.found()
        ends = {Qt.Key.Key_Home: found[0], Qt.Key.Key_End: found[-1]}
        if key in ends:
            there = ends[key]
        elif key in _PAGES:
            there = _page_on(here, _PAGES[key] * self.area.viewport().height(), found)
        else:
            there = _nearest(here, _ARROWS[key], found)
        if there is here and key == Qt.Key.Key_Right:
            self.lessons.enter()
            return
        there.setFocus(Qt.FocusReason.TabFocusReason)


def _nearest(here: PresetCard, step: tuple[int, int], cards: list[PresetCard]) -> PresetCard:
    """The nearest card in a direction, sideways in the same row; `here` if there is none."""
    window = here.window()
    centre = here.mapTo(window, here.rect().center())

    def distance(card: PresetCard) -> float:
        gap = card.mapTo(window, card.rect().center()) - centre
        along, across = gap.x() * step[0] + gap.y() * step[1], gap.x() * step[1] + gap.y() * step[0]
        if step[0] and abs(across) > here.height() // 2:
            return math.inf
        return along + 4 * abs(across) if along > 4 else math.inf

    best = min(cards, key=distance)
    return best if distance(best) < math.inf else here


def _page_on(here: PresetCard, by: int, cards: list[PresetCard]) -> PresetCard:
    """The card nearest to what is `by` pixels below `here`, or above it; `here` if there is none on that side."""
    window = here.window()
    centre = here.mapTo(window, here.rect().center())
    wanted = 1 if by > 0 else -1

    def distance(card: PresetCard) -> float:
        gap = card.mapTo(window, card.rect().center()) - centre
        return abs(gap.y() - by) + abs(gap.x()) if gap.y() * wanted > 4 or card is here else math.inf

    return min(cards, key=distance)


class PresetCard(Card):
    """One preset: picture, title, first sentence of its notes."""

    def __init__(self, key: str, preset: Scenario) -> None:
        super().__init__(key, preset.title)
        self.group = group_of(preset)
        self.words = f"{preset.title} {preset_words(key, preset)}".lower()
        self.setAccessibleName(preset.title)
        self.setAccessibleDescription(preset.notes)
        self.setToolTip(preset.notes)
        self._picture = _Picture(thumbnail(key))
        self.fit(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 12)
        column.setSpacing(6)
        column.addWidget(self._picture)
        for label in (self.heading(), RoleLabel(first_sentence(preset.notes), "hint")):
            label.setContentsMargins(12, 0, 12, 0)
            column.addWidget(label)
        column.addStretch(1)

    def fit(self, width: int) -> None:
        """Be so wide, and the picture with it, but no narrower than usual [px]."""
        inside = max(width - 2 * EDGE, PICTURE.width())
        self.setFixedWidth(inside + 2 * EDGE)
        self._picture.setFixedSize(inside, inside * PICTURE.height() // PICTURE.width())


def preset_words(key: str, preset: Scenario) -> str:
    """What a preset is found by besides its title: its key and notes, its robot, and its task."""
    robot = find_robot(preset.robot)
    return f"{key} {preset.notes} {robot.title} {robot.summary} {_task(preset)}"


def _task(preset: Scenario) -> str:
    """What is chosen of the preset's task, such as its path, in words."""
    fields = {path: one for path, one in preset.fields().items() if path.startswith("task.") and one.choices}
    chosen = {path: str(preset.get(path)) for path in fields if matters(path, fields, preset.get)}
    return " ".join(fields[path].label_of(value) for path, value in chosen.items() if value != fields[path].default)


class _Picture(QWidget):
    """A picture whose upper corners are round like its card's."""

    def __init__(self, picture: QPixmap) -> None:
        super().__init__()
        self._picture = picture
        self.setFixedSize(PICTURE)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(0, 0, self.width(), self.height() + 10), 9, 9)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), look().theme.colour("lane"))
        if not self._picture.isNull():
            target = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatioByExpanding)
            left, top = (self.width() - target.width()) // 2, (self.height() - target.height()) // 2
            painter.drawPixmap(
                QRectF(left, top, target.width(), target.height()), self._picture, QRectF(self._picture.rect())
            )


def first_sentence(text: str) -> str:
    """The text up to its first full stop."""
    head, dot, _ = text.strip().partition(". ")
    return head + dot.strip()
