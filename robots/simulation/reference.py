"""The reference run: the exact solution, as far as two different methods agree on it, and the errors against it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np

from robots.model.registry import robot_of
from robots.model.robot import Array, Robot
from robots.model.sampling import HeldTorques, continued
from robots.scenario.scenario import Scenario
from robots.simulation.disk_cache import DiskCache, program
from robots.simulation.impacts import Contacts, arcs
from robots.simulation.phases import Interval, along, intervals
from robots.simulation.run import ReferenceErrors, Run
from robots.simulation.simulate import Cancel, Progress, fitting
from solvers.control import Control
from solvers.events import Event
from solvers.integrate import Dense
from solvers.interpolation.location import KeptSteps
from solvers.method import Method
from solvers.method_registry import find_method
from solvers.problem import OdeProblem
from solvers.solution import Solution
from solvers.status import Status

GAP = 1e-9
SHORT = 1e-15
"""By what part of its end a span before a break is shorter than that: some units in the last place."""
SCATTER = 10.0
"""Errors of rounding differ by chance from run to run, and from method to method, by as much as this."""

LOOKED_AT = 1000
"""At how many of its instants a reference shows how far the motion reaches."""

_MOST_STEPS = 300_000
CACHE = DiskCache("references", most_files=256, most_bytes=2**30, largest=64 * 2**20)


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The reference solution of a scenario.

    Attributes:
        phases: the solution on every interval between jumps, in order; between its steps, a shorter step of the method.
        trusted_until: the first time at which the two methods differ by more than 1e-9, or the end [s].
        t_end: where it ends: the duration, unless the solution itself ends earlier [s].
        gap: by how much the two solutions differ at most while it is trusted, for each state (d,), but no less than
            one unit in the last place of that state.
    """

    phases: tuple[Dense, ...]
    trusted_until: float
    t_end: float
    gap: Array

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        return sum(phase.kept.t.nbytes + phase.kept.y.nbytes for phase in self.phases)

    def instants(self, until: float) -> Array:
        """Its own times up to then, (m,) [s]; of very many, `LOOKED_AT`."""
        times = np.concatenate([phase.kept.t for phase in self.phases])
        known = times[times <= until]
        return known[np.linspace(0, len(known) - 1, min(len(known), LOOKED_AT)).astype(int)]

    def sample(self, times: Array) -> Array:
        """The states at `times` (m,), (m, d); outside its range, the nearest end."""
        times = np.asarray(times, dtype=float)
        starts = [phase.kept.t[0] for phase in self.phases]
        owner = np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)
        states = np.empty((len(times), self.phases[0].kept.y.shape[1]))
        for k, phase in enumerate(self.phases):
            states[owner == k] = phase(np.clip(times[owner == k], phase.kept.t[0], phase.kept.t[-1]))
        return states


def reference(
    scenario: Scenario,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    cache_dir: Path | None = None,
) -> Reference | None:
    """The reference run of a scenario; from the disk cache if it was computed before.

    Args:
        scenario: its method, step and tolerances do not matter.
        cancel: asked as by `simulate`; a cancelled reference is None.
        progress: called with the fraction done, from 0 to 1.
        cache_dir: where references are kept; None is the user's cache folder.

    Returns:
        None when the robot has no reference, or it was cancelled.
    """
    robot = robot_of(scenario)
    if robot.reference_methods is None:
        return None
    file = _cache_file(scenario, robot, cache_dir)
    found = _read(file, scenario, robot)
    if found is None:
        found = _compute(scenario, robot, cancel, progress)
        if found is not None:
            _write(file, found)
    return found


def why_none(scenario: Scenario) -> str:
    """Why the robot has no reference, as a sentence."""
    return f"There is no reference for this robot: {robot_of(scenario).no_reference}."


