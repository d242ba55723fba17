"""What a method is: its facts, and how to get a Stepper that runs it.

Light: numpy only. The kernels are imported when a Stepper is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput, one_of
from assets.fields import Field, Value, complete
from solvers.control import Control
from solvers.problem import Array, OdeProblem

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A numerical method: a small frozen value.

    Attributes:
        key, aliases: names on the command line; output carries the key.
        name: what a person reads.
        family: the heading it is listed under.
        order: of the solution that is advanced.
        error_order: of the solution that the error estimate compares with; None without an estimate.
        stages: evaluations of f in one step, before any saving; 0 where the number is not fixed.
        fsal: whether the last stage is the next step's first.
        implicit: whether a step solves equations.
        fixed_step, adaptive: the ways of choosing the step that it has.
        problems: the kinds of problem it integrates: `ode`, `second-order`, `dae`.
        options: its own settings.
        source: who published it.
        paper_label: its name in paper 2's Table 1, if it is there.
        summary: two sentences for its card.
        notes: what a reader of its card should know besides.
        one_step: False for multi-step methods, which need a uniform grid.
    """

    key: str
    name: str
    family: str
    order: int
    summary: str
    source: str
    aliases: tuple[str, ...] = ()
    error_order: int | None = None
    stages: int = 0
    fsal: bool = False
    implicit: bool = False
    fixed_step: bool = True
    adaptive: bool = False
    problems: frozenset[str] = frozenset({"ode"})
    options: tuple[Field, ...] = ()
    paper_label: str | None = None
    notes: tuple[str, ...] = ()
    one_step: bool = True

    @abstractmethod
    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A fresh Stepper for `problem`; options are complete and checked (see `complete_options`)."""

    @abstractmethod
    def sample(
        self, problem: OdeProblem, options: Mapping[str, Value], t: Array, y: Array, substeps: int, times: Array
    ) -> Array:
        """Dense output: the solution at `times` (m,), (m, d).

        Args:
            problem, options: of the run.
            t, y: the kept steps of the run, (n,) and (n, d).
            substeps: how many steps of the run lie between two kept ones.
            times: within t's range, in any order.
        """

    @property
    def dense_order(self) -> int:
        """The order of the dense output; below `order`, plots join the points by lines instead."""
        return self.order

    def stability(self) -> Stability | None:
        """Its linear stability function as data for the card; None where there is none."""
        return None

    def principal_error_norm(self) -> float | None:
        """The norm of its leading error coefficients, by which formulas of one order compare; None where not known."""
        return None

    def accepts(self, problem: OdeProblem) -> bool:
        """Whether it can integrate `problem`."""
        return not self.problems.isdisjoint(problem.kinds)

    def complete_options(self, given: Mapping[str, object]) -> dict[str, Value]:
        """All settings, the defaults filled in; raises BadInput for one that is unknown or out of range."""
        known = self._known_options
        if not given.keys() <= known.keys():
            key = next(key for key in given if key not in known)
            names = [f"options.{name}" for name in known]
            must = f"{one_of(names)} for method {self.key}" if known else f"left out: {self.key} has no options"
            raise BadInput("option", f"options.{key}", must, names)
        return complete("options", self.options, given)

    @cached_property
    def _known_options(self) -> dict[str, Field]:
        return {option.key: option for option in self.options}

    def configured(self, options: Mapping[str, Value]) -> Method:
        """The method with the facts that it has under these (complete) settings; itself where they change none."""
        return self

    def facts(self) -> dict[str, object]:
        """Its facts as plain data, for `armstep list methods --json`."""
        stability = self.stability()
        return {
            "key": self.key,
            "aliases": list(self.aliases),
            "name": self.name,
            "family": self.family,
            "order": self.order,
            "error_order": self.error_order,
            "stages": self.stages,
            "fsal": self.fsal,
            "implicit": self.implicit,
            "fixed_step": self.fixed_step,
            "adaptive": self.adaptive,
            "dense_order": self.dense_order,
            "problems": sorted(self.problems),
            "options": [
                {"key": option.key, "default": option.default, "allowed": option.allowed(), "help": option.help}
                for option in self.options
            ],
            "stability": None if stability is None else stability.facts(),
            "principal_error_norm": self.principal_error_norm(),
            "paper_label": self.paper_label,
            "source": self.source,
            "summary": self.summary,
            "notes": list(self.notes),
        }


@dataclass(slots=True, eq=False)
class Rows:
    """Where a Stepper writes what one slice did; integrate() owns it.

    Attributes:
        t, y: the accepted states, (capacity,) and (capacity, d).
        log: one row (t, h, error, accepted) per attempted step, (capacity, 4).
        work: one row (newton iterations, factorisations, condition number) per attempted step, (capacity, 3); 0 for
            explicit methods, nan where a code does not tell them.
    """

    t: Array
    y: Array
    log: Array
    work: Array

    @classmethod
    def empty(cls, capacity: int, dimension: int) -> Rows:
        """Room for `capacity` attempts."""
        return cls(
            np.empty(capacity), np.empty((capacity, dimension)), np.zeros((capacity, 4)), np.zeros((capacity, 3))
        )

    @property
    def capacity(self) -> int:
        """How many attempts fit."""
        return len(self.t)


@dataclass(slots=True)
class Tally:
    """Work done so far by a Stepper, in calls; nan where a code does not tell it."""

    rhs_evaluations: int = 0
    jacobian_evaluations: int = 0
    newton_iterations: int = 0
    factorisations: float = 0


class Stepper(ABC):
    """A method at work on a problem: the only place with scratch memory.

    `start` begins a piece of the span in which f is smooth; `advance` makes steps, all inside a compiled kernel.
    """

    tally: Tally

    @abstractmethod
    def start(self, t: float, y: Array, end: float, ceiling: float) -> None:
        """Begin at (t, y) towards `end`; f is never evaluated later than `ceiling` (f jumps just after it)."""

    @abstractmethod
    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """Try up to `attempts` steps; returns (accepted, attempted, code) with a code of `solvers.codes`."""

    def rates(self) -> Array | None:
        """x' at the start and after every accepted step, (n, d), where the code finds it as it solves F(t, x, x')."""
        return None


def uniform_steps(span: float, step: float) -> int:
    """The number of fixed steps over `span`: span / step if that is whole to 1e-9, else the next number above."""
    ratio = abs(span) / step
    nearest = round(ratio)
    return nearest if nearest > 0 and abs(ratio - nearest) <= 1e-9 * nearest else int(np.ceil(ratio))


def first_slope(problem: OdeProblem, t: float, y: Array, ceiling: float, slope: Array) -> None:
    """Write f(t, y) at the beginning of a step to `slope`, (d,)."""
    if problem.begin_step is not None:
        problem.begin_step(min(t, ceiling), y, problem.params, slope)
    problem.rhs(min(t, ceiling), y, problem.params, slope)


def made(
    make: Callable[[OdeProblem, Control], Stepper],
    problem: OdeProblem,
    control: Control,
    options: Mapping[str, Value],
) -> Stepper:
    """The Stepper of `make`; with a copy of its kernel made for the problem when the options ask for that."""
    if not options.get("customised"):
        return make(problem, control)
    from solvers.codegen.steppers import copied

    return copied(make, problem, control)


@dataclass(frozen=True, slots=True)
class Family:
    """What a file in `solvers/methods` offers: its `FAMILY`.

    Attributes:
        methods: makes the family's methods, in the order of lists.
        place: where the family stands in lists.
    """

    methods: Callable[[], Sequence[Method]]
    place: int = 50
