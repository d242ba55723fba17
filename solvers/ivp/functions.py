"""A person's f(t, y) and df/dy as the kernels call them: by address, with the one signature.

A plain Python function is reached through a C callback. A numba function is compiled for that signature, and the
kernels call it without Python. Both see the state in their own units, and complex numbers if y0 is complex.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets.errors import BadInput, shortened
from solvers.problem import Array, OdeProblem

State = NDArray[np.inexact]
Function = Callable[..., Any]
MOST_COMPILED = 64


class Functions:
    """f and df/dy of one call of `solve_ivp`, and what they share with the compiled loops.

    Args:
        fun, jac, args: as given to `solve_ivp`.
        y0: the initial state (n,), real or complex.
        units: of the components of the integrated state (d,): it holds y / units. None is 1 for all.
        vectorized: whether `fun` expects a matrix with a column for each state.

    Attributes:
        rhs, jacobian: compiled for the kernels; the Jacobian is None where there is none.
        constant: whether the Jacobian was given as a matrix.
        params: what the kernels pass to both.

    Raises:
        BadInput: for a `jac` that is neither a function nor a matrix of the right shape.
    """

    def __init__(
        self,
        fun: Function,
        jac: Function | ArrayLike | None,
        args: tuple[object, ...],
        y0: State,
        units: Array | None,
        vectorized: bool,
    ) -> None:
        from solvers.kernels import callbacks

        self.complex, self.args, self.error = bool(np.iscomplexobj(y0)), args, None
        self.n, self.d = len(y0), len(y0) * (2 if self.complex else 1)
        self.units = None if units is None else np.repeat(units, 2) if self.complex else units
        self.memory = np.zeros(callbacks.memory_size(self.d))
        self.header, state = callbacks.HEADER, callbacks.STATE
        self._state = self.memory[state : state + self.d]
        self._slope = self.memory[state + self.d : state + 2 * self.d]
        self._matrix = self.memory[state + self.d :].reshape(self.d, self.d)
        self._kept: list[object] = []
        self.fun, self.jac = fun, jac if callable(jac) else None
        self.constant = jac is not None and self.jac is None
        self._layout: int | None = None
        head = np.zeros(callbacks.HEADER)
        head[callbacks.MEMORY] = self.memory.ctypes.data
        rhs = None if vectorized else self._compiled(fun, matrix=False)
        self.rhs: Function = rhs or callbacks.slope
        if rhs is None:
            head[callbacks.SLOPE] = self._callback(self._slope_by(fun, vectorized))
        self.jacobian: Function | None = None
        if self.jac is not None:
            jacobian = self._compiled(self.jac, matrix=True)
            self.jacobian = jacobian or callbacks.slopes
            if jacobian is None:
                head[callbacks.SLOPES] = self._callback(self._slopes_by(self.jac))
        elif self.constant:
            self.jacobian = callbacks.slopes
            self._matrix[:] = self._real(self._square(jac))
        own = [] if self.units is None else self.units
        self.params = np.concatenate([head, own, self._numbers(self._layout or 0)])

    # -- between the integrated state and the person's -----------------------------------------------------------------

    def problem(self, y0: State, start: float, end: float, positions: int) -> OdeProblem:
        """The initial value problem for the kernels."""
        names = tuple(f"y{j}" for j in range(self.d))
        units = ("",) * self.d
        initial = self.inside(y0)
        return OdeProblem(self.rhs, initial, start, end, self.params, names, units, positions, self.jacobian)

    def failed(self) -> bool:
        """Whether a call has failed: the integration can then stop."""
        return self.memory[0] != 0.0

    def inside(self, y: State) -> Array:
        """The person's state (n,) as the integrated one (d,)."""
        real = np.array(y, np.complex128 if self.complex else np.float64).view(np.float64)
        return real if self.units is None else real / self.units

    def outside(self, states: Array) -> State:
        """Integrated states (m, d) as the person's, (n, m)."""
        return self.own(np.ascontiguousarray(states)).T.copy()

    def raise_error(self) -> None:
        """Raise what the person's function raised, or say what was wrong with what it returned."""
        from solvers.kernels.callbacks import FAILED, MISSHAPEN, TIME

        reason, self.memory[FAILED] = float(self.memory[FAILED]), 0.0
        error, self.error = self.error, None
        if error is not None:
            raise error
        if not reason:
            return
        # A compiled function reports that it raised, but not what; calling it again raises it here.
        t, y = float(self.memory[TIME]), self.own(self._state.copy())
        if self.jac is not None:
            self._square(self.jac(t, y, *self.args))
        values = self.fun(t, y, *self.args)
        if reason == MISSHAPEN:
            raise self._misshapen(values)
        raise RuntimeError(f"the compiled function raised an exception at t = {t:g}")

    # -- plain Python functions ----------------------------------------------------------------------------------------

    def _callback(self, compute: Callable[[float], None]) -> int:
        """The address of a C function that calls `compute`, and keeps what that raises."""
        from solvers.kernels.callbacks import FAILED, RAISED

        memory = self.memory

        def call(t: float) -> None:
            try:
                compute(t)
            except BaseException as error:
                self.error, memory[FAILED] = error, RAISED

        kept = ctypes.CFUNCTYPE(None, ctypes.c_double)(call)
        self._kept.append(kept)
        return ctypes.cast(kept, ctypes.c_void_p).value or 0

    def _slope_by(self, fun: Function, vectorized: bool) -> Callable[[float], None]:
        state, slope, args, store = self._state, self._slope, self.args, self._store
        if not vectorized and not self.complex and self.units is None:
            return lambda t: store(fun(t, state.copy(), *args), slope)
        own = np.empty(self.n, np.complex128 if self.complex else np.float64)

        def compute(t: float) -> None:
            y = self.own(state.copy())
            store(np.ravel(fun(t, y[:, np.newaxis], *args)) if vectorized else fun(t, y, *args), own)
            slope[:] = self.inside(own)

        return compute

    def _store(self, values: ArrayLike | None, place: State) -> None:
        """Write what the person's f returned to `place`."""
        try:
            if values is None:
                raise TypeError
            place[:] = values
        except (TypeError, ValueError):
            raise self._misshapen(values) from None

    def _slopes_by(self, jac: Function) -> Callable[[float], None]:
        def compute(t: float) -> None:
            self._matrix[:] = self._real(self._square(jac(t, self.own(self._state.copy()), *self.args)))

        return compute

    def own(self, state: Array) -> State:
        """An integrated state (d,), or several (m, d), as the person's function sees them: (n,) or (m, n)."""
        own = state * self.units if self.units is not None else state
        return own.view(np.complex128) if self.complex else own

    def _square(self, values: Any) -> State:
        """A matrix (n, n) from what represents df/dy."""
        dense = values.toarray() if hasattr(values, "toarray") else values
        try:
            matrix = np.atleast_2d(np.asarray(dense, np.complex128 if self.complex else np.float64))
        except (TypeError, ValueError):
            matrix = np.empty(0)
        if matrix.shape != (self.n, self.n):
            raise BadInput("jac", shortened(dense), f"a matrix of {self.n} by {self.n} numbers, or a function of it")
        return matrix

    def _real(self, matrix: State) -> State:
        """df/dy (n, n) for the integrated state, (d, d)."""
        if self.complex:
            matrix = np.kron(matrix.real, np.eye(2)) + np.kron(matrix.imag, np.array([[0.0, -1.0], [1.0, 0.0]]))
        return matrix if self.units is None else matrix * self.units / self.units[:, np.newaxis]

    def _misshapen(self, values: object) -> BadInput:
        wanted = "1 number" if self.n == 1 else f"{self.n} numbers, one for each component of y0"
        return BadInput("what fun returns", values, wanted)

    # -- numba functions -----------------------------------------------------------------------------------------------

    def _compiled(self, function: Function, matrix: bool) -> Callable[..., None] | None:
        """The function for the kernels; None if it is not a numba function, or takes what cannot be compiled in."""
        if self.complex or not is_numba(function):
            return None
        from numba.core.errors import NumbaError

        scaled = self.units is not None
        most = self._all_numbers() if self._layout is None else self._layout
        for numbers in dict.fromkeys((most, 0) if self._layout is None else (most,)):
            try:
                made = _adapted(function, matrix, numbers, _Fixed(self.args[numbers:]), scaled)
            except (NumbaError, TypeError):
                continue
            self._layout = numbers
            return made
        return None

    def _all_numbers(self) -> int:
        """How many arguments are passed as floating-point numbers: all or, if one is not a number, none."""
        plain = all(isinstance(value, (int, float, np.integer, np.floating)) for value in self.args)
        return len(self.args) if plain else 0

    def _numbers(self, count: int) -> Array:
        return np.array(self.args[:count], dtype=np.float64)


class _Fixed:
    """Arguments that become part of compiled code, compared by type and content."""

    def __init__(self, values: tuple[object, ...]) -> None:
        self.values = values
        self.key = tuple(
            (value.shape, str(value.dtype), value.tobytes()) if isinstance(value, np.ndarray) else (type(value), value)
            for value in values
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Fixed) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=MOST_COMPILED)
def _adapted(function: Function, matrix: bool, numbers: int, fixed: _Fixed, scaled: bool) -> Callable[..., None]:
    """The function for the kernels; kept, since compiling it takes about a second."""
    from solvers.kernels.callbacks import adapted

    return adapted(function, matrix, numbers, fixed.values, scaled)


def is_numba(function: object) -> bool:
    """Whether it is a function that numba compiles; numba is not imported to find out."""
    return "numba" in sys.modules and type(function).__module__.startswith("numba.") and hasattr(function, "py_func")
