"""What to integrate: a frozen value, independent of methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solvers.codegen.quick import quick

Array = NDArray[np.float64]
Problem = TypeVar("Problem")
FIRST_ORDER, SECOND_ORDER = frozenset({"ode"}), frozenset({"ode", "second-order"})
CANONICAL = SECOND_ORDER | {"canonical"}
ROTATIONS = FIRST_ORDER | {"rotations"}
ELEMENTARY = frozenset({"elementary"})


@dataclass(frozen=True, slots=True, eq=False)
class Momenta:
    """The same motion in positions and momenta p = M(q) v, in which it is a Hamiltonian system if nothing takes energy.

    Attributes:
        rhs, jacobian, params: of (q, p)' = f(t, (q, p)), as those of an `OdeProblem`.
        momenta, velocities: (q, p) of states (q, v), and back, (m, d) each.
    """

    rhs: Callable[..., None]
    jacobian: Callable[..., None] | None
    params: Array
    momenta: Callable[[Array], Array]
    velocities: Callable[[Array], Array]


@quick
@dataclass(frozen=True, slots=True, eq=False)
class OdeProblem:
    """An initial value problem y' = f(t, y), y(t0) given, wanted until t1 (which may lie before t0).

    A second-order problem is y = (q, v) with q' = v in the first `positions` components: v is the block that follows,
    of the same length, so that `y[positions:2 * positions]` is the derivative of `y[:positions]`.

    Attributes:
        rhs: `rhs(t, y, params, dy)` writes f(t, y) to dy (d,); a numba function compiled for the one signature
            `solvers.kernels.signatures.RHS`. At a time of `breaks` it has its later value (it is right-continuous).
        initial: y(t0), (d,).
        t0, t1: the span [s].
        params: numbers passed to every call of `rhs`, (p,).
        names, units: of the d components.
        positions: how many leading components are positions; 0 when the problem is not of second order.
        jacobian: `jacobian(t, y, params, J)` writes df/dy to J (d, d), compiled for `signatures.JACOBIAN`; None when
            unknown.
        breaks: times where f jumps; the integration is restarted at each.
        taylor: f in elementary operations, a `solvers.codegen.tape.Tape` or a function that records it, if a robot
            offers it: for power series and specialised kernels.
        source: the same for specialised kernels alone, where f has parts that are given (`Tape.given`).
        begin_step: called as `begin_step(t, y, params, scratch)` before the first stage of every attempted step, with
            the signature of `rhs`: what is sampled once a step (a held feedback) is kept in `params`. It is not
            counted, and f is evaluated again after it.
        in_momenta: makes the equations in positions and momenta; None if the robot does not offer them.
        rotations: where each body's Euler parameters p begin; p' = p o (0, w / 2) with its angular velocity w in its
            own axes.
        sample: called as `sample(t, y, params)` at t0 and at every time of `breaks`, before f is evaluated there: what
            is sampled at instants is kept in `params`. It returns why the integration cannot go on, as a sentence with
            {t} in place of the time, or nothing.
    """

    rhs: Callable[..., None]
    initial: Array
    t0: float
    t1: float
    params: Array
    names: tuple[str, ...]
    units: tuple[str, ...]
    positions: int = 0
    jacobian: Callable[..., None] | None = None
    breaks: tuple[float, ...] = ()
    taylor: object | None = None
    source: object | None = None
    begin_step: Callable[..., None] | None = None
    in_momenta: Callable[[], Momenta] | None = None
    sample: Callable[[float, Array, Array], str] | None = None
    rotations: tuple[int, ...] = ()

    @property
    def dimension(self) -> int:
        """The number of components d."""
        return len(self.initial)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of problem it is, as in `Method.problems`.

        `ode`, `second-order` when it has positions, `canonical` when it has momenta, `rotations` when it has Euler
        parameters, and `elementary` when it is given in elementary operations.
        """
        found = SECOND_ORDER if self.positions else FIRST_ORDER
        if self.rotations:
            found = ROTATIONS
        elif self.in_momenta is not None:
            found = CANONICAL
        return found if self.taylor is None else found | ELEMENTARY


def apart(problem: Problem) -> Problem:
    """The problem with arrays of its own: kernels take writable doubles, and `begin_step` writes to `params`."""
    kind = type(problem)
    everything, places = _fields(kind)
    values = list(everything(problem))
    for place in places:
        values[place] = np.array(values[place], np.float64)
    return kind(*values)


@cache
def _fields(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[int, ...]]:
    """A getter of all fields (`replace` takes longer than some runs), and the places of the arrays."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), (names.index("initial"), names.index("params"))
