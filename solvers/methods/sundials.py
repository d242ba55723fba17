"""SUNDIALS' variable-order codes behind the same interface: CVODE (Adams, BDF) and IDA."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvers.control import Control, Tolerance
from solvers.dae_problem import DaeProblem
from solvers.dense import joined, joined_runge_kutta
from solvers.method import DIVERGED, LANDED, NEWTON_FAILED, RUNNING, STEP_TOO_SMALL, Method, Rows, Stepper, Tally
from solvers.options import Option, Value
from solvers.problem import Array, OdeProblem

# Where the family stands in lists.
PLACE = 80

# What the codes return when they give up: CV_ERR_FAILURE and CV_CONV_FAILURE, the same in IDA.
FAILURES = {-3: STEP_TOO_SMALL, -4: NEWTON_FAILED}


@dataclass(frozen=True, kw_only=True)
class Sundials(Method):
    """A code of SUNDIALS; `code` is `Adams`, `BDF` or `IDA`."""

    code: str

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control; the controller is the code's own."""
        assert isinstance(control, Tolerance)
        if self.code == "IDA":
            return IdaStepper(problem, control, options)
        return CvodeStepper(self.code, problem, control, options)

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """Runge-Kutta steps from the kept states, joined continuously: explicit for Adams, Radau IIA for stiff systems.

        A differential-algebraic solution is interpolated by cubics through four kept states.
        """
        if isinstance(problem, DaeProblem):
            return cubic(t, y, times)
        if self.code == "Adams":
            return joined_runge_kutta("rk8", problem, t, y, substeps, times)
        from solvers.methods.implicit_runge_kutta import methods as implicit

        return joined(next(method for method in implicit() if method.key == "radau5"), problem, t, y, substeps, times)

    @property
    def dense_order(self) -> int:
        """Of the dense output, at most."""
        return {"Adams": 8, "BDF": 5, "IDA": 3}[self.code]


def cubic(t: Array, y: Array, times: Array) -> Array:
    """The cubic through the four kept states around each time, (m, d); of fewer states what there are."""
    order = 1 if t[-1] >= t[0] else -1
    count = min(4, len(t))
    before = np.searchsorted(order * t, order * times, side="right") - 1
    first = np.clip(before - 1, 0, len(t) - count)
    out = np.zeros((len(times), y.shape[1]))
    for j in range(count):
        weight = np.ones(len(times))
        for m in range(count):
            if m != j:
                weight *= (times - t[first + m]) / (t[first + j] - t[first + m])
        out += weight[:, np.newaxis] * y[first + j]
    return out


