"""The trees of the order conditions: what each says where the pointer rests, and their room beside a tableau."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.fit import tag_near
from gui.charts.plots.order_conditions import conditions_chart
from gui.qt.dialogs.tableau_editor import LARGER, SMALLER, TableauEditor, open_tableau_editor
from gui.qt.plots.plane_plot import PlanePlot
from gui.qt.window.commands.focus_frame import is_framed
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Chart, Curve
from solvers.tableaux.tableau import load


@pytest.fixture
def editor(window: MainWindow, qtbot: QtBot) -> TableauEditor:
    made = open_tableau_editor(window, window.session)
    qtbot.waitUntil(lambda: "Order 4" in made.order.text(), timeout=60_000)
    QApplication.processEvents()
    return made


def rest_at(widget: QWidget, spot: QPoint) -> str:
    """What the tooltip says there."""
    QToolTip.hideText()
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, spot, widget.mapToGlobal(spot)))
    return QToolTip.text()


def test_every_tree_says_its_condition() -> None:
    tags = [curve.tag for curve in conditions_chart(load("rk4")).curves]
    assert len(tags) == len(set(tags)) == 17
    assert tags[1] == "Order 2: Σ bᵢ cᵢ = 1/2 holds"
    assert all(tag.endswith("holds") for tag in tags[:8])
    assert all("fails: the left side is" in tag for tag in tags[8:])


def test_only_what_is_near_is_named() -> None:
    tree = Curve(np.array([0.0, 0.0]), np.array([0.0, 1.0]), tag="this one")
    chart = Chart(curves=(tree, Curve(np.array([]), np.array([]), tag="nothing")), bare=True)
    view = ((0.0, 1.0), (0.0, 1.0)), (100.0, 100.0)
    assert tag_near(chart, (0.1, 1.0), *view, 16.0) == "this one"
    assert tag_near(chart, (0.5, 1.0), *view, 16.0) == ""
    assert tag_near(Chart(bare=True), (0.0, 0.0), *view, 16.0) == ""
    assert tag_near(Chart(curves=(tree,)), (0.0, 0.0), *view, 16.0) == "", "no drawing"


def test_a_tree_under_the_pointer_says_what_it_stands_for(editor: TableauEditor) -> None:
    laid = editor.trees.laid_out()
    for curve in (editor.trees.chart.curves[0], editor.trees.chart.curves[-1]):
        spot = QPointF(float(laid.across(curve.x[0])), float(laid.upward(curve.y[0]))).toPoint()
        assert rest_at(editor.trees, spot) == curve.tag
    assert editor.trees.tag_at(QPointF(2.0, 2.0)) == ""
    assert "dots where it holds, crosses where it fails" in editor.key.text()


def test_keys_go_through_the_trees_and_say_what_they_stand_for(
    editor: TableauEditor, heard: list[tuple[str, bool]], qtbot: QtBot
) -> None:
    trees = editor.trees
    curves = trees.chart.curves
    editor.enlarge.setFocus()
    for _ in range(40):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if trees.hasFocus():
            break
    assert is_framed(trees), "Tab comes to the trees"
    spoken = QAccessible.queryAccessibleInterface(trees)

    def said() -> str:
        text = spoken.text(QAccessible.Text.Description)
        assert trees.walk.chosen is not None
        assert text == QToolTip.text() == trees.walk.chosen.tag, "as where the pointer rests"
        return text

    assert said() == curves[0].tag
    for key, place in ((Qt.Key.Key_Left, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1)):
        qtbot.keyClick(trees, key)
        assert said() == curves[place].tag
    qtbot.keyClick(trees, Qt.Key.Key_Down)
    assert said().startswith("Order 5"), "the line below"
    qtbot.keyClick(trees, Qt.Key.Key_Up)
    assert not said().startswith("Order 5")
    for _ in curves:
        qtbot.keyClick(trees, Qt.Key.Key_Right)
    assert said() == curves[-1].tag
    qtbot.waitUntil(lambda: any(text == curves[-1].tag for text, _ in heard))
    assert trees.walk.chosen is not None
    assert QRectF(trees.rect()).contains(trees.walk.frame_of(trees.walk.chosen))
    qtbot.keyClick(trees, Qt.Key.Key_Escape)
    assert trees.walk.chosen is None
    assert editor.isVisible(), "Esc first lets the tree go"
    assert "Arrow keys" in spoken.text(QAccessible.Text.Description)
    qtbot.keyClick(trees, Qt.Key.Key_Right)
    qtbot.keyClick(trees, Qt.Key.Key_Tab)
    assert not trees.hasFocus()
    assert trees.walk.chosen is None


def test_trees_take_the_room_of_the_tableau_and_give_it_back(editor: TableauEditor, qtbot: QtBot) -> None:
    assert editor.trees.height() >= 200
    last = editor.grid.cells["b[4]"]
    assert not last.visibleRegion().isEmpty(), "the tableau is whole"
    assert last.visibleRegion().boundingRect().height() == last.height()
    before = editor.trees.height()
    editor.enlarge.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(editor.enlarge, Qt.Key.Key_Return)
    assert editor.enlarge.text() == SMALLER
    qtbot.waitUntil(lambda: editor.trees.height() > 1.3 * before)
    assert not editor.grid.isVisible()
    assert editor.typed().b == ("1/6", "1/3", "1/3", "1/6"), "what was typed is there"
    qtbot.mouseDClick(editor.trees, Qt.MouseButton.LeftButton)
    assert editor.grid.isVisible()
    assert editor.enlarge.text() == LARGER
    qtbot.mouseClick(editor.enlarge, Qt.MouseButton.LeftButton)
    assert not editor.grid.isVisible()
    editor.grid.cells["b[4]"].setText("x")
    editor.grid.changed.emit()
    qtbot.waitUntil(editor.grid.isVisible, timeout=5000)  # a refused cell is seen
    assert not editor.enlarge.isVisible()


def test_the_enlarged_plot_says_it_too(window: MainWindow, qtbot: QtBot) -> None:
    window.session.view.set(enlarged="order-conditions")
    assert window.enlarged is not None
    plot = window.enlarged.plot
    assert isinstance(plot, PlanePlot)
    qtbot.waitUntil(lambda: plot.settled and bool(plot.chart.curves))
    QApplication.processEvents()
    curve = plot.chart.curves[3]
    spot = plot.widget.mapFromScene(plot.area.mapViewToScene(QPointF(float(curve.x[0]), float(curve.y[0]))))
    assert rest_at(plot.widget.viewport(), spot) == curve.tag


@pytest.mark.parametrize("enlarged", [False, True])
def test_keys_go_through_the_trees_of_the_plot(window: MainWindow, qtbot: QtBot, enlarged: bool) -> None:
    window.session.view.set(plots=["order-conditions"], enlarged="order-conditions" if enlarged else "")
    qtbot.waitUntil(lambda: any(plot.isVisible() and plot.chart.curves for plot in window.findChildren(PlanePlot)))
    plot = next(plot for plot in window.findChildren(PlanePlot) if plot.isVisible())
    QApplication.processEvents()
    view, curves, t = plot.widget, plot.chart.curves, window.session.playback.t
    window.session.playback.pause()
    view.setFocus(Qt.FocusReason.OtherFocusReason)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    spoken = QAccessible.queryAccessibleInterface(view)
    view.walk.choose(None)
    assert "Left and Right" in spoken.text(QAccessible.Text.Description)
    for key, place in ((Qt.Key.Key_Right, 0), (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1)):
        qtbot.keyClick(view, key)
        said = spoken.text(QAccessible.Text.Description)
        assert said == QToolTip.text() == curves[place].tag, "as where the pointer rests"
        frame = view.walk.frame_of(curves[place])
        spot = QPointF(float(curves[place].x[0]), float(curves[place].y[0]))
        assert frame.contains(QPointF(view.mapFromScene(plot.area.mapViewToScene(spot))))
        assert QRectF(view.rect()).contains(frame)
    window.session.playback.pause()
    t = window.session.playback.t
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert window.session.playback.t == t, "the arrows are the trees'"
    plot.update_now()
    assert view.walk.chosen is plot.chart.curves[2], "drawn again, it is the same tree"
    qtbot.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.playback.t > t, "with Shift they are the time's"
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert not view.hasFocus()
    assert view.walk.chosen is None
    assert window.session.view.settings.enlarged == ""


def test_every_row_of_a_larger_tableau_is_in_sight(editor: TableauEditor, qtbot: QtBot) -> None:
    for stages in (6, 3, 5):
        editor.stages.show_data(stages)
        editor.stages.chosen.emit(stages)
        qtbot.waitUntil(lambda stages=stages: f"b[{stages}]" in editor.grid.cells)
        QApplication.processEvents()
        row = editor.grid.cells[f"b[{stages}]"]
        qtbot.waitUntil(lambda row=row: row.visibleRegion().boundingRect() == row.rect(), timeout=10_000)
        assert not editor.grid.verticalScrollBar().isVisible()


def test_four_stages_are_in_sight_in_a_small_window_with_large_type(window: MainWindow, qtbot: QtBot) -> None:
    window.session.view.set(theme="projector")
    window.setFixedSize(1280, 690)
    qtbot.waitUntil(lambda: window.height() == 690)
    editor = open_tableau_editor(window, window.session)
    assert editor.stages.currentText() == "4"
    row = editor.grid.cells["b[4]"]
    qtbot.waitUntil(lambda: row.visibleRegion().boundingRect() == row.rect(), timeout=10_000)
