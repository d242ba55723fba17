"""What paper 4 says of Rosenbrock methods and of its formula's printed coefficients, judged in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

import numpy as np

from robots.model.registry import robot_of
from robots.papers.finding import Finding, agrees
from robots.scenario.presets import find_preset
from robots.simulation.simulate import simulate
from robots.studies._runs import preset_run
from robots.sweeps.observed import fitted_power
from solvers.methods.bdf import derivative_weights
from solvers.methods.rosenbrock import NYSTROM, W_METHOD, Formula
from solvers.problem import OdeProblem
from solvers.tableaux.order_conditions import Tree, brackets, density, trees

Printed = Mapping[str, tuple[tuple[float, ...], ...]]
GAMMA = "0.57281606"
ALPHAS = (
    (),
    ("1.14563212",),
    ("0.520920789130629029328516", "0.134294186842504800149232"),
    ("0.520920789130629029328516", "0.134294186842504800149232", "0.0"),
)
GAMMAS = (
    (),
    ("-2.341993127112013949170520",),
    ("-0.027333746543489836196505", "0.213811650836699689867472"),
    ("-0.259083837785510222112641", "-0.190595807732311751616358", "-0.228031035973133829477744"),
)
WEIGHTS = ("0.324534707891734513474196", "0.049086544787523308684633", "0.0", "0.626378747320742177841171")
EMBEDDED = (
    "0.520920789130629029328516",
    "0.144549714665364599584681",
    "0.124559686414702049774897",
    "0.209969809789304321311906",
)
"""As printed, except for the sign of gamma_21."""
TRANSFORMED = {
    "theta": ((1.14563212,), (0.789509162815638629626980, 0.134294186842504800149232),
              (0.789509162815638629626980, 0.134294186842504800149232, 0.0)),
    "a": ((0.2,), (1.86794814949823713234476, 0.23444556851723885002322),
          (1.86794814949823713234476, 0.23444556851723885002322, 0.0)),
    "c": ((-7.137649943349979830369260,), (2.580923666509657714488050, 0.651629887302032023387417),
          (-2.137115266506619116806370, -0.321469531339951070769241, -0.694966049282445225157329)),
    "delta": ((-1.196361007112013949170520,), (1.470280254409780714633870, 0.348105837679204490016704),
              (0.003765094355556165798974, -0.109762486758103255675398, -0.228031035973133829477744)),
    "m": ((2.255566228604565243728840, 0.287055063194157607662630, 0.435311963379983213402707,
           1.093507656403247803214820),),
    "m^": ((2.068399160527583734258670, 0.238681352067532797956493, 0.363373345435391708261747,
            0.366557127936155144309163),),
    "mu": ((1.592750819409585342074900, 0.195938266310250609693329, 0.0, 0.626378747320742177841171),),
    "mu^": ((1.434903971848209472627100, 0.222978672588698369045153, 0.124559686414702049774897,
             0.209969809789304321311906),),
    "gamma": ((-1.769177067112013949170520, 0.759293964293209853670967, -0.104894621490955803206743),),
    "alpha": ((1.145632120, 0.655214975973133829477748, 0.655214975973133829477748),),
}  # fmt: skip
"""The printed coefficients of theorem 2.1: the rows below the diagonal, the weights, the sums of stages 2 to 4."""
OF_W_METHOD = {
    "theta": ((1.0,),), "a": ((0.58578643762690,),), "c": ((-1.17157287525380,),), "delta": ((-2.41421356237310,),),
    "m": ((0.87867965644040, 0.29289321881340),), "m^": ((1.17157287525380, 0.58578643762690),),
    "mu": ((0.79289321881340, 0.5),), "mu^": ((0.58578643762690, 1.0),),
    "gamma": ((-1.70710678118650,),), "alpha": ((1.0,),),
}  # fmt: skip
"""The same of the W-method, to 13 digits."""
SOFT = {f"robot.{name}": 0.0 for name in ("k1", "k2", "C1", "C2")}
STEPS, SPAN = (4e-3, 2e-3, 1e-3), 0.5
"""Of the runs that compare estimates [s]."""

Matrix = list[list[Fraction]]


def printed() -> tuple[Matrix, Matrix]:
    """alpha and gamma as printed, exact."""
    alpha = [[Fraction(row[j]) if j < len(row) else Fraction(0) for j in range(4)] for row in ALPHAS]
    gamma = [[Fraction(row[j]) if j < len(row) else Fraction(0) for j in range(4)] for row in GAMMAS]
    for i in range(4):
        gamma[i][i] = Fraction(GAMMA)
    return alpha, gamma


def conditions() -> dict[str, Fraction]:
    """How far the printed coefficients miss each of the conditions (36) to (42); (37) is of the embedded weights."""
    alpha, gamma = printed()
    g, b, e = Fraction(GAMMA), [Fraction(one) for one in WEIGHTS], [Fraction(one) for one in EMBEDDED]
    beta = [[p + q for p, q in zip(*rows, strict=True)] for rows in zip(alpha, gamma, strict=True)]
    low = [sum(beta[i][:i], Fraction(0)) for i in range(4)]
    a = [sum(row, Fraction(0)) for row in alpha]
    chained = [sum((beta[i][j] * low[j] for j in range(i)), Fraction(0)) for i in range(4)]

    def product(*rows: list[Fraction]) -> Fraction:
        return sum((prod(one, start=Fraction(1)) for one in zip(*rows, strict=True)), Fraction(0))

    inner = [sum((alpha[i][j] * low[j] for j in range(i)), Fraction(0)) for i in range(4)]
    squares = [sum((beta[i][j] * a[j] ** 2 for j in range(i)), Fraction(0)) for i in range(4)]
    third = {"a": Fraction(1), "b": Fraction(1, 2) - g, "c": Fraction(1, 3), "d": Fraction(1, 6) - g + g * g}
    rows = {"a": [Fraction(1)] * 4, "b": low, "c": [x * x for x in a], "d": chained}
    missed = {f"36{name}": product(b, rows[name]) - value for name, value in third.items()}
    missed |= {f"37{name}": product(e, rows[name]) - value for name, value in third.items()}
    missed["36e"] = product(b, [x**3 for x in a]) - Fraction(1, 4)
    missed["36f"] = product(b, a, inner) - (Fraction(1, 8) - g / 3)
    missed["36g"] = product(b, squares) - (Fraction(1, 12) - g / 3)
    missed["36h"] = b[3] * beta[3][2] * chained[2] - (Fraction(1, 24) - g / 2 + 3 * g * g / 2 - g**3)
    missed["38"] = chained[2] * (low[1] * a[3] ** 2 - low[3] * a[1] ** 2) - (
        low[1] * a[2] ** 2 - low[2] * a[1] ** 2
    ) * (beta[3][1] * low[1] + beta[3][2] * low[2])
    missed["39"] = max(abs(alpha[3][j] - alpha[2][j]) for j in range(4))
    missed["40"] = a[2] - (Fraction(1, 5) - a[1] / 4) / (Fraction(1, 4) - a[1] / 3)
    missed["41"] = b[3] * beta[3][2] * a[2] ** 2 * (a[2] - a[1]) - (
        Fraction(1, 20) - g / 4 - a[1] * (Fraction(1, 12) - g / 3)
    )
    missed["42"] = max(abs(b[2]), abs(a[1] - 2 * g))
    return missed


def theory() -> tuple[Finding, ...]:
    """The findings."""
    return (
        _form(),
        _products(),
        _estimate(),
        _coefficients(),
        _beyond(),
        _second_table(),
        _third_table(),
        _matrix(),
        _exact_jacobian(),
    )


def _form() -> Finding:
    """Nystrom's form beside the method on the first-order system."""
    start = find_preset("double-pendulum-rest").with_values({"step": STEPS[-1], "duration": SPAN})
    runs = [simulate(start.with_value("method", key)) for key in ("rosenbrock-nystrom", "rosenbrock")]
    gap = float(np.abs(runs[0].y - runs[1].y).max())
    return Finding(
        "theorem 2.1",
        "the Rosenbrock-Nystrom method is the Rosenbrock method on the first-order system, by substitution",
        f"{runs[0].counts.steps} steps of either on the stiff pendulum agree to {gap:.0e}",
        agrees(gap < 1e-11),
    )


