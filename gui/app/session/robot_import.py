"""Robots from files: which one of a folder, where its meshes are, what was found, and its repair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from assets.errors import ArmstepError
from gui.app.documents import Document
from gui.app.history import History
from gui.app.signal import Signal
from robots.files.folder import DiskFolder, Place
from robots.files.reading import places_of, read_place, scenario_from
from robots.files.report import Remark, RobotFile
from robots.model.repair import repaired
from robots.model.tree import Tree
from robots.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class ImportedRobot:
    """A robot that was read.

    Attributes:
        file: what the person opened.
        place: where the robot is in it; None of a scenario that was saved.
        found: the arm, and the report.
        mended: the arm after a repair; None where it needs none.
    """

    file: Path
    place: Place | None
    found: RobotFile
    mended: Tree | None

    @property
    def doubtful(self) -> bool:
        """Whether the report has something that a person should see before anything else."""
        return bool(self.found.missing or self.found.suspicious or self.found.impossible)


class RobotImport:
    """Opens robot files.

    Args:
        history: the documents; a repair is one step of it.
        adopt: opens a scenario.
        refuse: shows why a file cannot be opened; returns False.

    Attributes:
        file: what the person opened last.
        choices: the robots in it, while a person has to choose one.
        asking: signal `()`: `choices` or the report want to be shown.
    """

    def __init__(
        self, history: History[Document], adopt: Callable[[Scenario], object], refuse: Callable[[str], bool]
    ) -> None:
        self.file = Path()
        self.choices: tuple[Place, ...] = ()
        self.asking = Signal()
        self._imported: ImportedRobot | None = None
        self._history, self._adopt, self._refuse = history, adopt, refuse

    @property
    def imported(self) -> ImportedRobot | None:
        """The open robot with its report; of a saved scenario what its model says; None where nothing is known."""
        known = self._imported
        model = self._history.present.scenario.model
        if model is None or (known is not None and model in (known.found.tree, known.mended)):
            return known if model is not None else None
        if not (fault := model.fault()):
            return None
        return ImportedRobot(Path(), None, RobotFile(model, impossible=(Remark(0, fault),)), repaired(model))

    @property
    def waiting(self) -> bool:
        """Whether there is something to ask, or to show before anything else."""
        return bool(self.choices) or (self.imported is not None and self.imported.doubtful)

    @property
    def repairable(self) -> bool:
        """Whether the open robot moves by kinematics only, and a repair would give it dynamics."""
        model = self._history.present.scenario.model
        return model is not None and bool(model.fault())

    def open(self, file: Path) -> bool:
        """Open the robot in a file, folder or zip; ask which where there are several."""
        self.file, self.choices = file, ()
        try:
            places = places_of(file)
        except (ArmstepError, OSError) as problem:
            return self._refuse(str(problem))
        if len(places) > 1:
            self.choices = places
            self.asking.emit()
            return True
        return self.take(next(iter(places)))

    def take(self, place: Place) -> bool:
        """Open the robot at a place."""
        self.choices = ()
        try:
            found = read_place(place)
        except (ArmstepError, OSError) as problem:
            return self._refuse(str(problem))
        name = place.file if place.file else self.file.name
        self._imported = ImportedRobot(self.file, place, found, repaired(found.tree) if found.tree.fault() else None)
        self._adopt(scenario_from(found, name))
        if self.waiting:
            self.asking.emit()
        return True

    def look_in(self, folder: Path) -> bool:
        """Open the robot again, with its meshes from another folder."""
        known = self.imported
        if known is None or known.place is None:
            return False
        return self.take(replace(known.place, meshes=DiskFolder(folder)))

    def repair(self) -> None:
        """Give the open robot masses and inertias that can be, as one step that can be undone."""
        document = self._history.present
        model = document.scenario.model
        if model is None or not model.fault():
            return
        scenario = replace(document.scenario, model=repaired(model), task={})
        self._history.record(replace(document, scenario=scenario), "repair of masses and inertias")
