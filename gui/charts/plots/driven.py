"""How good the torques are: the tool's error of the arm that they drive."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gui.app.formatting import error_name, error_unit
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart, Curve


class DrivenPlot(Plot):
    """The error of every shown run's driven arm, on a logarithmic axis."""

    key, title, order, default, special = "driven", "Driven by the torque", 20, True, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        keys = (key for _, run in shown.runs if run.companion is not None for key in run.companion.errors)
        return {key: error_name(key) for key in keys}

    def chart(self, shown: Shown, variant: str) -> Chart:
        if not variant:
            return Chart(empty="To drive the arm with the torque, set “drive the arm with the torque” under Task.")
        curves: list[Curve] = []
        for row, run in shown.runs:
            follower = run.companion
            if follower is not None and variant in follower.errors:
                curves.append(shown.curve(row, np.asarray(follower.t), np.asarray(follower.errors[variant])))
        note = "driven by the torque, against the desired path"
        return Chart(y=Axis("error", error_unit(variant), "log", early=None), curves=tuple(curves), note=note)


PLOT = DrivenPlot()
