"""The sheet on which a person types a Butcher tableau and sees at once which method it is."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from assets.counting import capital, counted
from assets.errors import BadInput
from assets.reading import read_bounded
from gui.app.jobs import Jobs
from gui.app.session.results import TABLEAU, TABLEAU_TYPED
from gui.app.units import number, scientific_text
from gui.charts.plots.order_conditions import MOST_DRAWN, conditions_chart
from gui.charts.stability import limits_text, region_chart
from gui.qt.diagrams.tagged_view import TaggedView
from gui.qt.dialogs.ask_file import ask_open
from gui.qt.dialogs.sheets import BORDER, Sheet
from gui.qt.plots.chart_view import ChartView
from gui.qt.style.theme import role
from gui.qt.widgets.parts import WrittenLine, bare, push_button
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.widgets.scroll import WrappedRow
from gui.qt.widgets.tableau_grid import TableauGrid
from gui.qt.window.bridge import Dispatcher
from solvers.tableaux.own_tableau import (
    COMPARISON,
    FORM,
    HIGHEST_ORDER,
    MOST_STAGES,
    WHAT,
    Cells,
    Condition,
    Verdict,
    cell_words,
    cells_of,
    from_text,
    from_typed,
    judge,
    problems,
    row_sums,
    to_text,
)

if TYPE_CHECKING:
    from gui.app.session.session import Session
    from solvers.methods.own import OwnMethod
    from solvers.tableaux.tableau import Tableau

PAUSE_MS, MOST_BYTES = 120, 2**20

APART = 28
"""Between the tableau and the verdict [px]."""

KEY_OF_TREES = (
    f"One tree for each order condition, at most of order {MOST_DRAWN}: dots where it holds, crosses where it fails. "
    "Point at a tree to read its condition, or press Tab until the trees have the frame, then arrow keys."
)
BY_KEYS = "Arrow keys go from tree to tree and say its condition; Esc lets go."
LARGER, SMALLER = "Larger trees", "Back to the tableau"


def open_tableau_editor(window: QWidget, session: Session) -> TableauEditor:
    """Open the editor over the window; "Use this method" makes the tableau the scenario's method."""
    editor = TableauEditor(window, session)
    editor.open()
    editor.name.setFocus()
    return editor


