"""What a person can choose about an exported film or picture, as one form."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from assets.errors import BadInput, Range
from assets.fields import Data
from gui.app.view import THEMES
from gui.qt.dialogs.ask_file import ask_file
from gui.qt.export.format import find_format, formats, target_of
from gui.qt.export.layout import layouts
from gui.qt.export.settings import ExportSettings, size_of
from gui.qt.widgets.segmented import Segmented
from scene.camera import PRESETS
from scene.format import FilmFormat, Format, MotionFormat, StillFormat

SIZES = {
    "1280 × 720": "HD",
    "1920 × 1080": "Full HD",
    "2560 × 1440": "QHD",
    "3840 × 2160": "4K",
    "1080 × 1080": "square",
    "1080 × 1920": "upright",
}
RATES = ("24", "25", "30", "50", "60")
SPEEDS = ("0.1", "0.25", "0.5", "1", "2", "4")
POSES = {"none": "", "0.02": "", "0.05": "", "0.1": "", "0.2": "", "0.5": ""}
LOOPS = {"forever": "", "1": "", "2": "", "3": ""}
QUALITIES = {"low": "Low", "medium": "Medium", "high": "High"}
THEME_TITLES = {name: name.capitalize() for name in THEMES}


class ExportForm(QWidget):
    """The form; `settings()` reads it.

    Args:
        still: whether a picture is exported instead of a film.
        file: where to, at first.
        span: first and last time of the run [s].
        theme: the window's theme.
        title: the scenario's title.
        window_size: the 3D view's size, offered among the sizes [px].

    Signals:
        changed: something was chosen.
    """

    changed = Signal()

    def __init__(
        self,
        *,
        still: bool,
        file: Path,
        span: tuple[float, float],
        theme: str,
        title: str,
        window_size: tuple[int, int],
    ) -> None:
        super().__init__()
        self.still, self.span = still, span
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.setVerticalSpacing(8)
        self.form.setHorizontalSpacing(14)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.format = self._choice("Format", {format.suffix: format.label for format in formats_of(still)})
        self.file = QLineEdit(str(file))
        self._file_row()
        shown = f"{window_size[0]} × {window_size[1]}"
        self.frame_size = self._words("Size", {**SIZES, shown: "as in the window"}, "1280 × 720", "px")
        self.layout_keys = self._segments("Layout", {key: layout.title for key, layout in layouts().items()}, "scene")
        self.camera = self._choice("Camera", {"": "As in the window", **{key: key.capitalize() for key in PRESETS}})
        self.quality = self._segments("Quality", QUALITIES, "medium")
        self.theme = self._segments("Theme", THEME_TITLES, theme if theme in THEMES else "light")
        if not still:
            self._film_rows()
        self.strobe = self._words("Earlier poses", POSES, "none", "s apart")
        self.title = QLineEdit(title)
        self.title.setPlaceholderText("no title")
        self.caption = QCheckBox("Title, legend and time")
        self.caption.setChecked(True)
        self.transparent = QCheckBox("Transparent background")
        self._row("Title", self.title)
        self._row("", self.caption)
        self._row("", self.transparent)
        self.title.textChanged.connect(self.changed)
        self.caption.toggled.connect(self.changed)
        self.transparent.toggled.connect(self.changed)
        self.fields: dict[str, QWidget] = {
            "size": self.frame_size,
            "layout": self.layout_keys,
            "camera": self.camera,
            "quality": self.quality,
            "strobe": self.strobe,
            "caption": self.caption,
            "transparent": self.transparent,
        }
        if not still:
            self.fields["loop"] = self.loop
        self.format.activated.connect(self._format_chosen)
        self.file.textChanged.connect(self._file_typed)
        self._file_typed()

    def settings(self, at: float) -> ExportSettings:
        """The choices that the format takes; `at` is the time of a still [s].

        Raises:
            BadInput: naming what cannot be used, and what can.
        """
        file = self.file.text()
        heeded = find_format(target_of(file)[1]).settings
        given = {name: read(self) for name, read in READERS.items() if name in heeded}
        if self.still:
            given["at"] = at
            if given["strobe"]:
                given["start"] = self.span[0]
        else:
            given |= {"start": number("from", self.start.text()), "end": number("to", self.end.text())}
        made = ExportSettings.chosen(file, given)
        made.check()
        return made

    def remembered(self) -> Data:
        """The choices to remember for the next time, as JSON values."""
        kept = {
            "size": self.frame_size.currentText(),
            "layout": self.layout_keys.choice(),
            "quality": self.quality.choice(),
        }
        if not self.still:
            kept |= {"format": self.format.currentData(), "fps": self.fps.currentText()}
        return kept

    def restore(self, kept: Data) -> None:
        """Restore earlier choices that are still available."""
        for segments, name in ((self.layout_keys, "layout"), (self.quality, "quality")):
            if kept.get(name) in segments.buttons:
                segments.show_choice(kept[name])
        if isinstance(kept.get("size"), str):
            self.frame_size.setCurrentText(kept["size"])
        if not self.still and self.format.findData(kept.get("format")) >= 0:
            self.format.setCurrentIndex(self.format.findData(kept["format"]))
            self._format_chosen()
        if not self.still and isinstance(kept.get("fps"), str):
            self.fps.setCurrentText(kept["fps"])

    # -- inside --------------------------------------------------------------------------------------------------------

    def _film_rows(self) -> None:
        self.fps = self._words("Frames", dict.fromkeys(RATES, ""), "30", "per second")
        self.speed = self._words("Speed", dict.fromkeys(SPEEDS, ""), "1", "simulated seconds per second")
        self.start, self.end = QLineEdit(f"{self.span[0]:g}"), QLineEdit(f"{self.span[1]:g}")
        self.loop = self._words("Repeat", LOOPS, "forever", "times")
        self._loop_row = self.form.rowCount() - 1
        row = QHBoxLayout()
        for widget in (self.start, QLabel("to"), self.end, QLabel("s")):
            row.addWidget(widget)
        for field, name in ((self.start, "From"), (self.end, "To")):
            field.setAccessibleName(f"{name} [s]")
            field.textChanged.connect(self.changed)
        holder = QWidget()
        holder.setLayout(row)
        row.setContentsMargins(0, 0, 0, 0)
        self._row("From", holder)

    def _file_row(self) -> None:
        browse = QPushButton("Choose…")
        browse.setToolTip("Choose the folder and the name")
        browse.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.file, 1)
        row.addWidget(browse)
        holder = QWidget()
        holder.setLayout(row)
        self.file.setAccessibleName("File")
        self._row("File", holder)

    def _row(self, label: str, field: QWidget) -> None:
        self.form.addRow(QLabel(label), field)
        if label and not field.accessibleName():
            field.setAccessibleName(label)

    def _choice(self, label: str, choices: dict[str, str]) -> QComboBox:
        box = QComboBox()
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for key, text in choices.items():
            box.addItem(text, key)
        box.activated.connect(self.changed)
        self._row(label, box)
        return box

    def _words(self, label: str, choices: dict[str, str], first: str, unit: str) -> QComboBox:
        """A number (or a size) that can be typed, with common values to choose from."""
        box = QComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for text, meaning in choices.items():
            box.addItem(text)
            box.setItemData(box.count() - 1, meaning, 3)
        box.setCurrentText(first)
        box.currentTextChanged.connect(self.changed)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(box, 1)
        row.addWidget(QLabel(unit))
        holder = QWidget()
        holder.setLayout(row)
        box.setAccessibleName(f"{label} [{unit}]")
        self._row(label, holder)
        return box

    def _segments(self, label: str, choices: dict[str, str], first: str) -> Segmented:
        segments = Segmented(choices, label)
        segments.show_choice(first)
        segments.chosen.connect(self.changed)
        self._row(label, segments)
        return segments

    def _format_chosen(self) -> None:
        suffix = self.format.currentData()
        path = self.file.text().strip().rstrip("/")
        stem = path[: -len(Path(path).suffix)] if Path(path).suffix else path
        self.file.setText(stem + suffix)

    def _file_typed(self) -> None:
        text = self.file.text().strip()
        suffix = "/" if text.endswith("/") else Path(text).suffix.lower()
        with QSignalBlocker(self.format):
            index = self.format.findData(suffix)
            if index >= 0:
                self.format.setCurrentIndex(index)
        try:
            kind = find_format(target_of(text)[1])
        except BadInput:
            self.changed.emit()
            return
        for name, field in self.fields.items():
            field.setEnabled(name in kind.settings)
            field.setToolTip("" if name in kind.settings else f"Not available for {kind.suffix}")
        if not self.still:
            self.form.setRowVisible(self._loop_row, "loop" in kind.settings)
        if not self.transparent.isEnabled():
            self.transparent.setChecked(False)
        self.changed.emit()

    def _browse(self) -> None:
        offered = [format for format in formats_of(self.still) if format.suffix == self.format.currentData()]
        ask_file(self, "Export to", Path(self.file.text()), offered, lambda file: self.file.setText(str(file)))


def _repeats(form: ExportForm) -> int:
    text = form.loop.currentText()
    return 0 if text == "forever" else whole("loop", text)


def _poses(form: ExportForm) -> float:
    text = form.strobe.currentText().strip()
    return 0.0 if text in ("", "none") else number("poses", text)


READERS: dict[str, Callable[[ExportForm], Any]] = {
    "size": lambda form: size_of(form.frame_size.currentText()),
    "fps": lambda form: number("fps", form.fps.currentText()),
    "speed": lambda form: number("speed", form.speed.currentText()),
    "strobe": _poses,
    "quality": lambda form: form.quality.choice(),
    "camera": lambda form: form.camera.currentData(),
    "layout": lambda form: form.layout_keys.choice(),
    "caption": lambda form: form.caption.isChecked(),
    "title": lambda form: form.title.text().strip(),
    "transparent": lambda form: form.transparent.isChecked(),
    "theme": lambda form: form.theme.choice(),
    "loop": _repeats,
}
"""The texts of the fields."""


def formats_of(still: bool) -> list[Format]:
    """The formats on offer: those of a picture of the scene, or those of a film or a motion."""
    kinds = (StillFormat,) if still else (FilmFormat, MotionFormat)
    return [format for format in formats().values() if isinstance(format, kinds)]


def default_file(folder: str, name: str, suffix: str) -> Path:
    """An unused name in `folder`: arm.mp4, arm-2.mp4, ..."""
    stem = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name).strip() or "armstep"
    for count in range(1, 1000):
        file = Path(folder) / f"{stem}{'' if count == 1 else f'-{count}'}{suffix}"
        if not os.path.lexists(file):
            return file
    return Path(folder) / f"{stem}{suffix}"


def number(what: str, text: str) -> float:
    """The number in `text`, with a decimal point or comma. Raises BadInput naming `what`."""
    try:
        return float(text.strip().rstrip("×").replace(",", "."))
    except ValueError:
        raise BadInput(what, text, Range()) from None


def whole(what: str, text: str) -> int:
    """The whole number in `text`. Raises BadInput naming `what`."""
    try:
        return int(text.strip())
    except ValueError:
        raise BadInput(what, text, Range(whole=True)) from None