def _products() -> Finding:
    """What is left of the products with J1 and J2 once the stages are transformed by z = Gamma l, in exact arithmetic.

    In (22), J2 multiplies Gamma l and J1 multiplies Gamma B l, so that J1 Gamma B Gamma^-1 z is left of them.
    """
    alpha, gamma = printed()
    beta = [[p + q for p, q in zip(*rows, strict=True)] for rows in zip(alpha, gamma, strict=True)]
    mixed = [[_dot(row, column) for column in zip(*beta, strict=True)] for row in gamma]
    left: Matrix = [[Fraction(0)] * 4 for _ in range(4)]
    for i, row in enumerate(mixed):
        for j in reversed(range(4)):
            left[i][j] = (row[j] - sum((left[i][k] * gamma[k][j] for k in range(j + 1, 4)), Fraction(0))) / gamma[j][j]
    stages = [i for i in range(4) if any(abs(left[i][j]) > Fraction(1, 1000) for j in range(i))]
    listed = [row + (0.0,) * (4 - len(row)) for row in ((), *TRANSFORMED["delta"])]
    gap = max(abs(float(left[i][j]) - listed[i][j]) for i in range(4) for j in range(i))
    return Finding(
        "section 2, transformation",
        "substituting z for gamma l removes the multiplications with only one of J1 and J2",
        f"J2 multiplies z, which the stage's own matrix has already; J1 is left in {len(stages)} of 4 stages, where "
        f"the printed delta multiply it; they are off by at most {gap:g}",
        agrees(len(stages) > 0 and gap < 1e-14),
    )


