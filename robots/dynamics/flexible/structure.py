"""Arms whose joints and links bend: the general structure of paper 5, of which each catalog entry is an instance.

A `Build` says which joints of a planar chain have motors, whether gears lie between, what the tool must follow. The
inverse dynamics is a differential-algebraic equation in one of several formulations; each is a row of the table
below.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from assets.errors import ArmstepError, BadInput
from robots.model.robot import Array


@dataclass(frozen=True, slots=True)
class Formulation:
    """Which rows and unknowns a formulation has.

    Attributes:
        label: what a person reads.
        text: the equation of the paper and what it is.
        orders: derivatives of the constraint that are rows: 0, 1, 2.
        powers: for each order, how often its row is divided by the step.
        drop_actuated, drop_passive: leave out the kinematic rows of these joints.
        dummy_rates, dummy_accelerations: extra unknowns for the actuated joints.
        kind: `rows` of the equations and their derivatives; `array` for the derivative array; `decoupled`.
    """

    label: str
    text: str
    orders: tuple[int, ...] = (0,)
    powers: tuple[int, ...] = ()
    drop_actuated: bool = False
    drop_passive: bool = False
    dummy_rates: bool = False
    dummy_accelerations: bool = False
    kind: str = "rows"


FORMULATIONS = {
    "HI": Formulation("Index 2 (original)", "(40): the index-2 equations as they stand", powers=(1,)),
    "DD43": Formulation(
        *("Dummy derivatives (43)", "(43): the actuated rate as a dummy derivative", (0, 1), (1, 1)),
        drop_actuated=True,
        dummy_rates=True,
    ),
    "DD44": Formulation(
        *("Dummy derivatives (44)", "(44): (43) without the dummy derivative's row", (0, 1), (1, 1)), drop_actuated=True
    ),
    "DD48": Formulation(
        *("Dummy derivatives (48)", "(48): two dummy derivatives, singular", (0, 1, 2), (1, 1, 1)),
        drop_actuated=True,
        drop_passive=True,
    ),
    "DD49": Formulation(
        *("Dummy derivatives (49)", "(49): the constraint and its second derivative", (0, 2), (1, 1)),
        drop_actuated=True,
    ),
    "I3": Formulation("Index 3 (original)", "(32): the index-3 equations as they stand", powers=(2,)),
    "I2": Formulation("Index 2", "(33): differentiated once", (0, 1), (2, 1), drop_actuated=True),
    "KM": Formulation(
        "Derivative array",
        "(38): the derivative array of Kunkel and Mehrmann, an underdetermined system",
        kind="array",
    ),
    "DC": Formulation(
        "Decoupled", "(21), then (20): decoupled into an ordinary differential equation and algebra", kind="decoupled"
    ),
    "I1": Formulation(
        *("Index 1", "(34): differentiated twice", (0, 1, 2), (1, 1, 1)), drop_actuated=True, dummy_accelerations=True
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Build:
    """One arm with its numbers.

    Attributes:
        masses, centres, lengths, inertias: of the bodies, (n,) each [kg, m, m, kg m2].
        motor_of: (n,) index of the motor that drives a joint, -1 for a passive joint.
        stiffness, damping: of the joints' springs, (n,) [N m/rad, N m s/rad]; unused at actuated joints without gears.
        motor_inertias: (actuated,) [kg m2]; empty without gears.
        gears: whether springs lie between motors and joints.
        outputs: bits of the controlled coordinates: 1 for x, 2 for z.
        up: +1 where z = -sum l sin(phi), -1 where z = +sum l sin(phi).
        gravity: [m/s2].
        constant_inertia: (n, n) joint inertia of a simplified model without velocity terms and gravity, or None.
        printed: whether u has the springs that equation (16a) prints.
    """

    masses: Array
    centres: Array
    lengths: Array
    inertias: Array
    motor_of: np.ndarray
    stiffness: Array
    damping: Array
    motor_inertias: Array
    gears: bool
    outputs: int
    up: int
    gravity: float
    constant_inertia: Array | None = None
    printed: bool = False

    @property
    def joints(self) -> int:
        """Number of joints and bodies n."""
        return len(self.lengths)

    @property
    def actuated(self) -> int:
        """Number of motors N."""
        return int(np.max(self.motor_of)) + 1

    @property
    def coordinates(self) -> int:
        """Joint and motor angles together."""
        return self.joints + (self.actuated if self.gears else 0)

    def chain(self) -> Array:
        """The numbers of `robots.dynamics.kernels.planar_chain`."""
        from robots.dynamics.kernels import planar_chain as kernel

        n = self.joints
        table, lever = self.absolute()
        frozen = np.zeros((n, n)) if self.constant_inertia is None else self.constant_inertia
        head = np.zeros(kernel.TABLES)
        head[kernel.COUNT], head[kernel.UP], head[kernel.GRAVITY] = n, self.up, self.up * self.gravity
        head[kernel.FROZEN] = self.constant_inertia is not None
        return np.concatenate([head, table.ravel(), lever, self.lengths, frozen.ravel()])

    def absolute(self) -> tuple[Array, Array]:
        """A (n, n) and b (n,) of Lagrange's equations in absolute angles, see `dynamics.kernels.planar_chain`."""
        n, m, l, xi = self.joints, self.masses, self.lengths, self.centres
        beyond = np.array([m[i + 1 :].sum() for i in range(n)])
        table, lever = np.diag(self.inertias + m * xi**2 + l**2 * beyond), m * xi + l * beyond
        for i in range(n):
            for j in range(i + 1, n):
                table[i, j] = table[j, i] = l[i] * lever[j]
        return table, lever

    def inertia(self, q: Array) -> Array:
        """The joint inertia matrix M(q), (n, n)."""
        return self.torque(q, np.zeros_like(q))[3]

    def torque(self, q: Array, v: Array, a: Array | None = None) -> tuple[Array, Array, Array, Array]:
        """Joint torques M a + c + g, (n,), without `a` c + g, and their derivatives by q, v, and M, (n, n)."""
        from robots.dynamics.kernels.planar_chain import torques

        n = self.joints
        out, tables = np.empty(n), [np.empty((n, n)) for _ in range(3)]
        rates, slopes = np.array(v, float), np.zeros(n) if a is None else np.array(a, float)
        torques(self.chain(), np.array(q, float), rates, slopes, out, tables[0], tables[1], tables[2], np.empty(3 * n))
        return out, tables[0], tables[1], tables[2]

    def tool(self, q: Array, v: Array | None = None) -> tuple[Array, Array]:
        """The tool's position, velocity, and acceleration at zero joint accelerations, (3, 2); Jacobian (2, n)."""
        from robots.dynamics.kernels.planar_chain import tool

        n = self.joints
        place, tables = np.empty((3, 2)), [np.empty((2, n)) for _ in range(4)]
        rates = np.zeros(n) if v is None else np.array(v, float)
        tool(self.chain(), np.array(q, float), rates, np.zeros(n), place, *tables)
        return place, tables[0]

    @property
    def axes(self) -> list[int]:
        """The controlled axes: 0 for x, 1 for z."""
        return [axis for axis in (0, 1) if self.outputs >> axis & 1]


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """The tool's reference, from `start` to `end` (x, z) [m] in `time` [s]; an arc is `sweep` [rad] about `end`."""

    start: Array
    end: Array
    time: float
    sweep: float = 0.0
    arc: bool = False


