"""What the command palette offers: every command, every preset, every method."""

from __future__ import annotations

from collections.abc import Callable

from gui.app.session.session import Session
from gui.qt.dialogs.palette import Entry
from gui.qt.window.commands.actions import Actions, shown_key


def entries(actions: Actions, session: Session, open_preset: Callable[[str], object]) -> list[Entry]:
    """The palette's lines, in the order of the menus."""
    found = [
        Entry(
            action.text().rstrip("…"),
            command.menu.replace("/", " › "),
            shown_key(command),
            action.trigger,
            command.tip,
            action.isEnabled(),
        )
        for key, command in actions.commands.items()
        if (action := actions[key]) and key != "help.palette"
    ]
    from robots.scenario.presets import presets
    from solvers.method_registry import methods

    for key, method in methods().items():
        found.append(
            Entry(
                f"Use {method.name}",
                "Method",
                "",
                lambda key=key: session.edit("method", key),
                " ".join((key, method.family, *method.aliases)),
            )
        )
    for key, preset in presets().items():
        found.append(Entry(f"Open {preset.title}", "Preset", "", lambda key=key: open_preset(key), key))
    return found
