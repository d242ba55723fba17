"""A constrained system in all its coordinates: the ways to treat its constraints other than partitioning, side by side.

Index 1 differentiates the constraints twice and forgets them; Baumgarte's stabilisation adds a spring and a damper to
that; the projected form returns to the constraints after every step. Index 2 and 3 keep the constraints of velocity or
of position as equations of a differential-algebraic problem; the stabilised form of Gear, Gupta and Leimkuhler keeps
both.

Source: K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value Problems in
Differential-Algebraic Equations (1996), section 6.2; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II
(1996), VII.1 and VII.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Unpack, cast

import numpy as np

from assets.watch import through
from robots.dynamics.multibody.forms import ALGEBRAIC, kinds_of
from robots.dynamics.multibody.reduction import CubicOutput, MultibodyProblem, reduce
from robots.model.robot import Array
from solvers.control import Control, FixedStep
from solvers.dae_problem import DaeProblem
from solvers.integrate import Integration, integrate
from solvers.method import Method
from solvers.problem import OdeProblem
from solvers.solution import Solution

LONGEST = 20_000
"""Steps after which a code with step control gives up: because of the multipliers it may take very short ones."""


@dataclass(frozen=True, slots=True, eq=False)
class ConstrainedProblem(MultibodyProblem):
    """A constrained system from a consistent state over a span, in all its coordinates.

    Attributes:
        form: a key of `FORMS` but the first.
        gains: alpha and beta of Baumgarte's Phi'' + 2 alpha Phi' + beta^2 Phi = 0 [1/s].
    """

    form: str = "index1"
    gains: tuple[float, float] = (0.0, 0.0)

    @property
    def kinds(self) -> frozenset[str]:
        """What the equations are, as in `OdeProblem.kinds`."""
        return kinds_of(self.form)


def integrate_constrained(
    problem: ConstrainedProblem, method: Method, control: Control, **settings: Unpack[Integration]
) -> Solution:
    """Integrate it; the states of the solution are full ones (see `MultibodyProblem.initial`)."""
    from robots.dynamics.multibody.kernels import constrained as kernels

    algebraic = problem.form in ALGEBRAIC
    if algebraic and not isinstance(control, FixedStep):
        settings["max_steps"] = min(settings.get("max_steps") or LONGEST, LONGEST)
    posed = differential_algebraic(problem) if algebraic else ordinary(problem)

    def in_full(found: Solution) -> Solution:
        states, params = np.empty((len(found.t), len(problem.initial))), _params(problem)
        kernels.describe(np.array(found.y), params, states)
        states.flags.writeable = False
        dense = CubicOutput(found.t, states, problem.system.coordinates)
        return replace(found, y=states, rates=None, dense=dense, dense_order=3)

    settings["watch"] = through(settings.get("watch"), in_full)
    return in_full(integrate(cast(OdeProblem, posed), method, control, **settings))


def ordinary(problem: ConstrainedProblem) -> OdeProblem:
    """The equations of index 1, stabilised or projected if the form says so: y = (q, q')."""
    from robots.dynamics.multibody.kernels import constrained as kernels

    n = problem.system.coordinates
    names, units = problem.system.described(range(n))
    return OdeProblem(
        rhs=kernels.rhs,
        begin_step=kernels.begin_step,
        initial=problem.initial[: 2 * n].copy(),
        t0=problem.t0,
        t1=problem.t1,
        params=_params(problem),
        names=names,
        units=units,
        positions=n,
        breaks=problem.breaks,
    )


def differential_algebraic(problem: ConstrainedProblem) -> DaeProblem:
    """The equations of index 3 or 2, or of stabilised index 2: x = (q, v, lambda) or (q, v, lambda, mu)."""
    from robots.dynamics.multibody.kernels import constrained, reduced
    from robots.dynamics.multibody.kernels import differential_algebraic as kernels

    system, form = problem.system, problem.form
    n, m, tail = system.coordinates, system.constraints, 2 * len(system.torsions)
    size = 2 * n + (2 if form == "ggl" else 1) * m
    kind = {"index3": kernels.POSITIONS, "index2": kernels.VELOCITIES, "ggl": kernels.BOTH}[form]
    params, whole = np.append(_pack(problem), kind), _params(problem)
    solved, powers, algebraic = np.empty(n + m), np.zeros(size), np.zeros(size, dtype=bool)
    powers[2 * n : 2 * n + m] = 2.0 if form == "index3" else 1.0
    powers[2 * n + m :] = 2.0
    algebraic[2 * n :] = True
    partitioned = reduce(problem)

    def complete(t: float, state: Array) -> tuple[Array, Array]:
        """x and x' for a full state; the multipliers stand still."""
        constrained.multipliers(t, np.array(state[: 2 * n]), whole, solved)
        x, rate = np.zeros(size), np.zeros(size)
        x[: 2 * n], x[2 * n : 2 * n + m] = state[: 2 * n], solved[n:]
        rate[:n], rate[n : 2 * n] = state[n : 2 * n], solved[:n]
        return x, rate

    def unknowns(t: float, y: Array) -> Array:
        out = np.empty((1, 2 * n + tail))
        reduced.expand(np.array(y)[None], partitioned.params.copy(), out)
        return complete(t, out[0])[0]

    x, rate = complete(problem.t0, problem.initial)
    names, units = system.described(range(n))
    multipliers = [f"{letter}{k + 1}" for letter in ("lambda", "mu") for k in range(m)]
    return DaeProblem(
        system=kernels.system,
        initial=x,
        rate=rate,
        t0=problem.t0,
        t1=problem.t1,
        params=params,
        names=(*names, *multipliers)[:size],
        units=(*units, *([""] * (size - 2 * n))),
        powers=powers,
        algebraic=algebraic,
        breaks=problem.breaks,
        begin_step=kernels.begin_step,
        underlying=partitioned,
        unknowns=unknowns,
    )


def _pack(problem: ConstrainedProblem) -> Array:
    """The system's numbers, the angles those of the initial state; kernels choose the partition themselves."""
    system, n = problem.system, problem.system.coordinates
    angles = problem.initial[2 * n : 2 * n + len(system.torsions)]
    return system.pack(problem.initial[:n], range(system.constraints), angles)


def _params(problem: ConstrainedProblem) -> Array:
    """The same with what the kernels of the ordinary equations take."""
    gains = problem.gains if problem.form == "baumgarte" else (0.0, 0.0)
    return np.append(_pack(problem), [*gains, float(problem.form == "projected")])
