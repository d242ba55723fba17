"""A Run: the result, as arrays, a step log, errors and a status; every picture and table is a view of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from assets.fields import Data
from assets.json_values import finite_json
from robots.model.registry import robot_of
from robots.model.robot import Array, Robot, Series
from robots.model.sampling import HeldTorques, Sampler
from robots.model.segments import Pull
from robots.model.shapes import ArmShape, Pose, within_sight
from robots.scenario.scenario import Scenario
from robots.simulation.phases import Phase, blocks
from robots.simulation.reach import reach
from solvers.solution import Counts, StepLog
from solvers.status import Status

if TYPE_CHECKING:
    from robots.model.companion import Companion
    from robots.simulation.impacts import Impact
    from robots.simulation.sampled_loop import LoopStability
    from robots.simulation.stability import StepStability
    from solvers.problem import OdeProblem

_OF_NUMBERS = ("eigenvalues", "stability", "loop_stability", "extent")
"""What is computed of a run's numbers alone, once."""

LOOKED_AT = 20_000
"""How many rows say how far a motion reaches."""


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceErrors:
    """The errors of a run against the reference, at the run's rows.

    Attributes:
        t: times (n,) [s].
        errors: name with unit to (n,); nan after the reference ends.
        trusted_until: from here on the errors mean nothing [s].
        max: the largest of each up to `trusted_until`.
        final: each at the run's end; absent when that is not trusted.
        message: a sentence when `trusted_until` cuts the run short, else empty.
        level: below it an error says nothing: it is as large as rounding and the reference's own error; by name.
        extent: how far the reference reaches up to `trusted_until`, as `Run.extent` has it.
    """

    t: Array
    errors: Mapping[str, Array]
    trusted_until: float
    max: Mapping[str, float]
    final: Mapping[str, float]
    message: str = ""
    level: Mapping[str, float] = field(default_factory=dict)
    extent: Mapping[str, float] = field(default_factory=dict)

    def largest(self, until: float) -> dict[str, float]:
        """The largest of each up to `until` [s]."""
        known = self.t <= until * (1.0 + 1e-12)
        return {name: float(np.max(values[known])) for name, values in self.errors.items()}


