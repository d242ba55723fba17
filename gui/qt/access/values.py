"""The value that a control shows, whatever kind of control it is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from gui.qt.window.commands.tab_order import Home


@runtime_checkable
class Revertible(Protocol):
    """What holds a control and knows the value that it had when the focus came."""

    @property
    def refused(self) -> bool:
        """Whether what was typed is not possible: Enter has kept nothing, so the focus stays to correct it."""
        ...

    @property
    def of_view(self) -> bool:
        """Whether its value says only what is looked at: no file has it, so that a refused one stops no saving."""
        ...

    def remember(self) -> None:
        """The focus has come: Esc leads back to the present value."""
        ...

    def restore(self) -> None:
        """Esc: the value is again what it was."""
        ...


def value_of(widget: QWidget) -> str | int:
    """What is typed or chosen; empty where that is no value."""
    if isinstance(widget, QLineEdit):
        return widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText() if widget.isEditable() else widget.currentIndex()
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.toPlainText()
    return widget.value() if isinstance(widget, QAbstractSlider) else ""


def put_back(widget: QWidget, value: str | int) -> None:
    """Put a value back as a person would, so that everyone hears of it."""
    if isinstance(widget, QLineEdit):
        widget.selectAll()
        widget.insert(str(value))
        widget.setModified(False)
    elif isinstance(widget, QComboBox) and isinstance(value, int):
        widget.setCurrentIndex(value)
        widget.activated.emit(value)
    elif isinstance(widget, QComboBox):
        widget.setEditText(str(value))
    elif isinstance(widget, QAbstractSlider) and isinstance(value, int):
        widget.setValue(value)


def row_of(widget: QWidget) -> Revertible | None:
    """What `widget` is the control of, within its window or sheet."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, Revertible):
        above = above.parentWidget() if not isinstance(above, Home) else None
    return above


def edited_view(widget: QWidget) -> QAbstractItemView | None:
    """The table that `widget` is a cell's editor of."""
    viewport = widget.parentWidget()
    view = viewport.parentWidget() if viewport is not None else None
    return view if isinstance(view, QAbstractItemView) and view.viewport() is viewport else None


def keep_typed() -> bool:
    """Commit what is being typed where the keys are, which stay there.

    Returns:
        False where it is refused, although what is saved would have it.
    """
    line = QApplication.focusWidget()
    if not isinstance(line, QLineEdit) or not line.isModified():
        return True
    if (view := edited_view(line)) is not None:
        view.setFocus()  # a cell is written as the keys leave it
        return True
    line.editingFinished.emit()
    return (row := row_of(line)) is None or not row.refused or row.of_view
