"""How all additions are found: each file of a folder is one; there is no central list to edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Generic, TypeVar

import assets
from assets.errors import ArmstepError, BadInput
from assets.plugins import Plugin, plugins

T = TypeVar("T")
R = TypeVar("R")

LONGEST_LIST = 400
"""Characters of a list of keys in a message; longer ones are replaced by the command that prints them."""

failures: dict[Plugin, str] = {}
"""The plugins that could not be used so far, and why; everything else works without them."""


class Registry(Generic[T]):
    """The additions of one kind by key; each file is read when it is first needed.

    A key is the file's name without its suffix, with `_` written as `-`. A value that has a `key` must have this one.

    Args:
        kind: the name of one of them in messages ("robot").
        sources: the file of each key, as messages name it.
        load: reads the addition of a key.
        order: sorts the values; those that compare equal stay in the order of their keys.
        group: the entry points of other packages that add to it, such as `armstep.plots`.
        adopt: makes an addition of the key and the value of such an entry point; raises if it cannot.
    """

    def __init__(
        self,
        kind: str,
        sources: Callable[[], Mapping[str, str]],
        load: Callable[[str], T],
        order: Callable[[T], object] | None = None,
        group: str = "",
        adopt: Callable[[str, object], T] | None = None,
    ) -> None:
        self.kind = kind
        self._find_sources, self._load, self._order = sources, load, order
        self._group, self._adopt = group, adopt
        self._plugins: dict[str, Plugin] = {}
        self._sources: Mapping[str, str] | None = None
        self._loaded: dict[str, T] = {}
        self._all: dict[str, T] | None = None

    @classmethod
    def of_modules(
        cls,
        kind: str,
        *packages: str,
        attribute: str,
        inner: str = "",
        order: Callable[[T], object] | None = None,
        group: str = "",
        adopt: Callable[[str, object], T] | None = None,
    ) -> Registry[T]:
        """The values called `attribute` in the modules of some packages; names that begin with `_` are left out.

        Args:
            kind: the name of one of them in messages.
            packages: dotted names of the folders.
            attribute: the name that each module defines.
            inner: the module that defines it, where each addition is a package of its own.
            order, group, adopt: see `Registry`.
        """
        modules: dict[str, str] = {}

        def sources() -> dict[str, str]:
            modules.update(_modules(packages, inner))
            return {key: name.replace(".", "/") + ".py" for key, name in modules.items()}

        def load(key: str) -> T:
            module = import_module(modules[key])
            if not hasattr(module, attribute):
                raise AttributeError(f"it defines no {attribute}")
            return getattr(module, attribute)

        return cls(kind, sources, load, order, group, adopt)

    @classmethod
    def of_files(
        cls,
        kind: str,
        folder: str,
        suffix: str,
        read: Callable[[str, str], T],
        order: Callable[[T], object] | None = None,
        group: str = "",
        adopt: Callable[[str, object], T] | None = None,
    ) -> Registry[T]:
        """The data files in a folder of `assets` that end in `suffix`; `read` takes a key and a file's text."""

        def sources() -> dict[str, str]:
            return {stem: f"assets/{folder}/{stem}{suffix}" for stem in assets.stems(folder, suffix)}

        def load(key: str) -> T:
            return read(key, assets.read_text(f"{folder}/{key}{suffix}"))

        return cls(kind, sources, load, order, group, adopt)

    @classmethod
    def joined(
        cls, first: Registry[T], second: Registry[T], group: str = "", adopt: Callable[[str, object], T] | None = None
    ) -> Registry[T]:
        """The additions of two registries of one kind, and of a group of entry points."""

        def sources() -> dict[str, str]:
            ours, theirs = first._find_sources(), second._find_sources()
            for key in ours.keys() & theirs.keys():
                raise ArmstepError(f"{ours[key]} and {theirs[key]} have the same key, {key!r}")
            return {**ours, **theirs}

        return cls(
            first.kind, sources, lambda key: (first if key in first else second)._load(key), group=group, adopt=adopt
        )

    def keys(self) -> list[str]:
        """Every key in alphabetical order; reads no addition."""
        if self._sources is None:
            self._sources = {**self._find_sources(), **self._find_plugins()}
        return sorted(self._sources)

    def _find_plugins(self) -> dict[str, str]:
        own = self._find_sources()
        for plugin in plugins():
            if plugin.group != self._group:
                continue
            if plugin.key in own:
                self._fail(plugin, f"{own[plugin.key]} has the same key")
            else:
                self._plugins[plugin.key] = plugin
        return {key: plugin.source for key, plugin in self._plugins.items()}

    def _fail(self, plugin: Plugin, why: str) -> str:
        failures[plugin] = f"The {self.kind} {plugin.key!r} in {plugin.source} cannot be used: {why}"
        return failures[plugin]

    def __contains__(self, key: object) -> bool:
        return key in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def all(self) -> dict[str, T]:
        """Every addition by its key, in order; without the plugins that cannot be used.

        Raises:
            ArmstepError: a file cannot be read, or says another key than its name; the message names the file.
        """
        if self._all is None:
            found: list[tuple[str, T]] = []
            for key in self.keys():
                try:
                    found.append((key, self.find(key)))
                except ArmstepError:
                    if key not in self._plugins:
                        raise
            order = self._order
            self._all = dict(found if order is None else sorted(found, key=lambda pair: order(pair[1])))  # type: ignore[arg-type]
        return self._all

    def find(self, key: str) -> T:
        """The addition with this key; reads no other file.

        Raises:
            BadInput: there is none; with the nearest match.
            ArmstepError: its file cannot be read, or says another key than its name; the message names the file.
        """
        if isinstance(key, str) and key in self._loaded:
            return self._loaded[key]
        keys = self.keys()
        if key not in keys:
            raise unknown(self.kind, key, keys)
        assert self._sources is not None
        source, plugin = self._sources[key], self._plugins.get(key)
        try:
            value = self._load(key) if plugin is None or self._adopt is None else self._adopt(key, plugin.load())
            said = getattr(value, "key", key)
            if said != key and plugin is not None:
                raise ArmstepError(f"it has the key {said!r}, which must be {key!r} like its entry point")
        except Exception as problem:
            if plugin is not None:
                raise ArmstepError(self._fail(plugin, described(problem))) from problem
            raise ArmstepError(f"the {self.kind} in {source} cannot be used: {described(problem)}") from problem
        if said != key:
            raise ArmstepError(f"the {self.kind} in {source} has the key {said!r}, which must be {key!r} like its file")
        return self._loaded.setdefault(key, value)

    def plugin(self, key: str) -> Plugin | None:
        """The plugin that adds this key; None if it is Armstep's own, or unknown."""
        self.keys()
        return self._plugins.get(key)

    def guarded(self, key: str, call: Callable[[], R], otherwise: Callable[[str], R]) -> R:
        """What `call` returns; if the addition is a plugin and fails, `otherwise` gets the message, which is kept."""
        plugin = self.plugin(key)
        if plugin is None:
            return call()
        try:
            return call()
        except Exception as problem:
            return otherwise(self._fail(plugin, described(problem)))


