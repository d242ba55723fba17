"""JSON values: checked as they are read, and with finite numbers as they are written."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput, Range
from assets.fields import Data


def json_object(where: str, data: object, names: Collection[str] = ()) -> Data:
    """A JSON object; `where` is its name in messages, `names` are those that it may have, any if there are none.

    Raises:
        BadInput: it is no object, or has another name.
    """
    if not isinstance(data, dict):
        raise BadInput(where, data, "a JSON object")
    for name in data if names else ():
        if name not in names:
            raise BadInput("field", f"{where}.{name}", choices=[f"{where}.{known}" for known in names])
    return data


def numbers_of(where: str, values: object, count: int, must: Range | None = None) -> tuple[float, ...]:
    """A list of `count` numbers in a range, finite ones if None; `where` is its name in messages.

    Raises:
        BadInput: it is no such list.
    """
    if not isinstance(values, list | tuple) or len(values) != count:
        raise BadInput(where, values, f"{count} numbers")
    return tuple(number_of(where, value, must or Range()) for value in values)


def number_of(where: str, value: object, must: Range) -> float:
    """A number in a range, as `numbers_of`."""
    number = must.number(value)
    if number is None:
        raise BadInput(where, value, must)
    return number


def finite_json(value: object) -> Any:
    """`value` as plain JSON data in which every number that is not finite is None."""
    if isinstance(value, Mapping):
        return {str(key): finite_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [finite_json(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value


def array_of(values: Iterable[float | None]) -> NDArray[np.float64]:
    """The numbers that `finite_json` wrote, (n,); nan where one was not finite."""
    return np.array([math.nan if value is None else float(value) for value in values])
