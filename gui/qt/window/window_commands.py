"""What each command of `gui.qt.window.keys` does in a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.app.view import ViewSettings
from gui.qt.window import camera_commands, clipboard
from gui.qt.window.keys import COMMANDS, Command

if TYPE_CHECKING:
    from gui.qt.window.main_window import MainWindow

Handler = Callable[..., object]


def handlers(window: MainWindow) -> dict[str, Handler]:
    """A function for every command, by its key."""
    found = {**_files_and_help(window), **_playback(window), **_views(window), **_exports(window)}
    found |= {**clipboard.handlers(window), **camera_commands.handlers(window), "view.present": window.present}
    for command in COMMANDS:
        if command.view and command.key not in found:
            found[command.key] = _view_setter(window, command)
    return found


def _files_and_help(window: MainWindow) -> dict[str, Handler]:
    session, files = window.session, window.files

    def studies() -> None:
        from gui.qt.dialogs.studies import StudySheet

        window.show_sheet(StudySheet(window, session.studies, files.open_scenario))

    return {
        "file.new": files.new,
        "file.open": files.ask_open,
        "file.studies": studies,
        "file.save": lambda: files.save(),
        "file.save_as": lambda: files.ask_save(),
        "file.quit": window.close,
        "edit.undo": session.history.undo,
        "edit.redo": session.history.redo,
        "help.palette": window.show_palette,
        "help.keys": window.show_keys,
        "help.about": window.show_about,
    }


def _playback(window: MainWindow) -> dict[str, Handler]:
    session, playback = window.session, window.session.playback

    def own_method() -> None:
        from gui.qt.dialogs.tableau_editor import open_tableau_editor

        open_tableau_editor(window, session)

    def measure() -> None:
        from gui.qt.dialogs.work_precision import open_work_precision

        open_work_precision(window, session)

    def reset() -> None:
        playback.pause()
        playback.to_start()

    return {
        "run.play": playback.toggle,
        "run.reset": reset,
        "run.loop": playback.set_loop,
        "run.first": playback.to_start,
        "run.last": playback.to_end,
        "run.frame_back": session.navigation.previous_frame,
        "run.frame_forward": session.navigation.next_frame,
        "run.step_back": session.navigation.previous_step,
        "run.step_forward": session.navigation.next_step,
        "run.second_back": lambda: playback.shift(-1.0),
        "run.second_forward": lambda: playback.shift(1.0),
        "run.faster": playback.faster,
        "run.slower": playback.slower,
        "run.real_time": lambda: playback.set_speed(1.0),
        "run.own_method": own_method,
        "run.work_precision": measure,
        "run.pin": session.comparisons.pin,
        "run.cancel": session.computing.cancel,
    }


def _views(window: MainWindow) -> dict[str, Handler]:
    def on_viewport(name: str, *arguments: object) -> Handler:
        def act(*ticked: bool) -> None:
            if window.viewport is not None:
                getattr(window.viewport, name)(*arguments, *ticked)

        return act

    cameras = {
        command.key: on_viewport("look_along", command.key.removeprefix("camera."))
        for command in COMMANDS
        if command.menu == "View/Camera" and command.group == 0
    }
    return {
        **cameras,
        "camera.orthographic": on_viewport("set_orthographic"),
        "view.fit": on_viewport("fit"),
        "view.layout": window.usual_layout,
        "view.fullscreen": window.set_full_screen,
    }


def _exports(window: MainWindow) -> dict[str, Handler]:
    def export(kind: str) -> None:
        from gui.qt.export.menu import open_export

        open_export(window, window.session, kind)

    return {f"export.{kind}": lambda kind=kind: export(kind) for kind in ("animation", "picture", "plots", "data")}


def _view_setter(window: MainWindow, command: Command) -> Handler:
    session = window.session
    if command.value is not None:
        return lambda _ticked: session.view.set(**{command.view: command.value}) or window.show_view()
    return lambda ticked: session.view.set(**{command.view: ticked})


def in_force(command: Command, view: ViewSettings) -> bool:
    """Whether a command that sets a field of the view is ticked."""
    value = getattr(view, command.view)
    return value == command.value if command.value is not None else bool(value)
