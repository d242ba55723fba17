"""What of a view is work that a person would miss: undo takes it back, and closing asks to save it."""

from __future__ import annotations

from dataclasses import replace

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
        keys = document.camera_keys
        if keys != view.camera_keys:
            self._view.set(links=document.links, camera_keys=keys, camera_path=len(keys) > 1)
        else:
            self._view.set(links=document.links)

    def _record(self) -> None:
        document, view = self._history.present, self._view.settings
        viewed = replace(document, camera_keys=view.camera_keys, links=view.links)
        if viewed != document:
            self._history.record(viewed, "linked fields" if viewed.links != document.links else "key frame")
