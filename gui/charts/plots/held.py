"""The torques of a sampled control: held from one instant to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gui.charts.plot import NOT_SAMPLED, Plot
from gui.charts.shown import Shown, called
from gui.charts.steps import SIGNS
from robots.model.chart import Axis, Chart, Curve
from robots.model.robot import Robot
from robots.simulation.run import Run

GROUPS = {"torque": ("Held torque", "N m"), "force": ("Held force of sliding joints", "N")}
"""Title and unit: torques and forces never share an axis."""


class HeldPlot(Plot):
    """A staircase for each motor, a dot where a sample was taken, a cross where one was lost."""

    key, title, order = "held", "Held torque", 17

    def suits(self, robot: Robot) -> bool:
        """For robots whose control may sample."""
        return any(field.key == "sampling" for field in robot.task)

    def variants(self, shown: Shown) -> Mapping[str, str]:
        units = {unit for _, run in shown.runs if run.held is not None for unit in _units(run)}
        return {key: title for key, (title, unit) in GROUPS.items() if unit in units or unit == "N m"}

    def chart(self, shown: Shown, variant: str) -> Chart:
        (title, si_unit), curves = GROUPS[variant or "torque"], list[Curve]()
        unit = shown.unit(si_unit)
        for row, run in shown.runs:
            if (found := run.held) is None:
                continue
            held, lost = found
            times = _staircase(run, held.acting)
            motors = [k for k, own in enumerate(_units(run)) if own == si_unit]
            steps = {called(run, f"u{k + 1}"): np.repeat(held.at(times)[:, k], 2) for k in motors}
            family = shown.family(row, _doubled(times, run.t_end), steps)
            for k, curve in zip(motors, family, strict=True):
                curves.append(curve)
                dots = replace(curve, joined=False, listed=False, x=held.taken, y=held.torques[:, k])
                curves.append(replace(dots, name=f"{curve.name}, samples", mark="dot"))
                if len(lost):
                    missed = replace(dots, x=lost, y=held.at(lost)[:, k])
                    curves.append(replace(missed, name=f"{curve.name}, lost", mark="cross"))
        missed = [(len(held.taken), len(lost)) for _, run in shown.runs if run.held for held, lost in [run.held]]
        gone = (
            f"; {SIGNS['cross']}: {missed[0][1]} of {sum(missed[0])} lost"
            if len(missed) == 1
            else f"; {SIGNS['cross']} lost"
        )
        note = "dots: samples" + (gone if any(curve.mark == "cross" for curve in curves) else "")
        axis = Axis(variant or "torque", unit.symbol)
        return Chart(title, y=axis, curves=tuple(curves), note=note if curves else "", empty=NOT_SAMPLED)


def _units(run: Run) -> list[str]:
    """Of each motor."""
    return [run.robot.unit(f"u{k + 1}") for k in range(run.held[0].torques.shape[1])] if run.held else []


def _staircase(run: Run, acting: np.ndarray) -> np.ndarray:
    """Where each stair begins: at the start, and where torques begin to act before the end."""
    start = float(run.t[0])
    return np.concatenate([[start], acting[(acting > start) & (acting < run.t_end)]])


def _doubled(times: np.ndarray, end: float) -> np.ndarray:
    """Both ends of every stair, (2n,)."""
    return np.stack([times, np.append(times[1:], end)], axis=1).ravel()


PLOT = HeldPlot()
