"""Compiled loops. Only these modules import numba, and they are imported only when something is to be integrated."""

from solvers.kernels.storage import quick_arrays, quick_compile, quick_import, shared_cache, staleness

staleness.use()
shared_cache.use()
quick_import.use()
quick_compile.use()
quick_arrays.use()
