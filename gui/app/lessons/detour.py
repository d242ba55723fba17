"""Whose scenario is shown while a lesson is open: that of one of its scenes, or another one."""

from __future__ import annotations

from gui.app.documents import Document
from gui.app.history import History
from gui.app.session.autosave import KeptChanges, Left
from gui.app.session.file_actions import FileActions
from gui.app.signal import Signal
from robots.scenario.scenario import Scenario


class Detour:
    """Knows of every document that undo and redo lead to what it was opened for; edits belong to what they change.

    Args:
        history: of the documents.
        files: opens them.

    Attributes:
        scene: whose document is shown: the line of a lesson's scene; None for anything else.
        changed: signal `()`: another document is shown, perhaps of another scene; not within `open`.
    """

    def __init__(self, history: History[Document], files: FileActions) -> None:
        self.scene: int | None = None
        self.changed = Signal()
        self._history, self._files = history, files
        self._left: dict[int, Left] = {}
        self._opened_for: int | None = None
        self._opening = False
        # By identity: what a lesson opens may equal what a person opens.
        self._known: dict[int, tuple[Document, int | None]] = {id(one): (one, None) for one in history.values}
        files.opening.connect(self._leave)
        history.changed.connect(self._follow)
        files.opened.connect(self._enter)

    def open(self, scene: int, scenario: Scenario, undo: str, *, as_left: bool = False) -> None:
        """Open a scene's scenario.

        Args:
            scene: its line.
            scenario: as it is at first.
            undo: what undo calls this; if empty, nothing before it can be undone.
            as_left: whether it comes back as it was left: where it was paused, and with changes that were put aside.
        """
        left = self._left.pop(scene, None)
        self._opened_for = scene
        try:
            if as_left and isinstance(left, KeptChanges) and left in self._files.kept:
                self._files.return_to(left)
            elif as_left and left is not None and not isinstance(left, KeptChanges):
                self._files.return_to(left, undo)
            else:
                self._files.adopt(scenario, step=undo)
        finally:
            self._opened_for = None

    def put_aside(self) -> None:
        """Put unsaved changes aside before another scenario opens; those of a scene can come back with it."""
        scene, kept = self.scene, self._files.keep_changes()
        if scene is not None and kept is not None:
            self._left[scene] = kept

    def _leave(self) -> None:
        self._history.settle()  # a pending edit is still of the document before
        if self.scene not in (None, self._opened_for) and not self._files.dirty:
            self._left[self.scene] = self._files.as_it_is()
        self._opening, self.scene = True, self._opened_for

    def _enter(self) -> None:
        self._opening = False
        if self._opened_for is None:
            self.changed.emit()

    def _follow(self) -> None:
        present, kept = self._history.present, self._history.values
        _, self.scene = self._known.get(id(present), (present, self.scene))
        self._known = {id(one): self._known.get(id(one), (one, self.scene)) for one in kept}
        if not self._opening:
            self.changed.emit()
