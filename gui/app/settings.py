"""What belongs to the person and not to a scenario: theme, window layout, recent files. One JSON file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assets.errors import ArmstepError
from assets.fields import Data
from assets.writing import make_folder, write_atomically

RECENT_LIMIT = 12


class Settings:
    """Values by name, kept in `folder/settings.json`.

    A file that cannot be read is renamed to `settings.json.broken`, and `trouble` says so: settings never raise an
    error.

    Args:
        folder: where the settings, the autosave and the crash recovery live; the platform's own place if None.
        safe: start with the defaults and leave the settings file as it is.

    Attributes:
        folder: that folder.
        trouble: what went wrong with reading or writing, as a sentence; empty if nothing did.
    """

    def __init__(self, folder: Path | None = None, *, safe: bool = False) -> None:
        if folder is None:
            from platformdirs import user_config_path

            folder = user_config_path("armstep", appauthor=False)
        self.folder = Path(folder)
        self.trouble = ""
        self._safe = safe
        self._values: Data = {} if safe else self._read()

    @property
    def file(self) -> Path:
        """The settings' file."""
        return self.folder / "settings.json"

    @property
    def cache_folder(self) -> Path:
        """Where reference runs are kept between sessions, shared with the command line."""
        from platformdirs import user_cache_path

        return user_cache_path("armstep") / "references"

    def get(self, name: str, default: Any = None) -> Any:
        """The value of `name`, or `default` when there is none or it is of another type than the default."""
        value = self._values.get(name, default)
        if default is not None and type(value) is not type(default):
            return default
        return value

    def set(self, name: str, value: object) -> None:
        """Set `name` to a JSON value and write the file; `trouble` says so if it cannot be written."""
        if name in self._values and self._values[name] == value:
            return
        self._values[name] = value
        self.save()

    def save(self) -> bool:
        """Write the file; whether that worked."""
        if self._safe:
            return True
        try:
            make_folder(self.folder)
            write_atomically(self.file, json.dumps(self._values, indent=1).encode())
        except ArmstepError as error:
            self.trouble = f"The settings could not be saved: {error}."
            return False
        self.trouble = ""
        return True

    @property
    def recent(self) -> tuple[Path, ...]:
        """The latest scenario files that were opened or saved, newest first."""
        return tuple(Path(name) for name in self.get("recent", []) if isinstance(name, str))

    def add_recent(self, file: Path) -> None:
        """Put `file` first among the recent files."""
        name = str(Path(file).absolute())
        others = [str(other) for other in self.recent if str(other) != name]
        self.set("recent", [name, *others][:RECENT_LIMIT])

    def forget_recent(self, file: Path | None = None) -> None:
        """Take `file`, or every file, off the recent files."""
        name = None if file is None else str(Path(file).absolute())
        self.set("recent", [str(other) for other in self.recent if name is not None and str(other) != name])

    def _read(self) -> Data:
        try:
            values = json.loads(self.file.read_text(encoding="utf-8"))
            if isinstance(values, dict):
                return values
            reason = "it does not hold a JSON object"
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            reason = str(error)
        self.trouble = f"The settings in {self.file} could not be read ({reason}); Armstep starts with its defaults."
        try:
            self.file.replace(self.file.with_name("settings.json.broken"))
        except OSError as error:
            self.trouble += f" The old file could not be renamed: {error.strerror or error}."
        return {}
