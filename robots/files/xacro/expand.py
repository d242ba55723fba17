"""Xacro expanded to URDF: properties, macros, conditions, includes and arguments, inside the folder that was opened.

Source: the format as `wiki.ros.org/xacro` describes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from assets.errors import ArmstepError, BadInput, shown
from robots.files.folder import NotFound, Place
from robots.files.xacro.expressions import evaluate
from robots.files.xacro.scope import Scope, truth
from robots.files.xacro.yaml import read_yaml
from robots.files.xml import LONGEST_TEXT, MOST_BYTES, MOST_ELEMENTS, Element, parse

MOST_INCLUDES, MOST_CALLS, MOST_EVALUATIONS = 200, 40, 500_000
PREFIX = "xacro:"
_PARTS = re.compile(r"\$\$|\$\{((?:[^{}']|'[^']*'|\{[^{}]*\})*)\}|\$\(([^()]*(?:\$\{[^}]*\}[^()]*)*)\)")
_PARAMETER = re.compile(r"(\*{0,2}[A-Za-z_][\w-]*)(?::?=(\^\|?)?('[^']*'|\"[^\"]*\"|\$\{[^}]*\}|[^\s]*))?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro: parameters (name, inherited, default or None), blocks, and content."""

    parameters: tuple[tuple[str, bool, str | None], ...]
    blocks: tuple[str, ...]
    body: Element
    place: Place


def expand(content: bytes, place: Place, arguments: Mapping[str, str]) -> Element:
    """The root element of the URDF that a xacro file stands for.

    Args:
        content: the file.
        place: where it is: includes and parameters are read from there.
        arguments: values of its arguments, by name.

    Raises:
        BadInput: it is not xacro, or uses something unknown; names the line.
    """
    return _Expander(place, dict(arguments)).root(parse(content, place.file))


def arguments_of(content: bytes, where: str) -> dict[str, str | None]:
    """The arguments that a file declares, with their defaults; None for required ones."""
    root = parse(content, where)
    return {
        one.attributes["name"]: one.attributes.get("default")
        for one in root.all(f"{PREFIX}arg")
        if "name" in one.attributes
    }


