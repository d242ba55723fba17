"""The F1 sheet with every key, and the sheet about Armstep."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise

from PySide6.QtCore import QEvent, QObject, QSize, Qt, qVersion
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from assets.version import version
from gui.app.session.preferences import Preferences
from gui.qt.access.spoken import announce
from gui.qt.dialogs.sheets import MARGIN, Sheet
from gui.qt.panels._runs_menu import TABLE_KEYS
from gui.qt.style.icons import pixmap
from gui.qt.style.theme import role
from gui.qt.widgets.parts import bare, push_button, search_line
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import Scroll
from gui.qt.window.commands.actions import shown_key
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.focus import UP_DOWN
from gui.qt.window.commands.keys import EVERYWHERE, LANE_MOUSE, MOUSE, PLOT_MOUSE
from gui.qt.window.commands.local_keys import PRESENTATION, TABLE, TAUGHT, lines
from gui.version import diagnostics
from robots.export.citation import bibtex
from robots.scenario.scenario import Scenario

WIDTH, COLUMNS = 1480, 4
"""Width of the sheet of keys in usual type [px], and its number of columns: fewer where those were too narrow."""

SEARCH = 300
"""The largest width of the field for the search in usual type [px]."""

PALETTE = "help.palette"
"""The command that finds what no key has."""

RING = 10
"""Room for the frame of the focus around the keys [px]."""


class KeySheet(Sheet):
    """All keys, by menu, and what the mouse does."""

    def __init__(self, window: QWidget, commands: Sequence[Command], preferences: Preferences) -> None:
        super().__init__(window, "Keys and mouse", QSize(WIDTH, 10))
        tip = "Type a word of what you want to do, or a key"
        self.search = search_line("Search keys", self._filter, tip=tip)
        self.search.setMaximumWidth(int(SEARCH * self.larger))
        self.search.installEventFilter(self)
        head = QHBoxLayout()
        head.addWidget(role(QLabel("Keys and mouse"), "display"), 1)
        head.addWidget(self.search, 1)
        self.body.addLayout(head)
        self.blocks: list[KeyBlock] = []
        inner = QWidget()
        inner.setObjectName("sheetBody")
        row = QHBoxLayout(inner)
        row.setContentsMargins(RING, RING, RING, RING)
        row.setSpacing(44)
        paths = dict.fromkeys(command.menu for command in commands)
        blocks = [(path.replace("/", " › "), keys) for path in paths if (keys := _keys(commands, path))]
        blocks.append(("Everywhere", list(EVERYWHERE)))
        blocks.append(("Mouse in the 3D view", list(MOUSE)))
        blocks.append(("Mouse on the timeline", list(LANE_MOUSE)))
        blocks.append(("Mouse on a plot", list(PLOT_MOUSE)))
        blocks.append((TABLE, [*lines(TABLE, preferences), *TABLE_KEYS]))
        blocks.append((PRESENTATION, lines(PRESENTATION, preferences)))
        blocks.append((TAUGHT, lines(TAUGHT, preferences)))
        room = (window.width() - 2 * MARGIN) / (WIDTH * self.larger)
        for column in _columns(blocks, max(min(round(COLUMNS * room), COLUMNS), 1)):
            place = QVBoxLayout()
            place.setSpacing(16)
            for title, keys in column:
                self.blocks.append(KeyBlock(title, keys))
                place.addWidget(self.blocks[-1])
            place.addStretch(1)
            row.addLayout(place, 1)
        self._inner = inner
        self._scroll = Scroll("All keys", "Every key and what it does; the arrows scroll", sideways=True)
        self._scroll.setWidget(inner)
        self.empty = RoleLabel("", "hint")
        self.empty.hide()
        palette = next((command for command in commands if command.key == PALETTE), None)
        way = "" if palette is None else shown_key(palette) or f"{palette.menu} › {palette.text.rstrip('…')}"
        self._without = f"No matches. {way} searches all commands." if way else "No matches"
        self.body.addWidget(self.empty)
        self.body.addWidget(self._scroll, 1)
        self.body.addWidget(role(self.close_button(), "primary"), 0, Qt.AlignmentFlag.AlignRight)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = event if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if watched is self.search and pressed is not None and pressed.key() in UP_DOWN:
            self.keyPressEvent(pressed)
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the field for the search does not need scrolls."""
        if event.key() in UP_DOWN:
            self._scroll.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def _filter(self, text: str) -> None:
        for block in self.blocks:
            block.show_only(text.lower().split())
        none = all(block.isHidden() for block in self.blocks)
        self.empty.show_text(self._without if none else "")
        announce(self.search, self.empty.text())

    def preferred_size(self) -> QSize:
        """As high as all keys need."""
        width = int(WIDTH * self.larger)
        margins = self.body.contentsMargins()
        inside = min(width, self.width() - 2 * MARGIN) - margins.left() - margins.right()
        rest = self.body.minimumSize().height() - self._scroll.minimumSizeHint().height()
        return QSize(width, rest + self._inner.layout().totalHeightForWidth(inside) + 2)


