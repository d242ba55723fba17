from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assets.counting import JOINED
from gui.app import run_texts
from gui.app.desks.readout_words import number_reading
from gui.app.runs import RunRow
from gui.app.table.columns import TableMoment, status_text
from gui.app.verdict import (
    Complaint,
    Mood,
    RunVerdict,
    inaccuracy,
    instability,
    limit_at,
    longest_text,
    modes_text,
    stable_step,
    verdict,
)
from gui.charts.plot import BEING_JUDGED, NOT_COMPUTED
from gui.charts.plots.stiffness import PLOT
from gui.charts.shown import Shown
from gui.compose.picture import final_legend, legend
from robots.model.endings import ending
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation import linearisation
from robots.simulation.linearisation import eigenvalues_along
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.run import Run
from robots.simulation.simulate import simulate
from robots.simulation.stability import StepStability, longest_step
from robots.sweeps.sweep import STATUSES
from solvers.method_registry import find_method


def judged_row(scenario: Scenario, *, with_reference: bool = False) -> RunRow:
    run = simulate(scenario)
    state = "done" if run.status.ok else "failed"
    row = RunRow(0, scenario, 0, pinned=False, state=state, run=run, message=run.message, judged=True)
    if not with_reference:
        return row
    exact = reference(scenario)
    assert exact is not None
    return replace(row, reference=compare_with_reference(run, exact), reference_state="done")


def damped(step: float) -> Scenario:
    """The arm that friction brings to rest: its modes decay at a rate that is known from the run itself."""
    return find_preset("rr-friction").with_values({"step": step, "task.d1": 60.0, "task.d2": 30.0, "duration": 3.0})


def test_a_good_run_has_nothing_to_complain_of() -> None:
    found = verdict(judged_row(find_preset("rr-swing").with_value("duration", 2.0)))
    assert found == RunVerdict("Finished", "Finished at t = 2 s.")
    assert (found.brief, found.text) == ("Finished", "Finished at t = 2 s.")
    assert found.mood is Mood.GOOD


def test_the_longest_stable_step_is_the_limit() -> None:
    stability = simulate(damped(0.001)).stability
    assert stability is not None
    limit = float(stability.longest.min())
    assert simulate(damped(0.999 * limit)).stability.growth.max() <= 1.0 + 1e-6  # type: ignore[union-attr]
    beyond = simulate(damped(1.02 * limit)).stability
    assert beyond is not None
    assert beyond.growth.max() > 1.0 + 1e-3
    k = int(np.argmax(beyond.growth))
    assert beyond.step[k] > beyond.longest[k]


def test_a_last_step_that_is_cut_short_is_not_judged() -> None:
    step = 0.0345
    run = simulate(damped(step).with_value("duration", 1.0))
    assert run.log.h[-1] < 0.99 * step
    assert run.stability is not None
    np.testing.assert_allclose(run.stability.step, step, rtol=1e-12)
    np.testing.assert_allclose(run.steps_times_modes(run.t_end), step * run.eigenvalues[1][-1], rtol=1e-6)


def test_a_run_that_ended_may_be_unstable() -> None:
    step = 1.05 * float(simulate(damped(0.001)).stability.longest.min())  # type: ignore[union-attr]
    row = judged_row(damped(step))
    assert row.state == "done"
    found = verdict(row)
    assert found.ended.startswith("Finished")
    assert found.unstable.word == "Unstable"
    assert "beyond the limit there" in found.unstable.detail
    assert found.mood is Mood.DOUBTFUL
    assert not verdict(replace(row, judged=False)).complaint
    assert verdict(replace(row, judged=False)).text == row.message


def test_a_run_that_ended_says_so_beside_what_is_wrong_and_until_when_its_error_is_known() -> None:
    step = 1.05 * float(simulate(damped(0.001)).stability.longest.min())  # type: ignore[union-attr]
    row = judged_row(damped(step))
    moment = TableMoment([row], 0.0, True)
    said = status_text(row, moment).replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith("Unstable: ")
    assert said.endswith("Finished at t = 3 s.")
    chaos = judged_row(find_preset("rr-chaos"), with_reference=True)
    said = status_text(chaos, moment).replace("\N{NO-BREAK SPACE}", " ")
    assert said == f"Finished at t = 25 s. Error known until {chaos.reference.trusted_until:.3f} s."  # type: ignore[union-attr]
    tracked = judged_row(find_preset("pa10-circle"), with_reference=True)
    assert "known until" not in status_text(tracked, moment), "the path is known at all times"


