"""Keys that act in one place: in the table of runs, in a presentation, while a lesson is taught."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from gui.app.session.preferences import Preferences
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.keys import COMMANDS

ARROWS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down})
TABLE, PRESENTATION, TAUGHT = "In the table of runs", "In a presentation", "While a lesson is presented"

CHOICE = "teach.choice_"
"""Begins the names of commands that count a hand."""

LOCAL: tuple[Command, ...] = (
    Command("table.remove", TABLE, "Remove the run", "Remove the selected runs", ("Del",)),
    Command("table.up", TABLE, "Move the run up", "Move the selected run up", ("Alt+Up",)),
    Command("table.down", TABLE, "Move the run down", "Move the selected run down", ("Alt+Down",)),
    Command("table.left", TABLE, "Columns to the left", "Scroll a table that is too wide", ("Alt+Left",)),
    Command("table.right", TABLE, "Columns to the right", "Scroll a table that is too wide", ("Alt+Right",)),
    Command("table.menu", TABLE, "Menu of the run", "Note, colour, duplicate, columns", ("Menu",)),
    Command("present.onward", PRESENTATION, "Next page", "Show the next page", ("PgDown", "Right")),
    Command("present.back", PRESENTATION, "Previous page", "Show the previous page", ("PgUp", "Left")),
    Command("present.jump", PRESENTATION, "Go to any page", "Choose any page", ("J",)),
    Command(
        "present.next_layout",
        PRESENTATION,
        "Plots, table, or the arm alone",
        "Change what stands beside the arm",
        ("M",),
    ),
    Command("present.blank", PRESENTATION, "Black screen", "Make the screen black, or show it again", ("B", ".")),
    Command("present.toggle_notes", PRESENTATION, "Notes", "Show the notes, or hide them", ("N",)),
    Command(
        "present.swap_screens", PRESENTATION, "Swap two screens", "Exchange the screens of window and notes", ("X",)
    ),
    Command("present.leave", PRESENTATION, "Leave, as Esc does", "End the presentation", ("F5",)),
    *(
        Command(f"{CHOICE}{n}", TAUGHT, f"Count a hand for choice {n}", "One more hand", (str(n),))
        for n in range(1, 10)
    ),
    Command("teach.take_back", TAUGHT, "Undo the last count", "Take back a hand", ("Backspace",)),
    Command("teach.show_hands", TAUGHT, "Show the hands", "Show the count of hands, or hide it", ("V",)),
    Command("teach.keep_group", TAUGHT, "Keep a group's prediction", "Begin the next group", ("G",)),
    Command("teach.hint", TAUGHT, "Hint", "Show the next hint", ("H",)),
    Command("teach.more_time", TAUGHT, "One minute more to think", "Start the clock, or add a minute", ("T",)),
    Command("teach.stop_clock", TAUGHT, "Stop the clock", "Remove the clock", ("Shift+T",)),
    Command("teach.reset", TAUGHT, "Reset the step", "Show the step as it was at its start", ("R",)),
)
"""Every such command with its usual keys."""


def asked_for(event: QKeyEvent, preferences: Preferences, *places: str) -> str:
    """The name of the command that a key has in one of these places; empty if it has none there."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    # A key with Shift does what it does without, unless it is a command itself; arrows with Shift are commands.
    without = held if Qt.Key(event.key()) in ARROWS else held & ~Qt.KeyboardModifier.ShiftModifier
    for modifiers in (held, without):
        pressed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
        key = pressed.toString(QKeySequence.SequenceFormat.PortableText)
        for command in LOCAL:
            if command.menu in places and key in preferences.keys_of(command.key, command.keys):
                return command.key
    return ""


def command_of(name: str) -> Command:
    """The command of that name, one of the window's or of one place."""
    return next(command for command in (*LOCAL, *COMMANDS) if command.key == name)


def keys_of(name: str, preferences: Preferences, *fixed: str) -> str:
    """The keys that a person has for a command, and its `fixed` ones, as this system writes them; empty for none."""
    return _native((*preferences.keys_of(name, command_of(name).keys), *fixed))


def lines(place: str, preferences: Preferences) -> list[tuple[str, str]]:
    """(keys, text) of each command of a place that has keys; the counts of hands are one line."""
    found = [(command, preferences.keys_of(command.key, command.keys)) for command in LOCAL if command.menu == place]
    hands = [keys[0] for command, keys in found if keys and command.key.startswith(CHOICE)]
    counted = [(f"{hands[0]} to {hands[-1]}", "Count a hand")] if hands else []
    return counted + [
        (_native(keys), command.text) for command, keys in found if keys and not command.key.startswith(CHOICE)
    ]


def _native(keys: Sequence[str]) -> str:
    return " or ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys)
