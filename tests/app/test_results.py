"""What tools find is kept with the document: named, undone, saved, read again."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gui.app.desks import maps
from gui.app.desks.maps import MapDesk
from gui.app.desks.work_precision import WorkChoices, WorkPrecisionDesk, halved, rounding, steps_around, tightened
from gui.app.documents import Result
from gui.app.jobs import Jobs
from gui.app.session.results import TABLEAU, TABLEAU_TYPED, WORK_PRECISION
from gui.app.session.session import Session
from gui.charts.map import map_chart
from gui.charts.work_precision import bounded, measured_chart
from robots.sweeps.axes import SweepAxis
from robots.sweeps.runner import Runner
from robots.sweeps.storage import kept
from robots.sweeps.work_precision import Point, data_of, judged
from solvers.method_registry import find_method
from tests.inline_jobs import InlineJobs, run_out_of_memory


def test_results_are_kept_named_undone_and_saved(session: Session, tmp_path: Path) -> None:
    first = session.results.keep(TABLEAU, "Mine", {"text": "a"})
    second = session.results.keep(TABLEAU, "Mine", {"text": "b"})
    assert (first.name, second.name) == ("Mine", "Mine (2)")
    assert session.results.keep(TABLEAU, "Other", {"text": "a"}) == first
    assert session.results.of(TABLEAU) == [second, first]
    renamed = session.results.rename(second, "  Yours ")
    assert session.results.rename(renamed, " ") == renamed
    assert session.files.dirty
    session.files.save(tmp_path / "kept.json")
    assert not session.files.dirty
    session.results.remove(first)
    session.history.undo()
    assert session.results.find(TABLEAU, "Mine") == first
    session.files.new("rr-pd")
    assert session.results.of(TABLEAU) == []
    session.files.open(tmp_path / "kept.json")
    assert session.results.of(TABLEAU) == [Result(TABLEAU, "Yours", {"text": "b"}), first]


def test_what_was_typed_and_not_used_is_named_in_plain_words(session: Session) -> None:
    session.results.put(TABLEAU_TYPED, "Typed and not used", {"name": "Mine"}, automatic=True)
    assert not session.files.dirty
    assert session.files.unsaved == ""
    session.results.put(TABLEAU_TYPED, "Typed and not used", {"name": "Mine", "stages": 2})
    assert session.files.unsaved == "typed method, not used", "nothing has changed that can be undone"
    assert not session.history.can_undo
    assert session.files.loss == (
        "The method that you typed and did not use will be lost if you don't save it with the scenario."
    )
    session.results.keep(TABLEAU, "Ours", {"text": "a"})
    assert session.files.loss == "New results will be lost if you don't save them: Ours."
    assert session.files.unsaved == "new results"
    session.edit("robot.m1", 2.0)
    assert session.files.unsaved == "changed"


@pytest.mark.parametrize("entry", [{}, {"kind": 1, "name": "a", "data": {}}, {"kind": "a", "name": "b", "data": []}])
def test_a_result_that_cannot_be_read_is_left_out_and_said(session: Session, entry: dict[str, object]) -> None:
    session.files.adopt(replace(session.scenario, results=(entry,)))
    assert session.history.present.results == ()
    assert "could not be read" in session.messages.notice


def test_ones_own_method_is_the_one_that_was_typed(session: Session) -> None:
    heun = "tableau 1; name Heun 3; A 1/3; A 0, 2/3; b 1/4, 0, 3/4"
    session.results.keep(TABLEAU, "Heun 3", {"text": heun})
    session.edit("method", "own")
    assert session.scenario.options["tableau"] == heun


def test_a_methods_own_settings_survive_a_detour(session: Session) -> None:
    session.edit_many({"method": "taylor", "options.order": 12})
    session.edit("method", "rk4")
    session.edit("method", "taylor")
    assert session.scenario.options["order"] == 12


def test_ranges_of_steps_and_tolerances(session: Session) -> None:
    assert halved(0.08, 0.01) == [0.08, 0.04, 0.02, 0.01]
    assert tightened(1e-3, 1e-11) == [1e-3, 1e-5, 1e-7, 1e-9, 1e-11]
    assert halved(0.01, 0.02) == []
    assert halved(1.0, 0.0) == []
    assert len(halved(1.0, 1e-300)) == 40
    assert halved(0.02, 0.02) == [0.02]
    assert steps_around(session.scenario) == pytest.approx((0.08, 0.00125))


@pytest.mark.parametrize(
    ("between", "ends", "inside"),
    [
        (halved, (0.08, 1.0 / 640.0), [0.04, 0.02, 0.01, 0.005, 0.0025]),
        (halved, (0.02, 0.0015), [0.01, 0.005, 0.0025]),
        (halved, (0.02, 0.0024), [0.01, 0.005]),
        (halved, (0.02, 0.015), []),
        (halved, (8.0 / 60.0, 1.0 / 60.0), [4.0 / 60.0, 2.0 / 60.0]),
        (tightened, (1e-3, 1e-8), [1e-5, 1e-7]),
        (tightened, (1e-3, 2e-8), [1e-5]),
        (halved, (1.0, 1e-300), [0.5**k for k in range(1, 39)]),
    ],
)
def test_both_ends_of_a_range_are_measured(
    between: Callable[[float, float], list[float]], ends: tuple[float, float], inside: list[float]
) -> None:
    """Halving 80 ms ended at 2.5 ms where 1/640 s was asked for, without a word."""
    found = between(*ends)
    assert (found[0], found[-1]) == ends
    assert found[1:-1] == pytest.approx(inside)


def quick_measure(asked, *, cancel, progress, on_point):
    """Points that lie on a straight line of the method's order."""
    points = []
    for scenario in asked:
        h = scenario.step or scenario.rtol
        order = 4 if scenario.method == "rk4" else 1
        counts = {"rhs_evaluations": order / h, "steps": 1 / h, "rejected": 0}
        family, errors = find_method(scenario.method).family, {"reference_q_rad": h**order}
        control = scenario.step, scenario.rtol
        made = Point(
            scenario, scenario.method, family, *control, "finished", "", counts, 0.1 / h, 3, errors, errors, 2.0
        )
        points.append(made)
        on_point(made)
        progress(len(points) / len(asked))
    return judged(points)


