"""Customised kernels: written, compiled, kept on disk, checked against the generic kernel, and used in its place."""

from __future__ import annotations

import atexit
import hashlib
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from solvers.codegen.tape import Tape
from solvers.control import Control, FixedStep, Tolerance
from solvers.method import Rows, Stepper, first_slope
from solvers.options import CUSTOMISED
from solvers.problem import OdeProblem, apart

if TYPE_CHECKING:
    from assets.fields import Value
    from solvers.method import Method

VERSION = 5
# Beyond this number of operations writing f out in every stage would take longer to compile than it ever saves.
MOST_OPERATIONS = 6000
# The check compares steps at a tolerance at which round-off decides nothing, and their errors in its units.
CHECKED_TOLERANCE = 1e-6
ERROR_ROUND_OFF = 1e-4
CHECKED_STEPS = 4
ROUND_OFF = 1e-11
_MOST_FILES = 400
_checked: set[str] = set()


def customised(make: Callable[[OdeProblem, Control], Stepper], generic: Callable[[OdeProblem, Control], Stepper],
               problem: OdeProblem, control: Control, errors: bool = True) -> Stepper:  # fmt: skip
    """The Stepper of `make`; when its kernel is used for the first time its steps are compared with those of `generic`.

    Its attribute `kernel` is the compiled kernel. With `errors` their estimates are compared too.
    """
    stepper: Any = make(problem, control)
    name = stepper.kernel.py_func.__module__
    if name not in _checked:
        check(make, generic, problem, control, errors)
        _checked.add(name)
    return stepper


def closed_form(problem: OdeProblem, copies: int = 1) -> Tape | None:
    """The right-hand side's operations, when they are known and few enough to be written out so often, else None."""
    tape = problem.source if isinstance(problem.source, Tape) else problem.taylor
    if not isinstance(tape, Tape) or problem.begin_step is not None:
        return None
    return tape if len(tape.operations) * copies <= MOST_OPERATIONS else None


# -- making ------------------------------------------------------------------------------------------------------------


@cache
def module(source: str) -> ModuleType:
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
        file = _temporary_folder() / f"{name}.py"
        file.write_text(source, encoding="utf-8")
    return file


@cache
def _temporary_folder() -> Path:
    """Where kernels are while this process lasts, when the cache folder cannot be written."""
    place = tempfile.TemporaryDirectory(prefix="armstep-")
    atexit.register(place.cleanup)
    return Path(place.name)


def _sweep(place: Path) -> None:
    """Remove the oldest kernels when there are very many."""
    with suppress(OSError):
        kept = sorted(place.glob("armstep_kernel_*.py"), key=lambda file: file.stat().st_mtime)
        for old in kept[:-_MOST_FILES]:
            old.unlink(missing_ok=True)
            for compiled in (place / "__pycache__").glob(f"{old.stem}.*"):
                compiled.unlink(missing_ok=True)


# -- checking and measuring --------------------------------------------------------------------------------------------


def check(make: Callable[[OdeProblem, Control], Stepper], generic: Callable[[OdeProblem, Control], Stepper],
          problem: OdeProblem, control: Control, errors: bool = True) -> None:  # fmt: skip
    """The first steps of both, and their estimated `errors`, differ by round-off only.

    Raises:
        RuntimeError: when they do not, which is a mistake in this program.
    """
    control = _calm(problem, control)
    (ours, rows), (theirs, others) = (_first_steps(kind(apart(problem), control), problem) for kind in (make, generic))
    close = np.allclose(rows.y, others.y, rtol=ROUND_OFF, atol=ROUND_OFF, equal_nan=True)
    if errors:
        bounds = {"rtol": ERROR_ROUND_OFF, "atol": ERROR_ROUND_OFF, "equal_nan": True}
        close = close and np.allclose(rows.log[:, 2], others.log[:, 2], **bounds)
    if ours != theirs or not close:
        told = f"{ours}, {rows.y}, {rows.log} and {theirs}, {others.y}, {others.log}"
        raise RuntimeError(f"the customised kernel differs from the generic one: {told}")


def _calm(problem: OdeProblem, control: Control) -> Control:
    """Steps of one length, short enough that no error grows: what differs by round-off must not be amplified."""
    from solvers.first_step import first_step

    tolerance = Tolerance(CHECKED_TOLERANCE, CHECKED_TOLERANCE)
    own, slope = apart(problem), np.empty(problem.dimension)
    first_slope(own, own.t0, own.initial, np.inf, slope)
    length = abs(first_step(own, tolerance, own.t0, own.initial, slope, own.t1, np.inf, 4)[0])
    if isinstance(control, FixedStep):
        return FixedStep(min(control.step, length))
    loose = max(control.rtol, CHECKED_TOLERANCE), max(control.atol, CHECKED_TOLERANCE)
    length = min(length, control.max_step or np.inf)
    return replace(control, rtol=loose[0], atol=loose[1], first_step=length, max_step=length)


def _first_steps(stepper: Stepper, problem: OdeProblem) -> tuple[tuple[int, int, int], Rows]:
    rows = Rows.empty(CHECKED_STEPS, problem.dimension)
    rows.y[:], rows.log[:] = 0.0, 0.0
    end = min(problem.breaks, default=problem.t1) if problem.t1 > problem.t0 else problem.t1
    end = end if end > problem.t0 else problem.t1
    stepper.start(problem.t0, np.array(problem.initial, dtype=float), end, np.inf)
    return stepper.advance(CHECKED_STEPS, rows), rows


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
    problem: OdeProblem,
    method: Method,
    control: Control,
    *,
    options: Mapping[str, Value] | None = None,
    repeats: int = 15,
    cancel: Callable[[], bool] = bool,
) -> Gain | None:
    """Time both kernels in turn over the whole problem; None when cancelled or when a run does not finish.

    Args:
        options: the method's other settings.
    """
    from solvers.integrate import integrate

    if CUSTOMISED not in method.options:
        return None
    settings = dict(options or {})
    times: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(1 + repeats):
        for kind, series in times.items():
            settings["customised"] = kind
            began = perf_counter()
            solution = integrate(problem, method, control, options=settings, cancel=cancel)
            if not solution.status.ok:
                return None
            if turn:
                series.append(perf_counter() - began)
    generic, ours = (statistics.median(times[kind]) for kind in (False, True))
    stepper: Any = method.stepper(problem, control, method.complete_options(settings))
    return Gain(generic, ours, stepper.written_out)
