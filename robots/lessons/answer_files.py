"""Answers as a web page that a person reads, with the data inside, and as a table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from assets.errors import BadInput
from assets.reading import read_bounded
from assets.writing import csv_text
from robots.lessons.answers import Answers, GivenAnswer, answers_of
from robots.lessons.lesson import Guess, Kind
from robots.lessons.phrases import phrase

WANTED = "the web page (.html) that a lesson's last step saves"
"""What is collected: a table of answers holds too little."""

MOST_BYTES = 8 * 1024 * 1024
COLUMNS = (
    "student", "lesson", "title", "scenarios", "step", "step_title", "kind", "question", "guess", "answer", "right",
    "near", "hints", "seconds", "reason",
)  # fmt: skip
Renderer = Callable[[str], str]
Drawer = Callable[[GivenAnswer], str]
_DATA = re.compile(r'<script type="application/json" id="armstep-answers">(.*?)</script>', re.DOTALL)
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em;color:#1a1a1a}"
    "h2{margin-top:2em}.right{color:#00664a}.near{color:#8a5a00}.wrong{color:#a5281b}"
    "blockquote{margin:0;padding-left:1em;border-left:3px solid #999}svg{max-width:100%}"
    "figure{margin:0}figure svg{height:auto}small{color:#555}"
)


def plain(markdown: str) -> str:
    """Markdown as HTML that shows its source."""
    return "<br>".join(escape(line) for line in markdown.splitlines())


def to_html(answers: Answers, render: Renderer, draw: Drawer) -> str:
    """A page that needs no other file.

    Args:
        answers: the answers.
        render: turns Markdown with formulas into HTML.
        draw: the curves of a prediction and its outcome as SVG.
    """
    data = json.dumps(answers.to_data(), ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    language, title = answers.language, escape(answers.title)
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{escape(language)}"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>',
        f"<h1>{title}</h1><p>{escape(answers.student)}</p>",
        *(_section(one, language, render, draw) for one in answers.given),
        f"<p><small>Armstep, {escape(answers.lesson)}, {answers.scenarios[:12]}</small></p>",
        f'<script type="application/json" id="armstep-answers">{data}</script></body></html>',
    ]
    return "\n".join(parts) + "\n"


def from_html(text: str) -> Answers:
    """The answers inside a page.

    Raises:
        BadInput: it holds none.
    """
    found = _DATA.search(text)
    if not found:
        raise BadInput("file", text[:40], WANTED)
    try:
        return answers_of(json.loads(found[1]))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput("file", "damaged JSON", WANTED) from None


def read_answers(path: Path) -> Answers:
    """The answers in a file.

    Raises:
        BadInput: it cannot be read, or holds none; the message names the file.
    """
    content = read_bounded(path, "file", MOST_BYTES)
    try:
        return from_html(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInput("file", str(path), WANTED) from None
    except BadInput as problem:
        inside = "" if problem.what == "file" else f" ({problem})"
        raise BadInput("file", str(path), f"{WANTED}{inside}") from None


def to_csv(pages: Iterable[Answers]) -> str:
    """A row for each answer of each page."""
    rows: list[Iterable[object]] = [COLUMNS]
    for page in pages:
        about = page.student, page.lesson, page.title, page.scenarios[:12]
        for one in page.given:
            row = (
                *about, one.step, one.title, str(one.kind), one.question, in_a_cell(one.guess), in_a_cell(one.answer),
                int(one.right), int(one.near), one.hints, f"{one.seconds:.0f}", one.reason,
            )  # fmt: skip
            rows.append([_harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return csv_text(rows)


def in_a_cell(guess: Guess) -> str:
    """A guess as a text."""
    if isinstance(guess, str):
        return guess
    if isinstance(guess, int | float):
        return f"{guess:.6g}"
    texts = [one if isinstance(one, str) else f"{one[0]:.4g} {one[1]:.4g}" for one in guess]
    return ("; " if texts and " " in texts[0] else " ").join(texts)


def _harmless(cell: str) -> str:
    """A text that no spreadsheet takes for a formula; numbers stay."""
    number = re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell)
    return f"'{cell}" if cell[:1] in tuple("=+-@\t\r") and not number else cell


def _section(one: GivenAnswer, language: str, render: Renderer, draw: Drawer) -> str:
    """One prediction with its outcome."""
    mark = "right" if one.right else "near" if one.near else "wrong"
    lines = [
        f"<h2>{one.step}. {escape(one.title)}</h2><div>{render(one.question)}</div>",
        f"<figure>{draw(one)}</figure>" if one.kind is Kind.CURVE else "",
        f'<p class="{mark}">{render(one.said)}</p><p>{render(one.outcome)}</p>',
        f"<blockquote>{plain(one.reason)}</blockquote>" if one.reason else "",
        f"<p><small>{escape(phrase(language, 'effort', hints=one.hints, seconds=round(one.seconds)))}</small></p>",
    ]
    return "\n".join(filter(None, lines))
