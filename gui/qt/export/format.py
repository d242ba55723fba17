"""All export formats: those of the scene (`scene/formats`), and here those of charts and of numbers (`formats`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from assets.errors import ArmstepError, BadInput, shown
from assets.registry import Registry
from scene.format import FIGURE, FilmFormat, Format, MotionFormat, StillFormat, Texts

if TYPE_CHECKING:
    from gui.qt.drawing.page import Page
    from robots.export.table import RunData
    from robots.scenario.scenario import Scenario


class Tabular(Protocol):
    """What can be written as a table."""

    def to_csv(self) -> str:
        """Its rows as comma-separated text."""
        ...

    def to_json(self) -> str:
        """Its rows as JSON."""
        ...

    def to_npz(self) -> bytes:
        """Its columns as NumPy arrays in one file."""
        ...


@runtime_checkable
class Described(Protocol):
    """A table that says what it is of."""

    def description(self) -> str:
        """Version, scenario and so on as JSON."""
        ...


PAGE: frozenset[str] = FIGURE | {"start", "end", "at", "title", "theme", "camera"}
"""Settings of a page of charts, with the stills on it."""

COLUMNS: frozenset[str] = frozenset({"table", "also", "every"})
"""Settings of a table of numbers."""

FOLDER = "frames"
"""The key of the format whose suffix is `/`; every other key is its suffix without the dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFormat(Format):
    """Charts as vector graphics.

    Attributes:
        write: makes the file's content from a page and the texts that travel inside.
    """

    write: Callable[[Page, Texts], bytes]
    settings: frozenset[str] = PAGE
    holds: ClassVar[str] = "plots"


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFormat(Format):
    """A run's numbers, or the script that computes them.

    Attributes:
        write: makes the file's content.
        beside: makes the content of a second file, named like the first with `.json` added; None without one.
        check: raises BadInput for a scenario that it cannot hold.
        table: makes the content from a table; None for a format without tables.
    """

    write: Callable[[RunData], bytes]
    beside: Callable[[RunData], bytes] | None = None
    table: Callable[[Tabular], bytes] | None = None
    check: Callable[[Scenario], object] = lambda _: None
    holds: ClassVar[str] = "data"


_REGISTRY: Registry[Format] = Registry.of_modules(
    "format", "scene.formats", "gui.qt.export.formats", attribute="FORMAT", order=lambda format: format.place
)
formats, find_format, format_keys = _REGISTRY.all, _REGISTRY.find, _REGISTRY.keys


def needed(name: str, extra: str) -> Any:
    """A module that only some formats need. Raises ArmstepError that says how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise ArmstepError(
            f"the package {name.partition('.')[0]} is missing; install it with: pip install 'armstep[{extra}]'"
        ) from None


def suffixes() -> list[str]:
    """The suffixes of all formats; reads none of them."""
    return sorted("/" if key == FOLDER else f".{key}" for key in _REGISTRY)


class NoFormat(BadInput):
    """The name of a file says no format, or none of those that can be written here.

    Args:
        value: the name as it was given.
        endings: those that it may have.
        near: the names that are suggested where they are like it; without them the endings.
    """

    def __init__(self, value: str, endings: Sequence[str], near: Iterable[str] = ()) -> None:
        super().__init__("file", value, f"one that ends in {', '.join(map(_ending, endings))}", near or endings)

    def __reduce__(self) -> tuple[object, ...]:
        return BadInput, (self.what, self.value, self.must, self.choices)

    def in_a_sheet(self, offered: Sequence[str]) -> str:
        """The refusal where a person sees which endings are `offered`."""
        *others, last = map(_ending, offered)
        one = f"{', '.join(others)} or {last}" if others else last
        return f"The file's name must end in {one}, got {shown(self.value or None)}"


def _ending(suffix: str) -> str:
    return "/ (a folder)" if suffix == "/" else suffix


KINDS: Mapping[str, tuple[type[Format], ...]] = {
    "animation": (FilmFormat, MotionFormat),
    "picture": (StillFormat,),
    "plots": (PageFormat, StillFormat),
    "data": (DataFormat,),
}
"""What each command of the Export menu writes."""


def formats_of(kind: str) -> list[Format]:
    """The formats of a kind of export; of plots, vector graphics first."""
    found = [format for format in formats().values() if isinstance(format, KINDS[kind])]
    return sorted(found, key=lambda format: kind == "plots" and isinstance(format, StillFormat))


def key_of(file: Path) -> str:
    """The key of the format of a file, by its suffix; that of a folder where it has none.

    Raises:
        BadInput: no format has this suffix.
    """
    key = file.suffix.lower()[1:] or FOLDER
    if key not in _REGISTRY or (key == FOLDER and file.suffix):
        raise NoFormat(str(file), suffixes())
    return key


def target_of(text: str) -> tuple[Path, str]:
    """A typed name as a path and the key of its format; a folder's name ends in `/`.

    Raises:
        BadInput: the name does not say a format.
    """
    path = Path(text.strip()).expanduser()
    if text.strip().endswith(("/", "\\")):
        return path, FOLDER
    if not path.suffix:
        raise NoFormat(text, suffixes(), [text + "/"])
    return path, key_of(path)


def left_out(kind: Format, scenarios: Iterable[Scenario]) -> str:
    """What a file of this format does not show of the scenarios, as a phrase; empty where it shows all."""
    if isinstance(kind, MotionFormat) and any(scenario.ensemble is not None for scenario in scenarios):
        return f"{kind.suffix} shows the runs without the members of their ensemble"
    return ""
