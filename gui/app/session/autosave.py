"""Keep unsaved work through a crash.

Each running window owns one autosave file and holds a lock on a file beside it. The operating system drops the lock
when the process ends, however it ends; so an autosave without a locked lock is one whose window did not end cleanly.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO

from assets.errors import ArmstepError
from assets.writing import make_folder, write_atomically
from gui.app.documents import Document
from gui.app.formatting import free_name
from gui.app.table.distinctions import distinctions, enough
from gui.app.view import ViewSettings
from robots.scenario.scenario import Scenario

QUIET_SECONDS = 2.0
"""How long after the last edit the autosave is written [s]."""

LONGEST_WAIT = 10.0
"""The longest time that edits without a pause stay unsaved [s]."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """Work that a window left behind.

    Attributes:
        scenario: with its view and pinned runs.
        saved_at: when it was saved [s since 1970].
        file: the scenario file that it belonged to, or None.
        autosave: the file that holds it.
        offered: an earlier window that ended cleanly has asked about it.
    """

    scenario: Scenario
    saved_at: float
    file: Path | None
    autosave: Path
    offered: bool = False

    @property
    def title(self) -> str:
        """The file's or the scenario's name."""
        return self.file.name if self.file else self.scenario.title or self.scenario.name

    @property
    def text(self) -> str:
        """What the question to the person names."""
        return f"{self.title}, saved on {time.strftime('%Y-%m-%d %H:%M', time.localtime(self.saved_at))}"


@dataclass(frozen=True, slots=True)
class Left:
    """What was open when something else was opened.

    Attributes:
        changed: the document as it was.
        saved: the document without unsaved changes; None if that is not known, after a recovery.
        view: how it was looked at.
        file: where it is saved.
        t: the playhead [s].
        speed: of the playback.
    """

    changed: Document
    saved: Document | None
    view: ViewSettings
    file: Path | None
    t: float
    speed: float


@dataclass(frozen=True, slots=True)
class KeptChanges(Left):
    """Unsaved changes of a scenario that made way for another one without a question, or recovered beside it.

    Attributes:
        title: the file's or the scenario's name.
        autosave: keeps them through a crash.
        at: when they were made [s since 1970].
    """

    title: str
    autosave: Autosave
    at: float

    @property
    def scenario(self) -> Scenario:
        """The scenario with them."""
        return self.changed.scenario

    @property
    def recovered(self) -> bool:
        """Whether they are work that was recovered, and no presentation's."""
        return self.saved is None

    @property
    def text(self) -> str:
        """The title and when that was: the same scenario may be among kept changes more than once."""
        now, made = time.localtime(), time.localtime(self.at)
        today = now[:3] == made[:3]
        when = time.strftime("%H:%M" if today else "%Y-%m-%d %H:%M", made)
        return f"{self.title}, {'recovered work of ' if self.recovered else ''}{when}"


def named(kept: Iterable[KeptChanges]) -> str:
    """Their titles, each once, as a sentence names them."""
    return ", ".join(dict.fromkeys(f"“{one.title}”" for one in kept))


def losing(kept: Sequence[KeptChanges]) -> tuple[str, str]:
    """Whether to quit without them, as a question, and where and what they are: recovered work is no presentation's."""
    old, new = (named(one for one in kept if one.recovered is is_old) for is_old in (True, False))
    if not new:
        return (
            "Quit without the recovered work?",
            f"It is in File > Kept changes: {old}. It is lost when Armstep quits.",
        )
    they = "They are lost when Armstep quits."
    if not old:
        return (
            "Quit without the kept changes?",
            f"Changes made in a presentation are in File > Kept changes: {new}. {they}",
        )
    return (
        "Quit without the kept changes?",
        f"In File > Kept changes are recovered work: {old}; and changes made in a presentation: {new}. {they}",
    )


def texts_of(works: Sequence[KeptChanges | Recovery], degrees: bool) -> list[str]:
    """A text for each: those of one title and minute say how their scenarios differ, and no two are alike."""
    found: list[str] = []
    plain = [work.text for work in works]
    for work, text in zip(works, plain, strict=True):
        alike = [other for other, same in zip(works, plain, strict=True) if same == text]
        differ = distinctions(tuple(other.scenario for other in alike), degrees)
        own = differ[alike.index(work)]
        words = " · ".join(filter(None, (own[key] for key in enough(differ))))
        found.append(free_name(f"{text}: {words}" if words else text, found))
    return found


