"""A scenario as a script in numpy alone that prints the same numbers as its run, to read, check and build upon.

Offered for the robots in `EQUATIONS` with every explicit Runge-Kutta method, fixed step or step control, also where
parameters, method or step change on the way. Everything else is refused with a sentence: a script that prints other
numbers would be worse than none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets.errors import BadInput
from robots import as_python_parts as parts
from robots.choice import method_of
from robots.segments import Piece, cut
from robots.simulate import fitting
from solvers.control import FixedStep, Tolerance

if TYPE_CHECKING:
    from robots.scenario import Scenario
    from solvers.tableau import Tableau

LINE = 100


@dataclass(frozen=True, slots=True)
class Equations:
    """How a robot's right-hand side is written: the text of a function, and its arguments for a scenario."""

    text: str
    arguments: Callable[[Scenario], Mapping[str, Any]]


def as_python(scenario: Scenario) -> str:
    """The script.

    Raises:
        BadInput: the robot, its task, a pull, or the method cannot be written as a script; it says what can.
    """
    equations = EQUATIONS.get(scenario.robot)
    if equations is None:
        raise BadInput("robot", scenario.robot, "as a script one of " + ", ".join(EQUATIONS))
    pieces = cut(scenario)
    if any(piece.pull for piece in pieces):
        raise BadInput("segments", "a pull", "as a script only changes of parameters, method and step")
    tableaux = {piece.scenario.method: _tableau(piece.scenario) for piece in pieces}
    if len({_tableau(piece.scenario) for piece in pieces}) > len(tableaux):
        raise BadInput("segments", "two tableaux of the method own", "as a script only one")
    controls = [piece.scenario.control() for piece in pieces]
    loops = [
        text
        for text, kind in ((parts.FIXED, FixedStep), (parts.CONTROLLED, Tolerance))
        if any(isinstance(control, kind) for control in controls)
    ]
    methods = [_method(_name(key), tableau) for key, tableau in tableaux.items()]
    blocks = [_title(scenario), parts.HEAD, *loops, equations.text, *methods, _main(scenario, equations, pieces)]
    return "\n\n".join(block.rstrip("\n") + "\n" for block in blocks)


def _title(scenario: Scenario) -> str:
    """What the script is, as its docstring."""
    title = _harmless(scenario.title or scenario.name or "A motion").rstrip(".")
    method = _harmless(method_of(scenario).name)
    return (
        f'"""{title}: {scenario.robot}, {method}.\n\nWritten by Armstep; it needs numpy alone and prints the same '
        'numbers to round-off.\n"""\n\nfrom __future__ import annotations\n'
    )


def _harmless(text: str) -> str:
    """A person's words as they may stand in a docstring."""
    return text.replace('"', "'").replace("\\", "/")


def _tableau(scenario: Scenario) -> Tableau:
    tableau = getattr(method_of(scenario), "tableau", None)
    if tableau is None:
        raise BadInput("method", scenario.method, "as a script an explicit Runge-Kutta method, such as rk4 or dopri5")
    return tableau


def _name(key: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in key).upper()


def _method(name: str, tableau: Tableau) -> str:
    """The method's coefficients as a dictionary."""
    from solvers.methods.explicit_runge_kutta import estimate_power
    from solvers.tableau import coefficients

    numbers = coefficients(tableau)
    entries: dict[str, Any] = {"c": numbers.c.tolist()}
    entries["A"] = [row[:i].tolist() for i, row in enumerate(numbers.A)]
    entries |= {"b": numbers.b.tolist(), "e": numbers.e.tolist(), "e2": numbers.e2.tolist(), "fsal": tableau.fsal}
    if tableau.error_order is not None:
        entries |= {"power": estimate_power(tableau), "larger_order": max(tableau.order, tableau.error_order)}
    lines = [f"# {tableau.name}: {tableau.source}", f"{name} = {{"]
    for key, value in entries.items():
        lines += _wrapped(f'    "{key}": ', value)
    return "\n".join([*lines, "}"]) + "\n"


def _wrapped(start: str, value: Any) -> list[str]:
    """`value` on one line, or one entry per line where that would be too long."""
    text = f"{start}{value!r},"
    if len(text) <= LINE or not isinstance(value, list):
        return [text]
    indent = " " * (len(start) - len(start.lstrip()) + 4)
    return [f"{start}[", *(f"{indent}{entry!r}," for entry in value), f"{indent[:-4]}],"]


def _main(scenario: Scenario, equations: Equations, pieces: list[Piece]) -> str:
    problem = _problem(scenario)
    lines = [f"t, y = 0.0, np.array({problem.initial.tolist()!r})", "steps = rejected = 0"]
    function = equations.text.split("(")[0].removeprefix("def ")
    for piece in pieces:
        control = fitting(piece.scenario.control(), piece.end - piece.start)
        given = [f"    {key}={value!r}," for key, value in equations.arguments(piece.scenario).items()]
        lines += [f"f = {function}(", *given, ")"]
        start = f"{_name(piece.scenario.method)}, f, {piece.start!r}, {piece.end!r}, y"
        if isinstance(control, FixedStep):
            lines.append(f"y, more, lost = fixed({start}, {control.step!r})")
        else:
            settings = f"{control.rtol!r}, {control.atol!r}, {control.controller!r}"
            settings += f", {control.first_step!r}, {control.max_step!r}"
            lines.append(f"y, more, lost = controlled({start}, {settings})")
        lines.append("steps, rejected = steps + more, rejected + lost")
    lines += [
        f'print("t =", {pieces[-1].end!r})',
        f"for name, value in zip({problem.names!r}, y.tolist()):",
        '    print(name, "=", value)',
        'print("steps =", steps, " rejected =", rejected, " evaluations of f =", calls)',
    ]
    return "\n".join(lines) + "\n"


def _problem(scenario: Scenario) -> Any:
    from robots.catalogue import find_robot

    return find_robot(scenario.robot).problem(scenario)


def _rr(scenario: Scenario) -> Mapping[str, Any]:
    """Parameters, and the joint torque where there is one."""
    given: dict[str, Any] = dict(scenario.parameters)
    params = _problem(scenario).params
    if len(params) > len(given):
        torque = params[len(given) :].tolist()
        given |= {key: tuple(torque[2 * k : 2 * k + 2]) for k, key in enumerate(("tau", "d", "kp", "target"))}
    return given


def _beam(scenario: Scenario) -> Mapping[str, Any]:
    params = _problem(scenario).params
    n = round((1 + 4 * len(params)) ** 0.5 - 1) // 2
    return {"b": params[:n].tolist(), "A": params[n:].reshape(n, n).tolist()}


def _double_pendulum(scenario: Scenario) -> Mapping[str, Any]:
    if scenario.task["form"] != "minimal":
        raise BadInput("task.form", scenario.task["form"], "as a script: minimal")
    return dict(scenario.parameters)


EQUATIONS: dict[str, Equations] = {
    "rr": Equations(parts.RR, _rr),
    "beam": Equations(parts.BEAM, _beam),
    "double-pendulum": Equations(parts.DOUBLE_PENDULUM, _double_pendulum),
}
"""The robots whose scripts can be written, by key."""
