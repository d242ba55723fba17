"""How each family of methods is written in a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assets.errors import BadInput, Examples
from assets.fields import Value
from robots.export.writing import Code, call, constant
from robots.scenario.method_selection import method_of
from solvers.control import Control, FixedStep
from solvers.method import Method
from solvers.method_registry import find_method
from solvers.stepper import uniform_steps

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario

HELD = Examples(("rk4", "dopri5", "radau5", "bdf6"))
"""Methods that a script can hold."""


class ScriptWriter:
    """The lines with which a scenario's method integrates f from t0 to t1.

    Attributes:
        constants: named tables of coefficients, which come first.
        lines: they turn y into the state at t1 and set `steps` and `rejected`; of a DAE also `rate`.
    """

    def __init__(
        self, scenario: Scenario, problem: Any, control: Control, span: tuple[float, float], jacobian: Code
    ) -> None:
        self.exact = jacobian
        self.scenario, self.problem, self.control, self.span = scenario, problem, control, span
        self.method: Any = method_of(scenario)
        self.options = scenario.options
        self.constants: dict[str, str] = {}
        self.lines: list[str] = []
        self._write(self.method)

    def _write(self, method: Method) -> None:
        writers = {
            "ImplicitRungeKutta": lambda: self._one_step(self._implicit_runge_kutta(self.method, self.options)),
            "Rosenbrock": self._rosenbrock,
            "Bdf": self._bdf,
            "Adams": self._adams,
            "Symplectic": lambda: self._one_step(call("Symplectic", Code("f"), self.method.key)),
            "StepDoubling": self._doubling,
            "Taylor": self._taylor,
        }
        kind = type(method).__name__
        if getattr(method, "tableau", None) is not None:
            self._explicit()
        elif kind in writers:
            writers[kind]()
        else:
            raise BadInput("method", method.key, "one that a script can hold", such_as=HELD)

    def _explicit(self) -> None:
        from solvers.tableaux.tableau import coefficients

        tableau = self.method.tableau
        numbers = coefficients(tableau)
        entries: dict[str, object] = {"c": numbers.c, "A": [row[:i].tolist() for i, row in enumerate(numbers.A)]}
        entries |= {"b": numbers.b}
        if tableau.error_order is not None:
            entries |= {"e": numbers.e, "e2": numbers.e2, "power": tableau.estimate_power}
            entries |= {"paper_power": max(tableau.order, tableau.error_order) + 1}
        table = self._table(self.scenario.method, tableau, entries | {"fsal": tableau.fsal})
        self._one_step(call("ExplicitRungeKutta", Code("f"), table))

    def _table(self, key: str, named: Any, entries: dict[str, object]) -> Code:
        """Make the coefficients of a method, or of its tableau, a constant; returns what a call writes for it."""
        name = "".join(c if c.isalnum() else "_" for c in key).upper()
        self.constants[name] = f"# {named.name}: {named.source}\n" + constant(name, entries)
        return Code(f"**{name}")

    def _implicit_runge_kutta(self, method: Any, options: Mapping[str, Value]) -> Code:
        """The call that makes the method, whose table becomes a constant."""
        c, first, A, d, e = method.formula.table()
        table: dict[str, object] = {"c": c, "first": first, "A": A, "d": d}
        if len(e):
            table["e"] = e
        limits = {"newton": options["newton_tolerance"], "most": options["newton_limit"]}
        coefficients = self._table(method.key, method, table)
        return call("ImplicitRungeKutta", Code("f"), self._jacobian(), coefficients, **limits)

    def _rosenbrock(self) -> None:
        method = self.method
        alpha, gamma = method.formula.matrices()
        p, q = method.order, method.error_order
        table: dict[str, object] = {"alpha": alpha, "gamma": gamma, "b": method.formula.b}
        table |= {"b_error": method.formula.b_error, "nystrom": method.nystrom}
        table |= {"power": min(p, q) + 1, "paper_power": max(p, q) + 1}
        coefficients = self._table(method.key, method, table)
        settings = {"refresh": self.options["refresh"]} if "refresh" in self.options else {}
        if self.options["filtered"]:
            settings["filtered"] = True
        self._one_step(call("Rosenbrock", Code("f"), self._jacobian(), coefficients, **settings))

    def _jacobian(self) -> Code:
        """The Jacobian as the run has it: exact, or by differences that count as calls of f."""
        return self.exact if self.problem.jacobian is not None else call("difference_jacobian", Code("f"))

    def _one_step(self, method: Code) -> None:
        """The lines of a method that shares the loops."""
        control = self.control
        if isinstance(control, FixedStep):
            done = call("fixed", Code("method"), *self.span, Code("y"), control.step)
        else:
            chosen: dict[str, object] = {} if control.controller == "pi" else {"rule": control.controller}
            for key in ("first_step", "max_step"):
                if getattr(control, key):
                    chosen[key] = getattr(control, key)
            tolerances = control.rtol, control.atol
            done = call("controlled", Code("method"), *self.span, Code("y"), *tolerances, **chosen)
        self.lines = [f"method = {method}", f"y, steps, rejected = {done}"]

    def _doubling(self) -> None:
        control, options = self.control, self.options
        if isinstance(control, FixedStep):
            self._one_step(call("DoubledRungeKutta4", Code("f")))
            return
        for key, must in (("as_listed", "off for a script"), ("call_interval", "0 for a script")):
            if options[key]:
                raise BadInput(f"options.{key}", options[key], f"{must}, which makes one call for the whole span")
        kept = {key: options[key] for key in ("tiny", "safety", "shrink", "grow", "errcon", "hmin")}
        self.constants["RKQC"] = constant("RKQC", kept)
        method = call("DoubledRungeKutta4", Code("f"))
        steps = control.rtol, control.first_step, control.max_step
        tolerance = call("Tolerance", control.rtol, control.atol, control.controller)
        self.lines = [
            f"method = {method}",
            "y, steps, rejected = "
            + call("doubling_controlled", Code("method"), *self.span, Code("y"), *steps, tolerance, Code("RKQC")),
        ]

    def _adams(self) -> None:
        from solvers.methods.adams import BASHFORTH, MOULTON

        method, step = self.method, self._step()
        table = {"predictor": BASHFORTH[: method.steps], "corrector": MOULTON if method.corrected else ()}
        entries = table | {"start_by_runge_kutta": self.options["startup"] == "rk4"}
        done = call("adams", Code("f"), *self.span, Code("y"), step, self._table(method.key, method, entries))
        self.lines = [f"y, steps, rejected = {done}"]

    def _taylor(self) -> None:
        from solvers.methods.taylor import degrees

        control = self.control
        if isinstance(control, FixedStep):
            chosen: dict[str, object] = {"step": control.step}
        else:
            chosen = {"rtol": control.rtol, "atol": control.atol}
            chosen |= {"max_step": control.max_step} if control.max_step else {}
        numbers = degrees(self.problem, self.options)
        done = call("taylor", Code("f"), *self.span, Code("y"), *numbers, **chosen)
        self.lines = [f"y, steps, rejected = {done}"]

    def _bdf(self) -> None:
        from solvers.methods.bdf import WEIGHTS

        k, step = self.method.order, self._step()
        limits = {"newton": self.options["newton_tolerance"], "most": self.options["newton_limit"]}
        given: dict[str, object] = {"weights": list(WEIGHTS[k])}
        self.lines, system = [], Code("system")
        if "ode" in self.problem.kinds:
            system = call("ordinary", Code("f"), self._jacobian())
            count = min(k - 1, uniform_steps(self.span[1] - self.span[0], step))
            if count:
                h = (self.span[1] - self.span[0]) / uniform_steps(self.span[1] - self.span[0], step)
                radau = find_method("radau5")
                method = self._implicit_runge_kutta(radau, radau.complete_options({}))
                given["first"] = call("first_states", method, *self.span, h, Code("y"), count)
        elif self.options["scaling"]:
            given["powers"] = [int(power) for power in self.problem.powers]
        done = call("bdf", system, *self.span, Code("y"), step, **given, **limits)
        self.lines = [f"y, rate, steps, iterations = {done}", "rejected = 0"]

    def _step(self) -> float:
        assert isinstance(self.control, FixedStep)
        return self.control.step
