"""Labels make room for each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from scene.gl.passes.labels import FURTHEST, OVERLAP, Patch, apart, at_end, crosses, text_image, within


def test_a_unit_stands_behind_a_space_whatever_kind_it_is():
    assert np.array_equal(text_image("0.5\u00a0s", 16), text_image("0.5 s", 16))


def shared_height(boxes, tops, i, j):
    """How much of their height two boxes share, 0 for boxes beside each other."""
    beside = boxes[i, 0] + boxes[i, 2] <= boxes[j, 0] or boxes[j, 0] + boxes[j, 2] <= boxes[i, 0]
    return 0.0 if beside else min(tops[i] + boxes[i, 3], tops[j] + boxes[j, 3]) - max(tops[i], tops[j])


@pytest.mark.parametrize("seed", range(5))
def test_labels_do_not_lie_upon_each_other(seed):
    random = np.random.default_rng(seed)
    boxes = np.column_stack(
        [random.uniform(0, 600, 8), random.uniform(100, 300, 8), np.full(8, 120.0), np.full(8, 20.0)]
    )
    tops = apart(boxes, 400.0)
    assert all(shared_height(boxes, tops, i, j) <= OVERLAP * 20.0 for i, j in combinations(range(8), 2))
    assert np.all(np.abs(tops - boxes[:, 1]) <= FURTHEST * 20.0)


def test_labels_with_room_stay_and_a_moved_one_goes_the_shorter_way_within_the_picture():
    assert apart(np.array([[0.0, 5.0, 50.0, 20.0]]), 100.0).tolist() == [5.0]
    assert apart(np.array([[0.0, 5, 50, 20], [60.0, 5, 50, 20], [0.0, 40, 50, 20]]), 100.0).tolist() == [5, 5, 40]
    assert apart(np.array([[0.0, 50, 50, 20], [10.0, 42, 50, 20]]), 100.0).tolist() == [50, 30]
    assert apart(np.array([[0.0, 2, 50, 20], [10.0, 1, 50, 20]]), 100.0).tolist() == [2, 22]


def test_a_label_without_a_free_place_stays():
    crowd = np.array([[0.0, 0, 50, 20], [0.0, 5, 50, 20]])
    assert apart(crowd, 30.0).tolist() == [0, 5]


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        ((50.0, 20.0), (80.0, 30.0), (80.0, 30.0)),
        ((50.0, 20.0), (150.0, 20.0), (100.0, 20.0)),
        ((50.0, 20.0), (50.0, -60.0), (50.0, 0.0)),
        ((50.0, 20.0), (250.0, 100.0), (100.0, 40.0)),
        ((-5.0, 20.0), (-50.0, 20.0), (-50.0, 20.0)),
    ],
)
def test_a_line_that_leaves_the_picture_has_its_label_where_it_does(start, end, place):
    assert within(np.array(start), np.array(end), (100, 50)).tolist() == pytest.approx(place)


@pytest.mark.parametrize("reach", [0.05, 0.3, 1.0])
@pytest.mark.parametrize(
    "far", [(9.0, 2.0), (9.0, -2.0), (-9.0, 2.0), (-9.0, -2.0), (2.0, 9.0), (-2.0, -9.0), (9.0, 0.1), (7.0, 6.9)]
)
@pytest.mark.parametrize("begin", [(200.0, 150.0), (20.0, 20.0), (380.0, 150.0), (200.0, 290.0)])
def test_the_label_of_a_line_does_not_lie_upon_the_line(reach, far, begin):
    """It lay upon an arrow that in the picture goes another way than in space, and upon one near the picture's edge."""
    size, patch = (400, 300), Patch(0, 0, 80, 24)
    start = np.array(begin)
    end = within(start, start + reach * 100.0 * np.array(far), size)
    line = tuple(start.tolist()), tuple(end.tolist())
    left, top = at_end(line, patch, 8.0, size)
    assert 0 <= left <= size[0] - patch.width
    assert 0 <= top <= size[1] - patch.height
    along = start + np.linspace(0.0, 1.0, 2001)[:, None] * (end - start)
    upon = (along > (left, top)) & (along < (left + patch.width, top + patch.height))
    assert not upon.all(axis=1).any()
    assert crosses(line, (end[0] - 3.0, end[1] - 3.0, 6.0, 6.0))
    assert not crosses(line, (left, top, patch.width, patch.height))


def test_a_label_that_makes_room_does_not_move_upon_its_line():
    other, own = [0.0, 50.0, 50.0, 20.0], [10.0, 42.0, 50.0, 20.0]
    up = (35.0, 0.0), (35.0, 41.0)
    assert apart(np.array([other, own]), 100.0, [None, up]).tolist() == [50.0, 70.0]


@pytest.mark.parametrize("text", ["x", "gj", "Åf", "t = 2.130 s", "λ₁"])
@pytest.mark.parametrize("size", [11, 26])
def test_no_letter_and_no_halo_is_cut_off(text, size):
    for layer in np.moveaxis(text_image(text, size), -1, 0):
        assert layer.max() > 200
        assert not layer[[0, -1]].any()
        assert not layer[:, [0, -1]].any()
