"""The lesson beside the arm: the text of a step, its predictions, hints, and the way on."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from gui.app.lessons.listing import needed
from gui.app.session.session import Session
from gui.qt.access.spoken import announce
from gui.qt.lessons.answers_card import AnswersCard
from gui.qt.lessons.inputs import NumberInput
from gui.qt.lessons.question import QuestionCard
from gui.qt.lessons.step_area import GAP, StepArea
from gui.qt.lessons.text import LessonText
from gui.qt.lessons.watch import LessonWatch
from gui.qt.style.theme import role, set_state
from gui.qt.widgets.parts import bare, push_button, quiet_button
from gui.qt.widgets.quiet import ElidedLabel, RoleLabel
from gui.qt.widgets.scroll import sheet_column
from gui.qt.window.bridge import dock_of, subscribe
from gui.qt.window.commands.local_keys import keys_of
from gui.qt.window.commands.tab_order import give_back, leave
from gui.qt.window.docks import Dock
from robots.lessons.lesson import Claim, Hint, Lesson, Prediction, Teacher, Text

LARGER = 1.2
"""The type of the text beside that of the window."""


class LessonPanel(QWidget):
    """Shows what the player has; without a lesson it is empty."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session, self.player = session, session.lessons
        self._shown: object = None
        self._news: object = None
        self._step: object = None
        self._entered: tuple[object, ...] = (None, ())
        self._asked: Prediction | None = None
        self._keys_due = False
        self.cards: list[QuestionCard] = []
        self.hints: list[QWidget] = []
        self.answers: AnswersCard | None = None
        self.setMinimumWidth(280)
        tip = "Leave the lesson; the scenario stays open"
        self.tools = (quiet_button(tip, self.player.close, text="Close lesson"),)
        LessonWatch(self.player, self)
        self.place = ElidedLabel("", "hint")
        self.place.setAccessibleName("Step")
        self.time = RoleLabel("", "strong")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(4)
        self.bar.setAccessibleName("Progress of the lesson")
        self.area = StepArea()
        self.back = push_button("", "", self.player.back)
        self.reset, self.hint = push_button("", "", self.player.reset), push_button("", "", self.player.show_hint)
        self.onward = role(push_button("", "", self._go_on), "primary")
        self._lay_out()
        subscribe(self, self.player.changed, self.show_step)
        subscribe(self, self.session.preferences.changed, lambda: self.player.course.lesson and self._show_keys())
        subscribe(self, self.player.drafted, self._show_entry)
        subscribe(self, self.player.waits, self._return_to_answer)
        subscribe(self, self.player.poll.changed, self._show_bars)
        subscribe(self, self.player.countdown.changed, self._show_time)
        self._seconds = QTimer(self, interval=250)
        self._seconds.timeout.connect(self._show_time)
        self.show_step()

    # -- making --------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.place, 1)
        head.addWidget(self.time)
        foot = bare(QHBoxLayout(), GAP)
        for button in (self.back, self.reset, self.hint, self.onward):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 10, 10)
        column.setSpacing(GAP)
        column.addLayout(head)
        column.addWidget(self.bar)
        step = bare(QVBoxLayout(), 0)
        step.addWidget(self.area, 1)
        step.addWidget(self.area.more)  # in place of a gap
        step.addLayout(foot)
        column.addLayout(step, 1)

    # -- what is shown -------------------------------------------------------------------------------------------------

    def show_step(self) -> None:
        """Show the step as it is now; texts and fields that stay are not made again."""
        player, lesson = self.player, self.player.course.lesson
        if lesson is None:
            self._shown = self._news = self._step = None
            self._forget_parts()
            self.area.setWidget(QWidget())
            return
        self._show_foot()
        state = self._state()
        if state == self._shown:
            return
        same_step, at = self._step == (lesson.key, player.course.number), self.area.verticalScrollBar().value()
        hints = len(self.hints) if same_step else 0
        focus = self.window().focusWidget()
        had_keys = focus is not None and self.isAncestorOf(focus)
        before, self._news = self._news, self._news_now()
        self._shown, self._step = state, (lesson.key, player.course.number)
        self._fill()
        self._entered = self._entry()
        inner = self.area.widget()
        if same_step and inner is not None:
            new = self.hints[-1] if len(self.hints) > hints else None
            # Unless another step is shown by then.
            QTimer.singleShot(0, inner, lambda: self._return_to(at, new))
        asked, self._asked = self._asked, player.course.asked
        if before != self._news and not player.away and self._come_forward():
            had_keys = had_keys or self._covers_keys()
        if (had_keys or not same_step) and not self.player.in_class:
            self._take_keys()
        elif had_keys:
            give_back(self)
        elif not same_step or asked is not self._asked:
            self._lead_keys()

    def _state(self) -> tuple[object, ...]:
        """Everything that the texts and fields depend on, except the words that a person types there."""
        player, course = self.player, self.player.course
        answers = tuple((one.committed, one.guess, one.outcome) for one in course.record.answers)
        shown = (course.lesson, course.number, course.blocks, course.notes_shown, answers)
        return (*shown, player.away, player.trouble, player.in_class)

    def _news_now(self) -> tuple[object, ...]:
        """What only a deed changes: the step, what is asked and shown of it, and whether a class is back in it."""
        course = self.player.course
        return course.lesson, course.number, course.asked, course.blocks, self.player.away and self.player.in_class

    def _come_forward(self) -> bool:
        """Be before the panels beside it; False if it cannot be seen: a class has a panel of its own without others."""
        dock = dock_of(self)
        if dock is None or not (self.session.view.settings.panels or self.player.in_class):
            return False
        if isinstance(dock, Dock) and self.session.view.settings.panels:
            dock.show()
        dock.raise_()
        return not dock.isHidden()

    def _covers_keys(self) -> bool:
        """Whether a panel that has the keys is behind this one."""
        window, dock, focus = self.window(), dock_of(self), QApplication.focusWidget()
        beside = window.tabifiedDockWidgets(dock) if isinstance(window, QMainWindow) and dock is not None else []
        return focus is not None and any(other.isAncestorOf(focus) for other in beside)

    def _return_to(self, at: int, hint: QWidget | None) -> None:
        """Keep the place; what has just become visible comes into view: a hint, or an outcome down to its reason.

        Where other runs are shown than the lesson's, the sentence that says so is in view.
        """
        if self.player.away:
            self.area.verticalScrollBar().setValue(0)  # where it says so
            return
        self.area.verticalScrollBar().setValue(at)
        made = [card for card in self.cards if card.input is None]
        if hint is not None:
            self.area.bring(hint)
        elif made and made[-1] is self.cards[-1]:
            self.area.bring(made[-1].reason or made[-1])

    def _entry(self) -> tuple[object, ...]:
        """What is entered, by this person and by groups."""
        asked = self.player.course.asked
        return self.player.course.draft, () if asked is None else self.player.course.answer(asked).groups

    def _show_entry(self) -> None:
        """What is entered, and the button that commits it, are in view; nothing moves before anything is entered."""
        focus = QApplication.focusWidget()
        entered, self._entered = self._entered, self._entry()
        if entered == self._entered or self.player.course.lesson is None:
            return
        self._show_foot()
        if focus is not None and self.cards and self.cards[-1].isAncestorOf(focus):
            if self.cards[-1].commit is not None:
                self.area.bring(self.cards[-1].commit)
            self.area.bring(focus)

    def _return_to_answer(self) -> None:
        """What is typed is no answer: its field has the keys, all selected, and why is in view and announced."""
        asked = self.cards[-1].input if self.cards else None
        if not isinstance(asked, NumberInput):
            return
        if not self.player.in_class:
            self.session.view.set(panels=True)
        if not self._come_forward():
            return
        asked.line.setFocus(Qt.FocusReason.TabFocusReason)
        asked.line.selectAll()
        self.area.bring(asked.problem)
        announce(self, asked.line.accessibleDescription())

    def _show_bars(self) -> None:
        """The bars come into view when they are asked for."""
        bars = next((card.bars for card in reversed(self.cards) if card.bars is not None), None)
        if bars is not None and self.player.poll.shown:
            if self._come_forward() and self._covers_keys():
                give_back(self)
            QTimer.singleShot(0, bars, lambda: self.area.bring(bars))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.player.in_class:
            self._lead_keys()
        elif self._keys_due:
            self._take_keys()

    def come(self) -> None:
        """A person has asked for the lesson: it is in front, with the keys; those of a class are the presentation's."""
        if self.player.course.lesson is not None and not self.player.in_class:
            self.window().activateWindow()  # undocked, it is a window of its own
            self._take_keys()

    def _take_keys(self) -> None:
        """Give the focus to what comes next, and mark it: the prediction, or the next step; it comes to the front.

        Not to the reason, a text that would take Space from the run that plays now.
        """
        if (dock := dock_of(self)) is not None:
            dock.raise_()
        self._keys_due = not self.isVisible()
        wanted = self.answer_control() or (self.onward if self.onward.isEnabled() else None)
        if wanted is not None and not self._keys_due:
            wanted.setFocus(Qt.FocusReason.TabFocusReason)

    def _lead_keys(self) -> None:
        """Before a class the keys stay where they are, and the next Tab comes to the answer."""
        if self.isVisible():
            leave(self)

    def first_stop(self) -> QWidget | None:
        """Where Tab comes first."""
        return self.answer_control()

    def answer_control(self) -> QWidget | None:
        """Where the prediction that is asked for is entered."""
        return self.cards[-1].first_control() if self.cards else None

    def _go_on(self) -> None:
        """The next step; at the end of the lesson its answers."""
        if self.answers is None:
            self.player.onward()
        else:
            self.answers.name.setFocus(Qt.FocusReason.OtherFocusReason)
            self.area.bring(self.answers)

    def _forget_parts(self) -> None:
        """What is shown goes with the area's content."""
        self.cards, self.hints, self.answers = [], [], None
        self.area.forget()

    def _fill(self) -> None:
        player, lesson, said = self.player, self.player.course.lesson, self.player.course.phrase
        assert lesson is not None
        inner, column = sheet_column(12)
        self._forget_parts()
        title = role(QLabel(player.course.title_of(player.course.number)), "display")
        title.setWordWrap(True)
        column.addWidget(title)
        if player.trouble:
            trouble = RoleLabel(player.trouble, "error")
            trouble.setObjectName("lessonTrouble")
            column.addWidget(trouble)
        if player.away:
            self._add_return(column)
        if player.course.number == 0:
            column.addWidget(RoleLabel(self._facts(lesson), "hint"))
            column.addWidget(LessonText(lesson.introduction, LARGER, said("introduction")))
            if player.course.notes_shown and lesson.teacher:
                column.addWidget(self._note(said("teacher"), lesson.teacher))
        for block in player.course.blocks:
            if player.away and block is player.course.asked:
                continue  # It asks about runs that are not there.
            column.addWidget(self._block(block))
        if self._at_answers:
            self.answers = AnswersCard(self.session)
            column.addWidget(self.answers)
        column.addStretch(1)
        self.area.setWidget(inner)
        self.area.viewport().setAutoFillBackground(False)

    def _facts(self, lesson: Lesson) -> str:
        """How long it takes, for whom, and what comes first."""
        titles = ", ".join(f"“{title}”" for title in needed(lesson))
        parts = {"minutes": f"{lesson.minutes:g}", "level": self.player.course.phrase(lesson.level), "lessons": titles}
        return self.player.course.phrase("facts after" if titles else "facts", **parts)

    def _block(self, block: object) -> QWidget:
        if isinstance(block, Text):
            return LessonText(block.markdown, LARGER)
        if isinstance(block, Prediction):
            card = QuestionCard(self.player, block, LARGER)
            if isinstance(number := card.input, NumberInput):
                number.refused.connect(lambda: self.area.bring(number.problem))
            self.cards.append(card)
            return card
        if isinstance(block, Hint):
            self.hints.append(self._note(self.player.course.phrase("hint"), block.markdown))
            return self.hints[-1]
        if isinstance(block, Teacher):
            return self._note(self.player.course.phrase("teacher"), block.markdown)
        assert isinstance(block, Claim)
        return QWidget()

    def _note(self, title: str, markdown: str) -> QWidget:
        note = QFrame()
        note.setObjectName("note")
        column = QVBoxLayout(note)
        column.setContentsMargins(16, 10, 16, 12)
        column.setSpacing(6)
        column.addWidget(role(QLabel(title), "section"))
        column.addWidget(LessonText(markdown, LARGER, title))
        return note

    def _add_return(self, column: QVBoxLayout) -> None:
        column.addWidget(RoleLabel(self.player.course.phrase("away"), "hint"))
        tip = "Show the step as it was left"
        again = push_button(self.player.course.phrase("return"), tip, self.player.come_back)
        column.addWidget(again, 0, Qt.AlignmentFlag.AlignLeft)

    def _show_keys(self) -> None:
        """Say the keys of the buttons: those of a presentation before a class."""
        in_class, left = self.player.in_class, "Show the step as it was left" * self.player.leads_back
        onward = "Show the outcome" if self.player.concludes else left or "Next step"
        onward = "Your answers, and the next lesson" if self._at_answers else onward
        whole = "Show the runs and the view as they were at the start of this step"
        for button, tip, own, taught in (
            (self.back, left or "Previous step", "lesson.back", "present.back"),
            (self.reset, whole, "lesson.reset", "teach.reset"),
            (self.hint, "Show a hint", "lesson.hint", "teach.hint"),
            (self.onward, onward, "lesson.onward", "present.onward"),
        ):
            keys = keys_of(taught if in_class else own, self.session.preferences)
            button.setToolTip(f"{tip} ({keys})" if keys else tip)

    def _show_foot(self) -> None:
        player, lesson = self.player, self.player.course.lesson
        assert lesson is not None
        said, number = player.course.phrase, player.course.number
        self.place.setText(f"{lesson.title}   {player.course.place}")
        self.back.setText(said("back"))
        self.reset.setText(said("reset"))
        self.bar.setRange(0, player.course.last)
        self.bar.setValue(number)
        left = len(player.course.hints) - player.course.record.hints
        self.hint.setText(said("hints", left=left))
        self.hint.setVisible(left > 0)
        self.back.setEnabled(player.course.leads(-1) or player.leads_back)
        self.reset.setEnabled(number > 0)
        self.onward.setEnabled(player.course.leads(1) or player.concludes or player.leads_back or self._at_answers)
        self.onward.setText(said("begin" if not number else "finish" if self._at_answers else "next"))
        self._show_keys()
        # One button at a time is what to press next: that of the prediction, while one is asked for.
        wanted = "primary" if player.course.asked is None else ""
        if self.onward.property("role") != wanted:
            set_state(self.onward, "role", wanted)
        self._show_time()

    @property
    def _at_answers(self) -> bool:
        """Whether the lesson has ended, and only its answers are left; a class has none."""
        course = self.player.course
        return course.number == course.last and course.asked is None and not self.player.in_class

    def _show_time(self) -> None:
        countdown = self.player.countdown
        self.time.setText(countdown.text)
        self.time.setAccessibleName(f"Time left: {countdown.text}")
        if countdown.running and not self._seconds.isActive():
            self._seconds.start()
        if not countdown.running or not countdown.left:
            self._seconds.stop()
