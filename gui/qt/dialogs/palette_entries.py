"""The entries of the command palette: every command, panel, field, button, plot, method, file, preset and lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from gui.app.lessons.listing import lessons_now
from gui.app.session.session import Session
from gui.qt.dialogs.gallery import preset_words
from gui.qt.dialogs.palette import Entry
from gui.qt.export.format import KINDS, formats_of
from gui.qt.panels.plots import PlotsPanel
from gui.qt.widgets.fields import FieldRow, NumberRow
from gui.qt.widgets.form import Form, Section
from gui.qt.widgets.method_card import MethodCard
from gui.qt.widgets.method_picker import MethodPicker
from gui.qt.widgets.method_tree import for_stiff, names_of
from gui.qt.widgets.quick_choices import QuickChoices
from gui.qt.widgets.segmented import Segmented
from gui.qt.window.bridge import WhileShown
from gui.qt.window.commands.actions import Actions, shown_key
from gui.qt.window.commands.other_words import OTHER_WORDS
from gui.qt.window.docks import Dock
from gui.qt.window.files import Files


def entries(
    actions: Actions,
    session: Session,
    files: Files,
    docks: Sequence[Dock],
) -> list[Entry]:
    """The palette's lines: commands in the order of the menus, files, panels, fields, plots, methods, presets, lessons.

    Args:
        actions: the commands.
        session: what plots, methods and presets are chosen for.
        files: opens presets and lessons.
        docks: those that apply.
    """
    found = []
    for key, command in actions.commands.items():
        if key == "help.palette":
            continue
        # "Undo: relative tolerance" is not what a search for the tolerance is for.
        text, colon, what = (action := actions[key]).text().rstrip("…").partition(": ")
        menu, more = command.menu.replace("/", " › "), _state(action) or colon + what
        tip = " ".join((command.tip, *format_words(key)))
        found.append(Entry(text, menu, shown_key(command), action.trigger, tip, action.isEnabled(), more))
    found += file_entries(session, files)
    found += [Entry(f"Panel: {dock.kind.title}", "View › Panels", "", dock.present, "show go to") for dock in docks]
    found += field_entries(docks)
    found += plot_entries(session, docks)
    found += method_entries(session)
    from robots.scenario.presets import presets

    for key, preset in presets().items():
        words = preset_words(key, preset)
        act = partial(files.open_preset, key)
        found.append(Entry(f"Open {preset.title}", "Preset", "", act, words, replaces=True))
    for lesson in lessons_now():
        words, act = f"{lesson.key} {lesson.level}", partial(files.open_lesson, lesson.key)
        found.append(Entry(f"Lesson: {lesson.title}", "Lesson", "", act, words, replaces=True))
    return [replace(entry, tip=f"{entry.tip} {OTHER_WORDS.get(entry.text, '')}".strip()) for entry in found]


def method_entries(session: Session) -> list[Entry]:
    """A line for each method; one that the scenario cannot have says why."""
    from gui.app.session.results import TABLEAU
    from gui.app.session.session import OWN
    from robots.scenario.method_selection import suitable_methods, unsuitable
    from solvers.method_registry import methods

    found = []
    typed, suitable = session.results.of(TABLEAU), suitable_methods(session.scenario)
    for key, method in methods().items():
        against = "" if key in suitable else unsuitable(session.scenario, method)
        if key == OWN:
            # The command of this name asks for its tableau.
            if typed and session.scenario.method != OWN:
                again = partial(session.edit, "method", OWN)
                found.append(Entry(f"Use {typed[-1].name}", "Method", "", again, "your own method again"))
            continue
        found.append(
            Entry(
                f"Use {method.name}",
                f"Method: {against}" if against else "Method",
                "",
                lambda key=key: session.edit("method", key),
                " ".join((key, method.family, *method.aliases, *(["stiff"] if for_stiff(method) else []))),
                key in suitable,
                names=names_of(method),
                why=against,
            )
        )
    return found


def format_words(key: str) -> list[str]:
    """The names and suffixes of the formats that a command of the Export menu offers; nothing for other commands."""
    menu, _, kind = key.partition(".")
    kinds = formats_of(kind) if menu == "export" and kind in KINDS else ()
    return [f"{one.suffix.strip('./')} {one.label}" for one in kinds]


def _state(switch: QAction) -> str:
    """Whether a switch is on; empty for other commands, and for choices of which one holds."""
    if not switch.isCheckable() or switch.actionGroup() is not None:
        return ""
    return ": on" if switch.isChecked() else ": off"


def _write_on(dock: Dock, text: QPlainTextEdit) -> None:
    """Go on with a text where it ends."""
    text.moveCursor(QTextCursor.MoveOperation.End)
    dock.present(text)


def file_entries(session: Session, files: Files) -> list[Entry]:
    """The recent files, and kept changes."""
    recent = [
        Entry(
            f"Open {file.name}",
            f"Recent › {file.parent.name}",
            "",
            partial(files.open, file),
            str(file),
            file.exists(),
            why=f"{file} is not there any more.",
            replaces=True,
        )
        for file in session.settings.recent
    ]
    kept = [
        Entry(
            f"Kept changes: {text}", "File › Kept changes", "", partial(files.return_to, change), "open", replaces=True
        )
        for change, text in session.files.kept_by_name
    ]
    return recent + kept


def field_entries(docks: Sequence[Dock]) -> list[Entry]:
    """The fields, to type or choose a value, choices of a few words, buttons, texts such as notes, and sections."""
    for dock in docks:
        # A panel behind a tab has not followed the session: what it offers is that of another method.
        for behind in (*dock.findChildren(WhileShown), *(card.pulse for card in dock.findChildren(MethodCard))):
            behind.catch_up()
    fields = _value_entries(docks)
    choices = [
        Entry(
            button.text(),
            dock.kind.title,
            "",
            partial(_press, dock, choice, button),
            choice.accessibleName(),
            button.isEnabled(),
            why="" if button.isEnabled() else button.toolTip(),
        )
        for dock in docks
        for choice in dock.findChildren(Segmented)
        if choice.isVisibleTo(dock)
        for button in choice.buttons.values()
    ]
    choices += [
        Entry(button.accessibleName(), dock.kind.title, "", button.click, "choose usual", button.isEnabled())
        for dock in docks
        for usual in dock.findChildren(QuickChoices)
        if usual.isVisibleTo(dock)
        for button in usual.steps.values()
    ]
    # What opens a sheet is a command already, and the buttons of a choice are among the choices.
    buttons = [
        Entry(button.text(), dock.kind.title, "", button.click, button.toolTip(), button.isEnabled())
        for dock in docks
        for button in dock.findChildren(QPushButton)
        if button.isVisibleTo(dock)
        and button.icon().isNull()
        and button.text()
        and not button.text().endswith("…")
        and not isinstance(button.parentWidget(), Segmented)
    ]
    texts = [
        Entry(f"Set {text.accessibleName().lower()}", dock.kind.title, "", partial(_write_on, dock, text))
        for dock in docks
        for text in dock.findChildren(QPlainTextEdit)
        if text.isVisibleTo(dock) and not text.isReadOnly()
    ]
    lists = [
        Entry(f"Set {picker.button.accessibleName().lower()}", dock.kind.title, "", partial(_open_list, dock, picker))
        for dock in docks
        for picker in dock.findChildren(MethodPicker)
    ]
    sections = [
        Entry(f"Show {section.header.text()}", dock.kind.title, "", partial(dock.present, section), section.about)
        for dock in docks
        for section in dock.findChildren(Section)
        if section.isVisibleTo(dock) and section.header.text()
    ]
    return fields + choices + buttons + texts + lists + sections


def _value_entries(docks: Sequence[Dock]) -> list[Entry]:
    """The fields; one that another choice would bring leads to it: its name alone never changes a scenario."""
    fields = [
        Entry(
            f"Set {row.field.label}",
            dock.kind.title,
            "",
            partial(dock.present, row.control),
            words_of(row),
            takes=partial(_entering, dock, row) if isinstance(row, NumberRow) else None,
        )
        for dock in docks
        for row in dock.findChildren(FieldRow)
        if row.isVisibleTo(dock)
    ]
    fields += [
        Entry(
            f"Set {row.field.label}",
            dock.kind.title,
            "",
            partial(dock.present, choice.control),
            words_of(row),
            more=f" (choose {value} for {choice.field.label} first)",
        )
        for dock in docks
        for form in dock.findChildren(Form)
        for row, choice, value in form.waiting()
        if choice.isVisibleTo(dock)
    ]
    return fields


def _entering(dock: Dock, row: NumberRow, text: str) -> Callable[[], object] | None:
    """What goes to a field and enters a text there, as if it were typed; None if it is no number."""
    if row.unit.read(text) is None:
        return None

    def enter() -> None:
        dock.present(row.control)
        row.take(text)

    return enter


def words_of(row: FieldRow) -> str:
    """The words by which a field is found beside its name: its key, and what its tooltip says it is."""
    return f"{row.field.key} {row.field.help}"


def _press(dock: Dock, choice: Segmented, button: QPushButton) -> None:
    """Press one button of a choice, which may be out of sight, and say so; the keys stay where they are."""
    button.click()
    if button.isChecked():
        dock.session.messages.say(f"{choice.accessibleName()}: {button.text().lower()}.")


def _open_list(dock: Dock, picker: MethodPicker) -> None:
    dock.present(picker.button)
    picker.open()


def plot_entries(session: Session, docks: Sequence[Dock]) -> list[Entry]:
    """The plots that suit the robot, to go to and to hide."""
    from gui.charts.registry import chosen_plots, plots
    from robots.model.registry import robot_of

    dock = next((dock for dock in docks if isinstance(dock.panel, PlotsPanel)), None)
    if dock is None:
        return []
    panel, robot, chosen = dock.panel, robot_of(session.scenario), chosen_plots(session.view.settings)
    assert isinstance(panel, PlotsPanel)

    def show(key: str) -> None:
        dock.present()
        panel.set_shown(key, True)

    def choose() -> None:
        dock.present(panel.chooser)
        QTimer.singleShot(0, panel, panel.chooser.showMenu)  # it opens a loop of events, and the palette is closing

    found = [Entry("Choose plots", "Plots", "", choose, "show hide which curves charts graphs")]
    for key, plot in plots().items():
        if plot.suits(robot):
            found.append(Entry(f"Plot: {plot.title}", "Plots", "", partial(show, key), f"show go to {key}"))
            if key in chosen:
                found.append(Entry(f"Hide plot: {plot.title}", "Plots", "", partial(panel.set_shown, key, False), key))
    return found
