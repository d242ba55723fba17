"""Dynamics and tool kinematics of a planar chain of rigid bodies, with all first derivatives, in closed form.

Written in absolute angles phi = S q (S: lower triangle of ones), where Lagrange's equations of any such chain are

    r_i = sum_j A_ij (cos(phi_i - phi_j) phi_j'' + sin(phi_i - phi_j) phi_j'^2) - up g b_i cos(phi_i)

with A_ii = j_i + m_i xi_i^2 + l_i^2 sum_{k>i} m_k, A_ij = l_i (m_j xi_j + l_j sum_{k>j} m_k) for i < j, b_i = A_ii
without inertia over l_i; the joint torques are S' r. `up` is +1 where z = -sum l sin(phi) (rotation about y, paper
5's E12) and -1 where z = +sum l sin(phi).

`chain` is one row of numbers: n, up * g, frozen, up, then A (n, n), b (n,), l (n,), M0 (n, n). A frozen chain has the
constant joint inertia M0 and neither velocity terms nor gravity (paper 5's simplified E1 and linearised E12).
"""

from __future__ import annotations

from numpy import cos, sin

from solvers.kernels.signatures import MATRIX, VECTOR, helper, separate, void

COUNT, GRAVITY, FROZEN, UP, TABLES = 0, 1, 2, 3, 4


@helper
def _absolute(values, out):
    """out = S values: running sums, (n,)."""
    total = 0.0
    for i in range(out.size):
        total += values[i]
        out[i] = total


@helper
def to_joints(by, n):
    """by <- S' by S over the first two axes, both of length n, in place; S is a lower triangle of ones."""
    for i in range(n):
        for j in range(n - 2, -1, -1):
            by[i, j] += by[i, j + 1]
    for j in range(n):
        for i in range(n - 2, -1, -1):
            by[i, j] += by[i + 1, j]


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX))
def balances(chain, phi, omega, alpha, out, by_phi, by_omega, by_alpha):
    """Lagrange's equations r of the links in absolute angles, and their derivatives; also of recorded expressions.

    Args:
        chain: the numbers described above; it is not frozen.
        phi, omega, alpha: absolute angles, rates, accelerations, (n,) [rad, rad/s, rad/s^2].
        out: (n,) [N m]. by_phi, by_omega, by_alpha: (n, n) derivatives.
    """
    n = int(chain[COUNT])
    tables = chain[TABLES:]
    for i in range(n):
        lever = chain[GRAVITY] * tables[n * n + i]
        out[i] = -lever * cos(phi[i]) + tables[i * n + i] * alpha[i]
        by_phi[i, i] = lever * sin(phi[i])
        by_omega[i, i], by_alpha[i, i] = 0.0, tables[i * n + i]
    for i in range(n):
        for j in range(i + 1, n):
            # One sine and cosine serve both links: between them the angle only changes its sign.
            between, weight = phi[i] - phi[j], tables[i * n + j]
            c, s = weight * cos(between), weight * sin(between)
            ahead, behind = omega[j] * omega[j], omega[i] * omega[i]
            out[i] += c * alpha[j] + s * ahead
            out[j] += c * alpha[i] - s * behind
            by_alpha[i, j] = by_alpha[j, i] = c
            by_omega[i, j], by_omega[j, i] = 2.0 * s * omega[j], -2.0 * s * omega[i]
            by_phi[i, j], by_phi[j, i] = s * alpha[j] - c * ahead, -s * alpha[i] - c * behind
            by_phi[i, i] -= by_phi[i, j]
            by_phi[j, j] -= by_phi[j, i]


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, VECTOR), no_cpython_wrapper=False)
def torques(chain, q, v, a, out, by_q, by_v, by_a, work):
    """Joint torques M(q) a + c(q, v) + g(q) and their derivatives.

    Args:
        chain: the numbers described above.
        q, v, a: joint angles, rates, accelerations, (n,) [rad, rad/s, rad/s^2].
        out: (n,) [N m]. by_q, by_v, by_a: (n, n) derivatives; by_a is the inertia matrix.
        work: (3 n,) scratch.
    """
    n = int(chain[COUNT])
    if chain[FROZEN] != 0.0:
        first = TABLES + n * n + 2 * n
        for i in range(n):
            out[i] = 0.0
            for j in range(n):
                inertia = chain[first + i * n + j]
                by_q[i, j], by_v[i, j], by_a[i, j] = 0.0, 0.0, inertia
                out[i] += inertia * a[j]
        return
    phi, omega, alpha = work[0:n], work[n : 2 * n], work[2 * n : 3 * n]
    _absolute(q, phi)
    _absolute(v, omega)
    _absolute(a, alpha)
    balances(chain, phi, omega, alpha, out, by_q, by_v, by_a)
    for i in range(n - 2, -1, -1):
        out[i] += out[i + 1]
    to_joints(by_q, n)
    to_joints(by_v, n)
    to_joints(by_a, n)


@separate(void(VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, MATRIX, MATRIX, MATRIX, MATRIX), no_cpython_wrapper=False)
def tool(chain, q, v, a, place, by_q, speed_by_q, acceleration_by_q, acceleration_by_v):
    """The tool's (x, z), velocity and acceleration, and their derivatives.

    Args:
        place: out, (3, 2): position, velocity, acceleration [m, m/s, m/s^2].
        by_q: out, (2, n): the Jacobian, which is also d velocity/d v and d acceleration/d a.
        speed_by_q, acceleration_by_q, acceleration_by_v: out, (2, n).
    """
    n = int(chain[COUNT])
    up = -chain[UP]
    lengths = chain[TABLES + n * n + n : TABLES + n * n + 2 * n]
    phi, omega, alpha = 0.0, 0.0, 0.0
    place[:, :] = 0.0
    for i in range(n):
        phi += q[i]
        omega += v[i]
        alpha += a[i]
        c, s = lengths[i] * cos(phi), lengths[i] * sin(phi)
        square = omega * omega
        place[0, 0] += c
        place[0, 1] += up * s
        place[1, 0] -= s * omega
        place[1, 1] += up * c * omega
        place[2, 0] -= s * alpha + c * square
        place[2, 1] += up * (c * alpha - s * square)
        by_q[0, i], by_q[1, i] = -s, up * c
        speed_by_q[0, i], speed_by_q[1, i] = -c * omega, -up * s * omega
        acceleration_by_q[0, i], acceleration_by_q[1, i] = -c * alpha + s * square, -up * (s * alpha + c * square)
        acceleration_by_v[0, i], acceleration_by_v[1, i] = -2.0 * c * omega, -2.0 * up * s * omega
    for i in range(n - 2, -1, -1):
        for row in range(2):
            by_q[row, i] += by_q[row, i + 1]
            speed_by_q[row, i] += speed_by_q[row, i + 1]
            acceleration_by_q[row, i] += acceleration_by_q[row, i + 1]
            acceleration_by_v[row, i] += acceleration_by_v[row, i + 1]
