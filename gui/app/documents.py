"""What the window keeps in a scenario file: the scenario, the pinned runs beside it, and the view."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from assets.errors import ArmstepError, BadInput
from assets.fields import Data, Values
from gui.app.view import ViewSettings
from gui.charts.colours import colour_of, dash_of
from robots.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Tag:
    """The name and the note that a person gives a run, and how that was integrated when named; all may be empty."""

    name: str = ""
    note: str = ""
    given: str = ""

    @classmethod
    def read(cls, entry: object) -> Tag:
        """The tag in an object of a file; values that are not text are left out."""
        given = entry if isinstance(entry, Mapping) else {}
        texts = {key: value for key in ("name", "note", "given") if isinstance(value := given.get(key), str)}
        return cls(**texts)

    def to_data(self) -> dict[str, str]:
        """The tag as a file stores it, without empty texts."""
        return {key: text for key in ("name", "note", "given") if (text := getattr(self, key))}


UNTAGGED = Tag()


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned run: the id of its row, its scenario, its position in the list of colours, and its tag."""

    id: int
    scenario: Scenario
    slot: int
    tag: Tag = UNTAGGED


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool has found.

    Attributes:
        kind: which tool's it is.
        name: what a person calls it; unique among those of its kind.
        data: what the tool made of it, as JSON values; only the tool reads it.
        automatic: it came by itself, so closing the document does not ask to save it.
    """

    kind: str
    name: str
    data: Values
    automatic: bool = False

    @classmethod
    def read(cls, entry: object) -> Result:
        """A result from a file. Raises BadInput if it is not a result."""
        given = entry if isinstance(entry, Mapping) else {}
        kind, name, data = (given.get(key) for key in ("kind", "name", "data"))
        if not (isinstance(kind, str) and isinstance(name, str) and isinstance(data, Mapping)):
            raise BadInput("result", entry, "an object with texts 'kind' and 'name' and an object 'data'")
        return cls(kind, name, data)

    def to_data(self) -> Data:
        """As a file has it."""
        return {"kind": self.kind, "name": self.name, "data": self.data}


MOST_SLOTS = 20
"""After this many positions every pair of colour and dash has been used: the table takes no more runs at once."""


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that undo restores.

    Attributes:
        scenario: the edited one.
        pins: the pinned runs.
        results: of tools.
        tag: of the edited scenario's run.
        camera_keys, camera_path: the camera's key frames, as `ViewSettings` has them, and whether it flew along them
            when they were set.
        links: the fields that keep one value, as `ViewSettings` has them.
    """

    scenario: Scenario
    pins: tuple[Pin, ...] = ()
    results: tuple[Result, ...] = ()
    tag: Tag = UNTAGGED
    camera_keys: tuple[Values, ...] = ()
    camera_path: bool = False
    links: tuple[str, ...] = ()

    def editing(self, scenario: Scenario) -> Document:
        """A copy that edits `scenario`; key frames are places around one robot."""
        if scenario.same_robot(self.scenario):
            return replace(self, scenario=scenario)
        return replace(self, scenario=scenario, camera_keys=(), camera_path=False)

    def with_pin(
        self, scenario: Scenario, pin_id: int, *, slot: int = 0, tag: Tag = UNTAGGED, after: int | None = None
    ) -> Document:
        """A copy with one more pinned run.

        Args:
            scenario, pin_id, tag: of the new run.
            slot: its position in the list of colours; the first free one if that is taken or below 1.
            after: the id of the pinned run that it follows; None for the end.
        """
        taken = {pin.slot for pin in self.pins}
        found = slot if slot >= 1 and slot not in taken else self._free_slots()[0]
        places = [place for place, pin in enumerate(self.pins, 1) if pin.id == after] or [len(self.pins)]
        pin = Pin(pin_id, scenario, found, tag)
        return replace(self, pins=(*self.pins[: places[0]], pin, *self.pins[places[0] :]))

    def without_pin(self, pin_id: int) -> Document:
        """A copy without that pinned run."""
        return replace(self, pins=tuple(pin for pin in self.pins if pin.id != pin_id))

    def find_pin(self, pin_id: int) -> Pin | None:
        """The pinned run with this id; None if there is no such run."""
        return next((pin for pin in self.pins if pin.id == pin_id), None)

    def swapped(self, changed: Pin) -> Document:
        """A copy in which `changed` replaces the pinned run with its id."""
        return replace(self, pins=tuple(changed if pin.id == changed.id else pin for pin in self.pins))

    def with_tag(self, row_id: int, tag: Tag) -> Document:
        """A copy with this tag for a pinned run; for any other id, for the current run."""
        pin = self.find_pin(row_id)
        return replace(self, tag=tag) if pin is None else self.swapped(replace(pin, tag=tag))

    def coloured(self, pin_id: int, colour: str) -> Document:
        """A copy in which a pinned run has this colour; its dash changes if another run has both."""
        pin = self.find_pin(pin_id)
        if pin is None or colour_of(pin.slot) == colour:
            return self
        able = [slot for slot in self._free_slots(MOST_SLOTS) if colour_of(slot) == colour]
        alike = [slot for slot in able if dash_of(slot) == dash_of(pin.slot)]
        found = [*alike, *able]
        return self.swapped(replace(pin, slot=found[0])) if found else self

    def without_results(self, kind: str) -> Document:
        """A copy without the results of one tool, and without those that came by themselves."""
        left = tuple(result for result in self.results if result.kind != kind and not result.automatic)
        return replace(self, results=left)

    def lasting(self, before: float) -> Document:
        """A copy in which the pinned runs that last `before` [s] last as long as the edited scenario, if they can."""
        pins, duration = [], self.scenario.duration
        for pin in self.pins:
            with suppress(ArmstepError):
                if pin.scenario.duration == before:
                    pin = replace(pin, scenario=pin.scenario.with_value("duration", duration))
            pins.append(pin)
        return replace(self, pins=tuple(pins))

    def _free_slots(self, more: int = 1) -> list[int]:
        """Positions in the list of colours that no pinned run has, followed by as many beyond the last one."""
        taken = {pin.slot for pin in self.pins}
        return [slot for slot in range(1, max(taken, default=0) + more + 1) if slot not in taken]


