"""Runs that display and save themselves: one, and several side by side."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assets.errors import ArmstepError, BadInput
from assets.fields import Data
from gui.front.figure import Figure
from gui.front.table import aligned, as_html, cells
from robots.scenario.method_selection import label_of
from robots.scenario.scenario import Scenario
from robots.simulation import run as simulation
from solvers.problem import Array
from solvers.solution import Counts, StepLog
from solvers.status import Status

if TYPE_CHECKING:
    from gui.app.runs import RunRow
    from gui.qt.export.settings import ExportSettings
    from robots.ensembles.members import EnsembleResult
    from robots.simulation.reference import Reference

HEIGHT = 520
"""Of the page that plays in a notebook [px]."""


def instants(times: ArrayLike) -> Array:
    """Times as (m,), of one number too."""
    return np.atleast_1d(np.asarray(times, dtype=float))


class Results(ABC):
    """The common part of one run and several: figures and files."""

    @abstractmethod
    def rows_shown(self) -> list[RunRow]:
        """The runs as the exporters take them, the current one first."""

    def plot(self, *, title: str | None = None, **settings: object) -> Figure:
        """The window's plots, drawn without a window.

        Args:
            title: the heading; None is the scenario's own.
            settings: how the page looks, as for `armstep render`: theme, style, width, font, plots ...

        Raises:
            BadInput: a setting that cannot be used.
        """
        from gui.qt.export.format import PAGE
        from gui.qt.export.settings import ExportSettings, measured

        for name in settings:
            if name not in PAGE:
                raise BadInput("argument", name, choices=sorted(PAGE))
        ExportSettings(Path("figure.svg"), **measured(settings)).check()
        rows = self.rows_shown()
        return Figure(rows, rows[0].scenario.title if title is None else title, measured(settings))

    def save(self, path: str | os.PathLike[str], **settings: object) -> Path:
        """Write a file; its suffix decides the format (`armstep list formats`).

        Args:
            path: where to; a folder's name ends in `/`.
            settings: how it is made, as for `armstep render`: size, fps, speed, start, end, camera, theme ...

        Returns:
            The file.

        Raises:
            BadInput: a suffix or a setting that cannot be used.
            ArmstepError: it cannot be drawn or written, and why.
        """
        from gui.qt.export.settings import ExportSettings

        if not isinstance(path, (str, os.PathLike)):
            raise BadInput("path", path, "a file's name")
        known = [item.name for item in fields(ExportSettings) if item.name not in ("file", "format")]
        for name in settings:
            if name not in known:
                raise BadInput("argument", name, choices=known)
        return self.write(ExportSettings.chosen(os.fspath(path), settings))

    def write(self, settings: ExportSettings) -> Path:
        """Write the file that the settings describe; see `save`."""
        from gui.app.view import ViewSettings
        from gui.qt.export.exporter import render_rows

        rows = self.rows_shown()
        scenario = rows[0].scenario
        settings.check(scenario)
        return render_rows(rows, ViewSettings().with_mapping(scenario.view), settings)

    @abstractmethod
    def _table(self) -> str:
        """The numbers as an HTML table."""

    def _repr_html_(self) -> str:
        """The motion as a page that plays, above the numbers; the numbers alone where it cannot be drawn."""
        with TemporaryDirectory(prefix="armstep-") as folder:
            try:
                page = self.save(Path(folder) / "run.html").read_text(encoding="utf-8")
            except ArmstepError:
                return self._table()
        frame = f'<iframe srcdoc="{escape(page)}" title="The motion" width="100%" height="{HEIGHT}"></iframe>'
        return frame + self._table()


class Run(Results):
    """What happened: states, numbers and errors of one simulation.

    Attributes:
        scenario: what was simulated.
        t, y: the times (n,) [s] and states (n, d) of the accepted steps.
        status: how it ended; `status.value` is "finished" if it reached the end.
        message: the same as a sentence.
        log: every attempted step.
        counts: what it cost: `steps`, `rejected` (by an estimate of their error), `rhs_evaluations` and so on.
        failed: whether a fixed step failed, which ended the run: it is neither accepted nor rejected.
        final: the last good state by name, q1.. and v1..
        max_error, final_error: the largest and the last value of each error by name and unit; None if not finite.
        ensemble: the runs around it, if its scenario has an ensemble: `times`, `output(name)`, `quantiles`, `tips`,
            `agrees_until`, `members()`; None otherwise.
        trusted_until: the time until which the errors against the reference mean something [s]; None without one.
    """

    def __init__(
        self,
        run: simulation.Run,
        exact: Reference | None = None,
        errors: simulation.ReferenceErrors | None = None,
        ensemble: EnsembleResult | None = None,
    ) -> None:
        self._run, self._exact, self._errors = run, exact, errors
        self.ensemble = ensemble
        self.scenario: Scenario = run.scenario
        self.t: Array = run.t
        self.y: Array = run.y
        self.status: Status = run.status
        self.log: StepLog = run.log
        self.counts: Counts = run.counts
        self.failed = bool(run.failed_attempts.any())
        data = self.to_dict()
        self.message: str = data["message"]
        self.final: dict[str, float | None] = data["final"]
        self.max_error: dict[str, float | None] = data["max_error"]
        self.final_error: dict[str, float | None] = data["final_error"]
        self.trusted_until: float | None = data.get("trusted_until")

    def columns(self, times: ArrayLike | None = None) -> dict[str, Array]:
        """The coordinates q1.. and their rates v1.. at `times` (m,), or at the steps, each (m,)."""
        return self._run.columns(None if times is None else instants(times))

    def sample(self, times: ArrayLike) -> Array:
        """The states at `times` (m,), (m, d), by the method's dense output; outside the run, the nearest end."""
        return self._run.sample(instants(times))

    @cached_property
    def estimated_error(self) -> dict[str, float]:
        """The largest of each error, estimated by a finer run of the same method; empty where that is not possible."""
        from robots.simulation.global_error import estimate

        found = estimate(self._run)
        return {} if found is None else dict(found.max)

    def to_dict(self) -> Data:
        """The object that `armstep run --json` prints."""
        more = {"ensemble": self.ensemble.to_dict()} if self.ensemble else {}
        return self._run.to_dict(self._errors) | more

    def rows_shown(self) -> list[RunRow]:
        """See Results."""
        return [self.row(0)]

    def row(self, slot: int) -> RunRow:
        """The run as the exporters take it, with the colour of the place `slot`."""
        from gui.app.runs import RunRow

        state = "done" if self._errors else "none"
        return RunRow(
            slot,
            self.scenario,
            slot,
            slot > 0,
            state="done",
            run=self._run,
            message=self.message,
            reference=self._errors,
            reference_run=self._exact,
            reference_state=state,
            ensemble=self.ensemble,
            ensemble_state="done" if self.ensemble else "none",
        )

    def __repr__(self) -> str:
        errors = [f", {name} at most {value:.3g}" for name, value in self.max_error.items() if value is not None]
        cost = f"{self.counts.steps} steps, {self.counts.rhs_evaluations} evaluations"
        what = f"{self.scenario.label}, {self.scenario.method}"
        return f"<Run {what}: {self.status} at t = {self.t[-1]:.6g} s, {cost}{''.join(errors)}>"

    def _table(self) -> str:
        return as_html(
            cells([self.to_dict()], [label_of(self.scenario)]),
            f"{self.scenario.title or self.scenario.robot}. {self.message}",
        )


class Comparison(Results):
    """One scenario with several methods.

    Attributes:
        runs: the runs, in the order of the methods.
        rows: their numbers, as `armstep run --json` prints them.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = list(runs)
        self.rows = [run.to_dict() for run in self.runs]

    def to_dict(self) -> Data:
        """The object that `armstep compare --json` prints."""
        first = self.runs[0].scenario
        return {"scenario": first.name, "robot": first.robot, "runs": self.rows}

    def rows_shown(self) -> list[RunRow]:
        """See Results."""
        return [run.row(slot) for slot, run in enumerate(self.runs)]

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, place: int) -> Run:
        return self.runs[place]

    def __str__(self) -> str:
        return aligned(self._cells())

    def __repr__(self) -> str:
        first = self.runs[0].scenario
        return f"<Comparison {first.label}: {', '.join(row['method'] for row in self.rows)}>"

    def _cells(self) -> list[list[str]]:
        return cells(self.rows, [label_of(run.scenario) for run in self.runs])

    def _table(self) -> str:
        first = self.runs[0].scenario
        return as_html(self._cells(), first.title or first.robot)
