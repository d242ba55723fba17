"""Preparation in the window: kernels compile in the background, and a run waits for its own."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assets.errors import ArmstepError
from gui.app.jobs import Cancel, Dispatch
from gui.app.signal import Signal
from gui.app.units import duration

if TYPE_CHECKING:
    from robots.model.shapes import Pose
    from robots.preparation.batches import Batch
    from robots.preparation.record import Record
    from robots.preparation.team import Team, TeamProgress
    from robots.scenario.scenario import Scenario

LOOK = 0.25
"""How often a waiting run checks whether its kernels are ready [s]."""


class Preparing:
    """Compiles kernels in the background and says in words how far it is.

    Args:
        dispatch: calls a function in the window's thread; None prepares nothing, and no run waits.
        folder: of the record of ready kernels; the user's cache folder if None.

    Attributes:
        changed: signal `()`: `progress` or `awaited` changed.
        progress: for the status bar; empty when everything is ready.
        awaited: what the current run waits for; empty if it does not wait.
        standing: the scenario that waits, and how its arm stands at first; None until that is known.
    """

    def __init__(self, dispatch: Dispatch | None = None, folder: Path | None = None) -> None:
        self.changed = Signal()
        self.progress = self.awaited = ""
        self.standing: tuple[Scenario, Pose] | None = None
        self._waits: Scenario | None = None
        self._dispatch, self._folder = dispatch, folder
        self._lock = threading.Lock()
        self._team: Team | None = None
        self._closed = False

    def start(self) -> None:
        """Prepare everything that is not ready; returns at once."""
        if self._dispatch is not None:
            threading.Thread(target=self._begun, name="armstep-preparing", daemon=True).start()

    def wait_for(self, scenario: Scenario, methods: Sequence[str], cancel: Cancel) -> None:
        """Return when the scenario's robot is ready for these methods. Called in a worker's thread.

        Raises:
            ArmstepError: the run was cancelled, or the window closed, before that.
        """
        if self._dispatch is None:
            return
        from robots.preparation.batches import batch_of

        wanted = {batch_of(scenario.robot, method) for method in methods}
        if self._team is None and wanted <= self._record().ready(wanted):
            return  # `start` prepares the rest
        team = self._begun()
        for batch in wanted:
            if not team.lacks(batch):
                continue
            team.hurry(batch)
            self._await(team, batch, scenario, cancel)

    def close(self) -> None:
        """Stop compiling; the next start continues."""
        with self._lock:
            self._closed = True
            if self._team is not None:
                self._team.close()

    def _await(self, team: Team, batch: Batch, scenario: Scenario, cancel: Cancel) -> None:
        from robots.model.registry import robot_of

        self._waits = scenario
        threading.Thread(target=self._stand, args=(scenario,), daemon=True).start()
        title = robot_of(scenario).title
        try:
            while not team.wait(batch, LOOK):
                left = team.seconds_left(batch)
                self._say(awaited=f"{title}: " + (f"about {duration(left)}" if left > 1.0 else "nearly done"))
                if cancel():
                    raise ArmstepError("Stopped before its kernels were compiled.")
            if self._closed:
                raise ArmstepError("The window was closed before its kernels were compiled.")
        finally:
            self._waits = None
            self._say(awaited="")

    def _stand(self, scenario: Scenario) -> None:
        """Let the arm be shown before it can move."""
        from robots.preparation.first_pose import first_pose

        pose = first_pose(scenario, lambda: self._closed or self._waits is not scenario)

        def show() -> None:
            if pose is not None and self._waits is scenario:
                self.standing = scenario, pose
                self.changed.emit()

        if self._dispatch is not None and not self._closed:
            self._dispatch(show)

    def _record(self) -> Record:
        from robots.preparation.record import Record

        return Record(self._folder)

    def _begun(self) -> Team:
        with self._lock:
            if self._team is None:
                from robots.preparation.team import Team

                count = max((os.cpu_count() or 2) // 2, 1)
                self._team = Team(self._record(), processes=count, low=True, report=self._report)
                if self._closed:
                    self._team.close()
                else:
                    self._report(self._team.progress())
                    self._team.start()
            return self._team

    def _report(self, now: TeamProgress) -> None:
        text = f"Preparing all robots: {now.share:.0%}"
        if now.seconds_left is not None:
            text += f", about {duration(now.seconds_left)}"
        self._say(progress="" if now.share >= 1.0 else text)
        if now.share >= 1.0 and now.trouble:
            logging.getLogger(__name__).warning("compiled when first used: %s", "; ".join(now.trouble))

    def _say(self, **texts: str) -> None:
        def say() -> None:
            if any(getattr(self, name) != text for name, text in texts.items()):
                for name, text in texts.items():
                    setattr(self, name, text)
                if not self.awaited:
                    self.standing = None
                self.changed.emit()

        if self._dispatch is not None and not self._closed:
            self._dispatch(say)
