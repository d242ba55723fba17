"""Values that are made by the thousand are what `dataclass` makes."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace

import pytest

from solvers.codegen.quick import quick


@dataclass(frozen=True, slots=True)
class Slow:
    name: str
    size: float = 2.0
    parts: tuple[int, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Fast:
    name: str
    size: float = 2.0
    parts: tuple[int, ...] = ()


def test_a_quick_value_is_made_as_any_other_and_frozen():
    made = Fast("a", parts=(1, 2))
    assert type(made) is Fast
    assert repr(made).replace("Fast", "Slow") == repr(Slow("a", parts=(1, 2)))
    assert made == Fast("a", 2.0, (1, 2)) != Fast("b")
    assert replace(made, size=3.0).size == 3.0
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert [one.name for one in fields(made)] == ["name", "size", "parts"]
    assert inspect.signature(Fast) == inspect.signature(Slow)
    with pytest.raises(FrozenInstanceError):
        made.size = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError, match="'name'"):
        Fast()  # type: ignore[call-arg]
