"""Messages that do not interrupt: one line over the picture, which a person closes or which disappears by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QIcon, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget
from shiboken6 import isValid

from assets.counting import unbroken
from gui.qt.access.spoken import announce
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.icons import tinted_file
from gui.qt.style.theme import enlarge_over_picture, look
from gui.qt.viewport.overlays import MARGIN
from gui.qt.widgets.parts import Escape, quiet_button

SHOWN_MS, LONG_MS = 8000, 30_000
"""How long news stays, and trouble or news of a file, which is looked for."""

BRIEF_MS = 4000
"""How long news stays before an audience: it came to see the arm."""

WIDEST, TOP, GAP = 640, 14, 8


class Banner(QFrame):
    """A sentence at the top of the view: news fades by itself, a lasting state stays until it ends.

    Before an audience news is a small note at the foot of the view, for a short time; news of files comes again
    afterwards. Trouble is said as ever.

    Args:
        host: the view.
        clear_of: what the sentence leaves readable, such as the legend: it stands below.
        beside: what a note at the foot stands beside, such as the time.
        keep: gets the sentence about a file, and all news before an audience, which stays in the status line until
            something else happens there.

    Attributes:
        stays: whether the sentence stays until `withdraw`.
        fade: hides a sentence that does not stay.
        show_folder: opens the folder of the file that the sentence is about.
        close_button: closes the message.
    """

    def __init__(self, host: QWidget, clear_of: QWidget, beside: QWidget, keep: Callable[[str], None]) -> None:
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
        self._clear_of, self._beside, self._keep = clear_of, beside, keep
        self.stays = self._passes = self._audience = self._brief = False
        self._of_files: dict[str, Path] = {}
        self.fade = QTimer(self, singleShot=True)
        self.fade.timeout.connect(self.hide)
        self._home = host
        host.installEventFilter(self)
        self._escape = Escape(self, self.hide)
        self.hide()

    def say(self, text: str, *, trouble: bool = True, stays: bool = False, file: Path | None = None) -> None:
        """Show a sentence; for one about a new `file` with a button that shows its folder."""
        self.stays, self._passes = stays, not (trouble or stays or file)
        self._brief = self._audience and not (trouble or stays)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, self._brief)
        self.close_button.setVisible(not self._brief)
        self.show_folder.setVisible(not self._brief and file is not None and file.exists())
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
            self.fade.start(BRIEF_MS if self._brief else LONG_MS if trouble or file else SHOWN_MS)
        if file is not None or self._brief:
            self._keep(text)
        if file is not None and self._brief:
            self._of_files[text] = file

    def face_audience(self) -> None:
        """An audience looks from now on: what is shown, unless it stays, it has not seen the reason of."""
        if not self._audience and not self.stays:
            self.hide()
        self._audience = True

    def leave_audience(self, also: str = "") -> None:
        """Say at length what was said of files meanwhile, after what there is `also` to say."""
        self._audience = False
        files, self._of_files = self._of_files, {}
        if self._brief:
            self.hide()
        if also or files:
            text = " ".join(filter(None, (also, *(f"{one.rstrip('.')}." for one in files))))
            self.say(text, trouble=False, file=next(reversed(files.values()), None))

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
        """What begins with `text` is over: remove it if it is what is shown."""
        if self.accessibleName().startswith(text):
            self.hide()

    def forget(self) -> None:
        """Another scenario will be opened: remove news of the one before."""
        if self._passes:
            self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._escape.offer(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._escape.offer(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        host = self.parentWidget()
        if self._brief and host is self._home:
            self._place_at_foot()
            return
        width = min(int(WIDEST * max(1.0, look().theme.scale)), host.width() - 40)
        place = QRect((host.width() - width) // 2, TOP, width, max(self.heightForWidth(width), 40))
        other = self._clear_of
        if host is not None and isValid(other) and other.isVisible() and host.isAncestorOf(other):
            taken = QRect(other.mapTo(host, QPoint(0, 0)), other.size())
            if taken.intersects(place):
                place.moveTop(taken.bottom() + GAP)
        self.setGeometry(place)

    def _place_at_foot(self) -> None:
        """On the line of the time, or above it where there is too little room."""
        view, left, low = self._home.contentsRect(), MARGIN, self._home.contentsRect().bottom() - MARGIN
        wanted = self.label.fontMetrics().horizontalAdvance(self.label.text()) + 40
        other = self._beside
        if isValid(other) and other.isVisible() and self._home.isAncestorOf(other):
            taken = QRect(other.mapTo(self._home, QPoint(0, 0)), other.size())
            if taken.right() + GAP + wanted <= view.right() - MARGIN:
                left = taken.right() + GAP
            else:
                low = taken.top() - GAP
        width = min(wanted, view.width() - 2 * MARGIN)
        height = self.heightForWidth(width)
        self.setGeometry(left, low - height, width, height)
