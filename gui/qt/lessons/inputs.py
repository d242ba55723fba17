"""What a prediction is entered with: a choice, a number, an order. Drawing is in `gui.qt.lessons.sketch`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from gui.app.lessons.plain import spoken
from gui.app.lessons.player import LessonPlayer
from gui.app.units import Unit
from gui.qt.lessons.text import LessonText, larger_font
from gui.qt.style.change import type_changed
from gui.qt.style.theme import set_state
from gui.qt.widgets.parts import NumberText, bare, push_button
from gui.qt.widgets.quiet import RoleLabel, scale
from robots.lessons.lesson import Guess, Prediction

AIR = 2
"""Around an item of an order [px]."""
NAME = Qt.ItemDataRole.UserRole


class ChoiceInput(QWidget):
    """One of several items."""

    def __init__(self, player: LessonPlayer, prediction: Prediction, larger: float) -> None:
        super().__init__()
        self._player, self._prediction = player, prediction
        self.buttons: dict[str, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self._texts: list[LessonText] = []
        grid = bare(QGridLayout(self))
        grid.setColumnStretch(1, 1)
        for row, choice in enumerate(prediction.choices):
            button = _ChoiceButton(str(row + 1))
            button.setProperty("numbered", not player.in_class)
            button.setAccessibleName(f"{row + 1}: {spoken(choice.text)}")
            button.pressed_by_mouse = lambda name=choice.name: self._count(name)
            button.toggled.connect(lambda on, name=choice.name: on and player.enter(name))
            text = _Choosable(choice.text, larger)
            text.chosen.connect(lambda name=choice.name, button=button: self._count(name) or button.click())
            self._group.addButton(button)
            self.buttons[choice.name] = button
            self._texts.append(text)
            grid.addWidget(button, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1)
        self._align()

    def show_guess(self, guess: Guess | None) -> None:
        """Show what is entered, and what a click does."""
        keys = "after Tab the arrow keys" if self._player.in_class else "the arrow keys and the numbers"
        tip = "Count a hand for this" if self._counts else f"Predict this; {keys} choose, too"
        for button in self.buttons.values():
            button.setToolTip(tip)
        if isinstance(guess, str) and guess in self.buttons:
            self.buttons[guess].setChecked(True)
        elif guess is None:
            self._group.setExclusive(False)
            for button in self.buttons.values():
                button.setChecked(False)
            self._group.setExclusive(True)

    @property
    def _counts(self) -> bool:
        """Whether the hands of a class are being counted: the first one has been."""
        return self._player.in_class and bool(self._player.course.answer(self._prediction).hands)

    def _count(self, name: str) -> bool:
        """Count a hand for a choice that was clicked, if hands are being counted; else it is chosen."""
        counts = self._counts
        if counts:
            self._player.poll.count(name)
        return counts

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "_texts") and type_changed(self, event):
            # The texts take the new type after this widget has it.
            QTimer.singleShot(0, self, self._align)

    def _align(self) -> None:
        """Each button stands in the middle of its text's first line."""
        for button, text in zip(self.buttons.values(), self._texts, strict=True):
            button.setFixedHeight(max(button.minimumSizeHint().height(), round(2.0 * text.middle)))


class _ChoiceButton(QRadioButton):
    """Arrows choose, also where nothing is chosen yet: Qt would only move the focus.

    So do the items' numbers where the button is `numbered`; before a class they count hands.

    Attributes:
        pressed_by_mouse: what else a click may be for; whether it is that.
    """

    pressed_by_mouse: Callable[[], bool]

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton and self.hitButton(event.position().toPoint())
        if left and self.isDown() and self.pressed_by_mouse():
            self.setDown(False)
            event.accept()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        numbered = next((one for one in self.group().buttons() if one.text() == event.text()), None)
        if numbered is not None and self.property("numbered"):
            numbered.setFocus()
            numbered.click()
            return
        super().keyPressEvent(event)
        there = QApplication.focusWidget()
        if isinstance(there, _ChoiceButton) and there is not self:
            there.click()


class _Choosable(LessonText):
    """The text of an item; a click chooses it."""

    chosen = Signal()

    def __init__(self, text: str, larger: float) -> None:
        super().__init__(text, larger, spoken(text))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit()


