"""What acts in the joints and on the links, compiled: the motors' laws, friction, and a pulling hand."""

from __future__ import annotations

from robots.dynamics.kernels.held import held_torque
from robots.dynamics.kernels.track import on_track
from robots.dynamics.tree.kernels.dynamics import compose, gather, joints_of, move, place, weigh
from robots.dynamics.tree.kernels.log import between, moving, piece
from robots.dynamics.tree.layout import (
    COMPUTED,
    CONSTANT,
    DAMPING,
    FORCE,
    FRICTION,
    GAIN_D,
    GAIN_P,
    GRAVITY,
    HEADER,
    HELD,
    JOINTS,
    LAW,
    LEADS,
    LOG,
    LOGGED,
    MOVE_TIME,
    NUMBER,
    ORIGIN,
    PD,
    PD_GRAVITY,
    POINT,
    PULLED,
    ROW,
    START,
    STIFFNESS,
    TARGET,
    TORQUE,
    TRACK,
    VELOCITY,
)
from solvers.kernels.signatures import MATRIX, VECTOR, f8, helper, i8, separate, void


@helper
def quintic(t, span, start, target):
    """Position, rate and acceleration at `t` of a move from start to target in `span`, at rest at both ends."""
    s = min(max(t / span, 0.0), 1.0)
    gap = target - start
    return (
        start + gap * s * s * s * (10.0 + s * (6.0 * s - 15.0)),
        gap / span * 30.0 * s * s * (1.0 - s) * (1.0 - s),
        gap / (span * span) * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
    )


@helper
def planned(t, params, first, i):
    """Position, rate and acceleration of joint `i` at `t` on the move or the log, whose row begins at `first`."""
    row = joints_of(params)[i]
    if params[LOGGED] == 0.0:
        return quintic(t, params[MOVE_TIME], row[START], row[TARGET])
    if row[LEADS] != 0.0:
        return moving(t, params, first, int(row[NUMBER]))
    return row[TARGET], 0.0, 0.0


@separate(f8(f8, VECTOR, i8))
def planned_value(t, params, index):
    """One of the three values of `planned`, three for each joint."""
    first = piece(t, params) if params[LOGGED] > 0.0 else 0
    return planned(t, params, first, index // 3)[index % 3]


@separate(void(f8, VECTOR, VECTOR, VECTOR, VECTOR))
def demand(t, params, q, v, a):
    """What computed torque asks for at `t`, (n,): the move or the log, and gains on what is missing."""
    joints = joints_of(params)
    first = 0
    if params[LOGGED] > 0.0:
        first = piece(t, params)
    for i in range(joints.shape[0]):
        row = joints[i]
        x, rate, push = planned(t, params, first, i)
        a[i] = push + row[GAIN_D] * (rate - v[i]) + row[GAIN_P] * (x - q[i])


@helper
def pull(t, params, target, world):
    """Take the force of the pulling hand from FORCE of its link; `target` (3,) is where the hand is [m]."""
    w = world[int(params[PULLED])]
    x, y, z = params[POINT], params[POINT + 1], params[POINT + 2]
    rx = w[ORIGIN] + w[0] * x + w[1] * y + w[2] * z
    ry = w[ORIGIN + 1] + w[3] * x + w[4] * y + w[5] * z
    rz = w[ORIGIN + 2] + w[6] * x + w[7] * y + w[8] * z
    wx, wy, wz = w[VELOCITY], w[VELOCITY + 1], w[VELOCITY + 2]
    k, d = params[STIFFNESS], params[DAMPING]
    fx = k * (target[0] - rx) - d * (w[VELOCITY + 3] + wy * rz - wz * ry)
    fy = k * (target[1] - ry) - d * (w[VELOCITY + 4] + wz * rx - wx * rz)
    fz = k * (target[2] - rz) - d * (w[VELOCITY + 5] + wx * ry - wy * rx)
    w[FORCE] -= ry * fz - rz * fy
    w[FORCE + 1] -= rz * fx - rx * fz
    w[FORCE + 2] -= rx * fy - ry * fx
    w[FORCE + 3] -= fx
    w[FORCE + 4] -= fy
    w[FORCE + 5] -= fz


@separate(void(f8, VECTOR, VECTOR, MATRIX))
def pull_now(t, params, gravity, world):
    """The pull at `t`, towards the track after the joints' rows; `gravity` (3,) is scratch."""
    count, first = int(params[TRACK]), HEADER + int(params[JOINTS]) * ROW
    track = params[first : first + 4 * count].reshape(count, 4)
    for k in range(3):
        gravity[k] = on_track(t, track, 1 + k)
    pull(t, params, gravity, world)


@separate(void(f8, VECTOR, VECTOR, VECTOR, VECTOR))
def law(t, params, q, v, torques):
    """Torques of the motors, without those that carry the weight, and of friction: `torques`, (n,)."""
    joints = joints_of(params)
    first = 0
    if params[LAW] == LOG:
        first = piece(t, params)
    for i in range(joints.shape[0]):
        row = joints[i]
        torque = -row[FRICTION] * v[i]
        if params[LAW] == CONSTANT:
            torque += row[TORQUE]
        elif params[LAW] == PD or params[LAW] == PD_GRAVITY:
            torque += row[GAIN_P] * (row[TARGET] - q[i]) - row[GAIN_D] * v[i]
        elif params[LAW] == LOG and row[LEADS] != 0.0:
            torque += between(t, params, first, int(row[NUMBER]))
        elif params[LAW] == HELD and row[LEADS] != 0.0:
            torque += held_torque(t, params, int(row[NUMBER]))
        torques[i] = torque


@separate(f8(f8, VECTOR, i8))
def logged_torque(t, params, number):
    """The torque of a joint in the log at `t`."""
    return between(t, params, piece(t, params), number)


@helper
def felt(params, gravity):
    """The gravity that the joints feel, (3,): none where their torques carry it."""
    carried = params[LAW] == PD_GRAVITY or params[LAW] == COMPUTED
    for k in range(3):
        gravity[k] = 0.0 if carried else params[GRAVITY + k]


@separate(void(f8, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, VECTOR))
def balance(t, params, q, v, zero, gravity, world, M, forces):
    """The inertia matrix `M` of all joints, (n, n), and the `forces` that are left to move them, (n,).

    `M` and `zero`, (n,), come as zeros; the torques of `law` are left in `zero`, and the links in `world`, (n, STATE).
    `gravity`, (3,), is scratch.
    """
    joints = joints_of(params)
    n = joints.shape[0]
    place(joints, q, world)
    weigh(joints, world)
    felt(params, gravity)
    computed = params[LAW] == COMPUTED
    # Computed torque carries all that moves, so that only what it does not know is left.
    move(joints, gravity, zero if computed else v, zero, world)
    if params[TRACK] > 0.0:
        if computed:
            move(joints, gravity, v, zero, world)
            for i in range(n):
                for k in range(FORCE, FORCE + 6):
                    world[i, k] = 0.0
        pull_now(t, params, gravity, world)
    gather(joints, world, forces)
    compose(joints, world, M)
    law(t, params, q, v, zero)
    for i in range(n):
        forces[i] = zero[i] - forces[i]