def _estimate() -> Finding:
    """The power of the step in the estimated error, with and without the stiff springs."""
    powers = []
    for values in (SOFT, {}):
        runs = [preset_run("double-pendulum-rest", values, step=step, duration=SPAN) for step in STEPS]
        powers.append(fitted_power(STEPS, [float(np.nanmax(run.log.error)) for run in runs]))
    return Finding(
        "section 2, estimate",
        "asymptotically the estimated error falls as a power q + 1 of the step, here h⁴",
        f"steps of 4 to 1 ms: the largest one falls with the power {powers[0]:.2f} without the springs, "
        f"{powers[1]:.2f} with them",
        agrees(all(abs(power - 4.0) < 0.2 for power in powers), abs(powers[0] - 4.0) < 0.2),
        "where h times the largest eigenvalue is not small, the order reduction begins that section 5.1 mentions",
        where="where the equations are not stiff",
    )


def _coefficients() -> Finding:
    """The printed coefficients in their conditions."""
    missed = {name: abs(float(value)) for name, value in conditions().items()}
    return Finding(
        "equations (36) to (42)",
        "the coefficients solve 17 equations, accurate to 25 digits",
        f"in exact arithmetic they miss the conditions by at most {max(missed.values()):.1e}, those of the embedded "
        f"formula by {max(value for name, value in missed.items() if name.startswith('37')):.1e}",
        agrees(max(missed.values()) < 1e-23),
        "with gamma_21 negative, which the print leaves out; 24 digits follow the point",
    )


def _beyond() -> Finding:
    """How many of the nine conditions of order 5 the printed coefficients satisfy.

    A vertex with one branch takes alpha + gamma, any other takes alpha. (E. Hairer, G. Wanner, Solving Ordinary
    Differential Equations II (1996), IV.7.)
    """
    alpha, gamma = printed()
    beta = [[p + q for p, q in zip(*rows, strict=True)] for rows in zip(alpha, gamma, strict=True)]

    def weights(tree: Tree) -> list[Fraction]:
        table = beta if len(tree) == 1 else alpha
        branches = [weights(branch) for branch in tree]
        return [prod((_dot(row, one) for one in branches), start=Fraction(1)) for row in table]

    b = [Fraction(one) for one in WEIGHTS]
    missed = {tree: abs(float(_dot(b, weights(tree)) - Fraction(1, density(tree)))) for tree in trees(5)}
    kept = [tree for tree, gap in missed.items() if gap < 1e-20]
    asked = [((),) * 4, (((),) * 3,)]
    return Finding(
        "equations (40), (41)",
        "two of the nine conditions of order 5 hold with them",
        f"{len(kept)} of {len(missed)} hold, {' and '.join(map(brackets, kept))}; the others are missed by "
        f"{min(gap for tree, gap in missed.items() if tree not in kept):.1e} or more",
        agrees(set(asked) <= set(kept)),
        f"the two that the equations ask for, {' and '.join(map(brackets, asked))}, are among them",
    )


