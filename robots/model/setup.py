"""What a robot knows about a scenario: what decides a run, and how the robot is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from assets.fields import Values
from robots.model.segments import Segment
from robots.model.tree import Tree


@dataclass(frozen=True)
class Setup:
    """Everything that a robot reads. Its values are checked by `Scenario`, which adds what is for people.

    Attributes:
        robot: key of the robot.
        model: the robot itself, where it is from a file and the key says so.
        parameters, task, initial: values of the robot's fields, by key.
        method: key of the integrator; aliases are accepted and replaced.
        options: values of the method's options, by key.
        step: fixed step [s], or None for step control.
        rtol, atol: relative and absolute tolerance, or None for a fixed step.
        controller: rule of the step control, `pi`, `elementary` or `paper`.
        first_step, max_step: bounds of the step control [s].
        duration: simulated span [s].
        sampling: output interval [s]; 0 means every accepted step.
        segments: what changes during the run.
        view: values of the robot's looks, by key, among camera, overlays and the like; decides no number.
    """

    robot: str = "rr"
    model: Tree | None = None
    parameters: Values = field(default_factory=dict)
    task: Values = field(default_factory=dict)
    initial: Values = field(default_factory=dict)
    method: str = "rk4"
    options: Values = field(default_factory=dict)
    step: float | None = None
    rtol: float | None = None
    atol: float | None = None
    controller: str = "pi"
    first_step: float | None = None
    max_step: float | None = None
    duration: float = 10.0
    sampling: float = 0.0
    segments: tuple[Segment, ...] = ()
    view: Values = field(default_factory=dict)

    def with_parameters(self, parameters: Values) -> Setup:
        """The setup with other parameters of the robot, unchecked."""
        named = {item.name: getattr(self, item.name) for item in fields(Setup)}
        return Setup(**{**named, "parameters": parameters})

    def same_robot(self, other: Setup) -> bool:
        """Whether the other scenario is about the same robot with the same coordinates, with whatever parameters."""
        return (self.robot, self.model, set(self.initial)) == (other.robot, other.model, set(other.initial))
