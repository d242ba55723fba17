"""Work-precision diagram: counts repeat exactly, marks follow from their definition, hopeless runs are given up."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from gui.charts.work_precision import PALE, WorkView, work_chart
from gui.cli import main
from gui.commands.compare import measured_table
from robots.scenario.presets import find_preset
from robots.sweeps.work_curves import price_of, setting_at, straight_part, with_sure_orders
from robots.sweeps.work_precision import TOLERANCE, Point, cases, data_of, judged, points_of, work_precision
from robots.sweeps.work_precision_process import TIMED_OUT

SWING = find_preset("rr-swing").with_value("duration", 2.0)


def point(method: str, step: float, error: float, cost: int, family: str = "Runge-Kutta") -> Point:
    scenario = SWING.with_values({"method": method, "step": step})
    errors = {"energy_J": 2.0 * error, "reference_q_rad": error}
    counts = {"steps": 1, "rejected": 0, "rhs_evaluations": cost}
    return Point(scenario, method, family, step, None, "finished", "", counts, 1e-6 * cost, 3, errors, errors)


def test_counts_are_the_same_every_time():
    asked = cases(SWING, ["rk4", "dopri5", "ab4"], [0.02, 0.01], [1e-5])
    shares: list[float] = []
    first = work_precision(asked, progress=shares.append, budget=0.01)
    second = work_precision(asked, budget=0.01)
    assert shares[-1] == 1.0
    assert len(first.points) == 7
    assert [one.counts for one in first.points] == [one.counts for one in second.points]
    assert [one.max_error for one in first.points] == [one.max_error for one in second.points]
    assert first.error == "reference_q_rad"
    assert all(one.seconds is not None and one.repeats >= 3 for one in first.points)
    rk4 = first.by_method()["rk4"]
    assert rk4[0].counts["rhs_evaluations"] == 400
    assert rk4[1].order == pytest.approx(4.0, abs=0.3)
    table = list(csv.DictReader(io.StringIO(first.to_csv())))
    assert [row["method"] for row in table] == ["rk4", "rk4", "dopri5", "dopri5", "dopri5", "ab4", "ab4"]
    assert [row["label"] for row in table] == [row["method"] for row in table], "scripts read these"
    names = ["Runge-Kutta 4 (classical)", "Runge-Kutta-Dormand-Prince 5(4)", "Adams-Bashforth 4"]
    assert list(dict.fromkeys(row["name"] for row in table)) == names, "and people these"
    assert json.loads(first.to_json())["points"][0]["rhs_evaluations"] == 400


def test_marks_follow_from_their_definition():
    points = [
        point("rk4", 0.1, 1e-3, 100),
        point("rk4", 0.05, 1e-4, 200),
        point("rk3", 0.1, 1e-3, 150),
        point("rkf45", 0.1, 1e-4, 300, "Fehlberg"),
        replace(point("rk1", 0.1, math.inf, 10), status="diverged"),
    ]
    found = judged(points)
    assert [one.pareto for one in found.points] == [True, True, False, False, False]
    assert [one.best_of_family for one in found.points] == [True, True, False, True, False]
    assert found.points[1].order == pytest.approx(math.log2(10.0))
    assert price_of(points[:2], "reference_q_rad", "rhs_evaluations", 10**-3.5).cost == pytest.approx(
        100 * math.sqrt(2)
    )
    assert price_of(points[:2], "reference_q_rad", "rhs_evaluations", 1e-9) is None
    controlled = [replace(one, step=None, tolerance=one.error("reference_q_rad")) for one in points[:2]]
    beside = [point("rk4", 0.2, 1e-2, 80), *(replace(one, step=0.1) for one in points[1:2])]
    both = [*controlled, *(replace(one, counts={"rhs_evaluations": 900}) for one in beside)]
    for target in (10**-3.5, 1e-4):
        alone = price_of(controlled, "reference_q_rad", "rhs_evaluations", target).cost
        assert price_of(both, "reference_q_rad", "rhs_evaluations", target).cost == alone, (
            "fixed steps are another line"
        )
    assert price_of(controlled, "reference_q_rad", TOLERANCE, 10**-3.5).cost == pytest.approx(10**-3.5)
    assert price_of(controlled, "reference_q_rad", TOLERANCE, 1.0).cost == max(one.tolerance for one in controlled)
    assert setting_at(points[0], points, "rhs_evaluations", 100 * math.sqrt(2)) == pytest.approx(0.0707)
    assert setting_at(points[0], points, "rhs_evaluations", 800) == 0.0125
    assert setting_at(points[2], points, "rhs_evaluations", 300) == 0.05, "one point: half the step costs twice as much"
    assert setting_at(points[0], points, "rhs_evaluations", 1e9) == 0.00625, "no further than a factor of 8"
    with pytest.raises(BadInput, match="energy_J"):
        judged(points, "position_m")


def test_the_order_is_that_of_the_straight_part_of_a_curve():
    steps = [0.1 / 2**k for k in range(8)]
    # Steps that are far too long, then fourth order, then rounding errors.
    errors = [0.3, 0.28, *(1e-3 * 2.0 ** (-4 * k) for k in range(4)), 1e-8, 2e-8]
    points = [point("rk4", h, error, int(10 / h)) for h, error in zip(steps, errors, strict=True)]
    part = straight_part(points, "reference_q_rad")
    assert part is not None
    assert [one.step for one in part.points] == steps[2:6]
    assert part.power == pytest.approx(4.0)
    assert part.error_at(steps[3]) == pytest.approx(errors[3])
    bent = [replace(one, max_error={"reference_q_rad": 1.04**k * errors[2 + k]}) for k, one in enumerate(points[2:6])]
    bent_part = straight_part(bent, "reference_q_rad")
    assert bent_part is not None
    assert bent_part.power == pytest.approx(4.0 - math.log2(1.04)), "of all of it, not of one pair"
    assert straight_part(points[:4], "reference_q_rad") is None, "two points of a longer curve are no line"
    assert straight_part(points[2:4], "reference_q_rad") is None, "nor are two of which there are no more"
    assert straight_part(points[:2], "reference_q_rad") is None
    # Order 8, of which the third error is half rounding.
    errors = [3e-5, 1e-8, 8e-11, 1.3e-12, 3e-13, 3.5e-13, 2e-13]
    rounded = [point("dop853", h, error, int(10 / h)) for h, error in zip(steps, errors, strict=False)]
    assert straight_part(rounded, "reference_q_rad") is None
    view = WorkView(points, ["rk4"], "reference_q_rad", "rhs_evaluations")
    (sign,) = work_chart(view).labels
    assert sign.text == "4.0"


def curve(orders: list[float], first: float = 1e-2) -> list[Point]:
    """Points of halved steps between which errors fall with these orders."""
    errors = [first * 2.0 ** -sum(orders[:k]) for k in range(len(orders) + 1)]
    return [point("rk4", 0.08 / 2**k, error, 100 * 2**k) for k, error in enumerate(errors)]


def test_a_saved_table_has_only_the_orders_of_the_straight_part():
    """An error that is larger than the motion had an order by chance."""
    found = judged(curve([1.2, 4.0, 4.0, 4.0], first=10.0))
    assert [point.order is not None for point in found.points] == [False, True, True, True, True]
    table = list(csv.DictReader(io.StringIO(with_sure_orders(found).to_csv())))
    assert [row["order"] != "" for row in table] == [False, False, True, True, True]
    assert float(table[-1]["order"]) == pytest.approx(4.0)


def test_an_order_that_finer_steps_contradict_is_no_order():
    """Runge-Kutta 4 on the arm that falls with mass 2 = 0.8633 kg was labelled 5.6; it goes on with 2.2 and 3.5."""
    error = "reference_q_rad"
    assert straight_part(curve([5.13, 5.29, 5.81, 6.05, 2.16, 3.48]), error) is None
    part = straight_part(curve([6.03, 6.35, 5.69, 5.15, 5.05]), error)
    assert part is not None
    assert part.power == pytest.approx(5.1, abs=0.01), "of the finest steps, not the 6.1 of the longest ones"
    part = straight_part(curve([5.33, 5.13, 5.1, 5.06, 5.1, 7.37]), error)
    assert part is not None
    assert part.power == pytest.approx(5.1, abs=0.05), "one pair where the reference ends refutes nothing"
    part = straight_part(curve([2.0, 3.2, 4.0, 4.0]), error)
    assert part is not None
    assert len(part.points) == 3, "the shortest part at the end"
    # Dormand-Prince 5(4) on the PA-10 was labelled 7.2, the order of its longest useful steps.
    assert straight_part(curve([5.7, 2.5, 7.5, 6.9, 5.6]), error) is None
    assert straight_part(curve([5.7, 2.5, 5.1, 5.0, 1.2]), error) is None, "two pairs do not outweigh one"
    assert straight_part(curve([5.7, 5.08, 5.0, 5.0, 1.2]), error) is not None, "three do"


def test_a_line_that_still_bends_has_no_order():
    """Runge-Kutta 4 with a step too long was labelled 4.5, along 4.84, 4.44 and 4.22; its steps go on with 4.12."""
    error = "reference_q_rad"
    assert straight_part(curve([4.84, 4.44, 4.22]), error) is None
    assert work_chart(WorkView(curve([4.84, 4.44, 4.22]), ["rk4"], error, "rhs_evaluations")).labels == ()
    on = straight_part(curve([4.84, 4.44, 4.22, 4.12, 4.06]), error)
    assert on is not None
    assert on.power == pytest.approx(4.09, abs=0.01)
    falling = straight_part(curve([3.217, 3.731, 3.884, 3.945, 3.975]), error)
    assert falling is not None
    assert f"{falling.power:.1f}" == "3.9", "as that of the arm that falls"


def test_the_orders_of_lines_that_lie_together_are_written_apart():
    steps = [0.08 / 2**k for k in range(6)]
    methods = ["rk4", "kutta38"]
    points = [
        point(method, step, (1.0 + 0.01 * number) * step**4, int(40 / step))
        for number, method in enumerate(methods)
        for step in steps
    ]
    signs = work_chart(WorkView(points, methods, "reference_q_rad", "rhs_evaluations")).labels
    assert [sign.text for sign in signs] == ["4.0", "4.0"]
    assert abs(math.log10(signs[0].x / signs[1].x)) > 0.1


def test_errors_of_rounding_are_no_answer_no_front_and_no_order():
    """The last point of a fine curve had 4e-14 by chance, was "the cheapest for 1e-13", and made an order of 7.4."""
    base = SWING.with_value("duration", 10.0)
    found = work_precision(cases(base, ["dopri5", "rk4"], [0.005, 0.0025, 0.00125]), budget=0.0)
    fine, last = found.by_method()["dopri5"][1:]
    name, level = found.error, last.level[found.error]
    assert 4e-13 < level < 4e-12, "the same run with steps of 1.3 and 1 ms has 5e-13 and 8e-13"
    assert last.max_error[name] < level < fine.max_error[name]
    assert [last.rounded(name), fine.rounded(name)] == [True, False]
    assert (last.order, last.pareto, last.best_of_family) == (None, False, False)
    assert fine.pareto
    assert fine.order is None, "its 7e-12 are 4 times rounding, which makes any order from 4.9 to 5.7"
    cost = "rhs_evaluations"
    points = found.by_method()["dopri5"]
    assert price_of(points, name, cost, 1e-13) is None
    within = price_of(points, name, cost, 2.0 * level)
    assert within is not None
    assert fine.cost(cost) < within.cost < last.cost(cost)
    assert not any(point.rounded(name) for point in found.by_method()["rk4"])
    kept = points_of(data_of(found.points))
    assert [point.level for point in kept] == [point.level for point in found.points]
    assert kept[2].rounded(name)
    old = data_of(found.points)
    for entry in old["points"]:
        del entry["level"]
    assert not any(point.rounded(name) for point in points_of(old)), "nothing is known of a diagram kept before"
    chart = work_chart(WorkView(found.points, ["dopri5", "rk4"], name, cost, ("", "")))
    pale = [mark for mark in chart.curves if mark.faded]
    assert [mark.y.tolist() for mark in pale] == [[last.max_error[name]]]
    assert chart.note == PALE
    rows = measured_table(found).splitlines()
    assert [row[0] for row in rows[1:-1]].count("~") == 1
    assert work_chart(WorkView(points[:2], ["dopri5"], name, cost, ("", ""))).note == ""


def test_an_order_near_rounding_is_none_and_half_rounded_errors_are_pale():
    """Dormand-Prince 8(5,3) on the arm that falls: 8.7e-13, more than half of it rounding, gave 4.9, not 7.6."""
    found = work_precision(cases(SWING.with_value("duration", 10.0), ["dop853"], [0.08, 0.04, 0.02]), budget=0.0)
    name = found.error
    coarse, middle, fine = found.points
    assert 0.5 < fine.level[name] / fine.max_error[name] < 1.0
    assert [point.rounded(name) for point in found.points] == [False, False, True]
    assert [point.order is None for point in found.points] == [True, False, True]
    assert straight_part(found.points, name) is None, "two sure points of three are no line"
    nearer = replace(middle, level={name: 0.04 * middle.max_error[name]})
    assert nearer.order_after(replace(coarse, level={}), name) is None
    farther = replace(middle, level={name: 0.03 * middle.max_error[name]})
    assert farther.order_after(replace(coarse, level={}), name) == middle.order


def test_a_table_has_the_same_columns_whatever_is_known_of_its_first_point():
    """A run added to a diagram that was kept without levels: its file could not be written, or lacked the level."""
    name = "reference_q_rad"
    new, old = replace(point("rk4", 0.01, 1e-9, 800), level={name: 1e-12}), point("rk4", 0.02, 1e-8, 400)
    unknown = replace(old, level={name: math.nan})
    for points in ([new, old], [old, new], [unknown, new], [old, unknown]):
        found = judged(points)
        levels = [point.level.get(name, math.nan) for point in points]
        rows = list(csv.DictReader(io.StringIO(found.to_csv())))
        np.testing.assert_array_equal([float(row[f"level_{name}"] or math.nan) for row in rows], levels)
        np.testing.assert_array_equal(np.load(io.BytesIO(found.to_npz()))[f"level_{name}"], levels)
        assert {row["level_energy_J"] for row in rows} == {""}
        json.loads(found.to_json())


@pytest.mark.parametrize("level", [None, {}, {"reference_q_rad": None}, {"reference_q_rad": math.nan}])
def test_a_level_that_is_no_number_is_unknown(level):
    """A level that is not finite is kept as null, and the file could not be judged when it was opened again."""
    made = point("rk4", 0.01, 1e-9, 800)
    kept = json.loads(json.dumps(data_of([replace(made, level={"reference_q_rad": math.nan, "energy_J": 1e-14})])))
    assert points_of(kept)[0].level == {"energy_J": 1e-14}
    kept["points"][0]["level"] = level
    (read,) = points_of(kept)
    assert read.level == {}
    assert not read.rounded("reference_q_rad")
    assert judged([read, made]).points[0].pareto


def test_a_hopeless_run_is_given_up():
    slow = SWING.with_values({"method": "rk8", "step": 1e-7})
    began = time.monotonic()
    (one,) = work_precision([slow], timeout=0.3).points
    assert one.status == TIMED_OUT
    assert "0.3 s" in one.message
    assert one.seconds is None
    assert not one.pareto
    assert time.monotonic() - began < 60


def test_cancel_returns_what_there_is():
    asked = [*cases(SWING, ["rk4"], [0.02]), SWING.with_values({"method": "rk8", "step": 1e-7})]
    seen: list[Point] = []
    found = work_precision(asked, on_point=seen.append, cancel=lambda: bool(seen), timeout=120.0)
    assert [one.method for one in found.points] == ["rk4"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_an_interrupt_while_the_process_starts_leaves_nothing_behind(monkeypatch, capfd, request) -> None:
    """It comes between the start of the process and what that reads first: without a traceback from there, it ends."""
    from multiprocessing import util

    started: list[int] = []

    def interrupted(*arguments):
        started.append(spawn(*arguments))
        os.kill(os.getpid(), signal.SIGINT)
        return started[-1]

    # A script's background jobs ignore SIGINT.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    spawn = util.spawnv_passfds
    monkeypatch.setattr(util, "spawnv_passfds", interrupted)
    with pytest.raises(KeyboardInterrupt):
        work_precision(cases(find_preset("rr-swing"), ["rk4"], steps=[0.01]))
    assert capfd.readouterr().err == ""
    assert started
    for process in started:
        with pytest.raises(OSError, match="No such process"):
            os.kill(process, 0)


@pytest.mark.parametrize(
    ("methods", "steps", "tolerances", "named"),
    [(["rk4"], [], [1e-6], "rk4"), (["cvode-bdf"], [0.1], [], "cvode-bdf"), (["rk4"], [3.0], [], "step")],
)
def test_what_a_method_cannot_have_is_refused(methods, steps, tolerances, named):
    with pytest.raises(BadInput, match=named):
        cases(SWING, methods, steps, tolerances)


def test_compare_prints_and_writes_the_table(capsys, tmp_path):
    words = ["compare", "rr-swing", "--set", "duration=1", "--methods", "euler,rkf45", "--steps", "0.1,0.05"]
    assert main([*words, "--json", "--out", str(tmp_path / "table.csv")]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [run["method"] for run in printed["runs"]] == ["rk1", "rk1", "rkf45", "rkf45"]
    assert all(run["compute_seconds"] > 0.0 for run in printed["runs"])
    assert (tmp_path / "table.csv").read_text().count("\n") == 5
    for refused in (["--steps", "0"], ["--steps", "a"], ["--steps", "0.1", "--out", "x.txt"], ["--out", "x.csv"]):
        assert main(["compare", "rr-swing", "--methods", "rk4", *refused]) == 2
        assert capsys.readouterr().err.count("\n") == 1
