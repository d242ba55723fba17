from __future__ import annotations

import gc
import math

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from assets.fields import Field
from gui.app.units import Unit, number_text, prettify, reading, subscripted, with_unit
from gui.qt.style import theme
from gui.qt.widgets.fields import ChoiceRow, FieldRow, NumberRow, SwitchRow
from gui.qt.widgets.file_row import TextRow
from gui.qt.widgets.form import row_for
from tests.window.hands import give_focus

MASS = Field("m1", "mass 1", "kg", 1.0, 0.0, 1e4, True, slider=(0.1, 10.0), log=True)
ANGLE = Field("q1", "angle 1", "rad", 0.5, -10.0, 10.0, slider=(-math.pi, math.pi))
STEPS = Field("n", "count", "", 3, 1, 30)
BOUND = Field("max_step", "longest step", "s", None, 0.0, 10.0, True, optional=True, kind=float)


def wishes(row: FieldRow) -> list[object]:
    heard: list[object] = []
    row.edited.connect(heard.append)
    return heard


def typed(qtbot: QtBot, row: NumberRow, text: str) -> None:
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, text)
    qtbot.keyClick(row.number, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("unit", "text", "value"),
    [
        ("s", "1e-3", 1e-3),
        ("s", "1 ms", 1e-3),
        ("s", "20 µs", 2e-5),
        ("m", "12 cm", 0.12),
        ("kg", "0,5", 0.5),
        ("rad", "90", math.pi / 2),
        ("rad", "90°", math.pi / 2),
        ("rad", "0.5 rad", 0.5),
        ("rad", "−180 deg", -math.pi),
        ("rad/s", "360", 2 * math.pi),
    ],
)
def test_numbers_are_read_with_their_units(unit: str, text: str, value: float) -> None:
    assert Unit.of(unit).read(text) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("text", ["", "abc", "1 parsec", "--1", "1e", "ms"])
def test_other_text_is_not_read(text: str) -> None:
    assert Unit.of("s").read(text) is None


def test_units_and_numbers_look_like_print() -> None:
    assert prettify("kg m2") == "kg m²"
    assert prettify("m/s^2") == "m/s²"
    assert number_text(1e-6) == "1e-6"
    assert number_text(0.01) == "0.01"
    assert reading(-2.19e4) == "−2.19·10⁴"
    assert [reading(value) for value in (6260.0, -1000.0, 9999.0)] == ["6260", "−1000", "10000"]
    assert reading(math.nan) == "–"
    assert [with_unit("7", unit) for unit in ("", "°", "N m")] == ["7", "7°", "7\u00a0N\u00a0m"]
    assert reading(1.75e7, "°") == "1.75·10⁷\u00a0°", "not 10⁷⁰"
    assert [subscripted(name) for name in ("u1", "q12", "wheel 1")] == ["u₁", "q₁₂", "wheel 1"]
    assert Unit.of("rad").text(math.pi) == "180"


def test_a_typed_number_is_a_wish_in_si_units(qtbot: QtBot) -> None:
    row = NumberRow(ANGLE)
    qtbot.addWidget(row)
    row.show()
    heard = wishes(row)
    typed(qtbot, row, "90")
    assert heard == [pytest.approx(math.pi / 2)]


def test_leaving_a_field_untouched_wishes_nothing(qtbot: QtBot) -> None:
    row = NumberRow(ANGLE)
    qtbot.addWidget(row)
    row.show()
    heard = wishes(row)
    row.number.setFocus()
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    row.number.clearFocus()
    assert heard == []


def test_unreadable_text_is_handed_on_as_it_is(qtbot: QtBot) -> None:
    row = NumberRow(MASS)
    qtbot.addWidget(row)
    row.show()
    heard = wishes(row)
    typed(qtbot, row, "heavy")
    assert heard == ["heavy"]


def test_a_complaint_is_shown_until_escape_restores_the_value(qtbot: QtBot) -> None:
    row = NumberRow(MASS)
    qtbot.addWidget(row)
    row.show()
    typed(qtbot, row, "-3")
    row.set_problem("mass 1 must be above 0")
    row.set_value(1.0)
    assert row.number.text() == "-3"
    assert row.complaint.isVisible()
    assert row.number.property("refused") is True
    give_focus(qtbot, row.number)
    qtbot.keyClick(row.number, Qt.Key.Key_Escape)
    assert row.number.text() == "1"
    assert not row.complaint.isVisible()


