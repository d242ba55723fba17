"""What the steps of the runs do to the modes of the arm: h λ in the stability regions of the methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gui.app.formatting import says_method
from gui.charts.plot import Plot
from gui.charts.shown import Shown, latest, modes_at
from gui.charts.stability import Marks, marks_of, modes, region_chart
from robots.model.chart import Chart, Curve
from robots.simulation.run import Run
from solvers.method import Method

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability


class StabilityPlot(Plot):
    """The regions of every shown run's methods in the run's colour and dash; amber where a mode grows."""

    key, title, order, plane = "stability", "Stability region", 46, True

    def chart(self, shown: Shown, variant: str) -> Chart:
        regions, curves = [], list[Curve]()
        for row, run in shown.integrated:
            spans = methods_along(run)
            known = dict.fromkeys(stability for method, _ in spans for _, stability in method.regions)
            regions += [(row.colour, row.dash, stability) for stability in known]
            times, points = steps_times_modes(run)
            dots: list[Curve] = []
            for method, during in spans:
                if method.stability is not None:
                    here = during(times)
                    now = latest(run, partial(_marks, method.stability, during))
                    dots += modes(points[here], method.stability, times[here], now)
            name = _called(shown.name_of(row), [method for method, _ in spans], given=bool(row.tag.name))
            looks = {"name": name, "run": name, "colour": row.colour, "dash": row.dash}
            curves += [replace(dot, **looks, listed=index == 0) for index, dot in enumerate(dots)]
        return region_chart(regions, curves)


def _called(name: str, methods: Sequence[Method], *, given: bool) -> str:
    """A run's name in legends with its methods, if it lacks one: a region belongs to a method, not to a step.

    Args:
        name: how the run differs from the others.
        methods: those of the run, in their order.
        given: whether a person gave it that name.
    """
    lacking = [method for method in methods if not _says(name, method)]
    first = [method.name for method in lacking if method is methods[0]]
    words = [name, *first] if given else [*first, name]
    return ", ".join([*words, *(f"then {method.name}" for method in lacking if method is not methods[0])])


def _says(name: str, method: Method) -> bool:
    """Whether a name has one of the names of the method in it."""
    keys = any(key.lower() in name.lower() for key in (method.key, *method.aliases))
    return keys or says_method(name, method.name)


def _marks(stability: Stability, during: Callable[[np.ndarray], np.ndarray], run: Run, t: np.ndarray) -> Marks:
    """The modes of a run at one time (1,), as the method's card has them; none while another method makes the steps."""
    at = np.clip(t, run.t[0], run.t_end)
    return marks_of(modes_at(run, float(at[0])), stability) if during(at).all() else {}


def methods_along(run: Run) -> list[tuple[Method, Callable[[np.ndarray], np.ndarray]]]:
    """The methods of a run in their order, each with a function that says of times (m,) whether they are its, (m,)."""
    from robots.scenario.method_selection import method_of

    starts: list[tuple[Method, float]] = []
    for phase in run.phases:
        method = method_of(phase.scenario)
        if not starts or starts[-1][0] is not method:
            starts.append((method, phase.start if starts else -np.inf))
    ends = [start for _, start in starts[1:]] + [np.inf]
    return [
        (method, lambda t, start=start, end=end: (t >= start) & (t < end))
        for (method, start), end in zip(starts, ends, strict=True)
    ]


def steps_times_modes(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Times (m,) and h λ there, (m, d), with the step that the run took."""
    times, values = run.eigenvalues
    steps = [run.step_at(t) for t in times.tolist()]
    here = np.array([step is not None for step in steps], dtype=bool)
    taken = np.array([step for step in steps if step is not None], dtype=float)
    return times[here], taken[:, np.newaxis] * values[here]


PLOT = StabilityPlot()