def test_a_measurement_is_kept_with_the_document_and_read_from_its_file(session: Session, tmp_path: Path) -> None:
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, quick_measure)
    desk.begin(["rk4", "rk1"], [0.1, 0.05, 0.025], [])
    assert not desk.measuring
    assert desk.kept is not None
    assert desk.kept.name == "Runge-Kutta 4 (classical), Runge-Kutta 1 (explicit Euler)"
    found = desk.judged("rhs_evaluations")
    best = desk.answer(found, 1e-5, "rhs_evaluations")
    assert best.startswith("10⁻⁵\u00a0rad: Runge-Kutta 4 (classical), 71 evaluations")
    assert desk.answer(desk.judged("seconds"), 1e-20, "seconds") == "10⁻²⁰\u00a0rad: no measured method reaches it."
    desk.rename("Order counts")
    before = desk.points
    session.files.save(tmp_path / "kept.json")
    desk.forget()
    session.files.new("rr-pd")
    desk.look()
    assert desk.points == []
    session.files.open(tmp_path / "kept.json")
    desk.look()
    assert desk.points == [replace(point, order=None, pareto=False, best_of_family=False) for point in before]
    assert [point.scenario for point in desk.points] == [point.scenario.alone() for point in before]
    assert desk.differs(degrees=True) == ()
    session.edit("robot.m1", 3.0)
    assert desk.differs(degrees=True) == ("mass 1 = 1\u00a0kg",)
    desk.remove()
    assert desk.points == []


