"""Prepares MJCF for MuJoCo: reads every file that it names, inside the folder, and hands it over as bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from assets.errors import ArmstepError, shown
from robots.files.folder import NotFound, Place
from robots.files.meshes.store import MOST_BYTES, MOST_BYTES_IN_ALL, MOST_MESHES
from robots.files.report import Notes
from robots.files.xml import Element, parse

MOST_INCLUDES, LARGEST_FILE = 100, 16 * 2**20
_LEFT_OUT = (
    "texture",
    "hfield",
    "skin",
    "extension",
    "plugin",
    "model",
    "visual",
    "flexcomp",
    "composite",
    "replicate",
)
_FOLDERS = ("meshdir", "texturedir", "assetdir")


@dataclass(slots=True)
class Prepared:
    """The file as MuJoCo gets it.

    Attributes:
        place: where it is.
        notes: what is left out.
        assets: meshes by the names that the text has.
        text: the XML, each element on a line of its own.
        written: the element on each line.
        named: the named elements.
        whole: the root element with what it includes.
        lost: whether a mesh was not found, but another folder may have it.
    """

    place: Place
    notes: Notes
    assets: dict[str, bytes] = field(default_factory=dict)
    text: str = ""
    written: list[Element] = field(default_factory=list)
    named: dict[tuple[str, str], Element] = field(default_factory=dict)
    whole: Element | None = None
    lost: bool = False
    _includes: int = 0
    _folder: str = ""
    _gone: set[str] = field(default_factory=set)

    def take(self, root: Element) -> None:
        """Prepare a root element."""
        if root.tag != "mujoco":
            raise root.refusal(f"<{root.tag}>", "<mujoco>, the root of an MJCF file")
        whole = replace(root, children=self._included(root, 0))
        self.whole = whole
        for compiler in whole.all("compiler"):
            self._folder = compiler.attributes.get("meshdir", compiler.attributes.get("assetdir", self._folder))
        parts: list[str] = []
        self._write(self._kept(whole), parts)
        self.text = "".join(parts)

    def in_files(self, said: str) -> str:
        """What MuJoCo says of lines of the text, with those of the files in their places."""

        def line(found: re.Match[str]) -> str:
            number = int(found[1])
            return self.notes.place(self.written[number - 1]) if 0 < number <= len(self.written) else found[0]

        return re.sub(r"line (\d+)", line, said)

    def _included(self, element: Element, level: int) -> list[Element]:
        found: list[Element] = []
        for child in element.children:
            if child.tag != "include":
                found.append(replace(child, children=self._included(child, level)))
                continue
            self._includes += 1
            name = child.attributes.get("file", "")
            if self._includes > MOST_INCLUDES or level > 16:
                raise child.refusal(shown(name), f"at most {MOST_INCLUDES} includes")
            try:
                path, content = self.place.read(name, LARGEST_FILE)
            except ArmstepError as problem:
                must = f"an include that can be read ({problem})"
                raise child.refusal(shown(name), must) from None
            found += self._included(parse(content, path), level + 1)
        return found

    def _kept(self, element: Element) -> Element:
        """The element without what names other files; meshes under names of their own."""
        children = []
        for child in element.children:
            if child.tag in _LEFT_OUT:
                if child.tag != "visual":
                    self.notes.add("ignored", child, f"<{child.tag}> {child.attributes.get('name', '')}".rstrip())
            elif child.tag == "mesh" and "file" in child.attributes:
                children += self._mesh(child)
            elif child.tag == "geom" and child.attributes.get("mesh") in self._gone:
                continue
            elif "file" in child.attributes:
                self.notes.add("ignored", child, f"<{child.tag}> from a file")
            else:
                children.append(self._kept(child))
        lost = ("texture", "hfield", *(_FOLDERS if element.tag == "compiler" else ()))
        kept = {name: value for name, value in element.attributes.items() if name not in lost}
        if name := kept.get("name"):
            self.named.setdefault((element.tag, name), element)
        return replace(element, attributes=kept, children=children)

    def _mesh(self, element: Element) -> list[Element]:
        file = element.attributes["file"]
        stem, _, suffix = file.replace("\\", "/").rpartition("/")[2].rpartition(".")
        name = element.attributes.get("name", stem)
        try:
            if suffix.lower() not in ("stl", "obj", "msh"):
                raise ArmstepError("a mesh must end in .stl, .obj, .msh")
            inside = f"{self._folder}/{file}" if self._folder else file
            content = self.place.read(inside, MOST_BYTES)[1]
            total = len(content) + sum(map(len, self.assets.values()))
            if total > MOST_BYTES_IN_ALL or len(self.assets) >= MOST_MESHES:
                raise ArmstepError(f"all meshes together must have at most {MOST_BYTES_IN_ALL // 2**20} MiB")
        except ArmstepError as problem:
            self.lost = self.lost or isinstance(problem, NotFound)
            self.notes.add("missing", element, f"mesh {shown(file)} is not drawn: {problem}")
            self._gone.add(name)
            return []
        own = f"mesh{len(self.assets)}.{suffix.lower()}"
        self.assets[own] = content
        return [replace(element, attributes={**element.attributes, "name": name, "file": own})]

    def _write(self, element: Element, parts: list[str]) -> None:
        from xml.sax.saxutils import quoteattr  # and, through it, all of urllib

        self.written.append(element)
        attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items())
        parts.append(f"<{element.tag}{attributes}>")
        for child in element.children:
            parts.append("\n")
            self._write(child, parts)
        parts.append(f"</{element.tag}>")
