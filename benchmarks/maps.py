"""Maps in the window: the coarse picture, pointing at a run, zooming, stopping, and how long the window ever waits.

The map has 128 x 128 runs of the falling arm over its first angle and mass, rk4 at 10 ms, 10 s.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.measurement import Measurement
from benchmarks.window import open_window, resident, wait_until
from gui.qt.dialogs.map import MapSheet
from gui.qt.viewport.rehearsal import Rehearsal
from gui.qt.window import quick_start
from gui.qt.window.main_window import MainWindow
from robots.sweeps.axes import SweepAxis
from robots.sweeps.runner import Runner
from robots.sweeps.sweep import Sweep, SweepResult

COUNT, CELLS, REPEATS = 128, 30, 5


def measure() -> list[Measurement]:
    """Compute maps, stop them, point at their cells and zoom, as a person does."""
    with open_window() as window:
        # As the program does when its panels are there. The kernels are compiled by other processes.
        quick_start.end()
        rehearsal = Rehearsal(window, lambda: window.session.view.settings)
        rehearsal.begin()
        Runner(Sweep(window.session.scenario, (SweepAxis("step", 0.01, 0.02, 2),), ("steps",))).rows([0])
        settle()
        rehearsal.wait()
        before = resident()
        window.actions_by_key["run.map"].trigger()
        sheet, pauses = map_sheet(window), list[float]()
        describe(sheet)
        # The last frame of the arm behind the sheet is none of the map's.
        settle()
        coarse, stopped = [], []
        for _ in range(REPEATS):
            sheet.desk.forget()
            coarse.append(1e3 * until(lambda: sheet.diagram.chart.colours is not None, sheet.measure.click, pauses))
            stopped.append(1e3 * until(lambda: not sheet.desk.measuring, sheet.measure.click, pauses))
        whole = [until(lambda: not sheet.desk.measuring, sheet.measure.click, pauses)]
        numbers, arms = point(sheet, pauses)
        zoomed = zoom(sheet, pauses)
        memory = [resident() - before]
        sheet, opening, opened, racing = visit(window)
        large, late = million(sheet, pauses)
    return [
        Measurement("first picture of a map", "ms", coarse, goal=200.0),
        Measurement("stop a map", "ms", stopped, goal=100.0),
        Measurement(f"the rest of {COUNT} x {COUNT} runs", "s", whole),
        Measurement("numbers of the run under the pointer", "ms", numbers, goal=30.0),
        Measurement("its arm is drawn", "ms", arms, goal=60.0),
        Measurement("first picture of a part", "ms", zoomed, goal=200.0),
        Measurement("longest wait of the window", "ms", [1e3 * max(pauses)], goal=50.0),
        Measurement("longest wait while the sheet opens", "ms", opening, goal=50.0),
        Measurement("longest wait while a click opens a run", "ms", opened, goal=50.0),
        Measurement("longest wait while two runs begin to race", "ms", racing, goal=50.0),
        Measurement("memory of the maps", "MiB", memory, goal=200.0),
        Measurement("memory of the process with a map of a million runs", "MiB", large, goal=1024.0),
        Measurement("stop a map of a million runs", "ms", late, goal=100.0),
    ]


def settle() -> None:
    """Let the window draw what a start leaves to be drawn, and sheets that were closed go."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    end = time.monotonic() + 2.0
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.002)


def map_sheet(window: MainWindow) -> MapSheet:
    """The sheet of the map, which is open."""
    assert isinstance(window.sheet, MapSheet)
    return window.sheet


def sweep_of(result: SweepResult | None) -> Sweep:
    """The runs that a map shows, as far as there is one."""
    assert result is not None
    return result.sweep


def visit(window: MainWindow) -> tuple[MapSheet, list[float], list[float], list[float]]:
    """Open the sheet, open a run by a click, pin two runs and let them race, several times.

    Returns:
        The sheet, open again, and the longest wait of each opening, of each run that is opened and of each race [ms].
    """
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    session, sheet = window.session, map_sheet(window)
    modifiers = Qt.KeyboardModifier
    opening, opened, racing = list[float](), list[float](), list[float]()

    def click(number: int, keys: Qt.KeyboardModifier) -> None:
        spot = sheet.diagram.cell(number).center().toPoint()
        QTest.mouseMove(sheet.diagram, spot)
        QTest.mouseClick(sheet.diagram, Qt.MouseButton.LeftButton, keys, spot)

    def open_sheet() -> MapSheet:
        opening.append(longest(window.actions_by_key["run.map"].trigger))
        settle()
        return map_sheet(window)

    sheet.dismiss()
    sheet = open_sheet()
    for k in range(REPEATS):
        opened.append(longest(lambda k=k: click(8000 + 300 * k, modifiers.NoModifier)))
        settle()
        sheet = open_sheet()
        for number in (3000 + 300 * k, 9000 + 300 * k):
            longest(lambda number=number: click(number, modifiers.ShiftModifier))
        racing.append(longest(sheet.race.click))
        session.playback.pause()
        session.comparisons.remove(*(row.id for row in session.runs.all if row.pinned))
        settle()
        sheet = open_sheet()
    return sheet, opening, opened, racing


