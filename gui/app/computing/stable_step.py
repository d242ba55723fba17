"""Finds the longest stable step and sets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assets.fields import Value
from gui.app.documents import Document
from gui.app.history import History
from gui.app.runs import CURRENT, Runs
from gui.app.verdict import stable_step

MOST_TRIES = 8


class StableStep:
    """Takes the longest stable step of the current run.

    Of a spoilt run only its beginning shows what limits the step. So the run with the step found is judged in its turn,
    and a shorter step is taken until a run keeps to its own limit.

    Args:
        runs: the current run is among them.
        history: the documents; all tries are one step to undo.
        edit: changes a field of the scenario.
    """

    def __init__(self, runs: Runs, history: History[Document], edit: Callable[[str, Value], bool]) -> None:
        self._runs, self._history, self._edit = runs, history, edit
        self._step: float | None = None
        self._left = 0
        runs.updated.connect(self._follow)

    @property
    def offered(self) -> float | None:
        """The longest step that is stable as far as the current run shows [s]; None if nothing limits it."""
        row = self._runs.current
        return stable_step(row.run.stability) if row.run is not None and row.judged else None

    def take(self) -> None:
        """Make it the fixed step."""
        self._step = self.offered
        self._left = MOST_TRIES
        if self._step is None or not self._edit("step", self._step):
            self._left = 0

    def _follow(self, row_id: int) -> None:
        row = self._runs.current
        if row_id != CURRENT or not self._left:
            return
        if row.scenario.step != self._step:
            self._left = 0  # a person has chosen another one
        elif row.judged and row.run is not None and row.run.scenario == row.scenario:
            self._left -= 1
            step = self.offered
            if step is None or self._step is None or step >= self._step:
                self._left = 0
            elif self._left:
                self._step = step
                document = self._history.present
                self._history.amend(replace(document, scenario=document.scenario.with_value("step", step)))
