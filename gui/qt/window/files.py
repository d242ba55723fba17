"""File menu: gallery, open, save, recent files, dropped files, unsaved changes, autosave and recovery."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from assets.counting import entry_text
from assets.errors import ArmstepError
from gui.app.documents import SUFFIXES
from gui.app.imports.logs import is_log
from gui.app.lessons.listing import is_lesson
from gui.app.session.autosave import KeptChanges, losing
from gui.app.session.results import STUDY
from gui.app.session.session import Session
from gui.qt.access.values import keep_typed
from gui.qt.dialogs.ask_file import ask_open, ask_save, folders
from gui.qt.dialogs.sheets import Question, Sheet, leave_sheets
from gui.qt.window.bridge import subscribe
from gui.qt.window.crash_log import CrashLog
from gui.qt.window.docks import Dock
from gui.qt.window.single import open_in_new_window
from robots.scenario.presets import is_preset
from robots.scenario.scenario import Scenario

LOGS = "Logs (*.csv *.txt *.tsv);;All files (*)"
TO_SAVE = {"Armstep scenario (*.armstep)": "armstep", "JSON (*.json)": "json"}
AUTOSAVE_MS = 1000
CRASHED, LEFT = "Armstep closed unexpectedly", "Unsaved work of an earlier session"
LOG = "You can save its log as a zip file and read it before you pass it on. Nothing is sent automatically."
MOST_NAMED = 6
"""How many scenarios a question about recovered work names at most."""


class Files:
    """Asks which file, asks before work would be lost, and autosaves.

    Args:
        window: where sheets and dialogs appear.
        session: what is opened and saved.
        show: shows a sheet.

    Attributes:
        crash_log: the log of windows that crashed; None without one.
    """

    def __init__(self, window: QWidget, session: Session, show: Callable[[Sheet], object]) -> None:
        self._window, self._session, self._show = window, session, show
        folders.keep_in(session.settings)
        self.crash_log: CrashLog | None = None
        self._timer = QTimer(window)
        self._timer.setInterval(AUTOSAVE_MS)
        self._timer.timeout.connect(lambda: session.files.autosave_if_due())
        self._timer.start()
        subscribe(window, session.files.robots.asking, self.show_robot)
        subscribe(window, session.files.logs.wanted, self.ask_log)
        subscribe(window, session.files.logs.asking, self.show_log)

    # -- open ----------------------------------------------------------------------------------------------------------

    def begin(self, *, gallery: bool) -> None:
        """Show what stands over the window at first: recovered work, the gallery, a robot's report, or a map."""
        if self.offer_recovery():
            return
        if gallery:
            self.new()
        elif self._session.files.robots.waiting:
            self.show_robot()
        elif self._session.files.path is None:
            self.show_proposed_map()

    def new(self) -> None:
        """Show the gallery."""
        from gui.qt.dialogs.gallery import Gallery

        self._show(Gallery(self._window, self._session, self))

    def open_preset(self, key: str) -> None:
        """Open a preset, after asking about unsaved changes; one that proposes a map opens it, and computes it."""

        def opened() -> None:
            self._session.files.new(key)
            self.show_proposed_map()

        self.guard(opened)

    def show_proposed_map(self) -> None:
        """Open the map that the scenario proposes, if it does, and compute it."""
        from gui.app.desks.map_choices import proposal_for

        if (proposed := proposal_for(self._session.scenario)) is not None:
            from gui.qt.dialogs.map import MapSheet

            sheet = MapSheet(self._window, self._session, proposed)
            self._show(sheet)
            sheet.begin(by_itself=True)

    def choose_lesson(self) -> None:
        """Show the gallery, with the focus in its lessons."""
        from gui.qt.dialogs.gallery import Gallery

        self._show(gallery := Gallery(self._window, self._session, self))
        gallery.lessons.enter()

    def open_lesson(self, name: str) -> None:
        """Open a lesson by its key, or a lesson's file, after asking about unsaved changes; its panel is in front."""

        def opened() -> None:
            self._session.lessons.open(name)
            QTimer.singleShot(0, self._window, self._show_lesson)

        self.guard(opened)

    def _show_lesson(self) -> None:
        """What a person asks for comes, and has the keys, also if it is open: later than a sheet gives them back."""
        from gui.qt.lessons.panel import LessonPanel

        dock = self._window.findChild(Dock, "dock.lesson")
        if dock is not None and isinstance(dock.panel, LessonPanel):
            if self._session.view.settings.panels and dock.applies:
                dock.show()
            dock.raise_()
            dock.panel.come()

    def open_scenario(self, scenario: Scenario) -> None:
        """Open a scenario of the paper desk, after asking about unsaved changes; the desk's results come along."""
        self.guard(lambda: self._session.files.adopt_from_study(scenario), STUDY)

    def ask_open(self) -> None:
        """Ask for a file and open it."""
        self.ask("Open", _to_open(), self.open)

    def ask(self, title: str, kinds: str, then: Callable[[Path], object]) -> None:
        """Ask for an existing file, in the folder of the open one."""
        ask_open(self._window, title, kinds, then, self._folder())

    def open(self, file: str | Path) -> None:
        """Open a scenario, a lesson, a log or something that Armstep exported; ask first about unsaved changes."""
        if is_lesson(str(file)):
            self.open_lesson(str(file))
        elif is_log(Path(file)):
            leave_sheets(self._window)
            self._session.files.logs.open(Path(file))
        else:
            self.guard(lambda: self._session.files.open(file))

    def open_dropped(self, files: Sequence[str]) -> None:
        """Open the first of the files that were dropped, and say so if there are others."""
        self.open(files[0])
        if len(files) > 1:
            # After a sentence the run of the opened file would stand in its place.
            self._session.messages.refuse(f"Only {Path(files[0]).name} opens: drop one file at a time.", "file")

    def ask_log(self) -> None:
        """Ask for a recorded log of the arm's joints, and load it."""
        self.ask("Load a log", LOGS, self._session.files.logs.open)

    def show_log(self) -> None:
        """Ask what a log is for."""
        from gui.qt.dialogs.imports.logs import LogSheet

        self._show(LogSheet(self._window, self._session.files.logs))

    def show_robot(self) -> None:
        """Show the report of the open robot's file, or ask which robot of a folder to open."""
        from gui.qt.dialogs.imports.robots import sheet_of

        sheet = sheet_of(self._window, self._session.files.robots)
        if sheet is not None:
            self._show(sheet)

    def open_named(self, name: str) -> None:
        """Open a preset or a lesson by its key, or a file."""
        if is_lesson(name):
            self.open_lesson(name)
        elif is_preset(name):
            self.open_preset(name)
        else:
            self.open(name)

    def ask_open_in_new_window(self) -> None:
        """Ask for a file and open it in a new window."""
        self.ask("Open in new window", _to_open(), open_in_new_window)

    def fill_recent(self, menu: QMenu) -> None:
        """Put the recent files into their menu."""
        menu.clear()
        for file in self._session.settings.recent:
            action = menu.addAction(entry_text(file.name), lambda file=file: self.open(file))
            action.setToolTip(str(file))
            action.setStatusTip(str(file))
            action.setEnabled(file.exists())
        if not self._session.settings.recent:
            menu.addAction("No recent files").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("Clear list", self._session.settings.forget_recent)

    def fill_kept(self, menu: QMenu) -> None:
        """Put changes that a presentation has kept, and recovered work, into their menu."""
        menu.clear()
        for kept, text in self._session.files.kept_by_name:
            menu.addAction(entry_text(text), lambda kept=kept: self.return_to(kept)).setToolTip(text)
        if menu.isEmpty():
            menu.addAction("None").setEnabled(False)

    def return_to(self, kept: KeptChanges) -> None:
        """Open kept changes, after asking about unsaved ones."""
        self.guard(lambda: self._session.files.return_to(kept))

    # -- save ----------------------------------------------------------------------------------------------------------

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save where the scenario was saved last; ask where if that is nowhere. `then` follows a success.

        What is being typed belongs to it; where that is refused (unless it is a view), the keys stay to correct it.
        """
        if not keep_typed():
            return
        if self._session.files.path is None:
            self.ask_save(then)
        else:
            self._end_save(self._session.files.save(), then)

    def ask_save(self, then: Callable[[], object] | None = None) -> None:
        """Ask where, and save there."""
        if not keep_typed():
            return
        name = (
            self._session.files.path.name
            if self._session.files.path
            else f"{self._session.scenario.name or 'scenario'}{SUFFIXES[0]}"
        )

        def chosen(file: Path) -> None:
            self._end_save(self._session.files.save(file), then)

        ask_save(self._window, "Save as", self._folder() / name, TO_SAVE, chosen)

    def _end_save(self, saved: bool, then: Callable[[], object] | None) -> None:
        if not saved:
            leave_sheets(self._window)  # what went wrong stands behind them
        elif then is not None:
            then()

    def guard(self, act: Callable[[], object], comes_along: str = "") -> None:
        """Do something that replaces the open scenario; ask first if that loses unsaved changes, which nobody keeps.

        The sheet from which it was chosen closes as it is done; after *Cancel* it is there as it was.

        Args:
            act: what to do.
            comes_along: the kind of results that are not lost by it.
        """
        self._ask_about_changes(lambda: leave_sheets(self._window, act), comes_along)

    def _ask_about_changes(self, do: Callable[[], object], comes_along: str = "", *, ends: bool = False) -> None:
        keep_typed()
        self._session.history.settle()
        files = self._session.files
        if not (files.must_ask(comes_along) or (ends and files.keeper is None and files.loses_by_quitting)):
            do()
            return
        answers = (("Save", lambda: self.save(do)), ("Don't save", do), ("Cancel", lambda: None))
        self._show(Question(self._window, f"Save the changes to “{files.title}”?", files.loss, answers))

    def guard_end(self, act: Callable[[], object]) -> bool:
        """Ask before the window closes, if that would lose something; whether there is anything to ask."""
        from gui.qt.export.dialog.progress import ExportProgress

        keep_typed()
        self._session.history.settle()
        running = [one.file.name for one in self._window.findChildren(ExportProgress)]
        if running:
            self._show(
                Question(
                    self._window,
                    "Stop the export?" if len(running) == 1 else "Stop the exports?",
                    f"Not finished yet: {', '.join(running)}.",
                    (("Go on exporting", lambda: None), ("Stop and quit", lambda: self.guard_all(act))),
                )
            )
        elif self._session.files.loses_by_quitting or self._session.files.kept:
            self.guard_all(act)
        else:
            return False
        return True

    def guard_all(self, act: Callable[[], object]) -> None:
        """Do something that ends everything; ask about the open scenario first, and then about kept changes.

        Sheets close once both are answered: *Cancel* brings them back from either question.
        """

        def go_on() -> None:
            end = partial(leave_sheets, self._window, act)
            if kept := self._session.files.kept:
                self._show(Question(self._window, *losing(kept), (("Cancel", lambda: None), ("Quit", end))))
            else:
                end()

        self._ask_about_changes(go_on, ends=True)

    # -- recovery ------------------------------------------------------------------------------------------------------

    def offer_recovery(self) -> bool:
        """Ask about what a crashed window left, its work and its log; returns whether there was any.

        A crash is news once: work that is not decided upon is offered again as that of an earlier session.
        """
        found, log = self._session.files.recoverable(), self.crash_log
        crashed = log is not None and bool(log.left or not all(one.offered for one in found))
        if not (found or crashed):
            return False
        self._session.files.ask(*found)
        if log is not None:
            log.offered = True
        keep = (("Save the log…", self._ask_save_log),) if crashed else ()
        if not found:
            self._show(Question(self._window, CRASHED, LOG, (*keep, ("Close", self._forget_log))))
            return True
        lines = ["Unsaved work was recovered. Open it?", *self._session.files.named(found)[:MOST_NAMED]]
        if len(found) > 1:
            lines.append("The first one opens; File > Kept changes has the others.")
        if keep:
            lines.append(f"\n{LOG}")

        def later() -> None:
            self._session.messages.say("The next start offers this work again.")

        self._show(
            Question(
                self._window,
                CRASHED if keep else LEFT,
                "\n".join(lines),
                (
                    ("Open", lambda: self._session.files.recover(*found)),
                    ("Not now", later),
                    ("Discard", lambda: self._session.files.decline(*found)),
                    *keep,
                ),
                otherwise=later,
            )
        )
        return True

    def _ask_save_log(self) -> None:
        """Ask where the log goes, then come back to the recovered work."""
        dialog = ask_save(
            self._window, "Save the log", Path("armstep-log.zip"), {"Zip archive (*.zip)": "zip"}, self.save_log
        )
        dialog.finished.connect(lambda _: self.offer_recovery())

    def save_log(self, file: str | Path) -> None:
        """Write what a crashed window left in its log to a zip; then it counts as seen."""
        if self.crash_log is None:
            return
        messages = self._session.messages
        try:
            self.crash_log.save(Path(file))
        except ArmstepError as problem:
            messages.refuse(str(problem), "file")
            return
        self._forget_log()
        self.crash_log = None  # nobody needs it twice
        messages.say(f"Saved the log: {file}.")

    def _forget_log(self) -> None:
        if self.crash_log is not None:
            self.crash_log.forget()

    def _folder(self) -> Path:
        return folders.beside(self._session.files.path)


def dragged_files(event: QDropEvent) -> list[str]:
    """The files that are dragged, accepted as copies: a program that hears of a move removes its own."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    if files:
        copies = bool(event.possibleActions() & Qt.DropAction.CopyAction)
        event.setDropAction(Qt.DropAction.CopyAction if copies else event.proposedAction())
        event.accept()
    return files


def _to_open() -> str:
    """The kinds of files that open, as a file dialog lists them."""
    from gui.qt.export.inside import kinds_to_open

    return ";;".join(f"{name} ({' '.join(f'*{one}' for one in kind)})" for name, kind in kinds_to_open().items())
