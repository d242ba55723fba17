"""What lies over the 3D view: the runs' legend, time and speed, and the numbers of the picked link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.app import formatting, units
from gui.app.runs import RunRow
from gui.app.session.session import Session
from gui.app.units import with_unit
from gui.compose.overlay import rgb
from gui.compose.picture import LegendEntry, legend
from gui.qt.drawing.annotation import LINE, SAMPLE
from gui.qt.drawing.legend import paint_sample
from gui.qt.style.theme import font, look
from gui.qt.style.theme_file import Theme

PAD = 10.0
MARGIN = 28
"""Beside the legend, where it fills the view [px]."""

CROWDED = 0.45
"""A legend of several runs that takes more of the view's width than this is shortened."""

TALL = 0.5
"""A legend of more than three lines never takes more of the view's height than this: the arm comes first."""

HIGHEST_HEAD = 0.3
"""The camera leaves the legend no more than this share of the height."""

LEAST_NAME = 0.4
"""The least share of a narrow legend's width for a run's name, whatever its setting needs."""


class ViewportWidget(QWidget):
    """A small translucent card that lets the mouse through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def fit(self, size: QSize, shown: bool) -> None:
        """Take a size, and show or hide."""
        if size != self.size():
            self.resize(size)
        self.setVisible(shown)
        self.update()

    def begin(self) -> QPainter:
        """A painter on the card's background."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = look().theme
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours["overlay"]))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        return painter


def font_metrics(size: str = "body", *, bold: bool = False) -> QFontMetricsF:
    """The measures of the theme's font."""
    return QFontMetricsF(font(look().theme, size, bold=bold))


class RunLegend(ViewportWidget):
    """One line per visible run: its colour and dash, method, setting, and why it stopped."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        self.shown: tuple[LegendEntry, ...] = ()
        self._theme: Theme | None = None
        self._room = QSize()
        self._widest = 0.0

    def show_rows(self, rows: Sequence[RunRow], t: float, shown: bool) -> None:
        """Show the legend of the runs at `t` [s]."""
        entries, theme, room = legend(rows, t), look().theme, self.parentWidget().size()
        unchanged = (entries, theme, room) == (self._entries, self._theme, self._room)
        if unchanged and (shown and bool(entries)) == self.isVisible():
            return
        self._entries, self._theme, self._room = entries, theme, room
        self.setAccessibleName("Runs: " + "; ".join(f"{e.label}, {e.setting} {e.note}".strip() for e in entries))
        frame = self._line() + 2 * PAD + 18
        width = _width(entries)
        crowded = len(entries) > 2 and width + frame > CROWDED * room.width()
        if crowded or width > room.width() - MARGIN - frame:
            self.shown = brief(entries, [row for row in rows if row.visible])
            width = _width(self.shown)
        else:
            self.shown = entries
        self.shown = at_most(self.shown, max(3, int(TALL * room.height() / self._row())))
        width = max(min(width, room.width() - MARGIN - frame), 0.0)
        self._widest = width
        height = len(self.shown) * self._row() + 2 * PAD - 4
        self.fit(QSize(int(width + frame), int(height)), shown and bool(entries))

    def head(self) -> float:
        """The share of the view's height down to the legend's lower edge; at least that of two runs."""
        host = self.parentWidget()
        lines = max(len(self.shown), 2)
        return min((self.y() + lines * self._row() + 2 * PAD) / max(host.height(), 1), HIGHEST_HEAD)

    def _row(self) -> float:
        return font_metrics().height() + 4

    def _line(self) -> float:
        return LINE * look().larger

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        body, strong = font(theme), font(theme, bold=True)
        y, thick = PAD + font_metrics().ascent(), SAMPLE * look().larger
        for entry in self.shown:
            if entry.dash:
                colour = QColor.fromRgbF(*rgb(entry.colour, theme.name))
                start = QPointF(PAD, y - font_metrics().ascent() * 0.36)
                paint_sample(painter, start, colour, entry.dash, thick, self._line())
            x = PAD + self._line() + 8
            for text, colour in zip(
                self.texts(entry), ("text", "muted", "danger" if entry.alarm else "muted"), strict=True
            ):
                painter.setFont(strong if entry.current and colour == "text" else body)
                painter.setPen(theme.colour(colour))
                painter.drawText(QPointF(x, y), text)
                x += QFontMetricsF(painter.font()).horizontalAdvance(text)
            y += self._row()

    def texts(self, entry: LegendEntry) -> tuple[str, str, str]:
        """A line's name, setting and note, shortened to fit, the first two in the middle: they differ at their ends."""
        middle, right = Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight
        metrics, width = font_metrics(bold=entry.current), self._widest
        room = max(width - font_metrics().horizontalAdvance(_rest(entry)), LEAST_NAME * width)
        label = metrics.elidedText(entry.label, middle, room + 1)
        left = width - metrics.horizontalAdvance(label)
        setting = font_metrics().elidedText(f"   {entry.setting}" if entry.setting else "", middle, left + 1)
        left -= font_metrics().horizontalAdvance(setting)
        return label, setting, font_metrics().elidedText(_note(entry), right, left + 1)


def brief(entries: Sequence[LegendEntry], rows: Sequence[RunRow]) -> tuple[LegendEntry, ...]:
    """The same legend, shorter: short names, and a setting that all runs share only once.

    Names keep their remarks, as in `Runge-Kutta 1 (explicit Euler)`, where the legend becomes no wider.
    """
    shared = len({entry.setting for entry in entries}) == 1
    whole = [formatting.short_name(row.scenario) for row in rows]
    settings = ["" if shared and place else entry.setting for place, entry in enumerate(entries)]
    bare, full = (
        tuple(
            replace(entry, label=row.tag.name or name, setting=setting)
            for entry, row, name, setting in zip(entries, rows, names, settings, strict=True)
        )
        for names in (formatting.without_brackets(whole), whole)
    )
    return full if _width(full) <= _width(bare) else bare


