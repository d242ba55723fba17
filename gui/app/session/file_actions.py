"""Open, save, recover: the verbs of the File menu, and the file that is open."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assets.errors import ArmstepError
from gui.app import documents
from gui.app.documents import Document, Result
from gui.app.history import History
from gui.app.imports.logs import LogImport
from gui.app.imports.robots import RobotImport
from gui.app.jobs import Jobs, trouble_of
from gui.app.playback import Playback
from gui.app.runs import Runs
from gui.app.session.autosave import Autosave, KeptChanges, Left, Recovery, texts_of
from gui.app.session.messages import Messages
from gui.app.session.results import STUDY, lost
from gui.app.session.view_state import ViewState
from gui.app.settings import Settings
from gui.app.signal import Signal
from gui.app.view import ViewSettings
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.scenario import Scenario

FIRST_SCENARIO = "rr-swing"

AUTOSAVE = "autosave"
"""The key of the job that writes it."""


def first_scenario() -> Scenario:
    """What is open where nothing else was asked for."""
    from robots.scenario.presets import find_scenario

    return find_scenario(FIRST_SCENARIO)


Inside = Callable[[Path], list[Scenario]]
"""Finds the scenarios in a picture or film that Armstep exported, the edited one first; raises BadInput."""


class FileActions:
    """The scenario file of the open document.

    Attributes:
        path: where `save` writes, or None.
        robots: opens robot files, and has their reports.
        logs: loads recorded logs.
        kept: unsaved changes of other scenarios, latest last.
        keeper: puts unsaved changes aside before another scenario opens, as during a presentation; None: a person is
            asked about them.
        changed: signal `()`: `path`, `dirty` or the recent files may have changed.
        opening: signal `()`: another document will be opened at once.
        opened: signal `()`: another document was opened. Whoever holds something that belongs to the scenario before
            (a zoom, a filter, a selection) forgets it.
    """

    def __init__(
        self,
        history: History[Document],
        playback: Playback,
        runs: Runs,
        view: ViewState,
        messages: Messages,
        settings: Settings,
        jobs: Jobs,
        *,
        new_id: Callable[[], int],
        now: Callable[[], float],
        inside: Inside | None,
    ) -> None:
        self.path: Path | None = None
        self.changed, self.opening, self.opened = Signal(), Signal(), Signal()
        self.kept: tuple[KeptChanges, ...] = ()
        self.keeper: Callable[[], object] | None = None
        self._history, self._playback, self._runs, self._view = history, playback, runs, view
        self._messages, self._settings, self._jobs = messages, settings, jobs
        self._new_id, self._now, self._inside = new_id, now, inside
        self._autosave = Autosave(settings.folder)
        self._saved: Document | None = history.present
        self.robots = RobotImport(history, lambda scenario, name: self.adopt(scenario, name=name), self._refused)
        self.logs = LogImport(history, messages, new_id)
        history.changed.connect(self._note_edit)

    @property
    def dirty(self) -> bool:
        """Whether there are edits that no file has."""
        return self.loses_by_opening()

    @property
    def as_opened(self) -> Scenario | None:
        """The scenario that the file or the preset has; None where there is neither."""
        return self._saved.scenario if self._saved is not None else None

    @property
    def title(self) -> str:
        """The window's title: the file's or the scenario's name."""
        scenario = self._history.present.scenario
        return self.path.name if self.path else scenario.title or scenario.name or "Untitled"

    @property
    def stem(self) -> str:
        """What the names of files that are made of the scenario begin with."""
        return self.path.stem if self.path else self._history.present.scenario.name or "armstep"

    def new(self, preset: str = FIRST_SCENARIO) -> bool:
        """Open the preset of that key as a new, unnamed scenario, and play it."""
        from robots.scenario.presets import find_scenario

        return self._open(lambda: find_scenario(preset), None)

    def open(self, file: str | Path, folder: Path | None = None, arguments: Mapping[str, str] | None = None) -> bool:
        """Open a scenario file, or what is inside something that Armstep exported.

        False if that failed: then `messages.problems["file"]` says why, and nothing has changed.

        Args:
            file: of a scenario or a robot, or what Armstep exported.
            folder: where the meshes of a robot file are, if not beside it.
            arguments: of a xacro file; if None, the user is asked for them.
        """
        from robots.files.reading import is_robot_file

        file = Path(file)
        if is_robot_file(file):
            opened = self.robots.open(file, folder, arguments)
            if opened:
                self._settings.add_recent(file)
                self.changed.emit()
            return opened
        inside = self._inside
        if inside is None or documents.looks_like_scenario(file):
            return self._open(lambda: load_scenario(file), file)
        return self._open(lambda: documents.side_by_side(*inside(file)), None, file.name)

    def adopt(
        self,
        scenario: Scenario,
        file: Path | None = None,
        edited: bool = False,
        step: str = "",
        name: str = "",
        brings: str = "",
    ) -> None:
        """Make `scenario` the open document, with its view and pinned runs, and play it.

        It stays at the instant that a file has kept: whoever stopped there meant it.

        Args:
            scenario: what to open.
            file: where `save` writes it.
            edited: whether `file` holds something else.
            step: what undo calls this, if it changes anything; if empty, nothing before it can be undone.
            name: of the file that it is from, where `save` does not write it there.
            brings: the kind of results that come along, and so are not lost.
        """
        self._history.settle()
        if self.keeper is not None and not step and self.loses_by_opening(brings):
            self.keeper()
        self.opening.emit()
        self._history.settle()
        document, view, troubles = documents.from_scenario(scenario, self._view.personal, self._new_id)
        self.path = file
        self._saved = None if edited else document
        self._autosave.clear()
        self._messages.solved(*self._messages.problems)
        self._playback.pause()
        self._playback.play_when_ready = False
        if step and documents.to_scenario(document, {}) == documents.to_scenario(self._history.present, {}):
            self._history.amend(document)
        elif step:
            self._history.record(document, step)
        else:
            self._history.reset(document)
        self.stand(scenario)
        self._playback.play_when_ready = self._playback.at_start
        self._view.take(view, own_plots=scenario.view.get("plots") is not None)
        self.opened.emit()
        remark = self._messages.remark = " ".join(filter(None, (*troubles, self.robots.remark)))
        opened = "" if troubles else f"Opened {name or self.title}."
        self._messages.say(" ".join(filter(None, (opened, remark))), seen=not remark)

    def loses_by_opening(self, kind: str = "") -> bool:
        """Whether there are unsaved edits, other than the results of one tool and what came by itself."""
        saved, present = self._saved, self._history.present
        return saved is None or present.without_results(kind) != saved.without_results(kind)

    def must_ask(self, kind: str = "") -> bool:
        """Whether a person is to be asked before another scenario opens: edits would be lost, and nobody keeps them."""
        return self.keeper is None and self.loses_by_opening(kind)

    @property
    def loss(self) -> str:
        """What is lost without saving, as a sentence: the results by their names, if nothing else has changed."""
        return lost(self._saved, self._history.present, self._new_studies)[1]

    @property
    def unsaved(self) -> str:
        """What no file has, in a word or two, whether it can be undone or not; empty where there is nothing."""
        return lost(self._saved, self._history.present, self._new_studies)[0] if self.dirty else ""

    @property
    def loses_by_quitting(self) -> bool:
        """Whether there is what no file has: edits, or studies, which another scenario would have left on the desk."""
        return self.dirty or bool(self._new_studies)

    @property
    def _new_studies(self) -> list[Result]:
        before = () if self._saved is None else self._saved.results
        return [one for one in self._history.present.results if one.kind == STUDY and one not in before]

    def adopt_from_study(self, scenario: Scenario) -> None:
        """Open a scenario and keep the results of studies, which the user made for no scenario in particular.

        Only those that a person has named are a change of what is opened.
        """
        brought = tuple(result for result in self._history.present.results if result.kind == STUDY)
        self.adopt(scenario, brings=STUDY)
        document = self._history.present
        new = tuple(result for result in brought if result not in document.results)
        brought_in = replace(document, results=(*document.results, *new))
        if any(not result.automatic for result in new):
            self._history.record(brought_in, "keep results")
        elif new:
            self._history.amend(brought_in)

    def keep_changes(self) -> KeptChanges | None:
        """Put unsaved changes aside, because another scenario will be opened; None if there are none.

        They are put aside once, also if what was to be opened cannot be, and something else is opened then.
        """
        self._history.settle()
        if not self.dirty:
            return None
        if self.kept and self.kept[-1].changed is self._history.present:
            return self.kept[-1]
        autosave = self._autosaved(self.as_saved(), self.path)
        return self._keep(KeptChanges(*self._present, self.title, autosave, time.time()))

    def as_it_is(self) -> Left:
        """What is open, to `return_to` after something else."""
        return Left(*self._present)

    @property
    def _present(self) -> tuple[Document, Document | None, ViewSettings, Path | None, float, float]:
        playback = self._playback
        return self._history.present, self._saved, self._view.own, self.path, playback.t, playback.speed

    def _keep(self, kept: KeptChanges) -> KeptChanges:
        self.kept += (kept,)
        self.changed.emit()
        return kept

    def _autosaved(self, scenario: Scenario, file: Path | None) -> Autosave:
        autosave = Autosave(self._settings.folder)
        try:
            autosave.write(scenario, file)
        except (ArmstepError, OSError) as error:
            self._messages.say(f"Autosave failed: {error}.")
        return autosave

    def named(self, works: Sequence[KeptChanges | Recovery]) -> list[str]:
        """What unsaved works are called, each in its own way."""
        return texts_of(works, self._view.settings.degrees)

    @property
    def kept_by_name(self) -> list[tuple[KeptChanges, str]]:
        """The kept changes, latest first, and what each is called."""
        return list(zip(self.kept, self.named(self.kept), strict=True))[::-1]

    def return_to(self, left: Left, step: str = "") -> None:
        """Open a scenario as it was left; unsaved changes are one step, which can be undone.

        Args:
            left: how it was left.
            step: what undo calls the way back; if empty, nothing before it can be undone.
        """
        self.kept = tuple(other for other in self.kept if other is not left)
        before = left.saved or left.changed
        view = left.view.changed(camera_keys=before.camera_keys, links=before.links)
        without = documents.to_scenario(before, view.to_mapping())
        self.adopt(without, left.file, edited=left.saved is None, step=step)
        if left.saved is not None and left.changed != left.saved:
            self._history.record(left.changed, "your changes")
        self._view.set(camera_path=left.view.camera_path)
        self._playback.seek(left.t)
        if not self._playback.at_start:
            self._playback.pause()
            self._playback.play_when_ready = False
        self._playback.set_speed(left.speed)
        if isinstance(left, KeptChanges):
            left.autosave.close()

    def save(self, file: str | Path | None = None) -> bool:
        """Save to `file`, or to where it was saved last; False if that failed (`problems["file"]` says why)."""
        target = Path(file) if file is not None else self.path
        if target is None:
            return self._refused("Choose a file to save to.")
        self._history.settle()
        document = self._history.present
        try:
            save_scenario(self.as_saved(), target)
        except (ArmstepError, OSError) as error:
            return self._refused(str(error))
        self.path, self._saved = target, document
        self._autosave.clear()
        self._settings.add_recent(target)
        self._messages.solved("file")
        self.changed.emit()
        self._messages.say(f"Saved {target}.")
        return True

    def as_saved(self) -> Scenario:
        """The open document as a file has it: scenario, pinned runs, view, playhead, and which runs are hidden."""
        held = {"playback": self._playback.to_mapping(), "hidden": self._runs.hidden}
        return documents.to_scenario(self._history.present, self._view.own.to_mapping() | held)

    def autosave_if_due(self, now: float | None = None) -> None:
        """Autosave unsaved edits, some seconds after the last one; called by a timer."""
        if not self._autosave.due(self._now() if now is None else now):
            return
        if not self.dirty:
            self._autosave.clear()
            return
        write = self._autosave.writing(self.as_saved(), self.path)
        self._jobs.submit(
            lambda *_: trouble_of(write),
            key=AUTOSAVE,
            on_done=self._autosave_ended,
            on_error=lambda error: self._autosave_ended(str(error)),
            lane="disk",
        )

    def _autosave_ended(self, trouble: str) -> None:
        if trouble:
            self._autosave.note_edit()
            self._messages.say(f"Autosave failed: {trouble}. Please save the scenario.")

    def recoverable(self) -> list[Recovery]:
        """Work left by windows that did not end cleanly, newest first."""
        return self._autosave.left_behind()

    def ask(self, *recoveries: Recovery) -> None:
        """The person is asked about that work: if it stays, that is no news after this window has ended cleanly."""
        for recovery in recoveries:
            self._autosave.ask(recovery)

    def recover(self, recovery: Recovery, *others: Recovery) -> None:
        """Open recovered work as unsaved edits of its file. The others are put aside, as a presentation does it."""
        self.adopt(recovery.scenario, recovery.file, edited=True)
        for other in others:
            document, view, _ = documents.from_scenario(other.scenario, self._view.personal, self._new_id)
            autosave = self._autosaved(other.scenario, other.file)
            self._keep(KeptChanges(document, None, view, other.file, 0.0, 1.0, other.title, autosave, other.saved_at))
        self.decline(recovery, *others)
        self._messages.say(f"Recovered {recovery.text}.")

    def decline(self, *recoveries: Recovery) -> None:
        """Discard that work."""
        for recovery in recoveries:
            self._autosave.forget(recovery)

    def close(self) -> None:
        """End cleanly: nothing is left to recover."""
        for kept in self.kept:
            kept.autosave.close()
        self._autosave.close()

    def stand(self, scenario: Scenario) -> None:
        """Have playhead, speed and hidden runs as the file says."""
        self._playback.take(scenario.view.get("playback"))
        self._runs.hide_only(scenario.view.get("hidden"))

    def _note_edit(self) -> None:
        self._autosave.note_edit()
        self.changed.emit()

    def _open(self, load: Callable[[], Scenario], file: Path | None, name: str = "") -> bool:
        try:
            scenario = load()
        except (ArmstepError, OSError) as error:
            return self._refused(str(error))
        self.adopt(scenario, file, name=name)
        if file is not None:
            self._settings.add_recent(file)
            self.changed.emit()
        return True

    def _refused(self, message: str) -> bool:
        self._messages.refuse(message, "file")
        return False
