"""A sheet of a tool that measures: settings at the left, the chart at the right, results kept by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from assets.counting import unbroken
from assets.errors import ArmstepError
from gui.app.desks.desk import ResultDesk
from gui.app.jobs import trouble_of
from gui.app.units import duration
from gui.qt.diagrams.run_diagram import RunDiagram
from gui.qt.dialogs.sheets import GOES_ON, Sheet
from gui.qt.drawing.charts_page import PagePanel, page_of_chart
from gui.qt.export.inside import texts_of
from gui.qt.plots.save import Charted, exports_button
from gui.qt.style.change import type_changed
from gui.qt.style.theme import role
from gui.qt.viewport.viewport import Viewport
from gui.qt.widgets.kept_results import KeptResultsBar
from gui.qt.widgets.parts import NumberText, bare, go_to_refused, push_button, refused_in
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import Scroll, SheetScroll, sheet_column
from gui.qt.window.bridge import subscribe
from gui.qt.window.commands.focus_frame import is_framed
from robots.model.chart import Chart

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from gui.qt.export.format import Tabular

SIDE = 292
"""Width of the settings in usual type [px]."""
D = TypeVar("D", bound=ResultDesk)


PICTURE = 0.68
"""The part of the height that is seen which a picture has at least: words below it that have no room then scroll."""

BETWEEN = " · "
"""Between two facts."""

LEFT_OUT = "Changes and pulls during the run are left out."
"""Tools measure the scenario as it begins."""


class SteadyLabel(RoleLabel):
    """Words below a picture, in room that does not depend on what is pointed at: the picture keeps its size.

    Args:
        least: so many lines have room at any time.
    """

    def __init__(self, least: int = 2) -> None:
        super().__init__("", "hint")
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._least, self._resting, self._tallest = least, "", ""

    def rest(self, text: str) -> None:
        """Say what holds while nothing is pointed at: it has its room at any time."""
        if text != self._resting:
            self._resting = self._tallest = text
        self.setText(text)
        self._keep_room()

    def say_most(self, needed: Sequence[str], more: Sequence[str]) -> None:
        """Say what is pointed at, and of `more` as much as has room in so many lines that a picture above keeps its."""
        said, room = list(needed), self._least * self.fontMetrics().lineSpacing() + 4
        for part in more:
            if self._height(BETWEEN.join((*said, part))) > room:
                break
            said.append(part)
        self.say(BETWEEN.join(said))

    def say(self, text: str) -> None:
        """Say what is pointed at; should it need more lines, they stay."""
        self._tallest = max(self._tallest, text, key=self._height)
        self.setText(text)
        self._keep_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if type_changed(self, event):
            self._keep_room()

    def _height(self, text: str) -> int:
        box = QRect(0, 0, max(self.width(), 1), 1)
        flags = Qt.TextFlag.TextWordWrap | self.alignment()
        return self.fontMetrics().boundingRect(box, flags, unbroken(text)).height()

    def _keep_room(self) -> None:
        least = self._least * self.fontMetrics().lineSpacing() + 4
        self.setMinimumHeight(max(least, self._height(self._resting), self._height(self._tallest)))


class _PictureFirst(SheetScroll):
    """A picture and words below it, which scroll rather than take its room.

    Args:
        picture: what comes first.
    """

    def __init__(self, picture: QWidget) -> None:
        super().__init__("The result")
        self._picture, self._least = picture, picture.minimumHeight()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._picture.setMinimumHeight(max(self._least, round(PICTURE * self.viewport().height())))


class ResultSheet(Sheet, Generic[D]):
    """The document keeps what was measured: it is shown when the sheet opens again, and saved with the file.

    Args:
        window: the window to cover.
        session: whose scenario is measured.
        desk: the tool.
        verb: of the button that begins.

    Attributes:
        what: what is kept by name.
    """

    what = "measurement"

    grows, enter_takes = True, False

    def __init__(self, window: QWidget, session: Session, desk: D, verb: str) -> None:
        super().__init__(window, desk.title, QSize(1360, 860))
        self.session, self.desk, self.verb = session, desk, verb
        session.playback.pause()
        self.kept = KeptResultsBar(self.what, f"New {self.what}")
        self.kept.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.facts, self.trouble, self.left = SteadyLabel(), RoleLabel("", "error"), RoleLabel("", "hint")
        self.progress = QProgressBar()
        self.left.setWordWrap(False)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        # The picture keeps its place when a measurement begins or ends.
        kept = self.progress.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(kept)
        self.measure = push_button(verb, "Compute in the background; press again to stop", self._begin_or_stop)
        self.first = self.measure
        self.save = exports_button(self, lambda: self.charted, self.trouble.show_text, self._in_background)
        self.kept.chosen.connect(lambda name: desk.show(session.results.find(desk.kind, name)))
        self.kept.renamed.connect(desk.rename)
        self.kept.removed.connect(desk.remove)
        # Before it is listened to: the sheet shows itself once, when all of it is made.
        desk.look()
        subscribe(self, desk.changed, self.show_all)
        subscribe(self, desk.ended, lambda _: self._hand_over())
        self.viewport = window.findChild(Viewport)

    def begin(self) -> None:
        """Start the chosen measurement. Raises ArmstepError if it is not possible."""
        raise NotImplementedError

    def _show(self) -> None:
        """Show what the desk has."""
        raise NotImplementedError

    @property
    def _table(self) -> Tabular | None:
        """What was measured, as a table."""
        raise NotImplementedError

    @property
    def _chart(self) -> Chart:
        """The picture."""
        raise NotImplementedError

    @property
    def _whole_chart(self) -> Chart:
        """The picture for files."""
        return self._chart

    def show_all(self) -> None:
        """Show what the desk has, and how far it is."""
        desk = self.desk
        self._explain()
        self._show()
        self.progress.setVisible(desk.measuring)
        self.progress.setValue(int(1000 * desk.progress))
        idle = LEFT_OUT if self.session.scenario.segments else ""
        self.left.setText(idle if desk.seconds_left is None else f"About {duration(desk.seconds_left)} left")
        self.name_button()
        self.save.setEnabled(self._table is not None and not self._chart.blank and not desk.measuring)
        self._list_kept()

    def _explain(self, _: str = "") -> None:
        """Say why a number that was typed is not possible, or what went wrong."""
        lines = sorted(refused_in(self), key=lambda line: not line.hasFocus())
        reasons = [line.reason for line in lines if isinstance(line, NumberText)]
        self.trouble.show_text(next(iter(reasons), self.desk.trouble))

    def choice_changed(self) -> None:
        """Something else is to be measured: why the former choice was refused no longer stands there."""
        self.desk.forgive()
        self._explain()
        self.name_button()

    def name_button(self) -> None:
        """The button says what it does now."""
        self.measure.setText("Stop" if self.desk.measuring else self.verb)

    @property
    def charted(self) -> Charted:
        """What was measured, for files."""
        table, chart, scenario = self._table, self._whole_chart, self.desk.scenario
        assert table is not None
        return Charted(
            f"{self.session.files.stem}-{self.desk.kind}",
            lambda style: page_of_chart(PagePanel(chart), style),
            table.to_csv,
            lambda: texts_of(scenario),
            lambda: table,
        )

    def lay_out(
        self,
        side: Sequence[QWidget],
        tall: QWidget | None,
        centre: Sequence[QWidget],
        picture: QWidget,
        tools: Sequence[QWidget] = (),
    ) -> None:
        """Put the widgets in their places: `tall` takes the room that is left at the side, `picture` in the centre.

        Args:
            side: what is chosen, from the top.
            tall: one of them, or None.
            centre: the picture and what belongs to it; with the facts, where something else stands below these.
            picture: one of them.
            tools: for the picture, in the line of the buttons.
        """
        role(self.measure, "primary")
        (column, left), shown = sheet_column(8), _PictureFirst(picture)
        right = bare(QVBoxLayout(shown.content))
        for widget in side:
            left.addWidget(widget, 1 if widget is tall else 0)
        if tall is None:
            left.addStretch(1)
        area = Scroll("What is computed", "The settings; the arrows scroll", sideways=True)
        area.setWidget(column)
        area.setFixedWidth(self.side_width(SIDE))
        head, title = QHBoxLayout(), role(QLabel(self.desk.title), "display")
        head.setSpacing(24)
        head.addWidget(title)
        title.ensurePolished()
        if title.sizeHint().width() <= area.width():  # otherwise, in very large type, it has its own line
            title.setFixedWidth(area.width())
            head.addWidget(self.kept, 1)
        else:
            right.addWidget(self.kept)
        for widget in dict.fromkeys((*centre, self.facts, self.trouble, self.progress)):
            right.addWidget(widget, 1 if widget is picture else 0)
        both, buttons, close = QHBoxLayout(), QHBoxLayout(), self.close_button(GOES_ON)
        both.setSpacing(24)
        both.addWidget(area)
        # Very large words below a picture scroll: they do not take its room.
        both.addWidget(shown, 1)
        buttons.setSpacing(8)
        for widget in (self.save, *tools):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        buttons.addWidget(self.left)
        buttons.addWidget(close)
        buttons.addWidget(self.measure)
        self.body.addLayout(head)
        self.body.addLayout(both, 1)
        self.body.addLayout(buttons)
        for line in self.findChildren(NumberText):
            line.explained.connect(self._explain)

    def _in_background(self, work: Callable[[], object], ended: Callable[[str], None]) -> None:
        """A table of a million rows takes seconds, and a picture for printing a tenth of one."""
        self.session.jobs.submit(
            lambda *_: trouble_of(work),
            key=("save", work),
            on_done=ended,
            on_error=lambda error: ended(str(error)),
            lane="disk",
        )

    def _begin_or_stop(self) -> None:
        if self.desk.measuring:
            self.desk.stop()
        else:
            self.try_to_begin()

    def _hand_over(self) -> None:
        """The keys go from the button that was pressed to the whole result: the hint below it speaks of the arrows."""
        diagram = self.findChild(RunDiagram)
        whole = not (self.desk.stopped or self.desk.trouble or self._chart.blank)
        if diagram is not None and whole and self.measure.hasFocus():
            keys = is_framed(self.measure)
            diagram.setFocus(Qt.FocusReason.TabFocusReason if keys else Qt.FocusReason.OtherFocusReason)

    def try_to_begin(self) -> None:
        """Start the chosen measurement; say so if it is not possible, with the keys in the first refused number."""
        try:
            self.begin()
        except ArmstepError as refusal:
            self.trouble.show_text(self.session.sentence(refusal))
            if go_to_refused(self):
                self._explain()

    def _list_kept(self) -> None:
        names, shown = [result.name for result in self.session.results.of(self.desk.kind)], self.desk.kept
        self.kept.show_names(names, None if shown is None else shown.name, enabled=not self.desk.measuring)
