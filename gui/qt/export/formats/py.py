"""PY: the script that prints the numbers of a run; it needs only numpy and scipy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gui.qt.export.format import DataFormat

if TYPE_CHECKING:
    from robots.export.table import RunData
    from robots.scenario.scenario import Scenario

MARK = "# Armstep scenario: "
CITE, COMMENT = "# To cite this:", "# "


def as_script(scenario: Scenario) -> str:
    """The script alone. Raises BadInput for a scenario that it cannot hold."""
    from robots.export.as_python import as_python

    return as_python(scenario)


def script(data: RunData) -> bytes:
    """The script in UTF-8; comments at its end say what to cite and, in the last line, have the scenario."""
    scenario = "".join(line.strip() for line in data.run.scenario.to_json().splitlines())
    cited = "".join(f"{COMMENT}{line}".rstrip() + "\n" for line in data.texts["citation"].splitlines())
    return f"{as_script(data.run.scenario)}\n{CITE}\n{cited}{MARK}{scenario}\n".encode()


def script_texts(path: Path) -> dict[str, str]:
    """The texts in the comments; nothing in a script of another program."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [place for place, line in enumerate(lines) if line.startswith(MARK)]
    if not found:
        return {}
    first = lines.index(CITE) + 1 if CITE in lines else found[-1]
    cited = "".join(line.removeprefix("#").removeprefix(" ") + "\n" for line in lines[first : found[-1]])
    return {"scenario": lines[found[-1]].removeprefix(MARK), "citation": cited}


FORMAT = DataFormat(suffix=".py", label="Python script", place=52, write=script, check=as_script, reader=script_texts)
