"""The legend over the 3D view: whole, and never over an arm, which does not stand behind the time either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import inf
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.app.runs import CURRENT, RunRow
from gui.app.session.session import Session
from gui.compose.kinematics import kinematics_of
from gui.compose.picture import LegendEntry, legend
from gui.qt.viewport.overlays import font_metrics
from gui.qt.viewport.run_legend import brief, cut, in_few_lines, lines_of, names_alone
from gui.qt.window.main_window import MainWindow
from scene.camera import project

THEMES = ("light", "dark", "projector")


def words(window: MainWindow) -> str:
    view = window.viewport
    assert view is not None
    return " ".join(piece.text for line in view.legend.lines for piece in line.pieces)


def show(window: MainWindow, qtbot: QtBot, theme: str, size: tuple[int, int], percent: int = 100) -> None:
    session = window.session
    session.view.set(theme=theme)
    session.preferences.set_text_size(percent)
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    window.arrangement.usual()
    QApplication.processEvents()
    qtbot.waitUntil(lambda: all(row.state == "done" for row in session.runs.all), timeout=60_000)


def test_a_legend_wraps_and_hides_neither_words_nor_arms(
    open_one: Callable[..., MainWindow], qtbot: QtBot, artifacts: Path
) -> None:
    window = open_one(gallery=False)
    session = window.session
    session.playback.pause()
    settings = (
        {"method": "rkf45", "rtol": 1e-6, "atol": 1e-9},
        {"initial.q1": 0.8},
        {"method": "rk1", "step": 0.02},
    )
    for runs, values in enumerate(settings, 2):
        session.comparisons.pin()
        session.edit_many(values)
        for theme, size in product(THEMES, ((1280, 720), (1920, 1080))):
            show(window, qtbot, theme, size)
            view, run = window.viewport, session.runs.current.run
            assert view is not None
            assert run is not None
            assert "…" not in words(window), (runs, theme, size)
            assert len(view.legend.shown) == runs or "more" in words(window)
            seen = project(view.camera(), view.extent(), kinematics_of(run).room)
            below = seen[:, 1].min() >= view.legend.geometry().bottom() - 1
            assert below or seen[:, 0].min() >= view.legend.geometry().right() - 1, (runs, theme, size)
            time = view.readout.geometry()
            behind = (seen[:, 0] < time.right()) & (seen[:, 1] > time.top() + 1)
            assert not behind.any(), (runs, theme, size)
            if size[0] == 1280:
                window.grab().save(str(artifacts / f"legend-{theme}-{runs}.png"))


def test_the_legend_of_very_large_type_says_more_than_dots(
    open_one: Callable[..., MainWindow], qtbot: QtBot, artifacts: Path
) -> None:
    window = open_one(gallery=False)
    window.session.playback.pause()
    for theme in THEMES:
        show(window, qtbot, theme, (1280, 720), 200)
        window.grab().save(str(artifacts / f"legend-200-{theme}.png"))
        assert window.viewport is not None
        assert window.viewport.legend.isVisible() == (theme != "projector"), "nothing rather than dots"
        if theme != "projector":
            assert words(window).replace("- ", "-").startswith("Runge-Kutta 4"), theme
            assert "…" not in words(window), theme
    window.session.preferences.set_text_size(100)


def test_lines_break_between_parts_and_then_between_words(application: QApplication) -> None:
    entry = LegendEntry("accent", "solid", "Runge-Kutta-Fehlberg 4(5)", "rtol 1e-6, atol 1e-9 · angle 1 = 45.84°")
    measure = font_metrics().horizontalAdvance

    def at(width: float, one: LegendEntry = entry) -> list[str]:
        return ["   ".join(piece.text for piece in line.pieces) for line in lines_of([one], width)]

    assert at(2000.0) == [f"{entry.label}   {entry.setting}"]
    assert at(measure(entry.setting) + 1) == [entry.label, entry.setting]
    name = "Runge-Kutta-Fehlberg 4(5)"
    assert at(measure(name) + 1) == [name, "rtol 1e-6, atol 1e-9", "angle 1 = 45.84°"]
    assert at(measure("Runge-Kutta-") + 1)[:2] == ["Runge-Kutta-", "Fehlberg 4(5)"]
    noted = replace(entry, setting="step 50\u00a0ms", note="diverged at t = 0.65\u00a0s", alarm=True)
    assert at(measure(name) + 1, noted)[-1].endswith("0.65\u00a0s")

    few = cut(lines_of([entry], measure(name) + 1), 2)
    assert [line.pieces[-1].text for line in few] == [name, "rtol 1e-6, atol 1e-9 …"], "what is cut says so"


def test_a_method_has_one_name_whatever_the_robot(session: Session) -> None:
    session.comparisons.pin()
    session.edit("robot", "pa10")
    rows = session.runs.all
    entries = tuple(LegendEntry("accent", "solid", row.label, row.setting) for row in rows)
    names = {entry.label for entry in brief(entries, rows, inf)}
    assert len(names) == 1, names


def shown(rows: Sequence[RunRow], width: float) -> list[str]:
    return [f"{one.label} | {one.setting}" for one in in_few_lines(brief(legend(rows, 0.0), rows, inf), rows, width)]


def test_a_named_run_that_goes_on_otherwise_has_its_name_once_and_its_setting_once(session: Session) -> None:
    session.edit("method", "rk1")
    session.comparisons.rename(CURRENT, "Euler")
    session.playback.seek(1.0)
    session.from_here.set(True)
    session.edit("method", "rk4")
    rows = session.runs.all
    setting = "Runge-Kutta 1 (explicit Euler), step 10\u00a0ms, then Runge-Kutta 4 (classical) from 1.000\u00a0s"
    assert shown(rows, 5000.0) == [f"Euler | {setting}"]
    short = "RK1, step 10\u00a0ms, then RK4 from 1.000\u00a0s"
    assert shown(rows, font_metrics().horizontalAdvance(f"Euler   {short}   ")) == [f"Euler | {short}"]


def test_names_that_say_the_setting_stand_alone_where_whole_ones_take_many_lines(session: Session) -> None:
    session.edit_many({"method": "rk4", "step": 0.02})
    session.comparisons.rename(CURRENT, "20 ms")
    session.comparisons.pin()
    session.edit("step", 0.01)
    session.comparisons.rename(CURRENT, "Classical, 10 ms")
    rows, measure = session.runs.all, font_metrics().horizontalAdvance
    whole = "Classical, 10 ms | Runge-Kutta 4 (classical), step 10\u00a0ms"
    assert shown(rows, 5000.0)[0] == whole, "whole where each has a line"
    assert shown(rows, measure("Classical, 10 ms   RK4, step 10 ms   ")) == ["Classical, 10 ms | ", "20 ms | "]
    assert shown([], 100.0) == []


def test_what_differs_is_said_of_every_run_or_of_none(session: Session) -> None:
    session.edit_many({"method": "rk1", "step": 0.02})
    session.comparisons.rename(CURRENT, "Euler")
    session.comparisons.pin()
    session.edit("method", "rk4")
    session.comparisons.rename(CURRENT, "Mine")
    rows, measure = session.runs.all, font_metrics(bold=True).horizontalAdvance
    assert shown(rows, measure("Euler   RK1   ")) == ["Mine | RK4", "Euler | RK1"], "not the step, which both have"
    assert shown(rows, measure("Euler ")) == ["Mine | ", "Euler | "]
    session.comparisons.rename(CURRENT, "")
    session.edit("step", 0.01)
    rows = session.runs.all
    assert shown(rows, measure("Euler   RK1, step 10 ms   ")) == [
        "RK4 | step 10\u00a0ms",
        "Euler | RK1, step 20\u00a0ms",
    ], "initials where one run has its method's name"


def test_names_alone_are_enough_where_they_differ(session: Session) -> None:
    session.comparisons.pin()
    rows = session.runs.all
    one, two = LegendEntry("a", "solid", "RK 1", "step 1 s"), LegendEntry("b", "solid", "RK 4", "step 2 s")
    assert [entry.setting for entry in names_alone((one, two), rows)] == ["", ""]
    assert names_alone((one, one), rows) == (one, one)
    session.comparisons.rename(CURRENT, "Mine")
    session.edit("step", 0.02)
    entries = legend(session.runs.all, 0.0)
    kept = names_alone(entries, session.runs.all)[0].setting
    assert kept == "RK4, step 20\u00a0ms", "a name alone says how it was integrated when it was given"


def test_steps_that_differ_are_named_before_an_audience_with_the_panels_open(
    open_one: Callable[..., MainWindow], qtbot: QtBot, artifacts: Path
) -> None:
    """As soon as the current step was another one, the legend had the four methods alone."""
    window = open_one(gallery=False)
    session = window.session
    for method in ("rk1", "rk4", "dopri5"):
        session.edit("method", method)
        session.comparisons.pin()
    session.edit_many({"method": "rk2", "step": 0.02})
    show(window, qtbot, "light", (1280, 720), 150)
    said = words(window)
    window.grab().save(str(artifacts / "legend-steps.png"))
    assert said.count("step 10\u00a0ms") == 3, said
    assert said.count("step 20\u00a0ms") == 1, said
    session.edit("step", 0.01)
    qtbot.waitUntil(lambda: all(row.state == "done" for row in session.runs.all), timeout=60_000)
    QApplication.processEvents()
    assert words(window).count("step 10\u00a0ms") == 1, "one for all"


def test_a_name_says_a_step_in_whatever_unit(session: Session) -> None:
    """*Euler, 0.5 ms* had *step 500 µs* beside it, and *Euler, 1 ms* nothing."""
    named = {"Euler, 1 ms": 1e-3, "Euler, 0.5 ms": 5e-4, "Euler, 0,25 ms": 2.5e-4, "Mine": 1e-4}
    for name, step in named.items():
        session.edit_many({"method": "rk1", "step": step})
        session.comparisons.rename(CURRENT, name)
        session.comparisons.pin()
    rows = [row for row in session.runs.all if row.pinned]
    room = max(map(font_metrics(bold=True).horizontalAdvance, ("Euler, 0,25 ms   ", "Mine   step 100 µs   ")))
    said = dict(line.split(" | ") for line in shown(rows, room))
    assert said == dict.fromkeys(named, "") | {"Mine": "step 100\u00a0µs"}
