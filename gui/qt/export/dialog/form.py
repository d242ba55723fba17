"""What a person can choose about an exported film or picture, as one form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QWidget

from assets.errors import BadInput
from gui.app.view import THEMES
from gui.qt.export.dialog.rows import Chosen, ExportRows, number, number_or, whole
from gui.qt.export.format import find_format, formats_of, target_of
from gui.qt.export.layout import layouts
from gui.qt.export.settings import ExportSettings, size_of
from gui.qt.widgets.parts import WrittenLine
from scene.camera import PRESETS
from scene.picture import QUALITIES

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
NO_POSES, FOREVER = "none", "forever"
POSES = {NO_POSES: "", "0.02": "", "0.05": "", "0.1": "", "0.2": "", "0.5": ""}
LOOPS = {FOREVER: "", "1": "", "2": "", "3": ""}
QUALITY_TITLES = {name: name.capitalize() for name in QUALITIES}
THEME_TITLES = {name: name.capitalize() for name in THEMES}


class ExportForm(ExportRows):
    """The form; `settings()` reads it.

    Args:
        still: whether a picture is exported instead of a film.
        file: where to, at first.
        span: first and last time of the run [s].
        theme: the window's theme.
        title: the scenario's title.
        window_size: the 3D view's size, offered among the sizes [px].
        pace: the speed of the window's playback, which a film has at first.
    """

    def __init__(
        self,
        *,
        still: bool,
        file: Path,
        span: tuple[float, float],
        theme: str,
        title: str,
        window_size: tuple[int, int],
        pace: float = 1.0,
    ) -> None:
        super().__init__(file, span, formats_of("picture" if still else "animation"))
        self.still = still
        shown = f"{window_size[0]} × {window_size[1]}"
        self.frame_size = self._words(
            "Size", {**SIZES, shown: "as in the window"}, "1280 × 720", "px", "Width and height", "size"
        )
        titles = {key: layout.title for key, layout in layouts().items()}
        self.layout_keys = self._segments("Layout", titles, "scene", "What stands beside the arm")
        cameras = {"": "As in the window", **{key: key.capitalize() for key in PRESETS}}
        self.camera = self._choice("Camera", cameras, "Seen as in the window now, or whole from a side")
        self.quality = self._segments("Quality", QUALITY_TITLES, "medium", "Smoothness of edges and shadows")
        self.theme = self._segments("Theme", THEME_TITLES, theme if theme in THEMES else "light", "Colours")
        if not still:
            self._film_rows(pace)
        self.strobe = self._words(
            "Earlier poses", POSES, NO_POSES, "s apart", "Earlier poses of the arm in the same picture", "strobe"
        )
        self.title = WrittenLine(title)
        self.title.setPlaceholderText("no title")
        self.caption = QCheckBox("Title, legend and time")
        self.caption.setChecked(True)
        self.transparent = QCheckBox("Transparent background")
        self._row("Title", self.title, "Written above the picture")
        self._row("", self.caption, "Write title, legend and time into the picture")
        self._row("", self.transparent, "Leave out sky and ground")
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
        # A scenario is seen from where the window sees it, until a person says otherwise for this one.
        self.kept = {name: field for name, field in self.fields.items() if field is not self.camera}
        if not still:
            self.fields["loop"] = self.loop
            self.kept |= {"format": self.format, "fps": self.fps, "loop": self.loop}
        self.own = {"title": self.title, "file": self.file, "camera": self.camera}
        if not still:
            self.own |= {"from": self.start, "to": self.end, "speed": self.speed}
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
            start, end = self._typed_span()
            given |= {
                "start": self.span[0] if start is None else start,
                "end": self.span[1] if end is None else end,
            }
        made = ExportSettings.chosen(file, given)
        made.check()
        return made

    def alone(self) -> Iterator[Callable[[], object]]:
        file = self.file.text()
        try:
            heeded = find_format(target_of(file)[1]).settings
        except BadInput:
            file = f"file{self.format.currentData()}"
            heeded = find_format(target_of(file)[1]).settings
        for name, read in READERS.items():
            if name in heeded:
                yield lambda name=name, read=read: ExportSettings.chosen(file, {name: read(self)}).check()
        if not self.still:
            yield from self._ends_alone()

    def restore(self, kept: dict[str, Chosen]) -> None:
        super().restore(kept)
        self._format_chosen()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _film_rows(self, pace: float) -> None:
        self.fps = self._words(
            "Frames", dict.fromkeys(RATES, ""), "30", "per second", "Pictures in a second of the film", "fps"
        )
        self.speed = self._words(
            "Speed",
            dict.fromkeys(SPEEDS, ""),
            f"{pace:g}",
            "simulated seconds per second",
            "As the window plays at first; 2 is twice as fast as the motion",
            "speed",
        )
        self.loop = self._words("Repeat", LOOPS, FOREVER, "times", "How often the film repeats itself", "loop")
        self._loop_row = self.form.rowCount() - 1
        self._span_row()

    def _file_typed(self) -> None:
        text = self.file.text().strip()
        suffix = "/" if text.endswith("/") else Path(text).suffix.lower()
        self._show_format(suffix)
        try:
            kind = find_format(target_of(text)[1])
        except BadInput:
            self.changed.emit()
            return
        tips = {name: field.accessibleDescription() for name, field in self.fields.items()}
        for name, field in self.fields.items():
            field.setEnabled(name in kind.settings)
            field.setToolTip(tips[name] if name in kind.settings else f"Not available for {kind.suffix}")
        if not self.still:
            self.form.setRowVisible(self._loop_row, "loop" in kind.settings)
        if not self.transparent.isEnabled():
            self.transparent.setChecked(False)
        self.changed.emit()


READERS: dict[str, Callable[[ExportForm], object]] = {
    "size": lambda form: size_of(form.frame_size.currentText()),
    "fps": lambda form: number("fps", form.fps.currentText()),
    "speed": lambda form: number("speed", form.speed.currentText()),
    "strobe": lambda form: number_or(NO_POSES, number, "strobe", form.strobe.currentText()),
    "quality": lambda form: form.quality.choice(),
    "camera": lambda form: form.camera.currentData(),
    "layout": lambda form: form.layout_keys.choice(),
    "caption": lambda form: form.caption.isChecked(),
    "title": lambda form: form.title.text().strip(),
    "transparent": lambda form: form.transparent.isChecked(),
    "theme": lambda form: form.theme.choice(),
    "loop": lambda form: int(number_or(FOREVER, whole, "loop", form.loop.currentText())),
}
"""How each setting is read from its field."""
