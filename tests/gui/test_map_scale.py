"""The scale of a map's colours and of its sections, of failed runs' times too; what its border is, in words."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gui.charts.map import FINISHED, map_chart, section_chart
from robots.scenario.presets import find_preset
from robots.sweeps.axes import SweepAxis
from robots.sweeps.borders import ALONG, REST, START, Border
from robots.sweeps.sweep import STATUSES, Sweep, SweepResult
from solvers.status import Status

SWING = find_preset("rr-swing").with_value("duration", 5.0)
TWO = SweepAxis("initial.q1", -1.0, 1.0, 5), SweepAxis("step", 0.01, 0.1, 3, log=True)


def test_the_time_that_failed_runs_reached_is_of_the_scale() -> None:
    result = SweepResult.empty(Sweep(SWING, TWO, ("t_end", "steps")))
    result.status[:] = FINISHED
    result.status[1] = STATUSES.index(Status.DIVERGED)
    result.numbers[:, 0] = 5.0
    result.numbers[:, 1] = 100.0
    result.numbers[1] = 1.11, 300.0
    field, steps = (map_chart(result, name).colours for name in ("t_end", "steps"))
    assert field is not None
    assert steps is not None
    assert field.span == pytest.approx((1.11, 5.0)), "no run comes later, and one ended at 1.11 s"
    assert steps.span == (0.0, 100.0), "but how much a failed run cost squashes nothing"
    row = section_chart(result, "t_end", 1, 0)
    assert row.view is not None
    assert row.view[2] < 1.11
    assert 5.0 < row.view[3] < 5.5
    assert 1.11 in row.curves[-1].y.tolist(), "its cross stands at its own time"


def test_a_map_of_one_number_goes_to_that_number() -> None:
    result = SweepResult.empty(Sweep(SWING, TWO, ("t_end",)))
    result.status[:], result.numbers[:] = FINISHED, 5.0
    field = map_chart(result, "t_end").colours
    assert field is not None
    assert field.span == (0.0, 5.0)
    view = section_chart(result, "t_end", 1, 0).view
    assert view is not None
    assert view[3] - view[2] > 0.9, "numbers that can be read, and not 4.999998 to 5.000002"


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (ALONG, "the equations linearised along the motion become unstable"),
        (START, "the equations linearised at the start become unstable"),
        (REST, "the loop linearised at rest becomes unstable"),
    ],
)
def test_a_border_says_where_equations_are_linearised(where: str, said: str) -> None:
    result = SweepResult.empty(Sweep(SWING, TWO, ("t_end",)))
    result.status[:], result.numbers[:] = FINISHED, 5.0
    border = Border(np.array([-0.5, 0.5]), np.array([0.02, 0.05]), where)
    kept = json.loads(json.dumps(border.to_data()))
    assert map_chart(result, "t_end", Border.from_data(kept)).note == f"dashed: where {said}"
    del kept["where"]
    assert Border.from_data(kept).where == START, "of a map that was kept before"
