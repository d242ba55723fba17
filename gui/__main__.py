"""`python -m gui`: the same as the command `armstep`."""

from __future__ import annotations

import sys

from gui.cli import main

if __name__ == "__main__":
    sys.exit(main())
