"""What makes the window's start quick: to be called before the rest of the window is imported, and when it is built."""

from __future__ import annotations

import builtins
import gc

import PySide6.QtCore  # noqa: F401


def begin() -> None:
    """Have imports read no sources, and collect no garbage until `end`.

    PySide6 (6.11) wraps `__import__` to offer `from __feature__ import`, which Armstep does without, and reads the
    source of every module that is imported. Nearly everything that a start makes stays, so collecting finds nothing.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
    gc.disable()


def end() -> None:
    """Collect garbage again, but look no more at what the start has made."""
    gc.freeze()
    gc.enable()
