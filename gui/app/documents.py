"""What the window keeps in a scenario file: the scenario, the pinned runs beside it, and the view."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

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
class Document:
    """Everything that undo restores: the edited scenario and the pinned runs."""

    scenario: Scenario
    pins: tuple[Pin, ...] = ()

    def with_pin(self, scenario: Scenario, pin_id: int) -> Document:
        """A copy with one more pinned run, in the first free place."""
        taken = {pin.slot for pin in self.pins}
        slot = next(place for place in range(1, len(taken) + 2) if place not in taken)
        return replace(self, pins=(*self.pins, Pin(pin_id, scenario, slot)))

    def without_pin(self, pin_id: int) -> Document:
        """A copy without that pinned run."""
        return replace(self, pins=tuple(pin for pin in self.pins if pin.id != pin_id))


def to_scenario(document: Document, view: ViewSettings) -> Scenario:
    """The scenario with the pinned runs and the view: this is what is saved."""
    pins = tuple({"slot": pin.slot, "scenario": json.loads(pin.scenario.alone().to_json())} for pin in document.pins)
    return replace(document.scenario, view={**document.scenario.view, **view.to_mapping()}, pins=pins)


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
            pin = Scenario.from_json(json.dumps(entry["scenario"]))
            document = document.with_pin(pin.alone(), new_id())
        except (ArmstepError, KeyError, TypeError, ValueError) as error:
            troubles.append(f"A pinned run in the file could not be read and was left out: {error}")
    return document, view.with_mapping(scenario.view), troubles


def looks_like_scenario(file: Path) -> bool:
    """Whether a file's name or beginning is that of JSON, or it cannot be read at all."""
    if file.is_dir() or file.suffix.lower() == ".json":
        return not file.is_dir()
    try:
        with file.open("rb") as stream:
            return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"")
    except OSError:
        return True
