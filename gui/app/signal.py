"""Announce a change without knowing who listens."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

Listener = Callable[..., Any]


class Signal:
    """A list of listeners that are called in the order in which they connected.

    A listener that raises stops neither the other listeners nor the sender: its exception goes to `sys.excepthook`,
    where the window shows it.
    """

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def connect(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` at every `emit`; the returned function disconnects it (calling it twice is harmless)."""
        entry: list[Listener] = [listener]
        self._listeners.append(listener)

        def disconnect() -> None:
            if entry:
                self._listeners.remove(entry.pop())

        return disconnect

    def emit(self, *args: object) -> None:
        """Call every listener with `args`. Who connects or disconnects meanwhile counts from the next `emit`."""
        for listener in tuple(self._listeners):
            try:
                listener(*args)
            except Exception as error:
                sys.excepthook(type(error), error, error.__traceback__)
