"""Every command of the window with its keys: the one table behind menus, the F1 sheet and the command palette."""

from __future__ import annotations

from dataclasses import replace

from gui.app.session.preferences import Preferences
from gui.qt.window.commands.command import Command

MENUS = {"File": "&File", "Edit": "&Edit", "View": "&View", "Run": "&Run", "Export": "E&xport", "Help": "&Help"}
"""The menus, and what the bar says: Alt and the letter after `&` opens one."""


_COMMANDS: tuple[Command, ...] = (
    Command("file.new", "File", "New…", "Choose a preset from the gallery", ("Ctrl+N",), "new"),
    Command("file.open", "File", "Open…", "Open a scenario or a robot file", ("Ctrl+O",), "open"),
    Command("file.open_new", "File", "Open in new window…", "Open a file in a new window"),
    Command(
        "file.studies", "File", "Paper desk…", "Compute the papers' figures again, beside what they say", ("Ctrl+D",)
    ),
    Command("file.robot", "File", "Robot report…", "What the robot's file has, lacks and gets wrong"),
    Command("file.log", "File", "Load a log…", "Follow or compare with recorded positions or torques of the joints"),
    Command("file.save", "File", "Save", "Save the scenario in its file", ("Ctrl+S",), "save", 1),
    Command("file.save_as", "File", "Save as…", "Save the scenario in another file", ("Ctrl+Shift+S",), "", 1),
    Command("file.quit", "File", "Quit", "Close Armstep", ("Ctrl+Q",), "", 9),
    Command("edit.undo", "Edit", "Undo", "Undo the last change", ("Ctrl+Z",), "undo"),
    Command("edit.redo", "Edit", "Redo", "Redo the change", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
    Command("edit.copy_picture", "Edit", "Copy the picture", "Copy the 3D picture", ("Ctrl+Shift+C",), "", 1),
    Command("edit.copy_plots", "Edit", "Copy the plots", "Copy the plots as one picture", (), "", 1),
    Command("edit.copy_table", "Edit", "Copy the table of runs", "Copy the runs for a spreadsheet", (), "", 1),
    Command(
        "edit.copy_python",
        "Edit",
        "Copy as Python",
        "Copy a script that needs only numpy and scipy and prints the same numbers as this run",
        (),
        "",
        1,
    ),
    Command("edit.settings", "Edit", "Settings…", "Size of type, motion, keys", ("Ctrl+,",), "", 2),
    Command("view.fit", "View", "Show the whole motion", "Fit the whole motion into the view", ("F",), "camera"),
    Command("view.follow", "View", "Follow the tip", "Keep the camera on the tip", (), "", 1, "follow"),
    Command("view.trail", "View/Show", "Trail of the tip", "Draw the path of the tip", ("T",), "", 0, "trail"),
    Command(
        "view.desired_path",
        "View/Show",
        "Desired path",
        "Draw the path that the task asks for",
        (),
        "",
        0,
        "desired_path",
    ),
    Command(
        "view.ghosts",
        "View/Show",
        "Other runs as ghosts",
        "Draw the pinned runs as transparent arms",
        ("G",),
        "",
        1,
        "ghosts",
    ),
    Command("view.ensemble", "View/Show", "Ensemble", "Draw the tips of the ensemble's members", (), "", 1, "ensemble"),
    Command(
        "view.reference",
        "View/Show",
        "Reference as a ghost",
        "Draw the reference run too",
        (),
        "",
        1,
        "reference_ghost",
    ),
    Command(
        "view.error",
        "View/Show",
        "Error arrow",
        "Draw the arrow from the reference to the tip",
        ("E",),
        "",
        1,
        "error_vector",
    ),
    Command(
        "view.ellipsoid",
        "View/Show",
        "Ellipsoid of velocities",
        "Draw how easily the tip moves in every direction; amber near a singular posture",
        (),
        "",
        1,
        "ellipsoid",
    ),
    Command("view.frames", "View/Show", "Frames", "Draw the coordinate frames of the links", ("F6",), "", 2, "frames"),
    Command("view.axes", "View/Show", "Joint axes", "Draw the axes of the joints", (), "", 2, "axes"),
    Command("view.labels", "View/Show", "Names", "Write the names of the links", (), "", 2, "labels"),
    Command("view.velocities", "View/Show", "Velocity", "Draw the velocity of the tip", (), "", 2, "velocities"),
    Command("view.torques", "View/Show", "Torques", "Draw the motor torques as arcs", ("U",), "", 2, "torques"),
    Command(
        "view.step_dots", "View/Show", "Steps", "Mark each step of the solver on the trail", ("D",), "", 2, "step_dots"
    ),
    Command(
        "view.stages",
        "View/Show",
        "Stages of the step",
        "Draw the arm at the stages of the current Runge-Kutta step",
        ("S",),
        "",
        2,
        "stages",
    ),
    Command("view.mini_plot", "View/Show", "Small chart", "Pin a small chart in the picture", (), "", 3, "mini_plot"),
    Command("view.grid", "View/Show", "Ground", "Draw the ground", (), "", 3, "grid"),
    Command("view.legend", "View/Show", "Legend", "Name the runs in the picture", (), "", 3, "legend"),
    Command("view.readout", "View/Show", "Time and speed", "Write time and speed in the picture", (), "", 3, "readout"),
    Command(
        "view.degrees", "View", "Angles in degrees", "Show angles in degrees instead of radians", (), "", 2, "degrees"
    ),
    Command("view.panels", "View/Panels", "All panels", "Show or hide all panels", ("Ctrl+B",), "panels", 0, "panels"),
    Command("view.layout", "View", "Reset layout", "Put every panel back where it was at first", (), "", 4),
    Command("view.present", "View", "Present", "Full screen with large type, plots and notes", ("F5",), "", 4),
    Command(
        "view.present_list",
        "View",
        "Present a list…",
        "Present the scenarios that a text file lists",
        ("Shift+F5",),
        "",
        4,
    ),
    Command("view.fullscreen", "View", "Full screen", "Use the whole screen", ("F11",), "fullscreen", 4),
    Command(
        "plots.enlarge", "View/Plots", "Enlarge the plot", "Fill the middle with the plot under the pointer", ("Z",)
    ),
    Command("plots.next", "View/Plots", "Next plot", "Enlarge the next plot", ("Shift+Z",)),
    Command("plots.steps", "View/Plots", "Steps of all runs", "Fill the middle with the steps that the solvers took"),
    Command(
        "plots.stability", "View/Plots", "Stability regions", "Fill the middle with the stability regions of all runs"
    ),
    Command(
        "plots.mark",
        "View/Plots",
        "Second cursor here",
        "Measure from the playhead: Δt, Δ, growth",
        ("M",),
        "",
        1,
    ),
    Command("plots.unmark", "View/Plots", "Remove the second cursor", "Stop measuring", ("Shift+M",), "", 1),
    Command("plots.scale", "View/Plots", "Linear or logarithmic axis", "Change the plot's vertical axis", (), "", 2),
    Command("plots.reset", "View/Plots", "Reset zoom", "Show everything in the plot again", (), "", 2),
    Command("plots.menu", "View/Plots", "Menu of the plot", "Curves, copy, save, hide", (), "", 2),
    Command("run.play", "Run", "Play", "Play or pause", ("Space",), "play"),
    Command("run.reset", "Run", "Back to the start", "Pause and go to the start", ("R",), "reset"),
    Command("run.loop", "Run", "Loop", "Start again at the end", ("L",), "loop"),
    Command("run.first", "Run", "Start", "Go to the start", ("Home",), "first", 1),
    Command("run.last", "Run", "End", "Go to the end", ("End",), "last", 1),
    Command("run.frame_back", "Run", "One frame back", "Go 1/30 s back", ("Left",), "frame-back", 2),
    Command("run.frame_forward", "Run", "One frame forward", "Go 1/30 s forward", ("Right",), "frame-forward", 2),
    Command(
        "run.step_back",
        "Run",
        "One solver step back",
        "Go to the solver's previous step",
        ("Ctrl+Left",),
        "step-back",
        3,
    ),
    Command(
        "run.step_forward",
        "Run",
        "One solver step forward",
        "Go to the solver's next step",
        ("Ctrl+Right",),
        "step-forward",
        3,
    ),
    Command("run.second_back", "Run", "One second back", "Go 1 s back", ("Shift+Left",), "", 4),
    Command("run.second_forward", "Run", "One second forward", "Go 1 s forward", ("Shift+Right",), "", 4),
    Command("run.faster", "Run", "Faster", "Play twice as fast", ("+", "="), "", 5),
    Command("run.slower", "Run", "Slower", "Play half as fast", ("-",), "", 5),
    Command("run.real_time", "Run", "Real time", "Play one second per second", ("0",), "", 5),
    Command("run.pin", "Run", "Pin this run", "Keep this run on screen for comparison", ("P",), "pin", 6),
    Command("run.cancel", "Run", "Stop computing", "Stop the current computation", ("Ctrl+.",), "cancel", 6),
    Command(
        "run.own_method",
        "Run",
        "Your own method…",
        "Enter a Butcher tableau and use it like any other method",
        (),
        "",
        7,
    ),
    Command(
        "run.work_precision",
        "Run",
        "Work-precision diagram…",
        "Compare the cost and the error of many methods",
        (),
        "",
        7,
    ),
    Command("run.map", "Run", "Map…", "Run over one or two fields and show a readout in colour", (), "", 7),
    Command("export.animation", "Export", "Animation…", "Save a video of the scene", ("Ctrl+Shift+E",), "export"),
    Command("export.picture", "Export", "Picture…", "Save a picture of this moment", ()),
    Command("export.plots", "Export", "Plots…", "Save the plots as vector graphics", (), "", 1),
    Command("export.data", "Export", "Data…", "Save the run's numbers as a table", (), "", 1),
    Command(
        "help.palette", "Help", "Search commands…", "Find any command by its name", ("Ctrl+K", "Ctrl+Shift+P"), "search"
    ),
    Command("help.documentation", "Help", "Documentation", "Open the documentation in the browser", ()),
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
    Command("lesson.notes", "Help/Lesson", "Teacher's notes", "Show what the lesson says to the teacher", (), "", 1),
    Command("lesson.html", "Help/Lesson", "Save answers as HTML…", "Save the answers as a page to hand in", (), "", 2),
    Command("lesson.csv", "Help/Lesson", "Save answers as CSV…", "Save the answers as a table", (), "", 2),
    Command("lesson.close", "Help/Lesson", "Close the lesson", "The scenario stays open", (), "", 3),
    Command("help.menus", "Help", "Menus", "Open the first menu; the arrows lead to the others", ("F10",)),
    Command("help.keys", "Help", "Keys and mouse", "Show all keys", ("F1",), "help"),
    Command("help.cite", "Help", "Cite", "BibTeX for Armstep, this method and this robot", ()),
    Command("help.about", "Help", "About Armstep", "Versions, graphics and licence", (), "info", 1),
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
_SCALES = {"automatic": 0.0, "×1": 1.0, "×10": 10.0, "×1000": 1000.0}
_QUALITIES = {"automatic": "Automatic", "low": "Low", "medium": "Medium", "high": "High"}


def _choices(field: str, menu: str, texts: dict[str, str], tip: str) -> tuple[Command, ...]:
    """One command for each value of a field of the view."""
    return tuple(
        Command(
            f"{field}.{value}",
            menu,
            text,
            f"{tip}: {text.lower()}",
            (),
            value if field == "theme" else "",
            0,
            field,
            value,
        )
        for value, text in texts.items()
    )


COMMANDS: tuple[Command, ...] = (
    *_COMMANDS,
    *(
        Command(
            f"camera.{name}",
            "View/Camera",
            text,
            f"View {text[0].lower()}{text[1:]}",
            (str(number),),
            "",
            0,
        )
        for number, (name, text) in enumerate(_CAMERAS.items(), 1)
    ),
    Command(
        "camera.ride", "View/Camera", "Ride on the link", "Fix the camera to the selected link, or free it", (), "", 1
    ),
    Command(
        "camera.set_key", "View/Camera", "Set a key frame", "Keep this view of the camera at this time", ("K",), "", 2
    ),
    Command(
        "camera.drop_key",
        "View/Camera",
        "Remove the key frame",
        "Remove the last key frame before this time",
        (),
        "",
        2,
    ),
    Command(
        "camera.fly", "View/Camera", "Along the key frames", "Fly the camera's path", ("Shift+K",), "", 2, "camera_path"
    ),
    Command("camera.orthographic", "View/Camera", "Parallel projection", "Draw without perspective", ("O",), "", 1),
    *(
        Command(
            f"error_scale.{int(scale)}",
            "View/Error arrow",
            text[0].upper() + text[1:],
            f"Length of the error arrow: {text}",
            (),
            "",
            0,
            "error_scale",
            scale,
        )
        for text, scale in _SCALES.items()
    ),
    *_choices("theme", "View/Theme", _THEMES, "Colours of the window"),
    *_choices("quality", "View/Quality", _QUALITIES, "Quality of the 3D picture"),
)
"""Every command, in the order of the menus, with its usual keys."""


def with_keys(command: Command, preferences: Preferences) -> Command:
    """The command with the keys that a person has chosen."""
    return replace(command, keys=preferences.keys_of(command.key, command.keys))


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
