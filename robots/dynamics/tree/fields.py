"""The fields of the arm that a tree describes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from assets.errors import shortened
from assets.fields import Data, Field
from robots.dynamics.stops import StopFacts, stop_fields
from robots.dynamics.tree import layout as at
from robots.dynamics.tree.poses import position_facts
from robots.model.robot import LONGEST_NAME
from robots.model.sampling import sampling_fields
from robots.model.tree import Joint, Tree

LAWS = {
    "none": at.FREE,
    "constant": at.CONSTANT,
    "pd": at.PD,
    "pd-gravity": at.PD_GRAVITY,
    "computed": at.COMPUTED,
    "log-motion": at.COMPUTED,
    "log-torque": at.LOG,
}
LOGGED = ("log-motion", "log-torque")
_TORQUE = Field(
    "torque",
    "joint torque",
    default="none",
    choices=(*LAWS, "path"),
    labels={
        "constant": "constant torque",
        "pd": "PD control",
        "pd-gravity": "PD control with gravity compensation",
        "computed": "computed torque along a move",
        "log-motion": "computed torque along a log",
        "log-torque": "torques of a log",
        "path": "none: the tip follows a path",
    },
    help="What the motors do: nothing, a constant torque, PD control to a target, or a move to it by inverse dynamics. "
    "A log gives recorded motion or torques. Or the tip follows a path by inverse kinematics, without masses.",
)
_COMPUTED = ("torque", ("computed",))
_FED_BACK = ("torque", ("computed", "log-motion"))
_MOVE = (
    Field(
        "move_time", "move time", "s", 2.0, 0.0, 1e3, True, slider=(0.2, 10.0), log=True, when=_COMPUTED,
        help="The move from start to target: a polynomial of order 5, at rest at both ends.",
    ),
    Field("gain_p", "gain P", "1/s2", 100.0, 0.0, 1e8, slider=(0.0, 400.0), when=_FED_BACK,
          help="Acceleration of each joint per error of its position."),
    Field("gain_d", "gain D", "1/s", 20.0, 0.0, 1e6, slider=(0.0, 40.0), when=_FED_BACK,
          help="Acceleration of each joint per error of its rate."),
)  # fmt: skip
_LOG = Field(
    "log", "log", default="", when=("torque", LOGGED), file=True,
    help="Recorded positions or torques of the joints: a CSV file with the columns t and q1, q2, ... or u1, u2, ... "
    "Between its rows, positions are cubic splines and torques straight lines; after its end, the last row holds.",
)  # fmt: skip
_PD = ("pd", "pd-gravity")
CONTROLLED = (*_PD, "computed", "log-motion")
_TARGETED = (*_PD, "computed")
_GRAVITY = Field(
    "g", "gravity", "m/s2", 9.81, -1e3, 1e3, slider=(0.0, 25.0), help="Acceleration of gravity, downwards."
)


def _aim(joint: Joint, moves: bool) -> Data:
    """The end of a move; `moves` makes it another place than its start."""
    facts: Data = position_facts(joint) | {"when": ("torque", _TARGETED)}
    if moves and facts["slider"]:
        low, high = facts["slider"]
        further = 0.25 * (high - low)
        facts["default"] = joint.rest + (further if high - joint.rest > joint.rest - low else -further)
    return facts


def _rate(joint: Joint) -> Data:
    return {"unit": f"{joint.unit}/s", "default": 0.0, "minimum": -1e4, "maximum": 1e4, "slider": (-10.0, 10.0)}


def _friction(joint: Joint) -> Data:
    unit = "N s/m" if joint.sliding else "N m s/rad"
    top = max(1.0, 4.0 * joint.damping)
    return {"unit": unit, "default": joint.damping, "minimum": 0.0, "maximum": 1e6, "slider": (0.0, top)}


def _drive(joint: Joint) -> Data:
    unit, top = "N" if joint.sliding else "N m", joint.effort if 0.0 < joint.effort < 1e5 else 50.0
    return {"unit": unit, "minimum": -1e6, "maximum": 1e6, "slider": (-top, top), "when": ("torque", ("constant",))}


def _gain(joint: Joint, per_rate: bool) -> Data:
    unit = ("N s/m" if per_rate else "N/m") if joint.sliding else ("N m s/rad" if per_rate else "N m/rad")
    default = 2.0 * joint.effort if 0.0 < joint.effort < 1e5 else 100.0
    default = float(f"{default * (0.1 if per_rate else 1.0):.3g}")
    slider = (0.0, 4.0 * default)
    return {"unit": unit, "default": default, "minimum": 0.0, "maximum": 1e7, "slider": slider, "when": ("torque", _PD)}


def _stop(joint: Joint) -> StopFacts:
    """The limits that the file gives, as stops."""
    low, high = (end if np.isfinite(end) else None for end in (joint.lower, joint.upper))
    return StopFacts(joint.unit, low, high, position_facts(joint)["slider"], _name(joint))


def _name(joint: Joint) -> str:
    """The joint's name as labels show it: that it is a joint is clear beside a rate, a stop or a friction."""
    return shortened(re.sub(r"(?<=.)[_ -]?joint$", "", joint.name), LONGEST_NAME)


def _each(tree: Tree, stem: str, label: str, facts: Callable[[Joint], Data]) -> Iterator[Field]:
    """A field for each free joint, in the order of q1, q2 and so on."""
    for number, place in enumerate(tree.order, start=1):
        joint = tree.joints[place]
        named = f"of {_name(joint)}" if joint.name else str(number)
        kind = f"{joint.kind.capitalize()} joint, q{number}."
        yield Field(f"{stem}{number}", f"{label} {named}", help=kind, **facts(joint))


def parameters_of(tree: Tree) -> tuple[Field, ...]:
    """Gravity, payload and friction."""
    where = f", which is at {tree.tip_joint}, since the arm has no tool frame" if tree.tip_joint else ""
    carried = f"A point mass at the tip{where}."
    payload = Field("payload", "payload", "kg", 0.0, 0.0, 1e4, slider=(0.0, 10.0), help=carried)
    return (_GRAVITY, payload, *_each(tree, "d", "friction", _friction))


def task_of(tree: Tree) -> tuple[Field, ...]:
    """What the motors do."""
    return (
        _TORQUE,
        _LOG,
        *_MOVE,
        *_each(tree, "tau", "torque", _drive),
        *_each(tree, "kp", "gain P", partial(_gain, per_rate=False)),
        *_each(tree, "kd", "gain D", partial(_gain, per_rate=True)),
        *_each(tree, "target", "target", partial(_aim, moves=bool(tree.fault()))),
        *sampling_fields(("torque", CONTROLLED)),
        *stop_fields([_stop(tree.joints[place]) for place in tree.order]),
    )


def positions_of(tree: Tree) -> tuple[Field, ...]:
    """Initial positions."""
    return tuple(_each(tree, "q", "position", position_facts))


def initial_of(tree: Tree) -> tuple[Field, ...]:
    """Initial positions and rates."""
    return (*positions_of(tree), *_each(tree, "v", "rate", _rate))
