"""Scenarios by name, and their runs: for `armstep` in scripts and for the commands."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assets.errors import BadInput
from assets.fields import Values
from gui.front.runs import Comparison, Run, instants
from robots.model.robot import Array
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from assets.watch import Watch
    from robots.simulation.reference import Reference
    from robots.simulation.run import Run as OneRun

Source = str | os.PathLike[str] | Scenario
Progress = Callable[[str, float], None]


def scenario(
    source: Source, folder: str | os.PathLike[str] | None = None, arguments: Mapping[str, str] | None = None
) -> Scenario:
    """A scenario: a preset by its key, a scenario or robot file, or what was inside anything that Armstep exported.

    Args:
        source: the key, the file, or a scenario.
        folder: where the meshes of a robot file are, if not beside it.
        arguments: of a xacro file.

    Raises:
        BadInput: it is not one of these, or no robot file and has a folder or arguments.
    """
    from gui.qt.export.inside import scenario_of

    if isinstance(source, Scenario):
        return source
    if not isinstance(source, (str, os.PathLike)):
        raise BadInput("scenario", source, "a preset's key, a file, or a Scenario")
    return scenario_of(os.fspath(source), None if folder is None else Path(folder), arguments)


def simulate(source: Source, *, reference: bool = False, **values: object) -> Run:
    """Simulate a scenario.

    Args:
        source: see `scenario`.
        reference: compute the reference run too, and the errors against it.
        values: fields to change: `method="dopri5"`, `duration=5`; those with a dot as `**{"robot.m1": 2}`.

    Raises:
        BadInput: an unknown field, or a value that is refused. Numerical failure is the run's status.
    """
    return computed(*_edited(source, values), reference=reference)


def ensemble(
    source: Source,
    spread: Mapping[str, float | str],
    *,
    members: int = 100,
    seed: int = 1,
    workers: int | None = None,
    **values: object,
) -> Run:
    """Simulate a scenario, and many runs around it whose numbers are drawn from distributions.

    Args:
        source, values: see `simulate`.
        spread: the standard deviation of each field in its SI unit, or a text such as `"0.1 deg"` or `"0.05:uniform"`.
        members: how many runs.
        seed: of the random numbers: the same seed gives the same runs.
        workers: how many processes or threads compute; one per core if None.

    Returns:
        The run in the middle; its `ensemble` has the others.

    Raises:
        BadInput: an unknown field, or a value that is refused.
    """
    from robots.scenario.ensemble import Ensemble, spread_of

    wanted, remark = _edited(source, values)
    around = Ensemble(dict(spread_of(f"{path}={width}") for path, width in spread.items()), members, seed)
    return computed(replace(wanted, ensemble=around), remark, reference=False, workers=workers)


def compare(source: Source, methods: Sequence[str], *, reference: bool = False, **values: object) -> Comparison:
    """Simulate a scenario with several methods.

    Args:
        source, reference, values: see `simulate`.
        methods: keys or aliases.
    """
    keys = [methods] if isinstance(methods, str) else list(methods)
    if not keys:
        raise BadInput("methods", keys, 'a list of keys, such as ["rk4", "dopri5"]')
    wanted = [_edited(source, {**values, "method": key}) for key in keys]
    return Comparison([computed(*one, reference=reference) for one in wanted])


class Exact:
    """The reference run: the exact solution, as far as two different methods agree on it.

    Attributes:
        scenario: what was solved.
        trusted_until: when the two methods begin to differ by more than 1e-9, or the end [s].
        t_end: where it ends [s].
    """

    def __init__(self, scenario: Scenario, found: Reference) -> None:
        self.scenario, self._found = scenario, found
        self.trusted_until, self.t_end = found.trusted_until, found.t_end

    def sample(self, times: ArrayLike) -> Array:
        """The states at `times` (m,), (m, d); outside its range, the nearest end."""
        return self._found.sample(instants(times))

    def __repr__(self) -> str:
        return f"<Reference {self.scenario.label}: to t = {self.t_end:.6g} s, trusted until {self.trusted_until:.6g} s>"


def reference(source: Source, **values: object) -> Exact:
    """The reference run of a scenario, from the disk if it was computed before.

    Raises:
        BadInput: the robot has no reference.
    """
    from robots.simulation.reference import reference as reference_run

    wanted, _ = _edited(source, values)
    found = reference_run(wanted)
    if found is None:
        raise BadInput("robot", wanted.robot, "one with a reference run")
    return Exact(wanted, found)


def computed(
    scenario: Scenario,
    remark: str = "",
    *,
    reference: bool,
    progress: Progress | None = None,
    watch: Watch[OneRun] | None = None,
    workers: int | None = None,
    scheduler: str = "",
) -> Run:
    """The run and, if wanted and possible, the reference run and the errors against it.

    Args:
        scenario: what to simulate.
        remark: a note on the scenario; the run's message ends with it.
        reference: whether a reference run is wanted.
        progress: called with what is being computed, and the fraction done, from 0 to 1.
        watch: who looks at the run so far.
        workers, scheduler: who computes its ensemble, if it has one; see `run_sweep`.
    """
    from robots.simulation.reference import compare_with_reference, why_none
    from robots.simulation.reference import reference as reference_run
    from robots.simulation.simulate import simulate

    def share(what: str) -> Callable[[float], None] | None:
        return partial(progress, what) if progress else None

    run = simulate(scenario, progress=share(f"{scenario.label}, {scenario.method}"), watch=watch)
    exact = reference_run(scenario, progress=share("reference")) if reference else None
    missing = why_none(scenario) if reference and exact is None else ""
    run = replace(run, message=" ".join(filter(None, (run.message, missing, remark))))
    around = None
    if scenario.ensemble is not None:
        from robots.ensembles.members import EnsembleRuns
        from robots.sweeps.run_sweep import run_sweep

        runs = EnsembleRuns(scenario)
        around = run_sweep(runs, workers=workers, scheduler=scheduler, progress=share("ensemble"))
    return Run(run, exact, compare_with_reference(run, exact) if exact else None, around)


def _edited(source: Source, values: Values) -> tuple[Scenario, str]:
    """The scenario with the values in place, and a remark on it."""
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in values.items()}
    return scenario(source).edited(plain)
