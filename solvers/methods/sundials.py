"""SUNDIALS' variable-order codes with the same interface: CVODE (Adams, BDF) and IDA."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from assets.fields import Field, Value
from solvers.codes import BOUND, DIVERGED, LANDED, NEWTON_FAILED, RUNNING, STEP_TOO_SMALL
from solvers.control import Control, Tolerance
from solvers.dae_problem import DaeProblem
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps, last_before, through_states
from solvers.method import Family, Method
from solvers.problem import Array, OdeProblem
from solvers.quiet import quiet
from solvers.stepper import Rows, Slice, Stepper, Tally

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

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Runge-Kutta steps from the kept states, joined continuously: explicit for Adams, Radau IIA for stiff systems.

        A differential-algebraic solution is interpolated by cubics through four kept states.
        """
        if isinstance(problem, DaeProblem):
            return cubic(kept.t, kept.y, times)
        return joined_runge_kutta("rk8" if self.code == "Adams" else "radau5", problem, kept, times)

    @property
    def dense_order(self) -> int:
        """Of the dense output, at most."""
        return {"Adams": 8, "BDF": 5, "IDA": 3}[self.code]


def cubic(t: Array, y: Array, times: Array) -> Array:
    """The cubic through the four kept states around each time, (m, d), or through fewer if there are no more."""
    count = min(4, len(t))
    first = np.clip(last_before(t, times) - 1, 0, len(t) - count)
    return through_states(t, y, first, count, times)


class CallLog:
    """The calls that SUNDIALS makes for one step: scikit-sundae reports no attempts, but f is called at its end.

    Attributes:
        residuals, jacobians: how many so far, of f or F and of the Jacobian.
        trials: per time, in order, (t, calls of f, calls of the Jacobian).
    """

    def __init__(self) -> None:
        self.residuals = self.jacobians = 0
        self.trials: list[list[float]] = []

    def note(self, t: float, what: int) -> None:
        """A call at `t`: of f or F (1), or of the Jacobian (2)."""
        self.residuals += what == 1
        self.jacobians += what == 2
        if not self.trials or self.trials[-1][0] != t:
            self.trials.append([t, 0, 0])
        self.trials[-1][what] += 1

    def attempts(self, start: float, first: bool) -> list[list[float]]:
        """The trials that were attempts at a step from `start`; before the `first` one, f is called to find its length.

        An attempt with a new matrix, such as the first one, calls the Jacobian or, for its differences, f again.
        """
        found = [trial for trial in self.trials if trial[0] != start]
        while first and found and found[0][1] <= 1 and not found[0][2]:
            found.pop(0)
        return found


