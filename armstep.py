"""Armstep for scripts and notebooks: what a numerical integrator does to a robot.

    import armstep
    run = armstep.simulate("rr-swing", method="dopri5", rtol=1e-6, atol=1e-9)

`docs/scripting.md` has recipes. Nothing is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assets.errors import ArmstepError, BadInput
    from gui.front.listing import methods, presets, robots
    from gui.front.simulation import compare, ensemble, reference, scenario, simulate
    from robots.scenario.scenario import Scenario
    from solvers.ivp.solve import solve_ivp

    __version__: str

__all__ = [
    "ArmstepError",
    "BadInput",
    "Scenario",
    "__version__",
    "compare",
    "ensemble",
    "methods",
    "presets",
    "reference",
    "robots",
    "scenario",
    "simulate",
    "solve_ivp",
]

_HOMES = {
    "assets.errors": ("ArmstepError", "BadInput"),
    "gui.front.listing": ("methods", "presets", "robots"),
    "gui.front.simulation": ("compare", "ensemble", "reference", "scenario", "simulate"),
    "robots.scenario.scenario": ("Scenario",),
    "solvers.ivp.solve": ("solve_ivp",),
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        found: object = import_module("assets.version").version()
    else:
        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module 'armstep' has no attribute {name!r}")
        found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
