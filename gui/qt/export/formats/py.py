"""PY: the script that prints the numbers of a run; it needs only numpy and scipy."""

from __future__ import annotations

from pathlib import Path

from gui.qt.export.format import DataFormat
from robots.export.as_python import as_python
from robots.export.table import RunData

MARK = "# Armstep scenario: "


def script(data: RunData) -> bytes:
    """The script in UTF-8; its last line is a comment with the scenario."""
    scenario = "".join(line.strip() for line in data.run.scenario.to_json().splitlines())
    return f"{as_python(data.run.scenario)}\n{MARK}{scenario}\n".encode()


def script_texts(path: Path) -> dict[str, str]:
    """The scenario in the last comment; nothing in a script of another program."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(MARK)]
    return {"scenario": lines[-1].removeprefix(MARK)} if lines else {}


FORMAT = DataFormat(suffix=".py", label="Python script", place=52, write=script, check=as_python, reader=script_texts)
