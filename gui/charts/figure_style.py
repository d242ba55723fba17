"""How a figure for a paper, a slide or a web page looks: a named style that users can save."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from assets.counting import words_of
from assets.errors import ArmstepError, BadInput, Range, beginning
from assets.registry import Registry, unknown
from assets.writing import make_folder, write_atomically
from gui.app.settings import Settings

PARTS = ("title", "legend", "names", "grid", "letters", "caption", "playhead")
"""What a figure can show besides its curves and axes; `names` are the charts' titles."""

FIGURE_THEMES = ("light", "dark", "projector", "mono")
"""`mono` is black on white, with a dash and a mark for each curve."""

MILLIMETRES = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0}
ACROSS = ".x"
"""What ends the name of a panel whose horizontal axis has a range."""

_LENGTH = re.compile(r"([\d.,]+)\s*([a-z]*)")
_NAME = re.compile(r"[\w-]+")


@dataclass(frozen=True, slots=True)
class FigureStyle:
    """The look of a page of charts.

    Attributes:
        width, height: of the page [mm]; a height of 0 means as high as the charts need.
        font: family and size in points, such as `serif 9`.
        theme: one of `FIGURE_THEMES`.
        columns: how many charts stand in one row.
        show: some of `PARTS`.
        dpi: dots per inch of pictures.
    """

    width: float = 254.0
    height: float = 0.0
    font: str = "sans 9"
    theme: str = "light"
    columns: int = 1
    show: tuple[str, ...] = ("title", "legend", "names", "grid")
    dpi: float = 192.0

    def __post_init__(self) -> None:
        _between("width", self.width, 20.0, 2000.0, "mm")
        if self.height:
            _between("height", self.height, 20.0, 4000.0, "mm")
        if self.theme not in FIGURE_THEMES:
            raise BadInput("theme", self.theme, choices=FIGURE_THEMES)
        if self.columns not in range(1, 9):
            raise BadInput("columns", self.columns, Range(1, 8, whole=True))
        for part in self.show:
            if part not in PARTS:
                raise BadInput("show", part, choices=PARTS)
        _between("dpi", self.dpi, 20.0, 2400.0)
        _between("font", self.points, 3.0, 144.0, "pt")

    @property
    def family(self) -> str:
        """The font's family; `serif` and `sans` stand for the best installed one."""
        return self.font.strip().rpartition(" ")[0].strip()

    @property
    def points(self) -> float:
        """The height of all text but the title [pt]."""
        size = self.font.strip().rpartition(" ")[2].removesuffix("pt").replace(",", ".")
        try:
            points = float(size)
        except ValueError:
            points = math.nan
        if not (self.family and math.isfinite(points)):
            raise BadInput("font", self.font, "a family and a size in points, such as serif 9")
        return points

    def shows(self, part: str) -> bool:
        """Whether a part of `PARTS` is shown."""
        return part in self.show

    def to_json(self) -> str:
        """The style's file."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> FigureStyle:
        """The style in a file's text.

        Raises:
            BadInput: a value that cannot be used, or an unknown key.
        """
        data = json.loads(text)
        known = [item.name for item in fields(cls)]
        if not isinstance(data, dict):
            raise BadInput("style", beginning(text), "a JSON object")
        for key in data:
            if key not in known:
                raise BadInput("style", key, choices=known)
        return cls().changed({**data, **({"show": tuple(data["show"])} if "show" in data else {})})

    def changed(self, values: Mapping[str, object]) -> FigureStyle:
        """The style with other values. Raises BadInput for one that cannot be used."""
        for name, value in values.items():
            kinds = (int, float) if isinstance(getattr(self, name), float) else type(getattr(self, name))
            if not isinstance(value, kinds) or isinstance(value, bool):
                raise BadInput(name, value, f"like {getattr(self, name)!r}")
        return replace(self, **values)


STYLES: Registry[FigureStyle] = Registry.of_files(
    "style", "figures", ".json", lambda _, text: FigureStyle.from_json(text)
)
"""The styles that come with Armstep."""


def own_styles() -> dict[str, Path]:
    """The files of the user's own styles, by name."""
    return {file.stem: file for file in sorted((Settings().folder / "figures").glob("*.json"))}


def style_names() -> list[str]:
    """The names of all styles: the user's own, then those that come with Armstep."""
    return list(dict.fromkeys([*own_styles(), *STYLES.keys()]))


def find_figure_style(name: str) -> FigureStyle:
    """The style with this name; the user's own comes first.

    Raises:
        BadInput: no style has this name.
        ArmstepError: its file cannot be used; says why.
    """
    own = own_styles().get(name)
    if own is None:
        if name not in STYLES:
            raise unknown("style", name, style_names())
        return STYLES.find(name)
    try:
        return FigureStyle.from_json(own.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise ArmstepError(f"the style in {own} cannot be used: {problem}") from None


def keep_style(name: str, style: FigureStyle) -> Path:
    """Save a style under a name; returns its file.

    Raises:
        BadInput: the name has other characters than letters, digits and hyphens.
        ArmstepError: it cannot be written; says why.
    """
    if not _NAME.fullmatch(name):
        raise BadInput("style", name, "a name of letters, digits and hyphens")
    file = Settings().folder / "figures" / f"{name}.json"
    make_folder(file.parent)
    write_atomically(file, style.to_json().encode())
    return file


def length(name: str, text: str) -> float:
    """`85mm`, `8.5 cm`, `3.3in` or `85` in millimetres. Raises BadInput naming the setting."""
    found = _LENGTH.fullmatch(text.strip().lower())
    try:
        assert found is not None
        return float(found[1].replace(",", ".")) * MILLIMETRES[found[2]]
    except (AssertionError, KeyError, ValueError):
        raise BadInput(name, text, "a length such as 85mm, 8.5cm or 3.3in") from None


def letter_of(index: int) -> str:
    """What numbers a panel, from 0 on: (a) to (z), then (aa), (ab) and so on."""
    letters, rest = "", index + 1
    while rest:
        rest, last = divmod(rest - 1, 26)
        letters = chr(ord("a") + last) + letters
    return f"({letters})"


def ranges_of(text: str) -> dict[str, tuple[float, float]]:
    """`error=1e-9:1e-3, phase-plane.x=0:1` as the shown values of plots, by key; `.x` is the horizontal axis.

    Raises:
        BadInput: for anything else.
    """
    found = {}
    for part in words_of(text):
        key, _, ends = part.partition("=")
        low, _, high = ends.partition(":")
        try:
            pair = float(low), float(high)
        except ValueError:
            pair = math.nan, math.nan
        if not (key.strip() and all(map(math.isfinite, pair)) and pair[0] < pair[1]):
            raise BadInput("ranges", part, "PLOT=LOW:HIGH, such as error=1e-9:1e-3")
        found[key.strip()] = pair
    return found


def _between(name: str, value: float, least: float, most: float, unit: str = "") -> None:
    if not least <= value <= most:
        raise BadInput(name, value, Range(least, most, unit=unit))
