"""The members of an ensemble as runs to compute, and what is kept of each: outputs and tips at even instants."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.fields import Data, Values
from assets.json_values import finite_json
from robots.ensembles.statistics import SHARES, agrees_until, from_middle, quantiles
from robots.model.registry import robot_of
from robots.model.robot import Array, of_joint
from robots.scenario.ensemble import MEMBER, Ensemble, member_field
from robots.scenario.scenario import Scenario
from robots.simulation.phases import intervals
from robots.simulation.run import ReferenceErrors, Run
from robots.simulation.simulate import posed
from robots.sweeps.sweep import STATUSES, Part

RATE = 60.0
"""Instants per second: a film's frames lie among them."""

FEWEST_INSTANTS, MOST_INSTANTS = 241, 6001
NOT_COMPUTED = "not computed"
LEAST_INSTANTS = 61
"""However many members there are."""

MOST_BYTES = 64 * 2**20
"""How much memory an ensemble takes, unless its members are so many that `LEAST_INSTANTS` take more."""


@dataclass(frozen=True)
class EnsembleRuns:
    """The members of a scenario's ensemble, numbered from 0; see `robots.sweeps.runner.ManyRuns`.

    Attributes:
        scenario: with an ensemble.

    Raises:
        BadInput: it has no ensemble.
    """

    scenario: Scenario

    reference = False
    one_by_one = False
    needs_errors = False
    needs_states = True

    def __post_init__(self) -> None:
        if self.scenario.ensemble is None:
            raise BadInput("ensemble", None, "given")

    @property
    def ensemble(self) -> Ensemble:
        """What is spread."""
        assert self.scenario.ensemble is not None
        return self.scenario.ensemble

    @property
    def size(self) -> int:
        """How many members there are."""
        return self.ensemble.members

    @property
    def bases(self) -> tuple[Scenario, ...]:
        """The scenario in the middle."""
        return (self._centre,)

    @cached_property
    def _centre(self) -> Scenario:
        return replace(self.scenario.alone(), ensemble=None)

    @cached_property
    def values(self) -> dict[str, Array]:
        """The value of each spread field in each member, (members,); a whole number is rounded, a seed at least 0."""
        fields, centre = self.scenario.fields(), self._centre
        moved = {path: float(centre.get(path)) + offsets for path, offsets in self.ensemble.offsets().items()}
        whole = {path: np.round(values) if fields[path].type is int else values for path, values in moved.items()}
        return {path: np.abs(values) if path.endswith("seed") else values for path, values in whole.items()}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The outputs that are kept: `q1`.. and `v1`.."""
        centre = self._centre
        robot = robot_of(centre)
        problem, _, _ = posed(robot, intervals(centre)[0], None)
        return tuple(robot.columns(centre, np.zeros(1), np.asarray(problem.initial, float)[None, :]))

    @cached_property
    def times(self) -> Array:
        """The instants, evenly from the start to the end, (n,) [s]."""
        wanted = min(max(math.ceil(RATE * self.scenario.duration) + 1, FEWEST_INSTANTS), MOST_INSTANTS)
        room = MOST_BYTES // (8 * self.size * (len(self.names) + 3))
        return np.linspace(0.0, self.scenario.duration, max(min(wanted, room), LEAST_INSTANTS))

    def base_of(self, number: int) -> int:
        """See `ManyRuns`."""
        return 0

    def scenario_at(self, number: int) -> Scenario:
        """The scenario of a member: as a run of its own it has the same bits.

        Raises:
            BadInput: there is no such member, or a field refuses its value.
        """
        member_field(self.size).check(MEMBER, number)
        fields = self.scenario.fields()
        drawn = {path: fields[path].type(values[number]) for path, values in self.values.items()}
        return self._centre.with_values(drawn)

    def read(self, run: Run, errors: ReferenceErrors | None) -> Array:
        """The time reached, then each output and each of the tip's coordinates at the instants; nan after the end."""
        late = self.times > run.t_end
        named, tips = run.columns(self.times), run.tip(self.times)
        table = np.full((len(self.names) + 3, len(self.times)), np.nan)
        for row, name in enumerate(self.names):
            table[row] = named.get(name, np.nan)
        if len(tips):
            table[-3:] = tips.T
        table[:, late] = np.nan
        return np.append(run.t_end, table)

    def unread(self) -> Array:
        """Nothing of all that."""
        return np.full(1 + (len(self.names) + 3) * len(self.times), np.nan)

    def results(self) -> EnsembleResult:
        """The result before the first run."""
        return EnsembleResult.empty(self)

    def to_data(self) -> Data:
        """The scenario as JSON values."""
        return {"scenario": json.loads(self.scenario.alone().to_json())}

    @classmethod
    def from_data(cls, data: Values) -> EnsembleRuns:
        """The members that `to_data` described."""
        return cls(Scenario.from_json(json.dumps(data["scenario"])))


