"""What the commands of a lesson do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow

from gui.app.lessons.plain import spoken
from gui.app.session.session import Session
from gui.qt.access.spoken import announce
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.actions import Actions
from gui.qt.window.commands.workbench import Workbench

REVEALING = ("export.", "run.work_precision", "run.map")
"""Commands that would show what a lesson asks to predict."""


def attend(window: QMainWindow, session: Session, actions: Actions) -> None:
    """Enable the commands of a lesson while one is open, and say what happens in it."""
    player = session.lessons

    def follow() -> None:
        for key in actions.commands:
            if key.startswith("lesson."):
                actions[key].setEnabled(player.course.lesson is not None)
            elif key.startswith(REVEALING):
                actions[key].setEnabled(not session.computing.held)
        actions["lesson.notes"].setChecked(player.course.notes_shown)

    subscribe(window, player.changed, follow)

    subscribe(window, player.announced, lambda text: announce(window, spoken(text)))
    follow()


def handlers(bench: Workbench) -> dict[str, Callable[..., object]]:
    """A function for each command, by its key."""
    player = bench.session.lessons

    def save(kind: str) -> None:
        from gui.qt.lessons.answers_card import ask_save_answers

        ask_save_answers(bench.window, bench.session, kind)

    return {
        "help.lessons": bench.files.choose_lesson,
        "lesson.onward": player.onward,
        "lesson.back": player.back,
        "lesson.commit": player.commit,
        "lesson.hint": player.show_hint,
        "lesson.reset": player.reset,
        "lesson.notes": player.show_notes,
        "lesson.html": lambda: save("html"),
        "lesson.csv": lambda: save("csv"),
        "lesson.close": player.close,
    }
