"""The menu "Curves" of a plot: which of them are shown, with a line to search many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget, QWidgetAction

from gui.qt.drawing.legend import CurveEntry
from gui.qt.widgets.parts import add_tick, search_line
from robots.model.chart import CurveKey

MANY = 8
"""With more curves than this there is a line to search them."""


class CurveMenu(QMenu):
    """Hides curves and shows them again; of many, those whose name has each of the words that are typed.

    Args:
        entries: of the legend.
        toggle: hides curves, or shows them again.
        hide_only: hides these curves, and shows all others.
        parent: the menu that it belongs to.
    """

    def __init__(
        self,
        entries: Sequence[CurveEntry],
        toggle: Callable[[Iterable[CurveKey]], object],
        hide_only: Callable[[Iterable[CurveKey]], object],
        parent: QWidget,
    ) -> None:
        super().__init__("Curves", parent)
        self.search = search_line("Search curves", self._seek)
        if len(entries) > MANY:
            holder = QWidgetAction(self)
            holder.setDefaultWidget(self.search)
            self.addAction(holder)
            self.aboutToShow.connect(self.search.setFocus)
        self.addAction("Show all", lambda: hide_only(()))
        self.addAction("Hide all", lambda: hide_only(_of(entries)))
        self.alone = self.addAction("Show only these", lambda: hide_only(self._unfound()))
        self.alone.setVisible(False)
        self.addSeparator()
        self._curves: list[tuple[QAction, CurveEntry]] = []
        for entry in entries:
            name, shows = entry.tip or entry.name, not entry.off
            shown = add_tick(self, name, shows, lambda _, keys=entry.curves: toggle(keys), several=True)
            self._curves.append((shown, entry))
        self.setEnabled(bool(entries))

    def _seek(self, text: str) -> None:
        words = _plain(text).split()
        for action, _ in self._curves:
            action.setVisible(all(word in _plain(action.text()) for word in words))
        self.alone.setVisible(bool(words) and any(action.isVisible() for action, _ in self._curves))

    def _unfound(self) -> set[CurveKey]:
        found = _of(entry for action, entry in self._curves if action.isVisible())
        return _of(entry for _, entry in self._curves) - found


def _of(entries: Iterable[CurveEntry]) -> set[CurveKey]:
    return {key for entry in entries for key in entry.curves}


def _plain(text: str) -> str:
    """As it is typed: `q17` for `q₁₇`."""
    return normalize("NFKC", text).lower()
