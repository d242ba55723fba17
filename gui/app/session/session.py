"""The application without its window: one object that widgets read, call and listen to."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TypeVar

from assets.errors import ArmstepError, BadInput
from assets.fields import Data, Value
from gui.app import documents, formatting, run_texts, units
from gui.app.analysis import AnalysisDesk
from gui.app.computing.compute import Computing
from gui.app.computing.engine import Engine, default_engine
from gui.app.computing.ensembles import Ensembles
from gui.app.computing.stable_step import StableStep
from gui.app.desks.maps import MapDesk
from gui.app.desks.work_precision import WorkPrecisionDesk
from gui.app.history import History
from gui.app.jobs import Jobs
from gui.app.lessons.detour import Detour
from gui.app.lessons.engine import default_lesson_engine
from gui.app.lessons.player import LessonPlayer
from gui.app.playback import Playback
from gui.app.runs import CURRENT, Runs, longest, visible_runs
from gui.app.session.comparisons import Comparisons
from gui.app.session.drag_force import DragForce
from gui.app.session.file_actions import FileActions, Inside, first_scenario
from gui.app.session.from_here import FromHere
from gui.app.session.links import Links
from gui.app.session.messages import Messages
from gui.app.session.navigation import Navigation
from gui.app.session.preferences import Preferences
from gui.app.session.preparing import Preparing
from gui.app.session.results import TABLEAU, KeptResults
from gui.app.session.time_range import TimeRange
from gui.app.session.view_state import ViewState
from gui.app.session.view_work import ViewWork, key_frames
from gui.app.settings import Settings
from gui.app.signal import Signal
from gui.app.studies import StudyDesk
from gui.app.verdict import verdict
from gui.app.view import ROBOT_VIEW
from robots.scenario.ensemble import ensemble_fields
from robots.scenario.scenario import Scenario

OWN, OWN_TABLEAU = "own", "options.tableau"
AnyDesk = TypeVar("AnyDesk", StudyDesk, WorkPrecisionDesk, MapDesk)


class Session:
    """The whole state of the application: what is edited, which runs are shown, where the playhead is.

    Widgets read the parts, call their verbs and listen to their signals; they hold no truth of their own. Everything
    happens in one thread, the window's; only jobs leave it. Nothing is computed before `start()`, so that the window
    can show first.

    Args:
        jobs: where the work is done.
        settings: the person's settings and their folder.
        scenario: what is open at first; `rr-swing` if None.
        engine: what computes; the project's own if None.
        now: the wall clock [s].
        inside: finds the scenarios in a picture or film that Armstep exported, the edited one first; raises BadInput.
        preparing: compiles kernels in the background; None compiles nothing ahead.

    Attributes:
        scenario: what is being edited; every edit makes another one.
        history: the documents (scenario and pinned runs) so far: undo, redo.
        runs: the rows of the table of runs, the current one (id 0) first, then the pinned ones.
        computing: keeps the results of `runs` up to date.
        playback: the playhead and its clock.
        view: how the runs are looked at.
        messages: refused edits by field, and the sentence of the status bar.
        files: open, save, recover.
        comparisons: pin runs beside the current one.
        drag_force: pull the arm with the mouse.
        ensembles: the runs around the rows, with numbers drawn from distributions.
        from_here: edits that apply from the playhead on.
        time_range: the part of the time that plots show, and their second cursor.
        navigation: move by frames and by solver steps.
        results: what tools have found, kept with the document.
        stable_step: takes the longest stable step.
        settings: what belongs to the person.
        drafts: by kind of sheet, what it is about and what was chosen in it when it was closed.
        jobs: where the work is done.
        scenario_changed: signal `()`: another scenario is being edited (any field, undo, open), or `from_here` changed.
    """

    def __init__(
        self,
        jobs: Jobs,
        settings: Settings,
        scenario: Scenario | None = None,
        engine: Engine | None = None,
        now: Callable[[], float] = time.monotonic,
        inside: Inside | None = None,
        preparing: Preparing | None = None,
    ) -> None:
        scenario = scenario or first_scenario()
        new_id = itertools.count(CURRENT + 1).__next__
        self.settings, self.scenario_changed = settings, Signal()
        self.messages = Messages(settings.trouble or "Preparing the numerical kernels.")
        self.view = ViewState(settings, self.messages)
        document, self.view.settings, _ = documents.from_scenario(scenario, self.view.settings, new_id)
        self.history = History(document, now)
        self.view_work = ViewWork(self.history, self.view)
        self._shown = document
        self._refused: dict[str, tuple[Value, Value | None]] = {}
        self.preferences = Preferences(settings)
        self.drafts: dict[str, tuple[tuple[object, ...], Data]] = {}
        self.playback = Playback(0.0, document.scenario.duration)
        self.runs = Runs(document.scenario)
        self.runs.arrange(document)
        self.runs.updated.connect(self._run_updated)
        for signal in (self.runs.updated, self.runs.changed):
            signal.connect(self._follow_reach)
        self.view.changed.connect(self._follow_degrees)
        self._follow_degrees()
        self.preparing = preparing or Preparing()
        self.computing = Computing(jobs, self.runs, engine or default_engine(settings.cache_folder))
        self.jobs, self._now = jobs, now
        self.history.changed.connect(self._document_changed)
        parts = self.history, self.playback, self.runs, self.view, self.messages
        self.files = FileActions(*parts, settings, jobs, new_id=new_id, now=now, inside=inside)
        self.files.opening.connect(self.computing.leave_document)
        self.files.opened.connect(self.computing.enter_document)
        self.preparing.changed.connect(lambda: self.computing.await_kernels(self.preparing.awaited))
        self.time_range = TimeRange(self.playback, lambda: longest(self.runs.all))
        self.comparisons = Comparisons(self.history, self.runs, self.messages, new_id)
        self.drag_force = DragForce(self.history, self.playback, self.runs, self.messages)
        self.from_here = FromHere(self.history, self.playback, self.runs, self.messages)
        self.from_here.changed.connect(self.scenario_changed.emit)
        self.ensembles = Ensembles(jobs, self.history, self.runs, self.comparisons, self.messages, self.sentence)
        self.links = Links(self.view)
        self.files.opened.connect(self._other_opened)
        self.files.stand(scenario)
        self.navigation = Navigation(self.playback, self.runs)
        self.results = KeptResults(self.history)
        self.stable_step = StableStep(self.runs, self.history, self.edit, lambda: self.from_here.in_force())

    @property
    def scenario(self) -> Scenario:
        """The scenario that is being edited."""
        return self.history.present.scenario

    @cached_property
    def studies(self) -> StudyDesk:
        """The papers' studies and their results so far."""
        return self._attached(StudyDesk(self.jobs, self.results))

    @cached_property
    def work_precision(self) -> WorkPrecisionDesk:
        """Error against cost for the open scenario, as measured so far."""
        return self._attached(WorkPrecisionDesk(self.jobs, self.history, self.results))

    @cached_property
    def maps(self) -> MapDesk:
        """Maps of the open scenario, computed in the background."""
        return self._attached(MapDesk(self.jobs, self.history, self.results, self.preparing.wait_for))

    def _attached(self, desk: AnyDesk) -> AnyDesk:
        """The desk, whose ends are announced; it forgets what it shows when another document is opened."""
        desk.ended.connect(lambda sentence: self.messages.say(sentence))
        desk.begun.connect(self.messages.unsay)
        self.files.opened.connect(desk.forget)
        return desk

    @cached_property
    def lessons(self) -> LessonPlayer:
        """The open lesson, if there is one."""
        return LessonPlayer(
            self.jobs,
            Detour(self.history, self.files),
            self.computing,
            self.playback,
            self.messages,
            self.settings.folder / "lessons",
            default_lesson_engine(self.preparing.wait_for),
            self._now,
        )

    @cached_property
    def analysis(self) -> AnalysisDesk:
        """Facts about the current run's arm beside its motion, for arms that bend."""
        return AnalysisDesk(self.jobs)

    # -- life ----------------------------------------------------------------------------------------------------------

    def start(self, play: bool = False) -> None:
        """Begin to compute; called once the window shows. With `play` the first result begins to move at once."""
        self.playback.play_when_ready = play and self.playback.at_start
        self.computing.started = True
        for row in self.runs.all:
            self.computing.refresh(row.id, row.scenario)

    def stop_computing(self) -> None:
        """Stop the rows' computations and keep the results so far."""
        self.computing.cancel()
        self.ensembles.stop()

    def close(self) -> None:
        """End cleanly: discard jobs, leave nothing to recover. Ask about unsaved edits first."""
        self.preparing.close()
        self.lessons.keep()
        self.jobs.close()
        self.files.close()
        self.settings.save()

    # -- edit ----------------------------------------------------------------------------------------------------------

    def edit(self, path: str, value: Value) -> bool:
        """Give the field `path` another value; False if it was refused (then `messages.problems[path]` says why)."""
        return self.edit_many({path: value})

    def edit_many(self, changes: Mapping[str, Value], said: str = "", text: str = "") -> bool:
        """Give several fields other values in one undo step, all or none.

        Args:
            changes: the values by path.
            said: a sentence about the edit; it stays before the status of the run that follows.
            text: what Undo calls it, instead of the fields' names.
        """
        self.history.settle()
        changes = self._with_companions(self._linked(changes))
        text = text or ", ".join(formatting.label_of(self.scenario, path) for path in changes)
        forks = self.from_here.concerns(changes)
        try:
            if forks:
                scenario, remark = self.from_here.continued(changes), ""
            else:
                scenario, remark = self.scenario.edited(changes, self._earlier())
        except ArmstepError as refusal:
            what = refusal.what if isinstance(refusal, BadInput) else ""
            paths = [what] if what in changes else list(changes)
            self.messages.refuse(self.sentence(refusal), *paths)
            self._refused |= {path: (changes[path], self._present(path)) for path in paths}
            return False
        if forks:
            text = f"{text} from {units.clock(self.from_here.time)} on"
        self.messages.solved(*changes)
        if scenario != self.scenario:
            self.messages.next_remark = " ".join(filter(None, (said, remark)))
            before, document = self.scenario.duration, self.history.present.editing(scenario)
            if "duration" in changes and "robot" not in changes:
                document = document.lasting(before)
            self.history.record(document, text, key=",".join(changes))
        if said:
            self.messages.say(said)
        return True

    def choose_mode(self, fixed: bool) -> bool:
        """Switch to a fixed step, or to step control, with what the scenario had last in that way of stepping."""
        from robots.scenario.method_selection import last_mode

        present = self.from_here.in_force()
        return self.edit_many(
            last_mode(present, fixed, self._earlier()), text="fixed step" if fixed else "step control"
        )

    def _linked(self, changes: Mapping[str, Value]) -> dict[str, Value]:
        """The changes with those of linked fields; a link of another robot's fields does nothing."""
        known = self.scenario.fields()
        return {
            path: value for path, value in self.links.completed(changes).items() if path in changes or path in known
        }

    def _earlier(self) -> list[Scenario]:
        """The scenarios that were edited into the present one, the latest first."""
        return [document.scenario for document in self.history.past]

    def begin_gesture(self) -> None:
        """Merge the following edits (a slider that is dragged) into one undo step."""
        self.history.begin_gesture()
        self.from_here.hold_time(True)

    def end_gesture(self) -> None:
        """The slider was let go."""
        self.history.end_gesture()
        self.from_here.hold_time(False)

    def follow_gesture(self, began: bool) -> None:
        """A slider was taken, or let go: what a row's `gesture` reports."""
        if began:
            self.begin_gesture()
        else:
            self.end_gesture()

    @contextmanager
    def gesture(self) -> Iterator[None]:
        """`begin_gesture` and `end_gesture` around a block."""
        self.begin_gesture()
        try:
            yield
        finally:
            self.end_gesture()

    def _with_companions(self, changes: Mapping[str, Value]) -> Mapping[str, Value]:
        """What follows from an edit: Taylor's two degrees move together; one's own method is the one that was typed."""
        if changes.get("method") == OWN and OWN_TABLEAU not in changes and self.scenario.method != OWN:
            typed = self.results.of(TABLEAU)
            return {**changes, OWN_TABLEAU: str(typed[-1].data.get("text", ""))} if typed else changes
        order, velocity = "options.order", "options.velocity_order"
        if order not in changes or velocity in changes or velocity not in self.scenario.fields():
            return changes
        now = self.from_here.in_force()
        before, present, wanted = now.get(order), now.get(velocity), changes[order]
        if not (present and isinstance(wanted, int) and isinstance(present, int) and isinstance(before, int)):
            return changes  # 0 follows by itself; anything but a whole number will be refused
        return {**changes, velocity: max(wanted - (before - present), 0)}

    def sentence(self, refusal: ArmstepError) -> str:
        """The refusal with the label, unit and choices that the window shows, not the field's keys and SI unit."""
        fields, ensemble = self.scenario.fields(), self.scenario.ensemble
        more = ensemble_fields(fields, ensemble.members if ensemble else math.inf)
        return formatting.refusal_text(refusal, {**fields, **more}, self.view.settings.degrees)

    # -- what follows --------------------------------------------------------------------------------------------------

    def _other_opened(self) -> None:
        """Another document was opened: what was chosen for the one before is forgotten."""
        self.ensembles.forget_choice()
        self.time_range.reset()
        self.from_here.set(False)
        self._play_if_ready()

    def _forgive(self) -> None:
        """Drop the refusals of values that the scenario, as it is now, would take, or whose field has another value."""
        self._refused = {path: known for path, known in self._refused.items() if path in self.messages.problems}
        for path, (value, before) in list(self._refused.items()):
            if self._present(path) == before:
                try:
                    self.scenario.edited({path: value}, self._earlier())
                except ArmstepError:
                    continue
            del self._refused[path]
            self.messages.solved(path)

    def _present(self, path: str) -> Value | None:
        return self.scenario.get(path) if path in self.scenario.fields() else None

    def _follow_degrees(self) -> None:
        """Texts about runs show angles as the fields do."""
        self.runs.write_degrees(self.view.settings.degrees)

    def _document_changed(self) -> None:
        """The document has changed: bring rows and playhead up to date."""
        document = self.history.present
        if document is self._shown:
            return
        self._shown = document
        self.messages.edited()
        self._forgive()
        before = {row.id: row for row in self.runs.all}
        self.runs.arrange(document)
        for row_id in before.keys() - {row.id for row in self.runs.all}:
            self.computing.forget(before[row_id])
        for pin in document.pins:
            if pin.id not in before or before[pin.id].scenario != pin.scenario:
                self.computing.refresh(pin.id, pin.scenario)
        current = self.runs.current.scenario
        if current != document.scenario:
            self.playback.set_span(0.0, document.scenario.duration)
            if not current.same_robot(document.scenario):
                self.view.set(**ROBOT_VIEW | key_frames(document))
            self.computing.refresh(CURRENT, document.scenario)
        elif before[CURRENT].tag.name != document.tag.name:
            self._run_updated(CURRENT)  # what is said of it begins with its name
        self._play_if_ready()
        self.scenario_changed.emit()

    def _play_if_ready(self) -> None:
        if self.playback.play_when_ready and self.runs.current.state in ("done", "failed") and self.runs.current.ready:
            self.playback.play_when_ready = False
            if not self.preferences.still:
                self.playback.play()

    def _follow_reach(self, *_: object) -> None:
        """An arm that stands still since its run diverged is not played for minutes."""
        rows = visible_runs(self.runs.all)
        ended = rows and all(row.state in ("done", "failed") for row in rows)
        self.playback.reach = longest(rows) if ended else math.inf

    def _run_updated(self, row_id: int) -> None:
        row = self.runs.current
        soon = row.state == "waiting" or (row.state == "computing" and row.seconds_left is None and not row.outdated)
        if row_id != CURRENT or soon:
            return
        self._play_if_ready()
        # A narrow line keeps what stands first: why a run failed, or what is wrong with it.
        failed, complaint, status = row.state == "failed", verdict(row).complaint, run_texts.status(row)
        first, last = (f"{status} {complaint}", "") if failed else (complaint, status)
        said = " ".join(filter(None, (first.strip(), self.messages.remark, last)))
        self.messages.say_quietly(said, urgent=failed)