def expect(value: object, kind: type[R]) -> R:
    """`value`; raises BadInput if it is not of this type."""
    if not isinstance(value, kind):
        raise BadInput("what it names", value, f"a {kind.__name__}")
    return value


def described(problem: Exception) -> str:
    """An exception in a message."""
    return str(problem) if isinstance(problem, ArmstepError) else f"{type(problem).__name__}: {problem}"


def unknown(kind: str, key: object, keys: Iterable[str]) -> BadInput:
    """The refusal of a key that no addition has."""
    keys, must = list(keys), ""
    if len(", ".join(keys)) > LONGEST_LIST:
        plural = kind[:-1] + "ies" if kind.endswith("y") else kind + "s"
        must = f"one of the {len(keys)} that `armstep list {plural}` shows"
    return BadInput(kind, key, must, keys)


def _modules(packages: Iterable[str], inner: str) -> dict[str, str]:
    """The dotted name of the module of each key."""
    found: dict[str, str] = {}
    for package in packages:
        spec = find_spec(package)
        for info in iter_modules(spec.submodule_search_locations if spec else None):
            key = info.name.replace("_", "-")
            if info.name.startswith("_"):
                continue
            if key in found:
                raise ArmstepError(f"{found[key]} and {package}.{info.name} have the same key, {key!r}")
            found[key] = f"{package}.{info.name}" + (f".{inner}" if inner else "")
    return found
