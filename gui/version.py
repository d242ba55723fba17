"""The versions of Armstep and of what it runs on, and where its documentation is."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from assets.version import version

LIBRARIES = (
    "numpy",
    "scipy",
    "numba",
    "scikit-sundae",
    "PySide6_Essentials",
    "pyqtgraph",
    "PyOpenGL",
    "av",
    "pillow",
    "platformdirs",
)
"""The Python packages that Armstep uses, by the names of their distributions."""


def documentation() -> Path | None:
    """The first page of the documentation site on this machine: built in the source tree, or installed with Armstep."""
    built = Path(__file__).resolve().parent.parent / "build" / "site"
    places = (built, Path(sys.prefix) / "share" / "doc" / "armstep")
    return next((place / "index.html" for place in places if (place / "index.html").is_file()), None)


def diagnostics() -> str:
    """The versions of Armstep, Python, the system and every library, one on a line."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed_version

    lines = [f"Armstep {version()}", f"Python {platform.python_version()}", platform.platform()]
    for name in LIBRARIES:
        try:
            lines.append(f"{name} {installed_version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name} is missing")
    return "\n".join(lines)
