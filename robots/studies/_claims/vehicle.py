"""What paper 4 says of its stiff vehicle beside its tables, judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robots.papers.finding import Finding, agrees
from robots.papers.study import Row
from robots.simulation.run import Run

SMALL, HALF = 1e-3, 0.5
"""What is small beside 1, and the share of its bound up to which an error shows that steps are too short."""


def dominant_eigenvalue(run: Run) -> Finding:
    """How far from the real axis the dominant eigenvalue is along a run."""
    dominant = run.eigenvalues[1][:, 0]
    size = float(np.max(np.abs(dominant.imag) / np.abs(dominant.real)))
    stiffness, damping = (float(run.scenario.parameters[name]) for name in ("k_stiff", "c_stiff"))
    return Finding(
        "section 5.2, imaginary part",
        "the imaginary part of the dominant eigenvalue is small",
        f"{f'at most {size:.1g} of the real part' if size else 'none'} at {len(dominant)} instants of the motion",
        agrees(size < SMALL),
        f"a mass on a spring and damper swings only if it decays slower than 4 k / c, here "
        f"{4.0 * stiffness / damping:g} 1/s",
    )


def step_control(heights: Sequence[Row]) -> Finding:
    """How much of its bound the height's error takes.

    Args:
        heights: rows of the table of heights, from loose to strict: exponent of the tolerance, steps, rejected steps,
            peak [m], error [m].
    """
    shares = [row[4] / (10.0 ** row[0] * (1.0 + row[3])) for row in heights]
    return Finding(
        "conclusions, step control",
        "it is conservative where a very stiff model is to be solved accurately",
        f"the height errs by {', '.join(f'{share:.2g}' for share in shares)} of its bound atol + rtol abs(z) at "
        f"1e{heights[0][0]} to 1e{heights[-1][0]}",
        agrees(shares[-1] < HALF),
        "at loose tolerances more so than at strict ones" if shares[0] < shares[-1] else "",
    )
