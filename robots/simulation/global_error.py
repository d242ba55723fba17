"""The error of a whole run without a reference: the same method once more, finer, and the difference of the two.

With a fixed step h the other run takes h/2: an error of order p is then 2^p times smaller, and the difference is
1 - 2^-p of the error. With tolerances the other run has a tenth of them; a method whose error is in proportion to its
tolerance leaves a tenth of the error.

Source: L. F. Shampine, Numerical Solution of Ordinary Differential Equations (1994), for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np

from assets.errors import BadInput
from robots.model.robot import Array, Robot
from robots.scenario.method_selection import method_of
from robots.scenario.scenario import Scenario
from robots.simulation.phases import along
from robots.simulation.run import Run
from robots.simulation.simulate import Cancel, simulate
from solvers.problem import OdeProblem

TIGHTER = 10.0
"""How many times smaller the tolerances of the finer run are."""

_known: WeakKeyDictionary[Run, GlobalError | None] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class GlobalError:
    """The estimated errors of a run.

    Attributes:
        t: its rows, (n,) [s].
        errors: named as those against the reference, (n,) each.
        max: the largest of each.
        finer: what else was run.
    """

    t: Array
    errors: Mapping[str, Array]
    max: Mapping[str, float]
    finer: Scenario


def finer_scenario(scenario: Scenario) -> Scenario | None:
    """The scenario with half the step, or a tenth of the tolerances; None where that is not possible."""
    changes = {"step": scenario.step / 2.0} if scenario.step is not None else {}
    if scenario.step is None:
        changes = {path: value / TIGHTER for path in ("rtol", "atol") if (value := getattr(scenario, path))}
    try:
        return scenario.with_values(changes)
    except BadInput:
        return None


def estimate(run: Run, cancel: Cancel | None = None) -> GlobalError | None:
    """The estimated error of a run; None for one that did not finish, or whose finer run does not.

    A method that is not consistent has none, either: its finer runs are as wrong.
    """
    finer, order = finer_scenario(run.scenario), method_of(run.scenario).order
    if finer is None or not run.status.ok or order < 1:
        return None
    other = simulate(finer, cancel=cancel, repeat=False)
    if not other.status.ok or other.t_end < run.t_end * (1.0 - 1e-9):
        return None
    states = other.sample(np.array(run.t))
    fixed = run.scenario.step is not None
    share = 1.0 - (0.5**order if fixed else 1.0 / TIGHTER)
    # A robot whose reference has other states compares its joints.
    judge = run.robot.reference_errors if _same_states(run) else partial(Robot.reference_errors, run.robot)
    errors = {name: gap / share for name, gap in along(run.phases, judge, run.t, run.y, states).items()}
    largest = {name: float(np.nanmax(values)) for name, values in errors.items()}
    return GlobalError(run.t, errors, largest, finer)


def remember(run: Run, cancel: Cancel | None = None) -> None:
    """Estimate the error of a run, once; `remembered` knows it from then on."""
    if run not in _known:
        _known[run] = estimate(run, cancel)


def remembered(run: Run) -> GlobalError | None:
    """The estimate of a run, if there is one so far."""
    return _known.get(run)


def _same_states(run: Run) -> bool:
    """Whether the reference of the robot has the states of its runs."""
    if run.robot.reference_methods is None:
        return False
    problem = run.robot.reference_problem(run.scenario)
    return isinstance(problem, OdeProblem) and len(problem.initial) == run.y.shape[1]
