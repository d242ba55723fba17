"""A plot: one file in `gui/charts/plots` whose `PLOT` turns the shown runs into a chart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from gui.charts.choice import PlotChoice
from gui.charts.shown import Shown
from robots.model.chart import Chart

if TYPE_CHECKING:
    from robots.model.robot import Robot
    from robots.simulation.run import Run

NOT_COMPUTED = "Not computed yet"
BEING_JUDGED = "The run has ended; its steps are being judged"
PREDICT_FIRST = "Shown after your prediction"
PALE, BY_DASH = "pale: the previous run", "dashes: runs"
"""Said of a chart that still shows the run before; of one whose colours are those of joints in every run."""

NOT_SAMPLED = "The control acts at every instant. To let it sample, set “control acts” under Task."


class Plot(ABC):
    """A plot has no state; the same one serves the window, films, pictures and the small chart.

    Class attributes:
        key, title, order: its name in settings and robots, its name on the screen, its position in the stack.
        default: whether it is shown from the start, in films and on pages.
        special: only for robots that name it in their `plots`.
        plane: its horizontal axis is not time.
        each: pages show every variant, not only the first.
        verdict: it draws what the verdict on a run computes, after the run itself.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int] = 0
    default: ClassVar[bool] = False
    special: ClassVar[bool] = False
    plane: ClassVar[bool] = False
    each: ClassVar[bool] = False
    verdict: ClassVar[bool] = False

    def suits(self, robot: Robot) -> bool:
        """Whether the plot applies to such a robot."""
        return self.key in robot.plots or not (self.special or (robot.plots and self.default))

    def variants(self, shown: Shown) -> Mapping[str, str]:
        """The views that this plot switches between, key to name, the most informative first; empty for one."""
        return {}

    @abstractmethod
    def chart(self, shown: Shown, variant: str) -> Chart:
        """The chart of one variant; without curves `empty` says why. At least one of the shown runs is computed."""

    def examined(self, run: Run) -> Run:
        """The run, with what the chart needs besides it, for files: a window computes that in the background."""
        return run

    def drawn(self, shown: Shown, choice: PlotChoice | None = None) -> Chart:
        """The chart that is chosen; its first variant where the chosen one is not there."""
        choice = choice or PlotChoice(self.key)
        if not any(True for _ in shown.runs):
            hidden = shown.current.run is not None and not shown.current.visible
            held = shown.current.state == "held"
            return Chart(self.title, empty="Every run is hidden" if hidden else PREDICT_FIRST if held else NOT_COMPUTED)
        variants = self.variants(shown)
        variant = choice.variant if choice.variant in variants else next(iter(variants), "")
        made = self.chart(shown, variant).scaled(choice.scale)
        said = [PALE] if shown.awaited else []
        said += [BY_DASH] if any(curve.joined and curve.tint for curve in made.curves) else []
        made = replace(made, note="; ".join(filter(None, (*said, made.note))))
        made = replace(made, key=self.key, title=made.title or self.title, variants=variants, variant=variant)
        return made.with_lone_points()
