"""Compiled loops. Only these modules import numba, and they are imported only when something is to be integrated."""

import os

# numba colours each message as it makes it, and most of what it makes while it compiles is never shown.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba

from solvers.kernels.storage import quick_import, shared_cache, staleness

PRIVATE_PARTS = "0.68.1"
"""The version of numba whose private parts may be replaced; another one compiles as it does."""

staleness.use()
shared_cache.use()
quick_import.use()
if numba.__version__ == PRIVATE_PARTS:
    from solvers.kernels.storage import quick_arrays, quick_compile, quick_definitions

    quick_compile.use()
    quick_definitions.use()
    quick_arrays.use()
