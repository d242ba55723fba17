"""Watches the open lesson's file: saving it shows the change at once."""

from __future__ import annotations

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from gui.app.lessons.player import LessonPlayer
from gui.qt.window.bridge import subscribe

QUIET_MS = 120
"""Editors write a file in several steps, or put another one in its place."""


class LessonWatch(QObject):
    """Reads the lesson again when its file, one that it uses, or what is in its folder has changed."""

    def __init__(self, player: LessonPlayer, parent: QObject) -> None:
        super().__init__(parent)
        self._player = player
        self._watcher = QFileSystemWatcher(self)
        self._later = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._later.timeout.connect(self._read)
        self._watcher.fileChanged.connect(lambda _: self._later.start())
        self._watcher.directoryChanged.connect(lambda _: self._later.start())
        subscribe(self, player.changed, self._follow)
        self._follow()

    def _read(self) -> None:
        self._player.reload()
        self._follow()

    def _follow(self) -> None:
        path, lesson = self._player.path, self._player.course.lesson
        used = () if path is None or lesson is None else [path.parent / name for name in lesson.files]
        wanted = [] if path is None else [str(one) for one in (path, path.parent, *used) if one.exists()]
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if gone := [one for one in watched if one not in wanted]:
            self._watcher.removePaths(gone)
        if new := [one for one in wanted if one not in watched]:
            self._watcher.addPaths(new)
