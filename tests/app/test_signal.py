"""Signals reach everyone who listens."""

from __future__ import annotations

import sys

from gui.app.signal import Signal


def test_listeners_are_called_in_order_with_the_arguments():
    signal, calls = Signal(), []
    signal.connect(lambda value: calls.append(("first", value)))
    signal.connect(lambda value: calls.append(("second", value)))
    signal.emit(7)
    assert calls == [("first", 7), ("second", 7)]


def test_a_listener_can_leave_even_while_it_is_called():
    signal, calls = Signal(), []

    def once() -> None:
        calls.append(1)
        leave()

    leave = signal.connect(once)
    signal.connect(lambda: calls.append(2))
    signal.emit()
    signal.emit()
    leave()
    assert calls == [1, 2, 2]


def test_a_listener_that_raises_is_reported_and_disturbs_nobody(monkeypatch):
    signal, calls, reported = Signal(), [], []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: reported.append((kind, str(error))))

    def fail() -> None:
        raise RuntimeError("broken")

    signal.connect(fail)
    signal.connect(lambda: calls.append("heard"))
    signal.emit()
    assert calls == ["heard"]
    assert reported == [(RuntimeError, "broken")]


def test_the_same_function_may_listen_twice():
    signal, calls = Signal(), []

    def note() -> None:
        calls.append(1)

    leave = signal.connect(note)
    signal.connect(note)
    leave()
    signal.emit()
    assert calls == [1]
