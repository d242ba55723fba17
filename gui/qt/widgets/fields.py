"""One editable quantity as a row of a form: name, slider, number and unit, or a choice; its complaint below."""

from __future__ import annotations

import math
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget

from assets.fields import Field, Value
from gui.app.units import Unit, with_unit
from gui.qt.widgets.quiet import QuietComboBox, QuietSlider, RoleLabel, scale

LABEL_WIDTH, NUMBER_WIDTH, UNIT_WIDTH = 96, 76, 40
SLIDER_STEPS = 1000
NO_BREAK_SPACE, WORD_JOINER = "\u00a0", "\u2060"


class FieldRow(QWidget):
    """A row of a form. It shows the value in force and reports what a person asked for; it decides nothing.

    Signals:
        edited: (value) a person's wish in SI units, or the text they typed when it cannot be read as a number.
        gesture: (began) a drag of the slider starts (True) or ends (False).
    """

    edited = Signal(object)
    gesture = Signal(bool)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.value: Value | None = field.default
        self.entered = self.value
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(6)
        self.grid.setVerticalSpacing(2)
        self.label = QLabel(field.label[:1].upper() + field.label[1:])
        self.label.setWordWrap(True)
        self.label.setToolTip(self.explanation())
        self.grid.addWidget(self.label, 0, 0)
        self.complaint = RoleLabel("", "error")
        self.complaint.hide()
        self.grid.addWidget(self.complaint, 1, 1, 1, 3)
        self.grid.setColumnStretch(1, 1)
        FieldRow.fit_type(self)

    def fit_type(self) -> None:
        """Give the columns the widths that the size of the type asks for."""
        self.label.setFixedWidth(round(LABEL_WIDTH * scale(self)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "complaint"):
            self.fit_type()

    def explanation(self) -> str:
        """The tooltip: what the quantity is, what is allowed, and its usual value."""
        usual = "" if self.field.default is None else f"Default: {self.shown_default()}."
        lines = (self.field.help, f"Allowed: {self.allowed()}.", usual)
        return "\n".join(line for line in lines if line)

    def allowed(self) -> str:
        """What is accepted, as a phrase."""
        return self.field.allowed()

    def shown_default(self) -> str:
        """The default value as text."""
        return str(self.field.default)

    def set_value(self, value: Value | None) -> None:
        """Show a value that is in force."""
        self.value = value

    def remember(self) -> None:
        """The focus has come: `restore` leads back to the value of now."""
        self.entered = self.value

    def restore(self) -> None:
        """Take back what was chosen since the focus came."""
        if self.value != self.entered:
            self.edited.emit(self.entered)

    def set_problem(self, message: str) -> None:
        """Show why the last wish was refused; an empty message takes the complaint away."""
        self.complaint.setText(message)
        self.complaint.setVisible(bool(message))

    def _name_control(self, control: QWidget) -> None:
        unit = getattr(self, "unit", None)
        named = f"{self.field.label}, {unit.symbol}" if unit and unit.symbol else self.field.label
        control.setAccessibleName(named)
        control.setToolTip(self.explanation())
        self.label.setBuddy(control)


class NumberRow(FieldRow):
    """A number: a slider over its comfortable range (logarithmic if the field says so), the number itself, its unit."""

    def __init__(self, field: Field, parent: QWidget | None = None, *, degrees: bool = True) -> None:
        self.unit = Unit.of(field.unit, degrees)
        super().__init__(field, parent)
        self.problem = ""
        self.span = slider_span(field)
        self.number = QLineEdit()
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.number.setProperty("numeric", True)
        if field.optional:
            self.number.setPlaceholderText("auto")
        self.number.editingFinished.connect(self._commit)
        self.number.installEventFilter(self)
        self._name_control(self.number)
        self.symbol = unit = RoleLabel(self.unit.symbol, "unit")
        if unit.fontMetrics().horizontalAdvance(self.unit.symbol) > UNIT_WIDTH:
            unit.clear()
            whole = self.unit.symbol.replace(" ", NO_BREAK_SPACE).replace("/", "/" + WORD_JOINER)
            self.label.setText(f"{self.label.text()}\n[{whole}]")
        self.grid.addWidget(self.number, 0, 2)
        self.grid.addWidget(unit, 0, 3)
        self.slider: QuietSlider | None = None
        if self.span is not None:
            self._add_slider()
        self.set_value(field.default)
        self.fit_type()

    def fit_type(self) -> None:
        super().fit_type()
        if hasattr(self, "symbol"):
            self.number.setFixedWidth(round(NUMBER_WIDTH * scale(self)))
            self.symbol.setFixedWidth(round(UNIT_WIDTH * scale(self)))

    def _add_slider(self) -> None:
        slider = QuietSlider(self.slider_steps())
        slider.setAccessibleName(f"{self.field.label}, slider")
        slider.setToolTip(self.explanation())
        slider.sliderPressed.connect(lambda: self.gesture.emit(True))
        slider.sliderReleased.connect(lambda: self.gesture.emit(False))
        slider.valueChanged.connect(self._slide)
        self.grid.addWidget(slider, 0, 1)
        self.slider = slider

    def slider_steps(self) -> int:
        """A step per whole number for small integers, else a fine division."""
        assert self.span is not None
        low, high = self.span
        return max(1, int(high - low)) if self.field.type is int and high - low <= SLIDER_STEPS else SLIDER_STEPS

    def allowed(self) -> str:
        return self.field.allowed(self.unit.symbol, self.unit.per_si)

    def shown_default(self) -> str:
        return with_unit(self.unit.text(self.field.default), self.unit.symbol)  # type: ignore[arg-type]

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        if not self.problem and not self.number.isModified():
            self.number.setText(self.unit.text(value))  # type: ignore[arg-type]
            self.number.setCursorPosition(0)
        if self.slider is not None and not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(round(self._place(value) * self.slider.maximum()))
            self.slider.blockSignals(False)

    def set_problem(self, message: str) -> None:
        if message == self.problem:
            return
        self.problem = message
        super().set_problem(message)
        self.number.setProperty("refused", bool(message))
        self.number.style().unpolish(self.number)
        self.number.style().polish(self.number)
        self.number.setAccessibleDescription(message)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.number and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Up: QuietSlider.SliderAction.SliderSingleStepAdd}
            steps[Qt.Key.Key_Down] = QuietSlider.SliderAction.SliderSingleStepSub
            action = steps.get(Qt.Key(event.key()))
            if action is not None and self.slider is not None:
                self.slider.triggerAction(action)
                return True
        return super().eventFilter(watched, event)

    def restore(self) -> None:
        """Forget what was typed, and take back what was chosen since the focus came."""
        self.number.setModified(False)
        self.set_problem("")
        self.set_value(self.entered)
        self.edited.emit(self.entered)

    def _commit(self) -> None:
        if not self.number.isModified():
            return
        self.number.setModified(False)
        text = self.number.text()
        if not text.strip() and self.field.optional:
            self.edited.emit(None)
            return
        value = self.unit.read(text)
        self.edited.emit(text if value is None else value)

    def _slide(self, position: int) -> None:
        assert self.slider is not None
        value = self._value_at(position / self.slider.maximum())
        if value != self.value:
            self.set_problem("")
            self.edited.emit(value)

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
        """The value at a place of the slider, rounded to what a slider can mean."""
        assert self.span is not None
        low, high = self.span
        if self.field.log:
            value = float(f"{low * (high / low) ** share:.3g}")
        else:
            shown = (low + (high - low) * share) * self.unit.per_si
            grain = 10.0 ** math.floor(math.log10((high - low) * self.unit.per_si / 200.0))
            value = float(f"{round(shown / grain) * grain:.12g}") / self.unit.per_si
        value = min(max(value, self.field.minimum), self.field.maximum)
        return round(value) if self.field.type is int else value


