"""What a person can choose about an exported film or picture, as one form."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from assets.errors import BadInput, Range
from gui.qt.export.exporter import HAND_OUTS, ExportSettings, size_of
from gui.qt.export.layout import layouts
from gui.qt.widgets.segmented import Segmented
from scene.camera import PRESETS

FILMS = {
    ".mp4": "MP4 video, plays everywhere",
    ".webm": "WebM video, for web pages",
    ".gif": "GIF, for messages",
    ".webp": "Animated WebP, true colour",
    "/": "Numbered PNG pictures",
    ".html": "Web page that moves, to hand out",
    ".glb": "GLB model that moves, for Blender and slides",
}
STILLS = {".png": "PNG picture"}
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
LOOPS = {"for ever": "", "1": "", "2": "", "3": ""}
QUALITIES = {"low": "Low", "medium": "Medium", "high": "High"}
THEMES = {"light": "Light", "dark": "Dark", "projector": "Projector"}


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
        self.format = self._choice("Format", STILLS if still else FILMS)
        self.file = QLineEdit(str(file))
        self._file_row()
        shown = f"{window_size[0]} × {window_size[1]}"
        self.frame_size = self._words("Size", {**SIZES, shown: "as in the window"}, "1280 × 720", "px")
        self.layout_keys = self._segments("Layout", {key: layout.title for key, layout in layouts().items()}, "scene")
        self.camera = self._choice("Camera", {"": "As in the window", **{key: key.capitalize() for key in PRESETS}})
        self.quality = self._segments("Quality", QUALITIES, "medium")
        self.theme = self._segments("Theme", THEMES, theme if theme in THEMES else "light")
        if not still:
            self._film_rows()
        self.strobe = self._words("Earlier poses", POSES, "none", "s apart")
        self.title = QLineEdit(title)
        self.title.setPlaceholderText("no title")
        self.caption = QCheckBox("Title, legend and time")
        self.caption.setChecked(True)
        self.transparent = QCheckBox("Clear background")
        self._row("Title", self.title)
        self._row("", self.caption)
        self._row("", self.transparent)
        self.title.textChanged.connect(self.changed)
        self.caption.toggled.connect(self.changed)
        self.transparent.toggled.connect(self.changed)
        self.format.activated.connect(self._format_chosen)
        self.file.textChanged.connect(self._file_typed)
        self._file_typed()

    def settings(self, at: float) -> ExportSettings:
        """What was chosen; `at` is the instant of a still or a preview [s].

        Raises:
            BadInput: naming what cannot be used, and what can.
        """
        numbers: dict[str, Any] = {}
        if not self.still:
            numbers = {
                "fps": number("frames per second", self.fps.currentText()),
                "speed": number("speed", self.speed.currentText()),
                "start": number("from", self.start.text()),
                "end": number("to", self.end.text()),
                "loop": 0 if self.loop.currentText() == "for ever" else whole("loop", self.loop.currentText()),
            }
        strobe = self.strobe.currentText().strip()
        if strobe not in ("", "none"):
            numbers["strobe"] = number("poses", strobe)
            numbers.setdefault("start", self.span[0])
        made = ExportSettings(
            file=Path(self.file.text().strip()).expanduser(),
            size=size_of(self.frame_size.currentText()),
            at=at,
            quality=self.quality.choice(),  # type: ignore[arg-type]
            camera=self.camera.currentData(),
            layout=self.layout_keys.choice(),
            caption=self.caption.isChecked(),
            title=self.title.text().strip(),
            transparent=self.transparent.isChecked(),
            theme=self.theme.choice(),
            **numbers,
        )
        made.check()
        return made

    def remembered(self) -> dict[str, Any]:
        """The choices that are worth keeping for the next time, as JSON values."""
        kept = {
            "size": self.frame_size.currentText(),
            "layout": self.layout_keys.choice(),
            "quality": self.quality.choice(),
        }
        if not self.still:
            kept |= {"format": self.format.currentData(), "fps": self.fps.currentText()}
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Take up earlier choices, as far as they can still be chosen."""
        for segments, name in ((self.layout_keys, "layout"), (self.quality, "quality")):
            if kept.get(name) in segments.buttons:
                segments.show_choice(kept[name])
        if isinstance(kept.get("size"), str):
            self.frame_size.setCurrentText(kept["size"])
        if not self.still and kept.get("format") in FILMS:
            self.format.setCurrentIndex(self.format.findData(kept["format"]))
            self._format_chosen()
        if not self.still and isinstance(kept.get("fps"), str):
            self.fps.setCurrentText(kept["fps"])

    # -- inside --------------------------------------------------------------------------------------------------------

    def _film_rows(self) -> None:
        self.fps = self._words("Frames", dict.fromkeys(RATES, ""), "30", "per second")
        self.speed = self._words("Speed", dict.fromkeys(SPEEDS, ""), "1", "simulated seconds per second")
        self.start, self.end = QLineEdit(f"{self.span[0]:g}"), QLineEdit(f"{self.span[1]:g}")
        self.loop = self._words("Repeat", LOOPS, "for ever", "times")
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
        suffix = Path(text).suffix.lower() or "/"
        with QSignalBlocker(self.format):
            index = self.format.findData(suffix)
            if index >= 0:
                self.format.setCurrentIndex(index)
        if not self.still:
            self.loop.setEnabled(suffix in (".gif", ".webp"))
            self.form.setRowVisible(self._loop_row, suffix in (".gif", ".webp"))
        drawn = suffix not in HAND_OUTS
        for field in (self.frame_size, self.layout_keys, self.camera, self.quality, self.strobe, self.caption):
            field.setEnabled(drawn)
            field.setToolTip("" if drawn else "Whoever opens the file chooses how it is seen")
        keeps = drawn and suffix != ".mp4"
        self.transparent.setEnabled(keeps)
        self.transparent.setToolTip("" if keeps else "WebM, WebP, GIF and PNG can have a clear background")
        if not keeps:
            self.transparent.setChecked(False)
        self.changed.emit()

    def _browse(self) -> None:
        patterns = {f"{text} (*{'' if suffix == '/' else suffix})": suffix for suffix, text in self._formats().items()}
        chosen = next(
            (p for p, suffix in patterns.items() if suffix == self.format.currentData()), next(iter(patterns))
        )
        dialog = QFileDialog(self, "Export to", self.file.text(), ";;".join(patterns))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectNameFilter(chosen)
        suffix = patterns[chosen]
        dialog.setDefaultSuffix("" if suffix == "/" else suffix[1:])
        dialog.fileSelected.connect(self.file.setText)
        dialog.open()

    def _formats(self) -> dict[str, str]:
        return STILLS if self.still else FILMS


def default_file(folder: str, name: str, suffix: str) -> Path:
    """A name in `folder` that nothing has yet: arm.mp4, arm-2.mp4, ..."""
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
