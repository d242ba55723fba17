"""The results of a sweep so far, on disk, so that an interrupted sweep can continue."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TextIO

from assets.errors import ArmstepError, BadInput
from assets.writing import reason
from robots.sweeps.sweep import STATUSES, Part, Readings, Sweep, SweepRow

_FORMAT = "armstep-sweep"
KEPT = "What was computed before is kept: the same command with --resume goes on."


class Journal:
    """A file beside the result with one line for each part; a context manager that closes it.

    If computing fails inside, the sentence says that what was computed is kept; a refusal leaves no empty journal.

    Args:
        file: the journal itself, `journal_of` a result's file.
        sweep: what is computed.
        resume: keep the results in the file; otherwise it starts empty.

    Raises:
        BadInput: the file belongs to another sweep.
        ArmstepError: it cannot be read or written.
    """

    def __init__(self, file: Path, sweep: Sweep, *, resume: bool = False) -> None:
        self.file, self.sweep, self._stream, self._added = file, sweep, None, False
        head = json.dumps({"format": _FORMAT, "key": sweep.key})
        try:
            text = file.read_text(encoding="utf-8") if resume and file.exists() else ""
            lines = text[: text.rfind("\n") + 1].splitlines()
            if lines[0] != head if lines else not head.startswith(text):
                raise BadInput("--resume", str(file), "given with the same scenario, ranges and readouts as before")
            self.parts = list(self._read(lines[1:]))
            self._stream: TextIO | None = file.open("a", encoding="utf-8")
            # Only a torn end goes: what is there may be all that there is, and the disk full.
            self._stream.truncate(sum(len(line.encode()) + 1 for line in lines))
            if not lines:
                print(head, file=self._stream, flush=True)
        except OSError as problem:
            raise ArmstepError(f"{file} cannot be written: {reason(problem)}") from None
        except UnicodeDecodeError:
            raise BadInput("--resume", str(file), "used with the journal of a sweep") from None

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


def _line(part: Part) -> str:
    return json.dumps([[row.number, STATUSES.index(row.status), row.values] for row in part])


def _numbers(values: Readings, width: int) -> bool:
    return len(values) == width and all(isinstance(value, float) for value in values)
