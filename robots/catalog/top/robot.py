"""A rigid body about a fixed point in Euler parameters: a spinning top, or a brick that tumbles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from assets.fields import Field, Values
from robots.catalog.top import look as top_look
from robots.catalog.top.equations import top, upright
from robots.dynamics.multibody.frames import body_frames
from robots.model.quantities import amount, angle, each, gravity, positive, rate
from robots.model.robot import Array, Equations, Robot, Series, energy_series
from solvers.control import Tolerance

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from robots.model.shapes import ArmShape
    from solvers.codegen.closed_form import ClosedForm
    from solvers.problem import OdeProblem

_NAMES = ("p0", "p1", "p2", "p3", "w1", "w2", "w3")
_UNITS = ("", "", "", "", "rad/s", "rad/s", "rad/s")


class Top(Robot):
    """The state is (p0 .. p3, w1, w2, w3): Euler parameters, and the angular velocity in the body's axes."""

    key = "top"
    title = "Spinning top"
    summary = (
        "A rigid body on a ball joint, turned by Euler parameters: four numbers of length 1. Methods that add steps "
        "to them leave the unit sphere; Munthe-Kaas methods multiply by rotations and stay on it."
    )
    source = "L. Euler (1765), J.-L. Lagrange (1788); numbers of our own"
    parameters: ClassVar[tuple[Field, ...]] = (
        positive("m", "mass", "kg", 1.0, 1e4, (0.1, 10.0), "Of the body.", log=True),
        amount(
            "l",
            "centre of mass",
            "m",
            0.15,
            1e2,
            (0.0, 0.5),
            "From the ball joint along the third axis; 0 makes the body tumble freely.",
        ),
        *each(
            "J",
            "inertia",
            "kg m2",
            (0.025, 0.025, 0.004),
            (1e-3, 0.1),
            "About the ball joint, along this principal axis.",
            above=True,
        ),
        gravity(),
    )
    initial: ClassVar[tuple[Field, ...]] = (
        angle("tilt", "tilt", 0.5, "Of the third axis from the vertical, about the first."),
        rate("w1", "rate 1", 0.0, 20.0, "Angular velocity about the body's first axis."),
        rate("w2", "rate 2", 0.0, 20.0, "Angular velocity about the body's second axis."),
        rate("w3", "spin", 120.0, 200.0, "Angular velocity about the body's third axis."),
    )
    plots: ClassVar[tuple[str, ...]] = ("error", "motion", "energy", "step-size")
    error_names: ClassVar[Mapping[str, str]] = {
        "unit_length": "length of the Euler parameters",
        "reference_turn": "attitude",
    }
    error_units: ClassVar[Mapping[str, str]] = {"unit_length": ""}
    suited: ClassVar[tuple[str, ...]] = ("munthe-kaas4",)
    defaults: ClassVar[Values] = {"method": "munthe-kaas4", "step": 0.002, "duration": 5.0}
    reference_methods = (("dop853", Tolerance(1e-13, 1e-13)), ("v98", Tolerance(1e-13, 1e-13)))

    # -- equations -----------------------------------------------------------------------------------------------------

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """Euler parameters, and first order: rates in the body's axes are no derivatives."""
        return super().kinds(scenario, pulled) - {"second-order"} | {"rotations"}

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """The body from its tilt and rates."""
        form, half = _form(), 0.5 * float(scenario.initial["tilt"])
        start = {"p0": math.cos(half), "p1": math.sin(half), "p2": 0.0, "p3": 0.0}
        start |= {name: float(scenario.initial[name]) for name in ("w1", "w2", "w3")}
        problem = form.problem(form.pack(scenario.parameters), start, scenario.duration, _NAMES, _UNITS)
        return replace(problem, positions=0, rotations=(0,))

    def equations(self, scenario: Setup) -> tuple[Equations, Values]:
        """Euler's equations of the heavy body."""
        return top, scenario.parameters

    # -- outputs -------------------------------------------------------------------------------------------------------

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Euler parameters and rates."""
        return dict(zip(_NAMES, y.T, strict=True))

    def unit(self, column: str) -> str:
        """Rates have one."""
        return "rad/s" if column[0] == "w" else ""

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """How far the Euler parameters have left the unit sphere."""
        return {"unit_length_1": np.abs(np.linalg.norm(y[:, :4], axis=1) - 1.0)}

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The energy of turning and of height."""
        return {"energy_J": np.add(*self._energies(scenario, y))}

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """The angle between the two attitudes."""
        ours, theirs = (states[:, :4] / np.linalg.norm(states[:, :4], axis=1)[:, None] for states in (y, exact))
        # p and -p are the same attitude.
        gap = np.minimum(np.linalg.norm(ours - theirs, axis=1), np.linalg.norm(ours + theirs, axis=1))
        return {"reference_turn_rad": 4.0 * np.arcsin(np.minimum(1.0, 0.5 * gap))}

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Tilt, rates, Euler parameters and energies."""
        up = np.stack(upright(*y[:, :4].T), axis=1)
        return {
            "tilt": Series("tilt", "rad", np.arctan2(np.hypot(up[:, 0], up[:, 1]), up[:, 2])),
            "rates": Series("rates in the body's axes", "rad/s", y[:, 4:], ("axis 1", "axis 2", "axis 3")),
            "parameters": Series("Euler parameters", "", y[:, :4], _NAMES[:4]),
            "energy": energy_series(*self._energies(scenario, y)),
        }

    def _energies(self, scenario: Setup, y: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy, (n,) [J]."""
        p = {key: float(value) for key, value in scenario.parameters.items()}
        inertias = np.array([p["J1"], p["J2"], p["J3"]])
        height = p["l"] * upright(*y[:, :4].T)[2]
        return 0.5 * (y[:, 4:] ** 2) @ inertias, p["m"] * p["g"] * height

    # -- looks ---------------------------------------------------------------------------------------------------------

    def shape(self, scenario: Setup) -> ArmShape:
        """A brick on a ball joint."""
        return top_look.shape(scenario.parameters)

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Frames of the post and the body."""
        placed = np.hstack([np.zeros((len(y), 3)), y[:, :4]])
        return top_look.poses(scenario.parameters, body_frames(placed)[:, 0])


@cache
def _form() -> ClosedForm:
    from solvers.codegen.closed_form import ClosedForm

    return ClosedForm(top, len(_NAMES))


ROBOT = Top()
