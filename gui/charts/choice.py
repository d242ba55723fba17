"""Which plots a person looks at, and how: a view has a text for each, `key/variant/scale`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assets.errors import BadInput

SCENE = "scene"
"""The name of a still among the panels of a figure; `scene@1.5` is the one at 1.5 s."""

_COMMA = re.compile(r",(?![^()]*\))")


@dataclass(frozen=True, slots=True)
class PlotChoice:
    """One plot.

    Attributes:
        key: of the plot.
        variant: which of its views; nothing for the first one.
        scale: `log` or `linear`, where a person chose it; nothing for the plot's own.
    """

    key: str
    variant: str = ""
    scale: str = ""

    @classmethod
    def of(cls, text: str) -> PlotChoice:
        """The choice that a text of a view's `plots` says."""
        return cls(*[*text.split("/"), "", ""][:3])

    @property
    def text(self) -> str:
        """What a view's `plots` holds."""
        return "/".join((self.key, self.variant, self.scale)).rstrip("/")


def choices(texts: Iterable[str] | None, known: Iterable[str], usual: Iterable[str]) -> dict[str, PlotChoice]:
    """The chosen plots by key, in the order of `known`; the `usual` ones where `texts` is None."""
    found = [PlotChoice.of(text) for text in (usual if texts is None else texts)]
    chosen = {choice.key: choice for choice in found}
    return {key: chosen[key] for key in known if key in chosen}


def panel_texts(text: str) -> list[str]:
    """`error, energy//linear, scene@2` as texts, one for each panel; commas in parentheses belong to a readout.

    Raises:
        BadInput: there are commas and nothing between them.
    """
    found = [word.strip() for word in _COMMA.split(text) if word.strip()]
    if text.strip() and not found:
        raise BadInput("plots", text, "names of plots with commas between them, such as error,energy")
    return found


@dataclass(frozen=True, slots=True)
class PanelChoice:
    """One panel of a figure, written as `OWNER:KEY@WHICH/VARIANT/SCALE`; all but the key may be left out.

    Attributes:
        owner: the scenario or file whose panel it is; nothing for the figure's own.
        key: of a plot, a kind of result, a study, or `SCENE`.
        which: the time of a still, or the name of one of several results.
        variant: which of its views: a plot's, a map's readout, a study's figure.
        scale: `log` or `linear`, where a person chose it.
    """

    owner: str
    key: str
    which: str = ""
    variant: str = ""
    scale: str = ""

    @classmethod
    def of(cls, text: str) -> PanelChoice:
        """The choice that a text says; an empty one is the plots of the view."""
        owner, _, panel = text.rpartition(":")
        chosen = PlotChoice.of(panel.strip())
        key, _, which = chosen.key.partition("@")
        return cls(owner.strip(), key, which, chosen.variant, chosen.scale)

    @property
    def text(self) -> str:
        """What a person writes."""
        key = f"{self.key}@{self.which}" if self.which else self.key
        return (f"{self.owner}:" if self.owner else "") + PlotChoice(key, self.variant, self.scale).text

    @property
    def still(self) -> bool:
        """Whether it is a picture of the scene."""
        return self.key == SCENE

    def time(self, otherwise: float) -> float:
        """The time of `scene@2` [s], or `otherwise` for `scene`. Raises BadInput if it is not a number."""
        try:
            return float(self.which.removesuffix("s")) if self.which else otherwise
        except ValueError:
            said = PanelChoice("", self.key, self.which).text
            raise BadInput("plots", said, "scene@T with the time T in seconds, such as scene@1.5") from None


def panel_choices(text: str) -> list[PanelChoice]:
    """The panels of a figure that a person wrote, in reading order. Raises BadInput as `panel_texts`."""
    return [PanelChoice.of(word) for word in panel_texts(text)]