@pytest.mark.parametrize(
    ("target", "said"), [(1e-4, "evaluations"), (1e-10, "no measured method reaches it."), (1e-13, "rounding decides.")]
)
def test_a_target_fails_by_rounding_only_below_every_level(session: Session, target: float, said: str) -> None:
    """The level of a run of many steps was blamed for methods of few steps that simply do not come so far."""
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, quick_measure)
    desk.begin(["rk4", "rk1"], [0.1, 0.05, 0.025], [])
    name = "reference_q_rad"
    desk.points = [replace(one, level={name: 1e-12}) for one in desk.points]
    chance = replace(desk.points[0], level={name: 1e-9}, max_error={name: 1e-11})
    assert chance.rounded(name)
    desk.points = [chance, *desk.points[1:]]
    found = desk.judged("rhs_evaluations")
    assert rounding(found) == (1e-12, 1e-9)
    assert desk.answer(found, target, "rhs_evaluations").endswith(said) is (said != "evaluations")
    assert said in desk.answer(found, target, "rhs_evaluations")
    assert rounding(judged([replace(one, level={}) for one in desk.points])) == (0.0, 0.0)


def test_a_map_waits_for_its_kernels_and_is_there_at_once_the_second_time(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[object] = []
    axes = SweepAxis("initial.q1", -1.0, 1.0, 6), SweepAxis("robot.m1", 0.51, 2.0, 5)

    def desk() -> MapDesk:
        found = MapDesk(InlineJobs(), session.history, session.results, lambda *asked: waited.append(asked[:2]))
        found.begin(axes, ("final.q1", "steps", "max_error.energy_J", "final.q9"))
        return found

    session.edit("duration", 0.2)
    first = desk()
    assert first.trouble == ""
    assert waited == [(session.scenario, ["rk4"])]
    assert first.result is not None
    assert first.result.sweep.show == ("final.q1", "steps", "max_error.energy_J"), "the robot has no q9"
    monkeypatch.setattr(Runner, "rows", lambda *_: pytest.fail("computed again"))
    second = desk()
    assert second.result is not None
    np.testing.assert_array_equal(second.result.numbers, first.result.numbers)


def test_a_map_of_a_million_runs_takes_no_memory_before_its_job_begins(session: Session) -> None:
    begun: list[object] = []
    jobs = Jobs(begun.append)
    jobs.start = lambda job, lane: begun.append(lane)  # type: ignore[method-assign]
    desk = MapDesk(jobs, session.history, session.results)
    axes = SweepAxis("initial.q1", -1.0, 1.0, 1000), SweepAxis("robot.m1", 0.51, 2.0, 1000)
    tracemalloc.start()
    desk.begin(axes, ("final.q1", "steps", "t_end"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert begun == ["study"]
    assert desk.result is not None
    assert desk.result.numbers.shape == (1_000_000, 3)
    assert peak < 2**20, "the arrays take 25 MiB, and the window would wait for them"
    assert map_chart(desk.result, "steps").colours is None


def test_a_map_of_a_field_over_itself_is_refused_in_words_of_the_sheet(session: Session) -> None:
    desk, axis = MapDesk(InlineJobs(), session.history, session.results), SweepAxis("initial.q1", -1.0, 1.0, 5)
    desk.begin((axis, axis), ("final.q1",))
    assert desk.trouble == "The two axes must be different fields, got 'angle 1'"


def test_what_was_computed_of_a_map_is_kept_when_memory_runs_out(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    axes = SweepAxis("initial.q1", -1.0, 1.0, 60), SweepAxis("robot.m1", 0.51, 2.0, 5)
    session.edit("duration", 0.2)
    desk = MapDesk(InlineJobs(), session.history, session.results)
    with monkeypatch.context() as short:
        run_out_of_memory(short, after=1)
        desk.begin(axes, ("final.q1",))
    assert desk.trouble == "The rest needs more memory than there is."
    assert desk.result is not None
    there = desk.result.status >= 0
    assert 0 < there.sum() < 300
    assert desk.kept is not None
    before = desk.result.numbers.copy()
    desk.begin(axes, ("final.q1",))
    assert desk.trouble == ""
    assert not len(desk.result.missing)
    np.testing.assert_array_equal(desk.result.numbers[there], before[there])


def test_a_large_map_is_kept_by_its_description_and_read_from_the_disk(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maps, "MOST_IN_FILES", 10)
    monkeypatch.setattr(maps, "MOST_BYTES", 8 * 12 * 2)
    session.edit("duration", 0.2)
    desk = MapDesk(InlineJobs(), session.history, session.results)
    desk.begin((SweepAxis("initial.q2", 0.1, 1.0, 12),), ("final.q1", "steps", "t_end"))
    assert desk.result is not None
    assert desk.result.sweep.show == ("final.q1", "steps"), "as many as there is room for"
    numbers, result = desk.result.numbers.copy(), desk.kept
    assert result is not None
    assert {*result.data} == {"sweep"}
    desk.show(None)
    desk.show(result)
    np.testing.assert_array_equal(desk.result.numbers, numbers)
    assert desk.trouble == ""
    for file in kept.CACHE.file(0).parent.glob("*.npz"):
        file.unlink()
    desk.show(result)
    assert desk.trouble == "The numbers of this map are no longer on this machine: compute it again."


def test_what_cannot_be_measured_is_refused_in_words(session: Session) -> None:
    desk = WorkPrecisionDesk(InlineJobs(), session.history, session.results, quick_measure)
    desk.begin([], [0.1], [])
    assert desk.trouble.startswith("Choose methods")
    desk.begin(["rk4"], [50.0], [])
    assert "must be" in desk.trouble
    desk.show(Result(WORK_PRECISION, "Broken", {"points": 3}))
    assert desk.trouble.startswith("Broken cannot be read")
    assert desk.points == []


def test_what_is_measured_unasked_comes_with_the_document_and_is_no_step(session, tmp_path):
    session.files.save(tmp_path / "arm.json")
    steps = session.history.can_undo
    session.results.note("kernel-gain", "rk4", {"of": "x", "generic": 2.0, "specialised": 1.0, "written_out": True})
    assert not session.files.dirty
    assert session.history.can_undo == steps
    session.edit("robot.m1", 2.0)
    assert session.files.dirty
    session.files.save(tmp_path / "arm.json")
    session.files.new("rr-swing")
    assert session.results.of("kernel-gain") == []
    session.files.open(tmp_path / "arm.json")
    (kept,) = session.results.of("kernel-gain")
    assert kept.data["generic"] == 2.0


def test_a_run_that_grew_without_bound_has_no_place_in_a_diagram(session: Session) -> None:
    """It came to its end, 10^78 away: the others would share a line at the bottom."""
    asked = [session.scenario.with_values({"method": "rk4", "step": h}) for h in (0.1, 0.05, 0.025)]
    found = quick_measure(asked, cancel=None, progress=lambda _: None, on_point=lambda _: None)
    lost = replace(found.points[0], max_error={"reference_q_rad": 1e78})
    assert bounded((lost, *found.points), found.error) == found.points
    chart = measured_chart(replace(found, points=(lost, *found.points)), session.scenario)
    assert max(curve.y.max() for curve in chart.curves) < 1.0


def test_what_was_chosen_for_a_diagram_is_saved_with_it(session: Session, tmp_path: Path) -> None:
    errors = {"energy_J": 1e-5}
    point = Point(session.scenario, "rk4", "Runge-Kutta", 0.01, None, "finished", "", {}, 1e-3, 3, errors, errors)
    session.results.keep(WORK_PRECISION, "Mine", data_of([point]))
    desk, history = session.work_precision, session.history
    desk.look()
    assert desk.choices is None
    chosen = WorkChoices(
        ("rk4",), (True, "0.1", "0.01"), (False, "1e-3", "1e-9"), "seconds", "energy_J", True, "1/1000"
    )
    undo = history.undo_text
    desk.remember(chosen)
    assert history.undo_text == undo, "a choice is no step to undo"
    session.files.save(tmp_path / "chosen.json")
    session.files.new("rr-pd")
    desk.look()
    assert (desk.choices, desk.points) == (None, [])
    session.files.open(tmp_path / "chosen.json")
    desk.look()
    assert desk.choices == chosen
    desk.remember(chosen)
    assert not session.files.dirty
    for broken in (5, {}, {**chosen.to_data(), "steps": 3}, {**chosen.to_data(), "methods": None}):
        assert WorkChoices.read(broken) is None
