"""A plot as a table (clipboard, CSV) and as a picture (SVG, PDF, PNG)."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPalette, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMessageBox

from assets.errors import ArmstepError, BadInput
from gui.qt.plots.legend import paint_entries

if TYPE_CHECKING:
    from gui.qt.plots.plot import Plot

PICTURES = {".svg": "SVG picture", ".pdf": "PDF page", ".png": "PNG picture"}
TITLE_HEIGHT = 26
PNG_SCALE = 3


def table_text(plot: Plot, separator: str = ",") -> str:
    """Every curve of the plot as two columns, across and up, with a header row; shorter curves leave blanks."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    across, up = plot.titles()
    header: list[str] = []
    columns: list[list[float]] = []
    for trace in plot.shown:
        name = trace.name if trace.name.startswith(trace.run) else f"{trace.run}, {trace.name}"
        header += [f"{across}: {name}", f"{up}: {name}"]
        columns += [trace.x.tolist(), trace.y.tolist()]
    writer.writerow(header)
    for index in range(max(map(len, columns), default=0)):
        writer.writerow([repr(column[index]) if index < len(column) else "" for column in columns])
    return out.getvalue()


def copy_data(plot: Plot) -> None:
    """Put the table on the clipboard, separated by tabs as spreadsheets like it."""
    QGuiApplication.clipboard().setText(table_text(plot, "\t"))


def save_data(plot: Plot, file: Path | None = None) -> None:
    """Write the table as CSV; asks for the file if none is given."""
    if file is None:
        name, _ = QFileDialog.getSaveFileName(plot, "Save data", f"{plot.key}.csv", "Comma-separated values (*.csv)")
        if not name:
            return
        file = Path(name)
    try:
        file.write_text(table_text(plot), encoding="utf-8")
    except OSError as error:
        QMessageBox.warning(plot, "Save data", f"{file} could not be written: {error.strerror or error}.")


def save_picture(plot: Plot, file: Path | None = None) -> None:
    """Write the plot as it is looked at now; asks for the file if none is given."""
    if file is None:
        kinds = ";;".join(f"{text} (*{suffix})" for suffix, text in PICTURES.items())
        name, _ = QFileDialog.getSaveFileName(plot, "Save picture", f"{plot.key}.svg", kinds)
        if not name:
            return
        file = Path(name)
    try:
        write_picture(plot, file)
    except ArmstepError as error:
        QMessageBox.warning(plot, "Save picture", str(error))


def write_picture(plot: Plot, file: Path) -> None:
    """Write the plot as SVG, PDF or PNG, by the file's suffix.

    Raises:
        ArmstepError: for another suffix, or a file that cannot be written.
    """
    suffix = file.suffix.lower()
    if suffix not in PICTURES:
        raise BadInput("picture", file.name, "a file that ends in " + ", ".join(PICTURES), PICTURES)
    try:
        file.touch()
    except OSError as error:
        raise ArmstepError(f"{file} could not be written: {error.strerror or error}.") from None
    size = QSizeF(plot.widget.width(), plot.widget.height() + TITLE_HEIGHT)
    if suffix == ".png":
        image = QImage((size * PNG_SCALE).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(plot.palette().color(QPalette.ColorRole.Base))
        _paint_on(image, plot, QRectF(QPointF(), size * PNG_SCALE))
        if not image.save(str(file)):
            raise ArmstepError(f"{file} could not be written.")
    elif suffix == ".svg":
        drawing = QSvgGenerator()
        drawing.setFileName(str(file))
        drawing.setSize(size.toSize())
        drawing.setViewBox(QRectF(QPointF(), size))
        drawing.setTitle(plot.title)
        _paint_on(drawing, plot, QRectF(QPointF(), size))
    else:
        page = QPdfWriter(str(file))
        page.setPageSize(QPageSize(size * 0.75, QPageSize.Unit.Point, "plot", QPageSize.SizeMatchPolicy.ExactMatch))
        page.setPageMargins(QMarginsF(0, 0, 0, 0))
        page.setTitle(plot.title)
        _paint_on(page, plot, QRectF(0, 0, page.width(), page.height()))


def _paint_on(device: QImage | QSvgGenerator | QPdfWriter, plot: Plot, target: QRectF) -> None:
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_plot(painter, target, plot)
    painter.end()


def paint_plot(painter: QPainter, target: QRectF, plot: Plot) -> None:
    """Draw title, legend and plot into `target`, scaled as a whole; for pictures, films and pages alike."""
    size = QSize(plot.widget.width(), plot.widget.height() + TITLE_HEIGHT)
    painter.save()
    painter.translate(target.topLeft())
    painter.scale(target.width() / size.width(), target.height() / size.height())
    palette = plot.palette()
    painter.fillRect(QRectF(QPointF(), QSizeF(size)), palette.color(QPalette.ColorRole.Base))
    font = plot.name.font()
    painter.setFont(font)
    painter.setPen(palette.color(QPalette.ColorRole.Text))
    words = (plot.name.text(), plot.choice.currentText(), plot.hint.text())
    title = "   ".join(word for word in words if word)
    painter.drawText(QRectF(8, 0, size.width() - 16, TITLE_HEIGHT), Qt.AlignmentFlag.AlignVCenter, title)
    room = painter.fontMetrics().horizontalAdvance(title) + 24
    painter.setFont(plot.legend.font())
    painter.save()
    painter.translate(room, 0)
    paint_entries(painter, plot.legend.entries, max(0.0, size.width() - room - 8), TITLE_HEIGHT, palette)
    painter.restore()
    area = QRectF(0, TITLE_HEIGHT, size.width(), size.height() - TITLE_HEIGHT)
    plot.widget.render(painter, area, plot.widget.rect())
    painter.restore()
