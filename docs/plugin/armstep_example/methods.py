"""A Runge-Kutta method of three stages whose coefficients are in this file."""

from __future__ import annotations

from solvers.method import Family, Method
from solvers.methods.explicit_runge_kutta import method
from solvers.tableaux.tableau import from_dict

HEUN = {
    "name": "Heun 3 (example)",
    "family": "Runge-Kutta",
    "order": 3,
    "source": "K. Heun, Z. Math. Phys. 45 (1900) 23-38",
    "c": ["0", "1/3", "2/3"],
    "A": [[], ["1/3"], ["0", "2/3"]],
    "b": ["1/4", "0", "3/4"],
}


def methods() -> list[Method]:
    """The methods of the family; each has a key of its own."""
    return [method(from_dict("example-heun", HEUN))]


FAMILY = Family(methods)
