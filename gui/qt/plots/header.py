"""What stands above a plot of the window: its name, which variant it shows, the legend, and buttons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.app.table.distinctions import in_brief
from gui.qt.drawing.legend import CurveEntry, at_any_time, flowing_in
from gui.qt.drawing.marks import paint_signed
from gui.qt.drawing.style import style_of
from gui.qt.plots.axes_view import MARGINS
from gui.qt.plots.legend import CurveLegend, width_of
from gui.qt.style.change import type_changed
from gui.qt.style.theme import look
from gui.qt.widgets.parts import bare, quiet_button
from gui.qt.widgets.quiet import ElidedLabel, QuietComboBox, RoleLabel, scale
from robots.model.chart import Chart

SPACING = 8
INSET = 6
"""Between the border of the choice of variants and its text [px]: names stand as far from the edge of their plot."""

RIGHT = 4
"""Right of the menu's button [px]."""

TALL = 260
"""In a plot of at least this height the legend may have many lines [px in usual type]."""

KEYED = 160
"""In a plot of at least this height what is said beside its name does not give way to the legend [px in usual type]."""

FEW_LINES, MANY_LINES, MOST_LINES = 2, 4, 8
SHARE, MOST_SHARE = 1 / 3, 1 / 2
"""How much of its plot a legend takes: usually at most, and rather than to drop values."""

PARTED = "; "
"""Between what is said of the second cursor, of what is outside, and of the plot: below it, it is one sentence."""

PARTS = re.compile("[,;] ")
"""Between the parts of a hint."""

LEAST_HINT = 48
"""With less room than this for the hint [px], only the header's tooltip has it."""


class SignedLabel(RoleLabel):
    """What is said of a plot below it; the signs of its marks have their colours."""

    def __init__(self) -> None:
        super().__init__("", "hint")
        self.signs: dict[str, QColor] = {}

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_hint(self, self.text(), self.signs, wraps=True)


class PlotHint(ElidedLabel):
    """What is said beside a plot's name, as much of it as is whole: half a number or half a word says nothing."""

    def __init__(self, text: str = "", role: str = "hint") -> None:
        super().__init__(text, role)
        self.signs: dict[str, QColor] = {}

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_hint(self, self.shown_text(), self.signs, wraps=False)

    def shown_text(self) -> str:
        text, measure = self.text(), self.fontMetrics().horizontalAdvance
        ends = [len(text), *reversed([found.start() for found in PARTS.finditer(text)])]
        return next((text[:end] for end in ends if measure(text[:end]) <= self.width()), "")


def paint_hint(label: RoleLabel, text: str, signs: Mapping[str, QColor], *, wraps: bool) -> None:
    """Paint what a label says, with signs in these colours."""
    painter = QPainter(label)
    painter.setPen(label.palette().color(label.foregroundRole()))
    paint_signed(painter, text, QRectF(label.contentsRect()), signs, wraps=wraps)
    painter.end()


