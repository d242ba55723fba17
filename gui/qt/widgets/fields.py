"""One editable quantity as a row of a form: name, slider, number and unit, or a choice; its refusal below."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QGridLayout, QWidget

from assets.counting import NO_BREAK, capital
from assets.fields import Field, Value
from gui.app.units import Unit, with_unit
from gui.qt.style.change import type_changed
from gui.qt.style.theme import set_state
from gui.qt.widgets.number_line import NumberLine
from gui.qt.widgets.parts import bare, show_tick
from gui.qt.widgets.quiet import LEAST_SLIDER, NameLabel, QuietComboBox, QuietSlider, RoleLabel, scale, slider_span
from gui.qt.window.commands.tab_order import into_sight

LABEL_WIDTH, NUMBER_WIDTH, UNIT_WIDTH = 96, 76, 40
MOST_FORM = 540
"""The room that the widest panel has for a row [px]."""
SLIDER_STEPS = 1000
WORD_JOINER = "\u2060"


class FieldRow(QWidget):
    """A row of a form. It shows the current value and reports what a person entered; it decides nothing.

    Signals:
        edited: (value) what a person entered in SI units, or the typed text if it is not a number.
        gesture: (began) a drag of the slider starts (True) or ends (False).
        pasted: (texts) several numbers, for this row and those below it.
        menu_asked: (where) the row's menu, at a point of the screen.
    """

    edited = Signal(object)
    gesture = Signal(bool)
    pasted = Signal(list)
    menu_asked = Signal(object)

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        self.marked = self.linked = ""
        self.refused, self.of_view = False, False
        self.value: Value | None = field.default
        self.entered = self.value
        self._entering = False
        self.grid = bare(QGridLayout(self))
        self.grid.setHorizontalSpacing(6)
        self.grid.setVerticalSpacing(2)
        self.name = capital(field.label)
        self.label = NameLabel(self.name)
        self.label.setToolTip(self.explanation())
        self.grid.addWidget(self.label, 0, 0)
        self.complaint = RoleLabel("", "error")
        self.complaint.hide()
        self.grid.addWidget(self.complaint, 1, 1, 1, 3)
        self.grid.setColumnStretch(1, 1)
        FieldRow.fit_type(self)

    def fit_type(self) -> None:
        """Give the columns widths that suit the size of the type."""
        self.label.setFixedWidth(round(LABEL_WIDTH * scale(self)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if hasattr(self, "complaint") and type_changed(self, event):
            self.fit_type()

    def explanation(self) -> str:
        """The tooltip: what the quantity is, what is allowed, and its usual value."""
        usual = "" if self.field.default is None else f"Default: {self.text_of(self.field.default)}."
        allowed = f"Allowed: {phrase}." if (phrase := self.allowed()) else ""
        return "\n".join(filter(None, (self.field.help, allowed, usual)))

    def allowed(self) -> str:
        """What is accepted, as a phrase; empty where a list shows it."""
        return "" if self.field.type in (bool, str) else self.field.allowed()

    def set_value(self, value: Value | None) -> None:
        """Show a value that is in force. One that was not entered here, such as a link's, is what Esc leads back to."""
        if value != self.value and not self._entering:
            self.entered = value
        self.value = value

    def enter(self, value: object) -> None:
        """Report a value that a person entered in this row."""
        self._entering = True
        self.edited.emit(value)
        self._entering = False

    @property
    def control(self) -> QWidget:
        """Where a value is typed or chosen."""
        return self.label.buddy() or self

    def text_of(self, value: Value | None) -> str:
        """A value as this row shows it."""
        return ("on" if value else "off") if isinstance(value, bool) else str(value)

    def mark(self, changed_from: str, linked_to: str = "") -> None:
        """Mark the value.

        Args:
            changed_from: what the file or the preset has, where that is another value.
            linked_to: the fields that keep one value with this one.
        """
        if (changed_from, linked_to) != (self.marked, self.linked):
            self.marked, self.linked = changed_from, linked_to
            self.label.setText(f"{self.name} =" if linked_to else self.name)
            set_state(self.label, "changed", bool(changed_from))
            opened = f"Opened with {changed_from}." if changed_from else ""
            linked = f"Same value as {linked_to}." if linked_to else ""
            self.label.setToolTip("\n".join(filter(None, (self.explanation(), opened, linked))))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_asked.emit(event.globalPos())
        event.accept()

    def remember(self) -> None:
        """The focus has come: `restore` leads back to the present value."""
        self.entered = self.value

    def restore(self) -> None:
        """Take back what was chosen since the focus came."""
        if self.value != self.entered:
            self.enter(self.entered)

    def set_problem(self, message: str) -> None:
        """Show why the last entry was refused, where it can be read; an empty message removes the refusal."""
        new, self.refused = message != self.complaint.text(), bool(message)
        self.complaint.show_text(message)
        if message and new:
            QTimer.singleShot(0, self, self._scroll_to_complaint)

    def _scroll_to_complaint(self) -> None:
        """Show all of the row and of its refusal, once the panel is as long as its rows."""
        if self.complaint.isVisible():
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            into_sight(self)
            into_sight(self.complaint)  # a table may be higher than its panel

    def _name_control(self, control: QWidget) -> None:
        unit = getattr(self, "unit", None)
        named = f"{self.field.label}, {unit.symbol}" if unit and unit.symbol else self.field.label
        control.setAccessibleName(named)
        control.setToolTip(self.explanation())
        self.label.setBuddy(control)


