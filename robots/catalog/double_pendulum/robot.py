"""The stiff double pendulum of paper 4, in its two angles or as two bodies held together by constraints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np

from assets.errors import BadInput
from assets.fields import Field, Values
from robots.catalog.double_pendulum import look as pendulum_look
from robots.catalog.double_pendulum.equations import (
    pendulum,
    pendulum_inertia,
    pendulum_inertia_rate,
    pendulum_posture_inertia,
    pendulum_weights,
)
from robots.dynamics.momenta import momenta_of
from robots.dynamics.multibody.forms import FORMS, kinds_of
from robots.model.quantities import amount, angle, choice, gravity, positive, rate
from robots.model.robot import Array, Equations, Problem, Robot, Series, energy_series
from solvers.control import Control, Tolerance

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.codegen.closed_form import ClosedForm
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

_NAMES = ("q1", "q2", "v1", "v2")
_UNITS = ("rad", "rad", "rad/s", "rad/s")


class DoublePendulum(Robot):
    """Two slender rods in the vertical x-z plane; both angles from the horizontal +x towards +z, never wrapped."""

    key = "double-pendulum"
    title = "Stiff double pendulum"
    summary = (
        "Two rods joined by rotational springs. With the paper's numbers the lower one is so stiff and so damped that "
        "an explicit method must take steps of 0.00003 s, although nothing visible moves fast."
    )
    source = "A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.1"
    parameters: ClassVar[tuple[Field, ...]] = (
        positive("m1", "mass 1", "kg", 3.0, 1e4, (0.1, 10.0), "Mass of the upper rod.", log=True),
        positive("m2", "mass 2", "kg", 0.3, 1e4, (0.1, 10.0), "Mass of the lower rod.", log=True),
        positive("L1", "half-length 1", "m", 1.0, 1e3, (0.2, 3.0), "Half the upper rod."),
        positive("L2", "half-length 2", "m", 1.5, 1e3, (0.2, 3.0), "Half the lower rod."),
        amount("k1", "spring 1", "N m/rad", 400.0, 1e9, (0.0, 1e4), "Between the ground and rod 1."),
        amount("k2", "spring 2", "N m/rad", 3e5, 1e9, (0.0, 1e6), "Between the two rods."),
        amount("C1", "damper 1", "N m s/rad", 15.0, 1e9, (0.0, 100.0), "Between the ground and rod 1."),
        amount("C2", "damper 2", "N m s/rad", 5e4, 1e9, (0.0, 1e5), "Between the two rods."),
        angle("rest1", "rest angle 1", 1.5 * math.pi, "Angle of rod 1 at which spring 1 is relaxed.", turns=2),
        angle("rest2", "rest angle 2", 0.0, "Angle from rod 1 to rod 2 at which spring 2 is relaxed.", turns=2),
        gravity(),
    )
    task: ClassVar[tuple[Field, ...]] = (
        choice(
            "form",
            "equations",
            {"minimal": "two angles", "cartesian": "two bodies"},
            "Two angles, or two bodies with 14 coordinates and 12 constraints, reduced to two independent "
            "coordinates as in the paper.",
        ),
        choice(
            "constraints",
            "constraints",
            FORMS,
            "How the two bodies stay joined. Partitioned: two coordinates are integrated, and the others follow from "
            "the constraints. Index 1: the constraints are differentiated twice, so their error grows. Projected: "
            "after each step, back to the constraints. Baumgarte: index 1 with a spring and a damper on the error. "
            "Index 2 and 3: the constraints of velocity, or of position, are equations. Stabilised: both are.",
            when=("form", ("cartesian",)),
        ),
        *(
            amount(key, label, "1/s", 5.0, 1e6, (0.0, 100.0), text, when=("constraints", ("baumgarte",)))
            for key, label, text in (
                (
                    "alpha",
                    "gain alpha",
                    "Of the damper in Phi'' + 2 alpha Phi' + beta^2 Phi = 0.",
                ),
                ("beta", "gain beta", "Of the spring there; alpha = beta is critical damping."),
            )
        ),
    )
    initial: ClassVar[tuple[Field, ...]] = (
        angle("q1", "angle 1", 2.0 * math.pi, "Of rod 1 from the horizontal.", turns=2),
        angle("q2", "angle 2", 23.0 / 12.0 * math.pi, "Of rod 2 from the horizontal.", turns=2),
        rate("v1", "rate 1", 0.0, 20.0, "Rate of angle 1."),
        rate("v2", "rate 2", 10.0, 20.0, "Rate of angle 2."),
    )
    numerical: ClassVar[tuple[str, ...]] = ("form", "constraints", "alpha", "beta")
    suited: ClassVar[tuple[str, ...]] = ("rosenbrock-nystrom", "bdf2", "ida")
    plots: ClassVar[tuple[str, ...]] = ("error", "joints", "energy", "step-size", "eigenvalues")
    defaults: ClassVar[Values] = {
        "method": "rosenbrock-nystrom",
        "rtol": 1e-5,
        "atol": 1e-5,
        "duration": 2.0,
    }
    reference_methods = (("dop853", Tolerance(1e-13, 1e-13)), ("v98", Tolerance(1e-13, 1e-13)))

    # -- equations -----------------------------------------------------------------------------------------------------

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Ordinary or differential-algebraic equations, as the treatment of the constraints says."""
        if scenario.task["form"] == "minimal":
            return super().kinds(scenario, pulled) | {"canonical"}
        return kinds_of(self.treatment(scenario))

    def takes(self, scenario: Setup, method: Method, pulled: bool = False) -> bool:
        """A projection between the steps is not for methods that remember earlier ones."""
        able = method.one_step or self.treatment(scenario) != "projected"
        return able and super().takes(scenario, method, pulled)

    def treatment(self, scenario: Setup) -> str:
        """How the constraints are treated, a key of `FORMS`; without constraints, as with partitioned coordinates."""
        return str(scenario.task["constraints"]) if scenario.task["form"] == "cartesian" else "partitioned"

    def problem(self, scenario: Setup, pull: Pull | None = None) -> Problem:
        """The two equations in the angles, or two bodies and their joints."""
        if scenario.task["form"] == "minimal":
            return self.minimal(scenario)
        from robots.catalog.double_pendulum import bodies as pendulum_bodies
        from robots.dynamics.multibody.constrained import ConstrainedProblem
        from robots.dynamics.multibody.reduction import MultibodyProblem

        start = np.array([scenario.initial[name] for name in _NAMES], dtype=float)
        state = pendulum_bodies.state(scenario.parameters, start)
        given = pendulum_bodies.system(scenario.parameters), state, 0.0, scenario.duration
        if (treatment := self.treatment(scenario)) == "partitioned":
            return MultibodyProblem(*given)
        gains = float(scenario.task["alpha"]), float(scenario.task["beta"])
        return ConstrainedProblem(*given, form=treatment, gains=gains)

    def equations(self, scenario: Setup) -> tuple[Equations, Values] | None:
        """The equations in the two angles; None for the form with constraints."""
        return (pendulum, scenario.parameters) if scenario.task["form"] == "minimal" else None

    def integrate(
        self, problem: Problem, method: Method, control: Control, **settings: Unpack[Integration]
    ) -> Solution:
        """Two bodies as their constraints are treated; a partition may change on the way."""
        from robots.dynamics.multibody.constrained import ConstrainedProblem, integrate_constrained
        from robots.dynamics.multibody.reduction import MultibodyProblem, integrate_multibody

        if isinstance(problem, ConstrainedProblem):
            return integrate_constrained(problem, method, control, **settings)
        if isinstance(problem, MultibodyProblem):
            return integrate_multibody(problem, method, control, **settings)
        return super().integrate(problem, method, control, **settings)

    def reference_problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """The same motion in the two angles, whatever the form."""
        return self.minimal(scenario)

    def minimal(self, scenario: Setup) -> OdeProblem:
        """The equations of motion in (q1, q2, v1, v2)."""
        form = _form()
        problem = form.problem(form.pack(scenario.parameters), scenario.initial, scenario.duration, _NAMES, _UNITS)
        inertia = pendulum_posture_inertia, pendulum_inertia_rate
        return replace(problem, in_momenta=partial(momenta_of, pendulum, *inertia, scenario.parameters))

    # -- outputs -------------------------------------------------------------------------------------------------------

    def angles(self, scenario: Setup, y: Array) -> Array:
        """(q1, q2, v1, v2) of every state, (n, 4); of both forms."""
        if y.shape[1] == len(_NAMES):
            return y
        from robots.catalog.double_pendulum.bodies import angles

        return angles(y)

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """How far the joints come apart, in the form with constraints."""
        if y.shape[1] == len(_NAMES):
            return {}
        from robots.catalog.double_pendulum import bodies as pendulum_bodies
        from robots.dynamics.multibody.reduction import constraint_errors

        return constraint_errors(pendulum_bodies.system(scenario.parameters), y)

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Angles and rates."""
        return dict(zip(_NAMES, self.angles(scenario, y).T, strict=True))

    def energies(self, scenario: Setup, y: Array) -> tuple[Array, Array]:
        """Kinetic energy, and that of gravity and springs, both (n,) [J]."""
        p = SimpleNamespace(**scenario.parameters)
        q1, q2, v1, v2 = self.angles(scenario, y).T
        M11, M12, M22 = pendulum_inertia(q1 - q2, p)
        G1, G2 = pendulum_weights(p)
        kinetic = 0.5 * M11 * v1**2 + 0.5 * M22 * v2**2 + M12 * v1 * v2
        springs = 0.5 * p.k1 * (q1 - p.rest1) ** 2 + 0.5 * p.k2 * (q2 - q1 - p.rest2) ** 2
        return kinetic, G1 * np.sin(q1) + G2 * np.sin(q2) + springs

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The total energy, unless there is a damper."""
        if scenario.parameters["C1"] or scenario.parameters["C2"]:
            return {}
        return {"energy_J": np.add(*self.energies(scenario, y))}

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """The energies, and the angle between the rods."""
        states = self.angles(scenario, y)
        return {
            "energy": energy_series(*self.energies(scenario, y)),
            "bend": Series("angle between the rods", "rad", states[:, 1] - states[:, 0]),
        }

    def check(self, scenario: Setup) -> None:
        """The form of the equations cannot change during a run: their states differ."""
        for k, segment in enumerate(scenario.segments):
            if "task.form" in segment.changes:
                raise BadInput(f"segments[{k}].changes", "task.form", "left out: the form cannot change during a run")

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """Two rods, their hubs, and the spiral springs as curves."""
        return pendulum_look.shape(*pendulum_look.lengths(scenario.parameters))

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the rods at their upper ends, x along the rod."""
        q1, q2, _, _ = self.angles(scenario, y).T
        return pendulum_look.frames(*pendulum_look.lengths(scenario.parameters), q1, q2)

    def curves(self, scenario: Setup, t: Array, y: Array) -> Mapping[str, Array]:
        """The two spiral springs, wound by their angles."""
        q1, q2, _, _ = self.angles(scenario, y).T
        rests = float(scenario.parameters["rest1"]), float(scenario.parameters["rest2"])
        return pendulum_look.springs(*pendulum_look.lengths(scenario.parameters), q1, q2, *rests)


@cache
def _form() -> ClosedForm:
    from solvers.codegen.closed_form import ClosedForm

    return ClosedForm(pendulum, 4)


ROBOT = DoublePendulum()