def test_numbers_that_are_compared_have_the_digits_that_tell_them_apart() -> None:
    limit = 27.3e-6
    for step, texts in (
        (limit * (1 + 1e-3), ("27.33\u00a0µs", "27.3\u00a0µs")),
        (limit * (1 + 1e-9), ("27.30000003\u00a0µs", "27.3\u00a0µs")),
        (2 * limit, ("54.6\u00a0µs", "27.3\u00a0µs")),
    ):
        found = replace(at_instants(limit, limit, growth=2.0), step=np.full(2, step))
        assert found.spoilt
        assert str(instability(found)).endswith(f"the step of {texts[0]} is beyond the limit there, {texts[1]}.")
    for limit, step, said in ((0.035566, 0.04, "35.5"), (0.154726, 0.155, "154"), (0.0273, 0.05, "27.3")):
        found = replace(at_instants(limit, limit, growth=2.0), step=np.full(2, step))
        assert str(instability(found)).endswith(f"limit there, {said}\u00a0ms."), "as on the card, and never above it"
    assert number_reading("stable_step", 0.035566, find_preset("rr-swing")) == "longest stable step 0.0355\u00a0s"
    assert "1.00001-fold" in modes_text(np.array([1.00001]), np.array([1.0]), 0.0)


def test_a_control_that_samples_too_seldom_is_unstable_though_the_run_ended() -> None:
    found = verdict(judged_row(find_preset("rr-sampled")))
    assert found.ended == "Finished"
    assert str(found.unstable) == (
        "Unstable: the linearised loop grows 1.458-fold per sample at 170\u00a0ms, beyond the limit of 154\u00a0ms."
    )
    assert found.mood is Mood.DOUBTFUL
    assert found.brief == "Unstable"
    often = judged_row(find_preset("rr-sampled").with_value("task.sampling_period", 0.1))
    assert verdict(often).mood is Mood.GOOD
    late = find_preset("rr-sampled").with_value("task.sampling_delay", 0.05)
    for period, said in (
        (0.0517, "1.0001-fold per sample at 51.7\u00a0ms"),
        (0.053, "1.005-fold per sample at 53\u00a0ms"),
    ):
        slow = verdict(judged_row(late.with_value("task.sampling_period", period)))
        assert said in slow.unstable.detail, "a run of a few seconds shows nothing of so slow a growth"
    assert not verdict(judged_row(late.with_value("task.sampling_period", 0.0516))).unstable
    fed_back = find_preset("pa10-circle").with_values({"task.feedback": "held", "step": 0.5, "duration": 10.0})
    assert verdict(judged_row(fed_back)).mood is Mood.GOOD


def test_a_run_that_ended_may_be_inaccurate() -> None:
    row = judged_row(find_preset("pa10-drift").with_values({"method": "rk1", "step": 1.0}))
    found = verdict(row)
    assert found.ended.startswith("Finished")
    assert "times the motion's 0.4\u00a0m" in found.inaccurate.detail
    assert found.mood is Mood.DOUBTFUL
    far = judged_row(
        find_preset("rr-swing").with_values({"method": "rk1", "step": 0.1, "duration": 3.0}), with_reference=True
    )
    assert verdict(far).inaccurate.word == "Inaccurate"
    assert far.reference is not None
    # The more an arm winds up, the less a turn would be of its motion.
    far = replace(far, reference=replace(far.reference, extent={"rad": 1000.0}))
    assert verdict(far).inaccurate.detail.endswith("% of a full turn")
    wound_up = judged_row(find_preset("rr-swing").with_values({"method": "rk1"}), with_reference=True)
    assert verdict(wound_up).inaccurate.detail == "off by 21\u00a0rad, 3.3 full turns"
    spin = find_preset("top-spin").with_values({"step": 0.02, "duration": 2.0})
    turned = judged_row(spin, with_reference=True)
    assert verdict(turned).inaccurate.detail.endswith("of a full turn"), (
        "its coordinates are no angles, its attitude is one"
    )


