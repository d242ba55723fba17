"""What is said of runs in a low window, in every theme: whole words, whole answers."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QListView, QMenu, QStyleOptionViewItem, QTableView
from pytestqt.qtbot import QtBot

from gui.app.table.columns import NOTHING
from gui.app.view import THEMES
from gui.qt.dialogs.studies import StudySheet
from gui.qt.panels._runs_table import ACTIONS, PADDING, NameDelegate
from gui.qt.panels._runs_widths import LINE_END
from gui.qt.panels.plots import FEW, USUAL_HEIGHT, PlotsPanel
from gui.qt.panels.runs import RunsPanel
from gui.qt.plots.plot import PlotWidget
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE, show_at, wait_done

SIZES = ((1280, 720), (1920, 1080))


@pytest.fixture
def window(shared_window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Euler at 10 ms and the classical method at 10 ms are pinned; the current run controls its step."""
    session = shared_window.session
    session.edit_many({"duration": 2.0, "method": "rk1"})
    for values in ({"method": "rk4"}, {"method": "rkf45", "rtol": 1e-6, "atol": 1e-9}):
        session.comparisons.pin()
        session.edit_many(values)
    wait_done(qtbot, shared_window)
    done = ("done", "done")
    qtbot.waitUntil(
        lambda: all((row.state, row.reference_state) == done and row.judged for row in session.runs.all),
        timeout=PATIENCE,
    )
    session.playback.pause()
    return shared_window


def panel_of(window: MainWindow) -> RunsPanel:
    panel = window.findChild(RunsPanel)
    assert isinstance(panel, RunsPanel)
    return panel


def drawn(panel: RunsPanel, row: int, key: str) -> QStyleOptionViewItem:
    """What the table draws in a cell."""
    table, delegate, option = panel.table, panel.table.itemDelegate(), QStyleOptionViewItem()
    assert isinstance(delegate, NameDelegate)
    index = panel.model.index(row, panel.model.keys.index(key))
    option.rect = QRect(0, 0, table.columnWidth(index.column()), table.rowHeight(row))  # type: ignore[attr-defined]
    option.font, option.fontMetrics = table.font(), table.fontMetrics()  # type: ignore[attr-defined]
    delegate.initStyleOption(option, index)
    return option


def cut(panel: RunsPanel) -> list[str]:
    """The names and settings that lose their middle, on one line or on two."""
    found = []
    for key in ("method", "setting"):
        room = panel.table.columnWidth(panel.model.keys.index(key)) - PADDING
        for row in range(len(panel.model.ids)):
            option = drawn(panel, row, key)
            measure, text = option.fontMetrics.horizontalAdvance, option.text  # type: ignore[attr-defined]
            if max(map(measure, text.split(LINE_END))) > room:
                found.append(text)
    return found


