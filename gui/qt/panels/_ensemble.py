"""The section "Ensemble" of the Scenario panel: which fields are spread, in how many runs, and how long these agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from assets.fields import Field, Value
from gui.app import run_texts
from gui.app.computing.ensembles import spreadable
from gui.qt.style import icons
from gui.qt.widgets.fields import NumberRow
from gui.qt.widgets.form import Section
from gui.qt.widgets.parts import bare, push_button
from gui.qt.widgets.quiet import QuietComboBox, RoleLabel
from gui.qt.window.bridge import subscribe
from robots.scenario.ensemble import (
    DISTRIBUTIONS,
    MEMBER,
    MEMBERS,
    SEED,
    Spread,
    first_spread,
    member_field,
    width_field,
)

if TYPE_CHECKING:
    from gui.app.session.session import Session


class SpreadRow(QWidget):
    """A spread field: its width, its distribution, and a button that removes it."""

    def __init__(self, session: Session, path: str, field: Field) -> None:
        super().__init__()
        self.session, self.path = session, path
        self.amount = NumberRow(width_field(field), degrees=session.view.settings.degrees)
        self.amount.edited.connect(self._widen)
        self.amount.gesture.connect(session.follow_gesture)
        tip = "normal: the width is the standard deviation; uniform: half the range"
        self.distribution = QuietComboBox(f"Distribution of {field.label}", tip)
        self.distribution.offer((name, name) for name in DISTRIBUTIONS)
        self.distribution.chosen.connect(lambda name: session.ensembles.spread(path, Spread(name, self._spread.width)))
        self.remove = QToolButton()
        icons.set_icon(self.remove, "close")
        self.remove.setAccessibleName(f"Do not spread {field.label}")
        self.remove.setToolTip(f"Do not spread {field.label}")
        self.remove.clicked.connect(lambda: session.ensembles.spread(path, None))
        line, column = QHBoxLayout(), bare(QVBoxLayout(self), 2)
        line.addStretch(1)
        line.addWidget(self.distribution)
        line.addWidget(self.remove)
        column.addWidget(self.amount)
        column.addLayout(line)

    @property
    def _spread(self) -> Spread:
        ensemble = self.session.ensembles.present
        assert ensemble is not None
        return ensemble.spread[self.path]

    def refresh(self) -> None:
        """Show the scenario's values."""
        self.amount.set_problem(self.session.messages.problems.get(f"ensemble.spread.{self.path}", ""))
        self.amount.set_value(self._spread.width)
        self.distribution.show_data(self._spread.distribution)

    def _widen(self, width: Value) -> None:
        self.session.ensembles.spread(self.path, Spread(self._spread.distribution, width))  # type: ignore[arg-type]


