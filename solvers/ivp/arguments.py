"""The arguments of `solve_ivp`, checked one by one and turned into what `integrate` takes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from assets.errors import BadInput
from assets.fields import Data, Values
from solvers.control import Control, FixedStep, Tolerance
from solvers.events import Event
from solvers.ivp.functions import Function, State
from solvers.method import Method
from solvers.method_registry import find_method, methods
from solvers.problem import Array

SCIPY_METHODS = {
    "RK45": "dopri5",
    "RK23": "bs32",
    "DOP853": "dop853",
    "Radau": "radau5",
    "BDF": "cvode-bdf",
    "LSODA": "cvode-bdf",
}
"""scipy's names and our closest methods. LSODA switches between two families; cvode-bdf has one of them."""

WITHOUT_EFFECT = ("jac_sparsity", "lband", "uband", "min_step")
"""Options of scipy's solvers that ours do not use."""

LEAST_RTOL = 100 * float(np.finfo(float).eps)
LEAST_UNIT = 1e-60
"""The unit of a component whose absolute tolerance is 0 while another's is not."""


def find(method: object) -> Method:
    """The method with that key, alias or scipy name; one of scipy's solver classes stands for its name."""
    if isinstance(method, type):
        method = method.__name__
    if not isinstance(method, str):
        raise BadInput("method", method, "a string: a method's key or alias, or scipy's name for one")
    if method in SCIPY_METHODS:
        return find_method(SCIPY_METHODS[method])
    near = [*SCIPY_METHODS, *(name for one in methods().values() for name in (one.key, *one.aliases))]
    if method not in near:
        raise BadInput(
            "method", method, "a method's key or alias (`armstep list methods`) or scipy's name for one", near
        )
    return find_method(method)


Events = Function | Sequence[Function] | None


def span(t_span: Iterable[float]) -> tuple[float, float]:
    """Start and end; the end may be infinite."""
    try:
        start, end = map(float, t_span)
    except (TypeError, ValueError):
        raise BadInput("t_span", t_span, "two numbers, start and end") from None
    if not math.isfinite(start) or math.isnan(end):
        raise BadInput("t_span", t_span, "two numbers, the first of them finite")
    return start, end


def initial(y0: ArrayLike) -> State:
    """The initial state, (n,), real or complex."""
    try:
        values = np.asarray(y0)
        values = values.astype(np.complex128 if np.iscomplexobj(values) else np.float64)
    except (TypeError, ValueError):
        raise BadInput("`y0`", y0, "numbers") from None
    if values.ndim != 1:
        raise BadInput("`y0`", y0, "1-dimensional")
    if not np.isfinite(values).all():
        raise BadInput("All components of the initial state `y0`", y0, "finite")
    return values


def output_times(t_eval: ArrayLike | None, start: float, end: float) -> Array | None:
    """The times at which states are wanted, in the direction of integration; None for every accepted step."""
    if t_eval is None:
        return None
    try:
        times = np.asarray(t_eval, dtype=float)
    except (TypeError, ValueError):
        raise BadInput("`t_eval`", t_eval, "numbers") from None
    if times.ndim != 1:
        raise BadInput("`t_eval`", t_eval, "1-dimensional")
    outside = ~((times >= min(start, end)) & (times <= max(start, end)))
    if outside.any():
        raise BadInput("Values in `t_eval`", float(times[outside][0]), f"within `t_span`, from {start:g} to {end:g}")
    steps = np.diff(times)
    if (end > start and (steps <= 0).any()) or (end < start and (steps >= 0).any()):
        raise BadInput("Values in `t_eval`", t_eval, "sorted from `t_span[0]` to `t_span[1]`, each once")
    return times


def further(args: Iterable[object] | None) -> tuple[object, ...]:
    """The extra arguments of the person's functions."""
    if args is None:
        return ()
    try:
        return (*args,)
    except TypeError:
        raise TypeError(f"Supplied 'args' cannot be unpacked: they must be a tuple, such as args=({args!r},)") from None