def test_an_error_is_compared_with_the_exact_motion_and_not_with_the_overshoot_of_the_run() -> None:
    """The further Euler overshot, the better was its percentage: 50% of the 1.885 rad that it swung through itself."""
    row = judged_row(find_preset("rr-stiff").with_value("step", 0.03), with_reference=True)
    assert row.run is not None
    assert row.run.extent["rad"] == pytest.approx(1.885, abs=1e-3)
    assert verdict(row).inaccurate.detail == "off by 0.94\u00a0rad, 60% of the exact motion's 1.6\u00a0rad"
    tracks = judged_row(find_preset("e12"), with_reference=True)
    assert tracks.run is not None
    assert tracks.reference is not None
    for unit, reached in tracks.run.extent.items():
        assert tracks.reference.extent[unit] == pytest.approx(reached, rel=1e-3), "its reference has other states"


def test_an_error_against_a_path_is_compared_with_the_path() -> None:
    run = judged_row(find_preset("pa10-drift").with_values({"method": "rk1", "step": 1.0})).run
    assert run is not None
    path = run.robot.desired_path(run.scenario, run.t)
    assert path is not None
    assert run.extent["m"] == np.ptp(path, axis=0).max()
    assert run.extent["m"] != np.ptp(run.tip(), axis=0).max()


def test_in_less_room_a_verdict_leaves_out_whole_parts() -> None:
    unstable, inaccurate = Complaint("Unstable", "at t = 2.5 s: i.e. soon"), Complaint("Inaccurate", "off")
    full = RunVerdict("Finished", "Finished at t = 2 s.", "One. Two.", unstable, inaccurate)
    both = "Unstable: at t = 2.5 s: i.e. soon. Inaccurate: off."
    rooms = {
        90: f"{both} Finished at t = 2 s. One. Two.",
        75: f"{both} Finished at t = 2 s.",
        55: both,
        40: "Unstable: at t = 2.5 s: i.e. soon.",
        22: "Unstable, inaccurate",
        12: "Unstable",
        3: "Unstable",
    }
    assert {room: full.fitting(lambda text, room=room: len(text) <= room) for room in rooms} == rooms
    failed = verdict(judged_row(find_preset("e12-unstable")))
    assert (
        failed.fitting(lambda text: len(text) <= 40).replace("\N{NO-BREAK SPACE}", " ")
        == "Iteration failed at t = 0.067 s"
    )
    fine = RunVerdict("Finished", "Finished at t = 2 s.", "One.")
    rooms = {30: "Finished at t = 2 s. One.", 20: "Finished at t = 2 s.", 10: "Finished"}
    assert {room: fine.fitting(lambda text, room=room: len(text) <= room) for room in rooms} == rooms


def test_a_run_that_failed_says_why_and_what_its_steps_did() -> None:
    found = verdict(judged_row(find_preset("rr-stiff")))
    assert found.ended == "Diverged"
    assert "grew without bound" in found.outcome
    assert f" after {found.when[found.when.index('t = ') :]}: " in found.outcome, "one time, written in one way"
    assert "the step of 50\u00a0ms is beyond the limit there, " in found.unstable.detail
    assert found.mood is Mood.BAD
    assert not found.inaccurate


@pytest.mark.parametrize(("state", "words"), [("waiting", "waiting"), ("computing", "computing")])
def test_nothing_is_judged_before_there_is_a_run(state: str, words: str) -> None:
    row = RunRow(0, find_preset("rr-swing"), 0, pinned=False, state=state)
    assert (verdict(row).text, verdict(row).brief) == (words, words)


def test_while_another_method_computes_nothing_is_said_of_the_run_before() -> None:
    row = judged_row(find_preset("rr-stiff"))
    other = replace(row, state="computing", scenario=row.scenario.with_value("method", "rk2"), message="")
    assert other.outdated
    assert verdict(other).text == "computing"
    (entry,) = legend([other], row.scenario.duration)
    assert entry.note == ""
    assert legend([row], row.scenario.duration)[0].alarm
    short = judged_row(find_preset("rr-swing").with_value("duration", 1.0))
    (entry,) = legend([short], 2.0)
    assert (entry.note, entry.alarm) == ("finished at t = 1.000\u00a0s", False)


def at_instants(*longest: float, growth: float = 1.0, controlled: bool = False) -> StepStability:
    """Limits a second apart, with a step of 0.01 s."""
    count = len(longest)
    every = np.full(count, growth), np.array(longest), np.full(count, controlled)
    around = np.full((count, 2), 0.01), np.full(count, 2.0), np.full(count, "rk4")
    return StepStability(np.arange(float(count)), np.full(count, 0.01), *every, *around)


