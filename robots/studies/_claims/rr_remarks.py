"""What paper 2 says in its introduction and of the estimates of its pairs, judged."""

from __future__ import annotations

import numpy as np

from robots.papers.finding import NOT_COMPARABLE, Finding, agrees
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from robots.sweeps.observed import fitted_power
from solvers.method_registry import find_method

PAIRS = ("rkf12", "rkf23", "rkf34", "rkf45", "rkf56", "rkb34", "rkv56", "dopri5")
STEPS, SPAN = (0.02, 0.01, 0.005), 1.0
"""Of the runs whose estimates are compared [s]."""
CONSERVING, USUAL, COARSE = "avf", "rk4", 0.02


def remarks(base: Scenario) -> tuple[Finding, ...]:
    """The findings."""
    return _energy(base), _formulas(), *_estimates(base)


def _energy(base: Scenario) -> Finding:
    """A method that conserves the energy beside one that does not, at the same step."""
    found = {}
    for key in (CONSERVING, USUAL):
        run = simulate(base.with_values({"method": key, "step": COARSE}))
        exact = reference(run.scenario)
        assert exact is not None
        found[key] = run.max_error["energy_J"], compare_with_reference(run, exact).max["reference_q_rad"]
    (kept, far), (lost, near) = found[CONSERVING], found[USUAL]
    return Finding(
        "introduction",
        "what is left of the energy is not the best measure of a method: the error of the trajectory is",
        f"at {COARSE:g} s the average vector field keeps the energy to {kept:.0e} J and errs by {far:.2g} rad; RK4 "
        f"loses {lost:.1e} J and errs by {near:.1e} rad",
        agrees(kept < lost and far > near),
    )


def _formulas() -> Finding:
    """What the paper finds hard about series."""
    return Finding(
        "section 2.2, formulas",
        "symbolic formulas for the coefficients become very complex for more joints and higher orders",
        "the coefficients follow from the equations' operations by recurrences, the same for every order",
        NOT_COMPARABLE,
        "no formula is derived here, so their length is not known",
    )


def _estimates(base: Scenario) -> tuple[Finding, ...]:
    """The power of the step in the estimate of each pair."""
    powers, least, most = {}, {}, {}
    for key in PAIRS:
        method = find_method(key)
        runs = [simulate(base.with_values({"method": key, "step": step, "duration": SPAN})) for step in STEPS]
        powers[key] = fitted_power(STEPS, [float(np.nanmax(run.log.error)) for run in runs])
        assert method.error_order is not None
        least[key], most[key] = min(method.order, method.error_order), max(method.order, method.error_order)
    apart = float(np.mean([most[key] + 1.0 - power for key, power in powers.items()]))
    shown = ", ".join(f"{key} {power:.2f}" for key, power in powers.items())
    return (
        Finding(
            "equation (13)",
            "for small steps the estimate of a pair falls with h to the power of its lower order plus 1",
            f"steps of 20 to 5 ms: {shown}",
            agrees(all(abs(power - least[key] - 1.0) < 0.2 for key, power in powers.items())),
        ),
        Finding(
            "equation (14)",
            "the next step has the exponent 1 / (max(p, q) + 1)",
            f"the estimates call for 1 / (min(p, q) + 1): their powers are {apart:.2f} lower, on average, than it says",
            agrees(all(abs(power - most[key] - 1.0) < 0.2 for key, power in powers.items())),
            "(13) says the same as we find; the printed exponent is smaller, so that a step changes less than it could",
        ),
    )
