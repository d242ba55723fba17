"""The card of a method: what it is, its facts, its stability region, who published it."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from gui.qt.widgets.method_tree import short_facts
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.stability_picture import StabilityPicture, limits_text


class MethodCard(QWidget):
    """Everything worth knowing about one method, top to bottom."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method: Any = None
        self.name = RoleLabel("", "title")
        self.name.setWordWrap(True)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.facts = RoleLabel("", "hint")
        self.picture = StabilityPicture()
        self.limits = RoleLabel("", "hint")
        self.notes = RoleLabel("", "hint")
        self.source = RoleLabel("", "hint")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self.name, self.facts, self.summary, self.picture, self.limits, self.notes, self.source):
            column.addWidget(widget)

    def show_method(self, method: Any) -> None:
        """Show the facts of `method` (a `solvers.method.Method`)."""
        if method is self.method:
            return
        self.method = method
        self.name.setText(method.name)
        self.facts.setText(facts_text(method))
        self.summary.setText(method.summary)
        stability = method.stability()
        self.picture.show_stability(method.key, stability)
        self._say(self.limits, f"Stability: {limits_text(stability)}." if stability is not None else "")
        self._say(self.notes, "\n".join(method.notes))
        label = f" ({method.paper_label})" if method.paper_label else ""
        self._say(self.source, f"Source: {method.source}{label}" if method.source else "")

    def _say(self, label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))


def facts_text(method: Any) -> str:
    """`order 5(4) · 7 stages · FSAL · explicit · fixed step or step control · rkdp54`."""
    modes = {
        (True, True): "fixed step or step control",
        (True, False): "fixed step only",
        (False, True): "step control only",
    }
    return " · ".join((short_facts(method), modes[method.fixed_step, method.adaptive], method.key))