def test_undo_belongs_to_the_window_unless_something_was_typed(qtbot: QtBot) -> None:
    """QLineEdit would take Ctrl+Z even with nothing to undo, so that an edit just made could not be undone."""
    window = QMainWindow()
    qtbot.addWidget(window)
    undone: list[bool] = []
    undo = QAction("Undo", window)
    undo.setShortcut(QKeySequence(QKeySequence.StandardKey.Undo))
    undo.triggered.connect(lambda: undone.append(True))
    window.addAction(undo)
    row = NumberRow(MASS)
    window.setCentralWidget(row)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    typed(qtbot, row, "3")
    row.number.setFocus()
    qtbot.keyClick(row.number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]
    qtbot.keyClicks(row.number, "4")
    qtbot.keyClick(row.number, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undone == [True]


def test_an_empty_optional_field_means_automatic(qtbot: QtBot) -> None:
    row = NumberRow(BOUND)
    qtbot.addWidget(row)
    row.show()
    row.set_value(0.1)
    heard = wishes(row)
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClick(row.number, Qt.Key.Key_Delete)
    qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert heard == [None]
    row.set_value(None)
    assert row.number.text() == ""
    assert row.number.placeholderText() == "auto"


def test_the_slider_is_logarithmic_where_the_field_says_so(qtbot: QtBot) -> None:
    row = NumberRow(MASS)
    qtbot.addWidget(row)
    assert row.slider is not None
    heard = wishes(row)
    row.slider.setValue(row.slider.maximum() * 3 // 4)
    assert heard[-1] == pytest.approx(math.sqrt(10.0), rel=0.01)
    row.slider.setValue(row.slider.maximum())
    assert heard[-1] == pytest.approx(10.0)
    row.slider.setValue(0)
    assert heard[-1] == pytest.approx(0.1)


def test_the_slider_offers_round_degrees(qtbot: QtBot) -> None:
    row = NumberRow(ANGLE)
    qtbot.addWidget(row)
    assert row.slider is not None
    heard = wishes(row)
    row.slider.setValue(row.slider.maximum() * 3 // 4)
    assert isinstance(heard[-1], float)
    assert math.degrees(heard[-1]) == pytest.approx(round(math.degrees(heard[-1])), abs=1e-9)


def test_a_whole_number_stays_whole(qtbot: QtBot) -> None:
    row = row_for(STEPS)
    qtbot.addWidget(row)
    assert isinstance(row, NumberRow)
    assert row.slider is not None
    heard = wishes(row)
    row.slider.setValue(7)
    assert heard == [8]
    assert isinstance(heard[0], int)


def test_a_unit_stands_beside_its_number_without_the_one(qtbot: QtBot) -> None:
    row = NumberRow(Field("gain", "gain K", "1/s", 0.2))
    qtbot.addWidget(row)
    assert row.symbol.text() == "/s"
    assert row.text_of(0.2) == "0.2\u00a0/s"


def test_a_drag_is_one_gesture(qtbot: QtBot) -> None:
    row = NumberRow(MASS)
    qtbot.addWidget(row)
    row.resize(320, 40)
    row.show()
    assert row.slider is not None
    marks: list[bool] = []
    row.gesture.connect(marks.append)
    middle = row.slider.height() // 2
    qtbot.mousePress(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(10, middle))
    qtbot.mouseMove(row.slider, QPoint(20, middle))
    qtbot.mouseRelease(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(20, middle))
    assert marks[0] is True
    assert marks[-1] is False
    assert marks.count(True) == marks.count(False)


def wheel(widget: object) -> QWheelEvent:
    at = QPointF(5, 5)
    event = QWheelEvent(
        at, at, QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)  # type: ignore[arg-type]
    return event


def test_the_wheel_changes_neither_sliders_nor_choices(qtbot: QtBot) -> None:
    number = NumberRow(MASS)
    choice = ChoiceRow(Field("torque", "joint torque", default="none", choices=("none", "pd")))
    for row in (number, choice):
        qtbot.addWidget(row)
        row.show()
    heard = wishes(number) + wishes(choice)
    assert not wheel(number.slider).isAccepted()
    assert not wheel(choice.box).isAccepted()
    assert heard == []
    assert choice.box.currentData() == "none"


def test_each_type_has_its_row(qtbot: QtBot) -> None:
    switch = row_for(Field("on", "switch", default=True))
    text = row_for(Field("title", "title", default="a"))
    choice = row_for(Field("c", "c", default="x", choices=("x", "y")))
    for row in (switch, text, choice):
        qtbot.addWidget(row)
        row.show()
    assert isinstance(switch, SwitchRow)
    assert isinstance(text, TextRow)
    assert isinstance(choice, ChoiceRow)
    heard = wishes(switch)
    qtbot.mouseClick(switch.check, Qt.MouseButton.LeftButton, pos=QPoint(8, switch.check.height() // 2))
    assert heard == [False]
    heard = wishes(text)
    text.line.setFocus()
    qtbot.keyClicks(text.line, "b")
    qtbot.keyClick(text.line, Qt.Key.Key_Return)
    assert len(heard) == 1


def test_every_control_has_a_name_and_a_tooltip(qtbot: QtBot) -> None:
    row = NumberRow(MASS)
    qtbot.addWidget(row)
    assert row.slider is not None
    assert row.number.accessibleName() == "mass 1, kg"
    assert "above 0" in row.number.toolTip()
    assert row.slider.accessibleName()


def test_a_theme_switch_survives_widgets_that_were_forgotten(qtbot: QtBot) -> None:
    class Collecting(QWidget):
        def changeEvent(self, event: QEvent) -> None:
            if gc.isenabled():
                gc.collect()
            super().changeEvent(event)

    for _ in range(10):
        kept = Collecting()
        qtbot.addWidget(kept)
        kept.show()
    gc.disable()
    for _ in range(50):
        forgotten = QWidget()
        forgotten.itself = forgotten  # type: ignore[attr-defined]
        forgotten.show()
        QApplication.processEvents()
        forgotten.hide()
    del forgotten
    gc.enable()
    theme.look().choose("dark")
    theme.look().choose("light")
