"""Roles and descriptions of widgets for which Qt has none: pictures, charts, sheets."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QAccessibleWidget, QComboBox, QLabel, QWidget

Role = QAccessible.Role

AGAIN = 2.0
"""The same text is not announced twice within this time: a label and the status line may both have it [s]."""


class Spoken(QAccessibleWidget):
    """A widget as assistive technology sees it.

    PySide never frees what a factory returns, so it keeps nothing: `describe` stays with the widget.

    Args:
        widget: with its name in `accessibleName`.
        role: what it is.
    """

    def text(self, kind: QAccessible.Text) -> str:
        describe = self.object()._spoken[1] if kind == QAccessible.Text.Description else None  # type: ignore[attr-defined]
        return super().text(kind) if describe is None else describe()


def speak(widget: QWidget, role: Role, name: str, describe: str | Callable[[], str]) -> None:
    """Give a widget a role, a name and a description; a function makes the description when it is needed."""
    widget._spoken = role, None if isinstance(describe, str) else describe  # type: ignore[attr-defined]
    widget.setProperty("spoken", True)
    # While a screen reader is running, Qt has made an interface as the widget was constructed: it is replaced. The name
    # is set after that, because Qt makes an interface to announce it.
    QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(QAccessible.queryAccessibleInterface(widget)))
    widget.setAccessibleName(name)
    if isinstance(describe, str):
        widget.setAccessibleDescription(describe)


def install() -> None:
    """Register the roles with Qt; call it once per application."""
    QAccessible.installFactory(_interface)


def _interface(_: str, thing: QObject) -> Spoken | None:
    if isinstance(thing, QWidget) and thing.property("spoken"):
        return Spoken(thing, thing._spoken[0])  # type: ignore[attr-defined]
    return None


def announce(widget: QWidget, text: str, *, urgent: bool = False) -> None:
    """Announce a text to screen readers; an urgent one interrupts what is being read."""
    window, now = widget.window(), monotonic()
    before, at = getattr(window, "_announced", ("", -AGAIN))
    if not text:
        return
    window._announced = text, now  # type: ignore[attr-defined]
    if text == before and now - at < AGAIN:
        return
    event = QAccessibleAnnouncementEvent(window, text)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)


def name_choice(box: QComboBox) -> None:
    """Label a choice with its accessible name: on Linux Qt gives the chosen entry in place of the name."""
    parent = box.parentWidget()
    if parent is None or not box.accessibleName():
        return
    line = box.lineEdit()
    if line is not None:
        line.setAccessibleName(box.accessibleName())
        line.setAccessibleDescription(box.toolTip() or box.accessibleDescription())
    label = next((one for one in parent.findChildren(QLabel) if one.buddy() is box), None) or QLabel(parent)
    label.setBuddy(box)
    if label.isHidden():
        label.setText(box.accessibleName())
