"""Pull the arm by hand while it plays."""

from __future__ import annotations

from assets.errors import ArmstepError
from gui.app import forks
from gui.app.session.core import Core


class Pulling(Core):
    """The verbs of the hand that takes hold of a link, and the gestures that it shares with sliders."""

    def begin_gesture(self) -> None:
        """Merge the following edits (a slider that is dragged) into one undo step."""
        self._history.begin_gesture()
        self._fork_time = self.playback.t

    def end_gesture(self) -> None:
        """The slider was let go."""
        self._history.end_gesture()
        self._fork_time = None
        self.history_changed.emit()
        self.file_changed.emit()

    def pull_begin(self, link: int, point: forks.Point, target: forks.Point) -> bool:
        """Take hold of `link` at `point` (in its frame) with the hand at `target` (in the world) [m], and play.

        False if the arm cannot be pulled there, or now; the notice says why.
        """
        self.pull_end()
        at = self.playback.t
        if at >= self.scenario.duration:
            self._say("At the end of the run there is nothing left to pull: go back first.")
            return False
        hand = forks.Hand(self.scenario, link, point, at, target)
        self.begin_gesture()
        if not self._try({"pull": None}, lambda: (hand.held(), ""), "pull"):
            self.end_gesture()
            return False
        self._hand = hand
        self.playback.play()
        return True

    def pull_move(self, target: forks.Point) -> None:
        """The hand is now at `target` [m] (world); the run from the playhead on follows.

        Where the playhead went back (a loop, a click on the timeline) the hand lets go.
        """
        hand = self._hand
        if hand is None:
            return
        if self.playback.t < hand.latest:
            self.pull_end()
            return
        hand.move(self.playback.t, target)
        try:
            scenario = hand.held()
        except ArmstepError as refusal:
            self.pull_end()
            self._say(str(refusal))
            return
        self._edited(scenario, "pull")

    def pull_end(self) -> None:
        """Let go. The pull stays as a segment of the scenario, one undo step."""
        hand, self._hand = self._hand, None
        if hand is not None:
            self._edited(hand.released(), "pull")
            self.end_gesture()
