"""What stands on the screen of the living window: words, not keys, and one word for one thing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItemIterator,
    QWidget,
)
from pytestqt.qtbot import QtBot

from assets.counting import unbroken
from gui.app.run_texts import status
from gui.app.verdict import verdict
from gui.qt.dialogs.sheets import Sheet
from gui.qt.panels._runs_table import copied_table
from gui.qt.window.main_window import MainWindow
from robots.model.registry import robot_of, robots
from robots.scenario.presets import presets
from solvers.method_registry import methods
from tests.contracts.test_language import banned
from tests.window.hands import wait_done

SHEETS = ("file.new", "file.studies", "help.keys", "help.cite", "help.about", "run.own_method", "run.work_precision")
SHEETS_OF_FILES = ("export.animation", "export.picture")

RAW = {"pi", "pd", "stage", "held", "pinv", "dls", "given", "openhrp", "laas", "I1", "I2", "I3", "KM", "HI", "inf"}
"""Keys of choices that are no words."""

PATTERNS = (
    r"\d 1/s",  # "gain = 1 1/s"
    r"\de\+\d",  # "a zero at +1.44e+03"
    r"\b(True|False)\b",
    r"\d: 1 stage\b",  # "BDF 6: 1 stage"
    r"\brobot (rr|pa10|e1|e12)\b",
    r"\bthen \w+ from .* from ",  # "then rk1 from 5 s · from 5 s: method = rk1"
    r"\bmethod = ",
    r"^Show all$",
    r"\b(is|are) refused\b",
    r"\bdoes not divide the span\b",
    r"\b[Cc]onstant step\b|\b[Ff]ixed-step mode\b",
    r"\bgot nan\b",
    r"\bNone\b|\bnan\b|<[A-Za-z_.]+ object",
)
"""What a listener of a lecture once read aloud."""


def texts(root: QWidget) -> Iterator[str]:
    """Every text of a widget's surroundings: labels, buttons, choices, trees, menus, tips, names for screen readers."""
    for widget in [root, *root.findChildren(QWidget)]:
        yield from (widget.toolTip(), widget.accessibleName())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(row) for row in range(widget.count()))
        elif isinstance(widget, QTreeWidget):
            places = QTreeWidgetItemIterator(widget)
            while (item := places.value()) is not None:
                yield item.text(0)
                places += 1
    for action in root.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def torn(root: QWidget) -> set[str]:
    """Texts of several lines in which one may end between a number and its unit."""
    said = {label.text() for label in root.findChildren(QLabel) if label.wordWrap()}
    return {text for text in said if unbroken(text) != text}


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).replace("&", "").split())


def faults(found: set[str]) -> dict[str, str]:
    """The texts that should read otherwise, and why."""
    keys = RAW | set(robots()) | {key for key in methods() if not key.isalpha() or len(key) < 5}
    said = re.compile("|".join(rf"\b{re.escape(phrase)}\b" for phrase in banned()), re.IGNORECASE)
    strange = re.compile("|".join(PATTERNS))
    wrong = {}
    for text in found:
        if text in keys:
            wrong[text] = "a key"
        elif match := said.search(text) or strange.search(text):
            wrong[text] = match.group()
    return wrong


def test_every_text_of_every_robot_and_of_every_sheet(window: MainWindow, qtbot: QtBot) -> None:
    session, found, breaking = window.session, set[str](), set[str]()
    first = {robot_of(preset).key: key for key, preset in reversed(presets().items())}
    for key in (*first.values(), "rr-switch"):
        session.files.new(key)
        wait_done(qtbot, window)
        session.playback.pause()
        row = session.runs.current
        found |= {status(row), verdict(row).text, *re.split(r"[\t\n]", copied_table(session))}
        found |= set(texts(window))
        breaking |= torn(window)
    session.files.new("rr-swing")
    wait_done(qtbot, window)
    for key in (*SHEETS, *SHEETS_OF_FILES):
        window.actions_by_key[key].trigger()
        sheet = next((one for one in window.findChildren(Sheet) if one.isVisible()), None)
        assert sheet is not None, key
        found |= set(texts(sheet))
        breaking |= torn(sheet)
        sheet.dismiss()
    shown = {plain(text) for text in found}
    assert len(shown) > 500
    assert faults(shown) == {}
    assert breaking == set()


def test_notes_of_presets_have_names_of_methods_not_their_keys() -> None:
    keys = {key for key, method in methods().items() if re.search(r"[\d-]", key) and key != method.name.lower()}
    said = {key: set(re.findall(r"[A-Za-z][\w-]*", preset.notes)) & keys for key, preset in presets().items()}
    assert not {key: words for key, words in said.items() if words}


def test_one_name_for_one_command(window: MainWindow) -> None:
    """What a button and a menu do alike, they call alike."""
    names = {plain(action.text()).rstrip("…. ") for action in window.actions_by_key.menu("Run").actions()}
    assert {"Work-precision diagram", "Your own method"} <= names
    said = {plain(text).rstrip("…. ") for text in texts(window)}
    assert not {text for text in said if "work" in text.lower() and "precision" in text.lower()} - {
        "Work-precision diagram",
        "Measure error against cost for many methods and settings",
    }


def test_what_is_wrong_is_found() -> None:
    known = {"gain K = 1 1/s", "a zero at +1.44e+03 /s", "Default: False.", "rk4", "BDF 6: 1 stage"}
    known |= {"Usual arrangement", "Show all"}
    assert set(faults({*known, "Runge-Kutta 4"})) == known
