"""Adams methods with a fixed step, as in paper 3: Adams-Bashforth of 2 to 5 steps, and predictor-corrector pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial

import numpy as np

from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.dense import joined_runge_kutta
from solvers.interpolation.location import KeptSteps
from solvers.method import Family, Method
from solvers.methods import explicit_runge_kutta
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.stability import ComplexArray, Stability, from_characteristic
from solvers.tableaux.tableau import load

# Row q: weights of the newest q + 1 slopes; the Adams-Bashforth method of order q + 1.
BASHFORTH = (
    (1.0,),
    (3 / 2, -1 / 2),
    (23 / 12, -16 / 12, 5 / 12),
    (55 / 24, -59 / 24, 37 / 24, -9 / 24),
    (1901 / 720, -2774 / 720, 2616 / 720, -1274 / 720, 251 / 720),
)
# Row q: weight of the predicted slope, then of the newest q + 1; the Adams-Moulton method of order q + 2.
MOULTON = ((1 / 2, 1 / 2), (5 / 12, 8 / 12, -1 / 12), (9 / 24, 19 / 24, -5 / 24, 1 / 24))

STARTUP = Field(
    "startup",
    "first steps",
    default="paper",
    choices=("paper", "rk4"),
    labels={"paper": "lower orders", "rk4": "Runge-Kutta 4"},
    help="paper: the first steps use the lower-order methods that have enough history, beginning with Euler's, which "
    "limits the largest error to second order; rk4: they use the classical Runge-Kutta method.",
)
SOURCE = (
    "F. Bashforth, J. C. Adams, An Attempt to Test the Theories of Capillary Action (1883); E. Hairer, S. P. Norsett, "
    "G. Wanner, Solving Ordinary Differential Equations I (1993), III.1"
)


@dataclass(frozen=True, kw_only=True)
class Adams(Method):
    """An explicit multi-step method, with or without a corrector.

    Attributes:
        steps: how many slopes it remembers.
        corrected: whether the Adams-Moulton corrector follows (predict, evaluate, correct, evaluate).
    """

    corrected: bool = False

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper with fixed step: one evaluation per step, two with a corrector.

        Each Runge-Kutta starting step takes three more.
        """
        from solvers.codegen.kernel_copy import copied_kernel
        from solvers.codegen.specialised import made
        from solvers.kernel_stepper import KernelStepper
        from solvers.kernels.multistep.adams import Formula, Scratch, run

        predictor = _table(BASHFORTH[: self.steps])
        corrector = _table(MOULTON) if self.corrected else np.empty((0, 0))
        formula = Formula(self.steps, predictor, corrector, int(options["startup"] == "rk4"))

        def make(problem: OdeProblem, control: Control) -> KernelStepper:
            d = problem.dimension
            scratch = Scratch(np.zeros((self.steps, d)), np.empty((3, d)), np.empty(d))
            return KernelStepper(run, problem, control, formula, scratch, uniform=True)

        return made(make, copied_kernel, problem, control, options)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Runge-Kutta steps of at least its order from the kept states, joined continuously."""
        return joined_runge_kutta("rk5" if self.order == 5 else "rk4", problem, kept, times)

    def principal_error_norm(self) -> float | None:
        """From the error constant of the last formula applied: its error in the integral of t^p / p!."""
        from solvers.tableaux.principal_error import multistep

        weights, newest = (MOULTON[-1], 1) if self.corrected else (BASHFORTH[self.steps - 1], 0)
        found = sum(weight * (newest - j) ** self.order for j, weight in enumerate(weights))
        return multistep((1 / (self.order + 1) - found) / factorial(self.order), self.order)

    @cached_property
    def stability(self) -> Stability:
        """The largest root of its characteristic polynomial."""
        bashforth = np.array(BASHFORTH[self.steps - 1])
        moulton = np.array(MOULTON[-1]) if self.corrected else None

        def polynomial(z: ComplexArray) -> ComplexArray:
            z = z[..., np.newaxis]
            first, rest = np.eye(1, self.steps + 1)[0], np.eye(1, self.steps + 1, 1)[0]
            predicted = rest + z * np.append(0.0, bashforth)
            if moulton is None:
                return first - predicted
            return first - rest - z * (moulton[0] * predicted + np.concatenate([[0.0], moulton[1:], [0.0]]))

        return from_characteristic(polynomial)


def _table(rows: tuple[tuple[float, ...], ...]) -> Array:
    table = np.zeros((len(rows), len(rows[-1])))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def methods() -> list[Method]:
    """pc-trapezoid, ab2 to ab5, am4."""
    common = {"family": "Adams", "source": SOURCE, "options": (STARTUP, SPECIALISED), "one_step": False}
    started = "Its first steps have a lower order (option first steps), so its largest error does too."
    bashforth = [
        Adams(
            key=f"ab{k}",
            name=f"Adams-Bashforth {k}",
            order=k,
            stages=1,
            steps=k,
            summary=f"Explicit {k}-step method of order {k}: one evaluation of f per step, whatever the order. It "
            "reuses past slopes, so the step cannot change during a run.",
            notes=(started,),
            **common,
        )
        for k in range(2, 6)
    ]
    moulton = Adams(
        key="am4",
        name="Adams-Bashforth-Moulton 4 (PECE)",
        order=4,
        stages=2,
        steps=4,
        corrected=True,
        summary="Predicts with Adams-Bashforth 4, evaluates, corrects once with Adams-Moulton 4, evaluates again. "
        "Two evaluations of f per step give a stability region four times as long as the predictor's.",
        notes=(started,),
        **common,
    )
    return [_predictor_corrector(), *bashforth, moulton]


def _predictor_corrector() -> Method:
    """Euler's step, corrected once with the trapezoidal rule: as a formula, Heun's method."""
    heun = explicit_runge_kutta.method(load("rk2"))
    return replace(
        heun,
        key="pc-trapezoid",
        aliases=(),
        name="Predictor-corrector (Euler, trapezoidal)",
        family="Adams",
        paper_label=None,
        summary="Predicts with Euler's method, evaluates at the step's end, corrects once with the trapezoidal "
        "rule. This is Heun's method, of order 2.",
        notes=(
            "Sariyildiz and Temeltas (2011) call it P-C. It is as poor as Euler's method only if the corrector samples "
            "the path at t_k.",
        ),
    )


FAMILY = Family(methods, place=30)
