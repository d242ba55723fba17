"""The window: menus, the 3D view in the middle, docks around it, the timeline below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QWidget,
)

from assets.counting import entry_text
from gui.app.session.session import Session
from gui.qt.access.announcer import Announcer
from gui.qt.dialogs.sheets import Sheet, open_sheet
from gui.qt.style.icons import set_icon
from gui.qt.style.theme import look
from gui.qt.timeline.timeline import Timeline
from gui.qt.viewport.placeholder import Placeholder
from gui.qt.viewport.viewport import Viewport
from gui.qt.widgets.parts import add_to_status, passing_menu, quiet_button
from gui.qt.widgets.quiet import ElidedLabel, SentenceLabel
from gui.qt.window.arrangement import Arrangement
from gui.qt.window.bridge import Clock, WholeFrames, subscribe
from gui.qt.window.commands import focus, lessons, tab_order
from gui.qt.window.commands.actions import Actions, shown_key
from gui.qt.window.commands.handlers import add_overlays, handlers, in_force
from gui.qt.window.commands.keys import COMMANDS
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.docks import Building, Dock
from gui.qt.window.files import Files, dragged_files
from gui.qt.window.messages import Banner
from gui.qt.window.panel import panels

if TYPE_CHECKING:
    from gui.qt.plots.enlarged import Enlarged

FIRST_SIZE, LEAST_TITLE = QSize(1440, 900), 160
LEAST_STATUS, STATUS_GAP = 25, 8
"""Of the status bar: its least height, and how much higher it is than its text [px]."""


class MainWindow(QMainWindow):
    """A view of a session.

    The frame is there at once; panels are built one by one after the first picture, then `ready` is emitted.

    Args:
        session: the application's state; `start()` is called after the first frame.
        gallery: show the gallery at first.
    """

    ready = Signal()

    def __init__(self, session: Session, *, gallery: bool = False) -> None:
        super().__init__()
        self.session = session
        self._gallery = gallery
        self._closing = False
        self._painted = False
        self._panels_shown = True
        self.setObjectName("armstep")
        self.setAcceptDrops(True)
        look().scale_text(session.preferences.text_size / 100)
        look().choose(session.view.settings.theme)
        self.viewport: Viewport | None = Viewport(session)
        self.centre = QStackedWidget()
        self.centre.addWidget(self.viewport)
        self.setCentralWidget(self.centre)
        self.banner = Banner(self.centre, self.viewport, session.messages.show)
        self.enlarged: Enlarged | None = None
        self.files = Files(self, session, self.show_sheet)
        self.bench = Workbench(self, session, lambda: self.viewport, self.files, self.banner, self.show_sheet)
        own = {
            "help.palette": self._show_palette,
            "view.layout": lambda: self.arrangement.usual(),
            "edit.settings": self._show_settings,
            "help.keys": self._show_keys,
        }
        self.actions_by_key = Actions(self, COMMANDS, handlers(self.bench) | own, session.preferences)
        self._fill_menus()
        self._corner()
        self.docks = [Dock(panel, session, self) for panel in panels().values()]
        self._status_bar()
        self.timeline = Timeline(session, self.actions_by_key)
        self._bottom_bar()
        self.resize(FIRST_SIZE.boundedTo(self.screen().availableGeometry().size() * 0.95))
        self.arrangement = Arrangement(self, session, self.docks)
        self._suit_docks()  # the arrangement may be that of another robot
        self.clock = Clock(session.playback, self)
        Announcer(self, session)
        self.frames = WholeFrames(self, lambda: session.computing.awaited)
        lessons.attend(self, session, self.actions_by_key)
        self._connect()
        self._show_everything()
        self.centre.setFocusProxy(self.viewport)
        self.take_keys()

    def take_keys(self) -> None:
        """Take the focus: then no widget has it."""
        self.centre.setFocus()

    def focusNextPrevChild(self, next: bool) -> bool:
        return tab_order.go(self, next)

    # -- making --------------------------------------------------------------------------------------------------------

    def _fill_menus(self) -> None:
        actions = self.actions_by_key
        for name, fill in (("Open recent", self.files.fill_recent), ("Kept changes", self.files.fill_kept)):
            menu = QMenu(name, self)
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(lambda menu=menu, fill=fill: fill(menu))
            actions.menus["File"].insertMenu(actions["file.save"], menu)
        actions.menu("View/Panels").aboutToShow.connect(self._list_panels)

    def _list_panels(self) -> None:
        menu = self.actions_by_key.menu("View/Panels")
        menu.clear()
        menu.addAction(self.actions_by_key["view.panels"])
        menu.addSeparator()
        menu.addActions([dock.toggleViewAction() for dock in self.docks])

    def _corner(self) -> None:
        corner = QWidget(self)
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 3, 10, 3)
        row.setSpacing(6)
        palette = self.actions_by_key["help.palette"]
        key = shown_key(self.actions_by_key.commands["help.palette"])
        search = QPushButton(f"Search commands   {key}", corner)
        search.setObjectName("searchButton")
        search.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_icon(search, "search")
        search.setToolTip(palette.toolTip())
        search.setAccessibleName("Search commands")
        search.clicked.connect(palette.trigger)
        self.theme_button = quiet_button("Light, dark, projector, or same as the desktop", name="Theme")
        self.theme_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.theme_button.setMenu(self.actions_by_key.menu("View/Theme"))
        row.addWidget(search)
        row.addWidget(self.theme_button)
        self.menuBar().setCornerWidget(corner)
        self.menuBar().setNativeMenuBar(False)

    def _status_bar(self) -> None:
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(10, 0, 12, 2)
        self.notice, self.preparing_label = SentenceLabel(role=""), QLabel()
        self.preparing_label.hide()
        self.file_label = ElidedLabel(role="", least=LEAST_TITLE)
        self.file_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        names = {"Status": self.notice, "Preparation": self.preparing_label, "File": self.file_label}
        for name, label in names.items():
            label.setAccessibleName(name)
        bar.addWidget(self.notice, 1)
        for label in (self.preparing_label, self.file_label):
            add_to_status(bar, label)

    def _bottom_bar(self) -> None:
        bar = QToolBar("Timeline", self)
        bar.setObjectName("timelineBar")
        bar.setMovable(False)
        bar.toggleViewAction().setEnabled(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.addWidget(self.timeline)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bar)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def _connect(self) -> None:
        session = self.session
        for changed in (session.files.changed, session.lessons.changed):
            subscribe(self, changed, self._show_file)
        subscribe(self, session.scenario_changed, self._suit_docks)
        subscribe(self, session.view.changed, self.show_view)
        subscribe(self, session.messages.notice_changed, self._show_notice)
        subscribe(self, session.preparing.changed, self._show_preparation)
        subscribe(self, session.runs.updated, lambda _: self.frames.resume())
        subscribe(self, session.messages.problems_changed, self._show_problems)
        subscribe(self, session.files.opening, focus.leave_all)
        subscribe(self, session.files.opening, self.banner.forget)
        subscribe(self, session.preferences.changed, self._take_preferences)
        look().changed.connect(self._theme_changed)
        if self.viewport is not None:
            self.viewport.menu_asked.connect(self._viewport_menu)
            self.viewport.broke.connect(self.no_graphics)
            self.viewport.mistaken.connect(self._show_trouble)

    # -- after the first frame -----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted and self.docks:
            self._painted = True
            QTimer.singleShot(0, self, self._after_first_frame)

    def _after_first_frame(self) -> None:
        if self.viewport is not None and not self.viewport.isValid():
            self.no_graphics("Qt could not make an OpenGL context.")
        self.session.start(play=True)
        self.files.begin(gallery=self._gallery)
        building = Building(self.docks, self.session, self)
        building.done.connect(self._panels_built)
        building.begin()

    def _panels_built(self) -> None:
        from gui.qt.plots.enlarged import Enlarged

        self.enlarged = Enlarged(self.session, self.centre)
        add_overlays(self.actions_by_key, self.bench)
        self.ready.emit()

    # -- views of the session ------------------------------------------------------------------------------------------

    def _show_everything(self) -> None:
        self._show_file()
        self._show_notice()
        self._show_problems()
        self.show_view()
        self._theme_changed()

    def _show_file(self) -> None:
        session, actions = self.session, self.actions_by_key
        self.setWindowTitle(f"{session.files.title}[*] - Armstep")
        self.setWindowModified(session.files.dirty)
        unsaved = session.files.unsaved
        self.file_label.setText(f"{session.files.title}  ({unsaved})" if unsaved else session.files.title)
        for key, able, what in (
            ("edit.undo", session.history.can_undo or session.lessons.leads_back, session.history.undo_text),
            ("edit.redo", session.history.can_redo, session.history.redo_text),
        ):
            command = actions.commands[key]
            actions[key].setEnabled(able)
            actions[key].setText(entry_text(f"{command.text}: {what}") if what else command.text)
            actions[key].setStatusTip(f"{command.text}: {what}" if what else command.tip)
        actions["file.robot"].setEnabled(session.files.robots.imported is not None)
        actions["file.log"].setEnabled(session.files.logs.able)

    def _show_notice(self) -> None:
        self.notice.setText(self.session.messages.notice)

    def _show_preparation(self) -> None:
        text = self.session.preparing.progress
        self.preparing_label.setText(text)
        self.preparing_label.setAccessibleDescription(text)
        self.preparing_label.setVisible(bool(text))

    def _show_problems(self) -> None:
        self._show_trouble(self.session.messages.problems.get("file", ""))

    def _show_trouble(self, text: str) -> None:
        """Show what went wrong; an empty text removes that message, and no other."""
        if text:
            self.banner.say(text, stays=True)
        else:
            self.banner.withdraw()

    def show_view(self) -> None:
        """Tick the commands that are on, and take the theme."""
        view = self.session.view.settings
        for key, command in self.actions_by_key.commands.items():
            if command.view:
                self.actions_by_key[key].setChecked(in_force(command, view))
        orthographic = bool(view.camera and view.camera.get("orthographic"))
        self.actions_by_key["camera.orthographic"].setChecked(orthographic)
        if look().choice != view.theme:
            look().choose(view.theme)
        if view.panels != self._panels_shown:
            self._panels_shown = view.panels
            self.arrangement.show_panels(view.panels)

    def _theme_changed(self) -> None:
        set_icon(self.theme_button, look().choice)
        self.arrangement.follow_theme()
        # The progress of an export has room: nothing moves when one begins.
        self.statusBar().setMinimumHeight(max(LEAST_STATUS, self.notice.fontMetrics().height() + STATUS_GAP))
        self.update()

    def _suit_docks(self) -> None:
        """Panels that say something of some robots only come and go with them, in a presentation too."""
        for dock in self.docks:
            dock.follow(self._panels_shown)

    # -- commands ------------------------------------------------------------------------------------------------------

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet, in place of the one that is open."""
        sheet.open()

    @property
    def sheet(self) -> Sheet | None:
        """The sheet that is open."""
        return open_sheet(self)

    def _show_palette(self) -> None:
        from gui.qt.dialogs.palette import Entry, Palette
        from gui.qt.dialogs.palette_entries import entries

        def found() -> list[Entry]:
            docks = [dock for dock in self.docks if dock.applies]
            return entries(self.actions_by_key, self.session, self.files, docks)

        # Panels that are not there yet have nothing to find.
        palette = Palette(self, found, loading=any(dock.panel is None for dock in self.docks))
        self.ready.connect(palette.renew)
        self.show_sheet(palette)

    def _show_keys(self) -> None:
        from gui.qt.dialogs.help_sheets import KeySheet

        self.show_sheet(KeySheet(self, list(self.actions_by_key.commands.values()), self.session.preferences))

    def _show_settings(self) -> None:
        from gui.qt.dialogs.preferences import PreferencesSheet

        self.show_sheet(PreferencesSheet(self, self.session, self.actions_by_key.usual))

    def _take_preferences(self) -> None:
        look().scale_text(self.session.preferences.text_size / 100)
        self.actions_by_key.take_keys()

    def no_graphics(self, reason: str) -> None:
        """There is no OpenGL: say so in the middle and continue without the 3D view."""
        gone, self.viewport = self.viewport, None
        place = Placeholder(reason)
        self.centre.addWidget(place)
        self.centre.setCurrentWidget(place)
        self.banner.raise_()
        if gone is not None:
            self.centre.removeWidget(gone)
            gone.deleteLater()

    def _viewport_menu(self, at: QPoint) -> None:
        menu = passing_menu(self)
        menu.addActions(presented := self.centre.actions())
        menu.addSeparator()
        # Before an audience those of the presentation fill a column, and the others are rare.
        own = menu.addMenu("Picture") if presented else menu
        own.addActions([self.actions_by_key["view.fit"], self.actions_by_key["view.follow"]])
        for path in ("View/Camera", "View/Show", "View/Quality"):
            own.addAction(self.actions_by_key.menu(path).menuAction())  # it stays the menu bar's
        own.addSeparator()
        own.addActions([self.actions_by_key[key] for key in ("run.pin", "export.picture", "export.animation")])
        menu.addAction(self.actions_by_key["help.keys"])
        menu.popup(at)

    def come(self, file: str) -> None:
        """Come to the front, and open a preset or a file unless `file` is empty."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()
        if file:
            self.files.open_named(file)

    # -- files and end -------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrangement.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and hasattr(self, "actions_by_key"):
            self.actions_by_key["view.fullscreen"].setChecked(self.isFullScreen())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        dragged_files(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if files := dragged_files(event):
            self.files.open_dropped(files)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._closing and self.files.guard_end(self.close_now):
            event.ignore()
            return
        self.arrangement.remember()
        for one in (*filter(QWidget.isWindow, self.findChildren(QWidget)), self):
            one.hide()  # what still computes may take a while to end: nobody looks on
        if self.viewport is not None:
            self.viewport.finish()
        self.session.playback.pause()
        self.session.close()
        event.accept()

    def close_now(self) -> None:
        """Close without asking about unsaved changes."""
        self._closing = True
        self.close()
