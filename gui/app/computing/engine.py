"""What computes in the worker's thread: Armstep's own functions, or a test's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assets.watch import Glimpse
from gui.app.computing.forecast import forecast
from gui.app.jobs import Cancel, Progress
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.simulation.reference import Reference, ReferenceErrors
    from robots.simulation.run import Run

ESTIMATED = 0.5
"""Runs that take longer [s] get no estimate of their error by themselves."""

WaitFor = Callable[[Scenario, Sequence[str], Cancel], None]


@dataclass(frozen=True, slots=True)
class Engine:
    """What computes: `simulate` and `reference` of (scenario, cancel, progress), `compare` of (run, reference).

    `judge` of a run computes what its verdict needs, `clock` of (run, cancel) how long it takes [s]. `look` of
    (scenario, cancel) gives the run so far of a scenario that another thread computes, judged; `forecast` of (scenario,
    its run so far) says in a sentence what a long computation costs, or that its equations are stiff. `redraw` of (run,
    scenario) gives the run under a scenario that has the same numbers.
    """

    simulate: Callable[[Scenario, Cancel, Progress], Run]
    reference: Callable[[Scenario, Cancel, Progress], Reference | None]
    compare: Callable[[Run, Reference], ReferenceErrors]
    judge: Callable[[Run], None] = lambda run: None
    clock: Callable[[Run, Cancel], float] = lambda run, cancel: run.compute_seconds
    look: Callable[[Scenario, Cancel], Run | None] = lambda scenario, cancel: None
    forecast: Callable[[Scenario, Run | None], str] = lambda scenario, begun: ""
    redraw: Callable[[Run, Scenario], Run] = lambda run, scenario: run.shown_as(scenario)


def default_engine(
    cache_folder: Path | None = None,
    precompute: Callable[[Run], None] | None = None,
    wait_for: WaitFor = lambda scenario, methods, cancel: None,
) -> Engine:
    """Armstep's own functions. Each imports what it needs when it is first called, in the worker's thread.

    Args:
        cache_folder: where references are kept.
        precompute: called with each new run in the worker's thread, for what its views will need.
        wait_for: returns, in the worker's thread, once the kernels of a scenario's robot and of methods are compiled.
    """
    under_way: dict[int, Glimpse[Run]] = {}

    def simulate(scenario: Scenario, cancel: Cancel, progress: Progress) -> Run:
        wait_for(scenario, [scenario.method], cancel)
        from robots.simulation.simulate import simulate

        looking: Glimpse[Run] = Glimpse()
        under_way[id(scenario)] = looking
        try:
            run = simulate(scenario, cancel=cancel, progress=progress, watch=looking.watch, repeat=False)
        finally:
            looking.end()
            del under_way[id(scenario)]
        return ready(run)

    def ready(run: Run) -> Run:
        if "eigenvalues" in run.robot.plots:
            # Computed here, so that the window's thread need not wait.
            _ = run.eigenvalues
        if precompute is not None:
            precompute(run)
        return run

    def look(scenario: Scenario, cancel: Cancel) -> Run | None:
        looking = under_way.get(id(scenario))
        if looking is None or (begun := looking.take(cancel)) is None:
            return None
        _judge(begun)
        return ready(begun)

    def reference(scenario: Scenario, cancel: Cancel, progress: Progress) -> Reference | None:
        from robots.model.registry import robot_of
        from robots.simulation.reference import reference

        wait_for(scenario, [key for key, _ in robot_of(scenario).reference_methods or ()], cancel)
        return reference(scenario, cancel=cancel, progress=progress, cache_dir=cache_folder)

    def redraw(run: Run, scenario: Scenario) -> Run:
        return ready(run.shown_as(scenario))

    return Engine(simulate, reference, _compare, _judge, _clock, look, forecast, redraw)


def _compare(run: Run, reference: Reference) -> ReferenceErrors:
    from robots.simulation.reference import compare_with_reference

    return compare_with_reference(run, reference)


def _judge(run: Run) -> None:
    from robots.simulation.global_error import remember

    _ = run.stability, run.loop_stability, run.extent
    if run.compute_seconds < ESTIMATED:
        remember(run)


def _clock(run: Run, cancel: Cancel) -> float:
    from robots.simulation.simulate import usual_seconds

    return usual_seconds(run, stop=cancel)
