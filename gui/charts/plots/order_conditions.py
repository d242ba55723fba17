"""Which order conditions a Runge-Kutta method meets: their rooted trees, the highest order below the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gui.app.units import number
from gui.charts.plot import Plot
from gui.charts.shown import Shown
from robots.model.chart import Axis, Chart, ChartLabel, Curve

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from solvers.methods.explicit_runge_kutta import ExplicitRungeKutta
    from solvers.tableaux.order_conditions import Tree
    from solvers.tableaux.own_tableau import Condition
    from solvers.tableaux.tableau import Tableau

LEAST, MOST_DRAWN, MOST_LISTED = 3, 5, 8
"""The lowest and highest order that a drawing ends with, and the highest of the table: there are 17 trees up to order
5, and 200 up to order 8."""

GAP, ROOM, LOWER, LEAST_ROOM = 1.0, 1.8, 1.0, 4.4
"""The distance between two trees, the room below a line of them, where it has words, and the least room for an order,
in edges of a tree."""

ACROSS = Axis("across")
"""Not the time, so that the plane stays whole."""

NEVER = np.empty(0)
"""No point of a tree belongs to a time."""

HEADER = ("order", "tree", "condition", "left side", "right side", "holds")


class OrderConditionsPlot(Plot):
    """A tree has dots if its condition holds, crosses if it fails."""

    key, title, order, plane = "order-conditions", "Order conditions", 48, True

    def variants(self, shown: Shown) -> Mapping[str, str]:
        return {key: method.name for key, (_, method) in self._methods(shown).items()}

    def chart(self, shown: Shown, variant: str) -> Chart:
        found = self._methods(shown).get(variant)
        if found is None:
            return Chart(empty="These methods have no Butcher tableau.")
        row, method = found
        return conditions_chart(method.tableau, row.colour)

    def _methods(self, shown: Shown) -> dict[str, tuple[RunRow, ExplicitRungeKutta]]:
        """The runs' methods that have a tableau, by key, each with its first run."""
        from robots.scenario.method_selection import method_of
        from solvers.methods.explicit_runge_kutta import ExplicitRungeKutta

        known = ((row, method_of(run.scenario)) for row, run in reversed(list(shown.runs)))
        found = {method.key: (row, method) for row, method in known if isinstance(method, ExplicitRungeKutta)}
        return dict(reversed(found.items()))


@dataclass(frozen=True, slots=True)
class Shape:
    """A tree as it is drawn: a walk from its root around all branches, (k, 2), and its number of leaves."""

    walk: tuple[tuple[float, float], ...]
    wide: float

    @classmethod
    def of(cls, tree: Tree) -> Shape:
        """The root is at the height 0, in the middle above 0 .. wide; each branch is higher by 1."""
        branches = [cls.of(branch) for branch in tree]
        left, moved = 0.0, []
        for branch in branches:
            moved.append([(x + left, y + 1.0) for x, y in branch.walk])
            left += branch.wide
        wide = max(left, 1.0)
        root = (0.5 * (moved[0][0][0] + moved[-1][0][0]), 0.0) if moved else (0.5, 0.0)
        return cls((root, *(point for walk in moved for point in (*walk, root))), wide)


def conditions_chart(tableau: Tableau, colour: str = "") -> Chart:
    """The trees up to the order of the first condition that fails, within `LEAST` and `MOST_DRAWN`.

    Args:
        tableau: of a Runge-Kutta method, with its actual order.
        colour: `#rrggbb`; empty where the painter chooses.
    """
    every = _conditions(tableau)
    orders = [[one for one in every if one.order == order] for order in range(1, min(every[-1].order, MOST_DRAWN) + 1)]
    widest = max(_room(orders[-1]), sum(map(_room, orders[:-1])))
    curves: list[Curve] = []
    labels: list[ChartLabel] = []
    named: set[bool] = set()
    left, floor = 0.0, 2.0 - len(orders)
    for order, row in enumerate(orders, start=1):
        if order == len(orders):
            left, floor = 0.0, floor - ROOM - order + 1
        at = left + 0.5 * (_room(row) - sum(Shape.of(one.tree).wide + GAP for one in row) + GAP)
        labels.append(ChartLabel(f"p = {order}", left + 0.5 * _room(row), floor - LOWER))
        left += _room(row)
        for one in row:
            shape = Shape.of(one.tree)
            x, y = np.array(shape.walk).T
            name, mark = ("holds", "circle") if one.holds else ("fails", "cross")
            listed = one.holds not in named
            named.add(one.holds)
            curve = Curve(x + at, y + floor, name, colour=colour, mark=mark, filled=True, listed=listed, t=NEVER)
            curves.append(replace(curve, width=1.0 if one.holds else 0.6, tag=_said(one)))
            at += shape.wide + GAP
    return Chart(
        x=ACROSS,
        y=ACROSS,
        curves=tuple(curves),
        note=_words(every),
        view=(0.0, widest, floor - ROOM, 0.8),
        equal=True,
        bare=True,
        labels=tuple(labels),
        cells=(HEADER, *(_cells(one) for one in every)),
    )


def _room(row: Sequence[Condition]) -> float:
    """The width of an order's trees, or of its words."""
    return max(sum(Shape.of(one.tree).wide + GAP for one in row) + GAP, LEAST_ROOM)


@lru_cache(maxsize=16)
def _conditions(tableau: Tableau) -> tuple[Condition, ...]:
    from solvers.tableaux.own_tableau import conditions_of

    return conditions_of(tableau, min(max(tableau.order + 1, LEAST), MOST_LISTED))


def _words(conditions: Sequence[Condition]) -> str:
    failing = next((one for one in conditions if not one.holds), None)
    if failing is None:
        return f"all conditions up to order {conditions[-1].order} hold"
    return f"order {failing.order} fails first at {failing.text}"


def _said(condition: Condition) -> str:
    """What a tree stands for, and whether that is so: `Σ bᵢ cᵢ = 1/2 fails: the left side is 0.25`."""
    verdict = "holds" if condition.holds else f"fails: the left side is {number(condition.value, 6)}"
    return f"Order {condition.order}: {condition.text} {verdict}"


def _cells(condition: Condition) -> tuple[str, ...]:
    from solvers.tableaux.order_conditions import brackets, density

    right = f"1/{density(condition.tree)}" if condition.tree else "1"
    holds = "yes" if condition.holds else "no"
    return str(condition.order), brackets(condition.tree), condition.text, repr(condition.value), right, holds


PLOT = OrderConditionsPlot()
