"""A bar to choose, rename and remove the results that the document keeps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gui.qt.widgets.parts import WrittenLine, bare, push_button
from gui.qt.widgets.quiet import QuietComboBox


class KeptResultsBar(QWidget):
    """A list of names, the shown one to edit, and a button.

    Args:
        what: what the results are called: `measurement`.
        new: the entry for none of them; empty for no such entry.

    Signals:
        chosen: (name or None) a result, or the entry for none of them.
        renamed: (text) another name for the shown one.
        removed: remove the shown one.
    """

    chosen = Signal(object)
    renamed = Signal(str)
    removed = Signal()

    def __init__(self, what: str, new: str = "") -> None:
        super().__init__()
        self._new = new
        self._shown: str | None = None
        self.list, self.name = QuietComboBox(f"Each {what} of this scenario", f"Show another {what}"), WrittenLine()
        self.remove = push_button("Remove", f"Remove this {what} from the scenario", lambda: self.removed.emit())
        self.name.setAccessibleName(f"Name of this {what}")
        self.name.setToolTip(f"Rename this {what}")
        self.list.chosen.connect(self.chosen.emit)
        self.name.editingFinished.connect(self._rename)
        line = bare(QHBoxLayout(self))
        line.addWidget(self.list, 1)
        line.addWidget(QLabel("Name"))
        line.addWidget(self.name, 1)
        line.addWidget(self.remove)

    def show_names(self, names: Sequence[str], shown: str | None, *, enabled: bool = True) -> None:
        """List these names, the latest first, and show which one is there."""
        self.list.offer([*([(self._new, None)] if self._new else []), *((name, name) for name in reversed(names))])
        if self.list.currentData() != shown:
            self.list.show_data(shown)
        self.list.setEnabled(bool(names) and enabled)
        if shown != self._shown or not self.name.isModified():
            # A name that is being typed stays.
            self.name.setText(shown or "")
            self.name.setCursorPosition(0)
            self._shown = shown
        for widget in (self.name, self.remove):
            widget.setEnabled(shown is not None)

    def _rename(self) -> None:
        """Once per name: the field also finishes when it loses the keyboard."""
        if self.name.isModified():
            self.name.setModified(False)
            self.renamed.emit(self.name.text())
