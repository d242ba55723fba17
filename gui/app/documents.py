"""What the window keeps in a scenario file: the scenario, the pinned runs beside it, and the view."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assets.errors import ArmstepError
from gui.app.view import ViewSettings
from robots.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Pin:
    """A pinned run: the id of its row, its scenario, and its position in the list of colours."""

    id: int
    scenario: Scenario
    slot: int


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool has found.

    Attributes:
        kind: which tool's it is.
        name: what a person calls it; unique among those of its kind.
        data: what the tool made of it, as JSON values; only the tool reads it.
    """

    kind: str
    name: str
    data: Mapping[str, Any]

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> Result:
        """A result of a file. Raises TypeError, KeyError or ValueError for what is none."""
        kind, name, data = entry["kind"], entry["name"], entry["data"]
        if not (isinstance(kind, str) and isinstance(name, str) and isinstance(data, Mapping)):
            raise ValueError("it must have texts 'kind' and 'name' and an object 'data'")
        return cls(kind, name, data)

    def to_data(self) -> dict[str, Any]:
        """As a file has it."""
        return {"kind": self.kind, "name": self.name, "data": self.data}


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that undo goes back to: the edited scenario, the pinned runs, the results of tools."""

    scenario: Scenario
    pins: tuple[Pin, ...] = ()
    results: tuple[Result, ...] = ()

    def with_pin(self, scenario: Scenario, pin_id: int) -> Document:
        """A copy with one more pinned run, in the first free place."""
        taken = {pin.slot for pin in self.pins}
        slot = next(place for place in range(1, len(taken) + 2) if place not in taken)
        return replace(self, pins=(*self.pins, Pin(pin_id, scenario, slot)))

    def without_pin(self, pin_id: int) -> Document:
        """A copy without that pinned run."""
        return replace(self, pins=tuple(pin for pin in self.pins if pin.id != pin_id))


def to_scenario(document: Document, view: Mapping[str, Any]) -> Scenario:
    """The scenario with the pinned runs, the results and the view (JSON values): this is what is saved."""
    pins = tuple({"slot": pin.slot, "scenario": json.loads(pin.scenario.alone().to_json())} for pin in document.pins)
    results = tuple(result.to_data() for result in document.results)
    return replace(document.scenario, view={**document.scenario.view, **view}, pins=pins, results=results)


def from_scenario(
    scenario: Scenario, view: ViewSettings, new_id: Callable[[], int]
) -> tuple[Document, ViewSettings, list[str]]:
    """The document and the view that `to_scenario` made, and what was not understood, as sentences.

    Args:
        scenario: as it was read; its `view` may be anyone's.
        view: what a view that says nothing leaves as it is.
        new_id: gives the next pinned row's id.
    """
    document, troubles = Document(scenario.alone()), []
    for entry in scenario.pins:
        try:
            document = document.with_pin(_pinned(document.scenario, entry), new_id())
        except (ArmstepError, KeyError, TypeError, ValueError) as error:
            troubles.append(f"A pinned run in the file could not be read and was left out: {error}")
    for entry in scenario.results:
        try:
            document = replace(document, results=(*document.results, Result.read(entry)))
        except (KeyError, TypeError, ValueError) as error:
            troubles.append(f"A result in the file could not be read and was left out: {error}")
    return document, view.with_mapping(scenario.view), troubles


def _pinned(scenario: Scenario, entry: Mapping[str, Any]) -> Scenario:
    """A pinned run of a file: a scenario of its own, or `changes` of the one that is edited."""
    if "changes" in entry:
        return scenario.with_values(dict(entry["changes"]))
    return Scenario.from_json(json.dumps(entry["scenario"])).alone()


def looks_like_scenario(file: Path) -> bool:
    """Whether a file's name or beginning is that of JSON, or it cannot be read at all."""
    if file.is_dir() or file.suffix.lower() == ".json":
        return not file.is_dir()
    try:
        with file.open("rb") as stream:
            return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"")
    except OSError:
        return True
