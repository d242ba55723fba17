"""An export format: its files' suffix, what they hold, who writes and who reads them.

Each file in `scene/formats` defines one as `FORMAT` and has the name of the suffix.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from scene.motion import Motion
    from scene.writer import Order, Writer

Texts = Mapping[str, str]
Reader = Callable[[Path], Texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to write what Armstep shows; a subclass says what the writer gets.

    Attributes:
        suffix: the end of a file's name, with its dot; `/` for a folder.
        label: its name in dialogs.
        place: its position in lists.
        settings: what can be chosen for it, fields of `gui.qt.export.settings.ExportSettings`; others are refused.
        reader: the texts that travel inside a file; None when it carries none. It raises ArmstepError, or whatever
            a decoder raises, for a file that it cannot read.
        holds: what a file holds, in a word.
    """

    suffix: str
    label: str
    place: int
    settings: frozenset[str] = frozenset()
    reader: Reader | None = None
    holds: ClassVar[str] = ""


SCENE: frozenset[str] = frozenset(
    {"size", "start", "end", "strobe", "quality", "camera", "layout", "caption", "title", "theme"}
)
"""Settings of every picture of the scene."""

FIGURE: frozenset[str] = frozenset({"style", "width", "height", "font", "plots", "columns", "show", "ranges", "dpi"})
"""Settings of a page of charts."""

FILM: frozenset[str] = SCENE | {"fps", "speed", "plots"}
MOTION: frozenset[str] = frozenset({"fps", "speed", "start", "end", "title", "theme", "camera"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmFormat(Format):
    """Pictures of the scene, one after another.

    Attributes:
        writer: takes the frames.
        largest: the maximum width and height [px].
        fastest: the maximum frames per second.
        even: whether width and height are made even.
    """

    writer: Callable[[Order], Writer]
    settings: frozenset[str] = FILM
    largest: int = 16384
    fastest: float = 1000.0
    even: bool = False
    holds: ClassVar[str] = "a film"


@dataclass(frozen=True, slots=True, kw_only=True)
class StillFormat(Format):
    """One picture: of the scene at an instant, or of charts.

    Attributes:
        writer: takes one frame.
        largest: width and height [px] that it can hold.
    """

    writer: Callable[[Order], Writer]
    settings: frozenset[str] = SCENE | {"at"}
    largest: int = 16384
    holds: ClassVar[str] = "a picture"


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionFormat(Format):
    """The motion itself, meshes and poses: the view is chosen when the file is opened.

    Attributes:
        write: makes the file's content.
        head: the share of its picture's height, at the top, that its legend takes.
    """

    write: Callable[[Motion], bytes]
    head: float = 0.0
    settings: frozenset[str] = MOTION
    holds: ClassVar[str] = "a motion"


def texts_in(comment: bytes) -> dict[str, str]:
    """The texts that a file carries as a JSON object in a comment; nothing in one of another program."""
    try:
        found = json.loads(comment)
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}