class Autosave:
    """The autosave of this window, in `folder`. Nothing is created before there is something to save."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / f"autosave-{uuid.uuid4().hex}.json"
        self._lock: IO[str] | None = None
        self._first_edit: float | None = None
        self._last_edit: float | None = None
        self._edited = False
        self._wanted: object = None
        self._access = Lock()
        self._asked: list[Recovery] = []

    def note_edit(self) -> None:
        """Something worth saving changed."""
        self._edited = True

    def due(self, now: float) -> bool:
        """Whether it is time to write, by the caller's clock [s]; called now and then."""
        if self._edited:
            self._edited = False
            self._last_edit = now
            if self._first_edit is None:
                self._first_edit = now
        if self._first_edit is None or self._last_edit is None:
            return False
        return now - self._last_edit >= QUIET_SECONDS or now - self._first_edit >= LONGEST_WAIT

    def write(self, scenario: Scenario, file: Path | None) -> None:
        """Keep `scenario`, which belongs to `file`.

        Raises:
            ArmstepError, OSError: it could not be written.
        """
        self.writing(scenario, file)()

    def writing(self, scenario: Scenario, file: Path | None) -> Callable[[], None]:
        """What `write` does, for another thread: disks keep one waiting. Nothing, if meanwhile there was `clear`."""
        self._first_edit = self._last_edit = None
        wanted = self._wanted = object()

        def work() -> None:
            with self._access:
                if self._wanted is wanted:
                    self._write(scenario, file)

        return work

    def _write(self, scenario: Scenario, file: Path | None) -> None:
        make_folder(self.folder)
        if self._lock is None:
            self._lock = _lock(_lock_of(self.file))
        # The file's name is saved beside the scenario, because a scenario file has no field for it.
        write_atomically(self.file.with_suffix(".name"), str(file.absolute()).encode() if file else b"")
        write_atomically(self.file, scenario.to_json().encode())

    def clear(self) -> None:
        """The work was saved elsewhere, or discarded: nothing is left to recover."""
        self._first_edit = self._last_edit = None
        self._edited, self._wanted = False, None
        with self._access:
            _remove(self.file)

    def close(self) -> None:
        """A clean end: nothing to recover, no lock; what was asked about and is still there is old."""
        self.clear()
        for recovery in self._asked:
            if recovery.autosave.exists():
                with suppress(OSError):
                    _mark_of(recovery.autosave).touch()
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            with suppress(OSError):
                _lock_of(self.file).unlink()

    def left_behind(self) -> list[Recovery]:
        """What other windows that did not end cleanly left behind, newest first. Unreadable files are skipped."""
        found = []
        for autosave in self.folder.glob("autosave-*.json"):
            if autosave == self.file or not _abandoned(autosave):
                continue
            with suppress(OSError, ArmstepError, ValueError):
                scenario = Scenario.from_json(autosave.read_text(encoding="utf-8"))
                saved_at, old = autosave.stat().st_mtime, _mark_of(autosave).exists()
                found.append(Recovery(scenario, saved_at, _belongs_to(autosave), autosave, old))
        return sorted(found, key=lambda recovery: -recovery.saved_at)

    def ask(self, recovery: Recovery) -> None:
        """The person is asked about it."""
        self._asked.append(recovery)

    def forget(self, recovery: Recovery) -> None:
        """The recovery was accepted or declined."""
        _remove(recovery.autosave)
        with suppress(OSError):
            _lock_of(recovery.autosave).unlink()


def _mark_of(autosave: Path) -> Path:
    return autosave.with_suffix(".offered")


def _lock_of(autosave: Path) -> Path:
    return autosave.with_suffix(".lock")


def _belongs_to(autosave: Path) -> Path | None:
    with suppress(OSError, ValueError):
        name = autosave.with_suffix(".name").read_text(encoding="utf-8")
        return Path(name) if name else None
    return None


def _remove(autosave: Path) -> None:
    for file in (autosave, autosave.with_suffix(".name"), _mark_of(autosave)):
        with suppress(OSError):
            file.unlink()


def _lock(file: Path) -> IO[str] | None:
    """Open and lock `file`; None when another process holds it, or the file system cannot lock."""
    stream = file.open("a", encoding="utf-8")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # pyright: ignore[reportAttributeAccessIssue]
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        stream.close()
        return None
    return stream


def _abandoned(autosave: Path) -> bool:
    try:
        stream = _lock(_lock_of(autosave))
    except OSError:
        return False
    if stream is None:
        return False
    stream.close()
    return True
