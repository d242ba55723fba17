"""Customised kernels: written, compiled, kept on disk, checked against the generic kernel, and used in its place."""

from __future__ import annotations

import hashlib
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from solvers.control import Control, FixedStep
from solvers.customised_source import VERSION, kernel_source
from solvers.method import Rows, Stepper
from solvers.methods.explicit_runge_kutta import AdaptiveRungeKutta, FixedRungeKutta
from solvers.problem import OdeProblem
from solvers.series import Tape
from solvers.tableau import Tableau

if TYPE_CHECKING:
    from solvers.method import Method

# Beyond this number of operations writing f out in every stage would take longer to compile than it ever saves.
MOST_OPERATIONS = 6000
CHECKED_STEPS = 4
ROUND_OFF = 1e-11
_MOST_FILES = 400
_checked: set[str] = set()


def customised_stepper(tableau: Tableau, problem: OdeProblem, control: Control) -> Stepper:
    """A Stepper with a kernel made for `tableau` and `problem`; checked when it is used for the first time."""
    run, name = _kernel(tableau, problem, not isinstance(control, FixedStep))
    if name not in _checked:
        _check(tableau, problem, control, run)
        _checked.add(name)
    return _stepper(tableau, problem, control, run)


def _stepper(tableau: Tableau, problem: OdeProblem, control: Control, run: Callable[..., int]) -> Stepper:
    if isinstance(control, FixedStep):
        return CustomisedFixed(tableau, problem, control, run)
    return CustomisedAdaptive(tableau, problem, control, run)


class CustomisedFixed(FixedRungeKutta):
    """Fixed step by a kernel without a table."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: FixedStep, run: Callable[..., int]) -> None:
        super().__init__(tableau, problem, control)
        self.run = run

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        packed = self.run(
            *(*self.addresses, self.problem.params, self.t0, self.h, self.done, self.total, self.end, self.ceiling),
            *(self.y, self.k, self.work, self.after, attempts, rows.t, rows.y, rows.log),
        )
        accepted, code = divmod(packed, 8)
        tried = accepted + (code > 1)
        self.done += accepted
        self.tally.rhs_evaluations += tried * (self.stages - self.fsal)
        return accepted, tried, code


class CustomisedAdaptive(AdaptiveRungeKutta):
    """Step control by a kernel without a table; the controllers are the same."""

    def __init__(self, tableau: Tableau, problem: OdeProblem, control: Control, run: Callable[..., int]) -> None:
        assert not isinstance(control, FixedStep)
        super().__init__(tableau, problem, control)
        self.run = run

    def advance(self, attempts: int, rows: Rows) -> tuple[int, int, int]:
        """See Stepper."""
        control = self.control
        self.done[2] = 0
        code = self.run(
            *(*self.addresses, self.problem.params, self.rule, control.rtol, control.atol, self.exponent),
            *(self.longest, self.end, self.ceiling, self.state, self.y, self.k, self.work, self.after, self.memory),
            *(attempts, rows.t, rows.y, rows.log, self.done),
        )
        accepted, tried, calls = (int(number) for number in self.done)
        self.tally.rhs_evaluations += calls
        return accepted, tried, code


# -- making ------------------------------------------------------------------------------------------------------------


def written_out(tableau: Tableau, problem: OdeProblem) -> Tape | None:
    """The right-hand side's operations when they are known and few enough to stand in every stage, else None."""
    tape = problem.taylor
    if not isinstance(tape, Tape) or problem.begin_step is not None:
        return None
    return tape if len(tape.operations) * tableau.stages <= MOST_OPERATIONS else None


def _kernel(tableau: Tableau, problem: OdeProblem, adaptive: bool) -> tuple[Callable[..., int], str]:
    begins = problem.begin_step is not None
    module = _made(
        tableau, problem.dimension, written_out(tableau, problem), tableau.fsal and not begins, begins, adaptive
    )
    return module.run, module.__name__


@lru_cache(maxsize=256)
def _made(tableau: Tableau, dimension: int, tape: Tape | None, fsal: bool, begins: bool, adaptive: bool) -> ModuleType:
    """The module for these; a tape is known by its identity."""
    return _module(kernel_source(tableau, dimension, tape, fsal, begins, adaptive))