def at_most(entries: tuple[LegendEntry, ...], most: int) -> tuple[LegendEntry, ...]:
    """As many lines as there is room for; the last one counts the other runs."""
    if len(entries) <= most:
        return entries
    rest = len(entries) - most + 1
    return (*entries[: most - 1], LegendEntry("", "", f"and {rest} more", ""))


def _width(entries: Sequence[LegendEntry]) -> float:
    """The width of the longest line's text [px]."""
    body, strong = font_metrics(), font_metrics(bold=True)
    return max((strong.horizontalAdvance(e.label) + body.horizontalAdvance(_rest(e)) for e in entries), default=0.0)


def _rest(entry: LegendEntry) -> str:
    return (f"   {entry.setting}" if entry.setting else "") + _note(entry)


def _note(entry: LegendEntry) -> str:
    return f"   {entry.note}" if entry.note else ""


class Readout(ViewportWidget):
    """Time and speed in one line and, beside panels, the frame rate, which an audience need not know."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._time = self.details = ""
        self._interval = 0.0

    def frame_drawn(self, elapsed: float) -> None:
        """A frame was drawn `elapsed` after the one before [s]."""
        if elapsed < 0.5:
            self._interval = elapsed if not self._interval else 0.9 * self._interval + 0.1 * elapsed

    def show_session(self, session: Session) -> None:
        """Show the session's time and speed."""
        playback = session.playback
        self._time = f"t = {units.clock(playback.t)}"
        parts = [units.factor(playback.speed)]
        detailed = playback.playing and session.view.settings.panels
        if detailed and playback.achieved < 0.9 * playback.speed:
            parts.append(f"shown at {units.factor(playback.achieved)}")
        if detailed and self._interval:
            parts.append(f"{1 / self._interval:.0f} frames/s")
        if session.computing.preparing:
            parts = ["Preparing the solvers"]
        self.details = "   " + "   ".join(parts)
        width = font_metrics(bold=True).horizontalAdvance(self._time) + font_metrics().horizontalAdvance(self.details)
        self.fit(QSize(int(width + 2 * PAD + 4), int(font_metrics().height() + 12)), session.view.settings.readout)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        painter.setFont(font(theme, bold=True))
        painter.setPen(theme.colour("text"))
        y = (self.height() + font_metrics().ascent() - font_metrics().descent()) / 2
        painter.drawText(QPointF(PAD, y), self._time)
        x = PAD + QFontMetricsF(painter.font()).horizontalAdvance(self._time)
        painter.setFont(font(theme))
        painter.setPen(theme.colour("muted"))
        painter.drawText(QPointF(x, y), self.details)


class LinkCard(ViewportWidget):
    """The numbers of the picked link at the playhead."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = ""
        self._lines: list[tuple[str, str]] = []

    def show_link(self, row: RunRow, t: float, link: int | None, degrees: bool) -> None:
        """Show the link's place and its joint's state; nothing if no link, or the fixed base (-1), is picked."""
        if link is None or link < 0 or row.run is None:
            self.fit(self.size(), False)
            return
        self._title, self._lines = link_numbers(row, t, link, degrees)
        body, strong = font_metrics(), font_metrics(bold=True)
        names = max((body.horizontalAdvance(name) for name, _ in self._lines), default=0.0)
        values = max((body.horizontalAdvance(value) for _, value in self._lines), default=0.0)
        width = max(strong.horizontalAdvance(self._title), names + values + 20)
        height = (len(self._lines) + 1) * (body.height() + 3) + 2 * PAD
        self.setAccessibleName(self._title + ": " + ", ".join(f"{name} {value}" for name, value in self._lines))
        self.fit(QSize(int(width + 2 * PAD + 2), int(height)), True)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, body = self.begin(), look().theme, font_metrics()
        y = PAD + body.ascent()
        painter.setFont(font(theme, bold=True))
        painter.setPen(theme.colour("text"))
        painter.drawText(QPointF(PAD, y), self._title)
        painter.setFont(font(theme))
        for name, value in self._lines:
            y += body.height() + 3
            painter.setPen(theme.colour("muted"))
            painter.drawText(QPointF(PAD, y), name)
            painter.setPen(theme.colour("text"))
            painter.drawText(QPointF(self.width() - PAD - body.horizontalAdvance(value), y), value)


def link_numbers(row: RunRow, t: float, link: int, degrees: bool) -> tuple[str, list[tuple[str, str]]]:
    """A link's name, and its joint's angle, rate and torque and its frame's place, each with its unit, at `t` [s]."""
    run, shown = row.run, row.time_shown(t)
    assert run is not None
    shape, lines = run.shape(shown), []
    joint = str(shape.joints[link] if shape.joints else link if shape.links[0] == "base" else link + 1)
    for name, values in run.columns(np.array([shown])).items():
        if name[1:] == joint and (si_unit := run.robot.unit(name)):
            unit = units.Unit.of(si_unit, degrees)
            value = float(values[0]) * unit.per_si
            text = f"{value:.3f}" if abs(value) < 1e6 else units.number(value)
            lines.append((name, with_unit(text, unit.symbol)))
    for axis, value in zip("xyz", run.pose(shown).world_from_link[link][:3, 3].tolist(), strict=True):
        lines.append((axis, with_unit(f"{value:.4f}", "m")))
    if shape.tip is not None and link == shape.tip[0]:
        lines += [(name, units.scientific(value)) for name, value in run.readings(shown).items()]
    return shape.links[link], [(name, value.replace("-", "\u2212")) for name, value in lines]
