"""A lesson's file as text: its header, and its blocks with their lines, before anything in them is understood."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from assets.errors import BadInput, beginning, shown
from robots.lessons.lesson import LEVELS, LessonError

MOST_CHARACTERS = 200_000
MOST_HEADER_LINES = 40
MOST_LINE = 2_000
FENCE = "+++"
WORDS = ("scene", "predict", "hint", "check", "teacher")
_HEADER = {"title": str, "minutes": float, "language": str, "level": str, "needs": list, "place": float}
_FIRST = "title", "minutes", "language", "level"
_OPENING = re.compile(r"(`{3,}|~{3,})\s*(.*?)\s*")


@dataclass(frozen=True, slots=True)
class Header:
    """What stands between the `+++` lines.

    Attributes:
        title, minutes, language, level, needs: as in `Lesson`.
        place: where the lesson stands in a list; the smallest first.
    """

    title: str
    minutes: float
    language: str
    level: str
    needs: tuple[str, ...] = ()
    place: float = 1000.0


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A stretch of a file.

    Attributes:
        word: of a fenced block, such as `predict`; `text` for ordinary Markdown, `step` for a heading.
        rest: what follows the word in its line: the heading, the kind of prediction.
        line: where it begins.
        lines: its lines, without the fences.
    """

    word: str
    rest: str
    line: int
    lines: tuple[str, ...]

    @property
    def markdown(self) -> str:
        """Its lines as one text."""
        return "\n".join(self.lines).strip()


def split(text: str) -> tuple[Header, list[TextBlock]]:
    """The header and the blocks of a file.

    Raises:
        LessonError: it is no lesson.
    """
    lines, end = _lines(text)
    return _header(lines[1 : end - 1]), _blocks(lines, end)


def read_header(text: str) -> Header:
    """The header alone.

    Raises:
        LessonError: it has none.
    """
    lines, end = _lines(text)
    return _header(lines[1 : end - 1])


def check_language(header: Header, key: str) -> None:
    """Refuse a translation whose file says another language: `order.de.md` is German.

    Raises:
        LessonError: for another language.
    """
    said = re.search(r"\.([a-z]{2,3})$", key)
    if said and said[1] != header.language.partition("-")[0]:
        raise LessonError(1, str(BadInput("language", header.language, f"{said[1]!r} in a file {key}.md")))


def _lines(text: str) -> tuple[list[str], int]:
    """The lines of a file, and how many the header takes, with its fences."""
    if len(text) > MOST_CHARACTERS:
        raise LessonError(1, str(BadInput("lesson", len(text), f"a text of at most {MOST_CHARACTERS} characters")))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_LINE:
            raise LessonError(number, str(BadInput("line", len(line), f"at most {MOST_LINE} characters long")))
        if bad := next((mark for mark in line if mark != "\t" and not mark.isprintable() and mark.isascii()), ""):
            raise LessonError(number, f"the text must be Markdown, got the character {shown(bad)}")
    if lines[0].strip() != FENCE:
        raise LessonError(1, f"a lesson must begin with a line {FENCE!r}, got {shown(beginning(lines[0]))}")
    for number, line in enumerate(lines[1 : MOST_HEADER_LINES + 2], 2):
        if line.strip() == FENCE:
            return lines, number
    raise LessonError(1, f"the header must end with a line {FENCE!r} within {MOST_HEADER_LINES} lines")


def _header(lines: Sequence[str]) -> Header:
    try:
        found = tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError as problem:
        where = re.search(r"at line (\d+)", str(problem))
        said = re.sub(r" \(at .*\)", "", str(problem))
        raise LessonError(int(where[1]) + 1 if where else 2, f"the header must be TOML: {said}") from None
    except (RecursionError, ValueError, OverflowError):
        raise LessonError(2, "the header must be short TOML: title, minutes, language, level, needs") from None

    def line_of(key: str) -> int:
        return next((k for k, line in enumerate(lines, 2) if re.match(rf"\s*[\"']?{re.escape(key)}\b", line)), 2)

    for key, value in found.items():
        if key not in _HEADER:
            raise LessonError(line_of(key), str(BadInput("header", key, choices=_HEADER)))
        _check_header(line_of(key), key, value)
    for key in _FIRST:
        if key not in found:
            raise LessonError(1, f"the header must have {key}")
    return Header(**{**found, "needs": tuple(found.get("needs", ()))})


