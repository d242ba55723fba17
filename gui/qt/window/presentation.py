"""Showing arms to an audience: the whole screen, the projector's theme, large plots, and a remote that turns pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QMenu, QWidget

from gui.app.lessons.sequence import Pages
from gui.app.session.autosave import named
from gui.qt.diagrams.shown_map import ShownMap
from gui.qt.dialogs.sheets import Sheet
from gui.qt.panels.plots import PlotsPanel
from gui.qt.style.black_screen import BlackScreen
from gui.qt.style.dock_sizes import resize_docks, sizes_of
from gui.qt.style.theme import enlarge_over_picture, look
from gui.qt.style.theme_file import Theme
from gui.qt.timeline.page_number import PageNumber
from gui.qt.window.arrangement import drawn_once, put_on, screen_areas
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.focus import PLAIN, uses
from gui.qt.window.commands.local_keys import PRESENTATION, asked_for
from gui.qt.window.commands.tab_order import give_back
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.docks import give_room
from gui.qt.window.panel import panels
from gui.qt.window.presenter import LAYOUTS, SETTING, Elapsed, Menu, NotesCard, PresenterScreen, bare_dock, page_list

DRAWN_FOR = 1280, 720
"""On a screen with more pixels all type is larger: what counts is its height on the screen."""

AT_LEFT, AT_RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea

REST_MS = 2000
"""A mouse that lies still for so long is hidden, with what it points at [ms]."""

SEEN_AFTER = frozenset({"present.jump", "present.leave"})
"""What is done by a key that brings the picture back. Page keys only do that: a step's outcome would be given away."""

ALWAYS = frozenset({Qt.Key.Key_PageDown, Qt.Key.Key_PageUp, Qt.Key.Key_F5})
"""Keys of a remote that no widget with the focus may keep."""


