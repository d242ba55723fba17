"""The flexible beam of 1990: 18 states, stiff and undamped.

Source: the verification problem of the adaptive Runge-Kutta listing (H. Jack, 1990).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

import assets
from assets.fields import Field, Values
from robots.catalog.beam.equations import beam
from robots.catalog.beam.modes import SHAPES, acceleration, deflection, matrices
from robots.model.quantities import DEFLECTION, choice, signed
from robots.model.robot import Array, Equations, Robot, Series
from robots.model.shapes import ALONG_Y, ArmShape, Curve, Part, translation
from solvers.control import Tolerance

if TYPE_CHECKING:
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.codegen.closed_form import ClosedForm
    from solvers.problem import OdeProblem

_COUNT = SHAPES + 1
_NAMES = tuple(f"{letter}{k + 1}" for letter in "qv" for k in range(_COUNT))
_POINTS = 41
_HEIGHT = 1.35


class Beam(Robot):
    """A beam that hangs from a pin, swings and quivers; everything is dimensionless."""

    key = "beam"
    title = "Flexible beam"
    summary = (
        "A uniform beam, pinned at one end and released from 1 rad: a slow swing with eight bending modes on"
        " it, the fastest 2400 times as fast as the swing."
    )
    source = (
        "H. Jack (1990), appendix on adaptive Runge-Kutta; coefficients as printed, and derived from a uniform beam"
    )
    task: ClassVar[tuple[Field, ...]] = (
        choice(
            "form",
            "equations",
            {"printed": "as printed", "modes": "from mode functions"},
            "The 81 coefficients that the listing prints, or the same beam derived from its mode functions.",
        ),
    )
    looks: ClassVar[tuple[Field, ...]] = (DEFLECTION,)
    initial: ClassVar[tuple[Field, ...]] = (
        signed("q1", "swing", "rad", 1.0, 1e3, (-2.0, 2.0), "Slope of the undeformed beam."),
        *(
            signed(f"q{k + 1}", f"mode {k}", "", 0.0, 1e3, (-2.0, 2.0), "Amplitude of a bending shape.")
            for k in range(1, _COUNT)
        ),
        signed("v1", "rate of the swing", "rad/s", 0.0, 1e6, (-5.0, 5.0), "Rate of the beam's slope."),
        *(
            signed(f"v{k + 1}", f"rate {k}", "", 0.0, 1e6, (-5.0, 5.0), "Rate of the amplitude of the same number.")
            for k in range(1, _COUNT)
        ),
    )
    plots: ClassVar[tuple[str, ...]] = ("error", "motion", "energy", "step-size", "eigenvalues")
    error_names: ClassVar[Mapping[str, str]] = {"reference_q": "swing and amplitudes"}
    error_units: ClassVar[Mapping[str, str]] = {"reference_q": ""}
    defaults: ClassVar[Values] = {"method": "dop853", "rtol": 1e-9, "atol": 1e-9, "duration": 6.0}
    reference_methods = (("dop853", Tolerance(1e-13, 1e-14)), ("v98", Tolerance(1e-13, 1e-14)))

    def problem(self, scenario: Setup, pull: Pull | None = None) -> OdeProblem:
        """q'' = b sin(q1) + A q."""
        form = _form()
        params, units = form.pack(self.equations(scenario)[1]), ("",) * len(_NAMES)
        return form.problem(params, scenario.initial, scenario.duration, _NAMES, units)

    def equations(self, scenario: Setup) -> tuple[Equations, dict[str, Array]]:
        """The beam's equations, with the chosen coefficients."""
        b, A = coefficients(str(scenario.task["form"]))
        return beam, {"b": b, "A": A}

    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Amplitudes and their rates."""
        return dict(zip(_NAMES, y.T, strict=True))

    def energy_parts(self, y: Array) -> dict[str, Array]:
        """Kinetic energy, bending energy, and that of the swing's height, each (n,)."""
        mass, stiffness = matrices()
        q, v = y[:, :_COUNT], y[:, _COUNT:]
        kinetic = 0.5 * np.einsum("ni,ij,nj->n", v, mass, v)
        bending = 0.5 * np.einsum("ni,ij,nj->n", q, stiffness, q)
        return {"kinetic": kinetic, "bending": bending, "height": 0.5 * (1.0 - np.cos(q[:, 0]))}

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """The total energy."""
        return {"energy_J": sum(self.energy_parts(y).values())}  # type: ignore[dict-item]

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """The swing, the tip's deflection, the amplitudes of the bending shapes, and the parts of the energy."""
        parts = self.energy_parts(y)
        bend = y[:, 1:_COUNT] @ deflection(np.ones(1))[0]
        shapes = tuple(f"mode {k}" for k in range(1, _COUNT))
        return {
            "swing": Series("swing", "rad", y[:, 0]),
            "tip": Series("deflection of the tip", "", bend),
            "amplitudes": Series("amplitudes of the modes", "", y[:, 1:_COUNT], shapes),
            "energy": Series("energy", "J", np.column_stack(list(parts.values())), tuple(parts)),
        }

    def shape(self, scenario: Setup) -> ArmShape:
        """A pin in a bracket, and the beam as a flexible curve."""
        foot = np.array([(0.0, 0.0), (0.18, 0.0), (0.18, 0.012), (0.17, 0.02), (0.0, 0.02)])
        post = np.array(
            [(0.0, 0.01), (0.09, 0.02), (0.075, 0.03), (0.055, 0.07), (0.042, 0.16), (0.036, 0.35), (0.03, _HEIGHT),
             (0.0, _HEIGHT)]
        )  # fmt: skip
        behind = translation(0.0, 0.14, 0.0)
        parts = (
            Part(0, "lathe", (), behind, "dark", "stand", outline=foot),
            Part(0, "lathe", (), behind, "body", "stand", outline=post),
            Part(0, "cylinder", (0.03, 0.2), translation(0.0, 0.06, _HEIGHT) @ ALONG_Y, "steel", "pin"),
            Part(0, "cylinder", (0.05, 0.07), translation(0.0, 0.0, _HEIGHT) @ ALONG_Y, "joint", "pin"),
            Part(1, "sphere", (0.028,), np.eye(4), "joint", "tip"),
        )
        return ArmShape(
            links=("stand", "tip"),
            parts=parts,
            curves=(Curve("beam", 0.022, "accent"),),
            tip=(1, (0.0, 0.0, 0.0)),
            centre=(0.0, 0.0, _HEIGHT - 0.45),
            radius=1.05,
        )

    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """The stand, and a frame at the beam's tip."""
        frames = np.tile(np.eye(4), (len(y), 2, 1, 1))
        frames[:, 1, :3, 3] = self._line(scenario, y)[:, -1]
        return frames

    def curves(self, scenario: Setup, t: Array, y: Array) -> Mapping[str, Array]:
        """The beam's axis, (n, k, 3)."""
        return {"beam": self._line(scenario, y)}

    def _line(self, scenario: Setup, y: Array) -> Array:
        """Points along the beam: turned by q1 from hanging down, bent across."""
        x = np.linspace(0.0, 1.0, _POINTS)
        bend = float(str(scenario.view["deflection"])) * (y[:, 1:_COUNT] @ deflection(x).T)
        c, s = np.cos(y[:, :1]), np.sin(y[:, :1])
        return np.stack([x * s + bend * c, np.zeros_like(bend), _HEIGHT - x * c + bend * s], axis=2)


@cache
def coefficients(form: str) -> tuple[Array, Array]:
    """b (9,) and A (9, 8) of q'' = b sin(q1) + A (q2 .. q9), as printed or as derived."""
    if form == "modes":
        return acceleration()
    rows = json.loads(assets.read_text("robots/beam.json"))["rows"]
    b = np.array([float(row["sin"]) for row in rows])
    return b, np.array([[float(row.get(f"q{j + 1}", 0.0)) for j in range(1, _COUNT)] for row in rows])


@cache
def _form() -> ClosedForm:
    from solvers.codegen.closed_form import ClosedForm

    return ClosedForm(beam, 2 * _COUNT, {"b": (_COUNT,), "A": (_COUNT, SHAPES)})


ROBOT = Beam()
