"""The reference run: the exact solution as well as two different methods can know it, and the errors against it."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from assets.errors import ArmstepError
from robots.catalogue import find_robot
from robots.robot import Array, Robot
from robots.run import Run
from robots.scenario import Scenario
from robots.scenario_file import write_atomically
from robots.segments import cut
from robots.simulate import Cancel, Progress, fitting
from solvers.catalogue import find_method
from solvers.problem import OdeProblem
from solvers.solution import Solution
from solvers.status import Status

GAP = 1e-9
_VERSION = 1
_MOST_FILES = 256


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The solution on one piece between jumps: states and slopes at many times.

    Attributes:
        t: times (n,) [s].
        y, slope: states and dy/dt there, (n, d).
        positions: how many leading components are positions, whose slopes are the next block of components.
    """

    t: Array
    y: Array
    slope: Array
    positions: int

    def __call__(self, times: Array) -> Array:
        """States at `times` (m,), (m, d): quintic Hermite for positions and its derivative for rates, cubic for the rest."""
        k = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[k + 1] - self.t[k])[:, None]
        s = np.clip((times - self.t[k])[:, None] / h, 0.0, 1.0)
        y0, f0, y1, f1 = self.y[k], h * self.slope[k], self.y[k + 1], h * self.slope[k + 1]
        rise = y1 - y0
        states = y0 + s * (f0 + s * (3.0 * rise - 2.0 * f0 - f1 + s * (f0 + f1 - 2.0 * rise)))
        p = self.positions
        if p:
            q0, v0, a0 = y0[:, :p], h * y0[:, p : 2 * p], h * f0[:, p : 2 * p]
            v1, a1 = h * y1[:, p : 2 * p], h * f1[:, p : 2 * p]
            # q = q0 + v0 s + a0 s^2/2 + c3 s^3 + c4 s^4 + c5 s^5, from the values, slopes and curvatures of both ends.
            left = rise[:, :p] - v0 - 0.5 * a0
            slope, bend = v1 - v0 - a0, a1 - a0
            c3 = 10.0 * left - 4.0 * slope + 0.5 * bend
            c4 = -15.0 * left + 7.0 * slope - bend
            c5 = 6.0 * left - 3.0 * slope + 0.5 * bend
            states[:, :p] = q0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
            rate = v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))
            states[:, p : 2 * p] = rate / h
        return states


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """The reference solution of a scenario.

    Attributes:
        grids: one for every piece between jumps, in order.
        trusted_until: the first time at which the two methods differ by more than 1e-9, or the end [s].
        t_end: where it ends; the duration, unless the solution itself does not exist so long [s].
    """

    grids: tuple[Grid, ...]
    trusted_until: float
    t_end: float

    def sample(self, times: Array) -> Array:
        """The states at `times` (m,), (m, d); outside its range its nearest end."""
        times = np.asarray(times, dtype=float)
        starts = [grid.t[0] for grid in self.grids]
        owner = np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)
        states = np.empty((len(times), self.grids[0].y.shape[1]))
        for k, grid in enumerate(self.grids):
            states[owner == k] = grid(times[owner == k])
        return states


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceErrors:
    """The errors of a run against the reference, at the run's rows.

    Attributes:
        t: times (n,) [s].
        errors: name with unit to (n,); nan after the reference ends.
        trusted_until: from here on the errors mean nothing [s].
        max: the greatest of each up to `trusted_until`.
        final: each at the run's end; absent when that is not trusted.
        message: a sentence when `trusted_until` cuts the run short, else empty.
        reference: what the run was compared with.
    """

    reference: Reference
    t: Array
    errors: Mapping[str, Array]
    trusted_until: float
    max: Mapping[str, float] = field(default_factory=dict)
    final: Mapping[str, float] = field(default_factory=dict)
    message: str = ""


def reference(
    scenario: Scenario,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    cache_dir: Path | None = None,
) -> Reference | None:
    """The reference run of a scenario; from the disk cache when it was computed before.

    Args:
        scenario: its method, step and tolerances do not matter.
        cancel: asked as by `simulate`; a cancelled reference is None.
        progress: told the share done, from 0 to 1.
        cache_dir: where references are kept; None is the user's cache folder.

    Returns:
        None when the robot has no reference, or it was cancelled.
    """
    robot = find_robot(scenario.robot)
    if robot.reference_methods is None:
        return None
    file = _cache_file(scenario, robot, cache_dir)
    found = _read(file)
    if found is None:
        found = _compute(scenario, robot, cancel, progress)
        if found is not None:
            _write(file, found)
    return found