def _check_header(line: int, key: str, value: object) -> None:
    kind, must = _HEADER[key], ""
    if kind is str and (not isinstance(value, str) or not value.strip() or len(value) > 200):
        must = "a text in quotes of at most 200 characters"
    elif kind is float and (not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= 1000):
        must = "a number above 0 and at most 1000"
    elif kind is list and not (
        isinstance(value, list) and len(value) <= 20 and all(isinstance(one, str) and len(one) <= 60 for one in value)
    ):
        must = 'a list of lessons\' keys, such as ["order"]'
    elif key == "language" and not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z]{2,8})?", str(value)):
        must = "a language's code, such as en or de"
    if must:
        raise LessonError(line, str(BadInput(key, value, must)))
    if key == "level" and value not in LEVELS:
        raise LessonError(line, str(BadInput(key, value, choices=LEVELS)))


def _blocks(lines: Sequence[str], start: int) -> list[TextBlock]:
    """The blocks after the header; `start` lines come before them."""
    blocks: list[TextBlock] = []
    plain: list[str] = []
    first, k = start + 1, start

    def end_text() -> None:
        if any(line.strip() for line in plain):
            skipped = next(i for i, line in enumerate(plain) if line.strip())
            blocks.append(TextBlock("text", "", first + skipped, tuple(plain[skipped:])))
        plain.clear()

    while k < len(lines):
        line, number = lines[k], k + 1
        if found := _OPENING.fullmatch(line):
            close = _closing(lines, k, found[1])
            word, _, rest = found[2].partition(" ")
            if _is_ours(word, number):
                end_text()
                blocks.append(TextBlock(word, rest.strip(), number, tuple(lines[k + 1 : close])))
                first = close + 2
            else:
                plain += lines[k : close + 1]
            k = close + 1
            continue
        if line.startswith("## ") or line.strip() == "##":
            end_text()
            blocks.append(TextBlock("step", line[2:].strip(), number, ()))
            first = number + 1
        else:
            plain.append(line)
        k += 1
    end_text()
    return blocks


def _closing(lines: Sequence[str], k: int, fence: str) -> int:
    """The index of the line that ends the block which begins at index `k`."""
    for other in range(k + 1, len(lines)):
        mark = lines[other].strip()
        if mark and len(mark) >= len(fence) and set(mark) == {fence[0]}:
            return other
        if (opened := _OPENING.fullmatch(lines[other])) and opened[2].split(" ")[0] in WORDS:
            break
    raise LessonError(k + 1, f"the block must end with a line {fence!r}")


def _is_ours(word: str, line: int) -> bool:
    """Whether a fenced block's word is a lesson's; other blocks are listings."""
    if word in WORDS:
        return True
    if word and (get_close_matches(word.lower(), WORDS, n=1, cutoff=0.75)):
        raise LessonError(line, str(BadInput("block", word, choices=WORDS)))
    return False


def keyed(block: TextBlock, keys: Sequence[str]) -> tuple[str, list[tuple[int, str]], dict[str, tuple[int, str]]]:
    """A block of questions: the text before its list, the items of the list, and the values of its `key: value` lines.

    Items and values come with their lines; a value goes on in indented lines.

    Raises:
        LessonError: for any other line, and for a key that is unknown or given twice.
    """
    text: list[str] = []
    items: list[tuple[int, str]] = []
    values: dict[str, tuple[int, str]] = {}
    last = ""
    for number, line in enumerate(block.lines, block.line + 1):
        named = re.match(r"([A-Za-z]+):(?:\s+(.*))?$", line)
        begun = bool(items or values)
        if named and named[1] in keys:
            last = named[1]
            if last in values:
                raise LessonError(number, f"{last} must be given once")
            values[last] = number, (named[2] or "").strip()
        elif begun and line[:1] in " \t" and line.strip() and (last or items):
            place = values[last] if last else items[-1]
            joined = place[0], f"{place[1]} {line.strip()}"
            if last:
                values[last] = joined
            else:
                items[-1] = joined
        elif line.startswith("- ") and not values:
            items.append((number, line[2:].strip()))
        elif named and get_close_matches(named[1].lower(), keys, n=1, cutoff=0.7):
            raise LessonError(number, str(BadInput("key", named[1], choices=keys)))
        elif begun and line.strip():
            raise LessonError(number, str(BadInput("line", line.strip()[:80], "- NAME: TEXT, or " + _colons(keys))))
        elif not begun:
            text.append(line)
    return "\n".join(text).strip(), items, values


def _colons(keys: Sequence[str]) -> str:
    return ", ".join(f"{key}: ..." for key in keys)