RUN = "run"
"""Where a file's view has the current run's name and note."""


def to_scenario(document: Document, view: Values) -> Scenario:
    """The scenario with the pinned runs, the results and the view (JSON values): this is what is saved."""
    pins = tuple(
        {"slot": pin.slot, **pin.tag.to_data(), "scenario": json.loads(pin.scenario.alone().to_json())}
        for pin in document.pins
    )
    results = tuple(result.to_data() for result in document.results)
    scenario = tagged(document.scenario, document.tag)
    return replace(scenario, view={**scenario.view, **view}, pins=pins, results=results)


def tagged(scenario: Scenario, tag: Tag, slot: int = 0) -> Scenario:
    """The scenario with its run's tag in its view and, if not 0, its position in the list of colours."""
    said = {**tag.to_data(), **({"slot": slot} if slot else {})}
    return replace(scenario, view={**scenario.view, RUN: said}) if said else scenario


def side_by_side(scenario: Scenario, *others: Scenario) -> Scenario:
    """The scenario with `others` pinned beside it, each with the tag that `tagged` gave it."""
    pins = ({**_said(one), "scenario": json.loads(one.alone().to_json())} for one in others)
    return replace(scenario, pins=tuple(pins)) if others else scenario


def _said(scenario: Scenario) -> Data:
    said = scenario.view.get(RUN)
    return dict(said) if isinstance(said, Mapping) else {}


def from_scenario(
    scenario: Scenario, view: ViewSettings, new_id: Callable[[], int]
) -> tuple[Document, ViewSettings, list[str]]:
    """The document and the view that `to_scenario` made, and what was not understood, as sentences.

    Args:
        scenario: as it was read; its `view` may be anyone's.
        view: what a view that says nothing leaves as it is.
        new_id: gives the next pinned row's id.
    """
    document, troubles = Document(scenario.alone(), tag=Tag.read(scenario.view.get(RUN))), []
    for entry in scenario.pins:
        try:
            pinned, slot = _pinned(document.scenario, entry), entry.get("slot", 0)
            document = document.with_pin(
                pinned, new_id(), slot=slot if isinstance(slot, int) else 0, tag=Tag.read(entry)
            )
        except (ArmstepError, KeyError, TypeError, ValueError) as error:
            troubles.append(f"A pinned run in the file could not be read and was left out: {error}.")
    for entry in scenario.results:
        try:
            document = replace(document, results=(*document.results, Result.read(entry)))
        except BadInput as error:
            troubles.append(f"A result in the file could not be read and was left out: {error}.")
    view = view.with_mapping(scenario.view)
    looks = {name: getattr(view, name) for name in ("camera_keys", "camera_path", "links")}
    return replace(document, **looks), view, troubles


def _pinned(scenario: Scenario, entry: Values) -> Scenario:
    """A pinned run of a file: a scenario of its own, or `changes` of the one that is edited."""
    if "changes" in entry:
        return scenario.with_values(dict(entry["changes"]))
    return Scenario.from_json(json.dumps(entry["scenario"])).alone()


SUFFIXES = (".armstep", ".json")
"""How scenario files end; both hold JSON, and the first is what new files get."""


def looks_like_scenario(file: Path) -> bool:
    """Whether a file has a scenario's suffix, starts like JSON, or cannot be opened."""
    if file.is_dir() or file.suffix.lower() in SUFFIXES:
        return not file.is_dir()
    try:
        with file.open("rb") as stream:
            return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    except OSError:
        return True
