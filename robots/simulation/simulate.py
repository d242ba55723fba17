"""`simulate()`: a Scenario becomes a Run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from time import perf_counter
from typing import cast

import numpy as np

from assets.clock import computing_time
from assets.watch import Watch, through
from robots.model.registry import robot_of
from robots.model.robot import Array, Problem, Robot
from robots.model.sampling import continued
from robots.scenario.scenario import Scenario
from robots.simulation.drift import drifts
from robots.simulation.impacts import Contacts, Impact, arcs, described
from robots.simulation.phases import Interval, Phase, along, intervals
from robots.simulation.run import Run
from robots.simulation.timing import measured
from solvers.control import Control, FixedStep
from solvers.events import Event, Trajectory
from solvers.method import Method
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.solution import Counts, Solution, StepLog, notes_in_order
from solvers.status import Status

STILL = 1e-10
"""A state that changes by no more than this, in its own units, is at rest."""

Cancel = Callable[[], bool]
Progress = Callable[[float], None]


def simulate(
    scenario: Scenario,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    watch: Watch[Run] | None = None,
    repeat: bool = True,
) -> Run:
    """Integrate the scenario's equations of motion, phase by phase where its segments change something.

    Args:
        scenario: what to simulate.
        cancel: asked about every 20 ms; when it answers True the run ends there with the status `cancelled`.
        progress: called with the simulated share of the span, from 0 to 1, as often.
        watch: who looks at the run so far, asked as often: a run with the status `cancelled`.
        repeat: whether a short run is computed again for its time; see `robots.simulation.timing`.
    """
    robot, began = robot_of(scenario), perf_counter()

    def so_far(phases: list[Phase]) -> Run:
        return _run_of(robot, scenario, phases, perf_counter() - began)

    phases, seconds = _integrated(robot, scenario, cancel, progress, through(watch, so_far))
    run = _run_of(robot, scenario, phases, seconds)
    return replace(run, compute_seconds=usual_seconds(run, stop=cancel)) if repeat else run


def _run_of(robot: Robot, scenario: Scenario, phases: list[Phase], seconds: float) -> Run:
    """The run of these phases, which took so many seconds."""
    solutions = [phase.solution for phase in phases]
    t, y = _joined([s.t for s in solutions]), _joined([s.y for s in solutions])
    t.flags.writeable = y.flags.writeable = False
    return Run(
        scenario=scenario,
        robot=robot,
        companion=robot.companion(phases[-1].scenario, t, y),
        status=solutions[-1].status,
        message=_message(robot, phases, t, y),
        t=t,
        y=y,
        log=StepLog.joined([solution.log for solution in solutions]),
        counts=Counts.total(solution.counts for solution in solutions),
        compute_seconds=seconds,
        errors=errors_along(robot, phases, t, y),
        phases=tuple(phases),
    )


def usual_seconds(run: Run, *, stop: Cancel | None) -> float:
    """How long the integration of a run usually takes: a short one is done again, see `robots.simulation.timing` [s].

    Args:
        run: a run that came to its end, with the time that it took.
        stop: asked before each repetition; when it answers True, those made so far count.
    """
    if run.status is Status.CANCELLED:
        return run.compute_seconds
    return measured(run.compute_seconds, lambda: _integrated(run.robot, run.scenario)[1], stop=stop).seconds


def _integrated(
    robot: Robot,
    scenario: Scenario,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    watch: Watch[list[Phase]] | None = None,
) -> tuple[list[Phase], float]:
    """The scenario's phases up to its end or a failure, and the seconds that their integration took."""
    phases: list[Phase] = []
    seconds = 0.0
    for solution, interval, impacts, spent in _solutions(robot, scenario, phases, cancel, progress, watch):
        seconds += spent
        phases.append(Phase.after(phases, interval, solution, impacts))
        if solution.status is not Status.FINISHED:
            break
    return phases, seconds


