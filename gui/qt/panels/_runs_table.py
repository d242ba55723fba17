"""The runs as a table model: the text of each column, and the swatch with a run's colour and dash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QBrush, QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gui.app import formatting, run_texts, units
from gui.app.table.distinctions import details
from gui.app.verdict import Mood, verdict
from gui.qt.drawing.legend import paint_sample
from gui.qt.drawing.style import style_of
from gui.qt.style.theme import look

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.app.session.session import Session
    from robots.scenario.scenario import Scenario

COLUMNS = ("swatch", "method", "setting", "error", "rhs", "rejected", "time", "status", "actions")
TITLES = {
    "swatch": "",
    "method": "Method",
    "setting": "Setting",
    "error": "Max error",
    "rhs": "Right-hand sides",
    "rejected": "Rejected",
    "time": "Time",
    "status": "Status",
    "actions": "",
}
EXPLANATIONS = {
    "error": (
        "Largest error at the accepted steps: against the reference run if there is one, otherwise against the "
        "path or the initial energy"
    ),
    "rhs": "Evaluations of the equations of motion, including rejected and start-up steps",
    "rejected": "Steps rejected because their estimated error was too large",
    "time": (
        "Computing time of the integration alone, measured when all is loaded; a short run is repeated, and the least "
        "time counts. It depends on the machine: compare counts first"
    ),
}
NUMBERS = ("error", "rhs", "rejected", "time")
ROLE = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex


class RunsTable(QAbstractTableModel):
    """One row per run, straight from the session."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.ids: list[int] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(COLUMNS)

    def row_id(self, place: int) -> int:
        """The id of the run in that row."""
        return self.ids[place]

    def follow_session(self) -> bool:
        """Take the session's rows; returns whether they changed."""
        ids = [row.id for row in self.session.runs.all]
        if ids == self.ids:
            return False
        self.beginResetModel()
        self.ids = ids
        self.endResetModel()
        return True

    def update_row(self, row_id: int) -> None:
        """A run has another state, result or reference."""
        if row_id in self.ids:
            place = self.ids.index(row_id)
            self.dataChanged.emit(self.index(place, 0), self.index(place, len(COLUMNS) - 1))

    def update_all(self) -> None:
        """Any run may have changed."""
        if self.ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.ids) - 1, len(COLUMNS) - 1))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        key = COLUMNS[section]
        if role == ROLE.DisplayRole:
            return TITLES[key]
        if role == ROLE.ToolTipRole:
            return EXPLANATIONS.get(key)
        if role == ROLE.TextAlignmentRole and key in NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        row = self.session.runs.find(self.ids[index.row()]) if index.isValid() else None
        if row is None:
            return None
        key = COLUMNS[index.column()]
        if role == ROLE.DisplayRole:
            return cell_text(row, key, self.session)
        if role == ROLE.ToolTipRole:
            return tip_text(row, key, self.session)
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if key in NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == ROLE.ForegroundRole:
            return foreground(row, key)
        if role == ROLE.AccessibleTextRole and key == "swatch":
            return f"{row.dash} line"
        if role == ROLE.UserRole:
            return row
        return None


class SwatchDelegate(QStyledItemDelegate):
    """A short line in the run's colour and dash, as the plots draw it."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        row = index.data(ROLE.UserRole)
        if row is None:
            return
        rect = option.rect  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if row.visible else 0.3)
        start = QPointF(rect.left() + 8, rect.center().y() + 0.5)
        colour = style_of(look().theme.name).run_colour(row.colour)
        paint_sample(painter, start, colour, row.dash, 2.1, rect.width() - 12.0)
        painter.restore()


def cell_text(row: RunRow, key: str, session: Session) -> str:
    """The text of a cell."""
    if key == "method":
        return row.label
    if key == "setting":
        return setting_text(row, session)
    if key == "status":
        # What else is to say about a run that is done, a shorter last step for one, is in the tip.
        found = verdict(row)
        return found.complaint or found.ended.split(". ")[0].rstrip(".") if row.state == "done" else found.text
    if row.run is None:
        return "–" if key in NUMBERS else ""
    if row.outdated and key in NUMBERS:
        return "…" if row.state == "computing" else "–"
    if key == "error":
        error = run_texts.max_error(row)
        waits = row.reference_state == "computing" and row.reference is None
        return "…" if waits else ("–" if error is None else formatting.error_text(*error, row.scenario))
    counts = row.run.counts
    if key == "rhs":
        return units.count(counts.rhs_evaluations)
    if key == "rejected":
        return units.count(counts.rejected)
    seconds = row.seconds if key == "time" else None
    return "" if key != "time" else "–" if seconds is None else units.quantity(seconds, "s", 2)


def setting_text(row: RunRow, session: Session) -> str:
    """Step or tolerances, and in what else a run is not like the others."""
    rows = session.runs.all
    (text,) = (text for other, text in zip(rows, details(rows), strict=True) if other.id == row.id)
    return text if text.startswith(row.setting) else f"{row.setting} · {text}"


def error_line(key: str, value: float, scenario: Scenario) -> str:
    """What an error compares, and its size."""
    return f"{formatting.error_title(key, scenario)}: {formatting.error_text(key, value, scenario)}"


def tip_text(row: RunRow, key: str, session: Session) -> str:
    """The full text of a cell that may be cut off."""
    if key == "error" and not row.outdated:
        error = run_texts.max_error(row)
        lines = [error_line(*error, row.scenario)] if error else []
        if row.reference is not None:
            lines += [error_line(name, value, row.scenario) for name, value in row.reference.max.items()]
            end = row.reference.trusted_until
            if end is not None and end < row.scenario.duration:
                lines.append(f"The reference can be trusted until {units.clock(end)}; the maximum stops there.")
        return "\n".join(dict.fromkeys([*lines, row.reference_message])).strip()
    if key == "status":
        return verdict(row).text
    if key == "setting" and row.scenario.segments:
        return f"{cell_text(row, key, session)}\n{formatting.segments(row.scenario)}"
    return cell_text(row, key, session)


def foreground(row: RunRow, key: str) -> QBrush | None:
    """Failures stand out; hidden runs step back."""
    palette = QGuiApplication.palette()
    mood = verdict(row).mood if key == "status" else Mood.GOOD
    if mood is not Mood.GOOD:
        return QBrush(look().theme.colour("danger" if mood is Mood.BAD else "warning"))
    if not row.visible:
        return QBrush(palette.color(QPalette.ColorRole.PlaceholderText))
    return None


def table_text(session: Session) -> str:
    """The table as text, columns separated by tabs."""
    keys = [key for key in COLUMNS if key not in ("swatch", "actions")]
    lines = ["\t".join(TITLES[key] for key in keys)]
    lines += ["\t".join(cell_text(row, key, session) for key in keys) for row in session.runs.all]
    return "\n".join(lines) + "\n"