def at_rest(build: Build, target: Array, guess: Array) -> tuple[Array, Array]:
    """The steady posture whose tool is at `target` (2,): joints (n,) and motors (actuated,), sag included [rad].

    Raises:
        ArmstepError: when there is none near `guess`.
    """
    q, axes = np.array(guess, dtype=float), build.axes
    passive = np.flatnonzero(build.motor_of < 0)
    for _ in range(60):
        load, by_q, _, _ = build.torque(q, np.zeros_like(q))
        place, jacobian = build.tool(q)
        gap = np.concatenate([load[passive] + build.stiffness[passive] * q[passive], (place[0] - target)[axes]])
        matrix = np.vstack([by_q[passive] + np.diag(build.stiffness)[passive], jacobian[axes]])
        try:
            change = np.linalg.solve(matrix, gap)
        except np.linalg.LinAlgError:
            break
        q -= np.clip(change, -0.5, 0.5)
        if np.max(np.abs(change)) < 1e-15 * (1.0 + np.max(np.abs(q))) * 10.0:
            load = build.torque(q, np.zeros_like(q))[0]
            driven = np.flatnonzero(build.motor_of >= 0)
            order = driven[np.argsort(build.motor_of[driven])]
            motors = q[order] + load[order] / build.stiffness[order] if build.gears else np.zeros(0)
            return q, motors
    place = f"x, z = {target[0]:g}, {target[1]:g} m"
    raise ArmstepError(f"No posture puts the tool at {place}: {_hindrance(build, target, guess)}.")