def test_what_follows_the_ruin_of_a_run_says_nothing_of_its_steps() -> None:
    stability = at_instants(0.02, 1e-3, 1e-70, growth=1.5)
    assert (stability.spoilt, stability.sound, stability.least) == (True, 1, 0.02)
    assert longest_text(stability, 0.0) == "Longest stable step: 20\u00a0ms at this point."
    assert longest_text(stability, 2.0) == "Longest stable step: 20\u00a0ms at t = 0.000\u00a0s."
    assert longest_text(stability, 2.0, here=3e-70) == longest_text(stability, 2.0)
    assert stable_step(stability) == 0.02
    gone = simulate(find_preset("rr-stiff")).stability
    assert 0.02 < (stable_step(gone) or 0.0) < 0.03


def test_one_step_at_a_singularity_makes_no_run_unstable() -> None:
    spike = at_instants(0.02, 0.004, 0.02, 0.02)
    spike = replace(spike, growth=np.array([1.0, 32.0, 1.0, 1.0]))
    assert (spike.gathered, spike.sound) == (1.0, 4)
    assert not instability(spike)
    assert instability(replace(spike, growth=np.array([1.0, 32.0, 1.1, 1.0])))
    key = next(path for path, field in find_preset("pa10-singular").fields().items() if "stretch" in field.label)
    assert not verdict(judged_row(find_preset("pa10-singular").with_value(key, 0.0))).unstable


def test_step_control_at_the_limit_is_not_unstable() -> None:
    stability = at_instants(0.009, 0.009, growth=1.01, controlled=True)
    assert stability.gathered == 1.0
    assert not instability(stability)
    assert instability(at_instants(0.009, 0.009, growth=1.01))


