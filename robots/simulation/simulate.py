"""`simulate()`: a Scenario becomes a Run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from time import perf_counter

import numpy as np

from assets.errors import BadInput
from robots.model.registry import find_robot
from robots.model.robot import Array, Robot
from robots.scenario.scenario import Scenario
from robots.scenario.segments import Piece, cut
from robots.simulation.run import Run, Stretch
from solvers.control import Control, FixedStep
from solvers.method_registry import find_method
from solvers.solution import Counts, Solution, StepLog
from solvers.status import Status

Cancel = Callable[[], bool]
Progress = Callable[[float], None]


def simulate(scenario: Scenario, *, cancel: Cancel | None = None, progress: Progress | None = None) -> Run:
    """Integrate the scenario's equations of motion, piece by piece where its segments change something.

    Args:
        scenario: what to simulate.
        cancel: asked about every 20 ms; when it answers True the run ends there with the status `cancelled`.
        progress: told the simulated share of the span, from 0 to 1, as often.
    """
    robot = find_robot(scenario.robot)
    stretches: list[Stretch] = []
    state, row, seconds = None, 0, 0.0
    for piece in cut(scenario):
        solution, spent = _integrate(robot, piece, state, cancel, _share(progress, piece, scenario.duration))
        seconds += spent
        last = row + len(solution.t) - (1 if stretches else 0)
        stretches.append(Stretch(piece, solution, row, last))
        state, row = solution.final, last
        if solution.status is not Status.FINISHED:
            break
    solutions = [stretch.solution for stretch in stretches]
    t = np.concatenate([s.t[k > 0 :] for k, s in enumerate(solutions)])
    y = np.concatenate([s.y[k > 0 :] for k, s in enumerate(solutions)])
    t.flags.writeable = y.flags.writeable = False
    return Run(
        scenario=scenario,
        robot=robot,
        status=solutions[-1].status,
        message=_message(scenario, stretches, t, y),
        t=t,
        y=y,
        log=StepLog.joined([solution.log for solution in solutions]),
        counts=_total(solutions),
        compute_seconds=seconds,
        errors=_errors(robot, stretches, t, y),
        stretches=tuple(stretches),
        companion=robot.companion(stretches[-1].piece.scenario, t, y),
    )


def _integrate(
    robot: Robot, piece: Piece, state: Array | None, cancel: Cancel | None, progress: Progress | None
) -> tuple[Solution, float]:
    """The solution of one piece from `state`, and the seconds that it took."""
    scenario = piece.scenario
    problem = robot.problem(scenario, piece.pull)
    problem = replace(problem, t0=piece.start, t1=piece.end, **({} if state is None else {"initial": state}))
    method, control = find_method(scenario.method), fitting(scenario.control(), piece.end - piece.start)
    if piece.pull is not None and not method.accepts(problem):
        must = f"one without Taylor series while a hand pulls the arm, from {piece.start:g} s"
        raise BadInput("method", method.key, must)
    # One step first, unclocked: it loads the compiled kernels.
    robot.integrate(problem, method, control, options=scenario.options, max_steps=1)
    started = perf_counter()
    solution = robot.integrate(problem, method, control, options=scenario.options, cancel=cancel, progress=progress)
    return solution, perf_counter() - started


def fitting(control: Control, span: float) -> Control:
    """The control with no step longer than a piece's span (only pieces cut short by a segment are concerned)."""
    if isinstance(control, FixedStep):
        return FixedStep(min(control.step, span))
    longest = {name: min(getattr(control, name), span) for name in ("first_step", "max_step") if getattr(control, name)}
    return replace(control, **longest)


def _share(progress: Progress | None, piece: Piece, duration: float) -> Progress | None:
    """A progress callback for one piece that reports the share of the whole."""
    if progress is None:
        return None
    start, span = piece.start / duration, (piece.end - piece.start) / duration
    return lambda share: progress(start + share * span)


# A run that diverged has states whose energy is no number.
@np.errstate(over="ignore", invalid="ignore")
def _errors(robot: Robot, stretches: list[Stretch], t: Array, y: Array) -> dict[str, Array]:
    """Errors against paths and constraints, and the drift of invariants, at the rows of `t`.

    An invariant starts afresh where a parameter changes: the drift gathered before is carried on, the jump is no error.
    """
    errors: dict[str, Array] = {}
    carried: dict[str, float] = {}
    for k, stretch in enumerate(stretches):
        scenario, pull = stretch.piece.scenario, stretch.piece.pull
        rows = slice(stretch.first, stretch.last)
        for name, values in robot.errors(scenario, t[rows], y[rows]).items():
            errors.setdefault(name, np.full(len(t), np.nan))[rows] = values
        # The invariant at the start of the piece is judged with the piece's own parameters.
        start = max(stretch.first - (k > 0), 0)
        for name, values in robot.invariants(scenario, t[start : rows.stop], y[start : rows.stop], pull).items():
            drift = carried.get(name, 0.0) + values - values[0]
            errors.setdefault(name, np.full(len(t), np.nan))[rows] = np.abs(drift[stretch.first - start :])
            carried[name] = float(drift[-1])
    return errors


def _message(scenario: Scenario, stretches: list[Stretch], t: Array, y: Array) -> str:
    """The last piece's message, after what the earlier pieces and the scenario itself have to say."""
    parts: list[str] = []
    for stretch in stretches[:-1]:
        sentence = Status.FINISHED.sentence.format(t=stretch.solution.t_end)
        parts += [_told(stretch).replace(sentence, "").strip(), stretch.piece.scenario.remark]
    last = stretches[-1]
    told = _told(last) if len(stretches) > 1 else last.solution.message
    parts = [told, last.piece.scenario.remark, scenario.remark, *parts]
    robot = find_robot(scenario.robot)
    for stretch in stretches:
        rows = slice(max(stretch.first - 1, 0), stretch.last)
        parts.append(robot.remark(stretch.piece.scenario, t[rows], y[rows]))
    return " ".join(dict.fromkeys(filter(None, parts)))


def _told(stretch: Stretch) -> str:
    """The message of one piece among several, which names the piece where the solver speaks of its span."""
    piece = stretch.piece
    return stretch.solution.message.replace("the span", f"the piece from {piece.start:.6g} to {piece.end:.6g} s")


def _total(solutions: list[Solution]) -> Counts:
    counts = [solution.counts for solution in solutions]
    return Counts(*(sum(getattr(count, item.name) for count in counts) for item in fields(Counts)))
