"""How a scenario chooses its integrator: method, fixed step or tolerances, and which go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import overload

from assets.counting import seconds
from assets.errors import BadInput
from assets.fields import Data, Field, Value, Values
from robots.model.registry import robot_of
from robots.model.setup import Setup
from solvers.control import CONTROLLER_LABELS, CONTROLLERS, Control, FixedStep, Tolerance
from solvers.method import Method
from solvers.method_registry import examples, find_method, methods

METHOD_PATHS = ("method", "step", "rtol", "atol", "controller", "first_step", "max_step")
MODES = ("step", "rtol", "atol")
DEFAULT_RTOL, DEFAULT_ATOL = 1e-6, 1e-9
_DEFAULT_STEPS = 1000
_MOST_STEPS = 1e8
_NEEDS = {
    "elementary": "it needs them in elementary operations",
    "canonical": "it needs them in positions and momenta",
    "rotations": "it needs Euler parameters",
    "second-order": "it needs positions and their rates",
    "dae": "it needs differential-algebraic ones",
    "ode": "it needs ordinary differential ones",
}
"""What a method lacks that has these problems, the rarest first."""


def suitable_methods(scenario: Setup) -> dict[str, Method]:
    """The methods that can integrate this scenario's equations, and pulls before another method is used, by key."""
    return _suitable(scenario, first_pull(scenario))


class _SuitableKeys(Sequence[str]):
    """The keys of the `suitable_methods`, found when somebody asks for them: that reads every family of methods."""

    def __init__(self, scenario: Setup) -> None:
        self._scenario = scenario

    @cached_property
    def _keys(self) -> tuple[str, ...]:
        return tuple(suitable_methods(self._scenario))

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._keys[place]

    def __len__(self) -> int:
        return len(self._keys)


def unsuitable(scenario: Setup, method: Method) -> str:
    """Why a method that is not among the `suitable_methods` cannot integrate the scenario, as a sentence."""
    needed = next((text for kind, text in _NEEDS.items() if kind in method.problems), "")
    if (start := first_pull(scenario)) is None and not method.problems.isdisjoint(robot_of(scenario).kinds(scenario)):
        needed = "it uses earlier steps, which a projection between the steps changes"
    return f"Cannot solve these equations{_while(scenario, method, start)}: {needed}."


def check_method(scenario: Setup, method: Method, pull: float | None) -> None:
    """Refuse a method that cannot integrate the scenario's equations, with a pull that begins at a time, if any.

    Raises:
        BadInput: saying when it cannot, and naming methods that can.
    """
    if not robot_of(scenario).takes(scenario, method, pull is not None):
        when, able = _while(scenario, method, pull), examples(_suitable(scenario, pull))
        raise BadInput("method", method.key, f"one that can solve these equations{when}", such_as=able)


def first_pull(scenario: Setup, since: float = -inf) -> float | None:
    """When the first pull begins that meets the method in force at a time [s]; None if there is none."""
    until = min((one.at for one in scenario.segments if "method" in one.changes and one.at > since), default=inf)
    pulls = (segment.pull for segment in scenario.segments if segment.pull is not None)
    return min((pull.start for pull in pulls if pull.start < until and pull.end > since), default=None)


def _suitable(scenario: Setup, pull: float | None) -> dict[str, Method]:
    robot = robot_of(scenario)
    return {key: method for key, method in methods().items() if robot.takes(scenario, method, pull is not None)}


def _while(scenario: Setup, method: Method, pull: float | None) -> str:
    """When the equations are such that the method cannot integrate them; empty if they always are."""
    if pull is not None and robot_of(scenario).takes(scenario, method):
        return f" during a pull, from {pull:g} s"
    wanting = not method.problems.isdisjoint({"elementary", "canonical"})
    return " while torques are held" if wanting and robot_of(scenario).sampling(scenario) else ""


