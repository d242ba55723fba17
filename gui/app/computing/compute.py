"""From scenarios to runs, in the background: the run first, then its reference, then the errors against it."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assets.clock import TimeLeft
from assets.fields import Data
from assets.memory import give_back
from gui.app.computing.engine import Engine
from gui.app.computing.forecast import AGAIN, LONG
from gui.app.computing.references import FOLLOWS, LARGE, SETTLED, References, physics_key
from gui.app.jobs import Cancel, Jobs, Progress, explain
from gui.app.runs import HELD, RunRow, Runs, chosen
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.run import Run

LET_GO_DELAY = 1.0
"""How long after a large run has come or gone free memory is given back [s]."""

QUICK = 0.03
"""Runs that take less than this [s] are not announced: only longer ones show their progress."""

BEGINS: Data = {"state": "computing", "progress": 0.0, "seconds_left": None, "stopped": False, "message": ""}
"""A row's fields when another scenario is computed for it."""

BEGINNING = 1e-3
"""The part of its duration for which a held run is computed, to show the arm as it starts."""


class Computing:
    """Keeps the rows' results up to date with the rows' scenarios.

    Attributes:
        started: nothing is computed before this is True.
        preparing: True until the first result: the kernels are being loaded, on the very first start compiled.
        held: whether no row may have its result: a prediction is asked for first.
    """

    def __init__(self, jobs: Jobs, runs: Runs, engine: Engine) -> None:
        self.started = False
        self.preparing = True
        self.held = False
        self._known: dict[str, Run] = {}
        self._jobs, self._runs, self._engine = jobs, runs, engine
        self._references = References(jobs, runs, engine)
        self._latest: dict[int, Scenario] = {}
        self._forecasts: dict[int, tuple[Scenario, float]] = {}
        self._at_once: set[int] = set()
        self._opening, self._document = False, 0

    @property
    def awaited(self) -> bool:
        """Whether a result is expected within a frame."""
        return bool(self._at_once)

    def refresh(self, row_id: int, scenario: Scenario) -> None:
        """Give the row another scenario: its result is taken from a row that has it, otherwise computed.

        The earlier result stays until then, unless it is another robot's; a job for an earlier scenario gives way.
        """
        self._latest[row_id] = scenario
        self._drop_other_robot(row_id, scenario)
        if self.held:
            self._show_beginning(row_id, scenario)
            return
        if not self.started:
            self._runs.update(row_id, scenario=scenario)
            return
        donor = self._donor(scenario)
        if donor is None or donor.run is None or donor.run.scenario != scenario:
            same = self._known.get(scenario.hash()) if donor is None else donor.run
            quick = same is not None or self._will_be_quick(row_id, scenario)
            (self._at_once.add if quick else self._at_once.discard)(row_id)
            self._leave(row_id, scenario)
            self._runs.update(row_id, quietly=quick, scenario=scenario, left=self._leaves(row_id), **BEGINS)
            self._submit(row_id, scenario, same)
            return
        self._jobs.discard(("run", row_id))
        self._at_once.discard(row_id)
        result = {name: getattr(donor, name) for name in ("run", "state", "progress", "message", "judged", "seconds")}
        self._runs.update(row_id, scenario=scenario, left=False, **result, **FOLLOWS)
        self._examine(row_id, donor.run, judged=donor.judged, timed=donor.seconds is not None)
        self._references.follow(row_id, physics_key(scenario))

    def leave_document(self) -> None:
        """Another document is opened: what is drawn of this one goes as soon as its own run takes long."""
        self._opening = True
        self._document += 1

    def enter_document(self) -> None:
        """It is open: from now on an edit keeps what is drawn until the next run is there."""
        self._opening = False

    def await_kernels(self, awaited: str) -> None:
        """If kernels are `awaited`, what is drawn of the document before goes now: a run that waits takes long."""
        for row in self._runs.all if awaited else ():
            if row.left:
                self._drop(row.id)
                self._runs.update(row.id)

    def _leaves(self, row_id: int) -> bool:
        """Whether the row's run is of the document before, which another one has replaced, or replaces now."""
        row = self._runs.find(row_id)
        return row is not None and row.run is not None and (self._opening or row.left)

    def _leave_behind(self, row_id: int) -> None:
        """Remove the row's run if it is of the document before."""
        row = self._runs.find(row_id)
        if row is not None and row.left:
            self._drop(row_id)

    def hold(self) -> None:
        """Take the results away from all rows, and give them none until `release`."""
        self.held = True
        for row in self._runs.all:
            self.refresh(row.id, row.scenario)

    def release(self, known: Sequence[Run] = ()) -> None:
        """Let the rows have their results again; those in `known` need no computation."""
        self._known = {run.scenario.hash(): run for run in known}
        if self.held:
            self.held = False
            for row in self._runs.all:
                self._runs.update(row.id, quietly=True, state="waiting", beginning=None)
                self.refresh(row.id, row.scenario)

    def _show_beginning(self, row_id: int, scenario: Scenario) -> None:
        """Compute no more of a row than how its arm starts."""
        self._discard(row_id)
        self._runs.update(row_id, scenario=scenario, **HELD)
        if not self.started:
            return
        shortest = max(BEGINNING * scenario.duration, scenario.step or 0.0)
        beginning = scenario.with_value("duration", min(shortest, scenario.duration))

        def begun(run: Run) -> None:
            if self.held and self._latest.get(row_id) is scenario:
                self.preparing = False
                self._runs.update(row_id, beginning=run)

        self._jobs.submit(
            lambda cancel, progress: self._engine.simulate(beginning, cancel, progress),
            key=("run", row_id),
            on_done=begun,
        )

    def _drop_other_robot(self, row_id: int, scenario: Scenario) -> None:
        """Remove the row's run if it is another robot's: no arm is better than a wrong one."""
        row = self._runs.find(row_id)
        if row is not None and row.run is not None and not row.run.scenario.same_robot(scenario):
            self._drop(row_id)

    def _drop(self, row_id: int) -> None:
        """Remove the row's run."""
        row = self._runs.find(row_id)
        if row is not None and row.run is not None:
            self._runs.update(
                row_id,
                quietly=True,
                run=None,
                left=False,
                judged=False,
                seconds=None,
                reference=None,
                reference_run=None,
            )
            self._let_go(row.run)

    def forget(self, row: RunRow) -> None:
        """The row is gone."""
        row_id = row.id
        if row.run is not None:
            self._let_go(row.run)
        self._discard(row_id)
        self._forecasts.pop(row_id, None)
        self._latest.pop(row_id, None)

    def _leave(self, row_id: int, scenario: Scenario) -> None:
        """Nothing more is computed for the row's earlier run: the next one would wait for it."""
        for kind in ("judge", "clock"):
            self._jobs.discard((kind, row_id))
        self._references.leave(row_id, physics_key(scenario))

    def _discard(self, row_id: int) -> None:
        """Nothing more is computed for the row, and no reference is awaited."""
        for kind in ("run", "judge", "clock", "forecast"):
            self._jobs.discard((kind, row_id))
        self._at_once.discard(row_id)
        self._references.forget(row_id)

    def cancel(self) -> None:
        """Stop everything that is being computed and keep the results so far."""
        for row in self._runs.all:
            self.stop(row.id)

    def stop(self, row_id: int) -> None:
        """End the row's job early and show its result so far; a reference in progress is given up."""
        row = self._runs.find(row_id)
        if row is not None and row.state == "computing":
            self._runs.update(row_id, stopped=True)
        self._jobs.stop(("run", row_id))
        self._references.stop(row_id)

    def _donor(self, scenario: Scenario) -> RunRow | None:
        for row in self._runs.all:
            if row.run is None or row.state not in ("done", "failed") or row.run.status == "cancelled":
                continue
            if row.run.scenario.hash() == scenario.hash():
                return row
        return None

    def _will_be_quick(self, row_id: int, scenario: Scenario) -> bool:
        """Whether the result is expected within a frame, so that drawing "computing" would only delay it.

        How long a part of a run took says nothing.
        """
        row = self._runs.find(row_id)
        if row is None or row.run is None or row.run.status == "cancelled":
            return False
        before = row.run.scenario
        alike = before.same_robot(scenario) and before.method == scenario.method
        return alike and (row.seconds or row.run.compute_seconds) < QUICK

    def _submit(self, row_id: int, scenario: Scenario, same: Run | None = None) -> None:
        """Compute the row's run; a run with the `same` numbers is only drawn again."""
        left, document = TimeLeft(), self._document

        def report_progress(fraction: float) -> None:
            left.advance(fraction)
            self._leave_behind(row_id)
            self._runs.update(row_id, progress=fraction, seconds_left=left.seconds)
            if left.spent >= LONG:
                self._ask_forecast(row_id, scenario, left.spent)

        def done(run: Run) -> None:
            # A job of the document before may end late: its run says nothing of this one.
            if document == self._document or self._latest.get(row_id) is scenario:
                self._run_done(row_id, scenario, run, same)

        self._jobs.submit(
            lambda cancel, progress: (
                self._engine.redraw(same, scenario)
                if same is not None
                else self._engine.simulate(scenario, cancel, progress)
            ),
            key=("run", row_id),
            on_done=done,
            on_error=lambda error: self._run_failed(row_id, scenario, error),
            on_progress=report_progress,
            leaves_nothing=True,
        )

    def _ask_forecast(self, row_id: int, scenario: Scenario, spent: float) -> None:
        """Make the row show the run so far and say what the computation costs, now and again."""
        asked, at = self._forecasts.get(row_id, (None, 0.0))
        if (asked is scenario and spent < AGAIN * at) or self._latest.get(row_id) is not scenario:
            return
        self._forecasts[row_id] = scenario, spent

        def look(cancel: Cancel, _progress: Progress) -> tuple[str, Run | None]:
            begun = self._engine.look(scenario, cancel)
            return self._engine.forecast(scenario, begun), begun

        def show(found: tuple[str, Run | None]) -> None:
            text, begun = found
            row = self._runs.find(row_id)
            if row is None or row.state != "computing" or self._latest.get(row_id) is not scenario:
                return
            self._runs.update(row_id, quietly=begun is not None, message=text or row.message)
            if begun is not None:
                self._replace(row_id, begun, judged=True, reference=None, reference_state="none")

        self._jobs.submit(
            look,
            key=("forecast", row_id),
            on_done=show,
            on_error=lambda error: show((explain(error), None)),
            lane="forecast",
            leaves_nothing=True,
        )

    def _replace(self, row_id: int, run: Run, **values: object) -> None:
        """Give the row another run.

        A reference for other equations says nothing about it, not even until its own one is there, and the errors of
        another method are not its errors.
        """
        row = self._runs.find(row_id)
        before = None if row is None else row.run
        fits = before is not None and self._references.fits(row_id, physics_key(run.scenario))
        same = before is not None and chosen(before.scenario) == chosen(run.scenario)
        gone: Data = {} if fits and same else {"reference": None}
        gone |= {} if fits else {"reference_run": None}
        self._runs.update(row_id, **{"run": run, "left": False, "judged": False, "seconds": None, **values, **gone})
        for one in (run, before):
            if one is not None:
                self._let_go(one)

    def _run_done(self, row_id: int, scenario: Scenario, run: Run, same: Run | None = None) -> None:
        self.preparing = False
        self._at_once.discard(row_id)
        self._jobs.discard(("forecast", row_id))
        newest = self._latest.get(row_id) is scenario
        if run.status == "cancelled" and not newest:
            return  # a person stopped it and went on to another scenario
        ok = run.status in ("finished", "cancelled")
        state = ("done" if ok else "failed") if newest else "computing"
        progress = 1.0 if newest else 0.0
        row = self._runs.find(row_id)
        if row is not None and not newest and (row.state != "computing" or not run.scenario.same_robot(row.scenario)):
            return  # the older job finished, but the row has its own result, or another robot now
        ended = {"state": state, "progress": progress, "seconds_left": None, "stopped": False, "message": run.message}
        seconds = row.seconds if row is not None and same is not None and row.run is same else None
        self._replace(row_id, run, **ended, seconds=seconds, **FOLLOWS)
        if newest:
            self._examine(row_id, run, timed=seconds is not None)
        self._references.follow(row_id, physics_key(run.scenario))

    def _let_go(self, run: Run) -> None:
        """A run comes, is judged or goes: memory that it and the work on it no longer need goes back to the system.

        Garbage is collected in this thread, since widgets may go with it.
        """

        def collect(_: None) -> None:
            gc.collect()
            self._jobs.submit(lambda *_: give_back(), key="free memory", lane="background")

        if run.nbytes > LARGE:
            wait = LET_GO_DELAY
            self._jobs.submit(lambda *_: None, key="memory", on_done=collect, lane="background", delay=wait)

    def _examine(self, row_id: int, run: Run, *, judged: bool = False, timed: bool = False) -> None:
        """Once the run is on the screen, compute what the verdict on it needs, and measure its usual time."""

        def note(found: Data) -> None:
            row = self._runs.find(row_id)
            if row is not None and row.run is run:
                self._runs.update(row_id, **found)

        def judge(_: None) -> None:
            note({"judged": True})
            self._let_go(run)

        if not judged:
            self._jobs.submit(
                lambda _cancel, _progress: self._engine.judge(run),
                key=("judge", row_id),
                on_done=judge,
                lane="background" if run.nbytes > LARGE else "front",
                delay=SETTLED,
            )
        if not timed and run.status == "finished":
            self._jobs.submit(
                lambda cancel, _progress: self._engine.clock(run, cancel),
                key=("clock", row_id),
                on_done=lambda seconds: note({"seconds": seconds}),
                lane="background",
                delay=SETTLED,
            )

    def _run_failed(self, row_id: int, scenario: Scenario, error: BaseException) -> None:
        self.preparing = False
        self._at_once.discard(row_id)
        if self._latest.get(row_id) is scenario:
            self._runs.update(row_id, state="failed", message=explain(error))
            row = self._runs.find(row_id)
            if row is not None and row.run is not None:
                # The earlier result stays on the screen.
                self._examine(row_id, row.run, judged=row.judged, timed=row.seconds is not None)
                self._references.follow(row_id, physics_key(row.run.scenario))
