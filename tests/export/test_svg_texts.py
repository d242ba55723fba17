"""Texts of an SVG drawing take the room that they have on the page, whatever fonts there are where it is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from gui.app.view import ViewSettings
from gui.qt.export.figure import page_of
from gui.qt.export.formats.svg import as_svg, as_wide_in_any_font
from gui.qt.export.settings import ExportSettings

WORDS = "Error against fi 11"
SIZE, WEIGHT = 'font-size="13"', 'font-weight="400"'


def text(*attributes: str) -> bytes:
    return f'<text x="1" {" ".join(attributes)} >{WORDS}</text>'.encode()


def length_of(drawing: bytes) -> float:
    return float(re.findall('textLength="([^"]*)"', drawing.decode())[0])


def test_text_takes_its_room_in_any_font_and_names_several(rows) -> None:
    asked = ExportSettings(Path("x.svg"), plots="error,energy", font="serif 9", show="letters")
    made = page_of(rows, ViewSettings(), asked)
    texts = re.findall(r"<text ([^>]*)>([^<]*)</text>", as_svg(made, {}).decode())
    assert len(texts) > 8
    for attributes, words in texts:
        assert re.search('font-family="[^"]*, ?serif"', attributes), "the last resort is any font of the kind"
        assert ("textLength" in attributes) == bool(words.strip())
    (letter,) = (attributes for attributes, words in texts if words.strip() == "(a)")
    own = QFontMetricsF(made.style.font(12.0)).horizontalAdvance("(a)")
    assert length_of(letter.encode()) == pytest.approx(own, rel=1e-3)


@pytest.mark.parametrize("style", ["normal", "italic"])
def test_the_length_is_that_of_the_first_font_there_is(qapp, style: str) -> None:
    font = QFont(["No Such Font", "DejaVu Serif", "serif"])
    font.setPixelSize(13)
    font.setItalic(style == "italic")
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    own = QFontMetricsF(font).horizontalAdvance(WORDS)
    for families in ("No Such Font,DejaVu Serif,serif", "No Such Font, 'DejaVu Serif' , serif"):
        drawing = as_wide_in_any_font(text(f'font-family="{families}"', SIZE, WEIGHT, f'font-style="{style}"'))
        assert length_of(drawing) == pytest.approx(own, rel=1e-5)


@pytest.mark.parametrize(
    "attributes",
    [
        (),
        ('font-family="serif"', SIZE),
        ('font-family="serif"', WEIGHT),
        (SIZE, WEIGHT),
        ('font-family=""', SIZE, WEIGHT),
        ('font-family="serif"', 'font-size="1em"', WEIGHT),
        ('font-family="serif"', SIZE, 'font-weight="bold"'),
    ],
    ids=" ".join,
)
def test_a_text_whose_font_is_not_known_is_left_alone(qapp, attributes: tuple[str, ...]) -> None:
    assert as_wide_in_any_font(text(*attributes)) == text(*attributes)
    assert as_wide_in_any_font(b"<text x='1' ></text>") == b"<text x='1' ></text>"
