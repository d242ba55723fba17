"""The columns of the table of runs as wide as there is room for, with what runs are compared by."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QTableView, QToolButton

from gui.app.table.columns import AT, NOTHING
from gui.app.verdict import verdict
from gui.qt.panels._runs_table import ACTIONS, BEGIN_ALIKE, PADDING, SWATCH, RunsTable
from gui.qt.panels._runs_widths import (
    BARE,
    BRIEF,
    DERIVED,
    FEW,
    LESS,
    MARGIN,
    MORE,
    ONE,
    SILENT,
    SPARE,
    TIGHTER,
    WHOLE,
    lent,
    shared_words,
)
from gui.qt.widgets.quiet import scale

WIDTHS = {"swatch": 44, "error": 100, "rhs": 120}
BUTTON, LEAST_WIDTH, USUAL_WIDTH = 28, 40, 76
LEAST_SECTION = LESS + BUTTON
ICON = 20 / 28
"""Of a button's side."""

WORDS = ("method", "setting", "status")
LEAST_STATUS, STATUS = 110, 150
"""The columns of text are as wide as their texts where they can, and share what there is where they cannot. Names and
settings say which run is which: they are worth more than a column of numbers. The status gives way first, down to a
word, of which it needs the first width at most [px]; while a run is computed it changes all the time, and has the
second width and what is left over.
"""

ROW_AIR = 19
"""How much higher a row is than its type [px]: large words need more room, what is around them does not."""


def _usual(key: str) -> int:
    """The width of a column of numbers in usual type, if it has room [px]; buttons are as wide as they are."""
    return 0 if key == ACTIONS else WIDTHS.get(key, 94 if key.startswith(AT) else USUAL_WIDTH)


