"""Processes that prepare all batches, the most urgent first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from assets.fields import Data
from assets.imports import ROOT
from robots.preparation.batches import Batch, batches, efforts
from robots.preparation.pace import Pace
from robots.preparation.record import Record


@dataclass(frozen=True, slots=True)
class TeamProgress:
    """How far the preparation is.

    Attributes:
        share: the share of the work that is done, from 0 to 1.
        seconds_left: until everything is ready; None while nothing is measured [s].
        compiled: functions compiled so far.
        trouble: what went wrong, as sentences.
    """

    share: float
    seconds_left: float | None
    compiled: int
    trouble: tuple[str, ...] = ()


class Team:
    """Prepares what is not ready, in separate processes. Every method may be called from any thread.

    Args:
        record: what is ready already.
        wanted: the batches to prepare, all if None.
        processes: how many; one for each core if None.
        low: whether they have a low priority.
        report: called now and then, and after each batch, in a thread of the team.
    """

    def __init__(
        self,
        record: Record,
        wanted: Sequence[Batch] | None = None,
        *,
        processes: int | None = None,
        low: bool = False,
        report: Callable[[TeamProgress], None] = lambda progress: None,
    ) -> None:
        self._record, self._low, self._report = record, low, report
        self._changed = threading.Condition()
        ready = record.ready()
        self._waiting = [batch for batch in (batches() if wanted is None else wanted) if batch not in ready]
        self._done = [batch for batch in batches() if batch in ready]
        self._efforts = self._after(self._waiting)
        self._total = sum(self._efforts.values())
        self._pace = Pace()
        self._busy: list[Batch] = []
        self._doing: dict[Batch, subprocess.Popen[str]] = {}
        self._compiled = 0
        self._trouble: dict[str, list[Batch]] = {}
        self._closed = False
        self._count = min(processes or os.cpu_count() or 1, max(len(self._waiting), 1))
        self._processes: list[subprocess.Popen[str]] = []
        self._threads = self._count

    def start(self) -> None:
        """Start the processes; returns at once."""
        for _ in range(self._count):
            self._in_a_thread(self._work, self._end)

    @property
    def waiting(self) -> tuple[Batch, ...]:
        """The batches that have not begun, in their order."""
        return tuple(self._waiting)

    @property
    def done(self) -> bool:
        """Whether all work is finished or has been stopped."""
        return self._closed or not (self._waiting or self._busy)

    def lacks(self, batch: Batch) -> bool:
        """Whether the batch will be ready, but is not yet."""
        return not self._closed and (batch in self._waiting or batch in self._busy)

    def hurry(self, batch: Batch) -> None:
        """Prepare this batch at once, in one more process of normal priority.

        A process of low priority that has begun it gives it away: what it has compiled stays.
        """
        with self._changed:
            begun = self._doing.pop(batch, None) if self._low else None
            if self._closed or not (begun or batch in self._waiting):
                return
            # Others that come before it in the usual order are not done yet.
            effort = self._after([batch])[batch]
            if begun:
                # Ended: nobody but root may raise its priority, and others wait for the function that it compiles.
                begun.kill()
                self._busy.remove(batch)
            else:
                self._waiting.remove(batch)
            self._begin(batch, effort)
        self._in_a_thread(lambda: self._do(batch), lambda trouble: self._give_up([batch], trouble))

    def seconds_left(self, batch: Batch) -> float:
        """About how long this batch takes from now on [s]."""
        with self._changed:
            if batch in self._busy:
                return self._pace.seconds_left(batch)
            return self._pace.seconds(self._after([batch])[batch]) if batch in self._waiting else 0.0

    def wait(self, batch: Batch | None = None, seconds: float | None = None) -> bool:
        """Wait at most `seconds` until the batch, or everything if None, is ready; returns whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self.done if batch is None else not self.lacks(batch), seconds)

    def close(self) -> None:
        """Stop at once; what is compiled stays."""
        with self._changed:
            self._closed = True
            for process in self._processes:
                process.kill()
            self._changed.notify_all()

    def progress(self) -> TeamProgress:
        """How far the preparation is."""
        with self._changed:
            left = sum(self._efforts[batch] for batch in (*self._waiting, *self._busy))
            share = 1.0 - left / self._total if self._total else 1.0
            seconds = self._pace.seconds(sum(self._efforts[batch] for batch in self._waiting))
            seconds += sum(map(self._pace.seconds_left, self._busy))
            rest = seconds / self._count if self._pace.measured else None
            return TeamProgress(share, rest, self._compiled, self._troubles())

    def _after(self, wanted: Sequence[Batch]) -> dict[Batch, int]:
        """The efforts of these batches, one after the other, after those that are done."""
        found = efforts((*self._done, *wanted))
        return {batch: found[batch] for batch in wanted}

    def _begin(self, batch: Batch, effort: float) -> None:
        self._busy.append(batch)
        self._pace.begin(batch, effort, time.monotonic())

    def _next(self, process: subprocess.Popen[str] | None = None) -> Batch | None:
        """The first batch that shares no robot and no family with one in progress; if all do, the first.

        Args:
            process: what will do it.
        """
        with self._changed:
            if self._closed or not self._waiting:
                return None
            robots, families = {batch.robot for batch in self._busy}, {batch.family for batch in self._busy}
            apart = (batch for batch in self._waiting if batch.robot not in robots and batch.family not in families)
            batch = next(apart, self._waiting[0])
            self._waiting.remove(batch)
            self._begin(batch, self._efforts[batch])
            if process is not None:
                self._doing[batch] = process
            return batch

    def _in_a_thread(self, work: Callable[[], None], failed: Callable[[str], None]) -> None:
        def attempt() -> None:
            try:
                work()
            except OSError as problem:
                failed(f"no process can be started ({problem.strerror})")

        try:
            threading.Thread(target=attempt, daemon=True).start()
        except RuntimeError as problem:
            failed(f"no process can be started ({problem})")

    def _work(self) -> None:
        process = self._process(self._low)
        while (batch := self._next(process)) is not None:
            answer = self._ask(process, batch)
            with self._changed:
                given_away = self._doing.pop(batch, None) is None
            if given_away:
                process.wait()
            else:
                self._finish(batch, answer)
            if process.poll() is not None:
                process = self._process(self._low)
        process.kill()
        process.wait()
        self._end()

    def _do(self, batch: Batch) -> None:
        process = self._process(low=False)
        self._finish(batch, self._ask(process, batch))
        process.kill()
        process.wait()

    def _end(self, trouble: str = "") -> None:
        """One thread fewer; the last one leaves nothing that would be waited for."""
        with self._changed:
            self._threads -= 1
            last = not self._threads
        if last:
            self._give_up(iter(self._next, None), trouble)

    def _give_up(self, wanted: Iterable[Batch], trouble: str) -> None:
        for batch in wanted:
            self._finish(batch, _without(trouble))

    def _finish(self, batch: Batch, answer: Data) -> None:
        with self._changed:
            self._busy.remove(batch)
            self._done.append(batch)
            self._pace.end(batch)
            self._compiled += answer["compiled"]
            if answer["trouble"]:
                self._trouble.setdefault(answer["trouble"], []).append(batch)
            else:
                self._record.add(batch, answer["files"])
            self._changed.notify_all()
        self._report(self.progress())

    def _process(self, low: bool) -> subprocess.Popen[str]:
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        # Nobody reads numba's messages of what it tried; colouring them takes its time.
        plain = {"NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING": "1"}
        command = [sys.executable, "-m", "robots.preparation.worker", *(["low"] if low else [])]
        process = subprocess.Popen(
            command,
            text=True,
            env={**os.environ, **plain, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with self._changed:
            self._processes.append(process)
            if self._closed:
                process.kill()
        return process

    def _ask(self, process: subprocess.Popen[str], batch: Batch) -> Data:
        """What the process answers at last; until then it says how much of the processor's time it had."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.write(json.dumps(asdict(batch)) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                said = json.loads(line)
                with self._changed:
                    if batch in self._busy:
                        self._pace.note(batch, said["worked"], time.monotonic())
                if "files" in said:
                    return said
                self._report(self.progress())
        process.kill()
        status = process.wait()
        return _without(f"its process ended with status {status}")

    def _troubles(self) -> tuple[str, ...]:
        """A sentence for each trouble, however many batches have it."""

        def named(first: Batch, *others: Batch) -> str:
            return f"{first.robot}, {first.family}" + (f" and {len(others)} more" if others else "")

        return tuple(f"{named(*failed)}: {what}" for what, failed in self._trouble.items())


def _without(trouble: str) -> Data:
    """The answer for a batch that could not be prepared."""
    return {"compiled": 0, "files": [], "trouble": trouble}
