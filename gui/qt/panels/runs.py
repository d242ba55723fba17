"""The dock "Runs": the current run and the pinned ones in a table, with the cost and the error of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.qt.panels._runs_table import COLUMNS, RunsTable, SwatchDelegate, table_text
from gui.qt.style import icons
from gui.qt.widgets.quiet import scale
from gui.qt.window.bridge import subscribe
from gui.qt.window.panel import Panel

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session

CURRENT = 0
WIDTHS = {"swatch": 44, "error": 94, "rhs": 120, "rejected": 76, "time": 76, "actions": 138}
SHARES = {"method": 0.3, "setting": 0.28, "status": 0.42}
WORDS = 240
"""The columns of text share what the columns of numbers leave over, at least this much."""

TIGHTER = ((1.0, ()), (0.9, ()), (0.9, ("rejected",)), (0.9, ("rejected", "time")))
"""How the columns of numbers shrink where type is large and the window is small."""

ROW_HEIGHT = 38


class RunsPanel(QWidget):
    """The table; each row has its own buttons, and the menu and keys offer the same."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.model = RunsTable(session, self)
        self.table = QTableView()
        self.table.setAccessibleName("Runs")
        self.table.setModel(self.model)
        self.table.setItemDelegateForColumn(COLUMNS.index("swatch"), SwatchDelegate(self.table))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setStyleSheet("QTableView::item { padding: 0 8px; }")
        self.table.setWordWrap(True)
        self.table.setTabKeyNavigation(False)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu_at)
        self.table.doubleClicked.connect(lambda index: self._edit(self.model.row_id(index.row())))
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._shape_header()
        self.table.installEventFilter(self)
        self.table.viewport().installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self.buttons: dict[int, dict[str, QToolButton]] = {}
        subscribe(self, session.runs.changed, self.refresh)
        subscribe(self, session.runs.updated, self.model.update_row)
        subscribe(self, session.scenario_changed, self.model.update_all)
        self.refresh()

    def refresh(self) -> None:
        """Show the current rows."""
        if self.model.follow_session():
            self.buttons = {}
            for place, row in enumerate(self.session.runs.all):
                self.table.setIndexWidget(self.model.index(place, COLUMNS.index("actions")), self._make_buttons(row))
        for row in self.session.runs.all:
            eye = self.buttons[row.id]["show"]
            icons.set_icon(eye, "show" if row.visible else "hide")
            eye.setToolTip("Hide this run in the view and the plots" if row.visible else "Show this run")
        self.model.update_all()

    def copy(self) -> None:
        """Put the table on the clipboard as text."""
        QGuiApplication.clipboard().setText(table_text(self.session))

    def menu_for(self, row_id: int) -> QMenu:
        """The actions on a run."""
        row = self.session.runs.find(row_id)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Hide" if row.visible else "Show", lambda: self._toggle(row_id))
        if row_id == CURRENT:
            menu.addAction("Pin", self.session.comparisons.pin)
        else:
            menu.addAction("Edit: make it the current run", lambda: self._edit(row_id))
            menu.addAction("Duplicate", lambda: self.session.comparisons.duplicate(row_id))
            menu.addAction("Remove", lambda: self.session.comparisons.remove(row_id))
        if row.state == "computing":
            menu.addAction("Stop computing", self.session.computing.cancel)
        menu.addSeparator()
        menu.addAction("Copy table", self.copy)
        return menu

    # -- inside --------------------------------------------------------------------------------------------------------

    def _make_buttons(self, row: RunRow) -> QWidget:
        # The buttons know the row by its id: holding the row would keep its first run for as long as they live.
        holder, row_id, comparisons = QWidget(), row.id, self.session.comparisons
        line = QHBoxLayout(holder)
        line.setContentsMargins(4, 0, 4, 0)
        line.setSpacing(0)
        wanted: list[tuple[str, str, str, Callable[[], object]]] = [
            ("show", "show", "Hide this run", lambda: self._toggle(row_id))
        ]
        if row.id == CURRENT:
            wanted.append(("pin", "pin", "Pin: keep this run on screen for comparison", comparisons.pin))
        else:
            wanted.append(("duplicate", "duplicate", "Duplicate this run", lambda: comparisons.duplicate(row_id)))
            wanted.append(("edit", "undo", "Edit: make this the current run", lambda: self._edit(row_id)))
            wanted.append(("remove", "remove", "Remove this run", lambda: comparisons.remove(row_id)))
        self.buttons[row.id] = {}
        for key, icon, hint, action in wanted:
            button = QToolButton()
            button.setProperty("role", "quiet")
            button.setToolTip(hint)
            button.setFixedSize(28, 28)
            button.setAccessibleName(f"{hint.split(':')[0]}: {row.label}, {row.setting}")
            icons.set_icon(button, icon)
            button.clicked.connect(lambda _=False, action=action: action())
            line.addWidget(button)
            self.buttons[row.id][key] = button
        line.addStretch(1)
        return holder

    def _toggle(self, row_id: int) -> None:
        row = self.session.runs.find(row_id)
        if row is not None:
            self.session.runs.show(row_id, not row.visible)

    def _edit(self, row_id: int | None) -> None:
        if row_id:
            self.session.comparisons.edit(row_id)

    def _menu_at(self, place: Any) -> None:
        index: QModelIndex = self.table.indexAt(place)
        row_id = self.model.row_id(index.row()) if index.isValid() else CURRENT
        self.menu_for(row_id).popup(self.table.viewport().mapToGlobal(place))

    def _selected(self) -> int | None:
        rows = self.table.selectionModel().selectedRows()
        return self.model.row_id(rows[0].row()) if rows else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the table Delete removes a run, Return edits it, Ctrl+C copies; the columns make room for scroll bars."""
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            self._share_width()
        if watched is self.table and isinstance(event, QKeyEvent):
            action = self._action_of(event) if event.type() == QEvent.Type.KeyPress else None
            if action is not None:
                action()
                return True
        return super().eventFilter(watched, event)

    def _action_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        if event.matches(QKeySequence.StandardKey.Copy):
            return self.copy
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return lambda: self._edit(self._selected())
        return self._remove_selected if event.key() == Qt.Key.Key_Delete else None

    def _remove_selected(self) -> None:
        row_id = self._selected()
        if row_id is not None:
            self.session.comparisons.remove(row_id)
            self.table.selectionModel().clear()

    def _shape_header(self) -> None:
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(40)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._share_width()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "table"):
            self._share_width()

    def _share_width(self) -> None:
        factor, room = scale(self), self.table.viewport().width()
        widths, words = dict(WIDTHS), WORDS * factor
        for tight, left_out in TIGHTER:
            widths = {key: self._width(key, factor * tight) for key in WIDTHS if key not in left_out}
            if room - sum(widths.values()) >= words:
                break
        words = max(words, room - sum(widths.values()))
        widths |= {key: int(share * words) for key, share in SHARES.items()}
        self.table.verticalHeader().setDefaultSectionSize(int(ROW_HEIGHT * factor))
        for place, key in enumerate(COLUMNS):
            self.table.setColumnHidden(place, key not in widths)
            self.table.setColumnWidth(place, widths.get(key, 0))

    def _width(self, key: str, factor: float) -> int:
        """A column's width [px]: its header is always whole, and buttons do not shrink."""
        if key == "actions":
            return WIDTHS[key]
        header = self.table.horizontalHeader().sectionSizeFromContents(COLUMNS.index(key)).width()
        return max(int(WIDTHS[key] * factor), header)


PANEL = Panel("runs", "Runs", "bottom", 10, RunsPanel)
