"""Arrows from where each tip should be towards where it is, all lengthened by the same power of ten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gui.app.units import power_text
from gui.compose.kinematics import RunKinematics
from gui.compose.overlay import Moment, Overlay, Pieces, beyond, shown_rows
from gui.compose.places import arms_of
from scene.picture import Arrow, Label

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.view import ViewSettings

NO_ERROR = 1e-13
"""Errors below this part of the arm's size are round-off and get no arrow."""


class ErrorOverlay(Overlay):
    """Against the reference, or against the path that the task asks for."""

    key, order, setting = "error", 60, "error_vector"

    def draw(self, moment: Moment) -> Pieces:
        runs = [(row, arm) for row, arm, _ in moment.runs]
        scale = _scale(runs, moment.t, moment.view)
        if not scale:
            return Pieces()
        arrows, labels = [], []
        for row, arm, tip in moment.runs:
            if tip is None or not _judged(row, arm, moment.t):
                continue
            exact, colour = arm.exact_tip(moment.t, row.reference_run), moment.colour(row)
            end = exact + scale * (tip - exact)
            if 0.01 * moment.size < np.linalg.norm(end - exact) < 1e3 * moment.size:
                arrows.append(Arrow(exact, end, colour, 3.0))
                labels = labels or [Label(said(scale), end, colour, beyond(end - exact, moment.camera), 14.0)]
        return Pieces(arrows=arrows, labels=labels)


def error_scale(rows: Sequence[RunRow], t: float, view: ViewSettings) -> float:
    """By how much the error arrows of `rows` are lengthened at time `t`; 0 when there is none to draw."""
    shown = shown_rows(rows, view)
    return _scale(list(zip(shown, arms_of(shown), strict=True)), t, view)


def _scale(runs: Sequence[tuple[RunRow, RunKinematics]], t: float, view: ViewSettings) -> float:
    worst = max((arm.worst_at(t, row.reference_run) for row, arm in runs if _judged(row, arm, t)), default=0.0)
    size = runs[0][1].shape(t).radius if runs else 1.0
    if not NO_ERROR * size < worst < math.inf:
        return 0.0
    return view.error_scale or 10.0 ** max(0, math.floor(math.log10(0.5 * size / worst)))


def _judged(row: RunRow, arm: RunKinematics, t: float) -> bool:
    """Whether the run's error is known now."""
    if row.frozen_at(t) or arm.tip(t) is None:
        return False
    if row.reference_run is not None:
        return t <= row.reference_run.trusted_until
    return arm.desired is not None


def said(scale: float) -> str:
    """How much an error arrow is lengthened, in words."""
    if scale == 1.0:
        return "error"
    exponent = round(math.log10(scale))
    exact = exponent > 3 and math.isclose(scale, 10.0**exponent)
    return f"error × {power_text(exponent) if exact else f'{scale:.4g}'}"


OVERLAY = ErrorOverlay()