def test_the_table_of_a_low_window_cuts_no_name_and_no_setting(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    for size in SIZES:
        for theme in THEMES:
            show_at(qtbot, window, theme, size)
            QApplication.processEvents()
            assert cut(panel) == [], (theme, size)
            assert panel.table.horizontalHeader().length() <= panel.table.viewport().width(), (theme, size)


def test_what_tells_runs_apart_keeps_its_room_and_columns_that_say_nothing_give_way(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The longest name and a setting of two parts."""
    panel, session = panel_of(window), window.session
    session.edit_many({"rtol": 0.0, "atol": 0.0, "step": 0.0123, "initial.q1": 1.5})
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: all(row.reference_state == "done" for row in session.runs.all), timeout=PATIENCE)
    for size in SIZES:
        for theme in THEMES:
            show_at(qtbot, window, theme, size)
            qtbot.waitUntil(lambda: cut(panel) == [], timeout=3000)
            header = panel.table.horizontalHeader()
            assert header.length() <= panel.table.viewport().width(), (theme, size)
            keys = panel.model.keys
            hidden = {key for place, key in enumerate(keys) if panel.table.isColumnHidden(place)}
            assert hidden <= {"rejected", "ratio"}, (theme, size)
            counts = [panel.model.index(row, keys.index("rejected")).data() for row in range(3)]
            assert "rejected" not in hidden or set(counts) <= {"0", NOTHING}, "it is left out where it says nothing"


@pytest.mark.parametrize(("preset", "news"), [("rr-switch", "RK4 from 3.000\u00a0s"), ("rr-stiffening", "2 changes")])
def test_a_setting_without_room_says_what_changes_on_the_way(
    shared_window: MainWindow, qtbot: QtBot, preset: str, news: str
) -> None:
    shared_window.session.files.new(preset)
    wait_done(qtbot, shared_window)
    panel = panel_of(shared_window)
    for theme in THEMES:
        show_at(qtbot, shared_window, theme, SIZES[0])
        qtbot.waitUntil(lambda: cut(panel) == [], timeout=3000)
        index = panel.model.index(0, panel.model.keys.index("setting"))
        assert news in drawn(panel, 0, "setting").text.replace(LINE_END, " "), theme  # type: ignore[attr-defined]
        whole = str(index.data())
        assert whole.startswith(("step 10", "rtol"))
        assert whole in index.data(Qt.ItemDataRole.ToolTipRole)


def test_angles_of_runs_stand_in_pairs_in_a_narrow_legend(window: MainWindow, qtbot: QtBot) -> None:
    """A line has both joints of a run, or one joint of all; nothing is dropped."""
    made = partial(window.findChildren, PlotWidget)
    qtbot.waitUntil(lambda: any(one.chart.title == "Joint angles" for one in made()), timeout=PATIENCE)
    plot = next(one for one in made() if one.chart.title == "Joint angles")
    for theme in THEMES:
        show_at(qtbot, window, theme, (1280, 720))
        qtbot.waitUntil(lambda: len(plot.legend.places) == len(plot.legend.entries) == 6, timeout=3000)
        order = [entry.curve for entry in plot.legend.entries]
        lines: dict[float, list[int]] = {}
        for place, entry in plot.legend.places:
            lines.setdefault(place.top(), []).append(order.index(entry.curve))
        for line in lines.values():
            joints, runs = ({number % 2 for number in line}, [number // 2 for number in line])
            assert len(joints) == 1 or all(runs.count(run) == 2 for run in runs), (theme, lines)
            assert len(line) == 3 or len(joints) == 2, (theme, lines)


def test_four_plots_of_three_runs_are_whole_in_a_low_window(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.findChild(PlotsPanel)
    assert isinstance(panel, PlotsPanel)
    show_at(qtbot, window, "light", (1280, 720))
    qtbot.waitUntil(lambda: len(panel.plots) == 4, timeout=PATIENCE)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0, timeout=3000)


def test_five_plots_of_a_large_window_share_its_height(window: MainWindow, qtbot: QtBot) -> None:
    panel = window.findChild(PlotsPanel)
    assert isinstance(panel, PlotsPanel)
    show_at(qtbot, window, "projector", (1920, 1080))
    qtbot.waitUntil(lambda: len(panel.plots) == 4, timeout=PATIENCE)
    more = next(key for key in panel.known if key not in panel.shown)
    panel.set_shown(more, True)
    qtbot.waitUntil(lambda: len(panel.plots) == 5, timeout=3000)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0, timeout=3000)
    panel.set_shown(more, False)


def test_plots_whose_legends_leave_no_room_for_all_keep_their_usual_height(
    shared_window: MainWindow, qtbot: QtBot
) -> None:
    session, plots = shared_window.session, shared_window.findChild(PlotsPanel)
    assert isinstance(plots, PlotsPanel)
    show_at(qtbot, shared_window, "dark", (1920, 1080))
    qtbot.waitUntil(lambda: len(plots.shown) == FEW and plots.plots["energy"].settled, timeout=PATIENCE)
    session.files.new("pa10-circle")
    qtbot.waitUntil(lambda: len(plots.shown) > FEW, timeout=PATIENCE)
    methods = ("rk4", "rk1", "rk2", "dopri5", "rkf45", "bdf2")
    assert session.comparisons.compare_all([{"method": key} for key in methods])

    def low() -> list[str]:
        return [key for key in plots.shown if plots.plots[key].widget.height() < USUAL_HEIGHT]

    qtbot.waitUntil(lambda: all(plots.plots[key].settled for key in plots.shown), timeout=PATIENCE)
    qtbot.waitUntil(lambda: plots.area.verticalScrollBar().maximum() > 0, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not low(), timeout=3000)


def test_what_two_runs_come_to_is_said_whole_in_a_low_window(window: MainWindow, qtbot: QtBot) -> None:
    panel = panel_of(window)
    pinned = panel.model.ids[1:]
    for size in SIZES:
        for theme in THEMES:
            for ids in ([pinned[0]], pinned):
                show_at(qtbot, window, theme, size)
                panel.table.clearSelection()
                panel.select(ids)
                qtbot.waitUntil(panel.footer.isVisible)
                QApplication.processEvents()
                words = panel.footer.words
                said = words.shown_text()
                assert "…" not in said, (theme, size, said)
                assert "Error " in said.replace("\n", " "), (theme, size, said)
                assert words.height() >= words.fontMetrics().lineSpacing() * len(said.split("\n")), (theme, size)
                two = 2 * panel.table.rowHeight(1)
                qtbot.waitUntil(lambda two=two: panel.table.viewport().height() >= two, timeout=3000)
    panel.table.clearSelection()


def test_a_setting_of_all_runs_is_no_setting_of_the_first_one(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.edit_many({"method": "rk2", "step": 0.01})
    wait_done(qtbot, window)
    show_at(qtbot, window, "projector", (1280, 720))
    view = window.viewport
    assert view is not None

    def settings() -> list[str]:
        return [entry.setting for entry in view.legend.shown]

    once = ["all: step 10\u00a0ms", "", ""]
    qtbot.waitUntil(lambda: settings() == once, timeout=3000)
    show_at(qtbot, window, "light", (1920, 1080))
    qtbot.waitUntil(lambda: settings() == once, timeout=3000)


def test_a_setting_that_all_runs_have_leaves_the_costs_their_room(window: MainWindow, qtbot: QtBot) -> None:
    """Two changes during the run, the same in both: before, they took the place of evaluations and times."""
    panel, session = panel_of(window), window.session
    session.files.new("rr-stiffening")
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: all(row.reference_state == "done" for row in session.runs.all), timeout=PATIENCE)
    show_at(qtbot, window, "light", (1280, 720))
    assert len({row.setting for row in session.runs.all}) == 1
    qtbot.waitUntil(lambda: not {"rhs", "time", "error"} & set(panel.left_out), timeout=3000)


def test_a_run_alone_shows_how_many_steps_it_rejected(window: MainWindow, qtbot: QtBot) -> None:
    panel, session = panel_of(window), window.session
    session.files.new("rr-swing")
    session.edit_many({"method": "rkf45", "step": None, "rtol": 1e-3, "atol": 1e-3})
    wait_done(qtbot, window)
    show_at(qtbot, window, "light", (1280, 720))
    assert panel.model.index(0, panel.model.keys.index("rejected")).data() != "0"
    qtbot.waitUntil(lambda: not {"rejected", "rhs", "error"} & set(panel.left_out), timeout=3000)


def test_no_row_of_the_table_and_no_study_is_cut(window: MainWindow, qtbot: QtBot) -> None:
    """However high the window is, wherever a person has scrolled to, and in large type: rows are whole or not there."""
    panel, session = panel_of(window), window.session

    def cut_of(view: QTableView | QListView) -> list[int]:
        model, room = view.model(), view.viewport().height()
        places = [view.visualRect(model.index(row, 0)) for row in range(model.rowCount())]
        return [row for row, at in enumerate(places) if at.top() < room <= at.bottom() or at.top() < 0 <= at.bottom()]

    for _ in range(4):
        session.comparisons.pin()
        session.comparisons.duplicate(session.runs.all[-1].id)
    seen = set()
    dock = next(dock for dock in window.docks if dock.kind.key == "runs")
    window.resize(1280, 800)
    for height in range(150, 190, 7):
        window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
        QApplication.processEvents()
        bar = panel.table.verticalScrollBar()
        for place in (0, 2, bar.maximum()):
            bar.setValue(place)
            QApplication.processEvents()
            assert not cut_of(panel.table), (height, place)
            seen.add(panel.table.viewportMargins().bottom())
        last = panel.table.visualRect(panel.model.index(panel.model.rowCount() - 1, 0))
        assert 0 < last.bottom() < panel.table.viewport().height(), "the last run can be reached"
    assert len(seen) > 2, "what is left over was different"
    window.resize(1280, 720)
    for percent in (100, 150, 200):
        session.preferences.set_text_size(percent)
        window.actions_by_key["file.studies"].trigger()
        assert isinstance(window.sheet, StudySheet)
        names = window.sheet.list
        for row in range(names.count()):
            names.setCurrentRow(row)
            QApplication.processEvents()
            assert not cut_of(names), (percent, row)
            assert names.visualItemRect(names.item(row)).bottom() < names.viewport().height()
        window.sheet.dismiss()
    session.preferences.set_text_size(100)


def test_a_note_has_room_for_what_it_holds(window: MainWindow, qtbot: QtBot) -> None:
    """Up to half of the line; a short one leaves the room to the words beside it."""
    panel = panel_of(window)
    show_at(qtbot, window, "light", (1280, 720))
    panel.table.selectRow(1)
    note = panel.footer.note
    qtbot.waitUntil(note.isVisible)
    QApplication.processEvents()
    short, measure = note.width(), note.fontMetrics().horizontalAdvance
    text = "Too coarse for the second swing, but see q2"
    assert measure(text) > short
    qtbot.keyClicks(note, text)
    QApplication.processEvents()
    assert note.width() > measure(text)
    qtbot.keyClicks(note, 4 * " and so on")
    QApplication.processEvents()
    assert note.width() <= panel.footer.width() // 2 + 1
    assert panel.footer.words.width() > 200
    note.clear()
    QApplication.processEvents()
    assert note.width() == short


def test_a_row_without_room_for_its_buttons_has_one_that_opens_its_menu(window: MainWindow, qtbot: QtBot) -> None:
    """A projector of 1280 x 720 with a fourth run and a long setting: the eye, the pin and the bin were gone."""
    panel, session = panel_of(window), window.session
    session.comparisons.pin()
    session.edit_many({"method": "dopri5", "initial.q1": 1.5})
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: len(panel.buttons) == 4, timeout=PATIENCE)
    place = panel.model.keys.index(ACTIONS)
    seen = set()
    for theme, size in (("projector", (1280, 720)), ("projector", (1920, 1080)), ("light", (1920, 1080))):
        show_at(qtbot, window, theme, size)
        qtbot.waitUntil(lambda: panel.table.columnWidth(place) > 0, timeout=3000)
        panel._show_values()
        for row_id, buttons in panel.buttons.items():
            there = {key for key, button in buttons.items() if not button.isHidden()}
            seen.add("one" if there == {"more"} else "some")
            assert there == {"more"} or there >= {"show", "pin" if row_id == 0 else "remove"}, (theme, size)
            assert buttons["more"].width() * len(there) <= panel.table.columnWidth(place), "each is whole"
        if there == {"more"}:
            panel.buttons[0]["more"].click()
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            assert any("Pin" in action.text() for action in menu.actions())
            menu.close()
    assert seen == {"one", "some"}
    assert panel.table.horizontalHeader().length() <= panel.table.viewport().width()