def _solutions(
    robot: Robot,
    scenario: Scenario,
    phases: list[Phase],
    cancel: Cancel | None,
    progress: Progress | None,
    watch: Watch[list[Phase]] | None,
) -> Iterator[tuple[Solution, Interval, list[Impact], float]]:
    """The solutions one after another, each with its interval, the impacts at its start, and the seconds it took.

    `phases` has those before, while this goes on.
    """
    contacts: Contacts | None = None
    for interval in intervals(scenario):
        contacts = Contacts.of(robot, interval.scenario, contacts)

        def solve(
            arc: Interval, problem: Problem, events: Sequence[Event] = (), impacts: Sequence[Impact] = ()
        ) -> tuple[Solution, float]:
            before, share = list(phases), _share(progress, arc, scenario.duration)

            def so_far(found: Solution) -> list[Phase]:
                return [*before, Phase.after(before, arc, found, impacts)]

            return _integrate(robot, arc, problem, cancel, share, through(watch, so_far), events)

        if contacts is None:
            solution, spent = solve(interval, posed(robot, interval, phases[-1] if phases else None)[0])
            yield solution, interval, [], spent
            continue
        yield from _between_stops(robot, interval, contacts, phases, solve)


def _between_stops(
    robot: Robot,
    interval: Interval,
    contacts: Contacts,
    phases: list[Phase],
    solve: Callable[[Interval, Problem, Sequence[Event], Sequence[Impact]], tuple[Solution, float]],
) -> Iterator[tuple[Solution, Interval, list[Impact], float]]:
    """The solutions of one interval, from one impact to the next, as `_solutions` gives them."""
    seconds = 0.0
    # The same few joints rest again and again.
    at_rest = cache(partial(robot.at_rest, interval.scenario, interval.pull))

    def pose(t: float, y: Array | None, joints: tuple[int, ...]) -> OdeProblem | None:
        same = cast("OdeProblem | None", at_rest(joints))
        if same is None:
            return None
        before = phases[-1] if phases else None
        initial = y if y is not None else before.solution.final if before else same.initial
        found = replace(same, t0=t, t1=interval.end, initial=initial)
        return continued(found, before.held) if before else found

    def timed(problem: OdeProblem, events: list[Event]) -> Solution:
        nonlocal seconds
        here = {"start": problem.t0, "cut": problem.t0 > interval.start, "resting": tuple(contacts.resting)}
        solution, seconds = solve(replace(interval, **here), problem, events, contacts.latest)
        return solution

    whole = cast("OdeProblem", posed(robot, interval, phases[-1] if phases else None)[0])
    for arc, solution, impacts in arcs(contacts, whole, pose, timed):
        span = {"start": arc.t0, "end": solution.t_end, "cut": arc.t0 > interval.start}
        yield solution, replace(interval, resting=tuple(contacts.resting), **span), impacts, seconds


def _joined(parts: list[Array]) -> Array:
    """One after the other, each without its first row, which is the last of the one before; a single one as it is."""
    return parts[0] if len(parts) == 1 else np.concatenate([part[k > 0 :] for k, part in enumerate(parts)])


# What this process has integrated with before: robot, kind of problem, method, control, and the method's settings.
_loaded: set[tuple[object, ...]] = set()


def _integrate(
    robot: Robot,
    interval: Interval,
    problem: Problem,
    cancel: Cancel | None,
    progress: Progress | None,
    watch: Watch[Solution] | None,
    events: Sequence[Event],
) -> tuple[Solution, float]:
    """The solution of the problem of one interval, and the seconds that it took."""
    scenario = interval.scenario
    method, control = find_method(scenario.method), fitting(scenario.control(), interval.span)
    equations = getattr(problem, "rhs", None)
    used = robot.key, type(problem), equations, method.key, type(control), *sorted(scenario.options.items())
    if used not in _loaded:
        # One step first, unclocked: it loads the compiled kernels.
        robot.integrate(problem, method, control, options=scenario.options, max_steps=1)
        _loaded.add(used)
    started = computing_time()
    solution = robot.integrate(
        problem, method, control, options=scenario.options, cancel=cancel, progress=progress, watch=watch, events=events
    )
    return solution, computing_time() - started


