"""The paper desk in the real window: its tables scroll by themselves, and it opens where it was left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gui.app.session.results import STUDY
from gui.qt.dialogs.studies import StudySheet
from gui.qt.dialogs.study_figures import FigureGrid
from gui.qt.widgets.scroll import SidewaysScroll
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Chart
from robots.papers.figure import Figure
from robots.papers.finding import Finding
from robots.papers.study import StudyResult, Table
from robots.papers.study_data import data_of
from solvers.method_registry import find_method

KEY = "stiff-pendulum"
NAMES = tuple(f"error_of_formulation_{k}" for k in range(14))
WIDE = Table("wide", NAMES, ((1.25e-6,) * len(NAMES),) * 30)
SMALL = Table("small", ("step", "error"), ((0.1, 1e-3),) * 3)


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def desk_of(window: MainWindow) -> StudySheet:
    window.actions_by_key["file.studies"].trigger()
    assert isinstance(window.sheet, StudySheet)
    return window.sheet


def kept(window: MainWindow) -> None:
    """A study with many figures, claims, and a table that is wider than any window."""
    figures = tuple(Figure(f"figure {k}", "Errors", (Chart(empty="none"),)) for k in range(9))
    claim = Finding("figure 1", "The reciprocal of the largest eigenvalue limits the step.", "It does.", "")
    result = StudyResult((SMALL, WIDE), (claim,), figures)
    window.session.results.keep(STUDY, "result", {"study": KEY, **data_of(result)})


def show(sheet: StudySheet, key: str) -> None:
    keys = [entry.study.key for entry in sheet.desk.entries]
    sheet.list.setCurrentRow(keys.index(key))


def test_tables_scroll_sideways_and_the_desk_does_not(window: MainWindow, qtbot: QtBot) -> None:
    kept(window)
    found = []
    for size in ((1280, 720), (1920, 1080)):
        window.resize(*size)
        for theme, percent in (("light", 100), ("dark", 100), ("projector", 100), ("projector", 200)):
            window.session.view.set(theme=theme)
            window.session.preferences.set_text_size(percent)
            sheet = desk_of(window)
            show(sheet, KEY)
            qtbot.wait(50)
            if sheet.area.horizontalScrollBar().maximum():
                found.append((size, theme, percent))
            findings, small, wide = sheet.area.findChildren(SidewaysScroll)
            assert wide.horizontalScrollBar().maximum() > 0
            assert wide.widget().height() >= wide.widget().sizeHint().height()
            assert not any(one.verticalScrollBar().maximum() for one in (findings, small, wide)), "no row is cut"
            assert wide.focusPolicy() == Qt.FocusPolicy.StrongFocus
            figures = sheet.area.findChild(FigureGrid)
            assert figures is not None
            button, room = figures.buttons[0], sheet.area.viewport().width()
            right = max(one.mapTo(sheet.area.viewport(), QPoint(one.width(), 0)).x() for one in figures.buttons)
            assert right <= room
            assert room - right < button.width() + 40, "as many figures stand side by side as there is room for"
            sheet.dismiss()
    window.session.preferences.set_text_size(100)
    assert not found


def test_tables_have_names_and_units_instead_of_keys(window: MainWindow, qtbot: QtBot) -> None:
    columns = ("method", "status", "step_s", "u_error_percent", "evaluations_in_20_ms", "formulation")
    rows = ("bdf6", "newton-failed", 0.005, 1.5, 7, "bdf6"), ("none", "finished", 1.0, None, 0, "")
    table = Table("coded", columns, rows)
    window.session.results.keep(STUDY, "result", {"study": KEY, **data_of(StudyResult((table,), (), ()))})
    sheet = desk_of(window)
    show(sheet, KEY)
    said = [label.text() for label in sheet.area.widget().findChildren(QLabel)]
    wanted = ["method", "status", "step [s]", "u error [%]", "evaluations in 20 ms", "formulation"]
    assert said[said.index("method") :][: len(wanted)] == wanted
    assert {find_method("bdf6").name, "iteration failed", "none", "finished"} < set(said)
    assert said.count("bdf6") == 1, "only a method is named"
    assert "newton-failed" not in said
    assert "step_s" in table.to_csv(), "files keep the keys"
    sheet.dismiss()


def test_the_findings_have_nearly_half_of_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    kept(window)
    window.resize(1280, 720)
    for theme in ("light", "projector"):
        window.session.view.set(theme=theme)
        sheet = desk_of(window)
        show(sheet, KEY)
        qtbot.waitUntil(lambda sheet=sheet: sheet.area.height() > 0.45 * window.height())
        buttons = [one for one in sheet.area.findChildren(QPushButton) if one.accessibleName().startswith("Open ")]
        assert len(buttons) == len(sheet.desk.entry(KEY).study.scenarios)
        sheet.dismiss()


def test_the_arrows_on_a_table_scroll_the_desk(window: MainWindow, qtbot: QtBot) -> None:
    kept(window)
    window.resize(1280, 720)
    sheet = desk_of(window)
    show(sheet, KEY)
    qtbot.wait(50)
    wide = sheet.area.findChildren(SidewaysScroll)[-1]
    bar = sheet.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    wide.setFocus()
    assert QApplication.focusWidget() is wide
    qtbot.keyClick(wide, Qt.Key.Key_Up)
    assert bar.value() < bar.maximum()
    qtbot.keyClick(wide, Qt.Key.Key_Right)
    assert wide.horizontalScrollBar().value() > 0
    sheet.dismiss()


def test_the_desk_opens_at_the_study_that_was_chosen(window: MainWindow) -> None:
    sheet = desk_of(window)
    show(sheet, KEY)
    sheet.dismiss()
    sheet = desk_of(window)
    assert sheet.key == KEY
    label, scenario = sheet.desk.entry(KEY).study.scenarios[0]
    assert label
    sheet.open_scenario(scenario)
    again = desk_of(window)
    assert again.key == KEY, "what is opened from the desk leads back to it"
    again.dismiss()


def test_each_study_names_the_authors_the_title_and_the_year_of_its_paper(window: MainWindow, qtbot: QtBot) -> None:
    sheet = desk_of(window)
    show(sheet, sheet.desk.entries[0].study.key)
    sheet.list.setFocus()
    seen = []
    for _ in sheet.desk.entries:
        assert sheet.about.isVisible()
        seen.append(sheet.about.text().partition("\n")[0])
        qtbot.keyClick(sheet.list, Qt.Key.Key_Down)
    papers = (
        ("H. Jack", "adaptive Runge-Kutta", 1990, 1),
        ("J. A. Tenreiro Machado", "Manipulator Direct Dynamics", 1994, 1),
        ("E. Sariyildiz", "Trajectory Tracking", 2011, 2),
        ("A. Sandu", "Rosenbrock-Nystrom", 2001, 2),
        ("S. Moberg", "Inverse Dynamics of Flexible Manipulators", 2009, 2),
    )
    for author, title, year, count in papers:
        mine = [text for text in seen if text.startswith(author)]
        assert len(mine) == count
        assert all(title in text and text.endswith(f"({year}).") for text in mine)
    sheet.dismiss()


def test_the_keys_stay_in_the_list_at_a_study_that_has_figures(window: MainWindow, qtbot: QtBot) -> None:
    kept(window)
    sheet = desk_of(window)
    keys = [entry.study.key for entry in sheet.desk.entries]
    place = keys.index(KEY)
    sheet.list.setCurrentRow(place - 1)
    sheet.list.setFocus()
    qtbot.keyClick(sheet.list, Qt.Key.Key_Down)
    assert sheet.key == KEY
    assert sheet.gallery is not None
    assert QApplication.focusWidget() is sheet.list
    sheet.dismiss()


def test_escape_leads_from_a_figure_to_its_button(window: MainWindow, qtbot: QtBot) -> None:
    kept(window)
    sheet = desk_of(window)
    show(sheet, KEY)
    figures = sheet.area.findChild(FigureGrid)
    assert figures is not None
    figures.buttons[1].click()
    qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is figures.buttons[1]
    assert sheet.isVisible()
    sheet.dismiss()