def compare_with_reference(run: Run, reference: Reference) -> ReferenceErrors:
    """The run's errors against the reference at its accepted steps."""
    trusted = min(reference.trusted_until, reference.t_end)
    exact = reference.sample(run.t)
    # A diverged run may be further away than numbers can hold.
    with np.errstate(over="ignore", invalid="ignore"):
        errors = along(run.phases, run.robot.reference_errors, run.t, run.y, exact)
    for values in errors.values():
        values[run.t > reference.t_end * (1.0 + 1e-12)] = np.nan
    message = ""
    final: dict[str, float] = {}
    if run.t[-1] <= trusted * (1.0 + 1e-12):
        final = {name: float(values[-1]) for name, values in errors.items()}
    else:
        why = "the motion is so sensitive, or jumps so often, that no reference can be trusted beyond that"
        if reference.trusted_until >= reference.t_end:
            why = "the reference itself ends there"
        message = f"Errors against the reference are computed up to t = {trusted:.6g} s: {why}."
    found = ReferenceErrors(run.t, errors, trusted, {}, final, message)
    extent = run.extent_of(reference.sample, reference.instants(min(trusted, run.t_end)))
    return replace(found, max=found.largest(trusted), level=_level(run, reference, exact), extent=extent)


def _level(run: Run, reference: Reference, exact: Array) -> dict[str, float]:
    """Below which an error of the run says nothing, by name.

    The difference of the two solutions shows what rounding and tolerances do to one of their number of steps. In a run
    of more steps rounding errors grow as a random walk does.

    Source: P. Henrici, Discrete Variable Methods in Ordinary Differential Equations (1962), section 1.5.
    """
    steps = sum(phase.kept.t.size - 1 for phase in reference.phases)
    grown = SCATTER * np.sqrt(max(1.0, run.counts.steps / max(steps, 1)))
    apart = along(run.phases, run.robot.reference_errors, run.t, exact + reference.gap, exact)
    known = run.t <= min(reference.trusted_until, reference.t_end) * (1.0 + 1e-12)
    return {name: float(grown * np.max(values[known])) for name, values in apart.items()}


def _compute(scenario: Scenario, robot: Robot, cancel: Cancel | None, progress: Progress | None) -> Reference | None:
    """Both solutions; the first is the reference, the second shows how long to trust it."""
    solved: list[list[Dense]] = []
    for k, (key, control) in enumerate(robot.reference_methods or ()):
        share = None if progress is None else (lambda done, k=k: progress(0.5 * (k + done)))
        phases = _solve(scenario, robot, find_method(key), control, cancel, share)
        if phases is None:
            return None
        solved.append(phases)
    first, second = solved
    end = min(first[-1].kept.t[-1], second[-1].kept.t[-1])
    trusted, most = end, np.zeros(first[0].kept.y.shape[1])
    for ours, theirs in zip(first, second, strict=False):
        t, y = ours.kept.t, ours.kept.y
        gap = np.abs(y - theirs(t))
        wrong = np.flatnonzero(~(gap.max(axis=1) <= GAP))
        trustworthy = slice(wrong[0] if len(wrong) else None)
        rounding = np.finfo(float).eps * np.abs(y[trustworthy])
        most = np.maximum(most, np.maximum(gap[trustworthy], rounding).max(axis=0, initial=0.0))
        if len(wrong):
            trusted = min(trusted, float(t[wrong[0]]))
            break
    return Reference(tuple(first), float(trusted), float(end), most)


def _spans(scenario: Scenario, robot: Robot) -> list[tuple[Interval, OdeProblem]]:
    """The problems on the intervals without jumps, not even in a derivative, and the interval that each is part of."""
    problems = []
    for interval in intervals(scenario):
        knots = [row[0] for row in interval.pull.track] if interval.pull else []
        problem = robot.reference_problem(interval.scenario, interval.pull)
        # What is held between breaks passes from one to the next, so a sampled problem keeps them.
        cuts, breaks = (problem.breaks, ()) if robot.sampling(interval.scenario) is None else ((), problem.breaks)
        inside = sorted({t for t in (*cuts, *knots) if interval.start < t < interval.end})
        edges = [interval.start, *inside, interval.end]
        for start, end in pairwise(edges):
            # At a break the right-hand side has its later value already, and a step's last stage needs the earlier one.
            last = end if end == interval.end else max(start, end * (1.0 - SHORT))
            problems.append((interval, replace(problem, t0=start, t1=last, breaks=breaks)))
    return problems


