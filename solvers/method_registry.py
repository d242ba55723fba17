"""All methods that there are: each file in `solvers/methods` is a family of them, its `FAMILY`."""

from __future__ import annotations

from functools import cache

from assets.errors import ArmstepError, BadInput
from assets.registry import Registry
from solvers.method import Family, Method

_FAMILIES: Registry[Family] = Registry.of_modules(
    "method family", "solvers.methods", attribute="FAMILY", order=lambda family: family.place
)


@cache
def methods() -> dict[str, Method]:
    """Every method by its key, as listed."""
    found: dict[str, Method] = {}
    for name, family in _FAMILIES.all().items():
        for method in family.methods():
            if method.key in found:
                raise ArmstepError(f"the method family {name!r} has a second method with the key {method.key!r}")
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