class SundialsStepper(Stepper):
    """What the two codes share. They tell neither rejected attempts nor Newton iterations, so none are counted."""

    solver: Any
    rate: Array | None = None

    def __init__(self, problem: OdeProblem | DaeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        self.problem, self.control = problem, control
        self.settings: dict[str, Any] = {
            "rtol": control.rtol,
            "atol": control.atol,
            "max_order": int(options["max_order"]),
            "first_step": control.first_step or 0.0,
            "max_step": control.max_step or 0.0,
        }
        self.tally = Tally()
        self.before = Tally()

    @abstractmethod
    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """Make `self.solver` and initialise it at (t, y)."""

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        self.t, self.end = t, end
        self.before = Tally(self.tally.rhs_evaluations, self.tally.jacobian_evaluations)
        self.begin(t, np.array(y), ceiling)

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper; at most 32 steps, since each calls f through the interpreter."""
        code, done = RUNNING, 0
        while done < min(attempts, 32) and code == RUNNING:
            result = self.solver.step(self.end, method="onestep", tstop=self.end)
            self.tally.rhs_evaluations = self.before.rhs_evaluations + int(result.nfev)
            self.tally.jacobian_evaluations = self.before.jacobian_evaluations + int(result.njev)
            state = np.asarray(result.y, dtype=np.float64)
            good = result.status >= 0 and bool(np.all(np.abs(state) < 1e100)) and result.t != self.t
            rows.log[done] = self.t, float(result.t) - self.t if good else np.nan, np.nan, float(good)
            rows.work[done] = 0.0
            if not good:
                return done, done + 1, FAILURES.get(int(result.status), DIVERGED)
            self.t = float(result.t)
            self.rate = getattr(result, "yp", None)
            rows.t[done], rows.y[done] = self.t, state
            done += 1
            code = LANDED if self.t == self.end else RUNNING
        return done, done, code


class CvodeStepper(SundialsStepper):
    """CVODE on y' = f(t, y), with the exact Jacobian where there is one."""

    def __init__(self, code: str, problem: OdeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        super().__init__(problem, control, options)
        self.ode, self.settings["method"] = problem, code

    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """See SundialsStepper."""
        from sksundae.cvode import CVODE

        self.solver = CVODE(right_hand_side(self.ode, ceiling), **self.settings, **self.jacobian(ceiling))
        self.solver.init_step(t, y)

    def jacobian(self, ceiling: float) -> dict[str, Callable[..., None]]:
        """The setting for the Jacobian."""
        exact, params = self.ode.jacobian, self.ode.params
        if exact is None:
            return {}

        def jacfn(t: float, y: Array, yp: Array, matrix: Array) -> None:
            found = np.zeros((len(y), len(y)))
            exact(min(t, ceiling), np.array(y), params, found)
            matrix[:] = found

        return {"jacfn": jacfn}


def right_hand_side(problem: OdeProblem, ceiling: float) -> Callable[[float, Array, Array], None]:
    """f as SUNDIALS calls it."""
    rhs, params, slope = problem.rhs, problem.params, np.empty(problem.dimension)

    def rhsfn(t: float, y: Array, yp: Array) -> None:
        rhs(min(t, ceiling), np.array(y), params, slope)
        yp[:] = slope

    return rhsfn


class IdaStepper(SundialsStepper):
    """IDA on F(t, x, x') = 0, or on y' - f(t, y) = 0."""

    def __init__(self, problem: OdeProblem | DaeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        super().__init__(problem, control, options)
        self.kept: list[Array] = []
        if isinstance(problem, DaeProblem):
            self.kept.append(np.array(problem.rate))
            if loose := float(options["algebraic_atol"]):
                self.settings["atol"] = np.where(problem.algebraic, loose, control.atol)

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper; one step at a time for a DAE, so that x' of each is kept."""
        if not self.kept:
            return super().advance(attempts, rows)
        outcome = super().advance(1, rows)
        if outcome[0]:
            self.kept.append(np.array(self.rate))
        return outcome

    def rates(self) -> Array | None:
        """See Stepper."""
        return np.array(self.kept) if self.kept else None

    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """See SundialsStepper; after a break the derivative goes on from where it was."""
        from sksundae.ida import IDA

        problem = self.problem
        if isinstance(problem, DaeProblem):
            residual, jacobian = _dae_functions(problem)
            rate = np.array(problem.rate) if t == problem.t0 else np.array(self.rate)
            algebraic = np.flatnonzero(problem.algebraic)
            more: dict[str, Any] = {"jacfn": jacobian}
            if len(algebraic):
                more["algebraic_idx"] = algebraic
        else:
            slope, rate = right_hand_side(problem, ceiling), np.empty(problem.dimension)
            slope(t, y, rate)

            def residual(t: float, y: Array, yp: Array, res: Array) -> None:
                f = np.empty(len(y))
                slope(t, y, f)
                res[:] = yp - f

            more = {}
        self.solver = IDA(residual, **self.settings, **more)
        self.solver.init_step(t, y, rate)


def _dae_functions(problem: DaeProblem) -> tuple[Callable[..., None], Callable[..., None]]:
    """Residual and iteration matrix as IDA calls them."""
    system, params, n = problem.system, problem.params, problem.dimension
    value, matrix = np.empty(n), np.empty((n, n))

    def residual(t: float, y: Array, yp: Array, res: Array) -> None:
        system(t, np.array(y), np.array(yp), 0.0, params, value, matrix)
        res[:] = value

    def jacobian(t: float, y: Array, yp: Array, res: Array, cj: float, out: Array) -> None:
        system(t, np.array(y), np.array(yp), cj, params, value, matrix)
        out[:] = matrix

    return residual, jacobian


NOTES = (
    "It runs in SUNDIALS and calls f through Python, so its time is not that of a compiled loop.",
    "SUNDIALS tells neither its rejected attempts nor its error estimates, so the log has none.",
)


ALGEBRAIC = Option(
    "algebraic_atol",
    "atol of algebraic unknowns",
    0.0,
    minimum=0.0,
    maximum=1e12,
    help="Absolute tolerance of the unknowns whose derivative does not occur; 0: that of the others. Inverse dynamics"
    " of index 1 needs it loose, 100 or more: their errors say nothing about those of the others.",
)


def _order(highest: int) -> Option:
    return Option("max_order", "highest order", highest, minimum=1, maximum=highest, slider=(1, highest))


def methods() -> list[Sundials]:
    """cvode-adams, cvode-bdf, ida."""
    common: dict[str, Any] = {
        "family": "SUNDIALS",
        "implicit": True,
        "fixed_step": False,
        "adaptive": True,
        "notes": NOTES,
    }
    source = "A. C. Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005) 363-396"
    return [
        Sundials(
            key="cvode-adams",
            name="CVODE, Adams",
            order=12,
            code="Adams",
            options=(_order(12),),
            one_step=False,
            summary="Adams-Moulton methods of order 1 to 12 that choose step and order as they go, corrected by "
            "Newton's iteration. The heir of Adams codes such as DEABM, for problems without stiffness.",
            source=source,
            **common,
        ),
        Sundials(
            key="cvode-bdf",
            name="CVODE, BDF",
            order=5,
            code="BDF",
            options=(_order(5),),
            one_step=False,
            summary="Backward differentiation formulas of order 1 to 5 that choose step and order as they go. A "
            "standard code for stiff problems, here as an independent reference.",
            source=source,
            **common,
        ),
        Sundials(
            key="ida",
            name="IDA",
            order=5,
            code="IDA",
            options=(_order(5), ALGEBRAIC),
            one_step=False,
            problems=frozenset({"ode", "dae"}),
            summary="Backward differentiation formulas of order 1 to 5 for F(t, x, x') = 0, choosing step and order as "
            "it goes. The heir of DASSL, here as an independent reference.",
            source=source,
            **common,
        ),
    ]
