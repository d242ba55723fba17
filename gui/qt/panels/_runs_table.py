"""The runs as a table model: the text of each column, and the swatch with a run's colour and dash."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.app import formatting, run_texts
from gui.app.table.columns import NOTHING, Column, TableMoment, columns_of, setting_text, sorted_ids
from gui.app.table.distinctions import briefer, in_brief
from gui.app.table.pairs import other_motion
from gui.app.table.plain import table_text
from gui.app.verdict import Mood, verdict
from gui.qt.drawing.legend import paint_sample
from gui.qt.drawing.style import style_of
from gui.qt.panels._runs_widths import ways_of
from gui.qt.style.theme import look

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session
    from robots.scenario.scenario import Scenario

SWATCH, ACTIONS = "swatch", "actions"
"""The first and the last column hold no text."""

SPOKEN = {SWATCH: "Line", ACTIONS: "Buttons"}
"""Their titles for assistive technology."""

BEGIN_ALIKE = ("method", "setting")
"""Columns in which texts differ at their ends: what is too long even in brief loses its middle."""

PADDING = 24
"""Beside a cell's text [px]."""

OTHER_MOTION = "This run moves otherwise than the current one even without any error, so their errors do not compare"
"""Why there is no ratio of errors."""

RUN_MIME = "application/x-armstep-run"
"""The id of a run that is dragged to another row."""

ROLE = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex


