"""Asks where to write or what to open; a dialog begins in the folder that was used last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QWidget

import assets
from gui.app.settings import Settings
from scene.format import Format

FOLDER = "folder"
"""The setting that keeps the folder."""

WORDS = {
    "lookInCombo": ("Look in", "The folder that is listed; it offers the folders above it"),
    "sidebar": ("Places", "Your folders and drives"),
    "listView": ("Files", "The files and folders in this folder"),
    "treeView": ("Files with details", "The files and folders in this folder, with sizes and dates"),
    "fileNameEdit": ("File name", "A name in this folder, or a whole path"),
    "fileTypeCombo": ("Files of type", "The kinds of files that are listed"),
}
"""The name and description of each control of Qt's own dialog that lacks them; a desktop's dialog has its own."""


class Folders:
    """The folder that file dialogs begin in."""

    def __init__(self) -> None:
        self._settings: Settings | None = None

    def keep_in(self, settings: Settings) -> None:
        """Remember it there from now on."""
        self._settings = settings

    @property
    def last(self) -> Path:
        """The folder that was used last, if it still exists; otherwise the person's documents."""
        known = "" if self._settings is None else self._settings.get(FOLDER, "")
        return Path(known) if known and Path(known).is_dir() and not of_program(Path(known)) else usual_folder()

    def use(self, folder: Path) -> None:
        """A person chose something in this folder; the program's own are not for their files."""
        if self._settings is not None and not of_program(folder):
            self._settings.set(FOLDER, str(folder.absolute()))

    def placed(self, file: Path) -> Path:
        """A file's name in the last folder; a file with a whole path stays there, unless that is the program's."""
        return file if file.is_absolute() and not of_program(file) else self.last / file.name

    def beside(self, file: Path | None) -> Path:
        """The folder of an open file; the last one where there is none, or the file came with the program."""
        return self.last if file is None or of_program(file) else file.parent


folders = Folders()
"""Those of this process."""


def of_program(path: Path) -> bool:
    """Whether it lies in the folder that comes with the program."""
    return path.resolve().is_relative_to(Path(assets.__file__).resolve().parent)


def usual_folder(place: QStandardPaths.StandardLocation = QStandardPaths.StandardLocation.DocumentsLocation) -> Path:
    """The person's folder of that kind; their home if it does not exist."""
    found = QStandardPaths.writableLocation(place)
    return Path(found) if found and Path(found).is_dir() else Path.home()


def ask_file(
    parent: QWidget, title: str, start: Path, offered: Sequence[Format], then: Callable[[Path], object]
) -> None:
    """Ask where to write a file of one of the `offered` formats; `then` gets the answer."""
    kinds = {f"{format.label} (*{format.suffix.removeprefix('/')})": format.suffix[1:] for format in offered}
    ask_save(parent, title, start, kinds, then)


def ask_save(
    parent: QWidget, title: str, start: Path, kinds: dict[str, str], then: Callable[[Path], object]
) -> QFileDialog:
    """Ask where to write a file.

    Args:
        parent: what the dialog belongs to.
        title: its title.
        start: the proposed name, or a whole path.
        kinds: the suffix without its dot for each filter, such as `Table (*.csv)`.
        then: gets the answer.
    """
    dialog = _dialog(parent, title, folders.placed(start), ";;".join(kinds), then)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(next(iter(kinds.values())))
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(kinds[chosen]))
    _open(dialog)
    return dialog


def ask_open(
    parent: QWidget, title: str, kinds: str, then: Callable[[Path], object], folder: Path | None = None
) -> None:
    """Ask for an existing file; None is the folder that was used last."""
    dialog = _dialog(parent, title, folder or folders.last, kinds, then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog)


def ask_folder(parent: QWidget, title: str, then: Callable[[Path], object], folder: Path | None = None) -> None:
    """Ask for a folder; the dialog begins in `folder`, None is the one that was used last."""
    dialog = _dialog(parent, title, folder or folders.last, "", then)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog)


def _dialog(parent: QWidget, title: str, start: Path, kinds: str, then: Callable[[Path], object]) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(start), kinds)

    def chosen(name: str) -> None:
        file = Path(name)
        folders.use(file if file.is_dir() else file.parent)
        then(file)

    dialog.fileSelected.connect(chosen)
    return dialog


def _open(dialog: QFileDialog) -> None:
    """Describe the controls, as every other dialog does, and open it."""
    for key, (name, description) in WORDS.items():
        control = dialog.findChild(QWidget, key)
        if control is not None:
            control.setAccessibleName(name)
            control.setAccessibleDescription(description)
    for buttons in dialog.findChildren(QDialogButtonBox):
        for button in buttons.buttons():
            leaves = buttons.buttonRole(button) == QDialogButtonBox.ButtonRole.RejectRole
            button.setAccessibleDescription("Close without choosing" if leaves else "Use the chosen file or folder")
    dialog.open()
