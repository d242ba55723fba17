"""A lesson's answers as a page with formulas and charts."""

from __future__ import annotations

from gui.app.lessons.chart import answer_chart
from gui.charts.figure_style import find_figure_style
from gui.qt.drawing.charts_page import PagePanel, page_of_chart
from gui.qt.export.formats.svg import as_svg
from gui.qt.lessons.formula import as_html
from robots.lessons.answer_files import to_html
from robots.lessons.answers import Answers, GivenAnswer

STYLE = "web"


def answers_page(answers: Answers) -> str:
    """The page's text."""
    return to_html(answers, as_html, lambda given: drawing_of(given, answers.language))


def drawing_of(given: GivenAnswer, language: str) -> str:
    """A drawn prediction and its outcome as an SVG element."""
    page = page_of_chart(PagePanel(answer_chart(given, language)), find_figure_style(STYLE))
    drawing = as_svg(page, {}).decode("utf-8")
    return drawing[drawing.index("<svg") :]
