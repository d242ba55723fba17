"""Keep runs beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assets.errors import ArmstepError
from gui.app.rows import CURRENT
from gui.app.session.editing import Editing
from robots.model.fields import Value


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

    def compare_all(self, settings: Sequence[Mapping[str, Value]], text: str = "compare") -> bool:
        """Pin one run for each of `settings` (paths to values) beside the current one, in place of those pinned before.

        Those that only repeat the current run, or each other, are left out; one undo step takes all of it back. False,
        with a notice, if a setting is refused: then everything is as before.
        """
        self.pull_end()
        try:
            wanted = [self.scenario.with_values(changes) for changes in settings]
        except ArmstepError as refusal:
            self._say(str(refusal))
            return False
        document = replace(self._history.present, pins=())
        shown = [self.scenario]
        for scenario in wanted:
            if scenario not in shown:
                shown.append(scenario)
                document = document.with_pin(scenario, self._next_id)
                self._next_id += 1
        self._record(document, text)
        return True

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
