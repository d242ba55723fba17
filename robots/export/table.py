"""A run as a table: named columns with `t` first, and what each means."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assets.counting import words_of
from assets.errors import BadInput, Range
from robots.model.quantities import error_parts, spelled
from robots.simulation.run import ReferenceErrors, Run
from solvers.problem import Array

if TYPE_CHECKING:
    from robots.ensembles.members import EnsembleResult
    from robots.model.robot import Series

FURTHER = ("tip", "orientation", "errors", "series", "step", "ensemble")
"""What a table of states can hold besides coordinates and rates."""

TABLES = ("states", "steps", "members")
MOST_ROWS = 10_000_000
TIP = ("tip_x", "tip_y", "tip_z")
TURN = ("tip_qw", "tip_qx", "tip_qy", "tip_qz")


def further_of(text: str) -> tuple[str, ...]:
    """`tip,errors` as some of `FURTHER`; `all` is all of them but `ensemble`. Raises BadInput for another word."""
    words = words_of(text)
    for word in words:
        if word not in (*FURTHER, "all"):
            raise BadInput("also", word, choices=(*FURTHER, "all"))
    return FURTHER[:-1] if "all" in words else words


def npz_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The arrays in one compressed NPZ file."""
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()


def check_table(table: str, also: str, every: float | None) -> None:
    """Raises BadInput, naming the setting, for columns or rows that a table cannot have."""
    further_of(also)
    if table not in TABLES:
        raise BadInput("table", table, choices=TABLES)
    if every is not None and not 0.0 < every < np.inf:
        raise BadInput("every", every, Range(0.0, above=True, unit="s"))
    if table != "states" and (also or every is not None):
        name, value = ("also", also) if also else ("every", every)
        raise BadInput(name, value, f"left out for the table of {table}")


@dataclass(frozen=True, slots=True, eq=False)
class RunData:
    """What a file of data holds.

    Attributes:
        run: the run.
        texts: the texts stored with it: version, scenario.
        reference: its errors against the reference, for the columns `errors`; None without them.
        table: `states`, `steps` for the log of all attempted steps, or `members` for those of the ensemble.
        also: further columns, some of `FURTHER` or `all`.
        every: the time between two rows [s]; None for the run's own times.
        ensemble: runs around it; None without them.
    """

    run: Run
    texts: Mapping[str, str]
    reference: ReferenceErrors | None = None
    table: str = "states"
    also: str = ""
    every: float | None = None
    ensemble: EnsembleResult | None = None

    def columns(self) -> dict[str, Array]:
        """The columns by name, (n,) each, `t` first [s].

        Raises:
            BadInput: the table would have too many rows, or is one of an ensemble that is not there.
        """
        run, every = self.run, self.every
        if self.table == "members":
            return self._ensemble("table").members()
        if self.table == "steps":
            log = run.log
            work = {"newton": log.newton, "factorisations": log.factorisations}
            own = {"t": log.t, "h": log.h, "error": log.error, "accepted": np.asarray(log.accepted, dtype=float)}
            return own | {name: values for name, values in work.items() if np.any(values)}
        times = run.output_times if every is None else _evenly(run, every)
        columns = {"t": times, **(run.table() if every is None else run.columns(times))}
        for part in further_of(self.also):
            columns |= (
                self._ensemble("also").at_once(times) if part == "ensemble" else _part(part, run, self.reference, times)
            )
        return columns

    def units(self, names: Iterable[str]) -> dict[str, str]:
        """The SI unit of each column; `1` for plain numbers."""
        known = {"t": "s", "h": "s", "step": "s", **dict.fromkeys(TIP, "m"), **dict.fromkeys(TURN, "1")}
        fields, unit = self.run.scenario.fields(), self.run.robot.unit
        drawn = {path: fields[path].unit or "1" for path in fields}
        if "series" in further_of(self.also):
            known |= {name: one.unit or "1" for name, one, _ in _named_series(self.run, self.run.t[:1])}
        return {name: known.get(name) or drawn.get(name) or unit(_plain(name)) or _ending(name) for name in names}

    def _ensemble(self, setting: str) -> EnsembleResult:
        if self.ensemble is None:
            given = "members" if setting == "table" else "ensemble"
            raise BadInput(setting, given, "left out for a scenario without an ensemble")
        return self.ensemble

    def description(self) -> str:
        """The table's companion as JSON: the columns with their units, the version, the scenario."""
        names = ["t", *(name for name in self.columns() if name != "t")]
        kept = {key: json.loads(text) if text[:1] in "{[" else text for key, text in self.texts.items()}
        return json.dumps({**kept, "columns": self.units(names)}, indent=1) + "\n"


def _plain(name: str) -> str:
    """The output in the name of a quantile (`q1_p95`) or of a member's last value (`final_q1`)."""
    return re.sub(r"_p\d\d$", "", name.removeprefix("final_"))


def _ending(name: str) -> str:
    """The unit that ends an error's name."""
    unit = spelled(error_parts(name)[1])
    return unit if unit in ("m", "rad", "J", "N m", "m/s") else "1"


def _evenly(run: Run, every: float) -> Array:
    first, last = float(run.t[0]), float(run.t[-1])
    if (last - first) / every > MOST_ROWS:
        raise BadInput("every", every, f"at least {(last - first) / MOST_ROWS:.3g} s, for at most {MOST_ROWS} rows")
    times = first + every * np.arange(int((last - first) / every * (1.0 + 1e-12)) + 1)
    return np.minimum(times, last)


def _part(part: str, run: Run, reference: ReferenceErrors | None, times: Array) -> dict[str, Array]:
    """The columns of one of `FURTHER` at the times (n,)."""
    if part == "tip":
        tip = run.tip(times)
        return dict(zip(TIP, tip.T, strict=True)) if len(tip) == len(times) else {}
    if part == "orientation":
        poses = run.poses(times)
        return dict(zip(TURN, _quaternions(poses[:, -1, :3, :3]).T, strict=True)) if poses.shape[1] else {}
    if part == "errors":
        return run.errors_at(times, reference)
    if part == "series":
        return {name: values for name, _, values in _named_series(run, times)}
    begins, sizes = run.log.t[run.log.accepted], run.log.h[run.log.accepted]
    at = np.clip(np.searchsorted(begins, times, side="left") - 1, 0, max(len(begins) - 1, 0))
    return {"step": sizes[at] if len(sizes) else np.full(len(times), np.nan)}


def _named_series(run: Run, times: Array) -> list[tuple[str, Series, Array]]:
    """The robot's further quantities, each column with its name; those with several values have one column each."""
    found = []
    for key, one in run.series(times).items():
        values = np.asarray(one.values, dtype=float)
        if values.ndim == 1:
            found.append((key, one, values))
        else:
            names = [*one.labels, *map(str, range(len(one.labels) + 1, values.shape[1] + 1))]
            named = (f"{key}_{name.replace(' ', '_')}" for name in names)
            found += [(name, one, column) for name, column in zip(named, values.T, strict=False)]
    return found


def _quaternions(turns: Array) -> Array:
    """w, x, y, z of rotation matrices (n, 3, 3), (n, 4), each as near as possible to the one before."""
    from scipy.spatial.transform import Rotation

    found = Rotation.from_matrix(turns).as_quat(scalar_first=True)
    flips = np.cumsum(np.sum(found[1:] * found[:-1], axis=1) < 0.0) % 2
    found[1:] *= np.where(flips, -1.0, 1.0)[:, np.newaxis]
    return found if found[0, 0] >= 0.0 else -found