class NumberInput(QWidget):
    """A number with its unit; expressions and other units of the same kind are read, too.

    Signals:
        refused: what was typed is not possible, and the line below it says so.
    """

    refused = Signal()

    def __init__(self, player: LessonPlayer, prediction: Prediction) -> None:
        super().__init__()
        self._player = player
        self._unit = Unit.shown(prediction.unit.removeprefix("1"))
        self.line = NumberText()
        self.line.setProperty("numeric", True)
        self.line.setMaximumWidth(round(160 * scale(self)))
        unit = f" in {self._unit.symbol}" if self._unit.symbol else ""
        self.line.setAccessibleName(f"Your number{unit}")
        self.line.setToolTip("A number, with another unit if you like, or an expression")
        self.line.textEdited.connect(self._edited)
        self.problem = RoleLabel("", "error")
        self.problem.hide()
        row = QHBoxLayout()
        row.addWidget(self.line)
        row.addWidget(RoleLabel(self._unit.symbol, "unit"))
        row.addStretch(1)
        column = bare(QVBoxLayout(self))
        column.addLayout(row)
        column.addWidget(self.problem)

    def show_guess(self, guess: Guess | None) -> None:
        """Show what is entered."""
        shown, unread = self._typed(self.line.text()), self._player.course.unread
        if unread and self.line.text() != unread:
            self.line.setText(unread)
        elif guess is None and not unread and self.line.text().strip():
            self.line.clear()
        elif isinstance(guess, float) and shown != guess:
            self.line.setText(self._unit.exact(self._unit.in_si(guess)))
        self._mark(unread.strip()[:40])

    def _edited(self, text: str) -> None:
        guess = self._typed(text)
        self._player.enter(guess, text if guess is None and text.strip() else "")

    def _typed(self, text: str) -> float | None:
        """A guess is in the prediction's unit, whatever unit is typed."""
        value = self._unit.read(text)
        return None if value is None else float(value) * self._unit.per_si

    def _mark(self, refused: str) -> None:
        """Mark the line as refused, with what was typed there, or as accepted."""
        unit = self._unit.symbol
        key = "not a number in" if unit else "not a number"
        said = self._player.course.phrase(key, text=refused, unit=unit) if refused else ""
        if said == self.line.accessibleDescription():
            return
        self.problem.setText(said)
        self.problem.setVisible(bool(said))
        self.line.setAccessibleDescription(said)
        if self.line.property("refused") != bool(said):
            set_state(self.line, "refused", bool(said))
        if said:
            self.refused.emit()


class OrderInput(QWidget):
    """Items to put in order: by dragging, with Ctrl+Up and Ctrl+Down, or with the buttons."""

    def __init__(self, player: LessonPlayer, prediction: Prediction, larger: float) -> None:
        super().__init__()
        self._player, self._larger = player, larger
        self._texts = {choice.name: spoken(choice.text) for choice in prediction.choices}
        self.list = _OrderList()
        self.list.setSpacing(AIR)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName("Your order, the first one on top")
        self.list.moved.connect(self.move)
        self.list.model().rowsMoved.connect(lambda *_: self._enter())
        for name, text in self._texts.items():
            item = QListWidgetItem(text)
            item.setData(NAME, name)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        said = player.course.phrase
        self.up = push_button(said("up"), "Move the selected item up (Ctrl+Up)", lambda: self.move(-1))
        self.down = push_button(said("down"), "Move the selected item down (Ctrl+Down)", lambda: self.move(1))
        buttons = QHBoxLayout()
        buttons.addWidget(self.up)
        buttons.addWidget(self.down)
        buttons.addStretch(1)
        column = bare(QVBoxLayout(self))
        column.addWidget(self.list)
        column.addLayout(buttons)
        self._fit()
        self.show_guess(player.course.draft)

    def move(self, by: int) -> None:
        """Move the selected item."""
        row = self.list.currentRow()
        if 0 <= row + by < self.list.count():
            item = self.list.takeItem(row)
            self.list.insertItem(row + by, item)
            self.list.setCurrentRow(row + by)
            self._enter()
            place = f"{item.text()}: place {row + by + 1} of {self.list.count()}"
            self.list.setAccessibleDescription(place)
            self._player.announced.emit(place)

    def order(self) -> tuple[str, ...]:
        """The names of the items, the first one on top."""
        return tuple(str(self.list.item(row).data(NAME)) for row in range(self.list.count()))

    def show_guess(self, guess: Guess | None) -> None:
        """Show what is entered: any order is a prediction, but a class begins without one."""
        if guess is None and not self._player.in_class:
            self._enter()
        elif isinstance(guess, tuple) and guess != self.order():
            for row, name in enumerate(guess):
                item = self.list.item(row)
                item.setData(NAME, name)
                item.setText(self._texts.get(str(name), ""))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "list") and type_changed(self, event):
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # The list has the new width only after this widget's layout.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        """Type as large as the question's, and room for every item."""
        font = larger_font(self, self._larger)
        for row in range(self.list.count()):
            # That of the list itself would be the style sheet's.
            self.list.item(row).setFont(font)
        self.list.doItemsLayout()
        rects = [self.list.visualItemRect(self.list.item(row)) for row in range(self.list.count())]
        rows = sum(rect.height() + 2 * AIR for rect in rects)
        self.list.setFixedHeight(rows + 2 * self.list.frameWidth() + 2)

    def _enter(self) -> None:
        self._player.enter(self.order())


class _OrderList(QListWidget):
    moved = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setToolTip("Drag an item, or move it with Ctrl+Up and Ctrl+Down")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if by is not None and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.moved.emit(by)
        else:
            super().keyPressEvent(event)
