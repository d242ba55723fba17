"""A stability region is there over all that a picture shows of the plane, whatever the picture's sides are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from gui.app.session.session import Session
from gui.charts import stability
from gui.charts.registry import plots
from gui.charts.stability import region_chart
from gui.qt.drawing.positions import position_at
from gui.qt.drawing.regions import UNKNOWN
from gui.qt.plots.chart_view import ChartView
from gui.qt.plots.enlarged import plot_widget
from gui.qt.plots.plane_plot import PlanePlot
from robots.model.chart import FilledRegion
from solvers.method_registry import find_method, methods
from solvers.tableaux.stability import Stability
from tests.window.hands import PATIENCE

UNBOUNDED = [key for key, one in methods().items() if one.stability and np.isinf(one.stability.real_limit)]
SIZES = [QSize(1500, 190), QSize(260, 190), QSize(190, 700)]


def stability_of(key: str) -> Stability:
    found = find_method(key).stability
    assert found is not None
    return found


def known_region(of: Stability | PlanePlot) -> FilledRegion:
    """That of a chart, once it is computed."""
    (region,) = of.chart.regions if isinstance(of, PlanePlot) else region_chart([("", "solid", of)]).regions
    assert region.whole is not None
    return region.whole()


def stability_plot(session: Session, qtbot: QtBot, method: str, size: QSize) -> PlanePlot:
    """The plot of the method's stability region, with the region drawn."""
    session.edit("method", method)
    plot = plot_widget(session, "stability")
    assert isinstance(plot, PlanePlot)
    qtbot.addWidget(plot)
    plot.resize(size)
    plot.show()
    qtbot.waitUntil(lambda: bool(plot.images))
    return plot


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width()}x{size.height()}")
@pytest.mark.parametrize("key", ["gauss4", "bdf5", "radau5", "rk4"])
def test_a_card_tints_what_the_method_damps_and_nothing_else(qtbot: QtBot, key: str, size: QSize) -> None:
    """The axis of a wide card went on where the region had a straight edge: a class read "stable only to -13.5"."""
    view = ChartView("Stability region", size)
    qtbot.addWidget(view)
    view.resize(size)
    stability = stability_of(key)
    view.show_chart(region_chart([("", "solid", stability)]))
    view.show()
    picture, laid, wrong, seen = view.grab().toImage(), view.laid_out(), 0, 0
    ground = laid.style.colour("surface")
    for x in np.linspace(laid.area.left() + 3, laid.area.right() - 3, 60):
        for y in np.linspace(laid.area.top() + 3, laid.area.bottom() - 3, 40):
            z = complex(*position_at(laid, QPointF(round(x) + 0.5, round(y) + 0.5)))
            factor = float(stability.modulus(np.array([z]))[0])
            colour = picture.pixelColor(round(x), round(y))
            if abs(factor - 1.0) < 0.05:
                continue  # the line around the region
            tinted = colour.blue() - colour.red() > ground.blue() - ground.red() + 12
            seen, wrong = seen + 1, wrong + (tinted != (factor < 1.0))
    assert seen > 800
    assert wrong <= 0.01 * seen


@pytest.mark.parametrize("key", UNBOUNDED)
def test_a_region_that_goes_on_is_computed_over_all_that_is_shown(key: str) -> None:
    stability = stability_of(key)
    region = known_region(stability)
    for across, up in (((-19.4, 16.0), (-5.0, 5.0)), ((-6.0, 3.0), (-40.0, 40.0)), ((-700.0, 10.0), (-200.0, 200.0))):
        shown = region.over(across, up)
        assert shown.left <= across[0]
        assert shown.right >= across[1]
        assert shown.low <= up[0]
        assert shown.high >= up[1]
        rows, columns = shown.cover.shape
        x, y = np.linspace(shown.left, shown.right, columns), np.linspace(shown.high, shown.low, rows)
        exact = stability.modulus(x[np.newaxis, ::9] + 1j * y[::9, np.newaxis]) <= 1.0
        assert np.mean(exact != (shown.cover[::9, ::9] > 0.5)) < 0.004
        assert region.over(across, up).cover is shown.cover, "the same part is computed once"


def test_what_is_within_its_corners_is_computed_no_further() -> None:
    bounded = known_region(stability_of("rk4"))
    assert bounded.over((-900.0, 900.0), (-9.0, 9.0)) is bounded
    unbounded = known_region(stability_of("gauss4"))
    assert unbounded.over((-6.0, 3.0), (-5.0, 5.0)) is unbounded


