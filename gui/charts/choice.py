"""Which plots a person looks at, and how: a view has a text for each, `key/variant/scale`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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
