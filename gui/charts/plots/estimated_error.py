"""The error of each run as its method estimates it: by the difference to a finer run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gui.app.formatting import error_name, error_unit
from gui.app.units import reading
from gui.charts.plot import NOT_COMPUTED, Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart, Curve
from robots.simulation.run import Run


class EstimatedErrorPlot(Plot):
    """The estimate, and the error against the reference beside it as a thin dashed line, where there is one."""

    key, title, order, verdict = "estimated-error", "Estimated error", 11, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        from robots.simulation.global_error import remembered

        found = (remembered(run) for _, run in shown.integrated)
        return {key: error_name(key, shown.current.scenario) for one in found if one for key in one.errors}

    def examined(self, run: Run) -> Run:
        from robots.simulation.global_error import remember

        remember(run)
        return run

    def chart(self, shown: Shown, variant: str) -> Chart:
        from robots.simulation.global_error import remembered

        curves, note = list[Curve](), ""
        for row, run in shown.integrated:
            found = remembered(run)
            if found is None or variant not in found.errors:
                continue
            curve = shown.curve(row, found.t, found.errors[variant])
            curves.append(curve)
            finer = "half the step" if run.scenario.step is not None else "a tenth of the tolerances"
            note = note or f"against the same method with {finer}"
            if row.reference is None or row.reference_state != "done" or variant not in row.reference.errors:
                continue
            true = replace(curve, x=row.reference.t, y=row.reference.errors[variant], width=0.7, dash="dot")
            curves.append(replace(true, name=f"{curve.name}, against the reference", listed=False))
            if row is shown.current and (largest := row.reference.max.get(variant)):
                note += f"; efficiency index {reading(found.max[variant] / largest)}"
        empty = "The window estimates the error of short runs that have finished."
        empty = empty if shown.current.judged else NOT_COMPUTED
        return Chart(
            y=Axis("error", error_unit(variant, shown.current.scenario), "log", early=None),
            curves=tuple(curves),
            note=note,
            empty=empty,
        )


PLOT = EstimatedErrorPlot()
