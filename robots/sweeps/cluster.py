"""Runs of a sweep on an existing Dask cluster, at an address that a person gives; the extra `armstep[dask]`.

A job is a scenario, ranges and the numbers of some runs. Jobs that are lost with a worker or the scheduler are computed
again, here or there; each result arrives once, and has the bits that this machine would give.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from assets.errors import ArmstepError, BadInput
from assets.version import version
from robots.sweeps.processes import JobLost
from robots.sweeps.runner import ManyRuns, Reader
from robots.sweeps.sweep import Part
from robots.sweeps.workers import WorkersLost, compute

if TYPE_CHECKING:
    from distributed import Client  # type: ignore[import-not-found]

CONNECTING = 10.0
"""How long a scheduler may take to answer [s]."""

MOST_LOST = 100
"""How many jobs may be lost before the sweep gives up."""

PAUSE = 1.0
"""How often the workers are counted [s]."""

CLIENT_LOG = "distributed.client"
"""Where Dask's client logs."""

LOCAL = ("localhost", "127.0.0.1", "::1", "")


class ClusterWorkers:
    """The workers of a Dask scheduler; see `Workers`.

    Args:
        sweep: whose runs they compute.
        address: of the scheduler, such as `tls://cluster.example:8786`.
    """

    def __init__(self, sweep: ManyRuns[object], address: str) -> None:
        self.reader, self.text, self.address = type(sweep).from_data, json.dumps(sweep.to_data()), address
        self.count, self._lost, self._how = 1, 0, ""
        self._counted, self._there = -PAUSE, False
        self._looking = self._left = False
        self._refusal: ArmstepError | None = None
        self._talked = logging.NOTSET
        self._waiting: dict[Future[Part], Any] = {}

    def __enter__(self) -> ClusterWorkers:
        self._client = self._connected()
        # What a lost scheduler means is said here; Dask's client would print how it noticed over the progress.
        talks = logging.getLogger(CLIENT_LOG)
        self._talked = talks.level
        talks.setLevel(logging.CRITICAL)
        return self

    def __exit__(self, *_: object) -> None:
        self._left = True
        self._client.close()
        logging.getLogger(CLIENT_LOG).setLevel(self._talked)

    def _connected(self) -> Client:
        try:
            from distributed import Client  # type: ignore[import-not-found]
        except ImportError:
            raise BadInput("--scheduler", self.address, "used with an extra: pip install armstep[dask]") from None
        try:
            client = Client(self.address, timeout=CONNECTING, set_as_default=False)
        except Exception as problem:  # what answers there may be anything
            raise self._nowhere(problem) from None
        try:
            self._check_versions(client)
        except BaseException:
            client.close()
            raise
        return client

    def _nowhere(self, problem: Exception) -> BadInput:
        must = f"the address of a running Dask scheduler, such as tls://cluster:8786 ({_first_line(problem)})"
        return BadInput("--scheduler", self.address, must)

    def _look_again(self) -> None:
        """A client gives up after `CONNECTING`; a person may take longer to start a scheduler again."""
        try:
            found = self._connected()
            if self._left:
                found.close()
            else:
                self._client = found
        except BadInput:  # not there yet
            pass
        except ArmstepError as refusal:
            self._refusal = refusal
        self._looking = False

    @property
    def ready(self) -> bool:
        """See `Workers`: while the scheduler restarts, runs are computed here."""
        if self._lost > MOST_LOST:
            raise WorkersLost(f"The workers at {self.address} lost {self._lost} jobs; the last one {self._how}.")
        if self._refusal is not None:
            raise self._refusal
        if self._client.status != "running":
            # A scheduler that starts again knows nothing of these.
            for job in list(self._waiting):
                self._lose(job, "with the scheduler")
            if self._client.status == "closed" and not self._looking:
                self._looking = True
                threading.Thread(target=self._look_again, daemon=True).start()
            return False
        if monotonic() - self._counted > PAUSE:
            self._counted, threads = monotonic(), 0
            with suppress(OSError, TimeoutError):  # the scheduler went away just now
                counts = self._client.sync(self._client.scheduler.ncores, callback_timeout=PAUSE)
                threads = sum(counts.values())
            self.count, self._there = max(1, threads), threads > 0
        return self._there

    def submit(self, numbers: Sequence[int]) -> Future[Part]:
        """See `Workers`."""
        found: Future[Part] = Future()
        there = self._client.submit(compute_there, version(), self.reader, self.text, list(numbers), pure=False)
        self._waiting[found] = there

        def arrived(done: Any) -> None:
            if done.status == "finished":
                try:
                    self._end(found, done.result())
                except Exception as gone:  # the worker that kept it
                    self._lose(found, _in_words(gone))
            elif done.status != "error":
                self._lose(found, f"was {done.status}")
            elif isinstance(problem := done.exception(), ArmstepError):
                self._end(found, problem)
            else:
                self._lose(found, _in_words(problem))

        there.add_done_callback(arrived)
        return found

    def _lose(self, job: Future[Part], how: str) -> None:
        self._lost, self._how = self._lost + 1, how
        self._end(job, JobLost(how))

    def _end(self, job: Future[Part], found: Part | Exception) -> None:
        """A job has ended, once."""
        if self._waiting.pop(job, None) is None:
            return
        if isinstance(found, Exception):
            job.set_exception(found)
        else:
            job.set_result(found)

    def _check_versions(self, client: Client) -> None:
        """Refuse workers with another version, by name. One that is lost just now is none; each job asks again."""
        mine = version()
        try:
            theirs: dict[str, str | Exception] = client.run(version_there, on_error="return")
        except Exception as problem:  # the scheduler went away just now
            raise self._nowhere(problem) from None
        for worker, other in theirs.items():
            if isinstance(other, OSError):
                continue
            if isinstance(other, Exception):
                raise ArmstepError(f"The worker {worker} cannot load Armstep: {_first_line(other)}.")
            if other != mine:
                raise ArmstepError(f"The worker {worker} must have Armstep {mine}, got {other}.")


def _first_line(problem: BaseException) -> str:
    return str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__


def _in_words(problem: BaseException) -> str:
    """How a job was lost, as what follows "the last one ..": whatever a worker may raise."""
    if isinstance(problem, MemoryError):
        return "needed more memory than its worker has"
    return f"with {type(problem).__name__}: {_first_line(problem)}"


def warning_about(address: str) -> str:
    """A sentence about an address beyond this machine without encryption; empty for others."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme != "tcp" or (parts.hostname or "") in (*LOCAL, socket.gethostname()):
        return ""
    return f"{address} is neither encrypted nor protected: whoever reaches it can run code. Use tls://{parts.netloc}."


def version_there() -> str:
    """On a worker: its version."""
    return version()


def compute_there(wanted: str, reader: Reader, text: str, numbers: Sequence[int]) -> Part:
    """On a worker: the rows of these runs that `reader` finds in `text`.

    Raises:
        ArmstepError: it has another version.
    """
    if version() != wanted:
        raise ArmstepError(f"The worker {socket.gethostname()} must have Armstep {wanted}, got {version()}.")
    return compute(reader, text, numbers)
