"""Jobs without threads, for tests of what follows from them."""

from __future__ import annotations

from gui.app.jobs import Job, Jobs


class InlineJobs(Jobs):
    """Does every job at once in the calling thread."""

    def __init__(self) -> None:
        super().__init__(dispatch=lambda call: call())

    def start(self, job: Job, lane: str) -> None:
        """Do the job."""
        job.execute(self.dispatch)
