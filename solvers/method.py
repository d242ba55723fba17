"""A method: its facts, and how to get a Stepper that runs it.

Light: numpy only. The kernels are imported when a Stepper is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from assets.errors import BadInput, one_of
from assets.fields import Field, Value, complete
from solvers.control import Control
from solvers.interpolation.location import KeptSteps
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper

if TYPE_CHECKING:
    from solvers.tableaux.stability import Stability


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A numerical method: a small frozen value.

    Attributes:
        key, aliases: names on the command line; output carries the key.
        name: as shown to a person.
        family: the heading it is listed under.
        order: of the solution that is advanced.
        error_order: of the solution that the error estimate compares with; None without an estimate.
        stages: evaluations of f in one step, without any saving; 0 if the number varies.
        fsal: whether the last stage is the first of the next step.
        implicit: whether a step solves equations.
        fixed_step, adaptive: the ways of choosing the step that it has.
        controllable: whether the controller that a person chooses changes its steps; some have a rule of their own.
        problems: the kinds of problem it integrates: `ode`, `second-order`, `canonical`, `rotations`,
            `elementary`, `dae`.
        options: its own settings.
        source: who published it.
        paper_label: its name in paper 2's Table 1, if it is there.
        summary: two sentences for its card.
        notes: further sentences for its card.
        steps: k of a k-step method.
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
    controllable: bool = True
    problems: frozenset[str] = frozenset({"ode"})
    options: tuple[Field, ...] = ()
    paper_label: str | None = None
    notes: tuple[str, ...] = ()
    steps: int = 1
    one_step: bool = True

    @abstractmethod
    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A new Stepper for `problem`; options are complete and checked (see `complete_options`)."""

    @abstractmethod
    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Dense output: the solution at `times` (m,), (m, d).

        Args:
            problem, options: of the run.
            kept: the steps that the run has kept.
            times: within the range of `kept.t`, in any order.
        """

    @property
    def dense_order(self) -> int:
        """The order of the dense output; below `order`, plots join the points by lines instead."""
        return self.order

    @cached_property
    def stability(self) -> Stability | None:
        """Its linear stability function as data for the card; None if there is none."""
        return None

    @property
    def regions(self) -> tuple[tuple[str, Stability], ...]:
        """The stability of each formula that it steps with, and the formula's name where it has several."""
        return () if self.stability is None else (("", self.stability),)

    @property
    def kind_text(self) -> str:
        """What it says for people of how a step is found."""
        return "implicit" if self.implicit else "explicit"

    def principal_error_norm(self) -> float | None:
        """The norm of its leading error coefficients, to compare formulas of one order; None if unknown."""
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
        """The method with the facts that it has under these (complete) settings; itself if they change nothing."""
        return self

    def facts(self) -> dict[str, object]:
        """Its facts as plain data, for `armstep list methods --json`."""
        stability = self.stability
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


@dataclass(frozen=True, slots=True)
class Family:
    """What a file in `solvers/methods` offers: its `FAMILY`.

    Attributes:
        methods: makes the family's methods, in the order of lists.
        place: where the family stands in lists.
    """

    methods: Callable[[], Sequence[Method]]
    place: int = 50
