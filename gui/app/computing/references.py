"""The reference runs that errors are measured against: one for all rows with the same exact solution."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import TYPE_CHECKING

from assets.fields import Data
from gui.app.computing.engine import Engine
from gui.app.jobs import Jobs, explain
from gui.app.runs import Runs
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.reference import Reference, ReferenceErrors
    from robots.simulation.run import Run

REFERENCES_KEPT, REFERENCE_BYTES = 8, 64 * 2**20
"""How many reference runs stay in memory, and how large they may be together; the disk cache keeps them all."""

LARGE = 16 * 2**20
"""When a run larger than this [bytes] is gone, the memory that it had is given back to the system; what follows it, in
the background, does not keep the next run waiting.
"""

SETTLED = 0.15
"""How long a run must stand before it is judged, its time measured and its reference begun [s]: a moving slider starts
none of these.
"""

FOLLOWS: Data = {"reference_state": "computing", "reference_message": ""}
"""A row's fields about the reference when it gets another result: views hear of both at once."""


def physics_key(scenario: Scenario) -> str:
    """Equal for scenarios that have the same exact solution, whatever the method and step."""
    return json.dumps(scenario.physics(), sort_keys=True)


class References:
    """Computes each row's reference after its run, and then the errors against it."""

    def __init__(self, jobs: Jobs, runs: Runs, engine: Engine) -> None:
        self._jobs, self._runs, self._engine = jobs, runs, engine
        self._wanted: dict[int, str] = {}
        self._kept: OrderedDict[str, Reference | None] = OrderedDict()
        self._pending: set[str] = set()

    def follow(self, row_id: int, key: str) -> None:
        """Look for the reference of a row's new result, of which `key` is the `physics_key`."""
        row = self._runs.find(row_id)
        if row is None or row.run is None:
            return
        if row.recording:
            self._without(row_id, "none", "")
            return
        scenario = row.run.scenario
        self._wanted[row_id] = key
        self._drop_unwanted()
        if key in self._kept:
            self._kept.move_to_end(key)
            self._compare(row_id, self._kept[key])
            return
        if key not in self._pending:
            self._pending.add(key)
            self._jobs.submit(
                lambda cancel, progress: self._engine.reference(scenario, cancel, progress),
                key=("reference", key),
                on_done=lambda reference: self._done(key, reference),
                on_error=lambda error: self._failed(key, error),
                lane="background",
                delay=SETTLED,
                leaves_nothing=True,
            )

    def fits(self, row_id: int, key: str) -> bool:
        """Whether the row's reference, there or on its way, is the one of `key`."""
        return self._wanted.get(row_id) == key

    def stop(self, row_id: int) -> None:
        """Give up the row's reference if it is being computed."""
        if self._wanted.get(row_id) in self._pending:
            self._wanted.pop(row_id)
            self._drop_unwanted()
            self._runs.update(row_id, reference_state="none", reference_message="The reference was cancelled.")

    def leave(self, row_id: int, key: str) -> None:
        """The row waits for a run of `key`: a reference in progress for other equations is in its way."""
        wanted = self._wanted.get(row_id)
        if wanted in self._pending and wanted != key:
            del self._wanted[row_id]
            self._drop_unwanted()

    def forget(self, row_id: int) -> None:
        """The row is gone."""
        self._jobs.discard(("compare", row_id))
        self._wanted.pop(row_id, None)
        self._drop_unwanted()

    def _done(self, key: str, reference: Reference | None) -> None:
        self._pending.discard(key)
        self._kept[key] = reference
        while len(self._kept) > 1 and (len(self._kept) > REFERENCES_KEPT or self._too_large()):
            self._kept.popitem(last=False)
        for row_id in self._waiting(key):
            self._compare(row_id, reference)

    def _too_large(self) -> bool:
        return sum(one.nbytes for one in self._kept.values() if one is not None) > REFERENCE_BYTES

    def _failed(self, key: str, error: BaseException) -> None:
        self._pending.discard(key)
        for row_id in self._waiting(key):
            self._without(row_id, "failed", explain(error))

    def _compare(self, row_id: int, reference: Reference | None) -> None:
        row = self._runs.find(row_id)
        if row is None or row.run is None:
            return
        if reference is None:
            from robots.simulation.reference import why_none

            self._without(row_id, "unavailable", why_none(row.scenario))
            return
        run = row.run
        self._jobs.submit(
            lambda _cancel, _progress: self._engine.compare(run, reference),
            key=("compare", row_id),
            on_done=lambda errors: self._compared(row_id, run, reference, errors),
            on_error=lambda error: self._without(row_id, "failed", explain(error)),
            lane="background" if run.nbytes > LARGE else "front",
        )

    def _compared(self, row_id: int, run: Run, reference: Reference, errors: ReferenceErrors) -> None:
        row = self._runs.find(row_id)
        if row is not None and row.run is run:
            self._runs.update(
                row_id, reference=errors, reference_run=reference, reference_state="done", reference_message=""
            )

    def _without(self, row_id: int, state: str, message: str) -> None:
        self._runs.update(row_id, reference=None, reference_run=None, reference_state=state, reference_message=message)

    def _waiting(self, key: str) -> list[int]:
        return [row_id for row_id, wanted in self._wanted.items() if wanted == key]

    def _drop_unwanted(self) -> None:
        for key in self._pending - set(self._wanted.values()):
            self._pending.discard(key)
            self._jobs.discard(("reference", key))
