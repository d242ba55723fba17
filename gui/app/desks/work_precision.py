"""The work-precision diagram of the open document: measured in the background, kept with the document."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from assets.counting import capital
from assets.errors import ArmstepError
from assets.fields import Data, Values
from gui.app import formatting, units
from gui.app.desks.desk import ResultDesk
from gui.app.documents import Document, Result
from gui.app.history import History
from gui.app.jobs import Cancel, Jobs, Progress, explain
from gui.app.session.results import WORK_PRECISION, KeptResults

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario
    from robots.sweeps.work_curves import Price
    from robots.sweeps.work_precision import Point, WorkPrecision

LONGER, SHORTER = 3, 3
TOLERANCES = (1e-3, 1e-11)
"""The loosest and the tightest tolerance at first; each is a hundredth of the one before."""

MOST = 40
"""No more steps or tolerances than this for one method."""

NAMED = 2
"""How many methods the name of a measurement has, or a list of those that a sentence has less to say of."""

BEST = 3
"""How many methods the answer to a target has at first; others only where they may need less."""

OWN, TABLEAU = "own", "tableau"
"""The key of the methods whose coefficients a person types, and of their option that has these."""

TRIAL = "work-precision-trial"

CHOSEN = "chosen"
"""Where a kept diagram has what was chosen for it."""

Measure = Callable[..., "WorkPrecision"]
"""`robots.sweeps.work_precision.work_precision`, or a test's own."""


def halved(longest: float, shortest: float) -> list[float]:
    """Steps from the longest to the shortest, both among them, each half of the one before [s].

    What is left at the end is one step shorter by a factor between the root of 2 and twice that.
    """
    return _falling(longest, shortest, 2.0)


def tightened(loosest: float, tightest: float) -> list[float]:
    """Tolerances from the loosest to the tightest, both among them, each a hundredth of the one before.

    What is left at the end is one tolerance tighter by a factor between 10 and 1000.
    """
    return _falling(loosest, tightest, 100.0)


def _falling(first: float, last: float, by: float) -> list[float]:
    """From the first to the last, at most `MOST`; one nearer to the last than the root of `by` gives way to it."""
    if not first >= last > 0.0:
        return []
    values, value = [first], first / by
    while value > last * math.sqrt(by) * (1.0 - 1e-9) and len(values) < MOST - 1:
        values.append(float(f"{value:.12g}"))
        value /= by
    return [*values, last] if last < first else values


def steps_around(scenario: Scenario) -> tuple[float, float]:
    """The longest and the shortest step at first: they surround the scenario's own [s]."""
    middle = scenario.step or scenario.duration / 1000.0
    longest = max(middle * 2.0**k for k in range(LONGER + 1) if k == 0 or middle * 2.0**k <= scenario.duration / 2.0)
    return longest, middle * 2.0**-SHORTER


@dataclass(frozen=True, slots=True)
class WorkChoices:
    """What a person has chosen on the sheet: it opens again with that.

    Attributes:
        methods: the keys of those that are ticked.
        steps, tolerances: whether they are measured, and both ends as they are written.
        cost, error: on the axes.
        flipped: whether the error is the horizontal axis.
        target: the error that is asked for, as it is written.
    """

    methods: tuple[str, ...]
    steps: tuple[bool, str, str]
    tolerances: tuple[bool, str, str]
    cost: str
    error: str
    flipped: bool
    target: str

    @classmethod
    def read(cls, data: object) -> WorkChoices | None:
        """The choices that a file has; None if it has none that can be read."""
        given = data if isinstance(data, Mapping) else {}
        try:
            methods, steps, tolerances = (given[name] for name in ("methods", "steps", "tolerances"))
            fixed, controlled = ((bool(on), str(first), str(last)) for on, first, last in (steps, tolerances))
            cost, error, target = (str(given[name]) for name in ("cost", "error", "target"))
            return cls(tuple(map(str, methods)), fixed, controlled, cost, error, bool(given["flipped"]), target)
        except (KeyError, TypeError, ValueError):
            return None

    def to_data(self) -> Data:
        """As a file has them."""
        return json.loads(json.dumps(asdict(self)))