@cache
def _module(source: str) -> ModuleType:
    """The module with this text, from the cache folder, where its machine code is kept as well."""
    name = "armstep_kernel_" + hashlib.sha256(f"{VERSION}\n{source}".encode()).hexdigest()[:20]
    file = _written(name, source)
    specification = spec_from_file_location(name, file)
    assert specification is not None
    assert specification.loader is not None
    module = module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def folder() -> Path:
    """Where customised kernels are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("armstep") / "kernels"


def _written(name: str, source: str) -> Path:
    """The file with this text. What another hand has changed is replaced; without a cache folder it is temporary."""
    file = folder() / f"{name}.py"
    with suppress(OSError, UnicodeDecodeError):
        if file.read_text(encoding="utf-8") == source:
            return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(suffix=".part", dir=file.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(source)
        os.replace(part, file)
        _sweep(file.parent)
    except OSError:
        file = Path(tempfile.mkdtemp(prefix="armstep-")) / f"{name}.py"
        file.write_text(source, encoding="utf-8")
    return file


def _sweep(place: Path) -> None:
    """Remove the oldest kernels when there are very many."""
    with suppress(OSError):
        kept = sorted(place.glob("armstep_kernel_*.py"), key=lambda file: file.stat().st_mtime)
        for old in kept[:-_MOST_FILES]:
            old.unlink(missing_ok=True)
            for compiled in (place / "__pycache__").glob(f"{old.stem}.*"):
                compiled.unlink(missing_ok=True)


# -- checking and measuring --------------------------------------------------------------------------------------------


def _check(tableau: Tableau, problem: OdeProblem, control: Control, run: Callable[..., int]) -> None:
    """The first steps by both kernels differ by round-off only; anything else is a mistake in this program."""
    generic: Stepper
    if isinstance(control, FixedStep):
        generic = FixedRungeKutta(tableau, _apart(problem), control)
    else:
        generic = AdaptiveRungeKutta(tableau, _apart(problem), control)
    ours, theirs = (
        _first_steps(_stepper(tableau, _apart(problem), control, run), problem),
        _first_steps(generic, problem),
    )
    if ours[0] != theirs[0] or not np.allclose(ours[1], theirs[1], rtol=ROUND_OFF, atol=ROUND_OFF, equal_nan=True):
        raise RuntimeError(f"the customised kernel of {tableau.key} differs from the generic one: {ours}, {theirs}")


def _apart(problem: OdeProblem) -> OdeProblem:
    """The problem with its own arrays, as the kernels take them."""
    return replace(
        problem, params=np.array(problem.params, dtype=float), initial=np.array(problem.initial, dtype=float)
    )


def _first_steps(stepper: Stepper, problem: OdeProblem) -> tuple[tuple[int, int, int], np.ndarray]:
    rows = Rows.empty(CHECKED_STEPS, problem.dimension)
    end = min(problem.breaks, default=problem.t1) if problem.t1 > problem.t0 else problem.t1
    end = end if end > problem.t0 else problem.t1
    stepper.start(problem.t0, np.array(problem.initial, dtype=float), end, np.inf)
    done = stepper.advance(CHECKED_STEPS, rows)
    return done, rows.y[: done[0]]


@dataclass(frozen=True, slots=True)
class Gain:
    """What customising buys for one run.

    Attributes:
        generic, customised: median seconds of the integration.
        written_out: whether the right-hand side stands in the stages, or is called.
    """

    generic: float
    customised: float
    written_out: bool

    @property
    def ratio(self) -> float:
        """How many times faster."""
        return self.generic / self.customised


def gain(
    problem: OdeProblem, method: Method, control: Control, *, repeats: int = 15, cancel: Callable[[], bool] = bool
) -> Gain | None:
    """Time both kernels in turn over the whole problem; None when cancelled or when a run does not finish."""
    from solvers.integrate import integrate

    tableau = getattr(method, "tableau", None)
    if tableau is None:
        return None
    times: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(1 + repeats):
        for kind, series in times.items():
            began = perf_counter()
            solution = integrate(problem, method, control, options={"customised": kind}, cancel=cancel)
            if not solution.status.ok:
                return None
            if turn:
                series.append(perf_counter() - began)
    generic, customised = (statistics.median(times[kind]) for kind in (False, True))
    return Gain(generic, customised, written_out(tableau, problem) is not None)
