"""Open, save, keep for a crash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assets.errors import ArmstepError
from gui.app import documents
from gui.app.autosave import Recovery
from gui.app.session.core import FIRST_SCENARIO
from gui.app.session.editing import Editing
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.scenario import Scenario


class Filing(Editing):
    """The verbs of the File menu."""

    def new(self, preset: str = FIRST_SCENARIO) -> bool:
        """Open the preset of that key as a new, unnamed scenario, and play it."""
        from robots.scenario.presets import find_scenario

        return self._open(lambda: find_scenario(preset), None, play=True)

    def open(self, file: str | Path) -> bool:
        """Open a scenario file, or what is inside something that Armstep exported.

        False if that failed: then `problems["file"]` says why and everything is as before.
        """
        file = Path(file)
        inside = self._inside
        if inside is None or documents.looks_like_scenario(file):
            return self._open(lambda: load_scenario(file), file)
        return self._open(lambda: documents.beside(*inside(file)), None)

    def adopt(self, scenario: Scenario, file: Path | None = None, edited: bool = False, play: bool = False) -> None:
        """Make `scenario` the open document, with its view and pinned runs.

        Args:
            scenario: what to open.
            file: where `save` writes it.
            edited: whether `file` holds something else.
            play: whether its run begins to move as soon as it is there.
        """
        self.pull_end()
        document, view, troubles = documents.from_scenario(scenario, self.view, self._next_id)
        self._next_id += len(document.pins)
        self._history.reset(document)
        self.file = file
        self._saved = None if edited else document
        self._autosave.clear()
        self.playback.pause()
        self.playback.set_range()
        self._arrived()
        self.playback.seek(0.0)
        self._play_when_ready = play
        self._play_if_ready()
        self.view = view
        self.view_changed.emit()
        self._say(" ".join(troubles) or f"Opened {self.title}.")

    def save(self, file: str | Path | None = None) -> bool:
        """Save to `file`, or to where it was saved last; False if that failed (`problems["file"]` says why)."""
        target = Path(file) if file is not None else self.file
        if target is None:
            return self._refused_file("Choose a file to save in.")
        document = self._history.present
        try:
            save_scenario(documents.to_scenario(document, self.view), target)
        except (ArmstepError, OSError) as error:
            return self._refused_file(str(error))
        self.file, self._saved = target, document
        self._autosave.clear()
        self.settings.add_recent(target)
        self._solved("file")
        self.file_changed.emit()
        self._say(f"Saved {target}.")
        return True

    def autosave_if_due(self, now: float | None = None) -> None:
        """Keep unsaved edits for a crash, some seconds after the last one; called by a timer."""
        if not self._autosave.due(self._now() if now is None else now):
            return
        if not self.dirty:
            self._autosave.clear()
            return
        try:
            self._autosave.write(documents.to_scenario(self._history.present, self.view), self.file)
        except (ArmstepError, OSError) as error:
            self._autosave.note_edit()
            self._say(f"Unsaved work could not be kept for a crash: {error}. Save it yourself.")

    def recoverable(self) -> list[Recovery]:
        """Work that windows which did not end cleanly have left, newest first."""
        return self._autosave.left_behind()

    def recover(self, recovery: Recovery) -> None:
        """Open what was left; it counts as unsaved edits of its file."""
        self.adopt(recovery.scenario, recovery.file, edited=True)
        self._autosave.note_edit()
        self._autosave.forget(recovery)
        self._say(f"Recovered {recovery.text}.")

    def decline(self, recovery: Recovery) -> None:
        """Give up what was left."""
        self._autosave.forget(recovery)

    def _open(self, load: Callable[[], Scenario], file: Path | None, play: bool = False) -> bool:
        try:
            scenario = load()
        except (ArmstepError, OSError) as error:
            return self._refused_file(str(error))
        self._solved(*self.problems)
        self.adopt(scenario, file, play=play)
        if file is not None:
            self.settings.add_recent(file)
            self.file_changed.emit()
        return True

    def _refused_file(self, message: str) -> bool:
        self.refuse("file", message)
        return False
