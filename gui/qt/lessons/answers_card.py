"""The end of a lesson: its answers as a file, and the lesson that comes next."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from gui.app.lessons.listing import following
from gui.app.session.session import Session
from gui.qt.dialogs.ask_file import ask_save
from gui.qt.lessons.answers_page import answers_page
from gui.qt.style.theme import role
from gui.qt.widgets.parts import push_button
from gui.qt.widgets.quiet import RoleLabel


class AnswersCard(QFrame):
    """The end of a lesson: the answers as a file."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setObjectName("note")
        self._session, said = session, session.lessons.course.phrase
        self.name = QLineEdit(session.settings.get("lessons.name", ""))
        self.name.setPlaceholderText(said("your name"))
        self.name.setAccessibleName("Your name")
        self.name.setToolTip("It is on the page of your answers and nowhere else")
        self.name.textChanged.connect(lambda text: session.settings.set("lessons.name", text))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.addWidget(role(QLabel(said("answers")), "section"))
        column.addWidget(RoleLabel(said("the end"), "hint"))
        column.addWidget(self.name)
        row = QHBoxLayout()
        tip = "A page to read and to hand in"
        self.html = push_button(said("save html"), tip, lambda: ask_save_answers(self, session, "html"))
        tip = "A table, one line for each prediction"
        self.csv = push_button(said("save csv"), tip, lambda: ask_save_answers(self, session, "csv"))
        row.addWidget(self.html)
        row.addWidget(self.csv)
        row.addStretch(1)
        column.addLayout(row)
        self._offer_next(column)

    def _offer_next(self, column: QVBoxLayout) -> None:
        player = self._session.lessons
        entry = None if player.course.lesson is None else following(player.course.lesson)
        if entry is None:
            return
        tip = f"Open the lesson “{entry.title}”, {entry.minutes:g} minutes"
        words = player.course.phrase("next lesson", title=entry.title)
        button = push_button(words, tip, lambda: player.open(entry.key))
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


def ask_save_answers(parent: QWidget, session: Session, kind: str) -> None:
    """Ask where the answers go, and save them."""
    player = session.lessons
    if player.course.lesson is None:
        return
    kinds = {"html": "Web page (*.html)", "csv": "Table (*.csv)"}

    def save(file: Path) -> None:
        player.answers.save(player.course, file, session.settings.get("lessons.name", ""), answers_page)

    start = Path(f"{player.course.lesson.key}-answers.{kind}")
    ask_save(parent.window(), "Save your answers", start, {kinds[kind]: kind}, save)
