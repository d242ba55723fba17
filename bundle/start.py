"""What the bundle's program runs: Armstep, or as Python does `-m MODULE`, since Armstep starts its helpers that way."""

from __future__ import annotations

import multiprocessing
import runpy
import sys

from gui.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if sys.argv[1:2] == ["-m"] and len(sys.argv) > 2:
        sys.argv = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.exit(main())
