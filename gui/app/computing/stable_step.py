"""Finds the longest stable step and sets it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace

from assets.counting import cut
from assets.fields import Value
from gui.app.documents import Document
from gui.app.history import History
from gui.app.runs import CURRENT, Runs
from gui.app.verdict import stable_step
from robots.model.setup import Setup
from robots.scenario.scenario import Scenario

MOST_TRIES = 16

SHORTEST = 0.5
"""A spoilt run has states that the arm never has, which say little of the limit: no try is shorter than this part of
the one before.
"""

CLOSE = 1.1
"""How many times longer than a stable step an unstable one is when the search ends."""


class StableStep:
    """Takes the longest stable step of the current run.

    Of a spoilt run only its beginning shows what limits the step, and a motion that is followed better meets other
    limits. So the run with the step found is judged in its turn: a shorter step follows if that is beyond its own
    limit, and then one between the longest that keeps to its limit and the shortest that does not.

    Args:
        runs: the current run is among them.
        history: the documents; all tries are one step to undo.
        edit: changes a field of the scenario.
        in_force: the scenario that forms show, whose method the step is for.
    """

    def __init__(
        self,
        runs: Runs,
        history: History[Document],
        edit: Callable[[str, Value], bool],
        in_force: Callable[[], Scenario],
    ) -> None:
        self._runs, self._history, self._edit, self._in_force = runs, history, edit, in_force
        self._step: float | None = None
        self._stable, self._unstable = 0.0, math.inf
        self._left = 0
        self._found: Scenario | None = None
        self._most = math.inf
        runs.updated.connect(self._follow)

    @property
    def offered(self) -> float | None:
        """The longest step that is stable as far as is known [s]; None if nothing limits it.

        That is the step found for this scenario, whatever its step is now, or else what the current run shows.
        """
        return self.found or self._limit(self._in_force().method)

    @property
    def found(self) -> float | None:
        """The longest step tried whose own run is stable, for this scenario whatever its step is now [s]; or None."""
        found, method = self._found, self._in_force().method
        known = found is not None and found.method == method and _alike(found, self._runs.current.scenario)
        return found.step if found is not None and known else None

    def _limit(self, method: str) -> float | None:
        """A method's longest step that is stable as far as the current run shows [s]; None if nothing limits it."""
        row = self._runs.current
        if row.run is None or row.run.stability is None or not row.judged:
            return None
        return stable_step(row.run.stability.of_method(method))

    def take(self, most: float = math.inf) -> None:
        """Make it the fixed step, or a shorter one of at most so long [s]."""
        offered, stability = self.offered, self._runs.current.run.stability if self._runs.current.run else None
        # Where the motion is spoilt, what holds at one of its points says little.
        self._most = math.inf if stability is not None and stability.spoilt else most
        self._step = None if offered is None else min(offered, self._most)
        before = self._runs.current.scenario.step or 0.0
        beyond = self._step is not None and before > self._step
        self._stable, self._unstable, self._left = 0.0, before if beyond else math.inf, MOST_TRIES
        if self._step is None or not self._edit("step", self._step):
            self._left = 0

    def _follow(self, row_id: int) -> None:
        row = self._runs.current
        if row_id != CURRENT or not self._left:
            return
        if row.scenario.step != self._step:
            self._left = 0  # a person has chosen another one
        elif row.judged and not row.outdated and row.run is not None and row.run.scenario == row.scenario:
            self._left -= 1
            step = self._next(row.scenario.step or 0.0, self._limit(row.scenario.method))
            if step is None:
                self._left = 0
                self._found = row.scenario if row.scenario.step == self._stable else None
            else:
                self._step = step
                document = self._history.present
                self._history.amend(replace(document, scenario=document.scenario.with_value("step", step)))

    def _next(self, step: float, limit: float | None) -> float | None:
        """The step to try after one whose run has this limit; None if it is the one to stay with."""
        if limit is None or limit >= step:
            self._stable = step
            wanted = math.sqrt(step * self._unstable) if self._left else step
            wanted = min(wanted, limit or step, self._most)
            return cut(wanted) if wanted > CLOSE * step and self._unstable < math.inf else None
        self._unstable = step
        if not self._left or 0.0 < self._stable * CLOSE >= step:
            return self._stable or None
        return cut(math.sqrt(self._stable * step) if self._stable else max(limit, SHORTEST * step))


def _alike(one: Scenario, other: Scenario) -> bool:
    """Whether two runs are asked for that differ in nothing but their step."""
    names = (field.name for field in fields(Setup) if field.name != "step")
    return all(getattr(one, name) == getattr(other, name) for name in names)
