"""The legend of the runs over the 3D view: every word of a line that is too long stands below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.app import formatting
from gui.app.runs import RunRow
from gui.app.table.distinctions import in_brief
from gui.app.units import Unit
from gui.compose.overlay import rgb
from gui.compose.picture import LegendEntry, legend
from gui.qt.drawing.annotation import LINE, SAMPLE
from gui.qt.drawing.legend import paint_sample
from gui.qt.style.theme import font, look
from gui.qt.viewport.overlays import MARGIN, PAD, ViewportWidget, font_metrics

CROWDED = 0.45
"""A legend of several runs that takes more of the view's width than this is shortened."""

TALL = 0.4
"""A legend of more than three lines never takes more of the view's height than this: the arm comes first."""

HIGHEST_HEAD = 0.5
"""The camera leaves the legend no more than this share of the height."""

LOW = 3
"""Below a legend of so many lines the arm has room enough: it does not move for the next run."""

GAP = "   "
"""Between a run's name, its setting and its note."""

ALL = "all: "
"""Before a setting that stands beside the first run and is that of every run."""

PARTS = re.compile(r"(?<=,) | (?=· )")
"""Where a setting goes on in the next line: behind a comma, before a dot."""


AMOUNT = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)? ?[µμnm]?s(?!\w)")
"""A time such as `0.5 ms` or `0,5 ms`."""

WORDS = re.compile(r"[^ ]*?-(?=[^\W\d])|[^ ]+")
"""Parts of a name: words, and parts of them that end in a hyphen."""

LONGEST_WORD = "Rosenbrock-"
"""A view that is too narrow for this shows no legend: it would be dots. The table of runs is beside it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one kind: `text` for a run's name, `muted`, or `danger`."""

    text: str
    role: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the legend: of which run, whether its first, and its words."""

    entry: LegendEntry
    first: bool
    pieces: tuple[Piece, ...]


class RunLegend(ViewportWidget):
    """One line per visible run, or more: its colour and dash, method, setting, and why it stopped.

    Attributes:
        shown: the entries that there is room for.
        lines: the same, as they are drawn.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.shown: tuple[LegendEntry, ...] = ()
        self.lines: list[Line] = []
        self._state: tuple[object, ...] = ()
        self._wanted = True

    def show_rows(self, rows: Sequence[RunRow], t: float, wanted: bool) -> None:
        """Show the legend of the runs at `t` [s]."""
        entries, theme, room = legend(rows, t), look().theme, self.parentWidget().size()
        state = entries, theme, room, wanted
        if state == self._state:
            return
        self._state = state
        self.setAccessibleName("Runs: " + "; ".join(f"{e.label}, {e.setting} {e.note}".strip() for e in entries))
        frame = self._line() + 2 * PAD + 18
        widest = room.width() - 2 * MARGIN - frame
        crowded = len(entries) > 2 and _width(entries) + frame > CROWDED * room.width()
        wanted = wanted and widest >= font_metrics(bold=True).horizontalAdvance(LONGEST_WORD)
        seen, given = [row for row in rows if row.visible], entries
        if crowded or _width(once(entries)) > widest:
            most_wide = CROWDED * room.width() - frame if crowded else inf
            given = brief(entries, seen, most_wide)
        most = max(3, int(TALL * room.height() / self._row()))
        given = in_few_lines(given, seen, widest)
        if len(given) > 1 and len(lines_of(given, widest)) > most:
            given = names_alone(given, seen)
        self.shown = next(fewer for count in range(most, 0, -1) if _fits(fewer := at_most(given, count), widest, most))
        self.lines = cut(lines_of(self.shown, widest), most)
        width = max((_line_width(line) for line in self.lines), default=0.0)
        height = len(self.lines) * self._row() + 2 * PAD - 4
        self._wanted = wanted
        self.fit(QSize(int(width + frame), int(height)), wanted and bool(entries))

    def head(self) -> float:
        """The share of the view's height down to the legend's lower edge; at least that of two lines."""
        lines = max(len(self.lines), 2)
        low = self.y() + lines * self._row() + 2 * PAD
        return min(low / max(self.parentWidget().height(), 1), HIGHEST_HEAD) if self._wanted else 0.0

    def left(self) -> float:
        """The share of the view's width that a high legend takes: the arm may stand beside it."""
        wide = self.geometry().right() / max(self.parentWidget().width(), 1)
        return wide if self._wanted and len(self.lines) > LOW else 1.0

    def _row(self) -> float:
        return font_metrics().height() + 4

    def _line(self) -> float:
        return LINE * look().larger

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        y, thick = PAD + font_metrics().ascent(), SAMPLE * look().larger
        for line in self.lines:
            if line.first and line.entry.dash:
                colour = QColor.fromRgbF(*rgb(line.entry.colour, theme.name))
                start = QPointF(PAD, y - font_metrics().ascent() * 0.36)
                paint_sample(painter, start, colour, line.entry.dash, thick, self._line())
            x = PAD + self._line() + 8
            for number, piece in enumerate(line.pieces):
                x += font_metrics().horizontalAdvance(GAP) if number else 0.0
                painter.setFont(font(theme, bold=line.entry.current and piece.role == "text"))
                painter.setPen(theme.colour(piece.role))
                painter.drawText(QPointF(x, y), piece.text)
                x += QFontMetricsF(painter.font()).horizontalAdvance(piece.text)
            y += self._row()


