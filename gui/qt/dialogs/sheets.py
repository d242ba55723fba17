"""Sheets: cards over the dimmed window; Esc or a click outside closes them, a click no question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from gui.qt.access.spoken import Role, speak
from gui.qt.style.curtain import Curtain
from gui.qt.style.theme import enlarge_over_picture, look, role
from gui.qt.widgets.parts import bare, go_to_refused, push_button
from gui.qt.widgets.scroll import SheetScroll
from gui.qt.window.bridge import Soon
from gui.qt.window.commands import tab_order
from gui.qt.window.commands.focus import VALUES
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.docks import Dock, set_apart

MARGIN, BORDER, SIDE, MOST_SIDE = 32, 1, 28, 0.34
"""The least room around a card, the width of its border, the space between that and its body at the sides [px], and
the largest share of the window for a side column."""
ROOMY, ROOMIEST = 0.2, 1.3
"""A side column of a wide window has this part of its width, and at most so many times its usual width."""
WIDE, HIGH, MOST_GROWTH = 1280, 720, 1.4
"""A sheet that grows has its preferred size in a window of so many pixels, and at most so many times that."""


def open_sheet(window: QWidget) -> Sheet | None:
    """The sheet that covers a window, or its presenter's screen; None without one."""
    return next((sheet for sheet in window.findChildren(Sheet) if sheet.is_open), None)


def leave_sheets(window: QWidget, then: Callable[[], object] = lambda: None) -> None:
    """Close the sheet that covers a window, and one that waits below it, `then` do something."""
    while (sheet := open_sheet(window)) is not None:
        sheet.dismiss()
    then()


GOES_ON = "Close this sheet; a computation goes on"


