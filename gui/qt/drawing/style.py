"""Colours, fonts and sizes of painted text and charts, from the theme's file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont

from assets import read_text, stems

FAMILIES = ["Inter", "Noto Sans", "Open Sans", "Segoe UI", "Helvetica Neue", "DejaVu Sans"]


@dataclass(frozen=True, slots=True)
class Style:
    """What every painted piece needs to know.

    Attributes:
        panel, text, muted, grid, axis, playhead, untrusted, warning: colours as hex.
        scale: pixels per unit of the design, which is drawn for a frame 720 units high.
        line: width of a curve in units.
    """

    panel: str
    text: str
    muted: str
    grid: str
    axis: str
    playhead: str
    untrusted: str
    warning: str
    line: float = 1.8
    scale: float = 1.0

    def font(self, size: float, *, bold: bool = False) -> QFont:
        """A font `size` units high, with figures of equal width where the family has them."""
        font = QFont()
        font.setFamilies(FAMILIES)
        font.setPixelSize(max(1, round(size * self.scale)))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        if hasattr(QFont, "setFeature"):
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    @property
    def dark(self) -> bool:
        """Whether light is drawn on dark."""
        return QColor(self.panel).lightnessF() < 0.5

    def curve(self, colour: str, share: float = 0.0) -> QColor:
        """A run's colour as it reads on this ground, mixed with `share` (0 to 1) of the text's colour."""
        share = max(share, 0.25 if self.dark else 0.0)
        ours, text = QColor(colour), QColor(self.text)
        return QColor.fromRgbF(
            (1.0 - share) * ours.redF() + share * text.redF(),
            (1.0 - share) * ours.greenF() + share * text.greenF(),
            (1.0 - share) * ours.blueF() + share * text.blueF(),
        )

    def colour(self, name: str, alpha: float = 1.0) -> QColor:
        """The theme's colour `name` with opacity `alpha` (0 to 1)."""
        colour = QColor(getattr(self, name))
        colour.setAlphaF(alpha)
        return colour


def style_of(theme: str, size: tuple[int, int]) -> Style:
    """The style of `theme` (a file of `assets/themes`; light for any other name) for a frame's size [px]."""
    name = theme if theme in stems("themes", ".toml") else "light"
    window = tomllib.loads(read_text(f"themes/{name}.toml"))["window"]
    return Style(
        panel=window["surface"],
        text=window["text"],
        muted=window["muted"],
        grid=window["border"],
        axis=window["disabled"],
        playhead=window["playhead"],
        untrusted=window["untrusted"],
        warning=window["danger"],
        line=2.6 if name == "projector" else 1.8,
        scale=max(min(size[0] / 960, size[1] / 720), 0.1),
    )
