"""What became of a run, in three parts that are judged apart: did it end, is it stable, is it accurate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from assets.counting import JOINED, capital, cut
from gui.app import formatting, run_texts, units
from gui.app.runs import RECORDING
from robots.model.endings import ending
from robots.model.quantities import error_parts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from gui.app.runs import RunRow
    from robots.simulation.run import Run
    from robots.simulation.stability import StepStability

GROWING = 1.0 + 1e-6
"""The least growth per step that is named."""

COARSE = 0.1
"""An error of more than this share of the motion is no small one."""

TURN = 2.0 * math.pi
"""An arm that winds up is in the same posture after each full turn [rad]: no motion counts for more, and an error of
more is said in turns."""

SEVERAL, FAR = 1.5, 10.0
"""An error of this many times the motion is no longer said in per cent, and one of the other no longer in numbers."""

MANY = 1e6

UNSTABLE = "Unstable"


class Mood(StrEnum):
    """How good news is."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a run that came to its end; without a word, nothing is.

    Attributes:
        word: what is wrong, for a narrow column.
        detail: what that is, and how much.
    """

    word: str = ""
    detail: str = ""

    def __bool__(self) -> bool:
        return bool(self.word)

    def __str__(self) -> str:
        return f"{self.word}: {self.detail}." if self.word else ""


NONE = Complaint()


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """The three parts; an empty one has nothing to complain of, or nothing to judge by.

    Attributes:
        ended: how the run ended, or how far it is, in one word or a few.
        known: until when its error is known, where that is not to its end.
        when: the same with the time, where the run did not reach its end.
        outcome: the same as a sentence.
        notes: what else is said of its end.
        unstable: that its steps, or its samples, are beyond what is stable.
        inaccurate: that its error is no small part of the motion.
        mood: `bad` for a run that failed, `doubtful` for one with complaints.
    """

    ended: str
    outcome: str = ""
    notes: str = ""
    unstable: Complaint = NONE
    inaccurate: Complaint = NONE
    mood: Mood = Mood.GOOD
    when: str = ""
    known: str = ""

    @property
    def complaint(self) -> str:
        """What is wrong with a run that came to its end."""
        return _joined(*self._complaints)

    @property
    def brief(self) -> str:
        """In a word, for a narrow column: "Unstable", "Finished"."""
        return self._complaints[0].word if self._complaints else self.ended

    @property
    def said(self) -> str:
        """Its three parts, complaints first, without what else is said of the end."""
        return _joined(*self._complaints, self.outcome or self.ended, self.known)

    @property
    def text(self) -> str:
        """All of it, complaints first."""
        return _joined(self.said, self.notes)

    def fitting(self, fits: Callable[[str], bool]) -> str:
        """As much of it as fits, complaints first; at least a word."""
        words = [part.word for part in self._complaints] or [self.ended]
        shorter = (
            self.text,
            self.said,
            # Where there is little room, it is worth more until when the error is known than that the run finished.
            _joined(*self._complaints, self.known) if self.known and not self.when else "",
            _joined(*self._complaints, self.outcome or self.ended),
            _joined(*self._complaints, self.when),
            self.complaint,
            _joined(*self._complaints[:1]),
            ", ".join([words[0], *(word.lower() for word in words[1:])]),
        )
        return next((one for one in shorter if one and fits(one)), self.brief)

    @property
    def _complaints(self) -> list[Complaint]:
        return [part for part in (self.unstable, self.inaccurate) if part]


def _joined(*parts: object) -> str:
    return " ".join(filter(None, map(str, parts)))


def verdict(row: RunRow) -> RunVerdict:
    """The verdict on the row's run; none on a run that is not that of the row's scenario."""
    if row.state == "waiting":
        return RunVerdict("waiting")
    if row.state == "held":
        return RunVerdict(run_texts.PREDICT_FIRST)
    if row.state == "computing":
        said = run_texts.computing(row)
        return RunVerdict("computing", f"{said}." if row.message else said, row.message)
    failed = row.state == "failed"
    if row.outdated or row.run is None:
        return RunVerdict(row.state, row.message, mood=Mood.BAD if failed else Mood.GOOD)
    outcome, ended = row.run.outcome, capital(ending(row.run.status))
    notes = run_texts.notes(row)
    unstable = (instability(row.run.stability) or sampled_instability(row.run)) if row.judged else NONE
    if failed:
        when = f"{ended} at t = {units.clock(row.run.t_end)}"
        return RunVerdict(ended, units.clocked(outcome), notes, unstable, mood=Mood.BAD, when=when)
    if row.recording:
        return RunVerdict(capital(RECORDING), notes=notes)
    inaccurate = inaccuracy(row) if row.judged else NONE
    mood = Mood.DOUBTFUL if unstable or inaccurate else Mood.GOOD
    return RunVerdict(ended, outcome, notes, unstable, inaccurate, mood, known=run_texts.known(row))


def instability(stability: StepStability | None) -> Complaint:
    """Of fixed steps beyond the stability limit; nothing where they do no harm or nothing is known."""
    if stability is None or not stability.spoilt:
        return NONE
    growing = (stability.growth > GROWING) & ~stability.controlled
    lasting = growing[1:] & growing[:-1]
    first = int(np.argmax(lasting if lasting.any() else growing))
    step, longest = float(stability.step[first]), float(stability.longest[first])
    when = f"at t = {units.clock(float(stability.t[first]))}"
    if longest == 0.0:
        return Complaint(UNSTABLE, f"{when} the method lets an undamped mode grow, at any step")
    taken, limit = units.beyond(step, longest, "s")
    return Complaint(UNSTABLE, f"{when} the step of {taken} is beyond the limit there, {limit}")


def sampled_instability(run: Run) -> Complaint:
    """Of a control that samples too seldom, or too late, for its own loop at rest; nothing where none samples."""
    found = run.loop_stability
    if found is None or not found.grows:
        return NONE
    period, longest = units.beyond(found.loop.period, found.longest, "s")
    chance = f", without its {' and '.join(found.without)}," if found.without else ""
    said = f"the linearised loop{chance} grows {_fold(found.factor)} per sample at {period}"
    limit = f"beyond the limit of {longest}" if found.longest > 0.0 else "and at any period"
    return Complaint(UNSTABLE, f"{said}, {limit}")


def inaccuracy(row: RunRow) -> Complaint:
    """Of an error that is no small part of the motion; nothing otherwise, and where nothing compares.

    That is the exact motion where it is known: the further a run overshoots, the further it reaches itself.
    """
    exact = row.own_errors.extent if row.own_errors is not None else {}
    own = row.run.extent if row.run is not None else {}
    whose, extents = ("the exact motion", exact) if exact else ("the motion", own)
    for key, value in run_texts.largest_errors(row).items():
        unit = error_parts(key)[1]
        extent, whole = extents.get(unit, 0.0), ""
        if unit == "rad" and (value > TURN or not 0.0 < extent <= TURN):
            extent, whole = TURN, "full turn"
        if extent > 0.0 and value > COARSE * extent:
            text, reached = (formatting.error_text(key, size, row.scenario) for size in (value, extent))
            share = _share(value / extent, whole or f"{whose}'s {reached}")
            return Complaint("Inaccurate", f"off by {text}, {share}")
    return NONE


def _share(ratio: float, whole: str) -> str:
    """`42% of the motion's 2 m`, `3.3 full turns`, `more than 10 times the motion's 2 m`: `ratio` times the `whole`."""
    turns = whole == "full turn"
    if ratio < (1.0 if turns else SEVERAL):
        return f"{ratio:.0%} of {'a full turn' if turns else whole}"
    times = f"{ratio:.1f}" if ratio < FAR else f"more than {FAR:.0f}"
    return f"{times} full turns" if turns else f"{times} times {whole}"


def modes_text(growth: NDArray[np.float64], exact: NDArray[np.float64], t: float, ruin: float = math.inf) -> str:
    """What one step does to the modes of the arm linearised at time `t`.

    Args:
        growth: |R(h lambda)| of each mode, which the method makes of it.
        exact: |exp(h lambda)|, which the exact solution would.
        t: when [s].
        ruin: from when on growth has made the run no motion of the arm [s].
    """
    where = f"Points: hλ of the arm linearised at t = {units.clock(t)}."
    spurious = np.where(exact <= 1.0 + 1e-9, growth, 0.0)
    if not spurious.max() <= MANY:
        return f"{where} The method makes a stable mode grow more than a million-fold per step."
    if spurious.max() > 1.0 + 1e-9:
        return f"{where} The method makes a stable mode grow {_fold(spurious.max())} per step."
    if t >= ruin:
        return f"{where} Growth has spoilt the run since t = {units.clock(ruin)}: the arm never has this state."
    hidden = np.where(growth < 1.0, exact, 0.0)
    if hidden.max() > 1.0 + 1e-9:
        growing = f"A mode grows {_fold(hidden.max(), 6)} per step"
        return f"{where} {growing}, but the method damps it and so hides it."
    if growth.max() > 1.0 + 1e-9:
        return f"{where} A mode grows {_fold(growth.max(), 6)} per step, as the linearised motion itself does."
    return f"{where} No mode grows: |{JOINED}R(hλ)| is at most {units.number(growth.max(), 6)}."


def longest_text(stability: StepStability, t: float, here: float | None = None, *, growing: bool = False) -> str:
    """The longest stable step at an instant, and the least of the instants judged; empty where nothing limits it.

    Args:
        stability: of the run.
        t: when [s].
        here: the limit there [s]; None takes that of the nearest instant judged.
        growing: whether the motion itself lets a mode grow there, which no limit counts.
    """
    known = ~np.isnan(stability.longest)
    least, count = stability.least, int(np.count_nonzero(known[: stability.sound]))
    if not math.isfinite(least):
        return ""
    longest = limit_at(stability, t, here)
    if min(least, longest) == 0.0:
        return "No step is stable along the whole run: an undamped mode grows at any step."
    now = f"{_seconds(longest)} at this point" if math.isfinite(longest) else ""
    along = "along the run" if known.all() else "where this method steps"
    along = along if stability.sound == len(stability.t) else "before growth spoils the run"
    worst = f"{_seconds(least)} at the worst of {count} points {along}" if count > 1 else ""
    if worst and longest < least:
        worst = f"the worst of {count + 1} points {along}"
    if not now and not worst:
        now = f"{_seconds(least)} at t = {units.clock(float(stability.t[known][0]))}"
    said = f"Longest stable step: {', '.join(filter(None, (now, worst)))}."
    left_out = "A mode that grows in the motion itself does not count." if growing else ""
    return " ".join(filter(None, (said, left_out, stiff_text(stability))))


def found_text(stability: StepStability | None, found: float | None) -> str:
    """Why the step that was looked for and found [s] is another one than the run's own limit; empty where it is not."""
    if found is None or found == stable_step(stability):
        return ""
    return (
        f"The step found is {units.quantity(found, 's')}: with each step the arm passes other states, "
        "and this is the longest one tried that is stable in its own run."
    )


