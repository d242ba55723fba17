"""Sentences about a step of a lesson, which are gone once that is another one."""

from __future__ import annotations

from collections.abc import Callable

from gui.app.session.messages import Messages
from gui.app.signal import Signal


class Remarks:
    """Says why nothing happens in a step, until something does.

    Args:
        messages: where it is said.
        phrase: a sentence in the lesson's language, by its key.
        news: whatever changes the step.
    """

    def __init__(self, messages: Messages, phrase: Callable[[str], str], *news: Signal) -> None:
        self._messages, self._phrase, self._said = messages, phrase, ""
        for one in news:
            one.connect(self._unsay)

    def __call__(self, key: str) -> None:
        """Say that sentence."""
        self._said = f"{self._phrase(key).rstrip('.')}."
        self._messages.say(self._said)

    def _unsay(self) -> None:
        if said := self._said:
            self._said = ""
            self._messages.unsay(said)
