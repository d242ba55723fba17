"""Robots from files: the choice in a folder, the folder of meshes, the report and the repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from assets.counting import counted
from assets.errors import ArmstepError
from gui.app.documents import Document
from gui.app.history import History
from gui.app.signal import Signal
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.files.folder import Place
    from robots.files.report import RobotFile
    from robots.model.tree import Tree


@dataclass(frozen=True, slots=True)
class ImportedRobot:
    """A robot read from a file.

    Attributes:
        file: the file, folder or zip that was opened.
        place: where the robot is in it; None for a saved scenario.
        found: the arm and the report.
        mended: the repaired arm; None if it needs no repair.
        arguments: values of a xacro file's arguments.
    """

    file: Path
    place: Place | None
    found: RobotFile
    mended: Tree | None
    arguments: Mapping[str, str] = field(default_factory=dict)

    @property
    def doubtful(self) -> bool:
        """Whether the report should open by itself."""
        return bool(self.found.missing or self.found.suspicious or self.found.impossible)


class RobotImport:
    """Opens robot files.

    Args:
        history: the documents; a repair is one step of it.
        adopt: opens a scenario.
        refuse: shows why a file cannot be opened; returns False.

    Attributes:
        file: the file, folder or zip that was opened last.
        choices: the robots in it, while the user must choose one.
        arguments: those of a xacro file with their defaults, while the user must give them.
        typed: what the user gave for them, if the file refused it.
        refusal: why the file refused it.
        asking: signal `()`: show the choices, the arguments or the report.
    """

    def __init__(
        self, history: History[Document], adopt: Callable[[Scenario, str], object], refuse: Callable[[str], bool]
    ) -> None:
        self.file = Path()
        self.choices: tuple[Place, ...] = ()
        self.arguments: dict[str, str | None] = {}
        self.typed: Mapping[str, str] = {}
        self.refusal = ""
        self._place: Place | None = None
        self._given: Mapping[str, str] | None = None
        self.asking = Signal()
        self._imported: ImportedRobot | None = None
        self._history, self._adopt, self._refuse = history, adopt, refuse

    @property
    def imported(self) -> ImportedRobot | None:
        """The open robot with its report, for a saved scenario made from its model; None if unknown."""
        known = self._imported
        model = self._history.present.scenario.model
        if model is None or (known is not None and model in (known.found.tree, known.mended)):
            return known if model is not None else None
        from robots.files.report import Remark, RobotFile
        from robots.model.repair import repaired

        if not (fault := model.fault()):
            return None
        return ImportedRobot(Path(), None, RobotFile(model, impossible=(Remark(0, fault),)), repaired(model))

    @property
    def remark(self) -> str:
        """That entries of the open robot's file have no effect here, and that it has no tool frame; else empty."""
        if self.imported is None:
            return ""
        count = len(self.imported.found.ignored)
        entries = f"{counted(count, 'entry', 'entries')} of its file {'is' if count == 1 else 'are'}"
        left_out = f"{entries} left out: see File > Robot report." if count else ""
        return " ".join(filter(None, (left_out, self.imported.found.tip)))

    @property
    def waiting(self) -> bool:
        """Whether the user must choose something or should see the report first."""
        return bool(self.choices or self.arguments) or (self.imported is not None and self.imported.doubtful)

    @property
    def repairable(self) -> bool:
        """Whether the open robot moves by kinematics only, and a repair would give it dynamics."""
        model = self._history.present.scenario.model
        return model is not None and bool(model.fault())

    def open(self, file: Path, folder: Path | None = None, arguments: Mapping[str, str] | None = None) -> bool:
        """Open the robot in a file, folder or zip; ask which one if there are several.

        Args:
            file: the file, folder or zip.
            folder: where the meshes of a robot file are, if not beside it.
            arguments: of a xacro file; if None, the user is asked for them.
        """
        from robots.files.reading import places_of

        self.file, self.choices, self.arguments, self._given = file, (), {}, arguments
        try:
            places = places_of(file, folder)
        except (ArmstepError, OSError) as problem:
            return self._refuse(str(problem))
        if len(places) > 1:
            self.choices = places
            self.asking.emit()
            return True
        return self.choose(next(iter(places)))

    def choose(self, place: Place) -> bool:
        """Open the robot at a place; ask for the arguments of a xacro file."""
        from robots.files.reading import arguments_at

        self.choices = ()
        if self._given is not None:
            return self._take(place, self._given)
        try:
            self.arguments = arguments_at(place)
        except (ArmstepError, OSError) as problem:
            return self._refuse(str(problem))
        if not self.arguments:
            return self._take(place, {})
        self._place, self.typed, self.refusal = place, {}, ""
        self.asking.emit()
        return True

    def give(self, arguments: Mapping[str, str]) -> bool:
        """Open the waiting robot with these arguments, or ask again; those left out keep their defaults."""
        asked, self.arguments = self.arguments, {}
        if self._place is None or self._take(self._place, arguments):
            return self._place is not None
        self.arguments, self.typed = asked, arguments
        self.asking.emit()
        return False

    def show_report(self) -> None:
        """Show the report of the open robot; a question about another one ends."""
        self.choices, self.arguments = (), {}
        self.asking.emit()

    def _take(self, place: Place, arguments: Mapping[str, str]) -> bool:
        from robots.files.reading import read_place, scenario_from
        from robots.model.repair import repaired

        try:
            found = read_place(place, arguments)
        except (ArmstepError, OSError) as problem:
            self.refusal = str(problem)
            return self._refuse(self.refusal)
        mended = repaired(found.tree) if found.tree.fault() else None
        self._imported = ImportedRobot(self.file, place, found, mended, arguments)
        name = place.file or self.file.name
        self._adopt(scenario_from(found, name), name)
        if self.waiting:
            self.asking.emit()
        return True

    def look_in(self, folder: Path) -> bool:
        """Open the robot again, with its meshes from another folder."""
        from robots.files.folder import DiskFolder

        known = self.imported
        if known is None or known.place is None:
            return False
        return self._take(replace(known.place, meshes=DiskFolder(folder)), known.arguments)

    def repair(self) -> None:
        """Replace impossible masses and inertias of the open robot, as one step to undo."""
        from robots.model.repair import repaired

        document = self._history.present
        model = document.scenario.model
        if model is None or not model.fault():
            return
        scenario = replace(document.scenario, model=repaired(model), task={})
        self._history.record(replace(document, scenario=scenario), "repair of the robot")
