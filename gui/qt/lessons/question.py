"""One prediction: the question, what it is entered with, and once it is made the outcome beside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from gui.app.lessons.chart import CHARTED, Paper, paper_of, poll_chart, prediction_chart
from gui.app.lessons.plain import spoken
from gui.app.lessons.player import LessonPlayer
from gui.app.lessons.record import Answer
from gui.qt.lessons.inputs import ChoiceInput, NumberInput, OrderInput
from gui.qt.lessons.sketch import LANES, PredictionChart, SketchInput, size_for
from gui.qt.lessons.text import LessonText
from gui.qt.style.theme import role
from gui.qt.widgets.parts import bare
from gui.qt.widgets.quiet import RoleLabel, scale
from gui.qt.window.bridge import subscribe
from robots.lessons.lesson import Guess, Kind, Outcome, Prediction

Input = ChoiceInput | NumberInput | OrderInput | SketchInput
REASON_LINES = 2


class QuestionCard(QFrame):
    """A prediction that is asked for, or one that was made.

    Args:
        player: has the answers.
        prediction: the question.
        larger: the type of its text beside that of the window.
    """

    def __init__(self, player: LessonPlayer, prediction: Prediction, larger: float) -> None:
        super().__init__()
        self.setObjectName("question")
        self._player, self._prediction, self._larger = player, prediction, larger
        self.input: Input | None = None
        self.commit: QPushButton | None = None
        self.reason: QPlainTextEdit | None = None
        self.bars: PredictionChart | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 14, 16, 14)
        self._column.setSpacing(10)
        answer = player.course.answer(prediction)
        self._column.addWidget(role(QLabel(self._said("predicted" if answer.committed else "predict")), "section"))
        question = spoken(prediction.question)
        self.setAccessibleName(f"Prediction: {question}")
        self._add_text(prediction.question, question)
        if answer.committed:
            self._show_outcome(answer)
        else:
            self._ask()
        if prediction.kind == Kind.CHOICE:
            self._add_bars()

    def first_control(self) -> QWidget | None:
        """Where the prediction is entered: the control that gets the focus first; None once it is made."""
        if isinstance(self.input, ChoiceInput):
            buttons = self.input.buttons.values()
            return next((button for button in buttons if button.isChecked()), next(iter(buttons)))
        if isinstance(self.input, NumberInput):
            return self.input.line
        if isinstance(self.input, OrderInput):
            return self.input.list
        return self.input.slider if isinstance(self.input, SketchInput) else None

    # -- before --------------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        prediction, player = self._prediction, self._player
        if prediction.kind == Kind.CURVE and not player.ready:
            self._preparing = RoleLabel(self._said("preparing"), "hint")
            self._column.addWidget(self._preparing)
            subscribe(self, player.drafted, self._ready_to_draw)
        else:
            self._add_input(self._column.count())
        self.groups = RoleLabel("", "strong")
        self.groups.setWordWrap(True)
        self._column.addWidget(self.groups)
        self.commit = role(QPushButton(""), "primary")
        self.commit.clicked.connect(player.commit)
        row = QHBoxLayout()
        row.addWidget(self.commit)
        row.addStretch(1)
        self._column.addLayout(row)
        subscribe(self, player.drafted, self._follow)
        subscribe(self, player.poll.changed, self._follow)
        self._follow()

    def _ready_to_draw(self) -> None:
        if self.input is None and self._player.ready:
            self._preparing.hide()
            self._add_input(self._column.indexOf(self._preparing))
            control = self.first_control()
            if control is not None and self.isVisible() and not self._player.in_class:
                control.setFocus(Qt.FocusReason.TabFocusReason)

    def _add_input(self, place: int) -> None:
        prediction, player = self._prediction, self._player
        if prediction.kind == Kind.CHOICE:
            self.input = ChoiceInput(player, prediction, self._larger)
        elif prediction.kind == Kind.NUMBER:
            self.input = NumberInput(player, prediction)
        elif prediction.kind == Kind.ORDER:
            self.input = OrderInput(player, prediction, self._larger)
        else:
            self.input = SketchInput(player, self._paper(player.scale_of(prediction)))
        self._column.insertWidget(place, self.input)

    def _follow(self) -> None:
        """Show what is entered, while this is what is asked for: the step before still has its card for a moment."""
        if self._player.course.asked is not self._prediction:
            return
        draft = self._player.course.draft
        if self.input is not None:
            self.input.show_guess(draft)
        self.groups.setText("; ".join(self._player.poll.groups(self._prediction)))
        self.groups.setVisible(bool(self.groups.text()))
        if self.commit is not None:
            skips = draft is None and self._player.in_class
            self.commit.setText(self._said("show outcome" if skips else "commit"))
            self.commit.setEnabled(draft is not None or skips)
            self.commit.setToolTip(self._said("commit tip" if draft is not None or skips else "enter first"))

    # -- after ---------------------------------------------------------------------------------------------------------

    def _show_outcome(self, answer: Answer) -> None:
        prediction, outcome = self._prediction, answer.outcome
        if outcome is None:
            self._column.addWidget(RoleLabel(self._player.trouble or self._said("computing"), "hint"))
            return
        if prediction.kind == Kind.CHOICE and self._player.in_class:
            # The bars of hands name the choices by these numbers.
            lines = [f"{place}. {choice.text}" for place, choice in enumerate(prediction.choices, 1)]
            self._add_text("\n".join(lines), spoken("; ".join(lines)))
        if prediction.kind == Kind.ORDER:
            self._column.addWidget(self._orders(answer.guess, outcome))
            self._judge_groups(answer.groups, outcome)
        if prediction.kind in CHARTED:
            view = PredictionChart(self._said("predicted and outcome"), size_for(prediction.kind))
            view.show_chart(prediction_chart(self._paper(outcome.answer), answer.guess, outcome, answer.groups))
            said = [outcome.sentence, *([answer.judgement.sentence] if answer.judgement else [])]
            view.setAccessibleDescription(" ".join(map(spoken, said)))
            self._column.addWidget(view)
        if prediction.kind != Kind.ORDER:
            self._add_text(f"**{outcome.sentence}**", self._said("outcome"))
        if answer.judgement is not None:
            self._add_text(answer.judgement.sentence, self._said("predicted"))
        if prediction.why:
            self._ask_why(answer)

    def _ask_why(self, answer: Answer) -> None:
        prediction = self._prediction
        self._add_text(prediction.why, spoken(prediction.why))
        if self._player.in_class:
            return
        self.reason = QPlainTextEdit(answer.reason)
        self.reason.setTabChangesFocus(True)
        self.reason.setPlaceholderText(self._said("own words"))
        self.reason.setAccessibleName(f"Why: {spoken(prediction.why)}")
        self.reason.setToolTip("Your reason is kept with your answers; Tab leaves the text")
        self.reason.setFixedHeight(round((REASON_LINES * 19 + 16) * scale(self)))
        self.reason.textChanged.connect(
            lambda: self._player.explain(prediction, self.reason.toPlainText() if self.reason else "")
        )
        self._column.addWidget(self.reason)

    def _orders(self, guess: Guess | None, outcome: Outcome) -> QWidget:
        """The predicted order and the right one side by side, the latter with the numbers by which it is sorted."""
        texts = {choice.name: choice.text for choice in self._prediction.choices}
        both = QWidget()
        row = bare(QHBoxLayout(both))
        for title, order in ((self._said("order predicted"), guess), (self._said("outcome"), outcome.answer)):
            if isinstance(order, tuple):
                lines = [f"{place}. {texts.get(str(name), '')}" for place, name in enumerate(order, 1)]
                if order is outcome.answer:
                    lines = [f"{line} ({outcome.readings[str(name)]})" for line, name in zip(lines, order, strict=True)]
                name = f"{title}: {spoken('; '.join(lines))}"
                ranking = LessonText(f"**{title}**\n\n" + "\n".join(lines), self._larger, name)
                row.addWidget(ranking, 1, Qt.AlignmentFlag.AlignTop)
        return both

    def _judge_groups(self, groups: Sequence[Guess], outcome: Outcome) -> None:
        """What each group's order has right: no chart shows it."""
        from robots.lessons.outcomes import judge

        lesson = self._player.course.lesson
        assert lesson is not None
        for number, group in enumerate(groups, 1):
            name = self._said("group", number=number)
            self._add_text(f"**{name}** {judge(group, outcome, lesson.language, in_class=True).sentence}", name)

    def _add_bars(self) -> None:
        """The bars of a show of hands, where they are asked for."""
        player = self._player
        self.bars = PredictionChart("Show of hands", LANES)
        self.bars.show_time(-1.0)  # its axis counts hands: no dot stands where the playhead would be
        self._column.addWidget(self.bars)

        def show() -> None:
            assert self.bars is not None
            choices = self._prediction.choices
            counted = player.course.answer(self._prediction).hands
            hands = [counted.count(choice.name) for choice in choices]
            self.bars.show_chart(
                poll_chart([str(place) for place in range(1, len(choices) + 1)], hands, self._said("hands"))
            )
            self.bars.setAccessibleDescription(
                "; ".join(f"{spoken(choice.text)}: {count}" for choice, count in zip(choices, hands, strict=True))
            )
            self.bars.setVisible(player.poll.shown)

        subscribe(self, player.poll.changed, show)
        show()

    def _paper(self, answer: Guess | None) -> Paper:
        step = self._player.course.step
        assert step is not None
        lesson = self._player.course.lesson
        assert lesson is not None
        return paper_of(self._prediction, step.scene, answer, lesson.language)

    def _said(self, key: str, **parts: object) -> str:
        return self._player.course.phrase(key, **parts)

    def _add_text(self, markdown: str, name: str) -> None:
        self._column.addWidget(LessonText(markdown, self._larger, name))
