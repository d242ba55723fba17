"""Computes the runs of a lesson's step, and the numbers of its expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from assets.errors import BadInput
from robots.lessons.expression import Use, Value
from robots.lessons.lesson import Scene, SceneRun
from robots.model.robot import Array
from robots.simulation.reference import Reference, compare_with_reference, reference
from robots.simulation.run import ReferenceErrors, Run
from robots.simulation.simulate import simulate
from robots.sweeps.run_numbers import INSTANTS, STATUS, first_passing, over_time
from solvers.status import Status

Cancel = Callable[[], bool]


@dataclass(frozen=True, slots=True, eq=False)
class SceneResults:
    """The runs of a scene by name, and their errors against references where a readout needs them."""

    runs: Mapping[str, Run] = field(default_factory=dict)
    references: Mapping[str, ReferenceErrors] = field(default_factory=dict)

    def value(self, use: Use) -> Value:
        """What an expression reads; nan where the runs have no such number.

        Raises:
            BadInput: the robot has no number of this name.
        """
        first = self.runs[use.runs[0]]
        if use.number is None:
            return parted(first, self.runs[use.runs[1]], use.apart)
        if use.number.name == STATUS:
            return str(first.status)
        exact = self.references.get(use.runs[0])
        if use.number.needs_reference and exact is None:
            raise BadInput("readout", use.number.name, "one that needs no reference: the robot has none")
        with np.errstate(over="ignore", invalid="ignore"):
            return use.number.of(first, exact)

    def curve(self, run: str, column: str) -> tuple[Array, Array]:
        """The times and values of an output, a further quantity or an error of a run, (n,) and (n,).

        Raises:
            BadInput: it has none of this name.
        """
        t, series = over_time(self.runs[run], self.references.get(run))
        if column not in series:
            raise BadInput("column", column, choices=series)
        return t, series[column]


def compute(
    scene: Scene,
    *,
    known: SceneResults | None = None,
    cancel: Cancel | None = None,
) -> SceneResults | None:
    """Compute the runs of a scene, and the references that are needed.

    Args:
        scene: of a step.
        known: results from before; runs of the same name and scenario are taken from there.
        cancel: asked often; once it answers True the result is None.

    Raises:
        BadInput: a scenario that cannot be integrated.
    """
    runs: dict[str, Run] = {}
    errors: dict[str, ReferenceErrors] = {}
    exact: dict[str, Reference | None] = {}
    for one in scene.runs:
        found = _known(known, one)
        run = runs[one.name] = found or simulate(one.scenario, cancel=cancel, repeat=False)
        if run.status is Status.CANCELLED or (cancel and cancel()):
            return None
        if one.reference and known and found and one.name in known.references:
            errors[one.name] = known.references[one.name]
        elif one.reference:
            physics = repr(one.scenario.physics())
            if physics not in exact:
                exact[physics] = reference(one.scenario, cancel=cancel)
            if (truth := exact[physics]) is not None:
                errors[one.name] = compare_with_reference(run, truth)
    return None if cancel and cancel() else SceneResults(runs, errors)


def parted(first: Run, second: Run, apart: float) -> float:
    """The first time at which the tips of two runs are `apart` from each other [s]; nan if they never are."""
    end = min(first.t_end, second.t_end)
    t = np.unique(np.concatenate([first.t[first.t <= end], second.t[second.t <= end], np.linspace(0.0, end, INSTANTS)]))

    def distance(times: Array) -> Array:
        return np.linalg.norm(first.tip(times) - second.tip(times), axis=1)

    return 0.0 if distance(t[:1])[0] >= apart else first_passing(t, distance, apart)


def _known(known: SceneResults | None, one: SceneRun) -> Run | None:
    found = known.runs.get(one.name) if known else None
    return found if found and found.scenario.hash() == one.scenario.hash() else None
