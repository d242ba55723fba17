"""What every part of the session shares: its state, its signals, and how a document becomes the present one."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from assets.errors import ArmstepError, BadInput
from gui.app import documents, forks
from gui.app import formatting as readouts
from gui.app.analysis import AnalysisDesk
from gui.app.autosave import Autosave
from gui.app.compute import Computing, Engine, default_engine
from gui.app.documents import Document, Pin
from gui.app.history import History
from gui.app.jobs import Jobs
from gui.app.playback import Playback
from gui.app.rows import CURRENT, Rows, RunRow
from gui.app.settings import Settings
from gui.app.signal import Signal
from gui.app.studies import StudyDesk
from gui.app.units import Unit
from gui.app.view import PERSONAL, ROBOT_VIEW, ViewSettings
from robots.model.fields import Value
from robots.scenario.scenario import Scenario

FIRST_SCENARIO = "rr-swing"


class Core:
    """State and signals of a Session; its docstring describes them."""

    def __init__(
        self,
        jobs: Jobs,
        settings: Settings,
        scenario: Scenario | None = None,
        engine: Engine | None = None,
        now: Callable[[], float] = time.monotonic,
        inside: Callable[[Path], list[Scenario]] | None = None,
    ) -> None:
        if scenario is None:
            from robots.scenario.presets import find_scenario

            scenario = find_scenario(FIRST_SCENARIO)
        self.settings = settings
        self.file: Path | None = None
        self.problems: dict[str, str] = {}
        self._older_problems: dict[str, str] = {}
        self.notice = settings.trouble or "Preparing the numerical kernels."
        self.from_here = False
        self.scenario_changed, self.view_changed, self.problems_changed = Signal(), Signal(), Signal()
        self.notice_changed, self.file_changed, self.history_changed = Signal(), Signal(), Signal()
        self._jobs, self._now, self._inside = jobs, now, inside
        self._hand: forks.Hand | None = None
        self._fork_time: float | None = None
        self._play_when_ready = False
        self._remark = ""
        self._autosave = Autosave(settings.folder)
        document, self.view, _ = documents.from_scenario(scenario, _personal_view(settings), CURRENT + 1)
        self._next_id = CURRENT + 1 + len(document.pins)
        self._history = History(document, now)
        self._saved: Document | None = document
        self._rows = Rows(document.scenario)
        self._rows.arrange(_new_row(pin) for pin in document.pins)
        self._rows.updated.connect(self._on_updated)
        self._computing = Computing(jobs, self._rows, engine or default_engine(settings.cache_folder))
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

    @cached_property
    def studies(self) -> StudyDesk:
        """The papers' studies and their results so far."""
        return StudyDesk(self._jobs)

    @cached_property
    def analysis(self) -> AnalysisDesk:
        """What is to be known of the current run's arm beside its motion, for arms that bend."""
        return AnalysisDesk(self._jobs)

    @property
    def preparing(self) -> bool:
        """Whether the kernels are still being loaded (or, on the very first start, compiled)."""
        return self._computing.preparing

    @property
    def dirty(self) -> bool:
        """Whether there are edits that no file has."""
        return self._saved is None or self._history.present != self._saved

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

    # -- life and view -------------------------------------------------------------------------------------------------

    def start(self, play: bool = False) -> None:
        """Begin to compute; called once the window shows. With `play` the first result begins to move at once."""
        self._play_when_ready = play
        self._computing.started = True
        for row in self.runs:
            self._computing.refresh(row.id, row.scenario)

    def close(self) -> None:
        """End cleanly: jobs are discarded, nothing is left to recover. Ask about unsaved edits before."""
        self._jobs.close()
        self._autosave.close()
        self.settings.save()

    def set_view(self, **values: Any) -> bool:
        """Change attributes of `view`; theme and quality stay with the person, the rest is saved with the scenario."""
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

    def refuse(self, path: str, message: str) -> None:
        """Note that what a person typed for `path` is no value at all; nothing else changes."""
        self.problems[path] = message
        self.problems_changed.emit()
        self._say(message)

    # -- inside: how the document changes ------------------------------------------------------------------------------

    def _try(self, changes: Mapping[str, Any], make: Callable[[], tuple[Scenario, str]], text: str) -> bool:
        """Edit to what `make` returns, a scenario and a remark; a refusal goes to `problems` of those in `changes`."""
        try:
            scenario, remark = make()
        except ArmstepError as refusal:
            what = refusal.what if isinstance(refusal, BadInput) else ""
            sentence = self._sentence(refusal)
            for path in [what] if what in changes else changes:
                self.problems[path] = sentence
            self.problems_changed.emit()
            self._say(sentence)
            return False
        self._solved(*changes)
        self._edited(scenario, text, ",".join(changes), remark)
        return True

    def _sentence(self, refusal: ArmstepError) -> str:
        """The refusal with the label and the unit that the window shows, not the field's key and the SI unit."""
        field = self.scenario.fields().get(refusal.what) if isinstance(refusal, BadInput) else None
        if field is None or not isinstance(refusal, BadInput):
            return str(refusal)
        unit = Unit.of(field.unit, self.view.degrees)
        return refusal.sentence(field.label[:1].upper() + field.label[1:], unit.symbol, unit.per_si)

    def _edited(self, scenario: Scenario, text: str, key: str | None = None, remark: str = "") -> None:
        if scenario != self.scenario:
            self._record(replace(self._history.present, scenario=scenario), text, key, remark)

    def _record(self, document: Document, text: str, key: str | None = None, remark: str = "") -> None:
        self._history.record(document, text, key)
        self._arrived(remark)

    def _arrived(self, remark: str = "") -> None:
        """Another document is present: bring rows, playhead and everyone else up to date; `remark` is of the edit."""
        self._remark = remark
        self._older_problems = dict(self.problems)
        document = self._history.present
        before = {row.id for row in self.runs}
        self._rows.arrange(_new_row(pin) for pin in document.pins)
        after = {row.id for row in self.runs}
        for row_id in before - after:
            self._computing.forget(row_id)
        for row in self.runs:
            if row.id not in before:
                self._computing.refresh(row.id, row.scenario)
        if self.current.scenario != document.scenario:
            self.playback.set_span(0.0, document.scenario.duration)
            if self.current.scenario.robot != document.scenario.robot:
                self.set_view(**ROBOT_VIEW)
            self._computing.refresh(CURRENT, document.scenario)
        self._autosave.note_edit()
        self.scenario_changed.emit()
        self.history_changed.emit()
        self.file_changed.emit()

    def _solved(self, *paths: str) -> None:
        if [path for path in paths if self.problems.pop(path, None) is not None]:
            self.problems_changed.emit()

    def _say(self, notice: str) -> None:
        if notice != self.notice:
            self.notice = notice
            self.notice_changed.emit()

    def _play_if_ready(self) -> None:
        if self._play_when_ready and self.current.state == "done":
            self._play_when_ready = False
            self.playback.play()

    def _on_updated(self, row_id: int) -> None:
        row = self.current
        soon = row.state == "waiting" or (row.state == "computing" and row.seconds_left is None and not row.outdated)
        if row_id != CURRENT or soon:
            return
        self._play_if_ready()
        # A refusal stays to be read until something else was done; its field tells it longer.
        if row.state == "failed" or self.problems.items() <= self._older_problems.items():
            self._say(" ".join(filter(None, (self._remark, readouts.status(row)))))


def _new_row(pin: Pin) -> RunRow:
    return RunRow(pin.id, pin.scenario, pin.slot, pinned=True)


def _personal_view(settings: Settings) -> ViewSettings:
    view = ViewSettings()
    for name in PERSONAL:
        try:
            view = view.changed(**{name: settings.get(f"view.{name}", getattr(view, name))})
        except BadInput:
            continue
    return view