class EnsembleSection(Section):
    """Follows the edited scenario and the current run's ensemble.

    Args:
        session: whose scenario is edited.
    """

    def __init__(self, session: Session) -> None:
        super().__init__("Ensemble")
        self.session = session
        self.rows: dict[str, SpreadRow] = {}
        self._known: object = None
        tip = "Runs around this one: each draws this field from a distribution around its value"
        self.add = QuietComboBox("Spread a field", tip, one_way=True)
        self.add.chosen.connect(self._add)
        self.members, self.seed = NumberRow(MEMBERS), NumberRow(SEED)
        for row in (self.members, self.seed):
            key = row.field.key
            row.edited.connect(lambda value, key=key: session.ensembles.set(**{key: value}))
            row.gesture.connect(session.follow_gesture)
        self.words = RoleLabel("", "hint")
        self.stop = push_button("Stop", "", self._stop_or_go)
        self.number = NumberRow(member_field())
        self.number.of_view = True  # which member *Open* opens
        self.number.edited.connect(self._choose)
        tip = "Open this member as a run of its own"
        self.open = push_button("Open", tip, lambda: session.ensembles.open())
        tip = "The same, with the current run pinned beside it"
        self.beside = push_button("Open beside", tip, lambda: session.ensembles.open(pinned=True))
        self._lay_out()
        subscribe(self, session.scenario_changed, self.refresh)
        subscribe(self, session.messages.problems_changed, self.refresh)
        subscribe(self, session.view.changed, self.refresh)
        subscribe(self, session.runs.updated, lambda _: self._say())
        self.refresh()

    def refresh(self) -> None:
        """Show the scenario's ensemble."""
        scenario, ensemble = self.session.scenario, self.session.ensembles.present
        able = spreadable(scenario)
        spread = list(ensemble.spread) if ensemble else []
        known = able, spread, self.session.view.settings.degrees
        if known != self._known:
            self._known = known
            self._rebuild(able, spread)
        for row in self.rows.values():
            row.refresh()
        self.more.setVisible(bool(spread))
        if ensemble is not None:
            self._limit_member(member_field(ensemble.members))
            problems, chosen = self.session.messages.problems, self.session.ensembles.member
            for row, path, value in (
                (self.members, "ensemble.members", ensemble.members),
                (self.seed, "ensemble.seed", ensemble.seed),
                (self.number, MEMBER, chosen),
            ):
                row.set_problem(problems.get(path, ""))
                row.set_value(value)
        self.setVisible(bool(able))
        self._say()

    def _limit_member(self, field: Field) -> None:
        self.number.field = field
        for part in (self.number.label, self.number.number):
            part.setToolTip(self.number.explanation())

    def _rebuild(self, able: dict[str, Field], spread: list[str]) -> None:
        for row in self.rows.values():
            self.column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = {path: SpreadRow(self.session, path, able[path]) for path in spread}
        for place, row in enumerate(self.rows.values(), 1):
            self.column.insertWidget(place, row)
        first = "Spread another field\u2026" if spread else "Spread a field\u2026"
        self.add.offer([(first, ""), *((field.label, path) for path, field in able.items() if path not in spread)])

    def _lay_out(self) -> None:
        self.more = QWidget()
        column, line, buttons = bare(QVBoxLayout(self.more)), QHBoxLayout(), QHBoxLayout()
        line.addWidget(self.words, 1)
        line.addWidget(self.stop)
        buttons.addStretch(1)
        buttons.addWidget(self.open)
        buttons.addWidget(self.beside)
        for widget in (self.members, self.seed):
            column.addWidget(widget)
        column.addLayout(line)
        column.addWidget(self.number)
        column.addLayout(buttons)
        self.column.addWidget(self.add)
        self.column.addWidget(self.more)

    def _say(self) -> None:
        """How far the current run's ensemble is, or how long it agrees."""
        row = self.session.runs.current
        words = run_texts.agreement(row)
        if words != self.words.text():
            self.words.setText(words)
        computing = row.ensemble_state == "computing"
        self.stop.setText("Stop" if computing else "Compute")
        self.stop.setVisible(computing or bool(row.ensemble_message))

    def _stop_or_go(self) -> None:
        if self.session.runs.current.ensemble_state == "computing":
            self.session.ensembles.stop()
        else:
            self.session.ensembles.again()

    def _add(self, path: str) -> None:
        self.add.setCurrentIndex(0)
        if path:
            scenario = self.session.scenario
            self.session.ensembles.spread(path, first_spread(scenario.fields()[path], scenario.get(path)))
            self.session.view.set(ensemble=True)
            QTimer.singleShot(0, self, lambda: self._go_to(path))  # after the list has given the keys back

    def _go_to(self, path: str) -> None:
        """How far a field is spread is what a person says next."""
        if (row := self.rows.get(path)) is not None:
            row.amount.number.setFocus(Qt.FocusReason.OtherFocusReason)
            row.amount.number.selectAll()

    def _choose(self, number: Value) -> None:
        if not self.session.ensembles.choose(number):
            self.refresh()
