"""How a person likes to work: size of type, motion, keys. They belong to the person, not to a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assets.errors import BadInput, one_of
from gui.app.settings import Settings
from gui.app.signal import Signal

TEXT_SIZES = (100, 125, 150, 200)
"""Sizes of type [%]."""

FIXED_KEYS = ("Tab", "Shift+Tab", "Backtab", "Esc", "Return", "Enter")
"""Keys with a meaning of their own in lists and fields; no command can have them."""

PRESENTING = ("present.", "teach.")
"""How names of commands begin that act in a presentation alone, before those of the window."""

RENAMED = {"table.rename": "run.name"}
"""Former names of commands with the present ones: settings that were kept before have the keys of the former."""


class Preferences:
    """Read from the settings, and kept there.

    Attributes:
        text_size: of the window [%].
        still: nothing moves unless a person starts it.
        letters: commands have keys that write a character.
        changed: signal `()`.
    """

    def __init__(self, settings: Settings) -> None:
        self._kept = settings
        size = settings.get("text_size", TEXT_SIZES[0])
        self.text_size: int = size if size in TEXT_SIZES else TEXT_SIZES[0]
        self.still: bool = settings.get("reduced_motion", False)
        self.letters: bool = settings.get("letter_keys", True)
        kept = settings.get("keys", {})
        # What was chosen under the present name is later, and stays.
        kept = {now: kept[former] for former, now in RENAMED.items() if former in kept} | kept
        self._keys = {
            str(command): tuple(key for key in keys if isinstance(key, str))
            for command, keys in kept.items()
            if isinstance(keys, list) and command not in RENAMED
        }
        self.changed = Signal()

    def set_text_size(self, percent: int) -> None:
        """Choose one of `TEXT_SIZES`. Raises BadInput for another one."""
        if percent not in TEXT_SIZES:
            raise BadInput("text size", percent, one_of(map(str, TEXT_SIZES)))
        self.text_size = percent
        self._keep("text_size", percent)

    def set_still(self, still: bool) -> None:
        """Whether nothing moves by itself."""
        self.still = still
        self._keep("reduced_motion", still)

    def set_letters(self, letters: bool) -> None:
        """Whether keys that write a character are commands."""
        self.letters = letters
        self._keep("letter_keys", letters)

    def keys_of(self, command: str, usual: Sequence[str]) -> tuple[str, ...]:
        """The keys of a command; `usual` are those that it has by default."""
        keys = self._keys.get(command, tuple(usual))
        return keys if self.letters else tuple(key for key in keys if not writes(key))

    def set_keys(
        self, command: str, keys: Sequence[str], usual: Mapping[str, Sequence[str]], words: Mapping[str, str]
    ) -> None:
        """Give a command other keys.

        Args:
            command: its name.
            keys: its keys, in portable names; none for a command without keys.
            usual: the usual keys of every command, by its name.
            words: what a person calls each command.

        Raises:
            BadInput: another command has one of them where this one acts, or it has a meaning of its own.
        """
        apart = command.startswith(PRESENTING)
        others = {name: those for name, those in usual.items() if name.startswith(PRESENTING) == apart}
        chosen = {name: self._keys.get(name, tuple(those)) for name, those in others.items() if name != command}
        for key in keys:
            owner = next((name for name, those in chosen.items() if key in those), None)
            if owner is not None:
                raise BadInput("Key", key, f"free ({words[owner]} has it)")
            if key in FIXED_KEYS:
                raise BadInput("Key", key, "free (lists and fields use it)")
        if tuple(keys) == tuple(usual.get(command, ())):
            self._keys.pop(command, None)
        else:
            self._keys[command] = tuple(keys)
        self._keep("keys", {name: list(those) for name, those in self._keys.items()})

    def reset_keys(self) -> None:
        """Give every command its usual keys."""
        self._keys.clear()
        self._keep("keys", {})

    def _keep(self, name: str, value: object) -> None:
        self._kept.set(name, value)
        self.changed.emit()


def writes(key: str) -> bool:
    """Whether a key writes a character: `P`, `1`, `+`, `Shift+K`, but not `Space`, `F5`, `Ctrl+P`."""
    return len(key.removeprefix("Shift+")) == 1
