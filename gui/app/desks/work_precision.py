"""The work-precision diagram of the open document: measured in the background, kept with the document."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

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
    from robots.sweeps.work_precision import Point, WorkPrecision

LONGER, SHORTER = 3, 3
TOLERANCES = (1e-3, 1e-11)
"""The loosest and the tightest tolerance at first; each is a hundredth of the one before."""

MOST = 40
"""No more steps or tolerances than this for one method."""

NAMED = 2
"""How many methods the name of a measurement has."""

OWN, TABLEAU = "own", "tableau"
"""The key of the methods whose coefficients a person types, and of their option that has these."""

TRIAL = "work-precision-trial"

CHOSEN = "chosen"
"""Where a kept diagram has what was chosen for it."""

Measure = Callable[..., "WorkPrecision"]
"""`robots.sweeps.work_precision.work_precision`, or a test's own."""


def halved(longest: float, shortest: float) -> list[float]:
    """Steps from the longest to the shortest, each half of the one before [s]."""
    return _falling(longest, shortest, 2.0)


def tightened(loosest: float, tightest: float) -> list[float]:
    """Tolerances from the loosest to the tightest, each a hundredth of the one before."""
    return _falling(loosest, tightest, 100.0)


def _falling(first: float, last: float, by: float) -> list[float]:
    values: list[float] = []
    while first >= last * (1.0 - 1e-9) > 0.0 and len(values) < MOST:
        values.append(float(f"{first:.12g}"))
        first /= by
    return values


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
        trouble = "Choose methods, and fixed steps or tolerances that suit them."
        try:
            asked = [case for key in methods for case in self._cases(key, steps, tolerances)]
        except ArmstepError as refusal:
            asked, trouble = [], str(refusal)
        self.points = []
        if not asked:
            self._end(trouble)
            return
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
            self._end(str(refusal))
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
        """The points with their marks and orders, judged by `cost` and `error`; by the first error if that is empty."""
        from robots.sweeps.work_precision import judged

        return judged(self.points, error if error in self.errors() else None, cost)

    def errors(self) -> list[str]:
        """The errors that are known of the points."""
        from robots.sweeps.work_precision import error_keys

        return error_keys(self.points)

    def answer(self, found: WorkPrecision, target: float, cost: str) -> str:
        """Which methods reach an error at least cost, in a sentence: `1e-6: Dormand-Prince 8(5,3), 870 evaluations`.

        If `cost` is the tolerance, it says with which one.
        """
        from robots.sweeps.work_curves import cost_at
        from robots.sweeps.work_precision import TOLERANCE

        prices = {
            label: price
            for label, points in found.by_method().items()
            if (price := cost_at(points, found.error, cost, target)) is not None
        }
        goal, level = formatting.error_text(found.error, target, self.scenario), rounding(found)[0]
        if not prices and target < level:
            least = formatting.error_text(found.error, level, self.scenario)
            return f"{goal}: no answer, since below {least} rounding decides."
        if not prices:
            return f"{goal}: no measured method reaches it."
        ranked = sorted(prices, key=lambda label: prices[label], reverse=cost == TOLERANCE)
        names = [f"{self.name_of(label)}, {_price(prices[label], cost)}" for label in ranked[:3]]
        return f"{goal}: {'; then '.join(names)}."

    def proportionality(self, found: WorkPrecision) -> str:
        """With which power of the tolerance each method's error falls, in a sentence."""
        from robots.sweeps.work_curves import proportionality

        powers = {label: proportionality(points, found.error) for label, points in found.by_method().items()}
        known = [f"{self.name_of(label)} {power:.2f}" for label, power in powers.items() if power is not None]
        if not known:
            return "Measure a method with three tolerances or more to see how its error follows them."
        return f"The error falls as the tolerance to the power of: {', '.join(known)}."

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
        found = list(before)
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
    names = list({point.label: formatting.point_name(point) for point in points}.values())
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")


def _price(cost: float, kind: str) -> str:
    if kind == "seconds":
        return units.quantity(cost, "s", 2)
    if kind == "tolerance":
        return f"tolerance {units.number_text(cost, 2)}"
    return units.count(round(cost), "evaluation")
