"""Arrows from where each tip should be towards where it is, all lengthened by the same power of ten."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gui.app.units import power_text
from gui.compose.kinematics import RunKinematics
from gui.compose.overlay import Array, Moment, Overlay, Pieces, shown_rows
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
        runs = list(zip(moment.shown, moment.arms, strict=True))
        scale, ends = error_arrows(runs, moment.t, moment.view)
        arrows, labels = [], []
        for row, end in zip(moment.shown, ends, strict=True):
            if end is None:
                continue
            start, head = end
            colour = moment.colour(row)
            arrows.append(Arrow(start, head, colour))
            labels = labels or [Label(said(scale), head, colour, size_px=14.0, start=start)]
        return Pieces(arrows=arrows, labels=labels)


def error_arrows(
    runs: Sequence[tuple[RunRow, RunKinematics]], t: float, view: ViewSettings
) -> tuple[float, list[Array | None]]:
    """By how much the error arrows at time `t` are lengthened, and start and end of each run's, (2, 3) [m] or None."""
    scale = _scale(runs, t, view)
    return scale, [_ends(row, arm, t, scale, runs[0][1].shape(t).radius) for row, arm in runs]


def _ends(row: RunRow, arm: RunKinematics, t: float, scale: float, size: float) -> Array | None:
    tip = arm.tip(t)
    if not scale or tip is None or not _judged(row, arm, t):
        return None
    exact = arm.exact_tip(t, row.reference_run)
    end = exact + scale * (tip - exact)
    return np.array([exact, end]) if 0.01 * size < np.linalg.norm(end - exact) < 1e3 * size else None


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
