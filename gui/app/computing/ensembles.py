"""The ensembles of the rows: computed in the background once their runs are there, and edited."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from assets.errors import ArmstepError, BadInput
from assets.fields import Data, Field, Value, matters
from gui.app.computing.references import SETTLED
from gui.app.documents import Document
from gui.app.history import History
from gui.app.jobs import Cancel, Jobs, Progress, explain
from gui.app.runs import RunRow, Runs
from gui.app.session.comparisons import Comparisons
from gui.app.session.messages import Messages
from robots.model.registry import robot_of
from robots.scenario.ensemble import MEMBER, Ensemble, Spread, member_field, spreadable_fields
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.ensembles.members import EnsembleResult

Key = tuple[str, Ensemble]

STOPPED = "Stopped by you"
NOTHING: Data = {"ensemble": None, "ensemble_state": "none", "ensemble_progress": 0.0, "ensemble_message": ""}


class Ensembles:
    """Keeps the rows' ensembles up to date with their runs, and edits that of the scenario.

    Args:
        jobs: where they are computed.
        history: the document whose scenario is edited.
        runs: the rows.
        comparisons: opens members as runs.
        messages: where refusals are shown: `ensemble.members`, `ensemble.seed`, `ensemble.spread.PATH` and `member`.
        sentence: a refusal as the window says it.
    """

    def __init__(
        self,
        jobs: Jobs,
        history: History[Document],
        runs: Runs,
        comparisons: Comparisons,
        messages: Messages,
        sentence: Callable[[ArmstepError], str],
    ) -> None:
        self._jobs, self._history, self._runs, self._comparisons = jobs, history, runs, comparisons
        self._messages, self._sentence = messages, sentence
        self._wanted: dict[int, Key] = {}
        self._refused: dict[str, Value | None] = {}
        self._chosen = 0
        history.changed.connect(self._follow_document)
        runs.updated.connect(self._follow)
        runs.changed.connect(self._forget)

    # -- edit ----------------------------------------------------------------------------------------------------------

    @property
    def present(self) -> Ensemble | None:
        """That of the edited scenario."""
        return self._history.present.scenario.ensemble

    def spread(self, path: str, spread: Spread | None) -> str:
        """Spread a field so, or not at all; returns why that is refused, empty if it is not."""
        before = self.present
        wanted = {other: one for other, one in (before.spread if before else {}).items() if other != path or spread}
        if spread is not None:
            wanted[path] = spread
        return self._take(
            lambda: replace(before or Ensemble(wanted), spread=wanted) if wanted else None, f"ensemble.spread.{path}"
        )

    def set(self, **values: Value) -> str:
        """Change `members` or `seed`; returns why that is refused, empty if it is not."""
        before = self.present
        return self._take(lambda: before and replace(before, **values), *(f"ensemble.{key}" for key in values))

    @property
    def member(self) -> int:
        """The number of the member that `open` opens: the chosen one, or the last one where there are fewer."""
        return int(min(self._chosen, self._members - 1))

    def choose(self, number: Value) -> str:
        """Choose the member to open, as it was typed; returns why that is refused, empty if it is not."""
        try:
            chosen = member_field(self._members).check(MEMBER, number)
        except BadInput as refusal:
            return self._refuse(refusal, MEMBER)
        assert isinstance(chosen, int)
        self._chosen = chosen
        self._messages.solved(MEMBER)
        return ""

    def open(self, *, pinned: bool = False) -> str:
        """Edit the chosen member as a run of its own; if `pinned`, pin the current run first.

        Returns why that is refused, empty if it is not.
        """
        from robots.ensembles.members import EnsembleRuns

        if MEMBER in self._messages.problems:
            return self._messages.problems[MEMBER]  # what stands there is another one
        try:
            member = EnsembleRuns(self._history.present.scenario).scenario_at(self.member)
        except ArmstepError as refusal:
            sentence = self._sentence(refusal)
            self._messages.say(sentence)  # a field of the member's, not its number, is at fault
            return sentence
        if pinned:
            self._comparisons.pin()
        self._comparisons.take(member, f"open member {self.member}")
        return ""

    @property
    def _members(self) -> float:
        return self.present.members if self.present else math.inf

    def _take(self, make: Callable[[], Ensemble | None], *changed: str) -> str:
        self._history.settle()
        document = self._history.present
        try:
            edited = replace(document.scenario, ensemble=make())
        except BadInput as refusal:
            return self._refuse(refusal, *changed)
        self._messages.solved(*changed)
        if edited != document.scenario:
            self._history.record(replace(document, scenario=edited), "ensemble", key=",".join(changed))
        return ""

    def _refuse(self, refusal: ArmstepError, *paths: str) -> str:
        sentence = self._sentence(refusal)
        self._refused |= {path: self._in_force(path) for path in paths}
        self._messages.refuse(sentence, *paths)
        return sentence

    def _in_force(self, path: str) -> Value | None:
        """The value that a refusal has left: the number of members decides which of them there are."""
        ensemble = self.present
        if ensemble is None:
            return None
        spread = {f"ensemble.spread.{spread}": one.width for spread, one in ensemble.spread.items()}
        known = {"ensemble.members": ensemble.members, "ensemble.seed": ensemble.seed, MEMBER: ensemble.members}
        return (known | spread).get(path)

    def forget_choice(self) -> None:
        """Another document was opened: its first member is the chosen one, and nothing was refused."""
        self._chosen = 0
        self._refused.clear()

    def _follow_document(self) -> None:
        """Refusals of values that have changed otherwise, by Undo, are over."""
        gone = [path for path, before in self._refused.items() if before != self._in_force(path)]
        for path in gone:
            del self._refused[path]
        self._messages.solved(*gone)

    # -- compute -------------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop computing all of them; the members that are there are kept."""
        for row in self._runs.all:
            if row.ensemble_state == "computing":
                self._jobs.stop(("ensemble", row.id))

    def again(self) -> None:
        """Compute what is missing of the current run's, after it was stopped."""
        self._wanted.pop(self._runs.current.id, None)
        self._follow(self._runs.current.id, self._runs.current.ensemble)

    def _follow(self, row_id: int, begun: EnsembleResult | None = None) -> None:
        row = self._runs.find(row_id)
        if row is None:
            return
        key = _key(row)
        if key is None and row.state == "computing" and row.scenario.ensemble is not None:
            # The next result decides; what is shown belongs to the run that is shown.
            return
        if key == self._wanted.get(row_id):
            return
        self._jobs.discard(("ensemble", row_id))
        if key is None:
            self._wanted.pop(row_id, None)
            if row.ensemble_state != "none" or row.ensemble is not None or row.ensemble_message:
                self._runs.update(row_id, **NOTHING)
            return
        self._wanted[row_id] = key
        scenario = row.scenario
        self._runs.update(row_id, **{**NOTHING, "ensemble_state": "computing"})
        self._jobs.submit(
            lambda cancel, progress: _computed(scenario, begun, cancel, progress),
            key=("ensemble", row_id),
            on_done=partial(self._done, row_id, key),
            on_error=lambda error: self._update(
                row_id, key, {**NOTHING, "ensemble_state": "failed", "ensemble_message": explain(error)}
            ),
            on_progress=lambda share: self._update(row_id, key, {"ensemble_progress": share}),
            lane="study",
            delay=SETTLED,
        )

    def _done(self, row_id: int, key: Key, done: tuple[EnsembleResult, str]) -> None:
        found, trouble = done
        stopped = {"ensemble_message": trouble or STOPPED} if len(found.missing) else {}
        if len(found.missing) == found.runs.size:
            self._update(row_id, key, {**NOTHING, **stopped})
        else:
            self._update(row_id, key, {**NOTHING, **stopped, "ensemble": found, "ensemble_state": "done"})

    def _update(self, row_id: int, key: Key, values: Data) -> None:
        if self._wanted.get(row_id) == key:
            self._runs.update(row_id, **values)

    def _forget(self) -> None:
        for row_id in self._wanted.keys() - {row.id for row in self._runs.all}:
            del self._wanted[row_id]
            self._jobs.discard(("ensemble", row_id))


