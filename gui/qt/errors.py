"""Errors in what Qt calls, reported whole on Python 3.11."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType

from PySide6.QtCore import QMetaMethod, QObject

QT = "PySide6."


def keep_whole() -> None:
    """Let an error in an override of one of Qt's methods be reported on Python 3.11 as on newer ones.

    Until Python code handles an error that C code raises, such as a division by zero, Python 3.11 holds no more of it
    than its type and its text. PySide6 (6.12 and older) takes the text for the error and ends the process, where Python
    called the method of Qt that called the override. Python 3.12 makes the error at once.

    Every class that is derived from QObject later hands its errors on by Python code. To be called before any is.
    """
    if sys.version_info < (3, 12):
        QObject.__init_subclass__ = classmethod(_derived)  # type: ignore[assignment]


def _derived(cls: type[QObject]) -> None:
    super(QObject, cls).__init_subclass__()
    bases = cls.__mro__[1:]
    qt = [base for base in bases if base.__module__.startswith(QT)]
    # What is mixed in before Qt's class is overridden by it as well, and is not derived from QObject.
    mixed = [base for base in bases if not issubclass(base, QObject) and base not in qt and base is not object]
    slots = _slots(qt[0])
    for owner in (cls, *mixed):
        for name, ours in list(vars(owner).items()):
            if not isinstance(ours, FunctionType) or name.startswith("__") or name in slots:
                continue
            if getattr(cls, name) is ours and any(name in vars(base) for base in qt):
                setattr(cls, name, _whole(ours))


@functools.cache
def _slots(base: type[QObject]) -> set[str]:
    """What a signal may be connected to, of a class of Qt: PySide6 counts the arguments that such a function takes."""
    known = base.staticMetaObject  # pyright: ignore[reportAttributeAccessIssue]
    methods = (known.method(k) for k in range(known.methodCount()))
    return {bytes(one.name().data()).decode() for one in methods if one.methodType() == QMetaMethod.MethodType.Slot}


def _whole(function: FunctionType) -> Callable[..., object]:
    @functools.wraps(function)
    def call(*arguments: object, **named: object) -> object:
        try:
            return function(*arguments, **named)
        except BaseException:
            raise  # handled and raised again, it is whole

    return call
