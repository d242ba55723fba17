"""A count is one number: in the table of runs, on the command line, in maps and in work-precision diagrams."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from assets.fields import Value
from gui.app.run_texts import status
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.columns import COLUMNS, TableMoment
from gui.cli import main
from robots.scenario.presets import find_preset
from robots.sweeps.axes import SweepAxis
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep
from robots.sweeps.work_precision_process import measure
from tests.inline_jobs import InlineJobs

CASES: list[tuple[str, dict[str, Value]]] = [
    ("rr-stiff", {}),
    ("rr-stiff", {"method": "rk4", "step": 0.1}),
    ("rr-stiff", {"method": "dopri5", "rtol": 1e-6, "atol": 1e-8, "duration": 1.0}),
    ("rr-swing", {"method": "ab4", "duration": 1.0}),
    ("rr-swing", {"method": "rosenbrock-nystrom", "rtol": 1e-5, "atol": 1e-7, "duration": 1.0}),
    ("beam", {"method": "rk4", "step": 0.02, "duration": 0.5}),
    ("beam", {"method": "bdf-variable", "rtol": 1e-5, "atol": 1e-7, "duration": 0.5}),
    ("double-pendulum", {"duration": 0.5}),
]
COUNTS = "steps", "rejected", "rhs_evaluations", "jacobian_evaluations", "newton_iterations"
IN_TABLE = {"rejected": "rejected", "rhs": "rhs_evaluations"}


@pytest.mark.parametrize(("key", "changes"), CASES)
def test_every_place_has_the_same_counts(
    key: str, changes: dict[str, Value], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = find_preset(key).with_values(changes)
    session = Session(InlineJobs(), Settings(tmp_path), scenario)
    session.start()
    row = session.runs.current
    assert row.run is not None
    counts = asdict(row.run.counts)
    moment = TableMoment((row,))
    shown = {column.key: column.value(row, moment) for column in COLUMNS if column.key in IN_TABLE}
    assert shown == {column: counts[name] for column, name in IN_TABLE.items()}
    assert (f"{counts['rejected']} rejected" in status(row).replace("\u202f", "")) is (counts["rejected"] > 0)
    (tmp_path / "case.json").write_text(scenario.to_json())
    main(["run", str(tmp_path / "case.json"), "--json"])
    ran = json.loads(capsys.readouterr().out)
    main(["compare", str(tmp_path / "case.json"), "--methods", scenario.method, "--json"])
    compared = json.loads(capsys.readouterr().out)["runs"][0]
    measured = measure(scenario.to_json(), 60.0, 0.0)["counts"]
    sweep = Sweep(scenario, (SweepAxis("duration", scenario.duration, 1.01 * scenario.duration, 2),), COUNTS)
    first = next(one for one in Runner(sweep).rows(range(1)) if one.number == 0)
    mapped = dict(zip(COUNTS, first.values, strict=True))
    for place, found in (("run", ran), ("compare", compared), ("diagram", measured), ("map", mapped)):
        assert {name: found[name] for name in COUNTS} == {name: counts[name] for name in COUNTS}, place
    log = row.run.log
    assert counts["steps"] == np.count_nonzero(log.accepted)
    lost = np.count_nonzero(~log.accepted)
    assert counts["rejected"] == (lost if scenario.step is None else 0), "a fixed step that fails is not rejected"
