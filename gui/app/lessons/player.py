"""The open lesson: its steps, the student's predictions, and when their outcomes may be seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.errors import ArmstepError
from gui.app.computing.compute import Computing
from gui.app.jobs import Cancel, Jobs, explain
from gui.app.lessons.answers import write_answers
from gui.app.lessons.course import Course
from gui.app.lessons.engine import Computed, LessonEngine, default_lesson_engine
from gui.app.lessons.poll import Countdown, Poll
from gui.app.lessons.record import KeptProgress, kept_name
from gui.app.lessons.scene import name_missing_plots, scenario_of
from gui.app.playback import Playback
from gui.app.session.file_actions import FileActions
from gui.app.session.messages import Messages
from gui.app.signal import Signal

if TYPE_CHECKING:
    from robots.lessons.answers import Answers
    from robots.lessons.lesson import Guess, Prediction

JOB = "lesson"


class LessonPlayer:
    """Leads through a lesson, one step at a time.

    While a prediction is asked for, the rows of the session are held: nothing of their runs is anywhere. The lesson
    computes them in the background, and gives them to the rows once the prediction is made.

    Args:
        jobs: where steps are computed.
        files: opens the scenes of the steps; opening anything else leaves the lesson.
        computing: holds the rows.
        playback: plays what is released.
        messages: reports refused files.
        folder: where progress is kept.
        engine: what reads and computes lessons.
        now: the wall clock [s].

    Attributes:
        course: the open lesson, which step is shown, and what was done.
        path: its file.
        away: whether something else was opened meanwhile.
        in_class: whether a class is shown the lesson: predictions may be skipped, and nothing is kept.
        trouble: why a step could not be computed, or the file not be read again.
        poll, countdown: the show of hands, and the time to think.
        changed: signal `()`: another lesson or step, or another part of it.
        drafted: signal `()`: `draft` or the groups' predictions changed.
        announced: signal `(text)`: news for those who cannot see them.
    """

    def __init__(
        self,
        jobs: Jobs,
        files: FileActions,
        computing: Computing,
        playback: Playback,
        messages: Messages,
        folder: Path,
        engine: LessonEngine | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs, self._files, self._computing, self._playback = jobs, files, computing, playback
        self._messages, self._engine, self._now = messages, engine or default_lesson_engine(), now
        self.progress = KeptProgress(folder)
        self.changed, self.drafted, self.announced = Signal(), Signal(), Signal()
        self.poll, self.countdown = Poll(lambda: self.course), Countdown(now)
        self.course = Course()
        self.path: Path | None = None
        self.away = self.in_class = False
        self.trouble = ""
        self._computed: Computed | None = None
        self._since = now()
        self._opening = self._done = False
        files.opened.connect(self._other_opened)

    @property
    def draft(self) -> Guess | None:
        """What is entered for the prediction that is asked for; None before anything is."""
        return self.course.draft

    @property
    def concludes(self) -> bool:
        """Whether `onward` shows an outcome: of what is entered, and before a class in any case."""
        return self.course.asked is not None and not self.away and (self.in_class or self.course.answered)

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
        self._leave_step()
        self._messages.solved("file")
        self.course.lesson, self.path, self.trouble = lesson, path, ""
        kept = {} if self.in_class else self.progress.read(self._name)
        self._done = kept.get("done") is True
        self.course.take(kept.get("steps"))
        at = kept.get("at")
        self.course.number = at if isinstance(at, int) and 0 <= at <= self.course.last else 0
        self._enter("")
        name_missing_plots(lesson, path, self._messages)
        return True

    def close(self) -> None:
        """Leave the lesson; the scenario stays open."""
        if self.course.lesson is None:
            return
        self._leave_step()
        self._jobs.discard(JOB)
        self.course, self.path, self._computed, self.away = Course(), None, None, False
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

    def go(self, number: int) -> None:
        """Show another step; what is entered in this one stays there."""
        if self.course.lesson is not None and 0 <= number <= self.course.last and number != self.course.number:
            self._leave_step()
            self.course.number = number
            self._enter(self.course.title_of(number))

    def onward(self) -> None:
        """Show the outcome if one is due, else the next step; to a class that saw another scenario, the step again."""
        if self.away and self.in_class:
            self.reset()
        elif not (self.concludes and self.commit()):
            self.go(self.course.number + 1)

    def back(self) -> None:
        """Go to the previous step."""
        self.go(self.course.number - 1)

    def teach(self, in_class: bool) -> None:
        """Begin to show the lesson to a class, with no prediction made, or go back to the student's own answers."""
        if self.course.lesson is None or in_class == self.in_class:
            return
        self._leave_step()
        self.in_class, self.course.notes_shown = in_class, False
        kept = {} if in_class else self.progress.read(self._name)
        self.course.take(kept.get("steps"))
        self._enter(self.course.title_of(self.course.number))

    def reset(self) -> None:
        """Reset the step's runs and view; in front of a class, its predictions and hands too."""
        if self.course.lesson is None:
            return
        if self.in_class and self.course.number:
            self.course.put(self.course.record.begun_again())
        self._enter(f"Reset {self.course.title_of(self.course.number)}")

    # -- predictions ---------------------------------------------------------------------------------------------------

    def enter(self, guess: Guess | None) -> None:
        """Take what is entered for the prediction that is asked for."""
        waiting = self.course.record.waiting
        if waiting is not None and guess != self.draft:
            self._change(waiting, draft=guess)
            self.drafted.emit()

    def keep_group(self) -> None:
        """Keep what is entered as a group's prediction, and let the next group enter its own; a choice is a hand."""
        waiting = self.course.record.waiting
        if isinstance(self.draft, str):
            self.poll.count(self.draft)
        elif self.draft is not None and waiting is not None:
            groups = (*self.course.record.answers[waiting].groups, self.draft)
            self._change(waiting, groups=groups)
            self.announced.emit(f"Group {len(groups)} has predicted.")
        self.enter(None)

    def commit(self) -> bool:
        """Make the prediction: its outcome is shown from now on. Only a class may do so without one."""
        asked, waiting = self.course.asked, self.course.record.waiting
        if asked is None or waiting is None or (self.draft is None and not self.in_class):
            return False
        guess = self.poll.favourite(asked) if self.draft is None else self.draft
        self._change(waiting, committed=True, guess=guess, draft=None)
        if self.course.asked is not None:
            self.poll.show(False)
            self.countdown.stop()
        self._save()
        if self._computed is None:
            self.announced.emit("Computing the outcome.")
        self._conclude()
        return True

    def explain(self, prediction: Prediction, reason: str) -> None:
        """Why the outcome is what it is, in the student's words; kept when the step is left."""
        place = self.course.place_of(prediction)
        if place is not None:
            self._change(place, reason=reason)

    def save_answers(self, file: Path, student: str, to_page: Callable[[Answers], str]) -> None:
        """Write the answers so far to a file: a page, or a table if its name ends in `.csv`.

        Args:
            file: where.
            student: a name; may be empty.
            to_page: makes the page.
        """
        lesson, records = self.course.lesson, list(self.course.records)
        if lesson is None:
            return

        def work(cancel: Cancel, _: Callable[[float], None]) -> str:
            return write_answers(file, lesson, records, student, self._engine, cancel, to_page)

        self._jobs.submit(
            work,
            key="answers",
            on_done=self._messages.say,
            on_error=lambda error: self._messages.refuse(explain(error), "file"),
            lane="study",
        )

    def show_hint(self) -> bool:
        """Show the next hint; False if there are no more."""
        record, hints = self.course.record, self.course.hints
        if record.hints >= len(hints):
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

    def _enter(self, undo: str) -> None:
        """Open the scene of the step; its runs are held while a prediction is asked for."""
        self.away, self.trouble = False, ""
        self.poll.show(False)
        self.countdown.stop()
        assert self.course.lesson is not None
        scene = (self.course.step or self.course.lesson.steps[0]).scene
        if self.course.secret:
            self._computing.hold()
        self._opening = True
        try:
            self._files.adopt(scenario_of(scene), step=undo)
        finally:
            self._opening = False
        self._since = self._now()
        self._compute()
        if not self.course.secret:
            self._release()
        self._save()
        self.changed.emit()
        self.announced.emit(self.course.title_of(self.course.number))

    def _hold_or_release(self) -> None:
        if self.course.secret:
            self._computing.hold()
        elif self._computing.held:
            self._release()

    def _release(self) -> None:
        runs = () if self._computed is None else tuple(self._computed.results.runs.values())
        self._computing.release(runs)

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
        if computed is None:
            return
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
        found, trouble = self._engine.concluded(record, self._computed, lesson.language)
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

    def _change(self, place: int, **parts: Any) -> None:
        """Change parts of an answer."""
        self.course.put(self.course.record.with_answer(place, replace(self.course.record.answers[place], **parts)))

    def _other_opened(self) -> None:
        """Leave the lesson for the scenario that was opened: its runs may be seen."""
        if self.course.lesson is not None and not self._opening and not self.away:
            self.away = True
            self._jobs.discard(JOB)
            self._computing.release()
            self.changed.emit()

    def keep(self) -> None:
        """Keep the progress, because the window closes."""
        self._leave_step()

    def _leave_step(self) -> None:
        if self.course.lesson is None:
            return
        if self.course.number:
            spent = self.course.record.seconds + self._now() - self._since
            self.course.put(replace(self.course.record, seconds=spent))
        self._since = self._now()
        self._save()

    @property
    def _name(self) -> str:
        assert self.course.lesson is not None
        return kept_name(self.course.lesson.key, self.path)

    def _save(self) -> None:
        if self.course.lesson is None or self.in_class:
            return
        at, steps = self.course.number, [record.to_data() for record in self.course.records]
        self._done = self._done or (at == self.course.last and self.course.record.waiting is None)
        trouble = self.progress.write(self._name, {"at": at, "done": self._done, "steps": steps})
        if trouble:
            self._messages.say(trouble)
