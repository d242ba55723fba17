"""The form of an exported figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QMenu, QPushButton, QWidget

from assets.errors import ArmstepError, BadInput
from gui.app.documents import Result
from gui.charts.choice import panel_choices
from gui.charts.figure_style import (
    FIGURE_THEMES,
    PARTS,
    FigureStyle,
    find_figure_style,
    keep_style,
    length,
    style_names,
)
from gui.charts.figures.panels import Panels, file_panels, of_runs
from gui.qt.dialogs.ask_file import ask_open
from gui.qt.export.dialog.rows import ExportRows, number, number_or, show_value, whole
from gui.qt.export.format import NoFormat, formats_of, target_of
from gui.qt.export.settings import USUAL_STYLE, ExportSettings
from gui.qt.widgets.parts import WrittenLine, bare, push_button, side_by_side

WIDTHS = {"85": "a column", "120": "", "180": "a page", "254": "a slide"}
AUTOMATIC, KEEP = "automatic", "Keep"
HEIGHTS = {AUTOMATIC: "", "60": "", "100": "", "143": "a slide"}
RESOLUTIONS = {"192": "", "300": "", "600": ""}
FONTS = {"serif 9": "", "serif 8": "", "sans 9": "", "sans 10": "", "sans 16": ""}
TO_ADD = "Maps, measurements, scenarios (*.npz *.csv *.armstep *.json);;Anything made by Armstep (*)"
FORBIDDEN = ",()"
"""What separates panels."""

PART_TIPS = {
    "names": "Write the plots' names",
    "letters": "Number the panels a, b, c",
    "caption": "Write the scenario and the runs below the figure",
    "playhead": "Draw the time of the playhead",
}


class FigureForm(ExportRows):
    """The form; `settings()` reads it.

    Args:
        file: where to, at first.
        span: first and last time that are shown [s].
        ranged: whether that is a part of the run, which a person chose.
        title: the scenario's title.
        panels: what can be a panel, in groups by their headings: texts and titles.
        chosen: the texts of those that the window shows.

    Signals:
        refused: (trouble) why a style cannot be used or kept, or a file not be added.
    """

    refused = Signal(object)

    def __init__(
        self,
        *,
        file: Path,
        span: tuple[float, float],
        ranged: bool,
        title: str,
        panels: Panels,
        chosen: Sequence[str],
    ) -> None:
        super().__init__(file, span, formats_of("plots"))
        self.offered_panels, self.ranged = panels, ranged
        self._look_rows()
        self._content_rows(title, chosen)
        self._keep_choices()
        self.format.activated.connect(self._format_chosen)
        self.file.textChanged.connect(self._file_typed)
        self.style_name.activated.connect(self._style_chosen)
        self.show_style(find_figure_style(USUAL_STYLE))

    def settings(self, at: float) -> ExportSettings:
        """The choices; `at` is where the playhead stands [s], if the figure shows it or the arm at that time.

        Raises:
            BadInput: for a setting that cannot be used; names it.
        """
        style, (start, end) = self.style_now(), self._shown_part()
        asked = style.shows("playhead") or any(panel.still for panel in panel_choices(self.panels.text()))
        made = ExportSettings(
            *target_of(self.file.text()),
            title=self.title.text().strip(),
            theme=style.theme,
            start=start,
            end=end,
            at=at if asked else None,
            style=USUAL_STYLE,
            width=style.width,
            height=style.height,
            font=style.font,
            plots=self.panels.text().strip(),
            columns=style.columns,
            show=",".join(style.show),
            ranges=self.ranges.text().strip(),
            dpi=style.dpi,
            outlines=self.outlines.isEnabled() and self.outlines.isChecked(),
        )
        if not made.figure:
            raise NoFormat(self.file.text(), [one.suffix for one in self.offered])
        made.check()
        return made

    def alone(self) -> Iterator[Callable[[], object]]:
        for name, read in READERS.items():
            yield lambda name=name, read=read: FigureStyle().changed({name: read(self)})
        for one in ({"plots": self.panels.text().strip()}, {"ranges": self.ranges.text().strip()}):
            yield lambda one=one: ExportSettings.chosen(self.file.text(), {"style": USUAL_STYLE, **one}).check()
        yield from self._ends_alone()

    def style_now(self) -> FigureStyle:
        """The style that the fields describe. Raises BadInput for a value that cannot be used."""
        return FigureStyle(**{name: read(self) for name, read in READERS.items()})

    def show_style(self, style: FigureStyle) -> None:
        """Fill the fields with a style."""
        with QSignalBlocker(self):
            self.width_box.setCurrentText(f"{style.width:g}")
            self.height_box.setCurrentText(f"{style.height:g}" if style.height else AUTOMATIC)
            self.font_box.setCurrentText(style.font)
            self.theme.show_choice(style.theme)
            if str(style.columns) in self.columns.buttons:
                self.columns.show_choice(str(style.columns))
            self.dpi.setCurrentText(f"{style.dpi:g}")
            for part, box in self.parts.items():
                box.setChecked(style.shows(part))
        self.changed.emit()

    def restore(self, kept: dict[str, str | bool]) -> None:
        show_value(self.style_name, kept.get("figure_style", USUAL_STYLE))
        self._style_chosen()
        super().restore(kept)
        self._format_chosen()

    # -- inside --------------------------------------------------------------------------------------------------------

    def _look_rows(self) -> None:
        """How the figure looks: what a style has."""
        self.style_name = self._words(
            "Style", dict.fromkeys(style_names(), ""), USUAL_STYLE, "", "A named set of the choices below", "style"
        )
        self.keep = push_button(KEEP, "Keep these choices as a style with that name", self._keep)
        self.changed.connect(lambda: self.keep.setText(KEEP))
        self.style_name.parentWidget().layout().addWidget(self.keep)
        self.width_box = self._words("Width", WIDTHS, "254", "mm", "Width of the figure", "width")
        self.height_box = self._words("Height", HEIGHTS, AUTOMATIC, "mm", "Height of the figure", "height")
        self.font_box = self._words("Font", FONTS, "sans 9", "pt", "Family and size of the type", "font")
        themes = {name: name.capitalize() for name in FIGURE_THEMES}
        self.theme = self._segments("Theme", themes, FIGURE_THEMES[0], "Colours; mono is black and grey")
        columns = {str(n): str(n) for n in range(1, 5)}
        self.columns = self._segments("Columns", columns, "1", "How many panels stand side by side")
        self.dpi = self._words("Pictures", RESOLUTIONS, "192", "dots per inch", "Resolution of pictures", "dpi")

    def _content_rows(self, title: str, chosen: Sequence[str]) -> None:
        """What the figure shows."""
        self.panels = WrittenLine(", ".join(chosen))
        self.panels.setPlaceholderText("the plots in the window")
        self._panels_row()
        self.ranges = WrittenLine()
        self.judged["ranges"] = "Ranges", self.ranges
        self.ranges.setPlaceholderText("error=1e-9:1e-3")
        self._row("Ranges", self.ranges, "Ranges of axes by panel, such as error=1e-9:1e-3, phase-plane.x=0:1")
        self.parts = {part: QCheckBox(part.capitalize()) for part in PARTS}
        self._parts_row()
        self.title = WrittenLine(title)
        self._row("Title", self.title, "Written above the figure")
        self._span_row()
        self.outlines = QCheckBox("Text as shapes")
        self._row("", self.outlines, "SVG: the text needs no font, but cannot be searched or edited")
        self.outlines.toggled.connect(self.changed)
        for field in (self.panels, self.ranges, self.title):
            field.textChanged.connect(self.changed)

    def _keep_choices(self) -> None:
        """Which choices the next figure has, too, and which are this one's own."""
        self.kept = {
            "figure_style": self.style_name,
            "figure_format": self.format,
            "figure_width": self.width_box,
            "figure_height": self.height_box,
            "figure_font": self.font_box,
            "figure_theme": self.theme,
            "figure_columns": self.columns,
            "figure_dpi": self.dpi,
            "figure_outlines": self.outlines,
            **{f"figure_{part}": box for part, box in self.parts.items()},
        }
        self.own = {"panels": self.panels, "ranges": self.ranges, "title": self.title}
        self.own |= {"from": self.start, "to": self.end, "file": self.file}

    def _shown_part(self) -> tuple[float | None, float | None]:
        """From and to [s]; None for the run's own, and where no panel shows it. Raises BadInput for no number."""
        start, end = self._typed_span()
        panels = panel_choices(self.panels.text())
        if self.ranged and (not panels or any(of_runs(panel) and not panel.owner for panel in panels)):
            first, last = self.span
            return first if start is None else start, last if end is None else end
        return start, end

    def _style_chosen(self) -> None:
        name = self.style_name.currentText().strip()
        if name not in style_names():
            return
        try:
            self.show_style(find_figure_style(name))
        except ArmstepError as trouble:
            self.refused.emit(trouble)

    def _keep(self) -> None:
        name = self.style_name.currentText().strip()
        try:
            keep_style(name, self.style_now())
        except ArmstepError as trouble:
            self.refused.emit(trouble)
            return
        self.keep.setText("Kept")
        with QSignalBlocker(self.style_name):
            if self.style_name.findText(name) < 0:
                self.style_name.addItem(name)
            show_value(self.style_name, name)

    def _panels_row(self) -> None:
        add = QPushButton("Add")
        add.setToolTip("Add a plot, a picture of the arm at the time of the slider, a map, a figure of a study")
        self.menu = menu = QMenu(add)
        self._offer_panels(menu, self.offered_panels)
        menu.addSeparator()
        menu.addAction("From a file…", self._ask_panel)
        add.setMenu(menu)
        self.judged |= {"plots": ("Panels", self.panels), "time": ("Time", self.panels)}
        self.panels.setAccessibleName("Panels")
        self.panels.setToolTip("The plots and pictures of the figure, by key")
        self._row("Panels", side_by_side(self.panels, add))

    def _offer_panels(self, menu: QMenu, panels: Panels) -> None:
        for text, title in panels.items():
            if isinstance(title, str):
                menu.addAction(title, partial(self.add_panel, text))
            else:
                self._offer_panels(menu.addMenu(text), title)

    def add_panel(self, key: str) -> None:
        """Add a panel."""
        text = self.panels.text().strip().rstrip(",")
        self.panels.setText(f"{text}, {key}" if text else key)

    def _ask_panel(self) -> None:
        ask_open(self, "Add a map or a work-precision diagram", TO_ADD, self.add_file)

    def add_file(self, file: Path) -> None:
        """Add the map and the work-precision diagram that a file holds."""
        from gui.qt.export.inside import scenario_of

        try:
            results = [Result.read(one) for one in scenario_of(str(file)).results]
            texts = file_panels(str(file), results)
            if not texts:
                raise BadInput("file", str(file), "one that holds a map or a work-precision diagram")
            if not set(FORBIDDEN).isdisjoint(str(file)):
                raise BadInput("file", str(file), f"a name without {' '.join(FORBIDDEN)}")
        except ArmstepError as trouble:
            self.refused.emit(trouble)
            return
        for text in texts:
            self.add_panel(text)

    def _parts_row(self) -> None:
        holder = QWidget()
        grid = bare(QGridLayout(holder))
        for index, (part, box) in enumerate(self.parts.items()):
            box.setToolTip(PART_TIPS.get(part, f"Show the {part}"))
            box.toggled.connect(self.changed)
            grid.addWidget(box, index // 3, index % 3)
        self._row("Show", holder)

    def _file_typed(self) -> None:
        suffix = Path(self.file.text().strip()).suffix.lower()
        self.outlines.setEnabled(any(one.suffix == suffix and "outlines" in one.settings for one in self.offered))
        self._show_format(suffix)
        self.changed.emit()


READERS: dict[str, Callable[[FigureForm], Any]] = {
    "width": lambda form: length("width", form.width_box.currentText()),
    "height": lambda form: number_or(AUTOMATIC, length, "height", form.height_box.currentText()),
    "font": lambda form: form.font_box.currentText().strip(),
    "theme": lambda form: form.theme.choice(),
    "columns": lambda form: whole("columns", form.columns.choice()),
    "show": lambda form: tuple(part for part, box in form.parts.items() if box.isChecked()),
    "dpi": lambda form: number("dpi", form.dpi.currentText()),
}
"""How each setting of a style is read from its field."""
