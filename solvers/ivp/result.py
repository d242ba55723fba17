"""What `solve_ivp` returns: the fields that scipy's result has, by name and by key, and the solution as a function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assets.errors import BadInput
from solvers.ivp.functions import State
from solvers.problem import Array


class OdeResult(dict[str, Any]):
    """The result of `solve_ivp`; its fields are attributes and keys.

    Attributes:
        t, y: the times (k,) and the states there, (n, k).
        sol: the solution as a function of time, a `DenseSolution`; None unless asked for.
        t_events, y_events: for each event the times (m,) and states (m, n) at which it happened; None without events.
        nfev, njev, nlu: calls of `fun`, Jacobians found, and matrices factorised.
        status: 0 if the end was reached, 1 if a terminal event happened, -1 if the integration failed.
        message: how it ended, a sentence.
        success: whether status is 0 or 1.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        ended = {0: "finished", 1: "ended by an event", -1: "failed"}[self["status"]]
        times = np.asarray(self["t"])
        span = f", t = {times[0]:.6g} to {times[-1]:.6g}" if times.size else ""
        return f"<OdeResult {ended}{span}, {times.size} points, {self['nfev']} evaluations>"


class DenseSolution:
    """The solution at any time; beyond its ends, a step of the method from there.

    Attributes:
        ts: the times of the accepted steps, (k,).
        t_min, t_max: the ends of the integrated span.
    """

    def __init__(self, ts: Array, starts: Sequence[float], samples: Sequence[Callable[[Array], State]]) -> None:
        self.ts, self.t_min, self.t_max = ts, float(min(ts[0], ts[-1])), float(max(ts[0], ts[-1]))
        self._starts, self._samples = np.asarray(starts, dtype=float), list(samples)
        self._sign = 1.0 if ts[-1] >= ts[0] else -1.0

    def __call__(self, t: ArrayLike) -> State:
        """The state (n,) at a time, or the states (n, k) at times (k,)."""
        times = np.asarray(t, dtype=float)
        if times.ndim > 1:
            raise BadInput("`t`", f"an array with {times.ndim} dimensions", "a number or a 1-dimensional array")
        states = self.at(np.atleast_1d(times))
        return states if times.ndim else states[:, 0]

    def at(self, times: Array) -> State:
        """The states (n, k) at times (k,)."""
        if len(self._samples) == 1:
            return self._samples[0](np.ascontiguousarray(times))
        part = np.searchsorted(self._sign * self._starts, self._sign * times, side="right") - 1
        part = np.clip(part, 0, len(self._samples) - 1)
        found = [(np.flatnonzero(part == k), sample) for k, sample in enumerate(self._samples)]
        pieces = [(rows, sample(np.ascontiguousarray(times[rows]))) for rows, sample in found if len(rows)]
        if not pieces:
            return self._samples[0](times)
        states = np.empty((pieces[0][1].shape[0], len(times)), pieces[0][1].dtype)
        for rows, values in pieces:
            states[:, rows] = values
        return states
