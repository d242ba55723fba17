"""Sampled control: torques are computed at instants and held between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from assets.errors import BadInput, Range
from assets.fields import Field, Values
from robots.model.quantities import When, amount, choice, positive
from robots.model.shapes import Array

if TYPE_CHECKING:
    from solvers.problem import OdeProblem

P = TypeVar("P")
Law = Callable[[float, Array], Array]
"""The torques that a control asks for at (t, y), (m,) [N m]."""

MOST_SAMPLES = 1e6
LOST = 1e3
"""A joint that moves further than this from one sample to the next is out of control [rad or m]."""

_LOST = (
    f"The control lost the arm at t = {{t:.6g}} s: a joint moves by more than {LOST:,.0f} rad (or m) from one sample "
    "to the next. Try a shorter sampling period or lower gains."
)
_HELD: When = ("sampling", ("held",))


def sampling_fields(when: When) -> tuple[Field, ...]:
    """The fields of a sampled control, which matter only while `when` holds."""
    return (
        choice(
            "sampling",
            "control acts",
            {"off": "at every instant", "held": "at samples"},
            "A digital control measures at samples and holds its torques in between.",
            when=when,
        ),
        positive(
            "sampling_period", "sampling period", "s", 0.01, 1e3, (1e-3, 1.0), "From one sample to the next.",
            log=True, when=_HELD,
        ),
        amount(
            "sampling_delay", "delay", "s", 0.0, 1e3, (0.0, 0.2),
            "From a sample until its torques act. Before the first ones there are none.", when=_HELD,
        ),
        amount(
            "sampling_jitter", "jitter", "s", 0.0, 1e3, (0.0, 0.05),
            "Each sample but the first is late by a random time, at most this one.", when=_HELD,
        ),
        amount(
            "sampling_loss", "lost samples", "", 0.0, 1.0, (0.0, 0.9),
            "The share of the samples that are lost, at random; the torques before them stay.", when=_HELD,
        ),
        amount(
            "sampling_noise", "measurement noise", "rad", 0.0, 10.0, (0.0, 0.1),
            "The standard deviation of each measured angle (of a sliding joint: in m).", when=_HELD,
        ),
        Field(
            "sampling_seed", "seed", "", 1, 0, 2**31 - 1, when=_HELD,
            help="Of the random numbers: the same seed gives the same run.",
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sampling:
    """When a control samples: see `sampling_fields`."""

    period: float
    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    seed: int = 1
    noise: float = 0.0

    @classmethod
    def of(cls, task: Values) -> Sampling | None:
        """The sampling of a task; None where its control acts at every instant."""
        if task["sampling"] != "held":
            return None
        period, delay, jitter, loss = (float(task[f"sampling_{key}"]) for key in ("period", "delay", "jitter", "loss"))
        return cls(period, delay, jitter, loss, int(task["sampling_seed"]), float(task["sampling_noise"]))

    def check(self, duration: float) -> None:
        """Refuse what cannot be sampled.

        Raises:
            BadInput: naming the task's field.
        """
        if duration / self.period > MOST_SAMPLES:
            must = Range(low=duration / MOST_SAMPLES, unit="s", reason="for at most 1e6 samples")
            raise BadInput("task.sampling_period", self.period, must)
        if self.jitter > self.period:
            must = Range(high=self.period, unit="s", reason="the sampling period")
            raise BadInput("task.sampling_jitter", self.jitter, must)

    def instants(self, end: float) -> tuple[Array, Array]:
        """The times before `end` at which it samples, (n,), and those whose samples are lost, (m,) [s].

        Sample k has the random numbers 2k and 2k + 1 of a counter-based generator, however long the run is.
        """
        count = int(np.ceil(end / self.period)) + 1
        late, luck = random_numbers(self.seed, 2 * count).reshape(count, 2).T
        late[0], luck[0] = 0.0, 1.0
        times = self.period * np.arange(count) + self.jitter * late
        kept, within = luck >= self.loss, times < end
        return times[kept & within], times[~kept & within]

    def errors(self, times: Array, joints: int) -> Array:
        """The measurement errors of the joints at these instants, (n,) to (n, joints), normally distributed.

        Joint j of sample k has the random number k joints + j, however long the run is.
        """
        # A sample is late by less than a period, and 1e-9 of it is round-off.
        number = np.floor(times / self.period + 1e-9).astype(int)
        drawn = random_numbers(self.seed, (int(number.max(initial=0)) + 1) * joints, "noise").reshape(-1, joints)
        return self.noise * normal(drawn[number])


@dataclass(frozen=True, slots=True, eq=False)
class HeldTorques:
    """The torques of a sampled control.

    Attributes:
        taken, acting: when each sample is taken, and from when on its torques act, in the order of acting, (n,) [s].
        torques: (n, m) [N m].
    """

    taken: Array
    acting: Array
    torques: Array

    @classmethod
    def of(cls, params: Array) -> HeldTorques:
        """Those at the end of a problem's numbers, as `robots.dynamics.kernels.held` describes them."""
        table = np.array(params[len(without_table(params)) : -2]).reshape(int(params[-1]), int(params[-2]) + 2)
        return cls(table[:, 0], table[:, 1], table[:, 2:])

    @property
    def params(self) -> Array:
        """The table as a problem's numbers end with it."""
        rows = np.column_stack([self.taken, self.acting, self.torques])
        return np.concatenate([rows.ravel(), [self.torques.shape[1], len(rows)]])

    def at(self, times: Array) -> Array:
        """The torques at `times` (k,), (k, m); 0 before the first."""
        with_none = np.vstack([np.zeros((1, self.torques.shape[1])), self.torques])
        return with_none[np.searchsorted(self.acting, times, side="right")]

    def joined(self, other: HeldTorques) -> HeldTorques:
        """The torques together with those of other samples."""
        acting = np.concatenate([self.acting, other.acting])
        order = np.argsort(acting, kind="stable")
        taken, torques = np.concatenate([self.taken, other.taken]), np.vstack([self.torques, other.torques])
        return HeldTorques(taken[order], acting[order], torques[order])

    def where(self, kept: NDArray[np.bool_]) -> HeldTorques:
        """The torques of some samples."""
        return HeldTorques(self.taken[kept], self.acting[kept], self.torques[kept])


