"""Inverse dynamics of a planar arm with flexible joints as F(t, x, x') = 0, with its exact iteration matrix.

Joints of the chain are actuated or passive. With gears (paper 5's E12) every actuated joint is driven through a
spring by a motor whose angle is an unknown; without (E1) the motor acts on the joint itself. The unknowns are x =
(joints, motors, their rates, extras). The rows, in this order:

- torque balances: of every joint with gears, of the passive joints without (the others only define u);
- kinematics angle' = rate, without those of actuated or passive joints when the formulation drops them;
- with dummy rates (paper 5's (43)): extra unknown - rate = 0 for each actuated joint;
- the constraint Gamma(q) = theta(t) and those of its first two derivatives that the formulation asks for.

With dummy accelerations (paper 5's (34)) the accelerations of the actuated joints are extra unknowns.

`params` places are the constants below; after them come the chain of `robots.dynamics.kernels.planar_chain` and the
scratch memory.

Source: S. Moberg, S. Hanssen, Inverse Dynamics of Flexible Manipulators, equations (17), (32)-(34), (40), (43), (44),
(48), (49).
"""

from __future__ import annotations

from numpy import cos, sin

from robots.dynamics.kernels.planar_chain import TABLES, tool, torques
from solvers.kernels.signatures import MATRIX, SYSTEM, VECTOR, compiled, f8, helper, i8, separate, void

JOINTS, ACTUATED, GEARS, OUTPUTS = 0, 1, 2, 3
DROP_ACTUATED, DROP_PASSIVE, DUMMY_RATES, DUMMY_ACCELERATIONS, CONSTRAINTS = 4, 5, 6, 7, 8
MOVE_TIME, PATH, START, END, SWEEP = 9, 10, 11, 13, 15
PRINTED = 16
MOTOR_OF, STIFFNESS, DAMPING, INERTIA = 20, 28, 36, 44
CHAIN = 52
LINE, ARC = 0, 1
MOST = 8


@helper
def chain_size(n):
    """Length of the chain's numbers for n joints."""
    return TABLES + 2 * n * n + 2 * n


@helper
def scratch_size(n):
    """Length of the scratch memory for n joints."""
    return 10 * n + 3 * n * n + 6 + 8 * n + 6


@helper
def polynomial(x, out):
    """s(x), s', s'' for x in [0, 1]: degree 11, the first five derivatives vanish at both ends."""
    x2 = x * x
    x4 = x2 * x2
    out[0] = x4 * x2 * (462.0 + x * (-1980.0 + x * (3465.0 + x * (-3080.0 + x * (1386.0 - 252.0 * x)))))
    out[1] = x4 * x * (2772.0 + x * (-13860.0 + x * (27720.0 + x * (-27720.0 + x * (13860.0 - 2772.0 * x)))))
    out[2] = x4 * (13860.0 + x * (-83160.0 + x * (194040.0 + x * (-221760.0 + x * (124740.0 - 27720.0 * x)))))


@helper
def progress(t, params):
    """The share of the move's time that has passed, 0 to 1."""
    return min(max(t / params[MOVE_TIME], 0.0), 1.0)


@separate(void(f8, VECTOR, MATRIX))
def follow(share, params, out):
    """`wanted` where a share of the move's time has passed."""
    span, steps = params[MOVE_TIME], out.reshape(6)[0:3]
    polynomial(share, steps)
    s, s1, s2 = steps[0], steps[1] / span, steps[2] / (span * span)
    if params[PATH] == LINE:
        for k in range(2):
            reach = params[END + k] - params[START + k]
            out[0, k], out[1, k], out[2, k] = params[START + k] + s * reach, s1 * reach, s2 * reach
        return
    angle, turn, bend = params[SWEEP] * s, params[SWEEP] * s1, params[SWEEP] * s2
    c, sn = cos(angle), sin(angle)
    for k in range(2):
        along = params[START + k] - params[END + k]
        across = -(params[START + 1] - params[END + 1]) if k == 0 else params[START] - params[END]
        out[0, k] = params[END + k] + c * along + sn * across
        out[1, k] = turn * (c * across - sn * along)
        out[2, k] = bend * (c * across - sn * along) - turn * turn * (c * along + sn * across)


