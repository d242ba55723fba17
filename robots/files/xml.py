"""XML of strangers as a tree of elements with line numbers: no document types, no entities, nothing endless."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from assets.errors import BadInput

MOST_BYTES, MOST_ELEMENTS, MOST_DEPTH, LONGEST_TEXT = 16 * 1024 * 1024, 200_000, 64, 4_000


@dataclass(slots=True)
class Element:
    """An XML element.

    Attributes:
        tag, attributes: as in the file.
        file, line: where it begins; the file as messages call it.
        children: the elements in it.
    """

    tag: str
    attributes: dict[str, str]
    file: str
    line: int
    children: list[Element] = field(default_factory=list)

    @property
    def where(self) -> str:
        """Its file and line, as refusals begin."""
        return f"{self.file}, line {self.line}"

    def refusal(self, found: str, must: str, known: Iterable[str] = ()) -> BadInput:
        """The refusal of what is found here, which names the line and what of the `known` names is near."""
        return BadInput(f"{self.where},", found, must, known)

    def all(self, tag: str) -> Iterator[Element]:
        """Its children with this tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """Its first child with this tag."""
        return next(self.all(tag), None)


def parse(content: bytes, where: str) -> Element:
    """The root element of XML text.

    Args:
        content: the file.
        where: what messages call it.

    Raises:
        BadInput: it is no XML, is too large, or has a document type or entities; naming the line.
    """
    if len(content) > MOST_BYTES:
        raise BadInput(where, f"{len(content)} bytes", f"at most {MOST_BYTES // 2**20} MiB long")
    parser = expat.ParserCreate()
    reader = _Reader(parser, where)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.doctype
    parser.buffer_text = True
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        message = expat.errors.messages.get(problem.code, "an error")
        raise BadInput(f"{where}, line {problem.lineno}", message, "XML") from None
    except BadInput:
        raise  # of the handlers above
    except (ValueError, LookupError) as problem:
        raise BadInput(where, str(problem), "XML in UTF-8") from None
    assert reader.root is not None
    return reader.root


class _Reader:
    """Builds the elements while the parser reads."""

    def __init__(self, parser: expat.XMLParserType, where: str) -> None:
        self._parser, self._where = parser, where
        self._open: list[Element] = []
        self._count = 0
        self.root: Element | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise BadInput(f"{self._where}, line {line}", f"more than {MOST_ELEMENTS} elements", "shorter")
        if len(self._open) >= MOST_DEPTH:
            raise BadInput(f"{self._where}, line {line}", tag, f"nested at most {MOST_DEPTH} deep")
        for name, value in attributes.items():
            if len(value) > LONGEST_TEXT:
                raise BadInput(f"{self._where}, line {line}", f"{len(value)} characters of {name}", "shorter")
        element = Element(tag, attributes, self._where, line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, tag: str) -> None:
        self._open.pop()

    def doctype(self, *declared: object) -> None:
        line = self._parser.CurrentLineNumber
        raise BadInput(f"{self._where}, line {line}", f"<!{declared[0]}", "XML without a document type or entities")