class Sheet(QWidget):
    """A card over the whole window; its body scrolls where it needs more room. The window's keys do nothing meanwhile.

    Args:
        window: the window to cover.
        title: its name, for those who cannot see it.
        size: the card's preferred size in usual type; it shrinks with the window. With a height of 0 it is as high as
            its body.
        top: distance from the top as a part of the free height (0.5 centres); 0 fixes the upper edge.

    Attributes:
        first: what has the focus at first; None for what stands first.
        is_open: whether it covers the window.
    """

    dismissed = Signal()

    enter_takes: ClassVar[bool] = True
    """Whether Enter presses the primary button from anywhere: where that begins a computation, it leads there."""

    light: ClassVar[bool] = True
    """Whether a click beside it closes it, as Esc does."""

    over: ClassVar[bool] = False
    """Whether the open sheet waits below it and comes back as it was, instead of giving way."""

    grows: ClassVar[bool] = False
    """Whether it is larger in a larger window: there is more to see than it has room for."""

    def __init__(self, window: QWidget, title: str, size: QSize, top: float = 0.5) -> None:
        super().__init__(window)
        self._preferred, self._top = size, top
        self._before = window.focusWidget()
        self._framed = self._before is not None and is_framed(self._before)
        self._apart: list[Dock] = []
        self._below: Sheet | None = None
        self.is_open = False
        self.first: QWidget | None = None
        self.card = QFrame(self)
        self.card.setObjectName("sheet")
        speak(self, Role.Dialog, title, "Esc closes it")
        self.card.setAccessibleName(title)
        around = bare(QVBoxLayout(self.card))
        area = SheetScroll(title)
        around.addWidget(area)
        self.body = QVBoxLayout(area.content)
        self.body.setContentsMargins(SIDE, 24, SIDE, 24)
        self.body.setSpacing(14)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        window.installEventFilter(self)
        self._soon = Soon(self._hide, self)

    def open(self) -> None:
        """Cover the window, in place of the open sheet; `first`, or what stands first in it, has the focus."""
        if not self.over:
            leave_sheets(self._host())
        else:
            while (other := open_sheet(self._host())) is not None and other.over:
                other.dismiss()
            if other is not None:
                self._below, other.is_open = other, False
                other.hide()
        self.is_open = True
        self.setGeometry(self._host().rect())
        enlarge_over_picture(self)
        self.place()
        self._set_apart()
        self.show()
        self.raise_()
        self.setFocus()
        if self.first is None:
            tab_order.enter(self.card)
        else:
            tab_order.arrive(self.first)

    def take_keys(self) -> None:
        """Take the focus: then no widget in the sheet has it."""
        self.setFocus()

    def dismiss(self) -> None:
        """Close without an answer; the focus is where it was again, with its frame, but in no value of the window."""
        self._host().removeEventFilter(self)
        self.is_open = False
        self.hide()
        for panel in self._apart:
            panel.come_back(self)
        Curtain.of(self._host()).open()
        below = self._below
        if below is not None:
            below.is_open = True
            below.show()
            below.raise_()
            below.place()
        if (
            self._before is not None
            and isValid(self._before)
            and not (below is None and isinstance(self._before, VALUES))
        ):
            reason = Qt.FocusReason.TabFocusReason if self._framed else Qt.FocusReason.OtherFocusReason
            self._before.setFocus(reason)
        self.dismissed.emit()
        self.deleteLater()

    def _set_apart(self) -> None:
        self._apart = set_apart(self._host(), self, beside=True)
        if self._apart:
            self.activateWindow()

    def close_button(self, tip: str = "Close this sheet") -> QPushButton:
        """A button that closes the sheet."""
        return push_button("Close", tip, self.dismiss)

    def add_answers(self, name: str, tip: str, act: Callable[[], None], otherwise: str) -> QPushButton:
        """Below the body, Cancel and the button `name` that calls `act`; `otherwise` says what Cancel leaves."""
        row, button = QHBoxLayout(), role(push_button(name, tip, act), "primary")
        row.addStretch(1)
        row.addWidget(push_button("Cancel", otherwise, self.dismiss))
        row.addWidget(button)
        self.body.addLayout(row)
        return button

    def preferred_size(self) -> QSize:
        """The card's preferred size, in larger type a larger one."""
        wanted = self._preferred * self.larger
        if wanted.height():
            room = min(self._host().width() / WIDE, self._host().height() / HIGH, MOST_GROWTH)
            return wanted * max(1.0, room) if self.grows else wanted
        width, frame = min(wanted.width(), self.width() - 2 * MARGIN), 2 * BORDER
        return QSize(width, self.body.totalHeightForWidth(width - frame) + frame)

    def side_width(self, usual: int) -> int:
        """The width of a column beside the main part: more than `usual` in larger type or a wide window [px]."""
        wide = self._host().width()
        roomy = min(max(1.0, ROOMY * wide / usual), ROOMIEST)
        return int(min(usual * max(self.larger, roomy), MOST_SIDE * wide))

    @property
    def larger(self) -> float:
        """The size of the type over the usual one; 1 if it is smaller."""
        return max(1.0, look().theme.scale)

    def _host(self) -> QWidget:
        host = self.parentWidget()
        assert host is not None
        return host

    def place(self) -> None:
        """Place the card, at its preferred size if there is room."""
        wanted = self.preferred_size()
        width = min(wanted.width(), self.width() - 2 * MARGIN)
        height = min(wanted.height(), self.height() - 2 * MARGIN)
        self.card.setGeometry((self.width() - width) // 2, self._above(height), width, height)
        self._soon()

    def _hide(self) -> None:
        """Hide what is behind the card, once the window has put everything into its place."""
        if self.isVisible():
            Curtain.of(self._host()).draw(self.card.geometry(), self)

    def _above(self, height: int) -> int:
        """The free space above the card [px]; with `top` 0 the upper edge stays where it is whatever the height."""
        free = self.height() - height
        return int(free * self._top) if self._top else min(int(self.height() * 0.12), free - MARGIN)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parent():
            self.setGeometry(self._host().rect())
            self.place()
        elif event.type() == QEvent.Type.LayoutRequest and watched is self.parent() and self.isVisible():
            # Docks that were moved lie in front of older widgets.
            self.raise_()
            self._soon()
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; Enter presses the button with the focus, or else the primary one where that ends the sheet.

        Where that begins a computation, it has the keys, and the next Enter presses it. Where a refused value does
        not allow it, that value has them.
        """
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # Enter may already have closed the sheet, or moved the focus.
            buttons = [button for button in self.findChildren(QPushButton) if button.isVisible()]
            primary = [button for button in buttons if button.property("role") == "primary"]
            for button in ([button for button in buttons if button.hasFocus()] or primary)[:1]:
                if button.isEnabled() and not (button.hasFocus() or self.enter_takes):
                    button.setFocus(Qt.FocusReason.TabFocusReason)
                elif button.isEnabled():
                    button.click()
                else:
                    go_to_refused(self)
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.light and not self.card.geometry().contains(event.position().toPoint()):
            self.dismiss()
        event.accept()

    def focusNextPrevChild(self, next: bool) -> bool:
        return tab_order.go(self, next)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), look().theme.colour("veil"))


class Question(Sheet):
    """A sentence, its consequence, and buttons; the first button is the primary one, and has the focus.

    It waits for an answer, which a click beside it does not give. The sheet from which it was asked stays below.
    Each button has a letter of its own, which presses it with Alt.

    Args:
        window: the window to cover.
        title, text: the question, and what follows from the answers.
        answers: names of the buttons, and what each of them does.
        otherwise: what Esc does, which leaves the question open.
    """

    light, over = False, True

    def __init__(
        self,
        window: QWidget,
        title: str,
        text: str,
        answers: Sequence[tuple[str, Callable[[], object]]],
        otherwise: Callable[[], object] = lambda: None,
    ) -> None:
        super().__init__(window, title, QSize(460, 0), 0.4)
        self._otherwise = otherwise
        heading, message = role(QLabel(title), "title"), QLabel(text)
        for label in (heading, message):
            label.setWordWrap(True)
        self.body.addWidget(heading)
        self.body.addWidget(message)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        self.buttons: list[QPushButton] = []
        for name, (_, answer) in zip(lettered([name for name, _ in answers]), answers, strict=True):
            button = QPushButton(name)
            button.setAccessibleDescription(text)
            button.clicked.connect(lambda _=False, answer=answer: self._answer(answer))
            self.buttons.append(button)
        self.first = role(self.buttons[0], "primary")
        for button in reversed(self.buttons):
            row.addWidget(button)
        self.body.addSpacing(4)
        self.body.addLayout(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and the letter of a button press it: a sheet leaves no key to shortcuts, and so none to Qt's own way."""
        pressed = QKeySequence(event.keyCombination())
        if button := next((one for one in self.buttons if QKeySequence.mnemonic(one.text()) == pressed), None):
            button.click()
        elif event.key() == Qt.Key.Key_Escape:
            self._answer(self._otherwise)
        else:
            super().keyPressEvent(event)

    def _answer(self, answer: Callable[[], object]) -> None:
        self.dismiss()
        answer()


def lettered(names: Sequence[str]) -> list[str]:
    """The names of buttons that stand together, each with a letter to press it that no other one has.

    That is the first letter of a word where that is free, else any letter.
    """
    found, taken = list[str](), set[str]()
    for name in names:
        letters = [place for place, letter in enumerate(name) if letter.isalpha()]
        places = [*(place for place in letters if not name[place - 1 : place].strip()), *letters]
        free = next((place for place in places if name[place].lower() not in taken), None)
        taken |= set() if free is None else {name[free].lower()}
        found.append(name if free is None else f"{name[:free]}&{name[free:]}")
    return found