def control(
    method: Method, rtol: ArrayLike | None, atol: ArrayLike | None, bounds: Values, step: float | None, n: int
) -> Control:
    """The fixed step or the tolerances.

    Args:
        method: that is to keep them.
        rtol, atol: as given to `solve_ivp`; `atol` only where it is one number.
        bounds: `controller`, `first_step` and `max_step`, those that are given.
        step: the fixed step, or None.
        n: the number of components.
    """
    if step is not None:
        if not method.fixed_step:
            raise BadInput("step", step, f"left out: {method.key} chooses its step from rtol and atol")
        for name, value in {"rtol": rtol, "atol": atol, **bounds}.items():
            if value is not None:
                raise BadInput(name, value, "left out where a fixed step is given")
        return FixedStep(step)
    if not method.adaptive:
        raise BadInput("step", step, f"a number above 0: {method.key} has no error estimate to choose it by")
    relative = _tolerance("rtol", 1e-3 if rtol is None else rtol, n)
    if relative.min() < LEAST_RTOL:
        warnings.warn(f"At least one element of `rtol` is too small: {LEAST_RTOL:.2g} is used.", stacklevel=3)
    least = max(float(relative.min()), LEAST_RTOL)
    return Tolerance(least, float(_tolerance("atol", 1e-6 if atol is None else atol, n).max()), **bounds)


def units(atol: ArrayLike | None, n: int) -> Array | None:
    """Units of the components in which all have one absolute tolerance, (n,); None where they have it anyway."""
    if atol is None or np.ndim(atol) == 0:
        return None
    each = _tolerance("atol", atol, n)
    most = each.max()
    return None if (each == most).all() else np.maximum(each / most, LEAST_UNIT)


def _tolerance(name: str, value: ArrayLike, n: int) -> Array:
    """One number, or one for each component."""
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        values = np.array([math.nan])
    if values.ndim and values.shape != (n,):
        raise BadInput(f"`{name}`", value, f"a number or an array of {n}, one for each component of y0")
    if not (values >= 0.0).all():
        raise BadInput(f"`{name}`", value, "positive")
    return np.atleast_1d(values)


def bounds(first_step: float | None, max_step: float, controller: str | None, length: float) -> Data:
    """The bounds and the rule of the step that are given, by name."""
    found: Data = {} if controller is None else {"controller": controller}
    if first_step is not None:
        found["first_step"] = _positive("`first_step`", first_step)
        if first_step > length:
            raise BadInput("`first_step`", first_step, f"at most the span, {length:g}")
    if _positive("`max_step`", max_step) < math.inf:
        found["max_step"] = float(max_step)
    return found


def _positive(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not value > 0.0:
        raise BadInput(name, value, "positive")
    return float(value)


def settings(method: Method, options: Values) -> Data:
    """The method's own options; options of scipy that we do not use bring a warning."""
    unused = [key for key in options if key in WITHOUT_EFFECT]
    if unused:
        warnings.warn(f"{', '.join(unused)} has no effect with {method.key}.", stacklevel=3)
    own = {option.key for option in method.options}
    for key in options:
        if key not in own and key not in WITHOUT_EFFECT:
            known = sorted({*own, *KEYWORDS})
            raise BadInput("argument", key, "one of " + ", ".join(known), known)
    return {key: value for key, value in options.items() if key in own}


KEYWORDS = (
    *("method", "t_eval", "dense_output", "events", "args", "rtol", "atol", "jac", "first_step", "max_step"),
    *("step", "positions", "vectorized", "controller"),
)


def positions(count: int, n: int, method: Method, scaled: bool) -> int:
    """How many leading components are positions."""
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= 2 * count <= n:
        raise BadInput("positions", count, f"a whole number from 0 to {n // 2}")
    if count and scaled:
        raise BadInput("positions", count, "0 where atol is an array")
    if not count and "ode" not in method.problems and "second-order" in method.problems:
        raise BadInput("positions", count, f"above 0: {method.key} integrates positions and their rates")
    return count


def watched(events: Events, args: tuple[object, ...], own: Callable[[Array], State]) -> tuple[Event, ...]:
    """The events as `integrate` looks for them.

    Args:
        events: a function or several, with the attributes `terminal` and `direction`.
        args: their extra arguments.
        own: turns an integrated state into the person's.
    """
    return tuple(_event(n, event, args, own) for n, event in enumerate(listed(events)))


def listed(events: Events) -> list[Function]:
    """The events, one by one."""
    if events is None:
        return []
    found = [events] if callable(events) or not isinstance(events, Iterable) else list(events)
    for event in found:
        if not callable(event):
            raise BadInput("events", event, "a function or several")
    return found


def _event(n: int, event: Function, args: tuple[object, ...], own: Callable[[Array], State]) -> Event:
    terminal = getattr(event, "terminal", None) or 0
    if not isinstance(terminal, (bool, int, float, np.number, np.bool_)) or terminal < 0 or int(terminal) != terminal:
        raise BadInput("The `terminal` attribute of each event", terminal, "a boolean or positive integer")

    def value(t: float, y: Array) -> float:
        return float(np.asarray(event(t, own(y.copy()), *args)).item())

    return Event(str(n), value, int(terminal), float(getattr(event, "direction", 0)), at_start=True)
