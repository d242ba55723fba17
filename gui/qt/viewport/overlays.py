"""What lies over the 3D view beside the runs' legend: time and speed, and the numbers of the picked link."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.app import units
from gui.app.runs import RunRow
from gui.app.session.session import Session
from gui.app.units import with_unit
from gui.compose.kinematics import tip_of
from gui.qt.style.theme import font, look
from gui.qt.widgets.parts import Escape

PAD = 10.0
MARGIN = 14
"""Between a card and the edge of the view [px]."""

WIDEST_TIME, WIDEST_DETAILS = "t = 10.000 s", "   1/16×   60 frames/s"
"""What time and speed are long enough to say."""

NARROW = 0.4
"""Time and speed that may take more of the view's width than this could stand over an arm's base."""


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


def height_of_time() -> float:
    """Of time and speed [px]."""
    return font_metrics().height() + 12


class Readout(ViewportWidget):
    """Time and speed in one line and, beside panels, the frame rate, which an audience need not know."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._time = self.details = ""
        self._interval = 0.0
        self._wanted = True

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
        frame, room = 2 * PAD + 4, self.parentWidget().width() - 2 * MARGIN
        fewer = ("".join(f"   {part}" for part in parts[:count]) for count in range(len(parts), -1, -1))
        self.details = next((some for some in fewer if _width(self._time, some) + frame <= room), "")
        self._wanted = session.view.settings.readout
        width = _width(self._time, self.details) + frame
        self.fit(QSize(int(width), int(height_of_time())), self._wanted)

    def foot(self) -> float:
        """The share of the view's height that the camera leaves free for it.

        None in a wide view, where it stands beside the arm. What it says while something plays does not matter: the
        camera stands still.
        """
        host = self.parentWidget()
        if not self._wanted or _width(WIDEST_TIME, WIDEST_DETAILS) + MARGIN <= NARROW * host.width():
            return 0.0
        return (self.height() + MARGIN) / max(host.height(), 1)

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
    """The numbers of the picked link at the playhead; Esc closes them.

    Args:
        parent: the 3D view.
        close: picks no link.
    """

    def __init__(self, parent: QWidget, close: Callable[[], object]) -> None:
        super().__init__(parent)
        Escape(self, close)
        self.high = False
        self._title = ""
        self._lines: list[tuple[str, str]] = []

    def show_link(self, row: RunRow, t: float, link: int | None, degrees: bool) -> None:
        """Show the link's place and its joint's state; nothing if no link is picked."""
        if link is None or row.run is None:
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

    def side(self) -> float:
        """The share of the view's width at the right that it takes, and its margins."""
        return 0.0 if self.isHidden() else (self.width() + 2 * MARGIN) / max(self.parentWidget().width(), 1)

    def place(self, readout: QWidget, legend: QWidget) -> None:
        """Stand in the lower right corner, above time and speed, or in the upper one, below the legend."""
        self.move(self._corner(self.high, readout, legend).topLeft())

    def stand_clear(self, ways: Sequence[NDArray[np.float64]], readout: QWidget, legend: QWidget) -> None:
        """Take the corner that covers fewer of some points (k, 2) [px]; where both cover as many, of the next ones."""
        covered = []
        for high in (False, True):
            corner = QRectF(self._corner(high, readout, legend))
            seen = (way[np.isfinite(way).all(axis=1)].tolist() for way in ways)
            covered.append([sum(corner.contains(x, y) for x, y in points) for points in seen])
        self.high = covered[1] < covered[0]
        self.place(readout, legend)

    def _corner(self, high: bool, readout: QWidget, legend: QWidget) -> QRect:
        host = self.parentWidget()
        left = host.width() - self.width() - MARGIN
        if high:
            beside = legend.isHidden() or left > legend.geometry().right()
            top = MARGIN if beside else legend.geometry().bottom() + MARGIN // 2
        else:
            beside = left > readout.geometry().right()
            top = (host.height() - MARGIN if beside else readout.y() - MARGIN // 2) - self.height()
        return QRect(QPoint(left, top), self.size())

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


def _width(time: str, details: str) -> float:
    return font_metrics(bold=True).horizontalAdvance(time) + font_metrics().horizontalAdvance(details)


def link_numbers(row: RunRow, t: float, link: int, degrees: bool) -> tuple[str, list[tuple[str, str]]]:
    """A link's name, its joint's angle, rate, torque and place, and the tip's, each with its unit, at `t` [s].

    A link's frame stands in its joint, if it has one; that of a body that moves freely, in its origin.
    """
    run, shown = row.run, row.time_shown(t)
    assert run is not None
    shape, lines = run.shape(shown), []
    joint = str(shape.joints[link] if shape.joints else link if shape.links[0] == "base" else link + 1)
    for name, values in run.columns(np.array([shown])).items():
        if name[1:] == joint and (si_unit := run.robot.unit(name)):
            unit = units.Unit.of(si_unit, degrees)
            value = round(float(values[0]) * unit.per_si, 3) + 0.0  # what rounds to zero has no sign
            text = f"{value:.3f}" if abs(value) < 1e6 else units.number(value)
            lines.append((name, with_unit(text, unit.symbol)))
    pose = run.pose(shown)
    frame, tip = pose.world_from_link[link][:3, 3], tip_of(shape, pose)
    places = {"joint" if lines else "origin": frame}
    if shape.tip is not None and tip is not None and link == shape.tip[0]:
        places = {"tip": tip} if np.allclose(tip, frame) else places | {"tip": tip}
    for where, place in places.items():
        for axis, value in zip("xyz", place.tolist(), strict=True):
            lines.append((f"{where} {axis}", with_unit(f"{round(value, 4) + 0.0:.4f}", "m")))
    if shape.tip is not None and link == shape.tip[0]:
        lines += [(name, units.scientific(value)) for name, value in run.readings(shown).items()]
    return shape.links[link], [(name, value.replace("-", "\u2212")) for name, value in lines]
