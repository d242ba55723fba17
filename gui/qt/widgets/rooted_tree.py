"""A rooted tree, drawn: the root below, its branches above."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.qt.widgets.quiet import scale

if TYPE_CHECKING:
    from solvers.tableaux.order_conditions import Tree

Node = tuple[float, int, list["Node"]]
SPACING, RISE, RADIUS = 26.0, 26.0, 4.5


class RootedTree(QWidget):
    """The tree of an order condition (`solvers.tableaux.order_conditions.Tree`: the tuple of its root's branches)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree: Tree | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Tree of the order condition")

    def show_tree(self, tree: Tree | None, words: str = "") -> None:
        """Draw `tree`; None draws nothing. `words` is for those who cannot see it."""
        self.tree = tree
        self.setAccessibleDescription(words)
        self.setVisible(tree is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self.tree is None:
            return QSize(0, 0)
        size = scale(self)
        return QSize(
            int((width(self.tree) + 1) * SPACING * size), int((height(self.tree) * RISE + 4 * RADIUS + 4) * size)
        )

    minimumSizeHint = sizeHint

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.tree is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = scale(self)
        node, wide = laid_out(self.tree, 0.0, 0), width(self.tree)
        left = min(self.width() / 2 - wide * SPACING * size / 2, SPACING * size / 2)
        self._paint(painter, node, max(left, 2 * RADIUS), self.height() - 2.5 * RADIUS * size, size)
        painter.end()

    def _paint(self, painter: QPainter, node: Node, left: float, floor: float, size: float) -> None:
        x, level, branches = node
        spot = QPointF(left + x * SPACING * size, floor - level * RISE * size)
        palette = self.palette()
        painter.setPen(QPen(palette.color(QPalette.ColorRole.PlaceholderText), 1.6 * size))
        for branch in branches:
            painter.drawLine(spot, QPointF(left + branch[0] * SPACING * size, floor - branch[1] * RISE * size))
        for branch in branches:
            self._paint(painter, branch, left, floor, size)
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Highlight), 1.6 * size))
        # The root is an open circle.
        fill = QPalette.ColorRole.Base if level == 0 else QPalette.ColorRole.Highlight
        painter.setBrush(palette.color(fill))
        painter.drawEllipse(spot, RADIUS * size, RADIUS * size)


def width(tree: Tree) -> int:
    """The number of leaves."""
    return max(1, sum(width(branch) for branch in tree))


def height(tree: Tree) -> int:
    """The number of edges between the root and its highest leaf."""
    return max((1 + height(branch) for branch in tree), default=0)


def laid_out(tree: Tree, left: float, level: int) -> Node:
    """(x, level, branches), x in units of the leaves' spacing, every vertex above the middle of its branches."""
    branches, at = [], left
    for branch in tree:
        branches.append(laid_out(branch, at, level + 1))
        at += width(branch)
    x = (branches[0][0] + branches[-1][0]) / 2 if branches else left
    return x, level, branches
