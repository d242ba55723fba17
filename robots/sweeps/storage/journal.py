"""The results of a sweep so far, on disk, so that an interrupted sweep can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TextIO

from assets.counting import counted
from assets.errors import ArmstepError, BadInput
from assets.writing import reason
from robots.sweeps.sweep import STATUSES, Part, Readings, Sweep, SweepRow

_FORMAT = "armstep-sweep"
_HEAD = json.dumps({"format": _FORMAT})[:-1]
"""How every journal begins."""

KEPT = "What was computed before is kept: the same command with --resume goes on."


class Journal:
    """A file beside the result with one line for each part; a context manager that closes it.

    If computing fails inside, the sentence says that what was computed is kept; a refusal leaves no empty journal.

    Args:
        file: the journal itself, `journal_of` a result's file.
        sweep: what is computed.
        resume: go on with the results in the file; otherwise one that has some is refused, and stays as it is.

    Raises:
        BadInput: the file has results of another sweep, or of this one without `resume`, or is no journal.
        ArmstepError: it cannot be read or written.
    """

    def __init__(self, file: Path, sweep: Sweep, *, resume: bool = False) -> None:
        self.file, self.sweep, self._stream, self._added = file, sweep, None, False
        head = json.dumps({"format": _FORMAT, "key": sweep.key})
        try:
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            lines = text[: text.rfind("\n") + 1].splitlines()
            own = lines[0] == head if lines else head.startswith(text)
            if resume and not own:
                raise BadInput("--resume", str(file), "given with the same scenario, ranges and readouts as before")
            if not resume:
                self._refuse_runs(text, lines[1:], own)
                lines = []
            self.parts = list(self._read(lines[1:]))
            self._stream: TextIO | None = file.open("a", encoding="utf-8")
            # Only a torn end goes: what is there may be all that there is, and the disk full.
            self._stream.truncate(sum(len(line.encode()) + 1 for line in lines))
            if not lines:
                print(head, file=self._stream, flush=True)
        except OSError as problem:
            raise ArmstepError(f"{file} cannot be written: {reason(problem)}") from None
        except UnicodeDecodeError:
            raise _no_journal(file) from None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is None:
            return
        self._stream.close()
        if isinstance(error, BadInput) and not (self.parts or self._added):
            self.remove()
        if isinstance(error, ArmstepError) and not isinstance(error, BadInput):
            raise ArmstepError(f"{str(error).removesuffix('.')}. {KEPT}") from None

    def add(self, part: Part) -> None:
        """Keep a part.

        Raises:
            ArmstepError: it cannot be written; what was written before stays.
        """
        assert self._stream
        try:
            print(_line(part), file=self._stream, flush=True)
            os.fsync(self._stream.fileno())
            self._added = True
        except OSError as problem:
            self._stream = None
            raise ArmstepError(f"{self.file} cannot be written: {reason(problem)}. {KEPT}") from None

    def remove(self) -> None:
        """Delete the journal, once nothing needs it."""
        self.file.unlink(missing_ok=True)

    def _refuse_runs(self, text: str, lines: list[str], own: bool) -> None:
        """Refuse to empty a file whose `text` is no journal, or has the runs of an earlier command in its `lines`."""
        if not (text.startswith(_HEAD) or _HEAD.startswith(text)):
            raise _no_journal(self.file)
        count = len({number for line in lines for number in _run_numbers(line)})
        if not count:
            return
        runs, begin = counted(count, "run"), "(delete that file to begin again)"
        if own:
            must = f"given with --resume to go on with the {runs} of this sweep in {self.file} {begin}"
        else:
            must = f"another file, since {self.file} has {runs} of another sweep {begin}"
        raise BadInput("--out", str(_result_of(self.file)), must)

    def _read(self, lines: list[str]) -> Iterator[Part]:
        """The parts in the lines that are complete; the last one may be torn."""
        width = len(self.sweep.show)
        for line in lines:
            try:
                part = [
                    SweepRow(int(number), STATUSES[status], tuple(values))
                    for number, status, values in json.loads(line)
                ]
                sound = all(0 <= row.number < self.sweep.size and _numbers(row.values, width) for row in part)
            except (ValueError, TypeError, IndexError):
                continue
            if sound:
                yield part


def journal_of(file: Path) -> Path:
    """The journal of a sweep whose result goes to `file`."""
    return file.with_name(f"{file.name}.journal")


def _result_of(journal: Path) -> Path:
    return journal.with_suffix("")


def _no_journal(file: Path) -> BadInput:
    return BadInput("--out", str(_result_of(file)), f"another file, since {file} is not the journal of a sweep")


def _run_numbers(line: str) -> list[int]:
    """The numbers of the runs in a line of any sweep's journal; none if it is damaged."""
    try:
        return [int(number) for number, _, _ in json.loads(line)]
    except (ValueError, TypeError):
        return []


def _line(part: Part) -> str:
    return json.dumps([[row.number, STATUSES.index(row.status), row.values] for row in part])


def _numbers(values: Readings, width: int) -> bool:
    return len(values) == width and all(isinstance(value, float) for value in values)
