"""A finding of a study: a claim of a paper beside our numbers."""

from __future__ import annotations

from dataclasses import dataclass

AGREES, DIFFERS, NOT_COMPARABLE = "agrees", "differs", "not comparable"


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim of a paper beside what we get.

    Attributes:
        figure: where the paper makes it.
        paper: what it says.
        ours: what we get, with numbers.
        verdict: `AGREES`, `DIFFERS` or `NOT_COMPARABLE`, decided by the numbers.
        why: the likely reason when they differ.
        timed: the numbers depend on how fast the machine is.
    """

    figure: str
    paper: str
    ours: str
    verdict: str
    why: str = ""
    timed: bool = False


def agrees(holds: bool) -> str:
    """The verdict on a claim that the numbers decide."""
    return AGREES if holds else DIFFERS