def lines_of(entries: Sequence[LegendEntry], width: float) -> list[Line]:
    """The entries in lines of at most this width [px]; a word that is longer than a line loses its middle."""
    made: list[Line] = []
    for entry in entries:
        rows: list[list[Piece]] = [[]]
        note = "danger" if entry.alarm else "muted"
        for text, role in ((entry.label, "text"), (entry.setting, "muted"), (entry.note, note)):
            if not text:
                continue
            whole = Line(entry, True, (*rows[-1], Piece(text, role)))
            if _line_width(whole) <= width:
                rows[-1] = list(whole.pieces)
                continue
            metrics = font_metrics(bold=entry.current and role == "text")
            folded = [Piece(one, role) for one in _folded(text, metrics, width, PARTS if role != "text" else None)]
            rows = [*(row for row in rows if row), *([piece] for piece in folded)]
        made += [Line(entry, number == 0, tuple(row)) for number, row in enumerate(rows) if row]
    return made


def cut(lines: list[Line], most: int) -> list[Line]:
    """The first lines; the last one ends in an ellipsis where others follow it."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    *rest, end = last.pieces
    return [*lines[: most - 1], replace(last, pieces=(*rest, replace(end, text=f"{end.text.rstrip(', ')} …")))]


def _folded(text: str, metrics: QFontMetricsF, width: float, parts: re.Pattern[str] | None) -> list[str]:
    """A text in lines: between its parts, and within those that are longer than a line between words."""
    rows: list[str] = []
    for part in parts.split(text) if parts is not None else WORDS.findall(text):
        longer = "" if not rows else rows[-1] + part if rows[-1].endswith("-") else f"{rows[-1]} {part}"
        if rows and metrics.horizontalAdvance(longer) <= width:
            rows[-1] = longer
        elif metrics.horizontalAdvance(part.removeprefix("· ")) <= width:
            rows.append(part.removeprefix("· "))
        elif parts is not None and " " in part:
            rows += _folded(part.removeprefix("· "), metrics, width, None)
        else:
            rows.append(metrics.elidedText(part, Qt.TextElideMode.ElideMiddle, width))
    return rows


def once(entries: tuple[LegendEntry, ...]) -> tuple[LegendEntry, ...]:
    """The same legend, in which a setting that several runs share stands only once, as that of all."""
    settings = {entry.setting for entry in entries}
    if len(entries) < 2 or len(settings) > 1 or not entries[0].setting:
        return entries
    first = replace(entries[0], setting=f"{ALL}{entries[0].setting}")
    return (first, *(replace(entry, setting="") for entry in entries[1:]))


def brief(entries: Sequence[LegendEntry], rows: Sequence[RunRow], room: float) -> tuple[LegendEntry, ...]:
    """The same legend, shorter: short names, and initials where these are wider than the room [px].

    Names keep their remarks, as in `Runge-Kutta 1 (explicit Euler)`, where the legend becomes no wider.
    """
    whole = [formatting.method_name(row.scenario) for row in rows]
    full, bare, least = (
        named(entries, rows, methods)
        for methods in (whole, formatting.without_brackets(whole), formatting.short_names(whole))
    )
    if _width(full) <= _width(bare):
        return full
    return bare if _width(bare) <= room else least


def named(entries: Sequence[LegendEntry], rows: Sequence[RunRow], methods: Sequence[str]) -> tuple[LegendEntry, ...]:
    """The entries with these names of methods; runs keep their own names."""
    return tuple(
        replace(entry, label=entry.label if row.called else method)
        for entry, row, method in zip(entries, rows, methods, strict=True)
    )


def in_few_lines(entries: tuple[LegendEntry, ...], rows: Sequence[RunRow], width: float) -> tuple[LegendEntry, ...]:
    """The same with settings as brief as gives each run one line of this width [px], or as few lines as can be.

    All settings have one form: whole, with initials, only what names do not say and not all runs share, or none. With
    initials alone where not every run has a name of its own, and none only where each has. One run may have two lines.
    """
    short = in_brief([entry.setting for entry in entries])
    least = named(entries, rows, formatting.short_names([formatting.method_name(row.scenario) for row in rows]))
    initials = tuple(replace(entry, setting=text) for entry, text in zip(least, short, strict=True))
    forms = [once(entries)]
    if len(set(short)) > 1:
        own = all(row.called for row in rows)
        forms += [_apart(initials), names_alone(entries, rows)] if own else [initials, _apart(initials)]
    else:
        forms.append(once(initials))
    lines = [len(lines_of(form, width)) for form in forms]
    enough = max(min(lines, default=0), len(entries), 2)
    return next(form for form, count in zip(forms, lines, strict=True) if count <= enough)


def _apart(entries: tuple[LegendEntry, ...]) -> tuple[LegendEntry, ...]:
    """The same with only those parts of settings that not all runs have, and that the run's name does not say.

    A run that is called `20 ms` need not say `step 20 ms`.
    """
    parts = [[part.strip(" ·,") for part in PARTS.split(entry.setting)] for entry in entries]
    shared = set(parts[0]).intersection(*parts[1:])
    return tuple(
        replace(
            entry,
            setting=", ".join(part for part in own if part not in shared and not _says(entry.label, part)),
        )
        for entry, own in zip(entries, parts, strict=True)
    )


def _says(name: str, part: str) -> bool:
    """Whether a run's name has a part of a setting in it, or one of the name's own parts is the end of it.

    Amounts are compared, not how they are written.
    """
    said, whole = (AMOUNT.sub(_amount, " ".join(words.split())) for words in (name, part))
    within = re.search(rf"(?<!\w){re.escape(whole)}(?!\w)", said) is not None
    return within or any(" " in own and f" {whole}".endswith(f" {own}") for own in (said, *said.split(", ")))


def _amount(found: re.Match[str]) -> str:
    """The same for equal amounts, however they are written: 0.5 ms and 500 µs."""
    return f"{Unit.of('s').read(found[0]):.9g} s"


def names_alone(entries: tuple[LegendEntry, ...], rows: Sequence[RunRow]) -> tuple[LegendEntry, ...]:
    """The same without settings where names set all runs apart: better than no names, and the table has settings.

    A run that is integrated otherwise since it has its name keeps its setting, in brief.
    """
    if len({entry.label for entry in entries}) < len(entries):
        return entries
    short = in_brief([entry.setting for entry in entries])
    return tuple(
        replace(entry, setting="" if row.called in ("", entry.label) else text)
        for entry, row, text in zip(entries, rows, short, strict=True)
    )


def at_most(entries: tuple[LegendEntry, ...], most: int) -> tuple[LegendEntry, ...]:
    """As many entries as there is room for; the last one counts the other runs."""
    if len(entries) <= most:
        return entries
    rest = len(entries) - most + 1
    return (*entries[: most - 1], LegendEntry("", "", f"and {rest} more", ""))


def _fits(entries: Sequence[LegendEntry], width: float, most: int) -> bool:
    """Whether the entries have room; one or two runs always stay, as far as they are seen."""
    return len(entries) <= 2 or len(lines_of(entries, width)) <= most


def _width(entries: Sequence[LegendEntry]) -> float:
    """The width of the longest entry in one line [px]."""
    return max((_line_width(line) for line in lines_of(entries, float("inf"))), default=0.0)


def _line_width(line: Line) -> float:
    gap = font_metrics().horizontalAdvance(GAP)
    strong = [line.entry.current and piece.role == "text" for piece in line.pieces]
    words = [font_metrics(bold=bold).horizontalAdvance(one.text) for one, bold in zip(line.pieces, strong, strict=True)]
    return sum(words) + gap * (len(words) - 1)