@helper
def wanted(t, params, out):
    """The tool's reference (x, z), its velocity and acceleration at t: out is (3, 2) [m, m/s, m/s^2]."""
    follow(progress(t, params), params, out)


@helper
def _clear(F, J):
    for i in range(F.size):
        F[i] = 0.0
        for j in range(F.size):
            J[i, j] = 0.0


@helper
def _accelerations(x, rate, params, a):
    """Joint accelerations: rates of the rate unknowns, or the dummy accelerations."""
    n, motors = int(params[JOINTS]), int(params[ACTUATED] * params[GEARS])
    first = 2 * (n + motors)
    for i in range(n):
        motor = int(params[MOTOR_OF + i])
        dummy = params[DUMMY_ACCELERATIONS] != 0.0 and motor >= 0
        a[i] = x[first + motor] if dummy else rate[n + motors + i]


@separate(void(i8, MATRIX, MATRIX, MATRIX, i8, VECTOR, f8, VECTOR, MATRIX))
def _chain_row(row, by_q, by_v, by_a, i, x, alpha, params, J):
    """Add the derivatives of a function of (q, v, a) to row `row` of the iteration matrix."""
    n, motors = int(params[JOINTS]), int(params[ACTUATED] * params[GEARS])
    rates, first = n + motors, 2 * (n + motors)
    for j in range(n):
        motor = int(params[MOTOR_OF + j])
        J[row, j] += by_q[i, j]
        J[row, rates + j] += by_v[i, j]
        if params[DUMMY_ACCELERATIONS] != 0.0 and motor >= 0:
            J[row, first + motor] += by_a[i, j]
        else:
            J[row, rates + j] += alpha * by_a[i, j]


@separate(i8(VECTOR, f8, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR))
def _torque_rows(x, alpha, params, a, F, J, scratch):
    """Torque balances, springs and dampers included; returns the number of rows."""
    n, gears = int(params[JOINTS]), params[GEARS] != 0.0
    rates = n + int(params[ACTUATED] * params[GEARS])
    torque, work = scratch[0:n], scratch[n : 4 * n]
    tables = scratch[4 * n : 4 * n + 3 * n * n].reshape(3, n, n)
    chain = params[CHAIN : CHAIN + chain_size(n)]
    torques(chain, x[0:n], x[rates : rates + n], a, torque, tables[0], tables[1], tables[2], work)
    row = 0
    for i in range(n):
        motor = int(params[MOTOR_OF + i])
        if motor >= 0 and not gears:
            continue
        k, d = params[STIFFNESS + i], params[DAMPING + i]
        F[row] = torque[i] + k * x[i] + d * x[rates + i]
        _chain_row(row, tables[0], tables[1], tables[2], i, x, alpha, params, J)
        J[row, i] += k
        J[row, rates + i] += d
        if motor >= 0:
            F[row] -= k * x[n + motor] + d * x[rates + n + motor]
            J[row, n + motor] -= k
            J[row, rates + n + motor] -= d
        row += 1
    return row


@separate(i8(i8, VECTOR, VECTOR, f8, VECTOR, VECTOR, MATRIX))
def _kinematic_rows(row, x, rate, alpha, params, F, J):
    """angle' = rate for joints (less the dropped) and motors, and the dummy rates; returns the next row."""
    n, motors = int(params[JOINTS]), int(params[ACTUATED] * params[GEARS])
    rates = n + motors
    for i in range(rates):
        motor = int(params[MOTOR_OF + i]) if i < n else -2
        dropped = (motor >= 0 and params[DROP_ACTUATED] != 0.0) or (motor == -1 and params[DROP_PASSIVE] != 0.0)
        if dropped and not (motor >= 0 and params[DUMMY_RATES] != 0.0):
            continue
        J[row, rates + i] = -1.0
        if dropped:
            F[row] = x[2 * rates + motor] - x[rates + i]
            J[row, 2 * rates + motor] = 1.0
        else:
            F[row] = rate[i] - x[rates + i]
            J[row, i] = alpha
        row += 1
    return row


