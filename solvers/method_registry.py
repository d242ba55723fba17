"""All methods that there are."""

from __future__ import annotations

from functools import cache

from assets.errors import BadInput
from solvers import methods as folder
from solvers.method import Method
from solvers.registry import find_modules


@cache
def methods() -> dict[str, Method]:
    """Every method by its key, as listed: the families by the `PLACE` in their file (50 where it has none)."""
    found: dict[str, Method] = {}
    for module in sorted(find_modules(folder), key=lambda module: getattr(module, "PLACE", 50)):
        for method in module.methods():
            if method.key in found:
                raise ValueError(f"two methods have the key {method.key!r}")
            found[method.key] = method
    return found


@cache
def _names() -> dict[str, Method]:
    names = {alias: method for method in methods().values() for alias in method.aliases}
    return names | methods()


def find_method(key: str) -> Method:
    """The method with this key or alias; raises BadInput with the nearest match otherwise."""
    names = _names()
    if key not in names:
        raise BadInput("method", key, "a method's key or alias (`armstep list methods`)", names)
    return names[key]
