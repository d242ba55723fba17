"""The torques of a sampled control: held from one instant to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gui.app.units import subscripted
from gui.charts.plot import NOT_SAMPLED, Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart, Curve
from robots.model.robot import Robot
from robots.simulation.run import Run


class HeldPlot(Plot):
    """A staircase for each motor, a dot where a sample was taken, a cross where one was lost."""

    key, title, order = "held", "Held torque", 17

    def suits(self, robot: Robot) -> bool:
        """For robots whose control may sample."""
        return any(field.key == "sampling" for field in robot.task)

    def chart(self, shown: Shown, variant: str) -> Chart:
        unit, curves = shown.unit("N m"), list[Curve]()
        for row, run in shown.runs:
            if (found := run.held) is None:
                continue
            held, lost = found
            times = _staircase(run, held.acting)
            columns = {subscripted(f"u{k}"): column for k, column in enumerate(held.at(times).T, start=1)}
            for k, curve in enumerate(
                shown.family(
                    row, _doubled(times, run.t_end), {name: np.repeat(column, 2) for name, column in columns.items()}
                )
            ):
                curves.append(curve)
                dots = replace(curve, joined=False, listed=False, x=held.taken, y=held.torques[:, k])
                curves.append(replace(dots, name=f"{curve.name}, samples", mark="dot"))
                if len(lost):
                    missed = replace(dots, x=lost, y=held.at(lost)[:, k])
                    curves.append(replace(missed, name=f"{curve.name}, lost", mark="cross"))
        note = "dots: samples" + ("; × lost" if any(curve.mark == "cross" for curve in curves) else "")
        axis = Axis("torque", unit.symbol)
        return Chart(y=axis, curves=tuple(curves), note=note if curves else "", empty=NOT_SAMPLED)


def _staircase(run: Run, acting: np.ndarray) -> np.ndarray:
    """Where each stair begins: at the start, and where torques begin to act before the end."""
    start = float(run.t[0])
    return np.concatenate([[start], acting[(acting > start) & (acting < run.t_end)]])


def _doubled(times: np.ndarray, end: float) -> np.ndarray:
    """Both ends of every stair, (2n,)."""
    return np.stack([times, np.append(times[1:], end)], axis=1).ravel()


PLOT = HeldPlot()