def suited_method(scenario: Setup, task: Values, mode: Mapping[str, object]) -> tuple[Method, str]:
    """The scenario's method or, if it cannot integrate the equations of another task, one that can, and a remark.

    `mode` may have the step or the tolerances that it is to use.
    """
    method, robot = find_method(scenario.method), robot_of(scenario)
    setup = Setup(scenario.robot, scenario.model, scenario.parameters, task, scenario.initial, scenario.method)
    if robot.takes(setup, method):
        return method, ""
    fixed = mode.get("step") is not None
    controlled = any(mode.get(path) is not None for path in ("rtol", "atol"))
    able = [one for one in map(find_method, robot.suited) if robot.takes(setup, one)]
    fitting = [one for one in able if (one.fixed_step or not fixed) and (one.adaptive or not controlled)]
    other = next(iter([*fitting, *able]), method)
    return other, f"{method.name} cannot solve these equations, so {other.name} is used." if other is not method else ""


def settle_method(scenario: Setup) -> Data:
    """The checked method with complete options, step and tolerances of a scenario, by attribute.

    Raises:
        BadInput: when the method is unknown or cannot solve the equations, or when it lacks the chosen way of stepping.
    """
    if not isinstance(scenario.method, str):
        raise BadInput("method", scenario.method, "the key of a method", such_as=examples(methods()))
    method = find_method(scenario.method)
    check_method(scenario, method, first_pull(scenario))
    options = method.complete_options(_mapping(scenario.options))
    chosen: Data = {"method": method.key, "options": options}
    return chosen | _settle_mode(method.configured(options), scenario)


def method_of(scenario: Setup) -> Method:
    """The method of a scenario with the facts that its settings give it."""
    return find_method(scenario.method).configured(scenario.options)


def keep_mode(
    scenario: Setup, method: Method, mode: Mapping[str, Value | None], earlier: Iterable[Setup]
) -> tuple[dict[str, Value | None], str]:
    """How `method` steps when it replaces another one: as `mode` says if it can, else a change of it and a remark.

    A detour loses nothing: the change takes what the scenarios before had, `earlier`, the latest first.
    """
    if mode.get("step") is not None and not method.fixed_step:
        taken = last_mode(scenario, fixed=False, earlier=earlier)
        used = f"rtol = {taken['rtol']:g} and atol = {taken['atol']:g} are used"
        return {"step": None, **taken}, f"{method.name} has no fixed step, so {used}."
    if mode.get("step") is None and not method.adaptive:
        taken = last_mode(scenario, fixed=True, earlier=earlier)
        remark = f"{method.name} has no step control, so a fixed step of {seconds(taken['step'])} is used."
        return {**taken, "rtol": None, "atol": None}, remark
    return {}, ""


def last_mode(scenario: Setup, fixed: bool, earlier: Iterable[Setup]) -> dict[str, float]:
    """The step, or the tolerances, that the scenario had last; the usual ones if it never had any.

    Args:
        scenario: the present one.
        fixed: whether the step is wanted.
        earlier: the scenarios before, the latest first; those of other robots do not count.
    """
    own = (one for one in (scenario, *earlier) if one.robot == scenario.robot)
    last = next((one for one in own if (one.step is not None) == fixed), None)
    if fixed:
        step = None if last is None else last.step
        return {"step": scenario.duration / _DEFAULT_STEPS if step is None else min(step, scenario.duration)}
    rtol, atol = (None, None) if last is None else (last.rtol, last.atol)
    return {"rtol": DEFAULT_RTOL if rtol is None else rtol, "atol": DEFAULT_ATOL if atol is None else atol}


def control_of(scenario: Setup) -> Control:
    """The step-size rule of a scenario.

    Raises:
        BadInput: for tolerances that no method can meet, or too many steps.
    """
    if scenario.step is None:
        rtol, atol = scenario.rtol, scenario.atol
        return Tolerance(rtol or 0.0, atol or 0.0, scenario.controller, scenario.first_step, scenario.max_step)
    if scenario.duration / scenario.step > _MOST_STEPS:
        least = scenario.duration / _MOST_STEPS
        raise BadInput("step", scenario.step, f"at least {least:g} s (at most 1e8 steps in {scenario.duration:g} s)")
    return FixedStep(scenario.step)