def compare_with_reference(run: Run, reference: Reference) -> ReferenceErrors:
    """The run's errors against the reference at its accepted steps."""
    trusted = min(reference.trusted_until, reference.t_end)
    exact = reference.sample(run.t)
    errors: dict[str, Array] = {}
    for stretch in run.stretches:
        rows = slice(stretch.first, stretch.last)
        judged = run.robot.reference_errors(stretch.piece.scenario, run.t[rows], run.y[rows], exact[rows])
        for name, values in judged.items():
            errors.setdefault(name, np.full(len(run.t), np.nan))[rows] = values
    for values in errors.values():
        values[run.t > reference.t_end * (1.0 + 1e-12)] = np.nan
    known = run.t <= trusted * (1.0 + 1e-12)
    largest = {name: float(np.max(values[known])) for name, values in errors.items()}
    message = ""
    final: dict[str, float] = {}
    if known[-1]:
        final = {name: float(values[-1]) for name, values in errors.items()}
    else:
        message = f"Errors against the reference are judged up to t = {trusted:.6g} s: the motion is so sensitive that no "
        message += "reference can be trusted longer."
    return ReferenceErrors(reference, run.t, errors, trusted, largest, final, message)


def _compute(scenario: Scenario, robot: Robot, cancel: Cancel | None, progress: Progress | None) -> Reference | None:
    """Both solutions; the first one is the reference, the second one says how long to trust it."""
    solved = []
    for k, (key, control) in enumerate(robot.reference_methods or ()):
        share = None if progress is None else (lambda done, k=k: progress(0.5 * (k + done)))
        grids = _solve(scenario, robot, key, control, cancel, share)
        if grids is None:
            return None
        solved.append(grids)
    first, second = solved
    end = min(first[-1].t[-1], second[-1].t[-1])
    trusted = end
    for ours, theirs in zip(first, second, strict=False):
        gap = np.max(np.abs(ours.y - theirs(ours.t)), axis=1)
        wrong = np.flatnonzero(~(gap <= GAP))
        if len(wrong):
            trusted = min(trusted, float(ours.t[wrong[0]]))
            break
    return Reference(tuple(first), float(trusted), float(end))


def _solve(scenario: Scenario, robot: Robot, key: str, control: object, cancel: Cancel | None, share: Progress | None):
    """The solution by one method, piece by piece up to its end or failure; None when cancelled."""
    grids: list[Grid] = []
    for piece in cut(scenario):
        knots = tuple(row[0] for row in piece.pull.track) if piece.pull else ()
        problem = robot.problem(piece.scenario, piece.pull)
        problem = replace(problem, t0=piece.start, t1=piece.end, **({"initial": grids[-1].y[-1]} if grids else {}))
        inside = [t for t in (*problem.breaks, *knots) if piece.start < t < piece.end]
        for start, end in zip([piece.start, *inside], [*inside, piece.end], strict=True):
            problem = replace(problem, t0=start, t1=end, breaks=(), **({"initial": grids[-1].y[-1]} if grids else {}))
            solution = robot.integrate(problem, find_method(key), fitting(control, end - start), cancel=cancel)
            if solution.status is Status.CANCELLED:
                return None
            grids.append(_grid(problem, solution))
            if solution.status is not Status.FINISHED:
                return grids
            if share:
                share(end / scenario.duration)
    return grids


def _grid(problem: OdeProblem, solution: Solution) -> Grid:
    states = np.array(solution.y)
    slope = np.empty_like(states)
    for t, y, dy in zip(solution.t, states, slope, strict=True):
        problem.rhs(t, y, problem.params, dy)
    return Grid(solution.t, states, slope, problem.positions)


# -- the disk cache ------------------------------------------------------------------------------------------------------


def _cache_file(scenario: Scenario, robot: Robot, folder: Path | None) -> Path:
    if folder is None:
        from platformdirs import user_cache_path

        folder = user_cache_path("armstep") / "references"
    facts = [_VERSION, scenario.physics(), repr(robot.reference_methods)]
    return folder / (hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest() + ".npz")


def _write(file: Path, found: Reference) -> None:
    """Keep the reference; a cache that cannot be written costs time, never a run."""
    arrays = {"head": np.array([found.trusted_until, found.t_end, float(len(found.grids))])}
    for k, grid in enumerate(found.grids):
        arrays |= {f"t{k}": grid.t, f"y{k}": grid.y, f"slope{k}": grid.slope, f"positions{k}": np.array(grid.positions)}
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    with suppress(OSError, ArmstepError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, content.getvalue())
        kept = sorted(file.parent.glob("*.npz"), key=lambda path: path.stat().st_mtime)
        for old in kept[:-_MOST_FILES]:
            old.unlink(missing_ok=True)


def _read(file: Path) -> Reference | None:
    """The kept reference; None when there is none or the file is damaged."""
    with suppress(OSError, ValueError, KeyError, EOFError, ArithmeticError, NotImplementedError, BadZipFile):
        with np.load(file, allow_pickle=False) as data:
            trusted, end, count = map(float, data["head"])
            grids = tuple(
                Grid(data[f"t{k}"], data[f"y{k}"], data[f"slope{k}"], int(data[f"positions{k}"])) for k in range(int(count))
            )
        if grids and all(_sound(grid) for grid in grids):
            return Reference(grids, trusted, end)
    return None


def _sound(grid: Grid) -> bool:
    """Whether a grid read from disk is one at all."""
    shapes = grid.y.ndim == 2 and grid.t.shape == grid.y.shape[:1] and grid.slope.shape == grid.y.shape and len(grid.t) > 1
    return shapes and bool(np.all(np.diff(grid.t) > 0.0)) and bool(np.isfinite(grid.y).all())
