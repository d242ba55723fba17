"""Diagonally implicit Runge-Kutta methods with an embedded solution: one small linear system for each stage.

TR-BDF2, and every data file of `assets/implicit`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assets.errors import BadInput
from assets.fields import Data
from assets.registry import Registry
from solvers.method import Family
from solvers.methods.implicit_runge_kutta import OPTIONS, Formula, ImplicitRungeKutta
from solvers.options import FORWARD_DIFFERENCES, NEWTON_LEFT
from solvers.tableaux.exact import parse
from solvers.tableaux.tableau import check_fields

if TYPE_CHECKING:
    from solvers.kernel_stepper import Kernel
    from solvers.kernels import diagonally_implicit as kernels


@dataclass(frozen=True, kw_only=True)
class DiagonallyImplicit(ImplicitRungeKutta):
    """A method whose stages are solved for one after the other, all with the same matrix.

    One Jacobian per accepted step, one factorisation per attempt. `formula.estimate` are the weights of the slopes.
    """

    def kernel(self) -> Kernel:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import run

        return run

    def arrays(self, tolerance: float, most: int) -> kernels.Formula:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import Formula

        A = np.ascontiguousarray(self.formula.A)
        explicit = int(not A[0].any())
        return Formula(tolerance, most, explicit, A.sum(axis=1), A, np.array(self.formula.estimate))

    def scratch(self, d: int) -> kernels.Scratch:
        """See ImplicitRungeKutta."""
        from solvers.kernels.diagonally_implicit import Scratch

        s = len(self.formula.A)
        matrices = np.zeros((s + 3, d)), np.zeros((d, d)), np.empty((d, d))
        vectors = [np.zeros(d) for _ in range(5)]
        return Scratch(*matrices, np.empty(d, dtype=np.int64), *vectors)


def _tr_bdf2() -> Formula:
    """A trapezoidal stage to 2 - sqrt(2) of the step, then BDF 2 to its end."""
    d, w = 1.0 - np.sqrt(0.5), np.sqrt(2.0) / 4.0
    A = np.array([[0.0, 0.0, 0.0], [d, d, 0.0], [w, w, d]])
    other = np.array([1.0 - w, 3.0 * w + 1.0, d]) / 3.0
    return Formula(A, A[-1], tuple((A[-1] - other).tolist()))


FIELDS = {"name", "order", "error_order", "source", "summary", "A", "b_error"}


def from_dict(key: str, data: Data) -> DiagonallyImplicit:
    """The method that a file describes.

    Row i of `A` ends with its diagonal entry, and the last row is b: the end of the step is the last stage.

    Raises:
        BadInput: for a missing or unknown field, a row of another length, an entry that cannot be read, or diagonal
            entries that differ.
    """
    check_fields(key, data, FIELDS)
    s = len(data["A"])
    A = np.zeros((s, s))
    for i, row in enumerate(data["A"]):
        A[i, : i + 1] = _numbers(f"{key}.A[{i}]", row, i + 1)
    embedded = _numbers(f"{key}.b_error", data["b_error"], s)
    if not np.all(A.diagonal()[1:] == A[-1, -1]) or A[0, 0] not in (0.0, A[-1, -1]):
        raise BadInput(f"{key}.A", A.diagonal().tolist(), "a matrix with one diagonal entry, or 0 in its first row")
    facts = {name: data[name] for name in ("name", "order", "error_order", "source", "summary")}
    return _made(key=key, stages=s, formula=Formula(A, A[-1], tuple((A[-1] - embedded).tolist())), **facts)


def _numbers(what: str, texts: list[str], count: int) -> list[float]:
    """Exact numbers, each rounded once."""
    if len(texts) != count:
        raise BadInput(what, len(texts), f"{count} entries")
    return [float(parse(text, f"{what}[{j}]")) for j, text in enumerate(texts)]


ONE_MATRIX = "All stages share one small matrix, so that a step costs less linear algebra than one of Radau IIA."

_made = partial(
    DiagonallyImplicit,
    family="Diagonally implicit",
    implicit=True,
    adaptive=True,
    options=OPTIONS,
    notes=(ONE_MATRIX, FORWARD_DIFFERENCES, NEWTON_LEFT),
)
FILES: Registry[DiagonallyImplicit] = Registry.of_files(
    "implicit tableau", "implicit", ".json", lambda key, text: from_dict(key, json.loads(text))
)
"""The methods of the data files."""


def methods() -> list[DiagonallyImplicit]:
    """tr-bdf2, and one method per data file, by order."""
    first = _made(
        key="tr-bdf2",
        name="TR-BDF2",
        order=2,
        error_order=3,
        stages=3,
        formula=_tr_bdf2(),
        summary="A trapezoidal stage, then BDF 2 to the end of the step: L-stable, of order 2, with an embedded "
        "solution of order 3. The usual choice of circuit simulators.",
        source="R. E. Bank et al., IEEE Trans. Electron Devices 32 (1985); M. E. Hosea, L. F. Shampine, Appl. "
        "Numer. Math. 20 (1996) 21-37",
    )
    files = (FILES.find(key) for key in FILES)
    return [first, *sorted(files, key=lambda one: (one.order, one.stages, one.key))]


FAMILY = Family(methods, place=51)
