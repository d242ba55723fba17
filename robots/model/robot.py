"""A robot: facts, equations, looks, and the errors that need no reference."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from assets.errors import shortened
from assets.fields import Field, Value, Values
from robots.model.shapes import ArmShape, Array, Pose

if TYPE_CHECKING:
    from robots.dynamics.stops import Stops
    from robots.model.companion import Companion
    from robots.model.sampling import Sampling
    from robots.model.segments import Pull
    from robots.model.setup import Setup
    from solvers.control import Control
    from solvers.events import Trajectory
    from solvers.integrate import Integration
    from solvers.method import Method
    from solvers.problem import OdeProblem
    from solvers.solution import Solution

Equations = Callable[[Any, Any, Any], list[Any]]
"""A right-hand side `f(t, y, p)` of numbers, arrays or recorded expressions alike; `p` has the parameters by name."""


UNITS = {"q": "rad", "v": "rad/s", "u": "N m"}
"""Units of coordinates, rates and torques of joints that turn."""

LONGEST_NAME = 40
"""Characters of a joint's name in labels and legends; the middle of a longer name is left out."""


def of_joint(column: str, letters: str = "qvu") -> bool:
    """Whether a named output belongs to a joint: `q1` is a position, `v1` a rate, `u1` a torque."""
    return column[:1] in letters and column[1:].isdigit()


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One quantity over time, for a plot: `values` (n,) or (n, k) with one label per column.

    Attributes:
        allowed: where the values should stay; plots draw finite ends as lines and warn beyond them.
    """

    label: str
    unit: str
    values: Array
    labels: tuple[str, ...] = ()
    log: bool = False
    allowed: tuple[float, float] = (-inf, inf)


def energy_series(kinetic: Array, potential: Array) -> Series:
    """An energy and its two parts, (n,) each [J]."""
    values = np.stack([kinetic, potential, kinetic + potential], axis=1)
    return Series("energy", "J", values, ("kinetic", "potential", "total"))


@dataclass(frozen=True, slots=True, eq=False)
class Mobility:
    """How easily the tip moves in every direction.

    Attributes:
        axes: (3, 3) the half axes of the velocity ellipsoid as columns: the tip's velocities for joint rates of norm 1
            [m/s per rad/s].
        singular: whether the arm is near a singular posture.
    """

    axes: Array
    singular: bool


class Problem(Protocol):
    """What an `OdeProblem`, a `DaeProblem` and a `MultibodyProblem` have in common: frozen dataclasses."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def initial(self) -> Array:
        """The initial state, (d,)."""
        ...

    @property
    def t0(self) -> float:
        """Where the span begins [s]."""
        ...

    @property
    def t1(self) -> float:
        """Where it ends [s]."""
        ...

    @property
    def breaks(self) -> tuple[float, ...]:
        """Where the equations are not smooth [s]."""
        ...

    @property
    def kinds(self) -> frozenset[str]:
        """What it is, in the words of `Method.problems`."""
        ...


