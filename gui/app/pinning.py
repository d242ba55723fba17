"""Keep runs beside each other."""

from __future__ import annotations

from gui.app.editing import Editing
from gui.app.rows import CURRENT


class Pinning(Editing):
    """The verbs of the table of runs."""

    def pin(self) -> int:
        """Keep the current run beside later ones; the id of its row."""
        return self._pin(CURRENT, "pin")

    def duplicate(self, row_id: int) -> int | None:
        """Pin a copy of a row; the id of the new row."""
        return self._pin(row_id, "duplicate") if self.row(row_id) else None

    def remove(self, row_id: int) -> None:
        """Remove a pinned run (undo brings it back). The current one cannot be removed, only hidden."""
        if row_id == CURRENT:
            self._say("The current run cannot be removed; it can be hidden.")
        elif self.row(row_id):
            self._record(self._history.present.without_pin(row_id), "remove a run")

    def set_visible(self, row_id: int, visible: bool) -> None:
        """Show or hide a run in all views."""
        self._rows.show(row_id, visible)

    def edit_row(self, row_id: int) -> None:
        """Make a pinned run's scenario the edited one."""
        self.pull_end()
        row = self.row(row_id)
        if row is not None and row_id != CURRENT and row.scenario != self.scenario:
            self._edited(row.scenario, f"edit {row.label}, {row.setting}")

    def cancel(self) -> None:
        """End everything that is being computed and keep what there is."""
        for row in self.runs:
            self._computing.stop(row.id)

    def _pin(self, row_id: int, text: str) -> int:
        row = self.row(row_id) or self.current
        pin_id = self._next_id
        self._next_id += 1
        self._record(self._history.present.with_pin(row.scenario, pin_id), text)
        return pin_id
