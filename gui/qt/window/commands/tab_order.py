"""Tab goes through a window as the eye does: from left to right and from top to bottom, one region after the other.

Where Enter or Esc has given the keys back to the window, Tab goes on from the value that they left. Where a new step of
a lesson has left the keys where they are, Tab comes to its answer first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary, ref

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QLineEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

TOUCH, AIR = 4, 50
"""Neighbours may overlap by this much, and so much around what has the focus is scrolled into sight with it [px]."""

Place = tuple[int, int, int, int]
"""Left, top, right and bottom of a widget in its parent [px]."""

_left: WeakKeyDictionary[QWidget, ref[QWidget]] = WeakKeyDictionary()
"""What gave its keys back, for each widget that got them."""


@runtime_checkable
class Home(Protocol):
    """A window or a sheet: its keys are those that no widget in it has."""

    def take_keys(self) -> None:
        """Have the focus."""
        ...


@runtime_checkable
class Led(Protocol):
    """A region in which Tab comes first to something else than what stands first."""

    def first_stop(self) -> QWidget | None:
        """That; None where it has nothing of the kind now."""
        ...


def home_of(widget: QWidget) -> QWidget | None:
    """The window or sheet that `widget` lies in."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, Home):
        above = above.parentWidget()
    return above


def cover_of(widget: QWidget) -> QWidget | None:
    """The sheet that covers the window that `widget` is, or is in; None if there is none, or it is in that sheet."""
    sheets = [child for child in widget.window().children() if isinstance(child, QWidget) and isinstance(child, Home)]
    over = [sheet for sheet in sheets if sheet.isVisible() and not (sheet is widget or sheet.isAncestorOf(widget))]
    return over[-1] if over else None


def leave(widget: QWidget) -> None:
    """Remember that `widget` has given the keys back: Tab goes on from there while what has them now keeps them.

    Into a region with a first stop Tab goes, and to that.
    """
    home = home_of(widget)
    keeper = QApplication.focusWidget() if home is None else home.window().focusWidget()
    if keeper is not None:
        _left[keeper] = ref(widget)


def give_back(widget: QWidget, leaving: QWidget | None = None) -> bool:
    """The window or sheet around `widget` gets the keys, the one beyond `leaving` if that is given; true."""
    home = home_of(widget if leaving is None else leaving)
    if isinstance(home, Home):
        home.take_keys()
        leave(widget)
    else:
        widget.clearFocus()
    return True


def forget() -> None:
    """Tab begins where it does in a new window."""
    _left.clear()


