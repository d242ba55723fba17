"""Frame k shows start + k speed / fps, and a film is as long as it says."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.errors import BadInput
from gui.qt.export.settings import ExportSettings, frame_times, size_of

spans = st.floats(0.0, 60.0)
rates = st.floats(1.0, 120.0)
speeds = st.floats(0.05, 20.0)


@given(start=st.floats(-5.0, 5.0), span=spans, fps=rates, speed=speeds)
def test_frames_are_evenly_apart_and_stay_inside(start: float, span: float, fps: float, speed: float) -> None:
    times = frame_times(start, start + span, fps, speed)
    wanted = span * fps / speed
    assert times[0] == start
    assert abs(len(times) - max(wanted, 1.0)) <= 0.5 + 1e-9
    assert times[-1] <= start + span + 1e-9
    assert np.allclose(np.diff(times), speed / fps, rtol=1e-9, atol=1e-12)


@given(span=spans, fps=rates, speed=speeds)
def test_film_is_as_long_as_the_span_to_a_frame(span: float, fps: float, speed: float) -> None:
    seconds = len(frame_times(0.0, span, fps, speed)) / fps
    assert math.isclose(seconds, span / speed, abs_tol=1.0 / fps + 1e-9)


def test_no_duration_is_one_frame() -> None:
    assert frame_times(2.0, 2.0, 30.0, 1.0).tolist() == [2.0]


def test_slow_motion_has_more_frames() -> None:
    assert len(frame_times(0.0, 10.0, 30.0, 1.0)) == 300
    assert len(frame_times(0.0, 10.0, 30.0, 0.25)) == 1200


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"start": -1.0}, "from"),
        ({"start": 2.0, "end": 1.0}, "to"),
        ({"end": 11.0}, "to"),
        ({"end": math.nan}, "to"),
        ({"fps": 1000.0, "speed": 1e-9}, "fps"),
    ],
)
def test_ranges_that_cannot_be_shown_are_refused_by_name(values: dict[str, float], named: str) -> None:
    with pytest.raises(BadInput) as refused:
        ExportSettings(Path("x.mp4"), **values).times(0.0, 10.0)
    assert refused.value.what == named


def test_still_shows_its_instant() -> None:
    assert ExportSettings(Path("x.png"), at=1.25, start=5.0).times(0.0, 10.0).tolist() == [1.25]
    with pytest.raises(BadInput, match="time must be from 0 to 10 s, got 11"):
        ExportSettings(Path("x.png"), at=11.0).times(0.0, 10.0)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"fps": 0.0}, "fps"),
        ({"fps": math.nan}, "fps"),
        ({"speed": -1.0}, "speed"),
        ({"speed": math.inf}, "speed"),
        ({"size": (0, 10)}, "size"),
        ({"size": (100_000, 10)}, "size"),
        ({"quality": "best"}, "quality"),
        ({"camera": "isoo"}, "camera"),
        ({"layout": "scene-plot"}, "layout"),
        ({"theme": "pink"}, "theme"),
        ({"transparent": True}, "transparent"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_by_name(
    values: dict[str, object], named: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput) as refused:
        ExportSettings(tmp_path / "x.mp4", **values).check()  # type: ignore[arg-type]
    assert refused.value.what == named


@pytest.mark.parametrize("name", ["x", "x.avi", "nowhere/x.mp4"])
def test_files_that_cannot_be_written_are_refused_before_drawing(name: str, tmp_path: Path) -> None:
    if name == "x":
        ExportSettings(tmp_path / name).check()
        return
    with pytest.raises(BadInput) as refused:
        ExportSettings(tmp_path / name).check()
    assert refused.value.what == "file"


def test_sizes_are_read_as_people_write_them() -> None:
    assert size_of("1280x720") == size_of("1280 × 720") == size_of("1280X720") == (1280, 720)
    for text in ("1280", "1280x", "-1x5", "axb", "1.5x2", ""):
        with pytest.raises(BadInput, match="size"):
            size_of(text)