class SundialsStepper(Stepper):
    """What the two codes share."""

    solver: Any
    # Whether every matrix that the code factorises is a new one.
    fresh: bool

    def __init__(self, problem: OdeProblem | DaeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        self.problem, self.control = problem, control
        self.settings: dict[str, object] = {
            "rtol": control.rtol,
            "atol": control.atol,
            "max_order": int(options["max_order"]),
            "max_step": control.max_step or 0.0,
        }
        self.calls, self.counted = CallLog(), Tally()

    @property
    def tally(self) -> Tally:
        """See Stepper."""
        return self.counted

    @abstractmethod
    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """Make `self.solver` and initialise it at (t, y)."""

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        self.t, self.y, self.end, self.first = t, np.array(y), end, True
        # Backwards, scikit-sundae takes none.
        self.settings["first_step"] = (self.control.first_step or 0.0) if end > t else 0.0
        # SUNDIALS' own counts, without the calls of f for differences.
        self.reported = 0, 0
        self.begin(t, np.array(y), ceiling)

    def advance(self, attempts: int, rows: Rows) -> Slice:
        """See Stepper; at most 32 steps, since each calls f through the interpreter."""
        code, done, tried = RUNNING, 0, 0
        begin, scratch = getattr(self.problem, "begin_step", None), np.empty(self.problem.dimension)
        while done < 32 and tried < attempts and code == RUNNING:
            self.calls.trials.clear()
            if begin:
                begin(self.t, self.y, self.problem.params, scratch)
            # A failure is a status; scikit-sundae would also print it.
            with quiet():
                result = self.solver.step(self.end, method="onestep", tstop=self.end)
            state = np.asarray(result.y, dtype=np.float64)
            good = result.status >= 0 and bool(np.all(np.abs(state) < BOUND)) and result.t != self.t
            tried += self._log(result, good, tried, attempts, rows)
            if not good:
                return Slice(done, tried, FAILURES.get(int(result.status), DIVERGED))
            self.t, self.first = float(result.t), False
            self.keep(result)
            rows.t[done], rows.y[done], self.y = self.t, state, state
            done += 1
            code = LANDED if self.t == self.end else RUNNING
        return Slice(done, tried, code)

    def keep(self, result: Any) -> None:
        """Take what else is wanted from an accepted step."""

    def _log(self, result: Any, good: bool, row: int, room: int, rows: Rows) -> int:
        """Log the attempts at one step and count its work; returns how many rows that took."""
        calls, tally = self.calls, self.tally
        reported = int(result.nfev), int(result.njev)
        solved, jacobians = reported[0] - self.reported[0], reported[1] - self.reported[1]
        self.reported = reported
        trials = calls.attempts(self.t, self.first)
        others = sum(int(trial[1]) for trial in calls.trials) - sum(int(trial[1]) for trial in trials)
        tally.rhs_evaluations = calls.residuals
        tally.jacobian_evaluations += jacobians
        tally.newton_iterations += solved - others
        tally.factorisations += jacobians if self.fresh else np.nan
        if not trials or (good and trials[-1][0] != result.t):
            trials.append([result.t if good else np.nan, np.nan, np.nan])
        # Where there is no exact Jacobian, one attempt's calls for differences cannot be distinguished from another's.
        mixed = jacobians > 0 and calls.jacobians == 0
        trials = trials[-(room - row) :]
        for n, (t, residuals, matrices) in enumerate(trials, start=row):
            last = n == row + len(trials) - 1
            alone = len(trials) == 1
            rows.log[n] = self.t, t - self.t, np.nan, float(good and last)
            iterations = (solved - others if alone else np.nan) if mixed else residuals
            factors = (jacobians if alone else np.nan) if mixed else matrices
            rows.work[n] = iterations, factors if self.fresh else np.nan, 0.0
        return len(trials)


class CvodeStepper(SundialsStepper):
    """CVODE on y' = f(t, y), with the exact Jacobian where there is one.

    It also factorises with a Jacobian that it has kept, which cannot be observed.
    """

    fresh = False

    def __init__(self, code: str, problem: OdeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        super().__init__(problem, control, options)
        self.ode, self.settings["method"] = problem, code

    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """See SundialsStepper."""
        from sksundae.cvode import CVODE

        derivative = _derivative(self.ode, ceiling, self.calls)

        def jacobian(t: float, y: Array, yp: Array, out: Array) -> None:
            out[:] = derivative(t, y)

        more = {"jacfn": jacobian} if self.ode.jacobian else {}
        self.solver = CVODE(right_hand_side(self.ode, ceiling, self.calls), **self.settings, **more)
        self.solver.init_step(t, y)


def right_hand_side(problem: OdeProblem, ceiling: float, calls: CallLog) -> Callable[[float, Array, Array], None]:
    """f as SUNDIALS calls it."""
    rhs, params, slope = problem.rhs, problem.params, np.empty(problem.dimension)

    def rhsfn(t: float, y: Array, yp: Array) -> None:
        calls.note(t, 1)
        rhs(min(t, ceiling), np.array(y), params, slope)
        yp[:] = slope

    return rhsfn


def _derivative(problem: OdeProblem, ceiling: float, calls: CallLog) -> Callable[[float, Array], Array]:
    """df/dy at (t, y), in the same memory each time; only for a problem that has it."""
    matrix = np.zeros((problem.dimension, problem.dimension))

    def derivative(t: float, y: Array) -> Array:
        assert problem.jacobian is not None
        calls.note(t, 2)
        problem.jacobian(min(t, ceiling), np.array(y), problem.params, matrix)
        return matrix

    return derivative


class IdaStepper(SundialsStepper):
    """IDA on F(t, x, x') = 0, or on y' - f(t, y) = 0; it evaluates the Jacobian again for every factorisation."""

    fresh = True

    def __init__(self, problem: OdeProblem | DaeProblem, control: Tolerance, options: Mapping[str, Value]) -> None:
        super().__init__(problem, control, options)
        self.kept: list[Array] = []
        if isinstance(problem, DaeProblem):
            self.kept.append(np.array(problem.rate))
            if loose := float(options["algebraic_atol"]):
                self.settings["atol"] = np.where(problem.algebraic, loose, control.atol)

    def keep(self, result: Any) -> None:
        """See SundialsStepper; x' of every step of a DAE."""
        if self.kept:
            self.kept.append(np.array(result.yp))

    def rates(self) -> Array | None:
        """See Stepper."""
        return np.array(self.kept) if self.kept else None

    def begin(self, t: float, y: Array, ceiling: float) -> None:
        """See SundialsStepper; after a break the derivative continues from its last value."""
        from sksundae.ida import IDA

        problem = self.problem
        more: dict[str, object] = {}
        if isinstance(problem, DaeProblem):
            residual, more["jacfn"] = _dae_functions(problem, self.calls)
            rate = np.array(problem.rate) if t == problem.t0 else self.kept[-1]
            if len(algebraic := np.flatnonzero(problem.algebraic)):
                more["algebraic_idx"] = algebraic
        else:
            residual, jacobian = _ode_functions(problem, ceiling, self.calls)
            if problem.jacobian:
                more["jacfn"] = jacobian
            rate, nothing = np.empty(problem.dimension), np.zeros(problem.dimension)
            residual(t, y, nothing, rate)
            rate *= -1.0
        self.solver = IDA(residual, **self.settings, **more)
        self.solver.init_step(t, y, rate)


def _ode_functions(
    problem: OdeProblem, ceiling: float, calls: CallLog
) -> tuple[Callable[..., None], Callable[..., None]]:
    """y' - f(t, y) and, where f has a Jacobian, the iteration matrix, as IDA calls them."""
    slope, f = right_hand_side(problem, ceiling, calls), np.empty(problem.dimension)
    derivative = _derivative(problem, ceiling, calls)

    def residual(t: float, y: Array, yp: Array, res: Array) -> None:
        slope(t, y, f)
        res[:] = yp - f

    def jacobian(t: float, y: Array, yp: Array, res: Array, cj: float, out: Array) -> None:
        out[:] = cj * np.eye(len(y)) - derivative(t, y)

    return residual, jacobian


def _dae_functions(problem: DaeProblem, calls: CallLog) -> tuple[Callable[..., None], Callable[..., None]]:
    """Residual and iteration matrix as IDA calls them."""
    system, params, n = problem.system, problem.params, problem.dimension
    value, matrix = np.empty(n), np.empty((n, n))

    def residual(t: float, y: Array, yp: Array, res: Array) -> None:
        calls.note(t, 1)
        system(t, np.array(y), np.array(yp), 0.0, params, value, matrix)
        res[:] = value

    def jacobian(t: float, y: Array, yp: Array, res: Array, cj: float, out: Array) -> None:
        calls.note(t, 2)
        system(t, np.array(y), np.array(yp), cj, params, value, matrix)
        out[:] = matrix

    return residual, jacobian


NOTES = (
    "It runs in SUNDIALS and calls f through Python, so its time is not that of a compiled loop.",
    "scikit-sundae does not report SUNDIALS' counters. Attempts and iterations are inferred from the calls of f; "
    "error estimates and CVODE's factorisations stay unknown, and the log leaves them blank.",
)


ALGEBRAIC = Field(
    "algebraic_atol",
    "atol of algebraic unknowns",
    default=0.0,
    minimum=0.0,
    maximum=1e12,
    help="Absolute tolerance of the unknowns whose derivatives do not occur; 0 uses atol. Index-1 inverse dynamics "
    "needs it loose, 100 or more: their errors say nothing about the other unknowns.",
)


def _order(highest: int) -> Field:
    return Field("max_order", "highest order", default=highest, minimum=1, maximum=highest, slider=(1, highest))


def methods() -> list[Sundials]:
    """cvode-adams, cvode-bdf, ida."""
    made = partial(
        Sundials,
        family="SUNDIALS",
        source="A. C. Hindmarsh et al., SUNDIALS, ACM Trans. Math. Software 31 (2005) 363-396",
        implicit=True,
        fixed_step=False,
        adaptive=True,
        one_step=False,
        notes=NOTES,
    )
    return [
        made(
            key="cvode-adams",
            controllable=False,
            name="CVODE, Adams",
            order=12,
            code="Adams",
            options=(_order(12),),
            summary="Adams-Moulton methods of order 1 to 12 with variable step and order, corrected by Newton's "
            "iteration. The successor of Adams codes such as DEABM, for non-stiff problems.",
        ),
        made(
            key="cvode-bdf",
            controllable=False,
            name="CVODE, BDF",
            order=5,
            code="BDF",
            options=(_order(5),),
            summary="Backward differentiation formulas of order 1 to 5 with variable step and order. A standard "
            "code for stiff problems, here an independent reference.",
        ),
        made(
            key="ida",
            controllable=False,
            name="IDA",
            order=5,
            code="IDA",
            options=(_order(5), ALGEBRAIC),
            problems=frozenset({"ode", "dae"}),
            summary="Backward differentiation formulas of order 1 to 5 for F(t, x, x') = 0, with variable step and "
            "order. The successor of DASSL, here an independent reference.",
        ),
    ]


FAMILY = Family(methods, place=80)
