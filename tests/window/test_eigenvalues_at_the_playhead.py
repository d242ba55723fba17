"""The plots of eigenvalues and of zeros say what they are at the playhead itself, as the method's card does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from scipy.linalg import eigvals

from assets.fields import Value
from gui.charts.fit import marks_at, value_text
from gui.qt.panels.analysis import AnalysisPanel
from gui.qt.panels.integrator import IntegratorPanel
from gui.qt.plots.enlarged import plot_widget
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.plots.plot import PlotWidget
from gui.qt.plots.time_plot import TimePlot
from gui.qt.window.main_window import MainWindow
from robots.dynamics.flexible.analysis import Complex, linearise, spring_matrix
from robots.dynamics.flexible.arm import FlexibleArm
from robots.model.chart import Curve
from robots.simulation.run import Run
from solvers.problem import OdeProblem


def opened(window: MainWindow, qtbot: QtBot, scenario: str, plot: str, **changes: Value) -> tuple[Run, PlotWidget]:
    """The run of a scenario with some changes, paused, and one of its plots enlarged."""
    session = window.session
    session.files.new(scenario)
    session.edit_many({name.replace("__", "."): value for name, value in changes.items()})

    def done() -> bool:
        row = session.runs.current
        return row.judged and row.run is not None and row.run.scenario == session.history.present.scenario

    qtbot.waitUntil(done, timeout=60_000)
    session.playback.pause()
    session.view.set(enlarged=plot)
    shown = window.enlarged and window.enlarged.plot
    assert shown
    qtbot.waitUntil(lambda: shown.settled and bool(shown.chart.curves) and shown._pulse.idle, timeout=20_000)
    assert session.runs.current.run is not None
    return session.runs.current.run, shown


def card_at(window: MainWindow, qtbot: QtBot, t: float) -> Complex:
    """h lambda of the modes that the method's card draws, once it is about a time, (d,)."""
    dock = next(dock for dock in window.docks if dock.kind.key == "integrator")
    assert isinstance(dock.panel, IntegratorPanel)
    card = dock.panel.card
    dock.present(card.picture)
    qtbot.waitUntil(lambda: f"t = {t:.3f}" in card.modes.text(), timeout=10_000)
    return np.array([complex(one.x[0], one.y[0]) for one in card.picture.chart.curves])


def by_differences(problem: OdeProblem, t: float, y: np.ndarray) -> Complex:
    """The eigenvalues of df/dy, (d,), by Richardson's extrapolation of central differences of f itself."""

    def f(state: np.ndarray) -> np.ndarray:
        out = np.empty(len(y))
        problem.rhs(t, state, np.array(problem.params, dtype=float), out)
        return out

    def central(k: int, h: float) -> np.ndarray:
        e = h * np.eye(len(y))[k]
        return (f(y + e) - f(y - e)) / (2.0 * h)

    matrix = np.stack([(4.0 * central(k, 1e-4) - central(k, 2e-4)) / 3.0 for k in range(len(y))], axis=1)
    return np.linalg.eigvals(matrix).astype(complex)


def test_the_legend_of_eigenvalues_has_those_of_the_card_between_two_instants(window: MainWindow, qtbot: QtBot) -> None:
    """It had what lies on the line between two of 24 instants of the run."""
    run, plot = opened(window, qtbot, "double-pendulum", "eigenvalues", duration=8.0)
    assert isinstance(plot, TimePlot)
    beside, named = 0.0, list[Curve]()
    for instant in run.eigenvalues[0][[3, 9, 14]]:
        t = round(float(instant) + 0.11, 3)
        window.session.playback.seek(t)
        points = card_at(window, qtbot, t)
        step = run.step_at(t)
        assert step is not None
        modes = np.sort(np.abs(points[points.imag >= 0.0]) / step)[::-1]
        qtbot.waitUntil(lambda: plot._pulse.idle)
        named = [curve for curve in plot.chart.listed if curve.name.startswith("λ")]
        said = np.array([curve.at(t, plot.chart.y) for curve in named])
        drawn = np.array([replace(curve, live=None).at(t, plot.chart.y) for curve in named])
        assert said[: len(modes)] == pytest.approx(modes, rel=1e-12)
        assert np.isnan(said[len(modes) :]).all()
        beside = max(beside, float(np.nanmax(np.abs(drawn[: len(modes)] / modes - 1.0))))
        shown = [entry.value for entry in plot.legend.entries if entry.name.startswith("λ")]
        assert [text for text in shown if text[0].isdigit()] == [value_text(plot.chart.y, value) for value in modes]
        problem = run.phase_at(t).problem()
        assert isinstance(problem, OdeProblem)
        exact = by_differences(problem, t, run.sample(np.array([t]))[0])
        assert modes == pytest.approx(np.sort(np.abs(exact[exact.imag >= 0.0]))[::-1], rel=1e-6)
    assert beside > 0.01, "else this shows nothing"
    assert all(np.isnan(curve.at(run.t_end + 0.1)) for curve in named), "there is no run"