class Presentation(QObject):
    """From `begin()` until Esc: the window as an audience should see it.

    A presenter's remote turns the pages of a sequence of scenarios. With a second screen the notes, the next page, a
    clock and the list of pages are on the presenter's own; else the notes stand below the arm.

    Args:
        bench: the window's parts.
        sequence: the pages.
    """

    def __init__(self, bench: Workbench, sequence: Pages) -> None:
        window, self.session = bench.window, bench.session
        super().__init__(window)
        centre = window.centralWidget()
        assert centre is not None
        self.window, self.centre, self.sequence, self._bench = window, centre, sequence, bench
        self.active, self._swapped, self._working = False, False, False
        self._notes_shown: bool = self.session.settings.get(self.shows_notes, not self.beside)
        self._arranged, self.elapsed, self.known = QSize(), Elapsed(), self.session.files.kept
        self._theme: Theme | None = None
        self.notes, self.number = NotesCard(self.centre, titled=not self.beside), PageNumber(window)
        self.presenter: PresenterScreen | None = None
        self.map, self._mapped = ShownMap(self.session), False
        self.black = BlackScreen(window)
        self.docks = {key: self._dock(key) for key in self.parts}
        seen = self.centre, self.notes, *self.docks.values()
        self._menu = Menu(self, self._choosing, self._verb, self.session.preferences, seen, self.black)
        subscribe(self, self.session.preferences.changed, self._show_keys)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._hide_mouse)

    def begin(self, instead_of: Presentation | None = None) -> None:
        """Begin to present.

        Args:
            instead_of: one that goes on: this one takes its clock, and says at its end what both have kept and written.
        """
        window = self.window
        if instead_of is not None:
            self.elapsed, self.known = instead_of.elapsed, instead_of.known
            instead_of.give_way()
        self._menu.begin()
        self._before = window.isFullScreen(), window.geometry()
        self._sizes = sizes_of(window)
        self._hidden = [w for w in (window.menuBar(), window.statusBar()) if w is not None and not w.isHidden()]
        for widget in self._hidden:
            widget.hide()
        self.active, pages, self.session.files.keeper = True, self.sequence, self.sequence.keep
        self._bench.banner.face_audience()
        self.session.view.lend(theme="projector", panels=False, plots=self.session.view.settings.plots)
        self._take_screens()
        subscribe(self, self.session.view.changed, self._arrange)
        subscribe(self, self.session.runs.changed, self._arrange)
        subscribe(self, self.session.files.opening, lambda: self.active and pages.mark())
        subscribe(self, self.session.scenario_changed, self._follow)
        subscribe(self, self.sequence.changed, self._follow)
        subscribe(self, self.session.messages.notice_changed, self._show_notice)
        subscribe(self, self.session.messages.said, self._say)
        subscribe(self, self.session.messages.unsaid, self._bench.banner.end)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.installEventFilter(self)
        application.screenAdded.connect(self._take_screens)
        application.screenRemoved.connect(self._take_screens)
        seconds = QTimer(self, interval=1000)
        seconds.timeout.connect(self._show_time)
        seconds.start()
        self.sequence.start()
        self.centre.setFocus()
        self._mapped = self.map.compute()
        self._arrange()
        self._rest.start()

    def leave(self) -> None:
        """Restore everything, and say what was kept and written."""
        if not self.active:
            return
        self.give_way()
        self.sequence.end()
        kept = named(change for change in self.session.files.kept if change not in self.known)
        self._bench.banner.leave_audience(f"Unsaved changes are kept under File > Kept changes: {kept}." * bool(kept))

    def give_way(self) -> None:
        """Restore everything; the audience stays, for another presentation."""
        self.active, self.session.files.keeper = False, None
        with drawn_once(self.window):
            self._restore()
        for child in (self.notes, self.black, self.presenter, *self.docks.values(), self):
            if child is not None:
                child.deleteLater()

    def _restore(self) -> None:
        self.sequence.pause()
        if (application := QApplication.instance()) is not None:
            application.removeEventFilter(self)
        self.centre.setContentsMargins(0, 0, 0, 0)
        self._menu.end()
        for widget in (self.notes, self.black, *self.docks.values()):
            widget.hide()
        for dock in self.docks.values():
            self.window.removeDockWidget(dock)
        self.number.end()
        for widget in (*self._hidden, self.number.bar):
            widget.show()
        look().enlarge(1.0)
        self._follow_type()
        self._bench.set_full_screen(self._before[0])
        if self.presenter is not None:
            self.presenter.hide()
            self.window.setGeometry(self._before[1])
        self.session.view.end_loan()
        resize_docks(self.window, self._sizes)

    # -- what keys do --------------------------------------------------------------------------------------------------

    def onward(self) -> None:
        """Show the next page, or say that there is none."""
        if not self.sequence.turn(1):
            self.session.messages.say("Last page.")

    def back(self) -> None:
        """Show the previous page, or say that there is none."""
        if not self.sequence.turn(-1):
            self.session.messages.say("First page.")

    def back_out(self) -> None:
        """Give an enlarged plot back to its place, or the keys of a panel back to the arm, or end the presentation."""
        focus = QApplication.focusWidget()
        if self.session.view.settings.enlarged:
            self.session.view.set(enlarged="")
        elif focus is not None and any(dock.isAncestorOf(focus) for dock in self.window.findChildren(QDockWidget)):
            give_back(focus)
        else:
            self.leave()

    def jump(self) -> None:
        """Choose any page, by its number or by words: those of its notes, too, where those are shown."""
        (host := self.presenter or self.window).activateWindow()
        scenarios = host is self.presenter or self.session.settings.get(Presentation.shows_notes, True)
        steps = host is self.presenter or (self._notes_shown and bool(self.beside))
        sheet = page_list(host, self.sequence, scenarios=scenarios, steps=steps)
        sheet.dismissed.connect(self.window.activateWindow)
        self._bench.show_sheet(sheet)

    def blank(self) -> None:
        """Make the screen black, or show it again."""
        self.black.toggle()

    def toggle_notes(self) -> None:
        """Show the notes to the audience, or not."""
        self._notes_shown = not self._notes_shown
        if self.shows_notes:
            self.session.settings.set(self.shows_notes, self._notes_shown)
        self._show()

    def next_layout(self) -> None:
        """Show other things beside the arm; where the panels are in their place, show them again."""
        if self.session.view.settings.panels:
            self.session.view.set(panels=False)
            return
        place = LAYOUTS.index(self._layout()) if self._layout() in LAYOUTS else -1
        self.session.settings.set(SETTING, list(LAYOUTS[(place + 1) % len(LAYOUTS)]))
        self._arrange()

    def swap_screens(self) -> None:
        """Exchange the screens of the window and the notes."""
        self._swapped = not self._swapped
        self._take_screens()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        # New margins come as a Resize event, too, with the size that there was.
        if watched is self.centre and isinstance(event, QResizeEvent) and event.size() != event.oldSize():
            self._show()
            if self.window.size() != self._arranged:
                # After the docks have taken what Qt gives them of a window of another size.
                self._arranged = self.window.size()
                QTimer.singleShot(0, self, self._arrange)
        if watched is self.window and kind == QEvent.Type.Close:
            self.leave()
        if kind == QEvent.Type.MouseMove:
            self._rest.start()
        if kind not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) or not isinstance(event, QKeyEvent):
            return self.black.takes_further_press(event)
        if self.black.takes(event, watched):
            name = asked_for(event, self.session.preferences, PRESENTATION)
            if name in SEEN_AFTER and self.black.isHidden() and self._ours(watched, event):
                self._verb(name)()
            return True
        act = self.verb(event)
        if act is None or not self._ours(watched, event):
            return False
        event.accept()
        # The same key arrives at the window and at each widget below it; it acts once, at the first.
        if kind == QEvent.Type.KeyPress and watched.isWidgetType():
            act()
            return True
        return False

    # -- for a presentation of something else --------------------------------------------------------------------------

    shows_notes: ClassVar = "presentation.notes"
    """The setting that says whether an audience sees the notes; empty if each one asks for them again."""

    beside: ClassVar[tuple[str, ...]] = ()
    """Keys of panels that stand beside the arm in every layout; where there are any, notes are shown once asked for."""

    parts: ClassVar = {
        "plots": (AT_RIGHT, 0.36),
        "map": (AT_RIGHT, 0.5),
        "runs": (Qt.DockWidgetArea.BottomDockWidgetArea, None),
    }
    """What stands beside the arm: where, and its part of the width, if any; a proposed map is in place of the plots."""

    def verb(self, event: QKeyEvent) -> Callable[[], object] | None:
        """What a key does."""
        if event.key() == Qt.Key.Key_Escape:
            return self.back_out
        name = asked_for(event, self.session.preferences, PRESENTATION)
        return self._verb(name) if name else None

    # -- inside --------------------------------------------------------------------------------------------------------

    def _verb(self, name: str) -> Callable[[], object]:
        """What a command of a presentation does: the method of its name."""
        return self.session.playback.toggle if name == "run.play" else getattr(self, name.partition(".")[2])

    def _ours(self, watched: QObject, event: QKeyEvent) -> bool:
        """Whether a key is the presentation's: no menu, sheet, dialog or field has it."""
        if QApplication.activePopupWidget() is not None:
            return False
        if any(sheet.isVisible() for sheet in self.window.findChildren(Sheet)) or event.modifiers() & ~PLAIN:
            return False
        if isinstance(watched, QWidget) and isinstance(watched.window(), QDialog):
            return False
        return Qt.Key(event.key()) in ALWAYS or not uses(QApplication.focusWidget(), event)

    def _show_keys(self) -> None:
        """Say everywhere the keys that a person has chosen."""
        self._menu.show_keys()
        if self.presenter is not None:
            self.presenter.show_keys()

    def _hide_mouse(self) -> None:
        if (viewport := self._bench.viewport()) is not None and not QGuiApplication.mouseButtons():
            viewport.pointer.rest()

    def _dock(self, key: str) -> QDockWidget:
        """A panel of its own beside the arm, without a title."""
        panel = self.map if key == "map" else panels()[key].make(self.session)
        if isinstance(panel, PlotsPanel):
            panel.brief = True
            self._choosing = panel.menu.menuAction()
        return bare_dock(self.window, f"presentation.{key}", panel, self.parts[key][0])

    def _layout(self) -> tuple[str, ...]:
        return tuple(self.session.settings.get(SETTING, list(LAYOUTS[0])))

    def _take_screens(self, *_: object) -> None:
        """Put the window on the audience's screen, and the notes on the presenter's own if there are two."""
        if not self.active:
            return
        areas = screen_areas()
        if len(areas) < 2:
            if self.presenter is not None:
                self.presenter.hide()
                self.presenter.deleteLater()
                self.presenter = None
            self._bench.set_full_screen(True)
            self._show()
            return
        if self.presenter is None:
            self.presenter = PresenterScreen(self.window, self.sequence, self.elapsed, self.session.preferences)
            self.presenter.list.itemClicked.connect(self.black.hide)
        own, audience = areas[1::-1] if self._swapped else areas[:2]
        self._bench.set_full_screen(False)
        put_on(self.window, audience)
        self._bench.set_full_screen(True)
        put_on(self.presenter, own)
        self.presenter.show()
        self.window.activateWindow()
        self._show()

    def _arrange(self) -> None:
        """Show beside the arm what was chosen, unless all panels are shown."""
        if not self.active:
            return
        working = self.session.view.settings.panels
        began, self._working = working and not self._working, working
        self.number.bar.setVisible(working)
        layout = ["map" if key == "plots" and self._mapped else key for key in self._layout()]
        if self.session.view.settings.enlarged:
            layout = []  # the enlarged plot has the room of the small ones and of the table, too
        chosen = () if working else (*self.beside, *layout)
        for key, dock in self.docks.items():
            dock.setVisible(key in chosen)
        for key in chosen:
            give_room(self.window, self.docks[key], self.parts[key][1])
        if began:
            # Plots for an audience leave the arm more room than plots beside fields do.
            resize_docks(self.window, self._sizes)
        self._show()

    def _follow(self, *_: object) -> None:
        """Another page or scenario is shown, with its map if it proposes one."""
        before, self._mapped = self._mapped, self.active and self.map.compute()
        (self._arrange if self._mapped != before else self._show)()

    def _enlarge(self) -> None:
        """Let type be as large as the window is."""
        size = self.window.size()
        look().enlarge(max(1.0, min(size.width() / DRAWN_FOR[0], size.height() / DRAWN_FOR[1])))
        if (theme := look().theme) != self._theme:
            self._theme = theme
            self._follow_type()

    def _follow_type(self) -> None:
        """Give what is seen, and the menus that stay, the type of the picture; at the end the window's own."""
        for widget in (self.notes, self.black, *self.docks.values(), *self.window.findChildren(QMenu)):
            enlarge_over_picture(widget)

    def _show(self) -> None:
        if not self.active:
            return
        self._enlarge()
        self._show_time()
        pages, here = self.sequence.pages, self.sequence.page
        tallest = self.notes.fit_type([here.text, *(page.text for page in pages if page.is_of(here))])
        self._show_time()  # in the type that fits
        alone, view = self.presenter is None, self.session.view.settings
        self.notes.setVisible(self._notes_shown and alone and not view.panels)
        self.number.show_page(self.sequence.place * (self._notes_shown and alone))
        self.notes.raise_()
        # As high as the longest page needs, so that turning pages moves nothing.
        below = 0 if self.notes.isHidden() else min(tallest, self.centre.height() // 2)
        self.centre.setContentsMargins(0, 0, 0, below)
        self._menu.follow_screens(two=not alone)
        if self.presenter is not None:
            self.presenter.refresh()
            self._show_notice()

    def _show_time(self) -> None:
        page = self.sequence.page
        self.notes.show_page(page.title, page.text, self.sequence.place, self.elapsed.since)

    def _say(self, text: str, seen: bool) -> None:
        """News has no other place before an audience: an arm that cannot be pulled, say."""
        if self.active and self.presenter is None and self.black.isHidden() and not seen:
            self._bench.inform(text)

    def _show_notice(self) -> None:
        if self.presenter is not None:
            self.presenter.notice.setText(self.session.messages.notice)
