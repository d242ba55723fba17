"""The one base class of every error that Armstep reports to a person."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 120
"""Of a value in a message."""


class ArmstepError(Exception):
    """Something a person can mend. The message says what, the value, what is allowed, and the nearest match."""


class BadInput(ArmstepError):
    """A value that was refused.

    Args:
        what: the field's name as the person wrote it (`robot.m1`, `method`).
        value: what was given.
        allowed: what would have been accepted, as a phrase ("a number above 0").
        choices: the valid names, if there are finitely many; the one nearest to a text is suggested.
    """

    def __init__(self, what: str, value: object, allowed: str, choices: Iterable[str] = ()) -> None:
        self.what, self.value, self.allowed = what, value, allowed
        near = get_close_matches(value, list(choices), n=1, cutoff=0.5) if isinstance(value, str) else []
        self.nearest = near[0] if near else None
        hint = f"; did you mean {self.nearest!r}?" if self.nearest else ""
        super().__init__(f"{what} = {shortened(value)} is refused: allowed is {allowed}{hint}")


def shortened(value: object) -> str:
    """A value as a message shows it: its middle is left out where it is long."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"
