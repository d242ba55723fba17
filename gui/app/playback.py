"""The playhead: the one simulated time that every view shows, and the clock that moves it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping

from assets.fields import Data, Field
from gui.app.signal import Signal

SPEEDS = tuple(2.0**exponent for exponent in range(-6, 7))
"""The speeds that `faster` and `slower` step through: 1/64 .. 64 simulated seconds per second."""

FRAME = 1.0 / 30.0
"""What one press of an arrow key moves the playhead by [s], whatever the speed."""

LONGEST_FRAME = 0.25
"""After a longer pause between two frames (the window was hidden) the playhead does not jump [s]."""

RATE_WINDOW = 1.0
"""The achieved rate is measured over this much of the latest wall-clock time [s]."""


class Playback:
    """Where the playhead is and how it moves.

    Attributes:
        t: the playhead [s], always within `start` .. `end`.
        playing: whether `advance` moves it.
        play_when_ready: whether it begins to play with the next result.
        speed: simulated seconds per second of the wall clock.
        loop: whether it starts again at the end.
        start, end: the span of the scenario [s].
        reach: the last time at which anything moves [s]: playing ends there. Infinite while nobody knows.
        range: the part (from, to) that is played [s]; the whole span if nothing else was chosen.
        moved: signal `(t)`: the playhead has moved.
        changed: signal `()`: playing, speed, loop, span or range changed.
    """

    def __init__(self, start: float = 0.0, end: float = 0.0) -> None:
        self.moved = Signal()
        self.changed = Signal()
        self.t = start
        self.playing = self.play_when_ready = False
        self.speed = 1.0
        self.loop = False
        self.start, self.end = start, end
        self.reach = math.inf
        self._chosen: tuple[float, float] | None = None
        self._frames: deque[tuple[float, float]] = deque()

    @property
    def range(self) -> tuple[float, float]:
        """The part that is played [s]."""
        if self._chosen is None:
            return self.start, self.end
        first, last = (min(max(bound, self.start), self.end) for bound in self._chosen)
        return (first, last) if first < last else (self.start, self.end)

    @property
    def has_range(self) -> bool:
        """Whether only part of the span is played."""
        return self.range != (self.start, self.end)

    @property
    def _last(self) -> float:
        """When playing ends: with the range, or before, once every run has ended; not before the playhead [s]."""
        first, last = self.range
        return min(last, self.reach) if max(first, self.t) <= self.reach and first < self.reach else last

    @property
    def achieved(self) -> float:
        """The rate actually shown of late, in simulated seconds per second; nan before the first frame."""
        wall = sum(frame[0] for frame in self._frames)
        return sum(frame[1] for frame in self._frames) / wall if wall > 0 else math.nan

    @property
    def at_start(self) -> bool:
        """Whether the playhead is where playing begins."""
        return self.t == self.range[0]

    def set_span(self, start: float, end: float) -> None:
        """Set the span [s]; the playhead stays where it is if that is still inside."""
        if (start, end) == (self.start, self.end):
            return
        self.start, self.end = start, end
        self.changed.emit()
        self.seek(self.t)

    def set_range(self, first: float | None = None, last: float | None = None) -> None:
        """Play only `first` .. `last` [s]; without arguments, or with an empty range, the whole span again."""
        self._chosen = None
        if first is not None and last is not None and first != last:
            self._chosen = (min(first, last), max(first, last))
        self.changed.emit()

    def to_mapping(self) -> Data:
        """What a scenario file carries of it, as JSON values; the playhead only where somebody stopped it."""
        chosen = list(self.range) if self.has_range else None
        over = self.t >= min(self.range[1], self.reach)
        stopped = None if self.playing or over else self.t
        return {"time": stopped, "speed": self.speed, "loop": self.loop, "range": chosen}

    def take(self, kept: object) -> None:
        """Stand as an opened file says (`to_mapping`); whatever it does not say, or says wrongly, is as at first."""
        given = kept if isinstance(kept, Mapping) else {}
        self._chosen = None
        self.set_speed(_number(given.get("speed")) or 1.0)
        self.set_loop(given.get("loop") is True)
        bounds = given.get("range")
        if isinstance(bounds, list) and len(bounds) == 2:
            self.set_range(_number(bounds[0]), _number(bounds[1]))
        else:
            self.set_range()
        stopped = _number(given.get("time"))
        self.seek(self.range[0] if stopped is None else stopped)

    def seek(self, t: float) -> None:
        """Put the playhead at `t` [s], or at the nearest end of the span."""
        if not math.isfinite(t):
            return
        t = min(max(t, self.start), self.end)
        if t != self.t:
            self.t = t
            self.moved.emit(t)

    def seek_text(self, text: str) -> None:
        """Put the playhead at a time that is typed [s]. Raises BadInput for one beyond the span, and for words."""
        self.seek(float(Field("time", "time", "s", 0.0, self.start, self.end).parse("Time", text) or 0.0))

    def to_start(self) -> None:
        """Put the playhead at the start of the played part."""
        self.seek(self.range[0])

    def to_end(self) -> None:
        """Put the playhead at the end of the played part."""
        self.seek(self.range[1])

    def shift(self, seconds: float) -> None:
        """Move the playhead by `seconds` of simulated time."""
        self.seek(self.t + seconds)

    def play(self) -> None:
        """Start to play; at the end of the range, from its beginning."""
        first = self.range[0]
        if self.t >= self._last or self.t < first:
            self.seek(first)
        if not self.playing:
            self.playing = True
            self._frames.clear()
            self.changed.emit()

    def pause(self) -> None:
        """Stop where the playhead is."""
        if self.playing:
            self.playing = False
            self.changed.emit()

    def toggle(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Set the speed, limited to 1/64 .. 64."""
        if not math.isfinite(speed):
            return
        speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        if speed != self.speed:
            self.speed = speed
            self._frames.clear()
            self.changed.emit()

    def faster(self) -> None:
        """Take the next higher of `SPEEDS`."""
        self.set_speed(next((speed for speed in SPEEDS if speed > self.speed), SPEEDS[-1]))

    def slower(self) -> None:
        """Take the next lower of `SPEEDS`."""
        self.set_speed(next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def set_loop(self, loop: bool) -> None:
        """Start again at the end, or stop there."""
        if loop != self.loop:
            self.loop = loop
            self.changed.emit()

    def advance(self, wall_seconds: float) -> None:
        """Let `wall_seconds` of the wall clock pass; called once per frame. Stops or wraps at the end."""
        if not self.playing or wall_seconds <= 0:
            return
        simulated = self.speed * min(wall_seconds, LONGEST_FRAME)
        self._remember(wall_seconds, simulated)
        first, last = self.range[0], self._last
        t = self.t + simulated
        if t < last:
            self.seek(t)
        elif self.loop and last > first:
            self.seek(first + math.fmod(t - last, last - first))
        else:
            self.seek(last)
            self.pause()

    def _remember(self, wall: float, simulated: float) -> None:
        self._frames.append((wall, simulated))
        total = sum(frame[0] for frame in self._frames)
        while len(self._frames) > 1 and total - self._frames[0][0] >= RATE_WINDOW:
            total -= self._frames.popleft()[0]


def _number(value: object) -> float | None:
    """A finite number of a file; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