class RunsColumns:
    """Gives the columns of a table their widths.

    Args:
        model, table: the runs, and what shows them.
        buttons: of each row, by the id of its run and their keys.
    """

    def __init__(
        self, model: RunsTable, table: QTableView, buttons: Callable[[], Mapping[int, Mapping[str, QToolButton]]]
    ) -> None:
        self.model, self.table, self.buttons = model, table, buttons
        self._button = BUTTON

    def share(self) -> None:
        """Fit them into the table; where even the narrowest ones are too wide it scrolls sideways."""
        factor, room = scale(self.table), self.table.viewport().width()
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontInfo().pixelSize() + ROW_AIR)
        self._button = min(round(BUTTON * factor), self.table.verticalHeader().defaultSectionSize())
        wanted, needed = self._words(factor)
        widths, words, tight = dict[str, int](), needed[WHOLE], 1.0
        numbers = [key for key in self.model.keys if key not in WORDS]
        least = {key: self._least(key) for key in numbers}
        spare, fewer = self._spare(numbers), 0
        for tight, fewer, brevity in TIGHTER:
            shown = (key for key in numbers if key not in spare[:fewer])
            widths = {key: max(int(_usual(key) * factor * tight), least[key]) for key in shown}
            if tight <= FEW:
                widths[ACTIONS] = MARGIN + 2 * self._button if tight > ONE else LEAST_SECTION
            words = needed[brevity]
            if room - sum(widths.values()) >= sum(words.values()):
                break
        lacks = self._titles([key for key in spare[:fewer] if self._says_something(key)])
        self.model.say_roomless(lacks, self._beside(f"+{len(lacks)}") <= widths.get(ACTIONS, 0))
        if tight <= ONE:
            # Only a few pixels smaller, and only where the table does not scroll sideways for that.
            more, left = self._button - BUTTON, room - sum(widths.values()) - int(sum(words.values()))
            self._button -= more - left if 0 <= left < more else 0
            widths[ACTIONS] = LESS + self._button
        self._size_buttons()
        for buttons in self.buttons().values():
            for key, button in buttons.items():
                button.setVisible(tight <= ONE if key == MORE else tight > (FEW if key in SPARE else ONE))
        widths = lent(widths, least, room - sum(needed[WHOLE].values()))
        room = max(room - sum(widths.values()), sum(words.values()))
        self._apply(widths | {key: int(width) for key, width in shared_words(wanted, words, room).items()})

    def _size_buttons(self) -> None:
        """Let the buttons of rows, and the icons on them, be as large beside the type as they usually are."""
        side, icon = self._button, round(ICON * self._button)
        for button in (button for buttons in self.buttons().values() for button in buttons.values()):
            button.setFixedSize(side, side)
            button.setIconSize(QSize(icon, icon))

    def _apply(self, widths: Mapping[str, int]) -> None:
        """A column without a width is hidden."""
        for place, key in enumerate(self.model.keys):
            width = widths.get(key, 0)
            if self.table.isColumnHidden(place) == bool(width):
                self.table.setColumnHidden(place, not width)
            if self.table.columnWidth(place) != width:
                self.table.setColumnWidth(place, width)

    def _words(self, factor: float) -> tuple[dict[str, float], dict[int, dict[str, float]]]:
        """What the columns of text would have, and what they need for each brevity of names and settings [px]."""
        wanted: dict[str, float] = {key: self._content(key) for key in WORDS if key in self.model.keys}
        if "status" in wanted:
            changing = any(row.state == "computing" for row in self.model.moment.rows)
            wanted["status"] = STATUS * factor if changing else max(wanted["status"], STATUS * factor)
        named = {**wanted, **self._brief_status(LEAST_STATUS * factor)}
        ways = {way: {key: self._content(key, way) for key in BEGIN_ALIKE if key in named} for way in (BARE, BRIEF)}
        return wanted, {WHOLE: named, **{way: named | brief for way, brief in ways.items()}}

    def _spare(self, numbers: list[str]) -> list[str]:
        """Those of the columns of numbers that may be left out, the first one first; none that a person chose."""
        if self.model.session.view.settings.columns is not None:
            return []
        silent = [key for key in SILENT if key in numbers and not self._says_something(key)]
        return silent + [key for key in DERIVED if key in numbers and key not in silent]

    def _titles(self, keys: list[str]) -> list[str]:
        found = (self.model.column(self.model.keys.index(key)) for key in keys)
        return [column.title for column in found if column is not None]

    def _says_something(self, key: str) -> bool:
        """Whether any run has a number in that column, or will have one; that none is rejected says nothing."""
        column, moment = self.model.column(self.model.keys.index(key)), self.model.moment
        return column is not None and any(column.text(row, moment) not in (NOTHING, "0") for row in moment.rows)

    def _brief_status(self, most: float) -> dict[str, float]:
        """How wide the status is, if it is shown, where it says in a word how the runs fared [px]."""
        if "status" not in self.model.keys:
            return {}
        measure = self.table.fontMetrics().horizontalAdvance
        words = (measure(verdict(row).brief) + PADDING for row in self.model.moment.rows)
        return {"status": min(most, max(self._heading("status"), *words))}

    def _least(self, key: str) -> int:
        """The least width of a column of numbers [px]: header and numbers are whole, and buttons do not shrink."""
        if key == ACTIONS:
            return PADDING + self._button * max((len(buttons) - 1 for buttons in self.buttons().values()), default=0)
        return max(self._content(key), LEAST_WIDTH)

    def _content(self, key: str, brevity: int = WHOLE) -> int:
        """How wide the heading and the texts of a column are [px]."""
        high = self.table.verticalHeader().defaultSectionSize()
        widths = self.model.widths(key, self.table.font(), high, brevity)
        return max([self._heading(key), *(width + PADDING for width in widths)])

    def _beside(self, text: str) -> int:
        """How wide a heading of that text is [px]; that of the swatch has none."""
        return self.table.horizontalHeader().fontMetrics().horizontalAdvance(text) + self._heading(SWATCH)

    def _heading(self, key: str) -> int:
        return self.table.horizontalHeader().sectionSizeFromContents(self.model.keys.index(key)).width()
