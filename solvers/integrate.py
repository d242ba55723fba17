"""The only integration loop: slices of compiled steps, and between them progress, cancelling, events and breaks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import TypedDict

import numpy as np

from assets.counting import grouped, ordinal, seconds
from assets.errors import BadInput, Range
from assets.fields import Value
from assets.watch import Watch
from solvers.codes import (
    DIVERGED,
    LANDED,
    NEWTON_FAILED,
    OUTSIDE,
    RUNNING,
    SINGULAR_ITERATION,
    SINGULAR_MASS,
    STEP_TOO_SMALL,
    TOO_MANY,
)
from solvers.control import Control, FixedStep
from solvers.events import Event, find_roots, with_inner
from solvers.interpolation.location import KeptSteps, ceilings
from solvers.method import Method
from solvers.problem import Array, OdeProblem, apart
from solvers.recorder import Recorder
from solvers.solution import UNDIVIDED, Counts, Occurrence, Solution
from solvers.status import Status
from solvers.stepper import Rows, uniform_steps

MOST_FIXED_STEPS = 10**8
MOST_CONTROLLED_STEPS = 10**7
SLICE_SECONDS = 0.012
# Steps of a car take milliseconds each: the first slice, and the least of the later ones, must be few.
FIRST_SLICE, SLICE_WITH_EVENTS = 16, 32
# Steps before a slice that the dense output of a multi-step method may need.
HISTORY = 16

CODES = {
    LANDED: Status.FINISHED,
    DIVERGED: Status.DIVERGED,
    STEP_TOO_SMALL: Status.STEP_TOO_SMALL,
    NEWTON_FAILED: Status.NEWTON_FAILED,
    SINGULAR_MASS: Status.SINGULAR_MASS_MATRIX,
    SINGULAR_ITERATION: Status.SINGULAR_ITERATION_MATRIX,
    OUTSIDE: Status.OUTSIDE_DOMAIN,
    TOO_MANY: Status.TOO_MANY_STEPS,
}


class Integration(TypedDict, total=False):
    """What `integrate` takes besides problem, method and control."""

    options: Mapping[str, object] | None
    cancel: Callable[[], bool] | None
    progress: Callable[[float], None] | None
    watch: Watch[Solution] | None
    events: Sequence[Event]
    max_steps: int | None


def integrate(
    problem: OdeProblem,
    method: Method,
    control: Control,
    *,
    options: Mapping[str, object] | None = None,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
    watch: Watch[Solution] | None = None,
    events: Sequence[Event] = (),
    max_steps: int | None = None,
) -> Solution:
    """Integrate `problem` with `method`.

    Args:
        problem, method, control: what, how, and with which step.
        options: the method's own settings; the others have their defaults.
        cancel: asked between slices of about 12 ms; the run stops when it says True.
        progress: called with the fraction done, 0 to 1.
        watch: for looks at the solution so far.
        events: looked for on the dense output; a terminal one ends the run.
        max_steps: attempts before the run gives up; None is 1e7 with step control, and no limit below 1e8 with a fixed
            step.

    Raises:
        BadInput: for a control or an option that does not fit the problem or the method. Numerical failure does
            not raise: see `Solution.status`.
    """
    settings = method.complete_options(options or {})
    method = method.configured(settings)
    problem = apart(problem)
    check(problem, method, control)
    if problem.t1 == problem.t0:
        return _nothing_to_do(problem, method, settings)
    loop = _Loop(problem, method, settings, control, events, max_steps or most_steps(control))
    loop.run(cancel, progress, watch)
    return loop.solution(_step_note(problem, method, control, loop.recorder.t))


def most_steps(control: Control) -> int:
    """How many steps a run attempts before it gives up."""
    return MOST_FIXED_STEPS if isinstance(control, FixedStep) else MOST_CONTROLLED_STEPS


@dataclass(slots=True, eq=False)
class Dense:
    """Dense output over the kept steps."""

    problem: OdeProblem
    method: Method
    options: Mapping[str, Value]
    kept: KeptSteps

    def __call__(self, times: Array) -> Array:
        """The states at `times` (m,), within the run, (m, d)."""
        if len(self.kept.t) == 1:
            return np.repeat(self.kept.y, len(times), axis=0)
        # If a solution grows without bound, f may be infinite between two states; the states themselves never are.
        with np.errstate(over="ignore", invalid="ignore"):
            states = self.method.sample(self.problem, self.options, self.kept, times)
        lost = ~np.isfinite(states).all(axis=1)
        if lost.any():
            states[lost] = self._straight(times[lost])
        return states

    def _straight(self, times: Array) -> Array:
        """The kept states joined by straight lines."""
        t = self.kept.t
        sign = 1.0 if t[-1] >= t[0] else -1.0
        return np.stack([np.interp(sign * times, sign * t, column) for column in self.kept.y.T], axis=1)


class _Loop:
    """One run: its recorder, its parts between breaks, and how it ended."""

    def __init__(
        self,
        problem: OdeProblem,
        method: Method,
        options: Mapping[str, Value],
        control: Control,
        events: Sequence[Event],
        limit: int,
    ) -> None:
        self.problem, self.method, self.options = problem, method, options
        self.stepper = method.stepper(problem, control, options)
        self.events, self.limit, self.tried = events, limit, 0
        self.left = [int(event.terminal) for event in events]
        span = problem.t1 - problem.t0
        self.expected = uniform_steps(span, control.step) if isinstance(control, FixedStep) else 0
        self.recorder = Recorder(problem.t0, problem.initial, self.expected or 1000, method.implicit)
        self.occurrences: list[Occurrence] = []
        self.status = Status.FINISHED
        self.ended_by = self.lost = ""

    def run(
        self,
        cancel: Callable[[], bool] | None,
        progress: Callable[[float], None] | None,
        watch: Watch[Solution] | None,
    ) -> None:
        """All parts, until one does not finish or a terminal event happens."""
        problem = self.problem
        capacity = max(64, min(16384, 2**23 // (8 * (problem.dimension + 1))))
        attempts = min(FIRST_SLICE, capacity)
        if self.events:
            # After a terminal event the equations may be meaningless.
            attempts = 1 if any(self.left) else SLICE_WITH_EVENTS
        passes = self.method.one_step and any(self.left) and all(event.passable for event in self.events)
        spans = phases(problem)
        latest = ceilings(np.array([start for start, _ in spans]), problem.breaks, problem.t1 > problem.t0)
        for (start, end), bound in zip(spans, latest.tolist(), strict=True):
            if problem.sample is not None:
                self.lost = problem.sample(start, self.recorder.y, problem.params)
                if self.lost:
                    self.status = Status.DIVERGED
                    return
            self.stepper.start(start, self.recorder.y, end, bound)
            code = RUNNING
            while code == RUNNING:
                if cancel and cancel():
                    self.status = Status.CANCELLED
                    return
                if self.tried >= self.limit:
                    self.status = Status.TOO_MANY_STEPS
                    return
                most = min(attempts, self.limit - self.tried)
                if self.expected > self.tried:
                    # The last slice asks for no more rows than there are.
                    most = min(most, self.expected - self.tried)
                rows = self.recorder.rows(most)
                back = self.stepper.remember() if passes else None
                began = time.perf_counter()
                accepted, tried, code = self.stepper.advance(most, rows)
                elapsed = time.perf_counter() - began
                if self.events and accepted:
                    accepted, counted = self._look_for_events(rows, accepted, tried)
                    if back is not None and counted < tried:
                        self._work_again(back, rows, counted)
                    tried = counted
                self.tried += tried
                self.recorder.add(rows, accepted, tried)
                if progress:
                    progress((self.recorder.t - problem.t0) / (problem.t1 - problem.t0))
                if watch and watch.wanted():
                    self._show(watch)
                if self.ended_by:
                    return
                if back is not None:
                    attempts = min(2 * attempts, SLICE_WITH_EVENTS)
                if not self.events and code == RUNNING:
                    attempts = int(min(max(attempts * SLICE_SECONDS / max(elapsed, 1e-6), 1), capacity))
            if code != LANDED:
                self.status = CODES[code]
                return

    def _work_again(self, back: Callable[[], None], rows: Rows, attempts: int) -> None:
        """Do the slice in `rows` again as far as it counts: steps after a terminal event are no work of the run."""
        back()
        self.stepper.advance(attempts, Rows(*(np.zeros_like(array) for array in rows)))

    def _look_for_events(self, rows: Rows, accepted: int, tried: int) -> tuple[int, int]:
        """Record what happened in a slice; returns how much of it counts when a terminal event cuts it short."""
        past, states = self.recorder.latest(HISTORY)
        known = np.concatenate([past, rows.t[:accepted]]), np.vstack([states, rows.y[:accepted]])
        sample = Dense(self.problem, self.method, self.options, KeptSteps(*known))
        t, y = known[0][len(past) - 1 :], known[1][len(past) - 1 :]
        first, inner = self.recorder.steps == 0, max(event.inner for event in self.events)
        fine = with_inner(inner, t, y, sample, first) if inner else (t, y)
        found = [
            (when, state, n)
            for n, event in enumerate(self.events)
            for when, state in find_roots(event, *(fine if event.inner else (t, y)), sample, first)
        ]
        sign = 1.0 if self.problem.t1 > self.problem.t0 else -1.0
        for when, state, n in sorted(found, key=lambda one: sign * one[0]):
            self.occurrences.append(Occurrence(n, when, state))
            self.left[n] -= 1
            if self.left[n] == 0:
                self.ended_by = self.events[n].name
                kept = int(np.count_nonzero(sign * rows.t[:accepted] < sign * when))
                rows.t[kept], rows.y[kept] = when, state
                last = int(np.flatnonzero(rows.log[:tried, 3])[kept])
                rows.log[last, 1] = when - rows.log[last, 0]
                return kept + 1, last + 1
        return accepted, tried

    def _show(self, watch: Watch[Solution]) -> None:
        """Give a solution of what there is now; the loop writes to none of its arrays."""
        now = copy(self)
        now.problem, now.recorder, now.status = apart(self.problem), self.recorder.copied(), Status.CANCELLED
        solution = now.solution("")
        watch.give(lambda: solution)

    def solution(self, note: str) -> Solution:
        """Everything that was kept, up to the end or the failure."""
        recorder = self.recorder
        kept = recorder.arrays()
        dense = Dense(self.problem, self.method, self.options, KeptSteps(*kept, recorder.states.stride))
        t, y = read_only(kept[0]), read_only(kept[1])
        outcome = (self.lost or self.status.sentence).format(t=recorder.t)
        if self.ended_by:
            outcome = f"Ended at t = {recorder.t:.6g} s: {self.ended_by}."
        notes = (note,) if note else ()
        if recorder.states.stride > 1:
            notes += (f"Every {ordinal(recorder.states.stride)} of {grouped(recorder.steps)} steps is kept.",)
        rates = self.stepper.rates()
        return Solution(
            t=t,
            y=y,
            log=recorder.step_log(),
            counts=Counts.of_attempts(recorder.steps, self.tried, self.expected > 0, astuple(self.stepper.tally)),
            status=self.status,
            outcome=outcome,
            dense=dense,
            dense_order=self.method.dense_order,
            stride=recorder.states.stride,
            events=tuple(self.occurrences),
            rates=rates if rates is not None and len(rates) == len(t) else None,
            params=read_only(self.problem.params),
            notes=notes,
        )


def read_only(array: Array) -> Array:
    """A view that cannot be written to."""
    view = array.view()
    view.setflags(write=False)
    return view


def phases(problem: OdeProblem) -> list[tuple[float, float]]:
    """The span cut at the breaks strictly inside it, in the direction of integration."""
    if not problem.breaks:
        return [(problem.t0, problem.t1)]
    low, high = min(problem.t0, problem.t1), max(problem.t0, problem.t1)
    inside = sorted({edge for edge in problem.breaks if low < edge < high}, reverse=problem.t1 < problem.t0)
    edges = [problem.t0, *inside, problem.t1]
    return list(pairwise(edges))


def check(problem: OdeProblem, method: Method, control: Control) -> None:
    """Refuse what cannot be integrated.

    Raises:
        BadInput: for a span or an initial state that is not finite, or a control that does not fit.
    """
    span = abs(problem.t1 - problem.t0)
    if not math.isfinite(span):
        raise BadInput("duration", span, Range())
    initial = problem.initial.tolist()
    if not all(map(math.isfinite, initial)):
        name, value = next(pair for pair in zip(problem.names, initial, strict=True) if not math.isfinite(pair[1]))
        raise BadInput(f"initial.{name}", value, Range())
    _check_method(problem, method, control)
    if isinstance(control, FixedStep) and span > 0.0:
        _check_step(problem, span, control.step)


def _check_method(problem: OdeProblem, method: Method, control: Control) -> None:
    fixed = isinstance(control, FixedStep)
    if method.accepts(problem) and (method.fixed_step if fixed else method.adaptive):
        return
    from solvers.method_registry import examples, methods

    able = {key: other for key, other in methods().items() if other.accepts(problem)}
    must = "one that can solve these equations"
    if method.accepts(problem):
        able = {key: other for key, other in able.items() if (other.fixed_step if fixed else other.adaptive)}
        must = "one with a fixed step" if fixed else "one with step control (rtol, atol)"
    raise BadInput("method", method.key, must, such_as=examples(able))


def _check_step(problem: OdeProblem, span: float, step: float) -> None:
    if step > span * (1 + 1e-9):
        raise BadInput("step", step, Range(0.0, span, above=True, unit="s"))
    if span / step > MOST_FIXED_STEPS:
        raise BadInput("step", step, f"at least {span / MOST_FIXED_STEPS:g} s (at most 1e8 steps)")
    furthest = max(abs(problem.t0), abs(problem.t1))
    if furthest + step == furthest:
        raise BadInput("step", step, f"long enough to change t = {furthest:g} s")


def _step_note(problem: OdeProblem, method: Method, control: Control, reached: float) -> str:
    """The note of a run up to `reached` [s] that took a step of another length, to end its span; empty otherwise.

    One-step methods shorten the last step, which a run that ends before has not taken; others change all of them.
    """
    if not isinstance(control, FixedStep):
        return ""
    for start, end in phases(problem):
        span, done = abs(end - start), abs(reached - problem.t0) + 1e-9 * abs(end - start)
        if done < abs((end if method.one_step else start) - problem.t0) or reached == start:
            return ""
        count = uniform_steps(span, control.step)
        if abs(count * control.step - span) > 1e-9 * span:
            last = span - (count - 1) * control.step
            steps = f"last step is {seconds(last, 6)}" if method.one_step else f"step is {seconds(span / count, 10)}"
            step = seconds(control.step, 6)
            return f"{step}{UNDIVIDED} from {start:.6g} to {end:.6g} s: the {steps}."
    return ""


def _nothing_to_do(problem: OdeProblem, method: Method, options: Mapping[str, Value]) -> Solution:
    """A span of length zero: the initial state."""
    recorder = Recorder(problem.t0, problem.initial)
    t, y = recorder.arrays()
    dense = Dense(problem, method, options, KeptSteps(t, y))
    return Solution(
        read_only(t),
        read_only(y),
        recorder.step_log(),
        Counts(),
        Status.FINISHED,
        Status.FINISHED.sentence.format(t=problem.t0),
        dense,
        method.dense_order,
        notes=("The duration is zero, so there was nothing to do.",),
    )
