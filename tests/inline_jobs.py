"""Jobs without threads, for tests of what follows from them, and workers that run out of memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import pytest

from gui.app.jobs import Job, Jobs
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import SweepRow


class InlineJobs(Jobs):
    """Does every job at once in the calling thread."""

    def __init__(self) -> None:
        super().__init__(dispatch=lambda call: call())

    def start(self, job: Job, lane: str) -> None:
        """Do the job."""
        job.execute(self.dispatch)


def run_out_of_memory(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let the memory suffice for that many jobs of sweeps."""
    rows, jobs = Runner.rows, count()

    def limited(runner: Runner, numbers: Iterable[int]) -> list[SweepRow]:
        if next(jobs) >= after:
            raise MemoryError
        return rows(runner, numbers)

    monkeypatch.setattr(Runner, "rows", limited)
