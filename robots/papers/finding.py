"""A finding of a study: a claim of a paper beside our numbers."""

from __future__ import annotations

from dataclasses import dataclass

from assets.counting import written_out

AGREES, PARTLY, DIFFERS = "holds", "holds in part", "does not hold"
NOT_COMPARABLE = "cannot be checked"


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim of a paper beside what we get.

    Attributes:
        figure: where the paper makes it.
        paper: what it says.
        ours: what we get, with numbers.
        verdict: `AGREES`, `PARTLY`, `DIFFERS` or `NOT_COMPARABLE`, decided by the numbers.
        why: the likely reason when they differ.
        timed: the numbers depend on how fast the machine is.
        where: what a claim that holds in part is limited to.
    """

    figure: str
    paper: str
    ours: str
    verdict: str
    why: str = ""
    timed: bool = False
    where: str = ""

    @property
    def printed(self) -> tuple[str, str, str]:
        """What the paper says, what we get and why they differ, with powers of ten written out."""
        return written_out(self.paper), written_out(self.ours), written_out(self.why)

    @property
    def judged(self) -> str:
        """The verdict in words: `holds`, `holds at 100 ms and faster`."""
        return f"holds {self.where}" if self.verdict == PARTLY and self.where else self.verdict


def agrees(holds: bool, partly: bool = False) -> str:
    """The verdict on a claim that the numbers decide; `partly` says whether it holds within limits."""
    return AGREES if holds else PARTLY if partly else DIFFERS
