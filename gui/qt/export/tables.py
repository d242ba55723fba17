"""Tables as files: what a sweep measured, in the formats that hold tables."""

from __future__ import annotations

from pathlib import Path

from assets.errors import BadInput
from assets.writing import write_atomically
from gui.qt.export.format import DataFormat, Described, Tabular, find_format, formats, key_of


def table_formats() -> list[DataFormat]:
    """The formats that hold tables."""
    return [format for format in formats().values() if isinstance(format, DataFormat) and format.table is not None]


def check_table(name: str, file: Path) -> None:
    """Refuse a file that no format of tables can be written to.

    Args:
        name: what the message calls it.
        file: what was asked for.

    Raises:
        BadInput: for another suffix, or a folder that does not exist.
    """
    suffixes = [format.suffix for format in table_formats()]
    if file.suffix.lower() not in suffixes:
        raise BadInput(name, str(file), "a file that ends in " + " or ".join(suffixes))
    if not file.parent.is_dir():
        raise BadInput(name, str(file), "in an existing folder")


def write_table(table: Tabular, file: Path) -> None:
    """Write a table in the format that the file's suffix names; what it is of goes where that format has it.

    Raises:
        BadInput: no format of tables has this suffix.
        ArmstepError: the file cannot be written, and why.
    """
    check_table("file", file)
    kind = find_format(key_of(file))
    assert isinstance(kind, DataFormat)
    assert kind.table is not None
    write_atomically(file, kind.table(table))
    if kind.beside is not None and isinstance(table, Described):
        write_atomically(file.with_name(f"{file.name}.json"), table.description().encode())
