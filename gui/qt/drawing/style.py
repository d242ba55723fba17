"""Colours, fonts, pens and sizes of painted text and charts, from the theme's file: in the window and in files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen, QRawFont

from assets.counting import SUPERSCRIPTS
from assets.polylines import stretches
from gui.app.view import THEMES
from gui.charts.colours import COLOURS, DASHES, LONGEST, mixed, on_ground
from gui.charts.steps import signs_of
from gui.qt.style.theme_file import LINUX_FAMILIES, Theme, load
from robots.model.chart import Array, Chart, Curve

FAMILIES = (*LINUX_FAMILIES[:-1], "Segoe UI", "Helvetica Neue", LINUX_FAMILIES[-1], "sans-serif")
SERIFS = (
    "Times New Roman",
    "Liberation Serif",
    "TeX Gyre Termes",
    "Nimbus Roman",
    "DejaVu Serif Condensed",
    "DejaVu Serif",
    "serif",
)
GENERIC = {"sans": FAMILIES, "serif": SERIFS}

LARGE, LARGER = 14.0, 1.25
"""Where all text has one height, text designed higher than `LARGE` is a title, and `LARGER` times as high."""

STRIPE = 0.17
"""The opacity of stripes."""

MARKS = ("circle", "square", "triangle", "diamond", "wedge", "cross", "star")


@dataclass(frozen=True, slots=True)
class Style:
    """What every painter needs.

    Attributes:
        theme: the colours by role.
        line: width of a curve in units.
        scale: pixels per unit of the design, which is drawn for a frame 720 units high.
        plain: every character has its plain glyph. Elsewhere figures have equal widths, if the font has such figures,
            and signs fit their neighbours; but these glyphs have no characters of their own, so searching or copying
            the text of a file would miss them.
        families: of fonts, tried in this order.
        text: the height of all text in units; 0 for sizes by importance.
        fine: pixels for each one that a reader can tell apart.
        grid: lines across the chart at its ticks.
        names: charts have their name above them; otherwise their axis names the values.
        mono: black on white, with a dash and a mark for each curve.
    """

    theme: Theme
    line: float = 1.8
    scale: float = 1.0
    plain: bool = False
    families: tuple[str, ...] = FAMILIES
    text: float = 0.0
    fine: float = 1.0
    grid: bool = True
    names: bool = True
    mono: bool = False

    def font(self, size: float, *, bold: bool = False) -> QFont:
        """A font `size` units high."""
        font = QFont()
        font.setFamilies(list(self.families))
        height = self.text * (LARGER if size > LARGE else 1.0) if self.text else size
        font.setPixelSize(max(1, round(height * self.scale)))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        if hasattr(QFont, "setFeature"):
            # A new font has the features of the window's font.
            font.setFeature(QFont.Tag("tnum"), 0 if self.plain else 1)
            for tag in ("calt", "liga") if self.plain else ():
                font.setFeature(QFont.Tag(tag), 0)
        return font

    @property
    def dark(self) -> bool:
        """Whether light is drawn on dark."""
        return self.colour("surface").lightnessF() < 0.5

    def colour(self, role: str, alpha: float = 1.0) -> QColor:
        """The theme's colour `role` with opacity `alpha` (0 to 1)."""
        colour = self.theme.colour(role)
        colour.setAlphaF(alpha)
        return colour

    def between(self, first: str, second: str, share: float) -> QColor:
        """The colour at the fraction `share` (0 to 1) from one role's colour to another's."""
        colours = self.theme.colours
        return QColor(mixed(colours[first], colours[second], share))

    def run_colour(self, colour: str) -> QColor:
        """A run's colour, adapted to this background."""
        if self.mono:
            return self.colour("text")
        return QColor(on_ground(colour, dark=self.dark))

    def curve_colour(self, curve: Curve) -> QColor:
        """A curve's colour, adapted to this background, and very pale if it cannot be trusted."""
        colours = self.theme.colours
        if self.mono:
            return QColor(mixed(colours["text"], colours["surface"], 0.6 if curve.faded else 0.5 * curve.shade))
        own = mixed(
            on_ground(curve.tint or curve.colour or colours["text"], dark=self.dark), colours["text"], curve.shade
        )
        return QColor(mixed(own, colours["surface"], 0.68) if curve.faded else own)

    def sign_colours(self, chart: Chart) -> dict[str, QColor]:
        """The colour of each sign in what is said of a chart: that of the marks that it stands for."""
        return {sign: self.curve_colour(curve) for sign, curve in signs_of(chart).items()}

    def stripe_colour(self, curve: Curve, alpha: float = 1.0) -> QColor:
        """The colour of a stripe; where several lie above each other it is deeper."""
        colour = self.curve_colour(curve)
        colour.setAlphaF(STRIPE * alpha)
        return colour

    def band_colour(self, tone: str) -> QColor:
        """The ground of a stripe: where a reference cannot be trusted, or where motions grow."""
        return self.colour("untrusted", 0.5) if tone == "untrusted" else self.colour("danger", 0.1)

    def dot_colour(self, curve: Curve, t: float) -> QColor:
        """The colour of the dot where a curve is at the time `t`."""
        return self.colour("warning") if curve.alarmed(t) else self.curve_colour(replace(curve, faded=False))

    def dash(self, colour: str, dash: str) -> str:
        """The dash of a run or a curve; in black and white each run has one of its own."""
        return list(DASHES)[self._place(colour) % len(DASHES)] if self.mono and colour and dash == "solid" else dash

    def mark(self, colour: str) -> str:
        """What marks a run or a curve where there are no colours."""
        return MARKS[self._place(colour) % len(MARKS)] if self.mono and colour else ""

    def _place(self, colour: str) -> int:
        return COLOURS.index(colour) if colour in COLOURS else len(COLOURS)

    def curve_pen(self, curve: Curve, alpha: float = 1.0) -> QPen:
        """The pen that joins a curve's points, or draws its ticks and marks: those are never dashed."""
        dash = self.dash(curve.colour, curve.dash) if curve.joined else "solid"
        made = pen(self.curve_colour(curve), dash, curve.width * self.line * self.scale, alpha)
        if curve.bar:
            made.setCapStyle(Qt.PenCapStyle.FlatCap)  # a round end would be beyond its number
        return made