class RunsTable(QAbstractTableModel):
    """One row per run, straight from the session.

    Attributes:
        ids: of the runs, row by row.
        columns: those between the swatch and the buttons.
        keys: of all columns, the swatch and the buttons included.
        sorted_by: the key of the column by which the pinned runs were sorted, and whether the largest came first.
        roomless: the titles of columns with numbers for which the table is too narrow.
    """

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.ids: list[int] = []
        self.columns: tuple[Column, ...] = ()
        self.keys: list[str] = [SWATCH, ACTIONS]
        self.sorted_by: tuple[str, bool] = ("", False)
        self.roomless: list[str] = []
        self._counts = True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.keys)

    @property
    def moment(self) -> TableMoment:
        """What the table shows now."""
        return moment_of(self.session)

    def column(self, section: int) -> Column | None:
        """The column of that place; None for the swatch and the buttons."""
        return self.columns[section - 1] if 0 < section <= len(self.columns) else None

    def brief_names(self) -> list[tuple[str, str]]:
        """What the column of methods says where it is narrow: without brackets, and as initials."""
        labels = [row.label for row in self.session.runs.all]
        return list(zip(formatting.without_brackets(labels), in_brief(labels), strict=True))

    def widths(self, key: str, font: QFont, high: int, brevity: int) -> list[int]:
        """How wide the texts of a column are [px].

        Args:
            key: of the column.
            font: of the table.
            high: how high a row is [px].
            brevity: one of `WHOLE`, `BARE`, `BRIEF`; settings are as narrow as can be without losing a part.
        """
        column, measure = self.column(self.keys.index(key)), QFontMetrics(font).horizontalAdvance
        if column is None:
            return []
        if brevity and key == "method":
            return [measure(names[brevity - 1]) for names in self.brief_names()]
        if brevity and key == "setting":
            kept = ([form for form in forms if "…" not in form] or forms[-1:] for forms in self.brief_settings())
            return [math.ceil(min(width for _, _, width in ways_of(forms, font, high))) for forms in kept]
        return [measure(column.text(row, self.moment)) for row in self.moment.rows]

    def brief_settings(self) -> list[tuple[str, ...]]:
        """What the column of settings says where it is ever narrower."""
        return briefer([setting_text(row, self.moment) for row in self.session.runs.all])

    def sort_by(self, key: str) -> list[int]:
        """The ids of the pinned runs in the order of a column; a second time the other way round."""
        self.sorted_by = key, self.sorted_by == (key, False)
        return self._in_order()

    def _in_order(self) -> list[int]:
        key, down = self.sorted_by
        return sorted_ids(self.columns[self.keys.index(key) - 1], self.moment, downwards=down)

    def _heading(self, column: Column) -> str:
        """The title, with an arrow while the runs are in that column's order: up if values grow downwards."""
        key, down = self.sorted_by
        holds = key == column.key and len(self.ids) > 2 and self._in_order() == self.ids[1:]
        return f"{column.title} {'↓' if down else '↑'}" if holds else column.title

    def follow_session(self) -> bool:
        """Take the session's rows and columns; returns whether they changed."""
        ids = [row.id for row in self.session.runs.all]
        columns = shown_columns(self.session)
        keys = [column.key for column in columns]
        if ids == self.ids and keys == self.keys[1:-1]:
            if [one.title for one in columns] != [one.title for one in self.columns]:
                self.columns = columns
                self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.keys) - 1)
            return False
        self.beginResetModel()
        self.ids, self.columns, self.keys = ids, columns, [SWATCH, *keys, ACTIONS]
        self.endResetModel()
        return True

    def update_all(self) -> None:
        """Any run may have changed."""
        if self.ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.ids) - 1, len(self.keys) - 1))
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.keys) - 1)

    def say_roomless(self, titles: list[str], count: bool) -> None:
        """Say above the buttons which columns there is no room for; their `count` only where it has room itself."""
        if (titles, count) != (self.roomless, self._counts):
            self.roomless, self._counts, last = titles, count, len(self.keys) - 1
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, last, last)

    def update_live(self) -> None:
        """The playhead has moved."""
        for place, column in enumerate(self.columns, 1):
            if column.live and self.ids:
                self.dataChanged.emit(self.index(0, place), self.index(len(self.ids) - 1, place))

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags | Qt.ItemFlag.ItemIsDropEnabled
        if self.keys[index.column()] == "method":
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.row() else flags

    def setData(self, index: Index, value: object, role: int = ROLE.EditRole) -> bool:
        if role != ROLE.EditRole or not index.isValid():
            return False
        self.session.comparisons.rename(self.ids[index.row()], str(value))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> object:
        horizontal = orientation == Qt.Orientation.Horizontal
        column = self.column(section) if horizontal else None
        if not horizontal or column is None:
            return self._blank_heading(self.keys[section] if horizontal else "", section, role)
        if role == ROLE.DisplayRole:
            return self._heading(column)
        if role == ROLE.ToolTipRole:
            return "\n".join(filter(None, (column.tip, "Click to sort the pinned runs; right click for more columns")))
        if role == ROLE.TextAlignmentRole and not column.words:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _blank_heading(self, key: str, section: int, role: int) -> str | None:
        """Of what holds no text: of a row, the swatch or the buttons, above which is said what there is no room for."""
        lacks = f"no room for {', '.join(self.roomless)}" if key == ACTIONS and self.roomless else ""
        if role == ROLE.AccessibleTextRole:
            return "; ".join(filter(None, (SPOKEN[key], lacks))) if key else f"Run {section + 1}"
        if role == ROLE.ToolTipRole and lacks:
            return f"Here is {lacks}: right click chooses the columns"
        return f"+{len(self.roomless)}" * bool(lacks and self._counts) if role == ROLE.DisplayRole else None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> object:
        row = self.session.runs.find(self.ids[index.row()]) if index.isValid() else None
        if row is None:
            return None
        if role == ROLE.UserRole:
            return row
        column = self.column(index.column())
        if column is None:
            return self._beside(row, self.keys[index.column()], role)
        if role == ROLE.DisplayRole:
            return column.text(row, self.moment)
        if role == ROLE.EditRole:
            return row.tag.name
        if role == ROLE.ToolTipRole:
            return tip_text(row, column, self.moment)
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column.words else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return foreground(row, column.key) if role == ROLE.ForegroundRole else None

    def _beside(self, row: RunRow, key: str, role: int) -> str | None:
        if role == ROLE.DisplayRole:
            return ""
        if role != ROLE.AccessibleTextRole:
            return None
        return f"{row.dash} line" if key == SWATCH else f"{SPOKEN[key]} of {row.label}"

    # -- a row is dragged to another place -----------------------------------------------------------------------------

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [RUN_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(RUN_MIME, str(self.ids[indexes[0].row()]).encode())
        return data

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if not data.hasFormat(RUN_MIME):
            return False
        row_id = int(bytes(data.data(RUN_MIME).data()))
        place = self.ids.index(row_id) if row_id in self.ids else 0
        if place:
            between = row - (row > place) if row >= 0 else len(self.ids) - 1
            target = parent.row() if parent.isValid() else between
            self.session.comparisons.move(row_id, max(target, 1) - place)
        # The document has moved it: the view must not remove the row.
        return False


class NameDelegate(QStyledItemDelegate):
    """Texts that have too little room, and the editor of a run's name.

    Unfinished text stays while the run is computed. A status that is too long has its first sentences, or a word.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        row = index.data(ROLE.UserRole)
        if row is None:
            return  # the run is gone, and the table behind a sheet has not followed yet
        if (colour := index.data(ROLE.ForegroundRole)) is not None:
            # A selected row keeps what its colours say.
            option.palette.setBrush(QPalette.ColorRole.HighlightedText, colour)  # type: ignore[attr-defined]
        model = index.model()
        key = model.keys[index.column()] if isinstance(model, RunsTable) else ""
        if key in BEGIN_ALIKE:
            option.textElideMode = Qt.TextElideMode.ElideMiddle  # type: ignore[attr-defined]
        if self._in_part(option):
            option.text = ""  # type: ignore[attr-defined]
            return
        room = option.rect.width() - PADDING  # type: ignore[attr-defined]
        measure = option.fontMetrics.horizontalAdvance  # type: ignore[attr-defined]
        if key == "status":
            option.text = verdict(row).fitting(lambda text: measure(text) <= room)  # type: ignore[attr-defined]
        elif measure(option.text) <= room:  # type: ignore[attr-defined]
            return
        elif key == "method" and isinstance(model, RunsTable) and not index.data(ROLE.EditRole):
            forms = model.brief_names()[index.row()]
            option.text = next((name for name in forms if measure(name) <= room), forms[-1])  # type: ignore[attr-defined]
        elif key == "setting" and isinstance(model, RunsTable):
            self._fit_setting(option, model.brief_settings()[index.row()], room)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """The buttons have the whole cell: the room that the style leaves beside texts would cut a lone one."""
        super().updateEditorGeometry(editor, option, index)
        model = index.model()
        if isinstance(model, RunsTable) and model.keys[index.column()] == ACTIONS:
            editor.setGeometry(option.rect)  # type: ignore[attr-defined]

    def _in_part(self, option: QStyleOptionViewItem) -> bool:
        """Whether the right edge of the table cuts the cell: a part of a number would be another number."""
        view, place = option.widget, option.rect  # type: ignore[attr-defined]
        room = view.viewport().width() if isinstance(view, QAbstractItemView) else place.right() + 1
        return place.left() < room <= place.right() and place.width() <= room

    def _fit_setting(self, option: QStyleOptionViewItem, forms: Sequence[str], room: float) -> None:
        """The first of ever briefer forms that fits on one line, or in smaller type on two; else the briefest."""
        option.text = forms[-1]  # type: ignore[attr-defined]
        high = option.rect.height()  # type: ignore[attr-defined]
        for text, font, width in ways_of(forms, option.font, high):  # type: ignore[attr-defined]
            if width <= room:
                option.text, option.font = text, font  # type: ignore[attr-defined]
                option.fontMetrics = QFontMetrics(font)  # type: ignore[attr-defined]
                return

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Name of this run")
        editor.setPlaceholderText(index.data(ROLE.DisplayRole))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(index.data(ROLE.EditRole))
            editor.selectAll()


class SwatchDelegate(QStyledItemDelegate):
    """A short line in the run's colour and dash, as the plots draw it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        row = index.data(ROLE.UserRole)
        if row is None or index.column():
            return
        rect = option.rect  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if row.visible else 0.3)
        start = QPointF(rect.left() + 8, rect.center().y() + 0.5)
        colour = style_of(look().theme.name).run_colour(row.colour)
        paint_sample(painter, start, colour, row.dash, 2.1, rect.width() - 12.0)
        painter.restore()


