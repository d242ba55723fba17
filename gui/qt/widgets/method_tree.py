"""All integrators by family, with a search."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QStyle,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from assets.counting import counted
from gui.app.jobs import Jobs
from gui.qt.style.theme import role
from gui.qt.widgets.parts import bare, search_line

if TYPE_CHECKING:
    from solvers.method import Method

KEY = Qt.ItemDataRole.UserRole

BOLD = "In bold: the best match"
"""Said of the best match of a search."""


class MethodTree(QWidget):
    """A search line above a tree: family, then method with its order and its number of stages.

    Signals:
        chosen: (key) a person picked that method.
        finished: a person has done with picking (Enter, a click).
    """

    chosen = Signal(str)
    finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: dict[str, QTreeWidgetItem] = {}
        self.words: dict[str, str] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        self._described: dict[str, Method] = {}
        self._asked: dict[str, Method] = {}
        self._jobs: Jobs | None = None
        self._awaited = 0
        hint = "Search methods: name, key, family, order 5…"
        self.search = search_line("Search methods", self._filter, hint=hint)
        self.search.installEventFilter(self)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Methods")
        self.tree.setAccessibleDescription("All methods by family; the arrows try them, Enter closes the list")
        self.tree.setHeaderLabels(["Method", "Order", "Stages"])
        self.tree.setRootIsDecorated(True)
        self.tree.setIndentation(10)
        self.tree.setStyleSheet("QTreeView::item { padding: 2px 0; }")
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setMinimumHeight(200)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            self.tree.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.tree.currentItemChanged.connect(self._picked)
        for done in (self.tree.itemActivated, self.tree.itemClicked):
            done.connect(lambda item, _: self.finished.emit() if item.data(0, KEY) and not item.isDisabled() else None)
        column = bare(QVBoxLayout(self), 6)
        self.answer = role(QLabel(""), "hint")
        self.answer.hide()
        column.addWidget(self.search)
        column.addWidget(self.answer)
        column.addWidget(self.tree, 1)

    def compute_in(self, jobs: Jobs) -> None:
        """Find out there what methods are good for, once a person searches: the regions of all take a moment."""
        self._jobs = jobs

    def show_methods(self, methods: Iterable[Method], unsuitable: Mapping[str, str]) -> None:
        """List `methods` (facts as `solvers.method.Method`); those that are `unsuitable` are greyed and say why."""
        methods = list(methods)
        if list(self.items) != [method.key for method in methods]:
            self._build(methods)
        for method in methods:
            self._describe(method)
            item, reason = self.items[method.key], unsuitable.get(method.key, "")
            item.setDisabled(bool(reason))
            item.setToolTip(0, "\n".join(filter(None, (f"{method.name} ({method.key})", method.summary, reason))))
            item.setData(0, Qt.ItemDataRole.AccessibleDescriptionRole, reason)

    def show_method(self, key: str) -> None:
        """Mark the current method, without a signal."""
        item = self.items.get(key)
        if item is None or item is self.tree.currentItem():
            return
        self.tree.blockSignals(True)
        self.tree.setCurrentItem(item)
        self.tree.blockSignals(False)
        self._reveal()

    @property
    def current(self) -> str:
        """The key of the method that is marked; empty for none."""
        item = self.tree.currentItem()
        return str(item.data(0, KEY) or "") if item is not None else ""

    def pick(self, key: str) -> None:
        """Pick a method; nothing happens for the current one."""
        if (item := self.items.get(key)) is not None:
            self.tree.setCurrentItem(item)

    def wanted_width(self) -> int:
        """The width at which every name is whole [px]."""
        names, header = self.tree.fontMetrics(), self.tree.header()
        longest = max((names.horizontalAdvance(item.text(0)) for item in self.items.values()), default=0)
        bar = self.tree.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return longest + 3 * self.tree.indentation() + header.sectionSize(1) + header.sectionSize(2) + bar

    def go(self, by: int) -> None:
        """Pick the suitable method `by` places later in the list."""
        offered = [item for item in self.items.values() if not item.isDisabled()]
        current = self.tree.currentItem()
        if current in offered:
            self.tree.setCurrentItem(offered[(offered.index(current) + by) % len(offered)])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._reveal()

    def _reveal(self) -> None:
        if (item := self.tree.currentItem()) is not None:
            self.tree.scrollToItem(item, QTreeWidget.ScrollHint.PositionAtCenter)

    def _build(self, methods: list[Method]) -> None:
        self.tree.blockSignals(True)
        self.tree.clear()
        self.items, self.words, self.names, self._described, self._asked = {}, {}, {}, {}, {}
        families: dict[str, QTreeWidgetItem] = {}
        for method in methods:
            if method.family not in families:
                family = QTreeWidgetItem(self.tree, [method.family])
                family.setFlags(Qt.ItemFlag.ItemIsEnabled)
                family.setFirstColumnSpanned(True)
                family.setExpanded(True)
                families[method.family] = family
            item = QTreeWidgetItem(families[method.family])
            item.setData(0, KEY, method.key)
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.items[method.key] = item
        self.tree.blockSignals(False)

    def _describe(self, method: Method) -> None:
        """Write the facts of a method into its line; a tableau that a person has typed has those that they typed."""
        if self._described.get(method.key) is method:
            return
        self._described[method.key] = method
        item = self.items[method.key]
        for column, text in enumerate((method.name, order_text(method), stages_text(method))):
            item.setText(column, text)
        self.words[method.key] = searchable(method)
        self.names[method.key] = names_of(method)

    def _filter(self, text: str) -> None:
        wanted = re.findall(r"order \d+|\S+", text.lower())
        if wanted:
            self._ask()
        for key, item in self.items.items():
            item.setHidden(not all(matches(self.words[key], word) for word in wanted))
        for index in range(self.tree.topLevelItemCount()):
            family = self.tree.topLevelItem(index)
            family.setHidden(all(family.child(row).isHidden() for row in range(family.childCount())))
        best = self._best_hit() if wanted else None
        found = any(not item.isHidden() for item in self.items.values())
        nothing = "Computing…" if self._awaited else "No matches"
        self.answer.setText(BOLD if best is not None else "None of these suits the scenario" if found else nothing)
        self.answer.setVisible(bool(wanted))
        for key, item in self.items.items():
            font = item.font(0)
            font.setBold(key == best)
            item.setFont(0, font)
            item.setData(
                0, Qt.ItemDataRole.AccessibleTextRole, f"{item.text(0)}, Enter takes it" if key == best else None
            )
        if best is not None:
            self.tree.scrollToTop()
            self.tree.scrollToItem(self.items[best])

    def _ask(self) -> None:
        """Ask what those methods are good for of which nobody has asked that yet."""
        lacking = [one for key, one in self._described.items() if self._asked.get(key) is not one and one.implicit]
        if self._jobs is None or not lacking:
            return
        self._asked |= {method.key: method for method in lacking}

        def have(found: list[str]) -> None:
            """Search again, with these words too; a method may have changed meanwhile."""
            for method, words in zip(lacking, found, strict=True):
                if self._described.get(method.key) is method:
                    self.words[method.key] = f"{searchable(method)} {words}"
            answered()

        def answered(*_: object) -> None:
            self._awaited -= 1
            self._filter(self.search.text())

        self._awaited += 1
        self._jobs.submit(
            lambda _cancel, _progress: [good_for(method) for method in lacking],
            key=object(),
            on_done=have,
            on_error=answered,
            lane="background",
        )

    def _best_hit(self) -> str | None:
        """The method that the search means: the nearest of those found; of equally near ones the present one."""
        from solvers.method_registry import FAMILIAR

        text, present = self.search.text(), self.tree.currentItem()
        hits = [key for key, item in self.items.items() if not item.isHidden() and not item.isDisabled()]
        known = {key: place for place, key in enumerate(FAMILIAR)}

        def rank(key: str) -> tuple[object, ...]:
            return distance(text, self.names[key]), self.items[key] is not present, known.get(key, len(known))

        return min(hits, key=rank, default=None)

    def _pick_best_hit(self) -> None:
        best = self._best_hit()
        if best is not None:
            self.pick(best)

    def _picked(self, item: QTreeWidgetItem | None, _: object) -> None:
        if item is not None and item.data(0, KEY):
            self.chosen.emit(item.data(0, KEY))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the search line, Enter takes the best hit, Down goes to it, Escape clears."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self.search.text():
                    self._pick_best_hit()
                self.finished.emit()
                return True
            if event.key() == Qt.Key.Key_Down:
                if self.search.text() or self.tree.currentItem() is None:
                    self._pick_best_hit()
                self.tree.setFocus()
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)


def names_of(method: Method) -> tuple[str, ...]:
    """All names of a method, in lower case: its key, its name, that of the paper, its aliases."""
    names = (method.key, method.name, method.paper_label or "", *method.aliases)
    return tuple(name.lower() for name in names if name)


def distance(text: str, names: Sequence[str]) -> tuple[int, int, bool, bool]:
    """How far `text` is from the names of a method that it finds; the least is the nearest.

    What is one of the names is nearest, then what begins one; spaces and hyphens do not count: `rk 4` is rk4. Then a
    number that begins a part of a name, as the order of the solution does: `fehlberg 4` is 4(5), and no 3(4). Then
    words that stand side by side in a name, and a name that begins with the first of them.
    """
    words = text.lower().split()
    if not words:
        return 2, 0, True, True
    whole, joined = _letters(text), [_letters(name) for name in names]
    near = 0 if whole in joined else 1 if any(name.startswith(whole) for name in joined) else 2
    orders = {number for name in names for number in _LEADING.findall(_ASIDE.sub(" ", name))}
    inside = sum(number[0] not in orders for word in words if (number := re.match(r"\d+", word)))
    apart = not any(" ".join(words) in name for name in names)
    return near, inside, apart, not any(name.startswith(words[0]) for name in names)


_ASIDE = re.compile(r"\(.*?\)|,.*")
"""What stands in parentheses, and what follows a comma: orders of comparison solutions, stages, variants."""

_LEADING = re.compile(r"(?<![\w./])\d+")
"""A number that begins a part of a name."""


def _letters(text: str) -> str:
    """A name's letters and digits alone."""
    return re.sub(r"[\W_]+", "", text.lower())