@pytest.mark.parametrize("preset", ["rr-chaos", "pa10-singular", "panda-hold", "rr-pull", "rr-swing", "rr-euler"])
def test_the_verdict_on_a_preset_is_that_of_many_more_instants(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few = simulate(find_preset(preset))
    monkeypatch.setattr(linearisation, "INSTANTS", 300)
    many = simulate(find_preset(preset))
    assert few.stability is not None
    assert many.stability is not None
    assert bool(instability(few.stability)) == bool(instability(many.stability)) is False
    assert few.stability.least <= 1.1 * many.stability.least


def test_the_card_names_a_step_that_is_stable_along_the_whole_run() -> None:
    stability = simulate(damped(0.001)).stability
    step = stable_step(stability)
    assert step is not None
    assert stability is not None
    assert 0.99 * stability.longest.min() < step <= stability.longest.min()
    assert not verdict(judged_row(damped(step))).unstable
    assert longest_text(at_instants(0.0343, 0.0339), 0.1) == (
        "Longest stable step: 34.3\u00a0ms at this point, 33.9\u00a0ms at the worst of 2 points along the run."
    )
    between = longest_text(at_instants(0.0343, 0.0339), 0.1, here=0.0331)
    assert between == ("Longest stable step: 33.1\u00a0ms at this point, the worst of 3 points along the run."), (
        "the worst is never better than this point"
    )
    same = longest_text(at_instants(0.0343, 0.0339), 0.1, here=0.0339)
    assert same.endswith("33.9\u00a0ms at the worst of 2 points along the run.")
    assert "any step" in longest_text(at_instants(0.0343, 0.0339), 0.1, here=0.0)
    some = longest_text(at_instants(0.0343, 0.0339), 0.1, here=2.28, growing=True)
    assert some.endswith("points along the run. A mode that grows in the motion itself does not count.")
    assert limit_at(at_instants(0.02, 1e-3, growth=1.5), 1.0, here=3e-70) == np.inf, "no motion of the arm"
    lost = simulate(find_preset("rr-stiff").with_values({"method": "rk4", "step": 0.036})).stability
    assert lost is not None
    assert 1 < lost.sound < len(lost.t)
    assert longest_text(lost, 0.0).endswith(f"at the worst of {lost.sound} points before growth spoils the run.")
    odd = at_instants(0.40249, 0.24678)
    assert "402\u00a0ms at this point, 246\u00a0ms at the worst" in longest_text(odd, 0.0)
    assert stable_step(odd) == 0.246, "the card and its button say one number"
    assert longest_text(at_instants(np.inf, np.inf), 0.0) == ""
    assert "any step" in longest_text(at_instants(0.1, 0.0), 0.0)
    assert stable_step(None) is None
    assert stable_step(simulate(find_preset("hmmwv").with_value("duration", 0.1)).stability) is None


def test_legends_say_how_runs_differ() -> None:
    current = judged_row(find_preset("rr-swing").with_value("duration", 1.0))
    scenario = current.scenario.with_value("robot.m1", 2.0)
    first, second = legend([current, RunRow(1, scenario, 1, pinned=True, run=simulate(scenario), state="done")], 0.0)
    assert first.setting == "mass 1 = 1\u00a0kg"
    cut = simulate(scenario, cancel=lambda: True)
    ended, stopped = final_legend([current, RunRow(1, scenario, 1, pinned=True, run=cut, state="done")])
    assert ended.label == stopped.label
    assert (ended.note, stopped.note[:14]) == ("", "stopped by you")
    assert second.setting == "mass 1 = 2\u00a0kg"


def test_every_ending_has_words() -> None:
    words = {status: ending(status) for status in STATUSES}
    assert words["cancelled"] == "stopped by you"
    assert words["newton-failed"] == "iteration failed"
    assert words["step-too-small"] == "step too small"
    assert not [text for text in words.values() if "-" in text]


def test_the_growth_of_modes_is_written_for_reading() -> None:
    damped = np.array([0.5])
    assert modes_text(np.array([1.25]), damped, 2.0).endswith("The method makes a stable mode grow 1.25-fold per step.")
    spoilt = modes_text(np.array([250.0]), np.array([300.0]), 2.0, ruin=1.5)
    assert spoilt.endswith("Growth has spoilt the run since t = 1.500\xa0s: the arm never has this state.")
    assert modes_text(np.array([123456.0]), damped, 2.0).endswith("grow 123\u202f456-fold per step.")
    assert modes_text(np.array([2e-5]), damped, 2.0).endswith(f"|{JOINED}R(hλ)| is at most 2·10⁻⁵.")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (0.0, ""),
        (0.05, ""),
        (1.0, "Inaccurate: off by 1 m, 50% of the motion's 2 m."),
        (30.0, "Inaccurate: off by 30 m, more than 10 times the motion's 2 m."),
    ],
)
def test_an_error_is_compared_with_how_far_the_arm_moves(
    monkeypatch: pytest.MonkeyPatch, error: float, said: str
) -> None:
    row = judged_row(find_preset("rr-swing").with_value("duration", 0.5))
    monkeypatch.setattr(Run, "extent", {"m": 2.0, "rad": 0.0})
    monkeypatch.setattr(run_texts, "largest_errors", lambda _: {"tip_m": error})
    assert str(inaccuracy(row)).replace("\N{NO-BREAK SPACE}", " ") == said
    monkeypatch.setattr(Run, "extent", {"m": 0.0, "rad": 0.0})
    assert not inaccuracy(row), "nothing moves, so nothing compares"


def test_the_stiffness_of_a_run_that_has_ended_is_being_judged_and_not_left_out() -> None:
    row = replace(judged_row(find_preset("rr-swing").with_value("duration", 0.5)), judged=False)
    assert PLOT.drawn(Shown.of([row])).empty == BEING_JUDGED
    assert "longest stable step" in PLOT.drawn(Shown.of([replace(row, judged=True)])).y.title
    assert PLOT.drawn(Shown.of([replace(row, run=None)])).empty == NOT_COMPUTED


def test_the_stiffness_is_that_of_every_step_also_beside_a_jump() -> None:
    row = judged_row(find_preset("rr-stiffening").with_values({"method": "dopri5"}))
    (curve,) = PLOT.drawn(Shown.of([row])).curves
    run, stability = row.run, find_method("dopri5").stability
    assert run is not None
    assert stability is not None
    assert (curve.x[0], curve.x[-1]) == (0.0, run.t_end)
    good = run.log.accepted.astype(bool)
    for t in (0.5, 1.5, 1.95, 1.999, 2.3, 5.9, 5.999, 6.1, 8.0, 9.99):
        k = int(np.flatnonzero(run.log.t[good] <= t)[-1])
        start, step = run.log.t[good][k], run.log.h[good][k]
        at = np.array([start])
        _, values = eigenvalues_along(run.robot, [run.phase_at(start)], at, run.sample(at))
        assert curve.at(start + 0.5 * step) == pytest.approx(step / longest_step(stability, values)[0], rel=0.25)
