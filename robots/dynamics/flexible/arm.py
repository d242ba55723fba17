"""A flexible arm: its inverse dynamics is the problem, and the exact solution of that is the reference."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.fields import Field, Values
from assets.watch import through
from robots.dynamics.flexible.forward import FIELDS as FORWARD
from robots.dynamics.flexible.forward import check as check_forward
from robots.dynamics.flexible.look import flexible_poses, flexible_shape, in_the_world
from robots.dynamics.flexible.problem import dae_problem
from robots.dynamics.flexible.structure import (
    FORMULATIONS,
    Build,
    Move,
    at_rest,
    check_positive_damping,
    pack,
    state_rates,
    tool_gaps,
    wanted_places,
)
from robots.model.quantities import DEFLECTION, choice, positive
from robots.model.robot import Array, Problem, Robot, Series
from solvers.control import Control, FixedStep, Tolerance
from solvers.events import Trajectory
from solvers.interpolation.location import KeptSteps

if TYPE_CHECKING:
    from robots.model.companion import Companion
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.dae_problem import DaeProblem
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

LONGEST = 100_000
"""Steps after which the exact solution gives up."""
LONGEST_DAE = 20_000
"""Steps after which a code with step control gives up."""
SCALING = tuple(
    Field(
        key,
        label,
        "",
        None,
        0,
        6,
        optional=True,
        kind=int,
        help=f"The rows of {rows} are divided by this power of the step; empty: the power that suits the formulation.",
    )
    for key, label, rows in (
        ("scale_position", "scale positions", "the tool's positions"),
        ("scale_velocity", "scale velocities", "the tool's velocities"),
        ("scale_acceleration", "scale accelerations", "the tool's accelerations"),
    )
)


def inertia_behind_centre(scenario: Setup, k: int) -> tuple[str, str, float]:
    """The condition where link k carries all that is passive: enough inertia about its centre of mass."""
    names = [f"{letter}{k}" for letter in ("j", "m", "xi", "l")]
    (j, m, xi, l), (j_, m_, xi_, l_) = numbers(scenario.parameters, *names), names
    return f"{j_} - {m_} {xi_} ({l_} - {xi_})", "kg m2", float(j - m * xi * (l - xi))


def formulation_field(names: tuple[str, ...], default: str) -> Field:
    """The choice between formulations."""
    listed = "; ".join(f"{FORMULATIONS[name].label}, {FORMULATIONS[name].text}" for name in names)
    labels = {name: FORMULATIONS[name].label for name in names}
    return choice("formulation", "formulation", labels, listed + ".", default=default)


def move_time(default: float, slider: tuple[float, float]) -> Field:
    """How long the move takes [s]."""
    text = "Duration of the move; after it the tool must stand still."
    return positive("move_time", "move time", "s", default, 1e3, slider, text, log=True)


class FlexibleArm(Robot):
    """The state is (joints, motors, their rates, extras, motor torques); the reference's is (joints, rates, motors)."""

    source = "S. Moberg, S. Hanssen, Inverse Dynamics of Flexible Manipulators (2009)"
    numerical: ClassVar[tuple[str, ...]] = (
        "formulation",
        *(field.key for field in SCALING),
        *(field.key for field in FORWARD),
    )
    bends = True
    suited: ClassVar[tuple[str, ...]] = ("bdf6", "ida")
    looks: ClassVar[tuple[Field, ...]] = (DEFLECTION,)
    plots = ("error", "torque", "driven", "deflection", "joints", "conditioning")
    reference_methods = (("rkdp87", Tolerance(1e-13, 1e-13)), ("v98", Tolerance(1e-13, 1e-13)))

    @abstractmethod
    def build(self, scenario: Setup) -> Build:
        """The arm's numbers."""

    @abstractmethod
    def move(self, scenario: Setup) -> Move:
        """The tool's reference."""

    @abstractmethod
    def guess(self, scenario: Setup) -> Array:
        """Joint angles near the posture at rest, (n,) [rad]; they choose the elbow's side."""

    def minimum_phase_condition(self, scenario: Setup, q: Array) -> tuple[str, str, float]:
        """(formula, unit, value): the value is above 0 if the zero dynamics is stable; q: joints at rest, (n,)."""
        from robots.dynamics.flexible.analysis import effective_inertia

        return "det M / det K of the passive joints, tool held", "s2", effective_inertia(self.build(scenario), q)

    # -- equations -----------------------------------------------------------------------------------------------------

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Differential-algebraic equations."""
        return frozenset({"dae"})

    def problem(self, scenario: Setup, pull: Pull | None = None) -> DaeProblem:
        """The inverse dynamics in the scenario's formulation."""
        build, move = self.build(scenario), self.move(scenario)
        start = at_rest(build, move.start, self.guess(scenario))
        powers = tuple(None if scenario.task[f.key] is None else int(str(scenario.task[f.key])) for f in SCALING)
        return dae_problem(build, move, str(scenario.task["formulation"]), start, scenario.duration, powers)

    def reference_problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """The exact inverse dynamics as an ODE, restarted where the move ends."""
        from robots.dynamics.flexible.kernels import flexible_ode
        from solvers.problem import OdeProblem

        build, move = self.build(scenario), self.move(scenario)
        check_positive_damping(build)
        joints, motors = at_rest(build, move.start, self.guess(scenario))
        n = build.joints
        state = np.concatenate([joints, np.zeros(n), motors])
        return OdeProblem(
            rhs=flexible_ode.exact,
            initial=state,
            t0=0.0,
            t1=scenario.duration,
            params=pack(build, move, FORMULATIONS["DD44"]),
            names=tuple(f"y{k}" for k in range(len(state))),
            units=("rad",) * n + ("rad/s",) * n + ("rad",) * len(motors),
            positions=n,
            breaks=(move.time,) if move.time < scenario.duration else (),
        )

    def integrate(
        self, problem: Problem, method: Method, control: Control, **settings: Unpack[Integration]
    ) -> Solution:
        """The DAE's solution, with the motor torques behind the unknowns."""
        from solvers.dae_problem import DaeProblem

        if not isinstance(problem, DaeProblem):
            # The exact solution of an unstable or very stiff arm would take ever shorter steps.
            settings["max_steps"] = min(settings.get("max_steps") or LONGEST, LONGEST)
            return super().integrate(problem, method, control, **settings)
        if not isinstance(control, FixedStep):
            settings["max_steps"] = min(settings.get("max_steps") or LONGEST_DAE, LONGEST_DAE)
        options = method.complete_options(settings.get("options") or {})

        def with_torques(unknowns: Solution) -> Solution:
            found = with_rates(unknowns, method.order)
            if problem.dimension == 2:
                found = with_passive_joint(problem, found)
            torques = motor_torques(problem.params, found.y, found.rates)
            states = np.hstack([found.y, torques])
            states.flags.writeable = False

            def dense(times: Array) -> Array:
                if len(found.t) == 1:
                    return np.repeat(states, len(times), axis=0)
                kept = KeptSteps(found.t, states, found.stride)
                return method.sample(cast("OdeProblem", problem), options, kept, times)

            return replace(found, y=states, dense=dense)

        settings["watch"] = through(settings.get("watch"), with_torques)
        return with_torques(super().integrate(problem, method, control, **settings))

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """Warns of an unstable zero dynamics, which a tame-looking result may hide, and of a path out of reach."""
        from robots.dynamics.flexible.analysis import along

        build, said = self.build(scenario), []
        t, y, _ = motion
        found = along(build, t, y, 9)
        if not found.minimum_phase:
            said.append(
                f"The zero dynamics is unstable (a zero at {found.worst:+.4g} /s): the torque that keeps the"
                " tool on its path grows without bound, and a coarse BDF result that looks tame only hides it."
            )
        elif t[-1] < scenario.duration * (1.0 - 1e-9) and bent_too_far(build, y):
            said.append(
                "The arm has bent almost to where its zero dynamics is singular, and no torque can move the tool any "
                "further: the move is too fast, or the springs are too soft."
            )
        times = np.linspace(0.0, scenario.duration, 201)
        path = Trajectory(times, self.wanted(scenario, times), partial(self.wanted, scenario))
        far = path.first_above(lambda _, at: np.linalg.norm(at[:, build.axes], axis=1)[:, None] - build.lengths.sum())
        if far is not None:
            said.append(f"From t = {far[0]:.4g} s on, the path is out of the arm's reach.")
        return " ".join(said)

    def check(self, scenario: Setup) -> None:
        """Inverse dynamics starts from rest, so the initial state is fixed; impossible numbers are refused."""
        if scenario.segments:
            raise BadInput("segments", len(scenario.segments), "empty: inverse dynamics starts from rest")
        check_forward(scenario)
        if FORMULATIONS[str(scenario.task["formulation"])].kind == "array" and scenario.step is None:
            must = "used with a fixed step for formulation KM, which chooses its rows again at every call"
            raise BadInput("method", scenario.method, must)

    # -- outputs -------------------------------------------------------------------------------------------------------

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Joint and motor angles, their rates, motor torques."""
        build = self.build(scenario)
        size, N = build.coordinates, build.actuated
        named = {f"q{k + 1}": y[:, k] for k in range(size)}
        named |= {f"v{k + 1}": y[:, size + k] for k in range(size)}
        return named | {f"u{k + 1}": y[:, y.shape[1] - N + k] for k in range(N)}

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """Joint angles, motor angles and torques against the exact inverse dynamics."""
        build = self.build(scenario)
        n, N = build.joints, build.actuated
        full = self.run_states(scenario, t, exact)
        errors = {"reference_q_rad": np.abs(y[:, :n] - full[:, :n]).max(axis=1)}
        if build.gears:
            errors["reference_motor_rad"] = np.abs(y[:, n : n + N] - full[:, n : n + N]).max(axis=1)
        return errors | {"reference_u_Nm": np.abs(y[:, -N:] - full[:, -N:]).max(axis=1)}

    def run_states(self, scenario: Setup, t: Array, exact: Array) -> Array:
        """The exact angles and rates, and the torques that they need: all that outputs and looks are made of."""
        from robots.dynamics.flexible.kernels.flexible_ode import unknowns

        build = self.build(scenario)
        params = pack(build, self.move(scenario), FORMULATIONS["DD44"])
        x, rates = (np.empty((len(t), 2 * build.coordinates)) for _ in range(2))
        unknowns(np.array(t), np.array(exact, order="C"), params, x, rates)
        return np.hstack([x, motor_torques(params, x, rates)])

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """How far the tool is from its reference in the controlled directions."""
        return {"tool_m": tool_gaps(self.build(scenario), self.move(scenario), t, y)}

    def wanted(self, scenario: Setup, t: Array) -> Array:
        """The tool's reference (x, z) at times t, (m, 2) [m]."""
        return wanted_places(self.build(scenario), self.move(scenario), t)

    def companion(self, scenario: Setup, t: Array, y: Array) -> Companion | None:
        """The arm driven by the torques just found, if the task asks for it."""
        from robots.dynamics.flexible.forward import drive

        return drive(self.build(scenario), self.move(scenario), scenario, t, y)

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Motor torques and the deflections of the springs."""
        build = self.build(scenario)
        n, N = build.joints, build.actuated
        passive = build.motor_of < 0
        bends, labels = [y[:, :n][:, passive]], [f"q{k + 1}" for k in np.flatnonzero(passive)]
        if build.gears:
            driven = np.flatnonzero(~passive)
            bends.append(y[:, driven] - y[:, n + build.motor_of[driven]])
            labels += [f"gear {build.motor_of[k] + 1}" for k in driven]
        torque_names = tuple(f"u{k + 1}" for k in range(N))
        return {
            "torque": Series("motor torque", "N m", y[:, -N:], torque_names),
            "deflection": Series("deflection", "rad", np.hstack(bends), tuple(labels)),
        }

    def modes(self, scenario: Setup, y: Array) -> NDArray[np.complex128]:
        """The zeros [1/s], as if the arm rested in this posture: the dynamics that the integrator has to integrate."""
        from robots.dynamics.flexible.analysis import at_rest

        build = self.build(scenario)
        return at_rest(build, y[: build.joints])[1]

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """Links, motors and springs."""
        return flexible_shape(self.build(scenario))

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Base, links, motors; with scaled deflections."""
        return flexible_poses(self.build(scenario), y, float(str(scenario.view["deflection"])))

    def desired_path(self, scenario: Setup, t: Array) -> Array | None:
        """The tool's reference, (m, 3) [m], where both its coordinates are controlled and bends are not magnified."""
        build = self.build(scenario)
        if len(build.axes) < 2 or scenario.view["deflection"] != "1":
            return None
        return in_the_world(build, self.wanted(scenario, t))


