"""Your own method: an explicit Runge-Kutta method whose tableau is a setting that a person types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from assets.counting import counted
from assets.fields import Field, Value
from solvers.control import Control
from solvers.interpolation.location import KeptSteps
from solvers.method import Family
from solvers.methods.explicit_runge_kutta import ExplicitRungeKutta, method
from solvers.options import SPECIALISED
from solvers.problem import Array, OdeProblem
from solvers.stepper import Stepper
from solvers.tableaux.own_tableau import FORM, cells_of, from_text, judge, to_text
from solvers.tableaux.tableau import load


@dataclass(frozen=True, slots=True)
class TableauField(Field):
    """A setting that is a tableau's text."""

    @property
    def must(self) -> str:
        """What a value must be, for refusals."""
        return f"a tableau: {FORM}"

    def check(self, path: str, value: object) -> Value:
        """The text in its usual form; raises BadInput naming the cell that is refused."""
        cells = from_text(value)  # type: ignore[arg-type]
        judge(cells)
        return to_text(cells)

    def in_words(self, text: str, *, exactly: bool = False) -> str:
        """The name that a person gave the method, or how many stages it has; exactly, its coefficients."""
        cells = from_text(text)
        if exactly:
            return to_text(replace(cells, name="")).partition("; ")[2]
        return cells.name or counted(cells.stages, "stage")


STANDARD = to_text(replace(cells_of(load("rk4")), name=""))


@dataclass(frozen=True, kw_only=True)
class OwnMethod(ExplicitRungeKutta):
    """Its facts depend on its tableau; `configured` finds them."""

    def configured(self, options: Mapping[str, Value]) -> ExplicitRungeKutta:
        """The method that the tableau in the options is."""
        return own_method(str(options.get("tableau", STANDARD)))

    def stepper(self, problem: OdeProblem, control: Control, options: Mapping[str, Value]) -> Stepper:
        """A Stepper for the tableau in the options."""
        return ExplicitRungeKutta.stepper(self.configured(options), problem, control, options)

    def sample(self, problem: OdeProblem, options: Mapping[str, Value], kept: KeptSteps, times: Array) -> Array:
        """Dense output by the tableau in the options."""
        return ExplicitRungeKutta.sample(self.configured(options), problem, options, kept, times)


@lru_cache(maxsize=64)
def own_method(text: str) -> OwnMethod:
    """The method of a tableau's text.

    Raises:
        BadInput: naming the cell that is refused.
    """
    verdict = judge(from_text(text))
    notes = ["You define its tableau: edit it from the Integrator panel; it is saved with the scenario."]
    if verdict.failing is not None:
        notes.append(f"Order {verdict.failing.order} is not reached: {verdict.failing.text} fails.")
    option = TableauField("tableau", "tableau", default=STANDARD, help="Butcher tableau: " + FORM)
    return method(verdict.tableau, OwnMethod, tuple(notes), (option, SPECIALISED))


def methods() -> list[OwnMethod]:
    """own."""
    return [own_method(STANDARD)]


FAMILY = Family(methods)
