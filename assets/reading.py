"""How Armstep reads a file that a person chose: never more of it than could be used."""

from __future__ import annotations

from pathlib import Path

from assets.errors import BadInput
from assets.writing import reason


def read_bounded(path: Path, what: str, most: int) -> bytes:
    """The bytes of the file `path`.

    Args:
        what: what the file is, for a refusal ("scenario file").
        most: how long it may be [bytes], in whole MiB.

    Raises:
        BadInput: it is not there, cannot be read, or is longer.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(most + 1)
    except FileNotFoundError:
        raise BadInput(what, str(path), "an existing file") from None
    except OSError as problem:
        raise BadInput(what, str(path), f"readable ({reason(problem, reading=True)})") from None
    if len(content) > most:
        raise BadInput(what, str(path), f"a file of at most {most // 2**20} MiB")
    return content
