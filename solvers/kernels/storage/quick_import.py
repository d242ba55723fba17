"""Makes numba's own import faster; `solvers.kernels` does this before the first kernel is loaded."""

from __future__ import annotations

from typing import Any

from numba.np import linalg


def use() -> None:
    """Import what numba knows of arrays without scipy's linear algebra, which takes a sixth of a short command's time.

    numba looks for it to know whether matrix products can be compiled. They can: scipy is there whenever Armstep is,
    and numba imports it when a function has such a product.
    """
    module: Any = linalg
    found = module.ensure_blas
    module.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        module.ensure_blas = found
