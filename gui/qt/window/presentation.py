"""Showing an arm to an audience: the whole screen, no panels, the projector's theme, and the scenario's notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QToolBar, QWidget

from gui.qt.style.theme import font, look
from gui.qt.viewport.overlays import Overlay
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.handlers import set_full_screen
from gui.qt.window.commands.workbench import Workbench

LARGER = 1.5
"""Type of the notes beside that of the window."""

DRAWN_FOR = 1280, 720
"""On a screen with more pixels all type is larger: an audience sees its height, not its pixels."""

WIDEST = 0.62
"""Of the window's width, for the notes."""

BELOW = 20
"""Between the notes and the screen's edge [px]."""

ONWARD = (Qt.Key.Key_PageDown,)
BACK = (Qt.Key.Key_PageUp,)
BLANK = (Qt.Key.Key_B, Qt.Key.Key_Period)
NOTES = (Qt.Key.Key_N,)
LEAVE = (Qt.Key.Key_Escape, Qt.Key.Key_F5)


def pages(notes: str) -> list[str]:
    """The notes as pages: paragraphs with an empty line between them."""
    blocks = (" ".join(block.split()) for block in notes.replace("\r", "").split("\n\n"))
    return [block for block in blocks if block] or [""]


class NotesCard(Overlay):
    """The scenario's title and one page of its notes."""

    PAD = 22.0

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = self._text = self._place = ""

    def show_page(self, title: str, text: str, place: str) -> None:
        """Show a page; `place` says which of how many, or nothing."""
        self._title, self._text, self._place = title, text, place
        self.setAccessibleName(" ".join(filter(None, (title, text, place))))
        host = self.parentWidget()
        assert host is not None
        self.fit(self.needed(text), True)
        self.move((host.width() - self.width()) // 2, host.height() - self.height() - BELOW)
        self.raise_()

    def needed(self, text: str) -> QSize:
        """How large the card is with this text under the present title."""
        host = self.parentWidget()
        assert host is not None
        room = max(WIDEST * host.width() - 2 * self.PAD, 120.0)
        boxes = [
            QFontMetricsF(type_).boundingRect(QRectF(0, 0, room, 1e5), int(Qt.TextFlag.TextWordWrap), words)
            for type_, words in self._words(text)
        ]
        width = max(box.width() for box in boxes) + 2 * self.PAD + 4
        height = sum(box.height() for box in boxes) + (len(boxes) - 1) * 8 + 2 * self.PAD
        return QSize(int(width), int(height))

    def _words(self, text: str) -> list[tuple[QFont, str]]:
        lines = [(self._type("title", bold=True), self._title), (self._type("body"), text)]
        lines.append((self._type("caption"), self._place))
        return [(type_, words) for type_, words in lines if words] or [(self._type("body"), "")]

    def _type(self, size: str, *, bold: bool = False) -> QFont:
        made = font(look().theme, size, bold=bold)
        made.setPixelSize(round(LARGER * made.pixelSize()))
        return made

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = self.begin(), look().theme
        room = QRectF(self.rect()).adjusted(self.PAD, self.PAD, -self.PAD, -self.PAD)
        for type_, words in self._words(self._text):
            painter.setFont(type_)
            painter.setPen(theme.colour("muted" if words == self._place else "text"))
            flags = int(Qt.TextFlag.TextWordWrap)
            used = QFontMetricsF(type_).boundingRect(room, flags, words)
            painter.drawText(room, flags, words)
            room.setTop(used.bottom() + 8)
        painter.end()


class Presentation(QObject):
    """From `begin()` until Esc: the window as an audience should see it.

    A presenter's remote sends PageDown and PageUp, which turn the pages of the notes and then go to the next scenario
    (of the presets, or of the open file's folder); B makes the screen black; N hides the notes.

    Args:
        bench: the window's parts.
        sheet_open: whether a sheet has the keys.
    """

    def __init__(self, bench: Workbench, sheet_open: Callable[[], bool]) -> None:
        window, self.session = bench.window, bench.session
        super().__init__(window)
        centre = window.centralWidget()
        assert centre is not None
        self.window, self.centre = window, centre
        self._banner, self._sheet_open = bench.banner, sheet_open
        self.active = False
        self.page, self._notes_shown = 0, True
        self.notes = NotesCard(self.centre)
        self.black = QWidget(window)
        self.black.setStyleSheet("background: black")
        self.black.setAccessibleName("Black screen")
        self.black.hide()

    @property
    def pages(self) -> list[str]:
        """The notes of the scenario that is shown."""
        return pages(self.session.scenario.notes)

    def begin(self) -> None:
        """Take the screen."""
        window, view = self.window, self.session.view.settings
        self._before = view.theme, view.panels, window.isFullScreen()
        docks = window.findChildren(QDockWidget)
        self._sizes = [(dock, dock.size()) for dock in docks if dock.isVisible() and not dock.isFloating()]
        bar = window.findChild(QToolBar, "timelineBar")
        self._hidden = [w for w in (window.menuBar(), window.statusBar(), bar) if w is not None and not w.isHidden()]
        for widget in self._hidden:
            widget.hide()
        self.active = True
        self.session.view.set(theme="projector", panels=False)
        set_full_screen(window, True)
        subscribe(self, self.session.view.changed, self._view_changed)
        subscribe(self, self.session.scenario_changed, self._show)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.centre.setFocus()
        self._show()

    def leave(self) -> None:
        """Give everything back as it was."""
        if not self.active:
            return
        self.active = False
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        theme, panels, full = self._before
        self.notes.hide()
        self.centre.setContentsMargins(0, 0, 0, 0)
        self.black.hide()
        for widget in self._hidden:
            widget.show()
        look().enlarge(1.0)
        set_full_screen(self.window, full)
        self.session.view.set(theme=theme, panels=panels)
        self._resize_panels()
        for child in (self.notes, self.black, self):
            child.deleteLater()

    def onward(self, by: int) -> None:
        """Turn a page, and after the last one (before the first one) go to the next (previous) scenario."""
        if 0 <= self.page + by < len(self.pages):
            self.page += by
            self._show()
        elif self.session.files.dirty:
            wants = "Unsaved changes: save (Ctrl+S) or leave (Esc)."
            self._banner.tell(wants, trouble=False)
        elif self._open(by):
            self.page = 0 if by > 0 else len(self.pages) - 1
            self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.centre and kind == QEvent.Type.Resize:
            self._show()
        if watched is self.window and kind == QEvent.Type.Close:
            self.leave()
        if kind not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) or not isinstance(event, QKeyEvent):
            return False
        if self._sheet_open() or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        act = self._action(Qt.Key(event.key()))
        if act is None:
            return False
        event.accept()
        # The same key is asked about at the window and at each widget below it; it acts once, at the first.
        if kind == QEvent.Type.KeyPress and watched.isWidgetType():
            act()
        return kind == QEvent.Type.KeyPress and watched.isWidgetType()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _action(self, key: Qt.Key) -> Callable[[], object] | None:
        if key in ONWARD:
            return lambda: self.onward(1)
        if key in BACK:
            return lambda: self.onward(-1)
        if key in BLANK:
            return self._blank
        if key in NOTES:
            return self._toggle_notes
        return self.leave if key in LEAVE else None

    def _blank(self) -> None:
        self.black.setGeometry(self.window.rect())
        self.black.setVisible(self.black.isHidden())
        self.black.raise_()

    def _toggle_notes(self) -> None:
        self._notes_shown = not self._notes_shown
        self._show()

    def _resize_panels(self) -> None:
        """The larger type of a projector has widened the panels."""
        back = [(dock, size) for dock, size in self._sizes if not dock.isHidden()]
        docks = [dock for dock, _ in back]
        self.window.resizeDocks(docks, [size.width() for _, size in back], Qt.Orientation.Horizontal)
        self.window.resizeDocks(docks, [size.height() for _, size in back], Qt.Orientation.Vertical)

    def _view_changed(self) -> None:
        """An opened scenario brings its own view; the panels stay hidden."""
        if self.active and self.session.view.settings.panels:
            self.session.view.set(panels=False)

    def _show(self) -> None:
        if not self.active:
            return
        size = self.window.size()
        look().enlarge(max(1.0, min(size.width() / DRAWN_FOR[0], size.height() / DRAWN_FOR[1])))
        self.page = min(self.page, len(self.pages) - 1)
        place = f"{self.page + 1} of {len(self.pages)}" if len(self.pages) > 1 else ""
        self.notes.show_page(self.session.scenario.title, self.pages[self.page], place)
        self.notes.setVisible(self._notes_shown)
        self._make_room()

    def _make_room(self) -> None:
        """Keep the arm above the notes: as high as the longest page needs, so that turning pages moves nothing."""
        centre = self.centre
        tallest = max(self.notes.needed(page).height() for page in self.pages) + 2 * BELOW
        centre.setContentsMargins(0, 0, 0, min(tallest, centre.height() // 2) if self._notes_shown else 0)

    def _open(self, by: int) -> bool:
        """Open the neighbour of the present scenario; whether there is one."""
        from robots.scenario.presets import presets

        file = self.session.files.path
        if file is not None:
            files = sorted(other for other in Path(file).parent.glob(f"*{Path(file).suffix}"))
            index = files.index(Path(file)) + by if Path(file) in files else -1
            return 0 <= index < len(files) and self.session.files.open(files[index])
        keys = list(presets())
        index = keys.index(self.session.scenario.name) + by if self.session.scenario.name in keys else -1
        return 0 <= index < len(keys) and self.session.files.new(keys[index])
