"""Messages that do not interrupt: one line over the picture, which a person closes or which disappears by itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QIcon, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget
from shiboken6 import isValid

from assets.counting import unbroken
from gui.qt.access.spoken import announce
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.icons import tinted_file
from gui.qt.style.theme import enlarge_over_picture, look
from gui.qt.widgets.parts import quiet_button

SHOWN_MS, TROUBLE_MS = 8000, 30_000
WIDEST, TOP, GAP = 640, 14, 8


class Banner(QFrame):
    """A sentence at the top of the view: news fades by itself, a lasting state stays until it ends.

    Args:
        host: the view.
        clear_of: what the sentence leaves readable, such as the legend: it stands below.

    Attributes:
        stays: whether the sentence stays until `withdraw`.
        fade: hides a sentence that does not stay.
        show_folder: opens the folder of the file that the sentence is about.
        close_button: closes the message.
    """

    def __init__(self, host: QWidget, clear_of: QWidget) -> None:
        super().__init__(host)
        self.setObjectName("banner")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(self.label, 1)
        self.show_folder = quiet_button("", self._open_folder, text="Show in folder")
        row.addWidget(self.show_folder, 0, Qt.AlignmentFlag.AlignTop)
        self._folder = Path()
        self.close_button = quiet_button("Close the message", self.hide, name="Close the message")
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._clear_of = clear_of
        self.stays = self._passes = False
        self.fade = QTimer(self, singleShot=True)
        self.fade.timeout.connect(self.hide)
        self._home = host
        host.installEventFilter(self)
        self._escapes: list[QShortcut] = []
        self.hide()

    def say(self, text: str, *, trouble: bool = True, stays: bool = False, file: Path | None = None) -> None:
        """Show a sentence; for one about a new `file` with a button that shows its folder."""
        self.stays, self._passes = stays, not (trouble or stays or file)
        self.show_folder.setVisible(file is not None and file.exists())
        self._folder = (file or Path()).parent
        self.show_folder.setToolTip(f"Open {self._folder.absolute()}")
        self.setObjectName("banner" if trouble else "message")
        enlarge_over_picture(self)
        colour = look().theme.colours["text" if trouble else "tip_text"]
        self.close_button.setIcon(QIcon(tinted_file("close", colour)))
        for widget in (self, *self.findChildren(QWidget)):
            self.style().unpolish(widget)
            self.style().polish(widget)
        self.label.setText(unbroken(text))
        self.setAccessibleName(text)
        announce(self, text, urgent=trouble)
        self._come_forward()
        self._place()
        self.show()
        self.raise_()
        if stays:
            self.fade.stop()
        else:
            self.fade.start(TROUBLE_MS if trouble else SHOWN_MS)

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder.resolve())))

    def _come_forward(self) -> None:
        """Lie over the open sheet, if there is one, until it closes."""
        sheets = [sheet for sheet in self.window().findChildren(Sheet) if sheet.isVisible()]
        host = sheets[-1] if sheets else self._home
        if host is self.parentWidget():
            return
        self.setParent(host)
        if sheets:
            host.installEventFilter(self)
            sheets[-1].dismissed.connect(self._go_home, Qt.ConnectionType.SingleShotConnection)

    def _go_home(self) -> None:
        shown = not self.isHidden()
        self.setParent(self._home)
        self._place()
        self.setVisible(shown)

    def withdraw(self) -> None:
        """Remove a sentence that stays; any other sentence is left alone."""
        if self.stays:
            self.hide()

    def end(self, text: str) -> None:
        """What `text` says is over: remove it if it is what is shown."""
        if self.accessibleName() == text:
            self.hide()

    def forget(self) -> None:
        """Another scenario will be opened: remove news of the one before."""
        if self._passes:
            self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._escapes:
            within, alone = Qt.ShortcutContext.WidgetWithChildrenShortcut, Qt.ShortcutContext.WidgetShortcut
            self._escapes = [self._escape(self._home, within), self._escape(self._home.window(), alone)]
        for escape in self._escapes:
            escape.setEnabled(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for escape in self._escapes:
            escape.setEnabled(False)

    def _escape(self, owner: QWidget, context: Qt.ShortcutContext) -> QShortcut:
        """Esc closes the message where no panel, field or sheet has the keys."""
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), owner)
        escape.setContext(context)
        escape.activated.connect(self.hide)
        escape.activatedAmbiguously.connect(self.hide)
        return escape

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        host = self.parentWidget()
        width = min(int(WIDEST * max(1.0, look().theme.scale)), host.width() - 40)
        place = QRect((host.width() - width) // 2, TOP, width, max(self.heightForWidth(width), 40))
        other = self._clear_of
        if host is not None and isValid(other) and other.isVisible() and host.isAncestorOf(other):
            taken = QRect(other.mapTo(host, QPoint(0, 0)), other.size())
            if taken.intersects(place):
                place.moveTop(taken.bottom() + GAP)
        self.setGeometry(place)
