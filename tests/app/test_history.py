"""Undo and redo are exact, whatever was edited in whatever order."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gui.app.history import MERGE_SECONDS, MOST_STEPS, History


class HistoryMachine(RuleBasedStateMachine):
    """Compares History with the obvious model: a list of values and a position."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0
        self.history: History[int] = History(0, lambda: self.time)
        self.values, self.place = [0], 0
        self.gesture_from: int | None = None

    @rule(value=st.integers())
    def record(self, value: int) -> None:
        self.time += 10.0
        self.history.record(value, f"to {value}")
        merges = self.gesture_from is not None and self.place > self.gesture_from
        self.values = [*self.values[: self.place + (0 if merges else 1)], value]
        self.place = len(self.values) - 1

    @rule()
    def undo(self) -> None:
        assert self.history.undo() == (self.place > 0)
        if self.place > 0:
            self.place, self.gesture_from = self.place - 1, None

    @rule()
    def redo(self) -> None:
        assert self.history.redo() == (self.place + 1 < len(self.values))
        if self.place + 1 < len(self.values):
            self.place, self.gesture_from = self.place + 1, None

    @precondition(lambda self: self.gesture_from is None)
    @rule()
    def begin(self) -> None:
        self.history.begin_gesture()
        self.gesture_from = self.place

    @precondition(lambda self: self.gesture_from is not None)
    @rule()
    def end(self) -> None:
        self.history.end_gesture()
        start, self.gesture_from = self.gesture_from, None
        if start is not None and start < self.place and self.values[start] == self.values[self.place]:
            self.values, self.place = self.values[: start + 1], start

    @invariant()
    def same(self) -> None:
        assert self.history.present == self.values[self.place]
        assert self.history.can_undo == (self.place > 0)
        assert self.history.can_redo == (self.place + 1 < len(self.values))


TestHistory = HistoryMachine.TestCase
TestHistory.settings = settings(stateful_step_count=30)


def test_quick_edits_of_one_field_are_one_step(clock):
    history = History(0, clock)
    for value in (1, 2, 3):
        history.record(value, "mass 1", key="robot.m1")
        clock.now += 0.5 * MERGE_SECONDS
    history.record(4, "mass 2", key="robot.m2")
    clock.now += 2 * MERGE_SECONDS
    history.record(5, "mass 2", key="robot.m2")
    passed = []
    while history.can_undo:
        passed.append((history.undo_text, history.present))
        history.undo()
    assert passed == [("mass 2", 5), ("mass 2", 4), ("mass 1", 3)]


def test_an_edit_that_is_taken_back_at_once_leaves_no_step(clock):
    history = History(1, clock)
    history.record(2, "first", key="a")
    clock.now += 2 * MERGE_SECONDS
    for value in (3, 4, 2):
        history.record(value, "second", key="a")
    assert (history.present, history.undo_text, history.can_redo) == (2, "first", False)
    history.record(5, "second", key="a")
    history.undo()
    assert history.present == 2
    history.undo()
    assert history.present == 1


def test_edits_after_an_undo_never_merge_with_what_was_left(clock):
    history = History(0, clock)
    history.record(1, "mass 1", key="robot.m1")
    clock.now += 5
    history.record(2, "mass 1", key="robot.m1")
    history.undo()
    history.record(3, "mass 1", key="robot.m1")
    history.undo()
    assert history.present == 1


def test_the_oldest_of_very_many_steps_are_forgotten(clock):
    history = History(0, clock)
    for value in range(1, 5001):
        history.record(value, "edit")
    undone = sum(history.undo() for _ in range(5000))
    assert (undone, history.present) == (MOST_STEPS, 5000 - MOST_STEPS)
    assert sum(history.redo() for _ in range(5000)) == MOST_STEPS
    assert history.present == 5000
    history.begin_gesture()
    for value in (5001, 5002):
        clock.now += 5
        history.record(value, "drag")
    history.end_gesture()
    history.undo()
    assert history.present == 5000, "a gesture at the limit is one step"


def test_every_change_is_announced(clock):
    history, heard = History("a", clock), []
    history.changed.connect(lambda: heard.append(history.present))
    history.record("b", "edit")
    history.amend("c")
    history.begin_gesture()
    history.record("d", "drag")
    history.record("c", "drag")
    history.end_gesture()
    history.undo()
    history.redo()
    assert heard == ["b", "c", "d", "c", "c", "a", "c"]
