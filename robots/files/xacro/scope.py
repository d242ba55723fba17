"""Names of xacro and their values, evaluated when first needed; a macro also sees the names of its caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from assets.errors import beginning, shown

Evaluate = Callable[[str, "Scope"], object]
MOST_LEVELS = 48


@dataclass(slots=True)
class Scope:
    """The names of a file, or of a macro's call.

    Attributes:
        evaluate: the value of a text.
        parent: the scope of the caller; None for the file itself.
        blocks: elements by the name of a block.
        depth: how many calls lead here.
    """

    evaluate: Evaluate
    parent: Scope | None = None
    blocks: dict[str, object] = field(default_factory=dict)
    depth: int = field(init=False, default=0)
    _values: dict[str, object] = field(default_factory=dict)
    _waiting: set[str] = field(default_factory=set)
    _busy: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.depth = 0 if self.parent is None else 1 + self.parent.depth

    def __contains__(self, name: str) -> bool:
        return name in self._values or (self.parent is not None and name in self.parent)

    def __getitem__(self, name: str) -> object:
        if name not in self._values:
            if self.parent is None:
                raise KeyError(name)
            return self.parent[name]
        if name in self._waiting:
            if name in self._busy or len(self._busy) > MOST_LEVELS:
                raise ValueError(f"property {name!r} depends on itself")
            self._busy.add(name)
            try:
                self._values[name] = literal(self.evaluate(str(self._values[name]), self))
            finally:
                self._busy.discard(name)
            self._waiting.discard(name)
        return self._values[name]

    def set(self, name: str, value: object, lazy: bool = False) -> None:
        """Give a name a value; a lazy one is a text, and evaluated when it is needed."""
        self._values[name] = value if lazy else literal(value)
        (self._waiting.add if lazy else self._waiting.discard)(name)

    def remove(self, name: str) -> None:
        """Forget a name of this scope."""
        self._values.pop(name, None)
        self._waiting.discard(name)

    def block(self, name: str) -> object | None:
        """The elements of a block; None if there is none."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.blocks:
                return scope.blocks[name]
            scope = scope.parent
        return None

    @property
    def root(self) -> Scope:
        """The scope of the file."""
        return self if self.parent is None else self.parent.root


def literal(value: object) -> object:
    """The number or truth value that a text spells, otherwise the text, without quotes."""
    if not isinstance(value, str):
        return value
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1]
    if "_" in value:
        return value
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return {"true": True, "True": True, "false": False, "False": False}.get(value, value)


def truth(value: object) -> bool:
    """Whether a condition holds.

    Raises:
        ValueError: it is neither true nor false.
    """
    found = literal(value)
    if isinstance(found, str):
        raise ValueError(f"{shown(beginning(found))} is neither true nor false")
    return bool(found)
