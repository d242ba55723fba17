"""The notes of a presentation: on a card below the arm, or on the presenter's own screen with what comes next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QFont, QFontMetricsF, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMainWindow,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from assets.counting import NO_BREAK, unbroken
from gui.app.lessons.sequence import LessonSequence, Pages
from gui.app.session.preferences import Preferences
from gui.qt.dialogs.palette import Entry, Palette
from gui.qt.style.theme import font, look, role
from gui.qt.viewport.overlays import ViewportWidget
from gui.qt.widgets.parts import PRESENTATION_MENU, bare
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import Scroll, sheet_column
from gui.qt.window.commands.local_keys import PRESENTATION, TAUGHT, command_of, keys_of, lines
from gui.qt.window.docks import follow_rows

LARGER = 1.5
"""Type of the notes beside that of the window."""

SMALLER = (LARGER, 1.3, 1.15, 1.0, 0.85)
"""Type of the card where the notes are long."""

WIDEST, TALLEST = 0.85, 0.5
"""Of the view's width and height, for the card."""

BELOW = 20
"""Between the card and the screen's edge [px]."""

LIST_WIDTH = 340

LAYOUTS = (("plots",), ("plots", "runs"), ())
"""What stands beside the arm, one after the other."""

SETTING = "presentation.layout"
"""The person's setting of it."""

IN_MENU = (
    "present.onward",
    "present.back",
    "present.jump",
    "present.next_layout",
    "present.blank",
    "present.toggle_notes",
    "present.swap_screens",
    "view.panels",
    "edit.undo",
    "edit.redo",
    "run.play",
    "present.leave",
)
"""The commands in the menus of a presentation: whatever has a key in it, and what a lecture needs of the window's."""

OF_WINDOW = ("view.panels", "edit.undo", "edit.redo")
"""Those that are the window's own, which knows whether they are possible."""

OTHER_TEXTS = {"run.play": "Play or pause", "present.leave": "End the presentation"}
"""What these are called there."""

Now = Callable[[], datetime]


class Elapsed:
    """The time of day, and the time since the presentation began."""

    def __init__(self, now: Now = datetime.now) -> None:
        self._now = now
        self._begun = now()

    @property
    def clock(self) -> str:
        """The time of day."""
        return f"{self._now():%H:%M}"

    @property
    def since(self) -> str:
        """Hours, minutes and seconds since the beginning."""
        return str(timedelta(seconds=int((self._now() - self._begun).total_seconds())))


class NotesCard(ViewportWidget):
    """The scenario's title, one page of its notes, which page it is, and the time.

    Args:
        parent: what it lies in.
        titled: whether it has the title, which otherwise stands beside the arm.
    """

    PAD = 22.0

    def __init__(self, parent: QWidget, *, titled: bool) -> None:
        super().__init__(parent)
        self._titled = titled
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)  # it has a menu
        self._title = self._text = self._place = ""
        self._larger, self._height = LARGER, 0

    def fit_type(self, texts: Sequence[str]) -> int:
        """Take the largest type in which each of the texts leaves the view its half; the height of the longest."""
        host = self.parentWidget()
        assert host is not None
        tallest = 0
        for self._larger in SMALLER:
            tallest = max(self.needed(text).height() for text in texts) + 2 * BELOW
            if tallest <= TALLEST * host.height():
                break
        self._height = tallest - 2 * BELOW
        return tallest

    def show_page(self, title: str, text: str, place: str, time: str) -> None:
        """Show a page; `place` says which of how many. The card stays where it is while pages of equal titles turn."""
        self._title, self._text = unbroken(title) * self._titled, unbroken(text)
        self._place = f"{place}    {time}".strip()
        self.setAccessibleName(" ".join(filter(None, (self._title, text or self._instead, place))))
        host = self.parentWidget()
        assert host is not None
        size = QSize(int(WIDEST * host.width()), max(self._height, self.needed(text).height()))
        self.fit(size, self.isVisible())
        self.move((host.width() - size.width()) // 2, host.height() - BELOW - size.height())

    def needed(self, text: str) -> QSize:
        """How large the card is with this text under the present title."""
        host = self.parentWidget()
        assert host is not None
        room = max(WIDEST * host.width() - 2 * self.PAD, 120.0)
        boxes = [
            QFontMetricsF(type_).boundingRect(QRectF(0, 0, room, 1e5), int(Qt.TextFlag.TextWordWrap), words)
            for type_, words in self._words(text)
        ]
        width = max((box.width() for box in boxes), default=0.0) + 2 * self.PAD + 4
        height = sum(box.height() for box in boxes) + (len(boxes) - 1) * 8 + 2 * self.PAD
        return QSize(int(width), int(height))

    def _words(self, text: str) -> list[tuple[QFont, str]]:
        lines = [(self._type("title", bold=True), self._title), (self._type("body"), text or self._instead)]
        lines.append((self._type("caption"), self._place))
        return [(type_, words) for type_, words in lines if words]

    @property
    def _instead(self) -> str:
        """What a card without a title says of a page without notes."""
        return "" if self._titled else "No notes on this step."

    def _type(self, size: str, *, bold: bool = False) -> QFont:
        made = font(look().theme, size, bold=bold)
        made.setPixelSize(round(self._larger * made.pixelSize()))
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        room = QRectF(self.rect()).adjusted(self.PAD, self.PAD, -self.PAD, -self.PAD)
        for type_, words in self._words(self._text):
            painter.setFont(type_)
            last = words == self._place
            painter.setPen(theme.colour("muted" if last else "text"))
            flags = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignBottom if last else 0)
            used = QFontMetricsF(type_).boundingRect(room, flags, words)
            painter.drawText(room, flags, words)
            room.setTop(used.bottom() + 8)
        painter.end()