@dataclass(frozen=True, eq=False)
class EnsembleResult:
    """What was kept of the members.

    Attributes:
        runs: what was asked for.
        status: the number in `STATUSES` of each member, -1 for one that was not computed, (members,).
        ends: the time that each reached, nan for none, (members,) [s].
        table: each output and the tip's coordinates at the instants, nan after a member's end,
            (members, outputs + 3, n).
    """

    runs: EnsembleRuns
    status: NDArray[np.int8]
    ends: Array
    table: Array

    @classmethod
    def empty(cls, runs: EnsembleRuns) -> EnsembleResult:
        """The result before the first run."""
        shape = runs.size, len(runs.names) + 3, len(runs.times)
        return cls(runs, np.full(runs.size, -1, np.int8), np.full(runs.size, np.nan), np.full(shape, np.nan))

    def copy(self) -> EnsembleResult:
        """A copy that takes more members while this one is shown."""
        return EnsembleResult(self.runs, self.status.copy(), self.ends.copy(), self.table.copy())

    @property
    def missing(self) -> NDArray[np.int_]:
        """The numbers of the members that were not computed, in order."""
        return np.flatnonzero(self.status < 0)

    def take(self, part: Part) -> None:
        """Put the results of some members where they belong."""
        for row in part:
            values = np.asarray(row.values)
            self.ends[row.number] = values[0]
            self.table[row.number] = values[1:].reshape(self.table.shape[1:])
            self.status[row.number] = STATUSES.index(row.status)

    @property
    def times(self) -> Array:
        """The instants, (n,) [s]."""
        return self.runs.times

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return self.table.nbytes

    def statuses(self) -> list[str]:
        """How each member ended, in words."""
        words = *STATUSES, NOT_COMPUTED
        return [words[number] for number in self.status]

    def output(self, name: str) -> Array:
        """An output of every member at the instants, (members, n)."""
        return self.table[:, self.runs.names.index(name)]

    @property
    def tips(self) -> Array:
        """Where the tips are, (members, n, 3) [m]; nan for an arm without one."""
        return np.swapaxes(self.table[:, -3:], 1, 2)

    def tips_at(self, t: float) -> Array:
        """Where the tips are at time `t`, those of members that have ended where they stopped, (members, 3) [m]."""
        stopped = np.where(np.isfinite(self.ends), self.ends, 0.0)
        place = np.minimum(t, stopped) / max(self.times[-1], 1e-300) * (len(self.times) - 1)
        low = np.clip(np.floor(place).astype(int), 0, len(self.times) - 1)
        members = np.arange(len(low))
        before = self.table[members, -3:, low]
        after = self.table[members, -3:, np.minimum(low + 1, len(self.times) - 1)]
        return np.where(np.isfinite(after), before + (place - low)[:, None] * (after - before), before)

    @cached_property
    def quantiles(self) -> dict[str, Array]:
        """The quantiles `SHARES` of each output at the instants, (5, n) each."""
        return {name: quantiles(self.table[:, row]) for row, name in enumerate(self.runs.names)}

    @cached_property
    def apart(self) -> Array:
        """Each member's distance from the median tip [m], or of the coordinates without one, (members, n)."""
        return from_middle(self.tips if self.has_tips else self._coordinates)

    @cached_property
    def distances(self) -> Array:
        """The quantiles `SHARES` of `apart` at the instants, (5, n)."""
        return quantiles(self.apart)

    @cached_property
    def has_tips(self) -> bool:
        """Whether the arm has a tip."""
        return bool(np.isfinite(self.table[:, -3:, 0]).any())

    @cached_property
    def agrees_until(self) -> float | None:
        """From when on fewer than nine in ten members are near the median, a tenth of the arm's size [s]; or None."""
        there = self.status >= 0
        return agrees_until(self.times, self.apart[there], self._size) if there.any() else None

    def at_once(self, times: Array) -> dict[str, Array]:
        """The quantiles of each output at `times` (m,), by a name such as `q1_p95`, (m,) each."""
        return {
            f"{name}_p{round(100 * share):02d}": np.interp(times, self.times, row)
            for name, rows in self.quantiles.items()
            for share, row in zip(SHARES, rows, strict=True)
        }

    def members(self) -> dict[str, Array]:
        """A table with a row for each member: its number, what was drawn, the time reached, the outputs at the end."""
        final = {f"final_{name}": self._last(row) for row, name in enumerate(self.runs.names)}
        return {"member": np.arange(self.runs.size, dtype=float), **self.runs.values, "t_end": self.ends, **final}

    def to_dict(self) -> Data:
        """The ensemble as the JSON object of `armstep run --json`."""
        ended = {word: self.statuses().count(word) for word in dict.fromkeys(self.statuses())}
        last = {name: rows[:, -1] for name, rows in self.quantiles.items()}
        return finite_json(
            {
                **self.runs.ensemble.to_data(),
                "status": ended,
                "agrees_until": self.agrees_until,
                "quantiles": list(SHARES),
                "final": last,
            }
        )

    def _last(self, row: int) -> Array:
        """The last good value of one row of the table in each member, (members,)."""
        found = np.isfinite(self.table[:, row])
        last = self.table.shape[2] - 1 - np.argmax(found[:, ::-1], axis=1)
        return self.table[np.arange(len(last)), row, last]

    @property
    def _coordinates(self) -> Array:
        rows = [row for row, name in enumerate(self.runs.names) if of_joint(name, "q")]
        return np.swapaxes(self.table[:, rows or slice(0, -3)], 1, 2)

    @property
    def _size(self) -> float:
        """The arm's size [m]; without a tip, how far its coordinates move."""
        (centre,) = self.runs.bases
        if self.has_tips:
            return robot_of(centre).shape(centre).radius
        middles = (quantiles(self._coordinates[:, :, k])[SHARES.index(0.5)] for k in range(self._coordinates.shape[2]))
        known = (middle[np.isfinite(middle)] for middle in middles)
        return max((float(np.ptp(values)) for values in known if len(values)), default=0.0)