def test_what_grows_in_a_small_part_is_not_overlooked_from_afar() -> None:
    """BDF 2 lets modes grow in a part of the right half-plane that is smaller than a cell of a wide picture."""
    stability = stability_of("bdf2")
    (region,) = region_chart([("", "solid", stability)]).regions
    far = region.over((-600.0, 600.0), (-300.0, 300.0))
    rows, columns = far.cover.shape
    column = round((2.0 - far.left) / (far.right - far.left) * (columns - 1))
    assert far.cover[rows // 2 - 1 : rows // 2 + 1, column - 1 : column + 2].min() < 0.5
    assert far.cover[rows // 2, 3] == 1.0


@pytest.mark.parametrize("key", ["ab4", "am4", "bdf5"])
def test_the_first_region_is_computed_in_another_thread(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """That of a multi-step method held up the window for up to a second as its card or its plot came."""
    wanted: list[tuple[Callable[..., FilledRegion], Callable[..., None]]] = []
    monkeypatch.setattr(session.jobs, "submit", lambda work, on_done, **_: wanted.append((work, on_done)))
    stability._whole.cache_clear()
    plot, card = PlanePlot(session, plots()["stability"]), ChartView("Stability region", QSize(260, 190))
    card.compute_in(session.jobs)
    chart = region_chart([("", "solid", stability_of(key))])
    monkeypatch.setattr(plot.plot, "drawn", lambda *_: chart, raising=False)
    with monkeypatch.context() as quick:
        quick.setattr(stability, "_cover", lambda *_: pytest.fail("computed at once"))
        card.show_chart(chart)
        for widget in (plot, card):
            qtbot.addWidget(widget)
            widget.resize(500, 400)
            widget.show()
        before = card.grab().toImage()
        plot.update_now()
        assert plot.message.text() == UNKNOWN
        assert plot.message.isVisible()
        assert not plot.images
    assert len(wanted) == 2, "each asks once"
    for work, done in wanted:
        done(work(lambda: False, lambda _: None))
    assert plot.images
    assert plot.message.isHidden()
    assert card.grab().toImage() != before
    plot.release()


def test_zooming_computes_no_region_in_the_windows_thread(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The roots of BDF 5 took a tenth of a second at every turn of the wheel."""
    plot = stability_plot(session, qtbot, "bdf5", QSize(900, 320))
    wanted: list[tuple[Callable[..., FilledRegion], Callable[..., None]]] = []
    lanes = set()

    def submit(
        work: Callable[..., FilledRegion], on_done: Callable[..., None], lane: str = "front", **_: object
    ) -> None:
        wanted.append((work, on_done))
        lanes.add(lane)

    monkeypatch.setattr(session.jobs, "submit", submit)
    monkeypatch.setattr(stability, "_cover", lambda *_: pytest.fail("computed at once"))
    for out in (20.0, 3.0):
        plot.area.zoom(1.0 / out, 0.0)
    QApplication.processEvents()
    (left, _), _ = plot.sides
    assert lanes == {"background"}, "a run that a person waits for comes first"
    before = plot.images[0]
    assert before.mapRectToParent(before.boundingRect()).left() > left, "what is known stays"
    monkeypatch.undo()
    found = [(work(lambda: False, lambda _: None), done) for work, done in wanted]
    for region, done in found[:-1]:
        done(region)
    assert plot.images[0] is before, "a part that nobody looks at any more is not drawn"
    found[-1][1](found[-1][0])
    assert plot.images[0].mapRectToParent(plot.images[0].boundingRect()).left() <= left
    plot.update_now()
    assert plot.images[0].mapRectToParent(plot.images[0].boundingRect()).left() <= left, "drawn again, it stays"
    plot.release()


def test_a_region_that_could_not_be_computed_is_tried_again(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = stability_plot(session, qtbot, "gauss4", QSize(900, 320))
    failed: list[Callable[[BaseException], None]] = []
    with monkeypatch.context() as broken:
        broken.setattr(session.jobs, "submit", lambda *_, on_error, **__: failed.append(on_error))
        plot.area.zoom(0.2, 0.0)
        plot.area.zoom(0.5, 0.0)
        assert len(failed) >= 2
        failed[0](MemoryError())
        plot.update_now()
        asked = len(failed)
        plot.update_now()
        assert len(failed) == asked, "one that is no longer wanted changes nothing"
        failed[-1](MemoryError())
    plot.update_now()
    (left, _), _ = plot.sides
    qtbot.waitUntil(lambda: plot.images[0].mapRectToParent(plot.images[0].boundingRect()).left() <= left)
    plot.release()


def test_a_region_that_comes_after_its_plot_is_drawn_nowhere(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that turned quickly had an internal error in front of the class."""
    session.edit("method", "gauss4")
    found: list[Callable[[FilledRegion], None]] = []
    monkeypatch.setattr(session.jobs, "submit", lambda *_, on_done, **__: found.append(on_done))
    plot = plot_widget(session, "stability")
    assert isinstance(plot, PlanePlot)
    plot.show()
    qtbot.waitUntil(lambda: bool(found))
    region = known_region(plot)
    plot.release()
    delete(plot)
    for on_done in found:
        on_done(region)


def test_an_enlarged_plot_that_is_zoomed_out_has_the_region_too(session: Session, qtbot: QtBot) -> None:
    plot = stability_plot(session, qtbot, "gauss4", QSize(1500, 320))
    for out in (1.0, 20.0):
        plot.area.scaleBy((out, out))
        QApplication.processEvents()
        (left, right), (low, high) = plot.sides
        qtbot.waitUntil(lambda left=left: plot.images[0].mapRectToParent(plot.images[0].boundingRect()).left() <= left)
        place = plot.images[0].mapRectToParent(plot.images[0].boundingRect())
        assert place.left() <= left
        assert place.right() >= right
        assert place.top() <= low
        assert place.bottom() >= high
    plot.release()


def _on_the_line(stability: Stability, region: FilledRegion) -> tuple[float, float]:
    """Where the factor is 1 beside a point of the border, to the last digit."""

    def inside(x: float, y: float) -> bool:
        return bool(stability.modulus(np.array([complex(x, y)]))[0] <= 1.0)

    ends = ((x - 0.2, x + 0.2, y) for x, y in region.border.tolist() if y > 0.1)
    low, high, y = next(one for one in ends if inside(one[0], one[2]) != inside(one[1], one[2]))
    first = inside(low, y)
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if inside(middle, y) is first else (low, middle)
    return low, y


@pytest.mark.parametrize("key", ["euler", "rk4", "gauss4", "bdf5"])
def test_the_shading_follows_the_line_at_any_zoom(session: Session, qtbot: QtBot, key: str) -> None:
    """Zoomed at its border, the shading was blurred and began beside the line: it was that of the whole region."""
    plot = stability_plot(session, qtbot, key, QSize(700, 420))
    plot.update_now()
    stability, region = stability_of(key), known_region(plot)

    def as_wanted() -> bool:
        region = known_region(plot)
        return plot._covers[0][0].left == (region.lacks(*plot.sides) or (region.left,))[0]

    spot = _on_the_line(stability, region)
    for times in (1.0, 10.0, 1000.0, 1e5):
        half = 0.5 * (region.high - region.low) / times
        across, up = (spot[0] - half, spot[0] + half), (spot[1] - half, spot[1] + half)
        plot.area.setRange(xRange=across, yRange=up, padding=0.0)
        QApplication.processEvents()
        sides = plot.sides
        qtbot.waitUntil(as_wanted, timeout=PATIENCE)
        shown = plot._covers[0][0]
        assert shown.holds(*sides) or times == 1.0
        rows, columns = shown.cover.shape
        width = shown.right - shown.left
        assert times == 1.0 or width <= 4.0 * (sides[0][1] - sides[0][0]), "as fine as the picture"
        x, y = np.linspace(shown.left, shown.right, columns), np.linspace(shown.high, shown.low, rows)
        exact = stability.modulus(x[np.newaxis, ::7] + 1j * y[::7, np.newaxis]) <= 1.0
        assert np.mean(exact != (shown.cover[::7, ::7] > 0.5)) < 0.01
        line = shown.border[np.isfinite(shown.border).all(axis=1)]
        ahead = 2.0 * width / columns
        factors = [
            stability.modulus(line[:, 0] + dx + 1j * (line[:, 1] + dy))
            for dx in (-ahead, ahead)
            for dy in (-ahead, ahead)
        ]
        assert len(line) > 50
        crossed = (np.min(factors, axis=0) <= 1.0) & (np.max(factors, axis=0) > 1.0)
        assert np.mean(crossed) > 0.95, "the line lies where the factor passes 1"
    plot.release()


def test_until_a_finer_part_is_there_a_coarser_one_is_shown(
    session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = stability_plot(session, qtbot, "rk4", QSize(700, 420))
    region = known_region(plot)
    wanted: list[tuple[Callable[..., FilledRegion], Callable[..., None]]] = []
    monkeypatch.setattr(session.jobs, "submit", lambda work, on_done, **_: wanted.append((work, on_done)))
    plot.area.setRange(xRange=(-2.85, -2.75), yRange=(-0.05, 0.05), padding=0.0)
    assert plot._covers[0][0] is region
    work, done = wanted[-1]
    done(work(lambda: False, lambda _: None))
    fine = plot._covers[0][0]
    assert fine is not region
    assert fine.holds(*plot.sides)
    plot.area.setRange(xRange=(-0.05, 0.05), yRange=(2.75, 2.85), padding=0.0)
    assert plot._covers[0][0] is region, "the part that is known lies elsewhere"
    plot.area.setRange(xRange=(-4.0, 1.0), yRange=(-3.0, 3.0), padding=0.0)
    assert plot._covers[0][0] is region
    plot.release()
