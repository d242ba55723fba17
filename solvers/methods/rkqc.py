"""The classical Runge-Kutta method with step doubling: paper 1's adaptive integrator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Value
from solvers.control import Control, FixedStep
from solvers.interpolation.dense import joined_runge_kutta
from solvers.method import Family, Method, Rows, Stepper, Tally, first_slope, made
from solvers.options import CUSTOMISED
from solvers.problem import Array, OdeProblem
from solvers.tableaux.stability import Stability, rational

OPTIONS = (
    Field(
        "as_listed",
        "exactly as listed in 1990",
        default=False,
        help="The listing's slips too: 1/15 to ten digits, a smallest step that is not enforced, and a first step "
        "taken anew in every call.",
    ),
    Field(
        "call_interval",
        "length of one call",
        default=0.0,
        unit="s",
        minimum=0.0,
        slider=(0.0, 1.0),
        help="The listing is called again and again, each time for this long; 0 is one call for the whole span, and "
        "as listed calls of 20 first steps.",
    ),
    Field(
        "hmin",
        "smallest step",
        default=0.0,
        unit="s",
        minimum=0.0,
        help="The run stops where it would need a shorter one.",
    ),
    Field(
        "maxstp", "steps in one call", default=10000, minimum=0, help="A limit that only the listing has; 0 is none."
    ),
    Field(
        "tiny",
        "smallest scale",
        default=1e-30,
        minimum=0.0,
        exclusive_minimum=True,
        help="Added to |y| + |h y'|, the error's scale.",
    ),
    Field("safety", "safety factor", default=0.9, minimum=0.0, maximum=1.0, exclusive_minimum=True),
    Field("grow", "exponent when growing", default=-0.2, minimum=-1.0, maximum=0.0),
    Field("shrink", "exponent when shrinking", default=-0.25, minimum=-1.0, maximum=-0.01),
    Field("errcon", "error below which the step grows fourfold", default=6e-4, minimum=0.0, maximum=1.0),
    CUSTOMISED,
)


@dataclass(frozen=True, kw_only=True)
class StepDoubling(Method):
    """Two half steps against a big one; the difference is both the error estimate and, by 1/15, the correction."""

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with step control (eps = rtol, h1 = first_step), or with a fixed step."""

        def make(problem: OdeProblem, control: Control) -> Stepper:
            return DoublingStepper(problem, control, options)

        return made(make, problem, control, options)

    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """Fifth-order Runge-Kutta steps from the kept states, joined continuously."""
        return joined_runge_kutta("rk5", problem, t, y, substeps, times)

    def principal_error_norm(self) -> float:
        """Of the two half steps corrected by the whole one, as one tableau."""
        from solvers.tableaux.principal_error import runge_kutta

        A, b = np.diag([0.5, 0.5, 1.0], -1), np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
        whole = np.zeros((12, 12))
        whole[:4, :4] = whole[4:8, 4:8] = A / 2
        whole[4:8, :4], whole[8:, 8:] = b / 2, A
        return runge_kutta(whole, np.concatenate([b * 8, b * 8, -b]) / 15, self.order)

    def stability(self) -> Stability:
        """R(z) = S^2 + (S^2 - R4(z)) / 15 with S = R4(z / 2)."""
        whole = np.array([1.0, 1.0, 1 / 2, 1 / 6, 1 / 24])
        half = whole * 0.5 ** np.arange(5)
        twice = np.convolve(half, half)
        return rational(twice * 16 / 15 - np.pad(whole, (0, 4)) / 15, np.ones(1))


class DoublingStepper(Stepper):
    """Eleven evaluations in an accepted step, ten in a rejected one."""

    def __init__(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> None:
        from solvers.kernels import step_doubling as kernels
        from solvers.kernels.calls import addresses

        if not isinstance(control, FixedStep) and control.rtol == 0.0:
            raise BadInput("rtol", 0.0, "above 0 with the method rkqc, which uses it as eps")
        self.kernels, self.kernel, self.addresses = kernels, kernels.run, addresses(problem)
        self.problem, self.control = problem, control
        self.settings = settings = np.zeros(13)
        settings[kernels.TINY], settings[kernels.SAFETY] = options["tiny"], options["safety"]
        settings[kernels.GROW], settings[kernels.SHRINK] = options["grow"], options["shrink"]
        settings[kernels.ERRCON], settings[kernels.HMIN] = options["errcon"], options["hmin"]
        settings[kernels.LISTED], settings[kernels.MAXSTP] = options["as_listed"], options["maxstp"]
        settings[kernels.LONGEST] = abs(problem.t1 - problem.t0)
        if isinstance(control, FixedStep):
            settings[kernels.FIXED], settings[kernels.EPS] = control.step, 1.0
        else:
            interval = float(options["call_interval"])
            if options["as_listed"] and interval == 0.0:
                # The listing's first step is a twentieth of a call.
                interval = 20.0 * (control.first_step or 0.0)
            settings[kernels.EPS], settings[kernels.INTERVAL] = control.rtol, interval
            settings[kernels.LONGEST] = min(settings[kernels.LONGEST], control.max_step or np.inf)
        d = problem.dimension
        self.state, self.done = np.zeros(7), np.zeros(3, dtype=np.int64)
        self.y, self.vectors = np.empty(d), tuple(np.empty(d) for _ in range(4))
        self.slopes, self.middle, self.k = np.empty((1, d)), np.empty((1, d)), np.empty((3, d))
        self.tally = Tally()

    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """See Stepper."""
        from solvers.first_step import first_step

        kernels, control = self.kernels, self.control
        self.t0, self.end, self.ceiling = t, end, ceiling
        self.y[:] = y
        self.state[:] = 0.0
        self.state[kernels.TIME] = t
        if isinstance(control, FixedStep):
            h = np.copysign(control.step, end - t)
        else:
            calls = 0
            if control.first_step is None:
                first_slope(self.problem, t, self.y, ceiling, self.slopes[0])
                calls = 1
            h, more = first_step(self.problem, control, t, self.y, self.slopes[0], end, ceiling, 5)
            self.tally.rhs_evaluations += calls + more
        self.state[kernels.STEP], self.settings[kernels.FIRST] = h, abs(h)

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        self.done[:] = 0
        code: int = self.kernel(  # pyright: ignore[reportCallIssue]
            *(*self.addresses, self.problem.params, self.t0, self.end, self.ceiling, self.settings, self.state, self.y),
            *(self.slopes, self.middle, self.k, *self.vectors, attempts, rows.t, rows.y, rows.log, self.done),
        )
        accepted, tried, calls = (int(number) for number in self.done)
        self.tally.rhs_evaluations += calls
        return accepted, tried, code


def methods() -> list[StepDoubling]:
    """rkqc."""
    return [
        StepDoubling(
            key="rkqc",
            name="Adaptive Runge-Kutta 4 with step doubling",
            family="Runge-Kutta",
            order=5,
            error_order=4,
            stages=11,
            adaptive=True,
            options=OPTIONS,
            summary="Makes every step twice, once whole and once in halves, and takes the difference for the error. "
            "The difference then also corrects the result, which raises the order from 4 to 5.",
            source="H. Jack, adaptive Runge-Kutta appendix (1990), after W. H. Press et al., Numerical Recipes (1986)",
            notes=(
                "Its tolerance eps is rtol, relative to |y| + |h y'|; atol and controller have no meaning for it.",
                "Where y is 0 the scale is all but zero: the step collapses and grows back fourfold a step.",
            ),
        )
    ]


FAMILY = Family(methods, place=10)
