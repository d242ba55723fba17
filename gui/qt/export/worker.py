"""The process that draws for the window: `python -m gui.qt.export.worker`.

It has its own graphics context, interpreter and memory: the window stays responsive, and survives a broken driver.
One JSON object per line. In come `{"task": "preview" | "estimate" | "export", ...request}`, a preview with its time
`at`, and `{"task": "cancel"}`; out go `{"state": sentence}`, `{"progress": [done, total, seconds_left]}`, `{"preview":
PNG in base64}`, `{"estimate": seconds per frame}` unless another task came in, `{"done": file}`, `{"cancelled": true}`
and `{"error": sentence}`, of a refused setting with the `refusal`. When the input ends, because the window is gone, the
export is cancelled, and no half-written file stays behind.
"""

from __future__ import annotations

import base64
import io
import json
import os
import sys
import threading
from contextlib import suppress
from dataclasses import replace

from assets.errors import ArmstepError, BadInput
from assets.fields import Data
from gui.app.runs import RunRow
from gui.qt.drawing.canvas import Pixels
from gui.qt.export.exporter import Progress, render_rows, seconds_per_frame
from gui.qt.export.film import Film, qt_for_text
from gui.qt.export.panel_sources import PanelSources, sources_of
from gui.qt.export.request import Cancelled, ExportRequest, computed_rows
from gui.qt.export.settings import ExportSettings

PREVIEW = 800
"""A preview is at most this wide and high [px]."""


class Inbox:
    """The incoming tasks; a newer preview replaces one that has not begun."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._tasks: list[Data] = []
        self._ended = False
        self.cancelled = threading.Event()
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def next(self) -> Data | None:
        """The next task, waiting for it; None when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._tasks or self._ended)
            self.cancelled.clear()
            return None if self._ended else self._tasks.pop(0)

    def is_wanted(self) -> bool:
        """Whether a task is waiting."""
        return bool(self._tasks) or self._ended

    def other_plots(self, plots: str) -> bool:
        """Whether a task with other panels is waiting."""
        return self._ended or any(task["settings"]["plots"] != plots for task in self._tasks[:1])

    def _read(self) -> None:
        for line in sys.stdin:
            task = json.loads(line)
            with self._changed:
                if task["task"] == "cancel":
                    self.cancelled.set()
                    continue
                if task["task"] != "export":
                    self._tasks = [other for other in self._tasks if other["task"] != task["task"]]
                self._tasks.append(task)
                self._changed.notify()
        with self._changed:
            self._ended = True
            self.cancelled.set()
            self._changed.notify()


class Worker:
    """Does the tasks, keeping the runs of the last request."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self._key = ""
        self._rows: list[RunRow] = []
        self._panels = ""
        self._sources: PanelSources | None = None

    def work(self) -> None:
        """Do tasks until the input ends."""
        while (task := self.inbox.next()) is not None:
            try:
                self._do(task)
            except Cancelled:
                say(cancelled=True)
            except BadInput as refusal:
                say(error=str(refusal), refusal=refusal.to_data())
            except ArmstepError as trouble:
                say(error=str(trouble))
            except Exception as trouble:
                say(error=f"The export failed: {type(trouble).__name__}: {trouble}")

    def _do(self, task: Data) -> None:
        request = ExportRequest.from_data(task)
        sources = self._gathered(request) if request.settings.figure else None
        rows = self._computed(request)
        if task["task"] == "preview":
            if request.settings.figure:
                say(preview=png(figure_preview(rows, request, sources)))
                return
            film = Film(rows, request.view, preview_settings(request.settings))
            with film:
                say(preview=png(film.frame(task["at"])))
        elif task["task"] == "estimate":
            with suppress(Cancelled):
                say(estimate=seconds_per_frame(rows, request.view, request.settings, cancel=self.inbox.is_wanted))
        else:
            give_way()
            say(
                done=str(
                    render_rows(
                        rows,
                        request.view,
                        request.settings,
                        sources=sources,
                        progress=report,
                        cancel=self.inbox.cancelled.is_set,
                    )
                )
            )

    def _gathered(self, request: ExportRequest) -> PanelSources:
        """What the panels show besides the runs; a newer task with other panels stops a long computation."""
        plots = request.settings.plots
        key = json.dumps([plots, [result.to_data() for result in request.results], request.settings.dpi])
        if key != self._panels or self._sources is None:
            self._sources = sources_of(
                request.settings,
                request.results,
                progress=lambda what, share: say(state=f"Computing {what} ({share:.0%})".replace("%", "\u00a0%")),
                cancel=lambda: self.inbox.cancelled.is_set() or self.inbox.other_plots(plots),
            )
            self._panels = key
        return self._sources

    def _computed(self, request: ExportRequest) -> list[RunRow]:
        tags = [tag.to_data() for tag in request.tags]
        key = json.dumps([[s.to_json() for s in request.scenarios], request.slots, tags, request.judged])
        if key != self._key:
            say(state="Computing the runs")
            self._rows = computed_rows(request, cancel=self.inbox.cancelled.is_set)
            self._key = key
        return self._rows


def figure_preview(rows: list[RunRow], request: ExportRequest, sources: PanelSources | None) -> Pixels:
    """A page of charts in a small picture."""
    from gui.qt.export.charts_file import UNITS_PER_INCH, raster
    from gui.qt.export.figure import page_of

    page = page_of([row for row in rows if row.run is not None], request.view, request.settings, sources)
    return raster(page, UNITS_PER_INCH * PREVIEW / max(page.size))


def preview_settings(settings: ExportSettings) -> ExportSettings:
    """The same in a small picture."""
    width, height = settings.size
    share = min(PREVIEW / max(width, height), 1.0)
    return replace(settings, size=(max(round(width * share), 1), max(round(height * share), 1)))


def give_way() -> None:
    """Give the window, in which a person keeps working, priority on the processor."""
    if hasattr(os, "nice"):
        os.nice(5)


def report(progress: Progress) -> None:
    """Report the progress of the export to the window."""
    say(progress=[progress.done, progress.total, progress.seconds_left])


def png(frame: Pixels) -> str:
    """The frame as a PNG in base64."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(frame).save(content, "PNG", compress_level=1)
    return base64.b64encode(content.getvalue()).decode()


def say(**what: object) -> None:
    """Write one message to the window."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    qt_for_text()
    Worker().work()