class NumberRow(FieldRow):
    """A number: a slider over its comfortable range (logarithmic if the field says so), the number itself, its unit."""

    def __init__(self, field: Field, *, degrees: bool = True) -> None:
        self.unit = Unit.of(field.unit, degrees)
        super().__init__(field)
        self.problem = ""
        self._written: tuple[Value | None, str] = None, ""
        self.span = slider_span(field)
        self.number = NumberLine()
        if field.optional:
            self.number.setPlaceholderText("auto")
        self.number.editingFinished.connect(self._commit)
        self.number.nudged.connect(lambda steps: self._move(self.value, steps))
        self.number.dragged.connect(lambda steps: self._move(self.entered, steps))
        self.number.gesture.connect(self.gesture)
        self.number.pasted.connect(self.pasted)
        self.number.room_changed.connect(self._show_number)
        self._name_control(self.number)
        self.symbol = RoleLabel(self.unit.symbol.removeprefix("1"), "unit")
        if self.symbol.fontMetrics().horizontalAdvance(self.unit.symbol) > UNIT_WIDTH:
            self.symbol.clear()
            whole = self.unit.symbol.replace(" ", NO_BREAK).replace("/", "/" + WORD_JOINER)
            self.name += f"\n[{whole}]"
            self.label.setText(self.name)
        self.slider = self._new_slider() if self.span is not None else None
        self.fit_type()

    def fit_type(self) -> None:
        super().fit_type()
        if hasattr(self, "symbol"):
            self.number.setFixedWidth(round(NUMBER_WIDTH * scale(self)))
            self.set_value(self.value)
            self.symbol.setFixedWidth(round(UNIT_WIDTH * scale(self)))
            widths = (self.label.width(), LEAST_SLIDER, self.number.width(), self.symbol.width())
            self._place_parts(sum(widths) + 3 * self.grid.horizontalSpacing() > MOST_FORM)

    def _place_parts(self, below: bool) -> None:
        """Slider, number and unit beside the name, or below it where the type is so large."""
        row, first, wide = (1, 0, 2) if below else (0, 1, 1)
        self.label.setMaximumWidth(MOST_FORM if below else self.label.minimumWidth())
        self.grid.addWidget(self.label, 0, 0, 1, 4 if below else 1)
        self.grid.addWidget(self.number, row, 2)
        self.grid.addWidget(self.symbol, row, 3)
        if self.slider is not None:
            self.grid.addWidget(self.slider, row, first, 1, wide)
        self.grid.addWidget(self.complaint, row + 1, 1, 1, 3)

    def _new_slider(self) -> QuietSlider:
        slider = QuietSlider(self.slider_steps(), f"{self.field.label}, slider", self.explanation())
        slider.sliderPressed.connect(lambda: self.gesture.emit(True))
        slider.sliderReleased.connect(lambda: self.gesture.emit(False))
        slider.valueChanged.connect(self._slide)
        slider.setProperty("numeric", True)
        slider.typed.connect(lambda text: self.take(text, whole=False))
        return slider

    def take(self, text: str, *, whole: bool = True) -> None:
        """Type a number here, or begin to."""
        self.number.setFocus(Qt.FocusReason.OtherFocusReason)
        self.number.selectAll()
        self.number.insert(text)
        if whole:
            self._commit()

    def slider_steps(self) -> int:
        """A step per whole number for small integers, otherwise a fine division."""
        assert self.span is not None
        low, high = self.span
        return max(1, int(high - low)) if self.field.type is int and high - low <= SLIDER_STEPS else SLIDER_STEPS

    def allowed(self) -> str:
        return self.unit.allowed(self.field)

    def text_of(self, value: Value | None) -> str:
        return with_unit(self.unit.text(value), self.unit.symbol) if value is not None else "auto"

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        if self._written != (value, self.number.text()):
            self._show_number()
        if self.slider is not None and not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(round(self._place(value) * self.slider.maximum()))
            self.slider.say(self.text_of(value))

    def _show_number(self) -> None:
        """Write the number with the digits that there is room for, unless a person is typing another one."""
        if not self.problem and not self.number.isModified():
            self._written = self.value, self.number.show_value(self.unit, self.value)
            self._describe()

    def _describe(self) -> None:
        """Say why the entry was refused, or all digits of a value that is shown with fewer."""
        exact = self.typeable()
        whole = with_unit(exact, self.unit.symbol) if exact[-1:].isdecimal() else exact
        rest = f"Exactly {whole}." if exact != self.number.text() else ""
        self.number.setAccessibleDescription(self.problem or rest)
        self.number.setToolTip("\n".join(filter(None, (rest, self.explanation()))))

    def typeable(self) -> str:
        """What was typed and is not in force yet, or else what can be typed for just the present value."""
        typed = bool(self.problem) or self.number.isModified()
        return self.number.text() if typed else self.unit.exact(self.value)

    def set_problem(self, message: str) -> None:
        if message == self.problem:
            return
        self.problem = message
        super().set_problem(message)
        set_state(self.number, "refused", bool(message))
        self._describe()

    def restore(self) -> None:
        """Forget what was typed, and take back what was chosen since the focus came."""
        self.number.setModified(False)
        self.set_problem("")
        self.set_value(self.entered)
        self.enter(self.entered)

    def _commit(self) -> None:
        if not self.number.isModified():
            return
        self.number.setModified(False)
        text = self.number.text()
        value = self.unit.read(text)
        nothing = not text.strip() and self.field.optional
        self.enter(None if nothing else text if value is None else value)
        if value == self.value:
            self._show_number()  # it may be the present one in another unit

    def _move(self, start: Value | None, steps: float) -> None:
        """Ask for the value that is that many steps above `start`."""
        begun = start if isinstance(start, int | float) else self.field.default
        wanted = self._stepped(float(begun) if isinstance(begun, int | float) else 0.0, steps)
        if wanted != self.value:
            self.number.setModified(False)
            self.set_problem("")
            self.enter(wanted)

    def _stepped(self, start: float, steps: float) -> float | int:
        """A step is round in the shown unit: of a hundredth of a linear slider, or a tenth of the number's own size."""
        shown = start * self.unit.per_si
        if self.field.type is int:
            moved = start + (math.ceil(steps) if steps > 0 else math.floor(steps))
            return round(min(max(moved, self.field.minimum), self.field.maximum))
        linear = self.span is not None and not self.field.log
        size = (self.span[1] - self.span[0]) * self.unit.per_si / 10.0 if linear and self.span else abs(shown) or 1.0
        grain = 10.0 ** (math.floor(math.log10(size)) - 1)
        ticks = round(steps) if abs(steps) >= 1.0 else steps
        moved = self.unit.in_si(float(f"{shown + ticks * grain:.10g}"))
        if self.field.exclusive_minimum and moved <= self.field.minimum:
            return float(f"{(start + self.field.minimum) / 2.0:.2g}")
        return min(max(moved, self.field.minimum), self.field.maximum)

    def _slide(self, position: int) -> None:
        assert self.slider is not None
        value = self._value_at(position / self.slider.maximum())
        if value != self.value:
            self.set_problem("")
            self.enter(value)

    def _place(self, value: Value | None) -> float:
        """Where `value` lies on the slider, 0 to 1."""
        assert self.span is not None
        low, high = self.span
        if not isinstance(value, int | float) or not math.isfinite(value):
            return 0.0
        if self.field.log:
            share = math.log(max(value, low) / low) / math.log(high / low)
        else:
            share = (value - low) / (high - low)
        return min(1.0, max(0.0, share))

    def _value_at(self, share: float) -> float | int:
        """The value at a position of the slider, rounded to its precision."""
        assert self.span is not None
        low, high = self.span
        if self.field.log:
            value = float(f"{low * (high / low) ** share:.3g}")
        else:
            shown = (low + (high - low) * share) * self.unit.per_si
            grain = 10.0 ** math.floor(math.log10((high - low) * self.unit.per_si / 200.0))
            value = self.unit.in_si(float(f"{round(shown / grain) * grain:.12g}"))
        value = min(max(value, self.field.minimum), self.field.maximum)
        return round(value) if self.field.type is int else value


