"""Fields that keep one value: who edits one edits the others."""

from __future__ import annotations

from collections.abc import Mapping

from assets.fields import Value
from gui.app.session.view_state import ViewState
from gui.app.signal import Signal


class Links:
    """Groups of fields, by path, as the view has them: a text for each group, such as `robot.m1 robot.m2`.

    Attributes:
        changed: signal `()`: other fields are linked.
    """

    def __init__(self, view: ViewState) -> None:
        self.changed = Signal()
        self._view = view
        self._groups: list[frozenset[str]] = []
        view.changed.connect(self._read)
        self._read()

    def others(self, path: str) -> frozenset[str]:
        """The fields that have the value of `path`."""
        return next((group - {path} for group in self._groups if path in group), frozenset())

    def link(self, first: str, second: str) -> None:
        """Let two fields keep one value, and with them those that they were linked to."""
        joined = frozenset({first, second}) | self.others(first) | self.others(second)
        self._write([*(group for group in self._groups if not group & joined), joined])

    def release(self, path: str) -> None:
        """Let a field have a value of its own."""
        groups = [group - {path} for group in self._groups]
        self._write([group for group in groups if len(group) > 1])

    def _write(self, groups: list[frozenset[str]]) -> None:
        self._view.set(links=[" ".join(sorted(group)) for group in groups])

    def _read(self) -> None:
        groups = [frozenset(text.split()) for text in self._view.settings.links]
        if groups != self._groups:
            self._groups = groups
            self.changed.emit()

    def completed(self, changes: Mapping[str, Value]) -> dict[str, Value]:
        """The changes, with those of the linked fields; what is changed on its own stays."""
        linked = {other: value for path, value in changes.items() for other in self.others(path)}
        return linked | dict(changes)
