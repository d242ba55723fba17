"""The open lesson: its steps, the student's predictions, and when their outcomes may be seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.computing.compute import Computing
from gui.app.jobs import Jobs, explain
from gui.app.lessons.answers import AnswerFiles
from gui.app.lessons.course import Course
from gui.app.lessons.detour import Detour
from gui.app.lessons.engine import Computed, LessonEngine, default_lesson_engine
from gui.app.lessons.poll import Countdown, Poll
from gui.app.lessons.record import KeptProgress, StepRecord, kept_name
from gui.app.lessons.remarks import Remarks
from gui.app.lessons.scene import name_missing_plots, scenario_of
from gui.app.playback import Playback
from gui.app.session.messages import Messages
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.lessons.lesson import Guess, Prediction

JOB = "lesson"


class LessonPlayer:
    """Leads through a lesson, one step at a time.

    While a prediction is asked for, the rows of the session are held: nothing of their runs is anywhere. The lesson
    computes them in the background, and gives them to the rows once the prediction is made.

    Args:
        jobs: where steps are computed.
        detour: opens the scenes, and knows whose scenario is shown; any but the step's leaves the lesson until then.
        computing: holds the rows.
        playback: plays what is released.
        messages: reports refused files.
        folder: where progress is kept.
        engine: what reads and computes lessons.
        now: the wall clock [s].

    Attributes:
        course: the open lesson, which step is shown, and what was done.
        path: its file.
        away: whether another scenario is shown than the step's, opened by a person or by undo: nothing is asked.
        trouble: why a step could not be computed, or the file not be read again.
        poll, countdown: the show of hands, and the time to think.
        answers: saves what was answered.
        changed: signal `()`: another lesson or step, or another part of it.
        drafted: signal `()`: what is entered or the groups' predictions changed.
        waits: signal `()`: the step stays, since what is typed is no answer.
        announced: signal `(text)`: news for those who cannot see them.
    """

    def __init__(
        self,
        jobs: Jobs,
        detour: Detour,
        computing: Computing,
        playback: Playback,
        messages: Messages,
        folder: Path,
        engine: LessonEngine | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs, self._computing, self._playback, self.detour = jobs, computing, playback, detour
        self._messages, self._engine, self._now = messages, engine or default_lesson_engine(), now
        self.answers = AnswerFiles(jobs, messages, self._engine)
        self.progress = KeptProgress(folder)
        self.changed, self.drafted, self.waits, self.announced = Signal(), Signal(), Signal(), Signal()
        self.poll, self.countdown = Poll(lambda: self.course, self.announced.emit), Countdown(now)
        self.course, self.away, self.trouble = Course(), False, ""
        self.path: Path | None = None
        self._computed: Computed | None = None
        detour.changed.connect(self._follow_scenario)
        self._say = Remarks(messages, lambda key: self.course.phrase(key), self.changed, self.drafted)

    @property
    def in_class(self) -> bool:
        """Whether a class is shown the lesson: predictions may be skipped, and nothing is kept."""
        return self.course.in_class

    @property
    def concludes(self) -> bool:
        """Whether `onward` shows an outcome: of what is entered, and before a class in any case."""
        return self.course.asked is not None and not self.away and (self.in_class or self.course.answered)

    @property
    def leads_back(self) -> bool:
        """Whether `onward` and `back` show the step again: to a class that sees another scenario."""
        return self.away and self.in_class

    @property
    def ready(self) -> bool:
        """Whether the step is computed."""
        return self._computed is not None

    def scale_of(self, prediction: Prediction) -> Guess | None:
        """What a curve's axes are chosen by, before it may be seen; None as long as it is not computed."""
        place = self.course.place_of(prediction)
        if self._computed is None or place is None:
            return None
        found = self._computed.outcomes[place]
        return None if isinstance(found, str) else found.answer

    # -- open and close ------------------------------------------------------------------------------------------------

    def open(self, name: str | Path) -> bool:
        """Open a lesson by its key, or a file; False if that is refused: `messages.problems["file"]` says why."""
        try:
            lesson, path = self._engine.find(name)
        except (ArmstepError, OSError) as error:
            self._messages.refuse(str(error), "file")
            return False
        self.keep()
        self._messages.solved("file")
        self.course.lesson, self.path, self.trouble = lesson, path, ""
        kept = {} if self.in_class else self.progress.read(self._name)
        self.course.take(kept.get("steps"))
        self.course.number = at if isinstance(at := kept.get("at"), int) and 0 <= at <= self.course.last else 0
        self._enter("")
        name_missing_plots(lesson, path, self._messages)
        return True

    def close(self) -> None:
        """Leave the lesson; the scenario stays open."""
        if self.course.lesson is None:
            return
        self.keep()
        self._jobs.discard(JOB)
        self.course, self.path, self._computed = Course(), None, None
        self.away = self._playback.play_when_ready = False
        self._computing.release()
        self.changed.emit()

    def reload(self) -> None:
        """The file has changed: read it again and stay in the same step."""
        if self.path is None or self.course.lesson is None:
            return
        try:
            lesson, _ = self._engine.find(self.path)
        except (ArmstepError, OSError) as error:
            self.trouble = str(error)
            self.changed.emit()
            return
        before, shown = [record.to_data() for record in self.course.records], self.course.step
        if lesson == self.course.lesson and not self.trouble:
            return
        self.course.lesson, self.trouble = lesson, ""
        self.course.take(before)
        self.course.number = min(self.course.number, self.course.last)
        if shown is not None and self.course.step is not None and self.course.step.scene == shown.scene:
            self._compute()
            self._hold_or_release()
            self.changed.emit()
        else:
            self._enter("Lesson changed")
        name_missing_plots(lesson, self.path, self._messages)

    # -- steps ---------------------------------------------------------------------------------------------------------

    def go(self, number: int) -> bool:
        """Show another step; what is entered in this one stays there. False if there is none."""
        if self.away and number == self.course.number:
            self.come_back()
        elif self.course.lesson is not None and 0 <= number <= self.course.last and number != self.course.number:
            self.keep()
            self.course.number = number
            self._enter(self.course.title_of(number))
        elif number != self.course.number:
            return self.course.lead_out(1 if number > 0 else -1)
        return True

    def onward(self) -> bool:
        """Show the outcome if one is due, else the next step, or the step again. False if there is none of them."""
        if self.leads_back:
            return self.go(self.course.number)
        return self._must_wait() or (self.concludes and self.commit()) or self.go(self.course.number + 1)

    def back(self) -> bool:
        """Go to the previous step, or show the step again. False if there is neither."""
        return self.go(self.course.number - (not self.leads_back))

    def come_back(self) -> None:
        """Show the step as it was left for another scenario: with its answers and hands, its time and its changes."""
        self._show(f"Return to {self.course.title_of(self.course.number)}", as_left=True)

    def teach(self, in_class: bool) -> None:
        """Begin to show the lesson to a class, with no prediction made, or go back to the student's own answers."""
        if self.course.lesson is None or in_class == self.in_class:
            return
        self.keep()
        self.course.in_class, self.course.notes_shown = in_class, False
        self.course.take(None if in_class else self.progress.read(self._name).get("steps"))
        self.changed.emit() if self.away else self._enter(self.course.title_of(self.course.number))

    def resume(self, number: int, records: list[StepRecord] | None) -> None:
        """Begin a step of a class that has answered that; None: nothing yet."""
        self.course.number, self.course.records = number, self.course.records if records is None else records
        self._enter("")

    def reset(self) -> None:
        """Reset the step's runs and view; in front of a class, its predictions and hands too."""
        if self.in_class and self.course.number:
            self.course.put(self.course.record.begun_again())
        if self.course.lesson is not None:
            self._enter(f"Reset {self.course.title_of(self.course.number)}")

    # -- predictions ---------------------------------------------------------------------------------------------------

    def enter(self, guess: Guess | None, unread: str = "") -> None:
        """Take what is entered for the prediction that is asked for, or what is typed there and is no answer."""
        waiting = self.course.record.waiting
        if waiting is not None and (guess, unread) != (self.course.draft, self.course.unread):
            self.course.change(waiting, draft=guess, unread=unread)
            self.drafted.emit()

    def asks(self) -> bool:
        """Whether a prediction is asked for now; says why not."""
        if lacks := "away" if self.away else "nothing asked" if self.course.asked is None else "":
            self._say(lacks)
        return not lacks

    def keep_group(self) -> None:
        """Keep what is entered as a group's prediction, and let the next group enter its own; a choice is a hand."""
        if self._may_answer() and self.course.draft is not None:
            self.poll.keep(self.course.draft)
            self.enter(None)

    def commit(self) -> bool:
        """Make the prediction: its outcome is shown from now on. Only a class may do so without one, nobody unseen."""
        asked, waiting = self.course.asked, self.course.record.waiting
        if not self._may_answer(needed=not self.in_class) or asked is None or waiting is None:
            return False
        guess = self.poll.favourite(asked) if self.course.draft is None else self.course.draft
        self.course.spend(self._now(), counted=not self.away)
        self.course.change(waiting, committed=True, guess=guess, draft=None)
        self.countdown.stop()
        if self.course.asked is not None:
            self.poll.show(False)
        self._save()
        if self._computed is None:
            self.announced.emit("Computing the outcome.")
        self._conclude()
        return True

    def explain(self, prediction: Prediction, reason: str) -> None:
        """Why the outcome is what it is, in the student's words; kept when the step is left."""
        if (place := self.course.place_of(prediction)) is not None:
            self.course.change(place, reason=reason)

    def show_hint(self) -> bool:
        """Show the next hint; False if there are no more."""
        record, hints = self.course.record, self.course.hints
        if record.hints >= len(hints):
            self._say("no more hints" if hints else "no hint")
            return False
        self.course.put(replace(record, hints=record.hints + 1))
        self._save()
        self.changed.emit()
        self.announced.emit(f"Hint {record.hints + 1} of {len(hints)}: {hints[record.hints].markdown}")
        return True

    def show_notes(self, shown: bool) -> None:
        """Show the teacher's notes, or not; a class never sees them here: a presentation has its own place for them."""
        self.course.notes_shown = shown and not self.in_class
        self.changed.emit()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _may_answer(self, needed: bool = True) -> bool:
        """Whether an answer can be made now; says why not. `needed`: something must be entered for it."""
        may = self.asks() and not self._must_wait()
        if lacks := may and needed and self.course.draft is None:
            self._say("enter first")
        return may and not lacks

    def _must_wait(self) -> bool:
        """Whether the step stays, since what is typed there is no answer."""
        if waits := bool(self.course.unread) and not self.away:
            self.waits.emit()
        return waits

    def _enter(self, undo: str) -> None:
        """Begin the step."""
        self.poll.show(False)
        self.countdown.stop()
        self._show(undo)

    def _show(self, undo: str, *, as_left: bool = False) -> None:
        """Open the scene of the step; its runs are held while a prediction is asked for."""
        self.course.spend(self._now(), counted=not self.away)
        self.away, self.trouble = False, ""
        scene = self.course.scene
        assert scene is not None
        if self.course.secret:
            self._computing.hold()
        self.detour.open(scene.line, scenario_of(scene), undo, as_left=as_left)
        self._compute()
        if not self.course.secret:
            self._release()
        self._save()
        self.changed.emit()
        self.announced.emit(self.course.title_of(self.course.number))

    def _hold_or_release(self) -> None:
        if self.course.secret_at(self.detour.scene):
            if not self._computing.held:
                self._computing.hold()
                self._playback.pause()
                self._playback.to_start()  # the arm stands as it starts
        elif self._computing.held:
            self._release()

    def _release(self) -> None:
        self._computing.release(() if self._computed is None else tuple(self._computed.results.runs.values()))

    def _compute(self) -> None:
        """Compute the step, unseen."""
        before = None if self._computed is None else self._computed.results
        self._computed = None
        lesson, step = self.course.lesson, self.course.step
        self._jobs.discard(JOB)
        if lesson is None or step is None or not step.predictions:
            return
        self._jobs.submit(
            lambda cancel, _: self._engine.solve(step, before, lesson.language, cancel),
            key=JOB,
            on_done=self._step_done,
            on_error=self._failed,
            lane="study",
        )

    def _step_done(self, computed: Computed | None) -> None:
        if computed is not None:
            self._computed = computed
            self.drafted.emit()
            self._conclude()

    def _failed(self, error: BaseException) -> None:
        self.trouble = explain(error)
        self._hold_or_release()
        self.changed.emit()

    def _conclude(self) -> None:
        """Judge what is predicted and computed; when no prediction is missing, let the runs be seen, and play."""
        lesson, record = self.course.lesson, self.course.record
        if lesson is None or self._computed is None:
            self.changed.emit()
            return
        found, trouble = self._engine.concluded(record, self._computed, lesson.language, self.in_class)
        self.trouble = trouble or self.trouble
        self.course.put(found)
        news = [new.sentences for new, old in zip(found.answers, record.answers, strict=True) if new is not old]
        if self._computing.held and not self.course.secret and not self.away:
            self._playback.to_start()
            self._playback.play_when_ready = True
            self._release()
        self._save()
        self.changed.emit()
        if news:
            self.announced.emit(" ".join(news))

    def _follow_scenario(self) -> None:
        """Leave the lesson for another scenario than the step's, whose runs may be seen, or come back to it."""
        scene = self.course.scene
        away = scene is not None and self.detour.scene != scene.line
        if away or self.away:
            self.course.spend(self._now(), counted=not self.away)
            left, self.away = away != self.away, away
            self._hold_or_release()
            if away:
                self._jobs.discard(JOB)
            elif self._computed is None:
                self._compute()
            if left:
                self.changed.emit()

    def keep(self) -> None:
        """Keep the progress, because the step is left or the window closes."""
        if self.course.lesson is not None:
            self.course.spend(self._now(), counted=not self.away)
            self._save()

    @property
    def _name(self) -> str:
        assert self.course.lesson is not None
        return kept_name(self.course.lesson.key, self.path)

    def _save(self) -> None:
        if self.course.lesson is None or self.in_class:
            return
        if trouble := self.progress.keep(self._name, self.course.number, self.course.records):
            self._messages.say(trouble)