class Sampler:
    """`OdeProblem.sample` of a sampled control: writes the torques of the sample taken at t into the table.

    Attributes:
        law, sampling: the torques that it asks for, and when.
        aim: the state in which it wants the arm to rest, (d,).
        errors: of the measured joints at each sample, (n, d / 2); None without noise.
    """

    def __init__(self, law: Law, sampling: Sampling, aim: Array, held: HeldTorques) -> None:
        self.law, self.sampling, self.aim = law, sampling, aim
        self.motors = held.torques.shape[1]
        self.rows = {t: row for row, t in enumerate(held.taken.tolist())}
        self.errors = sampling.errors(held.taken, len(aim) // 2) if sampling.noise else None

    def __call__(self, t: float, y: Array, params: Array) -> str:
        """Sample at (t, y), if it is time to; says so if the arm is out of control."""
        half = len(self.aim) // 2
        if np.abs(y[half : 2 * half]).max() * self.sampling.period > LOST:
            return _LOST
        row = self.rows.get(t)
        if row is not None:
            place = len(without_table(params)) + row * (self.motors + 2) + 2
            if self.errors is not None:
                y = y.copy()
                y[: self.errors.shape[1]] += self.errors[row]
            params[place : place + self.motors] = self.law(t, y)
        return ""


def random_numbers(seed: int, count: int, stream: str = "") -> Array:
    """The first numbers of a counter-based generator, uniformly distributed in [0, 1), (count,).

    They depend on the seed and their place alone: every machine, order and count gives the same.

    Args:
        seed: at least 0.
        count: how many.
        stream: numbers of another name are independent of these.

    Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, SC11 (2011): Philox 4x64.
    """
    name = int.from_bytes(sha256(stream.encode()).digest()[:8]) if stream else 0
    raw = np.random.Philox(key=seed + (name << 64)).random_raw(count)
    return np.asarray((raw >> np.uint64(11)) * 2.0**-53, np.float64)


def normal(numbers: Array) -> Array:
    """Normally distributed numbers with mean 0 and deviation 1 from random ones in [0, 1), of the same shape."""
    from statistics import NormalDist

    standard = NormalDist()
    # At 0 the inverse is infinite.
    found = [standard.inv_cdf(max(one, 2.0**-54)) for one in numbers.ravel().tolist()]
    return np.array(found).reshape(numbers.shape)


def without_table(params: Array) -> Array:
    """A problem's numbers without the table of held torques at their end."""
    return params[: params.size - 2 - int(params[-1]) * (int(params[-2]) + 2)]


def sampled(
    problem: OdeProblem, law: Law, sampling: Sampling, aim: Array, before: HeldTorques | None = None
) -> OdeProblem:
    """A problem on its span whose torques, a table at the end of its numbers, are sampled and held.

    Args:
        problem: with held torques; its numbers without the table.
        law: the torques that the control asks for.
        sampling: when it samples.
        aim: the state in which it wants the arm to rest, (d,).
        before: what was sampled before the span; if nothing was, the first sample is at its start.
    """
    start, end = problem.t0, problem.t1
    taken = sampling.instants(end)[0]
    taken = taken[taken >= start]
    if before is None and not (len(taken) and taken[0] == start):
        taken = np.append(start, taken)
    motors = len(law(start, problem.initial))
    held = HeldTorques(taken, taken + sampling.delay, np.zeros((len(taken), motors)))
    if before is not None:
        held = before.where(before.taken < start).joined(held)
    instants = {t for t in (*taken.tolist(), *held.acting.tolist()) if start < t < end}
    return replace(
        problem,
        params=np.concatenate([problem.params, held.params]),
        breaks=tuple(sorted(instants.union(problem.breaks))),
        sample=Sampler(law, sampling, aim, held),
    )


def continued(problem: P, before: HeldTorques | None) -> P:
    """A problem of any kind on a later span: if its torques are sampled, those `before` act on."""
    sampler = getattr(problem, "sample", None)
    if not isinstance(sampler, Sampler):
        return problem
    ours = cast("OdeProblem", problem)
    bare = replace(ours, params=without_table(ours.params))
    return cast("P", sampled(bare, sampler.law, sampler.sampling, sampler.aim, before))