def limit_at(stability: StepStability, t: float, here: float | None = None) -> float:
    """The longest stable step at an instant [s]; infinite where nothing limits it, or nothing is known.

    Args:
        stability: of the run.
        t: when [s].
        here: the limit there [s]; None takes that of the nearest instant judged.
    """
    near = int(np.argmin(np.where(np.isnan(stability.longest), np.inf, np.abs(stability.t - t))))
    if near >= stability.sound:
        # Beyond the points judged the state has grown out of all bounds, and its limit says nothing.
        return math.inf
    return float(stability.longest[near]) if here is None else here


def stiff_text(stability: StepStability | None) -> str:
    """From when on the run is stiff, as a sentence; empty if it is not."""
    from robots.simulation.stability import stiff_from

    start = None if stability is None else stiff_from(stability)
    if start is None:
        return ""
    begin = units.with_unit(units.number(start), "s")
    return f"Stiff: from t = {begin} on, the steps keep coming up to the stability limit."


def stable_step(stability: StepStability | None) -> float | None:
    """A step that is stable wherever the run was judged, to three digits and not above the limit [s]; None without."""
    least = 0.0 if stability is None else stability.least
    if not 0.0 < least < math.inf:
        return None
    return cut(least)


def _fold(growth: float, digits: int = 4) -> str:
    """How many times larger something becomes: never 1-fold, which would be as large as before."""
    return f"{units.apart(growth, 1.0, digits=digits)[0]}-fold"


def _seconds(longest: float) -> str:
    """A longest step as the button offers it: the number that is read is stable."""
    return units.quantity(cut(longest), "s")
