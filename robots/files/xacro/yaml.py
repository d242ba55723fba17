"""The part of YAML that parameters of robots need: mappings, lists and scalars, and no objects."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from assets.errors import ArmstepError, beginning, shown

MOST_LINES, MOST_LEVELS, MOST_REPEATED = 20_000, 32, 100_000
Value = object

_KEY = re.compile(r"""("[^"]*"|'[^']*'|[^\s"'\[\]{}#&*!|>%@,][^:#]*?)\s*:(?:\s+(.*))?$""")
_ITEM = re.compile(r"-(?:\s+(.*))?$")
_TAGS = {"!degrees": math.pi / 180.0, "!radians": 1.0}
_WORDS: dict[str, Value] = {
    "": None, "~": None, "null": None, "true": True, "yes": True, "on": True, "false": False, "no": False, "off": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    indent: int
    text: str


def read_yaml(content: bytes) -> Value:
    """The value in YAML text: mappings, lists, numbers, truth values, texts.

    `!degrees` and `!radians` are read, as in the descriptions of Universal Robots.

    Raises:
        ArmstepError: it is outside this part of YAML; names the line.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ArmstepError("it must be YAML in UTF-8") from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        plain = _without_comment(line).rstrip()
        if plain.strip() and plain.strip() not in ("---", "..."):
            if "\t" in plain[: len(plain) - len(plain.lstrip())]:
                raise ArmstepError(f"line {number} must be indented with spaces")
            lines.append(_Line(number, len(plain) - len(plain.lstrip()), plain.strip()))
    if len(lines) > MOST_LINES:
        raise ArmstepError(f"it must have at most {MOST_LINES} lines, got {len(lines)}")
    if not lines:
        return None
    reader = _Reader(lines)
    found = reader.block(lines[0].indent, 0)
    if reader.at < len(lines):
        raise _refusal(lines[reader.at])
    return found


@dataclass(slots=True)
class _Reader:
    lines: list[_Line]
    at: int = 0
    anchors: dict[str, Value] = field(default_factory=dict)
    repeated: int = 0

    def block(self, indent: int, level: int) -> Value:
        """The mapping or list at this indentation."""
        if level > MOST_LEVELS:
            raise ArmstepError(f"line {self.lines[self.at].number} must be nested at most {MOST_LEVELS} deep")
        line = self.lines[self.at]
        if _ITEM.match(line.text):
            return self._items(indent, level)
        if _KEY.match(line.text):
            return self._mapping(indent, level)
        self.at += 1
        return _scalar(line.text, line)

    def _mapping(self, indent: int, level: int) -> dict[str, Value]:
        found: dict[str, Value] = {}
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            match = _KEY.match(line.text)
            if match is None:
                raise _refusal(line)
            self.at += 1
            found[match[1].strip("\"'")] = self._after(match[2] or "", line, level)
        return found

    def _items(self, indent: int, level: int) -> list[Value]:
        found: list[Value] = []
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            line = self.lines[self.at]
            match = _ITEM.match(line.text)
            if match is None:
                break
            inner = match[1] or ""
            if inner and _KEY.match(inner):
                # The item's first key stands where the others of the item do.
                self.lines[self.at] = _Line(line.number, indent + len(line.text) - len(inner), inner)
                found.append(self.block(self.lines[self.at].indent, level + 1))
            else:
                self.at += 1
                found.append(self._after(inner, line, level))
        return found

    def _after(self, text: str, line: _Line, level: int) -> Value:
        """What stands after a key or a dash: here, or indented below; `&a` names it, `*a` repeats it."""
        if text[:1] == "*" and text[1:] in self.anchors:
            found = self.anchors[text[1:]]
            self.repeated += _size(found)
            if self.repeated > MOST_REPEATED:
                raise ArmstepError(f"line {line.number} must repeat at most {MOST_REPEATED} values")
            return found
        if text[:1] == "&":
            name, _, rest = text[1:].partition(" ")
            self.anchors[name] = self._after(rest.strip(), line, level)
            return self.anchors[name]
        if text:
            return _scalar(text, line)
        if self.at < len(self.lines):
            below = self.lines[self.at]
            same = below.indent == line.indent and _ITEM.match(below.text) and not _ITEM.match(line.text)
            if below.indent > line.indent or same:
                return self.block(below.indent, level + 1)
        return None


def _size(value: Value) -> int:
    """How many values there are in a value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_size, inner))


def _scalar(text: str, line: _Line, level: int = 0) -> Value:
    tag, _, rest = text.partition(" ")
    if tag in _TAGS:
        number = _scalar(rest.strip(), line, level)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise _refusal(line)
        return number * _TAGS[tag]
    if text[0] in "\"'" and len(text) > 1 and text[-1] == text[0]:
        return text[1:-1]
    if text[0] == "[" and text[-1] == "]" and level < 4:
        return [_scalar(part, line, level + 1) for part in _parts(text[1:-1])]
    if text[0] == "{" and text[-1] == "}" and level < 4:
        pairs = (part.partition(":") for part in _parts(text[1:-1]))
        return {key.strip().strip("\"'"): _scalar(value.strip() or "~", line, level + 1) for key, _, value in pairs}
    if text[0] in "&*!|>%@`[]{}":
        raise _refusal(line)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text) if "_" not in text else text
        except ValueError:
            continue
    return text


def _parts(text: str) -> list[str]:
    """The parts of a list in one line, separated by commas outside brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def _without_comment(line: str) -> str:
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#" and (place == 0 or line[place - 1].isspace()):
            return line[:place]
    return line


def _refusal(line: _Line) -> ArmstepError:
    return ArmstepError(
        f"line {line.number} must be a key with a value, or an item of a list, got {shown(beginning(line.text))}"
    )