class WorkPrecisionDesk(ResultDesk):
    """Many methods, each with several steps or tolerances.

    Args:
        jobs, history, results: see `ResultDesk`.
        measure: what measures; the project's own if None.

    Attributes:
        points: the runs so far.
        trial: the run that a person drags along its method's curve; None without one.
        choices: what was chosen for the open scenario; None before.
    """

    kind, title = WORK_PRECISION, "Work-precision diagram"

    def __init__(
        self, jobs: Jobs, history: History[Document], results: KeptResults, measure: Measure | None = None
    ) -> None:
        self._measure = measure
        self.trial: Point | None = None
        self._asked: Sequence[Scenario] = ()
        super().__init__(jobs, history, results)

    def forget(self) -> None:
        """Stop measuring for the previous document, and forget what was chosen for it."""
        super().forget()
        self.choices: WorkChoices | None = None

    def remember(self, choices: WorkChoices) -> None:
        """Open with these choices the next time; the document keeps them with the diagram."""
        self.choices = choices
        if self.kept is not None and self.kept.data.get(CHOSEN) != choices.to_data():
            self.kept = self._results.complete(self.kept, {**self.kept.data, CHOSEN: choices.to_data()})

    def begin(self, methods: Sequence[str], steps: Sequence[float], tolerances: Sequence[float]) -> None:
        """Measure the present scenario by these methods, each with the steps and the tolerances that it can have."""
        self.scenario, self.kept = self._present(), None
        try:
            # The points of before have the coefficients of one's own method.
            asked = [case for key in methods for case in self._cases(key, steps, tolerances)]
            if not asked:
                raise ArmstepError("Choose methods, and fixed steps or tolerances that suit them.")
        except ArmstepError as refusal:
            self.points = []
            self._refuse(refusal)
            return
        self.points = []
        self._submit(asked, [])

    def drag(self, point: Point, cost: str, wanted: float) -> None:
        """Try the step or tolerance at which the point's method should have that cost; `drop` keeps it."""
        from robots.sweeps.work_curves import setting_at
        from robots.sweeps.work_precision import measured_once

        if self.measuring:
            return
        try:
            scenario = point.with_setting(setting_at(point, self.points, cost, wanted))
        except ArmstepError as refusal:
            self._refuse(refusal)
            return
        if self.trial is None or scenario != self.trial.scenario:
            self._jobs.submit(lambda cancel, _: measured_once(scenario), key=TRIAL, on_done=self._try)

    def drop(self) -> None:
        """Measure the dragged run as the others, and put it beside them."""
        trial, self.trial = self.trial, None
        self._jobs.discard(TRIAL)
        if trial is not None:
            self._submit([trial.scenario], self.points, self.kept)

    def judged(self, cost: str, error: str = "") -> WorkPrecision:
        """The points with their marks and orders, judged by `cost` and `error`; by the first error if that is empty.

        While points are measured, nothing that those to come may take back.
        """
        from robots.sweeps.work_precision import judged

        awaited = self._asked[len(self.points) :] if self.measuring else ()
        return judged(self.points, error if error in self.errors() else None, cost, awaited)

    def errors(self) -> list[str]:
        """The errors that are known of the points."""
        from robots.sweeps.work_precision import error_keys

        return error_keys(self.points)

    def answer(self, found: WorkPrecision, target: float, cost: str) -> str:
        """Which methods reach an error at least cost, in a sentence: `1e-6: Dormand-Prince 8(5,3), 870 evaluations`.

        A method of which even the coarsest point is accurate enough needs that much at most, and may be the best one:
        it is always named. Of others that reach the error, too, only the names are there. If `cost` is the tolerance,
        it says with which one.
        """
        from robots.sweeps.work_curves import price_of, reaches
        from robots.sweeps.work_precision import TOLERANCE

        methods = found.by_method()
        reached = [label for label, points in methods.items() if reaches(points, found.error, target)]
        priced = {label: price_of(points, found.error, cost, target) for label, points in methods.items()}
        prices = {label: price for label, price in priced.items() if price is not None}
        goal, level = formatting.error_text(found.error, target, self.scenario), rounding(found)[0]
        if not reached and found.awaited:
            return f"{goal}: not reached yet."
        if not reached and target < level:
            least = formatting.error_text(found.error, level, self.scenario)
            return f"{goal}: no answer, since below {least} rounding decides."
        if not reached:
            return f"{goal}: no measured method reaches it."
        ranked = sorted(prices, key=lambda label: prices[label].cost, reverse=cost == TOLERANCE)
        named = {label: f"{self.name_of(label)}, {_price(prices[label], cost)}" for label in ranked}
        others = [named[label] for label in ranked[BEST:] if prices[label].at_most]
        best = "; then ".join([named[label] for label in ranked[:BEST]]) or "no measured tolerance reaches it"
        said = [f"{goal}: {best}"]
        if others:
            said[0] += f"; perhaps less: {'; '.join(others)}"
        if dearer := [self.name_of(label) for label in ranked[BEST:] if not prices[label].at_most]:
            said[0] += f"; {'tighter' if cost == TOLERANCE else 'more'}: {_some(dearer)}"
        bounded = [label for label in ranked if prices[label].at_most]
        if bounded:
            said.append(_beyond([(methods[label], end) for label in bounded for end in prices[label].ends]))
        missing = [label for label in methods if label not in reached and label not in found.awaited]
        for words, some in (
            ("Reached with fixed steps alone", [label for label in reached if label not in prices]),
            ("Not reached by what was measured", missing),
        ):
            if some:
                said.append(f"{words}: {_some([self.name_of(label) for label in some])}")
        return " ".join(f"{part}." for part in said)

    def proportionality(self, found: WorkPrecision) -> str:
        """With which power of the tolerance each method's error falls, where it is one power, in a sentence."""
        from robots.sweeps.work_curves import FEWEST, straight_part
        from robots.sweeps.work_precision import TOLERANCE

        methods = found.by_method()
        parts = {label: straight_part(points, found.error, controlled=True) for label, points in methods.items()}
        known = [f"{self.name_of(label)} {part.power:.1f}" for label, part in parts.items() if part is not None]
        if known:
            return f"The error falls as the tolerance to the power of: {', '.join(known)}."
        if found.awaited:
            return ""
        if any(sum(point.cost(TOLERANCE) is not None for point in points) >= FEWEST for points in methods.values()):
            return "No error falls with the same power of the tolerance all along."
        return "Measure a method with three tolerances or more to see how its error follows them."

    def name_of(self, label: str) -> str:
        """A method's name for people, by its label in the diagram."""
        return formatting.point_name(next(one for one in self.points if one.label == label))

    def method_of(self, label: str) -> str:
        """The name of its method alone, without its options."""
        return formatting.method_name(next(one.scenario for one in self.points if one.label == label))

    def scenario_with(self, key: str) -> Scenario:
        """The present scenario with the method of that key; one's own has the coefficients measured last, if any.

        A scenario that has another method now knows nothing of them.
        """
        scenario = self._present()
        if key == scenario.method:
            return scenario
        mine = [point.scenario for point in self.points if point.method == key == OWN]
        return scenario.with_values(
            {"method": key, **({f"options.{TABLEAU}": mine[-1].options[TABLEAU]} if mine else {})}
        )

    def _read(self, data: Values | None) -> Scenario:
        from robots.sweeps.work_precision import points_of

        self.points: list[Point] = [] if data is None else points_of(data)
        self.trial = None
        if data is not None and (chosen := WorkChoices.read(data.get(CHOSEN))) is not None:
            self.choices = chosen
        return self.points[0].scenario if self.points else self._present()

    def _cases(self, key: str, steps: Sequence[float], tolerances: Sequence[float]) -> list[Scenario]:
        from robots.scenario.method_selection import method_of
        from robots.sweeps.work_precision import cases

        scenario = self.scenario_with(key)
        method = method_of(scenario)
        mine = steps if method.fixed_step else []
        theirs = tolerances if method.adaptive else ()
        return cases(scenario, [key], mine, theirs) if mine or theirs else []

    def _submit(self, asked: list[Scenario], before: Sequence[Point], kept: Result | None = None) -> None:
        """Measure these scenarios; the points `before` stay, and the diagram takes the place of `kept`."""
        # What was complete before a run was dropped beside it stays so.
        found, self._asked = list(before), () if before else asked
        self._start()
        self._jobs.submit(
            lambda cancel, progress: self._work(asked, cancel, progress, found),
            key=WORK_PRECISION,
            on_done=lambda done: self._done(done[0], done[1], kept),
            on_error=lambda problem: self._end(explain(problem)),
            on_progress=lambda share: self._report(found, share),
            lane="study",
        )
        self.changed.emit()

    def _work(
        self, asked: list[Scenario], cancel: Cancel, progress: Progress, found: list[Point]
    ) -> tuple[Sequence[Point], str]:
        """All points, and why there are no more of them if measuring ended early."""
        from robots.sweeps.run_sweep import as_far_as_possible
        from robots.sweeps.work_precision import work_precision

        measure, whole = self._measure or work_precision, list(found)
        trouble = as_far_as_possible(
            lambda: whole.extend(measure(asked, cancel=cancel, progress=progress, on_point=found.append).points)
        )
        return (found if trouble else whole), trouble

    def _report(self, found: list[Point], share: float) -> None:
        self.points = list(found)
        self._advance(share)

    def _try(self, point: Point) -> None:
        self.trial = point
        self.changed.emit()

    def _done(self, points: Sequence[Point], trouble: str, kept: Result | None) -> None:
        from robots.sweeps.work_precision import data_of

        self.points = list(points)
        if points:
            name = kept.name if kept is not None else measured_title(points)
            self.kept = self._results.keep(WORK_PRECISION, name, data_of(points), kept)
        self._end(trouble)


