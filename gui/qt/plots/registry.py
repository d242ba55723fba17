"""Finds the plots: every class in this folder that has a `key`."""

from __future__ import annotations

from gui.qt.panels.registry import found
from gui.qt.plots.plot import Plot


def plots() -> dict[str, type[Plot]]:
    """The plots' classes by key, in the order in which they are stacked."""
    return {plot.key: plot for plot in sorted(found("gui.qt.plots"), key=lambda plot: plot.order)}
