"""What commands work on: the session, and the parts of the window that they use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from gui.app.session.session import Session
from gui.qt.dialogs.sheets import Sheet
from gui.qt.viewport.viewport import Viewport
from gui.qt.window.files import Files
from gui.qt.window.messages import Banner


@dataclass(frozen=True, slots=True)
class Workbench:
    """The parts of one window.

    Attributes:
        window: the parent of dialogs.
        session: the application's state.
        viewport: the 3D view; None without OpenGL.
        files: open and save with their questions.
        banner: where a command reports.
        show_sheet: shows a sheet in place of the one that is open.
    """

    window: QMainWindow
    session: Session
    viewport: Callable[[], Viewport | None]
    files: Files
    banner: Banner
    show_sheet: Callable[[Sheet], None]

    def inform(self, text: str) -> None:
        """Report what was done."""
        self.banner.say(text, trouble=False)

    def set_full_screen(self, full: bool) -> None:
        """Use the whole screen, or not."""
        state, whole = self.window.windowState(), Qt.WindowState.WindowFullScreen
        self.window.setWindowState(state | whole if full else state & ~whole)
