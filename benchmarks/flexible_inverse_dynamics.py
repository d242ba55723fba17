"""Inverse dynamics of the flexible arms: times of whole solutions, torques included, and the ratio to SUNDIALS' IDA.

Goals (issue 5): E12, BDF 6 at 1 ms for 0.5 s, below 25 ms; E1, BDF 6 at 5 ms for 0.3 s, below 2 ms; at equal accuracy
at most twice the time of IDA on the index-1 form. IDA calls the compiled equations through Python, as it has to.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from benchmarks.measurement import Measurement, alternate, ratio
from robots.model.registry import find_robot
from robots.scenario.presets import find_preset
from robots.scenario.scenario import Scenario
from robots.simulation.reference import compare_with_reference, reference
from robots.simulation.simulate import simulate
from solvers.method_registry import find_method

IDA = {"method": "ida", "rtol": 1e-7, "atol": 1e-9}
PAIRS = {
    "E12, I1": (
        find_preset("e12").with_value("step", 0.001),
        find_preset("e12").with_values({**IDA, "options.algebraic_atol": 1e4}),
    ),
    "E1, DD44": (find_preset("e1").with_value("step", 0.001), find_preset("e1").with_values(IDA)),
}


def solving(scenario: Scenario) -> Callable[[], Any]:
    """A function that solves the scenario's equations once."""
    robot, method = find_robot(scenario.robot), find_method(scenario.method)
    problem, control = robot.problem(scenario), scenario.control()
    return lambda: robot.integrate(problem, method, control, options=scenario.options)


def accuracy(scenario: Scenario) -> float:
    """The largest error of the joints against the exact solution [rad]."""
    exact = reference(scenario)
    assert exact is not None
    return compare_with_reference(simulate(scenario), exact).max["reference_q_rad"]


def measure() -> list[Measurement]:
    """Times of two settings, and ratios to IDA whose error is not smaller."""
    e12, e1 = find_preset("e12"), find_preset("e1").with_value("step", 0.005)
    times = alternate({"e12": solving(e12), "e1": solving(e1)}, repeats=31, warmups=3, clock=process_time)
    found = [
        Measurement("E12, BDF 6 at 1 ms, 0.5 s", "ms", [1e3 * t for t in times["e12"]], goal=25.0),
        Measurement("E1, BDF 6 at 5 ms, 0.3 s", "ms", [1e3 * t for t in times["e1"]], goal=2.0),
    ]
    for name, (ours, theirs) in PAIRS.items():
        errors = accuracy(ours), accuracy(theirs)
        times = alternate({"ours": solving(ours), "ida": solving(theirs)}, repeats=21, warmups=2, clock=process_time)
        note = f"errors {errors[0]:.1e} rad and {errors[1]:.1e} rad"
        found.append(ratio(f"{name}: fixed-step BDF over IDA", times["ours"], times["ida"], goal=2.0, note=note))
    return found
