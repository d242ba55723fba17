"""The coefficient files: exact numbers, order conditions, row sums, and what happens to a broken one."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest

from assets.errors import BadInput
from solvers.method_registry import find_method
from solvers.tableaux import tableau as tableaux
from solvers.tableaux.exact import Surd, parse
from solvers.tableaux.order_conditions import Weights, density, symmetry, trees
from solvers.tableaux.own_tableau import true_order
from solvers.tableaux.principal_error import of_tableau

TABLE_1 = {
    1: "RK 1",
    2: "RK 2|RKB 1(2)",
    3: "RK 3|RKF 1(2)|RKF 2(3)",
    4: "RK 4|RKB 2(4)",
    5: "RKF 3(4)|RKB 3(4)",
    6: "RK 5|RKF 4(5)",
    7: "RK 6|RKB 4(5)|RKDP 5(4)",
    8: "RKF 5(6)|RKV 5(6)",
    9: "RK 7|RKB 5(6)",
    10: "RKV 6(7)",
    11: "RK 8",
    13: "RKF 7(8)|RKV 7(8)|RKDP 8(7)",
    17: "RK 10",
}


def test_numbers_of_rooted_trees() -> None:
    """Sloane's A000081, and the identity sum over trees of n! / (density symmetry) = (n - 1)!."""
    assert [len(trees(n)) for n in range(1, 11)] == [1, 1, 2, 4, 9, 20, 48, 115, 286, 719]
    for n, factorial in ((5, 24), (8, 5040)):
        monotone = sum(Fraction(factorial * n, density(tree) * symmetry(tree)) for tree in trees(n))
        assert monotone == factorial


@pytest.mark.parametrize("key", tableaux.keys())
def test_order_conditions(key: str) -> None:
    """All rooted-tree conditions up to the claimed order hold, and one of the next fails, for each weight vector."""
    table = tableaux.load(key)
    numbers = tableaux.exact(table)
    claims = [(numbers.b, table.order), (numbers.b_error, table.error_order), (numbers.b_error2, table.error_order2)]
    for weights, claimed in claims:
        if weights is not None and claimed is not None:
            order, _ = true_order(numbers, weights, highest=claimed + 1)
            assert order == claimed
            calculation = Weights(numbers)
            assert any(abs(calculation.residual(weights, tree)) > 1e-7 for tree in trees(claimed + 1))


@pytest.mark.parametrize("key", tableaux.keys())
def test_rows_and_doubles(key: str) -> None:
    """Row sums are the nodes to 50 digits, FSAL is true, and each double is the nearest to the exact number."""
    table = tableaux.load(key)
    table.check()
    numbers, doubles = tableaux.exact(table), tableaux.coefficients(table)
    with mpmath.workdps(60):
        for entry, double in zip(numbers.b + numbers.c, [*doubles.b, *doubles.c], strict=True):
            value = mpmath.mpf(str(entry.to_decimal(60)))
            assert abs(value - mpmath.mpf(double)) <= abs(value) * mpmath.mpf(2) ** -53
    is_fsal = table.b_error is not None and table.A[-1] == table.b[:-1] and not numbers.b[-1]
    assert table.fsal == is_fsal


def test_table_1_of_paper_2_is_complete() -> None:
    """Every method of Table 1 is there with the number of stages that the paper prints."""
    stages = {table.paper_label: table.stages for table in map(tableaux.load, tableaux.keys()) if table.paper_label}
    assert stages == {label: s for s, labels in TABLE_1.items() for label in labels.split("|")}


def test_principal_errors() -> None:
    """Known from the literature: 0.0145 for the classical method (Hairer, Norsett, Wanner, II.1; Butcher)."""
    assert of_tableau(tableaux.load("rk4")) == pytest.approx(1.45e-2, abs=5e-5)
    assert of_tableau(tableaux.load("dopri5")) == pytest.approx(3.99e-4, abs=1e-6)


