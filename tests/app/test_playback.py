"""The playhead's clock."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.app.playback import LONGEST_FRAME, SPEEDS, Playback
from gui.app.session.time_range import TimeRange


def played(playback: Playback, frames: int, dt: float = 1 / 60) -> float:
    for _ in range(frames):
        playback.advance(dt)
    return playback.t


def test_it_moves_at_its_speed():
    playback = Playback(0.0, 10.0)
    playback.set_speed(0.5)
    playback.play()
    assert played(playback, 120) == pytest.approx(1.0)
    assert playback.achieved == pytest.approx(0.5)


def test_the_rate_is_that_of_the_latest_second():
    playback = Playback(0.0, 100.0)
    playback.play()
    played(playback, 8, 0.125)
    assert playback.achieved == 1.0
    playback.advance(0.5)  # the picture stood still for longer than a frame may take
    assert playback.achieved == (4 * 0.125 + LONGEST_FRAME) / (4 * 0.125 + 0.5)


def test_it_stops_at_the_end_and_play_starts_again():
    playback = Playback(0.0, 1.0)
    playback.play()
    played(playback, 100)
    assert (playback.t, playback.playing) == (1.0, False)
    playback.toggle()
    assert (playback.t, playback.playing) == (0.0, True)


def test_a_loop_goes_round_without_losing_time():
    playback = Playback(0.0, 1.0)
    playback.set_loop(True)
    playback.play()
    assert played(playback, 90) == pytest.approx(0.5)
    assert playback.playing


def test_a_range_is_played_alone():
    playback = Playback(0.0, 10.0)
    playback.set_range(4.0, 3.0)
    assert playback.range == (3.0, 4.0)
    playback.play()
    assert playback.t == 3.0
    played(playback, 100)
    assert playback.t == 4.0
    playback.set_range()
    assert playback.range == (0.0, 10.0)


def test_a_file_has_the_part_that_is_played_and_where_somebody_stopped():
    playback = Playback(0.0, 10.0)
    assert playback.to_mapping() == {"time": 0.0, "speed": 1.0, "loop": False, "range": None}
    playback.set_range(2.0, 4.0)
    playback.seek(3.0)
    assert (playback.has_range, playback.to_mapping()["time"], playback.to_mapping()["range"]) == (
        True,
        3.0,
        [2.0, 4.0],
    )
    playback.play()
    assert playback.to_mapping()["time"] is None, "it plays"
    playback.pause()
    playback.to_end()
    assert playback.to_mapping()["time"] is None, "nobody stopped it there"


def test_a_file_is_taken_as_far_as_it_makes_sense():
    playback = Playback(0.0, 10.0)
    playback.take({"time": 3.0, "speed": 0.5, "loop": True, "range": [2.0, 4.0]})
    assert (playback.t, playback.speed, playback.loop, playback.range) == (3.0, 0.5, True, (2.0, 4.0))
    playback.take({"time": 0.0, "range": [2.0, 4.0]})
    assert playback.t == 0.0, "somebody stopped there, before the part that is played"
    for wrong in (None, 7, {"speed": "fast", "range": [1.0]}, {"range": "24", "loop": "yes", "time": math.nan}):
        playback.take(wrong)
        assert (playback.t, playback.speed, playback.loop, playback.has_range) == (0.0, 1.0, False, False)


def test_a_range_outside_a_shorter_span_is_no_range():
    playback = Playback(0.0, 10.0)
    playback.set_range(6.0, 8.0)
    playback.set_span(0.0, 5.0)
    assert playback.range == (0.0, 5.0)
    playback.set_span(0.0, 7.0)
    assert playback.range == (6.0, 7.0)


def test_speeds_are_powers_of_two_from_a_64th_to_64():
    playback = Playback(0.0, 1.0)
    for _ in range(20):
        playback.faster()
    assert playback.speed == 64.0
    for _ in range(40):
        playback.slower()
    assert playback.speed == 1 / 64
    playback.set_speed(0.3)
    playback.faster()
    assert playback.speed == 0.5
    assert [b / a for a, b in itertools.pairwise(SPEEDS)] == [2.0] * 12


def test_a_hidden_window_makes_no_leap_and_the_rate_says_so():
    playback = Playback(0.0, 100.0)
    playback.play()
    playback.advance(5.0)
    assert playback.t == LONGEST_FRAME
    assert playback.achieved == pytest.approx(LONGEST_FRAME / 5.0)


def test_the_playhead_stays_when_the_span_grows_and_is_held_when_it_shrinks(heard):
    playback = Playback(0.0, 10.0)
    playback.seek(7.0)
    moved = heard(playback.moved)
    playback.set_span(0.0, 20.0)
    assert (playback.t, moved) == (7.0, [])
    playback.set_span(0.0, 5.0)
    assert (playback.t, moved) == (5.0, [(5.0,)])


def test_nothing_is_said_when_nothing_changes(heard):
    playback = Playback(0.0, 10.0)
    moved, changed = heard(playback.moved), heard(playback.changed)
    playback.seek(0.0)
    playback.seek(math.nan)
    playback.set_speed(1.0)
    playback.set_speed(math.nan)
    playback.set_loop(False)
    playback.pause()
    playback.advance(1.0)
    assert moved == changed == []


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("advance"), st.floats(0, 1)),
            st.tuples(st.just("seek"), st.floats(allow_nan=True, allow_infinity=True)),
            st.tuples(st.just("shift"), st.floats(-20, 20)),
            st.tuples(st.just("set_speed"), st.floats(allow_nan=True, allow_infinity=True)),
            st.tuples(st.just("set_loop"), st.booleans()),
            st.tuples(st.just("play")),
            st.tuples(st.just("set_range"), st.floats(-5, 15), st.floats(-5, 15)),
            st.tuples(st.just("set_span"), st.just(0.0), st.floats(0.01, 20)),
        )
    )
)
def test_the_playhead_never_leaves_the_span(calls):
    playback = Playback(0.0, 10.0)
    for name, *arguments in calls:
        getattr(playback, name)(*arguments)
        assert playback.start <= playback.t <= playback.end
        first, last = playback.range
        assert playback.start <= first < last <= playback.end


@pytest.mark.parametrize(
    ("t", "start"), [(3.5, 2.0), (4.0, 2.0), (2.0, 2.0), (4.5, 4.4), (1.95, 0.05), (1.0, 0.0), (9.9, 8.0)]
)
def test_plots_turn_the_page_only_when_the_playhead_leaves_it(t: float, start: float):
    """A new page begins a twentieth before the playhead, or going back ends a twentieth after it; no page is empty."""
    playback = Playback(0.0, 10.0)
    shown = TimeRange(playback)
    shown.show(2.0, 4.0)
    assert shown.bounds() == (2.0, 4.0), "a playhead that stands elsewhere does not pull"
    playback.seek(t)
    assert shown.bounds() == pytest.approx((start, start + 2.0))
    shown.follow = False
    playback.seek(5.5)
    assert shown.start == pytest.approx(start)


def test_no_part_is_longer_than_the_longest_run():
    """Behind the end of a run there is nothing to see, nor before it begins."""
    playback, ends = Playback(0.0, 10.0), [0.0]
    shown = TimeRange(playback, lambda: max(ends))
    shown.show(-5.0, 30.0)
    assert (shown.bounds(), shown.whole) == ((0.0, 10.0), True)
    shown.show(7.0, 11.0)
    assert (shown.bounds(), shown.whole) == ((6.0, 10.0), False)
    shown.show(-1.0, 1.0)
    assert shown.bounds() == (0.0, 2.0)
    ends.append(20.0)
    shown.show(-5.0, 30.0)
    assert (shown.bounds(), shown.whole) == ((0.0, 20.0), False)
    ends.pop()
    assert shown.bounds() == (0.0, 10.0), "the longer run was hidden"
    shown.show_whole()
    assert shown.whole


def test_it_plays_no_longer_than_anything_moves():
    """*A step too long* diverges after 0.65 s and was played on for half a minute, at an eighth of its speed."""
    playback = Playback(0.0, 5.0)
    playback.reach = 0.5
    playback.play()
    assert (played(playback, 60), playback.playing) == (0.5, False)
    assert playback.to_mapping()["time"] is None, "a file that is opened plays again"
    playback.play()
    assert (playback.t, playback.playing) == (0.0, True)
    playback.set_loop(True)
    assert played(playback, 48) == pytest.approx(0.3)
    playback.seek(2.0)
    playback.pause()
    assert playback.to_mapping()["time"] is None, "no file opens behind the end of its run"
    playback.play()
    assert played(playback, 30) == pytest.approx(2.5), "who goes further sees what stands there"
    playback.set_range(1.0, 1.5)
    assert 1.0 <= played(playback, 200) <= 1.5
