"""Runs as things: names, notes, colours, order; what sets them apart; all of it undone, saved and opened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gui.app import formatting
from gui.app.documents import Document, Pin, Tag, side_by_side, tagged
from gui.app.runs import CURRENT, HELD, RunRow, Runs
from gui.app.session.session import Session
from gui.app.settings import Settings
from gui.app.table.distinctions import briefer, details, distinctions, names
from gui.app.table.pairs import differences_text
from gui.charts.colours import COLOURS, colour_of, dash_of
from gui.compose.picture import legend
from robots.scenario.presets import find_preset, find_scenario
from robots.scenario.scenario import new_scenario
from tests.inline_jobs import InlineJobs


def order(session: Session) -> list[str]:
    return [row.label for row in session.runs.all[1:]]


@pytest.fixture
def three(session: Session) -> list[int]:
    """Pinned runs called A, B and C."""
    pins = [session.comparisons.pin() for _ in range(3)]
    for pin, name in zip(pins, "ABC", strict=True):
        session.comparisons.rename(pin, name)
    return pins


def test_a_run_has_a_name_and_a_note_and_its_method_stays_visible(session):
    pin = session.comparisons.pin()
    session.comparisons.rename(pin, "  Coarse \n run ")
    session.comparisons.note(pin, "as in figure 3\n")
    row = session.runs.find(pin)
    assert row.label == "Coarse run"
    assert row.tag.note == "as in figure 3"
    assert row.setting == "Runge-Kutta 4 (classical), step 10\u00a0ms"
    assert session.history.undo_text == "note on Coarse run"
    session.history.undo()
    session.history.undo()
    assert session.runs.find(pin).label == "Runge-Kutta 4 (classical)"
    session.history.redo()
    assert session.runs.find(pin).label == "Coarse run"
    session.comparisons.rename(pin, " ")
    assert session.runs.find(pin).label == "Runge-Kutta 4 (classical)"


def test_the_status_line_has_the_new_name_at_once(session):
    session.comparisons.pin()
    session.comparisons.rename(CURRENT, "Fine")
    assert session.messages.notice.startswith("Fine, ")
    session.history.undo()
    assert session.messages.notice.startswith("Runge-Kutta 4 (classical), ")


def test_saying_the_same_again_is_no_step(session, three):
    session.history.reset(session.history.present)
    session.comparisons.rename(three[0], "A")
    session.comparisons.note(three[0], "")
    session.comparisons.move(three[0], -1)
    session.comparisons.move(99, 1)
    session.comparisons.rename(99, "nobody")
    session.comparisons.colour(three[0], session.runs.find(three[0]).colour)
    assert not session.history.can_undo


def test_the_name_of_the_current_run_goes_with_its_pin(session):
    session.comparisons.rename(CURRENT, "Mine")
    session.edit("step", 0.02)
    assert session.runs.current.label == "Mine"
    pin = session.comparisons.pin()
    assert session.runs.find(pin).label == "Mine"
    assert session.runs.current.label == "Runge-Kutta 4 (classical)"


def test_a_name_that_is_older_than_the_method_stands_beside_it_in_legends(session):
    session.edit("method", "euler")
    session.comparisons.rename(CURRENT, "Euler 10 ms")
    first = session.comparisons.pin()
    session.comparisons.rename(CURRENT, "Euler 10 ms")
    assert names(session.runs.all) == ["Euler 10 ms", "Euler 10 ms"]
    session.edit("method", "rk4")
    older = "Euler 10 ms, Runge-Kutta 4 (classical), step 10 ms"
    assert [one.replace("\u00a0", " ") for one in names(session.runs.all)] == [older, "Euler 10 ms"]
    second = session.comparisons.pin()
    assert names([session.runs.find(second)])[0].replace("\u00a0", " ") == older
    assert names([session.runs.find(first)]) == ["Euler 10 ms"]
    session.comparisons.rename(second, "By RK4")
    assert names([session.runs.find(second)]) == ["By RK4"]
    assert Tag.read(session.runs.find(second).tag.to_data()) == session.runs.find(second).tag


def test_runs_are_moved_and_sorted(session, three):
    first, _, third = three
    session.comparisons.move(third, -1)
    assert order(session) == ["A", "C", "B"]
    session.comparisons.move(first, 99)
    assert order(session) == ["C", "B", "A"]
    session.comparisons.move(first, -99)
    assert order(session) == ["A", "C", "B"]
    session.comparisons.order(reversed(three))
    assert order(session) == ["C", "B", "A"]
    session.history.undo()
    assert order(session) == ["A", "C", "B"]
    assert all(row.state == "done" for row in session.runs.all)


def test_a_duplicate_stands_below_with_a_name_of_its_own(session, three):
    session.comparisons.duplicate(three[0])
    session.comparisons.duplicate(three[0])
    assert order(session) == ["A", "A (3)", "A (2)", "B", "C"]
    assert len({(row.colour, row.dash) for row in session.runs.all}) == 6


def test_a_colour_is_chosen_and_no_two_runs_look_alike(session):
    pins = [session.comparisons.pin() for _ in range(6)]
    for pin in pins[:4]:
        session.comparisons.colour(pin, COLOURS[2])
    looks = [(session.runs.find(pin).colour, session.runs.find(pin).dash) for pin in pins]
    assert [colour for colour, _ in looks[:4]] == [COLOURS[2]] * 4
    assert len(set(looks)) == 6
    session.comparisons.colour(pins[5], "#123456")
    assert session.runs.find(pins[5]).colour != "#123456"
    session.comparisons.colour(CURRENT, COLOURS[2])
    assert session.runs.current.colour == COLOURS[0]


def test_every_pair_of_colour_and_dash_is_within_reach():
    from gui.app.documents import MOST_SLOTS

    looks = {(colour_of(slot), dash_of(slot)) for slot in range(1, MOST_SLOTS + 1)}
    assert len(looks) == MOST_SLOTS


def test_all_of_it_is_saved_and_opened(session, desk, three, tmp_path):
    comparisons = session.comparisons
    comparisons.remove(three[1])
    comparisons.move(three[2], -1)
    comparisons.colour(three[0], COLOURS[4])
    comparisons.note(three[0], "rough")
    comparisons.rename(CURRENT, "Mine")
    session.files.save(tmp_path / "arm.json")
    other = Session(InlineJobs(), Settings(tmp_path / "s"), new_scenario("rr"), desk.engine)
    other.start()
    other.files.open(tmp_path / "arm.json")
    assert [(row.tag, row.slot) for row in other.runs.all] == [(row.tag, row.slot) for row in session.runs.all]
    assert not other.files.dirty
    other.files.new("rr-swing")
    assert other.runs.current.tag == Tag()
    assert "run" not in other.files.as_saved().view


@pytest.mark.parametrize("nonsense", [7, "text", [], {"name": 3, "note": None, "slot": "red"}])
def test_nonsense_in_a_file_is_no_name(session, desk, nonsense):
    scenario = replace(session.scenario, view={"run": nonsense})
    session.files.adopt(scenario)
    assert session.runs.current.tag == Tag()
    session.files.adopt(side_by_side(scenario, scenario))
    assert session.runs.all[1].tag == Tag()
    assert session.runs.all[1].slot == 1


def test_what_is_inside_an_export_comes_back_with_names_and_colours(session, desk):
    first = tagged(session.scenario, Tag("Mine", "note"))
    second = tagged(session.scenario, Tag("Other"), 4)
    session.files.adopt(side_by_side(first, second))
    assert [(row.tag, row.slot) for row in session.runs.all] == [(Tag("Mine", "note"), 0), (Tag("Other"), 4)]


def test_runs_of_two_robots_that_differ_in_a_value_are_told_apart():
    simple, whole = find_preset("e1"), find_preset("e1-complete")
    found = distinctions((simple, whole, simple.with_value("task.rise", 0.05)), True)
    assert [one["task.rise"] for one in found] == ["rise = 0.1\u00a0m", "", "rise = 0.05\u00a0m"]
    assert [one["robot"] for one in found] == ["E1 (simplified)", "E1 (complete)", "E1 (simplified)"]
    assert "task.rise" not in distinctions((simple, whole.with_value("task.rise", 0.05)), True)[0]


def test_the_name_of_ones_own_method_stands_for_its_coefficients():
    base = find_preset("rr-swing").with_value("method", "own")
    mine, other = "tableau 1; name Mine; A 1/2; b 0, 1", "tableau 1; name Other; A 1; b 1/2, 1/2"
    tables = [base.with_value("options.tableau", text) for text in (mine, other, mine.replace("Mine", "Other"))]
    assert "options.tableau" not in distinctions(tuple(tables[:2]), True)[0]
    found = [one["options.tableau"] for one in distinctions(tuple(tables), True)]
    assert found == ["tableau = A 1/2; b 0, 1", "tableau = A 1; b 1/2, 1/2", "tableau = A 1/2; b 0, 1"], (
        "two of one name"
    )


@pytest.mark.parametrize("name", ["", "name Mine; "])
def test_changes_to_two_methods_of_ones_own_are_told_apart(session: Session, name: str) -> None:
    """*From here on*: both were `then Your own method from 0.500 s`, and what differed was nothing."""
    session.playback.seek(0.5)
    session.from_here.set(True)
    own = {"method": "own", "options.tableau": f"tableau 1; {name}A 1/2; b 0, 1"}
    other = {"method": "own", "options.tableau": f"tableau 1; {name}A 2/3; b 1/4, 3/4"}
    session.edit_many(other)
    session.comparisons.pin()
    session.from_here.clear()
    session.edit_many(own)
    mine, theirs = session.runs.all
    begin = f"from 0.500\u00a0s: {'Mine' if name else 'Your own method'} with row 2, column 1 of A = "
    assert names(session.runs.all) == details(session.runs.all) == [f"{begin}1/2", f"{begin}2/3"]
    assert differences_text(mine, theirs).startswith(f"{begin}1/2 instead of 2/3. ")
    session.comparisons.pin()
    session.edit("step", 0.02)
    assert len(set(names(session.runs.all))) == 3, "also where steps set others apart"
    three = own | {"options.tableau": f"tableau 1; {name}A 1/3; A 0, 2/3; b 1/4, 0, 3/4"}
    session.from_here.clear()
    session.edit_many(three)
    assert "with 3 stages" in differences_text(session.runs.current, theirs)


def test_legends_say_how_runs_differ_and_only_that(session):
    assert names(session.runs.all) == ["Runge-Kutta 4 (classical)"]
    assert details(session.runs.all) == ["step 10\u00a0ms"]
    session.comparisons.pin()
    assert names(session.runs.all) == ["Runge-Kutta 4 (classical)"] * 2
    session.edit("robot.m1", 2.0)
    assert names(session.runs.all) == details(session.runs.all) == ["mass 1 = 2\u00a0kg", "mass 1 = 1\u00a0kg"]
    session.edit("step", 0.02)
    assert details(session.runs.all) == ["step 20\u00a0ms · mass 1 = 2\u00a0kg", "step 10\u00a0ms · mass 1 = 1\u00a0kg"]
    session.edit("robot.m1", 1.0)
    assert names(session.runs.all) == ["step 20\u00a0ms", "step 10\u00a0ms"]
    session.edit_many({"method": "rk2", "step": 0.01})
    assert names(session.runs.all) == [row.label for row in session.runs.all]
    assert details(session.runs.all) == ["step 10\u00a0ms", "step 10\u00a0ms"]
    session.comparisons.pin()
    session.edit_many({"method": "rk4", "step": 0.02})
    labels = [row.label for row in session.runs.all]
    steps = ("20", "10", "10")
    pairs = zip(labels, steps, strict=True)
    assert names(session.runs.all) == [f"{label}, step {step}\u00a0ms" for label, step in pairs], "not the step alone"
    session.history.undo()
    session.history.undo()
    session.comparisons.rename(session.runs.all[1].id, "Truth")
    assert names(session.runs.all) == [session.runs.current.label, "Truth"]
    session.edit("robot", "pa10")
    assert names(session.runs.all)[1] == "Truth"
    assert "PA-10" in details(session.runs.all)[0]
    assert names([]) == details([]) == []


def test_a_lone_run_says_how_it_differs_from_what_the_fields_show(session):
    """Of two runs of a map one was removed, and the other's mass stood nowhere."""
    session.edit("robot.m2", 10.0)
    session.comparisons.pin()
    session.edit("robot.m2", 1.0)
    current, pin = session.runs.all
    (entry,) = legend((replace(current, visible=False), pin), 0.0)
    assert entry.setting == "step 10\u00a0ms · mass 2 = 10\u00a0kg"
    session.edit_many({"robot.m2": 10.0, "step": 0.02})
    current, pin = session.runs.all
    assert [one.setting for one in legend((replace(current, visible=False), pin), 0.0)] == ["step 10\u00a0ms"]