@dataclass(slots=True)
class _Expander:
    place: Place
    arguments: dict[str, object]
    macros: dict[str, Macro] = field(default_factory=dict)
    element: Element | None = None
    includes: int = 0
    evaluations: int = 0
    made: int = 0

    def root(self, root: Element) -> Element:
        """The expanded root."""
        scope = Scope(self.text)
        for one in root.all(f"{PREFIX}arg"):
            self._arg(one, scope)
        return replace(root, attributes=self._attributes(root, scope), children=self._children(root, scope))

    # -- elements ------------------------------------------------------------------------------------------------------

    def _children(self, element: Element, scope: Scope) -> list[Element]:
        return [made for child in element.children for made in self._expanded(child, scope)]

    def _expanded(self, element: Element, scope: Scope) -> list[Element]:
        self.made += 1
        if self.made > MOST_ELEMENTS:
            raise element.refusal(f"more than {MOST_ELEMENTS} elements", "shorter")
        if not element.tag.startswith(PREFIX):
            attributes = self._attributes(element, scope)
            return [replace(element, attributes=attributes, children=self._children(element, scope))]
        name = element.tag.removeprefix(PREFIX)
        known: dict[str, Callable[[Element, Scope], list[Element] | None]] = {
            "property": self._property,
            "macro": self._macro,
            "arg": self._arg,
            "include": self._include,
            "if": lambda one, scope: self._condition(one, scope, True),
            "unless": lambda one, scope: self._condition(one, scope, False),
            "insert_block": self._insert,
        }
        if name == "call":
            name = str(self._value(element, "macro", scope))
            element = replace(element, attributes={k: v for k, v in element.attributes.items() if k != "macro"})
        if name in self.macros:
            return self._called(self.macros[name], name, element, scope)
        if name not in known:
            raise element.refusal(name, "a known macro", (*known, *self.macros))
        return known[name](element, scope) or []

    def _attributes(self, element: Element, scope: Scope) -> dict[str, str]:
        kept = (name for name in element.attributes if not name.startswith("xmlns"))
        return {name: _shown(self._value(element, name, scope)) for name in kept}

    def _property(self, element: Element, scope: Scope) -> None:
        name = element.attributes.get("name", "")
        if not name or name.startswith("__"):
            raise element.refusal(name or "no name", "a property with a name")
        given = self.evaluated(element, element.attributes.get("scope", ""), scope)
        target = {"parent": scope.parent or scope, "global": scope.root}.get(str(given), scope)
        if element.attributes.get("remove") == "true":
            target.remove(name)
        elif "value" in element.attributes:
            # What goes to another scope is evaluated where it stands.
            lazy = element.attributes.get("lazy_eval", "true") != "false" and target is scope
            value: object = element.attributes["value"]
            target.set(name, value if lazy else self._value(element, "value", scope), lazy)
        elif "default" in element.attributes:
            if name not in scope:
                target.set(name, self._value(element, "default", scope))
        else:
            target.blocks[name] = self._children(element, scope)

    def _macro(self, element: Element, scope: Scope) -> None:
        name = element.attributes.get("name", "").removeprefix(PREFIX)
        if not name:
            raise element.refusal("no name", "a macro with a name")
        text, parameters, blocks = element.attributes.get("params", ""), [], []
        rest = " ".join(text.split())
        while rest:
            match = _PARAMETER.match(rest)
            if match is None:
                raise element.refusal(rest[:60], f"parameters of macro {name}")
            if match[1].startswith("*"):
                blocks.append(match[1])
            else:
                has = match[2] is not None and match[2] != "^"
                default = match[3] if has or (match[2] is None and match[3] is not None) else None
                parameters.append((match[1], match[2] is not None, default))
            rest = rest[match.end() :].lstrip()
        self.macros[name] = Macro(tuple(parameters), tuple(blocks), element, self.place)

    def _called(self, macro: Macro, name: str, element: Element, scope: Scope) -> list[Element]:
        if scope.depth >= MOST_CALLS:
            raise element.refusal(f"macro {name}", f"called at most {MOST_CALLS} deep")
        inner = Scope(self.text, scope)
        known = [parameter for parameter, _, _ in macro.parameters]
        for given in element.attributes:
            if given not in known:
                raise element.refusal(given, f"a parameter of macro {name}", known)
        for parameter, inherits, default in macro.parameters:
            if parameter in element.attributes:
                inner.set(parameter, self._value(element, parameter, scope))
            elif inherits and parameter in scope:
                inner.set(parameter, self.evaluated(element, f"${{{parameter}}}", scope))
            elif default is not None:
                inner.set(parameter, self.evaluated(element, default, scope))
            else:
                raise element.refusal("nothing", f"a call of macro {name} with a value for {parameter!r}")
        blocks = self._children(element, scope) if macro.blocks else []
        for block in macro.blocks:
            if not blocks:
                raise element.refusal("nothing", f"a call of macro {name} with an element for {block!r}")
            taken = blocks.pop(0)
            inner.blocks[block.lstrip("*")] = taken.children if block.startswith("**") else [taken]
        before, self.place = self.place, macro.place
        try:
            return self._children(macro.body, inner)
        finally:
            self.place = before

    def _insert(self, element: Element, scope: Scope) -> list[Element]:
        name = str(self._value(element, "name", scope))
        found = scope.block(name)
        if not isinstance(found, list):
            raise element.refusal(name, "the name of a block")
        return found

    def _condition(self, element: Element, scope: Scope, wanted: bool) -> list[Element]:
        value = self._value(element, "value", scope)
        try:
            holds = truth(value)
        except ValueError as problem:
            raise element.refusal(str(problem), "a condition") from None
        return self._children(element, scope) if holds == wanted else []

    def _arg(self, element: Element, scope: Scope) -> None:
        name, default = element.attributes.get("name", ""), element.attributes.get("default")
        if name in self.arguments:
            return
        if default is None:
            raise element.refusal("nothing", f"given a value for argument {name!r}")
        self.arguments[name] = self.evaluated(element, default, scope)

    def _include(self, element: Element, scope: Scope) -> list[Element]:
        self.includes += 1
        if self.includes > MOST_INCLUDES:
            raise element.refusal(f"more than {MOST_INCLUDES} includes", "shorter")
        if "ns" in element.attributes:
            raise element.refusal("ns", "an include without a namespace")
        name = _shown(self._value(element, "filename", scope))
        try:
            path, content = self.place.read(name, MOST_BYTES)
        except ArmstepError as problem:
            if element.attributes.get("optional") in ("true", "True", "1"):
                return []
            raise element.refusal(
                name, f"an include that can be read ({problem}{_advice(self.place, name, problem)})"
            ) from None
        before, self.place = self.place, replace(self.place, file=path)
        try:
            return self._children(parse(content, path), scope)
        finally:
            self.place = before

    # -- texts ---------------------------------------------------------------------------------------------------------

    def _value(self, element: Element, name: str, scope: Scope) -> object:
        if name not in element.attributes:
            raise element.refusal(f"no {name}", f"<{element.tag}> with {name!r}")
        return self.evaluated(element, element.attributes[name], scope)

    def evaluated(self, element: Element, text: str, scope: Scope) -> object:
        """The value of an element's text; a refusal names the element's line."""
        before, self.element = self.element, element
        try:
            return self.text(text, scope)
        except (ValueError, RecursionError) as problem:
            if isinstance(problem, BadInput):
                raise
            said = "it is nested too deep" if isinstance(problem, RecursionError) else str(problem)
            raise element.refusal(text[:100], f"an expression that has a value ({said[:300]})") from None
        finally:
            self.element = before

    def text(self, text: str, scope: Scope) -> object:
        """The value of a text: that of its only expression, or a text with the values in their places."""
        if "$" not in text:
            return text
        self.evaluations += 1
        if self.evaluations > MOST_EVALUATIONS:
            raise ValueError("the file has too many expressions")
        found: list[object] = []
        end = 0
        for match in _PARTS.finditer(text):
            if match.start() > end:
                found.append(text[end : match.start()])
            if match[0] == "$$":
                found.append("$")
            elif match[1] is not None:
                found.append(self._expression(match[1], scope))
            else:
                found.append(self._substitution(_shown(self.text(match[2], scope)).split()))
            end = match.end()
        found += [text[end:]] if end < len(text) else []
        if len(found) == 1:
            return found[0]
        whole = "".join(map(_shown, found))
        if len(whole) > LONGEST_TEXT:
            raise ValueError(f"a text must be at most {LONGEST_TEXT} characters long")
        return whole

    def _expression(self, text: str, scope: Scope) -> object:
        inner = _shown(self.text(text, scope)) if "$" in text else text
        return evaluate(inner, scope.__getitem__, self._load)

    def _substitution(self, words: list[str]) -> object:
        match words:
            case ["find", package]:
                return f"package://{package}"
            case ["arg", name] if name in self.arguments:
                return self.arguments[name]
            case ["arg", name, *default] if default:
                return " ".join(default)
            case ["arg", name]:
                raise ValueError(f"unknown argument {name!r}")
            case ["optenv", _, *default]:
                return " ".join(default)
            case ["dirname"]:
                return self.place.file.rpartition("/")[0] or "."
        raise ValueError(f"$({' '.join(words)[:60]}) is not supported")

    def _load(self, name: str) -> object:
        try:
            return read_yaml(self.place.read(name, MOST_BYTES)[1])
        except ArmstepError as problem:
            raise ValueError(f"{shown(name)}: {problem}{_advice(self.place, name, problem)}") from None


def _advice(place: Place, name: str, problem: ArmstepError) -> str:
    """What helps where a package is not found."""
    if not isinstance(problem, NotFound) or not name.startswith("package://"):
        return ""
    package = name.removeprefix("package://").partition("/")[0]
    if place.has_package(package):
        return ""
    return f"; open the folder of {package}, or name it with --folder"


def _shown(value: object) -> str:
    return value if isinstance(value, str) else str(value)
