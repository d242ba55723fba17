"""Where the news of a saved file stands: beside the arm, and clear of what the view says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMargins, QPoint, QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.qt.style.theme import look
from gui.qt.viewport.grip import way_of
from gui.qt.window.main_window import MainWindow


@pytest.fixture
def window(shared_window: MainWindow) -> Iterator[MainWindow]:
    yield shared_window
    shared_window.banner.hide()
    assert shared_window.viewport is not None
    shared_window.viewport.select(None)
    shared_window.session.view.set(theme="light", panels=True)


def say(window: MainWindow, file: Path, text: str = "Saved arm.csv") -> QRect:
    file.touch()
    window.banner.say(text, trouble=False, file=file)
    QApplication.processEvents()
    return window.banner.geometry()


def said_in_the_view(window: MainWindow) -> list[QRect]:
    view = window.viewport
    assert view is not None
    cards = [card for card in (view.legend, view.readout, view.card) if card.isVisible()]
    return [QRect(card.mapTo(window.centre, QPoint()), card.size()) for card in cards]


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("panels", [True, False])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_news_of_a_file_leaves_the_arm_and_what_is_said_of_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, theme: str, panels: bool, size: tuple[int, int]
) -> None:
    """It was as wide as the view allowed, in front of the arm, for half a minute."""
    window.session.view.set(theme=theme, panels=panels)
    window.resize(*size)
    qtbot.waitUntil(lambda: look().theme.name == theme)
    QApplication.processEvents()
    view = window.viewport
    assert view is not None
    place = say(window, tmp_path / "arm.csv")
    assert window.centre.rect().contains(place)
    assert not any(place.intersects(card) for card in said_in_the_view(window))
    covered = [place.contains(int(x), int(y)) for x, y in way_of(view, (0, 1))]
    assert len(covered) > 100
    assert not any(covered)
    assert window.banner.label.height() >= window.banner.label.heightForWidth(window.banner.label.width()), (
        "all is read"
    )


def test_news_goes_out_of_the_way_of_the_numbers_of_a_link(window: MainWindow, tmp_path: Path) -> None:
    view = window.viewport
    assert view is not None
    place = say(window, tmp_path / "arm.csv")
    for high in (True, False):
        view.select(1)
        view.card.high = high
        view.card.place(view.readout, view.legend)
        QApplication.processEvents()
        place = window.banner.geometry()
        assert not any(place.intersects(card) for card in said_in_the_view(window))
    view.select(None)


def test_news_is_as_wide_as_its_text_and_long_news_takes_lines(window: MainWindow, tmp_path: Path) -> None:
    short = say(window, tmp_path / "arm.csv")
    long = say(window, tmp_path / "arm.csv", "Exported arm.csv; its units and scenario are in arm.csv.json, " * 3)
    assert short.width() < long.width() <= window.centre.width()
    assert window.banner.label.height() >= window.banner.label.heightForWidth(window.banner.label.width())
    bare = QRect(short)
    window.banner.say("Saved arm.csv", trouble=False)
    assert window.banner.height() < bare.height(), "without a button there is no line for it"
    assert not any(window.banner.geometry().intersects(card) for card in said_in_the_view(window))


def test_without_a_run_to_see_news_stands_beside_the_legend(window: MainWindow, tmp_path: Path) -> None:
    view = window.viewport
    assert view is not None
    window.session.runs.update(0, visible=False)
    assert not len(way_of(view))
    place = say(window, tmp_path / "arm.csv")
    window.session.runs.update(0, visible=True)
    assert place.y() < 0.5 * window.centre.height()
    assert window.centre.rect().contains(place + QMargins(1, 1, 1, 1))


def test_news_is_said_where_the_arm_cannot_be_drawn(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError

    with monkeypatch.context() as patch:
        patch.setattr("gui.qt.window.messages.way_of", broken)
        place = say(window, tmp_path / "arm.csv")
    assert window.banner.isVisible()
    assert place.y() < 0.5 * window.centre.height()
