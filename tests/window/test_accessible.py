"""What assistive technology gets: roles, names and descriptions of every control, results, plots in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from gui.qt.access.spoken import speak
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.theme_file import load
from gui.qt.window.main_window import MainWindow
from tests.window.hands import wait_done
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


def lacking(root: QWidget) -> list[str]:
    """The controls that lack something."""
    found = []
    for one in tree(QAccessible.queryAccessibleInterface(root)):
        widget = one.object()
        if not (one.role() in CONTROLS or one.state().focusable) or one.role() == R.MenuItem:
            continue
        lacks = [] if name_of(one) else ["name"]
        lacks += [] if one.text(T.Description) or one.text(T.Help) else ["description"]
        lacks += ["role"] if one.role() in (R.NoRole, R.Client) else []
        lacks += ["value"] if one.role() in WITH_VALUES and not one.text(T.Value) else []
        if lacks:
            found.append(f"{type(widget).__name__} {one.role().name} {one.text(T.Name)!r}: {', '.join(lacks)}")
    return found


def test_every_control_of_every_panel_has_role_name_and_description(window: MainWindow, qtbot: QtBot) -> None:
    for preset in ("rr-swing", "e1", "pa10-weld"):
        window.session.files.new(preset)
        wait_done(qtbot, window)
        window.session.playback.pause()
        assert not lacking(window), preset
    runs = next(one for one in tree(QAccessible.queryAccessibleInterface(window)) if one.role() == R.Table)
    cells = [one for place in range(runs.childCount()) if (one := runs.child(place)) is not None]
    assert {R.Cell, R.ColumnHeader, R.RowHeader} <= {one.role() for one in cells}
    assert all(one.text(T.Name) for one in cells if one.role() != R.Pane)


SHEETS = (
    "file.new", "file.studies", "run.map", "run.own_method", "run.work_precision", "help.palette", "help.keys",
    "help.cite", "help.about", "edit.settings", "export.animation", "export.picture", "export.plots",
)  # fmt: skip


def test_every_control_of_every_dialog_has_role_name_and_description(window: MainWindow, qtbot: QtBot) -> None:
    found = {}
    for key in SHEETS:
        window.actions_by_key[key].trigger()
        sheet = next(one for one in window.findChildren(Sheet) if one.isVisible())
        interface = QAccessible.queryAccessibleInterface(sheet)
        assert interface.role() == R.Dialog
        found[key] = lacking(sheet)
        sheet.dismiss()
    for ask in (window.files.ask_open, window.files.ask_save):
        ask()
        dialog = next(one for one in window.findChildren(QFileDialog) if one.isVisible())
        found[dialog.windowTitle()] = lacking(dialog)
        dialog.reject()
    assert not {key: those for key, those in found.items() if those}
    for action in window.actions_by_key.commands.values():
        assert action.text
        assert action.tip


@pytest.fixture
def heard(window: MainWindow) -> list[tuple[str, bool]]:
    """What is announced from now on."""
    said: list[tuple[str, bool]] = []
    window.announcer.announced.connect(lambda text, urgent: said.append((text, urgent)))
    return said


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
    assert heard[1:] == [(window.session.messages.problems["robot.m1"], True)]


def test_plots_say_in_words_what_they_show(window: MainWindow, qtbot: QtBot) -> None:
    charts = [one for one in tree(QAccessible.queryAccessibleInterface(window)) if one.role() == R.Chart]
    words = {one.text(T.Name): one.text(T.Description) for one in charts}
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
