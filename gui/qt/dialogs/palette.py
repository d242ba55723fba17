"""The command palette: find any command, preset or method by a few letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.qt.access.spoken import announce
from gui.qt.dialogs.sheets import BORDER, Sheet
from gui.qt.style.theme import font, look, role
from gui.qt.widgets.method_tree import distance
from gui.qt.widgets.quiet import RoleLabel

_ENTRY = Qt.ItemDataRole.UserRole
WORD = re.compile(r"\w+")
KIND = re.compile(r"^(panel: |plot: |lesson: |set |use |open |show )")
"""What stands before a name."""

SET = "set "
"""How a search begins that is for a field, perhaps with a value."""

BAR = 4
"""Width of the bar that marks the line Enter would take [px]."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the palette: its text, its menu, its key, its action; `more` follows the text, but is no name.

    `names` are others for the same thing, such as the key of a method. `why` says why it is disabled, if that is known.
    `replaces` is whether it opens something else in place of the scenario. Of a field, `takes` gives what enters a text
    there, or None where that is no value of it.
    """

    text: str
    place: str
    key: str
    act: Callable[[], object]
    tip: str = ""
    enabled: bool = True
    more: str = ""
    names: tuple[str, ...] = ()
    why: str = ""
    replaces: bool = False
    takes: Callable[[str], Callable[[], object] | None] | None = None


def rank(query: str, entry: Entry) -> int | None:
    """How badly an entry matches; None if some word of the query is missing.

    What has this very name is best, whatever is done with it: "runs" is the panel of runs, and "step" is the field and
    not the dots at the ends of steps. A whole word is better than the beginning of one: "10 ms" is not 100 ms. Of
    equally good matches, those with the words side by side come first. The name of what replaces the scenario is no
    better than the beginning of another one: "stability" is the regions of the method, and then the lesson.
    """
    text, wanted = " ".join(entry.text.lower().split()), query.lower().rstrip(".… ").split()
    if " ".join(wanted) == text:
        return -1
    if " ".join(wanted) == KIND.sub("", text):
        return 0 if entry.replaces else -1
    if entry.names and distance(query, entry.names)[0] == 0:
        return -1
    everything = f"{text} {entry.place.lower()} {entry.tip.lower()} {entry.more.lower()}"
    score = 0
    for word in wanted:
        if text.startswith(word):
            continue
        if word in (parts := WORD.findall(text)):
            score += 1
        elif any(part.startswith(word) for part in parts):
            score += 2
        elif word in text:
            score += 3
        elif word in everything.split():
            score += 4
        elif word.replace("-", "") in everything.replace("-", ""):
            score += 5
        else:
            return None
    return 2 * score + (" ".join(wanted) not in text)


def with_value(query: str, entry: Entry) -> Entry | None:
    """The line of a field with the value that follows its name: `set step 5 ms`; None for everything else.

    What begins as a number does, but cannot be read, leads to the field.
    """
    words, names = " ".join(query.split()), (KIND.sub("", entry.text.lower()), *entry.names)
    after = words[len(SET) :] if words.lower().startswith(SET) else ""
    name = next((one for one in names if after.lower().startswith(f"{one} ")), None)
    if entry.takes is None or name is None:
        return None
    value = after[len(name) + 1 :]
    act = entry.takes(value)
    if act is None:
        return entry if value[0] in "0123456789+-−.," else None
    return replace(entry, act=act, more=f" to {value}")


class Palette(Sheet):
    """A field to type in and the matching entries, best first.

    Args:
        window: the window to lie over.
        entries: gives what there is to find, at first and once there is more.
        title: what the field asks for.
        present: the number of the current entry, which is marked at first.
        loading: whether there will be more to find; until then Enter takes only what a person has marked.
    """

    def __init__(
        self,
        window: QWidget,
        entries: Callable[[], Sequence[Entry]],
        title: str = "Search commands, presets, methods",
        present: int = 0,
        *,
        loading: bool = False,
    ) -> None:
        super().__init__(window, title, QSize(620, 460), 0.0)
        self.body.setContentsMargins(12, 8, 12, 12)
        self.body.setSpacing(8)
        self._source, self._entries, self._present = entries, entries(), present
        self._loading, self._marked, self._entered = loading, False, False
        self.search = QLineEdit()
        self.search.setObjectName("paletteSearch")
        self.search.setPlaceholderText(title)
        self.search.setAccessibleName(title)
        self.search.setToolTip("Type a part of a name; Enter chooses the marked line")
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._act)
        self.search.installEventFilter(self)
        self._line = QFrame()
        self._line.setObjectName("line")
        self._line.setFixedHeight(1)
        self.list = QListWidget()
        self.list.setObjectName("paletteList")
        self.list.setAccessibleName("Matches")
        self.list.setAccessibleDescription("The arrows choose a line")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(_Line(self.list))
        # By itself it wants room for several lines, and one alone would make the sheet scroll.
        self.list.setMinimumHeight(line_height())
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._take)
        self.empty = role(QLabel("No matches"), "hint")
        self.empty.setContentsMargins(10, 8, 0, 8)
        self.why = RoleLabel("", "hint")
        self.why.setContentsMargins(10, 0, 10, 0)
        for widget in (self.search, self._line, self.empty, self.list, self.why):
            self.body.addWidget(widget)
        self.setFocusProxy(self.search)
        self._filter("")

    def renew(self) -> None:
        """There is all to find now: look for what was typed so far again; what a person has marked stays so."""
        chosen, entered, item = self._marked, self._entered, self.list.currentItem()
        name = item.data(_ENTRY).text if item is not None else ""
        self._entries, self._loading = self._source(), False
        self._filter(self.search.text())
        rows = [row for row in range(self.list.count()) if self.list.item(row).data(_ENTRY).text == name]
        if rows and chosen:
            self.list.setCurrentRow(rows[0])
            self._marked = True
        if entered and self.isVisible():
            self._act()

    def preferred_size(self) -> QSize:
        """The card fits its lines, up to twelve of them."""
        lines, margins = min(max(self.list.count(), 1), 12), self.body.contentsMargins()
        around = margins.top() + margins.bottom() + 2 * (self.body.spacing() + BORDER + self.list.frameWidth())
        fixed, width = self.search.sizeHint().height() + self._line.height(), int(620 * look().theme.scale)
        if not self.why.isHidden():
            fixed += self.why.heightForWidth(width - margins.left() - margins.right()) + self.body.spacing()
        return QSize(width, around + fixed + lines * line_height())

    def _filter(self, query: str) -> None:
        self._marked = self._entered = False
        ranked = [(score, entry) for entry in self._entries if (score := rank(query, entry)) is not None]
        if query:
            ranked.sort(key=lambda pair: (pair[0], pair[1].replaces, not pair[1].enabled))
        if query.lower().startswith(SET):
            # Who sets a value never leaves the scenario; "set mass 2" is the field of that name.
            ranked = [pair for pair in ranked if not pair[1].replaces]
            same = sum(1 for score, _ in ranked if score < 0)
            valued = [found for entry in self._entries if (found := with_value(query, entry)) is not None]
            valued.sort(key=lambda found: -len(found.text))
            ranked[same:] = [(0, found) for found in valued] + [pair for pair in ranked[same:] if pair[1] not in valued]
        self.list.clear()
        for _, entry in ranked:
            item = QListWidgetItem()
            item.setData(_ENTRY, entry)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.text}{entry.more}, {entry.place}, {entry.key}")
            if not entry.enabled:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        # The best match is marked though it is disabled: Enter never takes another one in its place.
        self.list.setCurrentRow((0 if query else self._present) if ranked else -1)
        self.why.show_text("")
        self.empty.setVisible(not ranked)
        self.list.setVisible(bool(ranked))
        if self.isVisible():
            self.place()

    def _act(self) -> None:
        if self._loading and self.search.text() and not self._marked:
            self._entered = True
            self._explain("Loading the panels: Enter takes the best match in a moment.")
        else:
            self._take()

    def _take(self, *_: object) -> None:
        item = self.list.currentItem()
        entry = item.data(_ENTRY) if item else None
        if entry is not None and entry.enabled:
            self.dismiss()
            entry.act()
        elif entry is not None:
            self._explain(entry.why or f"{entry.text} does not apply now.")

    def _explain(self, text: str) -> None:
        self.why.show_text(text)
        self.place()
        announce(self.search, text)

    def eventFilter(self, watched, event) -> bool:
        if watched is self.search and isinstance(event, QKeyEvent) and event.type() == QKeyEvent.Type.KeyPress:
            leap = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}.get(
                Qt.Key(event.key())
            )
            if leap is not None:
                self._leap(leap)
                return True
        return super().eventFilter(watched, event)

    def _leap(self, by: int) -> None:
        """Move the mark by so many lines, down or (if negative) up, past those that are disabled."""
        row = self.list.currentRow()
        rows = [one for one in range(self.list.count()) if one == row or self.list.item(one).data(_ENTRY).enabled]
        if rows:
            at = rows.index(row) + by if row in rows else 0
            self.list.setCurrentRow(rows[min(max(at, 0), len(rows) - 1)])
            self._marked, self._entered = True, False
            self.why.show_text("")
            self.place()


def line_height() -> int:
    """The height of a line [px]."""
    return int(look().theme.sizes["body"] * 2.6)


class _Line(QStyledItemDelegate):
    """Text at the left, place and key in grey at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, line_height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, entry = look().theme, index.data(_ENTRY)
        rect: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marked = self.parent()
        chosen = isinstance(marked, QListWidget) and index.row() == marked.currentRow()  # selected if enabled, too
        if chosen or (entry.enabled and state & QStyle.StateFlag.State_MouseOver):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent_soft" if chosen else "hover"))
            painter.drawRoundedRect(rect, 6, 6)
        if chosen:
            painter.setBrush(theme.colour("accent"))
            painter.drawRoundedRect(rect.adjusted(0, 4, BAR - rect.width(), -4), 2, 2)
        inner = rect.adjusted(12, 0, -12, 0)
        painter.setFont(font(theme))
        painter.setPen(theme.colour("text" if entry.enabled else "disabled"))
        text = entry.text + entry.more
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        inner.setLeft(inner.left() + painter.fontMetrics().horizontalAdvance(text) + 24)
        painter.setFont(font(theme, "caption"))
        painter.setPen(theme.colour("muted"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        place = f"{entry.place}      {entry.key}" if entry.key else entry.place
        painter.drawText(
            inner, right, painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideRight, inner.width())
        )
        painter.restore()
