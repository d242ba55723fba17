"""Your own method: read exactly, refused cell by cell, judged by the order conditions, used like any other."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from assets.errors import BadInput
from gui.cli import main
from robots.scenario.file import load_scenario, save_scenario
from robots.scenario.method_selection import method_of
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from solvers.tableaux.order_conditions import trees
from solvers.tableaux.own_tableau import (
    Cells,
    cells_of,
    condition_text,
    conditions_of,
    from_text,
    judge,
    problems,
    shown,
    to_text,
)
from solvers.tableaux.tableau import exact, keys, load

SWING = find_preset("rr-swing").with_value("duration", 1.0)
HEUN = "tableau 1; name Heun 3; A 1/3; A 0, 2/3; b 1/4, 0, 3/4"


@pytest.mark.parametrize("key", [key for key in keys() if load(key).stages <= 13 and load(key).order <= 7])
def test_known_tableaux_are_judged_as_they_are(key):
    tableau = load(key)
    verdict = judge(cells_of(tableau))
    assert verdict.tableau.order == tableau.order
    assert verdict.tableau.error_order == tableau.error_order
    assert verdict.tableau.fsal == tableau.fsal
    assert verdict.failing is not None
    assert verdict.failing.order == tableau.order + 1
    assert abs(verdict.failing.value - 1.0) > 0.0


def test_text_is_read_back():
    cells = from_text(HEUN)
    assert from_text(to_text(cells)) == cells
    assert from_text(HEUN.replace("; ", "\n")) == cells
    assert judge(cells).tableau.order == 3
    roots = from_text("tableau 1; A 1/2-sqrt(3)/6; b 1/2, 1/2")
    assert judge(roots).tableau.order == 1


def test_long_decimals_hold_within_their_digits():
    rounded = from_text(
        "tableau 1; A 0.3333333333333333; A 0, 0.6666666666666667; b 0.25, 0, 0.75;"
        "c 0, 0.3333333333333333, 0.6666666666666667"
    )
    verdict = judge(rounded)
    assert verdict.tableau.order == 3
    assert verdict.bound == pytest.approx(1e-14)
    # Short decimals are meant exactly.
    assert judge(from_text("tableau 1; A 0.333; A 0, 0.667; b 0.25, 0, 0.75")).tableau.order < 3


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "options.tableau"),
        ("tableau 2; b 1", "tableau 2"),
        ("tableau 1", "options.tableau b"),
        ("tableau 1; b 1; b 1", "line"),
        ("tableau 1; q 1; b 1", "line"),
        ("tableau 1; A 1/2; b 1", r"options.tableau A must be 0 rows, .* got 1"),
        ("tableau 1; A 1/2, 0; b 0, 1", "row 2 of A"),
        ("tableau 1; A x; b 0, 1", "row 2, column 1 of A"),
        ("tableau 1; A __import__('os'); b 0, 1", "row 2, column 1 of A"),
        ("tableau 1; A 1/0; b 0, 1", "row 2, column 1 of A"),
        ("tableau 1; A 1/2; b 0, 1; c 0, 1/3", "node c2"),
        ("tableau 1; A 1/2; b 0, 1; b_error 0, 2", "sum to 1, got '?2"),
        ("tableau 1; A 1/2; b 0, 1; b_error 0, 1", "b_error"),
        ("tableau 1; A 1/2; b 0, 1; b_error 1", "b_error"),
        ("tableau 1; " + "A 1; " * 30 + "b " + ",".join("1" * 31), "1 to 20 weights"),
        ("tableau 1; b " + "9" * 50_000, "options.tableau"),
        ("tableau 1; A 1e400; b 0, 1", "row 2, column 1 of A"),
        ("tableau 1; A 1/2; b 1e9999, 1-1e9999", r"weight b1 .*1E\+9"),
        ("tableau 1; A 1e-9999; b 0, 1", "row 2, column 1 of A"),
        ("tableau 1; A 1/" + "7" * 300 + "; b 0, 1", "200 characters"),
    ],
)
def test_what_is_broken_is_refused_by_name(text, named):
    with pytest.raises(BadInput, match=named):
        SWING.with_values({"method": "own", "options.tableau": text})


def test_weights_that_do_not_sum_to_1_run_with_a_warning_and_do_not_converge():
    text = "tableau 1; A 1/2; b 0, 1/2"
    verdict = judge(from_text(text))
    assert verdict.tableau.order == 0
    assert "sum to 1/2, not 1" in verdict.warning
    assert judge(from_text("tableau 1; A 1/2; b 0, 1")).warning == ""
    errors = []
    for step in (0.02, 0.01):
        run = simulate(SWING.with_values({"method": "own", "options.tableau": text, "step": step, "duration": 0.5}))
        assert run.status == "finished"
        exact = simulate(SWING.with_values({"step": step, "duration": 0.5}))
        errors.append(float(np.abs(run.y[-1] - exact.y[-1]).max()))
    assert errors[1] > 0.9 * errors[0] > 0.01


def test_every_wrong_cell_is_named():
    cells = Cells(A=((), ("a",), ("0", "1/0")), b=("1", "", "0"), c=("0", "1", "1"))
    assert set(problems(cells)) == {"A[2][1]", "A[3][2]", "b[2]"}
    assert problems(Cells(((), ("1/2",)), ("0", "1"), None, ("0", "1")))["c[2]"] == "the sum of its row, 1/2"
    grown = cells.resized(4)
    assert [len(row) for row in grown.A] == [0, 1, 2, 3]
    assert grown.resized(2).b == ("1", "")


def test_the_conditions_of_a_known_method():
    found = conditions_of(load("rk4"), 5)
    assert [sum(one.order == order for one in found) for order in range(1, 6)] == [1, 1, 2, 4, 9]
    assert all(one.holds for one in found if one.order <= 4)
    assert not all(one.holds for one in found)


def test_numbers_for_people_are_fractions_if_they_are_short():
    short, root = (
        exact(load("rkf45")).A[1][0],
        next(v for row in exact(load("dop853")).A for v in row if not v.is_rational),
    )
    assert (shown(short), shown(root)) == ("1/4", "0.05260015196")


def test_conditions_in_words():
    third = {condition_text(tree) for tree in trees(3)}
    assert third == {"Σ bᵢ cᵢ² = 1/3", "Σ bᵢ aᵢⱼ cⱼ = 1/6"}
    assert condition_text(trees(1)[0]) == "Σ bᵢ = 1"
    assert "Σ bᵢ cᵢ aᵢⱼ cⱼ² = 1/15" in {condition_text(tree) for tree in trees(5)}
    assert len({condition_text(tree) for tree in trees(6)}) == 20


def test_it_is_a_method_like_any_other(tmp_path, capsys):
    ours = SWING.with_values({"method": "own", "options.tableau": HEUN, "step": 0.01})
    run, known = simulate(ours), simulate(SWING.with_values({"method": "heun3", "step": 0.01}))
    assert np.array_equal(run.y, known.y)
    assert run.counts == known.counts
    assert method_of(ours).order == 3
    assert method_of(ours).name == "Heun 3"
    file = tmp_path / "own.json"
    save_scenario(ours, file)
    assert load_scenario(file) == ours
    assert main(["run", str(file), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["method"] == "own"
    assert printed["final"]["q1"] == run.final["q1"]
    broken = file.read_text().replace("0, 2/3", "0, two thirds")
    file.write_text(broken)
    assert main(["run", str(file)]) == 2
    assert "row 3, column 2 of A" in capsys.readouterr().err
    custom = simulate(ours.with_value("options.specialised", True))
    assert np.allclose(custom.y, run.y, rtol=1e-12)


def test_the_way_of_stepping_follows_the_tableau():
    pair = to_text(cells_of(load("rkf45")))
    controlled = SWING.with_values({"method": "own", "options.tableau": pair, "rtol": 1e-8, "atol": 1e-8})
    run = simulate(controlled)
    same = simulate(SWING.with_values({"method": "rkf45", "rtol": 1e-8, "atol": 1e-8}))
    assert run.counts == same.counts
    # Without an estimate there is no step control: a fixed step is taken, and said.
    changed, remark = controlled.edited({"options.tableau": HEUN})
    assert changed.step is not None
    assert "no step control" in remark
    with pytest.raises(BadInput, match="rtol"):
        replace(changed, step=None, rtol=1e-6)


def test_it_is_measured_and_written_as_a_script_as_what_it_is(tmp_path):
    import subprocess
    import sys

    from robots.export.as_python import as_python
    from robots.sweeps.work_precision import cases

    ours = SWING.with_values(
        {"method": "own", "options.tableau": HEUN.replace("Heun 3", 'My """ \\ one'), "step": 0.01}
    )
    file = tmp_path / "script.py"
    file.write_text(as_python(ours))
    printed = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True).stdout
    q1 = float(printed.split("q1 = ")[1].split()[0])
    assert q1 == pytest.approx(simulate(ours).final["q1"], rel=1e-12)
    assert "= 300" in printed.split("evaluations of f")[1]
    pair = ours.with_value("options.tableau", to_text(cells_of(load("rkf45"))))
    measured = cases(pair, ["own"], [0.1], [1e-6])
    assert [one.step for one in measured] == [0.1, None]
    assert all(one.options["tableau"] == pair.options["tableau"] for one in measured)