class ChoiceRow(FieldRow):
    """One of a few words, beside the name; below it where the longest would be cut off."""

    def __init__(self, field: Field, names: dict[str, str] | None = None) -> None:
        self._names = names or {}
        super().__init__(field)
        self.box = QuietComboBox()
        self.offer({choice: self.text_of(choice) for choice in field.choices})
        self.box.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.box.chosen.connect(self.enter)
        self._name_control(self.box)
        self.grid.addWidget(self.complaint, 2, 1, 1, 3)
        self._below = False
        self.grid.addWidget(self.box, 0, 1, 1, 3)
        self.set_value(field.default)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_type()

    def fit_type(self) -> None:
        super().fit_type()
        if not hasattr(self, "_below"):
            return
        measure = self.box.fontMetrics().horizontalAdvance
        longest = max((measure(self.box.itemText(index)) for index in range(self.box.count())), default=0)
        beside = self.width() - self.label.width() - self.grid.horizontalSpacing()
        below = longest + self.box.minimumSizeHint().width() - measure("X") * self.box.minimumContentsLength() > beside
        if below != self._below:
            self._below = below
            self.grid.addWidget(self.box, *((1, 0, 1, 4) if below else (0, 1, 1, 3)))

    def offer(self, names: Mapping[str, str]) -> None:
        """Offer these choices, each by its name."""
        self.box.offer((name, choice) for choice, name in names.items())

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        self.box.show_data(value)

    def text_of(self, value: Value | None) -> str:
        return self._names.get(str(value)) or self.field.label_of(str(value))


class SwitchRow(FieldRow):
    """Yes or no."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        self.check = QCheckBox()
        self.check.toggled.connect(self.enter)
        self._name_control(self.check)
        self.grid.addWidget(self.check, 0, 1, 1, 3, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.set_value(field.default)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        show_tick(self.check, bool(value))