@separate(void(i8, f8, VECTOR, f8, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR))
def _constraint_rows(row, share, x, alpha, params, a, F, J, scratch):
    """Gamma - theta and the derivatives that the formulation asks for."""
    n = int(params[JOINTS])
    rates = n + int(params[ACTUATED] * params[GEARS])
    place, aim = scratch[0:6].reshape(3, 2), scratch[6:12].reshape(3, 2)
    tables = scratch[12 : 12 + 8 * n].reshape(4, 2, n)
    chain = params[CHAIN : CHAIN + chain_size(n)]
    tool(chain, x[0:n], x[rates : rates + n], a, place, tables[0], tables[1], tables[2], tables[3])
    follow(share, params, aim)
    nothing = scratch[12 + 8 * n : 12 + 10 * n].reshape(2, n)
    nothing[:, :] = 0.0
    for order in range(3):
        if (int(params[CONSTRAINTS]) >> order) % 2 == 0:
            continue
        for axis in range(2):
            if (int(params[OUTPUTS]) >> axis) % 2 == 0:
                continue
            F[row] = place[order, axis] - aim[order, axis]
            if order == 0:
                _chain_row(row, tables[0], nothing, nothing, axis, x, alpha, params, J)
            elif order == 1:
                _chain_row(row, tables[1], tables[0], nothing, axis, x, alpha, params, J)
            else:
                _chain_row(row, tables[2], tables[3], tables[0], axis, x, alpha, params, J)
            row += 1


@helper
def equations(share, x, rate, alpha, params, F, J):
    """`system` where a share of the move's time has passed; also of recorded expressions."""
    n = int(params[JOINTS])
    scratch = params[CHAIN + chain_size(n) :]
    a, rest = scratch[0:n], scratch[n:]
    _clear(F, J)
    _accelerations(x, rate, params, a)
    row = _torque_rows(x, alpha, params, a, F, J, rest)
    row = _kinematic_rows(row, x, rate, alpha, params, F, J)
    _constraint_rows(row, share, x, alpha, params, a, F, J, rest)


@separate(SYSTEM)
def system(t, x, rate, alpha, params, F, J):
    """F(t, x, x') and J = dF/dx + alpha dF/dx'."""
    equations(progress(t, params), x, rate, alpha, params, F, J)


@compiled(void(MATRIX, MATRIX, VECTOR, MATRIX))
def motor_torques(states, rates_of, params, u):
    """Motor torques u, (m, actuated) [N m], from the unknowns and their rates (both (m, unknowns)).

    Without gears u is the torque balance of the actuated joint; PRINTED adds the springs that equation (16a) prints
    there. With gears u = Jm vm' - k (q - qm) - d (v - vm).
    """
    n, gears = int(params[JOINTS]), params[GEARS] != 0.0
    motors = int(params[ACTUATED] * params[GEARS])
    rates = n + motors
    scratch = params[CHAIN + chain_size(n) :]
    a, torque, work = scratch[0:n], scratch[n : 2 * n], scratch[2 * n : 5 * n]
    tables = scratch[5 * n : 5 * n + 3 * n * n].reshape(3, n, n)
    chain = params[CHAIN : CHAIN + chain_size(n)]
    for m in range(states.shape[0]):
        x, rate = states[m], rates_of[m]
        for i in range(n):
            a[i] = rate[rates + i]
        if not gears:
            torques(chain, x[0:n], x[rates : rates + n], a, torque, tables[0], tables[1], tables[2], work)
        for i in range(n):
            motor = int(params[MOTOR_OF + i])
            if motor < 0:
                continue
            if gears:
                k, d = params[STIFFNESS + i], params[DAMPING + i]
                twist = k * (x[i] - x[n + motor]) + d * (x[rates + i] - x[rates + n + motor])
                u[m, motor] = params[INERTIA + motor] * rate[rates + n + motor] - twist
            else:
                u[m, motor] = torque[i]
                if params[PRINTED] != 0.0:
                    for j in range(n):
                        if params[MOTOR_OF + j] < 0.0:
                            u[m, motor] -= params[STIFFNESS + j] * x[j] + params[DAMPING + j] * x[rates + j]


@compiled(void(VECTOR, VECTOR, MATRIX))
def wanted_many(times, params, out):
    """The tool's reference (x, z) at many times, out is (m, 2) [m]."""
    aim = params[CHAIN + chain_size(int(params[JOINTS])) :][0:6].reshape(3, 2)
    for m in range(times.size):
        wanted(times[m], params, aim)
        out[m, 0], out[m, 1] = aim[0, 0], aim[0, 1]
