"""All methods: each file in `solvers/methods` is a family of them, its `FAMILY`; plugins add families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial

from assets.errors import ArmstepError, BadInput, Examples
from assets.registry import Registry, expect
from solvers.method import Family, Method

_FAMILIES: Registry[Family] = Registry.of_modules(
    "method family",
    "solvers.methods",
    attribute="FAMILY",
    order=lambda family: family.place,
    group="armstep.methods",
    adopt=lambda _, value: expect(value, Family),
)


@cache
def methods() -> dict[str, Method]:
    """Every method by its key, as listed."""
    found: dict[str, Method] = {}
    for name in _FAMILIES.all():
        new = _FAMILIES.guarded(name, partial(_new, _of_family(name), [*found]), lambda _: ())
        found |= {method.key: method for method in new}
    return found


@cache
def _of_family(name: str) -> Sequence[Method]:
    """The methods of one family; none of a plugin's that cannot be used."""
    family = _FAMILIES.find(name)
    return _FAMILIES.guarded(name, lambda: [expect(method, Method) for method in family.methods()], lambda _: ())


def _new(made: Sequence[Method], known: Iterable[str]) -> Sequence[Method]:
    """The methods `made`; raises ArmstepError if another one has the key of one of them."""
    taken = set(known)
    for method in made:
        if method.key in taken:
            raise ArmstepError(f"there are two methods with the key {method.key!r}")
        taken.add(method.key)
    return made


@cache
def _names() -> dict[str, Method]:
    names = {alias: method for method in methods().values() for alias in method.aliases}
    return names | methods()


@cache
def _early(key: str) -> Method | None:
    """The method with this key or alias in one of Armstep's own families, of which no more are read than needed."""
    own = [name for name in _FAMILIES if _FAMILIES.plugin(name) is None]
    for name in sorted(own, key=lambda name: name != "explicit-runge-kutta"):
        for method in _of_family(name):
            if key == method.key or key in method.aliases:
                return method
    return None


FAMILIAR = ("rk4", "dopri5", "dop853", "radau5", "bdf6", "rosenbrock-nystrom", "am4")


def examples(keys: Iterable[str]) -> Examples:
    """A few of the methods `keys`, familiar ones first, for what a refused value must be."""
    known = set(keys)
    few = [key for key in FAMILIAR if key in known] + sorted(known - set(FAMILIAR))
    return Examples(tuple(few[:4]), "armstep list methods")


def is_method(key: str) -> bool:
    """Whether a method has this key or alias."""
    return _early(key) is not None or key in _names()


def find_method(key: str) -> Method:
    """The method with this key or alias; raises BadInput with the nearest match otherwise."""
    if (own := _early(key)) is not None:
        return own
    names = _names()
    if key not in names:
        raise BadInput("method", key, "the key or an alias of a method (`armstep list methods` shows all)", names)
    return names[key]
