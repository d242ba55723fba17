"""`solve_ivp`: y' = f(t, y) for your own function, with any of our methods and scipy's interface."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from assets.errors import BadInput
from solvers.ivp import arguments
from solvers.ivp.functions import Function, Functions
from solvers.ivp.outcome import Outcome
from solvers.ivp.result import OdeResult


def solve_ivp(
    fun: Function,
    t_span: Sequence[float],
    y0: ArrayLike,
    method: str | type = "dopri5",
    t_eval: ArrayLike | None = None,
    dense_output: bool = False,
    events: Function | Sequence[Function] | None = None,
    args: Iterable[object] | None = None,
    *,
    rtol: ArrayLike | None = None,
    atol: ArrayLike | None = None,
    jac: Function | ArrayLike | None = None,
    first_step: float | None = None,
    max_step: float = math.inf,
    step: float | None = None,
    positions: int = 0,
    vectorized: bool = False,
    controller: str | None = None,
    **options: object,
) -> OdeResult:
    """Integrate y' = fun(t, y) from t_span[0] to t_span[1], with the arguments and the result of scipy's `solve_ivp`.

    A plain Python function is called through a C callback, which adds 1 to 2 us to each call; everything else runs
    compiled. A function compiled by numba (`@njit`) is called without Python, at some 50 ns; compiling it for the first
    call takes a second or two, and numbers in `args` may then change without compiling again. What `fun`, `jac` or an
    event raises ends the integration and reaches the caller.

    Args:
        fun: `fun(t, y, *args)`, returns y' as an array, list or tuple of n numbers.
        t_span: start and end; the end may lie before the start, or be infinite where an event ends the integration.
        y0: the initial state, (n,), real or complex.
        method: the key or alias of any method for first-order equations (`armstep.methods()`), or one of scipy's names:
            RK45 is dopri5, RK23 bs32, DOP853 dop853, Radau radau5, BDF and LSODA cvode-bdf; or its solver class.
        t_eval: the times at which the states are returned; None returns those of the accepted steps.
        dense_output: whether `sol`, the solution as a function, is returned.
        events: a function `event(t, y, *args)` or several; an event happens where its function passes through zero.
            Its attributes: `terminal` (True, or the number of times after which the integration ends), `direction`
            (1, -1 or 0).
        args: extra arguments of `fun`, `jac` and the events, a tuple.
        rtol, atol: the tolerances (1e-3, 1e-6), numbers or arrays (n,); of an array `rtol` the smallest value counts.
        jac: df/dy for implicit methods: a function `jac(t, y, *args)` or a constant matrix, (n, n); None finds it by
            differences.
        first_step, max_step: bounds of the step.
        step: a fixed step, instead of tolerances; a method without an error estimate needs it.
        positions: for methods of mechanics (`velocity-verlet`): how many leading components are positions; their rates
            follow them.
        vectorized: whether `fun` expects y as a matrix (n, 1) and returns one.
        controller: the rule of the step control, see `solvers.control.CONTROLLERS`.
        options: the method's own settings, see `armstep list methods --json`.

    Raises:
        BadInput: an argument that cannot be used; it is a `ValueError`. Numerical failure is status -1.
        TypeError: if `args` is not a tuple.
    """
    if not callable(fun):
        raise BadInput("fun", fun, "a function fun(t, y)")
    chosen, (start, end) = arguments.find(method), arguments.span(t_span)
    times, state = arguments.output_times(t_eval, start, end), arguments.initial(y0)
    given, own = arguments.further(args), arguments.settings(chosen, options)
    limits = arguments.bounds(first_step, max_step, controller, abs(end - start))
    control = arguments.control(chosen, rtol, atol, limits, step, len(state))
    if step is not None and math.isinf(end):
        raise BadInput("t_span", t_span, "finite where a fixed step is given")
    units = arguments.units(atol, len(state))
    leading = arguments.positions(positions, len(state), chosen, units is not None)
    if jac is not None and not chosen.implicit:
        warnings.warn(f"jac has no effect with {chosen.key}, an explicit method.", stacklevel=2)
    if first_step is not None and end < start and chosen.family == "SUNDIALS":
        warnings.warn(f"first_step has no effect with {chosen.key} backwards in time.", stacklevel=2)
    if start == end or not len(state):
        still = Outcome(state, start, arguments.watched(events, given, np.copy))
        still.stand_still(end)
        return still.result(times, dense_output, events is not None)
    functions = Functions(fun, jac, given, state, units, vectorized)
    problem = functions.problem(state, start, end, leading)
    if not chosen.accepts(problem):
        raise BadInput("method", chosen.key, "a method for equations that are given as a function")
    outcome = Outcome(state, start, arguments.watched(events, given, functions.own))
    if start + math.copysign(max_step, end - start) == start:
        outcome.fail(f"The required step size is less than the spacing between numbers at t = {start:g}.")
    else:
        outcome.integrate(problem, chosen, control, own, functions)
    return outcome.result(times, dense_output, events is not None)
