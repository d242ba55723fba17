"""How runs are shown: the part of the state that no number depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from assets.errors import BadInput, Range
from assets.fields import Data, Values
from gui.charts.choice import PlotChoice
from robots.scenario.scenario import OF_A_ROBOT

THEMES = ("light", "dark", "projector")
THEME_CHOICES = ("system", *THEMES)
QUALITIES = ("automatic", "low", "medium", "high")
PERSONAL = ("theme", "quality")
"""Settings of the person and the machine."""
UNSAVED = (*PERSONAL, "panels")
"""What opening a scenario leaves as it is; the others are saved with it."""

NUMBERS = Range(0.0, 1e12)
"""What settings that are numbers may be."""

LISTS = ("overlays", "plots", "columns", "links")
"""Settings that are lists of names."""

KEPT = (*PERSONAL, "plots")
"""What stays when a scenario is opened that says nothing of it, and from one session to the next."""


@dataclass(frozen=True, slots=True)
class ViewSettings:
    """Everything that View menus and the mouse change.

    Attributes:
        theme: one of `THEME_CHOICES`; `projector` is a light theme with larger type and stronger lines.
        quality: one of `QUALITIES`.
        camera: the free camera as plain numbers (target, distance, azimuth, elevation, field_of_view, orthographic),
            or None for the robot's standard view.
        trail: draw the tip's path.
        trail_seconds: how much of the past the trail shows [s]; 0 is all of it, at most what a smooth curve can show.
        ghosts: draw the other visible runs as transparent arms.
        ensemble: draw the tips of an ensemble's members.
        reference_ghost: draw the reference run as a ghost too.
        error_vector: draw the arrow from the reference's tip to the run's tip.
        error_scale: by how much that arrow is lengthened; 0 is the power of ten that makes it visible.
        desired_path: draw the path that the task asks for.
        ellipsoid: draw the tip's velocity ellipsoid (manipulability), for arms that have one.
        frames: draw the links' frames.
        axes: draw the joints' axes.
        labels: write the links' names.
        velocities: draw the tip's velocity.
        step_dots: mark on the trail where each accepted step ended.
        stages: draw the arm in the states at which the current step evaluates f (explicit Runge-Kutta methods).
        torques: draw the motors' torques as arcs.
        mini_plot: pin a small chart, the most informative one, in the picture.
        grid: draw the ground.
        legend: name the runs in the viewport.
        readout: write time and state in the viewport.
        follow: keep the camera on the tip.
        ride_on: the name of the link that the camera is fixed to, or nothing.
        camera_keys: the camera's key frames, as objects {t, camera} in order of time.
        camera_path: fly along `camera_keys` instead of looking from `camera`.
        degrees: show angles in degrees.
        panels: show the docks.
        overlays: keys of the overlays, of those without a setting here, that are drawn.
        enlarged: the key of the plot that fills the middle of the window, or nothing.
        plots: which plots are shown, as `gui.charts.choice` reads them; None for the usual ones.
        columns: keys of the columns of the table of runs; None for the usual ones.
        links: fields that keep one value, a text of their paths for each group, such as `robot.m1 robot.m2`.
    """

    theme: str = "system"
    quality: str = "automatic"
    camera: Values | None = None
    trail: bool = True
    trail_seconds: float = 2.0
    ghosts: bool = True
    reference_ghost: bool = False
    ensemble: bool = True
    error_vector: bool = True
    error_scale: float = 0.0
    desired_path: bool = True
    ellipsoid: bool = False
    frames: bool = False
    axes: bool = False
    labels: bool = False
    velocities: bool = False
    step_dots: bool = False
    stages: bool = False
    torques: bool = False
    mini_plot: bool = False
    grid: bool = True
    legend: bool = True
    readout: bool = True
    follow: bool = False
    ride_on: str = ""
    camera_keys: tuple[Values, ...] = ()
    camera_path: bool = False
    degrees: bool = True
    panels: bool = True
    overlays: tuple[str, ...] = ()
    enlarged: str = ""
    plots: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None
    links: tuple[str, ...] = ()

    def changed(self, **values: object) -> ViewSettings:
        """A copy with other values.

        Raises:
            BadInput: an unknown name or value.
        """
        names = [field.name for field in fields(self)]
        for name, value in values.items():
            if name not in names:
                raise BadInput("view", name, choices=names)
            _check(name, value, getattr(ViewSettings(), name))
        for name in ("camera_keys", *LISTS):
            if isinstance(listed := values.get(name), list):
                values[name] = tuple(listed)
        return replace(self, **values)

    def to_mapping(self) -> Data:
        """The values that a scenario file carries, as JSON values."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in UNSAVED}
        return {name: _plain(value) for name, value in values.items()}

    def with_mapping(self, mapping: Values) -> ViewSettings:
        """The standard view with the values of `mapping`; unknown ones are skipped: a view never raises an error.

        Which plots a person looks at stays, but not which curves and axes they show: those suited the scenario before.
        """
        view = replace(ViewSettings(), **{name: getattr(self, name) for name in {*KEPT, *UNSAVED}})
        if view.plots is not None:
            view = replace(view, plots=tuple(PlotChoice.of(text).key for text in view.plots))
        for name, value in mapping.items():
            if name in UNSAVED or (name in KEPT and value is None):
                continue
            try:
                view = view.changed(**{name: value})
            except BadInput:
                continue
        return view


USUAL = ViewSettings()
ROBOT_VIEW = {name: getattr(USUAL, name) for name in OF_A_ROBOT}
"""The settings that concern one robot, reset for another."""


def _plain(value: object) -> object:
    """`value` as lists and dictionaries, as in JSON."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def _check_keys(keys: object) -> None:
    """Refuse anything but objects {t, camera} in order of time."""
    wanted = "a list of objects {t, camera}, sorted by time"
    if not isinstance(keys, (tuple, list)):
        raise BadInput("view.camera_keys", keys, wanted)
    before = float("-inf")
    for key in keys:
        t = key.get("t") if isinstance(key, Mapping) else None
        if isinstance(t, bool) or not isinstance(t, (int, float)) or not before < t < 1e12:
            raise BadInput("view.camera_keys", keys, wanted)
        if not isinstance(key.get("camera"), Mapping):
            raise BadInput("view.camera_keys", keys, wanted)
        before = t


def _check(name: str, value: object, default: object) -> None:
    choices = {"theme": THEME_CHOICES, "quality": QUALITIES}.get(name)
    if choices is not None:
        if value not in choices:
            raise BadInput(f"view.{name}", value, choices=choices)
    elif name == "camera":
        if value is not None and not isinstance(value, Mapping):
            raise BadInput("view.camera", value, "an object of numbers or null")
    elif name == "camera_keys":
        _check_keys(value)
    elif name in LISTS:
        texts = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        if not texts and (value is not None or default is not None):
            raise BadInput(f"view.{name}", value, f"a list of {name}")
    elif isinstance(default, str):
        if not isinstance(value, str):
            raise BadInput(f"view.{name}", value, "text")
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise BadInput(f"view.{name}", value, "true or false")
    elif NUMBERS.number(value) is None:
        raise BadInput(f"view.{name}", value, NUMBERS)
