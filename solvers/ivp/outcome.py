"""What an integration for `solve_ivp` has found so far, and the result made from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from solvers.control import Control, Tolerance
from solvers.events import Event, find_roots
from solvers.integrate import integrate
from solvers.ivp.functions import Functions, State
from solvers.ivp.result import DenseSolution, OdeResult
from solvers.method import Method
from solvers.problem import Array, OdeProblem
from solvers.solution import Counts, Solution
from solvers.status import Status

MESSAGES = {
    0: "The solver successfully reached the end of the integration interval.",
    1: "A termination event occurred.",
}
LONGEST = 1e300
"""The time at which an integration towards infinity ends."""


class Outcome:
    """States, events and counts of one call of `solve_ivp`.

    Args:
        initial: the initial state as the person gave it, (n,).
        start: its time.
        events: what is looked for.
    """

    def __init__(self, initial: State, start: float, events: Sequence[Event]) -> None:
        self.initial, self.events = initial, events
        self.t = [np.array([start])]
        self.y: list[State] = [initial[:, np.newaxis]]
        self.starts: list[float] = []
        self.samples: list[Callable[[Array], State]] = []
        self.happened: list[list[tuple[float, State]]] = [[] for _ in events]
        self.counts, self.status, self.message = Counts(), 0, ""
        self.constant = False

    def fail(self, message: str) -> None:
        """Nothing more can be found; the message says why."""
        self.status, self.message = -1, message

    def stand_still(self, end: float) -> None:
        """The state does not change: the span is zero, or there are no components."""
        start, initial = float(self.t[0][0]), cast(Array, self.initial)
        self.t.append(np.array([end]))
        self.y.append(initial[:, np.newaxis])
        self._sampled(start, lambda times: np.repeat(initial[:, np.newaxis], len(times), axis=1))
        for n, event in enumerate(self.events):
            at, states = np.array([start, end]), np.stack([initial, initial])
            self.happened[n] += find_roots(event, at, states, lambda times: np.stack([initial] * len(times)), True)
        self.status = int(self._terminated())

    def integrate(
        self, problem: OdeProblem, method: Method, control: Control, options: Mapping[str, object], functions: Functions
    ) -> None:
        """Integrate to the end, to a terminal event, or as far as the method gets."""
        events = self.events
        for end in _ends(problem):
            solution = integrate(
                replace(problem, t1=end), method, control, options=options, events=events, cancel=functions.failed
            )
            functions.raise_error()
            self._add(solution, functions)
            if solution.status is not Status.FINISHED:
                self.fail(solution.message)
                return
            if self._terminated():
                self.status = 1
                return
            problem = replace(problem, t0=end, initial=solution.final)
            control = _continued(control, solution)
            events = [self._left(n, event) for n, event in enumerate(self.events)]

    def result(self, times: Array | None, dense: bool, watched: bool) -> OdeResult:
        """What `solve_ivp` returns.

        Args:
            times: where the states are wanted; None at every accepted step.
            dense: whether the solution as a function is wanted.
            watched: whether events were given.
        """
        t, y = np.concatenate(self.t), np.concatenate(self.y, axis=1)
        solution = DenseSolution(t, self.starts, self.samples) if self.samples else None
        if times is not None:
            t, y = self._at(times, solution)
        nlu = self.counts.factorisations
        return OdeResult(
            t=t,
            y=y,
            sol=solution if dense else None,
            t_events=[np.array([at for at, _ in found]) for found in self.happened] if watched else None,
            y_events=[np.array([state for _, state in found]) for found in self.happened] if watched else None,
            nfev=self.counts.rhs_evaluations,
            njev=0 if self.constant else self.counts.jacobian_evaluations,
            # If a code does not report its factorisations, there is at least one for each Jacobian.
            nlu=self.counts.jacobian_evaluations if math.isnan(nlu) else int(nlu),
            status=self.status,
            message=self.message or MESSAGES[self.status],
            success=self.status >= 0,
        )

    def _add(self, solution: Solution, functions: Functions) -> None:
        def sample(times: Array) -> State:
            states = functions.outside(solution.dense(times))
            functions.raise_error()
            return states

        y = functions.outside(solution.y)
        y[:, 0] = self.y[-1][:, -1]
        self._sampled(float(solution.t[0]), sample)
        self.t.append(solution.t[1:])
        self.y.append(y[:, 1:])
        for one in solution.events:
            self.happened[one.number].append((one.t, functions.own(one.y)))
        self.counts, self.constant = Counts.total((self.counts, solution.counts)), functions.constant

    def _sampled(self, start: float, sample: Callable[[Array], State]) -> None:
        self.starts.append(start)
        self.samples.append(sample)

    def _terminated(self) -> bool:
        pairs = zip(self.events, self.happened, strict=True)
        return any(0 < event.terminal <= len(found) for event, found in pairs)

    def _left(self, n: int, event: Event) -> Event:
        """The event to look for from here on."""
        left = event.terminal - len(self.happened[n]) if event.terminal else 0
        return replace(event, terminal=left, at_start=False)

    def _at(self, times: Array, solution: DenseSolution | None) -> tuple[Array | list[float], State | list[float]]:
        """The wanted times up to where the integration got, and the states there; empty lists if there are none."""
        last = float(self.t[-1][-1]) if len(self.t[-1]) else float(self.t[0][0])
        start = float(self.t[0][0])
        inside = times[(times >= min(start, last)) & (times <= max(start, last))]
        if solution is None or not len(inside):
            return [], []
        return inside, solution.at(inside)


def _ends(problem: OdeProblem) -> Iterator[float]:
    """Where the parts of an integration end: one part, but towards infinity each is ten times as long as the last."""
    if math.isfinite(problem.t1):
        yield problem.t1
        return
    length = 1.0
    while length <= LONGEST:
        yield problem.t0 + math.copysign(length, problem.t1)
        length *= 10.0


def _continued(control: Control, solution: Solution) -> Control:
    """The control with the step with which the integration continues."""
    if not isinstance(control, Tolerance):
        return control
    taken = np.abs(solution.log.h[solution.log.accepted])
    return replace(control, first_step=float(taken[-2:].max()))
