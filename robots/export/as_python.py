"""A scenario as a script that needs only numpy and scipy and prints the numbers of its run, to read, check and extend.

A script is put together from the robot's own equations and from `robots.export.parts`: the method and the loop. What
would be too long (the vehicle's 98 coordinates) or has no text (SUNDIALS, a pull by hand) is refused with a sentence:
a script that prints other numbers would be worse than none.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from assets.errors import BadInput
from robots.export.equations import Equations, equations_of
from robots.export.methods import ScriptWriter
from robots.export.source import Source, source_of
from robots.model.registry import robot_of
from robots.scenario.method_selection import method_of
from robots.simulation.phases import Interval, intervals
from robots.simulation.simulate import fitting

if TYPE_CHECKING:
    from robots.scenario.scenario import Scenario


def as_python(scenario: Scenario) -> str:
    """The script.

    Raises:
        BadInput: the robot, its task, a pull, or the method cannot be written as a script; the message says what can.
    """
    robot = robot_of(scenario)
    if robot.sampling(scenario):
        why = "since a script cannot hold torques between samples"
        raise BadInput("task.sampling", scenario.task["sampling"], choices=("off",), reason=why)
    if robot.stops(scenario):
        raise BadInput("task.stops", scenario.task["stops"], choices=("off",), reason="since a script cannot bounce")
    equations = equations_of(scenario)
    phases = intervals(scenario)
    if any(phase.pull for phase in phases):
        raise BadInput("a change during the run", "a pull", "of parameters, method or step for a script")
    source = reduce(Source.with_others, (equations.source(phase.scenario) for phase in phases))
    main = _main(scenario, equations, phases)
    return f"{_title(scenario)}\n{source_of(main, source)}\n\n\n{main}"


def _title(scenario: Scenario) -> str:
    """The script's docstring."""
    title = _harmless(scenario.title or scenario.name or "A motion").rstrip(".")
    method = _harmless(method_of(scenario).name)
    return (
        f'"""{title}: {scenario.robot}, {method}.\n\nWritten by Armstep. It needs only numpy and scipy. Its numbers '
        'agree up to round-off and its growth in the motion.\n"""\n'
    )


def _harmless(text: str) -> str:
    """A person's text, made safe for a docstring."""
    return text.replace('"', "'").replace("\\", "/")


def _main(scenario: Scenario, equations: Equations, phases: list[Interval]) -> str:
    """Coefficients, then the intervals of the span one after another, then what is printed."""
    robot = robot_of(scenario)
    constants: dict[str, str] = {}
    lines = [
        'np.seterr(all="ignore")  # overflow is checked where it matters',
        f"y = np.array({robot.problem(scenario).initial.tolist()!r})",
        "counts = 0, 0, 0",
    ]
    for phase in phases:
        setup = equations.setup(phase.scenario)
        control = fitting(phase.scenario.control(), phase.span)
        problem, span = robot.problem(phase.scenario), (phase.start, phase.end)
        writer = ScriptWriter(phase.scenario, problem, control, span, equations.jacobian)
        for name, text in writer.constants.items():
            if constants.setdefault(name, text) != text:
                must = "limited to one tableau per method for a script"
                raise BadInput("segments", f"two tableaux of {phase.scenario.method}", must)
        calls = "iterations" if "dae" in writer.problem.kinds else "f.calls"
        lines += ["", *setup, *writer.lines, f"counts = np.add(counts, (steps, rejected, {calls}))"]
    lines += ["", f"t = {phases[-1].end!r}", *equations.final(phases[-1].scenario)]
    lines += ['print("t =", t)', "for name, value in final.items():", '    print(name, "=", float(value))']
    lines.append('print("steps =", counts[0], " rejected =", counts[1], " evaluations of f =", counts[2])')
    return "\n\n".join([*constants.values(), "\n".join(lines)]) + "\n"