class ChoiceRow(FieldRow):
    """One of a few words."""

    def __init__(self, field: Field, names: dict[str, str] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = QuietComboBox()
        self.offer({choice: (names or {}).get(choice) or field.label_of(choice) for choice in field.choices})
        self.box.chosen.connect(self.edited)
        self._name_control(self.box)
        self.grid.addWidget(self.box, 0, 1, 1, 3)
        self.set_value(field.default)

    def offer(self, names: Mapping[str, str]) -> None:
        """Offer these choices, each by its name."""
        offered = {self.box.itemData(k): self.box.itemText(k) for k in range(self.box.count())}
        if offered != names:
            self.box.clear()
            for choice, name in names.items():
                self.box.addItem(name, choice)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        self.box.show_data(value)


class SwitchRow(FieldRow):
    """Yes or no."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.check = QCheckBox()
        self.check.clicked.connect(lambda checked: self.edited.emit(bool(checked)))
        self._name_control(self.check)
        self.grid.addWidget(self.check, 0, 1, 1, 3)
        self.set_value(field.default)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        self.check.setChecked(bool(value))


class TextRow(FieldRow):
    """Free text on one line."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.line = QLineEdit()
        self.line.editingFinished.connect(self._commit)
        self._name_control(self.line)
        self.grid.addWidget(self.line, 0, 1, 1, 3)
        self.set_value(field.default)

    def set_value(self, value: Value | None) -> None:
        super().set_value(value)
        if not self.line.isModified():
            self.line.setText("" if value is None else str(value))

    def restore(self) -> None:
        self.line.setModified(False)
        self.set_value(self.value)
        super().restore()

    def _commit(self) -> None:
        if self.line.isModified():
            self.line.setModified(False)
            self.edited.emit(self.line.text())


def slider_span(field: Field) -> tuple[float, float] | None:
    """The slider's range in SI units, None when the field has no comfortable range."""
    if field.slider is not None:
        return field.slider
    if field.type is int and math.isfinite(field.minimum) and math.isfinite(field.maximum):
        return float(field.minimum), float(field.maximum)
    return None
