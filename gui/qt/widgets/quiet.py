"""Sliders, choices, cards, and labels with a role that the theme draws."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionSlider,
    QStylePainter,
    QWidget,
)

from assets.counting import unbroken
from assets.expressions import NUMBER_BEGINS
from assets.fields import Field
from gui.qt.access.spoken import announce, name_choice
from gui.qt.style.list_ground import ListGround
from gui.qt.style.theme_file import USUAL_TYPE

MAY_BREAK = "\u200b"
_PIECE = re.compile(r"[^\W_]*_+(?=\w)|\w{11}(?=\w{4})")
"""A part of a word after which a line may end: all up to an underscore, or many letters."""

REMARK = re.compile(r" \([^()]*\)")

LEAST_SLIDER = 80
"""How narrow a slider may become: enough to choose among some dozens of values [px]."""


class QuietSlider(QSlider):
    """A horizontal slider that jumps to a click, with its name and its tooltip.

    Signals:
        typed: (text) a person begins to type a number, where the slider is that of a number.
    """

    typed = Signal(str)

    def __init__(self, steps: int, name: str, tip: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setRange(0, steps)
        self.setMinimumWidth(LEAST_SLIDER)
        self.setPageStep(max(1, steps // 10))
        self.setSingleStep(max(1, steps // 100))
        self._last = self._fine = 0.0

    def say(self, value: str) -> None:
        """Tell assistive technology what the position means; Qt gives it the number of the step."""
        description = "\n".join(filter(None, (value, self.toolTip())))
        if description != self.accessibleDescription():
            self.setAccessibleDescription(description)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if self.property("numeric") and not held and event.text() in NUMBER_BEGINS:
            self.typed.emit(event.text())
            return
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1}.get(Qt.Key(event.key()))
        if by is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.setValue(self.value() + by)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """With Shift the handle follows the mouse at a tenth of its speed."""
        moved, self._last = event.position().x() - self._last, event.position().x()
        if not self.isSliderDown() or not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().mouseMoveEvent(event)
            return
        room = max(1, self.width() - self.handle_rect().width())
        self._fine += 0.1 * moved * (self.maximum() - self.minimum()) / room
        whole = int(self._fine)
        self._fine -= whole
        self.setSliderPosition(self.sliderPosition() + whole)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last, self._fine = event.position().x(), 0.0
        if event.button() == Qt.MouseButton.LeftButton and not self.handle_rect().contains(event.position().toPoint()):
            handle, width = self.handle_rect(), self.width()
            span = max(1, width - handle.width())
            offset = int(event.position().x() - handle.width() / 2)
            self.setSliderDown(True)
            self.setSliderPosition(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), offset, span))
            self.setSliderDown(False)
        super().mousePressEvent(event)

    def handle_rect(self) -> QRect:
        """Where the handle is [px]."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )


class QuietComboBox(QComboBox):
    """A choice with its name and its tooltip; `chosen` carries the data of the entry that a person picked.

    Attributes:
        one_way: whether a choice replaces what the former entry does not bring back: then arrows and the wheel choose
            nothing by themselves, and arrows open the list, where Enter chooses and Esc does not.
    """

    chosen = Signal(object)

    def __init__(self, name: str = "", tip: str = "", *, one_way: bool = False) -> None:
        super().__init__()
        self.one_way = one_way
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.activated.connect(lambda index: self.chosen.emit(self.itemData(index)))
        self._digits, self._ground = "", ListGround(self)
        self._before: int | None = None
        self._typing = QTimer(self, singleShot=True, interval=QApplication.keyboardInputInterval())
        self._typing.timeout.connect(self._end_number)

    def showEvent(self, event: QShowEvent) -> None:
        name_choice(self)
        super().showEvent(event)

    def showPopup(self) -> None:
        self.view().parentWidget().installEventFilter(self._ground)
        super().showPopup()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._before is not None:
            self.setCurrentIndex(self._before)  # what is being typed is taken back, and the sheet stays
            self._end_number()
        elif self.one_way and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.showPopup()
        elif (
            not self.isEditable()
            and event.text().isdigit()
            and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self._type(event.text())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end_number()
        super().focusOutEvent(event)

    def _type(self, digit: str) -> None:
        """Go to the number that is typed, 2 rather than 20; it is chosen once no digit can follow, or none does."""
        if self._before is None:
            self._digits, self._before = "", self.currentIndex()
        self._digits += digit
        texts = [self.itemText(row) for row in range(self.count())]
        fitting = [row for row, text in enumerate(texts) if text.startswith(self._digits)]
        self.setCurrentIndex(min(fitting, key=lambda row: len(texts[row]), default=self._before))
        self._typing.start()
        if len(fitting) < 2:
            self._end_number()

    def _end_number(self) -> None:
        before, self._before = self._before, None
        self._typing.stop()
        if before is not None and self.currentIndex() != before:
            self.activated.emit(self.currentIndex())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.one_way:
            event.ignore()
        else:
            super().wheelEvent(event)

    def sizeHint(self) -> QSize:
        """With room for the longest text: Qt's own hint measures its ink, which in large type is narrower."""
        metrics, hint = self.fontMetrics(), super().sizeHint()
        if self.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToContents:
            texts = [self.itemText(index) for index in range(self.count())]
            ink = max((metrics.boundingRect(text).width() for text in texts), default=0)
            hint += QSize(max(0, max(map(metrics.horizontalAdvance, texts), default=0) - ink), 0)
        return hint

    def shown_text(self) -> str:
        """The text that is chosen; it ends in an ellipsis where the box is too narrow for it, and is not one alone."""
        option, style = QStyleOptionComboBox(), self.style()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        place = style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        room = place.width() - 2 * style.pixelMetric(QStyle.PixelMetric.PM_DefaultFrameWidth, option, self)
        # The width that a text asks for is rounded, and may be a part of a pixel short.
        text = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room + 1)
        return "" if text == "…" else text

    def paintEvent(self, event: QPaintEvent) -> None:
        option, painter = QStyleOptionComboBox(), QStylePainter(self)
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def show_data(self, data: object) -> None:
        """Select the entry with this data, without a signal."""
        self.setCurrentIndex(self.findData(data))

    def offer(self, entries: Iterable[tuple[str, object]]) -> bool:
        """List these entries, each a text with its data; returns whether they are others than before."""
        wanted = list(entries)
        if wanted == [(self.itemText(row), self.itemData(row)) for row in range(self.count())]:
            return False
        self.clear()
        for text, data in wanted:
            self.addItem(text, data)
        return True