def spreadable(scenario: Scenario) -> dict[str, Field]:
    """The fields that may be spread, by path: first the initial state, then parameters and the task.

    Those that have no effect are left out, unless they are spread already.
    """
    every, spread = scenario.fields(), scenario.ensemble.spread if scenario.ensemble else {}
    fields = {
        path: field
        for path, field in spreadable_fields(every, robot_of(scenario).shaping).items()
        if scenario.get(path) is not None and (path in spread or matters(path, every, scenario.get))
    }
    order = sorted(fields, key=lambda path: ("initial.", "robot.", "task.").index(path[: path.index(".") + 1]))
    return {path: fields[path] for path in order}


def _key(row: RunRow) -> Key | None:
    """What decides the row's ensemble; None while it has none to compute."""
    if row.run is None or row.scenario.ensemble is None or row.state not in ("done", "failed"):
        return None
    return (row.scenario.hash(), row.scenario.ensemble) if row.run.scenario == row.scenario else None


def _computed(
    scenario: Scenario, begun: EnsembleResult | None, cancel: Cancel, progress: Progress
) -> tuple[EnsembleResult, str]:
    """The members, and why computing them ended early, if it did."""
    from robots.ensembles.members import EnsembleRuns
    from robots.sweeps.run_sweep import as_far_as_possible, run_sweep

    runs = EnsembleRuns(scenario)
    found = runs.results() if begun is None else begun.copy()
    trouble = as_far_as_possible(lambda: run_sweep(runs, into=found, behind=True, cancel=cancel, progress=progress))
    # Computed here, so that the window's thread need not wait.
    _ = found.quantiles, found.distances, found.agrees_until
    return found, trouble