def order_text(method: Method) -> str:
    """`5(4)`: the order of the solution and that of the comparison solution; an en dash without one."""
    order = str(method.order) if method.order else "–"
    return f"{order}({method.error_order})" if method.error_order is not None else order


def stages_text(method: Method) -> str:
    """The number of stages, an en dash for multi-step methods and where it varies."""
    return str(method.stages) if method.stages and method.steps == 1 else "–"


def stages_words(method: Method) -> str:
    """`7 stages`; `6 steps` for a multi-step method; nothing where the number varies."""
    count, name = (method.steps, "step") if method.steps > 1 else (method.stages, "stage")
    return counted(count, name) if count else ""


def matches(words: str, wanted: str) -> bool:
    """Whether `wanted` is in `words`, or begins a part of them; `order 4` does not match order 45."""
    return f"{wanted} " in f"{words} " if wanted.startswith("order ") else wanted in words


def short_facts(method: Method) -> str:
    """`order 5(4) · 7 stages · FSAL · explicit`."""
    facts = [
        f"order {order_text(method)}" if method.order else "not consistent",
        stages_words(method),
        "FSAL" if method.fsal else "",
        method.kind_text,
    ]
    return " · ".join(fact for fact in facts if fact)


def good_for(method: Method) -> str:
    """What an implicit method is good for, by its stability regions; without one, by what its card says."""
    regions = [region for _, region in method.regions]
    held = {
        "a-stable": any(region.a_stable for region in regions),
        "l-stable": any(region.l_stable for region in regions),
        "stiff": any(math.isinf(region.real_limit) for region in regions) or (not regions and for_stiff(method)),
    }
    return " ".join(word for word, holds in held.items() if holds)


def for_stiff(method: Method) -> bool:
    """Whether the method's card says that it is for stiff equations; its regions take longer to ask."""
    return method.implicit and re.search(r"(?<!non-)\bstiff", method.summary) is not None


def searchable(method: Method) -> str:
    """What a search covers besides what the method is `good_for`, in lower case."""
    marks = [
        method.kind_text,
        "fsal" if method.fsal else "",
        "adaptive step control" if method.adaptive else "",
        f"order {method.order}",
    ]
    words = [method.key, method.name, method.family, method.paper_label or "", *method.aliases, *marks]
    return " ".join(word for word in words if word).lower()