class RoleLabel(QLabel):
    """A label whose role (`section`, `hint`, `error`, `unit`, `strong`) the theme draws."""

    def __init__(self, text: str = "", role: str = "hint", parent: QWidget | None = None) -> None:
        super().__init__(unbroken(text), parent)
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(role in ("hint", "error"))

    def setText(self, text: str) -> None:
        super().setText(unbroken(text))

    def show_text(self, text: str) -> None:
        """Show a text; an empty one hides the label. What went wrong is announced."""
        news = self.property("role") == "error" and unbroken(text) != self.text()
        self.setText(text)
        self.setVisible(bool(text))
        if news and self.isVisible():
            announce(self, text, urgent=True)


class NameLabel(RoleLabel):
    """A field's name in as many lines as it needs; lines also end inside long words, such as `shoulder_pan_joint`."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text, "name")
        self.setText(text)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        # A label beside a field would underline the letter after a single &.
        super().setText(_PIECE.sub(lambda found: found[0] + MAY_BREAK, text.replace("&", "&&")))


class ElidedLabel(RoleLabel):
    """A label of one line that ends in an ellipsis if it is narrow; the tooltip has the whole text.

    Args:
        text, role: as of any label.
        least: how narrow it may become [px].
    """

    def __init__(self, text: str = "", role: str = "hint", *, least: int = 1) -> None:
        super().__init__(text, role)
        self.setWordWrap(False)
        self.setMinimumWidth(least)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(text)

    def sizeHint(self) -> QSize:
        """With room for the whole text: Qt's hint is never below the least width that it had in a former font."""
        margins = self.contentsMargins()
        whole = self.fontMetrics().horizontalAdvance(self.text()) + 1
        return QSize(margins.left() + whole + margins.right(), super().sizeHint().height())

    def shown_text(self) -> str:
        """What there is room for."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), self.alignment(), self.shown_text())
        painter.end()


class SentenceLabel(ElidedLabel):
    """A label of sentences on one line: where it is narrow it says less, and ends in an ellipsis only if it must."""

    def shown_text(self) -> str:
        measure = self.fontMetrics().horizontalAdvance
        fitting = (one for one in shorter_sentences(self.text()) if measure(one) <= self.contentsRect().width())
        return next(fitting, None) or super().shown_text()


def shorter_sentences(text: str) -> Iterator[str]:
    """The text; without its remarks in brackets, the last ones first; without its last parts and sentences."""
    yield text
    while found := REMARK.findall(text):
        before, _, after = text.rpartition(found[-1])
        text = before + after
        yield text
    while (end := max(text.rfind("; "), text.rfind(". "))) > 0:
        text = f"{text[:end]}."
        yield text


class Card(QFrame):
    """One of several things to choose, by a click, Enter or Space.

    Attributes:
        words: by which it is found, in small letters.

    Signals:
        chosen: (key) a person chose the card.
        left: (the card, the key) an arrow key, Home, End, Page Up or Page Down was pressed.
    """

    LEAVES = (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    )

    chosen = Signal(str)
    left = Signal(object, object)

    def __init__(self, key: str, title: str) -> None:
        super().__init__()
        self.key, self.title, self.words = key, title, ""
        self.setObjectName("card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def has(self, query: str) -> bool:
        """Whether it is found by these words: hyphens do not matter, nor blanks within a word that has one."""
        whole, query = self.words.replace("-", ""), query.lower().replace("-", "")
        return "".join(query.split()) in whole or all(word in whole for word in query.split())

    def heading(self) -> QLabel:
        """A label with the title."""
        label = QLabel(unbroken(self.title))
        label.setWordWrap(True)
        bold = label.font()
        bold.setWeight(bold.Weight.DemiBold)
        label.setFont(bold)
        return label

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.key)
        elif event.key() in self.LEAVES:
            self.left.emit(self, Qt.Key(event.key()))
        else:
            event.ignore()


def scale(widget: QWidget) -> float:
    """The size of the widget's type over the usual 13 pixels: sizes in pixels grow with it."""
    return widget.fontInfo().pixelSize() / USUAL_TYPE


def slider_span(field: Field) -> tuple[float, float] | None:
    """The slider's range in SI units, None when the field has no comfortable range."""
    if field.slider is not None:
        return field.slider
    if field.type is int and math.isfinite(field.minimum) and math.isfinite(field.maximum):
        return float(field.minimum), float(field.maximum)
    return None
