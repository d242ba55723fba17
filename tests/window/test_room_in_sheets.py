"""In a window of 1280 x 720 px, as of many projectors, pictures have the room, and no line of a list is cut."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.dialogs.map import MapSheet
from gui.qt.dialogs.work_precision import open_work_precision
from gui.qt.export.dialog.sheet import ExportSheet
from gui.qt.style.theme import look
from gui.qt.window.main_window import MainWindow
from tests.window.rules import clipped
from tests.window.test_own_measured import measure


@pytest.fixture(params=["light", "projector"])
def window(shared_window: MainWindow, request: pytest.FixtureRequest) -> MainWindow:
    shared_window.session.view.set(theme=request.param)
    shared_window.resize(1280, 720)
    return shared_window


def cut(listed: QListWidget) -> list[str]:
    room, items = listed.viewport().rect(), [listed.item(row) for row in range(listed.count())]
    places = [(item.text(), listed.visualItemRect(item)) for item in items if not item.isHidden()]
    seen = [(text, place) for text, place in places if place.intersects(room)]
    return [text for text, place in seen if place.top() < room.top() or place.bottom() > room.bottom()]


def test_a_map_has_nearly_half_of_the_height(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_key["run.map"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, MapSheet)
    qtbot.waitUntil(lambda: sheet.diagram.height() > 0.45 * window.height())
    assert not clipped(sheet)
    assert sheet.contours.isVisible()
    sheet.dismiss()


def test_a_map_in_type_of_twice_the_size_is_a_picture_and_no_line(window: MainWindow, qtbot: QtBot) -> None:
    """It was 43 px high below two lines of buttons and above four lines of facts."""
    preferences = window.session.preferences
    preferences.set_text_size(200)
    try:
        window.actions_by_key["run.map"].trigger()
        sheet = window.sheet
        assert isinstance(sheet, MapSheet)
        for axis in (sheet.across, sheet.up):
            axis.count.setText("3")
        sheet.begin()
        qtbot.waitUntil(lambda: not sheet.desk.measuring and sheet.desk.result is not None, timeout=60_000)
        before = sheet.diagram.laid_out().area.height()
        assert sheet.diagram.visibleRegion().boundingRect() == sheet.diagram.rect(), "seen without scrolling"
        sheet.diagram.pointed.emit(4)
        QApplication.processEvents()
        assert sheet.diagram.laid_out().area.height() == before > 100
        assert "largest error" in sheet.facts.text()
        assert "finished" in sheet.facts.text()
        assert sheet.out.isVisible()
        assert sheet.race.isVisible()
        assert all("over step" in one for one in clipped(sheet)), "only the long name of the map is elided"
        sheet.dismiss()
    finally:
        preferences.set_text_size(100)


def test_an_answer_to_a_target_leaves_the_diagram_its_room(shared_window: MainWindow, qtbot: QtBot) -> None:
    """It became 105 px high below its legend and above nine lines of words, and the name of an axis was cut."""
    window, session = shared_window, shared_window.session
    window.resize(1280, 720)
    session.view.set(theme="projector")
    session.edit_many({"duration": 0.5, "step": 0.05})
    sheet = open_work_precision(window, session)
    measure(sheet, qtbot, "rk1", "rk4", "rk8", "dopri5", "dop853", "rkf45")
    sheet.target.setText("1e-3")
    sheet.show_all()
    diagram = sheet.diagram
    for flipped in (False, True):
        sheet.flipped.setChecked(flipped)
        QApplication.processEvents()
        plot, before = diagram.laid_out().area.height(), diagram.geometry()
        assert plot > 185.0, (plot, diagram.height())
        assert len(diagram.key(diagram.style_now())) <= 2
        assert not any("…" in entry.name for line in diagram.key(diagram.style_now()) for entry, _, _ in line)
        sheet.diagram.pointed.emit(diagram.points[0])
        QApplication.processEvents()
        assert diagram.geometry() == before
        assert sheet.facts.visibleRegion().boundingRect() == sheet.facts.rect()
        assert sheet.answer.visibleRegion().boundingRect().height() > 3 * sheet.answer.fontMetrics().height()
        sheet.diagram.pointed.emit(None)
    assert "Solid line" not in sheet.facts.text()
    sheet.target.setText("")
    sheet.show_all()
    assert "Solid line" in sheet.facts.text()
    sheet.dismiss()


def test_no_method_to_measure_is_cut(window: MainWindow, qtbot: QtBot) -> None:
    for height in range(640, 800, 17):
        window.resize(1280, height)
        sheet = open_work_precision(window, window.session)
        qtbot.waitUntil(lambda sheet=sheet: not cut(sheet.methods))
        for scrolled in (1, sheet.methods.verticalScrollBar().maximum()):
            sheet.methods.verticalScrollBar().setValue(scrolled)
            assert not cut(sheet.methods), (height, scrolled)
        qtbot.keyClicks(sheet.search, "radau")
        assert not cut(sheet.methods), height
        sheet.dismiss()


def test_an_undocked_panel_has_an_edge_by_which_it_is_sized(window: MainWindow, qtbot: QtBot) -> None:
    """Over the window it has the window's colours."""
    dock = next(one for one in window.docks if one.kind.key == "plots")
    assert dock.widget().x() == dock.titleBarWidget().x() == 0, "none inside the window"
    dock.setFloating(True)
    qtbot.waitUntil(dock.isVisible)
    qtbot.waitUntil(lambda: dock.titleBarWidget().x() == 4)
    picture, theme = dock.grab().toImage(), look().theme
    ratio = picture.devicePixelRatio()
    right, middle = round(dock.width() * ratio) - 1, round(dock.height() * ratio / 2)
    for x in (0, right):
        assert picture.pixelColor(x, middle) == theme.colour("shadow")
    assert picture.pixelColor(right - 2, middle) == theme.colour("surface")
    dock.setFloating(False)


def test_rows_of_an_export_that_has_room_stand_together(window: MainWindow, qtbot: QtBot) -> None:
    """On a screen of 1920 x 1080 px there were 100 px above every row below buttons that may wrap."""
    window.resize(1920, 1080)
    window.actions_by_key["export.animation"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, ExportSheet)
    QApplication.processEvents()
    rows = sorted((one for one in direct(sheet.form) if one.isVisible()), key=lambda one: one.y())
    bottoms = [max(other.geometry().bottom() for other in rows[: place + 1]) for place in range(len(rows))]
    gaps = [after.y() - bottom for after, bottom in zip(rows[1:], bottoms, strict=False)]
    assert len(rows) > 20
    assert max(gaps) < 20
    sheet.dismiss()


def direct(widget: QWidget) -> list[QWidget]:
    return [one for one in widget.children() if isinstance(one, QWidget)]
