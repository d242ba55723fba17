"""What of a view is work that a person would miss: undo takes it back, and closing asks to save it."""

from __future__ import annotations

from dataclasses import replace

from assets.fields import Data
from gui.app.documents import Document
from gui.app.history import History
from gui.app.session.view_state import ViewState


class ViewWork:
    """Keeps the key frames and the links between fields alike in the view, which shows them, and in the document."""

    def __init__(self, history: History[Document], view: ViewState) -> None:
        self._history, self._view = history, view
        history.changed.connect(self._show)
        view.changed.connect(self._record)

    def _show(self) -> None:
        document, view = self._history.present, self._view.settings
        moved = key_frames(document) if document.camera_keys != view.camera_keys else {}
        if moved or document.links != view.links:
            self._view.set(links=document.links, **moved)

    def _record(self) -> None:
        document, view = self._history.present, self._view.settings
        if view.camera_keys != document.camera_keys:
            document = replace(document, camera_keys=view.camera_keys, camera_path=view.camera_path)
        document = replace(document, links=view.links)
        if document != self._history.present:
            self._history.record(document, _change(self._history.present, document))


def _change(before: Document, after: Document) -> str:
    """What Undo calls it."""
    if before.links != after.links:
        return "separated fields" if _linked(after) < _linked(before) else "linked fields"
    return "key frame removed" if len(after.camera_keys) < len(before.camera_keys) else "key frame"


def _linked(document: Document) -> int:
    """How many fields have the value of another one."""
    return sum(len(group.split()) for group in document.links)


def key_frames(document: Document) -> Data:
    """What a view shows of the document's key frames."""
    return {"camera_keys": document.camera_keys, "camera_path": document.camera_path}