class PlotHeader(QWidget):
    """One line; where that is too narrow, the hint is left out, and then the legend has lines of its own below.

    The panel scrolls up and down only: in its width the words of a button that has a sign, too, give way first. Then
    the choice has a line of its own below the name, and at last the name is cut.

    Signals:
        enlarge_asked: a double click.
        arranged: its parts have other places, or other words.
    """

    enlarge_asked, arranged = Signal(), Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.name, self.hint, self.legend = ElidedLabel(title, "strong"), PlotHint("", "hint"), CurveLegend()
        self.variants = QuietComboBox(f"{title}: what is shown", "Which view of the plot is shown")
        self.variants.setMinimumContentsLength(0)
        self.variants.setSizeAdjustPolicy(QuietComboBox.SizeAdjustPolicy.AdjustToContents)
        self.variants.setStyleSheet("QComboBox { padding: 0 2px 0 5px; border-color: transparent; }")
        self.variants.hide()
        tip = "The range of this plot was chosen by hand: show everything again"
        self.reset = quiet_button(tip, text="Reset zoom", icon="reset", name=f"{title}: reset zoom")
        self.reset.hide()
        self.more = quiet_button("Enlarge, axis, curves, copy, save, hide", icon="more", name=f"{title}: menu")
        # A least height here would be the one of texts of any size.
        self.reset.setStyleSheet("padding: 1px 4px;")
        self.more.setStyleSheet("padding: 0 4px; min-height: 18px;")
        # No grid: under a legend in all of its columns, empty ones would have their spacing, too.
        self.lines, self.line = bare(QVBoxLayout(self), 0), bare(QHBoxLayout(), SPACING)
        self.lines.addLayout(self.line)
        for widget in (self.name, self.variants, self.hint, self.legend):
            self.line.addWidget(widget, int(widget is self.legend))
        self.line.addStretch()
        for button in (self.reset, self.more):
            self.line.addWidget(button)
        self._indent(INSET)
        self._below = self._stacked = self._brief = self._initials = self.roomy = False
        self._arranged_for: tuple[bool, bool, tuple[int, float]] | None = None
        self._full: tuple[CurveEntry, ...] = ()
        self._short: tuple[CurveEntry, ...] = ()

    def show_chart(self, chart: Chart) -> None:
        """Name the chart, and offer its variants."""
        self.hint.signs = style_of(look().theme.name).sign_colours(chart)
        self.hint.update()
        heading = "" if chart.variants.get(chart.variant) == chart.title and len(chart.variants) > 1 else chart.title
        self.name.show_text(heading)
        self._indent(INSET if heading else 0)
        self.variants.offer((name, key) for key, name in chart.variants.items())
        self.variants.show_data(chart.variant)
        self.variants.setVisible(len(chart.variants) > 1)
        self.arrange()

    def _fit_variants(self) -> None:
        """Let the choice of variants be as wide as the name that it shows, and at least as its first word."""
        box, metrics = self.variants, self.variants.fontMetrics()
        longest = max((metrics.horizontalAdvance(box.itemText(index)) for index in range(box.count())), default=0)
        around = box.sizeHint().width() - longest
        shown = box.currentText()
        first, *more = shown.split(maxsplit=1)
        box.setMaximumWidth(around + metrics.horizontalAdvance(shown) + 2)
        box.setMinimumWidth(around + metrics.horizontalAdvance(first + "…" * bool(more)) + 2)
        box.view().setMinimumWidth(around + longest)

    def _fit_parts(self) -> list[int]:
        """Let name, choice and buttons be whole in the width that there is, as far as they can; their widths [px]."""
        shown = [one for one in (self.name, self.variants, self.reset, self.more) if not one.isHidden()]
        named = self.name in shown and self.variants in shown
        words, sign = Qt.ToolButtonStyle.ToolButtonTextOnly, Qt.ToolButtonStyle.ToolButtonIconOnly
        widths: list[int] = []
        for stacked, style in ((False, words), (False, sign), *[(True, sign)] * named):
            self.reset.setToolButtonStyle(style)
            beside = [one for one in shown if one is not self.variants or not stacked]
            widths = [min(one.sizeHint().width(), one.maximumWidth()) for one in beside]
            self._stack(stacked)
            if sum(widths) + (len(beside) - 1) * SPACING <= self._line_width():
                break
        return widths

    def _stack(self, stacked: bool) -> None:
        """Put the choice below the name, or beside it again."""
        if stacked == self._stacked:
            return
        self._stacked = stacked
        self.lines.removeWidget(self.variants)
        self.line.removeWidget(self.variants)
        if stacked:
            self.lines.insertWidget(1, self.variants, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self.line.insertWidget(1, self.variants)

    def minimumSizeHint(self) -> QSize:
        """As narrow as its panel: what its parts need depends on the width that they have, and would keep it."""
        return QSize(0, super().minimumSizeHint().height())

    def _indent(self, left: int) -> None:
        """Begin so far from the left [px]; a choice that stands for the name has its inset itself."""
        self.lines.setContentsMargins(left, 2, RIGHT, 0)

    def _line_width(self) -> int:
        """Between the margins [px]."""
        margins = self.lines.contentsMargins()
        return self.width() - margins.left() - margins.right()

    def show_hint(self, text: str) -> None:
        """Say what is shown."""
        if text != self.hint.text():
            self.hint.show_text(text)
            self.setToolTip(text)
            self.arrange()

    def show_entries(self, full: tuple[CurveEntry, ...], short: tuple[CurveEntry, ...]) -> None:
        """Show the legend's entries: in full where one line has room for them, else without the runs' names."""
        # What is hidden now may be what the other form needs room for: both are compared, not what is shown of them.
        others = [_words(some) for some in (full, short)] != [_words(some) for some in (self._full, self._short)]
        self._full, self._short = full, short
        self.legend.show_entries(self._worded(short if self._brief else full))
        # A value that has grown, by a sign or a power of ten, may need another room, too.
        cut = not self._below and width_of(self.legend.entries, self.legend) > self.legend.width()
        if others or cut:
            self.arrange()
        elif self._below:
            # A line that values once needed stays: the plot does not move with every frame.
            self.legend.wrap(self._line(), *self._most_lines(), self.legend.lines)

    def show_reset(self, shown: bool) -> None:
        """Show or hide the button that resets the zoom."""
        if shown == self.reset.isHidden():
            self.reset.setVisible(shown)
            self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.enlarge_asked.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if type_changed(self, event):
            QTimer.singleShot(0, self, self.arrange)  # when all parts have type of the new size

    def follow_height(self) -> None:
        """The plot has another height: arrange the parts again where it allows more of them, or less."""
        if self._room_above() != self._arranged_for:
            self.arrange()

    def _room_above(self) -> tuple[bool, bool, tuple[int, float]]:
        """What the height of the plot allows: a line of its own for what is said, many lines, and how many."""
        height, unit = self._height(), scale(self)
        return height > KEYED * unit, self.roomy or height > TALL * unit, self._most_lines()

    def arrange(self) -> None:
        """Put the legend beside the name if there is room, else below it."""
        lofty, tall, _ = self._arranged_for = self._room_above()
        if self.variants.isVisibleTo(self):
            self._fit_variants()
        widths = self._fit_parts()
        taken = sum(widths) + (len(widths) + 2) * SPACING
        room = self.width() - 2 * SPACING
        line = self._line()
        # Names neither come nor go with the playhead, or with where it was when the plot was last arranged.
        full = at_any_time(self._full)
        self._initials = self._in_fewer_lines(full, line)
        full = self._worded(full)
        # A name longer than a line would lose its middle; that of an enlarged plot, which has names to show, may.
        long = not self.roomy and any(width_of((entry,), self.legend) > line for entry in full)
        # Lines of their own are for all names, never for that of one run among others without.
        spread = tall and all(entry.name for entry in full) and self._lines_of(full) <= MOST_LINES
        wide = not spread and width_of(full, self.legend) > room - taken
        self._brief = long or wide or self._names_one_of_several()
        self.legend.show_entries(self._worded(self._short if self._brief else self._full))
        # Nor does a line: its room is that of the values of any time.
        width = width_of(at_any_time(self.legend.entries), self.legend)
        # What its marks stand for is as much a legend as the names: a line of its own leaves it the room.
        said = self.hint.fontMetrics().horizontalAdvance(self.hint.text()) + SPACING
        keyed = bool(self.hint.text()) and not self.roomy and lofty
        below = width > room - taken or (keyed and room - taken - width < said + SPACING <= room - taken)
        left = int(room - taken - (0 if below else width) - SPACING)
        # What an enlarged plot says below it is not said here, too.
        least = self.hint.fontMetrics().horizontalAdvance(self.hint.text()) if self.roomy else LEAST_HINT
        self.hint.setMaximumWidth(left if left >= least else 0)
        self.hint.setVisible(self.hint.maximumWidth() > 0 and bool(self.hint.text()))
        if below != self._below:
            self._below = below
            self.lines.removeWidget(self.legend)
            self.line.removeWidget(self.legend)
            if below:
                self.lines.addWidget(self.legend)
            else:
                self.line.insertWidget(self.line.indexOf(self.hint) + 1, self.legend, 1)
            # Its words end where the plot does, as the dots of the menu above them.
            self.legend.setContentsMargins(0, 0, int(MARGINS[2]) - RIGHT if below else 0, 0)
        self.legend.wrap(line if below else 1e9, *self._most_lines())
        self.arranged.emit()

    @property
    def unsaid(self) -> str:
        """What is to say beside the name, if there is no room for all of it."""
        text = self.hint.text()
        return text if self.hint.fontMetrics().horizontalAdvance(text) > self.hint.maximumWidth() else ""

    def _in_fewer_lines(self, entries: tuple[CurveEntry, ...], line: float) -> bool:
        """Whether the names take less room in brief, and need it: all of them have one form, none is cut."""
        brief = _in_brief(entries)
        cut, cut_in_brief = (sum(width_of((one,), self.legend) > line for one in some) for some in (entries, brief))
        lines = self._lines_of(entries)
        return cut_in_brief < cut or (lines > MANY_LINES and self._lines_of(brief) < lines)

    def _worded(self, entries: tuple[CurveEntry, ...]) -> tuple[CurveEntry, ...]:
        return _in_brief(entries) if self._initials else entries

    def _lines_of(self, entries: tuple[CurveEntry, ...]) -> int:
        """How many lines of the legend below the name these take."""
        measure = QFontMetricsF(self.legend.font()).horizontalAdvance
        return len(flowing_in(entries, measure, self._line(), MOST_LINES))

    def _names_one_of_several(self) -> bool:
        """Whether in full there is the name of one run beside the values of others that have none."""
        quantities = {entry.curve for entry in self._short if entry.name}
        unnamed = any(not entry.name for entry in self._full)
        return unnamed and any(entry.name and entry.curve not in quantities for entry in self._full)

    def _line(self) -> float:
        """The width of a line of the legend below the name [px]."""
        return self.width() - self.lines.contentsMargins().left() - MARGINS[2]

    def _most_lines(self) -> tuple[int, float]:
        """The lines of the legend below the name: at most, and at most for the sake of values."""
        if self.roomy:
            return MOST_LINES, inf
        usual, most = (round(share * self._height() / self.legend.line_height) for share in (SHARE, MOST_SHARE))
        return min(max(FEW_LINES, usual), MOST_LINES), max(FEW_LINES, most)

    def _height(self) -> int:
        """Of the plot [px]."""
        host = self.parentWidget()
        return 0 if host is None else host.height()


def _in_brief(entries: tuple[CurveEntry, ...]) -> tuple[CurveEntry, ...]:
    """The entries with the shortest names that tell them apart; their tips keep the whole ones."""
    names = in_brief([entry.name for entry in entries])
    return tuple(replace(entry, name=name) for entry, name in zip(entries, names, strict=True))


def _words(entries: tuple[CurveEntry, ...]) -> list[tuple[str, str]]:
    """What of the entries decides how much room they need, at whatever time."""
    return [(entry.name, entry.room) for entry in entries]
