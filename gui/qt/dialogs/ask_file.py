"""Asks where to write a file, and in which format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from scene.format import Format


def ask_file(
    parent: QWidget, title: str, start: Path, offered: Sequence[Format], then: Callable[[Path], object]
) -> None:
    """Ask where to write a file of one of the `offered` formats; `then` gets the answer."""
    filters = {f"{format.label} (*{format.suffix.removeprefix('/')})": format.suffix for format in offered}
    dialog = QFileDialog(parent, title, str(start), ";;".join(filters))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(offered[0].suffix[1:])
    dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix(filters[chosen][1:]))
    dialog.fileSelected.connect(lambda name: then(Path(name)))
    dialog.open()
