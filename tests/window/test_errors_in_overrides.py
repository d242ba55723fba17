"""An error in what Qt calls is one of Python, on every version of Python, and does not end the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSize
from PySide6.QtWidgets import QDialog, QWidget

import gui.qt
from gui.qt.diagrams.work_diagram import WorkDiagram

SHOWN = """
import sys
from gui.qt.window import quick_start
quick_start.begin()
from PySide6.QtCore import QAbstractListModel, QModelIndex
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QListView, QWidget

class Mixin:
    def resizeEvent(self, event):
        self.method("resizeEvent")
        super().resizeEvent(event)

class Widget(Mixin, QWidget):
    def method(self, name):
        if sys.argv[1] == name:
            {error}
    def event(self, event):
        return super().event(event)
    def showEvent(self, event):
        self.method("showEvent")
    def paintEvent(self, event):
        self.method("paintEvent")

application = QApplication(["x", "-platform", "offscreen"])
widget = Widget()
try:
    widget.resize(300, 200)
    widget.show()
    widget.resize(320, 220)
except Exception as error:
    print(type(error).__name__, error, flush=True)
application.processEvents()
print("goes on", flush=True)
widget.deleteLater()
application.processEvents()
"""

ERRORS = {
    "1 / 0": "division by zero",
    "float('x')": "could not convert string to float: 'x'",
    "[][1]": "list index out of range",
    "next(iter(()))": "StopIteration",
    "raise ValueError('as it is')": "as it is",
}


@pytest.mark.parametrize("method", ["paintEvent", "showEvent", "resizeEvent"])
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_an_override_is_reported(method: str, error: str) -> None:
    command = [sys.executable, "-c", SHOWN.replace("{error}", error), method]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(gui.qt.__file__).parents[2])
    assert done.returncode == 0, done.stderr
    assert "goes on" in done.stdout
    assert ERRORS[error] in done.stdout + done.stderr


def test_only_what_qt_calls_and_no_slot_is_replaced() -> None:
    class Mixed:
        def sizeHint(self) -> QSize:
            return QSize(3, 4)

        def own(self) -> None: ...

    class Dialog(Mixed, QDialog):
        def accept(self) -> None: ...

        def minimumSizeHint(self) -> QSize:
            """Its own words."""
            return QSize(1, 2)

        def other(self) -> None: ...

    replaced = sys.version_info < (3, 12)
    assert ("sizeHint" in vars(Dialog)) is replaced
    assert hasattr(vars(Dialog)["minimumSizeHint"], "__wrapped__") is replaced
    assert vars(Dialog)["minimumSizeHint"].__doc__ == "Its own words."
    assert Dialog.accept.__code__.co_argcount == 1  # a signal that gives an argument is connected to it
    assert not any(hasattr(vars(Dialog)[name], "__wrapped__") for name in ("accept", "other"))
    assert "own" not in vars(Dialog)


def test_other_bases_hear_of_a_class_as_ever() -> None:
    heard = list[str]()

    class Asking:
        def __init_subclass__(cls) -> None:
            super().__init_subclass__()
            heard.append(cls.__name__)

    class Named(QObject, Asking): ...

    assert heard == ["Named"]
    assert isinstance(Named(), QObject)


@pytest.mark.parametrize("base", [QWidget, WorkDiagram])
def test_super_is_called_as_ever(base: type[QWidget], qapp: Callable[[], object]) -> None:
    class Wide(base):  # type: ignore[misc, valid-type]
        def sizeHint(self) -> QSize:
            return super().sizeHint() + QSize(10, 0)

    assert Wide().sizeHint() == base().sizeHint() + QSize(10, 0)