def _dot(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    return sum((p * q for p, q in zip(one, other, strict=True)), Fraction(0))


def _matrix() -> Finding:
    """The stages' matrix beside Newton's of the BDF formulas, on the stiff pendulum's equations of the first order."""
    scenario = find_preset("double-pendulum-rest")
    equations = robot_of(scenario).problem(scenario)
    assert isinstance(equations, OdeProblem)
    assert equations.jacobian is not None
    y, n, step = equations.initial, equations.positions, STEPS[-1]
    J = np.empty((len(y), len(y)))
    equations.jacobian(0.0, y, equations.params.copy(), J)
    gaps = []
    for k in range(1, 7):
        g = step / float(derivative_weights(k, 1.0)[0])
        stage = np.eye(n) - g * J[n:, n:] - g * g * J[n:, :n]
        gaps.append(abs(np.linalg.det(np.eye(len(y)) - g * J) / np.linalg.det(stage) - 1.0))
    return Finding(
        "equation (44)",
        "its matrix is also that of multi-step methods, so that one program serves both",
        f"I - h gamma J2 - (h gamma)² J1 is what remains of Newton's matrix of BDF 1 to 6 without the positions, with "
        f"their coefficient for gamma: the determinants agree to {max(gaps):.0e}",
        agrees(max(gaps) < 1e-10),
    )


def _compared(formula: Formula, printed: Printed, digits: int) -> tuple[int, list[str]]:
    """How many of theorem 2.1's coefficients a table prints, and those that are not ours."""
    alpha, gamma, a, c, theta, delta, weights, _ = formula.table()
    m, less, mu, mu_less = weights
    ours = {"theta": theta[1:], "a": a[1:], "c": c[1:], "delta": delta[1:]}
    ours |= {"m": m[None], "m^": (m - less)[None], "mu": mu[None], "mu^": (mu - mu_less)[None]}
    ours |= {"gamma": gamma[None, 1:], "alpha": alpha[None, 1:]}
    off = [
        f"{name}_{i + 2}{j + 1} is {one:g}, not {value:g}"
        for name, rows in printed.items()
        for i, row in enumerate(rows)
        for j, value in enumerate(row)
        if abs(value - (one := float(ours[name][i][j]))) > 10.0**-digits
    ]
    return sum(len(row) for rows in printed.values() for row in rows), off


def _second_table() -> Finding:
    count, off = _compared(NYSTROM, TRANSFORMED, 14)
    return Finding(
        "section 4, second table",
        "theorem 2.1 turns the coefficients into those of the second table",
        f"{count - len(off)} of {count} numbers agree to 14 digits; {'; '.join(off) or 'all of them'}",
        agrees(not off, len(off) == 1),
        "alpha_21 / gamma is 2",
        where="except for one number",
    )


def _third_table() -> Finding:
    count, off = _compared(W_METHOD, OF_W_METHOD, 13)
    return Finding(
        "section 4, third table",
        "the coefficients of the W-method",
        f"{count - len(off)} of {count} numbers are those that theorem 2.1 makes of a method with two stages, "
        "gamma = 1 + 1 / sqrt(2), alpha_21 = 1 and gamma_21 = -2 gamma",
        agrees(not off),
    )


def _exact_jacobian() -> Finding:
    """What remains of the order with another matrix than the Jacobian: then alpha and gamma have conditions each."""

    def second(formula: Formula) -> tuple[float, float]:
        alpha, gamma = formula.matrices()
        b = np.array(formula.b)
        return float(b @ alpha.sum(axis=1)), float(b @ gamma.sum(axis=1))

    strict, free = second(NYSTROM), second(W_METHOD)
    return Finding(
        "section 4, exact Jacobian",
        "a Rosenbrock method needs the exact Jacobian for its accuracy, a W-method does not",
        f"with any matrix, order 2 asks for sum b alpha = 1/2 and sum b gamma = 0: {strict[0]:.3f} and "
        f"{strict[1]:.3f} of the Rosenbrock-Nystrom method, {free[0]:.3f} and {free[1] + 0.0:.3f} of the W-method",
        agrees(abs(strict[0] - 0.5) > 1e-3 and abs(free[0] - 0.5) < 1e-12 and abs(free[1]) < 1e-12),
        "without it the formula of order 4 is of order 1",
    )
