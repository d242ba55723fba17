"""The runs on the screen: the current one and the pinned ones, each with its own colour and dash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assets.fields import Data
from gui.app import formatting
from gui.app.documents import UNTAGGED, Document, Pin, Tag
from gui.app.signal import Signal
from gui.charts.colours import colour_of, dash_of
from robots.scenario.scenario import Scenario

if TYPE_CHECKING:
    from robots.ensembles.members import EnsembleResult
    from robots.simulation.reference import Reference
    from robots.simulation.run import ReferenceErrors, Run


RECORDING = "recording"
"""Instead of how a run is integrated, where it is what was recorded."""

CURRENT = 0
"""The id of the current run's row, which always exists and comes first."""


HELD: Data = {
    "state": "held",
    **dict.fromkeys(("run", "seconds", "seconds_left", "reference", "reference_run", "ensemble")),
    **dict.fromkeys(("message", "reference_message", "ensemble_message"), ""),
    **dict.fromkeys(("progress", "ensemble_progress"), 0.0),
    **dict.fromkeys(("reference_state", "ensemble_state"), "none"),
    **dict.fromkeys(("judged", "left"), False),
}
"""A row's fields while its result must not be seen."""


@dataclass(frozen=True, slots=True, eq=False)
class RunRow:
    """A row of the table of runs; a new value at every change.

    Attributes:
        id: stays the same as long as the row exists; 0 is the current run.
        scenario: what was asked for.
        slot: position in the list of colours.
        pinned: False for the current run.
        tag: the name and the note that a person gave it.
        visible: whether the views draw it.
        state: `waiting` (queued), `held` (nothing is shown before a prediction), `computing`, `done`, or `failed`
            (numerically, or by an exception).
        progress: simulated part of the span, 0 .. 1.
        seconds_left: how long the rest takes at the present speed; None while unknown [s].
        stopped: a person has stopped the computation, and its result is awaited.
        run: the latest result, which may still belong to an earlier scenario (`run.scenario`) of the same robot; None
            before the first one.
        left: whether `run` is of the document that was open before.
        beginning: while it is held, the first instant of the run: pictures show the arm as it starts.
        message: why it failed, the solver's notes, or what a long computation will cost, as sentences; may be empty.
        judged: whether `run.stability` and `run.extent` are computed: a window waits for neither.
        seconds: how long the integration of `run` takes, measured warm and repeated once the run is on the screen; None
            until then, and for a run that did not come to its end [s].
        reference: errors against the reference run; they belong to an earlier result while `reference_state` is
            `computing`.
        reference_run: the reference itself, for a ghost.
        reference_state: `none`, `computing`, `done`, `unavailable` (the robot has none) or `failed`.
        degrees: whether the angles in its texts are in degrees, as the fields show them.
        reference_message: why there is no reference, as a sentence.
        ensemble: the runs around `run`, once they are all there; None where the scenario has none.
        ensemble_state: `none`, `computing`, `done`, or `failed`.
        ensemble_progress: the share of its members that are computed, 0 .. 1.
        ensemble_message: why there is none, as a sentence.
    """

    id: int
    scenario: Scenario
    slot: int
    pinned: bool
    tag: Tag = UNTAGGED
    visible: bool = True
    state: str = "waiting"
    progress: float = 0.0
    seconds_left: float | None = None
    stopped: bool = False
    run: Run | None = None
    left: bool = False
    beginning: Run | None = None
    message: str = ""
    judged: bool = False
    seconds: float | None = None
    reference: ReferenceErrors | None = None
    reference_run: Reference | None = None
    reference_state: str = "none"
    reference_message: str = ""
    ensemble: EnsembleResult | None = None
    ensemble_state: str = "none"
    ensemble_progress: float = 0.0
    ensemble_message: str = ""
    degrees: bool = True

    @classmethod
    def of_pin(cls, pin: Pin) -> RunRow:
        """The row of a pinned run, before its result is there."""
        return cls(pin.id, pin.scenario, pin.slot, pinned=True, tag=pin.tag)

    @property
    def colour(self) -> str:
        """`#RRGGBB`."""
        return colour_of(self.slot)

    @property
    def dash(self) -> str:
        """One of `gui.charts.colours.DASHES`."""
        return dash_of(self.slot)

    @property
    def recording(self) -> bool:
        """Whether it shows where a log has the arm: it has neither a method nor errors or costs of its own."""
        if not self.pinned or self.scenario.task.get("torque") != "log-motion":
            return False
        from robots.scenario.logs import is_recording

        return is_recording(self.scenario)

    @property
    def label(self) -> str:
        """Its name in legends: the one that a person gave it, otherwise the method's."""
        return self.tag.name or (RECORDING if self.recording else formatting.method_name(self.scenario))

    @property
    def setting(self) -> str:
        """Step or tolerances, as legends show them; the method comes first where the label does not name it."""
        if self.recording:
            return RECORDING if self.tag.name else ""
        setting, method = formatting.setting(self.scenario, self.degrees), formatting.method_name(self.scenario)
        known = not self.tag.name or formatting.says_method(self.tag.name, method)
        return setting if known else f"{formatting.one_name(method)}, {setting}"

    @property
    def called(self) -> str:
        """The name that a person gave it, for legends of names alone: with how, if it is integrated otherwise since."""
        if self.recording:
            return self.label
        older = self.tag.given not in ("", self.integration)
        return f"{self.tag.name}, {self.setting}" if self.tag.name and older else self.tag.name

    @property
    def integration(self) -> str:
        """Its method, with step or tolerances."""
        return f"{formatting.method_name(self.scenario)}, {formatting.setting(self.scenario)}"

    @property
    def ready(self) -> bool:
        """Whether there is something to draw."""
        return self.run is not None

    @property
    def own_errors(self) -> ReferenceErrors | None:
        """The errors of `run` itself against the reference; until they are there, `reference` has those before."""
        return None if self.reference_state == "computing" else self.reference

    @property
    def outdated(self) -> bool:
        """Whether the numbers of `run` are not those of what the row names, or not yet.

        True while another method or another document's run is computing, while a computation takes long, after one
        without a result, and while another scenario is computed after a run that was stopped.
        """
        if self.run is None or self.state not in ("computing", "failed"):
            return False
        if self.left or (self.state == "computing" and self.seconds_left is not None):
            return True
        if self.run.scenario == self.scenario:
            return False
        ended = self.state == "failed" or self.run.status == "cancelled"
        return ended or chosen(self.run.scenario) != chosen(self.scenario)

    @property
    def superseded(self) -> bool:
        """Whether a person waits for another run than the one that is drawn; a quick one is not waited for."""
        waits = self.state == "computing" and self.progress > 0.0
        return waits and self.run is not None and self.run.scenario != self.scenario

    @property
    def drawn(self) -> RunRow:
        """The row of what is drawn: while another scenario is computed for it, `run` keeps its own names."""
        run = self.run
        if run is None or run.scenario is self.scenario or not run.scenario.same_robot(self.scenario):
            return self
        return replace(self, scenario=run.scenario)

    def time_shown(self, t: float) -> float:
        """The time that is drawn when the playhead is at `t` [s]: a failed run stays at its end."""
        return t if self.run is None else min(t, float(self.run.t_end))

    def over_at(self, t: float) -> bool:
        """Whether the run that is asked for ended by itself, and no step that it tried comes to `t` [s].

        Then a change from `t` on cannot act.
        """
        run = self.run
        if run is None or self.state != "failed" or run.scenario != self.scenario:
            return False
        return t > float(run.t_end) + (abs(float(run.log.h[-1])) if len(run.log.h) else 0.0)

    def frozen_at(self, t: float) -> bool:
        """Whether the run ended before `t` [s]."""
        return self.run is not None and t > float(self.run.t_end) + 1e-12


