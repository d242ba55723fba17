"""What assistive technology gets: roles, names and descriptions of every control, results, plots in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import SIGNAL, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor
from PySide6.QtWidgets import QAbstractButton, QLabel, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gui.charts.summary import summary
from gui.qt.access.spoken import speak
from gui.qt.dialogs.map import MapSheet
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme_file import load
from gui.qt.widgets.method_picker import MethodPicker
from gui.qt.widgets.quick_choices import QuickChoices
from gui.qt.window.main_window import MainWindow
from robots.model.chart import Axis, Chart, Curve
from tests.window.dialogs import dialogs, kinds_of_sheets, stray_windows
from tests.window.hands import PATIENCE, wait_done
from tests.window.rules import contrast

R, T = QAccessible.Role, QAccessible.Text
CONTROLS = {
    R.Button, R.PushButton, R.CheckBox, R.RadioButton, R.ComboBox, R.EditableText, R.Slider, R.SpinBox, R.List, R.Tree,
    R.Table, R.PageTab, R.ButtonMenu, R.ButtonDropDown,
}  # fmt: skip
WITH_VALUES = {R.ComboBox, R.Slider, R.SpinBox}
LEAST_RING = 3.0
"""Source: Web Content Accessibility Guidelines 2.2 (2023), success criteria 1.4.11 and 2.4.13."""


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    return shared_window


def tree(root: QAccessibleInterface | None) -> Iterator[QAccessibleInterface]:
    """All that is shown, but not the cells of tables."""
    if root is None or not root.isValid() or root.state().invisible:
        return
    yield root
    if root.role() not in (R.Table, R.Tree, R.List):
        for place in range(root.childCount()):
            yield from tree(root.child(place))


def name_of(one: QAccessibleInterface) -> str:
    """Its name, or that of its label: on Linux Qt says the entry of a choice in place of its name."""
    if one.role() != R.ComboBox:
        return one.text(T.Name)
    labels = [other.text(T.Name) for other, _ in one.relations(QAccessible.RelationFlag.Label)]
    return " ".join(labels)


def says(one: QAccessibleInterface, text: str) -> bool:
    """Whether what a person reads on a widget is in what is said of it."""

    def letters(words: str) -> str:
        return re.sub(r"<[^>]*>|[\W_]", "", words).casefold()

    return letters(text) in letters(" ".join(map(one.text, (T.Name, T.Description, T.Value))))


def lacking(root: QWidget) -> list[str]:
    """The controls that lack something."""
    found = []
    for one in tree(QAccessible.queryAccessibleInterface(root)):
        widget = one.object()
        # The name of a button may say more than the few letters on it; one with a menu shows what was chosen.
        shows = isinstance(widget, QLabel) or (isinstance(widget, QToolButton) and widget.menu() is not None)
        if shows and not says(one, widget.text()):
            found.append(f"{type(widget).__name__} {one.text(T.Name)!r}: {widget.text()!r}")
        if not (one.role() in CONTROLS or one.state().focusable) or one.role() == R.MenuItem:
            continue
        lacks = [] if name_of(one) else ["name"]
        # Qt describes no row of tabs; its name is that of the chosen tab.
        described = one.text(T.Description) or one.text(T.Help) or one.role() == R.PageTabList
        lacks += [] if described else ["description"]
        lacks += ["role"] if one.role() in (R.NoRole, R.Client) else []
        one_of_some = isinstance(widget, QAbstractButton) and widget.group() is not None and widget.group().exclusive()
        lacks += ["radio button"] if one_of_some and one.role() != R.RadioButton else []
        if isinstance(widget, QAbstractButton) and widget.isCheckable() and widget.receivers(SIGNAL("clicked(bool)")):
            lacks.append("a tick without a click")
        lacks += ["value"] if one.role() in WITH_VALUES and not one.text(T.Value) else []
        if isinstance(widget, QSlider) and one.text(T.Description) in ("", widget.toolTip()):
            lacks.append("what its position means")
        if lacks:
            found.append(f"{type(widget).__name__} {one.role().name} {one.text(T.Name)!r}: {', '.join(lacks)}")
    return found


def test_every_control_of_every_panel_has_role_name_and_description(window: MainWindow, qtbot: QtBot) -> None:
    for preset in ("rr-swing", "e1", "pa10-weld"):
        window.session.files.new(preset)
        wait_done(qtbot, window)
        window.session.playback.pause()
        assert not lacking(window), preset
    window.session.lessons.open("order")
    qtbot.waitUntil(lambda: window.session.lessons.course.lesson is not None, timeout=PATIENCE)
    assert not lacking(window)
    window.session.lessons.close()
    picker = window.findChild(MethodPicker)
    picker.open()
    assert not lacking(picker.list)
    picker.list.hide()
    runs = next(one for one in tree(QAccessible.queryAccessibleInterface(window)) if one.role() == R.Table)
    cells = [one for place in range(runs.childCount()) if (one := runs.child(place)) is not None]
    assert {R.Cell, R.ColumnHeader, R.RowHeader} <= {one.role() for one in cells}
    assert all(one.text(T.Name) for one in cells if one.role() != R.Pane)


def test_every_control_of_every_dialog_has_role_name_and_description(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    found, kinds = {}, set()
    with stray_windows() as strays:
        for name, dialog in dialogs(window, tmp_path):
            if isinstance(dialog, Sheet):
                assert QAccessible.queryAccessibleInterface(dialog).role() == R.Dialog
                kinds.add(type(dialog).__name__)
            if lacks := lacking(dialog):
                found[name] = lacks
    assert not found
    assert not strays, "no part of a dialog is a window of its own, not even for a moment"
    assert kinds == kinds_of_sheets(), "none is left out"
    for action in window.actions_by_key.commands.values():
        assert action.text
        assert action.tip


def test_results_are_announced_once_and_refusals_at_once(
    window: MainWindow, heard: list[tuple[str, bool]], qtbot: QtBot
) -> None:
    window.session.edit_many({"method": "dopri5", "rtol": 1e-4, "atol": 1e-6, "duration": 4.0})
    wait_done(qtbot, window)
    qtbot.waitUntil(lambda: bool(heard), timeout=20_000)
    [(text, urgent)] = heard
    rejected = window.session.runs.current.run.counts.rejected
    assert text.startswith("Finished. Largest error ")
    assert text.endswith(f"\u00a0rad, {rejected} steps rejected.")
    assert not urgent
    window.session.edit("robot.m1", -1.0)
    assert heard[1:] == [(window.session.messages.problems["robot.m1"], True)], "once, though its field says it too"


def test_what_ends_or_is_refused_elsewhere_is_announced(
    window: MainWindow, heard: list[tuple[str, bool]], qtbot: QtBot, tmp_path: Path
) -> None:
    window.session.files.save(tmp_path / "mine.armstep")
    assert heard == [(f"Saved {tmp_path / 'mine.armstep'}.", False)]
    heard.clear()
    window.banner.say("Exported the plots", trouble=False)
    window.banner.say("The disk is full")
    assert heard == [("Exported the plots", False), ("The disk is full", True)]
    window.actions_by_key["run.map"].trigger()
    sheet = window.sheet
    assert isinstance(sheet, MapSheet)
    heard.clear()
    sheet.across.low.setText("no number")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    assert heard == [(sheet.trouble.text(), True)]
    heard.clear()
    for fields in (sheet.across, sheet.up):
        fields.suggest(fields.field.currentData())
        fields.count.setText("3")
    qtbot.mouseClick(sheet.measure, Qt.MouseButton.LeftButton)
    sheet.dismiss()
    qtbot.waitUntil(lambda: ("Map: finished.", False) in heard, timeout=PATIENCE)


def test_ticks_by_a_screen_reader_count(window: MainWindow, qtbot: QtBot) -> None:
    """It ticks a button without a click."""

    def tick(name: str) -> None:
        shown = tree(QAccessible.queryAccessibleInterface(window))
        one = next(one for one in shown if one.text(T.Name) == name and one.actionInterface() is not None)
        one.actionInterface().doAction("Toggle")

    session = window.session
    session.edit("method", "dopri5")
    wait_done(qtbot, window)
    tick("Step selection: Step control")
    assert session.scenario.step is None
    tick("compiled for this arm")
    assert session.scenario.get("options.specialised") is True
    tick("compiled for this arm")
    assert session.scenario.get("options.specialised") is False
    tick("Loop")
    assert session.playback.loop
    session.playback.set_loop(False)
    session.files.new("pa10-circle")
    wait_done(qtbot, window)
    choices = window.findChild(QuickChoices)
    step, button = next((step, button) for step, button in choices.steps.items() if not button.isChecked())
    tick(button.accessibleName())
    assert session.scenario.step == step


def test_a_slider_says_the_quantity(window: MainWindow) -> None:
    """Qt has only the number of its step."""
    slider = next(one for one in window.findChildren(QSlider) if one.accessibleName() == "mass 1, slider")
    for mass, words in (2.0, "2\N{NO-BREAK SPACE}kg\n"), (0.5, "0.5\N{NO-BREAK SPACE}kg\n"):
        window.session.edit("robot.m1", mass)
        assert QAccessible.queryAccessibleInterface(slider).text(T.Description).startswith(words)
    slider.setValue(slider.value() + 1)
    mass = window.session.scenario.parameters["m1"]
    assert slider.accessibleDescription().startswith(f"{mass:g}\N{NO-BREAK SPACE}kg\n")


def test_a_curve_in_a_plane_says_both_of_its_numbers() -> None:
    t = np.array([0.0, 1.0])
    plane = Curve(np.array([-1.0, -2.0]), np.array([0.5, 3.0]), "modes", t=t)
    chart = Chart(curves=(plane,), x=Axis("Re"), y=Axis("Im"))
    assert summary(chart, 1.0) == "Im, over Re. modes: from 0.5 over -1 to 3 over -2, 3 over -2 at the playhead."


def test_plots_say_in_words_what_they_show(window: MainWindow, qtbot: QtBot) -> None:
    charts = [one for one in tree(QAccessible.queryAccessibleInterface(window)) if one.role() == R.Chart]
    words = {one.text(T.Name): one.text(T.Description).replace("\N{NO-BREAK SPACE}", " ") for one in charts}
    run = window.session.runs.current.run
    assert run is not None
    assert words["Step size"].startswith("step [s], logarithmic, over time [s]. Runge-Kutta 4")
    assert "from 0.01 s to 0.01 s" in words["Step size"]
    largest = run.max_error["energy_J"]
    assert f"largest {largest:.3g} J".replace("e-0", "e-") in words["Energy error"]
    assert "at the playhead" in words["Joint angles and rates"]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_focus_ring_stands_out(theme: str) -> None:
    colours = load(theme).colours
    for ground in ("window", "surface", "raised"):
        assert contrast(QColor(colours["accent"]), QColor(colours[ground])) >= LEAST_RING, ground
    # On a button of the accent's colour the ring's inner line is what is seen.
    assert contrast(QColor(colours["surface"]), QColor(colours["accent"])) >= LEAST_RING


def test_a_role_given_late_replaces_the_one_that_a_screen_reader_has_seen(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    assert QAccessible.queryAccessibleInterface(widget).role() == R.Client
    speak(widget, R.Chart, "late", lambda: "its words")
    interface = QAccessible.queryAccessibleInterface(widget)
    assert (interface.role(), interface.text(T.Name), interface.text(T.Description)) == (R.Chart, "late", "its words")