def test_values_that_take_a_moment_follow_a_few_times_a_second_and_the_playhead_at_once(
    window: MainWindow, qtbot: QtBot
) -> None:
    _, plot = opened(window, qtbot, "double-pendulum", "eigenvalues", duration=8.0)
    assert isinstance(plot, TimePlot)
    playback = window.session.playback

    def said() -> list[str]:
        return [entry.value for entry in plot.legend.entries]

    before = said()
    playback.seek(2.0)
    first = said()
    assert first != before, "at once"
    playback.seek(2.5)
    assert plot.time_line.value() == 2.5
    assert said()[1:] == first[1:], "those of a moment ago"
    assert said()[0] != first[0], "the step takes no moment"
    qtbot.waitUntil(lambda: said() != first)
    playback.seek(2.0)
    qtbot.waitUntil(lambda: said() == first)


def test_the_legend_has_the_step_that_the_plot_of_steps_has_at_every_frame(window: MainWindow, qtbot: QtBot) -> None:
    """One said h and the other 1/h of a moment ago, up to a fifth apart."""
    _, plot = opened(window, qtbot, "double-pendulum", "eigenvalues")
    steps = plot_widget(window.session, "step-size")
    qtbot.addWidget(steps)
    steps.show()
    qtbot.waitUntil(lambda: steps.settled and bool(steps.chart.curves))
    late, inverses = 0, set[str]()
    for t in np.linspace(0.1, 1.9, 31).tolist():
        window.session.playback.seek(t)
        late += not plot._pulse.idle
        h = steps.chart.curves[0].at(t, steps.chart.y)
        assert steps.legend.entries[0].value == value_text(steps.chart.y, h)
        assert plot.legend.entries[0].value == value_text(plot.chart.y, 1.0 / h)
        inverses.add(plot.legend.entries[0].value)
    assert late > 20, "else this shows nothing"
    assert len(inverses) > 10
    steps.release()


def zeros_by_differences(run: Run, t: float) -> Complex:
    """The zeros of the arm at rest at a time, (k,) [1/s]: of the system matrix, whose blocks are differences."""
    assert isinstance(run.robot, FlexibleArm)
    build = run.robot.build(run.phase_at(t).scenario)
    n, size, motors = build.joints, build.coordinates, build.actuated
    q, still = run.sample(np.array([t]))[0][:n], np.zeros(n)

    def slopes(f: Callable[[np.ndarray], np.ndarray], at: np.ndarray) -> np.ndarray:
        h = 1e-5
        return np.stack([(f(at + h * e) - f(at - h * e)) / (2.0 * h) for e in np.eye(n)], axis=1)

    known = linearise(build, q)
    M, D, K = known.mass.copy(), known.damping.copy(), known.stiffness.copy()
    M[:n, :n] = slopes(lambda a: build.torque(q, still, a)[0], still)
    D[:n, :n] = slopes(lambda v: build.torque(q, v, still)[0], still) + spring_matrix(build, build.damping)[:n, :n]
    K[:n, :n] = slopes(lambda p: build.torque(p, still, still)[0], q) + spring_matrix(build, build.stiffness)[:n, :n]
    C = np.zeros((len(build.axes), size))
    C[:, :n] = slopes(lambda p: np.asarray(build.tool(p)[0])[0, build.axes], q)
    whole = 2 * size + motors
    A, E = np.zeros((whole, whole)), np.zeros((whole, whole))
    A[:size, size : 2 * size] = E[:size, :size] = np.eye(size)
    A[size : 2 * size, :size], A[size : 2 * size, size : 2 * size] = -K, -D
    A[size : 2 * size, 2 * size :], A[2 * size :, :size] = known.inputs, C
    E[size : 2 * size, size : 2 * size] = M
    return np.asarray(eigvals(A, E))


def test_the_marks_of_zeros_are_those_of_the_card_between_two_postures(window: MainWindow, qtbot: QtBot) -> None:
    """They were those of the next of 61 postures, in the plot and in the dock "Inverse dynamics"."""
    run, plot = opened(window, qtbot, "e12", "zeros")
    assert isinstance(plot, PlanePlot)
    times = np.asarray(next(curve.t for curve in plot.chart.curves if curve.t is not None and curve.t.size))
    t = round(float(times[20] + 0.5 * (times[21] - times[20])), 3)
    window.session.playback.seek(t)
    points = card_at(window, qtbot, t)
    step = run.step_at(t)
    assert step is not None
    modes = points / step
    qtbot.waitUntil(lambda: plot._pulse.idle)
    marks = [(one.pos().x(), one.pos().y()) for one in plot.dots.points()]
    placed = [complex(*np.sinh(place)) for place in marks]
    assert all(min(abs(z - mark) for mark in placed) < 1e-9 * abs(z) for z in modes)
    assert sum(curve.name == "zeros" for curve, _ in marks_at(plot.chart, t)) == len(modes)
    assert {place for _, place in marks_at(plot.chart, t)} == set(marks)
    exact = zeros_by_differences(run, t)
    assert all(np.abs(exact - z).min() < 1e-4 * abs(z) for z in modes)
    along = np.concatenate([curve.x + 1j * curve.y for curve in plot.chart.curves if curve.name == "zeros"])
    assert max(np.abs(along - z).min() / abs(z) for z in modes) > 1e-5, "else this shows nothing"
    dock = next(dock for dock in window.docks if dock.kind.key == "analysis")
    dock.present(dock.panel)
    assert isinstance(dock.panel, AnalysisPanel)
    picture = dock.panel.picture
    qtbot.waitUntil(lambda: picture.t == t and bool(picture.chart.curves), timeout=20_000)
    assert {place for _, place in marks_at(picture.chart, t)} == set(marks)