def visible_runs(rows: Iterable[RunRow]) -> list[RunRow]:
    """The rows whose run is there and shown."""
    return [row for row in rows if row.visible and row.run is not None]


def longest(rows: Iterable[RunRow]) -> float:
    """When the longest of the shown runs ends [s]; 0 without any."""
    return max((float(row.run.t_end) for row in rows if row.visible and row.run is not None), default=0.0)


def chosen(scenario: Scenario) -> tuple[object, ...]:
    """What makes a computation a different one for a person, however short it is."""
    return scenario.method, scenario.options


class Runs:
    """The rows in order, the current run first.

    Attributes:
        changed: signal `()`: a row was added, removed, moved, shown, hidden, named or coloured.
        updated: signal `(row_id)`: a row has another scenario, state, result or reference.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.changed = Signal()
        self.updated = Signal()
        self._rows: dict[int, RunRow] = {CURRENT: RunRow(CURRENT, scenario, 0, pinned=False)}

    @property
    def all(self) -> tuple[RunRow, ...]:
        """Every row, the current run first."""
        return tuple(self._rows.values())

    @property
    def current(self) -> RunRow:
        """The current run's row."""
        return self._rows[CURRENT]

    def find(self, row_id: int) -> RunRow | None:
        """The row of that id, if it is still there."""
        return self._rows.get(row_id)

    def update(self, row_id: int, *, quietly: bool = False, **values: object) -> None:
        """Change attributes of a row; does nothing if the row is gone (its job came too late).

        Args:
            row_id: which row.
            quietly: emit no signal, because another change follows at once.
            values: the attributes.
        """
        row = self._rows.get(row_id)
        if row is not None:
            self._rows[row_id] = replace(row, **values)
            if not quietly:
                self.updated.emit(row_id)

    def show(self, row_id: int, visible: bool) -> None:
        """Show or hide a row."""
        row = self._rows.get(row_id)
        if row is not None and row.visible != visible:
            self._rows[row_id] = replace(row, visible=visible)
            self.changed.emit()

    def write_degrees(self, degrees: bool) -> None:
        """Write the angles in the texts of all rows in degrees, or in radians."""
        if self.current.degrees != degrees:
            self._rows = {row.id: replace(row, degrees=degrees) for row in self.all}
            self.changed.emit()

    @property
    def hidden(self) -> list[int]:
        """The places of the rows that a person does not want to see; the current run has place 0."""
        return [place for place, row in enumerate(self.all) if not row.visible]

    def hide_only(self, places: object) -> None:
        """Hide the rows at these places, as `hidden` gave them to a file, and show all others."""
        given = places if isinstance(places, list) else []
        for place, row in enumerate(self.all):
            self.show(row.id, place not in given)

    def arrange(self, document: Document) -> None:
        """Show exactly the document's runs, in its order; existing rows keep their results."""
        rows = {CURRENT: _tagged(self.current, document.tag, 0)}
        for pin in document.pins:
            known = self._rows.get(pin.id)
            made = known or replace(RunRow.of_pin(pin), degrees=self.current.degrees)
            rows[pin.id] = _tagged(made, pin.tag, pin.slot)
        if list(rows.values()) != list(self._rows.values()):
            self._rows = rows
            self.changed.emit()


def _tagged(row: RunRow, tag: Tag, slot: int) -> RunRow:
    return row if (row.tag, row.slot) == (tag, slot) else replace(row, tag=tag, slot=slot)