@lru_cache(maxsize=64)
def families_of(name: str) -> tuple[str, ...]:
    """The families that a name stands for, those later whose face here lacks a sign of a power of ten: no two mix.

    The last resort is any font of the kind.
    """
    if (generic := GENERIC.get(name.lower())) is None:
        return name, *FAMILIES
    return *sorted(generic[:-1], key=lambda family: not _has_exponents(family)), generic[-1]


def _has_exponents(family: str) -> bool:
    face = QRawFont.fromFont(QFont(family))
    return all(face.supportsCharacter(sign) for sign in SUPERSCRIPTS.values())


def style_of(theme: str, size: tuple[float, float] = (960, 720)) -> Style:
    """The style of `theme` (light for any other name) for a frame's size [px]."""
    name = theme if theme in THEMES else "light"
    return Style(load(name), 2.6 if name == "projector" else 1.8, max(min(size[0] / 960, size[1] / 720), 0.1))


def typed_style(theme: str, larger: float) -> Style:
    """The style of `theme` beside type `larger` times the usual size: lines and marks grow with it."""
    return style_of(theme, (960.0 * larger, 720.0 * larger))


def pen(colour: str | QColor, dash: str = "solid", width: float = 1.0, alpha: float = 1.0) -> QPen:
    """A pen of `width` pixels with one of the dashes."""
    tint = QColor(colour)
    tint.setAlphaF(alpha)
    made = QPen(tint, width)
    made.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
    pattern = DASHES.get(dash)
    made.setCapStyle(Qt.PenCapStyle.FlatCap if pattern else Qt.PenCapStyle.RoundCap)
    if pattern:
        made.setDashPattern(list(pattern))
    return made


def strokes(x: Array, y: Array, made: QPen, taken: Array | None = None) -> list[tuple[slice, QPen]]:
    """The parts of the line through the pixels, (n,) each, with the pen of each: a dense zigzag has no dashes.

    Args:
        x, y: the pixels.
        made: the pen of the line.
        taken: how many steps the run had made at each, (n,), nan for unknown.
    """
    if made.style() == Qt.PenStyle.SolidLine:
        return [(slice(None), made)]
    whole = QPen(made)
    whole.setStyle(Qt.PenStyle.SolidLine)
    return [(part, whole if dense else made) for part, dense in stretches(x, y, made.widthF(), taken)]


def as_wide_on_screen(made: QPen) -> QPen:
    """The pen, as wide on the screen at every zoom of a plot."""
    made.setCosmetic(True)
    return made


def sample_length(dash: str, width: float) -> float:
    """How long a sample of a line in a legend is, so that its dash can be recognised [px]."""
    return (LONGEST + 1.0) * width if DASHES.get(dash) else 7.0 * width


def stroked_length(dash: str, width: float, length: float) -> float:
    """How much of a sample `length` long is drawn: less than half a stroke at its end would look like a dot [px]."""
    pattern = DASHES.get(dash)
    end, begin, place = length, 0.0, 0
    while pattern and begin + 0.5 * pattern[place] * width <= length:
        end = min(begin + pattern[place] * width, length)
        begin += (pattern[place] + pattern[place + 1]) * width
        place = (place + 2) % len(pattern)
    return end