def moment_of(session: Session) -> TableMoment:
    """What the table of a session shows now."""
    return TableMoment(session.runs.all, session.playback.t, session.view.settings.degrees)


def shown_columns(session: Session) -> tuple[Column, ...]:
    """The columns of a session's table."""
    return columns_of(session.runs.all, session.view.settings.columns)


def copied_table(session: Session, between: str = "\t") -> str:
    """The table for spreadsheets and other programs, with `between` columns."""
    return table_text(shown_columns(session), moment_of(session), between)


def error_line(key: str, value: float, scenario: Scenario) -> str:
    """What an error compares, and its size."""
    return f"{formatting.error_title(key, scenario)}: {formatting.error_text(key, value, scenario)}"


def tip_text(row: RunRow, column: Column, moment: TableMoment) -> str:
    """The full text of a cell that may be cut off, with further remarks."""
    text = column.text(row, moment)
    if column.key == "error" and not row.outdated:
        error = run_texts.max_error(row)
        lines = [error_line(*error, row.scenario)] if error else []
        if row.own_errors is not None:
            lines += [error_line(name, value, row.scenario) for name, value in row.own_errors.max.items()]
        return "\n".join(
            dict.fromkeys([*lines, run_texts.trust(row), row.reference_message, run_texts.agreement(row)])
        ).strip()
    if column.key == "method":
        return "\n".join(filter(None, (text, row.tag.note)))
    if column.key == "status":
        return verdict(row).text
    if column.key == "ratio" and text == NOTHING and not row.outdated and other_motion(row, moment.rows[0]):
        return OTHER_MOTION
    if column.key == "setting":
        lines = [text] if row.setting in text else [text, row.setting]
        return "\n".join(lines + [formatting.segments(row.scenario, row.degrees)] * bool(row.scenario.segments))
    return text


def foreground(row: RunRow, key: str) -> QBrush | None:
    """Failures stand out; hidden runs are grey, and so are the previous run's numbers while a long one computes."""
    palette = QGuiApplication.palette()
    mood = verdict(row).mood if key == "status" else Mood.GOOD
    if mood is not Mood.GOOD:
        return QBrush(look().theme.colour("danger" if mood is Mood.BAD else "warning"))
    stale = row.state == "computing" and row.progress > 0.0 and key not in (*BEGIN_ALIKE, "status")
    if stale or not row.visible:
        return QBrush(palette.color(QPalette.ColorRole.PlaceholderText))
    return None