def test_what_is_drawn_while_another_method_is_awaited_bears_its_own_name(session):
    before, runs = session.runs.current.label, session.runs
    runs.update(0, scenario=session.scenario.with_value("method", "euler"), state="computing")
    (entry,) = legend(runs.all, 0.0)
    assert entry.label == before
    assert entry.setting == "step 10\u00a0ms   Runge-Kutta 1 (explicit Euler): computing"


def test_a_small_difference_has_as_many_digits_as_it_needs():
    """Two arms whose masses differ by a millionth part after seconds, and nothing said why."""
    arm = find_scenario("rr-chaos").with_value("robot.m1", 2.0)
    for heavier, says in ((2.000001, "mass 1 = 2.000001\u00a0kg"), (2.1, "mass 1 = 2.1\u00a0kg")):
        found = distinctions((arm.with_value("robot.m1", heavier), arm), True)
        assert [own["robot.m1"] for own in found] == [says, "mass 1 = 2\u00a0kg"]


def test_a_field_that_does_not_matter_is_no_difference(session):
    session.files.new("rr-pd")
    session.comparisons.pin()
    session.edit_many({"task.sampling": "held", "task.sampling_period": 0.121})
    assert details(session.runs.all) == [
        "control acts = at samples · sampling period = 121\u00a0ms",
        "control acts = at every instant",
    ]
    text = differences_text(*session.runs.all)
    assert text.startswith("control acts = at samples instead of at every instant; sampling period = 121\u00a0ms")
    assert "no sampling period" in differences_text(*reversed(session.runs.all))


