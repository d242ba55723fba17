"""What each command of `gui.qt.window.commands.keys` does in a window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from gui.app.runs import CURRENT
from gui.app.session.session import Session
from gui.app.units import Unit, number_text
from gui.app.view import ViewSettings
from gui.qt.window.commands import arm, camera, clipboard, lessons, plots, presenting
from gui.qt.window.commands.actions import Actions
from gui.qt.window.commands.command import Command
from gui.qt.window.commands.keys import COMMANDS
from gui.qt.window.commands.tab_order import arrive
from gui.qt.window.commands.workbench import Workbench
from gui.qt.window.docks import Dock
from gui.version import documentation

if TYPE_CHECKING:
    from gui.qt.panels.runs import RunsPanel

Handler = Callable[..., object]


def handlers(bench: Workbench) -> dict[str, Handler]:
    """A function for every command that needs only the workbench, by its key."""
    found = {**_files_and_help(bench), **_playback(bench), **_views(bench), **_exports(bench)}
    found |= {**arm.handlers(bench), **clipboard.handlers(bench), **camera.handlers(bench)}
    found |= {**plots.handlers(bench), **presenting.handlers(bench), **lessons.handlers(bench)}
    for command in COMMANDS:
        if command.view and command.key not in found:
            found[command.key] = _view_setter(bench.session, command)
    return found


def _files_and_help(bench: Workbench) -> dict[str, Handler]:
    session, files = bench.session, bench.files

    def studies() -> None:
        from gui.qt.dialogs.studies import StudySheet

        bench.show_sheet(StudySheet(bench.window, session.studies, files.open_scenario))

    def open_menus() -> None:
        bar = bench.window.menuBar()
        bar.setActiveAction(bar.actions()[0])

    def show_about() -> None:
        from gui.qt.dialogs.help_sheets import AboutSheet

        viewport = bench.viewport()
        graphics = "No OpenGL" if viewport is None or viewport.renderer is None else viewport.graphics()
        bench.show_sheet(AboutSheet(bench.window, graphics))

    def show_citation() -> None:
        from gui.qt.dialogs.help_sheets import CitationSheet

        bench.show_sheet(CitationSheet(bench.window, [row.scenario for row in session.runs.all]))

    def open_documentation() -> None:
        page = documentation()
        if page is None:
            bench.inform("The documentation is not built here. Build it with docs/site/build.py in the source tree.")
        else:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page)))

    return {
        "file.new": files.new,
        "file.open": files.ask_open,
        "file.open_new": files.ask_open_in_new_window,
        "file.robot": session.files.robots.show_report,
        "file.log": files.ask_log,
        "file.studies": studies,
        "file.save": lambda: files.save(),
        "file.save_as": lambda: files.ask_save(),
        "file.quit": bench.window.close,
        "edit.undo": lambda: session.history.undo() or (session.lessons.away and session.lessons.asks()),
        "edit.redo": session.history.redo,
        "help.menus": open_menus,
        "help.cite": show_citation,
        "help.documentation": open_documentation,
        "help.about": show_about,
    }


def _playback(bench: Workbench) -> dict[str, Handler]:
    session, playback = bench.session, bench.session.playback

    def own_method() -> None:
        from gui.qt.dialogs.tableau_editor import open_tableau_editor

        open_tableau_editor(bench.window, session)

    def measure() -> None:
        from gui.qt.dialogs.work_precision import WorkPrecisionSheet

        bench.show_sheet(WorkPrecisionSheet(bench.window, session))

    def explore() -> None:
        from gui.app.desks.map_choices import proposal_for
        from gui.qt.dialogs.map import MapSheet

        kept = session.results.of(session.maps.kind)
        bench.show_sheet(MapSheet(bench.window, session, None if kept else proposal_for(session.scenario)))

    def reset() -> None:
        playback.pause()
        playback.to_start()

    def loop(on: bool) -> None:
        playback.set_loop(on)
        bench.inform("The run starts again at its end." if on else "The run stops at its end.")

    return {
        "run.play": playback.toggle,
        "run.reset": reset,
        "run.loop": loop,
        "run.first": playback.to_start,
        "run.last": playback.to_end,
        "run.time": lambda: _type_time(bench),
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
        "run.map": explore,
        "run.pin": session.comparisons.pin,
        "run.name": lambda: _name_run(bench),
        "run.note": lambda: _note_run(bench),
        "run.cancel": session.stop_computing,
    }


def _type_time(bench: Workbench) -> None:
    """In the time line; where that is not on the screen, on a card."""
    from gui.qt.timeline.time_line import TimeLine

    playback, line = bench.session.playback, bench.window.findChild(TimeLine)
    if line is not None and line.isVisible():
        arrive(line)
    else:
        from gui.qt.dialogs.line_sheet import LineSheet

        span = f"Between {number_text(playback.start)} and {number_text(playback.end)} s"
        now = Unit.of("s").exact(playback.t), ""
        bench.show_sheet(LineSheet(bench.window, "Go to a time [s]", now, span, playback.seek_text, "Go"))


def _name_run(bench: Workbench) -> None:
    row, comparisons = bench.session.runs.current, bench.session.comparisons
    name, hint = (row.tag.name, row.label), "Without a name of its own a run has its method's."
    card = "Name of this run", name, hint, partial(comparisons.rename, CURRENT)
    _write_on_run(bench, lambda panel: panel.rename(), card)


def _note_run(bench: Workbench) -> None:
    row, comparisons = bench.session.runs.current, bench.session.comparisons
    note, hint = (row.tag.note, "What it shows"), "Kept with the run, saved and exported."
    card = "Note on this run", note, hint, partial(comparisons.note, CURRENT)
    _write_on_run(bench, lambda panel: panel.write_note(CURRENT), card)


def _write_on_run(
    bench: Workbench,
    in_table: Callable[[RunsPanel], object],
    card: tuple[str, tuple[str, str], str, Callable[[str], object]],
) -> None:
    """In the table of runs; where no panels are, as before an audience, on a card: a name moves nothing."""
    if not bench.session.view.settings.panels:
        from gui.qt.dialogs.line_sheet import LineSheet

        bench.show_sheet(LineSheet(bench.window, *card))
        return
    from gui.qt.panels.runs import RunsPanel

    dock = next(dock for dock in bench.window.findChildren(Dock) if dock.kind.key == "runs")
    if isinstance(dock.panel, RunsPanel):
        dock.present(dock.panel.table)
        in_table(dock.panel)


def _views(bench: Workbench) -> dict[str, Handler]:
    def on_viewport(name: str, *arguments: object) -> Handler:
        def act(*ticked: bool) -> None:
            viewport = bench.viewport()
            if viewport is not None:
                getattr(viewport, name)(*arguments, *ticked)

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
        "view.fullscreen": bench.set_full_screen,
    }


def _exports(bench: Workbench) -> dict[str, Handler]:
    def export(kind: str) -> None:
        from gui.qt.export.dialog.menu import open_export

        open_export(bench, kind)

    kinds = "animation", "picture", "plots", "data"
    return {
        **{f"export.{kind}": lambda kind=kind: export(kind) for kind in kinds},
        "export.runs": lambda: clipboard.save_table(bench),
    }


def add_overlays(actions: Actions, bench: Workbench) -> None:
    """Let the menu *Show* switch the overlays that have no field of the view of their own."""
    from gui.compose.overlay import overlays

    view = bench.session.view
    for one in overlays().values():
        if one.title and not one.setting:
            command = Command(
                f"overlay.{one.key}", "View/Show", one.title, one.tip, group=9, view="overlays", value=one.key
            )
            actions.add(bench.window, command, lambda ticked, key=one.key: view.show_overlay(key, ticked))


def _view_setter(session: Session, command: Command) -> Handler:
    if command.value is None:
        return lambda ticked: session.view.set(**{command.view: ticked})

    def choose(_ticked: bool) -> None:
        before = session.view.settings
        session.view.set(**{command.view: command.value})
        if session.view.settings is before:
            # Qt has removed the tick of the current choice.
            session.view.changed.emit()

    return choose


def in_force(command: Command, view: ViewSettings) -> bool:
    """Whether a command that sets a field of the view is ticked."""
    value = getattr(view, command.view)
    if isinstance(value, tuple):
        return command.value in value
    return value == command.value if command.value is not None else bool(value)
