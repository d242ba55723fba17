"""Pull the arm with the mouse while it plays."""

from __future__ import annotations

from dataclasses import replace

from assets.errors import ArmstepError
from gui.app.documents import Document
from gui.app.forks import DragPath, Point
from gui.app.history import History
from gui.app.playback import Playback
from gui.app.runs import Runs
from gui.app.session.messages import Messages
from gui.app.signal import Signal
from robots.scenario.scenario import Scenario

OUTSIDE = "Only a part of the run is played. Move the playhead into that part, or play the whole run, to pull the arm."


class DragForce:
    """A spring between a link and the mouse; one drag is one undo step.

    It ends when something else is edited, undone or opened.

    Attributes:
        ended: signal `()`: the link was let go.
    """

    def __init__(self, history: History[Document], playback: Playback, runs: Runs, messages: Messages) -> None:
        self._history, self._playback, self._runs, self._messages = history, playback, runs, messages
        self._path: DragPath | None = None
        self.ended = Signal()
        history.settling.connect(self.end)

    @property
    def active(self) -> bool:
        """Whether a link is being pulled."""
        return self._path is not None

    def begin(self, link: int, point: Point, target: Point) -> bool:
        """Take hold of `link` at `point` (in its frame) with the mouse at `target` (in the world) [m], and play.

        False if the arm cannot be pulled there, or now; the notice says why.
        """
        self.end()
        scenario, at = self._history.present.scenario, self._playback.t
        if at >= scenario.duration or self._runs.current.over_at(at):
            self._messages.say("The run ends here. Go back in time to pull the arm.")
            return False
        first, last = self._playback.range
        if not first <= at < last:
            self._messages.say(OUTSIDE)
            return False
        path = DragPath(scenario, link, point, at, target)
        try:
            held = path.held()
        except ArmstepError as refusal:
            self._messages.refuse(str(refusal), "pull")
            return False
        self._messages.solved("pull")
        self._history.begin_gesture()
        self._record(held)
        self._path = path
        self._playback.play()
        return True

    def move(self, target: Point) -> None:
        """The mouse is now at `target` [m] (world); the run from the playhead on follows.

        If the playhead went back (a loop, a click on the timeline), the drag ends.
        """
        path = self._path
        if path is None:
            return
        if self._playback.t < path.latest:
            self.end()
            return
        path.move(self._playback.t, target)
        try:
            scenario = path.held()
        except ArmstepError as refusal:
            self.end()
            self._messages.say(str(refusal))
            return
        self._record(scenario)

    def end(self) -> None:
        """Let go. The pull stays as a segment of the scenario, one undo step."""
        path, self._path = self._path, None
        if path is not None:
            self._record(path.released())
            self._history.end_gesture()
            self.ended.emit()

    def _record(self, scenario: Scenario) -> None:
        document = self._history.present
        if scenario != document.scenario:
            self._history.record(replace(document, scenario=scenario), "pull")