def bent_too_far(build: Build, y: Array) -> bool:
    """Whether the last postures of a run that failed have lost half of what keeps the zero dynamics regular at rest."""
    from robots.dynamics.flexible.analysis import effective_inertia

    last = [effective_inertia(build, row[: build.joints]) for row in y[-4:]]
    return min(last) < 0.5 * effective_inertia(build, y[0, : build.joints])


def with_passive_joint(problem: DaeProblem, found: Solution) -> Solution:
    """The decoupled solution (q1, v1) with the passive joint, which algebra gives: (q1, q2, v1, v2)."""
    from robots.dynamics.flexible.kernels.decoupled import whole_states

    assert found.rates is not None
    states, rates = np.empty((len(found.t), 4)), np.empty((len(found.t), 4))
    known = np.array(found.y, order="C"), np.array(found.rates, order="C")
    whole_states(np.array(found.t), *known, np.array(problem.params), states, rates)
    return replace(found, y=states, rates=rates)


def with_rates(found: Solution, order: int) -> Solution:
    """The solution with x' at its rows: the code's own, or that of the k-step formula with a fixed step."""
    if found.rates is not None:
        return found
    x = np.array(found.y, order="C")
    rates = np.zeros_like(x)
    if len(found.t) > 1:
        rates = state_rates(x, order, float(found.t[1] - found.t[0]))
    return replace(found, rates=rates)


def motor_torques(params: Array, x: Array, rates: Array | None) -> Array:
    """u at every row, (m, actuated) [N m], from the unknowns and their rates, (m, unknowns)."""
    from robots.dynamics.flexible.kernels.inverse_dynamics import ACTUATED
    from robots.dynamics.flexible.kernels.inverse_dynamics import motor_torques as kernel

    u = np.empty((len(x), int(params[ACTUATED])))
    kernel(np.array(x, order="C"), np.array(rates, order="C"), np.array(params), u)
    return u


def numbers(values: Values, *keys: str) -> Array:
    """The values of these fields as an array."""
    return np.array([float(values[key]) for key in keys])
