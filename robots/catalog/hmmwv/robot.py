"""The HMMWV of paper 4: 14 bodies, 98 coordinates, 80 constraints, 18 degrees of freedom, over a bump."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np

from assets.counting import COMPUTED, cut, grouped, short
from assets.fields import Field, Values
from robots.model.quantities import amount, choice, positive
from robots.model.robot import Array, Problem, Robot, Series

if TYPE_CHECKING:
    from robots.dynamics.multibody.reduction import MultibodyProblem
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.control import Control
    from solvers.events import Trajectory
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.solution import Solution

_HELP = {
    "k_stiff": "Of the four spring-dampers between upper arms and chassis that make the system stiff.",
    "c_stiff": "Of the four spring-dampers between upper arms and chassis; it sets the fastest mode.",
    "k_tyre": "Of each tyre, which only pushes. Its free radius follows, so that the car rests at 0.71 m.",
    "c_tyre": "Of each tyre while it touches the road.",
    "k_front": "Of the front suspension: our choice, since the paper does not print it. The preload carries the car.",
    "k_rear": "Of the rear suspension: our choice, since the paper does not print it. The preload carries the car.",
    "c_front": "Of the front shock absorbers: our choice, since the paper does not print it.",
    "c_rear": "Of the rear shock absorbers: our choice, since the paper does not print it.",
}


def _knob(key: str, label: str, unit: str, default: float, top: float) -> Field:
    return positive(key, label, unit, default, 1e9, (0.01 * top, top), _HELP[key], log=True)


class Hmmwv(Robot):
    """The state is (q, q'): positions and Euler parameters of 14 bodies, and their rates."""

    key = "hmmwv"
    title = "HMMWV over a bump"
    summary = (
        "A car of 14 bodies with double wishbones drives over a bump at 10 mph. Its stiff spring-dampers hold "
        "explicit methods to steps of 0.000006 s; the paper's method takes 0.0004 s at the bump, and over 1 s after it."
    )
    source = (
        "A. Sandu, D. Negrut, E. J. Haug, F. A. Potra, C. Sandu, CSTR-01-06 (2001), section 5.2; hard points, masses "
        "and inertias: Project Chrono (BSD-3), HMMWV model"
    )
    choices: ClassVar[tuple[str, ...]] = (
        "The upper arms are hinged to the chassis at one ball, midway between their two real pivots.",
        "A spindle body is upright, spindle, wheel and tyre together (90.6 kg); the wheels roll freely.",
        "The stiff spring-dampers are placed so that the fastest eigenvalue is -2.61e5 (the paper: -2.6e5).",
        "Suspension springs and dampers act on the lower arms, preloaded for rest; the paper names none.",
        "A soft bushing keeps each upper arm from spinning freely; without it the car drifts away after about 4 s.",
        "The tyres push above the lower ball joints, so that nothing turns the wheels at rest.",
        "The tyres' free radius is solved so that the chassis rests at 0.71 m exactly.",
    )
    parameters: ClassVar[tuple[Field, ...]] = (
        _knob("k_stiff", "stiff spring", "N/m", 2e7, 1e8),
        _knob("c_stiff", "stiff damper", "N s/m", 2e6, 1e7),
        _knob("k_tyre", "tyre stiffness", "N/m", 296325.0, 1e6),
        _knob("c_tyre", "tyre damping", "N s/m", 3502.0, 1e5),
        _knob("k_front", "front spring", "N/m", 6e4, 1e6),
        _knob("k_rear", "rear spring", "N/m", 1.1e5, 1e6),
        _knob("c_front", "front damper", "N s/m", 19015.5692, 1e5),
        _knob("c_rear", "rear damper", "N s/m", 36725.2201, 1e5),
        amount("bump", "bump radius", "m", 0.05, 0.25, (0.0, 0.15), "Of the half-cylinder; 0 means no bump."),
        positive("speed", "speed", "m/s", 4.4704, 60.0, (1.0, 30.0), "10 mph in the paper."),
    )
    looks: ClassVar[tuple[Field, ...]] = (
        choice(
            "body",
            "draw",
            {"full": "whole car", "frame": "frame only"},
            "The whole car, or the frame alone, to show the suspension.",
        ),
    )
    no_reference = "two accurate runs of its stiff equations would take too long"
    plots: ClassVar[tuple[str, ...]] = ("error", "motion", "step-size", "eigenvalues")
    defaults: ClassVar[Values] = {
        "method": "rosenbrock-nystrom",
        "rtol": 1e-3,
        "atol": 1e-3,
        "first_step": 1e-3,
        "duration": 5.0,
    }

    # -- equations -----------------------------------------------------------------------------------------------------

    def problem(self, scenario: Setup, pull: Pull | None = None) -> MultibodyProblem:
        """The car at rest on the road, in all its coordinates."""
        from robots.catalog.hmmwv import vehicle
        from robots.dynamics.multibody.reduction import MultibodyProblem

        built = vehicle.system(scenario.parameters)
        breaks = vehicle.breaks(built, scenario.duration)
        return MultibodyProblem(built, vehicle.state(built), 0.0, scenario.duration, breaks)

    def integrate(
        self, problem: Problem, method: Method, control: Control, **settings: Unpack[Integration]
    ) -> Solution:
        """Integrate in the independent coordinates, which may change during the run."""
        from robots.dynamics.multibody.reduction import MultibodyProblem, integrate_multibody

        assert isinstance(problem, MultibodyProblem)
        return integrate_multibody(problem, method, control, **settings)

    def forecast(self, scenario: Setup) -> str:
        """The cost of an explicit method, which takes tiny steps; measured for 20 ms after the first contact."""
        from robots.dynamics.multibody.estimate import explicit_estimate
        from robots.scenario.method_selection import method_of

        method = method_of(scenario)
        if method.implicit or scenario.step is not None or scenario.parameters["bump"] == 0.0:
            return ""
        return explicit_estimate(scenario, method.key).text(scenario.duration)

    # -- outputs -------------------------------------------------------------------------------------------------------

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """The chassis' height, then the coordinates that are independent at the start, and their rates."""
        from robots.catalog.hmmwv import vehicle

        names, chosen = vehicle.independent()
        n = y.shape[1] // 2
        named = {"z": y[:, 2]}
        named |= {name: y[:, k] for name, k in zip(names, chosen, strict=True)}
        return named | {f"{name}_rate": y[:, n + k] for name, k in zip(names, chosen, strict=True)}

    def unit(self, column: str) -> str:
        """Positions in metres; Euler parameters are plain numbers."""
        place, rate = column.removesuffix("_rate"), column.endswith("_rate")
        if place.rpartition("_")[2] in ("x", "y", "z"):
            return "m/s" if rate else "m"
        return "1/s" if rate else ""

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """How far the joints come apart."""
        from robots.catalog.hmmwv import vehicle
        from robots.dynamics.multibody.reduction import constraint_errors

        return constraint_errors(vehicle.system(scenario.parameters), y)

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Height and pitch of the chassis, travel of the suspension, heights of the spindles."""
        from robots.catalog.hmmwv import vehicle

        wheels = y[:, [7 * k + 2 for k in vehicle.SPINDLES]]
        corners = ("right front", "left front", "right rear", "left rear")
        return {
            "height": Series("chassis height", "m", y[:, 2]),
            "travel": Series("suspension travel", "m", vehicle.travel(y), corners),
            "pitch": Series("chassis pitch", "rad", 2.0 * np.arctan2(y[:, 5], y[:, 3])),
            "spindles": Series("spindle heights", "m", wheels, corners),
        }

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """How long a stopped run would have taken, and which fixed step would have been stable."""
        t = motion.t
        steps, done = len(t) - 1, float(t[-1] - t[0])
        if t[-1] >= scenario.duration * (1.0 - 1e-9):
            return ""
        if scenario.step is not None:
            return self._stable_step(scenario)
        if steps < 100 or done / steps > 1e-4:
            return ""
        whole = steps * scenario.duration / done
        return (
            f"It took {grouped(steps)} steps of {short(done / steps)} s on average; at this rate "
            f"{scenario.duration:g} s would take about {short(whole)} steps."
        )

    def _stable_step(self, scenario: Setup) -> str:
        """The longest step that is stable at the start, if the scenario's is longer."""
        from robots.dynamics.multibody.reduction import reduce
        from robots.scenario.method_selection import method_of
        from robots.simulation.linearisation import slope_matrix

        method, reduced = method_of(scenario), reduce(self.problem(scenario))
        stability = method.stability
        fastest = float(np.linalg.eigvals(slope_matrix(reduced, 0.0, reduced.initial)).real.min())
        if stability is None or scenario.step is None or not stability.real_limit > 0.0:
            return ""
        step = stability.real_limit / -fastest
        if scenario.step <= step:
            return ""
        limit = short(cut(step), COMPUTED)
        return (
            f"With an eigenvalue of {short(fastest)} /s this method is stable up to steps of {limit} s: "
            f"{short(scenario.duration / step)} of them for {scenario.duration:g} s."
        )

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """The car, the road and the bump."""
        from robots.catalog.hmmwv import look as vehicle_look

        return vehicle_look.shape(float(scenario.parameters["bump"]), scenario.view["body"] == "full")

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the bodies, the rolling wheels and the passing road."""
        from robots.catalog.hmmwv import look as vehicle_look
        from robots.catalog.hmmwv import vehicle

        built = vehicle.system(scenario.parameters)
        return vehicle_look.poses(np.asarray(t, dtype=float), y, built.speed, built.bump, built.bump_at)


ROBOT = Hmmwv()
