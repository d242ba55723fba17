"""A sweep: one scenario over one or two fields, and over methods; keeps some readouts of each run."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput
from assets.fields import Data, Value, Values
from robots.model.robot import Array
from robots.scenario.scenario import Scenario
from robots.simulation.run import ReferenceErrors, Run
from robots.sweeps.axes import TOLERANCE, SweepAxis
from robots.sweeps.run_numbers import COUNTS, MORE_RUNS, OVER_TIME, STATUS, STEPS, RunNumber, run_number
from solvers.method_registry import find_method
from solvers.status import Status

MOST_RUNS = 1_000_000
REFUSED = "refused"
FAILED = "failed"
NO_MEMORY = "out-of-memory"
STATUSES = (*map(str, Status), REFUSED, FAILED, NO_MEMORY)
"""How a run may end: as `Status` says, refused (a step beyond the duration), with an error, or without memory."""
_VERSION = 1
MOST_KNOWN = 1000
"""How many scenarios a sweep remembers."""


@dataclass(frozen=True)
class Sweep:
    """The runs to compute and the readouts to keep. Runs are numbered in C order: the last axis varies fastest.

    Attributes:
        scenario: the scenario that all runs start from.
        axes: one or two fields over ranges.
        show: the readouts' names.
        methods: keys of methods; empty for the scenario's own, and then they are no axis.
        reference: whether a reference run is computed for errors against it.
    """

    scenario: Scenario
    axes: tuple[SweepAxis, ...]
    show: tuple[str, ...]
    methods: tuple[str, ...] = ()
    reference: bool = False

    def __post_init__(self) -> None:
        names = [axis.field for axis in self.axes]
        if len(names) not in (1, 2):
            raise BadInput("--over", len(names), "given once or twice")
        if len(set(names)) < len(names):
            raise BadInput("--over", names[0], "two different fields")
        if "step" in names and {"rtol", "atol", TOLERANCE} & {*names}:
            raise BadInput("--over", " and ".join(names), "either a step or a tolerance")
        if self.size > MOST_RUNS:
            raise BadInput("--over", self.size, f"at most {MOST_RUNS} runs")
        for base in self.bases:
            for axis in self.axes:
                axis.check(base)
        for one in self.shown:
            if one.needs_reference and not self.reference:
                raise BadInput("--show", one.name, "used together with --reference")

    @property
    def shape(self) -> tuple[int, ...]:
        """How many methods (if they are an axis) and values of each field there are."""
        return (*((len(self.methods),) if self.methods else ()), *(axis.count for axis in self.axes))

    @property
    def size(self) -> int:
        """How many runs there are."""
        return math.prod(self.shape)

    @cached_property
    def shown(self) -> tuple[RunNumber, ...]:
        """The readouts of each run."""
        return tuple(map(run_number, self.show))

    @property
    def bases(self) -> tuple[Scenario, ...]:
        """The scenario with each method.

        Raises:
            BadInput: for a method that the robot refuses.
        """
        return self._bases

    @cached_property
    def _bases(self) -> tuple[Scenario, ...]:
        keys = dict.fromkeys(find_method(key).key for key in self.methods)
        return tuple(self.scenario.with_value("method", key) for key in keys) or (self.scenario,)

    # -- for the runner ------------------------------------------------------------------------------------------------

    def base_of(self, number: int) -> int:
        """Which of `bases` a run starts from."""
        return number // math.prod(axis.count for axis in self.axes)

    @property
    def one_by_one(self) -> bool:
        """Whether runs cannot be computed together: settings differ, or readouts need more runs or the steps' log."""
        settings = any(axis.field.startswith("options.") for axis in self.axes)
        return settings or bool({*MORE_RUNS, *STEPS} & {*self.show})

    @property
    def needs_errors(self) -> bool:
        """Whether a readout is an error along the run."""
        return self._needs[0]

    @property
    def needs_states(self) -> bool:
        """Whether a readout needs the states along the run."""
        return self._needs[1]

    @cached_property
    def _needs(self) -> tuple[bool, bool]:
        errors = any(one.kind.endswith("error") or one.kind in OVER_TIME for one in self.shown)
        own = (one for one in self.shown if not one.kind and one.name not in (*COUNTS, STATUS))
        return errors, errors or any(one.kind == "value" for one in self.shown) or any(own)

    def read(self, run: Run, errors: ReferenceErrors | None) -> tuple[float, ...]:
        """The readouts of a run; nan for one that this run lacks and the scenario itself has: it has more links."""
        return tuple(self._reading(one, run, errors) for one in self.shown)

    def _reading(self, one: RunNumber, run: Run, errors: ReferenceErrors | None) -> float:
        try:
            return one.of(run, errors)
        except BadInput:
            one.of(self._own_run)
            return math.nan

    @cached_property
    def _own_run(self) -> Run:
        from robots.simulation.simulate import simulate

        return simulate(self.scenario, repeat=False)

    def unread(self) -> tuple[float, ...]:
        """The readouts of a run that could not be computed."""
        return (math.nan,) * len(self.show)

    def results(self) -> SweepResult:
        """The result before the first run."""
        return SweepResult.empty(self)

    @cached_property
    def _values(self) -> tuple[list[float], ...]:
        return tuple(axis.values.tolist() for axis in self.axes)

    def scenario_at(self, number: int) -> Scenario:
        """The scenario of run `number`.

        Raises:
            BadInput: for values that do not go together.
        """
        places: list[int] = []
        for axis in reversed(self.axes):
            number, place = divmod(number, axis.count)
            places.insert(0, place)
        every, physical, other = {}, {}, {}
        for axis, values, place in zip(self.axes, self._values, places, strict=True):
            changes = axis.changes(values[place])
            every |= changes
            (physical if axis.physical else other).update(changes)
        if physical and other:
            try:
                return self._with_others(number, other).with_values(physical)
            except BadInput:  # the other value may go only together with the physical one
                pass
        return self.bases[number].with_values(every)

    def number_of(self, scenario: Scenario) -> int | None:
        """The number of the run that `scenario` describes; None if there is no such run."""
        places = []
        for axis in self.axes:
            value = scenario.get("rtol" if axis.field == TOLERANCE else axis.field)
            found = np.flatnonzero(axis.values == value)
            if not found.size:
                return None
            places.append(int(found[0]))
        layer = [k for k, base in enumerate(self.bases) if base.method == scenario.method]
        if not layer:
            return None
        if self.methods:
            places.insert(0, layer[0])
        number = int(np.ravel_multi_index(places, self.shape))
        try:
            same = self.scenario_at(number).hash() == scenario.hash()
        except BadInput:
            return None
        return number if same else None

    def _with_others(self, base: int, changes: dict[str, Value]) -> Scenario:
        """A base with values that decide how it is integrated: these take long to check, and neighbours share them."""
        key = base, *changes.values()
        if key not in self._known:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = self.bases[base].with_values(changes)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[Value, ...], Scenario]:
        return {}

    def to_data(self) -> Data:
        """The sweep as JSON values; `from_data` reads it."""
        return {
            "version": _VERSION,
            "scenario": json.loads(self.scenario.alone().to_json()),
            "axes": [asdict(axis) for axis in self.axes],
            "show": list(self.show),
            "methods": list(self.methods),
            "reference": self.reference,
        }

    @classmethod
    def from_data(cls, data: Values) -> Sweep:
        """The sweep that `to_data` described."""
        return cls(
            Scenario.from_json(json.dumps(data["scenario"])),
            tuple(SweepAxis(**axis) for axis in data["axes"]),
            tuple(data["show"]),
            tuple(data["methods"]),
            data["reference"],
        )

    @cached_property
    def key(self) -> str:
        """A hash that identifies this sweep."""
        return hashlib.sha256(json.dumps(self.to_data(), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class SweepResult:
    """The readouts and statuses of a sweep's runs.

    Attributes:
        sweep: what was asked for.
        status: the number in `STATUSES` of each run, -1 for one that was not computed, (size,).
        numbers: the readouts of each run, nan where it has none, (size, readouts).
    """

    sweep: Sweep
    status: NDArray[np.int8]
    numbers: Array

    @classmethod
    def empty(cls, sweep: Sweep) -> SweepResult:
        """The result before the first run."""
        return cls(sweep, np.full(sweep.size, -1, np.int8), np.full((sweep.size, len(sweep.show)), np.nan))

    @classmethod
    def blank(cls, sweep: Sweep) -> SweepResult:
        """An empty result for a view: it takes neither time nor memory, and no runs."""
        return cls(
            sweep, np.broadcast_to(np.int8(-1), sweep.size), np.broadcast_to(np.nan, (sweep.size, len(sweep.show)))
        )

    @property
    def begun(self) -> bool:
        """Whether it can take runs: `blank` cannot."""
        return self.status.flags.writeable

    def to_data(self) -> Data:
        """The result as JSON values; `from_data` reads it. Arrays are packed: as lists they would take seconds."""
        status, numbers = self.status.astype("<i1"), self.numbers.astype("<f8")
        return {"sweep": self.sweep.to_data(), "status": _packed(status), "numbers": _packed(numbers)}

    @classmethod
    def from_data(cls, data: Values) -> SweepResult:
        """The result that `to_data` described.

        Raises:
            ValueError, KeyError, TypeError: for anything else.
        """
        result = cls.empty(Sweep.from_data(data["sweep"]))
        status = np.frombuffer(_unpacked(data["status"]), "<i1").astype(np.int8)
        numbers = np.frombuffer(_unpacked(data["numbers"]), "<f8").astype(float)
        if status.size != result.status.size or numbers.size != result.numbers.size:
            raise ValueError("the numbers do not fill the ranges")
        if not known(status):
            raise ValueError("a run ended in an unknown way")
        return cls(result.sweep, status, numbers.reshape(result.numbers.shape))

    @property
    def missing(self) -> NDArray[np.int_]:
        """The numbers of the runs that were not computed, in order."""
        return np.flatnonzero(self.status < 0)

    def take(self, part: Part) -> None:
        """Put the results of some runs where they belong; the status last, since another thread may be reading."""
        numbers = [row.number for row in part]
        self.numbers[numbers] = np.array([row.values for row in part], dtype=float).reshape(len(part), -1)
        self.status[numbers] = [STATUSES.index(row.status) for row in part]

    def statuses(self) -> NDArray[np.str_]:
        """How each run ended, in words, in the sweep's shape."""
        words = np.array([*STATUSES, ""])
        return words[self.status].reshape(self.sweep.shape)

    def readings(self) -> dict[str, Array]:
        """The numbers of each readout, in the sweep's shape; without `status`, which is not a number."""
        return {
            name: self.numbers[:, k].reshape(self.sweep.shape)
            for k, name in enumerate(self.sweep.show)
            if name != STATUS
        }


def known(status: NDArray[np.int8]) -> bool:
    """Whether each number of a file stands for one of `STATUSES`, or is -1."""
    return bool(status.min() >= -1 and status.max() < len(STATUSES))


Readings = tuple[float, ...] | Array


def _packed(array: NDArray[Any]) -> str:
    return base64.b64encode(zlib.compress(array.tobytes(), 1)).decode("ascii")


def _unpacked(text: object) -> bytes:
    """What `_packed` packed. Raises ValueError for anything else."""
    try:
        return zlib.decompress(base64.b64decode(str(text), validate=True))
    except zlib.error:
        raise ValueError("the numbers are damaged") from None


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One run: how it ended, and its readouts."""

    number: int
    status: str
    values: Readings


Part = Sequence[SweepRow]
