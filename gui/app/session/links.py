"""Fields that keep one value: who edits one edits the others."""

from __future__ import annotations

from collections.abc import Mapping

from assets.fields import Value
from gui.app.signal import Signal


class Links:
    """Groups of fields, by path.

    Attributes:
        changed: signal `()`: other fields are linked.
    """

    def __init__(self) -> None:
        self.changed = Signal()
        self._groups: list[frozenset[str]] = []

    def others(self, path: str) -> frozenset[str]:
        """The fields that have the value of `path`."""
        return next((group - {path} for group in self._groups if path in group), frozenset())

    def link(self, first: str, second: str) -> None:
        """Let two fields keep one value, and with them those that they were linked to."""
        joined = frozenset({first, second}) | self.others(first) | self.others(second)
        self._groups = [*(group for group in self._groups if not group & joined), joined]
        self.changed.emit()

    def release(self, path: str) -> None:
        """Let a field have a value of its own."""
        groups = [group - {path} for group in self._groups]
        self._groups = [group for group in groups if len(group) > 1]
        self.changed.emit()

    def clear(self) -> None:
        """Another scenario is there: no field is linked."""
        self._groups = []
        self.changed.emit()

    def completed(self, changes: Mapping[str, Value]) -> dict[str, Value]:
        """The changes, with those of the linked fields; what is changed on its own stays."""
        linked = {other: value for path, value in changes.items() for other in self.others(path)}
        return linked | dict(changes)