def test_rows_begin_shown_and_without_a_verdict():
    scenario = new_scenario("rr")
    current, pinned = Runs(scenario).current, RunRow.of_pin(Pin(7, scenario, 2))
    assert (current.pinned, pinned.pinned) == (False, True)
    for row in (current, pinned):
        assert (row.visible, row.judged, row.degrees) == (True, False, True)
        assert (row.progress, row.ensemble_progress) == (0.0, 0.0)
    assert (HELD["judged"], HELD["progress"], HELD["ensemble_progress"]) == (False, 0.0, 0.0)


def test_rows_are_announced_when_they_change_and_only_then():
    scenario = new_scenario("rr")
    runs, said = Runs(scenario), []
    runs.changed.connect(lambda: said.append([row.id for row in runs.all if row.visible]))
    document = Document(scenario, (Pin(7, scenario, 2),))
    runs.arrange(document)
    runs.arrange(document)
    assert said == [[CURRENT, 7]]
    runs.show(CURRENT, False)
    runs.show(CURRENT, False)
    assert said[1:] == [[7]]
    assert runs.hidden == [0]
    runs.hide_only([1])
    assert (said[-1], runs.hidden) == ([CURRENT], [1])


@pytest.mark.parametrize(
    ("texts", "briefest"),
    [
        (["step 10 ms"], ["step 10 ms"]),
        (["step 10 ms, then Runge-Kutta 4 (classical) from 3.000 s"], ["RK4, …"]),
        (["rtol 1e-6, atol 1e-9, then 2 changes from 2.000 s"] * 2, ["2 changes, …"] * 2),
        (
            ["step 10 ms", "step 10 ms, then Runge-Kutta 4 (classical) from 3.000 s"],
            ["step 10 ms", "…, then RK4 from 3.000 s"],
        ),
        (
            [f"step {step} ms, then Runge-Kutta 4 (classical) from 3.000 s" for step in (10, 20)],
            ["step 10 ms, …", "step 20 ms, …"],
        ),
        (
            [f"step 10 ms, then Runge-Kutta 2 ({name}) from 3.000 s" for name in ("Heun", "Ralston")],
            ["…, then RK2 (Heun) from 3.000 s", "…, then RK2 (Ralston) from 3.000 s"],
        ),
    ],
)
def test_a_setting_in_brief_keeps_what_differs_or_what_changes_on_the_way(texts, briefest):
    found = briefer(texts)
    assert [forms[0] for forms in found] == texts, "whole where there is room"
    assert [forms[-1] for forms in found] == briefest
    if "RK4, …" in briefest:
        assert found[0][1:4] == ("step 10 ms, then RK4 from 3.000 s", "then RK4 from 3.000 s", "RK4 from 3.000 s")


@pytest.mark.parametrize(
    ("name", "method", "says"),
    [
        ("Radau IIA", "radau5", True),
        ("Radau IIA, 1e-6", "radau5", True),
        ("Rosenbrock-Nystrom", "rosenbrock-nystrom", True),
        ("RK4, fine", "rk4", True),
        ("Dormand-Prince 5(4)", "dopri5", True),
        ("Dormand-Prince 5(4), 1e-6", "dopri5", True),
        ("Runge-Kutta", "rk4", False),
        ("Coarse", "rk4", False),
        ("Gaussian", "gauss4", False),
    ],
)
def test_a_setting_names_the_method_that_the_name_does_not(name: str, method: str, says: bool) -> None:
    """Beside "Radau IIA" stood "Radau IIA 5, rtol 0.001"; "Runge-Kutta" is what several are called."""
    scenario = find_scenario("rr-swing").with_value("method", method)
    row = RunRow(1, scenario, 1, pinned=True, tag=Tag(name))
    setting = formatting.setting(scenario)
    assert row.setting == (setting if says else f"{formatting.one_name(formatting.method_name(scenario))}, {setting}")
