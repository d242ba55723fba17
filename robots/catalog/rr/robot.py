"""The planar two-joint arm under gravity: a double pendulum with point masses and rotor inertias."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Data, Field, Values
from robots.catalog.rr.equations import (
    rr,
    rr_driven,
    rr_held,
    rr_held_pulled,
    rr_inertia,
    rr_inertia_rate,
    rr_posture_inertia,
    rr_pulled,
    rr_torques,
)
from robots.dynamics.momenta import momenta_of
from robots.dynamics.stops import IMMOVABLE, NUMERICAL, StopFacts, Stops, stop_fields
from robots.model.quantities import angle, choice, each, gravity, positive, rate, signed
from robots.model.robot import Array, Equations, Mobility, Robot, Series, energy_series
from robots.model.sampling import Sampling, sampled, sampling_fields
from robots.model.shapes import ArmShape
from solvers.control import Tolerance

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.codegen.closed_form import ClosedForm
    from solvers.problem import OdeProblem

_MASS = "Point mass at the end of the link."
_LENGTH = "Length of the link."
_ROTOR = "Joint-side inertia of the motor's rotor: it appears on the diagonal of the inertia matrix only."
_TORQUE, _FRICTION = "Constant torque of the joint's motor.", "Viscous friction in the joint."
_GAIN_P, _GAIN_D = "Torque per radian away from the target.", "Torque against the joint's rate."
_CONSTANT, _VISCOUS, _PD = (("torque", (kind,)) for kind in ("constant", "viscous", "pd"))
_STRETCHED = 0.1
"""Below this sine of the second angle the arm counts as stretched or folded, near a singular posture."""


class RR(Robot):
    """Two links in the vertical x-z plane; q1 from the horizontal +x, q2 from the first link."""

    key = "rr"
    title = "RR arm"
    summary = "Two links swinging in a vertical plane under gravity: a double pendulum, calm at first and soon chaotic."
    source = "Tenreiro Machado & Galhano (1994), eq. (6)"
    parameters: ClassVar[tuple[Field, ...]] = (
        *each("m", "mass", "kg", (1.0, 1.0), (0.1, 10.0), _MASS, above=True, most=1e4),
        positive("r1", "length 1", "m", 1.0, 1e3, (0.2, 2.0), _LENGTH),
        positive("r2", "length 2", "m", 1.0, 1e3, (0.2, 2.0), _LENGTH),
        *each("J", "rotor inertia", "kg m2", (1.0, 1.0), (0.0, 5.0), _ROTOR, most=1e4),
        gravity(),
    )
    task: ClassVar[tuple[Field, ...]] = (
        choice(
            "torque",
            "joint torque",
            {"none": "", "constant": "constant torque", "viscous": "viscous friction", "pd": "PD control"},
            "What acts in the joints: nothing, a constant torque, friction, or PD control to a target.",
        ),
        signed("tau1", "torque 1", "N m", 0.0, 500.0, (-50.0, 50.0), _TORQUE, when=_CONSTANT),
        signed("tau2", "torque 2", "N m", 0.0, 500.0, (-50.0, 50.0), _TORQUE, when=_CONSTANT),
        *each("d", "friction", "N m s/rad", (1.0, 1.0), (0.0, 10.0), _FRICTION, most=100.0, when=_VISCOUS),
        *each("kp", "gain P", "N m/rad", (200.0, 100.0), (0.0, 1e3), _GAIN_P, most=1e4, when=_PD),
        *each("kd", "gain D", "N m s/rad", (40.0, 20.0), (0.0, 200.0), _GAIN_D, most=2e3, when=_PD),
        angle("target1", "target 1", 0.5 * math.pi, "Angle that joint 1 is driven to.", when=_PD),
        angle("target2", "target 2", 0.0, "Angle that joint 2 is driven to.", when=_PD),
        *sampling_fields(_PD),
        *stop_fields([StopFacts("rad"), StopFacts("rad", -2.0, 2.0)]),
    )
    initial: ClassVar[tuple[Field, ...]] = (
        angle("q1", "angle 1", 0.0, "Of link 1 from the horizontal."),
        angle("q2", "angle 2", 0.5, "Of link 2 from link 1."),
        rate("v1", "rate 1", 0.0, 10.0, "Rate of angle 1."),
        rate("v2", "rate 2", 0.0, 10.0, "Rate of angle 2."),
    )
    pullable: ClassVar[tuple[int, ...]] = (0, 1)
    numerical = NUMERICAL
    defaults: ClassVar[Values] = {"method": "rk4", "step": 0.01, "duration": 10.0}
    reference_methods = (
        ("dop853", Tolerance(1e-14, 1e-15)),
        ("v98", Tolerance(1e-14, 1e-15)),
    )

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """Equation (6) with the chosen joint torque, and the pull's force while it acts."""
        function, values = self.equations(scenario)
        sampling = self.sampling(scenario)
        if pull:
            function = rr_held_pulled if sampling else rr_pulled
            values = {**values, **_torque_law(scenario), **_hold(pull)}
        form = _form(function)
        numbers = form.pack(values)
        params = np.concatenate([numbers, _track(scenario, pull)]) if pull else numbers
        units = ("rad", "rad", "rad/s", "rad/s")
        free = None if pull or sampling else partial(momenta_of, function, rr_posture_inertia, rr_inertia_rate, values)
        problem = form.problem(params, scenario.initial, scenario.duration, ("q1", "q2", "v1", "v2"), units, free)
        if pull or sampling:
            problem = replace(problem, taylor=None, source=None if pull else form.tape)
        if sampling is None:
            return problem
        aim = np.array([scenario.task["target1"], scenario.task["target2"], 0.0, 0.0])
        return sampled(problem, partial(_asked, scenario), sampling, aim)

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Elementary and canonical too, unless a torque is held or a pull acts."""
        given = pulled or self.sampling(scenario) is not None
        return super().kinds(scenario, given) | (set() if given else {"canonical"})

    def sampling(self, scenario: Setup) -> Sampling | None:
        """The sampling of its PD control; None under any other torque."""
        return Sampling.of(scenario.task) if scenario.task["torque"] == "pd" else None

    def stops(self, scenario: Setup) -> Stops | None:
        """The stops of the task; None without any."""
        return Stops.of(scenario.task, (1, 2), lambda y: self.energies(scenario, y)[0])

    def at_rest(self, scenario: Setup, pull: Pull | None, joints: tuple[int, ...]) -> OdeProblem:
        """The equations with rotors so heavy that nothing moves the joints that rest."""
        if not joints:
            return self.problem(scenario, pull)
        heavy = {**scenario.parameters, **{f"J{joint + 1}": IMMOVABLE for joint in joints}}
        return self.problem(scenario.with_parameters(heavy), pull)

    def check(self, scenario: Setup) -> None:
        """A control must be able to sample as it is asked to; stops must leave room for the arm."""
        if sampling := self.sampling(scenario):
            sampling.check(scenario.duration)
        if stops := self.stops(scenario):
            stops.check(scenario.initial)

    def equations(self, scenario: Setup) -> tuple[Equations, Data]:
        """The equations without torques, or with the motors' torques: the cheaper form that suffices."""
        if scenario.task["torque"] == "none":
            return rr, {**scenario.parameters}
        if self.sampling(scenario):
            return rr_held, {**scenario.parameters}
        return rr_driven, {**scenario.parameters, **_torque_law(scenario)}

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Angles, rates, and the motors' torques if there are any."""
        named: dict[str, Array] = dict(zip(("q1", "q2", "v1", "v2"), y.T, strict=True))
        if scenario.task["torque"] != "none":
            named["u1"], named["u2"] = _law(scenario, y.T)
        return named

    def energies(self, scenario: Setup, y: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (of gravity and of torques that have one), both (n,) [J]."""
        law = _torque_law(scenario)
        if self.sampling(scenario):
            # Held torques have no potential.
            law = dict.fromkeys(law, 0.0)
        p = SimpleNamespace(**scenario.parameters)
        q1, q2, v1, v2 = y.T
        M11, M12, M22 = rr_inertia(q2, p)
        kinetic = 0.5 * M11 * v1**2 + M12 * v1 * v2 + 0.5 * M22 * v2**2
        potential = p.g * ((p.m1 + p.m2) * p.r1 * np.sin(q1) + p.m2 * p.r2 * np.sin(q1 + q2))
        for k, q in (1, q1), (2, q2):
            potential = potential - law[f"tau{k}"] * q + 0.5 * law[f"kp{k}"] * (q - law[f"target{k}"]) ** 2
        return kinetic, potential

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The total energy, unless friction, a PD law's damping or a pull does work."""
        law = _torque_law(scenario)
        damped = law["d1"] or law["d2"] or self.sampling(scenario)
        return {} if damped or pull else {"energy_J": np.add(*self.energies(scenario, y))}

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """The energies."""
        return {"energy": energy_series(*self.energies(scenario, y))}

    def mobility(self, scenario: Setup, t: float, y: Array) -> Mobility:
        """The velocity ellipse of J J' in the plane of motion; det J = r1 r2 sin q2 (Yoshikawa 1985)."""
        r1, r2 = float(scenario.parameters["r1"]), float(scenario.parameters["r2"])
        first, second = float(y[0]), float(y[0] + y[1])
        far = r2 * np.array([-math.sin(second), 0.0, math.cos(second)])
        near = r1 * np.array([-math.sin(first), 0.0, math.cos(first)])
        sides, lengths, _ = np.linalg.svd(np.column_stack([near + far, far]))
        return Mobility(sides * [*lengths, 0.0], abs(math.sin(float(y[1]))) < _STRETCHED)

    def shape(self, scenario: Setup) -> ArmShape:
        """A pedestal, two rounded links side by side, and payloads whose size follows their mass."""
        from robots.catalog.rr.look import shape

        return shape(*(float(scenario.parameters[key]) for key in ("m1", "m2", "r1", "r2")))

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the two links: x along the link, y out of the plane of motion."""
        from robots.catalog.rr.look import frames

        return frames(float(scenario.parameters["r1"]), float(scenario.parameters["r2"]), y[:, 0], y[:, 1])


def _torque_law(scenario: Setup) -> dict[str, float]:
    """The parameters of `equations.rr_torques`, which covers every kind of torque."""
    terms = {"constant": {"tau": "tau"}, "viscous": {"d": "d"}, "pd": {"d": "kd", "kp": "kp", "target": "target"}}
    chosen = terms.get(str(scenario.task["torque"]), {})
    names = [(f"{term}{k}", f"{chosen.get(term)}{k}") for term in ("tau", "d", "kp", "target") for k in (1, 2)]
    return {name: float(scenario.task.get(key, 0.0)) for name, key in names}


def _law(scenario: Setup, y: Array) -> list[Array]:
    """The torques that the motors' law asks for in the states `y` (4,) or (4, n) [N m]."""
    return list(rr_torques(y, SimpleNamespace(**_torque_law(scenario))))


def _asked(scenario: Setup, t: float, y: Array) -> Array:
    """The torques that the law asks for at one instant, (2,) [N m]."""
    return np.array(_law(scenario, y))


def _hold(pull: Pull) -> dict[str, float]:
    """The parameters of the spring that pulls."""
    x, _, z = pull.point
    return {"link": pull.link, "point_x": x, "point_z": z, "stiffness": pull.stiffness, "damping": pull.damping}


def _track(scenario: Setup, pull: Pull) -> Array:
    """Where it pulls to, seen from the shoulder, as `kernels.aim` reads it."""
    from robots.catalog.rr.look import shoulder_height

    track = np.array(pull.track)[:, (0, 1, 3)]
    track[:, 2] -= shoulder_height(float(scenario.parameters["r1"]), float(scenario.parameters["r2"]))
    return np.append(track.ravel(), len(track))


@cache
def _form(function: Equations) -> ClosedForm:
    from robots.catalog.rr.kernels import aim, aim_or_torque
    from robots.dynamics.kernels.held import held_torque
    from solvers.codegen.closed_form import ClosedForm

    if function is rr_pulled:
        return ClosedForm(function, 4, given=("aim_x", "aim_z"), supply=aim)
    if function is rr_held_pulled:
        return ClosedForm(function, 4, given=("aim_x", "aim_z", "u1", "u2"), supply=aim_or_torque)
    if function is rr_held:
        return ClosedForm(function, 4, given=("u1", "u2"), supply=held_torque)
    return ClosedForm(function, 4)


ROBOT = RR()
"""The RR arm."""
