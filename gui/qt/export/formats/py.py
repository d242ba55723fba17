"""PY: the script that prints the numbers of a run; it needs only numpy and scipy."""

from __future__ import annotations

from gui.qt.export.format import DataFormat
from robots.export.as_python import as_python
from robots.simulation.run import Run


def script(run: Run) -> bytes:
    """The script in UTF-8."""
    return as_python(run.scenario).encode()


FORMAT = DataFormat(suffix=".py", label="Python script", place=52, write=script, check=as_python)
