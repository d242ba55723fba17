"""The inverse dynamics of an arm that bends as a differential-algebraic problem, in each formulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from robots.dynamics.flexible.index import index_numbers, time_scale
from robots.dynamics.flexible.structure import FORMULATIONS, Build, Formulation, Move, pack
from robots.model.robot import Array

if TYPE_CHECKING:
    from solvers.dae_problem import DaeProblem


def dae_problem(
    build: Build,
    move: Move,
    formulation: str,
    start: tuple[Array, Array],
    duration: float,
    powers: tuple[int | None, ...],
) -> DaeProblem:
    """The inverse dynamics in the named formulation, at rest at `start` (joints, motors) before t = 0.

    `powers` replaces, where it has a number, how often the constraint and its derivatives are divided by the step.
    """
    from solvers.dae_problem import DaeProblem

    form = FORMULATIONS[formulation]
    size = build.coordinates
    extras = build.actuated if form.dummy_rates or form.dummy_accelerations else 0
    unknowns = 2 * size + extras
    initial = np.zeros(unknowns)
    initial[:size] = np.concatenate(start)
    names = [f"q{i + 1}" for i in range(size)] + [f"v{i + 1}" for i in range(size)]
    units = ["rad"] * size + ["rad/s"] * size + ["rad/s2" if form.dummy_accelerations else "rad/s"] * extras
    names += [f"w{i + 1}" for i in range(extras)]
    scaling = np.zeros(unknowns)
    table = zip(form.orders, form.powers, strict=False)
    scaled = [own if powers[order] is None else powers[order] for order, own in table for _ in build.axes]
    scaling[unknowns - len(scaled) :] = scaled
    algebraic = _algebraic(build, form, unknowns)
    chosen = slice(None)
    if form.kind == "decoupled":
        chosen, algebraic = slice(0, None, size), np.zeros(unknowns, dtype=bool)
    return DaeProblem(
        system=_system(form.kind),
        initial=initial[chosen].copy(),
        rate=np.zeros(len(initial[chosen])),
        t0=0.0,
        t1=duration,
        params=_parameters(build, move, form, start[0]),
        names=tuple(names[chosen]),
        units=tuple(units[chosen]),
        powers=scaling[chosen].copy(),
        algebraic=algebraic[chosen].copy(),
    )


def _system(kind: str) -> Callable[..., None]:
    """The compiled equations."""
    if kind == "array":
        from robots.dynamics.flexible.kernels.kunkel_mehrmann import system
    elif kind == "decoupled":
        from robots.dynamics.flexible.kernels.decoupled import system
    else:
        from robots.dynamics.flexible.kernels.inverse_dynamics import system
    return system


def _parameters(build: Build, move: Move, form: Formulation, joints: Array) -> Array:
    """The parameters of the compiled equations; those of the derivative array have more behind them."""
    params = pack(build, move, form)
    if form.kind != "array":
        return params
    from robots.dynamics.flexible.kernels.derivative_array import recorded

    found = index_numbers(build, move, joints, 0.0)
    y = np.zeros((found.strangeness + 1) * 2 * build.coordinates)
    return np.concatenate([params, [found.strangeness, found.algebraic, time_scale(build)], y, recorded(params)])


def _algebraic(build: Build, form: Formulation, unknowns: int) -> np.ndarray:
    """Unknowns whose derivative is in no row."""
    size, n = build.coordinates, build.joints
    mask = np.zeros(unknowns, dtype=bool)
    mask[2 * size :] = True
    for joint in range(n):
        driven = build.motor_of[joint] >= 0
        mask[joint] = form.drop_actuated if driven else form.drop_passive
        mask[size + joint] = driven and form.dummy_accelerations
    if build.gears:
        mask[size + n : 2 * size] = True
    return mask
