"""Which plots a person looks at, and how: a view has a text for each, `key/variant/scale`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assets.errors import BadInput

SCENE = "scene"
"""The name of a still among the panels of a figure; `scene@1.5` is the one at 1.5 s."""


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
    """`error, energy//linear, scene@2` as texts, one for each panel of a figure."""
    return [word.strip() for word in text.split(",") if word.strip()]


def owner_of(text: str) -> tuple[str, str]:
    """Whose panel it is, and the panel: `pa10-circle:error` is a plot of that scenario, `error` one of the figure's."""
    owner, _, panel = text.rpartition(":")
    return owner.strip(), panel.strip()


def is_still(text: str) -> bool:
    """Whether a panel is a picture of the scene."""
    return text.partition("@")[0] == SCENE


def still_time(text: str, otherwise: float) -> float:
    """The time of `scene@2` [s], or `otherwise` for `scene`. Raises BadInput if it is not a number."""
    word = text.partition("@")[2]
    try:
        return float(word.removesuffix("s")) if word else otherwise
    except ValueError:
        raise BadInput("plots", text, "scene@T with the time T in seconds, such as scene@1.5") from None
