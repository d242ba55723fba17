"""Widgets that nobody holds any more go in the window's thread, whichever thread makes objects meanwhile."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from assets.memory import give_back
from gui.app.computing import compute
from gui.app.jobs import Jobs
from gui.qt.dialogs.gallery import Gallery, PresetCard
from gui.qt.garbage import Collector, collector
from gui.qt.window.bridge import Dispatcher
from gui.qt.window.main_window import MainWindow
from tests.window.hands import PATIENCE

HERE = threading.get_ident


class Card(QWidget):
    """A class of the program's own: PySide6 itself looks after plain widgets, and not after these."""


def forgotten(went: list[int]) -> None:
    """A widget without a parent that is in a cycle and that nobody holds; `went` gets the thread in which it goes."""
    card = Card()
    card.itself = card  # type: ignore[attr-defined]
    card.destroyed.connect(lambda *_: went.append(HERE()), Qt.ConnectionType.DirectConnection)


def busy() -> list[list[int]]:
    """So many objects that Python would collect garbage by itself."""
    return [[k] for k in range(20 * gc.get_threshold()[0])]


@pytest.fixture
def jobs(application: QApplication) -> Iterator[Jobs]:
    made = Jobs(Dispatcher(application))
    yield made
    made.close()


def test_a_forgotten_widget_goes_in_the_windows_thread_while_another_one_computes(jobs: Jobs, qtbot: QtBot) -> None:
    went: list[int] = []
    forgotten(went)
    done: list[object] = []
    jobs.submit(lambda *_: len(busy()), key="computing", on_done=done.append)
    qtbot.waitUntil(lambda: bool(done))
    kept = busy()
    qtbot.waitUntil(lambda: bool(went))
    assert went == [HERE()]
    del kept


def test_what_python_would_collect_is_collected_by_generations(application: QApplication) -> None:
    assert not gc.isenabled()
    gc.collect()
    went: list[int] = []
    forgotten(went)
    made: Collector = collector(application)
    made.collect_due()
    assert not went, "nothing is due after so few objects"
    kept = busy()
    made.collect_due()
    assert went == [HERE()]
    forgotten(went)
    gc.collect(0)
    gc.collect(1)  # it is an old object now, as all of these are
    for _ in range(2 * gc.get_threshold()[1] * (gc.get_threshold()[2] + 1)):
        kept += busy()
        made.collect_due()
    assert len(went) == 2, "the old ones have become far more"


def test_cards_that_a_search_has_put_aside_go_in_the_windows_thread(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[int] = []
    monkeypatch.setattr(compute, "LARGE", 0)  # whatever runs here, its memory is given back soon
    monkeypatch.setattr(compute, "LET_GO_DELAY", 0.0)
    freed: list[int] = []
    monkeypatch.setattr(compute, "give_back", lambda: (freed.append(HERE()), give_back()))
    for text in ("euler", "weld"):
        window.actions_by_key["file.new"].trigger()
        gallery = window.sheet
        assert isinstance(gallery, Gallery)
        for card in gallery.findChildren(PresetCard):
            card.destroyed.connect(lambda *_: went.append(HERE()), Qt.ConnectionType.DirectConnection)
        qtbot.keyClicks(gallery.search, text)
        freed.clear()
        qtbot.keyClick(gallery.search, Qt.Key.Key_Return)
        del gallery, card
        qtbot.waitUntil(lambda: bool(freed), timeout=PATIENCE)
    qtbot.waitUntil(lambda: len(went) > 30, timeout=PATIENCE)
    assert set(went) == {HERE()}
    assert HERE() not in freed, "giving memory back may take long"
