"""The whole state of the application: what is edited, which runs are shown, where the playhead is.

Widgets read the attributes, call the verbs and listen to the signals; they hold no truth of their own. Everything here happens in
one thread (the window's); only jobs leave it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assets.errors import ArmstepError, BadInput
from gui.app import documents, forks, readouts
from gui.app.autosave import Autosave, Recovery
from gui.app.compute import Computing, Engine, default_engine
from gui.app.documents import Document
from gui.app.history import History
from gui.app.jobs import Jobs
from gui.app.playback import FRAME, Playback
from gui.app.rows import CURRENT, RunRow, Rows
from gui.app.settings import Settings
from gui.app.signal import Signal
from gui.app.view import PERSONAL, ViewSettings
from robots.fields import Value
from robots.scenario import Scenario

FIRST_SCENARIO = "rr-swing"
FORKING = ("robot.", "task.", "options.")


class Session:
    """The application without its window.

    Nothing is computed before `start()`, so that the window can show first.

    Args:
        jobs: where the work is done; `InlineJobs` in tests.
        settings: the person's settings and their folder.
        scenario: what is open at first; `rr-swing` if None.
        engine: what computes; the project's own if None.
        now: the wall clock [s].

    Attributes:
        file: the scenario file that `save` writes, or None.
        view: how the runs are looked at.
        playback: the playhead and its clock.
        problems: refused edits, path to sentence; file trouble is under `file`.
        notice: one sentence for the status bar.
        from_here: edits apply from the playhead on instead of from the beginning.

    Signals:
        scenario_changed(): another scenario is being edited (any field, undo, open).
        runs_changed(): a row was added, removed, shown or hidden.
        run_updated(row_id): a row has another scenario, state, result, reference or progress.
        playhead_moved(t): the playhead is somewhere else.
        playback_changed(): playing, speed, loop, span or range.
        view_changed(), problems_changed(), notice_changed(): the attribute of that name.
        file_changed(): `file`, `dirty` or the recent files.
        history_changed(): `can_undo`, `can_redo` and their texts.
    """

    def __init__(
        self,
        jobs: Jobs,
        settings: Settings,
        scenario: Scenario | None = None,
        engine: Engine | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if scenario is None:
            from robots.presets import find_scenario

            scenario = find_scenario(FIRST_SCENARIO)
        self.settings = settings
        self.file: Path | None = None
        self.problems: dict[str, str] = {}
        self.notice = settings.trouble or "Preparing the numerical kernels."
        self.from_here = False
        self.scenario_changed, self.view_changed, self.problems_changed = Signal(), Signal(), Signal()
        self.notice_changed, self.file_changed, self.history_changed = Signal(), Signal(), Signal()
        self._jobs, self._now = jobs, now
        personal = {name: settings.get(f"view.{name}", getattr(ViewSettings(), name)) for name in PERSONAL}
        self._next_id = CURRENT + 1
        base = _view_or_default(personal)
        document, self.view, _ = documents.from_scenario(scenario, base, self._next_id)
        self._next_id += len(document.pins)
        self._history = History(document, now)
        self._saved = document
        self._hand: forks.Hand | None = None
        self._fork_time: float | None = None
        self._autosave = Autosave(settings.folder)
        self._rows = Rows(document.scenario)
        self._rows.arrange(_new_row(pin) for pin in document.pins)
        self._computing = Computing(jobs, self._rows, engine or default_engine(settings.cache_folder))
        self._computing.finished.connect(self._on_finished)
        self._rows.updated.connect(self._on_updated)
        self.runs_changed, self.run_updated = self._rows.changed, self._rows.updated
        self.playback = Playback(0.0, document.scenario.duration)
        self.playhead_moved, self.playback_changed = self.playback.moved, self.playback.changed

    # -- state ---------------------------------------------------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        """The scenario that is being edited."""
        return self._history.present.scenario

    @property
    def runs(self) -> tuple[RunRow, ...]:
        """The rows: the current run first, then the pinned ones."""
        return self._rows.all

    @property
    def current(self) -> RunRow:
        """The current run's row (id 0)."""
        return self._rows.current

    def row(self, row_id: int) -> RunRow | None:
        """The row of that id, if it is still there."""
        return self._rows.find(row_id)

    @property
    def preparing(self) -> bool:
        """Whether the kernels are still being loaded (or, on the very first start, compiled)."""
        return self._computing.preparing

    @property
    def dirty(self) -> bool:
        """Whether there are edits that no file has."""
        return self._history.present != self._saved

    @property
    def title(self) -> str:
        """What the window's title says: the file's or the scenario's name."""
        return self.file.name if self.file else self.scenario.title or self.scenario.name or "Untitled"

    @property
    def can_undo(self) -> bool:
        """Whether `undo` would do something."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether `redo` would do something."""
        return self._history.can_redo

    @property
    def undo_text(self) -> str:
        """What `undo` takes back ("mass 1"); empty if nothing."""
        return self._history.undo_text

    @property
    def redo_text(self) -> str:
        """What `redo` does again; empty if nothing."""
        return self._history.redo_text

    @property
    def recent(self) -> tuple[Path, ...]:
        """Recent scenario files, newest first."""
        return self.settings.recent

    @property
    def pulling(self) -> bool:
        """Whether a hand holds the arm."""
        return self._hand is not None

    def value(self, path: str) -> Value:
        """What a form shows for the field `path`: the value in force at the playhead while `from_here` is on."""
        scenario = forks.in_force(self.scenario, self.playback.t) if self.from_here else self.scenario
        return scenario.get(path) if path in scenario.fields() else self.scenario.get(path)

    # -- life ----------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to compute; called once the window shows."""
        for row in self.runs:
            self._computing.start(row.id)

    def close(self) -> None:
        """End cleanly: jobs are discarded, nothing is left to recover. Ask about unsaved edits before."""
        self._jobs.close()
        self._autosave.close()
        self.settings.save()

    # -- editing -------------------------------------------------------------------------------------------------------

    def edit(self, path: str, value: Value) -> bool:
        """Give the field `path` another value; False if it was refused (then `problems[path]` says why)."""
        return self.edit_many({path: value})

    def edit_many(self, changes: Mapping[str, Value]) -> bool:
        """Give several fields other values in one undo step, all or none."""
        if self.from_here and all(
            path in forks.CONTROL_PATHS or path == "method" or path.startswith(FORKING) for path in changes
        ):
            return self.continue_from_here(changes)
        return self._try(changes, lambda: self.scenario.with_values(changes), self._names(changes))

    def continue_from_here(self, changes: Mapping[str, Value]) -> bool:
        """From the playhead on, `changes` hold: the run keeps its past. Within a gesture, from where the gesture began."""
        at = self.playback.t if self._fork_time is None else self._fork_time
        text = f"{self._names(changes)} from {readouts.clock(at)} on"
        return self._try(changes, lambda: forks.continued(self.scenario, at, changes), text)

    def remove_segment(self, index: int) -> None:
        """Take one change on the way (`scenario.segments[index]`) out again."""
        if 0 <= index < len(self.scenario.segments):
            self._edited(forks.without_segment(self.scenario, index), "remove a change on the way")

    def clear_segments(self) -> None:
        """Take all changes on the way out again."""
        if self.scenario.segments:
            self._edited(self.scenario.without_segments(), "remove all changes on the way")

    def set_from_here(self, on: bool) -> None:
        """Let edits of method, step, tolerances and parameters apply from the playhead on, or from the beginning."""
        if on != self.from_here:
            self.from_here = on
            self.scenario_changed.emit()

    def refuse(self, path: str, message: str) -> None:
        """Note that what a person typed for `path` is no value at all; nothing else changes."""
        self.problems[path] = message
        self.problems_changed.emit()
        self._say(message)

    def begin_gesture(self) -> None:
        """Merge the following edits (a slider that is dragged) into one undo step."""
        self._history.begin_gesture()
        self._fork_time = self.playback.t

    def end_gesture(self) -> None:
        """The slider was let go."""
        self._history.end_gesture()
        self._fork_time = None
        self.history_changed.emit()
        self.file_changed.emit()

    @contextmanager
    def gesture(self) -> Iterator[None]:
        """`begin_gesture` and `end_gesture` around a block."""
        self.begin_gesture()
        try:
            yield
        finally:
            self.end_gesture()

    def undo(self) -> None:
        """Go back to the scenario and pinned runs before the last edit. View and playhead stay."""
        self.pull_end()
        if self._history.undo():
            self._arrived()

    def redo(self) -> None:
        """Do again what `undo` took back."""
        self.pull_end()
        if self._history.redo():
            self._arrived()

    # -- files ---------------------------------------------------------------------------------------------------------

    def new(self, preset: str = FIRST_SCENARIO) -> bool:
        """Open the preset of that key as a new, unnamed scenario."""
        from robots.presets import find_scenario

        return self._open(lambda: find_scenario(preset), None)

    def open(self, file: str | Path) -> bool:
        """Open a scenario file; False if that failed (then `problems["file"]` says why and everything is as before)."""
        return self._open(lambda: Scenario.load(file), Path(file))

    def adopt(self, scenario: Scenario, file: Path | None = None, edited: bool = False) -> None:
        """Make `scenario` the open document, with its view and pinned runs; `edited` if `file` does not hold it."""
        self.pull_end()
        document, view, troubles = documents.from_scenario(scenario, self.view, self._next_id)
        self._next_id += len(document.pins)
        self._history.reset(document)
        self.file = file
        self._saved = Document(document.scenario, ()) if not edited else Document(replace(document.scenario, name="\0"))
        if not edited:
            self._saved = document
        self._autosave.clear()
        self.playback.pause()
        self.playback.set_range()
        self._arrived()
        self.playback.seek(0.0)
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
            documents.to_scenario(document, self.view).save(target)
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
        try:
            self._autosave.write(documents.to_scenario(self._history.present, self.view), self.file)
        except OSError as error:
            self._say(
                f"Unsaved work could not be kept in {self.settings.folder}: {error.strerror or error}. Save it yourself."
            )

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

    # -- runs ----------------------------------------------------------------------------------------------------------

    def pin(self) -> int:
        """Keep the current run beside later ones; the id of its row."""
        return self._pin(CURRENT, "pin")

    def duplicate(self, row_id: int) -> int | None:
        """Pin a copy of a row; the id of the new row."""
        return self._pin(row_id, "duplicate") if self.row(row_id) else None

    def remove(self, row_id: int) -> None:
        """Remove a pinned run (undo brings it back). The current one cannot be removed, only hidden."""
        if row_id == CURRENT:
            self._say("The current run cannot be removed; it can be hidden.")
        elif self.row(row_id):
            self._record(self._history.present.without_pin(row_id), "remove a run")

    def set_visible(self, row_id: int, visible: bool) -> None:
        """Show or hide a run in all views."""
        self._rows.show(row_id, visible)

    def edit_row(self, row_id: int) -> None:
        """Make a pinned run's scenario the edited one."""
        row = self.row(row_id)
        if row is not None and row_id != CURRENT and row.scenario != self.scenario:
            self._edited(row.scenario, f"edit {row.label}, {row.setting}")

    def cancel(self) -> None:
        """End everything that is being computed and keep what there is."""
        for row in self.runs:
            self._computing.stop(row.id)

    # -- the hand ------------------------------------------------------------------------------------------------------

    def pull_begin(self, link: int, point: forks.Point, target: forks.Point) -> bool:
        """Take hold of `link` at `point` (in its frame) with the hand at `target` (in the world) [m], and play."""
        self.pull_end()
        hand = forks.Hand(self.scenario, link, point, self.playback.t, target)
        self.begin_gesture()
        if self.playback.t >= self.scenario.duration or not self._try({"pull": None}, hand.held, "pull"):
            self.end_gesture()
            return False
        self._hand = hand
        self.playback.play()
        return True

    def pull_move(self, target: forks.Point) -> None:
        """The hand is now at `target` [m] (world); the run from the playhead on follows."""
        hand = self._hand
        if hand is None:
            return
        if self.playback.t < hand.latest:
            self.pull_end()
            return
        hand.move(self.playback.t, target)
        self._edited(hand.held(), "pull")

    def pull_end(self) -> None:
        """Let go. The pull stays as a segment of the scenario, one undo step."""
        hand, self._hand = self._hand, None
        if hand is not None:
            self._edited(hand.released(), "pull")
            self.end_gesture()

    # -- time ----------------------------------------------------------------------------------------------------------

    def seek(self, t: float) -> None:
        """Put the playhead at `t` [s]."""
        self.playback.seek(t)

    def next_frame(self) -> None:
        """Pause and go on by 1/30 s."""
        self._step_to(self.playback.t + FRAME)

    def previous_frame(self) -> None:
        """Pause and go back by 1/30 s."""
        self._step_to(self.playback.t - FRAME)

    def next_step(self) -> None:
        """Pause and go to the end of the current run's next accepted step."""
        times = self.step_times()
        index = int(np.searchsorted(times, self.playback.t + _tiny(self.playback.t), side="right"))
        if index < len(times):
            self._step_to(float(times[index]))

    def previous_step(self) -> None:
        """Pause and go to the end of the current run's accepted step before."""
        times = self.step_times()
        index = int(np.searchsorted(times, self.playback.t - _tiny(self.playback.t), side="left")) - 1
        if index >= 0:
            self._step_to(float(times[index]))

    def step_times(self) -> np.ndarray:
        """The current run's grid: its start and the end of every accepted step, (n,) [s]."""
        run = self.current.run
        if run is None:
            return np.empty(0)
        accepted = run.log.accepted
        return np.concatenate(([0.0], run.log.t[accepted] + run.log.h[accepted]))

    # -- view ----------------------------------------------------------------------------------------------------------

    def set_view(self, **values: Any) -> bool:
        """Change attributes of `view`; theme and quality are remembered for the person, the rest is saved with the scenario."""
        try:
            view = self.view.changed(**values)
        except BadInput as refusal:
            self._say(str(refusal))
            return False
        if view != self.view:
            self.view = view
            for name in set(PERSONAL) & set(values):
                self.settings.set(f"view.{name}", values[name])
            self.view_changed.emit()
        return True

    # -- inside --------------------------------------------------------------------------------------------------------

    def _step_to(self, t: float) -> None:
        self.playback.pause()
        self.playback.seek(t)

    def _names(self, changes: Mapping[str, Value]) -> str:
        declared = self.scenario.fields()
        return ", ".join(declared[path].label if path in declared else path for path in changes)

    def _try(self, changes: Mapping[str, Any], make: Callable[[], Scenario], text: str) -> bool:
        try:
            scenario = make()
        except ArmstepError as refusal:
            what = refusal.what if isinstance(refusal, BadInput) else ""
            for path in [what] if what in changes else changes:
                self.problems[path] = str(refusal)
            self.problems_changed.emit()
            self._say(str(refusal))
            return False
        self._solved(*changes)
        self._edited(scenario, text, key=",".join(changes))
        if scenario.remark:
            self._say(scenario.remark)
        return True

    def _edited(self, scenario: Scenario, text: str, key: str | None = None) -> None:
        if scenario != self.scenario:
            self._record(replace(self._history.present, scenario=scenario), text, key)

    def _record(self, document: Document, text: str, key: str | None = None) -> None:
        self._history.record(document, text, key)
        self._arrived()

    def _arrived(self) -> None:
        """Another document is present: bring rows, playhead and everyone else up to date."""
        document = self._history.present
        before = {row.id for row in self.runs}
        changed = self.current.scenario != document.scenario
        twin = self._twin(document.scenario) if changed else None
        self._rows.arrange(_new_row(pin) for pin in document.pins)
        after = {row.id for row in self.runs}
        for row_id in before - after:
            self._computing.forget(row_id)
        for row_id in after - before:
            self._computing.adopt(row_id, CURRENT)
        if changed:
            self._rows.update(CURRENT, scenario=document.scenario)
            self.playback.set_span(0.0, document.scenario.duration)
            self._computing.adopt(CURRENT, twin if twin in after and twin is not None else CURRENT)
        self._autosave.note_edit()
        for signal in (self.scenario_changed, self.history_changed, self.file_changed):
            signal.emit()

    def _twin(self, scenario: Scenario) -> int | None:
        return next((row.id for row in self.runs if row.pinned and row.scenario == scenario), None)

    def _pin(self, row_id: int, text: str) -> int:
        row = self._rows.find(row_id) or self.current
        pin_id = self._next_id
        self._next_id += 1
        self._record(self._history.present.with_pin(row.scenario, pin_id), text)
        return pin_id

    def _open(self, load: Callable[[], Scenario], file: Path | None) -> bool:
        try:
            scenario = load()
        except (ArmstepError, OSError) as error:
            return self._refused_file(str(error))
        self._solved(*self.problems)
        self.adopt(scenario, file)
        if file is not None:
            self.settings.add_recent(file)
            self.file_changed.emit()
        return True

    def _refused_file(self, message: str) -> bool:
        self.refuse("file", message)
        return False

    def _solved(self, *paths: str) -> None:
        if [path for path in paths if self.problems.pop(path, None) is not None]:
            self.problems_changed.emit()

    def _say(self, notice: str) -> None:
        if notice != self.notice:
            self.notice = notice
            self.notice_changed.emit()

    def _on_finished(self, row_id: int) -> None:
        if row_id == CURRENT:
            self._say(readouts.status(self.current))

    def _on_updated(self, row_id: int) -> None:
        if row_id == CURRENT and self.current.state == "done":
            self._say(readouts.status(self.current))


def _new_row(pin: documents.Pin) -> RunRow:
    return RunRow(pin.id, pin.scenario, pin.slot, pinned=True)


def _tiny(t: float) -> float:
    return 1e-9 * max(1.0, abs(t))


def _view_or_default(values: Mapping[str, Any]) -> ViewSettings:
    try:
        return ViewSettings().changed(**values)
    except BadInput:
        return ViewSettings()
