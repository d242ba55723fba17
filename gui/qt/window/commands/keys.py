"""Every command of the window with its keys: the one table behind menus, the F1 sheet and the command palette."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gui.app.session.preferences import Preferences
from gui.app.view import QUALITIES
from gui.qt.window.commands.command import Command

MENUS = {"File": "&File", "Edit": "&Edit", "View": "&View", "Run": "&Run", "Export": "E&xport", "Help": "&Help"}
"""The menus, and what the bar says: Alt and the letter after `&` opens one."""


def _shown(name: str, text: str, tip: str, keys: tuple[str, ...] = (), *, group: int = 0, view: str = "") -> Command:
    """A command of the menu Show: it switches the field `view` on and off, or `name` if that is empty."""
    return Command(f"view.{name}", "View/Show", text, tip, keys, group=group, view=view or name)


_COMMANDS: tuple[Command, ...] = (
    Command("file.new", "File", "New…", "Choose a preset from the gallery", ("Ctrl+N",), "new"),
    Command("file.open", "File", "Open…", "Open a scenario or a robot file", ("Ctrl+O",), "open"),
    Command("file.open_new", "File", "Open in new window…", "Open a file in a new window"),
    Command(
        "file.studies", "File", "Paper desk…", "Compute the papers' figures again, beside what they say", ("Ctrl+D",)
    ),
    Command(
        "file.robot", "File", "Robot report…", "What the robot's file has, lacks and gets wrong; for arms from files"
    ),
    Command("file.log", "File", "Load a log…", "Follow or compare with recorded positions or torques of the joints"),
    Command("file.save", "File", "Save", "Save the scenario in its file", ("Ctrl+S",), "save", group=1),
    Command("file.save_as", "File", "Save as…", "Save the scenario in another file", ("Ctrl+Shift+S",), group=1),
    Command("file.quit", "File", "Quit", "Close Armstep", ("Ctrl+Q",), group=9),
    Command("edit.undo", "Edit", "Undo", "Undo the last change", ("Ctrl+Z",), "undo"),
    Command("edit.redo", "Edit", "Redo", "Redo the change", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    Command("edit.copy_picture", "Edit", "Copy the picture", "Copy the 3D picture", ("Ctrl+Shift+C",), group=1),
    Command("edit.copy_plots", "Edit", "Copy the plots", "Copy the plots as one picture", group=1),
    Command("edit.copy_table", "Edit", "Copy the table of runs", "Copy the runs for a spreadsheet", group=1),
    Command(
        "edit.copy_python",
        "Edit",
        "Copy as Python",
        "Copy a script that needs only numpy and scipy and prints the same numbers as this run",
        group=1,
    ),
    Command("edit.settings", "Edit", "Settings…", "Size of type, motion, keys", ("Ctrl+,",), group=2),
    Command("view.fit", "View", "Show the whole motion", "Fit the whole motion into the view", ("F",), "camera"),
    Command("view.next_link", "View", "Next link", "See the numbers of the arm's next link", ("I",)),
    Command("view.follow", "View", "Follow the tip", "Keep the camera on the tip", group=1, view="follow"),
    _shown("trail", "Trail of the tip", "Draw the path of the tip", ("T",)),
    _shown("desired_path", "Desired path", "Draw the path that the task asks for"),
    _shown("ghosts", "Other runs as ghosts", "Draw the pinned runs as transparent arms", ("G",), group=1),
    _shown("ensemble", "Ensemble cloud", "Draw the tips of the ensemble's members", group=1),
    _shown("reference", "Reference as a ghost", "Draw the reference run too", group=1, view="reference_ghost"),
    _shown(
        "error", "Error arrow", "Draw the arrow from the reference to the tip", ("E",), group=1, view="error_vector"
    ),
    _shown(
        "ellipsoid",
        "Ellipsoid of velocities",
        "Draw how easily the tip moves in every direction; amber near a singular posture",
        group=1,
    ),
    _shown("frames", "Frames", "Draw the coordinate frames of the links", ("F6",), group=2),
    _shown("axes", "Joint axes", "Draw the axes of the joints", group=2),
    _shown("labels", "Names", "Write the names of the links", group=2),
    _shown("velocities", "Velocity", "Draw the velocity of the tip", group=2),
    _shown("torques", "Torques", "Draw the motor torques as arcs", ("U",), group=2),
    _shown("step_dots", "Steps", "Mark each step of the solver on the trail", ("D",), group=2),
    _shown(
        "stages", "Stages of the step", "Draw the arm at the stages of the current Runge-Kutta step", ("S",), group=2
    ),
    _shown("mini_plot", "Small chart", "Pin a small chart in the picture", group=3),
    _shown("grid", "Ground", "Draw the ground", group=3),
    _shown("legend", "Legend", "Name the runs in the picture", group=3),
    _shown("readout", "Time and speed", "Write time and speed in the picture", group=3),
    Command(
        "view.degrees",
        "View",
        "Angles in degrees",
        "Show angles in degrees instead of radians",
        group=2,
        view="degrees",
    ),
    Command(
        "view.panels",
        "View/Panels",
        "Show panels",
        "Hide panels, or show them again",
        ("Ctrl+B",),
        "panels",
        view="panels",
    ),
    Command("view.layout", "View", "Reset layout", "Put every panel back where it was at first", group=4),
    Command("view.present", "View", "Present", "Full screen with large type, plots and notes", ("F5",), group=4),
    Command(
        "view.present_list",
        "View",
        "Present a list…",
        "Present the scenarios and lessons that a text file lists",
        ("Shift+F5",),
        group=4,
    ),
    Command("view.fullscreen", "View", "Full screen", "Use the whole screen", ("F11",), "fullscreen", group=4),
    Command(
        "plots.enlarge", "View/Plots", "Enlarge the plot", "Fill the middle with the plot under the pointer", ("Z",)
    ),
    Command("plots.next", "View/Plots", "Next plot", "Enlarge the next plot", ("Shift+Z",)),
    Command("plots.steps", "View/Plots", "Steps of all runs", "Fill the middle with the steps that the solvers took"),
    Command(
        "plots.stability", "View/Plots", "Stability regions", "Fill the middle with the stability regions of all runs"
    ),
    Command(
        "plots.mark", "View/Plots", "Second cursor here", "Measure from the playhead: Δt, Δ, growth", ("M",), group=1
    ),
    Command("plots.unmark", "View/Plots", "Remove the second cursor", "Stop measuring", ("Shift+M",), group=1),
    Command("plots.scale", "View/Plots", "Linear or logarithmic axis", "Change the plot's vertical axis", group=2),
    Command("plots.reset", "View/Plots", "Reset zoom", "Show everything in the plot again", group=2),
    Command("plots.menu", "View/Plots", "Menu of the plot", "Curves, copy, save, hide", group=2),
    Command("run.play", "Run", "Play", "Play or pause", ("Space",), "play"),
    Command("run.reset", "Run", "Pause at the start", "Pause and go to the start", ("R",), "reset"),
    Command("run.loop", "Run", "Loop", "Start again at the end", ("L",), "loop"),
    Command(
        "run.first",
        "Run/Playhead",
        "Go to the start",
        "Go to the start; a run that plays goes on",
        ("Home",),
        "first",
        group=1,
    ),
    Command("run.last", "Run/Playhead", "Go to the end", "Go to the end", ("End",), "last", group=1),
    Command("run.time", "Run/Playhead", "Go to a time…", "Type the time of the playhead", group=1),
    Command("run.frame_back", "Run/Playhead", "One frame back", "Go 1/30 s back", ("Left",), "frame-back", group=2),
    Command(
        "run.frame_forward",
        "Run/Playhead",
        "One frame forward",
        "Go 1/30 s forward",
        ("Right",),
        "frame-forward",
        group=2,
    ),
    Command(
        "run.step_back",
        "Run/Playhead",
        "One solver step back",
        "Go to the solver's previous step",
        ("Ctrl+Left",),
        "step-back",
        group=3,
    ),
    Command(
        "run.step_forward",
        "Run/Playhead",
        "One solver step forward",
        "Go to the solver's next step",
        ("Ctrl+Right",),
        "step-forward",
        group=3,
    ),
    Command("run.second_back", "Run/Playhead", "One second back", "Go 1 s back", ("Shift+Left",), group=4),
    Command("run.second_forward", "Run/Playhead", "One second forward", "Go 1 s forward", ("Shift+Right",), group=4),
    Command("run.faster", "Run", "Faster", "Play twice as fast", ("+", "="), group=5),
    Command("run.slower", "Run", "Slower", "Play half as fast", ("-",), group=5),
    Command("run.real_time", "Run", "Real time", "Play one second per second", ("0",), group=5),
    Command("run.pin", "Run", "Pin this run", "Keep this run on screen for comparison", ("P",), "pin", group=6),
    Command("run.name", "Run", "Name the run", "Type a name for the selected or current run", ("F2",), group=6),
    Command("run.note", "Run", "Note on the run", "Type a note on the current run: kept, saved and exported", group=6),
    Command("run.pull", "Run", "Pull the link", "Hold a link by a spring and move it with the arrows", ("Y",), group=6),
    Command("run.cancel", "Run", "Stop computing", "Stop the current computation", ("Ctrl+.",), "cancel", group=6),
    Command(
        "run.own_method", "Run", "Your own method…", "Enter a Butcher tableau and use it like any other method", group=7
    ),
    Command(
        "run.work_precision",
        "Run",
        "Work-precision diagram…",
        "Compare the cost and the error of many methods",
        group=7,
    ),
    Command("run.map", "Run", "Map…", "Run over one or two fields and show a readout in colour", group=7),
    Command(
        "export.animation",
        "Export",
        "Animation…",
        "Save a film, web page or model",
        ("Ctrl+Shift+E",),
        "export",
    ),
    Command("export.picture", "Export", "Picture…", "Save a picture of this moment"),
    Command("export.plots", "Export", "Plots…", "Save the plots as vector graphics", group=1),
    Command("export.data", "Export", "Data…", "Save the run's numbers as a table", group=1),
    Command("export.runs", "Export", "Table of runs…", "Save the runs' errors and costs as a CSV table", group=1),
    Command(
        "help.palette", "Help", "Search commands…", "Find any command by its name", ("Ctrl+K", "Ctrl+Shift+P"), "search"
    ),
    Command("help.documentation", "Help", "Documentation", "Open the documentation in the browser"),
    Command("help.lessons", "Help", "Lessons…", "Choose a lesson: predict, see, explain", ("Shift+F1",)),
    Command("lesson.onward", "Help/Lesson", "Next step", "Go to the next step of the lesson", ("Ctrl+PgDown",)),
    Command("lesson.back", "Help/Lesson", "Previous step", "Go to the previous step of the lesson", ("Ctrl+PgUp",)),
    Command("lesson.commit", "Help/Lesson", "Commit the prediction", "See the outcome", ("Ctrl+Return", "Ctrl+Enter")),
    Command("lesson.hint", "Help/Lesson", "Hint", "Show the next hint of the step", ("H",)),
    Command(
        "lesson.reset",
        "Help/Lesson",
        "Reset the step",
        "Show the runs and the view as they were at the start of the step",
        ("Shift+R",),
    ),
    Command("lesson.notes", "Help/Lesson", "Teacher's notes", "Show what the lesson says to the teacher", group=1),
    Command("lesson.html", "Help/Lesson", "Save answers as HTML…", "Save the answers as a page to hand in", group=2),
    Command("lesson.csv", "Help/Lesson", "Save answers as CSV…", "Save the answers as a table", group=2),
    Command("lesson.close", "Help/Lesson", "Close the lesson", "The scenario stays open", group=3),
    Command("help.menus", "Help", "Menus", "Open the first menu; the arrows lead to the others", ("F10",)),
    Command("help.keys", "Help", "Keys and mouse", "Show all keys", ("F1",), "help"),
    Command("help.cite", "Help", "Cite", "BibTeX for Armstep and the methods and robots of the runs"),
    Command("help.about", "Help", "About Armstep", "Versions, graphics and licence", icon="info", group=1),
)

_CAMERAS = {
    "iso": "Three-quarter view",
    "front": "From the front",
    "back": "From the back",
    "right": "From the right",
    "left": "From the left",
    "top": "From above",
    "bottom": "From below",
}
_THEMES = {"system": "Same as desktop", "light": "Light", "dark": "Dark", "projector": "Projector"}
_SCALES = {0.0: "Automatic", 1.0: "×1", 10.0: "×10", 1000.0: "×1000"}
_QUALITIES = {name: name.capitalize() for name in QUALITIES}


def _choices(field: str, menu: str, texts: Mapping[str, str] | Mapping[float, str], tip: str) -> tuple[Command, ...]:
    """One command for each value of a field of the view."""
    return tuple(
        Command(
            f"{field}.{value}".removesuffix(".0"),
            menu,
            text,
            f"{tip}: {text.lower()}",
            icon=str(value) if field == "theme" else "",
            view=field,
            value=value,
        )
        for value, text in texts.items()
    )


COMMANDS: tuple[Command, ...] = (
    *_COMMANDS,
    *(
        Command(f"camera.{name}", "View/Camera", text, f"View {text[0].lower()}{text[1:]}", (str(number),))
        for number, (name, text) in enumerate(_CAMERAS.items(), 1)
    ),
    Command(
        "camera.ride", "View/Camera", "Ride on the link", "Fix the camera to the selected link, or free it", group=1
    ),
    Command(
        "camera.set_key", "View/Camera", "Set a key frame", "Keep this view of the camera at this time", ("K",), group=2
    ),
    Command(
        "camera.drop_key", "View/Camera", "Remove the key frame", "Remove the last key frame before this time", group=2
    ),
    Command(
        "camera.fly",
        "View/Camera",
        "Along the key frames",
        "Fly the camera's path",
        ("Shift+K",),
        group=2,
        view="camera_path",
    ),
    Command("camera.orthographic", "View/Camera", "Parallel projection", "Draw without perspective", ("O",), group=1),
    *_choices("error_scale", "View/Error arrow", _SCALES, "Length of the error arrow"),
    *_choices("theme", "View/Theme", _THEMES, "Colours of the window"),
    *_choices("quality", "View/Quality", _QUALITIES, "Quality of the 3D picture"),
)
"""Every command, in the order of the menus, with its usual keys."""


def with_keys(command: Command, preferences: Preferences) -> Command:
    """The command with the keys that a person has chosen."""
    return replace(command, keys=preferences.keys_of(command.key, command.keys))


EVERYWHERE = (
    ("Tab", "Next control; Shift+Tab goes back"),
    ("Enter", "Keep what was typed, press a button"),
    ("Space", "Press the button that Tab has come to"),
    ("Letters", "In a menu: next entry that begins so"),
    ("Esc", "Take back what was typed, close a sheet"),
    ("Shift+F10", "Menu, as by a right click"),
    ("Up, Down", "Zoom an enlarged plot"),
    ("Left, Right", "Next tree of order conditions"),
    ("Arrows", "Move the spring that pulls a link"),
    ("Enter", "Let the pulled link go"),
)
"""Fixed keys, for the F1 sheet."""

MOUSE = (
    ("Drag", "Turn the view"),
    ("Right, middle or Shift+drag", "Move the view"),
    ("Wheel", "Zoom to the pointer"),
    ("Click", "See a link's numbers"),
    ("Double click", "Centre a link"),
    ("Right click", "Menu"),
    ("Ctrl+drag", "Pull a link with a spring"),
    ("Ctrl+Shift+drag", "Pose the arm: set its initial posture"),
    ("Drag a dot", "Move a way-point"),
    ("Two fingers", "Turn; with Shift move, with Ctrl zoom"),
    ("Pinch", "Zoom"),
)
"""What the mouse does in the 3D view, for the F1 sheet."""

LANE_MOUSE = (
    ("Drag", "Move in time"),
    ("Wheel", "Zoom in time"),
    ("Shift+drag", "Choose what is played"),
    ("Double click", "Enlarge the steps of all runs"),
)
"""What the mouse does in the timeline's lane."""

PLOT_MOUSE = (
    ("Click or drag", "Move in time"),
    ("Wheel", "Scroll all plots, or else zoom"),
    ("Ctrl+wheel", "Zoom"),
    ("Ctrl+click", "Second cursor"),
    ("Double click", "Enlarge"),
)
"""What the mouse does in a plot."""