def bare_dock(window: QMainWindow, name: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
    """A hidden dock without a title, whose lists leave the keys to the presentation."""
    dock = QDockWidget(window)
    dock.setObjectName(name)
    title = QWidget(dock)
    bare(QVBoxLayout(title))  # without a layout Qt takes it for -1 px high
    dock.setTitleBarWidget(title)
    dock.setWidget(panel)
    for view in dock.findChildren(QAbstractItemView):
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    dock.hide()
    window.addDockWidget(area, dock)
    dock.hide()
    if area == Qt.DockWidgetArea.BottomDockWidgetArea:
        follow_rows(window, dock)
    return dock


def page_list(host: QWidget, sequence: Pages, *, scenarios: bool, steps: bool) -> Palette:
    """Any page to go to, by its number or by words; the open one is marked. The same list wherever it is opened.

    Args:
        host: what it lies over.
        sequence: the pages.
        scenarios: whether the notes of scenarios are in it.
        steps: whether those on the open lesson are.
    """
    texts = [page.text * (scenarios if page.step is None else steps) for page in sequence.listed]
    entries = [
        Entry(f"{page.label}  {page.title}", text, "", lambda page=page: sequence.choose(page), page.file)
        for page, text in zip(sequence.listed, texts, strict=True)
    ]
    hint = "Go to a page" if sequence.in_step else "Go to a page; what is open is none of them"
    return Palette(host, lambda: entries, hint, row_of(sequence))


def row_of(sequence: Pages) -> int:
    """Which of those listed is shown; -1 if none."""
    here = sequence.page
    rows = (row for row, page in enumerate(sequence.listed) if page.is_of(here) and page.part == here.part)
    return next(rows, -1) if sequence.in_step else -1


class Menu:
    """What the mouse alone needs, in the menus of all that an audience sees; what has a menu of its own has it in that.

    Args:
        parent: of the actions.
        first: an action that comes before them.
        verb: what a command of the presentation does.
        preferences: the keys that a person has chosen.
        widgets: that have the menu: the first one has others, too, and opens it itself.
        black: has it, too; what is chosen brings the picture back, so that it is seen.
    """

    def __init__(
        self,
        parent: QObject,
        first: QAction,
        verb: Callable[[str], Callable[[], object]],
        preferences: Preferences,
        widgets: Sequence[QWidget],
        black: QWidget,
    ) -> None:
        own = (name for name in IN_MENU if name not in OF_WINDOW)
        self._preferences, self._actions = preferences, {name: QAction(parent) for name in own}
        window = widgets[0].window()
        self._inner = QMenu("Presentation", window)
        self._inner.setObjectName(PRESENTATION_MENU)
        self._widgets, self._heads, self._black = (*widgets, black, self._inner), [first], black
        found = window.findChildren(QAction)
        self._of_window = {one.objectName(): one for one in found if one.objectName() in OF_WINDOW}
        for name, action in self._actions.items():
            act = verb(name)
            action.triggered.connect(lambda *_, act=act: act())
        self.show_keys()

    def put_first(self, action: QAction) -> None:
        """Put another action before all others."""
        self._heads.insert(0, action)

    def begin(self) -> None:
        """Be in the menus. A presentation that this one is instead of has taken the window's own commands out first."""
        for head in self._heads:
            if isinstance(menu := head.menu(), QMenu):
                menu.triggered.connect(self._black.hide)
        actions = {name: self._actions.get(name) or self._of_window[name] for name in IN_MENU}
        for name, action in actions.items():
            if name != "present.blank":
                action.triggered.connect(self._black.hide)
        for widget in self._widgets:
            widget.addActions([*self._heads, *actions.values()])
        for widget in self._widgets[1:-1]:
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def follow_screens(self, two: bool) -> None:
        """With two screens the notes are on the presenter's own, and the screens can change places."""
        self._actions["present.toggle_notes"].setEnabled(not two)
        self._actions["present.swap_screens"].setEnabled(two)

    def end(self) -> None:
        """Be in no menu any more, of this presentation or of one that follows; the window keeps its own commands."""
        self._inner.setObjectName("")  # nobody finds it before it is gone
        self._inner.deleteLater()
        for widget in self._widgets:
            for action in (*self._heads, *self._actions.values(), *self._of_window.values()):
                widget.removeAction(action)

    def show_keys(self) -> None:
        """Show the keys that a person has chosen."""
        for name, action in self._actions.items():
            text = OTHER_TEXTS.get(name) or command_of(name).text
            keys = keys_of(name, self._preferences, *(("Esc",) if name == "present.leave" else ()))
            action.setText(f"{text}\t{keys}" if keys else text)


class PresenterScreen(QWidget):
    """What only the presenter sees: the notes, the next page, the time, and every page to jump to.

    Args:
        window: the window that the audience sees; its keys work here too.
        sequence: the pages.
        elapsed: the time.
        preferences: the keys that a person has chosen.
    """

    def __init__(self, window: QWidget, sequence: Pages, elapsed: Elapsed, preferences: Preferences) -> None:
        super().__init__(window, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("presenter")
        self.setWindowTitle("Presenter")
        self.setAccessibleName("Presenter")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._sequence, self._elapsed = sequence, elapsed
        self.place, self.time = role(QLabel(), "display"), role(QLabel(), "display")
        self.title, self.text = RoleLabel("", "display"), RoleLabel("", "body")
        self._preferences, self.keys = preferences, RoleLabel("", "hint")
        self.show_keys()
        self.next_title, self.next_text = RoleLabel("", "title"), RoleLabel("", "body")
        self.notice = RoleLabel("", "hint")
        for label in (self.title, self.text, self.next_title, self.next_text):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setWordWrap(True)
        self.list.setFixedWidth(LIST_WIDTH)
        self.list.itemClicked.connect(lambda item: sequence.choose(sequence.listed[self.list.row(item)]))
        self._lay_out()
        self.refresh()
        seconds = QTimer(self, interval=1000)
        seconds.timeout.connect(self.show_time)
        seconds.start()

    def refresh(self) -> None:
        """Show the page at hand and the next one."""
        listed = self._sequence.listed
        names = [f"{page.label}   {page.title}{'' if page.part == 0 else ' …'}" for page in listed]
        if names != [self.list.item(row).text() for row in range(self.list.count())]:
            self.list.clear()
            self.list.addItems(names)
        self.list.setCurrentRow(row_of(self._sequence))
        page, following = self._sequence.page, self._sequence.following
        self.place.setText(self._sequence.place)
        self.title.setText(page.title)
        self.text.setText(page.text)
        large = font(look().theme)
        large.setPixelSize(round(LARGER * large.pixelSize()))
        self.text.setFont(large)
        self.next_title.setText("This is the last page." if following is None else following.title)
        self.next_text.setText("" if following is None else following.text)
        self.show_time()

    def show_keys(self) -> None:
        """Show the keys that a person has chosen."""
        places = (TAUGHT, PRESENTATION) if isinstance(self._sequence, LessonSequence) else (PRESENTATION,)
        keys = [line for place in places for line in lines(place, self._preferences)]
        self.keys.setText("    ".join(f"{key}: {what}".replace(" ", NO_BREAK) for key, what in keys))

    def show_time(self) -> None:
        """Show the time of day and the time since the beginning."""
        self.time.setText(f"{self._elapsed.since}    {self._elapsed.clock}")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.place)
        head.addStretch(1)
        head.addWidget(self.time)
        notes, column = sheet_column(16)
        column.addWidget(self.title)
        column.addWidget(self.text)
        column.addSpacing(24)
        column.addWidget(role(QLabel("Next"), "section"))
        column.addWidget(self.next_title)
        column.addWidget(self.next_text)
        column.addStretch(1)
        scroll = Scroll("Notes", "The notes of this page, and the next one")
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(notes)
        middle = QHBoxLayout()
        middle.setSpacing(28)
        middle.addWidget(scroll, 1)
        middle.addWidget(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(36, 28, 36, 24)
        column.setSpacing(18)
        column.addLayout(head)
        column.addLayout(middle, 1)
        column.addWidget(self.notice)
        column.addWidget(self.keys)