def rounding(found: WorkPrecision) -> tuple[float, float]:
    """The least level of all points, and the largest of those that are chance; zeros where there is none.

    Below the least one rounding decides whatever the method; of points without a level that is not known.
    """
    name = found.error
    known = [point for point in found.points if point.error(name) is not None]
    least = min((point.level.get(name, 0.0) for point in known), default=0.0)
    return least, max((point.level[name] for point in known if point.rounded(name)), default=0.0)


def measured_title(points: Sequence[Point]) -> str:
    """The name of a measurement until a person gives it one."""
    return _some(list({point.label: formatting.point_name(point) for point in points}.values()))


def _some(names: Sequence[str]) -> str:
    """The first names, and how many there are besides."""
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _beyond(ends: Sequence[tuple[Sequence[Point], Point]]) -> str:
    """What is not known beyond the coarsest points of methods that need at most so much, each with all its points."""
    steps = any(end.step is not None for _, end in ends)
    looser = any(end.step is None for _, end in ends)
    failed = any(
        (one.step is None) is (end.step is None) and one.setting() > end.setting()
        for points, end in ends
        for one in points
    )
    what = " and ".join(["longer steps"] * steps + ["looser tolerances"] * looser)
    return f"{capital(what)} were not measured{' or did not finish' * failed}"


def _price(price: Price, kind: str) -> str:
    if kind == "tolerance":
        return f"tolerance {units.number_text(price.cost, 2)}{' or looser' * price.at_most}"
    amount = units.quantity(price.cost, "s", 2) if kind == "seconds" else units.count(round(price.cost), "evaluation")
    return f"{'at most ' * price.at_most}{amount}"
