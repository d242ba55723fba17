"""Recorded logs: which file, what it is for, and the unit of its angles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assets.counting import counted
from assets.errors import ArmstepError
from gui.app.documents import Document, Tag
from gui.app.history import History
from gui.app.session.messages import Messages
from gui.app.signal import Signal
from gui.app.units import with_unit
from robots.model.registry import robot_of

if TYPE_CHECKING:
    from robots.dynamics.tree.log import Joints, Log
    from robots.scenario.scenario import Scenario

SUFFIX = ".csv"

_SAID = {
    "follow": "the arm follows it",
    "torques": "its torques move the arm",
    "ghost": "it is shown beside the run, and the plot Error has how far runs are from it",
}


def is_log(file: Path) -> bool:
    """Whether a file is a table without a scenario, which Armstep's own tables have beside them."""
    return file.suffix.lower() == SUFFIX and not file.with_name(f"{file.name}.json").exists()


class LogImport:
    """Loads logs for the open arm.

    Args:
        history: the documents; a log is one step of it.
        messages: where refusals appear.
        new_id: gives the next row's id.

    Attributes:
        file: the log that was opened last.
        asks_unit: whether its angles name no unit.
        wanted: signal `()`: a person wants to choose a file.
        asking: signal `()`: show what the log is for.
    """

    def __init__(self, history: History[Document], messages: Messages, new_id: Callable[[], int]) -> None:
        self.file, self.asks_unit = Path(), False
        self.wanted, self.asking = Signal(), Signal()
        self._history, self._messages, self._new_id = history, messages, new_id
        self._text = ""
        self._joints: Joints = ()
        self._asked_of: Scenario | None = None
        self._able = False

    @property
    def able(self) -> bool:
        """Whether the open robot takes logs; it is asked at each edit, of which few change the robot."""
        scenario = self._history.present.scenario
        if self._asked_of is None or not self._asked_of.same_robot(scenario):
            self._asked_of = scenario
            robot = robot_of(replace(scenario, task={}, initial={}, segments=()))
            self._able = any(field.key == "log" for field in robot.task)
        return self._able

    def open(self, file: Path) -> bool:
        """Read a log and ask what it is for; False if it cannot be read."""
        from robots.dynamics.tree.log import unnamed_angles
        from robots.scenario.logs import joints_for_log, log_text

        try:
            self._joints = joints_for_log(self._history.present.scenario)
            self._text, self.file = log_text(file), file
            self.asks_unit = unnamed_angles(self._text, self._joints, file.name)
            self.read("rad")
        except ArmstepError as problem:
            return self._refused(problem)
        self.asking.emit()
        return True

    def read(self, angles: str) -> Log:
        """The log, its unnamed angles in `rad` or `deg`; raises BadInput if it cannot be read."""
        from robots.dynamics.tree.log import read_log

        return read_log(self._text, self._joints, angles, self.file.name)

    def summary(self) -> str:
        """What the log has, as sentences."""
        log = self.read("rad")
        names = [name for name, _ in self._joints]
        said = [f"{counted(len(log.times), 'row')}, {with_unit(f'{log.times[-1]:.6g}', 's')}."]
        for letter, what, one, rest in (
            ("q", "positions", "stays where it starts", "stay where they start"),
            ("u", "torques", "has no torque", "have no torque"),
        ):
            if not log.has(letter):
                continue
            lacking = [name for k, name in enumerate(names, 1) if f"{letter}{k}" not in log.columns]
            count = f"{len(names) - len(lacking)} of {counted(len(names), 'joint')}"
            end = f"; {', '.join(lacking)} {one if len(lacking) == 1 else rest}" if lacking else ""
            said.append(f"{what.capitalize()} of {count}{end}.")
        if log.ignored:
            said.append(f"Left out: {', '.join(log.ignored)}.")
        return " ".join(said)

    def uses(self) -> tuple[str, ...]:
        """What the log can be for, the usual use first."""
        from robots.scenario.logs import uses_of

        return uses_of(self.read("rad"))

    def take(self, use: str, angles: str = "rad") -> bool:
        """Use the log that was opened, as one step to undo; False if that is refused."""
        from robots.scenario.logs import ghost_of, with_log

        document = self._history.present
        try:
            log = self.read(angles)
            if use == "ghost":
                ghost, tag = ghost_of(document.scenario, log), Tag(self.file.stem)
                changed = document.with_pin(ghost, self._new_id(), tag=tag)
            else:
                changed = replace(document, scenario=with_log(document.scenario, log, use))
        except ArmstepError as problem:
            return self._refused(problem)
        self._messages.solved("file")
        said = self._messages.next_remark = f"{self.file.name} is loaded: {_SAID[use]}."
        self._history.record(changed, f"log {self.file.name}")
        self._messages.say(said)
        return True

    def _refused(self, problem: ArmstepError) -> bool:
        self._messages.refuse(str(problem), "file")
        return False