@dataclass(frozen=True, eq=False)
class Run:
    """The result of `simulate()`.

    Attributes:
        scenario, robot: what was simulated.
        status, message: how it ended, and a sentence for a student.
        t, y: initial state and accepted steps, (n,) and (n, d).
        log, counts: every attempted step, and what it cost.
        compute_seconds: how long the processor worked on the integration; see `robots.simulation.timing`.
        errors: errors that need no reference, name with unit to (n,); nan where they mean nothing (energy in a pull).
        phases: between two of them something changed; one for most runs.
        companion: a second motion that results from this one, if the task asks for one.
    """

    scenario: Scenario
    robot: Robot
    status: Status
    message: str
    t: Array
    y: Array
    log: StepLog
    counts: Counts
    compute_seconds: float
    errors: Mapping[str, Array]
    phases: tuple[Phase, ...]
    companion: Companion | None = None

    # -- states --------------------------------------------------------------------------------------------------------

    @property
    def t_end(self) -> float:
        """Time of the last good state [s]."""
        return float(self.t[-1])

    @property
    def outcome(self) -> str:
        """How it ended, as one sentence: the first of its message."""
        return self.phases[-1].solution.outcome

    @property
    def boundaries(self) -> tuple[float, ...]:
        """Times where something changed, without the ends [s]."""
        return tuple(phase.start for phase in self.phases[1:] if not phase.interval.cut)

    @property
    def impacts(self) -> tuple[Impact, ...]:
        """When its joints met their hard stops."""
        return tuple(impact for phase in self.phases for impact in phase.impacts)

    @property
    def nbytes(self) -> int:
        """How much memory its arrays take."""
        work = 0 if self.log.work is None else self.log.work.nbytes
        own = self.t.nbytes + self.y.nbytes + self.log.steps.nbytes + work
        return own + sum(values.nbytes for values in self.errors.values())

    @cached_property
    def failed_attempts(self) -> NDArray[np.bool_]:
        """Which attempts of its log a fixed step failed at, (n,): it is never rejected, so there the run ended."""
        fixed = np.array([phase.scenario.step is not None for phase in self.phases])
        at = np.searchsorted([phase.start for phase in self.phases], self.log.t, side="right") - 1
        return ~self.log.accepted.astype(bool) & fixed[np.clip(at, 0, None)]

    def phase_at(self, t: float) -> Phase:
        """The scenario at time `t` [s]; between two phases, the later one's."""
        begun = [phase for phase in self.phases if phase.start <= t]
        return begun[-1] if begun else self.phases[0]

    def sample(self, times: Array) -> Array:
        """The states at `times` (m,), (m, d), by the method's dense output; outside the run, the nearest end."""
        return self._by_phase(times, lambda phase, t, y: y)

    @cached_property
    def output_times(self) -> Array:
        """The times of tables: accepted steps, or every `sampling` seconds and the end."""
        if self.scenario.sampling == 0.0:
            return self.t
        count = math.floor(self.t_end / self.scenario.sampling * (1.0 + 1e-12))
        times = self.scenario.sampling * np.arange(count + 1, dtype=np.float64)
        return times if times[-1] >= self.t_end * (1.0 - 1e-12) else np.append(times, self.t_end)

    @cached_property
    def eigenvalues(self) -> tuple[Array, NDArray[np.complex128]]:
        """Times (m,) and the eigenvalues of the linearised equations there, (m, d) [1/s], the largest first."""
        from robots.simulation.linearisation import INSTANTS, eigenvalues_along

        rows = np.unique(np.linspace(0, len(self.t) - 1, min(INSTANTS, len(self.t))).round().astype(int))
        return eigenvalues_along(self.robot, [self.phase_at(t) for t in self.t[rows]], self.t[rows], self.y[rows])

    @cached_property
    def stability(self) -> StepStability | None:
        """Its steps against the stability region of its method, also where that limits most or jumps; None without."""
        from robots.simulation.linearisation import eigenvalues_along
        from robots.simulation.stability import HALVED, REFINED, stability_along

        def at(times: Array, eigenvalues: NDArray[np.complex128]) -> StepStability | None:
            return stability_along([self.phase_at(t) for t in times], times, eigenvalues)

        found = at(*self.eigenvalues)
        for round_ in range(REFINED + HALVED):
            if found is None:
                break
            rows = found.between(self.t) if round_ < REFINED else found.jumps(self.t)
            if not len(rows):
                continue
            phases = [self.phase_at(t) for t in self.t[rows]]
            found = found.joined(at(*eigenvalues_along(self.robot, phases, self.t[rows], self.y[rows])))
        return found

    @cached_property
    def loop_stability(self) -> LoopStability | None:
        """Its sampled control against the longest period that is stable; None where nothing is sampled."""
        from robots.simulation.sampled_loop import LoopStability

        return LoopStability.of(self)

    @cached_property
    def extent(self) -> Mapping[str, float]:
        """How far the motion reaches, see `reach`; of millions of steps it looks at `LOOKED_AT` alone."""
        count = len(self.t)
        times = None if count <= LOOKED_AT else self.t[np.linspace(0, count - 1, LOOKED_AT).astype(int)]
        return reach(self.robot, self._parts(times), self._outputs)

    def extent_of(self, exact: Callable[[Array], Array], times: Array) -> Mapping[str, float]:
        """How far the exact motion reaches, from the states of the reference (m, e) at `times` (m,)."""
        parts = [(phase, t, self.robot.run_states(phase.scenario, t, exact(t))) for phase, t, _ in self._parts(times)]
        return reach(self.robot, parts, self._outputs)

    def eigenvalues_at(self, t: float) -> NDArray[np.complex128]:
        """Every eigenvalue of the linearised equations at time `t` [s] itself, (d,) [1/s]."""
        from robots.simulation.linearisation import eigenvalues_at

        return eigenvalues_at(self.robot, self.phase_at(t), t)

    def steps_times_modes(self, t: float, known: NDArray[np.complex128] | None = None) -> NDArray[np.complex128]:
        """h lambda of all eigenvalues lambda at time `t`, or of those `known`, with the step h there if any, (d,)."""
        known, step = self.eigenvalues_at(t) if known is None else known, self.step_at(t)
        return known[:0] if step is None else step * known

    def step_at(self, t: float) -> float | None:
        """The step that the run took around time `t` [s]; None where it took none."""
        from robots.simulation.linearisation import nominal_step

        return nominal_step(self.phase_at(t), t)

    # -- views ---------------------------------------------------------------------------------------------------------

    def shown_as(self, scenario: Scenario) -> Run:
        """The same run with other texts and looks: `scenario` has the same hash."""
        looks = {"view": scenario.view, "model": scenario.model}
        phases = [
            replace(phase, interval=replace(phase.interval, scenario=replace(phase.scenario, **looks)))
            for phase in self.phases
        ]
        other = replace(self, scenario=scenario, robot=robot_of(scenario), phases=tuple(phases))
        other.__dict__.update({name: self.__dict__[name] for name in _OF_NUMBERS if name in self.__dict__})
        return other

    def columns(self, times: Array | None = None) -> dict[str, Array]:
        """The named outputs `q1.. v1..` at `times`, or at the rows of `t`."""
        named = [(self._outputs(phase, t, y), len(t)) for phase, t, y in self._parts(times)]
        names = dict.fromkeys(name for columns, _ in named for name in columns)
        return {
            name: np.concatenate([columns.get(name, np.full(count, np.nan)) for columns, count in named])
            for name in names
        }

    def table(self) -> dict[str, Array]:
        """The columns of an exported table, `t` first."""
        times = None if self.scenario.sampling == 0.0 else self.output_times
        return {"t": self.output_times, **self.columns(times)}

    def series(self, times: Array | None = None) -> dict[str, Series]:
        """The robot's further quantities over time (energies, torques) at `times`, or at the rows of `t`."""
        parts = [self._series(phase, t, y) for phase, t, y in self._parts(times)]
        return {
            key: replace(one, values=np.concatenate([part[key].values for part in parts]))
            for key, one in parts[0].items()
        }

    def shape(self, t: float = 0.0) -> ArmShape:
        """The arm's look at time `t`."""
        return self.robot.shape(self.phase_at(t).scenario)

    def pose(self, t: float) -> Pose:
        """The arm at time `t`; after the end of the run its last good pose."""
        return self.moments(np.array([t]))[0]

    def moments(self, times: Array) -> list[Pose]:
        """The arm at each of `times` (m,), which rise; after the end of the run its last good pose."""
        parts = self._parts(times)
        return [within_sight(pose) for phase, t, y in parts for pose in self.robot.moments(phase.scenario, t, y)]

    def poses(self, times: Array) -> Array:
        """`world_from_link` (m, links, 4, 4) at `times` (m,)."""
        return self._by_phase(times, lambda phase, t, y: self.robot.poses(phase.scenario, t, y))

    def tip(self, times: Array | None = None) -> Array:
        """Where the tip is at `times`, or at the rows of `t`, (m, 3) [m]."""
        return np.concatenate([self.robot.tip_path(phase.scenario, t, y) for phase, t, y in self._parts(times)])

    def readings(self, t: float) -> dict[str, float]:
        """The robot's further numbers at time `t`, by name."""
        phase = self.phase_at(t)
        return self.robot.readings(phase.scenario, t, phase.solution(t))

    def pull_at(self, t: float) -> Pull | None:
        """The pull that acts at time `t`, if any."""
        return self.phase_at(t).pull

    # -- results -------------------------------------------------------------------------------------------------------

    @cached_property
    def final(self) -> dict[str, float]:
        """The outputs of the last good state."""
        last = self.phases[-1]
        named = self._outputs(last, self.t[-1:], self.y[-1:])
        return {name: float(values[0]) for name, values in named.items()}

    @cached_property
    def max_error(self) -> dict[str, float]:
        """The largest of each error over the accepted steps."""
        return {name: float(np.nanmax(values)) for name, values in self.errors.items() if not np.isnan(values).all()}

    @cached_property
    def final_error(self) -> dict[str, float]:
        """Each error at the last good state."""
        return {name: float(values[-1]) for name, values in self.errors.items()}

    def errors_at(self, times: Array, reference: ReferenceErrors | None = None) -> dict[str, Array]:
        """Its errors, with those against the reference if there is one, at `times` (m,), joined by lines, (m,) each."""
        known = {**self.errors, **(reference.errors if reference else {})}
        return {name: np.interp(times, self.t, values) for name, values in known.items()}

    def to_dict(self, reference: ReferenceErrors | None = None) -> Data:
        """The run as the JSON object of `armstep run --json`."""
        largest, last = dict(self.max_error), dict(self.final_error)
        message = self.message
        extra: Data = {}
        if reference:
            largest |= reference.max
            last |= reference.final
            extra["trusted_until"] = reference.trusted_until
            message = " ".join(filter(None, (message, reference.message)))
        return finite_json(
            {
                "scenario": self.scenario.name,
                "robot": self.robot.key,
                **({"joints": list(self.robot.joints)} if self.robot.joints else {}),
                "method": self.scenario.method,
                "status": str(self.status),
                "message": message,
                "t_end": self.t_end,
                **asdict(self.counts),
                "compute_seconds": self.compute_seconds,
                "final": self.final,
                "max_error": largest,
                "final_error": last,
                **extra,
                **({"samples": len(self.held[0].taken), "lost_samples": len(self.held[1])} if self.held else {}),
                **({"impacts": len(self.impacts)} if self.robot.stops(self.scenario) else {}),
                **({self.companion.name: self.companion.to_dict()} if self.companion else {}),
            }
        )

    # -- sampled control -----------------------------------------------------------------------------------------------

    @property
    def sampled(self) -> OdeProblem | None:
        """The equations whose torques are sampled, with what was held: its own, or those of the arm that it drives."""
        if self.companion is not None and self.companion.problem.sample is not None:
            return self.companion.problem
        phase = next((phase for phase in reversed(self.phases) if phase.held is not None), None)
        return None if phase is None else cast("OdeProblem", phase.problem())

    @cached_property
    def held(self) -> tuple[HeldTorques, Array] | None:
        """The torques that were held, and when its lost samples were due, (k,) [s]; None if nothing is sampled."""
        problem = self.sampled
        if problem is None or not isinstance(problem.sample, Sampler):
            return None
        held = HeldTorques.of(problem.params)
        return held.where(held.taken <= self.t_end), problem.sample.sampling.instants(self.t_end)[1]

    # -- inside --------------------------------------------------------------------------------------------------------

    def _outputs(self, phase: Phase, t: Array, y: Array) -> dict[str, Array]:
        """The named outputs in one phase; the torques of a sampled control are those that it holds."""
        return self.robot.columns(phase.scenario, t, y) | _held_torques(phase, t)

    def _series(self, phase: Phase, t: Array, y: Array) -> dict[str, Series]:
        """The further quantities in one phase, with the torques that a sampled control holds."""
        found, held = self.robot.series(phase.scenario, t, y), _held_torques(phase, t)
        return {
            key: replace(one, values=np.stack([held[name] for name in one.labels], axis=1))
            if one.labels and held.keys() >= set(one.labels)
            else one
            for key, one in found.items()
        }

    def _parts(self, times: Array | None) -> list[tuple[Phase, Array, Array]]:
        """The phases with the times that fall into each, in order, and the states there; None stands for the rows."""
        if times is None:
            return [(phase, self.t[rows], self.y[rows]) for phase, rows in blocks(self.phases, self.y.shape[1])]
        times = np.clip(np.asarray(times, dtype=float), self.t[0], self.t_end)
        if len(self.phases) == 1:
            return [(self.phases[0], times, self.phases[0].solution(times))]
        starts = [phase.start for phase in self.phases]
        owner = np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)
        parts = []
        for k, phase in enumerate(self.phases):
            mine = times[owner == k]
            parts.append((phase, mine, phase.solution(mine)))
        return parts

    def _by_phase(self, times: Array, view: Callable[[Phase, Array, Array], Array]) -> Array:
        order = np.argsort(times, kind="stable")
        parts = self._parts(np.asarray(times, dtype=float)[order])
        ordered = np.concatenate([view(phase, t, y) for phase, t, y in parts])
        result = np.empty_like(ordered)
        result[order] = ordered
        return result


def _held_torques(phase: Phase, t: Array) -> dict[str, Array]:
    """What a sampled control holds in a phase at times `t` (n,), by name, (n,) each; nothing if there is none."""
    return {} if phase.held is None else {f"u{k}": one for k, one in enumerate(phase.held.at(t).T, start=1)}
