"""A study's figures on the paper desk: all of them small, or one large beside its notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assets.counting import capital, unbroken
from gui.charts.summary import summary
from gui.qt.drawing.study_page import study_page, style_for, whole_page
from gui.qt.export.inside import texts_of
from gui.qt.plots.save import Charted, exports_button
from gui.qt.style.theme import look, role
from gui.qt.widgets.parts import bare, push_button
from gui.qt.widgets.quiet import RoleLabel
from gui.qt.widgets.scroll import Scroll, WrappedRow, sheet_column

if TYPE_CHECKING:
    from robots.papers.figure import Figure
    from robots.papers.finding import Finding
    from robots.papers.study import Study, StudyResult
    from robots.scenario.scenario import Scenario

THUMBNAIL = QSize(188, 120)
SHARPNESS = 2
"""Thumbnails are painted this many times larger, and half as large as a page."""

NOTES_WIDTH = 300
SHOWN = ("title", "legend", "names", "grid")
"""What a figure on the desk shows."""


class FigureView(QWidget):
    """A figure as large as the widget."""

    def __init__(self) -> None:
        super().__init__()
        self.figure: Figure | None = None
        self.setMinimumSize(360, 260)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_figure(self, figure: Figure) -> None:
        """Show this figure."""
        self.figure = figure
        self.setAccessibleName(f"{figure.name}: {figure.title}")
        self.setAccessibleDescription(" ".join(map(summary, figure.charts)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.figure is None:
            return
        painter = QPainter(self)
        size = float(self.width()), float(self.height())
        whole_page(self.figure, style_for(size, look().theme.name, SHOWN, "sans 10")).paint(painter)
        painter.end()


def thumbnail(figure: Figure, theme: str) -> QPixmap:
    """The figure without its texts, small."""
    image = QImage(THUMBNAIL * SHARPNESS, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    whole_page(figure, style_for((image.width(), image.height()), theme, ("names", "grid"), "sans 9")).paint(painter)
    painter.end()
    image.setDevicePixelRatio(SHARPNESS)
    return QPixmap.fromImage(image)


class FigureGrid(QWidget):
    """Every figure of a study as a button with its picture.

    Signals:
        chosen: (int) the number of the figure that a person wants to see.
    """

    chosen = Signal(int)

    def __init__(self, figures: tuple[Figure, ...]) -> None:
        super().__init__()
        self.buttons: list[QToolButton] = []
        for place, figure in enumerate(figures):
            button = QToolButton()
            button.setIcon(QIcon(thumbnail(figure, look().theme.name)))
            button.setIconSize(THUMBNAIL)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setText(capital(figure.name))
            button.setToolTip(f"{capital(figure.title)}\nEnlarge it, beside what the paper says")
            button.setAccessibleName(f"Show {figure.name}: {figure.title}")
            button.clicked.connect(lambda _=False, place=place: self.chosen.emit(place))
            self.buttons.append(button)
        self.setLayout(WrappedRow(10, *self.buttons))


class FigurePanel(QWidget):
    """One figure with the notes about it, and the way to its neighbours.

    Signals:
        left: back to all figures.
        failed: (str) why a figure could not be saved.
        wanted: (Scenario) open what the figure shows in the window.
    """

    left = Signal()
    failed = Signal(str)
    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.study: Study | None = None
        self.result: StudyResult | None = None
        self.place = 0
        self.view = FigureView()
        self.back = push_button("All figures", "Show all figures of this study", lambda: self.left.emit())
        self.previous = push_button("Previous", "Show the previous figure", lambda: self.turn(-1))
        self.next = push_button("Next", "Show the next figure", lambda: self.turn(1))
        tip = "Open what the figure draws in the window"
        self.open = push_button("", tip, lambda: self.wanted.emit(self.scenario))
        self.save = exports_button(self, lambda: self.charted, self.failed.emit)
        self.count = RoleLabel("", "hint")
        self.notes = Scroll("Notes on the figure", "What the paper shows and what we get; the arrows scroll")
        self.notes.setFixedWidth(NOTES_WIDTH)
        self.count.setWordWrap(False)
        self.count.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        buttons = WrappedRow(8, self.back, self.previous, self.next, self.count, self.open, self.save)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(self.view, 1)
        row.addWidget(self.notes)
        column = bare(QVBoxLayout(self))
        column.addLayout(buttons)
        column.addLayout(row, 1)

    @property
    def figure(self) -> Figure:
        """The shown figure."""
        assert self.result is not None
        return self.result.figures[self.place]

    @property
    def scenario(self) -> Scenario | None:
        """What the figure shows, if the study offers it."""
        assert self.study is not None
        return self.study.scenario_of(self.figure)

    def show_figure(self, study: Study, result: StudyResult, place: int) -> None:
        """Show the figure with this number of a study's result."""
        self.study, self.result, self.place = study, result, place
        self.view.show_figure(self.figure)
        self.previous.setEnabled(place > 0)
        self.next.setEnabled(place < len(result.figures) - 1)
        self.open.setVisible(self.scenario is not None)
        runs = "runs" if self.scenario is not None and self.scenario.pins else "run"
        self.open.setText(f"Open its {runs} {self.figure.which}".strip())
        self.count.setText(f"{place + 1} of {len(result.figures)}")
        self.notes.setWidget(notes_page(self.figure.notes(result.findings)))

    def turn(self, by: int) -> None:
        """Show a neighbour."""
        if self.study is None or self.result is None:
            return
        if 0 <= self.place + by < len(self.result.figures):
            self.show_figure(self.study, self.result, self.place + by)

    @property
    def charted(self) -> Charted:
        """The shown figure, for files."""
        figure, scenario = self.figure, self.scenario
        return Charted(
            figure.stem,
            lambda style: study_page(figure, style),
            figure.to_csv,
            lambda: texts_of(scenario) if scenario is not None else {},
        )


def notes_page(notes: tuple[Finding, ...]) -> QWidget:
    """What the paper says, what we get, and why they differ, one claim below the other."""
    page, column = sheet_column(4)
    for note in notes:
        heading = role(QLabel(unbroken(f"{capital(note.figure)}: {note.judged}")), "section")
        heading.setWordWrap(True)
        column.addWidget(heading)
        for heading, text in zip(("The paper says", "We get", "Why"), note.printed, strict=True):
            if not text:
                continue
            column.addWidget(RoleLabel(heading, "hint"))
            label = QLabel(unbroken(text))
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
        column.addSpacing(14)
    column.addStretch(1)
    return page
