"""What is presented: a folder, a list or the presets, page by page, and no change is in the way or lost."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from assets.counting import NO_BREAK
from assets.errors import ArmstepError
from gui.app.lessons.listed import sequence_of_list
from gui.app.session.sequence import Sequence, paragraphs, usual_sequence
from robots.scenario.file import save_scenario
from robots.scenario.presets import group_of, presets, presets_by_robot
from robots.scenario.scenario import Scenario, new_scenario


def written(folder: Path, **notes: str) -> dict[str, Path]:
    """A folder with a scenario of that title and those notes for each name."""
    files = {}
    for name, text in notes.items():
        files[name] = folder / f"{name}.json"
        save_scenario(replace(new_scenario("rr"), name=name, title=name.upper(), notes=text), files[name])
    return files


def titles(sequence: Sequence) -> list[str]:
    return [page.title for page in sequence.pages]


@pytest.mark.parametrize(
    ("notes", "found"),
    [("", [""]), ("One\nline.", ["One line."]), ("First.\n\n\n\nSecond\nhere.\r\n", ["First.", "Second here."])],
)
def test_pages_are_paragraphs(notes: str, found: list[str]) -> None:
    assert paragraphs(notes) == found


def test_presets_come_in_the_order_of_the_gallery(session) -> None:
    session.files.new("pa10-circle")
    sequence = usual_sequence(session)
    assert titles(sequence) == [preset.title for preset in presets_by_robot().values()]
    assert sequence.page.title == presets()["pa10-circle"].title
    groups = [group_of(preset) for preset in presets_by_robot().values()]
    assert sum(one != other for one, other in pairwise(groups)) == len(set(groups)) - 1
    assert groups[-1] == "Maps"


def test_each_page_is_announced(session) -> None:
    sequence, heard = usual_sequence(session), []
    sequence.changed.connect(lambda: heard.append(sequence.number))
    assert sequence.turn(1)
    assert heard == [1] == [sequence.number]


def test_a_scenario_of_no_file_comes_before_the_presets(session) -> None:
    session.files.adopt(replace(new_scenario("rr"), title="Mine"))
    sequence = usual_sequence(session)
    assert titles(sequence)[:2] == ["Mine", presets()["rr-swing"].title]
    assert sequence.turn(1)
    assert sequence.turn(-1)
    assert session.scenario.title == "Mine"


def test_what_has_a_presets_name_is_not_the_preset(session, tmp_path: Path) -> None:
    """As the step of a lesson, or what a film shows."""
    preset = presets()["rr-swing"]
    lecture = tmp_path / "lecture.txt"
    lecture.write_text("rr-swing\n")
    for step in (preset.with_value("method", "rk1"), preset):
        session.files.adopt(step)
        sequence = sequence_of_list(session, lecture)
        assert sequence.start()
        assert session.scenario == preset
    session.edit("method", "rk2")
    assert sequence.start()
    assert session.scenario.method == "rk2", "a change of the preset stays"
    session.files.adopt(preset.with_value("method", "rk1"))
    assert usual_sequence(session).items[0].scenario.method == "rk1"


def test_the_folder_of_the_open_file_in_counting_order(session, tmp_path: Path) -> None:
    files = written(tmp_path, part10="", part2="One.\n\nTwo.", part1="")
    (tmp_path / "broken.json").write_text("{")
    session.files.open(files["part2"])
    sequence = usual_sequence(session)
    assert titles(sequence) == ["PART1", "PART2", "PART2", "PART10"]
    assert (sequence.number, sequence.page.text) == (1, "One.")
    assert sequence.turn(1)
    assert (session.files.path, sequence.page.text) == (files["part2"], "Two.")
    assert sequence.turn(1)
    assert session.files.path == files["part10"]
    assert not sequence.turn(1)
    assert sequence.go(0)
    assert session.files.path == files["part1"]


def test_pages_are_found_by_their_files_and_have_a_title(session, tmp_path: Path) -> None:
    session.files.new("rr-swing")
    session.files.save(tmp_path / "2 energy.armstep")
    own = json.loads((tmp_path / "2 energy.armstep").read_text())
    (tmp_path / "2 energy.armstep").write_text(json.dumps({**own, "title": "Where energy goes"}))
    session.files.open(tmp_path / "2 energy.armstep")
    page = usual_sequence(session).page
    assert (page.title, page.file) == ("Where energy goes", "2 energy.armstep")
    save_scenario(replace(new_scenario("rr"), name="nameless", title=""), tmp_path / "3.armstep")
    assert titles(usual_sequence(session)) == ["Where energy goes", "nameless"]


def test_a_file_that_has_gone_is_passed_over(session, tmp_path: Path) -> None:
    files = written(tmp_path, a="", b="", c="")
    session.files.open(files["a"])
    sequence = usual_sequence(session)
    files["b"].unlink()
    assert sequence.turn(1)
    assert session.files.path == files["c"]


def test_a_change_is_never_in_the_way_and_is_one_step_back(session, tmp_path: Path) -> None:
    files = written(tmp_path, a="", b="")
    session.files.open(files["a"])
    sequence = usual_sequence(session)
    prepared = session.scenario
    session.edit("robot.m1", 2.0)
    session.edit("step", 0.02)
    session.comparisons.pin()
    session.playback.seek(1.5)
    changed = session.scenario
    assert sequence.turn(1)
    assert session.files.path == files["b"]
    assert not session.files.dirty
    assert [kept.title for kept in session.files.kept] == ["a.json"]
    assert [kept.text for kept in session.files.kept] == [f"a.json, {time.strftime('%H:%M')}"]
    assert sequence.turn(-1)
    assert (session.scenario, session.files.path) == (changed, files["a"])
    assert len(session.runs.all) == 2
    assert session.playback.t == 1.5
    assert not session.playback.playing
    assert not session.playback.play_when_ready, "it was left in the middle, and stands there"
    assert session.files.dirty
    assert not session.files.kept
    session.history.undo()
    assert session.scenario == prepared
    assert not session.files.dirty
    assert len(session.runs.all) == 1


def test_kept_changes_are_there_after_the_lecture(session) -> None:
    session.files.new("rr-swing")
    sequence = usual_sequence(session)
    session.edit("robot.m1", 2.0)
    sequence.turn(1)
    session.files.return_to(session.files.kept[0])
    assert session.scenario.get("robot.m1") == 2.0
    assert session.files.dirty


def test_notes_that_are_edited_now_are_the_pages(session) -> None:
    session.files.new("rr-swing")
    sequence = usual_sequence(session)
    session.edit("notes", "One.\n\nTwo.\n\nThree.")
    sequence.go(2)
    assert (sequence.number, sequence.page.text) == (2, "Three.")
    session.edit("notes", "One.")
    assert (sequence.number, sequence.page.text) == (0, "One.")


def test_a_list_in_a_file(session, tmp_path: Path) -> None:
    written(tmp_path, own="")
    lecture = tmp_path / "lecture.txt"
    lecture.write_text("# Monday\n\nrr-euler\n own.json \neuler Creates energy\n")
    session.edit("step", 0.02)
    sequence = sequence_of_list(session, lecture)
    assert titles(sequence) == [presets()["rr-euler"].title, "OWN", presets()["rr-euler"].title]
    assert sequence.start()
    assert session.scenario.name == "rr-euler"
    assert len(session.files.kept) == 1, "what was open before is not lost"
    session.edit("step", 0.5)
    sequence.turn(1)
    assert session.files.path == tmp_path / "own.json"
    sequence.turn(1)
    assert session.scenario.get("step") != 0.5, "each place in the list has its own changes"
    sequence.go(0)
    assert session.scenario.get("step") == 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "one in each line, got []"),
        (
            "rr-swing\nrr-eular\n",
            "lecture.txt, line 2 must be the title or the key of a preset",
        ),
        ("lecture.txt\n", "lecture.txt"),
    ],
)
def test_a_list_that_cannot_be_presented(session, tmp_path: Path, text: str, says: str) -> None:
    lecture = tmp_path / "lecture.txt"
    lecture.write_text(text)
    before: Scenario = session.scenario
    with pytest.raises(ArmstepError) as refusal:
        sequence_of_list(session, lecture)
    assert says in str(refusal.value)
    assert session.scenario == before


def test_panels_belong_to_the_window_not_to_a_scenario(session, tmp_path: Path) -> None:
    session.view.set(panels=False)
    session.files.new("rr-euler")
    assert not session.view.settings.panels
    session.files.save(tmp_path / "a.json")
    session.view.set(panels=True)
    session.files.open(tmp_path / "a.json")
    assert session.view.settings.panels


def test_saving_keeps_the_title_and_files_of_one_title_say_which_they_are(session, tmp_path: Path) -> None:
    title = presets()["rr-swing"].title
    session.files.new("rr-swing")
    session.files.save(tmp_path / "2 energy.armstep")
    assert titles(usual_sequence(session)) == [title]
    session.files.save(tmp_path / "3 again.armstep")
    sequence = usual_sequence(session)
    assert titles(sequence) == [f"{title} (2 energy)", f"{title} (3 again)"]
    session.files.new("rr-stiff")
    assert sequence.page.title == presets()["rr-stiff"].title


def test_plots_of_a_page_are_its_own_until_the_end(session, tmp_path: Path) -> None:
    def kept() -> object:
        return session.settings.get("view.plots", None)

    session.files.new("rr-euler")
    lecture = tmp_path / "lecture.txt"
    lecture.write_text("rr-euler\nrr-chaos\nrr-stiff\n")
    sequence = sequence_of_list(session, lecture)
    session.view.lend(plots=session.view.settings.plots)  # as a presentation does
    sequence.start()
    session.view.set(plots=("energy",))
    session.edit("step", 0.02)
    assert sequence.turn(1)
    assert session.view.settings.plots is None, "another page has the plots that it was saved with"
    assert kept() is None, "and so has the next start"
    assert sequence.turn(-1)
    assert session.view.settings.plots == ("energy",), "until the page comes back"
    assert session.scenario.get("step") == 0.02
    session.view.end_loan()
    sequence.end()
    assert session.view.settings.plots is None, "what was chosen for a page ends with the presentation"
    session.view.set(plots=("error",))
    assert kept() == ("error",), "and afterwards a person chooses for good"
    sequence.turn(1)
    sequence.turn(-1)
    assert session.view.settings.plots == ("error",)


def test_a_page_with_plots_of_its_own_keeps_them_after_the_end(session, tmp_path: Path) -> None:
    session.view.set(plots=("error",))
    session.files.new("rr-chaos")
    session.view.set(plots=("joints", "energy"))
    session.files.save(tmp_path / "2.json")
    session.files.new("rr-euler")
    session.view.set(plots=("error",))
    session.files.save(tmp_path / "1.json")
    session.view.lend(plots=session.view.settings.plots)
    sequence = usual_sequence(session)
    sequence.start()
    session.view.set(plots=())
    sequence.turn(1)
    session.view.set(plots=("energy",))
    session.view.end_loan()
    sequence.end()
    assert session.view.settings.plots == ("joints", "energy"), "the scenario that is open is as it was saved"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "arm.urdf",
            "<robot name='arm'/>",
            "a scenario file: open the robot and save it as a scenario, got 'arm.urdf'",
        ),
        ("broken.json", "{", "broken.json must be a valid JSON object"),
    ],
)
def test_a_list_names_the_line_of_a_file_that_is_no_scenario(
    session, tmp_path: Path, name: str, content: str, said: str
) -> None:
    (tmp_path / name).write_text(content)
    lecture = tmp_path / "monday.txt"
    lecture.write_text(f"rr-swing\n\n{name}\n")
    with pytest.raises(ArmstepError, match=r"^monday\.txt, line 3") as refusal:
        sequence_of_list(session, lecture)
    assert said in str(refusal.value)


def test_kept_changes_of_one_title_and_minute_say_how_they_differ(session, monkeypatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1.8e9)
    for mass, step in ((2.0, 0.01), (3.0, 0.01), (3.0, 0.02), (3.0, 0.02)):
        session.files.new("rr-swing")
        session.edit("robot.m1", mass)
        session.edit("step", step)
        session.files.keep_changes()
    plain = session.files.kept[0].text
    assert {kept.text for kept in session.files.kept} == {plain}
    texts = [text.replace(NO_BREAK, " ") for _, text in session.files.kept_by_name]
    assert texts == [
        f"{plain}: step 20 ms · mass 1 = 3 kg (2)",
        f"{plain}: step 20 ms · mass 1 = 3 kg",
        f"{plain}: step 10 ms · mass 1 = 3 kg",
        f"{plain}: step 10 ms · mass 1 = 2 kg",
    ], "the latest first; two that are alike have numbers"
    assert [kept for kept, _ in session.files.kept_by_name] == [*reversed(session.files.kept)]


def test_nothing_that_opens_in_a_presentation_asks_or_loses_changes(session, tmp_path: Path) -> None:
    """As the palette, the menus and dropped files open it; the pages have their changes again."""
    file = written(tmp_path, a="")["a"]
    session.files.new("rr-swing")
    session.edit("step", 0.02)
    assert session.files.must_ask()
    session.files.new("rr-swing")
    sequence = usual_sequence(session)
    session.files.keeper = sequence.keep
    for opened in (
        lambda: session.lessons.open("chaos"),
        lambda: session.files.new("rr-chaos"),
        lambda: session.files.open(file),
        lambda: session.files.return_to(session.files.kept[0]),
    ):
        session.edit("duration", session.scenario.duration + 0.5)
        changed, kept = session.scenario, session.files.kept
        assert not session.files.must_ask()
        assert not session.files.open(tmp_path / "gone.armstep")
        assert session.files.kept == kept, "what cannot be opened puts nothing aside"
        opened()
        assert session.scenario != changed
        assert session.files.kept[-1].scenario == changed
    session.files.new("rr-chaos")
    session.lessons.close()
    session.files.new("rr-swing")
    sequence = usual_sequence(session)
    session.files.keeper = sequence.keep
    session.edit("step", 0.03)
    session.files.new("rr-chaos")
    assert sequence.turn(1)
    assert sequence.turn(-1)
    assert session.scenario.get("step") == 0.03, "the page has its changes again"
    session.files.keeper = None
    assert session.files.must_ask()


def test_a_scenario_that_is_no_page_has_no_number(session) -> None:
    session.files.new("rr-swing")
    sequence = usual_sequence(session)
    assert sequence.place == f"{sequence.number + 1} of {len(sequence.pages)}"
    session.files.new("rr-chaos")
    assert (sequence.place, sequence.page.title) == ("", session.files.title)
    assert sequence.turn(1)
    assert sequence.place.startswith("2 of ")


def test_from_a_scenario_that_is_no_page_back_means_the_page_that_was_left(session, tmp_path: Path) -> None:
    """It was passed over, and so were its changes; going to its other paragraphs opened nothing."""
    files = written(tmp_path, a="One.", b="Two.\n\nThree.", c="Four.")
    session.files.open(files["b"])
    sequence = usual_sequence(session)
    session.files.keeper = sequence.keep
    session.edit("step", 0.03)
    for act in (lambda: sequence.turn(-1), lambda: sequence.go(1), lambda: sequence.turn(1), lambda: sequence.go(2)):
        session.files.new("rr-chaos")
        assert not sequence.in_step
        assert act()
        assert sequence.in_step
        assert session.files.path == files["b"]
        assert session.scenario.get("step") == 0.03
    assert sequence.following is not None
    assert sequence.following.text == "Four."
    session.files.keeper = None
