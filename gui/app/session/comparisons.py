"""Keep runs beside each other: the verbs of the table of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assets.errors import ArmstepError
from assets.fields import Value
from gui.app.documents import Document
from gui.app.history import History
from gui.app.runs import CURRENT, Runs
from gui.app.session.messages import Messages
from robots.scenario.scenario import Scenario


class Comparisons:
    """The pinned runs of the document.

    Args:
        history: where the document is.
        runs: the rows as they are shown.
        messages: where refusals appear.
        new_id: gives the next row's id.
    """

    def __init__(self, history: History[Document], runs: Runs, messages: Messages, new_id: Callable[[], int]) -> None:
        self._history, self._runs, self._messages, self._new_id = history, runs, messages, new_id

    def pin(self) -> int:
        """Pin the current run beside later ones; returns the id of its row."""
        return self._pin(self._runs.current.scenario, "pin")

    def duplicate(self, row_id: int) -> int | None:
        """Pin a copy of a row; returns the id of the new row."""
        row = self._runs.find(row_id)
        return self._pin(row.scenario, "duplicate") if row else None

    def remove(self, row_id: int) -> None:
        """Remove a pinned run (undo brings it back). The current one cannot be removed, only hidden."""
        if row_id == CURRENT:
            self._messages.say("The current run cannot be removed; it can be hidden.")
        elif self._runs.find(row_id):
            self._history.record(self._history.present.without_pin(row_id), "remove a run")

    def compare_all(self, settings: Sequence[Mapping[str, Value]], text: str = "compare") -> bool:
        """Pin one run for each of `settings` (paths to values) beside the current one, in place of those pinned before.

        Those that only repeat the current run, or each other, are left out; one undo step takes it all back. False,
        with a notice, if a setting is refused: nothing changes then.
        """
        self._history.settle()
        document = replace(self._history.present, pins=())
        try:
            wanted = [document.scenario.with_values(changes) for changes in settings]
        except ArmstepError as refusal:
            self._messages.say(str(refusal))
            return False
        shown = [document.scenario]
        for scenario in wanted:
            if scenario not in shown:
                shown.append(scenario)
                document = document.with_pin(scenario, self._new_id())
        self._history.record(document, text)
        return True

    def edit(self, row_id: int) -> None:
        """Make a pinned run's scenario the edited one."""
        self._history.settle()
        row, document = self._runs.find(row_id), self._history.present
        if row is not None and row.scenario != document.scenario:
            self._history.record(replace(document, scenario=row.scenario), f"edit {row.label}, {row.setting}")

    def take(self, scenario: Scenario, text: str) -> None:
        """Edit the physics and the integrator of `scenario` under the present title and notes."""
        self._history.settle()
        document = self._history.present
        words = {name: getattr(document.scenario, name) for name in ("name", "title", "notes", "view")}
        self._history.record(replace(document, scenario=replace(scenario.alone(), **words)), text)

    def _pin(self, scenario: Scenario, text: str) -> int:
        pin_id = self._new_id()
        self._history.record(self._history.present.with_pin(scenario, pin_id), text)
        return pin_id
