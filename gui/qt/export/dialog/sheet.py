"""The sheet that exports a film or a picture: a form, and a preview of the file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, QStandardPaths, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from assets.errors import ArmstepError
from gui.app.lessons.predictions import made_predictions
from gui.app.units import clock, duration
from gui.charts.figures.panels import panels_for
from gui.charts.registry import plots_with_curves
from gui.qt.dialogs.ask_file import folders, of_program, usual_folder
from gui.qt.dialogs.sheets import BORDER, MARGIN, SIDE, WIDE, Sheet
from gui.qt.export.dialog.figure_form import FigureForm
from gui.qt.export.dialog.form import ExportForm
from gui.qt.export.dialog.preview import LEAST, Preview
from gui.qt.export.dialog.rows import default_file
from gui.qt.export.dialog.settings_scroll import SettingsScroll
from gui.qt.export.format import formats_of, left_out
from gui.qt.export.render_process import RenderProcess
from gui.qt.export.request import ExportRequest
from gui.qt.export.settings import ExportSettings
from gui.qt.style.theme import look, role
from gui.qt.widgets.parts import push_button
from gui.qt.widgets.quiet import QuietSlider, RoleLabel
from gui.qt.window.bridge import subscribe
from scene.format import FilmFormat, StillFormat

if TYPE_CHECKING:
    from gui.app.documents import Result
    from gui.app.session.session import Session

STEPS = 1000
PAUSE_MS = 250
"""A preview is drawn when nothing has changed for this long."""

APART = 24
"""The space between the picture and the settings [px]."""

MOST_FORM = WIDE - 2 * (MARGIN + BORDER + SIDE) - APART - LEAST.width()
"""How wide the settings may ask to be [px]: in a window of 1280 px all that the least picture leaves."""


TITLES = {"animation": "Export an animation", "picture": "Export a picture", "plots": "Export a figure"}

Pace = tuple[str, tuple[int, int], str, str, bool, float]


def pace_of(settings: ExportSettings) -> Pace:
    """The settings that decide the time of a frame."""
    return (
        settings.format,
        settings.size,
        settings.quality,
        settings.layout,
        settings.transparent,
        settings.strobe,
    )


class ExportSheet(Sheet):
    """Form, preview, and a button that begins the export.

    Args:
        window: the window to cover.
        session: whose runs and view are exported.
        kind: `animation`, `picture` or `plots`.
        window_size: the 3D view's size [px].
        order: called with (process, request) when the person starts the export.
    """

    grows = True

    def __init__(
        self,
        window: QWidget,
        session: Session,
        *,
        kind: str,
        window_size: tuple[int, int],
        order: Callable[[RenderProcess, ExportRequest], object],
    ) -> None:
        super().__init__(window, TITLES[kind], QSize(1120, 664))
        self.session, self.order, self.kind = session, order, kind
        self.process: RenderProcess | None = RenderProcess(self)
        self.process.warm_up()
        self.process.previewed.connect(self._previewed)
        self.process.failed.connect(self._preview_failed)
        self.process.announced.connect(self._announced)
        self.process.estimated.connect(self._estimated)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._ask_preview)
        self._build(window_size)
        self.dismissed.connect(self._let_go)
        for signal in (session.runs.changed, session.runs.updated):
            subscribe(self, signal, self._runs_changed)
        self._ready = False
        self.folder = ""
        self.pace: tuple[Pace, float] | None = None
        self._asked: Pace | None = None
        self._typed: QWidget | None = None
        self._accepted: ExportRequest | None = None
        self._sent: ExportRequest | None = None
        self._drawn: ExportRequest | None = None
        self._changed()

    def _build(self, window_size: tuple[int, int]) -> None:
        playback = self.session.playback
        kept = self.session.settings.get("export", {})
        self.form = self._form(window_size)
        self.form.restore(kept)
        subject, draft = self.session.drafts.get(self.kind, (None, {}))
        self.form.resume(draft if subject == self._subject else {})
        self.preview = Preview()
        self.slider = QuietSlider(STEPS, "Time of the preview", "The moment that the preview shows")
        self._playhead = playback.t
        self.slider.setValue(self._position(self._playhead))
        self._place = self.slider.value()
        self.clock = RoleLabel("", "hint")
        self.facts = RoleLabel("", "hint")
        self.trouble = RoleLabel("", "error")
        self.trouble.setAccessibleName("Problem")
        self.cancel_button = push_button("Cancel", "Close this sheet and save nothing", self.dismiss)
        self.export_button = role(push_button("Export", "Save the file in the background", self._export), "primary")
        self.first = self.export_button
        self.form.suggest = partial(default_file, self._folder(), self.session.files.stem)
        self.slider.valueChanged.connect(self._moved)
        self.form.changed.connect(self._form_changed)
        for line in self.form.findChildren(QLineEdit):
            line.editingFinished.connect(self._accept)
        if isinstance(self.form, FigureForm):
            self.form.refused.connect(lambda trouble: self.trouble.setText(self.form.mark(trouble)))
        self._arrange()

    def _form(self, window_size: tuple[int, int]) -> ExportForm | FigureForm:
        scenario, playback = self.session.scenario, self.session.playback
        file = default_file(self._folder(), self.session.files.stem, formats_of(self.kind)[0].suffix)
        if self.kind == "plots":
            rows, view = self.session.runs.all, self.session.view.settings
            panels = panels_for(rows, view, self._results)
            chosen = [one.text for one in plots_with_curves(rows, view)]
            return FigureForm(
                file=file,
                span=playback.range,
                ranged=playback.has_range,
                title=scenario.title,
                panels=panels,
                chosen=chosen,
            )
        return ExportForm(
            still=self.kind == "picture",
            file=file,
            span=playback.range,
            theme=look().theme.name,
            title=scenario.title,
            window_size=window_size,
            pace=playback.speed,
        )

    def _arrange(self) -> None:
        use = "What is saved, and how; the arrows scroll"
        scroll = SettingsScroll(self.form, "Settings of the export", use, most=MOST_FORM)
        for transparent in (self.form, scroll.viewport()):
            transparent.setObjectName("sheetBody")
        left = QVBoxLayout()
        left.setSpacing(8)
        left.addWidget(self.preview, 1)
        time = QHBoxLayout()
        time.addWidget(self.slider, 1)
        time.addWidget(self.clock)
        left.addLayout(time)
        left.addWidget(self.facts)
        both = QHBoxLayout()
        both.setSpacing(APART)
        both.addLayout(left, 1)
        both.addWidget(scroll)
        buttons = QHBoxLayout()
        buttons.addWidget(self.trouble, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.export_button)
        self.body.addWidget(role(QLabel(self.accessibleName()), "title"))
        self.body.addLayout(both, 1)
        self.body.addLayout(buttons)

    def instant(self) -> float:
        """The time at the slider [s]: exactly that of the window's playhead until the slider is moved away."""
        playback = self.session.playback
        if self.slider.value() == self._position(self._playhead):
            return self._playhead
        return playback.start + self.slider.value() / STEPS * (playback.end - playback.start)

    def _position(self, t: float) -> int:
        """Where the slider stands at a time [s]."""
        playback = self.session.playback
        return round(STEPS * (t - playback.start) / max(playback.end - playback.start, 1e-12))

    def request(self) -> ExportRequest:
        """The request as chosen. Raises BadInput for a choice that cannot be used."""
        rows, view = self.session.runs.all, self.session.view.settings
        return ExportRequest.of_rows(rows, view, self.form.settings(self.instant()), self._results)

    @property
    def _results(self) -> tuple[Result, ...]:
        """What panels of a figure can show: what the document keeps, and what was predicted in the open lesson."""
        lessons = self.session.lessons
        return *self.session.results.all, *made_predictions(lessons.course)

    def _form_changed(self) -> None:
        self._typed = self.form.focusWidget()
        self._changed()

    def _moved(self, place: int) -> None:
        self._place = place
        self._changed()

    def _accept(self) -> None:
        """What was typed is whole, and was not refused."""
        if self.export_button.isEnabled():
            self._accepted = self.request()

    def _half_typed(self) -> bool:
        """Whether what changed is a text, of which more may follow: 2 of 20."""
        field = self.form.focusWidget()
        line = field.lineEdit() if isinstance(field, QComboBox) else field
        return isinstance(line, QLineEdit) and line.isModified()

    def _changed(self) -> None:
        try:
            request = self.request()
            if not request.settings.figure:
                request.settings.times(self.session.playback.start, self.session.playback.end)
        except ArmstepError as trouble:
            self._ready = False
            self.trouble.setText(self.form.mark(trouble, each=True))
            self.export_button.setEnabled(False)
            self._show(self._accepted)
            return
        self._ready = bool(request.scenarios)
        self.trouble.setText(self.form.mark(None))
        self.export_button.setEnabled(self._ready)
        if not self._half_typed():
            self._accepted = request
        self._show(request)

    def _show(self, request: ExportRequest | None) -> None:
        """Show what will be saved; while a field is refused, what was accepted last."""
        if request is not None:
            if self.kind == "animation":
                # The preview is a moment of the film, the one that was chosen or the nearest one.
                span = request.settings.span(self.session.playback.start, self.session.playback.end)
                with QSignalBlocker(self.slider):
                    self.slider.setRange(*map(self._position, span))
                    self.slider.setValue(self._place)
            self._say_facts(request)
            if request.scenarios:
                self._timer.start()
            else:
                self.preview.show_text("Waiting for a visible run to finish")
        self._say_time()

    def _say_time(self) -> None:
        text = f"t = {clock(self.instant())}"
        self.clock.setText(text)
        self.slider.say(text)

    def _runs_changed(self, *_: object) -> None:
        """Begin when the first run is there."""
        if not self._ready:
            self._changed()

    def _say_facts(self, request: ExportRequest) -> None:
        settings = request.settings
        drawn = isinstance(settings.kind, (FilmFormat, StillFormat))
        facts = [f"{settings.size[0]} × {settings.size[1]} px"] if drawn else []
        if settings.figure:
            style = settings.figure_style()
            facts = [f"{style.width:g} mm wide", f"text of {style.points:g} pt"]
        elif self.kind == "animation":
            frames = len(settings.times(self.session.playback.start, self.session.playback.end))
            facts += [f"{frames} frames", f"{frames / settings.fps:.1f} s of film"]
            if drawn:
                facts.append(self._expected(settings, frames))
        facts += filter(None, (settings.small_type, left_out(settings.kind, request.scenarios)))
        if settings.file.exists() and not settings.file.is_dir():
            facts.append(f"replaces the existing {settings.file.name}")
        self.facts.setText("   ·   ".join(facts))

    def _expected(self, settings: ExportSettings, frames: int) -> str:
        """How long the export will take, once a few frames have been timed."""
        if self.pace is None or self.pace[0] != pace_of(settings):
            return "timing a few frames"
        return f"about {duration(self.pace[1] * frames)} to export"

    def _ask_preview(self) -> None:
        if self.process is not None and (request := self._in_force()) is not None:
            self._sent = request
            self.process.preview(request, self.instant())

    def _in_force(self) -> ExportRequest | None:
        """What is shown: the present choice, or the last one that was accepted."""
        return self.request() if self._ready else self._accepted

    def _previewed(self, image: QImage) -> None:
        self.preview.show_image(image)
        self._drawn = self._sent
        if self._ready:
            # Only a picture that an older choice could not have was refused.
            self.trouble.setText(self.form.mark(None))
            self.export_button.setEnabled(True)
        request = self._in_force()
        if self.process is None or self.kind != "animation" or request is None:
            return
        asked = pace_of(request.settings)
        if isinstance(request.settings.kind, FilmFormat) and (self.pace is None or self.pace[0] != asked):
            self._asked = asked
            self.process.estimate(request)

    def _estimated(self, seconds: float) -> None:
        """Show how long the film will take, from the time of a frame."""
        assert self._asked is not None
        self.pace = self._asked, seconds
        if (request := self._in_force()) is not None:
            self._say_facts(request)

    def _announced(self, words: str) -> None:
        self.preview.show_text(words)

    def _preview_failed(self, why: ArmstepError) -> None:
        """Say why; what cannot be drawn here cannot be drawn in the file. The facts are those of the picture beside."""
        if self._timer.isActive() or not self._ready:
            return  # another choice is about to be judged, or is refused
        self._accepted = self._drawn
        if self._drawn is not None:
            self._say_facts(self._drawn)
        self.preview.show_text("No preview")
        self.trouble.setText(self.form.mark_late(why, self._typed))
        self.export_button.setEnabled(False)

    def _export(self) -> None:
        request = self.request()
        self.folder = str(request.settings.file.parent)
        folders.use(request.settings.file.parent)
        process, self.process = self.process, None
        if process is not None:
            process.previewed.disconnect(self._previewed)
            process.failed.disconnect(self._preview_failed)
            process.announced.disconnect(self._announced)
            process.estimated.disconnect(self._estimated)
            self.order(process, request)
        self.dismiss()

    @property
    def _subject(self) -> tuple[object, ...]:
        """Whose rows the form's own are."""
        return self.session.scenario.name, self.session.scenario.title, *self.form.span

    def _let_go(self) -> None:
        draft = self.form.draft()
        if self.folder:
            # It was written: the next one has another name.
            draft.pop("file", None)
        self.session.drafts[self.kind] = self._subject, draft
        kept = {**self.session.settings.get("export", {}), **self.form.remembered()}
        self.session.settings.set("export", {**kept, **({"folder": self.folder} if self.folder else {})})
        self._timer.stop()
        if self.process is not None:
            self.process.close()
            self.process = None

    def _folder(self) -> str:
        kept = self.session.settings.get("export", {}).get("folder", "")
        if kept and Path(kept).is_dir() and not of_program(Path(kept)):
            return kept
        path = self.session.files.path
        if path is not None and not of_program(path):
            return str(path.parent)
        place = QStandardPaths.StandardLocation
        return str(usual_folder(place.MoviesLocation if self.kind == "animation" else place.PicturesLocation))
