"""A method of ours that has the name of one of Qt's is called by Qt, with Qt's arguments."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QObject
from shibokensupport.signature import get_signature  # pyright: ignore[reportMissingImports]

import gui.qt
from gui.qt.plots.plot import PlotWidget

QT = ("PySide6", "Shiboken", "shiboken6")


def classes() -> Iterator[type]:
    for found in pkgutil.walk_packages(gui.qt.__path__, "gui.qt."):
        module = importlib.import_module(found.name)
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                yield value


def overrides() -> Iterator[tuple[str, Callable[..., object], object]]:
    for one in classes():
        qt = [base for base in one.__mro__ if base.__module__.startswith(QT)]
        for name, ours in vars(one).items():
            theirs = next((vars(base)[name] for base in qt if name in vars(base)), None)
            if inspect.isfunction(ours) and theirs is not None and not name.startswith("__"):
                yield f"{one.__module__}.{one.__name__}.{name}", ours, theirs


def test_what_qt_calls_takes_what_qt_gives() -> None:
    wrong, seen = [], 0
    for where, ours, theirs in overrides():
        offered = signatures(theirs)
        seen += bool(offered)
        accepted = inspect.signature(ours)
        if offered and not any(fits(accepted, one) for one in offered):
            wrong.append(f"{where}{accepted}: Qt has {offered}")
    assert seen > 50
    assert not wrong, "\n".join(wrong)


def test_what_a_subclass_must_have_is_missed_loudly() -> None:
    """Qt's classes are made although abstract methods are missing, and these would return None."""
    silent = [
        f"{one.__module__}.{one.__name__}.{name}"
        for one in classes()
        if issubclass(one, QObject)
        for name, ours in vars(one).items()
        if getattr(ours, "__isabstractmethod__", False)
    ]
    assert not silent

    class Forgetful(PlotWidget):
        pass

    plot = Forgetful.__new__(Forgetful)
    for missing in (plot.draw, plot.show_whole, plot.zoomed, lambda: plot.move_cursor(0.0)):
        with pytest.raises(NotImplementedError):
            missing()


def signatures(method: object) -> list[inspect.Signature]:
    """How Qt calls it; empty where PySide does not know."""
    known = get_signature(method)
    return known if isinstance(known, list) else [known] if known is not None else []


def fits(ours: inspect.Signature, theirs: inspect.Signature) -> bool:
    """Whether ours can be called with all of the arguments of theirs."""
    names = [name for name in theirs.parameters if name != "self"]
    try:
        ours.bind(None, *names)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize(("name", "agrees"), [("match", False), ("rowCount", True)])
def test_the_comparison_sees_a_difference(name: str, agrees: bool) -> None:
    def ours(self, parent=None) -> bool: ...

    theirs = signatures(getattr(QAbstractItemModel, name))
    assert any(fits(inspect.signature(ours), one) for one in theirs) is agrees