def _hindrance(build: Build, target: Array, guess: Array) -> str:
    """Why there is no steady posture: the place itself, or the weight on the springs."""
    if build.gravity:
        with suppress(ArmstepError):
            at_rest(replace(build, gravity=0.0), target, guess)
            passive = build.stiffness[build.motor_of < 0]
            return f"a passive spring of {passive.min():g} N m/rad is too soft for the weight it carries"
    return "out of reach"


def pack(build: Build, move: Move, form: Formulation) -> Array:
    """The parameters that the kernels read, scratch memory included."""
    from robots.dynamics.flexible.kernels import flexible_ode
    from robots.dynamics.flexible.kernels import inverse_dynamics as kernel

    n, chain = build.joints, build.chain()
    params = np.zeros(kernel.CHAIN + kernel.chain_size(n) + kernel.scratch_size(n))
    params[kernel.JOINTS], params[kernel.ACTUATED] = n, build.actuated
    params[kernel.GEARS], params[kernel.OUTPUTS], params[kernel.PRINTED] = build.gears, build.outputs, build.printed
    params[kernel.DROP_ACTUATED], params[kernel.DROP_PASSIVE] = form.drop_actuated, form.drop_passive
    params[kernel.DUMMY_RATES], params[kernel.DUMMY_ACCELERATIONS] = form.dummy_rates, form.dummy_accelerations
    params[kernel.CONSTRAINTS] = sum(1 << order for order in form.orders)
    params[kernel.MOVE_TIME], params[kernel.PATH] = move.time, kernel.ARC if move.arc else kernel.LINE
    params[kernel.START : kernel.START + 2], params[kernel.END : kernel.END + 2] = move.start, move.end
    params[kernel.SWEEP] = move.sweep
    for place, values in (
        (kernel.MOTOR_OF, build.motor_of),
        (kernel.STIFFNESS, build.stiffness),
        (kernel.DAMPING, build.damping),
        (kernel.INERTIA, build.motor_inertias),
        (kernel.CHAIN, chain),
    ):
        params[place : place + len(values)] = values
    room = int(flexible_ode.parameters_end(params)) - len(params)
    return np.concatenate([params, np.zeros(max(room, 0))])


def tool_places(build: Build, y: Array) -> Array:
    """The tool's (x, z) in the arm's plane, (m, 2) [m], for states (m, d) that begin with the joints."""
    angles = np.cumsum(y[:, : build.joints], axis=1)
    return np.column_stack([np.cos(angles) @ build.lengths, -build.up * np.sin(angles) @ build.lengths])


def wanted_places(build: Build, move: Move, t: Array) -> Array:
    """Where the tool should be, (x, z) at times t, (m, 2) [m]."""
    from robots.dynamics.flexible.kernels.inverse_dynamics import wanted_many

    out = np.empty((len(t), 2))
    wanted_many(np.array(t, dtype=float), pack(build, move, FORMULATIONS["DD44"]), out)
    return out


def tool_gaps(build: Build, move: Move, t: Array, y: Array) -> Array:
    """How far the tool is from where it should be in the controlled directions, (m,) [m]; `y` as for `tool_places`."""
    return np.linalg.norm((tool_places(build, y) - wanted_places(build, move, t))[:, build.axes], axis=1)


def state_rates(x: Array, order: int, step: float) -> Array:
    """x' at every row by the k-step formula, (m, n); before its first row x (m, n) has stood still."""
    from solvers.methods.bdf import derivative_weights

    weights = derivative_weights(order, step)
    padded = np.vstack([np.repeat(x[:1], order, axis=0), x])
    return np.asarray(sum(w * padded[order - lag : len(padded) - lag] for lag, w in enumerate(weights)))


def check_positive_damping(build: Build) -> None:
    """Refuse a reference where it would divide by zero.

    Raises:
        BadInput: for a gear without a damper.
    """
    for joint in np.flatnonzero(build.motor_of >= 0):
        if build.gears and build.damping[joint] == 0.0:
            must = "above 0 for a reference run: without damping the index is higher"
            raise BadInput(f"robot.d{joint + 1}", 0.0, must)
