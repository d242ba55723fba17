"""A constrained system as an initial value problem in its independent coordinates, and its integration.

The state of a run is (q, q', angles, their rates): all n coordinates, so that it means the same whatever the partition.
An integration works on the independent coordinates alone; where the partition's condition number has grown by a quarter
it stops, a new partition is chosen, and it continues.

Source: CSTR-01-06 (2001), section 4, Algorithm 1, steps 13 and 14.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from assets.watch import Watch, through
from robots.dynamics.multibody import layout
from robots.dynamics.multibody.partition import dependent_coordinates
from robots.dynamics.multibody.system import System
from robots.model.robot import Array
from solvers.control import Control, FixedStep
from solvers.events import Event
from solvers.method import Method
from solvers.problem import OdeProblem
from solvers.solution import Counts, Solution, StepLog
from solvers.status import Status

GROWTH = 1.25
ENDS = (Status.FINISHED, Status.CANCELLED, Status.TOO_MANY_STEPS)


@dataclass(frozen=True, slots=True, eq=False)
class MultibodyProblem:
    """A constrained system from a consistent state over a span.

    Attributes:
        system: bodies, joints, forces.
        initial: (q, q', angles of the torsion springs, their rates), (2 n + 2 k,).
        t0, t1: the span [s].
        breaks: times where a force has a kink.
    """

    system: System
    initial: Array
    t0: float
    t1: float
    breaks: tuple[float, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """What the equations are, as in `OdeProblem.kinds`."""
        return frozenset({"ode", "second-order"})


def full_state(system: System, q: Array, rate: Array, angles: Array) -> Array:
    """(q, q', angles, their rates) for a consistent position and rate, the angles next to the given ones."""
    from robots.dynamics.multibody.kernels import reduced as kernels

    problem = MultibodyProblem(system, np.concatenate([q, rate, angles, np.zeros(len(angles))]), 0.0, 1.0)
    reduced = reduce(problem)
    out = np.empty((1, len(problem.initial)))
    kernels.expand(reduced.initial[None].copy(), reduced.params.copy(), out)
    return out[0]


def reduce(problem: MultibodyProblem) -> OdeProblem:
    """The problem in the independent coordinates that suit its initial state: y = (v, v').

    Raises:
        ArmstepError: for redundant constraints, by name.
    """
    from robots.dynamics.multibody.kernels import reduced as kernels

    system, n = problem.system, problem.system.coordinates
    q, rate = problem.initial[:n], problem.initial[n : 2 * n]
    angles = problem.initial[2 * n : 2 * n + len(system.torsions)]
    dependent = dependent_coordinates(system, q)
    params = system.pack(q, dependent, angles)
    independent = system.block(params, layout.INDEPENDENT, n - len(dependent)).view(np.int64)
    initial = np.concatenate([q[independent], rate[independent]])
    kernels.begin_step(problem.t0, initial, params, initial)
    params[layout.LIMIT] = GROWTH * params[layout.CONDITION]
    names, units = system.described(independent.tolist())
    return OdeProblem(
        rhs=kernels.rhs,
        jacobian=kernels.jacobian,
        begin_step=kernels.begin_step,
        initial=initial,
        t0=problem.t0,
        t1=problem.t1,
        params=params,
        names=names,
        units=units,
        positions=len(independent),
        breaks=problem.breaks,
    )


def at_state(system: System, state: Array, like: OdeProblem) -> tuple[Array, Array]:
    """y (2 d,) and `params` for another full state with the partition of `like`; its position is the one to correct."""
    params, n = like.params.copy(), system.coordinates
    chosen = system.block(params, layout.INDEPENDENT, len(like.initial) // 2).view(np.int64)
    system.block(params, layout.BASE, n)[:] = state[:n]
    params[[layout.KNOWN, layout.FACTORISED]] = 0.0
    return np.concatenate([state[:n][chosen], state[n : 2 * n][chosen]]), params


def condition(system: System, state: Array, like: OdeProblem) -> float:
    """The condition number (1-norm) of Phi_u at a full state with the partition of `like`; inf outside its domain."""
    from robots.dynamics.multibody.kernels import reduced as kernels

    y, params = at_state(system, state, like)
    params[[layout.LIMIT, layout.CONDITION]] = 0.0
    kernels.begin_step(0.0, y, params, y)
    return float(params[layout.CONDITION]) or np.inf


def reduced_mass(system: System, state: Array, like: OdeProblem) -> Array:
    """The mass matrix of the independent coordinates of `like` at a full state, (d, d): equation (10a)."""
    from robots.dynamics.multibody.kernels import reduced as kernels

    y, params = at_state(system, state, like)
    kernels.begin_step(0.0, y, params, y)
    n, d = system.coordinates, len(y) // 2
    tangent, moved = (system.block(params, one, n * d).reshape(n, d) for one in (layout.TANGENT, layout.MASS_TANGENT))
    return tangent.T @ moved


def constraint_errors(system: System, states: Array) -> dict[str, Array]:
    """The largest residual of the constraints, and of their derivatives, in every full state, (m,) each."""
    from robots.dynamics.multibody.kernels import constrained as kernels

    params = system.pack(states[0, : system.coordinates], range(system.constraints), np.zeros(len(system.torsions)))
    out = np.empty((len(states), 2))
    kernels.drift(np.array(states), params, out)
    return {"constraint_m": out[:, 0], "constraint_m_s": out[:, 1]}


# -- integration -------------------------------------------------------------------------------------------------------

EXPANDED_AT_ONCE = 128
"""Rows of full states between two questions whether they are still wanted: about 20 ms."""


@dataclass(frozen=True, slots=True, eq=False)
class CubicOutput:
    """Cubic Hermite interpolation between the kept full states."""

    t: Array
    y: Array
    n: int

    def __call__(self, times: Array) -> Array:
        """The states at `times` (m,), (m, 2 n + 2 k)."""
        t, y, n = self.t, self.y, self.n
        if len(t) == 1:
            return np.repeat(y, len(times), axis=0)
        k = (y.shape[1] - 2 * n) // 2
        places = np.r_[0:n, 2 * n : 2 * n + k]
        rates = np.r_[n : 2 * n, 2 * n + k : 2 * n + 2 * k]
        i = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
        h = (t[i + 1] - t[i])[:, None]
        s = (times - t[i])[:, None] / h
        a, b, da, db = y[i][:, places], y[i + 1][:, places], y[i][:, rates], y[i + 1][:, rates]
        out = np.empty((len(times), y.shape[1]))
        gap = b - a
        out[:, places] = a + s * (h * da + s * (3.0 * gap - h * (2.0 * da + db) + s * (h * (da + db) - 2.0 * gap)))
        # Between kept steps lines join the rates: a stiff system's accelerations say little about them.
        out[:, rates] = da + s * (db - da)
        return out


def integrate_multibody(
    problem: MultibodyProblem,
    method: Method,
    control: Control,
    *,
    cancel: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
    watch: Watch[Solution] | None = None,
    max_steps: int | None = None,
    options: Mapping[str, object] | None = None,
    events: Sequence[Event] = (),
) -> Solution:
    """Integrate in the independent coordinates, choosing new ones when the old ones become badly conditioned.

    Returns:
        A Solution whose states are full ones (see `MultibodyProblem.initial`).
    """
    parts: list[tuple[Solution, Array]] = []
    now, span = problem, problem.t1 - problem.t0
    while True:
        reduced = reduce(now)
        share = None
        if progress is not None:
            done = (now.t0 - problem.t0) / span
            share = lambda fraction, done=done: progress(done + fraction * (1.0 - done))  # noqa: E731
        left = None if max_steps is None else max(max_steps - sum(len(part.log.t) for part, _ in parts), 1)
        from solvers.integrate import integrate

        found = integrate(
            reduced,
            method,
            control,
            options=options,
            cancel=cancel,
            progress=share,
            watch=through(watch, partial(_so_far, problem, tuple(parts), now, reduced)),
            events=events,
            max_steps=left,
        )
        states = _expanded(now, reduced, found, cancel)
        if len(states) < len(found.t):
            found = replace(found, t=found.t[: len(states)], status=Status.OUTSIDE_DOMAIN)
            found = replace(found, outcome=Status.OUTSIDE_DOMAIN.sentence.format(t=found.t[-1]))
        worn = found.status not in ENDS and len(found.t) > 1 and _worn(problem.system, states[-1], reduced)
        parts.append((_without_end(found) if worn else found, states))
        if not worn:
            return _joined(problem, parts)
        now = replace(now, initial=states[-1], t0=float(found.t[-1]))
        control = _resumed(control, found, now)


def _expanded(
    problem: MultibodyProblem, reduced: OdeProblem, found: Solution, ask: Callable[[], bool] | None = None
) -> Array:
    """The full state of every kept row, up to the first without a position.

    `ask` is called now and again: a person who stopped the run wants its rows, and for another one it raises.
    """
    from robots.dynamics.multibody.kernels import reduced as kernels

    out, states, params = np.empty((len(found.t), len(problem.initial))), np.array(found.y), reduced.params.copy()
    for first in range(0, len(states), EXPANDED_AT_ONCE):
        if ask is not None:
            ask()
        rows = slice(first, first + EXPANDED_AT_ONCE)
        kernels.expand(states[rows], params, out[rows])
    lost = np.flatnonzero(~np.isfinite(out).all(axis=1))
    return out[: lost[0]] if len(lost) else out


def _so_far(
    problem: MultibodyProblem,
    parts: Sequence[tuple[Solution, Array]],
    now: MultibodyProblem,
    reduced: OdeProblem,
    found: Solution,
) -> Solution:
    """The solution while the part after `parts` is being integrated."""
    states = _expanded(now, reduced, found)
    return _joined(problem, [*parts, (replace(found, t=found.t[: len(states)]), states)])


def _worn(system: System, state: Array, reduced: OdeProblem) -> bool:
    """Whether the kernel gave up this state's partition because of its condition number."""
    return reduced.params[layout.LIMIT] * (1.0 - 1e-9) < condition(system, state, reduced) < np.inf


def _without_end(found: Solution) -> Solution:
    """The solution without the attempts that failed only because the partition was given up."""
    log = found.log
    kept = int(np.flatnonzero(log.accepted)[-1]) + 1
    counts = replace(found.counts, rejected=int(kept - np.count_nonzero(log.accepted[:kept])))
    return replace(found, log=log.first(kept), counts=counts)


def _resumed(control: Control, found: Solution, now: MultibodyProblem) -> Control:
    """The control for the next part: it begins with the last step."""
    if isinstance(control, FixedStep):
        return FixedStep(min(control.step, now.t1 - now.t0))
    last = float(np.abs(found.log.h[found.log.accepted.astype(bool)][-1]))
    limits = {"max_step": min(control.max_step, now.t1 - now.t0)} if control.max_step else {}
    return replace(control, first_step=min(last, now.t1 - now.t0), **limits)


def _joined(problem: MultibodyProblem, parts: list[tuple[Solution, Array]]) -> Solution:
    """The parts between changes of the partition as one solution."""
    solutions = [part for part, _ in parts]
    last = solutions[-1]
    t = np.concatenate([part.t[k > 0 :] for k, part in enumerate(solutions)])
    y = np.concatenate([states[k > 0 :] for k, (_, states) in enumerate(parts)])
    log = StepLog.joined([part.log for part in solutions])
    counts = Counts.total(part.counts for part in solutions)
    t.flags.writeable = y.flags.writeable = False
    notes = last.notes
    if changes := len(parts) - 1:
        notes += (f"The independent coordinates were changed {'once' if changes == 1 else f'{changes} times'}.",)
    dense = CubicOutput(t, y, problem.system.coordinates)
    return replace(
        last,
        t=t,
        y=y,
        log=log,
        counts=counts,
        notes=notes,
        dense=dense,
        dense_order=3,
        stride=max(part.stride for part in solutions),
    )