class Robot(ABC):
    """An arm as mathematics; one file in `robots/catalog`, whose instance is called `ROBOT`.

    A robot has no state. Everything that a person can change is in the Scenario; methods read it there. Kernels are
    imported inside methods, so that listing robots costs nothing.

    Class attributes:
        key: name in scenarios; the file's stem with `_` written as `-`.
        title, summary, source: texts for people; the summary is one or two sentences.
        choices: what the source leaves open and is chosen here, a sentence each.
        group: the heading under which the gallery shows its presets, where that is not its title.
        parameters, task, initial: the editable fields (`robot.*`, `task.*`, `initial.*`).
        shaping: paths of fields that decide which other fields and coordinates there are.
        looks: fields that change the picture alone (`view.*`).
        joints: names of the joints of q1.. qn, where a file gives them.
        pullable: links that a person may pull with a spring force.
        reference_methods: two different (method key, control) pairs for the reference run; None when there can be none.
        no_reference: why there can be none, as the end of a sentence.
        bends: whether its joints or links are elastic, so that it has zero dynamics.
        only_notes: whether an `integrate` of its own adds nothing but notes to the solution.
        numerical: task fields that change how the equations are solved, not their exact solution.
        suited: methods from which the first that can integrate the equations is taken, where a change of other values
            has made the present one unsuitable.
        defaults: other values of a new scenario (`method`, `step`, `duration`).
        usual_methods: keys of methods with a button of their own.
        usual_steps: steps [s] with a button; they are then sampling periods.
        plots: keys of the window's plots that suit it, where the usual ones do not.
        error_names: what an error compares, in words, by its key without the unit, where the usual words do not fit.
        error_units: the unit of an error by the same key, where it differs from the key's ending, which stays as it is
            in files.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str] = ""
    choices: ClassVar[tuple[str, ...]] = ()
    group: ClassVar[str] = ""
    parameters: ClassVar[tuple[Field, ...]] = ()
    task: ClassVar[tuple[Field, ...]] = ()
    initial: ClassVar[tuple[Field, ...]] = ()
    shaping: ClassVar[tuple[str, ...]] = ()
    looks: ClassVar[tuple[Field, ...]] = ()
    joints: ClassVar[tuple[str, ...]] = ()
    pullable: ClassVar[tuple[int, ...]] = ()
    reference_methods: ClassVar[tuple[tuple[str, Control], tuple[str, Control]] | None] = None
    no_reference: ClassVar[str] = "it names no two methods for one"
    bends: ClassVar[bool] = False
    only_notes: ClassVar[bool] = False
    numerical: ClassVar[tuple[str, ...]] = ()
    suited: ClassVar[tuple[str, ...]] = ("dopri5",)
    defaults: ClassVar[Values] = {}
    usual_methods: ClassVar[tuple[str, ...]] = ()
    usual_steps: ClassVar[tuple[float, ...]] = ()
    plots: ClassVar[tuple[str, ...]] = ()
    error_names: ClassVar[Mapping[str, str]] = {}
    error_units: ClassVar[Mapping[str, str]] = {}

    def shaped(self, setup: Setup) -> Robot:
        """The robot with the scenario's values of its `shaping` fields; those that are not given have their defaults.

        Raises:
            BadInput: naming the field.
        """
        return self

    def kinds(self, scenario: Setup, pulled: bool = False) -> frozenset[str]:
        """What the equations of `problem` are, in the words of `Method.problems`; found without making them.

        Args:
            scenario: as for `problem`.
            pulled: whether a pull acts.
        """
        given = not pulled and self.equations(scenario) is not None
        return frozenset({"ode", "second-order"} | ({"elementary"} if given else set()))

    def takes(self, scenario: Setup, method: Method, pulled: bool = False) -> bool:
        """Whether the method can integrate the equations, with a pull (`pulled`) or without one."""
        return not method.problems.isdisjoint(self.kinds(scenario, pulled))

    # -- equations -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def problem(self, scenario: Setup, pull: Pull | None = None) -> Problem:
        """The equations of motion on [0, duration] as an `OdeProblem` or a `DaeProblem`.

        Args:
            scenario: parameters, task and initial state (segments are the caller's business).
            pull: the spring force that acts during this problem, if any.
        """

    def equations(self, scenario: Setup) -> tuple[Equations, Values] | None:
        """A closed form's right-hand side without a pull, and its parameters by name; None if there is none."""
        return None

    def reference_problem(self, scenario: Setup, pull: Pull | None = None) -> Problem:
        """The equations that the reference run integrates, if they are not those of `problem`."""
        return self.problem(scenario, pull)

    def integrate(
        self, problem: Problem, method: Method, control: Control, **settings: Unpack[Integration]
    ) -> Solution:
        """Integrate `problem`; a robot with a scheme of its own (a changing partition) replaces this."""
        from solvers.integrate import integrate

        return integrate(cast("OdeProblem", problem), method, control, **settings)

    def sampling(self, scenario: Setup) -> Sampling | None:
        """When its control samples; None where its torques act at every instant, or nothing is sampled."""
        return None

    def stops(self, scenario: Setup) -> Stops | None:
        """The hard stops of its joints, if it has any."""
        return None

    def at_rest(self, scenario: Setup, pull: Pull | None, joints: tuple[int, ...]) -> Problem | None:
        """The equations while some joints, by their place in the state, rest against stops; None if there are none."""
        return None if joints else self.problem(scenario, pull)

    def held_gain(self, scenario: Setup) -> float | None:
        """The gain of a tracking error that is fed back once per step [1/s]; None where nothing is."""
        return None

    def check(self, scenario: Setup) -> None:  # noqa: B027 - an optional hook
        """Refuse combinations of values that no single field can judge.

        Raises:
            BadInput: naming the field.
        """

    def remark(self, scenario: Setup, motion: Trajectory) -> str:
        """Messages about a phase of a run (limits exceeded, a path out of reach), as sentences.

        Args:
            scenario: of the phase.
            motion: its states and their dense output, on which what happens between two states is found.
        """
        return ""

    def forecast(self, scenario: Setup) -> str:
        """The cost of a long computation, measured on a short part of it, as a sentence; empty for others.

        It may take a second, and runs beside the computation itself.
        """
        return ""

    # -- outputs -------------------------------------------------------------------------------------------------------

    @abstractmethod
    def columns(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """The named outputs (`q1.. v1.. u1..`, SI, radians) at times `t` (n,) for states `y` (n, d): name to (n,)."""

    def joint_of(self, column: str) -> str:
        """The name of the joint that a column (q1, v1, u1) belongs to; empty without one, or where it only counts."""
        number = column[1:]
        place = int(number) - 1 if number.isdigit() else -1
        name = self.joints[place] if 0 <= place < len(self.joints) else ""
        return "" if re.search(rf"joint[ _]?{number}$", name) else shortened(name, LONGEST_NAME)

    def unit(self, column: str) -> str:
        """The SI unit of a named output; empty where it has none that plots know."""
        return UNITS[column[0]] if of_joint(column) else ""

    def errors(self, scenario: Setup, t: Array, y: Array) -> dict[str, Array]:
        """Errors that need no reference (tracking, constraints): name with unit to (n,)."""
        return {}

    def invariants(self, scenario: Setup, t: Array, y: Array, pull: Pull | None = None) -> dict[str, Array]:
        """What the exact solution keeps constant (`energy_J`), name with unit to (n,); empty while work is done."""
        return {}

    def reference_errors(self, scenario: Setup, t: Array, y: Array, exact: Array) -> dict[str, Array]:
        """Errors of `y` (n, d) against the states of the reference run `exact` (n, d): name with unit to (n,)."""
        ours, theirs = self.columns(scenario, t, y), self.columns(scenario, t, exact)
        gaps = [np.abs(ours[name] - theirs[name]) for name in ours if of_joint(name, "q")]
        return {"reference_q_rad": np.max(gaps, axis=0)} if gaps else {}

    def run_states(self, scenario: Setup, t: Array, exact: Array) -> Array:
        """States for `columns` and `poses`, (n, d), from those of the reference run `exact`, (n, e)."""
        return exact

    def series(self, scenario: Setup, t: Array, y: Array) -> dict[str, Series]:
        """Further quantities worth plotting, by key."""
        return {}

    def companion(self, scenario: Setup, t: Array, y: Array) -> Companion | None:
        """A second motion that the result causes (the arm driven by computed torques), if asked for."""
        return None

    def modes(self, scenario: Setup, y: Array) -> NDArray[np.complex128]:
        """Eigenvalues [1/s] of the dynamics hidden in a differential-algebraic problem, for one state `y` (d,)."""
        return np.zeros(0, dtype=complex)

    # -- looks ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def shape(self, scenario: Setup) -> ArmShape:
        """How the arm looks with this scenario's parameters."""

    @abstractmethod
    def poses(self, scenario: Setup, t: Array, y: Array) -> Array:
        """`world_from_link`, (n, links, 4, 4), at times `t` (n,) for states `y` (n, d)."""

    def curves(self, scenario: Setup, t: Array, y: Array) -> Mapping[str, Array]:
        """Points of each flexible curve of the shape, name to (n, k, 3) [m]."""
        return {}

    def pose(self, scenario: Setup, t: float, y: Array) -> Pose:
        """The arm at one instant, for one state `y` (d,)."""
        return self.moments(scenario, np.array([t]), np.asarray(y, dtype=float)[None, :])[0]

    def moments(self, scenario: Setup, t: Array, y: Array) -> list[Pose]:
        """The arm at each of the times `t` (n,), for states `y` (n, d)."""
        frames, curves = self.poses(scenario, t, y), self.curves(scenario, t, y)
        return [Pose(frames[k], {name: points[k] for name, points in curves.items()}) for k in range(len(t))]

    def tip_path(self, scenario: Setup, t: Array, y: Array) -> Array:
        """Where the tip is, (n, 3) [m]."""
        tip = self.shape(scenario).tip
        if tip is None:
            return np.empty((0, 3))
        link, point = tip
        frames = self.poses(scenario, t, y)[:, link]
        return frames[:, :3, :3] @ np.asarray(point) + frames[:, :3, 3]

    def desired_path(self, scenario: Setup, t: Array) -> Array | None:
        """Where the tip should be at times `t`, (n, 3) [m], for tasks that track a path."""
        return None

    def reachable(self, scenario: Setup, t: Array) -> NDArray[np.bool_] | None:
        """Whether the tip can be where it should be at times `t`, (n,), for tasks that track a path."""
        return None

    def mobility(self, scenario: Setup, t: float, y: Array) -> Mobility | None:
        """How easily the tip moves at one instant, for one state `y` (d,), or None."""
        return None

    def readings(self, scenario: Setup, t: float, y: Array) -> dict[str, float]:
        """Further numbers worth reading at one instant, for one state `y` (d,), by name; pure numbers."""
        return {}

    def handles(self, scenario: Setup) -> Array | None:
        """Points of the task that a person may drag, (k, 3) [m], or None."""
        return None

    def drag(self, scenario: Setup, handle: int, point: Array) -> dict[str, Value]:
        """The edits (path to value) that put the handle of that number at `point`, (3,) [m]."""
        return {}
