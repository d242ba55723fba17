"""Messages that do not interrupt: one line over the picture, which a person closes or which disappears by itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QIcon
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget
from shiboken6 import isValid

from assets.counting import unbroken
from gui.qt.access.spoken import announce
from gui.qt.dialogs.sheets import Sheet
from gui.qt.style.icons import tinted_file
from gui.qt.style.theme import enlarge_over_picture, look
from gui.qt.viewport.grip import Array, way_of
from gui.qt.viewport.overlays import MARGIN, ViewportWidget
from gui.qt.widgets.parts import Escape, quiet_button

if TYPE_CHECKING:
    from gui.qt.viewport.viewport import Viewport

SHOWN_MS, LONG_MS = 8000, 30_000
"""How long news stays, and trouble or news of a file, which is looked for."""

BRIEF_MS = 4000
"""How long news stays before an audience: it came to see the arm."""

WIDEST, TOP, GAP = 640, 14, 8

LINES = 4
"""Of a sentence that makes itself narrow to stand beside the arm."""

THICK = 20
"""From the middle of a link to where it may be covered [px]."""

log = logging.getLogger(__name__)


class Banner(QFrame):
    """A sentence over the view: news fades by itself, a lasting state stays until it ends.

    It is as wide as its text needs, and news stands where it leaves the arm free: beside the legend, else below it,
    else at the foot. It covers no legend and no numbers. Before an audience news is a small note at the foot of the
    view, for a short time; news of files comes again afterwards. Trouble is said as ever.

    Args:
        host: what has the 3D view, or what stands for it.
        view: the 3D view, as long as there is one.
        keep: gets the sentence about a file, and all news before an audience, which stays in the status line until
            something else happens there.

    Attributes:
        stays: whether the sentence stays until `withdraw`.
        fade: hides a sentence that does not stay.
        show_folder: opens the folder of the file that the sentence is about.
        close_button: closes the message.
    """

    def __init__(self, host: QWidget, view: Viewport, keep: Callable[[str], None]) -> None:
        super().__init__(host)
        self.setObjectName("banner")
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 8, 8, 8)
        grid.setColumnStretch(0, 1)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        grid.addWidget(self.label, 0, 0)
        self.show_folder = quiet_button("", self._open_folder, text="Show in folder")
        grid.addWidget(self.show_folder, 1, 0, 1, 2, Qt.AlignmentFlag.AlignRight)
        self._folder = Path()
        self.close_button = quiet_button("Close the message", self.hide, name="Close the message")
        grid.addWidget(self.close_button, 0, 1, Qt.AlignmentFlag.AlignTop)
        self._view, self._keep = view, keep
        self.stays = self._passes = self._trouble = self._audience = self._brief = False
        self._of_files: dict[str, Path] = {}
        self.fade = QTimer(self, singleShot=True)
        self.fade.timeout.connect(self.hide)
        self._home = host
        for watched in (host, *view.findChildren(ViewportWidget)):
            watched.installEventFilter(self)
        Escape(self, self.hide)
        self.hide()

    def say(self, text: str, *, trouble: bool = True, stays: bool = False, file: Path | None = None) -> None:
        """Show a sentence; for one about a new `file` with a button that shows its folder."""
        self.stays, self._passes, self._trouble = stays, not (trouble or stays or file), trouble
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show) or self.isHidden():
            return False
        if (kind == QEvent.Type.Resize and watched is self.parentWidget()) or self._covers():
            self._place()
        return False

    def _place(self) -> None:
        host = self.parentWidget()
        if host is not self._home:
            width = self._widths(host.width() - 40)[0]
            self.setGeometry((host.width() - width) // 2, TOP, width, self.heightForWidth(width))
        elif self._brief:
            self._place_at_foot()
        else:
            self._place_clear()

    def _widths(self, room: int) -> list[int]:
        """How wide it can be [px], the widest first: its text is in one line, if that is not too long, or in more."""
        margins = self.layout().contentsMargins()
        beside = margins.left() + margins.right()
        if not self.close_button.isHidden():
            beside += self.layout().spacing() + self.close_button.sizeHint().width()
        text = self.label.fontMetrics().horizontalAdvance(self.label.text()) + 4
        room = min(room, int(WIDEST * max(1.0, look().theme.scale)))
        least = self.layout().minimumSize().width()
        return [
            min(max(int(text * part) + beside, least), room) for part in (1.0, *(1.2 / n for n in range(2, LINES + 1)))
        ]

    def _taken(self) -> list[QRect]:
        """Where the legend and the numbers in the view are, in the host."""
        if not isValid(self._view) or not self._home.isAncestorOf(self._view):
            return []
        shown = [card for card in self._view.findChildren(ViewportWidget) if not card.isHidden()]
        return [QRect(card.mapTo(self._home, QPoint(0, 0)), card.size()) for card in shown]

    def _covers(self) -> bool:
        return any(taken.intersects(self.geometry()) for taken in self._taken())

    def _places(self) -> Iterator[QRect]:
        """Where it could stand, the best place first."""
        view, taken = self._home.contentsRect(), self._taken()
        sizes = [QSize(width, self.heightForWidth(width)) for width in self._widths(view.width() - 2 * MARGIN)]
        head = [card for card in taken if card.top() <= TOP]
        below = max((card.bottom() + 1 + GAP for card in head), default=TOP)
        for top in (TOP, below, None):
            for size in sizes:
                for left in (view.width() - MARGIN - size.width(), MARGIN):
                    low = view.height() - MARGIN - size.height()
                    yield QRect(QPoint(left, low if top is None else top), size)

    def _place_clear(self) -> None:
        """Where it covers nothing that is said in the view, and as little of the arm's way as can be."""
        taken = self._taken()
        apart = QMargins(GAP, GAP, GAP, GAP) - QMargins(1, 1, 1, 1)
        places = list(self._places())
        free = [place for place in places if not any(card.intersects(place + apart) for card in taken)]
        x, y = self._way().T

        def covered(place: QRect) -> int:
            inside = (x >= place.left() - THICK) & (x <= place.right() + THICK)
            return int(np.sum(inside & (y >= place.top() - THICK) & (y <= place.bottom() + THICK)))

        self.setGeometry(min(free or places, key=covered))

    def _way(self) -> Array:
        """Where the arm comes to in the view, (k, 2). Trouble does not ask: it may be that the arm cannot be drawn."""
        if self._trouble or not isValid(self._view) or not self._home.isAncestorOf(self._view):
            return np.empty((0, 2))
        try:
            return way_of(self._view)
        except Exception:  # as in the picture itself, whatever a robot's own code raises
            log.exception("where the arm comes to is not known")
            return np.empty((0, 2))

    def _place_at_foot(self) -> None:
        """On the line of the time, or above it where there is too little room."""
        view, left, low = self._home.contentsRect(), MARGIN, self._home.contentsRect().bottom() - MARGIN
        wanted = self._widths(view.width() - 2 * MARGIN)[0]
        if isValid(self._view) and self._view.readout.isVisible():
            taken = QRect(self._view.readout.mapTo(self._home, QPoint(0, 0)), self._view.readout.size())
            if taken.right() + GAP + wanted <= view.right() - MARGIN:
                left = taken.right() + GAP
            else:
                low = taken.top() - GAP
        height = self.heightForWidth(wanted)
        self.setGeometry(left, low - height, wanted, height)