def method_fields(scenario: Setup) -> tuple[Field, ...]:
    """The fields that choose the integrator, with limits that suit the scenario's duration."""
    span = scenario.duration
    long = (span * 1e-6, span * 0.1)
    return (
        Field("method", "method", default="rk4", choices=_SuitableKeys(scenario), help="The integrator."),
        Field(
            "step", "step", "s", None, 0.0, span, True, slider=long, log=True, optional=True, kind=float,
            help="A fixed step. Setting it switches step control off.",
        ),
        Field(
            "rtol", "relative tolerance", "", None, 0.0, 1.0, slider=(1e-13, 1e-1), log=True, optional=True, kind=float,
            help="A step is accepted when its estimated error is below atol + rtol |y|.",
        ),
        Field(
            "atol", "absolute tolerance", "", None, 0.0, 1e6, slider=(1e-14, 1e-1), log=True, optional=True, kind=float,
            help="A step is accepted when its estimated error is below atol + rtol |y|.",
        ),
        Field(
            "controller", "controller", default="pi", choices=tuple(CONTROLLERS), labels=CONTROLLER_LABELS,
            help=" ".join(CONTROLLERS.values()),
        ),
        Field(
            "first_step", "first step", "s", None, 0.0, span, True, slider=long, log=True, optional=True, kind=float,
            help="The first step tried. Empty: chosen from the motion itself.",
        ),
        Field(
            "max_step", "longest step", "s", None, 0.0, span, True, slider=long, log=True, optional=True, kind=float,
            help="Step control never takes a longer step. Empty: no limit.",
        ),
    )  # fmt: skip


def _settle_mode(method: Method, scenario: Setup) -> dict[str, Value]:
    step, rtol, atol = scenario.step, scenario.rtol, scenario.atol
    controlled = [path for path in ("rtol", "atol") if getattr(scenario, path) is not None]
    if step is not None and controlled:
        raise BadInput(
            "step", step, f"left out beside {' and '.join(controlled)}: choose one way of stepping, not both"
        )
    if step is None and not controlled:
        if method.adaptive:
            return {"rtol": DEFAULT_RTOL, "atol": DEFAULT_ATOL}
        return {"step": scenario.duration / _DEFAULT_STEPS}
    if step is not None and not method.fixed_step:
        able = [key for key, other in suitable_methods(scenario).items() if other.fixed_step]
        must = f"left out: {method.name} has no fixed step; choose a method that has one"
        raise BadInput("step", step, must, such_as=examples(able))
    if controlled and not method.adaptive:
        able = [key for key, other in suitable_methods(scenario).items() if other.adaptive]
        path = controlled[0]
        must = f"left out: {method.name} has no error estimate; choose a method that has one"
        raise BadInput(path, getattr(scenario, path), must, such_as=examples(able))
    if step is None:
        return {"rtol": DEFAULT_RTOL if rtol is None else rtol, "atol": DEFAULT_ATOL if atol is None else atol}
    return {}


def _mapping(options: object) -> Values:
    if not isinstance(options, Mapping):
        raise BadInput("options", options, "an object with the method's options")
    return options


def label_of(scenario: Setup) -> str:
    """The key of its method, with the settings that are not the defaults: `taylor order=8`."""
    typed = (method_of(scenario).name,) if "tableau" in _unusual(scenario) else ()
    return " ".join((find_method(scenario.method).key, *typed, *_words(scenario)))


def _words(scenario: Setup) -> list[str]:
    return [f"{key}={_word(value)}" for key, value in _unusual(scenario).items() if key != "tableau"]


def _unusual(scenario: Setup) -> Values:
    usual = find_method(scenario.method).complete_options({})
    return {key: value for key, value in scenario.options.items() if value != usual[key]}


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