class TableauEditor(Sheet):
    """Grid at the left, verdict at the right.

    Args:
        window: the window to cover.
        session: whose scenario gets the method.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, "Your own method", QSize(1180, 860))
        self.session = session
        self.jobs = Jobs(Dispatcher(self))
        self.dismissed.connect(self.jobs.close)
        self.name = WrittenLine()
        self.name.setPlaceholderText("Name of the method")
        self.name.setAccessibleName("Name of the method")
        self.name.setToolTip("What lists and legends call the method")
        tip = "How often a step evaluates the right-hand side"
        self.stages = QuietComboBox("Number of stages", tip, one_way=True)
        self.stages.setMinimumContentsLength(3)
        self.stages.offer((str(count), count) for count in range(1, MOST_STAGES + 1))
        self.estimate, self.nodes = QCheckBox("Error estimate"), QCheckBox("Enter nodes")
        self.estimate.setToolTip("A second row of weights: the difference between the two solutions controls the step")
        self.nodes.setToolTip("Enter the nodes c too; otherwise each is the sum of its row")
        tip = "Fill the tableau with a known method's coefficients"
        self.start = QuietComboBox("Start from a known method", tip, one_way=True)
        self.grid = TableauGrid()
        self.order = RoleLabel("", "title")
        self.order.setWordWrap(True)
        self.verdict, self.condition = RoleLabel("", "hint"), RoleLabel("", "strong")
        self.condition.setWordWrap(True)
        self.trouble = RoleLabel("", "error")
        self.trees = TaggedView("Order conditions", QSize(560, 210), BY_KEYS)
        self.limits = RoleLabel("", "hint")
        self.trees.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.trees.setMinimumHeight(self.trees.sizeHint().height() * 2 // 3)  # *Larger trees* gives them more
        self.key = RoleLabel(KEY_OF_TREES, "hint")
        self.enlarge = push_button(
            LARGER, "Let the trees have the tableau's room, or give it back", lambda: self._enlarge()
        )
        self.region = ChartView("Stability region", QSize(220, 190))
        self.region.compute_in(session.jobs)
        self.region.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.region.setMinimumHeight(self.region.sizeHint().height() * 2 // 3)  # where a refusal stands above it
        self.use = role(push_button("Use this method", "Make this the scenario's method", self.accept), "primary")
        self.side = QWidget()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._judge)
        self._arrange()
        self._named = False
        self._begin()
        self._began = self.typed()
        for result in session.results.of(TABLEAU_TYPED):
            with suppress(BadInput):
                self.show_cells(from_typed(result.data))
                self._named = bool(self.typed().name)
        self.dismissed.connect(self._let_go)
        self._connect()

    def preferred_size(self) -> QSize:
        """Wide enough for all columns of the tableau."""
        usual, edges = super().preferred_size(), self.body.contentsMargins()
        wide = self.grid.sizeHint().width() + APART + self.side.width() + edges.left() + edges.right() + 2 * BORDER
        return QSize(max(usual.width(), wide), usual.height())

    # -- what is edited ------------------------------------------------------------------------------------------------

    def show_cells(self, cells: Cells) -> None:
        """Edit these cells."""
        for widget in (self.name, self.stages, self.estimate, self.nodes):
            widget.blockSignals(True)
        self.name.setText(cells.name)
        self.stages.show_data(cells.stages)
        self.estimate.setChecked(cells.b_error is not None)
        self.nodes.setChecked(cells.c is not None)
        for widget in (self.name, self.stages, self.estimate, self.nodes):
            widget.blockSignals(False)
        self.grid.show_cells(cells)
        if self.is_open:
            self.place()
        self._judge()

    def _fill(self, cells: Cells) -> None:
        """Edit these cells under the name that a person has typed, or under their own."""
        self.show_cells(replace(cells, name=self.typed().name) if self._named else cells)

    def _name_typed(self, name: str) -> None:
        self._named = bool(name.strip())

    def typed(self) -> Cells:
        """What a person has typed so far."""
        return replace(self.grid.typed(), name=self.name.text().replace(";", " ").strip()[:80])

    def accept(self) -> None:
        """Make it the scenario's method; a refusal is shown here."""
        text = to_text(self.typed())
        if self.session.edit_many({"method": "own", "options.tableau": text}, text="your own method"):
            self._keep()
            self._began = self.typed()
            self.dismiss()
        else:
            messages = self.session.messages
            said = [messages.problems.get(path, "") for path in ("options.tableau", "method")]
            self.trouble.show_text(next(filter(None, said), messages.notice))
            for path in ("options.tableau", "method"):
                messages.solved(path)  # it is said here, and the method in use is sound

    def _keep(self) -> None:
        """Keep what is used with the document, so that no other choice of a method loses it."""
        cells, data = self.typed(), {"text": to_text(self.typed())}
        self.session.results.note(TABLEAU, cells.name or "Your own method", data, automatic=False)

    def _let_go(self) -> None:
        """Keep what was typed and not used with the document, for the next time that the sheet opens."""
        cells, before = self.typed(), self._began
        typed = None if cells == before else json.loads(json.dumps(asdict(cells)))
        mere_name = replace(cells, name=before.name) == before
        self.session.results.put(TABLEAU_TYPED, "Typed and not used", typed, automatic=mere_name)

    def open_file(self, path: Path) -> None:
        """Edit the tableau in a file: one of Armstep's tableau files, or the text form; a refusal is shown here."""
        from solvers.tableaux.tableau import from_dict

        try:
            text = read_bounded(path, "tableau", MOST_BYTES).decode("utf-8")
            data = json.loads(text) if text.lstrip().startswith("{") else None
            self._fill(from_text(text) if data is None else _from_data(from_dict(path.stem, data)))
        except BadInput as refusal:
            self.trouble.show_text(f"{path.name}: {refusal}")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.trouble.show_text(f"{path.name} must be one of Armstep's tableau files, or {FORM}.")

    # -- judging -------------------------------------------------------------------------------------------------------

    def _cell_typed(self) -> None:
        """Refuse a cell at once, so that it keeps the keys; judge what may be a method after a pause."""
        cells = self.typed()
        if problems(cells):
            self._timer.stop()
            self._judge()
        else:
            self.grid.mark({}, row_sums(cells, {}))
            self._timer.start()

    def _judge(self) -> None:
        cells = self.typed()
        wrong = problems(cells)
        self.grid.mark(wrong, row_sums(cells, wrong))
        self.use.setEnabled(False)
        if wrong:
            self.jobs.discard("judge")
            cell, must = next(iter(wrong.items()))
            count = f" ({len(wrong)} cells)" if len(wrong) > 1 else ""
            self._complain(f"{BadInput(capital(cell_words(cell)), cells.entries()[cell], must)}{count}")
            return
        self.jobs.submit(
            lambda cancel, progress: _judged(cells),
            key="judge",
            on_done=self._show_judged,
            on_error=lambda problem: self._complain(str(problem)),
        )

    def _show_judged(self, result: tuple[Verdict, OwnMethod] | str) -> None:
        if isinstance(result, str):
            self._complain(result)
            return
        verdict, method = result
        tableau = verdict.tableau
        self.trouble.show_text(verdict.warning)
        self.use.setEnabled(True)
        pair = f"({tableau.error_order})" if tableau.error_order is not None else ""
        self.order.setText(f"Order {tableau.order}{pair}" if tableau.order else "Not consistent")
        calls = tableau.stages - tableau.fsal
        facts = [f"{counted(calls, 'evaluation')} of f per step"]
        facts += ["the last stage is the first of the next step"] if tableau.fsal else []
        facts += (
            [f"checked to within {scientific_text(verdict.bound, 1)}, as far as the decimals allow"]
            if verdict.bound
            else []
        )
        self.verdict.setText(", ".join(facts) + ".")
        self._show_condition(verdict.failing)
        self.trees.show_chart(conditions_chart(tableau))
        self.region.show()
        self.region.show_chart(region_chart([("", "solid", method.stability)]))
        self.limits.show_text(f"Stability: {limits_text(method.stability)}.")

    def _show_condition(self, failing: Condition | None) -> None:
        if failing is None:
            text = f"All order conditions up to order {HIGHEST_ORDER} hold."
        else:
            left = number(failing.value, 6)
            text = f"Order {failing.order} fails first at\n{failing.text}\nwhere the left side is {left}."
        self.condition.show_text(text)
        for widget in (self.trees, self.key, self.enlarge):
            widget.show()

    def _complain(self, sentence: str) -> None:
        self.order.setText("Not a method yet")
        self.trouble.show_text(sentence)
        self.verdict.setText("")
        self.limits.setVisible(False)
        self.condition.setVisible(False)
        for widget in (self.trees, self.key, self.enlarge, self.region):
            widget.hide()
        self._enlarge(False)

    def _enlarge(self, enlarged: bool | None = None) -> None:
        """Show the trees in the tableau's place too, or the tableau again."""
        enlarged = self.grid.isVisibleTo(self) if enlarged is None else enlarged
        self.grid.setVisible(not enlarged)
        self.enlarge.setText(SMALLER if enlarged else LARGER)

    # -- making --------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start from the scenario's own method, or from the current explicit method."""
        from robots.scenario.method_selection import method_of
        from solvers.method_registry import methods

        self.start.addItem("Start from…", None)
        for result in reversed(self.session.results.of(TABLEAU)):
            self.start.addItem(result.name, str(result.data.get("text", "")))
        for key, method in methods().items():
            if getattr(method, "tableau", None) is not None and method.stages <= MOST_STAGES and key != "own":
                self.start.addItem(method.name, key)
        present = method_of(self.session.scenario)
        tableau = getattr(present, "tableau", None)
        if present.key == "own":
            self.show_cells(from_text(str(self.session.scenario.options["tableau"])))
        elif tableau is not None and tableau.stages <= MOST_STAGES and tableau.b_error2 is None:
            self.show_cells(replace(cells_of(tableau), name=""))
        else:
            self.show_cells(Cells(((), ("1/2",)), ("0", "1")))

    def begin_from(self, key: str | None) -> None:
        """Fill in a method by its key, or a kept tableau by its text."""
        from solvers.tableaux.tableau import load

        if key is not None and key.startswith("tableau "):
            self._fill(from_text(key))
        elif key is not None:
            self._fill(replace(cells_of(load(key)), name=""))

    def _resize(self) -> None:
        cells = self.typed().resized(int(self.stages.currentData()))
        rows = tuple(text or "0" for text in cells.b)
        self.show_cells(
            replace(
                cells,
                b_error=(cells.b_error or rows) if self.estimate.isChecked() else None,
                c=(cells.c or tuple(row_sums(cells, problems(cells)))) if self.nodes.isChecked() else None,
            )
        )

    def _ask_file(self) -> None:
        ask_open(self, "Open a tableau", "Tableaux (*.json *.txt);;All files (*)", self.open_file)

    def _connect(self) -> None:
        self.grid.changed.connect(self._cell_typed)
        self.name.textEdited.connect(self._name_typed)
        self.stages.chosen.connect(lambda _: self._resize())
        self.estimate.toggled.connect(self._resize)
        self.nodes.toggled.connect(self._resize)
        self.start.chosen.connect(self.begin_from)
        self.trees.enlarge_asked.connect(self._enlarge)

    def _arrange(self) -> None:
        words = RoleLabel(
            "An explicit Runge-Kutta method: fractions, decimals or roots such as 1/3, 0.25 or (4-sqrt(6))/10.", "hint"
        )
        (stages := QLabel("Stages")).setBuddy(self.stages)
        top = WrappedRow(10, self.name, stages, self.stages, self.estimate, self.nodes)
        left, right = QVBoxLayout(), bare(QVBoxLayout(self.side))
        left.addLayout(top)
        left.addWidget(self.grid)
        left.addWidget(self.trees, 100)
        left.addStretch(1)
        for widget in (self.order, self.verdict, self.trouble, self.condition, self.region, self.limits):
            right.addWidget(widget)
        right.addSpacing(8)
        right.addWidget(self.key)
        right.addWidget(self.enlarge, 0, Qt.AlignmentFlag.AlignLeft)
        right.addStretch(1)
        self.side.setFixedWidth(self.side_width(300))
        both = QHBoxLayout()
        both.setSpacing(APART)
        both.addLayout(left, 1)
        both.addWidget(self.side, 0, Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.start)
        buttons.addWidget(push_button("Open a file…", "Read a tableau from a file", self._ask_file))
        buttons.addStretch(1)
        buttons.addWidget(push_button("Cancel", "Close this sheet; the scenario keeps what was typed", self.dismiss))
        buttons.addWidget(self.use)
        self.body.addWidget(role(QLabel("Your own method"), "display"))
        self.body.addWidget(words)
        self.body.addLayout(both, 1)
        self.body.addLayout(buttons)


def _judged(cells: Cells) -> tuple[Verdict, OwnMethod] | str:
    """The verdict and its method, or why there is none."""
    from solvers.methods.own import own_method

    try:
        return judge(cells), own_method(to_text(cells))
    except BadInput as refusal:
        # Files name the row by its key, its tooltip in words.
        return refusal.sentence(capital(refusal.what.removeprefix(f"{WHAT} ").replace("b_error", COMPARISON)))


def _from_data(tableau: Tableau) -> Cells:
    tableau = replace(tableau, name=str(tableau.name), A=tuple(tuple(map(str, row)) for row in tableau.A))
    tableau.check()
    return cells_of(tableau)