def _keys(commands: Sequence[Command], menu: str) -> list[tuple[str, str]]:
    """The (key, text) pairs of a menu's commands."""

    def text(command: Command) -> str:
        return "Play or pause" if command.key == "run.play" else command.text.rstrip("…")

    return [(shown_key(command), text(command)) for command in commands if command.keys and command.menu == menu]


def _columns(
    blocks: Sequence[tuple[str, list[tuple[str, str]]]], count: int
) -> list[list[tuple[str, list[tuple[str, str]]]]]:
    """The blocks in so many columns, in order, as equal in height as possible."""
    heights = [len(lines) + 2 for _, lines in blocks]

    def unevenness(cuts: tuple[int, ...]) -> int:
        return sum(sum(heights[first:last]) ** 2 for first, last in pairwise((0, *cuts, len(blocks))))

    cuts = min(combinations(range(len(blocks) + 1), count - 1), key=unevenness)
    return [list(blocks[first:last]) for first, last in pairwise((0, *cuts, len(blocks)))]


class KeyBlock(QWidget):
    """A title, and below it what keys do with the keys beside it."""

    def __init__(self, title: str, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.lines: list[tuple[str, QLabel, QLabel]] = []
        grid = bare(QGridLayout(self))
        grid.setVerticalSpacing(5)
        grid.setHorizontalSpacing(14)
        grid.addWidget(role(QLabel(title), "section"), 0, 0, 1, 2)
        for number, (key, text) in enumerate(lines, 1):
            cap = role(QLabel(key), "key")
            label = QLabel(text)
            label.setWordWrap(True)
            grid.addWidget(label, number, 0)
            grid.addWidget(cap, number, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self.lines.append((f"{title} {text} {key}".lower(), label, cap))
        grid.setColumnStretch(0, 1)

    def show_only(self, words: Sequence[str]) -> None:
        """Hide the lines that lack one of the words, and a title without a line."""
        found = [all(word in words_of for word in words) for words_of, _, _ in self.lines]
        for (_, label, cap), shown in zip(self.lines, found, strict=True):
            label.setVisible(shown)
            cap.setVisible(shown)
        self.setVisible(any(found))


def _ending(sheet: Sheet, copy: str, text: Callable[[], str]) -> QHBoxLayout:
    """A sheet's last row: a button that copies a text, and one that closes it."""
    row = QHBoxLayout()

    def copied() -> None:
        QGuiApplication.clipboard().setText(text())
        copying.setText("Copied")

    copying = push_button(copy, "Put the text on the clipboard", copied)
    row.addStretch(1)
    row.addWidget(copying)
    row.addWidget(role(sheet.close_button(), "primary"))
    return row


class CitationSheet(Sheet):
    """What to cite for scenarios, as BibTeX."""

    def __init__(self, window: QWidget, scenarios: Sequence[Scenario]) -> None:
        super().__init__(window, "Cite", QSize(680, 440), 0.35)
        text = bibtex(scenarios)
        self.body.addWidget(role(QLabel("Cite"), "display"))
        self.body.addWidget(RoleLabel("Armstep, and where the methods and robots of the runs come from."))
        shown = QPlainTextEdit(text)
        shown.setReadOnly(True)
        shown.setTabChangesFocus(True)
        shown.setAccessibleName("BibTeX")
        shown.setAccessibleDescription("The entries as text to copy")
        self.body.addWidget(shown, 1)
        self.body.addLayout(_ending(self, "Copy BibTeX", lambda: text))


class AboutSheet(Sheet):
    """What Armstep is, its versions and graphics."""

    def __init__(self, window: QWidget, graphics: str) -> None:
        super().__init__(window, "About Armstep", QSize(520, 0), 0.35)
        head = QHBoxLayout()
        head.setSpacing(18)
        picture = QLabel()
        ratio = self.devicePixelRatioF()
        drawn = pixmap("armstep", "#000000", int(64 * ratio))
        drawn.setDevicePixelRatio(ratio)
        picture.setPixmap(drawn)
        head.addWidget(picture)
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(role(QLabel(f"Armstep {version()}"), "display"))
        titles.addWidget(role(QLabel("Shows what a numerical integrator does to a robot."), "hint"))
        head.addLayout(titles, 1)
        self.body.addLayout(head)
        text = QLabel(
            f"Python {platform.python_version()}, Qt {qVersion()}\n{graphics}\n\nMIT licence. Qt is used under the "
            "LGPL. The command armstep doctor has the details."
        )
        text.setWordWrap(True)
        text.setAccessibleDescription("Versions and licence")
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(text)
        self.body.addLayout(_ending(self, "Copy diagnostics", lambda: f"{diagnostics()}\nQt {qVersion()}\n{graphics}"))
