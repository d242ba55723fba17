"""Numbers of things in words."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: `1 joint`, `3 joints`; `many` is the plural if it is not `one` with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