def _solve(
    scenario: Scenario, robot: Robot, method: Method, control: Control, cancel: Cancel | None, share: Progress | None
) -> list[Dense] | None:
    """The solution by one method up to its end or failure; None when cancelled."""
    phases: list[Dense] = []
    held: HeldTorques | None = None
    contacts: Contacts | None = None

    def pose(t: float, y: Array | None, joints: tuple[int, ...]) -> OdeProblem | None:
        same = span if not joints else at_rest(joints)
        if same is None:
            return None
        start = {} if y is None else {"initial": y}
        found = replace(cast("OdeProblem", same), t0=t, t1=span.t1, breaks=span.breaks, **start)
        return continued(found, held) if phases else found

    def solve(problem: OdeProblem, events: list[Event]) -> Solution:
        rule = fitting(control, problem.t1 - problem.t0)
        return robot.integrate(problem, method, rule, cancel=cancel, max_steps=_MOST_STEPS, events=events)

    for interval, span in _spans(scenario, robot):
        contacts = Contacts.of(robot, interval.scenario, contacts, located=True)
        at_rest = cache(partial(robot.at_rest, interval.scenario, interval.pull))
        whole = pose(span.t0, phases[-1].kept.y[-1] if phases else None, ())
        assert whole is not None
        found = [(whole, solve(whole, []))] if contacts is None else arcs(contacts, whole, pose, solve)
        for problem, solution, *_ in found:
            if solution.status is Status.CANCELLED:
                return None
            held = None
            if problem.sample is not None and solution.params is not None:
                problem, held = replace(problem, params=solution.params), HeldTorques.of(solution.params)
            steps = KeptSteps(np.array(solution.t), np.array(solution.y), solution.stride)
            phases.append(Dense(problem, method, method.complete_options({}), steps))
            if solution.status is not Status.FINISHED:
                return phases
        if share:
            share(span.t1 / scenario.duration)
    return phases


# -- the disk cache ----------------------------------------------------------------------------------------------------


def _cache_file(scenario: Scenario, robot: Robot, folder: Path | None) -> Path:
    return CACHE.file([program(), scenario.physics(), repr(robot.reference_methods)], folder)


def _write(file: Path, found: Reference) -> None:
    """Store the reference."""
    arrays = {"head": np.array([found.trusted_until, found.t_end, float(len(found.phases))]), "gap": found.gap}
    for k, phase in enumerate(found.phases):
        steps = phase.kept
        arrays |= {f"t{k}": steps.t, f"y{k}": steps.y, f"stride{k}": np.array(steps.substeps)}
        if phase.problem.sample is not None or len(found.phases) > 1:
            arrays[f"params{k}"] = phase.problem.params
    CACHE.write(file, arrays)


def _read(file: Path, scenario: Scenario, robot: Robot) -> Reference | None:
    """The stored reference; None if there is none, the file is damaged, or the robot's equations are others now."""
    data = CACHE.read(file)
    with suppress(ValueError, KeyError):
        if data is None:
            return None
        trusted, end, count = map(float, data["head"])
        kept = [KeptSteps(data[f"t{k}"], data[f"y{k}"], int(data[f"stride{k}"])) for k in range(int(count))]
        numbers = {k: data[f"params{k}"] for k in range(int(count)) if f"params{k}" in data}
        if not kept or not all(_sound(steps.t, steps.y) for steps in kept) or robot.reference_methods is None:
            return None
        method = find_method(robot.reference_methods[0][0])
        spans = _spans(scenario, robot)
        # Impacts cut a span into several phases.
        problems = [
            next(one for _, one in reversed(spans) if one.t0 <= steps.t[0] or one is spans[0][1]) for steps in kept
        ]
        if not all(_fits(problem, kept[k].y, numbers.get(k)) for k, problem in enumerate(problems)):
            return None
        problems = [replace(one, params=numbers[k]) if k in numbers else one for k, one in enumerate(problems)]
        options = method.complete_options({})
        phases = [Dense(problem, method, options, steps) for problem, steps in zip(problems, kept, strict=False)]
        gap = data["gap"]
        return Reference(tuple(phases), trusted, end, gap) if gap.shape == kept[0].y.shape[1:] else None
    return None


def _sound(t: Array, y: Array) -> bool:
    """Whether arrays read from disk are valid steps."""
    return y.ndim == 2 and t.shape == y.shape[:1] and bool(np.all(np.diff(t) > 0.0)) and bool(np.isfinite(y).all())


def _fits(problem: OdeProblem, y: Array, params: Array | None) -> bool:
    """Whether kernels can read them: they do not check the lengths themselves."""
    return y.shape[1] == problem.dimension and (params is None or params.shape == problem.params.shape)