def longest(act: Callable[[], object]) -> float:
    """The longest wait of the window in the second after an act of a person [ms]."""
    pauses, began = list[float](), time.perf_counter()
    until(lambda: time.perf_counter() - began > 1.0, act, pauses)
    return 1e3 * max(pauses)


def million(sheet: MapSheet, pauses: list[float]) -> tuple[list[float], list[float]]:
    """Begin a map of 1000 x 1000 runs and stop it after ten seconds.

    Returns:
        The memory of the process, all arrays there [MiB], and how long stopping takes [ms].
    """
    for fields in (sheet.across, sheet.up):
        fields.count.setText("1000")
    began = time.monotonic()
    until(lambda: time.monotonic() - began > 10.0, sheet.measure.click, pauses)
    late = until(lambda: not sheet.desk.measuring, sheet.measure.click, pauses)
    assert sweep_of(sheet.desk.result).size == 1_000_000
    return [resident()], [1e3 * late]


def describe(sheet: MapSheet) -> None:
    """Fill in the axes."""
    for fields, path in ((sheet.across, "initial.q1"), (sheet.up, "robot.m1")):
        fields.field.show_data(path)
        fields.suggest(path)
        fields.count.setText(str(COUNT))


def until(condition: Callable[[], bool], act: Callable[[], object], pauses: list[float]) -> float:
    """Seconds from an act of a person until the condition holds; adds each round of the event loop to `pauses`."""
    from PySide6.QtWidgets import QApplication

    began = time.perf_counter()
    act()
    pauses.append(time.perf_counter() - began)
    while not condition():
        if time.perf_counter() - began > 120.0:
            raise TimeoutError("a map took more than two minutes")
        start = time.perf_counter()
        QApplication.processEvents()
        pauses.append(time.perf_counter() - start)
        time.sleep(0.0002)
    return time.perf_counter() - began


def point(sheet: MapSheet, pauses: list[float]) -> tuple[list[float], list[float]]:
    """Point at cells far apart: milliseconds until the numbers stand below the map, and until the arm is drawn."""
    from PySide6.QtTest import QTest

    drawn: list[float] = []
    given: list[float] = []
    sheet.pointer.changed.connect(lambda: given.append(time.perf_counter()))
    sheet.arm.drawn.connect(lambda: drawn.append(time.perf_counter()))
    numbers, arms = [], []
    for k in range(CELLS):
        number = (k * 541 + 77) % (COUNT * COUNT)
        spot, text = sheet.diagram.cell(number).center().toPoint(), sheet.facts.text()
        wanted = sheet.desk.scenario_at(number)
        began = time.perf_counter()
        move = lambda spot=spot: QTest.mouseMove(sheet.diagram, spot)  # noqa: E731
        numbers.append(1e3 * until(lambda text=text: sheet.facts.text() != text, move, pauses))
        wait_until(lambda wanted=wanted: bool(sheet.arm.rows) and sheet.arm.rows[-1].scenario == wanted, 10, "the run")
        wait_until(lambda: bool(drawn) and drawn[-1] > given[-1], 10, "the arm")
        arms.append(1e3 * (next(t for t in drawn if t > given[-1]) - began))
    return numbers[1:], arms[1:]


def zoom(sheet: MapSheet, pauses: list[float]) -> list[float]:
    """Zoom in and return: milliseconds until the first picture of the part."""
    found = []
    for k in range(REPEATS):
        axes = sweep_of(sheet.desk.result).axes
        ranges = [(axis.values[10 + k], axis.values[60 + k]) for axis in axes]
        shown = lambda: sweep_of(sheet.diagram.result).axes != axes and sheet.diagram.chart.colours is not None  # noqa: B023, E731
        found.append(1e3 * until(shown, lambda: sheet.diagram.zoomed.emit(ranges), pauses))  # noqa: B023
        until(lambda: not sheet.desk.measuring, sheet.desk.back, pauses)
    return found
