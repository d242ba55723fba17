"""What makes the window start fast and safe: called before the rest of it is imported, and when it is built."""

from __future__ import annotations

import builtins
import gc

from PySide6.QtCore import QCoreApplication

from gui.qt.errors import keep_whole
from gui.qt.garbage import collector


def begin() -> None:
    """Make imports read no sources, keep errors whole, and collect no garbage until `end`.

    PySide6 (6.11) wraps `__import__` to offer `from __feature__ import`, which Armstep does not use, and reads the
    source of every imported module. Nearly everything that a start makes stays, so collecting finds nothing.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
    keep_whole()
    gc.disable()


def end() -> None:
    """Collect garbage from now on, in this thread alone, but ignore the objects that the start made."""
    gc.freeze()
    application = QCoreApplication.instance()
    assert application is not None
    collector(application).begin()
