"""Numbers and frames in the attributes of elements."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import numpy as np

from assets.errors import BadInput
from robots.files.report import Notes
from robots.files.xml import Element
from robots.model.robot import Array
from robots.model.tree import MOST

LIKELY_MILLIMETRES = 20.0


@dataclass(frozen=True, slots=True)
class Values:
    """Reads values of elements; `notes` takes suspicious ones."""

    notes: Notes

    def number(self, element: Element | None, name: str, default: float) -> float:
        """The number in an attribute."""
        return default if element is None else self.numbers(element, name, 1, (default,))[0]

    def limit(self, element: Element, name: str, default: float) -> float:
        """A limit; values beyond 1e9 count as no limit."""
        number = self.numbers(element, name, 1, (default,), most=sys.float_info.max)[0]
        return number if abs(number) <= MOST else math.copysign(math.inf, number)

    def vector(self, element: Element, name: str, default: tuple[float, float, float]) -> Array:
        """The three numbers in an attribute."""
        return np.array(self.numbers(element, name, 3, default))

    def numbers(
        self, element: Element, name: str, count: int, default: tuple[float, ...], most: float = MOST
    ) -> tuple[float, ...]:
        """The `count` numbers in an attribute. Raises BadInput with the line."""
        text = element.attributes.get(name)
        if text is None:
            return default
        words = text.split()
        try:
            numbers = tuple(map(float, words))
        except ValueError:
            numbers = ()
        if len(numbers) != count or not all(abs(number) <= most for number in numbers):
            must = ("a number" if count == 1 else f"{count} numbers") + (" from -1e9 to 1e9" if most == MOST else "")
            raise BadInput(f"{element.where}: {name} of <{element.tag}>", text, must)
        return numbers

    def origin(self, element: Element) -> Array:
        """The frame of an element's <origin>, (4, 4)."""
        given = element.first("origin")
        frame = np.eye(4)
        if given is None:
            return frame
        frame[:3, 3] = self.vector(given, "xyz", (0.0, 0.0, 0.0))
        if (far := float(np.abs(frame[:3, 3]).max())) > LIKELY_MILLIMETRES:
            self.notes.add("suspicious", given, f"an origin {far:g} m away: are these millimetres?")
        roll, pitch, yaw = self.vector(given, "rpy", (0.0, 0.0, 0.0))
        frame[:3, :3] = _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)
        return frame


def _about(axis: int, angle: float) -> Array:
    """The rotation about a coordinate axis, (3, 3)."""
    turn, (i, j) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[j, i] = math.sin(angle)
    turn[i, j] = -turn[j, i]
    return turn
