"""The timeline: transport buttons, speed, the lane of solver steps, and the time."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from assets.errors import BadInput
from gui.app.playback import SPEEDS
from gui.app.runs import CURRENT
from gui.app.session.session import Session
from gui.app.units import clock, factor
from gui.charts.steps import steps_chart
from gui.qt.style.icons import set_icon
from gui.qt.style.theme import look, role
from gui.qt.timeline.steps_lane import Lane, StepsLane
from gui.qt.timeline.time_line import TimeLine
from gui.qt.widgets.parts import add_tick, quiet_button
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.actions import Actions

_BEFORE = ("run.first", "run.step_back", "run.frame_back")
_AFTER = ("run.frame_forward", "run.step_forward", "run.last")
SPEED_TIP = "Speed: simulated seconds per second (+ and - change it)"


class Timeline(QWidget):
    """A view of the session's playback and of the current run's steps."""

    def __init__(self, session: Session, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("timeline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session, self._playback, self._actions = session, session.playback, actions
        self._refusal = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 16, 8)
        row.setSpacing(2)
        for key in _BEFORE:
            row.addWidget(self._button(key))
        self.play = self._button("run.play", "primary")
        self.play.setFixedSize(44, 34)
        row.addSpacing(4)
        row.addWidget(self.play)
        row.addSpacing(4)
        for key in _AFTER:
            row.addWidget(self._button(key))
        row.addSpacing(8)
        self.speed = self._speed_button()
        row.addWidget(self.speed)
        row.addWidget(loop := self._button("run.loop"))
        # A screen reader ticks it without a click, which triggers no action.
        loop.toggled.connect(self._playback.set_loop)
        row.addSpacing(10)
        self.lane = StepsLane(self)
        row.addWidget(self.lane, 1)
        row.addSpacing(10)
        self.stop = self._button("run.cancel")
        self.stop.setText("Stop")
        self.stop.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        row.addWidget(self.stop)
        self.time = TimeLine(self)
        row.addWidget(self.time)
        self._connect()
        self._fit_time()
        self._show_playback()
        self._show_lane()

    def _button(self, key: str, kind: str = "quiet") -> QToolButton:
        button = QToolButton(self)
        role(button, kind)
        action = self._actions[key]
        button.setDefaultAction(action)
        button.setAccessibleName(action.text())
        button.setAutoRaise(True)
        set_icon(button, self._actions.commands[key].icon)
        return button

    def _speed_button(self) -> QToolButton:
        button = quiet_button(SPEED_TIP, name="Speed")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for speed in reversed(SPEEDS):
            add_tick(menu, factor(speed), False, lambda _, speed=speed: self._choose_speed(speed)).setData(speed)
        button.setMenu(menu)
        return button

    def _choose_speed(self, speed: float) -> None:
        self._playback.set_speed(speed)
        self._show_playback()  # Qt has removed the tick of the speed in force

    def _connect(self) -> None:
        self.lane.sought.connect(self._playback.seek)
        self.time.sought.connect(self._seek_text)
        self.time.explained.connect(self._explain)
        self.lane.chosen.connect(self._playback.set_range)
        self.lane.enlarge_asked.connect(lambda: self._session.view.set(enlarged="steps"))
        self.lane.cleared.connect(lambda: self._playback.set_range())
        subscribe(self, self._playback.moved, self._show_time)
        subscribe(self, self._playback.changed, self._show_playback)
        subscribe(self, self._playback.changed, self._show_lane)
        subscribe(self, self._playback.changed, self._fit_time)
        subscribe(self, self._session.runs.updated, self._row_updated)
        subscribe(self, self._session.view.changed, self._view_changed)
        subscribe(self, self._session.files.opened, self.lane.show_whole)
        look().changed.connect(self._fit_time)

    def _fit_time(self) -> None:
        self.time.ensurePolished()
        longest = max("t = 000.000 s", f"t = {clock(self._playback.end)}", key=len)
        self.time.setFixedWidth(self.time.fontMetrics().horizontalAdvance(longest) + 16)
        self.speed.setFixedWidth(self.speed.fontMetrics().horizontalAdvance("1/64×") + 18)

    def _seek_text(self, text: str) -> None:
        """Go to the time that a person has typed, or say why not."""
        try:
            self._playback.seek_text(text)
        except BadInput as refusal:
            self.time.refuse(str(refusal))

    def _explain(self, reason: str) -> None:
        """Say why a time is refused, and no longer once another is typed, or the field is left."""
        former, self._refusal = self._refusal, reason
        if former:
            self._session.messages.unsay(former)
        if reason:
            self._session.messages.say(reason)

    def _row_updated(self, row_id: int) -> None:
        if row_id == CURRENT:
            self._show_lane()

    def _view_changed(self) -> None:
        if self._session.view.settings.camera_keys != self._keys:
            self._show_lane()

    def _show_time(self, t: float) -> None:
        self.time.show_time(t, playing=self._playback.playing)
        self.lane.show_time(t)

    def _show_playback(self) -> None:
        playback = self._playback
        action = self._actions["run.play"]
        action.setText("Pause" if playback.playing else "Play")
        for target in (action, self.play):
            set_icon(target, "pause" if playback.playing else "play")
        self._actions["run.loop"].setChecked(playback.loop)
        self.speed.setText(factor(playback.speed))
        self.speed.setAccessibleDescription(f"{factor(playback.speed)}\n{SPEED_TIP}")
        for entry in self.speed.menu().actions():
            entry.setChecked(entry.data() == playback.speed)
        self._show_time(playback.t)

    def _show_lane(self) -> None:
        row, playback = self._session.runs.current, self._playback
        # A run that takes no time is over before anybody could stop it.
        self.stop.setVisible(row.state == "computing" and row.seconds_left is not None)
        self._keys = self._session.view.settings.camera_keys
        self.lane.show_lane(
            Lane(
                start=playback.start,
                end=playback.end,
                steps=steps_chart([row]),
                computed=playback.start if row.run is None else float(row.run.t_end),
                failed=row.state == "failed" and row.run is not None,
                progress=row.progress if row.state == "computing" else None,
                chosen=playback.range if playback.has_range else None,
                keys=tuple(float(key["t"]) for key in self._keys),
            )
        )