def load(scenario: Scenario) -> None:
    """Integrate one step of each phase, unclocked: this loads the compiled kernels, or compiles them."""
    robot = robot_of(scenario)
    for interval in intervals(scenario):
        problem, method, control = posed(robot, interval, None)
        robot.integrate(problem, method, control, options=interval.scenario.options, max_steps=1)


def posed(robot: Robot, interval: Interval, before: Phase | None) -> tuple[Problem, Method, Control]:
    """An interval's problem after the phase `before` (None: from the initial state), the method and the control."""
    scenario = interval.scenario
    found = robot.at_rest(scenario, interval.pull, interval.resting)
    assert found is not None
    whole = (found.t0, found.t1) == (interval.start, interval.end)
    problem = found if whole else replace(found, t0=interval.start, t1=interval.end)
    if before is not None:
        problem = continued(replace(problem, initial=before.solution.final), before.held)
    method, control = find_method(scenario.method), fitting(scenario.control(), interval.span)
    return problem, method, control


def fitting(control: Control, span: float) -> Control:
    """The control with no step longer than an interval's span (it matters where a segment cuts one short)."""
    if isinstance(control, FixedStep):
        return control if control.step <= span else FixedStep(span)
    longest = {name: span for name in ("first_step", "max_step") if (getattr(control, name) or 0.0) > span}
    return replace(control, **longest) if longest else control


def _share(progress: Progress | None, interval: Interval, duration: float) -> Progress | None:
    """A progress callback for one interval that reports the fraction of the whole."""
    if progress is None:
        return None
    start, span = interval.start / duration, interval.span / duration
    return lambda share: progress(start + share * span)


# A diverged run has states whose energy is not a number.
@np.errstate(over="ignore", invalid="ignore")
def errors_along(robot: Robot, phases: list[Phase], t: Array, y: Array) -> dict[str, Array]:
    """Errors against paths and constraints, and the drift of invariants, at the rows of `t`."""
    drifted = {name: np.abs(values) for name, values in drifts(robot, phases, t, y).items()}
    return along(phases, robot.errors, t, y) | drifted


def _rests(y: Array) -> bool:
    """Whether the states `y`, (n, d), are all alike up to rounding."""
    few = y[:: max(1, len(y) // 8)]
    return all(bool(np.abs(some - y[0]).max() <= STILL) for some in (few, y))


def _stands(robot: Robot, scenario: Scenario, t: Array, y: Array) -> bool:
    """Whether the robot is at the end where it was at first: what drives at a given speed has a state that rests."""
    ends = robot.poses(scenario, t[[0, -1]], y[[0, -1]])
    return bool(np.abs(ends[1] - ends[0]).max(initial=0.0) <= STILL)


def _message(robot: Robot, phases: list[Phase], t: Array, y: Array) -> str:
    """How it ended, then the messages of the changes and the robot on the phases, each sentence once, and of steps."""
    last = phases[-1].solution
    impacts = [impact for phase in phases for impact in phase.impacts]
    parts = [last.outcome]
    if last.status is Status.FINISHED and len(y) > 1 and _rests(y) and _stands(robot, phases[-1].scenario, t, y):
        parts.append("Nothing moves: the run starts in equilibrium.")
    if stops := robot.stops(phases[-1].scenario):
        parts.append(described(impacts, [robot.joints[k - 1] if robot.joints else k for k in stops.numbers]))
    parts += [phase.interval.remark for phase in phases]
    for phase in phases:
        rows = slice(max(phase.first - 1, 0), phase.last)
        parts.append(robot.remark(phase.scenario, Trajectory(t[rows], y[rows], phase.solution.dense)))
    if not impacts:  # between two of them no step divides the time
        parts.append(notes_in_order(phase.solution for phase in phases))
    return " ".join(dict.fromkeys(filter(None, parts)))