def test_principal_errors_of_other_families() -> None:
    """Formulas that several families have get one number; those of order 2 by hand, over f''ff and f'f'f.

    Trapezoidal rule: (1/2 - 1/3) / 2 and 1/4 - 1/6; implicit midpoint: (1/4 - 1/3) / 2 and 1/4 - 1/6.
    """
    for key in ("rk1", "backward-euler", "bdf1"):
        assert find_method(key).principal_error_norm() == pytest.approx(0.5)
    assert find_method("trapezoidal").principal_error_norm() == pytest.approx(math.hypot(1 / 12, 1 / 12))
    assert find_method("implicit-midpoint").principal_error_norm() == pytest.approx(math.hypot(1 / 24, 1 / 12))


# J. D. Lambert (1991), table 3.1; Hairer, Norsett, Wanner (1993), III.2.
@pytest.mark.parametrize(
    ("key", "constant"),
    [
        ("ab2", 5 / 12),
        ("ab3", 3 / 8),
        ("ab4", 251 / 720),
        ("ab5", 95 / 288),
        ("am4", 19 / 720),
        ("bdf2", 1 / 3),
        ("bdf6", 1 / 7),
        ("taylor", 1 / 40320),
    ],
)
def test_principal_errors_of_multistep_methods(key: str, constant: float) -> None:
    """The error constant times y^(p+1), which is (p+1)! / (symmetry density) of each elementary differential."""
    method = find_method(key)
    squares = sum(1 / (symmetry(tree) * density(tree)) ** 2 for tree in trees(method.order + 1))
    expected = constant * math.factorial(method.order + 1) * math.sqrt(squares)
    assert method.principal_error_norm() == pytest.approx(expected, rel=1e-9)


def test_parse() -> None:
    """Fractions, decimals and roots are read exactly."""
    root, number = mpmath.sqrt, mpmath.mpf
    with mpmath.workdps(60):
        expected = {
            "-3/40": -number(3) / 40,
            "1e-3": number(1) / 1000,
            "(7+sqrt(21))/14": (7 + root(21)) / 14,
            "1/(1+sqrt(2))": root(2) - 1,
            "2*sqrt(8/9)": 2 * root(number(8) / 9),
            "1/(1+sqrt(2)+sqrt(3))": 1 / (1 + root(2) + root(3)),
        }
        for text, value in expected.items():
            assert abs(number(str(parse(text).to_decimal(50))) - value) < number(10) ** -48


@pytest.mark.parametrize(
    "text",
    ["", "x", "1/0", "__import__('os')", "2**9", "sqrt(-1)", "sqrt(sqrt(2))", "1e99999", "True", "[1]", "1;2", "nan"],
)
def test_parse_refuses(text: str) -> None:
    """What is not a number is refused, never run."""
    with pytest.raises(BadInput):
        parse(text)


@pytest.mark.parametrize(("text", "why"), [("4/0", "division by zero"), ("sqrt(-1)", "root of a negative")])
def test_a_refused_coefficient_says_why(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        parse(text)


def test_surds_are_a_field() -> None:
    """(a / b) b = a, with three different roots."""
    a, b = parse("3+2*sqrt(6)-sqrt(5)"), parse("1/7-sqrt(3)+sqrt(10)")
    assert a / b * b == a
    assert a - a == Surd.rational(0)


def test_broken_tables_are_refused() -> None:
    """A wrong row sum, shape, entry, claim or field is named."""
    good = tableaux.load("rk4")
    broken = {
        "rk4.c[1]": replace(good, c=("0", "1/3", "1/2", "1")),
        "rk4.A[2]": replace(good, A=((), ("1/2",), ("1/2",), ("0", "0", "1"))),
        "rk4.b[0]": replace(good, b=("one", "1/3", "1/3", "1/6")),
        "rk4.c": replace(good, c=("0", "1/2", "1")),
        "rk4.fsal": replace(good, fsal=True),
    }
    for what, table in broken.items():
        with pytest.raises(BadInput) as refused:
            table.check()
        assert refused.value.what == what
    with pytest.raises(BadInput, match="colour"):
        tableaux.from_dict("mine", {name: [] for name in tableaux.FIELDS} | {"colour": 1})
    with pytest.raises(BadInput, match="mine"):
        tableaux.from_dict("mine", {"name": "x"})
