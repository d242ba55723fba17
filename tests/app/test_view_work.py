"""Key frames and linked fields are work: undo takes them back, and a file without them is not the saved one."""

from __future__ import annotations

from gui.app.session.session import Session

FIRST, SECOND = {"t": 0.0, "camera": {}}, {"t": 1.5, "camera": {"azimuth": 0.3}}


def test_undo_takes_back_a_key_frame_and_not_the_edit_before_it(session: Session) -> None:
    session.edit("step", 0.02)
    session.view.set(camera_keys=(FIRST,))
    session.view.set(camera_keys=(FIRST, SECOND), camera_path=True)
    assert session.history.undo_text == "key frame"
    session.history.undo()
    assert session.view.settings.camera_keys == (FIRST,)
    assert not session.view.settings.camera_path, "one key frame is no path"
    assert session.scenario.step == 0.02
    session.history.redo()
    assert session.view.settings.camera_keys == (FIRST, SECOND)
    assert session.view.settings.camera_path
    for _ in range(2):
        session.history.undo()
    assert session.view.settings.camera_keys == ()
    assert session.scenario.step == 0.02
    session.history.undo()
    assert session.scenario.step != 0.02
    assert not session.files.dirty


def test_undo_says_that_a_key_frame_was_removed(session: Session) -> None:
    session.view.set(camera_keys=(FIRST, SECOND))
    session.view.set(camera_keys=(FIRST,))
    assert session.history.undo_text == "key frame removed"
    session.history.undo()
    assert session.view.settings.camera_keys == (FIRST, SECOND)
    assert session.history.undo_text == "key frame"
    assert session.history.redo_text == "key frame removed"


def test_undo_takes_back_a_link(session: Session) -> None:
    session.links.link("robot.m1", "robot.m2")
    assert session.history.undo_text == "linked fields"
    session.history.undo()
    assert not session.links.others("robot.m1")
    session.history.redo()
    assert session.links.others("robot.m1") == {"robot.m2"}
    session.links.release("robot.m1")
    assert session.history.undo_text == "separated fields"
    session.history.undo()
    session.history.undo()
    assert session.edit("robot.m1", 1.75)
    assert session.scenario.get("robot.m2") != 1.75


def test_key_frames_belong_to_their_robot_and_come_back_with_it(session: Session) -> None:
    session.view.set(camera_keys=(FIRST,))
    session.edit("robot", "beam")
    assert session.view.settings.camera_keys == ()
    session.history.undo()
    assert session.view.settings.camera_keys == (FIRST,)
    assert session.scenario.robot == "rr"
    session.history.undo()
    assert not session.history.can_undo


def test_other_settings_of_the_view_are_no_step(session: Session) -> None:
    session.view.set(trail=False, camera={"azimuth": 3.1}, plots=["error"])
    assert not session.history.can_undo
    assert not session.files.dirty


def test_changes_that_were_put_aside_come_back_with_their_key_frames(session: Session) -> None:
    session.edit("step", 0.02)
    session.view.set(camera_keys=(FIRST,))
    kept = session.files.keep_changes()
    assert kept is not None
    session.files.new("rr-chaos")
    assert session.view.settings.camera_keys == ()
    session.files.return_to(kept)
    assert session.view.settings.camera_keys == (FIRST,)
    session.history.undo()
    assert session.view.settings.camera_keys == (), "your changes are one step"
    assert session.scenario.step != 0.02


def test_a_camera_that_was_free_stays_free(session: Session) -> None:
    session.view.set(camera_keys=(FIRST, SECOND), camera_path=True)
    session.view.set(camera_path=False)
    session.view.set(camera_keys=(FIRST,), camera_path=False)
    session.history.undo()
    assert session.view.settings.camera_keys == (FIRST, SECOND)
    session.view.set(camera_path=False)
    kept = session.files.keep_changes()
    assert kept is not None
    session.files.new("rr-chaos")
    session.files.return_to(kept)
    assert session.view.settings.camera_keys == (FIRST, SECOND)
    assert not session.view.settings.camera_path


def test_a_pinned_run_of_another_robot_has_no_key_frames_of_this_one(session: Session) -> None:
    pinned = session.comparisons.pin()
    session.edit("robot", "beam")
    session.view.set(camera_keys=(FIRST,))
    session.comparisons.edit(pinned)
    assert session.scenario.robot == "rr"
    assert session.view.settings.camera_keys == ()
    session.history.undo()
    assert session.view.settings.camera_keys == (FIRST,)