def go(home: QWidget, forward: bool) -> bool:
    """Move the focus within `home` to what the eye sees next, and scroll there; whether there is anything.

    Qt asks for the next one, too, when what has the focus is disabled: that leaves the keys to the window.
    """
    focus = home.window().focusWidget()
    if focus is not None and not focus.isEnabled():
        return give_back(focus)
    present = _present(home)
    led = _first_in(present) if isinstance(present, Led) else None
    present = led or present
    stops = [widget for widget in in_order(home, present) if widget is present or _stops_at(widget)]
    others = [widget for widget in stops if widget is not present]
    if not others:
        return False
    if present in stops:
        there = stops[(stops.index(present) + ((0 if led else 1) if forward else -1)) % len(stops)]
    else:
        there = others[0 if forward else -1]
    arrive(there, Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    return True


def enter(region: QWidget) -> None:
    """Move the focus to what comes first in `region`."""
    first = _first_in(region)
    if first is not None:
        arrive(first)


def _first_in(region: QWidget) -> QWidget | None:
    led = region.first_stop() if isinstance(region, Led) else None
    if led is not None and _stops_at(led):
        return led
    return next((widget for widget in in_order(region) if _stops_at(widget)), None)


def arrive(there: QWidget, reason: Qt.FocusReason = Qt.FocusReason.TabFocusReason) -> None:
    """Give the focus to a widget, and scroll to it also where the window is not active yet."""
    there.setFocus(reason)
    if isinstance(there, QLineEdit):
        there.selectAll()  # Qt does not where the window is not active yet
    into_sight(there)


def into_sight(widget: QWidget) -> None:
    """Scroll whatever `widget` lies in until all of it is seen: of what is larger than its area, where it begins.

    Of a list or a table the keys are for its current row.
    """
    if isinstance(widget, QAbstractItemView) and widget.currentIndex().isValid():
        widget.scrollTo(widget.currentIndex())
    inner, outer = widget, widget.parentWidget()
    while outer is not None and not inner.isWindow():
        view = outer.parentWidget()
        if isinstance(view, QAbstractItemView) and view.viewport() is outer:
            view.scrollTo(view.indexAt(inner.geometry().center()))
        elif isinstance(view, QScrollArea) and view.widget() is inner:
            _scroll(view, QRect(widget.mapTo(inner, QPoint()), widget.size()))
        inner, outer = outer, view


def _scroll(area: QScrollArea, place: QRect) -> None:
    """Move the content of `area` only as far as a place in it needs, and then leave some air around it.

    QScrollArea.ensureWidgetVisible would be content with the line of a text that has the cursor.
    """
    seen = area.viewport().size()
    for bar, room, first, long in (
        (area.horizontalScrollBar(), seen.width(), place.left(), place.width()),
        (area.verticalScrollBar(), seen.height(), place.top(), place.height()),
    ):
        air = min(AIR, max(room - long, 0) // 2)
        if bar.value() > first or long > room:
            bar.setValue(first - air)
        elif bar.value() + room < first + long:
            bar.setValue(first + long + air - room)


def in_order(root: QWidget, present: QWidget | None = None) -> Iterator[QWidget]:
    """What is visible in `root` and takes the focus, `present`, and what these are in, in reading order."""
    return _ordered(root, _with_focus(root, present))


def _ordered(root: QWidget, wanted: set[QWidget]) -> Iterator[QWidget]:
    for child in _sorted([child for child in root.children() if isinstance(child, QWidget) and child in wanted]):
        yield child
        yield from _ordered(child, wanted)


def _with_focus(root: QWidget, present: QWidget | None) -> set[QWidget]:
    """Everything in `root` that Tab may come to or begins at, and what it is in.

    A page may have a thousand texts, and comparing the places of all of them would take minutes.
    """
    found = {root}
    for widget in root.findChildren(QWidget):
        useful = widget is present or _takes_tab(widget)
        above: QWidget | None = widget if useful else None
        while above is not None and above not in found:
            found.add(above)
            above = above.parentWidget()
    return found


def _present(home: QWidget) -> QWidget | None:
    """Where Tab begins: at the widget with the focus, or at what gave the keys to it."""
    focus = home.window().focusWidget()
    known = _left.pop(focus, None) if focus is not None else None
    widget = known() if known is not None else None
    there = widget is not None and isValid(widget) and widget.isVisible() and home.isAncestorOf(widget)
    return widget if there else focus


def _stops_at(widget: QWidget) -> bool:
    """Whether Tab comes to it; an area that scrolls needs the keys only where nothing in it has them."""
    if isinstance(widget, QScrollArea) and any(_stops_at(child) for child in in_order(widget)):
        return False
    return _takes_tab(widget) and widget.isEnabled() and widget.focusProxy() is None


def _takes_tab(widget: QWidget) -> bool:
    """Whether it is made for Tab. Of buttons of which one is down Tab comes to that one, and the arrows to the others.

    Qt notes that in their focus policies when a person presses one, but not when a choice is made elsewhere.
    """
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    down = group.checkedButton() if group is not None and group.exclusive() else None
    if down is not None and down.isEnabled():
        return widget is down
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _sorted(siblings: list[QWidget]) -> Iterator[QWidget]:
    """Siblings that are visible: first what nothing stands above or to the left of, the upper one first."""
    places = {widget: _place(widget) for widget in siblings if _in_sight(widget)}
    after = {one: [other for other in places if _before(places[one], places[other])] for one in places}
    waits = Counter(other for others in after.values() for other in others)
    left = sorted(places, key=lambda widget: (widget.y(), widget.x()))
    while left:
        first = next((widget for widget in left if not waits[widget]), left[0])
        left.remove(first)
        waits.subtract(after[first])
        yield first


def _in_sight(widget: QWidget) -> bool:
    """Whether the eye can come to it: Qt lays a panel behind the tab of another one, or its tabs, beside the window."""
    above, laid = widget.parentWidget(), isinstance(widget, QDockWidget | QTabBar)
    inside = above is None or not laid or above.rect().intersects(widget.geometry())
    return inside and widget.isVisible() and not widget.isWindow()


def _place(widget: QWidget) -> Place:
    place = widget.geometry()
    return place.left(), place.top(), place.right(), place.bottom()


def _before(a: Place, b: Place) -> bool:
    """Whether `a` stands right above `b`, or beside it to the left."""
    (a_left, a_top, a_right, a_bottom), (b_left, b_top, b_right, b_bottom) = a, b
    beside = a_left < b_left and a_right <= b_left + TOUCH and _overlap(a_top, a_bottom, b_top, b_bottom)
    return beside or (a_top < b_top and a_bottom <= b_top + TOUCH and _overlap(a_left, a_right, b_left, b_right))


def _overlap(low: int, high: int, other_low: int, other_high: int) -> bool:
    return min(high, other_high) - max(low, other_low) > TOUCH
